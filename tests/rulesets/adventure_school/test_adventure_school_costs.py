"""Abilities on the sheet, and what they take. Rules file, Commands 1; 001 Stamina, Spellburn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.language.refusal import Refused
from affray.rulesets.adventure_school.sheet import Ability, abilities_of, spell_called

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
    """13.1."""
    assert Ability(name="Surge", stamina=1, exhaust=2, spirit=1).points == {
        "stamina": 3,
        "spirit": 1,
    }


@pytest.mark.parametrize("said", ["Second Wind", "second wind", "second", "s"])
def test_a_spell_goes_by_its_one_beginning(fight: Fight, said: str) -> None:
    assert spell_called(fight["brannoc"], said).name == "Second Wind"


def test_what_begins_none_or_several_is_one_of_which_the_sheet_does_not_tell(
    new_fight: Callable[..., Fight],
) -> None:
    ann = new_fight("add pc Ann hp 9 ability Raya stamina 1 ability Rayb stamina 1")["ann"]
    assert spell_called(ann, "ray") == Ability(name="ray")
    assert spell_called(ann, "rayb").stamina == 1
    with pytest.raises(Refused, match="did you mean Raya"):
        spell_called(ann, "arya")
