"""5e: a combatant's sheet, as `add` reads it and as the log holds it.

SRD 5.2.1, Weapons, Casting Spells, Monsters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import parse_dice
from affray.core.engine import durations
from affray.core.engine.state import MOST_KEPT, Combatant, Encounter, Track
from affray.core.formatting.media import IN_WRITING, SPOKEN, Notation
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.parser.tokens import Token, TokenStream, quote_token
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import powers, sheet as shared_sheet
from affray.mechanics.checks import SAID_DC
from affray.mechanics.conditions import DurationRules
from affray.mechanics.dying import DEATH_SAVES
from affray.mechanics.items import CarryingSheet
from affray.mechanics.sheet import SheetFieldGroup
from affray.rulesets.fifth import settings, spell_rows
from affray.rulesets.srd import sheet
from affray.rulesets.srd.sheet import (
    LEGENDARY,
    POWERS,
    REGENERATION,
    RESISTS,
    WEAPONS,
    begin_tracks,
    complete_rows,
    keep_damage_off,
    level_tracks,
)

SKILLS = (
    "acrobatics", "animal-handling", "arcana", "athletics", "deception", "history", "insight",
    "intimidation", "investigation", "medicine", "nature", "perception", "performance",
    "persuasion", "religion", "sleight-of-hand", "stealth", "survival",
)  # fmt: skip
MASTERIES = ("cleave", "graze", "nick", "push", "sap", "slow", "topple", "vex")
SLOTS = tuple(f"slots_{level}" for level in range(1, 10))
SPELLS, PACT, HIT_DICE, INSPIRATION = "spells", "pact", "hit_dice", "inspiration"
LAIR_OF = "lair-of"
"""The stat of a lair that has turns: its owner's id."""

# -- attacks, saves, powers, spells ----------------------------------------------------------------

LASTING_ON_SHEETS = DurationRules(alone=durations.WITHOUT_UNTIL, limited=True)
Inflicts = Annotated[
    powers.Inflicts, powers.inflicts_arg(("ongoing",), ("grappled",), lasting=LASTING_ON_SHEETS)
]


class Save(sheet.Save, frozen=True):
    """`con dc 13 2d8 poison half inflicts poisoned save-ends`: without a DC it is the caster's."""

    dc: Annotated[int, SAID_DC] = 0
    inflicts: Inflicts = ()


Saves = Annotated[Save | None, arguments.keyword_arg("save", arguments.struct_arg(Save))]
_THREAT = arguments.keyword_arg("threat", arguments.number_arg("the lowest critical face", 2, 20))
_BLOODIED = arguments.keyword_arg(
    "bloodied",
    Argument(
        lambda r: parse_dice_clause(r.words, "its damage when bloodied"), "DICE", field=ANY_MORE
    ),
)
_MASTERIES = arguments.any_of(*MASTERIES)


class Attack(sheet.Attack, frozen=True):
    """One way to attack, as the sheet has it.

    Attributes:
        threat: The lowest face of the die that is critical, if it hits.
        bloodied: The damage dice while the attacker is Bloodied; empty for the same.
        mastery: Its mastery properties.
    """

    inflicts: Inflicts = ()
    save: Saves = None
    finesse: arguments.Flag = False
    loading: arguments.Flag = False
    threat: Annotated[int, _THREAT] = 20
    bloodied: Annotated[str, _BLOODIED] = ""
    mastery: Annotated[tuple[str, ...], _MASTERIES] = ()


def attacks_of(combatant: Combatant) -> list[Attack]:
    """Its attacks in the order of its sheet, and those that everybody has."""
    return shared_sheet.stat_rows(combatant, WEAPONS, Attack, sheet.has_dice)


def attacks_with_fists(combatant: Combatant) -> list[Attack]:
    """Its attacks, then the unarmed strike and improvised ones."""
    strength = combatant.number("str")
    blow = str(max(0, 1 + strength))
    thing = f"1d4{strength:+d}" if strength else "1d4"
    return [
        *attacks_of(combatant),
        Attack("unarmed", strength + combatant.number("pb"), blow, "bludgeoning"),
        Attack("improvised", strength, thing, "bludgeoning"),
    ]


