"""Somebody's sheet: what `add` understands, the attacks and abilities on it, its tracks.

Seed 001: Stamina, Exhaust, Diminish, Fortune Points, Spirit Points, Spellburn, Control and Chaos;
rules file, 13 to 16 and Commands, 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading, usage_of
from affray.core.language.refusal import Refused, close_to
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit import moments, powers, recorded, sheets
from affray.rulekit.acts import Cost
from affray.rulekit.powers import Plus
from affray.rulekit.sheets import Row, Sheet

SIZES = ("tiny", "small", "medium", "large", "huge", "giant")
"""The sizes, the smallest first."""
LADDER = (0, 2, 4, 6, 8, 10, 12, 20)
"""The sizes of a spellburn die, the smallest first (rules file, 15.1)."""
SAVES = ("health", "social")
WEAPONS, ABILITIES = "weapons", "abilities"
"""The stats that hold the attacks and the abilities."""


# -- attacks ---------------------------------------------------------------------------------------


def _read_bonus(reading: Reading) -> int:
    bonus = reading.words.number("the bonus to hit", -99, 99)
    reading.words.take("vs")
    reading.words.take("ac")
    return bonus


BONUS = Argument(_read_bonus, "+N vs ac", lambda reading: reading.words.has_number())
DICE = arguments.dice("its damage")
TYPE = arguments.damage_type(lambda ctx: ctx.tables.damage_types, behind="dice")
THREAT = arguments.clause("threat", arguments.number("by how much it threatens earlier", 1, 18))


EXTRA = arguments.clause("extra", Argument(lambda r: tuple(powers.read_part(r)), "DICE [TYPE]"))
"""Critical damage: its dice, and their type where they have one of their own (R3)."""
More = Annotated[tuple[Plus, ...], powers.PLUS]
Inflicts = Annotated[powers.Inflicts, powers.inflicts(("burning", "ongoing"), ("taunted",))]


class Attack(Struct, frozen=True):
    """A way to attack. `bonus` is the whole bonus to hit, `threat` by how much earlier than at 20
    it threatens, `extra` its critical damage; `plus` is damage of other types, and `inflicts` what
    a hit brings besides."""

    name: Annotated[str, arguments.name("the attack's name")]
    bonus: Annotated[int, BONUS]
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    ranged: Annotated[bool, arguments.flag()] = False
    light: Annotated[bool, arguments.flag()] = False
    two_handed: Annotated[bool, arguments.flag()] = False
    loading: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()
    plus: More = ()
    inflicts: Inflicts = ()


def attacks_of(who: Combatant) -> list[Attack]:
    """Its attacks in the order in which they were said; the first is meant without `with`."""
    return recorded.rows_of(who, WEAPONS, Attack, _has_dice)


def _has_dice(row: Attack | Ability) -> bool:
    saved = row.save.dice if isinstance(row, Ability) and row.save is not None else ""
    return recorded.is_dice(row.dice, *row.extra[:1], *(part.dice for part in row.plus), saved)


def weapons_of(who: Combatant) -> list[str]:
    """The names of its attacks."""
    return [attack.name for attack in attacks_of(who)]


def skill_of(who: Combatant, skill: str) -> int:
    """Its whole number for a test of that skill; 0 for one that is not on the sheet (R4)."""
    own = who.stats.get("skills")
    return who.number(skill, own.get(skill, 0) if isinstance(own, dict) else 0)


# -- abilities and spells --------------------------------------------------------------------------

Takes = Literal["action", "move", "fast", "spammable", "free", "reaction", "effortless"]
"""What an ability takes of a turn, or that it is done outside of one's own."""
POINTS = ("stamina", "fortune", "spirit", "control")
"""The resources that are spent by the point; the spellburn die is rolled."""


def _so_much(track: str) -> Argument:
    return arguments.clause(track, arguments.number(f"how much {track} it takes", 1, 999))


_TIMES = replace(
    arguments.number("how often the die is rolled", 1, 20),
    stands=lambda r: r.words.has_number() and r.words.peek()[:1].isdecimal(),
)
"""A number without a sign: one with a sign is a bonus to hit."""
_SPELLBURN = arguments.clause("spellburn", _TIMES, may_be_empty=1)


