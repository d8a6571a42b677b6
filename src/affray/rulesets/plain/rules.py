"""The fields of a sheet: HP, a few numbers, and the campaign's own counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Struct

from affray.core.dice import parse_dice, roll, total_of
from affray.core.engine import custom_effects
from affray.core.engine.custom_effects import CustomEffect
from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import LifeChanged, Rolled, TrackChanged
from affray.core.engine.state import OUT_OF_THE_FIGHT, Combatant, Slot, Track
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, require_no_more
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, close_matches, format_signed, join_or
from affray.core.parser.prompt_fields import Field
from affray.core.rules.imported_creature import ImportedCreature, ImportResult
from affray.core.rules.ruleset import Context, InitiativeRules, StateRules, TurnRules
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.mechanics import conditions, damage, rests, sheet, stats
from affray.mechanics.conditions import DurationRules
from affray.mechanics.import_creature import generic_row
from affray.mechanics.items import CarryingSheet
from affray.mechanics.sheet import SheetFieldGroup, stat_words
from affray.mechanics.stats import StatRule, StatRules

# -------------------------------------------------------------------------------------------------
# The numbers that conditions change: rolls, and AC and speed of those who have them.


def _has(combatant: Combatant, name: str) -> bool:
    return name in combatant.stats


ROLLS = ("attack", "damage", "check", "save", "initiative")
NUMBERS = StatRules(
    {
        **dict.fromkeys(ROLLS, StatRule()),
        **dict.fromkeys(("ac", "speed"), StatRule(stats.own_number, least=0, whose=_has)),
    },
    once=("condition", *OWN_KINDS),
)
"""The numbers that the situation changes; AC and speed are whole."""


# -------------------------------------------------------------------------------------------------
# Whatever else is counted: luck, stress, ammunition. A campaign's `rules.toml` names it.

_COUNTER = arguments.choice_arg(
    "a counter", lambda r: list(r.ctx.tables.counters), "COUNTER", Field("counter")
)


class CountArgs(Struct, frozen=True):
    """The arguments of `count`: `count mira,odo luck -1`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants it counts for")]
    counter: Annotated[str, _COUNTER]
    by: Annotated[int, arguments.number_arg("the amount", -999, 999, "+N|-N")] = 1


def _count(ctx: Context, args: CountArgs) -> None:
    _refuse_beyond(ctx.tables, args.people, args.counter, args.by)
    for combatant in args.people:
        ctx.emit(TrackChanged(combatant.id, args.counter, args.by))
    label = ctx.tables.tracks[args.counter].label
    ctx.text = f"{join_names(args.people)}: {label} {format_signed(args.by)}"


def _refuse_beyond(tables: Tables, people: Sequence[Combatant], counter: str, by: int) -> None:
    """Raises Refused if somebody has no such counter, or it would leave its bounds."""
    for combatant in people:
        track = combatant.tracks.get(counter)
        if track is None:
            raise Refused(f"{combatant.name} has no {counter}")
        after = track.value + by
        is_below = after < 0 and not tables.tracks[counter].below
        if is_below or (track.max is not None and after > track.max):
            top = f" of {track.max}" if track.max is not None else ""
            raise Refused(f"{combatant.name} has {track.value}{top} {counter}")


COUNTER_COMMANDS = (
    declare_command("count", "adds to a counter, or subtracts from it", CountArgs, _count),
)

RESISTS = ("resist", "vulnerable", "immune")
ROWS = (
    sheet.hp_field(),
    sheet.number_fields("init", usage="[init N]"),
    sheet.number_fields("ac", "speed", low=0, usage="[ac N] [speed N]"),
    sheet.kind_fields(*RESISTS),
    sheet.flag_fields("important"),
    sheet.WHEN_FIELD,
)
"""The fields of every sheet; counters come from the campaign's `rules.toml`."""


