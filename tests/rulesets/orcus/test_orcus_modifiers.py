"""Typed modifiers: what stacks, and the command that gives one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled
from affray.mechanics.stats import StatPart
from affray.rulesets.orcus import checks

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


@pytest.mark.parametrize(
    ("parts", "total"),
    [
        ([(1, ""), (2, ""), (-1, "")], 2),  # untyped ones all count
        ([(1, "power"), (3, "power")], 3),  # the best bonus of a type
        ([(-1, "power"), (-3, "power")], -3),  # the worst penalty of a type
        ([(2, "power"), (-1, "power"), (1, "power")], 1),  # and both of these together
        ([(2, "power"), (2, "feat")], 4),  # different types stack
        ([(2, "feat"), (2, "feat")], 2),  # of equals, one
    ],
)
def test_modifiers_of_one_type_do_not_stack(parts: list[tuple[int, str]], total: int) -> None:
    """Orcus, Stacking; Modifier Types."""
    assert checks.added_up([StatPart(n, f"{n}", kind) for n, kind in parts]) == total


def test_why_lists_what_does_not_count_as_text(fight: Fight) -> None:
    """Orcus, Stacking."""
    fight.do('modifier brannoc +1 attack power "bless"', 'modifier brannoc +2 attack power "song"')
    fight.do('modifier brannoc +1 attack "x"')
    assert fight.why("brannoc", "attack")[:3] == [
        ("(+1)", "bless (power), doesn't stack"),
        (2, "song (power)"),
        (1, "x"),
    ]


def test_a_modifier_is_given_to_several_for_a_time(fight: Fight) -> None:
    """Orcus, Modifier Types; Duration."""
    fight.do('modifier brannoc,mira +2 attack power until end of mira "blessing"')
    assert fight.total("brannoc", "attack") == fight.total("mira", "attack") == 2
    assert fight.why("mira", "attack")[:1] == [(2, "blessing (power)")]
    fight.do("next", "next")
    assert fight.total("brannoc", "attack") == 0


def test_two_power_bonuses_give_the_better_one(fight: Fight) -> None:
    """Orcus, Stacking."""
    fight.do("modifier brannoc +2 ac,reflex power", "modifier brannoc +3 ac power")
    fight.do("modifier brannoc -1 ac power", "modifier brannoc +1 ac")
    assert fight.total("brannoc", "ac") == 18 + 3 - 1 + 1
    assert fight.total("brannoc", "reflex") == 14 + 2
    assert ("(+2)", "modifier (power), doesn't stack") in fight.why("brannoc", "ac")


def test_defenses_stands_for_all_four(fight: Fight) -> None:
    """Orcus, Attack Rolls."""
    fight.do("modifier mira -2 defenses until save")
    assert [fight.total("mira", d) for d in ("ac", "fortitude", "reflex", "will")] == [
        13,
        10,
        14,
        13,
    ]
    assert fight.until("mira", "modifier") == "until saved against"


def test_what_it_is_to_may_stand_word_by_word(fight: Fight) -> None:
    """`save ends` behind it is the duration, `save` alone one of the numbers."""
    fight.do("modifier brannoc,mira -1 attack ac feat", "modifier brannoc -2 check save save ends")
    assert (fight.total("mira", "attack"), fight.total("mira", "ac")) == (-1, 14)
    assert fight["brannoc"].effects[1].modifiers == {"check": -2, "save": -2}
    assert fight["brannoc"].effects[1].until.ends == "save"


def test_a_modifier_until_used_counts_in_totals(fight: Fight) -> None:
    """Orcus, Modifiers."""
    fight.do("modifier brannoc +4 attack until used from mira")
    assert fight.total("brannoc", "attack") == 4
    assert fight.why("brannoc", "attack")[:1] == [(4, "modifier from Mira")]


def test_for_turns_counts_the_turns_of_each(fight: Fight) -> None:
    """Orcus, Duration."""
    fight.do("modifier brannoc,mira +1 save for 1 turns", "next")
    assert fight.total("brannoc", "save") == 1  # its next turn is in the next round
    fight.do("next")
    assert (fight.total("brannoc", "save"), fight.total("mira", "save")) == (1, 0)


def test_the_entry_says_what_was_given(fight: Fight) -> None:
    """The text of the entry names who comes first."""
    fight.do("modifier brannoc +2 fort,ref feat")
    assert fight.history.undo_title == "Brannoc: +2 fortitude and reflex (feat)"


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("modifier brannoc 0 ac", "changes nothing"),
        ("modifier brannoc +2", "the roll or number it changes"),
        ("modifier brannoc +2 armour", "found 'armour'"),
        ("modifier brannoc +2 atack", "did you mean attack"),
        ("modifier brannoc ac", "bonus or penalty"),
        ("modifier nobody +2 ac", "nobody here"),
        ("modifier brannoc +2 ac pwer", "did not expect 'pwer'"),
    ],
)
def test_what_is_turned_down(fight: Fight, line: str, saying: str) -> None:
    """What was expected is said."""
    fight.refuses(line, saying)


def test_one_bonus_to_checks_and_perception_counts_once(fight: Fight) -> None:
    """Orcus, Modifiers: it is one bonus to that roll."""
    fight.do("modifier mira +2 check,perception")
    assert (fight.total("mira", "perception"), fight.total("mira", "check")) == (2, 2)
    assert fight.why("mira", "perception") == [(2, "modifier")]


@pytest.mark.parametrize("dc", [" dc 10", ""])
def test_a_bonus_to_the_next_perception_is_used_by_it(fight: Fight, dc: str) -> None:
    """Orcus, Modifiers; a check of another skill leaves it. What it is against may be the
    table's to know."""
    fight.do("modifier mira +2 perception until used")
    fight.do("check mira heal natural 9 dc 10")
    assert fight.total("mira", "perception") == 2
    fight.do(f"check mira perception natural 9{dc}")
    total = next(e.total for e in fight.events if isinstance(e, Rolled))
    assert (total, fight.total("mira", "perception")) == (11, 0)


def test_a_bonus_to_the_next_initiative_or_check_is_used_by_it(fight: Fight) -> None:
    """Orcus, Initiative is a Dexterity check; Modifiers."""
    fight.do("modifier mira +2 initiative until used", "modifier mira +1 check until used")
    fight.do("modifier mira +4 attack until used", "init mira natural 10")
    assert (fight.total("mira", "initiative"), fight.total("mira", "attack")) == (0, 4)


@pytest.mark.parametrize(
    ("bonus", "lines"),
    [
        ("brannoc +2 fortitude", ("grapple goblin-1 hit", "next", "next", "escape natural 9")),
        ("goblin-1 +2 defenses", ("deter goblin-1 natural 9 attack",)),
    ],
)
def test_a_bonus_to_a_defence_is_used_by_the_next_check_against_it(
    fight: Fight, bonus: str, lines: tuple[str, ...]
) -> None:
    """Orcus, Escape a Grapple, Deter: a check against a defence."""
    who = bonus.split()[0]
    fight.do(f"modifier {bonus} until used", *lines)
    assert "modifier" not in fight.effects(who)
