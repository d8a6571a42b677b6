"""What happened, in words: a deed in one line, a turning point in one, time as people say it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affray.core.language.refusal import signed
from affray.core.telling.event_words import LIVES
from affray.core.telling.plain import one_line
from affray.core.telling.recap.facts import Amount, Deed, Outcome, Recap


def duration(seconds: int) -> str:
    """`1 h 5 min`, `2 min 5 s`, `45 s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{rest} s"


def often(amounts: tuple[Amount, ...]) -> str:
    """`Strike 3, Move, Aid`."""
    told = (f"{each.name} {each.amount}" if each.amount > 1 else each.name for each in amounts)
    return one_line(", ".join(told))


def much(amounts: tuple[Amount, ...]) -> str:
    """`Threads 1, Fatigue 2`."""
    return one_line(", ".join(f"{each.name} {each.amount}" for each in amounts))


def deed_in_words(deed: Deed, name: Callable[[str], str], health: str) -> str:
    """What was done, and what it came to; without the log's words, who did what.

    `name` gives what somebody of an id is called, `health` what damage goes to.
    """
    done = deed.title
    if not done and deed.by:
        done = f"{name(deed.by)}: {deed.what}"
    told = (
        outcome_in_words(outcome, name, health)
        for outcome in deed.outcomes
        if not (deed.title and outcome.kind in _IN_TITLES)
    )
    return one_line(" · ".join(filter(None, (done, *(p for p in told if p not in done)))))


_IN_TITLES = ("roll", "effect")
"""What the log's words say themselves."""


def outcome_in_words(outcome: Outcome, name: Callable[[str], str], health: str) -> str:
    """`Pell −11 HP`, `Pell is dying`, `Pell: prone`; `Ghoul is hurt` of an amount unknown."""
    who = name(outcome.who)
    if outcome.kind == "life":
        return f"{who} {LIVES[outcome.life]}"
    if outcome.kind == "roll":
        return f"at {who}: {outcome.word}"
    if outcome.kind == "effect":
        return f"{who}: {outcome.word}"
    if outcome.kind == "clock":
        return f"{outcome.word} is over"
    healed = outcome.kind == "healing"
    if outcome.amount is None:
        return f"{who} is {'healed' if healed else 'hurt'}"
    return f"{who} {signed(outcome.amount if healed else -outcome.amount)} {health}"


def turning_points(recap: Recap) -> list[str]:
    """The largest blow, the round in which it swung, and who fell, rose and died, in order."""
    return [one_line(line) for line in (*_blow(recap), *_swing(recap), *_lives(recap))]


def _blow(recap: Recap) -> Iterator[str]:
    blow = recap.blow
    if blow is not None:
        by = f"{recap.name(blow.by)} on " if blow.by else "on "
        amount = "" if blow.amount is None else f", {blow.amount} {recap.health}"
        yield f"The largest blow: {by}{recap.name(blow.who)}{amount} ({blow.heading.lower()})"


def _swing(recap: Recap) -> Iterator[str]:
    swing = recap.swing
    if swing is None:
        return
    who = "the party" if swing.gained == "party" else "their foes"
    if swing.before is None or swing.after is None:
        yield f"{swing.heading} swung it for {who}"
        return
    (party, foes), (party_now, foes_now) = swing.before, swing.after
    yield (
        f"{swing.heading} swung it for {who}: the party from {party}% to {party_now}% of its "
        f"{recap.health}, the foes from {foes}% to {foes_now}%"
    )


def _lives(recap: Recap) -> Iterator[str]:
    for chapter in recap.chapters:
        for deed in chapter.deeds if chapter.round else ():
            for outcome in deed.outcomes:
                if outcome.kind == "life":
                    fell = outcome.by and outcome.life not in ("up", "stable")
                    by = f", by {recap.name(outcome.by)}" if fell else ""
                    told = outcome_in_words(outcome, recap.name, recap.health)
                    yield f"{chapter.heading}: {told}{by}"
