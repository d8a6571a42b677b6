"""What `add` understands of a combatant, and the tracks that come of it."""

from __future__ import annotations

from typing import Any

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.words import Words
from affray.rulekit import sheets
from affray.rulekit.sheets import Row, Sheet
from affray.rulesets.adventure_school import costs, creatures
from affray.rulesets.adventure_school.creatures import (
    SENSES,
    SIZES,
    SKILLS,
    WEAPONS,
    Attack,
)

AGAINST = ("resist", "weak", "absorb", "immune")
"""What a sheet says of types of damage; `immune` of conditions as well."""
RESOURCES = ("stamina", "spirit", "control")
"""What is counted of those who have it, and begins full; fortune and the die have forms of
their own."""


def _types(stat: str) -> Row:
    """Damage of which types somebody resists and the like: `resist fire,cold`."""

    def known(reading: Reading) -> list[str]:
        tables = reading.ctx.tables
        more = [n for n, row in tables.effects.items() if row.kind == "condition"]
        return [*tables.damage_types, *(more if stat == "immune" else ())]

    return sheets.several(stat, what=f"{stat} to what", choices=known)


def _read_skill(reading: Reading) -> dict[str, int]:
    words = reading.words
    name = str(words.next("the skill's name")).casefold()
    return {name: words.number(f"the number for {name}", -99, 99)}


def _keep_skill(sheet: Sheet, name: str, said: dict[str, int]) -> None:
    sheet.stats["skills"] = sheet.stats.get("skills", {}) | said


ROWS = (
    sheets.tracks("hp", low=1),
    sheets.numbers("ac", low=0),
    sheets.numbers("init"),
    sheets.numbers("speed", low=0, usage="[speed N]"),
    sheets.argument("size", arguments.choice("a size", SIZES), usage="[size SIZE]"),
    sheets.numbers("health", "social", "reflex", usage="[health N] [social N] [reflex N]"),
    sheets.numbers(*SKILLS, usage="[strength N ... performance N]"),
    Row(
        ("skill",),
        lambda reading, name: _read_skill(reading),
        _keep_skill,
        "[skill NAME N]",
        again=True,
    ),
    sheets.tracks(*RESOURCES, low=0, usage="[stamina N] [spirit N] [control N]"),
    sheets.argument("fortune", arguments.dice("the dice of fortune")),
    sheets.argument("spellburn", arguments.die("the spellburn die")),
    sheets.numbers("attacks", "songs", low=1, usage="[attacks N] [songs N]"),
    sheets.numbers("dr", "regeneration", low=1, usage="[dr N] [regeneration N]"),
    *map(_types, AGAINST),
    sheets.flags("float", "dual-wielding", *SENSES),
    sheets.attacks(
        "attack",
        Attack,
        "[attack NAME +N vs ac DICE [TYPE] [ranged] [light] [two-handed] [loading] [threat N] "
        "[extra DICE [TYPE]]]",
        WEAPONS,
    ),
    sheets.attacks("ability", costs.Ability, costs.USAGE, costs.STAT),
)
"""What `add` understands."""


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, ROWS)
    if kind != "hazard":
        sheets.require_hp(words, sheet)
    return sheet.stats, _tracks(ctx, kind, sheet)


def _tracks(ctx: Context, kind: str, sheet: Sheet) -> dict[str, Track]:
    given, stats, economy = sheet.tracks, sheet.stats, ctx.tables.economy
    if "hp" not in given:
        return {}
    action, speed = int(economy["action"]), int(stats.get("speed", economy["speed"]))
    tracks = {
        "hp": given["hp"].left,
        "action": Track(action, action),
        "attacks": Track(0),
        "movement": Track(speed, speed),
    }
    for name in RESOURCES:
        if name in given:
            tracks[name] = given[name].left
        elif kind == "pc" and name in economy:
            tracks[name] = Track(int(economy[name]), int(economy[name]))
    tracks |= {"fortune": Track(0)} if "fortune" in stats else {}
    if "spellburn" in stats:
        tracks["spellburn"] = Track(stats["spellburn"], stats["spellburn"])
    return tracks | {"diminish": Track(0), "returns": Track(0, int(economy["returns"]))}


def told(state: Encounter, combatant: Combatant) -> dict[str, str]:
    """Its attacks as a stat block has them; of the spellburn die the track tells."""
    weapons = ", ".join(map(sheets.in_words, creatures.attacks_of(combatant)))
    found = {WEAPONS: f"Attacks {weapons}"} if weapons else {}
    return found | ({"spellburn": ""} if "spellburn" in combatant.stats else {})
