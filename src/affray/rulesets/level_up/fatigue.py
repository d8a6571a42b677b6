"""Fatigue and strife: levels that come at once, and are felt after the fight; and sprinting.

What a level does is in tables/levels.toml, and in a campaign's rules.toml. Seed 002: Fatigue,
Doomed, Sprint; rules file, 3.13 and 10.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.difference import bounded
from affray.core.heart.effects import end
from affray.core.heart.events import Altered, Changed, Noted, Used
from affray.core.heart.state import Combatant, Duration, Encounter, Track
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit.acts import Pay
from affray.rulekit.placing import begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, economy, totals
from affray.rulesets.level_up.sheet import next_turn

RESTS = ("short", "long", "haven")
"""The rests with which levels can go (tables/levels.toml), each with those before it: a haven is
for long ones."""
FATIGUE, BOTH = {"fatigue": 1}, {"fatigue": 1, "strife": 1}
FELL = "fell"
"""What is counted in a fight: that falling unconscious has tired somebody."""


def felt_at_once(state: Encounter) -> bool:
    """Whether a level bites as it comes: outside of a fight, or as the table wants it (R5)."""
    return state.phase != "combat" or state.settings.get("fatigue") == "at-once"


def tire(ctx: Context, who: str, why: str, levels: Mapping[str, int] = FATIGUE) -> None:
    """Gain levels of fatigue, of strife or of both, on tracks that somebody has (10.2)."""
    for track, by in levels.items():
        if by and track in ctx.state[who].tracks:
            unfelt = 0 if felt_at_once(ctx.state) else by
            ctx.emit(Changed(who, track, by, why=why, unfelt=unfelt))


def tire_by_falling(ctx: Context, who: str, why: str) -> None:
    """The level for falling unconscious: in a fight, and in that once; a setting has it every time.

    Rules file, 9.3, R8.
    """
    is_due = not ctx.state[who].used(FELL, "fight") or ctx.state.settings.get("falls") == "every"
    if is_due and ctx.state.phase == "combat":
        ctx.emit(Used(who, FELL, "fight"))
        tire(ctx, who, why)


# -- levels, as their rows have them ---------------------------------------------------------------


def _tracks_of(tables: Tables, who: Combatant) -> list[str]:
    """The tracks of somebody's that are counted in levels."""
    return [name for name, rule in tables.tracks.items() if rule.levels and name in who.tracks]


def clear(ctx: Context, who: str, track: str, by: int, why: str = "") -> None:
    """Take levels away, as many as there are, those not felt yet before the others."""
    found = ctx.state[who].tracks.get(track)
    if found is not None and found.value:
        really = min(by, found.value)
        ctx.emit(Changed(who, track, -really, why=why, unfelt=-min(really, found.unfelt)))


def rested(ctx: Context, who: str, rests: Collection[str], why: str) -> None:
    """Take one level off each track of which the last goes with one of those rests."""
    for track in _tracks_of(ctx.tables, ctx.state[who]):
        level = ctx.state[who].track(track)
        rows = [row for row in ctx.tables.levels.values() if row.track == track and row.goes]
        last = max((row for row in rows if row.at <= level), key=lambda row: row.at, default=None)
        if last is not None and last.goes in rests:
            clear(ctx, who, track, 1, why)


def written_by_hand(ctx: Context, who: str) -> None:
    """After a number of levels was set: those that came count as gained now, those that went are
    such as were not felt yet, before others."""
    before = ctx.before.find(who)
    felt = felt_at_once(ctx.state)
    if before is None:
        return
    for track in _tracks_of(ctx.tables, ctx.state[who]):
        now, had = ctx.state[who].tracks[track], before.tracks.get(track, Track(0))
        by = now.value - had.value
        wanted = had.unfelt + (0 if felt and by > 0 else by)
        unfelt = max(0, wanted) - now.unfelt
        if unfelt:
            ctx.emit(Changed(who, track, unfelt=unfelt, routine=True))


