"""`carry`: take a fight's result into the campaign's ledger, or the ledger's state into a fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.commands.join_terms import number_for
from affray.core.commands.newcomers import import_from_ledger, require_same_rules, sheets_of_party
from affray.core.engine import events as e, ledger as engine
from affray.core.engine.evolve import clamp_event
from affray.core.engine.history import OtherLog
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Command, Context


def _carry(ctx: Context, tokens: TokenStream) -> None:
    ledger = ctx.other_logs.ledger()
    if ledger is not None:
        _into_fight(ctx, ledger)
    else:
        _into_ledger(ctx, _read_fight(ctx, tokens))


def _into_fight(ctx: Context, ledger: OtherLog) -> None:
    """Update the party in this fight to the present state of the ledger."""
    if ctx.state.phase != "setup":
        raise Refused("`carry` comes before `start` or after `end`, not in the middle of a fight")
    require_same_rules(ctx.state, ledger)
    sheets = sheets_of_party(ctx)
    if not any(combatant.id in sheets for combatant in ctx.state.combatants):
        raise Refused("nobody from the campaign's party is here: `add party` adds them")
    played = _played(ctx, sheets)
    wanted = engine.state_as_left(ctx.ruleset, ctx.state, sheets, ledger, ledger.state, played)
    if not engine.ledger_events(ctx.state, wanted, ""):
        raise Refused(f"nothing to carry: the party here already matches {engine.THE_LEDGER}")
    import_from_ledger(ctx, ledger, wanted)
    ctx.emit(*_changed_sheets(ctx, sheets))
    ctx.text = f"The party now matches {engine.THE_LEDGER}"


def _played(ctx: Context, sheets: Mapping[str, Combatant]) -> dict[str, engine.SheetChanges]:
    """The changes by play to each of the party in this fight."""
    people = filter(None, map(ctx.state.find, sheets))
    return {
        combatant.id: engine.sheet_changes(ctx.ruleset, ctx.previous, combatant)
        for combatant in people
    }


def _changed_sheets(ctx: Context, sheets: Mapping[str, Combatant]) -> Iterator[e.SheetWritten]:
    """Yield the sheets that have changed since they were last in this log."""
    for combatant_id, sheet in sheets.items():
        last_sheet = engine.last_sheet_of(ctx.previous, combatant_id)
        if last_sheet is not None and (last_sheet.stats, last_sheet.tracks) != (
            sheet.stats,
            sheet.tracks,
        ):
            yield e.SheetWritten(combatant_id, sheet.stats, sheet.tracks)


# -- into the ledger -------------------------------------------------------------------------------


def _read_fight(ctx: Context, tokens: TokenStream) -> OtherLog:
    """Read `from ENCOUNTER`. Raises Refused for none, and names the encounters."""
    fights = ctx.other_logs.fights()
    if not fights:
        raise Refused("there is nothing to carry: only the fights of a campaign have a ledger")
    if not tokens.take("from"):
        raise tokens.refuse("expected `from` and the encounter to carry over", ["from"])
    name = str(tokens.next("one of the campaign's encounters", fights))
    fight = ctx.other_logs.read(name)
    if fight is None:
        tokens.back()
        near = did_you_mean(name, fights) or f": there are {join_or(fights)}"
        raise tokens.refuse(f"the campaign has no encounter {name!r}{near}", fights)
    return fight


def _into_ledger(ctx: Context, fight: OtherLog) -> None:
    """Import the party as a fight left it; a second time only later changes."""
    if fight.state.phase != "ended":
        raise Refused(f"{fight.title} is not over: `end` closes it and carries its result over")
    require_same_rules(ctx.state, fight)
    sheets = sheets_of_party(ctx)
    there = engine.with_those_gone(fight.history, sheets)
    people = [combatant for combatant in there.combatants if combatant.id in sheets]
    if not people:
        raise Refused(f"nobody from the campaign's party.toml was in {fight.title}")
    then = engine.carried_before(ctx.previous, fight.carried, ctx.state)
    ctx.emit(fight.carried)
    for combatant in people:
        if ctx.state.find(combatant.id) is None:
            ctx.emit(_joining(ctx, sheets[combatant.id]))
    ctx.emit(*_what_differs(ctx, fight, there, then, sheets))
    if then is not None and len(ctx.events) == 1:
        raise Refused(
            f"nothing to carry: {engine.THE_LEDGER} already has the result of {fight.title}"
        )
    ctx.emit(*_changed_sheets(ctx, sheets))
    again = "" if then is None else " again"
    strangers = _strangers_text(fight.history.state, sheets) if then is None else ""
    come = names_with_verb(people, f"comes{again}", f"come{again}")
    ctx.text = f"{strangers}{come} from {fight.title}"


def _strangers_text(there: Encounter, sheets: Mapping[str, Combatant]) -> str:
    """Name those who are in no file, and so are not carried over; empty for nobody."""
    strangers = [
        c for c in (*there.combatants, *there.gone) if c.is_character and c.id not in sheets
    ]
    if not strangers:
        return ""
    keep = join_or([f"`keep {c.id}`" for c in strangers], "and")
    takes = names_with_verb(strangers, "stays behind", "stay behind")
    return f"{takes}: {keep} in {there.title}, then `carry`, for the next fight; "


def _what_differs(
    ctx: Context,
    fight: OtherLog,
    there: Encounter,
    then: Encounter | None,
    sheets: Mapping[str, Combatant],
) -> list[e.AnyEvent]:
    """The events from the state at the last import, or from the present one, to the fight's end.

    There may have been rests since, so the differences are added to the present state, within
    bounds.
    """
    base = ctx.state if then is None else engine.with_newcomers(then, ctx.state)
    wanted = engine.state_as_left(ctx.ruleset, base, sheets, fight, there, _played(ctx, sheets))
    events = (
        clamp_event(ctx.tables, ctx.state, engine.with_relative_maximum(base, ctx.state, event))
        for event in engine.ledger_events(base, wanted, f"from {fight.title}")
    )
    return [event for event in events if not _is_true_already(ctx.state, event)]


def _is_true_already(state: Encounter, event: e.AnyEvent) -> bool:
    """True if an event would change nothing: equal value, full track, effect gone or there."""
    if isinstance(event, e.TrackChanged):
        return not event.by and event.max is None
    if isinstance(event, e.StatChanged):
        return bool(state[event.who].stats.get(event.stat) == event.value)
    if not isinstance(event, e.EffectLost | e.EffectGained):
        return False
    effect = event.effect if isinstance(event, e.EffectLost) else event.effect.id
    return (state[event.who].effect(effect) is None) == isinstance(event, e.EffectLost)


def _joining(ctx: Context, combatant: Combatant) -> e.Added:
    number = number_for(ctx.tables, ctx.state, combatant.id)
    return e.Added(
        combatant.id,
        combatant.name,
        combatant.side,
        combatant.kind,
        combatant.stats,
        combatant.tracks,
        number=number,
    )


CARRY_COMMANDS = (
    Command(
        "carry",
        "carry [from ENCOUNTER]",
        "updates the party here from the ledger, or the ledger from a fight's end",
        _carry,
    ),
)
