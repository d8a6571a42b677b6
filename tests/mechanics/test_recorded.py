"""Sizes, and whose creature somebody is."""

from affray.core.engine.state import Combatant, Encounter, Slot
from affray.mechanics.checks import companion_initiative
from affray.mechanics.sheet import present_owner, size_difference, size_of

MIRA = Combatant("mira", "Mira", "heroes", "pc")
WOLF = Combatant("wolf", "Wolf", "heroes", "monster", stats={"owner": "mira", "size": "large"})
STRAY = Combatant("stray", "Stray", "others", "monster", stats={"owner": "odo", "size": 7})


def test_who_has_no_size_that_makes_sense_is_medium():
    assert [size_of(who) for who in (MIRA, WOLF, STRAY)] == ["medium", "large", "medium"]
    assert size_difference(WOLF, MIRA) == -size_difference(MIRA, WOLF) == 1


def test_an_owner_is_somebody_else_who_is_there():
    fight = Encounter(combatants=(MIRA, WOLF, STRAY))
    owners = [present_owner(fight, who) for who in (MIRA, WOLF, STRAY)]
    assert owners == [None, MIRA, None]


def test_who_has_the_owners_initiative_has_it_as_it_is_found_or_stands():
    fight = Encounter(combatants=(MIRA, WOLF, STRAY), slots=(Slot("mira", 12),))
    assert companion_initiative(fight, ["wolf", "stray"], {}) == {"wolf": 12}
    assert companion_initiative(fight, ["wolf"], {"mira": 9}) == {"wolf": 9}
    assert companion_initiative(Encounter(combatants=(MIRA, WOLF)), ["wolf"], {}) == {}