class Costs(Struct, frozen=True):
    """What is said of a price. `spellburn` is how often the die is rolled."""

    takes: Annotated[Takes, arguments.one_of(*get_args(Takes))] = "action"
    stamina: Annotated[int, _so_much("stamina")] = 0
    exhaust: Annotated[int, _so_much("exhaust")] = 0
    fortune: Annotated[int, _so_much("fortune")] = 0
    spirit: Annotated[int, _so_much("spirit")] = 0
    control: Annotated[int, _so_much("control")] = 0
    spellburn: Annotated[int, _SPELLBURN] = 0
    minor_spellburn: Annotated[bool, arguments.flag()] = False
    diminish: Annotated[int, _so_much("diminish")] = 0

    @property
    def points(self) -> Cost:
        """The points of resources that it takes, and those it exhausts: {"stamina": 2}."""
        row = (self.stamina + self.exhaust, self.fortune, self.spirit, self.control)
        return {track: much for track, much in zip(POINTS, row, strict=True) if much}

    @property
    def burns(self) -> int:
        """How often the spellburn die is rolled for it."""
        return self.spellburn or int(self.minor_spellburn)

    @property
    def is_spell(self) -> bool:
        """Whether what takes this is a spell: it takes spellburn or control."""
        return bool(self.burns or self.control)


USUAL = Costs()
"""What is said where nothing is: it takes the action."""


class Save(Struct, frozen=True):
    """`health reflex dc 13 2d6 fire half inflicts burning`: what those get who fail it, and whether
    those who pass get half of the damage."""

    save: Annotated[str, arguments.choice("the save", SAVES)]
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    reflex: Annotated[bool, arguments.flag()] = False
    dc: Annotated[int, arguments.clause("dc", arguments.number("the DC", 1, 99))] = 10
    half: Annotated[bool, arguments.flag()] = False
    inflicts: Inflicts = ()


_SAVED = replace(
    arguments.clause("save", arguments.form(Save)), begins=lambda r: "bonus" not in r.said
)
_TO_HIT = replace(BONUS, stands=lambda r: r.words.has_number() and "save" not in r.said)
"""An ability has a roll to hit or a save, never both."""


class Ability(Costs, frozen=True, kw_only=True):
    """An ability or a spell: its price, and what it does: an attack, a save, or neither. `uses` is
    how often it can be used in the time of `per`, 0 without limit; `bonus` is None where it is no
    attack."""

    name: Annotated[str, arguments.name("the ability's name")]
    bonus: Annotated[int | None, _TO_HIT] = None
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, powers.ITS_PER] = "rest"
    ranged: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()
    plus: More = ()
    inflicts: Inflicts = ()
    save: Annotated[Save | None, _SAVED] = None
    text: Annotated[str, powers.TEXT] = ""


_BRINGS = "[plus DICE [TYPE]] [inflicts CONDITION[,CONDITION] [END]]"
_USAGE = (
    f"[ability NAME {usage_of(Costs)} [uses N [per fight|rest|day]] [+N vs ac] [DICE [TYPE]] "
    f"[ranged] [threat N] [extra DICE [TYPE]] {_BRINGS} "
    '[save health|social [reflex] dc N ...] [text "TEXT"]]'
)


def abilities_of(who: Combatant) -> list[Ability]:
    """Its abilities and spells, in the order in which they were said."""
    return recorded.rows_of(who, ABILITIES, Ability, _has_dice)


def spells_of(who: Combatant) -> list[str]:
    """The names of its abilities that are spells: they take spellburn or control."""
    return [each.name for each in abilities_of(who) if each.is_spell]


def spell_called(who: Combatant, said: str, is_other: bool = False) -> Ability:
    """The spell of that name, or the only one that begins so; else one that isn't on the sheet.

    Raises Refused for what looks like a slip of one on the sheet, unless it `is_other` for certain.
    """
    wanted, row = said.casefold(), {each.name.casefold(): each for each in abilities_of(who)}
    begun = [name for name in row if name.startswith(wanted)]
    first = [name for name in row if wanted.startswith(f"{name} ")]  # and what is none of a name
    near = [] if begun or is_other else first or close_to(wanted, list(row))
    if near:
        raise Refused(f"{who.name} has no spell {said!r}; did you mean {row[near[0]].name}?")
    name = wanted if wanted in row else begun[0] if len(begun) == 1 else ""
    return row.get(name) or Ability(name=said)