class Sheets(CarryingSheet):
    """HP, a few numbers, and the campaign's own counters."""

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        """The fields that `add` understands."""
        return ROWS

    def complete(
        self, ctx: Context, kind: str, args: sheet.Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        tracks = {"hp": args.tracks["hp"].left, "temp_hp": Track(0)} if "hp" in args.tracks else {}
        return args.stats, tracks

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        return generic_row(tables, creature)


# -------------------------------------------------------------------------------------------------
# Damage, healing, temporary HP, and who is down.


def _named(combatant: Combatant) -> Iterator[str]:
    return (kind for stat in RESISTS for kind in stat_words(combatant, stat))


def _types(ctx: Context) -> Iterator[str]:
    """The types of damage that most games have, the campaign's own, and those of sheets."""
    return damage.damage_types(ctx, _named)


class DamageArgs(damage.DamageArgs, frozen=True):
    """The arguments of `damage`."""

    type: Annotated[str, arguments.damage_type_arg(_types)] = ""


def _steps(target: Combatant, kind: str, half: bool) -> Iterator[damage.DamageStep]:
    """The damage steps in order: half of it, resistance, vulnerability, immunity."""
    if half:
        yield damage.halve("halved")
    if kind in stat_words(target, "resist"):
        yield damage.halve("resisted", tells=False)
    if kind in stat_words(target, "vulnerable"):
        yield damage.double_amount("vulnerable", tells=False)
    if kind in stat_words(target, "immune"):
        yield damage.negate("immune")


def _deal(ctx: Context, combatant_id: str, args: DamageArgs, half: bool) -> None:
    """Deal the damage. Raises Refused for the dead, and for one without HP."""
    target = damage.resolve_damage_target(ctx, combatant_id)
    steps = _steps(target, args.type, half)
    amount, how = damage.apply_steps(ctx, combatant_id, args.amount, steps, args.type)
    if amount:
        damage.lose_hp(ctx, combatant_id, amount, how)
        _settle_life(ctx, combatant_id)


def _heal(ctx: Context, combatant_id: str, amount: int) -> int:
    """Heal up to the maximum; returns how much."""
    damage.require_hp(ctx.state[combatant_id], "healed")
    healed = damage.regain_hp(ctx, combatant_id, amount)
    _settle_life(ctx, combatant_id)
    return healed


def _settle_life(ctx: Context, combatant_id: str) -> None:
    """Set the life by HP: at 0 characters and important monsters are unconscious, others defeated;
    above 0 all are up."""
    target = ctx.state[combatant_id]
    if target.track("hp") == 0 and target.life == "up":
        matters = target.kind == "pc" or target.stats.get("important")
        ctx.emit(LifeChanged(combatant_id, "unconscious" if matters else "defeated", "0 HP"))
    elif target.track("hp") > 0 and target.life in ("unconscious", *OUT_OF_THE_FIGHT):
        ctx.emit(LifeChanged(combatant_id, "up", f"{target.track('hp')} HP"))


class State(StateRules):
    """Life follows from HP that were written by hand: at 0 somebody is down, above it up."""

    def on_edited_by_hand(self, ctx: Context, combatant_id: str) -> None:
        if "hp" in ctx.state[combatant_id].tracks:
            _settle_life(ctx, combatant_id)


DAMAGE_COMMANDS = (
    damage.damage_command("deals damage, of any type or none", DamageArgs, _deal),
    damage.heal_command("heals HP; anybody who was down gets up", _heal),
    damage.temp_hp_command("gives temporary HP; the higher of two amounts stays"),
)


# -------------------------------------------------------------------------------------------------
# Conditions of any name, with an end, a note and modifiers as they are said.

LASTING = DurationRules(offered=("start", "end", "freed"))
"""`for 2 turns`, `until end of mira` and the like; by default until removed."""


def _read_condition(reading: ParseState) -> conditions.What:
    """Read a condition that the campaign knows, or an effect of any other name."""
    tokens, by_name = reading.words, reading.ctx.tables.effects
    tokens.offered += by_name if tokens.done else []
    if tokens.peek() in by_name:
        return [EffectSpec(tokens.next("a condition").casefold())]
    _refuse_slip(reading)
    return conditions.read_custom_effect(reading)


def _refuse_slip(reading: ParseState) -> None:
    """Raises Refused for a slip, or the beginning, of a condition that the campaign knows: one of
    the table's own that looks like it stands in quotes."""
    tokens = reading.words
    word, by_name = tokens.peek(), reading.ctx.tables.effects
    near = [name for name in by_name if word and name.startswith(word)] or close_matches(
        word, by_name
    )
    if near and not tokens.upcoming.quoted:
        hint = "put one of your own in quotes"
        raise tokens.refuse(f"{word!r} is no condition; did you mean {join_or(near)}? {hint}", near)


_CONDITION = Argument(
    _read_condition, f"CONDITION | {custom_effects.USAGE}", field=Field("named-effect")
)
_ENDS = conditions.until_arg(
    LASTING,
    "for N turns] [until start|end of NAME | freed | removed | rest | fight | round N] [from NAME",
)


class InflictArgs(conditions.InflictArgs, frozen=True):
    what: Annotated[conditions.What, _CONDITION]
    terms: Annotated[EffectSpec, _ENDS] = EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    people, terms = args.people, args.terms
    if isinstance(args.what, CustomEffect):
        conditions.apply_custom_effect(LASTING, ctx, people, args.what, terms, ctx.by)
        return
    (condition,) = args.what
    spec = condition.on_terms(terms)
    for combatant in people:
        conditions.apply_condition(LASTING, ctx, combatant.id, spec, is_only_one=True)
    ctx.text = f"{join_names(people)}: {condition.name}"


_INFLICTS = "inflicts a condition of any name on somebody"
CONDITION_COMMANDS = (declare_command("inflict", _INFLICTS, InflictArgs, _inflict, True),)


# -------------------------------------------------------------------------------------------------
# Initiative, and what a turn brings.


class Initiative(InitiativeRules):
    """The turn order: a die and `init`; characters go first among equals."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        """The table's die for each, or the dice that lie there, with `init`; returns their
        totals."""
        return {combatant_id: self._roll_one(ctx, combatant_id, faces) for combatant_id in ids}

    def dice(self, tables: Tables) -> str:
        """The table's die, `[economy] initiative`."""
        return str(tables.economy["initiative"])

    def _roll_one(self, ctx: Context, combatant_id: str, lying: tuple[int, ...]) -> int:
        roller, dice = ctx.state[combatant_id], self.dice(ctx.tables)
        bonus = roller.number("init")
        bonus += stats.stat_value(stats.situation_in_command(NUMBERS, ctx, roller), "initiative")
        if lying:
            if not parse_dice(dice).is_rolled_on:
                require_no_more(lying, dice)
            faces, amount_rolled = lying, total_of(dice, lying)
        else:
            rolled = roll(parse_dice(dice), ctx.dice_of(combatant_id, "initiative"))
            faces, amount_rolled = rolled.faces, rolled.total
        text = f"{dice}{bonus:+d}" if bonus else dice
        ctx.emit(
            Rolled(
                combatant_id,
                text,
                faces,
                amount_rolled + bonus,
                for_="initiative",
                by_hand=bool(lying),
            )
        )
        return amount_rolled + bonus

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        """The rank on a tie: characters first."""
        return () if ctx.state[combatant_id].kind == "pc" else (1,)


class Turns(TurnRules):
    """Turns without costs: nothing comes back at their start."""

    def on_fight_end(self, ctx: Context) -> None:
        rests.end_fight_effects(ctx)


# -------------------------------------------------------------------------------------------------
# Rests: effects end with one, and the campaign's own counters come back.

RESTS = ("short", "long")
_REST = rests.RestRules(ends=("turn", "round", "fight", "rest"), forgets=("fight", "rest"))


class RestArgs(Struct, frozen=True):
    """The arguments of `rest`: `rest long`."""

    kind: Annotated[str, arguments.choice_arg("the kind of rest", RESTS)]
    besides: rests.Besides = []


def _rest(ctx: Context, args: RestArgs) -> None:
    """Let all rest but the dead; HP come back as the table says."""
    rests.require_no_fight(ctx)
    resting, why = rests.taking_part(ctx, args.besides), f"a {args.kind} rest"
    for combatant in resting:
        rests.apply_rest(ctx, combatant.id, _REST, why)
        rests.end_rest(ctx, combatant.id)
    rests.reset_counters(ctx, resting, why, is_long=args.kind == "long")
    ctx.text = why.capitalize()


REST_COMMANDS = (
    declare_command(
        "rest", "takes a rest, which ends effects and brings counters back", RestArgs, _rest
    ),
)
