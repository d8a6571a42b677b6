"""Apply effects to combatants, by rules and by hand: which effect, until when, from whom, attached
to what.

A game has its own words for how long an effect lasts (`DurationRules`), besides those of all games:

    DURATIONS = DurationRules({"saved": Until("save")}, default=Until("turn"))
    TERMS = until_arg(DURATIONS, "for N turns")
    burning = EffectSpec("burning", dice="1d10", type="fire").on_terms(args.terms)
    apply_condition(DURATIONS, ctx, "mira", burning)

For `inflict` it declares how to read the conditions and their terms:

    class InflictArgs(conditions.InflictArgs, frozen=True):
        what: Annotated[What, condition_arg(_read_what, "CONDITION[,CONDITION] | ongoing AMOUNT")]
        terms: Annotated[EffectSpec, TERMS] = EffectSpec()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.engine import custom_effects, durations
from affray.core.engine.custom_effects import CustomEffect
from affray.core.engine.durations import Until, read_turns, read_until
from affray.core.engine.effects import (
    MODIFIER,
    EffectSpec,
    effect_name,
    effect_row,
    end_effects_named,
    gain_effect,
    remove_effect,
    row_end,
)
from affray.core.engine.events import NoteAdded
from affray.core.engine.state import Combatant, Duration, Edge, Effect, EffectRef, Encounter
from affray.core.formatting.log_lines import outcome_lines
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb, require_alive
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, format_signed, join_or
from affray.core.parser.prompt_fields import GROUP, Field
from affray.core.parser.spelling import known_as
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Context
from affray.mechanics import checks

_UNSAID = EffectSpec()
Clause = Callable[[ParseState, EffectSpec], EffectSpec]
"""Reads the clause after a word; returns the terms so far with the clause added."""


class DurationRules(Struct, frozen=True):
    """A game's words for durations beside `for`, `until` and `from`, and the default.

    Attributes:
        ends: Word -> end, for further words after `until`.
        alone: Word -> end, for words that need no `until`: `user-end`, `save-ends`.
        clauses: Words that a clause follows: `while NAME`. A clause that sets the end first calls
            `require_single_end`.
        default: The end of an effect if neither the command nor its row says one.
        next_turn: Returns the start or end of a combatant's n-th next turn, as effects count it.
        offered: The words that a prompt offers, most used first; the rest can be typed.
        limited: True if an effect that a save ends may be over after some turns anyway.
    """

    ends: Mapping[str, Until] = {}
    alone: Mapping[str, Until] = field(default_factory=lambda: durations.EDGES)
    clauses: Mapping[str, Clause] = {}
    default: Until = Until()
    next_turn: Callable[[Encounter, str, Edge, int], Duration] = durations.turn_edge
    offered: tuple[str, ...] = ("start", "end", "rest", "fight")
    limited: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words that begin any duration."""
        return (*self.alone, "for", "until", "from", *self.clauses)


# -- how it is said --------------------------------------------------------------------------------


def until_arg(game: DurationRules, usage: str = "", *more: str) -> Argument:
    """Declare the terms of an effect as an argument in a field called `terms`. A prompt offers the
    game's words for its end, and `more` of them.

    terms: Annotated[EffectSpec, until_arg(DURATIONS, "for N turns")] = EffectSpec()

    Args:
        usage: The text in the usage; empty for the ends of every game and the game's own.
    """
    if not usage:
        own = "".join(f" | {word.replace('-', ' ')}" for word in game.ends)
        ends = f"start|end of NAME | round N | rest{own} | fight | used | removed"
        usage = f"for N turns] [until {ends}] [from NAME"

    def reads(reading: ParseState) -> EffectSpec:
        before = reading.values.get("terms", _UNSAID)
        terms = _with_clause(game, reading, reading.word, before)
        if isinstance(own := reading.values.get("what"), CustomEffect):
            _read_more(reading, own)
        return terms

    until = Field("until", (*game.offered, *more), name="until")
    source = Field("anyone", before="from", name="from")
    field = Field(GROUP, parts=(until, source))
    return Argument(reads, usage, keywords=game.words, joins=lambda earlier, now: now, field=field)


