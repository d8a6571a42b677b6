"""`?` in `affray play`: words by subject, and whatever the screen looks up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fights import play as fights
from tests.play.table import GAMES, answers, quick_fight

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import commands_of
from affray.core.formatting.media import SPOKEN, Notation, prose_aloud
from affray.core.parser.errors import Refused
from affray.core.parser.spelling import fold
from affray.core.rules.reference import CreatureEntry, look_up_keys
from affray.play.subjects import WORDS, help_answer
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.testing.conformance import signs_heard

EVERY_GAME = (*GAMES.values(), "plain")


def test_the_words_of_play_are_no_commands_of_any_game() -> None:
    for game in EVERY_GAME:
        commands = commands_of(load_ruleset(game))
        assert not [word for word in WORDS if word.split()[0] in commands]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_command_and_every_word_of_play_is_in_one_subject(game: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    OpenEncounter.create(path, game, "x").close()
    with OpenEncounter.open(path) as fight:
        subjects = help_answer(fight.ruleset, fight.state, "").lines[0]
        names = subjects.removeprefix("Subjects: ").rstrip(".").split(", ")
        lines = [
            line for name in names for line in help_answer(fight.ruleset, fight.state, name).whole
        ]
        found = [fold(line.partition(":")[0]) for line in lines]
        every = [*commands_of(fight.ruleset), *SESSION_COMMANDS, *map(fold, WORDS)]
        assert sorted(found) == sorted(every)


@pytest.mark.parametrize(
    "sample", sorted(fights.CAMPAIGNS.glob("*/encounters/*.toml")), ids=lambda p: p.stem
)
def test_every_rule_and_creature_that_the_screen_finds_is_found_by_its_name(sample: Path) -> None:
    """Among them the spells, tables and places of a campaign, and who is here."""
    with OpenEncounter.view(sample) as fight:
        ruleset, state = fight.ruleset, fight.state
        how = Notation(SPOKEN, ruleset.tables.spoken)
        entries = [entry for _, entry in look_up_keys(ruleset, state, how)]
        assert any(isinstance(entry, CreatureEntry) for entry in entries)
        for entry in entries:
            answer = help_answer(ruleset, state, entry.name)
            heard = fold(" ".join((*answer.lines, *answer.whole)))
            name = prose_aloud(entry.name, how.spoken)
            assert fold(name.replace("-", " ")) in heard.replace("-", " "), name
            if not isinstance(entry, CreatureEntry) and entry.sort != "command":
                text = prose_aloud(entry.text, how.spoken)
                assert fold(" ".join(text.split()).rstrip(".")) in heard, entry.name
                assert not signs_heard(text, entry.text), entry.name


HEARD = ("cover", "advantage", "dying", "initiative", "luck", "weak", "strong", "crit", "prone")
"""Words that play itself says, and that GMs have looked for in vain."""


@pytest.mark.parametrize("word", HEARD)
def test_words_that_are_heard_are_found(word: str, tmp_path: Path) -> None:
    lines = answers(quick_fight(tmp_path), f"? {word}")[1]
    assert word in " ".join(lines).casefold()


def test_a_creature_is_told_by_its_sheet_of_which_all_has_the_rest(tmp_path: Path) -> None:
    sample = fights.CAMPAIGNS / "drowned-vale" / "encounters" / "the-sluice-gate.toml"
    with OpenEncounter.view(sample) as fight:
        answer = help_answer(fight.ruleset, fight.state, "silt hound")
    assert answer.lines == ["Silt Hound, 12 of 12, AC 1.", "Jaws; all tells the rest."]
    assert answer.whole[-1] == "Somebody's farm dogs, nine years later."


def test_what_stands_on_a_sheet_alone_is_told_with_whose_it_is(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = answers(path, 'add monster Imp hp 3 text "It wears a moonstone."', "? moonstone")
    assert lines[2] == ["On the sheet of: Imp."]


def test_a_word_that_finds_nothing_is_refused_with_what_is_close(tmp_path: Path) -> None:
    fight = OpenEncounter.view(quick_fight(tmp_path))
    with pytest.raises(Refused, match="qqq is not a word of these rules"):
        help_answer(fight.ruleset, fight.state, "qqq")
    assert help_answer(fight.ruleset, fight.state, "weakend").lines[0].startswith("Weakened")
