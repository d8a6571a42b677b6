"""What a sheet has is heard in words: no sign, no dice as they are written, no capitals."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from tests.golden.decisions import CASES, GAMES, LOGS, SEED

from affray import Fight
from affray.core.engine.state import Encounter
from affray.core.formatting.inventory import inventory_lines
from affray.core.formatting.media import SPOKEN, Notation
from affray.core.formatting.spoken_answers import entry_answer, how_are
from affray.core.formatting.spoken_lines import (
    action_lines,
    card_lines,
    order_lines,
    timer_lines,
)
from affray.core.rules.ruleset import Ruleset
from affray.play.reader import Reader
from affray.store.open_encounter import OpenEncounter
from affray.testing.conformance import TYPED, signs_heard

FIRST_SHEETS = "first-version"
"""A log whose sheets have attacks as texts, `oar|1d6|bludgeoning`, which nothing reads any more."""


def fights(game: str) -> Iterator[Fight | OpenEncounter]:
    """Each case file of a game once it is set up, and each of its logs at its end."""
    for path in CASES:
        document = tomllib.loads(path.read_text("utf-8"))
        if document["ruleset"] == game:
            fight = Fight(game, "case", SEED)
            fight.do(*document.get("setup", ()))
            yield fight
    for path in LOGS:
        with OpenEncounter.view(path) as opened:
            if opened.ruleset.id == game and path.stem != FIRST_SHEETS:
                yield opened


def texts(fight: Fight | OpenEncounter) -> str:
    """What the GM has typed in quotes, which is heard as it stands."""
    lines = "\n".join(entry.command for entry in fight.history.entries.values())
    return "\n".join(TYPED.findall(lines))


def heard(ruleset: Ruleset, state: Encounter) -> Iterator[str]:
    how = Notation(SPOKEN, ruleset.tables.spoken)
    for combatant in state.combatants:
        yield from card_lines(ruleset, state, combatant)
        yield from action_lines(ruleset, state, combatant)
        yield from inventory_lines(ruleset, state, [combatant], how)
    yield from order_lines(ruleset, state)
    yield from timer_lines(ruleset, state)
    yield from how_are(ruleset, state, state.combatants).whole


@pytest.mark.parametrize("game", GAMES)
def test_no_sign_of_a_sheet_is_heard(game: str) -> None:
    """docs/read-aloud.md: numbers, signs and dice are heard as words."""
    found = {
        line
        for fight in fights(game)
        for line in heard(fight.ruleset, fight.state)
        if "×" in line or signs_heard(line, texts(fight))
    }
    assert not found


ATTACKS = {
    "plain": ("add pc Mira hp 20 init 3", "Initiative plus 3."),
    "5e": (
        "add monster Imp cr 1/2 hp 9 ac 12 dex -1 attack bow +5 1d8+3 piercing ranged range 30/120",
        "Attacks bow, plus 5 to hit, 1d8 plus 3 piercing, ranged, range 30, at most 120.",
    ),
    "level-up": (
        "add pc Mira hp 20 attack tail +7 2d6-1 cold reach 10 save str dc 13 inflicts prone",
        "Attacks tail, plus 7 to hit, 2d6 minus 1 cold, reach 10, save strength, dc 13,"
        " inflicts prone.",
    ),
    "monsters-and-magic": (
        'add pc Mira hp 20 talent rivers 2 bond Odo -1 "owes a boat"',
        "Bonds Odo minus 1: owes a boat.",
    ),
    "orcus": (
        "add pc Mira hp 20 attack bow +8 vs reflex 1d10+3 cold ranged",
        "Attacks bow, plus 8 against Reflex, 1d10 plus 3 cold, ranged.",
    ),
    "adventure-school": (
        "add pc Mira hp 20 attack dirk +6 1d4+3 piercing light extra 1d8",
        "Attacks dirk, plus 6 to hit, 1d4 plus 3 piercing, light, extra 1d8.",
    ),
}


@pytest.mark.parametrize("game", ATTACKS)
def test_an_attack_is_heard_with_what_its_numbers_are(game: str) -> None:
    command, line = ATTACKS[game]
    fight = Fight(game, "heard", SEED)
    fight.do(command)
    assert line in card_lines(fight.ruleset, fight.state, fight.state.combatants[0])


def test_a_fraction_of_a_challenge_rating_is_heard_as_one() -> None:
    fight = Fight("5e", "heard", SEED)
    fight.do(ATTACKS["5e"][0])
    lines = card_lines(fight.ruleset, fight.state, fight.state.combatants[0])
    assert "CR one half." in lines


def test_what_an_action_of_the_world_costs_is_heard_in_words() -> None:
    """A campaign's environment has a track for each action that recharges, and no row for it."""
    path = next(p for p in LOGS if p.stem == "the-bell-in-the-gale" and "campaigns" in p.parts)
    with OpenEncounter.view(path) as fight:
        world = next(c for c in fight.state.combatants if c.name == "World")
        lines = card_lines(fight.ruleset, fight.state, world)
    assert any(
        line.startswith("The Bell Swings, world action: recharge 5 or more.") for line in lines
    )


