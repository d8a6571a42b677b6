"""Abilities on the sheet, what they take, and what no sheet takes.

Adventure School, Stamina, Spellburn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.parser.errors import Refused
from affray.rulesets.adventure_school.sheet import Ability, abilities_of, find_spell

Fight = Any


def test_a_sheet_holds_abilities_with_all_words_of_a_price(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(
        "add pc Ann hp 9 ability Surge fast stamina 1 exhaust 2 uses 3"
        " ability Trick reaction fortune 2 diminish 1"
        " ability Ray spellburn +5 vs ac 2d6 fire ranged"
        " ability Storm spellburn 3 control 4 spirit 1 ability Light minor-spellburn free"
    )
    assert abilities_of(fight["ann"]) == [
        Ability(name="Surge", takes="fast", stamina=1, exhaust=2, uses=3),
        Ability(name="Trick", takes="reaction", fortune=2, diminish=1),
        Ability(name="Ray", spellburn=1, bonus=5, dice="2d6", type="fire", ranged=True),
        Ability(name="Storm", spellburn=3, control=4, spirit=1),
        Ability(name="Light", minor_spellburn=True, takes="free"),
    ]


def test_what_is_exhausted_is_spent_as_well() -> None:
    """Adventure School, Stamina, Exhaust."""
    assert Ability(name="Surge", stamina=1, exhaust=2, spirit=1).points == {
        "stamina": 3,
        "spirit": 1,
    }


@pytest.mark.parametrize("said", ["Second Wind", "second wind", "second", "s"])
def test_a_spell_goes_by_its_one_beginning(fight: Fight, said: str) -> None:
    assert find_spell(fight["brannoc"], said).name == "Second Wind"


def test_what_begins_none_or_several_is_one_of_which_the_sheet_does_not_tell(
    new_fight: Callable[..., Fight],
) -> None:
    ann = new_fight("add pc Ann hp 9 ability Raya stamina 1 ability Rayb stamina 1")["ann"]
    assert find_spell(ann, "ray") == Ability(name="ray")
    assert find_spell(ann, "rayb").stamina == 1
    with pytest.raises(Refused, match="did you mean Raya"):
        find_spell(ann, "arya")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("set mira ac -3", "ac must be from 0 to 999, not -3"),
        ("set mira speed -5", "speed must be from 0 to 999, not -5"),
        ("set zed songs 0", "songs must be from 1 to 999, not 0"),
        ("set zed dr 0", "dr must be from 1 to 999, not 0"),
        ("set zed size mega", "one of tiny, small, medium, large, huge or giant"),
        ("set zed skills 4", "expected one of their tracks or numbers"),
    ],
)
def test_what_add_refuses_can_not_be_set(fight: Fight, line: str, answer: str) -> None:
    fight.do("add pc Zed hp 9 songs 2 dr 1 size large skill Cooking 3")
    fight.refuses(line, answer)


def test_a_skill_has_a_name(fight: Fight) -> None:
    fight.refuses('add pc Zed hp 9 skill "" 3', "the skill's name")