def mastery_of(attack: sheet.Attack) -> tuple[str, ...]:
    """The mastery properties of an attack; a spell has none."""
    return attack.mastery if isinstance(attack, Attack) else ()


_PER = arguments.keyword_arg(
    "per", arguments.choice_arg("the period of its uses", (*powers.PER, "turn"))
)
_AURA = arguments.keyword_arg(
    "aura", arguments.choice_arg("when", ("own-start", "own-end", "start", "end"))
)

_RADIUS = arguments.keyword_arg(
    "radius", arguments.number_arg("how many feet the aura reaches", 1, 9_999)
)


class Power(sheet.Power, frozen=True):
    """A power, as the sheet has it.

    Attributes:
        per: The span of its uses: a fight, a rest, a day, or a turn of its own.
        magical: True if it is magic, against which some have advantage.
        concentration: True if it needs concentration.
        lair: True for a lair action.
        aura: The starts and ends of turns at which affray reminds of it.
        radius: The range of the aura in feet; 0 if unknown.
    """

    per: Annotated[str, _PER] = "day"
    inflicts: Inflicts = ()
    save: Saves = None
    magical: arguments.Flag = False
    concentration: arguments.Flag = False
    lair: arguments.Flag = False
    aura: Annotated[str, _AURA] = ""
    radius: Annotated[int, _RADIUS] = 0


_SPELL_PER = arguments.keyword_arg(
    "per", arguments.choice_arg("the period of its uses", ("rest", "day"))
)
_LEVEL = replace(
    arguments.number_arg("the spell's level, 0 for a cantrip", 0, 9, "[LEVEL]"),
    stands=lambda r: r.words.has_number() and r.words.peek()[:1].isdecimal(),
)


class Spell(Struct, frozen=True):
    """A spell on a sheet: its level and the effects of casting it by name.

    Attributes:
        at_will: True if it takes no slot although it isn't a cantrip.
        uses: Its castings per `per` without a slot; 0 for any number.
    """

    name: Annotated[str, arguments.name_arg("the spell's name")]
    level: Annotated[int, _LEVEL] = 0
    at_will: arguments.Flag = False
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, _SPELL_PER] = "day"
    takes: Annotated[str, arguments.anywhere_choice_arg("action", "bonus", "reaction")] = "action"
    concentration: arguments.Flag = False
    silent: arguments.Flag = False
    bonus: sheet.Bonus = None
    dice: sheet.Dice = ""
    type: sheet.Type = ""
    plus: sheet.More = ()
    inflicts: Inflicts = ()
    save: Saves = None
    text: Annotated[str, powers.TEXT] = ""

    @property
    def is_rolled(self) -> bool:
        """True if it attacks or is saved against; True if the sheet has only the name of a spell
        that may do so."""
        if self.bonus is not None or self.save is not None:
            return True
        is_told = self.concentration or self.dice or self.inflicts or self.text
        return not is_told and spell_rows.is_rolled(self.name)

    @property
    def slot_level(self) -> int:
        """The lowest level of a slot that it takes; 0 for none."""
        return 0 if self.at_will or self.uses else self.level

    def paid_by(self, combatant: Combatant) -> str:
        """Return its level, and the uses that are left: `level 3, 1 of 2 per day`."""
        level = f"level {self.level}" if self.level else ""
        if self.uses:
            left = max(self.uses - combatant.used(self.name, self.per), 0)
            return ", ".join(filter(None, (level, f"{left} of {self.uses} per {self.per}")))
        return ", ".join(filter(None, (level, "at will"))) if self.at_will else level or "cantrip"

    @property
    def attack(self) -> sheet.Attack:
        """The spell as an attack at range."""
        attack: Attack = powers.power_attack(self, Attack)
        return replace(attack, reach="ranged", magical=True)


@lru_cache(maxsize=MOST_KEPT)
def powers_of(combatant: Combatant) -> tuple[Power, ...]:
    """The powers on somebody's sheet, but for the spells."""
    return tuple(shared_sheet.stat_rows(combatant, POWERS, Power, sheet.has_dice))


