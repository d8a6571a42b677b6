"""`carry`: what a fight's end leaves goes into the ledger, and what the ledger has into a fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from affray.core.commands.adding import sheets_of_party
from affray.core.commands.from_ledger import bring, refuse_other_rules
from affray.core.commands.numbering import number_for
from affray.core.heart.carrying import (
    THE_LEDGER,
    OtherLog,
    Play,
    as_left,
    by_as_much,
    carried_before,
    changes,
    of_play,
    sheet_of,
    with_all,
    with_those_gone,
)
from affray.core.heart.difference import bounded
from affray.core.heart.events import (
    Added,
    Adjusted,
    AnyEvent,
    Changed,
    Gained,
    Lost,
    Noted,
    Written,
)
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused, did_you_mean, listed
from affray.core.rules.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words


def _carry(ctx: Context, words: Words) -> None:
    ledger = ctx.elsewhere.ledger()
    if ledger is not None:
        _into_fight(ctx, ledger)
    else:
        _into_ledger(ctx, _read_fight(ctx, words))


def _into_fight(ctx: Context, ledger: OtherLog) -> None:
    """Bring the party, which is here already, to where the ledger has it now."""
    if ctx.state.phase != "setup":
        raise Refused("`carry` comes before `start` or after `end`, not in the middle of a fight")
    refuse_other_rules(ctx.state, ledger)
    sheets = sheets_of_party(ctx)
    if not any(who.id in sheets for who in ctx.state.combatants):
        raise Refused("nobody of the campaign's party is here: `add party` brings it")
    played = _played(ctx, sheets)
    wanted = as_left(ctx.ruleset, ctx.state, sheets, ledger, ledger.state, played)
    if not changes(ctx.state, wanted, ""):
        raise Refused(f"nothing differs: whoever of the party is here is as {THE_LEDGER} has them")
    bring(ctx, ledger, wanted)
    ctx.emit(*_written_anew(ctx, sheets))
    ctx.text = f"The party is as {THE_LEDGER} has it"


def _played(ctx: Context, sheets: Mapping[str, Combatant]) -> dict[str, Play]:
    """What play has changed here of those of the party who are here."""
    here = filter(None, map(ctx.state.find, sheets))
    return {who.id: of_play(ctx.ruleset, ctx.previous, who) for who in here}


def _written_anew(ctx: Context, sheets: Mapping[str, Combatant]) -> Iterator[Written]:
    """The sheets that are not as they were told here last."""
    for who, sheet in sheets.items():
        told = sheet_of(ctx.previous, who)
        if told is not None and (told.stats, told.tracks) != (sheet.stats, sheet.tracks):
            yield Written(who, sheet.stats, sheet.tracks)


# -- into the ledger -------------------------------------------------------------------------------


def _read_fight(ctx: Context, words: Words) -> OtherLog:
    """Read `from ENCOUNTER`. Raises Refused for none, naming those there are."""
    fights = ctx.elsewhere.fights()
    if not fights:
        raise Refused("there is nothing to carry: only the fights of a campaign have a ledger")
    if not words.take("from"):
        raise words.refuse("expected `from` and the encounter whose end is carried", ["from"])
    said = str(words.next("an encounter of the campaign", fights))
    fight = ctx.elsewhere.read(said)
    if fight is None:
        words.back()
        near = did_you_mean(said, fights) or f": there are {listed(fights)}"
        raise words.refuse(f"the campaign has no encounter {said!r}{near}", fights)
    return fight


def _into_ledger(ctx: Context, fight: OtherLog) -> None:
    """Take in what a fight's end has left the party with; of one that was carried before, what has
    changed there since."""
    if fight.state.phase != "ended":
        raise Refused(f"{fight.title} is not over: `end` closes it, and carries what it leaves")
    refuse_other_rules(ctx.state, fight)
    sheets = sheets_of_party(ctx)
    there = with_those_gone(fight.history, sheets)
    people = [who for who in there.combatants if who.id in sheets]
    if not people:
        raise Refused(f"nobody of the campaign's party.toml was in {fight.title}")
    then = carried_before(ctx.previous, fight.carried, ctx.state)
    ctx.emit(fight.carried)
    for who in people:
        if ctx.state.find(who.id) is None:
            ctx.emit(_joining(ctx, sheets[who.id]))
    ctx.emit(*_what_differs(ctx, fight, there, then, sheets))
    if then is not None and len(ctx.events) == 1:
        raise Refused(f"nothing differs: {THE_LEDGER} has what {fight.title} has left")
    ctx.emit(*_written_anew(ctx, sheets))
    if then is None:
        ctx.emit(*_strangers(there, sheets))
    again = "" if then is None else " anew"
    ctx.text = f"{they(people, f'comes{again}', f'come{again}')} from {fight.title}"


def _strangers(there: Encounter, sheets: Mapping[str, Combatant]) -> Iterator[Noted]:
    """That whoever joined at the table, and is in no file, is not carried."""
    for who in there.combatants:
        if (who.kind, who.side) == ("pc", "party") and who.id not in sheets:
            yield Noted(
                f"{who.name} is not in party.toml, and stays behind: `keep {who.id}` in "
                f"{there.title} has them come along"
            )


def _what_differs(
    ctx: Context,
    fight: OtherLog,
    there: Encounter,
    then: Encounter | None,
    sheets: Mapping[str, Combatant],
) -> list[AnyEvent]:
    """What is otherwise than it was when it was carried last, or than it is.

    Since then there may have been rests: what differs is added to what there is, within its bounds.
    """
    base = ctx.state if then is None else with_all(then, ctx.state)
    wanted = as_left(ctx.ruleset, base, sheets, fight, there, _played(ctx, sheets))
    events = (
        bounded(ctx.tables, ctx.state, by_as_much(base, ctx.state, event))
        for event in changes(base, wanted, f"from {fight.title}")
    )
    return [event for event in events if not _is_so(ctx.state, event)]


def _is_so(state: Encounter, event: AnyEvent) -> bool:
    """Whether a number is what it becomes, a track has no room for its change, an effect that ends
    is not there any more, or one that begins is there already."""
    if isinstance(event, Changed):
        return not event.by and event.max is None
    if isinstance(event, Adjusted):
        return bool(state[event.who].stats.get(event.stat) == event.value)
    if not isinstance(event, Lost | Gained):
        return False
    effect = event.effect if isinstance(event, Lost) else event.effect.id
    return (state[event.who].effect(effect) is None) == isinstance(event, Lost)


def _joining(ctx: Context, who: Combatant) -> Added:
    number = number_for(ctx.tables, ctx.state, who.id)
    return Added(who.id, who.name, who.side, who.kind, who.stats, who.tracks, number=number)


CARRY_VERBS = (
    Verb(
        "carry",
        "carry [from ENCOUNTER]",
        "brings the party to where the ledger has it, or a fight's end into the ledger",
        _carry,
    ),
)
