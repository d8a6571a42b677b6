"""Powers. Orcus, Powers, Glossary (Refresh)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.rulesets.orcus.conftest import ORDER

from affray.core.engine.events import Rolled
from affray.core.rules.tables import Tables

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
POWERS = (
    'power "Fire Burst" daily +6 vs reflex 3d6+4 fire near half'
    ' power "Sure Cut" encounter consistent +7 vs ac 2d8+4'
    ' power Jab at-will +7 vs ac 1d8+4 power "Second Wind" encounter move'
    " power Whirl daily swift power Taunt encounter"
)
DRAKE = "add monster Drake hp 60 power Breath refresh 5 +9 vs reflex 2d6 fire near half"


@pytest.fixture
def armed(usual: NewFight) -> Fight:
    """The usual fight; Brannoc has powers."""
    return usual(POWERS)


def test_a_power_takes_the_action_that_it_says(armed: Fight) -> None:
    """Orcus, Action Required."""
    armed.do('power "Second Wind"', "power whirl")
    assert armed.actions("brannoc") == (1, 0, 0)
    armed.do("power jab goblin-1 hit 7")
    assert armed.actions("brannoc") == (0, 0, 0)
    armed.refuses("power jab goblin-1 hit 7", "standard action used")


def test_an_attack_power_attacks_each_target_with_its_own_numbers(armed: Fight) -> None:
    """Orcus, Power Attack Rolls, Areas of effect. Reflex 14: 8 + 6 hits, 7 + 6 misses."""
    armed.do('power "Fire Burst" goblin-1,goblin-2 natural 8,7 15')
    rolls = [e for e in armed.events if isinstance(e, Rolled)]
    assert [(e.total, e.dc, e.outcome) for e in rolls] == [(14, 14, "hit"), (13, 14, "miss")]
    assert (armed.hp("goblin-1"), armed.hp("goblin-2")) == (11, 19)


def test_at_will_powers_are_never_expended(armed: Fight) -> None:
    """Orcus, Power Category and Frequency."""
    armed.do("power jab goblin-1 hit 7", "next", "next", "next", "next", "power jab goblin-1 hit 7")
    assert armed.hp("goblin-1") == 12


def test_an_encounter_power_comes_back_with_a_short_rest(armed: Fight) -> None:
    """Orcus, Power Category and Frequency."""
    armed.do('power "Sure Cut" goblin-1 hit 7', "next", "next", "next", "next")
    armed.refuses('power "Sure Cut" goblin-1 hit 7', "expended until a short rest")
    assert armed.reason("brannoc", "power Sure Cut") == "expended until a short rest"
    armed.do("end", "rest short", *ORDER, 'power "Sure Cut" goblin-1 hit 7 by brannoc')
    assert armed.hp("goblin-1") == 12


def test_a_daily_power_comes_back_with_a_long_rest(armed: Fight) -> None:
    """Orcus, Power Category and Frequency."""
    armed.do("power whirl", "end", "rest short", *ORDER)
    armed.refuses("power whirl by brannoc", "long rest")
    armed.do("end", "rest long", *ORDER, "power whirl by brannoc")
    armed.refuses("power whirl by brannoc", "long rest")


def test_a_consistent_power_that_misses_is_kept(armed: Fight) -> None:
    """Orcus, Consistent."""
    armed.do('power "Sure Cut" goblin-1,goblin-2 miss')
    assert "expended" not in armed.reason("brannoc", "power Sure Cut")
    armed.do("undo", 'power "Sure Cut" goblin-1,goblin-2 miss,hit 7')
    assert "expended" in armed.reason("brannoc", "power Sure Cut")


def test_other_powers_are_expended_by_a_miss(armed: Fight) -> None:
    """Orcus, Power Category and Frequency."""
    armed.do('power "Fire Burst" goblin-1 miss 14')
    assert "long rest" in armed.reason("brannoc", "power Fire Burst")
    assert armed.hp("goblin-1") == 26 - 7


def test_the_controlled_use_no_encounter_or_daily_powers(armed: Fight) -> None:
    """Orcus, Conditions (Controlled)."""
    armed.do("inflict brannoc controlled")
    armed.refuses("power whirl", "controlled")
    armed.refuses('power "Sure Cut" goblin-1 hit 5', "controlled")
    assert armed.do("power jab mira hit 5").hp("mira") == 25


def test_a_power_with_no_attack_on_its_sheet_may_be_called_out(armed: Fight) -> None:
    """Orcus, Power Effects."""
    armed.refuses("power taunt goblin-1 natural 15 5", "no attack bonus")
    armed.do("power taunt goblin-1 hit 5")
    assert armed.hp("goblin-1") == 21
    assert "expended" in armed.reason("brannoc", "power Taunt")


def test_a_utility_power_takes_a_note(armed: Fight) -> None:
    """Orcus, Power Category and Frequency (utility)."""
    armed.do('power taunt "all within 3 squares"')
    assert armed.shown["undo"] == "Brannoc uses Taunt: all within 3 squares"


def test_a_melee_power_with_the_standard_action_on_the_helpless_is_a_coup(armed: Fight) -> None:
    """Orcus, Coup de Grace (including an attack power, using a standard action)."""
    armed.do("inflict goblin-1 helpless", "power jab goblin-1 hit 13")
    assert (armed.outcome, armed["goblin-1"].life) == ("crit", "dead")


def test_a_power_against_the_helpless_may_be_a_coup_de_grace(armed: Fight) -> None:
    """Orcus, Coup de Grace (including an attack power, using a standard action)."""
    armed.refuses("power jab coup-de-grace goblin-1 hit 13", "not helpless")
    armed.do("inflict goblin-1 helpless", "power jab coup-de-grace goblin-1 hit 13")
    assert armed["goblin-1"].life == "dead"
    assert armed.rolled.for_ == "coup-de-grace"
    armed.do("undo", "power jab goblin-2 hit 13")
    assert armed.rolled.for_ == "Jab"


def test_an_unknown_power_gets_an_answer(armed: Fight) -> None:
    """Bad input."""
    armed.refuses("power jap goblin-1 hit 5", "did you mean")
    armed.refuses("power x by mira", "has no powers")


def test_a_power_may_be_named_by_its_beginning(armed: Fight) -> None:
    """Grammar: the unique beginning of a name."""
    armed.do('power "fire b" goblin-1 miss 4')
    assert "expended" in armed.reason("brannoc", "power Fire Burst")


@pytest.mark.parametrize(("face", "back"), [(4, False), (5, True), (6, True)])
def test_a_refresh_power_comes_back_by_a_die_at_turn_start(
    usual: NewFight, face: int, back: bool
) -> None:
    """Orcus, Glossary (Refresh)."""
    fight = usual(more=(DRAKE, "init drake 20"))
    fight.do("power breath brannoc", faces=(12, 3, 4))
    fight.refuses("power breath brannoc", "expended until a d6 shows 5 or more")
    fight.do("next", "next", "next", "next")
    fight.do("next", faces=(face,))
    assert fight.state.turn == "drake"
    assert (fight.reason("drake", "power Breath") == "") is back


def test_a_campaign_may_have_another_die_bring_powers_back(usual: NewFight) -> None:
    """Orcus, Glossary (Refresh). The text names no die."""
    fight = usual(more=(DRAKE, "init drake 20"))
    tables = fight.ruleset.tables.merged(Tables(economy={"refresh": "1d8"}))
    fight.ruleset = replace(fight.ruleset, tables=tables)
    fight.do("power breath brannoc", faces=(12, 3, 4))
    fight.refuses("power breath brannoc", "expended until a d8 shows 5 or more")
    fight.do("next", "next", "next", "next").do("next", faces=(8,))
    assert fight.reason("drake", "power Breath") == ""


def test_no_die_is_rolled_for_a_refresh_power_that_is_ready(usual: NewFight) -> None:
    """Orcus, Glossary (Refresh)."""
    fight = usual(more=(DRAKE, "init drake 20"))
    fight.do("next", "next", "next", "next", "next", faces=())
    assert fight.state.turn == "drake"


def test_a_utility_power_may_name_the_allies_it_is_for(armed: Fight) -> None:
    """Orcus, Power Category and Frequency: "may affect you, an ally"."""
    armed.do("power taunt mira,brannoc")
    assert armed.shown["undo"] == "Brannoc uses Taunt: Mira and Brannoc"
    armed.do("undo").refuses("power taunt goblin-1", "expected an outcome")
