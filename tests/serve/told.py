"""What a phone is told of its character, in a fight that is in no file."""

from __future__ import annotations

from types import SimpleNamespace

from affray import Fight
from affray.serve.table import Table


def phone_told(fight: Fight, character: str) -> str:
    """All that leaves for the phone that plays a character, as JSON."""
    inbox = SimpleNamespace(waiting=tuple, answers=lambda _="": ())
    phones = SimpleNamespace(
        plays=lambda _, state: state.character(character), of=lambda _: ["f00d"]
    )
    table = Table(fight, inbox, phones)  # type: ignore[arg-type]
    return table.view_of("f00d")
