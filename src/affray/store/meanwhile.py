"""Another program saved the fight meanwhile: whether a command can still be what the GM meant."""

from __future__ import annotations

from affray.core.heart.history import Entry
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused


def is_same(there: Entry, entry: Entry) -> bool:
    """Whether an entry that was read is the one that was to be saved, by the second it is of."""
    seconds = (at.replace(microsecond=0) if at else None for at in (there.at, entry.at))
    return there.command == entry.command and len(set(seconds)) == 1


def refuse_another_turn(before: Encounter, now: Encounter) -> None:
    """Raises Refused where it is another fight by now, or another turn of it."""
    if (now.title, now.ruleset) != (before.title, before.ruleset):
        raise Refused(
            f"not done: another program saved it, and it is another fight there: {now.title}"
        )
    if (now.turn, now.round) != (before.turn, before.round):
        up = f"{now.name(now.turn)} is up there" if now.turn else "it is nobody's turn there"
        raise Refused(f"not done: another program saved the fight, and {up}; give it once more")


def refuse_another_move(meant: Entry, now: Entry) -> None:
    """Raises Refused where an undo, a redo or a goto would lead elsewhere by now."""
    if meant.to is not None and (now.to, now.text) != (meant.to, meant.text):
        raise Refused(
            f"not done: another program saved the fight, and what was meant is {meant.text!r}; "
            f"there it is {now.text!r}: give it once more"
        )
