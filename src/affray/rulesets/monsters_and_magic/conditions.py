"""Conditions, statuses and bonuses: how they are laid, laid again, and escaped; marks on tracks.

Monsters & Magic, Conditions & Statuses; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import custom_effects, durations
from affray.core.engine.custom_effects import CustomEffect, effect_keys, is_custom
from affray.core.engine.durations import Until
from affray.core.engine.effects import (
    EffectSpec,
    active_effects,
    effect_row,
    effects_in_force,
    remove_effect,
    why_cannot,
)
from affray.core.engine.events import EffectChanged, TrackChanged, UseCounted
from affray.core.engine.evolve import clamp_event
from affray.core.engine.state import Combatant, Effect, EffectRef
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.clauses import (
    join_names,
    names_with_verb,
    parse_damage_type,
    read_amount,
    read_gm_track,
)
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field, group
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import checks, conditions, powers
from affray.rulesets.monsters_and_magic import damage, stats
from affray.rulesets.monsters_and_magic.sheet import names_of
from affray.rulesets.monsters_and_magic.stats import EVERY, FORWARD


class ReapplyRule(Struct, frozen=True):
    """The rule for an effect that is there already: longer, detonated, or a forward.

    A detonation deals `amount` (rolled by affray when None) of `type`, or fatigue.
    """

    how: str
    fatigue: bool = False
    amount: int | None = None
    type: str = ""


def concentrated_on(combatant: Combatant) -> dict[str, Effect]:
    """The effects that keep up somebody's spells, by the spell's name in lower case."""
    return {e.note.casefold(): e for e in combatant.effects if e.name == "concentrating"}


def _read_concentrating(reading: ParseState, terms: EffectSpec) -> EffectSpec:
    ctx = reading.ctx
    source = terms.source or ctx.by or ctx.state.turn
    keeper = ctx.state.find(source)
    spells = concentrated_on(keeper) if keeper else {}
    held = spells[reading.words.choice("the spell to concentrate on", spells)]
    says = f"{ctx.state.name(source)} stops concentrating"
    return replace(terms, source=source, attached_to=EffectRef(source, held.id), says=says)


LASTING = conditions.DurationRules(
    clauses={"concentrating": _read_concentrating},
    default=Until("turn"),
    offered=("start", "end", "freed", "rest", "fight"),
)
"""How long conditions last: by default to the end of their bearer's next turn."""
_PLAIN = EffectSpec()
_PLACED = conditions.until_arg(
    LASTING,
    "for N turns] [until start|end of NAME | freed | removed | rest | fight | round N] [from NAME",
)


AGAIN = {
    "condition": ("extend", "detonate AMOUNT [TYPE]", "detonate fatigue"),
    "status": ("extend", "forward"),
}
"""How an effect is laid again on a bearer who already has it, by its kind."""
_WORDS_AGAIN = ("extend", "detonate", "forward")
_AGAIN_SAID = {
    "condition": "`extend` (1 turn longer), `detonate AMOUNT` or `detonate fatigue`",
    "status": "`extend` (1 turn longer) or `forward` (+1 to the next check)",
}


def apply_condition(
    ctx: Context,
    combatant_id: str,
    spec: EffectSpec,
    again: ReapplyRule | None = None,
    breaks: tuple[str, ...] = (),
) -> str:
    """Apply a condition or status to somebody; if they have it already, join it as `again` says. A
    status that outlasts the new one stays unchanged. Returns the result in a sentence. Raises
    Refused for a missing choice, or for one without cause.
    """
    name = spec.name
    have, bearer = ctx.state[combatant_id].named(name), ctx.state.name(combatant_id)
    if have is None:
        _refuse_again(ctx, combatant_id, name, again)
        conditions.apply_condition(LASTING, ctx, combatant_id, spec, breaks=breaks)
        return f"{bearer} is {name}"
    kind = effect_row(ctx.tables, name).kind
    position = durations.end_positions(ctx.state)
    until = conditions.resolve_end(LASTING, ctx, combatant_id, spec)
    outlasts = position(have.until) > position(until)
    if kind == "status" and outlasts:
        ctx.note(f"is already {name} for longer", combatant_id)
        return f"{bearer} is already {name} for longer"
    choices = list(dict.fromkeys(usage.split()[0] for usage in AGAIN[kind]))
    if again is None or again.how not in choices:
        raise Refused(f"{bearer} is already {name}: say {_AGAIN_SAID[kind]}", choices)
    return _lay_again(ctx, combatant_id, have, again)


