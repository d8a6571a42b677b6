"""Short answers for the ear: the result of an act, and questions such as who is prone.

An `Answer` has a short form, and a long one for `all`. A list of more than `FEW` starts with a
summary. `spoken_lines` has the same in full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from affray.core.engine import turns
from affray.core.engine.events import (
    Added,
    AnyEvent,
    Began,
    CostPaid,
    EffectChanged,
    EffectGained,
    EffectLost,
    LifeChanged,
    NoteAdded,
    Rolled,
    RoundStarted,
    TrackChanged,
    TurnStarted,
)
from affray.core.engine.history import OWED, Entry, History
from affray.core.engine.reminders import is_reminder
from affray.core.engine.state import Combatant, Encounter
from affray.core.engine.turn_order import (
    TurnOrderRow,
    group_label,
    turn_order_rows,
)
from affray.core.formatting.log_lines import (
    is_only_turns,
    is_stat_told,
    tell_aloud,
    without_turn,
)
from affray.core.formatting.media import (
    SPOKEN,
    TIMES,
    number_aloud,
    say,
    signed_aloud,
    without_hyphens,
    without_marks,
)
from affray.core.formatting.pieces import (
    Names,
    Piece,
    names_of,
    outcome_of,
    pieces_of,
    roll_aloud,
    told_once,
)
from affray.core.formatting.spoken_lines import (
    bearing,
    card_lines,
    comes_with_falling,
    edge_line,
    entry_lines,
    is_hurt,
    left_after,
    order_lines,
    sentence,
    standing,
    timer_lines,
)
from affray.core.parser.errors import join_or
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables

FEW = 4
"""The most items of a list read at once; a longer one begins with a summary."""
NEAREST = 3
"""The turns that the answer on the initiative names of a long order."""
MOST_ACTS = 6
"""The most attacks, spells and powers that a short card names."""
TELLS_ALL, TELLS_REST = "all tells each", "all tells the rest"


class Answer(NamedTuple):
    """An answer: the lines to read at once, and the whole text, if that is more."""

    lines: Sequence[str]
    whole: Sequence[str] = ()


def listed(rows: Sequence[str], summary: str) -> Answer:
    """Answer with a list as it is, or with its summary if it is longer than `FEW`."""
    if len(rows) <= FEW:
        return Answer([*rows])
    return Answer([sentence(f"{summary}; {TELLS_ALL}")], [*rows])


# -------------------------------------------------------------------------------------------------
# What an act came to


def entry_answer(
    entry: Entry,
    before: Encounter,
    after: Encounter,
    ruleset: Ruleset,
    again: Collection[str] = (),
    titled: bool = False,
) -> Answer:
    """Give the result of an entry: the outcome of its dice, its effects on everybody, and what its
    actor has left. The whole adds reasons, dice and ends.

    Args:
        again: Reminders to leave out, as already heard.
        titled: True to begin with the title, which the one who typed the command knows.
    """
    whole = entry_lines(entry, before, after, ruleset)
    if entry.to is not None:
        title = without_turn(without_turn(entry.title, before), after)
        return Answer([sentence(_counted_names(title, before))], whole)
    tables, spoken = ruleset.tables, ruleset.tables.spoken
    names = names_of(entry.events, before)
    it = tell_aloud(entry, before, tables)
    found = pieces_of(entry.events, before, tables.tracks, entry.by, spoken)
    pieces = [
        piece
        for piece in told_once([*_heard(found, before, after, tables)])
        if not is_stat_told(piece, entry.title, names)
    ]
    is_new_turn = _is_new_turn(before, after)
    if any(isinstance(event, Began) for event in entry.events):
        pieces = [piece for piece in pieces if not isinstance(piece.event, Rolled)]
    elif is_new_turn:
        pieces = [*_without_idle_dice(pieces)]
    called = _in_brief(names, after)
    results = _results(pieces, after, tables, called)
    typed = [p for p in pieces if isinstance(p.event, NoteAdded) and p.event.text in entry.command]
    further = _further([piece for piece in pieces if piece not in typed], called)
    is_told = is_new_turn and is_only_turns(entry.title, before, after)
    title = "" if is_told else _counted_names(without_turn(it.title, after), after)
    outcomes = [] if titled and title else _outcomes(pieces, entry.by, called, spoken)
    lines = [*_joined(outcomes, results, called), *further]
    if not lines:
        lines = _kept_account(pieces, title, names, spoken)
    if typed and not (lines or titled):  # `all` has the text that was just typed
        lines = ["noted"]
    left = left_after(entry, before, after, tables)
    has_joined = any(isinstance(event, Added) for event in entry.events)
    if title and (titled or has_joined or not (lines or left)):
        lines.insert(0, title)
    missed = turns.missed(ruleset, before, after)
    lines = [line for line in [*missed, *lines] if sentence(line) not in again]
    lines.append(left)
    return Answer([line for line in map(sentence, lines) if line], whole)


def _without_idle_dice(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a turn's start without dice from which nothing came, as those of a breath that
    isn't back; a save is told."""
    changed = {who for piece in pieces if not isinstance(piece.event, Rolled) for who in piece.who}
    for piece in pieces:
        roll = piece.event
        is_idle = isinstance(roll, Rolled) and not (
            roll.is_save or roll.by_hand or roll.who in changed or roll.for_ in TOLD_ALONE
        )
        if not is_idle:
            yield piece


