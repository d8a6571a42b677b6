"""The check that was just made: found in the log, with what threads of fate have made of it since.

Seed 004: Threads of Fate.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from affray.core.heart.decide import verb_of
from affray.core.heart.events import AnyEvent, Rolled, Spent
from affray.core.heart.history import Previous, back_from
from affray.core.rules.ruleset import Ruleset
from affray.rulekit.rolls import rolled_beside

BENDING = ("thread", "gm-thread")
"""The commands that bend a check in place of making one."""
ASIDE = ("set", "note")
"""What is entered by the way: a check that stands behind it is still the one just made."""


class MadeCheck(Struct, frozen=True):
    """The check that was just made, and what has become of it since.

    origin  the entry that made it
    checks  all checks of that entry, as they were made
    stand   all of them as they stand, after threads that have bent some
    place   which of them it is
    beside  the other dice that the program rolled for them
    paid    the threads that characters have spent on them before
    """

    origin: Previous
    checks: tuple[Rolled, ...]
    stand: tuple[Rolled, ...]
    place: int
    beside: tuple[Rolled, ...]
    paid: tuple[Spent, ...]

    @property
    def roll(self) -> Rolled:
        """The roll as it was made."""
        return self.checks[self.place]

    @property
    def now(self) -> Rolled:
        """The roll as it stands."""
        return self.stand[self.place]


def just_made(last: Previous | None, ruleset: Ruleset, who: str = "") -> MadeCheck | None:
    """The check of an entry, past those of threads that have bent it and what was entered by the
    way; None for none.

    Of several that were made at once it is the last that was made by `who` or against them.
    """
    bends: tuple[Rolled, ...] = ()
    beside: tuple[Rolled, ...] = ()
    paid: tuple[Spent, ...] = ()
    for here in back_from(last):
        events = here.entry.events
        beside = (*rolled_beside(events), *beside)
        verb = verb_of(here.entry, ruleset)
        if verb in BENDING:
            bends = (*checks_of(events)[-1:], *bends)
            paid = (*paid, *threads_spent(events))
        elif verb not in ASIDE:
            made = checks_of(events)
            if not made:
                return None
            return MadeCheck(here, made, _bent(made, bends), _place_of(made, who), beside, paid)
    return None


def _bent(made: tuple[Rolled, ...], bends: Iterable[Rolled]) -> tuple[Rolled, ...]:
    """The checks as they stand after these, the earliest first: each stands for the check of the
    same two, or as a luck roll for that which concerns whoever made it."""
    stand = list(made)
    for bend in bends:
        same = [place for place, check in enumerate(made) if parties(check) == parties(bend)]
        stand[same[-1] if same else _place_of(made, bend.who)] = bend
    return tuple(stand)


def _place_of(made: tuple[Rolled, ...], who: str) -> int:
    """The place of the last of these checks that `who` made, or that was against them; of the last
    of all, if there is none such."""
    places = [place for place, check in enumerate(made) if who in parties(check)]
    return places[-1] if places else len(made) - 1


def parties(check: Rolled) -> tuple[str, str]:
    """Who made a check, and against whom."""
    return check.who, check.against


def checks_of(events: Iterable[AnyEvent]) -> tuple[Rolled, ...]:
    """Those that somebody made; what they come to for a group together is none."""
    return tuple(e for e in events if isinstance(e, Rolled) and e.outcome and e.who)


def threads_spent(events: Iterable[AnyEvent]) -> tuple[Spent, ...]:
    """The threads that characters have spent, and not the GM."""
    return tuple(e for e in events if isinstance(e, Spent) and e.who and e.track == "threads")
