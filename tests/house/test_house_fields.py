"""What a campaign's row sets is played by, or refused: field by field and word by word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from tests.house.courses import COURSES, NUMBERS
from tests.house.playing import GAMES, HouseFight, ruleset_with

from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import IN_EVERY_GAME, check_house_rules
from affray.core.rules.tables import EffectRow
from affray.rulesets import load_ruleset

AMOUNTS = {
    "modifiers": -2,
    "at_most": 0,
    "resist": 5,
    "at_start": 1,
    "escape": 1,
    "adds_damage": "acid",
    "ended_by": ("blinded",),
}
"""Fields that map words to something, with what makes a difference."""
FROM_THE_TABLES = {
    "at_start": ("hp", "fatigue"),
    "escape": ("hp", "fatigue", "exhaustion"),
    "resist": ("fire", "all"),
    "only_with": ("ranged",),
    "half_damage": ("fire", "all"),
    "adds_damage": ("fire",),
    "ended_by": ("fire",),
    "keeps_off": ("prone",),
}
"""Words of the fields for which the tables say what they are."""
_TRACKS = ("at_start", "escape")
"""The fields whose words are tracks."""
_SIDES = ("advantage", "disadvantage", "critical", "hindered", "hindered_near")
FIELDS = tuple(
    f"suffers.{side}" if field == "suffers" else field
    for field in EffectRow.__struct_fields__
    if field not in IN_EVERY_GAME
    for side in (_SIDES if field == "suffers" else ("",))
)
"""All fields of an effect that are for the games to read."""


def row_with(field: str, word: str) -> dict[str, Any]:
    """An effect's row that says this word in this field, and nothing else."""
    if field.startswith("suffers."):
        return {"suffers": {field.removeprefix("suffers."): word}}
    if field == "only_with":
        return {field: [word], "modifiers": {"attack": -3}}
    if field in AMOUNTS:
        return {field: {word: AMOUNTS[field]}}
    return {field: word if field == "speed" else [word]}


def words_of(game: str, field: str) -> tuple[str, ...]:
    """The words that a game reads in a field; none where it doesn't read it."""
    rules = load_ruleset(game)
    reads = rules.schema.effects
    if field not in reads:
        return ()
    words = reads[field] or FROM_THE_TABLES[field]
    return tuple(w for w in words if field not in _TRACKS or w in rules.tables.tracks)


def test_the_fields_that_are_for_the_games_to_read_are_known() -> None:
    assert set(FIELDS) == {f for game in GAMES for f in load_ruleset(game).schema.effects}


READ = [(game, field, word) for game in GAMES for field in FIELDS for word in words_of(game, field)]
EVERY = {field: {w for game in GAMES for w in words_of(game, field)} for field in FIELDS}
UNREAD = [
    (game, field, word)
    for game in GAMES
    for field in FIELDS
    for word in sorted({*EVERY[field], "swimming"} - {*words_of(game, field)})
    if (field, word) != ("speed", "swimming")  # which no game could have
    and not (field == "only_with" and words_of(game, field))  # which may be any word
]


@cache
def course(game: str) -> list[list[object]]:
    """What a game's course comes to where the effect `cursed` does nothing, line by line."""
    return list(cursed(game, {}))


def cursed(game: str, row: dict[str, Any]) -> Iterator[list[object]]:
    """The same where it has this row."""
    return HouseFight(ruleset_with(game, {"effects": {"cursed": row}})).try_all(COURSES[game])


def differ(some: Iterable[list[object]], others: Iterable[list[object]]) -> bool:
    """Whether a line of a course has another result; behind the first nothing is played."""
    return any(one != other for one, other in zip(some, others, strict=True))


@pytest.mark.parametrize(("game", "field", "word"), READ)
def test_each_word_that_a_game_reads_changes_a_fight(game: str, field: str, word: str) -> None:
    assert differ(cursed(game, row_with(field, word)), course(game))


@pytest.mark.parametrize(("game", "field", "word"), UNREAD)
def test_each_word_that_a_game_does_not_read_is_refused(game: str, field: str, word: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, {"effects": {"cursed": row_with(field, word)}})
    message = refusal.value.message
    assert "\n" not in message
    assert message.startswith(f"[effects.cursed] {field}: ")
    if field not in load_ruleset(game).schema.effects:
        assert f"{load_ruleset(game).name} has no such field; it reads modifiers, " in message
    elif word != "swimming":
        says = "is no track" if field == "escape" else "is not used there"
        assert f"{word!r} {says}; " in message


