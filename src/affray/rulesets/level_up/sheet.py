"""What `add` understands of a combatant, and the tracks that come of it. Rules file, 18."""

from __future__ import annotations

from typing import Any

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.language import arguments
from affray.core.language.words import Words
from affray.rulekit import powers, recorded, sheets
from affray.rulekit.recorded import SIZES, owner_of
from affray.rulekit.sheets import Row, Sheet
from affray.rulesets.level_up import conditions, creatures, damage, dying

_BRINGS = "[plus DICE [TYPE]] [inflicts CONDITION[,CONDITION] [END]] [save ABILITY dc N ...]"
_WEAPON = (
    "[attack NAME +N DICE [TYPE] [melee|ranged] [thrown] [heavy] [dual-wielding] [magical] "
    f"[reach N | range N/N] {_BRINGS}]"
)
_POWER = (
    "[power NAME [action|bonus|reaction|free|trait|legendary N] [uses N [per fight|rest|day]] "
    f'[recharge N] [+N] [DICE [TYPE]] [melee|ranged] {_BRINGS} [text "TEXT"]]'
)


def _against(stat: str, what: str) -> Row:
    """Damage of which types somebody resists and the like: `resist fire,cold`."""
    return sheets.several(
        stat, what=f"{what} to what", choices=lambda r: conditions.known_to(r.ctx.tables, what)
    )


_OWN = ("shield", "exertion", creatures.LEGENDARY)
"""What only those count who have it."""
ROWS = (
    sheets.hit_points(),
    sheets.numbers("ac", low=0),
    sheets.numbers("init", usage="[init N]"),
    sheets.numbers("speed", low=0, usage="[speed N]"),
    *sheets.only_of("pc", sheets.numbers("level", low=1, usage="[level N]")),
    *sheets.only_of("monster", sheets.numbers("hit-dice", low=1, usage="[hit-dice N]")),
    sheets.numbers("pb", low=0, usage="[pb N]"),
    sheets.numbers(*creatures.ABILITIES, usage="[str N ... cha N]"),
    sheets.several("saves", what="abilities after saves", choices=creatures.ABILITIES),
    sheets.lists("skills", what="skills after {}", known=creatures.SKILLS),
    sheets.lists("specialty", what="what it is, after {}"),
    sheets.numbers("passive-perception", "passive-investigation", "maneuver-dc", low=0, usage=""),
    sheets.numbers("spell", usage="[spell N]"),
    sheets.numbers("attacks", low=1, usage="[attacks N]"),
    sheets.tracks("shield", "exertion", low=1, usage="[shield N] [exertion N]"),
    sheets.argument("size", arguments.choice("a size", SIZES), usage="[size SIZE]"),
    *(_against(stat, what) for what, stat in damage.STATS.items()),
    sheets.flags("swim", "fly", "blindsight"),
    *sheets.only_of(
        "monster",
        sheets.flags("important", "dramatic"),
        sheets.tracks(creatures.LEGENDARY, low=1, usage="[legendary N]"),
    ),
    sheets.attacks("attack", creatures.Attack, _WEAPON, creatures.WEAPONS),
    powers.on_sheets("power", creatures.Power, _POWER, creatures.POWERS),
    sheets.argument(
        "summon",
        arguments.person("whose summon it is"),
        "[summon of NAME]",
        lambda sheet, name, owner: sheet.stats.update(owner=owner.id),
        before="of",
    ),
)
"""What `add` understands."""


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, ROWS)
    if kind != "hazard":
        sheets.require_hp(words, sheet)
    return sheet.stats, _tracks(ctx, kind, sheet)


def _tracks(ctx: Context, kind: str, sheet: Sheet) -> dict[str, Track]:
    given, economy = sheet.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    speed = int(sheet.stats.get("speed", economy["speed"]))
    tracks = {"hp": given["hp"].left, "temp_hp": Track(0)}
    for name in ("action", "bonus_action", "reaction", "interaction"):
        tracks[name] = Track(int(economy[name]), int(economy[name]))
    attacks = int(sheet.stats.get("attacks", 1))
    tracks["attacks"] = Track(0, attacks)
    tracks["off_hand"] = Track(0, creatures.off_hand_at_once(kind, attacks))
    tracks["movement"] = Track(speed, speed)
    tracks |= {"fatigue": Track(0), "strife": Track(0)}
    tracks |= dict.fromkeys(dying.COUNTS, Track(0, int(economy["death_saves"])))
    tracks["sprints"] = Track(0)
    return tracks | {name: given[name].left for name in _OWN if name in given}


def told(state: Encounter, combatant: Combatant) -> dict[str, str]:
    """Its attacks as a stat block has them, and whose summon it is."""
    attacks = map(recorded.in_words, creatures.attacks_of(combatant))
    found, owner = recorded.attacks_told(creatures.WEAPONS, attacks), owner_of(combatant)
    return found | ({"owner": f"Summoned by {state.name(owner)}"} if owner else {})
