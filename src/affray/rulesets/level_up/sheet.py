"""Level Up: a combatant's sheet, as `add` reads it and as the log holds it.

Level Up.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from msgspec import field

from affray.core.engine.state import MOST_KEPT, Combatant, Encounter, Track
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser.declarations import Argument
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import powers, sheet as shared_sheet
from affray.mechanics.dying import DEATH_SAVES
from affray.mechanics.items import CarryingSheet
from affray.mechanics.sheet import SheetFieldGroup
from affray.rulesets.srd import sheet
from affray.rulesets.srd.sheet import (
    LEGENDARY,
    POWERS,
    REGENERATION,
    RESISTS,
    WEAPONS,
    Power,
    begin_tracks,
    complete_rows,
    level_tracks,
)

SKILLS = ("acrobatics", "athletics", "investigation", "medicine", "perception", "stealth")
"""The skills that the text names; any other word is one as well."""
_DUAL_WIELDING = Argument(
    lambda r: True,
    "",
    keywords=("dual-wielding",),
    joins=lambda earlier, now: now,
    field=ANY_MORE,
)


class Attack(sheet.Attack, frozen=True):
    """An attack on a sheet; light weapons of other games are dual-wielding here."""

    light: Annotated[bool, _DUAL_WIELDING] = field(default=False, name="dual_wielding")


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks in the sheet's order; the first is the default without `with`."""
    return shared_sheet.stat_rows(combatant, WEAPONS, Attack, sheet.has_dice)


@lru_cache(maxsize=MOST_KEPT)
def powers_of(combatant: Combatant) -> tuple[Power, ...]:
    """The powers on somebody's sheet."""
    return tuple(shared_sheet.stat_rows(combatant, POWERS, Power, sheet.has_dice))


def off_hand_at_once(kind: str, attacks: int) -> int:
    """The number of off-hand attacks in a bonus action, for a number of attacks."""
    return 2 if kind == "pc" and attacks > 1 else 1


# -- the whole sheet -------------------------------------------------------------------------------

_BRINGS = (
    "[plus DICE [TYPE]] [inflicts CONDITION[,CONDITION] [END]] "
    "[save ABILITY [DICE [TYPE]] dc N [half] ...]"
)
_WEAPON = (
    "[attack NAME +N DICE [TYPE] [melee|ranged] [thrown] [heavy] [two-handed] [dual-wielding] "
    f"[magical] [reach N | range N/N] {_BRINGS}]"
)
_POWER = (
    "[power NAME [action|bonus|reaction|free|trait|legendary N] [uses N [per fight|rest|day]] "
    f'[recharge N] [shares NAME] [+N] [DICE [TYPE]] [melee|ranged] {_BRINGS} [text "TEXT"]]'
)
_OWN = ("shield", "exertion", LEGENDARY, RESISTS)
"""The tracks of only those whose sheets have them."""
ROWS = (
    shared_sheet.hp_field(),
    shared_sheet.number_fields("ac", low=0),
    shared_sheet.number_fields("init", usage="[init N]"),
    shared_sheet.number_fields("speed", low=0, usage="[speed N]"),
    *shared_sheet.only_for_kind(
        "pc", shared_sheet.number_fields("level", low=1, usage="[level N]")
    ),
    *shared_sheet.only_for_kind(
        "monster", shared_sheet.number_fields("hit-dice", low=1, usage="[hit-dice N]")
    ),
    shared_sheet.number_fields("pb", low=0, usage="[pb N]"),
    shared_sheet.number_fields(*sheet.ABILITIES, usage="[str N ... cha N]"),
    sheet.SAVES,
    shared_sheet.list_fields("skills", what="skills after {}", usual=SKILLS),
    shared_sheet.list_fields("specialty", what="its properties after {}"),
    shared_sheet.number_fields(
        "passive-perception", "passive-investigation", "maneuver-dc", low=0, usage=""
    ),
    shared_sheet.number_fields("spell", usage="[spell N]"),
    shared_sheet.number_fields("attacks", low=1, usage="[attacks N]"),
    shared_sheet.track_fields("shield", "exertion", low=1, usage="[shield N] [exertion N]"),
    sheet.SIZE,
    *sheet.DEFENCES,
    shared_sheet.flag_fields("swim", "fly", "blindsight"),
    *shared_sheet.only_for_kind(
        "monster",
        shared_sheet.flag_fields("important", "dramatic"),
        *sheet.LEGENDARIES,
        shared_sheet.number_fields(REGENERATION, low=1, usage="[regeneration N]"),
    ),
    shared_sheet.struct_fields("attack", Attack, _WEAPON, WEAPONS),
    powers.power_fields("power", Power, _POWER, POWERS),
    shared_sheet.WHEN_FIELD,
    sheet.SUMMON,
)
"""The fields of a sheet, as `add` takes them."""


class Sheets(CarryingSheet):
    """Sheets: the words of `add`, and how they are shown."""

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return ROWS

    def complete(
        self, ctx: Context, kind: str, sheet: shared_sheet.Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        complete_rows(ctx, sheet)
        return sheet.stats, _tracks(ctx, kind, sheet)

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """Its attacks as in a stat block, and its summoner."""
        attacks = (shared_sheet.format_row(row, how=how) for row in attacks_of(combatant))
        found = shared_sheet.format_attacks(WEAPONS, attacks, how)
        owner = shared_sheet.owner_of(combatant)
        found |= {"owner": f"Summoned by {state.name(owner)}"} if owner else {}
        return found | super().labels(state, combatant, how)


def _tracks(ctx: Context, kind: str, sheet: shared_sheet.Sheet) -> dict[str, Track]:
    given, economy = sheet.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    attacks = int(sheet.stats.get("attacks", 1))
    tracks = begin_tracks(ctx, sheet, off_hand_at_once(kind, attacks))
    tracks |= level_tracks(sheet, "fatigue", "strife")
    tracks |= dict.fromkeys(DEATH_SAVES, Track(0, int(economy["death_saves"])))
    tracks["sprints"] = Track(0)
    return tracks | {name: given[name].left for name in _OWN if name in given}
