"""Sizes, and whose creature somebody is."""

from affray.core.heart.state import Combatant, Encounter, Slot
from affray.rulekit.initiative import owners_totals
from affray.rulekit.recorded import larger_by, owner_here, size_of

MIRA = Combatant("mira", "Mira", "heroes", "pc")
WOLF = Combatant("wolf", "Wolf", "heroes", "monster", stats={"owner": "mira", "size": "large"})
STRAY = Combatant("stray", "Stray", "others", "monster", stats={"owner": "odo", "size": 7})


def test_who_has_no_size_that_makes_sense_is_medium():
    assert [size_of(who) for who in (MIRA, WOLF, STRAY)] == ["medium", "large", "medium"]
    assert larger_by(WOLF, MIRA) == -larger_by(MIRA, WOLF) == 1


def test_an_owner_is_somebody_else_who_is_there():
    fight = Encounter(combatants=(MIRA, WOLF, STRAY))
    owners = [owner_here(fight, who) for who in (MIRA, WOLF, STRAY)]
    assert owners == [None, MIRA, None]


def test_who_has_the_owners_initiative_has_it_as_it_is_found_or_stands():
    fight = Encounter(combatants=(MIRA, WOLF, STRAY), slots=(Slot("mira", 12),))
    assert owners_totals(fight, ["wolf", "stray"], {}) == {"wolf": 12}
    assert owners_totals(fight, ["wolf"], {"mira": 9}) == {"wolf": 9}
    assert owners_totals(Encounter(combatants=(MIRA, WOLF)), ["wolf"], {}) == {}