def _in_brief(names: Names, state: Encounter) -> Names:
    """Names in brief, with `the party` for all of it, if there are more than two."""
    party = {each.id for each in state.combatants if each.side == "party" and not each.is_out}

    def called(who: tuple[str, ...]) -> str:
        if len(party) > 2 and party == {*who}:
            return "the party"
        return names_in_brief([names((one,)) for one in who])

    return called


def names_in_brief(names: Iterable[str]) -> str:
    """Names as people list them, one that differs from the last by a higher number by that alone:
    `Mira, Ghoul 1 and 2`."""
    called, last = list[str](), ("", 0)
    for name in names:
        base, _, word = name.rpartition(" ")
        number = int(word) if base and word.isdecimal() and word.isascii() and word[5:] == "" else 0
        called.append(word if number and base == last[0] and number > last[1] else name)
        last = base, number
    return join_or(called, "and")


def _is_new_turn(before: Encounter, after: Encounter) -> bool:
    return (after.round, after.turn) != (before.round, before.turn)


def _heard(
    pieces: Sequence[Piece], before: Encounter, after: Encounter, tables: Tables
) -> Iterator[Piece]:
    """The pieces without what goes without saying, or what another tells.

    That is an effect that ends as it begins, an owed save that is made, and all but the last life
    or size of a die; of somebody who falls or gets up, what comes with that, and the tracks of
    another life; and, of the one whose turn begins, what `turn_answer` says.
    """
    new_turn = after.taking_turn() if _is_new_turn(before, after) and not after.acting else ()
    events = [piece.event for piece in pieces]
    began = {(e.who, e.effect.name): e.effect.id for e in events if isinstance(e, EffectGained)}
    ended = {(e.who, e.effect) for e in events if isinstance(e, EffectLost)}
    lives = {e.who: e for e in events if isinstance(e, LifeChanged)}
    dice = {(e.who, e.track): e for e in events if isinstance(e, TrackChanged)}
    for piece in pieces:
        event, was = piece.event, before.find(getattr(piece.event, "who", ""))
        now = after.find(was.id) if was is not None else None
        if was is None or now is None:
            yield piece
            continue
        begins = now.id in new_turn
        falls = comes_with_falling(tables, was if now.life == "up" else now)
        if isinstance(event, EffectGained | EffectChanged):
            comes = event.effect.name in falls and now.id in lives
            if begins or comes or (now.id, event.effect.id) in ended:
                continue
            old = was.effect(event.effect.id)  # saved, and not yet over
            if old is not None and old.until.ends != event.effect.until.ends:
                piece = piece._replace(words=(*piece.words, piece.end))
        elif isinstance(event, EffectLost):
            effect = was.effect(event.effect)
            if effect is None or effect.kind == OWED or (now.id, effect.name) in began:
                continue
            if effect.name in falls and now.id in lives:
                continue
        elif isinstance(event, LifeChanged):
            if event is not lives[now.id] or (begins and event.life != "up"):
                continue
        elif isinstance(event, TrackChanged):
            rule = tables.track(event.track)
            if rule.when not in (None, now.life):
                continue
            if rule.shown == "die" and event is not dice[now.id, event.track]:
                continue
            is_said = now.life == "dead" or (begins and is_hurt(tables, now))
            if is_said and event.track == tables.health:
                piece = piece._replace(words=piece.words[:1])
        yield piece


