"""What came to whom in one entry, and by whom: rolls, damage, healing, conditions, who fell.

Damage is what is lost of a track whose row says `recap = "damage"`, and of one that says "cushion".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.heart import events as e
from affray.core.heart.effects import called
from affray.core.heart.history import Entry
from affray.core.heart.state import Encounter
from affray.core.rules.tables import Tables
from affray.core.telling.recap.facts import Outcome


def outcomes_of(entry: Entry, before: Encounter, tables: Tables) -> tuple[Outcome, ...]:
    """All of it, the damage to each in one sum, by kinds: rolls first, who fell last but one."""
    harm = sorted(_harm(entry, before, tables), key=lambda outcome: outcome.kind)
    return (
        *_rolls(entry, tables),
        *harm,
        *_effects(entry, tables),
        *_lives(entry, before, tables),
        *_clocks(entry),
    )


def _rolls(entry: Entry, tables: Tables) -> Iterator[Outcome]:
    """How the rolls of whoever acted against others came out."""
    for event in entry.events:
        if isinstance(event, e.Rolled) and event.against and event.who == entry.by:
            row = tables.outcomes.get(event.outcome)
            if row is not None:
                yield Outcome("roll", event.against, entry.by, word=row.label or event.outcome)


def _harm(entry: Entry, before: Encounter, tables: Tables) -> Iterator[Outcome]:
    sums: dict[str, int] = {}
    by: dict[str, str] = {}
    rolled = _rolled_against(entry)
    at_edge = False  # what comes with a turn's edge comes from nobody's hand
    eased: set[str] = set()  # who has lost an effect, with which a cushion may go by itself
    for event in () if _is_set_by_hand(entry) else entry.events:
        at_edge = at_edge or isinstance(event, e.TurnStarted | e.TurnEnded)
        if isinstance(event, e.Lost):
            eased.add(event.who)
        elif isinstance(event, e.Changed) and _hurts_or_heals(event, tables, eased - set(rolled)):
            sums[event.who] = sums.get(event.who, 0) - event.by
            by.setdefault(event.who, "" if at_edge else _whose(event.who, entry, before, tables))
    for who, lost in sums.items():
        # What an attack takes less of than was told before, as when it is rolled again, is no cure.
        if lost > 0 or (lost < 0 and who in rolled):
            yield Outcome("damage", who, by[who], lost)
        elif lost < 0:
            yield Outcome("healing", who, entry.by, -lost)


def _hurts_or_heals(event: e.Changed, tables: Tables, eased: set[str]) -> bool:
    """Whether it is damage or healing; a cushion that is given, or that goes by itself, is not."""
    row = tables.tracks.get(event.track)
    if row is None or not event.who or event.routine:
        return False
    if row.recap == "cushion":
        return event.by < 0 and event.who not in eased
    return row.recap == "damage" and event.by != 0


def _is_set_by_hand(entry: Entry) -> bool:
    """Whether the GM has put a number right, which is nobody's deed."""
    return entry.command.split()[:1] == ["set"]


def _whose(target: str, entry: Entry, before: Encounter, tables: Tables) -> str:
    """Who did it: who rolled for it, else who acted. Nobody's where that is unknown, or one's own.

    In a game that has no techniques of its own, `damage ghoul 8` is how one attacks: there it is of
    whoever of the other side is up.
    """
    by = _rolled_against(entry).get(target) or entry.by
    if not by and not tables.techniques:
        up, hit = before.up, before.find(target)
        by = up.id if up is not None and hit is not None and up.side != hit.side else ""
    return "" if by == target else by


def _rolled_against(entry: Entry) -> Mapping[str, str]:
    """Who rolled against whom: the one that was rolled against -> who rolled, the last of them."""
    rolls = (event for event in entry.events if isinstance(event, e.Rolled) and event.against)
    return {roll.against: roll.who for roll in rolls if roll.who != roll.against}


def _lives(entry: Entry, before: Encounter, tables: Tables) -> Iterator[Outcome]:
    """Who fell, rose or died: from the life before the entry to the one behind it."""
    lives = {event.who: event.life for event in entry.events if isinstance(event, e.Became)}
    for who, life in lives.items():
        old = before.find(who)
        if old is not None and old.life != life:
            yield Outcome("life", who, _whose(who, entry, before, tables), life=life)


def _effects(entry: Entry, tables: Tables) -> Iterator[Outcome]:
    """Effects that have a row and last long enough to be seen among the timers."""
    for event in entry.events:
        if isinstance(event, e.Gained) and event.effect.name in tables.effects:
            effect = event.effect
            if tables.look(effect.name, effect.kind).timed:
                word = called(tables, effect.name)
                yield Outcome("effect", event.who, effect.source, word=word)


def _clocks(entry: Entry) -> Iterator[Outcome]:
    """Clocks that have run out, and races that are won or lost."""
    for event in entry.events:
        clock = event.clock if isinstance(event, e.Counted) else None
        if clock is not None and (clock.has_run_out or clock.verdict):
            yield Outcome("clock", "", word=clock.name)