def _inflict(ctx: Context, target: str, spec: EffectSpec) -> None:
    """Apply the conditions of an attack; for one that is there already the GM chooses to extend or
    detonate it."""
    bearer, name = ctx.state[target], spec.name
    if bearer.named(name) is not None:
        again = f"`inflict {target} {name} extend` or `detonate`"
        ctx.note(f"is {name} already: {again}", bearer.id)
    else:
        apply_condition(ctx, target, spec)


def inflict_by_row(ctx: Context, by: str, target: str, inflicted: powers.Inflicts) -> None:
    """Apply the conditions of a row on somebody's sheet."""
    powers.apply_inflicted(ctx, by, target, inflicted, powers.apply_each(_inflict))


LETS_GO = ("impaired", "stunned")
"""The conditions that end the hold of a grappler who gets them."""


def hold(
    ctx: Context, by: str, target: str, outcome: str, again: ReapplyRule | None = None
) -> None:
    """Apply a grapple by the outcome of the save: restrained until freed, or for a turn."""
    if outcome not in ("miss", "crit-miss", "weak"):
        return
    until = Until("turn") if outcome == "weak" else None
    grappler = ctx.before.find(by)
    before = active_effects(ctx.tables, ctx.before, grappler) if grappler is not None else ()
    breaks = tuple(name for name in LETS_GO if name not in before)
    apply_condition(ctx, target, EffectSpec("restrained", until=until, source=by), again, breaks)


def _refuse_again(ctx: Context, combatant_id: str, name: str, again: ReapplyRule | None) -> None:
    """Raises Refused if the effect to join is missing, or only implied by another one."""
    if again is None:
        return
    bearer = ctx.state[combatant_id]
    implied = effects_in_force(ctx, bearer).get(name)
    if implied is None:
        raise Refused(f"{bearer.name} is not {name}, so there is nothing to {again.how}")
    by = f" by {ctx.state.name(implied.source)}" if implied.source else ""
    hint = f"{again.how} {implied.because}, or inflict {name} as well"
    raise Refused(f"{bearer.name} is {name} only as {implied.because}{by}: {hint}")


def _lay_again(ctx: Context, combatant_id: str, have: Effect, again: ReapplyRule) -> str:
    bearer = ctx.state.name(combatant_id)
    if again.how == "forward":
        give_forward(ctx, combatant_id, {"check": 1}, f"next check, for {have.name}")
        return f"{bearer} is {have.name} already, and gets a bonus"
    if again.how == "detonate":
        _detonate(ctx, combatant_id, have, again)
        return f"{bearer}: {have.name} is detonated"
    longer = durations.extend(have.until, 1)
    if longer is None:
        words = durations.format_duration(ctx.state, have.until)
        raise Refused(f"{have.name} lasts {words}: it can't be extended")
    ctx.emit(EffectChanged(combatant_id, replace(have, until=longer), "extended by 1 turn"))
    return f"{bearer} is {have.name} for longer"


def _detonate(ctx: Context, combatant_id: str, effect: Effect, again: ReapplyRule) -> None:
    remove_effect(ctx, combatant_id, effect.id, "detonated")
    economy = ctx.tables.economy
    if again.fatigue:
        damage.require_fatigue(ctx.state[combatant_id])
        damage.mark_fatigue(
            ctx, combatant_id, economy["detonation_fatigue"], f"{effect.name} detonated"
        )
        return
    amount = again.amount
    if amount is None:
        amount = checks.roll_extra_dice(ctx, "", economy["detonation"], "detonation")
    damage.deal(
        ctx, combatant_id, damage.DamageInstance(amount, again.type, label=f" from {effect.name}")
    )


def give_forward(
    ctx: Context,
    combatant_id: str,
    modifiers: dict[str, int],
    note: str,
    terms: EffectSpec = _PLAIN,
) -> None:
    """Give a bonus that the next fitting roll uses up, if it does not end before."""
    spec = replace(terms, name=FORWARD)
    given: dict[str, Any] = {"modifiers": modifiers, "note": note}
    conditions.apply_condition(
        LASTING, ctx, combatant_id, spec, Until("use"), kind=FORWARD, **given
    )


