"""Reminders: lines that tell the GM about a stat block at the moment that they are for.

They come from a sheet, `when start "Heals unless burned"`, or from the text of a power or of the
bestiary: "heals 10 at the start of its turn", "if it fails a saving throw". A game's tables list
its own words for moments (`moments`), and what it announces itself without a reminder: by the words
of rules (`played`), or by a field of a power's row (`own_reminders`). `decide` calls `tell` after
each command; each reminder begins with `REMEMBER`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from affray.core.engine import events as e
from affray.core.engine.state import MOST_KEPT, Combatant, Encounter
from affray.core.late_pattern import late_pattern
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables

REMEMBER = "remember "
"""How the line of a reminder begins."""
HALF = "half"
"""The moment of half the HP; also the name of its use in a fight."""
MOMENTS = {
    "start": "its turn starts",
    "end": "its turn ends",
    "round": "a round begins",
    HALF: "its HP fall to half for the first time in a fight",
    "failed-save": "it fails a saving throw",
    "zero": "it falls to 0 HP",
    "near-start": "another creature's turn starts nearby",
    "near-end": "another creature's turn ends nearby",
}
"""The moments in rows, besides a count of initiative."""
_WITH_TEXTS = ("powers", "abilities")
"""The stats with rows of actions that have texts."""

Called = tuple[tuple[str, tuple[str, ...]], ...]
"""Moments, each with a game's words for it."""


class Moment(NamedTuple):
    """A moment at which a text of a stat block applies.

    at     a key of `MOMENTS`, or a count of the initiative
    text   the sentence to be remembered
    whose  for a moment of another's turn, three letters of whose: `ene`my, `all`y, `cre`ature
    """

    at: str
    text: str
    whose: str = ""


# -- what texts speak of ---------------------------------------------------------------------------

_TURN = r"(?:each of )?(?:its|their|his|her|\w+(?: \w+){0,3}(?:'s|’s)) turns?\b"
_ANOTHER = late_pattern(r"\b(creature|enem|all[yi]|target|foe)\w*\b", re.IGNORECASE)
_SPEAKS = (
    ("start", rf"(?<!until )(?:at|on|at the|on the) start of {_TURN}"
              rf"|\b(?:start|begin|beginn)(?:s|ing)? {_TURN}"),
    ("end", rf"(?<!until )at the end of {_TURN}|\bends? {_TURN}"),
    ("round", r"at the start of (?:each|every) round"),
    (HALF, r"\breduced to half (?:of )?its"),
    ("failed-save", r"\bfails? a sav(?:e|ing throw)"),
    ("zero", r"\b(?:reduced|drops?|falls?|brought) to 0 (?:hp|hit)"
             r"|\bwhen (?:the |it )[\w’' -]*\bdies\b"),
)  # fmt: skip
_CALLED = r"\bfirst (?:{word})\b|(?:is|becomes?) (?:{word}):"
"""How texts speak of a moment that a game has a word for: "when first WORD", "is WORD:"."""
_COUNT = late_pattern(r"\binitiative count (?:of )?(\d+)", re.IGNORECASE)
_NEAR = {"start": "near-start", "end": "near-end"}
_SENTENCES = late_pattern(r"(?<=[.!?])\s+|\n+|;\s+")
_LONGEST = 2_000
_ENOUGH_OF_A_TEXT = 40
"""The letters that tell a text from others of its creature."""
_MOST_TEXTS = 4_096
"""The size of caches by text: a crowd of many kinds has a dozen each."""


@lru_cache(maxsize=_MOST_TEXTS)  # the texts of a stat block stay as they are
def find_moments(name: str, text: str, called: Called = ()) -> tuple[Moment, ...]:
    """Return the moments that a text speaks of; `called` are the game's own words for moments."""
    found: dict[tuple[str, str], Moment] = {}
    for sentence in _SENTENCES.split(text[:_LONGEST]):
        spoken = sentence.strip()
        if count := _COUNT.search(spoken):
            found.setdefault((count[1], ""), Moment(count[1], _put(name, spoken)))
        for at, pattern in _patterns(called):
            if hit := pattern.search(spoken):
                other = _ANOTHER.search(spoken[: hit.start()])
                if other and at not in _NEAR:
                    continue  # whose staggering, or save, of others
                whose = other[1].casefold()[:3] if other else ""
                at = _NEAR[at] if other else at
                found.setdefault((at, spoken), Moment(at, _put(name, spoken), whose))
    return tuple(found.values())