@lru_cache(maxsize=MOST_KEPT)
def spells_of(combatant: Combatant) -> tuple[Spell, ...]:
    """The spells on somebody's sheet."""
    return tuple(shared_sheet.stat_rows(combatant, SPELLS, Spell))


# -- what is known of somebody ---------------------------------------------------------------------


def is_bloodied(combatant: Combatant) -> bool:
    """True if HP are at half of the maximum or less."""
    hp = combatant.tracks.get("hp")
    return hp is not None and hp.max is not None and 2 * hp.value <= hp.max


def is_2014(state: Encounter) -> bool:
    """True under the rules of 2014."""
    return settings.EDITION.value(state) == "2014"


def falls_at_zero(combatant: Combatant) -> bool:
    """True if 0 HP bring somebody down rather than dead."""
    stats = combatant.stats
    lies = stats.get("important") or stats.get("regeneration-from-zero")
    return combatant.kind == "pc" or bool(lies)


def makes_death_saves(combatant: Combatant) -> bool:
    """True if somebody at 0 HP makes death saves, and doesn't lie there until it regenerates."""
    return not combatant.stats.get("regeneration-from-zero")


# -- the whole sheet -------------------------------------------------------------------------------


def _read_slots(reading: ParseState) -> list[int]:
    tokens = reading.words
    word = str(tokens.next("the slots of each level, such as 4,3,2"))
    parts = word.split(",")
    if not all(part.isdecimal() and len(part) < 3 for part in parts) or len(parts) > 9:
        tokens.back()
        raise tokens.refuse(f"expected the slots of each level such as 4,3,2, found {word!r}")
    return [int(part) for part in parts]


def _keep_slots(sheet: shared_sheet.Sheet, name: str, slots: list[int]) -> None:
    for level, count in enumerate(slots, 1):
        if count:
            sheet.tracks[f"slots_{level}"] = shared_sheet.TrackInput(None, count)


def _read_pact(reading: ParseState) -> tuple[int, int]:
    count = reading.words.number("the number of pact slots", 1, 9)
    reading.words.take("level")
    return count, reading.words.number("the pact slots' level", 1, 9)


def _keep_pact(sheet: shared_sheet.Sheet, name: str, pact: tuple[int, int]) -> None:
    sheet.tracks[PACT] = shared_sheet.TrackInput(None, pact[0])
    sheet.stats["pact-level"] = pact[1]


def _read_hit_dice(reading: ParseState) -> tuple[int, int]:
    dice = parse_dice(parse_dice_clause(reading.words, "its Hit Dice, such as 5d8"))
    return sum(pool.count for pool in dice.pools), max(pool.sides for pool in dice.pools)


def _keep_hit_dice(sheet: shared_sheet.Sheet, name: str, dice: tuple[int, int]) -> None:
    sheet.tracks[HIT_DICE] = shared_sheet.TrackInput(None, dice[0])
    sheet.stats["hit-die"] = dice[1]


def _read_regeneration(reading: ParseState) -> list[Any]:
    tokens = reading.words
    amount = tokens.number("the number of HP", 1, 999)
    kinds: list[str] = []
    if tokens.take("unless"):
        kinds = arguments.choices_arg(
            "a damage type", lambda r: r.ctx.tables.damage_types, "TYPE"
        ).read(reading)
    return [amount, kinds, bool(tokens.take("from-zero"))]


def _keep_regeneration(sheet: shared_sheet.Sheet, name: str, given: list[Any]) -> None:
    sheet.stats[REGENERATION] = given[0]
    if given[1]:
        sheet.stats["regeneration-unless"] = list(given[1])
    if given[2]:
        sheet.stats["regeneration-from-zero"] = True