def read_again(reading: ParseState) -> ReapplyRule | None:
    """Read `extend`, `forward`, `detonate [AMOUNT [TYPE] | fatigue]`, if one comes next."""
    tokens = reading.words
    how = tokens.take(*_WORDS_AGAIN)
    if how != "detonate":
        return ReapplyRule(how) if how else None
    if tokens.take("fatigue"):
        return ReapplyRule(how, fatigue=True)
    amount = read_amount(reading.ctx, tokens) if tokens.has_amount() else None
    kind = parse_damage_type(tokens, lambda: damage.known_types(reading.ctx), reading.stops)
    return ReapplyRule(how, amount=amount, type=kind)


def again_arg(kind: str, field: Field = ANY_MORE) -> Argument:
    """Declare what happens to a condition or status that is there already, anywhere in the command;
    none for a custom effect."""

    def read(reading: ParseState) -> ReapplyRule | None:
        reading.words.back()
        return read_again(reading)

    return Argument(
        read,
        " | ".join(AGAIN[kind]),
        keywords=_WORDS_AGAIN,
        begins=lambda r: isinstance(r.values.get("what", []), list),
        field=field,
    )


def _what_arg(kind: str) -> Argument:
    """One of the conditions, or of the statuses; or an effect of the GM's own."""

    def read(reading: ParseState) -> list[EffectSpec]:
        tokens, choices = reading.words, names_of(reading.ctx.tables, kind)
        name = tokens.choice(f"a {kind}", choices, custom_effects.instead_of(tokens))
        return [EffectSpec(name)]

    return conditions.condition_arg(read, kind.upper(), Field(kind))


_RENEW = Field("again", ("extend", "forward"), optional=False)
_DETONATE = Field("damage", ("fatigue",), only_if="detonate")
_AGAIN = group(replace(_RENEW, options=("extend", "detonate")), _DETONATE)


class InflictArgs(conditions.InflictArgs, frozen=True):
    """The arguments of `inflict`: a condition, and how it joins one that is there already."""

    what: Annotated[conditions.What, _what_arg("condition")]
    again: Annotated[ReapplyRule | None, again_arg("condition", _AGAIN)] = None
    terms: Annotated[EffectSpec, _PLACED] = _PLAIN


class BestowArgs(conditions.InflictArgs, frozen=True):
    """The arguments of `bestow`, of a status likewise."""

    what: Annotated[conditions.What, _what_arg("status")]
    again: Annotated[ReapplyRule | None, again_arg("status", _RENEW)] = None
    terms: Annotated[EffectSpec, _PLACED] = _PLAIN


def _lay_on_each(ctx: Context, args: InflictArgs | BestowArgs) -> None:
    if isinstance(args.what, CustomEffect):
        is_good = isinstance(args, BestowArgs)
        conditions.apply_custom_effect(
            LASTING, ctx, args.people, args.what, args.terms, is_bestowed=is_good
        )
        return
    spec = args.what[0].on_terms(args.terms)
    name = spec.name
    done = [apply_condition(ctx, one.id, spec, args.again) for one in args.people]
    begun = len(done) > 1 and all(target.named(name) is None for target in args.people)
    ctx.text = f"{join_names(args.people)} are {name}" if begun else ", ".join(done)


# -- getting free ----------------------------------------------------------------------------------


def _removable_effects(combatant: Combatant) -> dict[str, Effect]:
    """Map each word the GM may type to a condition or custom effect of this combatant; the oldest
    wins."""
    found = (e for e in reversed(combatant.effects) if e.kind == "condition" or is_custom(e))
    return {key: effect for effect in found for key in effect_keys(effect)}


class FreeArgs(Struct, frozen=True):
    """The arguments of `free`: the effect, and True if the holder pays as much to hold on."""

    people: Annotated[
        list[Combatant], arguments.bearers_arg("the combatant to free", _removable_effects)
    ]
    names: Annotated[
        list[str],
        arguments.borne_arg(
            "the effect to get free of",
            _removable_effects,
            "has nothing to be freed from",
            "CONDITION",
        ),
    ]
    prevented: Annotated[bool, arguments.flag_arg("prevent")] = False


