"""Effects on combatants: what is in force, how one begins, and what ends along with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import Until, parse_row_until
from affray.core.engine.events import EffectGained, EffectLost, TrackChanged
from affray.core.engine.state import (
    MOST_KEPT,
    Combatant,
    Duration,
    Effect,
    EffectRef,
    Encounter,
)
from affray.core.parser.errors import join_or
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import LEVEL, EffectRow, Tables

_BLANK = EffectRow()


def effect_row(tables: Tables, name: str) -> EffectRow:
    """The table's row for an effect; an empty row for one that the tables don't know."""
    return tables.effects.get(name, _BLANK)


def row_end(tables: Tables, name: str) -> Until | None:
    """When an effect ends by its row; None for one whose row says nothing of that."""
    return parse_row_until(effect_row(tables, name).until)


def effect_name(tables: Tables, name: str) -> str:
    """The name for people of an effect, or of a reason for one, from its name in the log."""
    return effect_row(tables, name).name or name


class EffectSpec(Struct, frozen=True):
    """An effect as a row, a power, a hit or a command leaves it on somebody, as far as that says.

    name, amount, type, dice   the effect, and how much of what; `dice` in place of an `amount`
    until        when it ends; None where nothing is said
    source       id of whom it comes from
    attached_to  the effect on which it hangs, and with which it ends
    says         when that ends, in words: "Mira stops concentrating"
    """

    name: str = ""
    amount: int = 0
    type: str = ""
    dice: str = ""
    until: Until | None = None
    source: str = ""
    attached_to: EffectRef | None = None
    says: str = ""

    def __str__(self) -> str:
        """In words: "dazed", "burning 1d10 fire", "resistance cold"."""
        amount = self.dice or str(self.amount or "")
        return " ".join(filter(None, (self.name, amount, self.type)))

    @property
    def is_timed(self) -> bool:
        """Whether it is said when it ends: by itself, or with something else."""
        return self.until is not None or self.attached_to is not None

    def on_terms(self, terms: EffectSpec) -> EffectSpec:
        """This effect, with the end, the source and the rest that `terms` have."""
        return replace(terms, name=self.name, amount=self.amount, type=self.type, dice=self.dice)


def active_effects(tables: Tables, state: Encounter, bearer: Combatant) -> Mapping[str, Effect]:
    """Every effect in force on a combatant by name: its own, those of levels, the implied ones.

    An implied effect is a stand-in that ends with the one that implies it: `because` names that.
    The same name counts once, however often it is there, as long as one of them is in force. What
    somebody is immune to is not implied.
    """
    if not (bearer.effects or tables.levels):  # as with most, at most times
        return {}
    return _in_force(tables, state, bearer)


@lru_cache(maxsize=64)  # a state never changes, and much is asked of the same few
def _in_force(tables: Tables, state: Encounter, bearer: Combatant) -> Mapping[str, Effect]:
    found: dict[str, Effect] = {}
    own = (*bearer.effects, *_of_levels(tables, bearer)) if tables.levels else bearer.effects
    for effect in own:
        found.setdefault(effect.name, effect)
    rules = tables.effects
    implying = [e for e in own if e.name in rules and rules[e.name].implies]
    immune = _immune_to(tables, bearer) if implying else ()
    for effect in implying:  # what is implied is added behind, and may imply more
        rule = effect_row(tables, effect.name)
        if rule.needs_source and not _source_is_there(state, effect):
            continue
        for name in rule.implies:
            if name not in found and name not in immune:
                found[name] = implied = _implied(tables, name, effect)
                implying.append(implied)
    return found


def _of_levels(tables: Tables, bearer: Combatant) -> Iterator[Effect]:
    """What the levels do that somebody feels, an effect for each row of the tables."""
    for name, row in tables.levels.items():
        track = bearer.tracks.get(row.track)
        if track is not None and track.felt >= row.at:
            until = Duration(says=f"{row.track} is below {row.at}")
            yield Effect(name, name, LEVEL, until, modifiers=row.modifiers, because=row.track)


def _immune_to(tables: Tables, bearer: Combatant) -> Sequence[str]:
    """The effects, among other things, that can't be on somebody: by the sheet, and for a time."""
    name = tables.unaffected
    listed = bearer.stats.get(name) if name else ()
    own = listed if isinstance(listed, list | tuple) else ()
    return (*own, *(effect.type for effect in bearer.all_named(name)))


def _implied(tables: Tables, name: str, by: Effect) -> Effect:
    rule = effect_row(tables, name)
    return Effect(
        id=_implied_id(name, by),
        name=name,
        kind=rule.kind,
        until=Duration(says=f"no longer {by.name}"),
        source=by.source,
        modifiers=rule.modifiers,
        only_with=rule.only_with,
        because=by.name,
    )