def feel(ctx: Context, why: str = "") -> None:
    """Everybody feels all levels that they have, as when the fight is over."""
    for combatant in ctx.state.combatants:
        for track in _tracks_of(ctx.tables, combatant):
            unfelt = combatant.tracks[track].unfelt
            if unfelt:
                ctx.emit(Changed(combatant.id, track, why=why, unfelt=-unfelt))


def settled(ctx: Context) -> None:
    """Where levels bite as they come, none waits that was gained before the table wanted it.

    What a level brings is laid on whoever has come to feel it by this command: it stays when the
    level goes, and doesn't come again when it was taken away by hand.
    """
    if ctx.state.phase == "combat" and felt_at_once(ctx.state):
        feel(ctx)
    rows = [row for row in ctx.tables.levels.values() if row.brings]
    for now in ctx.changed():
        before = ctx.before.find(now.id)
        for row in rows:
            is_new = _felt(before, row.track) < row.at <= _felt(now, row.track)
            for name in row.brings if is_new else ():
                if ctx.state[now.id].named(name) is None:
                    begin(ctx, now.id, name, because=row.track)


def _felt(who: Combatant | None, track: str) -> int:
    found = who.tracks.get(track) if who is not None else None
    return found.felt if found is not None else 0


def remark(tables: Tables, who: Combatant, track: str) -> str:
    """What a number of levels means now, in a few words: what it bars, what waits for the end.

    The card warns of doom before it comes (rules file, R6).
    """
    counted = who.tracks.get(track)
    if counted is None or not tables.tracks[track].levels:
        return ""
    rows = [row for row in tables.levels.values() if row.track == track]
    barred = [what for row in rows if row.at <= counted.felt for what in row.forbids]
    coming = [n for row in rows if counted.felt < row.at <= counted.value for n in row.brings]
    told = [f"no {listed(barred)}"] if barred else []
    told += [f"{listed(coming, 'and')} when the fight is over"] if coming else []
    if counted.unfelt and not coming:
        told.append(f"{counted.unfelt} not felt before the fight is over")
    return ", ".join(told)


# -- mark and clear --------------------------------------------------------------------------------


def _tracks(reading: Reading) -> list[str]:
    """The tracks that are marked and cleared by hand: all but HP, which have their commands."""
    people: list[Combatant] = reading.said["people"]
    row = (track for who in people for track in who.tracks if track not in ("hp", "temp_hp"))
    return list(dict.fromkeys(row))


class Marks(Struct, frozen=True):
    """What `mark` and `clear` say: a track of one or several, and by how many."""

    people: Annotated[list[Combatant], arguments.people("whose track")]
    track: Annotated[str, arguments.choice("a track", _tracks, "TRACK", asks="track")]
    by: Annotated[int, arguments.number("how many", 1, 99)] = 1


def _mark_by_hand(ctx: Context, said: Marks, clears: bool = False) -> None:
    rule, without = ctx.tables.tracks[said.track], list[Combatant]()
    for who in said.people:
        if said.track not in who.tracks:
            raise Refused(f"{who.name} has no track {said.track!r}")
        since = len(ctx.events)
        if not rule.levels:  # of what counts down, marking uses up and clearing gives back
            adds = clears if rule.counts == "left" else not clears
            by = said.by if adds else -said.by
            change = bounded(ctx.tables, ctx.state, Changed(who.id, said.track, by))
            ctx.emit(*([change] if change.by else []))
        elif clears:
            clear(ctx, who.id, said.track, said.by)
        else:
            tire(ctx, who.id, "", {said.track: said.by})
        ctx.ruleset.set_by_hand(ctx, who.id)
        if clears and len(ctx.events) == since:
            without.append(who)
    if len(without) == len(said.people):
        raise Refused(f"{they(without, 'has', 'have')} no {rule.label} to clear")
    ctx.emit(*(Noted(f"{who.name} had no {rule.label} to clear") for who in without))
    does = ("clears", "clear") if clears else ("marks", "mark")
    ctx.text = f"{they(said.people, *does)} {rule.label}"