def _free(ctx: Context, args: FreeArgs) -> None:
    named = zip(args.people, args.names, strict=True)
    ctx.text = ", ".join(_free_one(ctx, one.id, name, args.prevented) for one, name in named)


def _free_one(ctx: Context, combatant_id: str, name: str, prevented: bool) -> str:
    """Free somebody from one effect, at its price, unless the holder pays to prevent it; returns
    the outcome in words."""
    combatant = ctx.state[combatant_id]
    effect = _removable_effects(combatant).get(name)
    if effect is None:  # it depended on an effect of another that just ended
        raise Refused(f"{combatant.name} is no longer {name}")
    barred = why_cannot(ctx, combatant, "escape")
    if barred:
        raise Refused(f"{combatant.name} can't get free of {effect.name} by themself: {barred}")
    _refuse_lasting(ctx, combatant, effect)
    cost = effect_row(ctx.tables, effect.name).escape or {}
    if cost and ctx.state.in_combat and not ctx.state.takes_turn(combatant.id):
        raise Refused(f"{combatant.name} can get free of {effect.name} only in their own turn")
    holder = _holder(ctx, effect) if prevented else ""
    pay(ctx, combatant.id, cost, f"to get free of {effect.name}")
    if ctx.state.takes_turn(combatant.id):
        ctx.emit(
            UseCounted(combatant.id, "free")
        )  # the turn has begun: it can be neither delayed nor swapped
    if prevented:
        pay(ctx, holder, cost, "to keep the hold")
        return f"{combatant.name} struggles against being {effect.name}, but is held"
    remove_effect(ctx, combatant.id, effect.id, "got free")
    return f"{combatant.name} gets free"


def _refuse_lasting(ctx: Context, combatant: Combatant, effect: Effect) -> None:
    """Raises Refused unless the effect has a price to escape, or lasts until it is removed.

    An effect with another end ends only so: prone by standing up.
    """
    rule = effect_row(ctx.tables, effect.name)
    if rule.escape is not None or (effect.until.ends == "removed" and not rule.until):
        return
    lasts = durations.format_duration(ctx.state, effect.until, "name")
    lasts = lasts if lasts.startswith("until") else f"until the {lasts}"
    way = "`move` stands up" if effect.name == "prone" else "`remove` removes it"
    raise Refused(f"{combatant.name} is {effect.name} {lasts}, and can't get free of that: {way}")


def _holder(ctx: Context, effect: Effect) -> str:
    """The id of who holds by this effect. Raises Refused for nobody, and for who can't hold on."""
    holder = ctx.state.find(effect.source)
    if holder is None:
        raise Refused(f"nobody holds them: {effect.name} has no holder")
    barred = why_cannot(ctx, holder, "escape")
    if barred:
        raise Refused(f"{holder.name} can't keep the hold: {barred}")
    return holder.id


# -- bonuses ---------------------------------------------------------------------------------------


ONGOING = "ongoing"


_ENDS = conditions.until_arg(LASTING, "for N turns | until ...")
_BONUS = "the bonus or penalty"


def _read_note(reading: ParseState) -> str:
    """Read the words up to its duration: `next attack until end of mira`; after that, all the
    remaining ones."""
    tokens, parts = reading.words, []
    while not tokens.done and (
        "terms" in reading.values or not _begins_duration(tokens.peek(), reading)
    ):
        parts.append(str(tokens.next("the roll it is for")))
    return " ".join(parts)


def _begins_duration(word: str, reading: ParseState, ahead: int = 1) -> bool:
    """True if a word begins to say how long a forward lasts: `until`, or `for` before a number.
    Any other word may belong to the note, until the duration has begun."""
    tokens = reading.words
    if "terms" in reading.values:
        return True
    if ahead and tokens.upcoming.quoted:
        return False
    return word == "until" or (word == "for" and tokens.peek(ahead).isdecimal())


_NOTE = Argument(_read_note, '"next attack"', lambda r: not r.words.done, field=Field("text"))