@lru_cache(maxsize=8)  # a few games
def _patterns(called: Called) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns by which texts mention moments: those of all games, and this game's own."""
    own = [(at, _CALLED.format(word="|".join(map(re.escape, words)))) for at, words in called]
    return tuple((at, re.compile(spoken, re.IGNORECASE)) for at, spoken in (*_SPEAKS, *own))


def _put(name: str, text: str) -> str:
    """The sentence after the name of the power it belongs to, unless it begins with that."""
    return text if not name or text.casefold().startswith(name.casefold()) else f"{name}: {text}"


@lru_cache(maxsize=MOST_KEPT)  # asked for everybody at the start and end of each turn
def moments_of(tables: Tables, combatant: Combatant) -> Sequence[Moment]:
    """Return a combatant's moments: of its sheet, then of the bestiary's text and its powers."""
    called = tuple(tables.moments.items())
    ids = {word: at for at, words in called for word in words}
    found = [
        _moment_of_row(ids.get(at := str(each.get("at", "")), at), str(each.get("text", "")))
        for each in _tables(combatant, "when")
    ]
    played = [
        word
        for stat, word in tables.played.items()
        if combatant.stats.get(stat) or stat in combatant.tracks
    ]
    spoken = [find_moments("", combatant.text, called)]
    for each in (row for stat in _WITH_TEXTS for row in _tables(combatant, stat)):
        parts = (part for key in ("trigger", "text") if isinstance(part := each.get(key), str))
        by_field = tables.own_reminders.items()
        apart = [at for key, ats in by_field for at in ats.get(str(each.get(key)), ())]
        said_by = _spoken_by(str(each.get("name", "")), tuple(parts), called)
        spoken.append(tuple(moment for moment in said_by if moment.at not in apart))
    for moment in chain.from_iterable(spoken):
        if not any(word in moment.text.casefold() for word in played):
            found.append(moment)
    return found


@lru_cache(maxsize=_MOST_TEXTS)  # whoever is hit is another value, with the texts of before
def _spoken_by(name: str, words: tuple[str, ...], called: Called) -> tuple[Moment, ...]:
    """The moments that the parts of a row mention."""
    return find_moments(name, " ".join(f"{part.rstrip('.')}." for part in words), called)


def _moment_of_row(at: str, text: str) -> Moment:
    """A row's moment; that of others' turns is that of its enemies."""
    return Moment(at, text, "ene" if at in _NEAR.values() else "")


def _tables(combatant: Combatant, stat: str) -> list[dict[str, object]]:
    value = combatant.stats.get(stat, ())
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


# -- when they come --------------------------------------------------------------------------------


def tell(ctx: Context) -> None:
    """Emit a note for each moment that a command brings, on the owner of the text."""
    before, after = ctx.before, ctx.state
    if not after.in_combat:
        return
    come = [each for event in ctx.events for each in _due_moments(ctx.tables, before, after, event)]
    come += _counts(ctx.tables, before, after) if _turn_began(ctx.events) else []
    others = dict.fromkeys(row for row in come if row[1].at in _NEAR.values())
    come = [row for row in come if row not in others or not _is_known(after[row[0]], row[1])]
    whose_by_text: dict[str, dict[str, None]] = {}
    for combatant_id, moment in come:
        whose_by_text.setdefault(moment.text, {})[combatant_id] = None
    for text, whose in whose_by_text.items():
        ctx.emit(*(e.NoteAdded(f"{REMEMBER}{text}", who, aside=True) for who in whose))
    for combatant_id, moment in others:
        if not _is_known(after[combatant_id], moment):
            ctx.emit(e.UseCounted(combatant_id, _known_as(moment), "fight"))
    for halved in dict.fromkeys(combatant_id for combatant_id, moment in come if moment.at == HALF):
        if after[halved].used(HALF, "fight") == before[halved].used(HALF, "fight"):
            ctx.emit(e.UseCounted(halved, HALF, "fight"))


def _is_known(combatant: Combatant, moment: Moment) -> bool:
    """True if the GM was already told in this fight what somebody does in others' turns."""
    return bool(combatant.used(_known_as(moment), "fight"))


def _known_as(moment: Moment) -> str:
    """The name of the use that counts a told moment."""
    return f"{moment.at} {moment.text[:_ENOUGH_OF_A_TEXT]}"


