"""Rows of prompts that are too short for all that could stand in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.tui.ghouls import Made, prompt_after

from affray.store.open_encounter import OpenEncounter
from affray.tui.drawing import truncate_start
from affray.tui.prompts.dice_fields import OutcomeField
from affray.tui.prompts.field import PromptPart
from affray.tui.prompts.preview import PreviewLine
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import (
    PromptWidget,
    pieces_line,
    prompt_rows,
    rest_rows,
    undo_rows,
)

ROWS = ((PromptWidget, 0), (PromptWidget, 1), (Footer, 0))
"""Where a prompt stands, when what it offers takes the place of the keys as well."""


def test_what_is_offered_gives_way_and_how_to_answer_does_not() -> None:
    offers = [
        p
        for i in range(30)
        for p in (PromptPart(str(i), "key"), PromptPart(f"Goblin {i}", "offer"))
    ]
    offers[21] = PromptPart("Goblin 10", "picked")
    pieces = [
        PromptPart("Damage", "label"),
        PromptPart("who", "blank"),
        *offers,
        PromptPart("h half", "hint"),
    ]
    for width in (40, 60, 80, 120):
        shown = str(pieces_line(pieces, styles_of(DARK), width).strip(width).text)
        assert shown.rstrip().endswith("h half"), shown
        assert width == 40 or "Goblin 10" in shown
        assert width == 120 or "…" in shown


def test_of_a_list_of_people_the_numbers_stay_and_the_last_lose_their_names_first() -> None:
    people = ["Weir Ogre", "Tithe Taker 1", "Tithe Taker 2", "Pell", "Tamsin", "Ilse", "Oswin"]
    offers = [
        p
        for i, n in enumerate(people, 1)
        for p in (PromptPart(str(i), "key"), PromptPart(n, "offer"))
    ]
    offers[11] = PromptPart("Ilse", "picked")
    pieces = [PromptPart("Strike", "label"), PromptPart("Ilse", "now"), *offers]
    shown = str(pieces_line(pieces, styles_of(DARK), 80).strip(80).text)
    assert "1 Weir Ogre  2 Tithe Taker 1  3 Tithe Taker 2" in shown
    assert "6 Ilse" in shown and "7" in shown.split() and "Oswin" not in shown
    assert "…" not in shown


@pytest.mark.parametrize("width", [70, 80])
def test_of_a_list_of_people_whoever_has_no_room_is_named_in_the_row_below(width: int) -> None:
    people = ["Weir Ogre", "Tithe Taker 1", "Tithe Taker 2", "Pell", "Tamsin", "Ilse", "Oswin"]
    offers = [
        p
        for i, n in enumerate(people, 1)
        for p in (PromptPart(str(i), "key"), PromptPart(n, "offer"))
    ]
    pieces = [
        PromptPart("Condition", "label"),
        PromptPart("who", "blank"),
        *offers,
        PromptPart("1,3-5", "hint"),
    ]
    upper, lower, _ = (line.text for line in prompt_rows(tuple(pieces), styles_of(DARK), width, 2))
    assert upper.endswith("1,3-5") and max(len(upper), len(lower)) <= width
    named = f"{upper} {lower}"
    assert [name for name in people if name not in named] == []
    assert "7 Oswin" in lower and "1 Weir Ogre" in upper
    assert (
        prompt_rows(tuple(pieces), styles_of(DARK), width, 1)[1].text == ""
    )  # something is said there
    assert prompt_rows(tuple(pieces), styles_of(DARK), 200, 2)[1].text == ""


PLACES = {"the-ninth-kiln": "kiln-road", "the-boiler-house": "winter-term"}


@pytest.mark.parametrize("fight", PLACES)
@pytest.mark.parametrize("keys", ["-", "-2,3,4", "c"])
async def test_nobody_among_many_is_a_number_without_a_name(
    sample: Callable[[str], OpenEncounter], game_of: Callable[..., Any], fight: str, keys: str
) -> None:
    async with game_of(sample(f"{PLACES[fight]}/encounters/{fight}.toml"), (80, 24)) as game:
        await game.type(keys)
        shown = "  ".join(game.row(widget, y).strip() for widget, y in ROWS)
        for combatant_id, number in game.line.prompt.candidates.items():
            begins = game.who(combatant_id).name[:4]
            assert f"  {number} {begins}" in shown, shown
        await game.type("⎋")
        assert "? help" in game.row(Footer)


RATS = """
add pc Mira hp 30 ac 4
add monster Rat x40 hp 4
add monster Mouse x40 hp 4
start
next
"""


@pytest.mark.parametrize("begun", ["s", "-"])
def test_of_many_people_those_are_made_for_the_row_who_have_room_in_it(
    played: Callable[..., OpenEncounter], begun: str
) -> None:
    fight = played(RATS)
    made = prompt_after(fight, begun, "mira")
    for key in ("", *["down"] * 45, "up"):
        if key:
            made.feed(key)
        for width in (30, 40, 50):
            some, everybody = made.pieces(width), made.pieces()
            assert len(some) < len(everybody)
            for rows in (1, 2):
                texts = [
                    [line.text for line in prompt_rows(tuple(row), styles_of(DARK), width, rows)]
                    for row in (some, everybody)
                ]
                assert texts[0] == texts[1]


def test_of_answers_with_letters_each_has_its_word_or_goes(prompt: Made) -> None:
    made = prompt("g 3 space")
    short = str(pieces_line(made.pieces(), styles_of(DARK), 80).strip(80).text)
    assert short.rstrip().endswith("against 12") and "… " in short, short
    assert "m miss" in short and not {"f", "n", "r"} & set(short.split())
    for width in (80, 120):
        shown = " ".join(
            x.text for x in prompt_rows(tuple(made.pieces()), styles_of(DARK), width, 2)
        )
        assert {"m", "w", "s", "c", "f", "n", "r"} <= set(shown.split()), shown


def test_only_damage_can_be_halved(prompt: Made) -> None:
    assert "half" in "".join(piece.text for piece in prompt("-").pieces())
    assert "half" not in "".join(piece.text for piece in prompt("X").pieces())
    assert "no answer" in prompt("X h").trouble


def test_the_end_of_a_long_text_is_seen(prompt: Made) -> None:
    made = prompt("y " + " ".join("abcdefghij" * 12))
    shown = str(pieces_line(made.pieces(), styles_of(DARK), 60).strip(60).text)
    assert "hij▏" in shown and "…" in shown
    assert truncate_start("abcdef", 4) == "…def"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_what_undo_takes_back_stands_whole_above_the_keys(width: int) -> None:
    title = "Note: The punt's chain was cut, not rusted, and somebody had been here before them."
    rows = [line.text for line in undo_rows("u", title, styles_of(DARK), width, 2)]
    assert rows[0].startswith(" u undoes: Note") and max(map(len, rows)) <= width
    assert rows[-1].endswith("before them.") and len(rows) == (3 if width < 60 else 2)
    assert not undo_rows("u", "Note: hm", styles_of(DARK), width, 2)[0].text


def test_undo_names_nothing_that_the_row_above_has_just_told() -> None:
    told = PreviewLine("Odo delays; Ghoul 1 is up · Odo no longer dazed")
    rows = rest_rows(told, ("u", "Odo delays; Ghoul 1 is up"), styles_of(DARK), 80, 6)
    assert [line.text for line in rows][1:] == [" u undoes it"]


def test_a_list_of_names_takes_no_cell_from_who_was_answered(prompt: Made) -> None:
    made = prompt("c 3 space")
    shown = pieces_line(made.pieces(), styles_of(DARK), 60).text
    assert shown.startswith(" Condition › Ghoul 1 › weakened▏  weakened") and "…" in shown


def test_whoever_has_to_be_cut_keeps_the_number() -> None:
    offers = [
        p for key in "34567" for p in (PromptPart(key, "key"), PromptPart("outcome", "offer"))
    ]
    pieces = [
        PromptPart("Strike", "label"),
        PromptPart("Silt Hound 2", "done"),
        PromptPart("how", "blank"),
    ]
    shown = pieces_line([*pieces, *offers], styles_of(DARK), 40).text
    assert "… 2" in shown and {*"34567"} <= {*shown.split()}, shown


WRECKERS = """
add pc Garrow hp 44 ac 18 attack hook +7 1d8+4 piercing
add monster Wrecker hp 19 ac 13 attack gaff +4 1d8+2 piercing
init garrow 15
init wrecker 4
start
"""


async def test_what_can_be_called_out_is_told_in_words_before_it_is_said_which_answers_there_are(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    async with game_of(played(WRECKERS, ruleset="level-up"), size=(80, 24)) as game:
        await game.type("s2")
        rows = f"{game.row(PromptWidget)} {game.row(PromptWidget, 1)}"
        assert "m miss  h hit  c crit" in game.row(PromptWidget) and "outcome:" not in rows
        assert "d20 as rolled" in rows and "against 13" in rows
    async with game_of(played(WRECKERS, ruleset="level-up"), size=(200, 60)) as game:
        await game.type("s2")
        assert "n d20 as rolled" in game.row(PromptWidget)
        assert "outcome: m miss, h hit, c crit, f fumble" in game.row(PromptWidget, 1)


@pytest.mark.parametrize("width", range(44, 90))
def test_no_more_answers_go_than_have_to(width: int) -> None:
    words = {"m": "miss", "w": "weak", "s": "strong", "c": "crit", "n": "d20 as rolled"}
    offers = [
        p
        for key, word in words.items()
        for p in (PromptPart(key, "key"), PromptPart(word, "offer"))
    ]
    pieces = [PromptPart("Strike", "label"), PromptPart("outcome", "blank"), *offers]
    shown = str(pieces_line(pieces, styles_of(DARK), width).strip(width).text).rstrip()
    gone = [f"{key} {word}" for key, word in words.items() if f"{key} {word}" not in shown]
    assert len(shown) <= width
    assert not gone or len(shown) + len(min(gone, key=len)) > width - 4, shown


@pytest.mark.parametrize("width", [80, 100])
def test_the_letters_of_an_outcome_stay_before_a_hint_on_how_many_there_are(
    played: Callable[..., OpenEncounter], width: int
) -> None:
    fight = "add pc Mira hp 9 ac 12\nadd monster Ghoul x3 hp 9 ac 9\ninit mira 9\nstart"
    made = prompt_after(played(fight, ruleset="level-up"), "* 2 - 4 tab d", "mira")
    shown = pieces_line(made.pieces(), styles_of(DARK), width).text
    assert "s success" in shown and "f fail" in shown
    assert "… 3" not in shown


def test_the_letters_of_the_sides_keep_their_words_longer_than_people_keep_their_names() -> None:
    offers = [
        *(PromptPart("F", "key"), PromptPart("foes", "offer")),
        *(PromptPart("P", "key"), PromptPart("party", "offer")),
        *(PromptPart("*", "key"), PromptPart("all", "offer")),
    ]
    for number in range(1, 9):
        offers += [PromptPart(str(number), "key"), PromptPart(f"Goblin {number}", "offer")]
    pieces = [PromptPart("Damage", "label"), PromptPart("Goblin 1, Goblin 2", "now"), *offers]
    shown = str(pieces_line(pieces, styles_of(DARK), 80).strip(80).text)
    assert "F foes  P party  * all  1 Goblin 1" in shown, shown
    besides = [PromptPart("A", "aside"), PromptPart("advantage", "offer")]
    shown = str(pieces_line([*pieces, *besides], styles_of(DARK), 80).strip(80).text)
    assert "F foes  P party  * all" in shown and "advantage" not in shown, shown


def test_of_a_crowd_the_letters_of_the_sides_keep_their_words() -> None:
    pieces = [
        PromptPart("Damage", "label"),
        PromptPart("who", "blank"),
        *(PromptPart("F", "key"), PromptPart("foes", "offer")),
        *(PromptPart("P", "key"), PromptPart("party", "offer")),
    ]
    for number in range(1, 60):
        pieces += [PromptPart(str(number), "key"), PromptPart(f"Goblin {number}", "offer")]
    shown = str(pieces_line(pieces, styles_of(DARK), 80).strip(80).text)
    assert "F foes  P party" in shown, shown


@pytest.mark.parametrize("keys", ["- 3 tab 5 tab tab", "s 3 s tab 5 tab", "! enter tab"])
def test_what_may_be_said_at_the_end_is_called_more_in_every_prompt(
    prompt: Made, keys: str
) -> None:
    made = prompt(keys)
    assert made.field is not None and made.field.label == "more"
    assert [piece.text for piece in made.pieces() if piece.role == "blank"] == ["more"]


def test_where_no_damage_has_a_type_none_is_asked(fight: OpenEncounter) -> None:
    """A game of somebody's own may have no types of damage (A12)."""
    assert "letters for its type" in prompt_after(fight, "s 3 s 8").field.hint
    rules = fight.ruleset
    fight.ruleset = replace(rules, tables=replace(rules.tables, damage_types=()))
    assert prompt_after(fight, "s 3 s 8").field.hint == ""


def test_a_field_is_asked_once_for_an_answer_whether_it_is_needed(
    fight: OpenEncounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask while a picture is made (docs/measurements.md, keys of a prompt)."""
    made, needed = prompt_after(fight, "s 3"), OutcomeField.is_needed
    asked: list[str] = []
    monkeypatch.setattr(
        OutcomeField, "is_needed", lambda self: asked.append(self.answer) or needed(self)
    )
    for key, answer in (("s", "strong"), ("backspace", ""), ("backspace", ""), ("w", "weak")):
        made.feed(key)
        asked.clear()
        for _ in range(3):
            assert made.pieces() and made.line
            assert [made.enter, made.tab, made.complete, made.asks_for]
        assert asked in ([], [answer]), key