HARDER = {"modifiers": {"attack": -3}}
IMPLIED = {"implies": ["blinded"]}
SHARED = [
    ({"kind": "{other}"}, {}),
    (IMPLIED, {}),
    ({**IMPLIED, "needs_source": True}, IMPLIED),
    ({"brings": ["blinded"]}, {}),
    ({"breaks": ["{breaks}"]}, {}),
    ({"ends_with_source": True}, {}),
    ({"until": "it rains"}, {}),
    ({**HARDER, "concerns": "source"}, HARDER),
    ({**HARDER, "concerns": "others"}, HARDER),
]
OTHER_KIND = {
    "monsters-and-magic": "status",
    "orcus": "boon",
    "level-up": "ward",
    "adventure-school": "boon",
    "5e": "ward",
}
BREAKS = {**dict.fromkeys(GAMES, "stunned"), **dict.fromkeys(("level-up", "5e"), "unconscious")}
"""What Foe 2 gets at the end of a game's course."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("row", "plain"), SHARED, ids=lambda row: "+".join(row) or "plain")
def test_each_field_that_means_the_same_in_every_game_changes_a_fight(
    game: str, row: dict[str, Any], plain: dict[str, Any]
) -> None:
    row = {"kind": OTHER_KIND[game]} if "kind" in row else row
    row = {"breaks": [BREAKS[game]]} if "breaks" in row else row
    assert differ(cursed(game, row), cursed(game, plain))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("field", ["implies", "brings", "breaks"])
def test_an_effect_that_is_named_must_be_there(game: str, field: str) -> None:
    with pytest.raises(Refused, match=rf"\[effects.cursed\] {field}: 'blided' .* mean blinded"):
        ruleset_with(game, {"effects": {"cursed": {field: ["blided"]}}})
    ruleset_with(game, {"effects": {"cursed": {field: ["odd"]}, "odd": {}}})


@pytest.mark.parametrize("game", GAMES)
def test_a_kind_of_effects_must_be_one_of_the_game_or_of_the_campaign(game: str) -> None:
    with pytest.raises(Refused, match=r"\[effects.cursed\] kind: 'conditon' .* mean condition"):
        ruleset_with(game, {"effects": {"cursed": {"kind": "conditon"}}})
    ruleset_with(
        game, {"kinds": {"curse": {"harmful": True}}, "effects": {"odd": {"kind": "curse"}}}
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_games_own_tables_pass(game: str) -> None:
    ruleset = load_ruleset(game)
    check_house_rules(ruleset, ruleset.tables)


@cache
def course_of_numbers(game: str) -> list[list[object]]:
    """What a game's course of numbers comes to by its own tables, line by line."""
    return list(HouseFight(load_ruleset(game)).try_all(NUMBERS[game]))


ANOTHER_SKILL = "seeking"
"""In place of the only one by which a contest goes."""


def _another(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _another(each) for key, each in value.items()}
    if isinstance(value, bool):
        return not value
    if isinstance(value, list) and isinstance(value[0], str):
        return value[:-1] or [ANOTHER_SKILL]
    if isinstance(value, list):
        return value[::-1] if isinstance(value[0], dict) else [-1, -5]
    return f"{value}+1" if isinstance(value, str) else value + 1


ECONOMY = [(game, name) for game in GAMES for name in load_ruleset(game).tables.economy]


@pytest.mark.parametrize(("game", "name"), ECONOMY)
def test_each_plain_number_changes_a_fight(game: str, name: str) -> None:
    another = _another(load_ruleset(game).tables.economy[name])
    fight = HouseFight(ruleset_with(game, {"economy": {name: another}}))
    assert differ(fight.try_all(NUMBERS[game]), course_of_numbers(game))


HALVED = "[effects.soggy] speed: must be 'half', 'double' or 'none'"
WRONG = [
    ("effects.soggy = { colour = 'blue' }", "[effects.soggy] has no field 'colour'; there are na"),
    ("effects.soggy = { modifers = {} }", "has no field 'modifers'; did you mean modifiers?"),
    ("effects.soggy = { modifiers = 3 }", "[effects.soggy] modifiers: expected `object`, got `in"),
    ("effects.soggy = { speed = 'halved' }", HALVED),
    ("effects.soggy = 3", "[effects.soggy]: expected `object`, got `int`"),
    ("efects.soggy = {}", "there is no table [efects]; did you mean effects?"),
    ("effects.Soggy = {}", "[effects.Soggy]: no command could name it; write it in lower case"),
    ("tracks.mana = { label = 'Mana' }", "[tracks] has no 'mana'; there are hp, "),
    ("tracks.hp = { label = 'Health', below = {not_below} }", "the rules need below = {below}"),
    ("tracks.hp = { label = 'H', below = {below}, counts = 'marked' }", 'need counts = "left"'),
    ("outcomes.graze = { key = 'g' }", "[outcomes] has no 'graze'; there are miss, "),
    ("totals.zeal = { label = 'Zeal' }", "[totals] has no 'zeal'; there are "),
    ("damage_types = ['Hard light']", "`damage_types`: 'Hard light' must be one word in lower"),
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("rows", "said"), WRONG, ids=[rows for rows, _ in WRONG])
def test_what_only_the_game_can_have_is_refused(game: str, rows: str, said: str) -> None:
    below = load_ruleset(game).tables.tracks["hp"].below
    if "tracks.mana" in rows and load_ruleset(game).schema.counters:
        assert ruleset_with(game, rows).tables.tracks["mana"].label == "Mana"
        return
    for name, value in (("{below}", below), ("{not_below}", not below)):
        rows, said = (text.replace(name, str(value).lower()) for text in (rows, said))
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows)
    assert said in refusal.value.message


def test_two_dice_where_one_counts_are_for_games_that_have_them() -> None:
    assert ruleset_with("monsters-and-magic", "leans = true").tables.leans
    with pytest.raises(Refused, match="`leans`: Orcus has no advantage"):
        ruleset_with("orcus", "leans = true")


def test_what_immunity_is_called_is_no_house_rule() -> None:
    assert ruleset_with("adventure-school", 'unaffected = "immune"').tables.unaffected == "immune"
    with pytest.raises(Refused, match="`unaffected`: Orcus does not let house rules set it"):
        ruleset_with("orcus", 'unaffected = "immune"')


@pytest.mark.parametrize("game", GAMES)
def test_tracks_and_totals_can_be_called_otherwise(game: str) -> None:
    below = str(load_ruleset(game).tables.tracks["hp"].below).lower()
    ruleset = ruleset_with(game, f"tracks.hp = {{ label = 'Health', below = {below} }}\n")
    assert ruleset.tables.tracks["hp"].label == "Health"
