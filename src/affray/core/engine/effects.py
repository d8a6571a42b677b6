"""Effects on combatants: which are active, how one begins, and what ends with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import Until, parse_row_until
from affray.core.engine.events import EffectGained, EffectLost, TrackChanged
from affray.core.engine.state import MOST_KEPT, Combatant, Duration, Effect, EffectRef, Encounter
from affray.core.parser.errors import join_or
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import LEVEL, EffectRow, Tables

_BLANK = EffectRow()


def effect_row(tables: Tables, name: str) -> EffectRow:
    """The table's row for an effect; an empty row for one that the tables don't know."""
    return tables.effects.get(name, _BLANK)


def row_end(tables: Tables, name: str) -> Until | None:
    """The end of an effect by its row; None for a row that gives none."""
    return parse_row_until(effect_row(tables, name).until)


def effect_name(tables: Tables, name: str) -> str:
    """The name for people of an effect, or of a reason for one, from its name in the log."""
    return effect_row(tables, name).name or name


MODIFIER = "modifier"
"""The kind of an effect without a name, shown by its modifiers."""


class EffectSpec(Struct, frozen=True):
    """An effect as a row, a power, a hit or a command describes it, before it begins on somebody.

    name, amount, type, dice   the effect, its amount and the type of that; `dice` in place of an
                               `amount`
    until        when it ends; None if the row or command has no end
    source       id of the combatant it comes from
    attached_to  the effect with which it ends
    says         the end of `attached_to` in words: "Mira stops concentrating"
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
        """The effect in words: "dazed", "burning 1d10 fire", "resistance cold"."""
        amount = self.dice or str(self.amount or "")
        return " ".join(filter(None, (self.name, amount, self.type)))

    @property
    def is_timed(self) -> bool:
        """True if it has an end: a time, or another effect with which it ends."""
        return self.until is not None or self.attached_to is not None

    def on_terms(self, terms: EffectSpec) -> EffectSpec:
        """Return this effect with the end, the source and the rest of `terms`."""
        return replace(terms, name=self.name, amount=self.amount, type=self.type, dice=self.dice)


def active_effects(tables: Tables, state: Encounter, bearer: Combatant) -> Mapping[str, Effect]:
    """Return every effect in force on a combatant, by name: its own, those of levels, the implied.

    An implied effect ends with the one that implies it, which `because` names. Several effects of
    one name count once. An effect to which the bearer is immune is not implied.
    """
    if not (bearer.effects or tables.levels):  # most combatants, most of the time
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
    for effect in implying:  # implied effects are added at the end, and may imply more
        rule = effect_row(tables, effect.name)
        if rule.needs_source and not _source_is_there(state, effect):
            continue
        for name in rule.implies:
            if name not in found and name not in immune:
                found[name] = implied = _implied(tables, name, effect)
                implying.append(implied)
    return found


def _of_levels(tables: Tables, bearer: Combatant) -> Iterator[Effect]:
    """Yield an effect for each level row that a track's felt value reaches."""
    for name, row in tables.levels.items():
        track = bearer.tracks.get(row.track)
        if track is not None and track.felt >= row.at:
            until = Duration(says=f"{row.track} is below {row.at}")
            yield Effect(name, name, LEVEL, until, modifiers=row.modifiers, because=row.track)


def _immune_to(tables: Tables, bearer: Combatant) -> Sequence[str]:
    """The words a combatant is immune to, from its sheet and its effects."""
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
    """Return the effects in `force` that the bearer's `effect` implies."""
    return [
        each
        for each in force.values()
        if each.because == effect.name
        and (each.id == _implied_id(each.name, effect) or _hangs_together(bearer, effect, each))
    ]


def independent_effects(bearer: Combatant) -> list[Effect]:
    """Return a combatant's effects, without those that another of their effects brought.

    Such an effect ends with the other, and is shown with it.
    """

    def is_brought(effect: Effect) -> bool:
        why = (each for each in bearer.effects if each.name == effect.because)
        return any(_hangs_together(bearer, each, effect) for each in why)

    return [effect for effect in bearer.effects if not (effect.hangs and is_brought(effect))]


def _hangs_together(bearer: Combatant, effect: Effect, other: Effect) -> bool:
    """True if `other` is attached to the bearer's `effect`, or both to the same effect."""
    shared = (EffectRef(bearer.id, effect.id), effect.attached_to)
    return other.attached_to is not None and other.attached_to in shared