def test_health_below_0_is_heard_so() -> None:
    fight = Fight("orcus", "heard", SEED)
    fight.do("add pc Mira hp 20", "damage mira 24")
    assert "HP minus 4 of 20" in " ".join(
        card_lines(fight.ruleset, fight.state, fight.state.combatants[0])
    )


def test_a_clock_that_has_run_out_is_heard_in_small_letters() -> None:
    """The screen has it in capitals, which a speech program may spell."""
    fight = Fight("plain", "heard", SEED)
    fight.do('clock "The rail" 1')
    before = fight.state
    entry = fight.do('clock "The rail" tick')
    answer = entry_answer(entry, before, fight.state, fight.ruleset)
    assert answer.lines == ["The rail: run out."]


CARDS = {
    "the-bed-of-the-drake": {
        "card cinder drake": [
            "Cinder Drake, 69 of 90, AC 15; prone.",
            "Bite, tail, Ash Breath, Sweep, Hot Wind; all tells the rest.",
        ],
        "card drake: saves": ["Cinder Drake: Saves dexterity, constitution."],
        "card mira attacks": [
            "Mira: Attacks pen-knife, plus 6 to hit, 1d4 plus 3 piercing, light, finesse."
        ],
        "card odo nonsense": ["Not done: no answer to 'nonsense'; card odo tells all."],
    },
    "the-ninth-kiln": {
        "card ninth potter": [
            "Ninth Potter, 183 of 230, AC 20; rattled, marked.",
            "Wet fist, thrown wheel, Turn the Wheel, Fire It Hard, Nine Hands, Press the Thumb; all"
            " tells the rest.",
        ]
    },
}


@pytest.mark.parametrize("sample", CARDS)
def test_a_card_is_who_somebody_is_and_what_they_can_do_by_name(sample: str) -> None:
    path = next(p for p in LOGS if p.stem == sample and "campaigns" in p.parts)
    with OpenEncounter.view(path) as fight:
        reader = Reader(fight)
        reader.begin()
        assert {line: reader.answer(line) for line in CARDS[sample]} == CARDS[sample]


def test_no_price_is_heard_twice_of_a_power() -> None:
    """Its own words may say what it costs: `legendary 1`, `standard action`."""
    path = next(p for p in LOGS if p.stem == "the-bed-of-the-drake" and "campaigns" in p.parts)
    with OpenEncounter.view(path) as fight:
        drake = next(c for c in fight.state.combatants if c.name == "Cinder Drake")
        lines = card_lines(fight.ruleset, fight.state, drake)
        can = action_lines(fight.ruleset, fight.state, drake, only_now=True)
    assert "Sweep: legendary 1, plus 8 to hit, 1d8 plus 5 bludgeoning." in lines
    assert "1 legendary action: Sweep." in can
