"""What happened last, as the players may read it: who did what, and what came of it.

As in their recap, but without how rolls came out: some are the GM's secret, and of the others those
at the table know.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from affray.core.heart.decide import verb_of
from affray.core.heart.history import History
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.public.known import has_told_numbers, is_known
from affray.core.telling.recap.facts import Deed
from affray.core.telling.recap.fold import deed_of
from affray.core.telling.recap.for_players import players_deeds
from affray.core.telling.recap.outcomes import outcomes_of
from affray.core.telling.recap.words import deed_in_words

MOST, ENTRIES = 5, 60
"""So many lines at most, of so many entries."""


def last_lines(
    history: History, ruleset: Ruleset, called: Mapping[str, str], last: int
) -> tuple[str, ...]:
    """The last lines up to entry `last`, the newest last; `called` are the names of those the
    players know of."""
    tables = ruleset.tables
    track = tables.tracks.get(tables.health)
    health = track.label if track is not None else ""
    known = [who for who in history.state.combatants if is_known(who)]
    told = {who.id for who in known if has_told_numbers(who.side)}
    seen = players_deeds(_deeds(history, ruleset, last), told, {who.id for who in known})
    lines = (deed_in_words(deed, lambda who: called.get(who, ""), health) for deed in seen)
    return tuple(filter(None, lines))[-MOST:]


def _deeds(history: History, ruleset: Ruleset, last: int) -> Iterator[Deed]:
    """What was done lately in the fight, that came to anything; techniques of the party as well."""
    end = bisect_right(history.path, last)
    for seq in history.path[max(end - ENTRIES, 0) : end]:
        entry, after, before = history.entries[seq], history.states[seq], history.before(seq)
        if before.phase != "combat":
            continue
        came = outcomes_of(entry, before, ruleset.tables)
        outcomes = tuple(outcome for outcome in came if outcome.kind != "roll")
        actor = after.find(entry.by)
        is_seen = verb_of(entry, ruleset) in ruleset.tables.techniques
        if outcomes or (is_seen and actor is not None and has_told_numbers(actor.side)):
            yield deed_of(entry, outcomes, before, after, ruleset)
