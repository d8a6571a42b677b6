"""The row that a prompt shows: its label, what is filled, what is asked for and what comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.slot import Offer, Slot

Role = Literal[
    "label",
    "whom",
    "done",
    "now",
    "blank",
    "key",
    "offer",
    "picked",
    "hint",
    "later",
    "refused",
]


class Piece(NamedTuple):
    """A piece of the prompt's row, and what it is, so that it can be drawn."""

    text: str
    role: Role


ANY_ROOM = 10_000
"""More cells than any window has."""
LEAST_OF_AN_OFFER = 2
"""The fewest cells that an offer takes in a row: a key, and a blank before it."""


def row_of(label: str, slots: Sequence[Slot], at: int, room: int) -> list[Piece]:
    """The row of a prompt that asks for the slot at that place, for so many cells."""
    row = [Piece(label, "label")]
    for index, slot in enumerate(slots):
        if not slot.applies():
            continue
        if isinstance(slot, PersonSlot) and slot.preset and index != at:
            row.append(Piece(slot.shown, "whom"))
        elif index == at:
            row += _asked_now(slot, [s for s in slots[:at] if s.applies()], room)
        elif index < at or slot.preset:
            row.append(Piece(_filled(slot), "done"))
        elif slot.repeated and slot.shown:
            row.append(Piece(_filled(slot), "later"))
        elif not slot.ask.optional:
            row.append(Piece(slot.label, "later"))
    return [piece for piece in row if piece.text]


def _filled(slot: Slot) -> str:
    if not slot.shown:
        return ""
    return " ".join(part for part in (slot.ask.before, slot.shown, slot.ask.after) if part)


def _asked_now(slot: Slot, others: Sequence[Slot], room: int) -> Iterator[Piece]:
    """What is asked for, with its answers; and what can be said at any time, where there is room.

    People's own list leaves none for that. It stands behind letters, but before a list of names,
    which may be as long as it likes.
    """
    shown = slot.shown
    optional = " (if any)" if slot.ask.optional else ""
    yield Piece(shown, "now") if shown else Piece(f"{slot.label}{optional}", "blank")
    answers = _near(slot.offers(), room // LEAST_OF_AN_OFFER + 1)
    others = sorted(others, key=lambda other: not other.ask.only_if)  # what is special, first
    besides = [] if slot.candidates else [o for other in others for o in other.overheard()]
    has_letters = all(offer.key for offer in answers)
    for offer in (*answers, *besides) if has_letters else (*besides, *answers):
        yield from _offered(offer)
    yield Piece(slot.hint, "hint")


def _near(offers: list[Offer], most: int) -> list[Offer]:
    """Of many offers the first, and those around the one that is picked: so many have room.

    While several are picked it is all of them.
    """
    picked = [place for place, offer in enumerate(offers) if offer.picked] or [0]
    if len(picked) > 1:
        return offers
    first, last = max(most, picked[0] - most), max(most, picked[0] + most)
    return offers[:most] + offers[first:last]


def _offered(offer: Offer) -> tuple[Piece, Piece]:
    return Piece(offer.key, "key"), Piece(offer.label, "picked" if offer.picked else "offer")