def _with_clause(
    game: DurationRules, reading: ParseState, word: str, terms: EffectSpec
) -> EffectSpec:
    """Add the clause of one word to the terms read so far."""
    tokens = reading.words
    if word in game.clauses:
        return game.clauses[word](reading, terms)
    if word == "from":
        return replace(terms, source=tokens.combatant("the source").id)
    require_single_end(tokens, terms)
    if word in game.alone:
        return replace(terms, until=at_most(game, tokens, game.alone[word]))
    until = read_until(tokens, game.ends) if word == "until" else read_turns(tokens)
    return replace(terms, until=until)


def at_most(game: DurationRules, tokens: TokenStream, until: Until) -> Until:
    """Read the longest time of an effect that a save ends, `for 10 turns`, if it comes next."""
    is_said = game.limited and until.ends == "save" and tokens.take("for")
    return replace(until, most=read_turns(tokens).count) if is_said else until


def parse_end(game: DurationRules, ctx: Context, tokens: TokenStream) -> Until | None:
    """Read the end of an effect if it comes next: `save-ends`, `for 2 turns`, `until rest`."""
    word = tokens.take(*game.alone, "for", "until")
    return _with_clause(game, ParseState(ctx, tokens), word, _UNSAID).until if word else None


def require_single_end(tokens: TokenStream, terms: EffectSpec) -> None:
    """Raises Refused if the terms have an end already."""
    if terms.until is not None:
        tokens.back()
        raise tokens.refuse("expected one duration, not two")


def resolve_end(
    game: DurationRules,
    ctx: Context,
    combatant_id: str,
    spec: EffectSpec,
    otherwise: Until | None = None,
) -> Duration:
    """Return an effect's end on a combatant: that of the command, its row, `otherwise`, the game.

    Raises Refused for the end of a turn without an owner.
    """
    row = Until(text=spec.says) if spec.says else row_end(ctx.tables, spec.name)
    until = spec.until or row or otherwise or game.default
    source = spec.source or ctx.by or ctx.state.turn
    return until.resolve(ctx.state, combatant_id, source, game.next_turn)


# -- applying effects ------------------------------------------------------------------------------


def begin_effect(
    ctx: Context,
    combatant_id: str,
    name: str,
    until: Duration | None = None,
    attached_to: EffectRef | None = None,
    **more: Any,
) -> Effect:
    """Begin an effect of the tables on a combatant, of its row's kind.

    Ends the effects that it, or what it implies, keeps off.

    Args:
        until: Its end; None for the end of its row.
        attached_to: The effect with which it ends.
        more: Other fields of an effect: `note="in the dark"`.
    """
    rule = effect_row(ctx.tables, name)
    fields = {"id": name, "kind": rule.kind, "source": "", "hangs": str(attached_to or "")} | more
    if until is None:
        end = row_end(ctx.tables, name) or Until()
        source = fields["source"] or ctx.by or ctx.state.turn
        until = end.resolve(ctx.state, combatant_id, source)
    if rule.concerns:
        fields["against" if rule.concerns == "source" else "spares"] = fields["source"]
    begun = gain_effect(ctx, combatant_id, Effect(name=name, until=until, **fields))
    for by in (name, *rule.implies):
        for kept_off in effect_row(ctx.tables, by).keeps_off:
            end_effects_named(ctx, combatant_id, kept_off, effect_name(ctx.tables, by))
    return begun


def replace_effect(
    ctx: Context,
    combatant_id: str,
    name: str,
    until: Duration | None = None,
    by_source: bool = False,
    **more: Any,
) -> Effect:
    """Begin an effect in place of those of its name; `by_source`: of those from the same source."""
    for effect in ctx.state[combatant_id].effects:
        if effect.name == name and (not by_source or effect.source == more.get("source", "")):
            remove_effect(ctx, combatant_id, effect.id, "renewed")
    return begin_effect(ctx, combatant_id, name, until, **more)


def end_with_all(ctx: Context, combatant_id: str, effect_id: str, why: str) -> None:
    """End an effect and all effects attached to it, on anybody."""
    remove_effect(ctx, combatant_id, effect_id, why)
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            if effect.attached_to == EffectRef(combatant_id, effect_id):
                end_with_all(ctx, bearer.id, effect.id, why)