def _counted_names(title: str, state: Encounter) -> str:
    """A title for the ear, with a list of people in brief, of more than `FEW` their number: `Goblin
    times 7 take 12`."""
    title = without_marks(title)
    called = [re.escape(each.name) for each in sorted(state.combatants, key=_length, reverse=True)]
    if len(called) < 2:
        return title
    one = f"(?:{'|'.join(called)})"

    def counted(found: re.Match[str]) -> str:
        names = re.findall(one, found[0])
        if len(names) <= FEW:
            return names_in_brief(names)
        bases = {name.rstrip("0123456789 ") for name in names}
        return f"{bases.pop()} {TIMES}{len(names)}" if len(bases) == 1 else f"{len(names)} of them"

    return re.sub(rf"{one}(?:, {one})* and {one}\b", counted, title)


def title_aloud(history: History, ruleset: Ruleset, seq: int) -> str:
    """The title of an entry for the ear, or in its place what it came to, if that says the same in
    words."""
    before = history.before(seq)
    it = tell_aloud(history.entries[seq], before, ruleset.tables)
    title = it.title or it.pieces[0].text(it.names, SPOKEN)
    return _counted_names(title, history.states[seq])


def _length(combatant: Combatant) -> int:
    return len(combatant.name)


class _Part(NamedTuple):
    """The outcome for one combatant, or of their dice; `who` is empty for nobody.

    is_sum  True if it begins with a number: `Ghoul 1 and 2, minus 4`
    at      the only ones at whom the dice were thrown
    bare    the text without their name
    """

    who: tuple[str, ...]
    text: str
    is_sum: bool = False
    at: tuple[str, ...] = ()
    bare: str = ""

    def in_words(self, names: Names) -> str:
        pause = "," if self.is_sum and self.who[1:] else ""
        return f"{names(self.who)}{pause} {self.text}" if self.who else self.text


def _joined(outcomes: list[_Part], results: list[_Part], names: Names) -> list[str]:
    """The outcome of dice with the first result: `strong: Ghoul 1 minus 4 HP, 5 left`, or, for the
    same combatant, `Mira saved, minus 4 HP`; then all further results."""
    if len(outcomes) != 1 or not results:
        return [part.in_words(names) for part in (*outcomes, *results)]
    (outcome,), (first, *others) = outcomes, results
    if outcome.at and outcome.at == first.who:  # their name comes next
        outcome = outcome._replace(text=outcome.bare)
    whole = f"{outcome.in_words(names)}: {first.in_words(names)}"
    if outcome.who == first.who:
        whole = f"{outcome.in_words(names)}, {first.text}"
    return [whole, *(part.in_words(names) for part in others)]


def reminders_of(entry: Entry, before: Encounter, after: Encounter, ruleset: Ruleset) -> set[str]:
    """The sentences of an entry that only remind: things missed in a turn, and things to come."""
    names = names_of(entry.events, before)
    notes = [_reminder(event, names) for event in entry.events if _is_reminder(event)]
    return {sentence(line) for line in (*notes, *turns.missed(ruleset, before, after))}


def _outcomes(
    pieces: Iterable[Piece], by: str, names: Names, spoken: Mapping[str, str]
) -> list[_Part]:
    """The results of dice: `strong`, `hit Ghoul 1, miss Ghoul 2`, `Ghoul 1 and Ghoul 2 saved`; of
    many dice their counts."""
    rolls = [p.event for p in pieces if isinstance(p.event, Rolled) and outcome_of(p.event)]
    own = [roll for roll in rolls if roll.who in ("", by)]
    others = [roll for roll in rolls if roll.who not in ("", by)]
    found = [_Part((), without_hyphens(outcome_of(own[0])))] if len(own) == 1 else []
    if len(own) > 1:
        aimed = _by_outcome((roll.against, without_hyphens(outcome_of(roll))) for roll in own)
        parts = [f"{what} {_called(who, names)}".rstrip() for what, who in aimed.items()]
        if len(own) > FEW:
            targets = dict.fromkeys(roll.against for roll in own)
            parts = [
                f"{_counted(roll for roll in own if roll.against == at)} against {names((at,))}"
                for at in targets
            ]
            if "" in targets or len(targets) > FEW:
                parts = [_counted(own)]
        at = tuple(dict.fromkeys(roll.against for roll in own if roll.against))
        bare = [f"{what} {_called(who, lambda _: '')}".rstrip() for what, who in aimed.items()]
        found = [_Part((), ", ".join(parts), at=at, bare=", ".join(bare))]
    whose = _by_outcome((roll.who, _outcome_of_another(roll, spoken)) for roll in others)
    if len(whose) == 1 and len(others) <= FEW:
        ((what, people),) = whose.items()
        return [*found, _Part(tuple(dict.fromkeys(people)), what)]
    parts = [f"{_called(who, names)} {what}" for what, who in whose.items()]
    if len(others) > FEW:
        parts = [f"{len(who)} {what}" for what, who in whose.items()]
    return [*found, _Part((), ", ".join(parts))] if parts else found