class ForwardArgs(Struct, frozen=True):
    """The arguments of `forward`: how much, for which roll in words, and until when it waits
    for one."""

    people: arguments.Affected
    amount: Annotated[int, arguments.number_arg(_BONUS, -20, 20, "+N")]
    note: Annotated[str, _NOTE] = ""
    terms: Annotated[
        EffectSpec, replace(_ENDS, begins=lambda r: _begins_duration(r.word, r, ahead=0))
    ] = _PLAIN


def _forward(ctx: Context, args: ForwardArgs) -> None:
    stats.refuse_slip_of_scope(args.note)
    modifiers = {stats.scope_of(args.note) or EVERY: args.amount}
    for combatant in args.people:
        give_forward(ctx, combatant.id, modifiers, args.note, args.terms)
    ctx.text = _bonus_text(args.people, args.amount)


def _bonus_text(people: list[Combatant], amount: int) -> str:
    return f"{names_with_verb(people, 'gets', 'get')} a {'bonus' if amount >= 0 else 'penalty'}"


class OngoingArgs(Struct, frozen=True):
    """The arguments of `ongoing`: the bonus, the rolls, the end, and a note."""

    people: arguments.Affected
    amount: Annotated[int, arguments.number_arg(_BONUS, -99, 99, "+N")]
    scope: Annotated[str, stats.SCOPE]
    terms: Annotated[EffectSpec, _ENDS] = _PLAIN
    note: Annotated[str, arguments.rest_arg("NOTE")] = ""


def _ongoing(ctx: Context, args: OngoingArgs) -> None:
    # What is for some rolls alone is a modifier to checks that counts with those (`only_with`).
    is_whole = args.scope in (*stats.NUMBERS.rows, *stats.NO_CHECKS)
    what, only = (args.scope, ()) if is_whole else (EVERY, (args.scope,))
    spec = replace(args.terms, name=ONGOING)
    more: dict[str, Any] = {"modifiers": {what: args.amount}, "only_with": only, "note": args.note}
    for combatant in args.people:
        conditions.apply_condition(LASTING, ctx, combatant.id, spec, Until(), kind=ONGOING, **more)
    ctx.text = _bonus_text(args.people, args.amount)


# -- the commands ----------------------------------------------------------------------------------


CONDITIONS_COMMANDS = (
    declare_command("forward", "gives a bonus to the next roll it fits", ForwardArgs, _forward),
    declare_command("ongoing", "gives a lasting bonus", OngoingArgs, _ongoing),
    declare_command(
        "inflict",
        "inflicts a condition on somebody, or an effect of any name",
        InflictArgs,
        _lay_on_each,
        True,
    ),
    declare_command(
        "bestow",
        "gives somebody a status, or a good effect of any name",
        BestowArgs,
        _lay_on_each,
        True,
    ),
    declare_command(
        "free",
        "gets somebody free of a condition, at its cost; `prevented` when the holder pays as much",
        FreeArgs,
        _free,
    ),
)


# -------------------------------------------------------------------------------------------------
# Marking and clearing tracks, with what follows from it.
#
# Marking adds to what counts marks, such as fatigue, and takes from what counts what is left,
# such as HP or action points; clearing does the opposite.
#
# A hold is a track of a name that no other track has: charges of something, until a long rest or
# an end of their own. Charges with an end stand in an effect `holding` as well: `amount` of them,
# `type` the track; they are gone when it ends.
#
# Monsters & Magic, Fatigue & Exhaustion; Hit Points; Ongoing, Forward, and Hold.

DEATHSAVES = "deathsaves"


def is_hold(tables: Tables, track: str) -> bool:
    """True if a track is a hold: one of a name that the rules don't know."""
    return track not in tables.tracks


def _counts_left(tables: Tables, track: str) -> bool:
    """True if a track's value counts what is left; gained holds are marks."""
    return track in tables.tracks and tables.tracks[track].counts == "left"


_MARKS: dict[str, Callable[[Context, str, int, str], None]] = {
    "fatigue": damage.mark_fatigue,
    "exhaustion": damage.mark_exhaustion,
    DEATHSAVES: damage.hold_deathsaves,
    "hp": damage.lose,
}
"""How the tracks are marked whose marks have consequences."""