def apply_condition(
    game: DurationRules,
    ctx: Context,
    combatant_id: str,
    spec: EffectSpec,
    otherwise: Until | None = None,
    is_only_one: bool = False,
    **more: Any,
) -> Effect:
    """Apply an effect with its terms to a combatant; its end is that of `resolve_end`.

    `is_only_one` replaces an effect of its name. `more` are other fields of an effect.
    """
    until = resolve_end(game, ctx, combatant_id, spec, otherwise)
    effect_id = f"{spec.name}-{spec.type}" if spec.type else spec.name
    own = {"amount": spec.amount, "type": spec.type, "dice": spec.dice, "source": spec.source}
    fields: dict[str, Any] = {"id": effect_id} | own | more
    begin = replace_effect if is_only_one else begin_effect
    return begin(ctx, combatant_id, spec.name, until, attached_to=spec.attached_to, **fields)


def effect_amount(ctx: Context, combatant_id: str, effect: Effect) -> int:
    """The amount of an effect now: its number, or its dice rolled."""
    if not effect.dice:
        return effect.amount
    return max(0, checks.roll_extra_dice(ctx, combatant_id, effect.dice, effect.name))


# -- what is said ----------------------------------------------------------------------------------


def parse_conditions(
    tokens: TokenStream,
    known_names: Sequence[str],
    alike: Mapping[str, str] = {},
    beside: Sequence[str] = (),
) -> list[str]:
    """Read one or several known names, with commas between: `dazed,slowed`; each once.

    Raises Refused, with similar names, for any other.

    Args:
        alike: Other words for the names: word -> name.
        beside: Words of other kinds that are possible here, for the refusal.
    """
    row = [*known_names, *beside]
    parts = [part for part in tokens.next("a condition", row).split(",") if part]
    typed = [known_as(part, [*row, *alike]) for part in parts]
    names = list(dict.fromkeys(alike.get(name, name) for name in typed))
    wrong = next((name for name in names if name not in known_names), "")
    if wrong or not names:
        tokens.back()
        if wrong in beside:
            raise tokens.refuse(
                f"{wrong} must be given on its own: `inflict NAME {wrong} ...`", row
            )
        otherwise = custom_effects.instead_of(tokens)
        raise tokens.refuse_choice(f"{wrong!r} is no condition", wrong, row, otherwise=otherwise)
    return names


def apply_custom_effect(
    game: DurationRules,
    ctx: Context,
    people: Sequence[Combatant],
    own: CustomEffect,
    terms: EffectSpec,
    source: str = "",
    is_bestowed: bool = False,
) -> None:
    """Apply a custom effect to each; `source` is its source unless the terms name one."""
    terms = replace(terms, source=terms.source or source)
    for combatant in people:
        own.apply(ctx, combatant, resolve_end(game, ctx, combatant.id, terms), terms, is_bestowed)
    ctx.text = f"{join_names(people)}: {own.name}"


# -- inflict ---------------------------------------------------------------------------------------

What = list[EffectSpec] | CustomEffect
"""The argument of `inflict`: conditions, or a custom effect."""


def condition_arg(
    read: Callable[[ParseState], list[EffectSpec]],
    usage: str,
    field: Field = Field("condition"),
) -> Argument:
    """Declare the argument of `inflict`: conditions by the game's own `read`, or a custom
    effect."""

    def reads(reading: ParseState) -> What:
        tokens = reading.words
        if not custom_effects.stands_next(reading.ctx.tables, tokens):
            return read(reading)
        return read_custom_effect(reading)

    return Argument(reads, f"{usage} | {custom_effects.USAGE}", field=field)


def read_custom_effect(reading: ParseState) -> CustomEffect:
    """Read a custom effect, up to its end or the next keyword (`until_arg` reads on)."""
    own = CustomEffect(reading.ctx, reading.words)
    _read_more(reading, own)
    return own


def _read_more(reading: ParseState, own: CustomEffect) -> None:
    while own.read_more(reading.words):
        pass
    if not reading.is_over:
        own.refuse_unknown(reading.words)