def _implied_id(name: str, by: Effect) -> str:
    return f"{name}@{by.id}"


def _source_is_there(state: Encounter, effect: Effect) -> bool:
    if not effect.source:
        return True
    source = state.find(effect.source)
    return source is not None and not source.is_out


def effects_in_force(ctx: Context, bearer: Combatant) -> Mapping[str, Effect]:
    """Return the effects in force on a combatant in a command (`active_effects`)."""
    return active_effects(ctx.tables, ctx.state, bearer)


def why_cannot(ctx: Context, bearer: Combatant, what: str, but: Collection[str] = ()) -> str:
    """Return why somebody can't do something in a command (`why_forbidden`)."""
    return why_forbidden(ctx.tables, ctx.state, bearer, what, but)


def why_forbidden(
    tables: Tables, state: Encounter, bearer: Combatant, what: str, but: Collection[str] = ()
) -> str:
    """Return why somebody can't `act`, `react`, `move` and so on; empty if they can.

    Any life but `up` forbids everything: "dying". Else the name of the first effect that forbids
    it, ignoring those in `but`.
    """
    if bearer.life != "up":
        return str(bearer.life)
    for name in active_effects(tables, state, bearer):
        if name not in but and what in effect_row(tables, name).forbids:
            return effect_name(tables, name)
    return ""


def gain_effect(ctx: Context, combatant_id: str, effect: Effect) -> Effect:
    """Begin an effect on a combatant, and those that its row `brings`; return it with its id."""
    begun = _begin(ctx, combatant_id, effect)
    waiting = _effects_caused(ctx.tables, begun)
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
            waiting += _effects_caused(ctx.tables, brought)
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


def _effects_caused(tables: Tables, by: Effect) -> list[tuple[str, Effect]]:
    """The effects that `by` brings, each with `by`, in reverse, so that the first is popped
    first."""
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
    """End an effect, and undo its hold on tracks. Does nothing if it has ended already."""
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
    """Lower the maximum of a track, and its value to the new maximum; a negative `by` raises it.

    A value that was cut doesn't come back. Nothing happens to somebody without that track.
    """
    have = ctx.state[combatant_id].tracks.get(track)
    if have is None or by == 0:
        return
    top = None if have.max is None else have.max - by
    lost = 0 if top is None else max(0, have.value - top)
    ctx.emit(TrackChanged(combatant_id, track, -lost, top, why, lowered=by))


def give_back(ctx: Context, combatant_id: str, track: str, amount: int, why: str) -> None:
    """Raise a track by an amount, up to its maximum if it has one."""
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
    """End effects that can't last, and apply the ruleset's invariants, until nothing changes.

    An effect can't last when its source is gone or has an effect that breaks it, or when the effect
    to which it is attached has ended.
    """
    while True:
        before = len(ctx.events)
        while _end_broken(ctx):
            pass
        ctx.ruleset.state.apply_invariants(ctx)
        if len(ctx.events) == before:
            return


def _end_broken(ctx: Context) -> bool:
    """End effects that can't last, in their order; True if that must be done once more.

    It must when another effect is attached to the one just ended: that one ends next, before what
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
    """The effects that end with another effect, or with their source."""
    return tuple(e for e in bearer.effects if e.hangs or e.breaks or e.ends_with_source)


Grounds = tuple[EffectRef | None, str, tuple[str, ...]]
"""What an effect depends on: the effect to which it is attached, the id of its source, and the
conditions of the source that end it; each empty, or None, for none."""


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
    """The reason why an effect with these grounds can't last; empty when it can."""
    if holds is not None:
        holder = state.find(holds.bearer)
        if holder is None or holder.effect(holds.effect) is None:
            return f"{state.name(holds.bearer)} no longer maintains it"
    if not source:
        return ""
    found = state.find(source)
    if found is None or found.is_out:
        return f"{state.name(source)} is out of the fight"
    have = active_effects(tables, state, found)
    broken = next((name for name in breaks if name in have), "")
    return f"{found.name} is {broken}" if broken else ""


def without_row(tables: Tables, state: Encounter) -> str:
    """Describe, in one line, the effects in force whose row is missing from the tables.

    A row may be missing when a campaign has dropped it; the effect then does nothing. Empty when
    there are none. Kinds without rows in the tables, such as a forward, need none.
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
    return (
        f"there is no rule for {which}, so it does nothing: was it from the campaign's house rules?"
    )