def mark_track(ctx: Context, combatant_id: str, track: str, amount: int, why: str = "") -> None:
    """Mark a track, as far as it goes; does nothing where the combatant has no such track."""
    if track not in ctx.state[combatant_id].tracks:
        return
    if track in _MARKS:
        _MARKS[track](ctx, combatant_id, amount, why)
    else:
        _move(ctx, combatant_id, track, amount, clears=False, why=why)


def pay(ctx: Context, combatant_id: str, cost: Mapping[str, int], why: str) -> None:
    """Mark tracks as the price of something. Raises Refused for somebody who can't pay so much by
    one."""
    for track, amount in cost.items():
        owner = ctx.state[combatant_id]
        is_too_much = _counts_left(ctx.tables, track) and amount > owner.track(track)
        if track in ("fatigue", "exhaustion"):
            damage.require_fatigue(owner)
        elif track not in owner.tracks or is_too_much:
            have = f"{owner.track(track)} {ctx.tables.track(track).in_a_sentence}"
            raise Refused(f"{owner.name} has {have}, not {amount}")
        mark_track(ctx, combatant_id, track, amount, why)


def clear_track(
    ctx: Context,
    combatant_id: str,
    track: str,
    amount: int,
    why: str = "",
    by_somebody: bool = True,
) -> None:
    """Clear so many marks of a track; `by_somebody` as in `damage.clear_fatigue`."""
    if track not in ctx.state[combatant_id].tracks:
        return
    if track == "fatigue":
        damage.clear_fatigue(ctx, combatant_id, amount, why, by_somebody)
    elif track == "hp":
        damage.heal(ctx, combatant_id, amount, why)
    else:
        _move(ctx, combatant_id, track, amount, clears=True, why=why)


def _move(
    ctx: Context, combatant_id: str, track: str, amount: int, clears: bool, why: str = ""
) -> None:
    """Move a track within its bounds; an empty `combatant_id` means the GM's track."""
    by = amount if _counts_left(ctx.tables, track) == clears else -amount
    change = clamp_event(ctx.tables, ctx.state, TrackChanged(combatant_id, track, by, why=why))
    if change.by:
        ctx.emit(change)


# -- the commands ----------------------------------------------------------------------------------


_VERB_FORMS = {
    "mark": {"left": ("uses up", "use up"), "marked": ("marks", "mark")},
    "clear": {"left": ("gets back", "get back"), "marked": ("clears", "clear")},
}
"""The log's verb, by what the track counts: for one, and for several."""


def _read_track(reading: ParseState) -> str:
    """Read a track of one or several other than HP, which damage and healing move; or the GM's.

    Raises Refused, naming whoever doesn't have that track.
    """
    people = reading.values["people"]
    if not people:
        return read_gm_track(reading.ctx, reading.words)
    choices = [
        name for combatant in people for name in combatant.tracks if name not in ("hp", "temp_hp")
    ]
    if not choices:
        raise Refused(f"{names_with_verb(people, 'has', 'have')} no tracks to mark")
    track = reading.words.choice("a track", dict.fromkeys(choices))
    without = [combatant for combatant in people if track not in combatant.tracks]
    if without:
        raise Refused(f"{names_with_verb(without, 'has', 'have')} no track {track!r}")
    return track


_HOW_MANY = replace(arguments.number_arg("a number", 1), field=Field("number", optional=False))


class MarkArgs(Struct, frozen=True):
    """The arguments of `mark` and `clear`; nobody for a track of the GM's."""

    people: Annotated[list[Combatant], arguments.owners_arg("the combatants whose track it is")]
    track: Annotated[str, Argument(_read_track, "TRACK", field=Field("track"))]
    amount: Annotated[int, _HOW_MANY] = 1


