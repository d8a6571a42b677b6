"""Level Up: levels of fatigue and strife, which are felt after the fight; sprinting.

The consequences of levels are in tables/levels.toml, and in a campaign's rules.toml.

Level Up, Fatigue, Doomed, Sprint.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import EffectChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Encounter, Track
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics.actions import PayFunction
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.techniques import mark_track
from affray.rulesets.level_up import action_economy, checks, settings
from affray.rulesets.srd.checks import FAILURE, OUTCOME
from affray.rulesets.srd.damage import MarkArgs
from affray.rulesets.srd.sheet import next_turn

RESTS = ("short", "long", "haven")
"""The rests that can remove levels (tables/levels.toml); each includes those before it."""
FATIGUE, BOTH = {"fatigue": 1}, {"fatigue": 1, "strife": 1}
FELL = "fell"
"""Counted in a fight in which falling unconscious has tired a combatant."""


def felt_at_once(state: Encounter) -> bool:
    """True if a level takes effect at once: outside a fight, or by the setting (ruling 5)."""
    return not state.in_combat or settings.FATIGUE.value(state) == "at-once"


def tire(ctx: Context, combatant_id: str, why: str, levels: Mapping[str, int] = FATIGUE) -> None:
    """Add levels to the tracks of a combatant: track -> how many."""
    for track, by in levels.items():
        if by and track in ctx.state[combatant_id].tracks:
            unfelt = 0 if felt_at_once(ctx.state) else by
            ctx.emit(TrackChanged(combatant_id, track, by, why=why, unfelt=unfelt))


def tire_by_falling(ctx: Context, combatant_id: str, why: str) -> None:
    """Add the level for falling unconscious: once in a fight, or each time by a setting.

    Level Up, Dropping to 0 Hit Points; ruling 8.
    """
    is_due = (
        not ctx.state[combatant_id].used(FELL, "fight")
        or settings.FALLS.value(ctx.state) == "every"
    )
    if is_due and ctx.state.in_combat:
        ctx.emit(UseCounted(combatant_id, FELL, "fight"))
        tire(ctx, combatant_id, why)


# -- levels ----------------------------------------------------------------------------------------


def _level_tracks(tables: Tables, combatant: Combatant) -> list[str]:
    return [
        name for name, rule in tables.tracks.items() if rule.levels and name in combatant.tracks
    ]


def clear(ctx: Context, combatant_id: str, track: str, by: int, why: str = "") -> None:
    """Remove up to so many levels, those not felt yet before the others."""
    found = ctx.state[combatant_id].tracks.get(track)
    if found is not None and found.value:
        really = min(by, found.value)
        ctx.emit(
            TrackChanged(combatant_id, track, -really, why=why, unfelt=-min(really, found.unfelt))
        )


def rested(ctx: Context, combatant_id: str, rests: Collection[str], why: str) -> None:
    """Remove a level from each track whose present level ends with one of these rests."""
    for track in _level_tracks(ctx.tables, ctx.state[combatant_id]):
        level = ctx.state[combatant_id].track(track)
        rows = [row for row in ctx.tables.levels.values() if row.track == track and row.goes]
        last = max((row for row in rows if row.at <= level), key=lambda row: row.at, default=None)
        if last is not None and last.goes in rests:
            clear(ctx, combatant_id, track, 1, why)


def after_manual_level(ctx: Context, combatant_id: str) -> None:
    """After levels were set by hand: mark the new ones as not felt yet, unless felt at once.

    Levels that went were first those not felt yet."""
    before = ctx.before.find(combatant_id)
    felt = felt_at_once(ctx.state)
    if before is None:
        return
    for track in _level_tracks(ctx.tables, ctx.state[combatant_id]):
        now, had = ctx.state[combatant_id].tracks[track], before.tracks.get(track, Track(0))
        by = now.value - had.value
        wanted = had.unfelt + (0 if felt and by > 0 else by)
        unfelt = max(0, wanted) - now.unfelt
        if unfelt:
            ctx.emit(TrackChanged(combatant_id, track, unfelt=unfelt, routine=True))


def feel(ctx: Context, why: str = "") -> None:
    """Let all combatants feel all their levels, as when the fight is over."""
    for combatant in ctx.state.combatants:
        for track in _level_tracks(ctx.tables, combatant):
            unfelt = combatant.tracks[track].unfelt
            if unfelt:
                ctx.emit(TrackChanged(combatant.id, track, why=why, unfelt=-unfelt))


def apply_invariants(ctx: Context) -> None:
    """Begin the effects of levels that a command has made felt, such as doomed.

    Under the setting `fatigue at-once` all levels are felt first. An effect stays when its level
    goes, and doesn't return after it was taken away by hand.
    """
    if ctx.state.in_combat and felt_at_once(ctx.state):
        feel(ctx)
    rows = [row for row in ctx.tables.levels.values() if row.brings]
    for now in ctx.changed():
        before = ctx.before.find(now.id)
        for row in rows:
            is_new = _felt_levels(before, row.track) < row.at <= _felt_levels(now, row.track)
            for name in row.brings if is_new else ():
                if ctx.state[now.id].named(name) is None:
                    begin_effect(ctx, now.id, name, because=row.track)


def _felt_levels(combatant: Combatant | None, track: str) -> int:
    found = combatant.tracks.get(track) if combatant is not None else None
    return found.felt if found is not None else 0


def describe_track(tables: Tables, combatant: Combatant, track: str) -> str:
    """Describe the levels of a track: the techniques they forbid, and their effects after the
    fight.

    So the card warns of doom before it comes (ruling 6).
    """
    counted = combatant.tracks.get(track)
    if counted is None or not tables.tracks[track].levels:
        return ""
    rows = [row for row in tables.levels.values() if row.track == track]
    barred = [what for row in rows if row.at <= counted.felt for what in row.forbids]
    coming = [n for row in rows if counted.felt < row.at <= counted.value for n in row.brings]
    notes = [f"no {join_or(barred)}"] if barred else []
    notes += [f"{join_or(coming, 'and')} when the fight is over"] if coming else []
    if counted.unfelt and not coming:
        notes.append(f"{counted.unfelt} not felt until the fight is over")
    return ", ".join(notes)


# -- mark and clear --------------------------------------------------------------------------------


def _mark_by_hand(ctx: Context, args: MarkArgs, clears: bool = False) -> None:
    rule, without = ctx.tables.tracks[args.track], list[Combatant]()
    for combatant in args.people:
        if args.track not in combatant.tracks:
            raise Refused(f"{combatant.name} has no track {args.track!r}")
        since = len(ctx.events)
        if not rule.levels:  # of what counts down, marking uses up and clearing gives back
            mark_track(ctx, combatant.id, args.track, -args.by if clears else args.by, "")
        elif clears:
            clear(ctx, combatant.id, args.track, args.by)
        else:
            tire(ctx, combatant.id, "", {args.track: args.by})
        ctx.ruleset.state.on_edited_by_hand(ctx, combatant.id)
        if clears and len(ctx.events) == since:
            without.append(combatant)
    if len(without) == len(args.people):
        raise Refused(f"{names_with_verb(without, 'has', 'have')} no {rule.label} to clear")
    for combatant in without:
        ctx.note(f"had no {rule.label} to clear", combatant.id)
    does = ("clears", "clear") if clears else ("marks", "mark")
    ctx.text = f"{names_with_verb(args.people, *does)} {rule.label}"


# -- sprinting -------------------------------------------------------------------------------------

CHECK, WINDED = "sprint check", "winded"
"""The use counted for a check, by round; the effect of fatigue by sprinting."""


class SprintArgs(Struct, frozen=True):
    """`sprint [encumbered] [OUTCOME]`; the outcome only when a check is due."""

    die: Annotated[DieInput | None, OUTCOME] = None
    encumbered: arguments.Flag = False
    terms: checks.Modifiers = checks.RollModifiers()


def sprint(ctx: Context, args: SprintArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Multiply the speed by 4, or by 3 if encumbered, for this turn."""
    free = max(0, combatant.number("con")) - combatant.track("sprints")
    dc = int(ctx.tables.economy["sprint_check"]) + _uses_lately(ctx, combatant, CHECK)
    if free <= 0 and args.die is None:
        raise Refused(
            f"{combatant.name} has no free sprint left: say how the Constitution (Athletics) "
            f"check came out, DC {dc}"
        )
    if free > 0 and args.die is not None:
        raise Refused(f"no check is due yet: {combatant.name} has {free} more free sprints")
    pay()
    until = next_turn(ctx.state, combatant.id, "start")
    times = int(ctx.tables.economy["sprint_encumbered" if args.encumbered else "sprint"])
    replace_effect(ctx, combatant.id, checks.SPRINTING, until, amount=times)
    this_round = f"round {ctx.state.round}"
    ctx.emit(
        TrackChanged(combatant.id, "sprints", 1),
        UseCounted(combatant.id, action_economy.SPRINT, this_round),
    )
    outcome = ""
    if args.die is not None:
        check = checks.CheckRequest(
            combatant.id, "con", args.die, dc, modifiers=args.terms, skill="athletics"
        )
        outcome = check.make(ctx).outcome
        ctx.emit(UseCounted(combatant.id, CHECK, this_round))
    _renew_winded(ctx, combatant.id, tired=int(outcome == FAILURE))
    ctx.text = f"{combatant.name} sprints{f', {outcome}' if outcome else ''}"