class SurpriseArgs(Struct, frozen=True):
    """`surprise WHO ...`; each game has its own effects for it."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants surprised", field=Field("targets", ("several",))),
    ]


_WHO = arguments.combatants_arg(
    "the combatants it affects", fits=require_alive, field=Field("targets", ("foe",))
)


class InflictArgs(Struct, frozen=True):
    """The arguments of `inflict`; a game declares `what` and `terms`."""

    people: Annotated[list[Combatant], _WHO]
    what: What
    terms: EffectSpec = EffectSpec()


def inflict_on_all(
    game: DurationRules,
    ctx: Context,
    args: InflictArgs,
    apply: Callable[[Context, str, EffectSpec], object],
) -> None:
    """Apply conditions to all who can have them; `apply` returns something false where one can't,
    and has noted why.

    Raises Refused, with all reasons, if nobody can have any.
    """
    if isinstance(args.what, CustomEffect):
        apply_custom_effect(game, ctx, args.people, args.what, args.terms, ctx.by)
        return
    applied: dict[str, list[str]] = {}
    for one in args.what:
        spec = one.on_terms(args.terms)
        takers = [combatant for combatant in args.people if apply(ctx, combatant.id, spec)]
        if takers:
            has_amount = one.amount or one.dice or one.type
            come_by = (
                f"{join_names(takers)}:" if has_amount else names_with_verb(takers, "is", "are")
            )
            applied.setdefault(come_by, []).append(str(one))
    if not applied:
        notes = [event for event in ctx.events if isinstance(event, NoteAdded)]
        raise Refused("; ".join(outcome_lines(notes, ctx.state, {})))
    ctx.text = "; ".join(f"{come_by} {join_or(names, 'and')}" for come_by, names in applied.items())


# -------------------------------------------------------------------------------------------------
# The command `modifier`: a bonus or penalty, advantage or disadvantage, for a time. A game declares
# `terms`, as for `inflict`, and runs `apply_modifier`.

_LEANS = {"adv": "advantage", "dis": "disadvantage"}


def read_modifier(reading: ParseState) -> int | str:
    """Read by how much a modifier changes a roll: a number, `adv` or `dis`."""
    tokens = reading.words
    if lean := tokens.take(*_LEANS):
        return lean
    amount = tokens.number("the bonus or penalty such as +2, or adv, or dis", -999, 999)
    if not amount:
        tokens.back()
        raise tokens.refuse("a modifier of 0 changes nothing")
    return amount


def _read_to_what(reading: ParseState) -> list[str]:
    """Read the numbers or rolls that a modifier changes, out of those that rows may name."""
    kind = _LEANS.get(str(reading.values["by"]), "modifiers")
    row = {name.replace("_", "-"): name for name in reading.ctx.ruleset.schema.effects[kind] or ()}
    value = arguments.choices_arg("the roll or number it changes", [*row], "WHAT").read(reading)
    return [row[name] for name in value]


TO_WHAT = Argument(_read_to_what, "WHAT[,WHAT]", field=Field("choice"))
"""The argument for the numbers or rolls that a modifier changes; a game says which a prompt
offers."""


class ModifierArgs(Struct, frozen=True):
    """The arguments of `modifier`; a game declares `terms`."""

    people: arguments.Affected
    by: Annotated[int | str, Argument(read_modifier, "+N|adv|dis", field=Field("number"))]
    what: Annotated[list[str], TO_WHAT]
    note: Annotated[str, arguments.quoted_arg("a note", '"NOTE"')] = ""
    terms: EffectSpec = EffectSpec()


def apply_modifier(
    game: DurationRules, ctx: Context, args: ModifierArgs, is_typed: bool = False
) -> None:
    """Apply a modifier to each; `is_typed`: two modifiers with one note don't add up."""
    lean = _LEANS.get(str(args.by), "")
    changes = {lean: tuple(args.what)} if lean else {"modifiers": dict.fromkeys(args.what, args.by)}
    named: dict[str, Any] = {"note": args.note, "type": args.note.casefold() if is_typed else ""}
    for combatant in args.people:
        spec = replace(args.terms, name=MODIFIER)
        apply_condition(game, ctx, combatant.id, spec, kind=MODIFIER, **named, **changes)
    by = f"{lean} on" if lean else format_signed(int(args.by))
    what = join_or([name.replace("_", " ") for name in args.what], "and")
    ctx.text = f"{join_names(args.people)}: {by} {what}"
