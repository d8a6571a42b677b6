"""Bending a check that was just made: its command is decided anew, with another outcome.

The dice that the program rolled for it fall as they did before. What comes out differently is
emitted. Several threads may bend one check: each looks back past those before it, and what they
have cost counts as if it had been paid first, so that a critical can give one of them back. Seed
004: Threads of Fate.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context, Decision, verb_of
from affray.core.heart.events import AnyEvent, Noted, Rolled, Spent
from affray.core.heart.evolve import evolve_all
from affray.core.heart.history import Previous
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.rulekit.anew import become, decided, rolled_beside
from affray.rulesets.monsters_and_magic import checks

BENDING = ("thread", "gm-thread")
"""The commands that bend a check in place of making one."""
ASIDE = ("set", "note")
"""What is entered by the way: a check that stands behind it is still the one just made."""
REROLL = "reroll"
"""What the GM's thread is spent for that rolls a check again."""


class MadeCheck(Struct, frozen=True):
    """The check that was just made, and what has become of it since.

    origin  the entry that made it
    roll    the roll as it was made
    now     the roll as it stands, after threads that have bent it
    rolls   the other dice that the program rolled for it
    paid    the threads that characters have spent on it before
    """

    origin: Previous
    roll: Rolled
    now: Rolled
    rolls: tuple[Rolled, ...] = ()
    paid: tuple[Spent, ...] = ()

    @property
    def who(self) -> str:
        """Whose check it is."""
        return self.roll.who

    @property
    def dc(self) -> int | None:
        """What it was rolled against."""
        return self.roll.dc

    @property
    def total(self) -> int | None:
        """What it comes to; None when only its outcome was said."""
        return self.now.total

    @property
    def bonus(self) -> int:
        """What was added to the die."""
        return (self.now.total or 0) - (self.now.natural or 0)


def check_just_made(ctx: Context, who: str = "") -> MadeCheck | None:
    """The check of the last entry, past those of threads that have bent it and what was entered by
    the way; None for none.

    Of several that were made at once it is the last that was made by `who` or against them.
    """
    return _as_made(ctx.previous, ctx.ruleset, who)


def _as_made(here: Previous | None, ruleset: Ruleset, who: str = "") -> MadeCheck | None:
    bent = None
    rolls: tuple[Rolled, ...] = ()
    paid: tuple[Spent, ...] = ()
    while here is not None:
        events = here.entry.events
        rolls = (*rolled_beside(events), *rolls)
        verb = verb_of(here.entry, ruleset)
        if verb not in (*BENDING, *ASIDE):
            made = _last_check(events, who)
            if made is None:
                return None
            of_this = len(_checks(events)) == 1 or (bent and _parties(bent) == _parties(made))
            return MadeCheck(here, made, bent if bent and of_this else made, rolls, paid)
        if verb in BENDING:
            bent = bent or _last_check(events)
            paid = (*paid, *_threads_spent(events))
        here = here.earlier()
    return None


def _last_check(events: tuple[AnyEvent, ...], who: str = "") -> Rolled | None:
    """The last check; of several the last that concerns `who`, if one does."""
    made = _checks(events)
    return next(reversed([c for c in made if who in _parties(c)] or made), None)


def _parties(check: Rolled) -> tuple[str, str]:
    return check.who, check.against


def _checks(events: tuple[AnyEvent, ...]) -> list[Rolled]:
    return [e for e in events if isinstance(e, Rolled) and e.outcome]


def just_rerolled(ctx: Context) -> tuple[Rolled, Rolled] | None:
    """The two results of which the GM chooses one: as it stood before the reroll, and the new one.

    None when no reroll came last, but for the choice between the two.
    """
    here = ctx.previous
    while here is not None and verb_of(here.entry, ctx.ruleset) in ("gm-thread", *ASIDE):
        spent = {e.for_ for e in here.entry.events if isinstance(e, Spent)}
        earlier = here.earlier()
        if spent:
            new = _checks(here.entry.events)[:1] if REROLL in spent else []
            old = _as_made(earlier, ctx.ruleset)
            return (old.now, new[0]) if new and old is not None else None
        here = earlier
    return None


def _threads_spent(events: Iterable[AnyEvent]) -> tuple[Spent, ...]:
    return tuple(e for e in events if isinstance(e, Spent) and e.who and e.track == "threads")


def bend(ctx: Context, made: MadeCheck, amount: int, why: str) -> None:
    """Add to the check's total, and let its command come out as that says."""
    die = made.now.natural or 0
    new = _result(made, (die,), die, made.bonus + amount)
    stand(ctx, made, replace(new, why=why))


def rerolled(made: MadeCheck, faces: tuple[int, ...], by_hand: bool) -> Rolled:
    """The check with other dice: two count as its advantage or disadvantage has it."""
    natural = min(faces) if made.roll.lean < 0 else max(faces)
    return replace(_result(made, faces, natural, made.bonus), why="rerolled", by_hand=by_hand)


def _result(made: MadeCheck, faces: tuple[int, ...], natural: int, bonus: int) -> Rolled:
    roll, total = made.roll, natural + bonus
    outcome = checks.outcome_of(total, natural, roll.dc, roll.step)
    return replace(roll, faces=faces, total=total, natural=natural, outcome=outcome, by_hand=False)


def stand(ctx: Context, made: MadeCheck, result: Rolled) -> None:
    """Let a result stand for the check, and its command come out as that says."""
    ctx.emit(result)
    told = result.outcome if result.total is None else f"{result.total}, {result.outcome}"
    ctx.text += f": {told}"
    amend(ctx, made, result.outcome)


def amend(ctx: Context, made: MadeCheck, outcome: str) -> None:
    """Decide the check's command again with another outcome, and emit what comes out differently.

    What the thread itself has cost stays. XP and threads that the first outcome brought are taken
    along: the check counts as it ends.
    """
    if outcome == made.now.outcome:
        return
    try:
        was = _as_it_stands(ctx, made)
        new = _decided(ctx, made, outcome)
        if new.state.taking_turn() != was.taking_turn():
            raise Refused("it would be another's turn now")
    except Refused:
        ctx.emit(Noted(f"the outcome is now {outcome}: what follows from it is set at the table"))
        return
    fresh = rolled_beside(new.events)[len(made.rolls) :]
    ctx.emit(*fresh)
    become(ctx, was, new.state, f"now {outcome}")


def _as_it_stands(ctx: Context, made: MadeCheck) -> Encounter:
    """What the check's command has come to so far."""
    if made.now is made.roll:
        return evolve_all(_paid_first(ctx, made), made.origin.entry.events)
    return _decided(ctx, made, made.now.outcome).state


def _decided(ctx: Context, made: MadeCheck, outcome: str) -> Decision:
    return decided(ctx, made.origin, outcome, _paid_first(ctx, made), made.rolls)


def _paid_first(ctx: Context, made: MadeCheck) -> Encounter:
    """The fight before the check, less the threads that it has cost since."""
    return evolve_all(made.origin.before, (*made.paid, *_threads_spent(ctx.events)))