def _renew_winded(ctx: Context, combatant_id: str, tired: int) -> None:
    """Renew `winded`, which counts the fatigue that goes a minute after the last sprint
    (ruling 17)."""
    until = next_turn(ctx.state, combatant_id, "start", int(ctx.tables.economy["minute"]))
    had = ctx.state[combatant_id].named(WINDED)
    if had is not None:
        ctx.emit(EffectChanged(combatant_id, replace(had, until=until, amount=had.amount + tired)))
    elif tired:
        begin_effect(ctx, combatant_id, WINDED, until, amount=tired, type="fatigue", charges=True)
    tire(ctx, combatant_id, "sprinting", {"fatigue": tired})


def _uses_lately(ctx: Context, combatant: Combatant, what: str) -> int:
    """The number of times a use was counted in the last minute, which is ten rounds."""
    now = ctx.state.round
    minute = int(ctx.tables.economy["minute"])
    return sum(
        combatant.used(what, f"round {number}") for number in range(now - minute + 1, now + 1)
    )


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Restore the free sprints a minute after the last one.

    Fatigue of sprinting in an earlier encounter ends for everybody."""
    for each in ctx.state.bearers(WINDED):
        for winded in each.all_named(WINDED):
            if winded.until.ends == "rest":
                remove_effect(ctx, each.id, winded.id, "another encounter")
    runner = ctx.state[combatant_id]
    if runner.track("sprints") and not _uses_lately(ctx, runner, action_economy.SPRINT):
        ctx.emit(TrackChanged(combatant_id, "sprints", -runner.track("sprints"), routine=True))


def on_fight_end(ctx: Context, runner: Combatant) -> None:
    """Let `winded` last until a rest or another encounter, as rounds are no longer counted."""
    winded = runner.named(WINDED)
    if winded is not None:
        ctx.emit(EffectChanged(runner.id, replace(winded, until=Duration("rest"))))


_clear_by_hand = partial(_mark_by_hand, clears=True)
COMMANDS = (
    declare_command("mark", "marks fatigue, strife or another track", MarkArgs, _mark_by_hand),
    declare_command("clear", "clears levels, or marks on another track", MarkArgs, _clear_by_hand),
)