_ATTACK_USAGE = (
    "[attack NAME +N DICE [TYPE] [melee|ranged] [light] [finesse] [thrown] [heavy] [MASTERY] ...]"
)
_POWER_USAGE = (
    "[power NAME [action|bonus|reaction|free|trait|legendary N] [uses N per rest|day|turn] "
    '[recharge N] [+N] [DICE [TYPE]] [save ABILITY [DICE [TYPE]] dc N [half] ...] [text "TEXT"]]'
)
_SPELLS_USAGE = (
    "[spells NAME [LEVEL] [at-will|uses N per rest|day] [action|bonus|reaction] [concentration] "
    "[+N] [DICE [TYPE]] [save ABILITY [DICE [TYPE]] [half] ...]]"
)


def _field(name: str, read: Any, keep: Any, usage: str) -> SheetFieldGroup:
    return shared_sheet.argument_field(
        name, Argument(read, usage, field=ANY_MORE), f"[{name} {usage}]", keep
    )


_SPELL_FIELD = shared_sheet.struct_fields(SPELLS, Spell, _SPELLS_USAGE, SPELLS)


def _read_spell(reading: ParseState, field: str) -> list[dict[str, Any]]:
    """Read a spell; a bare name means the SRD's spell.

    Raises Refused for one of no known level, unless it takes no slot.
    """
    tokens, begins = reading.words, reading.words.at
    row = _SPELL_FIELD.reads(reading, field)[0]
    words = spell_rows.words_of(row["name"])
    if row.keys() & {"level", "at_will", "uses"}:
        return [row]
    if not words:
        tokens.at = begins + 1
        hint = f'`{field} "{row["name"]}" 2`, with 0 for a cantrip'
        raise tokens.refuse(f"the SRD doesn't have {row['name']}, so give its level: {hint}")
    if row.keys() - {"name", "text"}:
        return [{"level": int(words[0])} | row]
    return [_read_known(reading.ctx, row["name"], words) | row]


def _read_known(ctx: Context, name: str, words: list[str]) -> dict[str, Any]:
    rest = [Token(word) for word in words if word != spell_rows.ATTACK]
    tokens = TokenStream([quote_token(name), *rest], ctx.state)
    row: dict[str, Any] = _SPELL_FIELD.reads(ParseState(ctx, tokens), SPELLS)[0]
    return row | {_KNOWN: spell_rows.ATTACK in words}


_KNOWN = "known"
"""In a row until the whole sheet is read: that it is the SRD's, and if it is rolled to hit."""


def _complete_spells(stats: dict[str, Any]) -> None:
    """Complete spells by their words, and those of the SRD by their caster: the attack bonus, and a
    cantrip's dice."""
    caster = int(stats.get("level", 0))
    for row in stats.get(SPELLS, ()):
        keep_damage_off(row)
        is_attack = row.pop(_KNOWN, None)
        if is_attack and "spell" in stats:
            row["bonus"] = stats["spell"]
        if is_attack is not None and row.get("dice") and not row["level"]:
            row["dice"] = spell_rows.raised(row["dice"], row["name"], 0, 0, caster)


_RATING = arguments.choice_arg(
    "a challenge rating", lambda r: list(r.ctx.tables.economy["experience"]), "N"
)