def _mark_or_clear(ctx: Context, args: MarkArgs, command: str) -> None:
    """`mark` and `clear`, of a track of one or several, or of the GM's."""
    people, track, clears = args.people, args.track, command == "clear"
    called = ctx.tables.track(track).in_a_sentence
    without: list[Combatant] = []
    if not people:
        _move(ctx, "", track, args.amount, clears)
    for combatant in people:
        done_before = len(ctx.events)
        (clear_track if clears else mark_track)(ctx, combatant.id, track, args.amount)
        if clears and len(ctx.events) == done_before:
            without.append(combatant)
    if people and len(without) == len(people):
        raise Refused(f"{names_with_verb(people, 'has', 'have')} no {called} to clear")
    for combatant in without:
        ctx.note(f"had no {called} to clear", combatant.id)
    counts = "left" if _counts_left(ctx.tables, track) else "marked"
    does = _VERB_FORMS[command][counts][len(people) > 1]
    whose = join_names(people) if people else f"The {ctx.tables.track(track).whose}"
    ctx.text = f"{whose} {does} {called}"


class Charges(Struct, frozen=True):
    """A kind of charges, and the number gained, or spent if negative."""

    name: str
    amount: int


def _read_charges(reading: ParseState) -> Charges:
    """Read the charges and their number, in either order: `arrows 3`, `3 arrows`, or `3-arrows`, as
    the rules write it. Raises Refused for anything else."""
    tokens = reading.words
    first = tokens.number("a number", -999, 999) if tokens.has_number() else None
    name = hyphenate(tokens.next("the name of the charge"))
    count, _, rest = name.partition("-")
    if first is None and count.isdecimal() and rest:
        first, name = int(count), rest
    if name.rstrip("s") == DEATHSAVES.rstrip("s"):
        name = DEATHSAVES
    elif not is_hold(reading.ctx.tables, name) or not name.replace("-", "").isalpha():
        raise Refused(f"{name!r} can't be held: give it a name in letters that is not a track's")
    if first is None:
        first = tokens.number("a number (negative to spend)", -999, 999)
    return Charges(name, first)


_CHARGES = group(Field("text", ("what",)), Field("number"))


class HoldArgs(Struct, frozen=True):
    """The arguments of `hold`: the charges gained or spent, and their end."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants who hold it")]
    charges: Annotated[Charges, Argument(_read_charges, "WHAT N", field=_CHARGES)]
    terms: Annotated[EffectSpec, _ENDS] = _PLAIN


def _hold(ctx: Context, args: HoldArgs) -> None:
    name, amount = args.charges.name, args.charges.amount
    if amount < 0 and args.terms != _PLAIN:
        raise Refused("spending has no end: give an end only to charges gained")
    for combatant in args.people:
        if name == DEATHSAVES:
            _hold_deathsaves(ctx, combatant, amount, args.terms)
        elif amount >= 0:
            _gain_charges(ctx, combatant, name, amount, args.terms)
        else:
            stats.spend_charges(ctx, combatant, name, -amount)
    does = ("holds", "hold") if amount >= 0 else ("spends", "spend")
    ctx.text = f"{names_with_verb(args.people, *does)} {name}"


def _hold_deathsaves(ctx: Context, combatant: Combatant, amount: int, terms: EffectSpec) -> None:
    """Deathsaves are held by the dying, until they no longer are, and are never spent
    (Monsters & Magic, Death & Dying)."""
    if combatant.life != "dying":
        raise Refused(f"only the dying hold deathsaves; {combatant.name} is {combatant.life}")
    if amount < 0 or terms != EffectSpec():
        raise Refused("deathsaves can't be spent: they stay until the dying are stable or dead")
    damage.hold_deathsaves(ctx, combatant.id, amount)


def _gain_charges(
    ctx: Context, combatant: Combatant, name: str, amount: int, terms: EffectSpec
) -> None:
    """Gain charges; those with an end are held until then."""
    ctx.emit(TrackChanged(combatant.id, name, amount))
    if terms == EffectSpec() or not amount:
        return
    spec = replace(terms, name="holding", amount=amount)
    conditions.apply_condition(LASTING, ctx, combatant.id, spec, type=name, charges=True)


TRACKS_COMMANDS = (
    declare_command(
        "mark",
        "marks fatigue, exhaustion or another track",
        MarkArgs,
        partial(_mark_or_clear, command="mark"),
    ),
    declare_command(
        "clear", "clears marks on a track", MarkArgs, partial(_mark_or_clear, command="clear")
    ),
    declare_command("hold", "gives charges to hold, or spends them (negative)", HoldArgs, _hold),
)

COMMANDS = (*CONDITIONS_COMMANDS, *TRACKS_COMMANDS)