def is_reminder(event: e.AnyEvent) -> bool:
    """True if an event is the note of a reminder."""
    if not isinstance(event, e.NoteAdded) or not event.text.startswith(REMEMBER):
        return False
    return event.aside or not event.who


def _turn_began(events: Iterable[e.AnyEvent]) -> bool:
    return any(isinstance(event, e.TurnStarted) and not event.resumed for event in events)


def _due_moments(
    tables: Tables, before: Encounter, after: Encounter, event: e.AnyEvent
) -> Iterator[tuple[str, Moment]]:
    """Yield the moments that come with an event of a fight, each with an id."""
    if isinstance(event, e.TurnStarted) and not event.resumed:
        yield from _at_turn(tables, after, event.who, "start")
    elif isinstance(event, e.TurnEnded) and not event.passed:
        yield from _at_turn(tables, after, event.who, "end")
    elif isinstance(event, e.RoundStarted):
        for combatant in _standing(after):
            yield from _own(tables, combatant, "round")
    elif isinstance(event, e.TrackChanged) and event.track == tables.health:
        yield from _hurt(tables, before, after, event.who)
    elif isinstance(event, e.Rolled) and _is_failed_save(tables, event):
        saver = after.find(event.who)
        if saver is not None and not saver.is_out:
            yield from _own(tables, saver, "failed-save")
    elif isinstance(event, e.LifeChanged) and event.life not in ("up", "stable"):
        was, downed = before.find(event.who), after.find(event.who)
        if downed is not None and was is not None and was.life == "up":
            yield from _own(tables, downed, "zero")


def _is_failed_save(tables: Tables, event: e.Rolled) -> bool:
    """True for a failed saving throw, but for one against death."""
    row = tables.outcomes.get(event.outcome)
    failed = row is not None and not row.hits
    return failed and event.is_save and "death" not in event.for_.casefold()


def _at_turn(
    tables: Tables, state: Encounter, whose: str, edge: str
) -> Iterator[tuple[str, Moment]]:
    actor = state.find(whose)
    if actor is None:
        return
    for combatant in _standing(state):
        moments = moments_of(tables, combatant)
        if not moments:
            continue
        if combatant.id == whose:
            yield from _at(combatant, moments, edge)
        elif not actor.is_out:
            near = _at(combatant, moments, _NEAR[edge])
            yield from (row for row in near if _is_meant(row[1], combatant, actor))


def _is_meant(moment: Moment, combatant: Combatant, actor: Combatant) -> bool:
    """True if the moment is for turns of such an actor: an enemy, an ally, or any creature."""
    if moment.whose == "all":
        return combatant.side == actor.side
    return moment.whose in ("cre", "tar") or combatant.side != actor.side


def _hurt(
    tables: Tables, before: Encounter, after: Encounter, combatant_id: str
) -> Iterator[tuple[str, Moment]]:
    """Yield the moments of half the HP, if this command brought them there for the first time."""
    was, now = before.find(combatant_id), after.find(combatant_id)
    if was is None or now is None or now.is_out:
        return
    left, had = tables.health_of(now), tables.health_of(was)
    if left is None or had is None or not left.max or was.used(HALF, "fight"):
        return
    if 2 * left.value <= left.max < 2 * had.value:
        yield from _own(tables, now, HALF)


def _counts(tables: Tables, before: Encounter, after: Encounter) -> Iterator[tuple[str, Moment]]:
    """Yield the moments whose initiative count was passed, after those who tie with it."""
    old = before.slot(before.turn) if before.turn else None
    new = after.slot(after.turn) if after.turn else None
    if new is None or new.initiative is None:
        return
    high = old.initiative if old is not None and old.initiative is not None else None
    goes_on = high is not None and before.round == after.round
    for combatant in _standing(after):
        for moment in moments_of(tables, combatant):
            if not moment.at.isdecimal():
                continue
            count = int(moment.at)
            is_above, is_below = count > new.initiative, high is not None and count <= high
            if (is_above and is_below) if goes_on else (is_above or is_below):
                yield combatant.id, moment


def _own(tables: Tables, combatant: Combatant, at: str) -> Iterator[tuple[str, Moment]]:
    return _at(combatant, moments_of(tables, combatant), at)


def _at(combatant: Combatant, moments: Sequence[Moment], at: str) -> Iterator[tuple[str, Moment]]:
    return ((combatant.id, moment) for moment in moments if moment.at == at)


def _standing(state: Encounter) -> Iterator[Combatant]:
    return (combatant for combatant in state.combatants if combatant.life == "up")