ROWS = (
    shared_sheet.hp_field(),
    shared_sheet.number_fields("ac", low=0),
    shared_sheet.number_fields("init", usage="[init N]"),
    shared_sheet.number_fields("speed", low=0, usage="[speed N]"),
    shared_sheet.number_fields("level", low=1, usage="[level N]"),
    shared_sheet.number_fields("pb", low=0, usage="[pb N]"),
    shared_sheet.number_fields(*sheet.ABILITIES, usage="[str N ... cha N]"),
    sheet.SAVES,
    shared_sheet.list_fields("skills", "expertise", what="skills after {}", usual=SKILLS),
    shared_sheet.number_fields("passive-perception", low=0, usage=""),
    shared_sheet.number_fields("spell", usage="[spell N]"),
    shared_sheet.number_fields("spell-dc", low=1, usage="[spell-dc N]"),
    shared_sheet.number_fields("attacks", low=1, usage="[attacks N]"),
    _field("slots", _read_slots, _keep_slots, "N,N,..."),
    _field("pact", _read_pact, _keep_pact, "N level N"),
    _field("hit-dice", _read_hit_dice, _keep_hit_dice, "NdN"),
    sheet.SIZE,
    *sheet.DEFENCES,
    shared_sheet.length_fields("fly", "swim", "climb", "burrow"),
    shared_sheet.length_fields("darkvision", "blindsight", "tremorsense", "truesight", usage=""),
    shared_sheet.flag_fields("hover", "evasion", "magic-resistance", "two-weapon-fighting"),
    shared_sheet.number_fields("threshold", low=1, usage=""),
    shared_sheet.flag_fields("object", "swarm", usage=""),
    *shared_sheet.only_for_kind(
        "monster",
        shared_sheet.argument_field("cr", _RATING, "[cr N]"),
        shared_sheet.number_fields("xp", low=0, usage=""),
        shared_sheet.flag_fields("important", "lair"),
        *sheet.LEGENDARIES,
        _field(
            REGENERATION,
            _read_regeneration,
            _keep_regeneration,
            "N [unless TYPE,TYPE] [from-zero]",
        ),
    ),
    shared_sheet.struct_fields("attack", Attack, _ATTACK_USAGE, WEAPONS),
    powers.power_fields("power", Power, _POWER_USAGE, POWERS),
    replace(_SPELL_FIELD, reads=_read_spell),
    shared_sheet.WHEN_FIELD,
    sheet.SUMMON,
)
"""The fields of a sheet, as `add` takes them."""


_FRACTIONS = {"1/8": "one eighth", "1/4": "one quarter", "1/2": "one half"}
"""Challenge ratings that are no whole number, for the ear."""


class Sheets(CarryingSheet):
    """Sheets: the words of `add`, and how they are shown."""

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return ROWS

    def complete(
        self, ctx: Context, kind: str, sheet: shared_sheet.Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        if "cr" in sheet.stats:
            sheet.stats.setdefault("xp", ctx.tables.economy["experience"][sheet.stats["cr"]])
        complete_rows(ctx, sheet)
        _complete_spells(sheet.stats)
        return sheet.stats, _tracks(ctx, kind, sheet)

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """Its attacks as in a stat block, its spells, and its summoner."""
        attacks = (shared_sheet.format_row(row, how=how) for row in attacks_of(combatant))
        found = shared_sheet.format_attacks(WEAPONS, attacks, how)
        if spells := spells_of(combatant):
            named = (f"{spell.name} ({spell.paid_by(combatant)})" for spell in spells)
            found[SPELLS] = f"Spells {', '.join(named)}"
        if how.medium == SPOKEN and (rating := combatant.stats.get("cr")) in _FRACTIONS:
            found["cr"] = f"CR {_FRACTIONS[rating]}"
        found |= {stat: "" for stat in ("hit-die", "pact-level") if stat in combatant.stats}
        owner = shared_sheet.owner_of(combatant)
        found |= {"owner": f"Summoned by {state.name(owner)}"} if owner else {}
        if LAIR_OF in combatant.stats:
            found |= {LAIR_OF: "", "init": f"At initiative {combatant.number('init')}, the last"}
        return found | super().labels(state, combatant, how)


def _tracks(ctx: Context, kind: str, sheet: shared_sheet.Sheet) -> dict[str, Track]:
    given, economy = sheet.tracks, ctx.tables.economy
    if "hp" not in given:
        return {}
    tracks = begin_tracks(ctx, sheet, off_hand=1)
    if any(name in given for name in (*SLOTS, PACT)):
        tracks["turn_slot"] = Track(1, 1)
    tracks |= level_tracks(sheet, "exhaustion", top=int(economy["exhaustion"]))
    tracks |= dict.fromkeys(DEATH_SAVES, Track(0, int(economy["death_saves"])))
    if kind == "pc":
        tracks[INSPIRATION] = Track(0, 1)
    home = bool(sheet.stats.get("lair")) and not is_2014(ctx.state)
    for name in (*SLOTS, PACT, HIT_DICE, LEGENDARY, RESISTS):
        if name in given:
            own = given[name].left
            more = int(home and name in (LEGENDARY, RESISTS))
            tracks[name] = Track(own.value + more, (own.max or 0) + more)
    return tracks