def implied_by(force: Mapping[str, Effect], bearer: Combatant, effect: Effect) -> list[Effect]:
    """The effects in `force` on a bearer that are there because its `effect` implies them."""
    return [
        each
        for each in force.values()
        if each.because == effect.name
        and (each.id == _implied_id(each.name, effect) or _hangs_together(bearer, effect, each))
    ]


def independent_effects(bearer: Combatant) -> list[Effect]:
    """The effects of a combatant without those that another effect of theirs brought along, as a
    grab does by the sizes: these end with the other, and are told with it."""
    return [effect for effect in bearer.effects if not (effect.hangs and _brings(bearer, effect))]


def _brings(bearer: Combatant, effect: Effect) -> Effect | None:
    why = (each for each in bearer.effects if each.name == effect.because)
    return next((each for each in why if _hangs_together(bearer, each, effect)), None)


def _hangs_together(bearer: Combatant, effect: Effect, other: Effect) -> bool:
    """Whether the other hangs on an effect of somebody's, or on what that hangs on as well."""
    shared = (EffectRef(bearer.id, effect.id), effect.attached_to)
    return other.attached_to is not None and other.attached_to in shared


def _implied_id(name: str, by: Effect) -> str:
    return f"{name}@{by.id}"


def _source_is_there(state: Encounter, effect: Effect) -> bool:
    if not effect.source:
        return True
    source = state.find(effect.source)
    return source is not None and not source.is_out


def why_forbidden(
    tables: Tables, state: Encounter, bearer: Combatant, what: str, but: Collection[str] = ()
) -> str:
    """The effect that forbids somebody to `act`, `react`, `move` and so on; empty for none.

    Any life but `up` forbids all that somebody does, whatever effects there are: "dying". Else it
    is what the first effect that forbids this is called, `but` for those.
    """
    if bearer.life != "up":
        return str(bearer.life)
    for name in active_effects(tables, state, bearer):
        if name not in but and what in effect_row(tables, name).forbids:
            return effect_name(tables, name)
    return ""


def gain_effect(ctx: Context, combatant_id: str, effect: Effect) -> Effect:
    """Begin an effect on a combatant, with an id that is free there, and what it brings along."""
    begun = _begin(ctx, combatant_id, effect)
    waiting = _brought(ctx.tables, begun)
    while waiting:  # a house rule's chain may be longer than Python lets calls be deep
        name, by = waiting.pop()
        bearer = ctx.state[combatant_id]
        if bearer.named(name) is None and ctx.ruleset.state.can_have(bearer, name):
            rule = effect_row(ctx.tables, name)
            own = row_end(ctx.tables, name)
            until = own.resolve(ctx.state, combatant_id, by.source) if own else by.until
            brought = _begin(
                ctx, combatant_id, Effect(name, name, rule.kind, until, because=by.name)
            )
            waiting += _brought(ctx.tables, brought)
    return begun


def _begin(ctx: Context, combatant_id: str, effect: Effect) -> Effect:
    bearer = ctx.state[combatant_id]
    rule = effect_row(ctx.tables, effect.name)
    effect = replace(
        effect,
        id=_free_id(bearer, effect.id),
        modifiers=effect.modifiers or rule.modifiers,
        only_with=effect.only_with or rule.only_with,
        breaks=effect.breaks or rule.breaks,
        ends_with_source=effect.ends_with_source or rule.ends_with_source,
    )
    ctx.emit(EffectGained(combatant_id, effect))
    if effect.lowers:
        lower_maximum(ctx, combatant_id, effect.type, effect.amount)
    return effect


def _brought(tables: Tables, by: Effect) -> list[tuple[str, Effect]]:
    """What an effect brings, the first of it at the end of the list; each with what brings it."""
    return [(name, by) for name in reversed(effect_row(tables, by.name).brings)]


def _free_id(bearer: Combatant, wanted: str) -> str:
    taken = {e.id for e in bearer.effects}
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def remove_effect(ctx: Context, combatant_id: str, effect_id: str, why: str) -> None:
    """End an effect, and what is held by it. Nothing happens when it is not there any more."""
    bearer = ctx.state.find(combatant_id)
    effect = bearer.effect(effect_id) if bearer is not None else None
    if bearer is None or effect is None:
        return
    ctx.emit(EffectLost(combatant_id, effect_id, why))
    held = min(effect.amount, bearer.track(effect.type))
    if effect.charges and held > 0:
        ctx.emit(TrackChanged(combatant_id, effect.type, -held))
    if effect.lowers:
        lower_maximum(ctx, combatant_id, effect.type, -effect.amount)
    if effect.refunds:
        give_back(
            ctx, combatant_id, effect.type, effect.amount, f"{effect.note or effect.name} ends"
        )


