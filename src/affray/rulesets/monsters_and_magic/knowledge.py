"""What somebody knows, as their sheet has it: talents, and spells with what their charms cost.

Seed 004: Talents, Basic Techniques (Cast a Spell).
"""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.state import MOST_KEPT, Combatant
from affray.core.language import arguments
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, close_or_all, signed
from affray.rulekit import recorded

SPELLS, TALENTS = "spells", "talents"


class Talent(Struct, frozen=True):
    """What somebody knew before: PB and these increases, twice with expertise."""

    name: Annotated[str, arguments.name("the talent's name")]
    plus: Annotated[int, arguments.number("its increases", 0, 20, "+N")] = 0
    expertise: Annotated[bool, arguments.flag()] = False


def bonus(who: Combatant, talent: Talent, twice: bool = False) -> int:
    """What a talent adds: PB and its increases, double with expertise (Talents)."""
    return (2 if twice or talent.expertise else 1) * (who.number("pb") + talent.plus)


class Charm(Struct, frozen=True):
    """What makes a cantrip more: so many AP on top of its own."""

    name: Annotated[str, arguments.name("the charm's name", usage="CHARM")]
    ap: Annotated[int, arguments.number("its AP", 0, 9)]


_CHARM = arguments.form(Charm)


class Cantrip(Struct, frozen=True):
    """A spell that somebody knows: its AP without charms, and the charms."""

    name: Annotated[str, arguments.name("the spell's name")]
    ap: Annotated[int, arguments.clause("ap", arguments.number("its AP", 1, 9))] = 1
    charms: Annotated[
        tuple[Charm, ...],
        arguments.clause(
            "charm", replace(_CHARM, read=lambda reading: (_CHARM.read(reading),)), add
        ),
    ] = ()


@lru_cache(maxsize=MOST_KEPT)
def cantrips_of(who: Combatant) -> tuple[Cantrip, ...]:
    """The spells on somebody's sheet that are known with their price."""
    return tuple(recorded.rows_of(who, SPELLS, Cantrip))


def talents_of(who: Combatant) -> dict[str, Talent]:
    """The talents on somebody's sheet, by their names as single words."""
    return {hyphened(each.name): each for each in recorded.rows_of(who, TALENTS, Talent)}


def spells_of(who: Combatant) -> list[str]:
    """The names by which they are cast: plain, and with each charm."""
    return [
        name
        for each in cantrips_of(who)
        for name in (each.name, *(f"{each.name}, {charm.name}" for charm in each.charms))
    ]


def price_of(who: Combatant, said: str) -> int | None:
    """What a spell on the sheet costs with the charms behind its name; None for another spell.

    Raises Refused for a charm that it has not.
    """
    name, *charms = (hyphened(part) for part in said.split(","))
    known = next((each for each in cantrips_of(who) if hyphened(each.name) == name), None)
    if known is None:
        return None
    prices = {hyphened(charm.name): charm.ap for charm in known.charms}
    wrong = next((charm for charm in charms if charm not in prices), None)
    if wrong is not None:
        raise Refused(f"{known.name} has no charm {wrong!r}{close_or_all(wrong, prices)}")
    return known.ap + sum(prices[charm] for charm in charms)


def told(who: Combatant) -> dict[str, str]:
    """Somebody's spells with what they cost, and talents, in words by stat; nothing without any."""
    spells = [_told_spell(each) for each in cantrips_of(who)]
    talents = [f"{each.name} {signed(bonus(who, each))}" for each in talents_of(who).values()]
    said = {SPELLS: ("Knows", spells), TALENTS: ("Talents", talents)}
    return {stat: f"{label} {'; '.join(rows)}" for stat, (label, rows) in said.items() if rows}


def _told_spell(spell: Cantrip) -> str:
    charms = ", ".join(f"{charm.name} +{charm.ap}" for charm in spell.charms)
    return f"{spell.name} {spell.ap} AP{f' ({charms})' if charms else ''}"
