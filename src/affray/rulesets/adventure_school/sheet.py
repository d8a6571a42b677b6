"""Adventure School: a combatant's sheet: what `add` understands, its attacks, abilities and tracks.

Adventure School, Stamina, Exhaust, Diminish, Fortune Points, Spirit Points, Spellburn, Control and
Chaos.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import parse_dice
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, close_matches
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.parser.spelling import begun_so, known_as
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import powers, sheet, sheet as shared_sheet
from affray.mechanics.actions import Cost
from affray.mechanics.checks import SAID_DC
from affray.mechanics.items import CarryingSheet
from affray.mechanics.powers import ExtraDamage
from affray.mechanics.sheet import Sheet, SheetFieldGroup

SIZES = ("tiny", "small", "medium", "large", "huge", "giant")
"""The sizes, the smallest first."""
LADDER = (0, 2, 4, 6, 8, 10, 12, 20)
"""The sizes of a spellburn die, the smallest first."""
SAVES = ("health", "social")
WEAPONS, ABILITIES = "weapons", "abilities"
"""The stats that hold the attacks and the abilities."""


# -- attacks ---------------------------------------------------------------------------------------


def _read_bonus(reading: ParseState) -> int:
    bonus = reading.words.number("the bonus to hit", -99, 99)
    reading.words.take("vs")
    reading.words.take("ac")
    return bonus


BONUS = Argument(
    _read_bonus, "+N vs ac", lambda reading: reading.words.has_number(), field=ANY_MORE
)
DICE = arguments.dice_arg("its damage")


def _read_fortune(reading: ParseState) -> str:
    """Read dice that have a highest total, which devoted points lower."""
    dice = parse_dice_clause(reading.words, "the dice of fortune")
    if parse_dice(dice).maximum is None:
        reading.words.back()
        raise reading.words.refuse(f"fortune has a highest total: its dice can't explode as {dice}")
    return dice


_FORTUNE = replace(arguments.dice_arg("the dice of fortune"), read=_read_fortune)
TYPE = arguments.damage_type_arg(lambda ctx: ctx.tables.damage_types, requires="dice")
THREAT = arguments.keyword_arg(
    "threat", arguments.number_arg("the lower numbers that also threaten", 1, 18)
)


EXTRA = arguments.keyword_arg(
    "extra", Argument(lambda r: tuple(powers.parse_damage_part(r)), "DICE [TYPE]", field=ANY_MORE)
)
"""Critical damage: its dice, and their type if they have one of their own (ruling 3)."""
More = Annotated[tuple[ExtraDamage, ...], powers.PLUS]
Inflicts = Annotated[powers.Inflicts, powers.inflicts_arg(("burning", "ongoing"), ("taunted",))]


class Attack(Struct, frozen=True):
    """A way to attack. `bonus` is the whole bonus to hit, `threat` by how much earlier than at 20
    it threatens, `extra` its critical damage; `plus` is damage of other types, and `inflicts` what
    a hit brings besides."""

    name: Annotated[str, arguments.name_arg("the attack's name")]
    bonus: Annotated[int, BONUS]
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    ranged: arguments.Flag = False
    light: arguments.Flag = False
    two_handed: arguments.Flag = False
    loading: arguments.Flag = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()
    plus: More = ()
    inflicts: Inflicts = ()


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks in the sheet's order; the first is the default without `with`."""
    return sheet.stat_rows(combatant, WEAPONS, Attack, _has_dice)


def _has_dice(row: Attack | Ability) -> bool:
    saved = row.save.dice if isinstance(row, Ability) and row.save is not None else ""
    return sheet.is_dice(row.dice, *row.extra[:1], *(part.dice for part in row.plus), saved)


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks."""
    return [attack.name for attack in attacks_of(combatant)]


def skill_of(combatant: Combatant, skill: str) -> int:
    """The full bonus for a test of that skill; 0 for a skill that isn't on the sheet (ruling 4)."""
    own = combatant.stats.get("skills")
    return combatant.number(skill, own.get(skill, 0) if isinstance(own, dict) else 0)


# -- abilities and spells --------------------------------------------------------------------------

Takes = Literal["action", "move", "fast", "spammable", "free", "reaction", "effortless"]
"""An ability's cost in a turn, or that it is for others' turns."""
POINTS = ("stamina", "fortune", "spirit", "control")
"""The resources that are spent by the point; the spellburn die is rolled."""