def lower_maximum(ctx: Context, combatant_id: str, track: str, by: int, why: str = "") -> None:
    """Lower the maximum of a track, and cut to it what is above; raise it again by less than 0.

    What was cut doesn't come back. Nothing happens to somebody without that track.
    """
    have = ctx.state[combatant_id].tracks.get(track)
    if have is None or by == 0:
        return
    top = None if have.max is None else have.max - by
    lost = 0 if top is None else max(0, have.value - top)
    ctx.emit(TrackChanged(combatant_id, track, -lost, top, why, lowered=by))


def give_back(ctx: Context, combatant_id: str, track: str, amount: int, why: str) -> None:
    """Let so much of a track come back, up to its maximum if it has one."""
    have = ctx.state[combatant_id].tracks.get(track)
    if have is None:
        return
    by = amount if have.max is None else min(amount, have.max - have.value)
    if by > 0:
        ctx.emit(TrackChanged(combatant_id, track, by, why=why))


def end_effects_named(ctx: Context, combatant_id: str, name: str, why: str) -> None:
    """End every effect of that name on a combatant."""
    for effect in ctx.state[combatant_id].all_named(name):
        remove_effect(ctx, combatant_id, effect.id, why)


def apply_invariants(ctx: Context) -> None:
    """End what can't last any longer, and let the rules do what follows, until nothing more does.

    That is: effects whose source now has what breaks them or is gone, and effects that hang on one
    that has ended; then what the ruleset says always follows.
    """
    while True:
        before = len(ctx.events)
        while _end_broken(ctx):
            pass
        ctx.ruleset.state.apply_invariants(ctx)
        if len(ctx.events) == before:
            return


def _end_broken(ctx: Context) -> bool:
    """End effects that can't last, in their order; tells whether all must be gone through again.

    They must when something hangs on the effect that was just ended: that ends next, before what
    comes later in the order.
    """
    bearers = [bearer for bearer in ctx.state.combatants if bearer.effects]
    grounds = frozenset[Grounds]().union(*map(_grounds_of, bearers))  # few, and of many the same
    if not any(_broken(ctx.tables, ctx.state, *each) for each in grounds):
        return False
    depending = [(bearer.id, effect) for bearer in bearers for effect in _depending(bearer)]
    held = {effect.attached_to for _, effect in depending}
    for combatant_id, effect in depending:
        why = _broken(ctx.tables, ctx.state, *_grounds(effect))
        if why:
            remove_effect(ctx, combatant_id, effect.id, why)
            if EffectRef(combatant_id, effect.id) in held:
                return True
    return False


@lru_cache(maxsize=MOST_KEPT)
def _depending(bearer: Combatant) -> tuple[Effect, ...]:
    """The effects on somebody that hang on another, or end by what becomes of their source."""
    return tuple(e for e in bearer.effects if e.hangs or e.breaks or e.ends_with_source)


Grounds = tuple[EffectRef | None, str, tuple[str, ...]]
"""What an effect depends on: the effect that it hangs on, the id of its source, and the conditions
that its source must not come to have; each of them empty, or None, where there is none."""


def _grounds(effect: Effect) -> Grounds:
    by_source = effect.breaks or effect.ends_with_source
    return effect.attached_to, effect.source if by_source else "", effect.breaks


@lru_cache(maxsize=MOST_KEPT)
def _grounds_of(bearer: Combatant) -> frozenset[Grounds]:
    return frozenset(map(_grounds, _depending(bearer)))


def _broken(
    tables: Tables,
    state: Encounter,
    holds: EffectRef | None,
    source: str,
    breaks: tuple[str, ...],
) -> str:
    """Why what depends on that can't last; empty when it can."""
    if holds is not None:
        holder = state.find(holds.bearer)
        if holder is None or holder.effect(holds.effect) is None:
            return f"{state.name(holds.bearer)} no longer keeps it up"
    if not source:
        return ""
    found = state.find(source)
    if found is None or found.is_out:
        return f"{state.name(source)} is out of the fight"
    have = active_effects(tables, state, found)
    broken = next((name for name in breaks if name in have), "")
    return f"{found.name} is {broken}" if broken else ""


def without_row(tables: Tables, state: Encounter) -> str:
    """One line on effects in force for which the tables have no row, as they once had.

    What such a row would imply, forbid or bring about doesn't happen. Empty when there are none.
    Kinds that have no rows at all, such as a forward, need none.
    """
    kinds = {rule.kind for rule in tables.effects.values()}
    bearers: dict[str, list[str]] = {}
    for combatant in state.combatants:
        for effect in combatant.effects:
            if effect.kind in kinds and effect.name not in tables.effects:
                bearers.setdefault(effect.name, []).append(combatant.name)
    if not bearers:
        return ""
    which = join_or((f"{name} on {join_or(who, 'and')}" for name, who in bearers.items()), "and")
    return f"no rule is known for {which}, so it does nothing: was it one of the campaign's own?"