# -- sprinting -------------------------------------------------------------------------------------

CHECK, WINDED = "sprint check", "winded"
"""What is counted under the round in which it was made; the effect of whom sprinting has tired."""


class Sprint(Struct, frozen=True):
    """`sprint [encumbered] [OUTCOME]`; the outcome only when a check is due."""

    die: Annotated[Die | None, checks.OUTCOME] = None
    encumbered: Annotated[bool, arguments.flag(heard="encumbered")] = False
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)] = checks.Terms()


def sprint(ctx: Context, said: Sprint, who: Combatant, pay: Pay) -> None:
    """Speed ×4, or ×3, this turn, and nothing else (rules file, 3.13)."""
    free = max(0, who.number("con")) - who.track("sprints")
    dc = int(ctx.tables.economy["sprint_check"]) + _lately(ctx, who, CHECK)
    if free <= 0 and said.die is None:
        raise Refused(
            f"{who.name} has no free sprint left: say how the Constitution (Athletics) check came"
            f" out, DC {dc}"
        )
    if free > 0 and said.die is not None:
        raise Refused(f"no check is due yet: {who.name} has {free} more sprints for free")
    pay()
    until = next_turn(ctx.state, who.id, "start")
    times = int(ctx.tables.economy["sprint_encumbered" if said.encumbered else "sprint"])
    renew(ctx, who.id, totals.SPRINTING, until, amount=times)
    this_round = f"round {ctx.state.round}"
    ctx.emit(Changed(who.id, "sprints", 1), Used(who.id, economy.SPRINT, this_round))
    came = ""
    if said.die is not None:
        trial = checks.Try(who.id, "con", said.die, "athletics", dc=dc, terms=said.terms)
        came = checks.attempt(ctx, trial).outcome
        ctx.emit(Used(who.id, CHECK, this_round))
    _breathe(ctx, who.id, tired=int(came == checks.FAILURE))
    ctx.text = f"{who.name} sprints{f', {came}' if came else ''}"


def _breathe(ctx: Context, who: str, tired: int) -> None:
    """Fatigue of sprinting goes a minute after the last sprint: `winded` keeps it apart (R17)."""
    until = next_turn(ctx.state, who, "start", int(ctx.tables.economy["minute"]))
    had = ctx.state[who].named(WINDED)
    if had is not None:
        ctx.emit(Altered(who, replace(had, until=until, amount=had.amount + tired)))
    elif tired:
        begin(ctx, who, WINDED, until, amount=tired, type="fatigue", charges=True)
    tire(ctx, who, "sprinting", {"fatigue": tired})


def _lately(ctx: Context, who: Combatant, what: str) -> int:
    """How often somebody has done that in the last ten rounds, which are a minute."""
    now = ctx.state.round
    minute = int(ctx.tables.economy["minute"])
    return sum(who.used(what, f"round {number}") for number in range(now - minute + 1, now + 1))


def turn_started(ctx: Context, who: str) -> None:
    """A minute after the last sprint the free ones are there again; in another encounter what
    sprinting cost in one before is over, for everybody."""
    for each in ctx.state.combatants:
        for winded in each.all_named(WINDED):
            if winded.until.ends == "rest":
                end(ctx, each.id, winded.id, "another encounter")
    runner = ctx.state[who]
    if runner.track("sprints") and not _lately(ctx, runner, economy.SPRINT):
        ctx.emit(Changed(who, "sprints", -runner.track("sprints"), routine=True))


def fight_ended(ctx: Context, runner: Combatant) -> None:
    """No rounds make a minute any more: the winded are so until a rest, or another encounter."""
    winded = runner.named(WINDED)
    if winded is not None:
        ctx.emit(Altered(runner.id, replace(winded, until=Duration("rest"))))


_clear_by_hand = partial(_mark_by_hand, clears=True)
VERBS = (
    declare("mark", "marks fatigue, strife or another track", Marks, _mark_by_hand),
    declare("clear", "clears levels, or marks of another track", Marks, _clear_by_hand),
)