# -- what `add` understands ------------------------------------------------------------------------

AGAINST = ("resist", "weak", "absorb", "immune")
"""What a sheet says of types of damage; `immune` of conditions as well."""
RESOURCES = ("stamina", "spirit", "control")
"""What is counted of those who have it, and begins full; fortune and the die are said otherwise."""


def conditions_of(tables: Tables) -> list[str]:
    """The conditions of the rules: what can be inflicted, and what somebody can be immune to."""
    kinds = ("condition", "curse", "trace")
    return [name for name, row in tables.effects.items() if row.kind in kinds]


def _types(stat: str, tables: Tables) -> Row:
    """Damage of which types somebody resists and the like: `resist fire,cold`."""
    known = (*tables.damage_types, *(conditions_of(tables) if stat == "immune" else ()))
    return sheets.kinds(stat, what=stat, known=lambda ctx: known)


def _read_skill(reading: Reading, name: str) -> dict[str, int]:
    words = reading.words
    skill = words.next("the skill's name").casefold()
    if not skill.strip():
        words.back()
        raise words.refuse("expected the skill's name, found none between the quotes")
    return {skill: words.number(f"the number for {skill}", -99, 99)}


def _keep_skill(sheet: Sheet, name: str, said: dict[str, int]) -> None:
    sheet.stats["skills"] = sheet.stats.get("skills", {}) | said


def rows(tables: Tables) -> tuple[Row, ...]:
    """What `add` understands."""
    return (
        sheets.hit_points(),
        sheets.numbers("ac", low=0),
        sheets.numbers("init"),
        sheets.numbers("speed", low=0, usage="[speed N]"),
        sheets.argument("size", arguments.choice("a size", SIZES), usage="[size SIZE]"),
        sheets.numbers("health", "social", "reflex", usage="[health N] [social N] [reflex N]"),
        sheets.numbers(*tables.economy["skills"], usage="[strength N ... performance N]"),
        Row(("skill",), _read_skill, _keep_skill, "[skill NAME N]", again=True, expects="NAME N"),
        sheets.tracks(*RESOURCES, low=0, usage="[stamina N] [spirit N] [control N]"),
        sheets.argument("fortune", arguments.dice("the dice of fortune")),
        sheets.argument("spellburn", arguments.die("the spellburn die", LADDER)),
        sheets.numbers("attacks", "songs", low=1, usage="[attacks N] [songs N]"),
        sheets.numbers("dr", "regeneration", low=1, usage="[dr N] [regeneration N]"),
        *(_types(stat, tables) for stat in AGAINST),
        sheets.flags("float", "dual-wielding"),
        sheets.flags("shapesense", "darkvision", "tremorsense", "lifesense", "heatsense"),
        sheets.attacks(
            "attack",
            Attack,
            "[attack NAME +N vs ac DICE [TYPE] [ranged] [light] [two-handed] [loading] [threat N] "
            f"[extra DICE [TYPE]] {_BRINGS}]",
            WEAPONS,
        ),
        powers.on_sheets("ability", Ability, _USAGE, ABILITIES),
        moments.ROW,
    )


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    sheet = sheets.read(ctx, words, rows(ctx.tables))
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


def in_words(row: Attack | Ability, but: Sequence[str] = ()) -> str:
    """What a row says, as sheets have it: `dirk +6 1d4+3 piercing light threat 2 extra 1d8`."""
    extra = ("extra", *row.extra) if row.extra else ()
    return " ".join((recorded.in_words(row, ("extra", *but)), *extra))


def told(state: Encounter, combatant: Combatant) -> dict[str, str]:
    """Its attacks as a stat block has them; of the spellburn die the track tells."""
    found = recorded.attacks_told(WEAPONS, map(in_words, attacks_of(combatant)))
    return found | ({"spellburn": ""} if "spellburn" in combatant.stats else {})