def _so_much(track: str) -> Argument:
    return arguments.keyword_arg(track, arguments.number_arg(f"the {track} it costs", 1, 999))


_TIMES = replace(
    arguments.number_arg("the number of dice rolled", 1, 20),
    stands=lambda r: r.words.has_number() and r.words.peek()[:1].isdecimal(),
)
"""A number without a sign: one with a sign is a bonus to hit."""
_SPELLBURN = arguments.keyword_arg("spellburn", _TIMES, may_be_empty=1)


class AbilityCost(Struct, frozen=True):
    """The price of an ability. `spellburn` is the number of dice rolled."""

    takes: Annotated[Takes, arguments.anywhere_choice_arg(*get_args(Takes))] = "action"
    stamina: Annotated[int, _so_much("stamina")] = 0
    exhaust: Annotated[int, _so_much("exhaust")] = 0
    fortune: Annotated[int, _so_much("fortune")] = 0
    spirit: Annotated[int, _so_much("spirit")] = 0
    control: Annotated[int, _so_much("control")] = 0
    spellburn: Annotated[int, _SPELLBURN] = 0
    minor_spellburn: arguments.Flag = False
    diminish: Annotated[int, _so_much("diminish")] = 0

    @property
    def points(self) -> Cost:
        """The points of resources that it takes, and those it exhausts: {"stamina": 2}."""
        row = (self.stamina + self.exhaust, self.fortune, self.spirit, self.control)
        return {track: amount for track, amount in zip(POINTS, row, strict=True) if amount}

    @property
    def burns(self) -> int:
        """The number of times that the spellburn die is rolled for it."""
        return self.spellburn or int(self.minor_spellburn)

    @property
    def is_spell(self) -> bool:
        """True for the costs of spells: spellburn or control."""
        return bool(self.burns or self.control)


USUAL = AbilityCost()
"""The default cost: the action."""


class Save(Struct, frozen=True):
    """`health reflex dc 13 2d6 fire half inflicts burning`: the effects of failing, and if those
    who pass take half of the damage."""

    save: Annotated[str, arguments.choice_arg("the save", SAVES)]
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    reflex: arguments.Flag = False
    dc: Annotated[int, SAID_DC] = 10
    half: arguments.Flag = False
    inflicts: Inflicts = ()


_SAVED = replace(
    arguments.keyword_arg("save", arguments.struct_arg(Save)),
    begins=lambda r: "bonus" not in r.values,
)
_TO_HIT = replace(BONUS, stands=lambda r: r.words.has_number() and "save" not in r.values)
"""An ability has a roll to hit or a save, never both."""


class Ability(AbilityCost, frozen=True, kw_only=True):
    """An ability or a spell, with its price: an attack, a save, or neither. `uses` is its number of
    uses per `per`, 0 for no limit; `bonus` is None unless it is an attack."""

    name: Annotated[str, arguments.name_arg("the ability's name")]
    bonus: Annotated[int | None, _TO_HIT] = None
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    uses: Annotated[int, powers.USES] = 0
    per: Annotated[str, powers.ITS_PER] = "rest"
    ranged: arguments.Flag = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()
    plus: More = ()
    inflicts: Inflicts = ()
    save: Annotated[Save | None, _SAVED] = None
    text: Annotated[str, powers.TEXT] = ""


def abilities_of(combatant: Combatant) -> list[Ability]:
    """Its abilities and spells, in the order of its sheet."""
    return sheet.stat_rows(combatant, ABILITIES, Ability, _has_dice)


def spells_of(combatant: Combatant) -> list[str]:
    """The names of its abilities that are spells: they take spellburn or control."""
    return [each.name for each in abilities_of(combatant) if each.is_spell]


def find_spell(combatant: Combatant, typed: str, is_other: bool = False) -> Ability:
    """The spell of that name, or the only one that begins so; else one that isn't on the sheet.

    Raises Refused for what looks like a slip of one on the sheet, unless it `is_other` for certain.
    """
    row = {each.name.casefold(): each for each in abilities_of(combatant)}
    wanted = known_as(typed, row)
    begun = begun_so(wanted, row)
    first = [name for name in row if wanted.startswith(f"{name} ")]  # and what is none of a name
    near = [] if begun or is_other else first or close_matches(wanted, list(row))
    if near:
        raise Refused(f"{combatant.name} has no spell {typed!r}; did you mean {row[near[0]].name}?")
    name = wanted if wanted in row else begun[0] if len(begun) == 1 else ""
    return row.get(name) or Ability(name=typed)