def _counted(rolls: Iterable[Rolled]) -> str:
    """The number of each outcome: `2 hit, 3 miss`."""
    counts = Counter(without_hyphens(outcome_of(roll)) for roll in rolls)
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def _outcome_of_another(roll: Rolled, spoken: Mapping[str, str]) -> str:
    """`saved`; for a roll that is no save with its name: `recharge failure`."""
    outcome = without_hyphens(outcome_of(roll))
    return outcome if roll.is_save else f"{roll_aloud(roll, spoken)} {outcome}".strip()


def _by_outcome(rolls: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    whose: dict[str, list[str]] = {}
    for who, what in rolls:
        whose.setdefault(what, []).append(who)
    return whose


def _called(people: list[str], names: Names) -> str:
    """Their names; the count where some have no name, or one comes more than once."""
    each = [*dict.fromkeys(filter(None, people))]
    if len(each) == len(people) <= FEW:
        return names(tuple(each))
    return f"{len(people)} times" if len(people) > 1 else ""


def _results(
    pieces: Iterable[Piece], after: Encounter, tables: Tables, names: Names
) -> list[_Part]:
    """The parts of an act by target, one part for all targets with the same result."""
    pieces = [piece for piece in pieces if not _is_account(piece, tables)]
    out = {p.who for p in pieces if isinstance(p.event, LifeChanged) and p.event.life != "up"}
    became: dict[tuple[str, ...], list[str]] = {}
    effects: dict[str, list[str]] = {}
    for piece in pieces:
        event = piece.event
        words = piece.words_for(SPOKEN)
        if isinstance(event, LifeChanged):
            became.setdefault(piece.who, []).append(words[0])
        elif isinstance(event, TrackChanged) and piece.who:
            counts = [word for word in words if piece.who not in out or word != NONE_LEFT]
            became.setdefault(piece.who, []).extend(counts)
        elif isinstance(event, EffectGained | EffectChanged | EffectLost):
            who = tuple(each for each in piece.who if _is_there(after, each))
            if not who:
                continue  # nothing more about the dead
            end = f" {say(piece.end, SPOKEN)}" if piece.times > 1 else ""
            effects.setdefault(f"{' '.join(words)}{end}", []).extend(who)
    for label, bearers in effects.items():
        became.setdefault(tuple(dict.fromkeys(bearers)), []).append(label)
    alike: dict[str, list[str]] = {}
    for whom, texts in became.items():
        alike.setdefault(", ".join(texts), []).extend(whom)
    everybody = dict.fromkeys(who for people in alike.values() for who in people)
    if len(everybody) > FEW:
        return [_Part((), _summary(pieces, tables, names))]
    moved = {p.who for p in pieces if isinstance(p.event, TrackChanged)}
    summed = {", ".join(texts) for whom, texts in became.items() if whom in moved}
    return [_Part(tuple(dict.fromkeys(who)), text, text in summed) for text, who in alike.items()]


TOLD_ALONE = ("", "initiative")
"""The purposes of dice that are told though nothing else comes of them."""
NONE_LEFT = "0 left"
"""The words for 0 HP, left out for somebody who has fallen."""
_WHOSE = (LifeChanged, TrackChanged, EffectGained, EffectChanged, EffectLost)
_UNTOLD = (Rolled, RoundStarted, CostPaid)


def _further(pieces: Iterable[Piece], names: Names) -> list[str]:
    """Notes, clocks, and all else that is no result of somebody's."""
    return [
        without_marks(
            (piece._replace(notes=()) if isinstance(piece.event, TrackChanged) else piece).text(
                names, SPOKEN
            )
        )
        for piece in pieces
        if not isinstance(piece.event, (*_WHOSE, *_UNTOLD))
        or (isinstance(piece.event, TrackChanged) and not piece.who)
    ]


def _is_there(state: Encounter, combatant_id: str) -> bool:
    combatant = state.find(combatant_id)
    return combatant is not None and not combatant.is_out


def _is_account(piece: Piece, tables: Tables) -> bool:
    """True for bookkeeping, such as XP, or the price of an act."""
    event = piece.event
    if not isinstance(event, TrackChanged):
        return False
    rule = tables.tracks.get(event.track)
    is_felt = rule is not None and (rule.recap in ("damage", "cushion") or rule.everybody)
    return not is_felt or (rule is not None and rule.spent)


def _kept_account(
    pieces: Iterable[Piece], title: str, names: Names, spoken: Mapping[str, str]
) -> list[str]:
    """The accounts of an act without another result, without reasons; of dice their total."""
    lines = []
    for piece in pieces:
        event = piece.event
        if isinstance(event, Rolled):
            whose = names((event.who,)) if event.who else ""
            if event.total is not None:
                lines.append(
                    f"{whose} {roll_aloud(event, spoken)} {number_aloud(event.total)}".strip()
                )
        elif isinstance(event, TrackChanged | CostPaid):
            words = ", ".join(piece.words_for(SPOKEN))
            lines.append(f"{piece.whom(names)} {words}")
    return lines[:FEW] if not title or len(lines) == 1 else []


def _summary(pieces: Iterable[Piece], tables: Tables, names: Names) -> str:
    """`8 hurt, 3 dead, 5 prone; all tells each`"""
    falls = tables.track(tables.health).counts == "left"
    hurt, healed = dict[str, None](), dict[str, None]()
    others: dict[str, dict[str, None]] = {}
    out: list[str] = []
    for piece in pieces:
        event, people = piece.event, dict.fromkeys(piece.who)
        if isinstance(event, TrackChanged) and event.track == tables.health:
            (hurt if (event.by < 0) == falls else healed).update(people if event.by else {})
        elif isinstance(event, LifeChanged | EffectGained | EffectChanged | EffectLost):
            label = " ".join(piece.words_for(SPOKEN))
            others.setdefault(label, {}).update(people)
            out += people if isinstance(event, LifeChanged) else ()
    hurt = {who: None for who in hurt if who not in out}
    counted = [f"{len(who)} {word}" for word, who in (("hurt", hurt), ("healed", healed)) if who]
    for label, who in others.items():
        few = len(who) == 1
        counted.append(f"{names(tuple(who))} {label}" if few else f"{len(who)} {label}")
    return f"{', '.join(counted[: FEW + 1])}; {TELLS_ALL}"


# -------------------------------------------------------------------------------------------------
# Whose turn it is


def turn_answer(ruleset: Ruleset, state: Encounter, before: Encounter | None) -> Answer:
    """Announce a new turn, then what matters for it, without anything unchanged from the state
    before."""
    lines = bearing(ruleset, state)
    head = edge_line(ruleset, state, before)
    members = len(state.taking_turn())
    whole = [head, *map(sentence, lines)]
    if members > FEW:
        hurt = _count_hurt(ruleset.tables, state.all_up())
        return Answer([head, sentence(f"{hurt} hurt; {TELLS_ALL}")], whole)
    if members == 1 and lines:
        return Answer([head, sentence("; ".join(lines))])
    return Answer(whole)


def _count_hurt(tables: Tables, people: Iterable[Combatant]) -> int:
    return sum(1 for each in people if not each.is_out and is_hurt(tables, each))


# -------------------------------------------------------------------------------------------------
# Questions


def how_are(ruleset: Ruleset, state: Encounter, people: Sequence[Combatant]) -> Answer:
    """Answer how somebody is: life or HP, what has changed, effects: `Mira, 17 of 22; prone.`"""
    rows = [sentence(standing(ruleset, state, each)) for each in people]
    hurt = _count_hurt(ruleset.tables, people)
    lives = Counter(each.life for each in people)
    counted = [f"{count} {life}" for life, count in lives.items()]
    return listed(rows, f"{', '.join(counted)}, {hurt} hurt")


def card_answer(ruleset: Ruleset, state: Encounter, who: Combatant) -> Answer:
    """Answer who somebody is: HP, AC and effects, then what they can do, by name. The whole is all
    of their sheet."""
    tables, actions = ruleset.tables, ruleset.actions
    name = tables.column_total
    value = ruleset.numbers.total(tables, state, who, name) if name else None
    numbers = (
        [tables.total(name).for_the_ear(value, signed_aloud)]
        if value and who.kind != "hazard"
        else []
    )
    own = [option.name for option in actions.own_options(tables, state, who)]
    acts = list(dict.fromkeys((*actions.weapons(who), *actions.spells(who), *own)))
    more = f" and {len(acts) - MOST_ACTS} more" if len(acts) > MOST_ACTS else ""
    can = f"{', '.join(acts[:MOST_ACTS])}{more}; " if acts else ""
    lines = [standing(ruleset, state, who, *numbers), f"{can}{TELLS_REST}"]
    return Answer([*map(sentence, lines)], card_lines(ruleset, state, who))


HURT, UNHURT, BLOODIED, HIDDEN = "hurt", "unhurt", "bloodied", "hidden"
LIVES = ("dying", "stable", "unconscious", "defeated", "dead")
STANDINGS = (HURT, UNHURT, BLOODIED, HIDDEN, *LIVES)
"""The words after `who is` besides conditions and other effects."""


def is_standing(tables: Tables, who: Combatant, word: str) -> bool:
    """True if one of `STANDINGS` is so of somebody."""
    if word == HIDDEN:
        return who.hidden
    health = tables.health_of(who)
    is_low = health is not None and health.max is not None and 2 * health.value <= health.max
    tests = {HURT: is_hurt(tables, who), UNHURT: not is_hurt(tables, who), BLOODIED: is_low}
    return tests[word] and not who.is_out if word in tests else who.life == word


def ends_answer(ruleset: Ruleset, state: Encounter) -> Answer:
    """Answer what ends when, the soonest first; of more than two only the first."""
    first, *more = rows = timer_lines(ruleset, state)
    if not more[1:]:
        return Answer(rows)
    return Answer([sentence(f"{first.rstrip('.')}; {len(more)} more, {TELLS_ALL}")], rows)


def units_in_order(state: Encounter) -> tuple[list[TurnOrderRow], int]:
    """The rows of the order in which somebody has a turn, and the place of the current one."""
    rows = [
        row
        for row in turn_order_rows(state)
        if not row.slot.passive and any(not each.is_out for each in row.members)
    ]
    return rows, next((n for n, row in enumerate(rows) if row.slot.who == state.turn), 0)


def initiative_answer(ruleset: Ruleset, state: Encounter) -> Answer:
    """Answer who goes when, beginning with the current turn, with the totals:
    `Mira 17; Ghoul 1 9.`"""
    rows, place = units_in_order(state)
    called = []
    for row in [*rows[place:], *rows[:place]]:
        total = turns.initiative_in_words(ruleset, row.slot.initiative, number_aloud, "none yet")
        label = group_label(row.group, row.members, TIMES) if row.group else row.members[0].name
        called.append(f"{label}{' delays' if row.slot.held else ''}, {total}")
    if not called:
        return Answer(["Nobody is here yet."])
    if len(called) <= FEW:
        return Answer([sentence("; ".join(called))])
    first = "; ".join(called[:NEAREST])
    return Answer(
        [sentence(f"{first}; {len(called) - NEAREST} more, {TELLS_ALL}")], [*map(sentence, called)]
    )


def order_answer(ruleset: Ruleset, state: Encounter) -> Answer:
    """Answer with the order, somebody a line with the number to type; of the dead their count."""
    people = list(state.in_order())
    rows = order_lines(ruleset, state)
    hurt = _count_hurt(ruleset.tables, people)
    lives = Counter(each.life for each in people if each.is_out)
    out = [f"{count} {life}" for life, count in lives.items()]
    more = [sentence(", ".join(out))] if out else []
    first = listed(rows, ", ".join([f"{len(rows)} in the fight", f"{hurt} hurt", *out]))
    return Answer(first.lines, [*rows, *more]) if first.whole else Answer([*rows, *more])


def waiting_reminders(history: History) -> list[str]:
    """List the reminders from stat blocks since the current turn began."""
    found: list[str] = []
    for seq in reversed(history.path):
        entry = history.entries[seq]
        names = names_of(entry.events, history.before(seq))
        found[:0] = [_reminder(e, names) for e in entry.events if _is_reminder(e)]
        if any(isinstance(event, TurnStarted) for event in entry.events):
            break
    return list(dict.fromkeys(map(sentence, found)))


def _is_reminder(event: AnyEvent) -> TypeGuard[NoteAdded]:
    return isinstance(event, NoteAdded) and (event.goes_on or is_reminder(event))


def _reminder(note: NoteAdded, names: Names) -> str:
    link, text = "" if note.goes_on else ":", without_marks(note.text)
    return f"{names((note.who,))}{link} {text}" if note.who else text