# -- what `add` understands ------------------------------------------------------------------------

AGAINST = ("resist", "weak", "absorb", "immune")
"""The words of a sheet for types of damage; `immune` also for conditions."""
RESOURCES = ("stamina", "spirit", "control")
"""The resources that begin full; fortune and the die have other forms."""


def conditions_of(tables: Tables) -> list[str]:
    """The conditions of the rules, to inflict or to be immune to."""
    kinds = ("condition", "curse", "trace")
    return [name for name, row in tables.effects.items() if row.kind in kinds]


def _types(stat: str, tables: Tables) -> SheetFieldGroup:
    """The damage types that somebody resists and the like: `resist fire,cold`."""
    known_types = (*tables.damage_types, *(conditions_of(tables) if stat == "immune" else ()))
    return shared_sheet.kind_fields(stat, what=stat, list_kinds=lambda ctx: known_types)


def _read_skill(reading: ParseState, name: str) -> dict[str, int]:
    tokens = reading.words
    skill = tokens.next("the skill's name").casefold()
    if not skill.strip():
        tokens.back()
        raise tokens.refuse("expected the skill's name, found empty quotes")
    return {skill: tokens.number(f"the number for {skill}", -99, 99)}


def _keep_skill(sheet: Sheet, name: str, skills: dict[str, int]) -> None:
    sheet.stats["skills"] = sheet.stats.get("skills", {}) | skills


class Sheets(CarryingSheet):
    """Sheets: the words of `add`, and how they are shown."""

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        """The fields that `add` understands."""
        return (
            shared_sheet.hp_field(),
            shared_sheet.number_fields("ac", low=0),
            shared_sheet.number_fields("init"),
            shared_sheet.number_fields("speed", low=0, usage="[speed N]"),
            shared_sheet.argument_field(
                "size", arguments.choice_arg("a size", SIZES), usage="[size SIZE]"
            ),
            shared_sheet.number_fields(
                "health", "social", "reflex", usage="[health N] [social N] [reflex N]"
            ),
            shared_sheet.number_fields(
                *tables.economy["skills"], usage="[strength N ... performance N]"
            ),
            SheetFieldGroup(
                ("skill",), _read_skill, _keep_skill, "[skill NAME N]", again=True, expects="NAME N"
            ),
            shared_sheet.track_fields(
                *RESOURCES, low=0, usage="[stamina N] [spirit N] [control N]"
            ),
            shared_sheet.argument_field("fortune", _FORTUNE),
            shared_sheet.argument_field(
                "spellburn", arguments.die_size_arg("the spellburn die", LADDER)
            ),
            shared_sheet.number_fields("attacks", "songs", low=1, usage="[attacks N] [songs N]"),
            shared_sheet.number_fields(
                "dr", "regeneration", low=1, usage="[dr N] [regeneration N]"
            ),
            *(_types(stat, tables) for stat in AGAINST),
            shared_sheet.flag_fields("float", "dual-wielding"),
            shared_sheet.flag_fields(
                "shapesense", "darkvision", "tremorsense", "lifesense", "heatsense"
            ),
            shared_sheet.struct_fields("attack", Attack, None, WEAPONS),
            powers.power_fields("ability", Ability, None, ABILITIES),
            sheet.WHEN_FIELD,
        )

    def complete(
        self, ctx: Context, kind: str, sheet: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        return sheet.stats, _tracks(ctx, kind, sheet)

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> dict[str, str]:
        """Its attacks as a stat block has them; of the spellburn die the track tells."""
        attacks = (in_words(row, how=how) for row in attacks_of(combatant))
        found = sheet.format_attacks(WEAPONS, attacks, how)
        found |= {"spellburn": ""} if "spellburn" in combatant.stats else {}
        return found | super().labels(state, combatant, how)


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


def in_words(row: Attack | Ability, but: Sequence[str] = (), how: Notation = IN_WRITING) -> str:
    """Put a row into words as sheets have it: `dirk +6 1d4+3 piercing light threat 2 extra 1d8`."""
    extra = [f"extra {' '.join(map(how.dice, row.extra))}"] if row.extra else []
    return how.gap.join((sheet.format_row(row, ("extra", *but), how), *extra))
