"""Pictures of what is laid over the fight, or asked below it, at both sizes."""

from __future__ import annotations

from typing import Any

import pytest

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp

SIZES = [(80, 24), (120, 40)]
OPENED = {
    "help": ("?",),
    "rules": ("/", *"restr"),
    "why": ("w",),
    "prompt": ("-", "1", "space", "9"),
    "refused": ("s",),  # Tobin is stunned
    "command": (":", *"inflict"),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", OPENED)
def test_what_is_opened_by_a_key(
    snap_compare: Any, ambush: OpenEncounter, size: tuple[int, int], what: str
) -> None:
    assert snap_compare(AffrayApp(ambush), terminal_size=size, press=OPENED[what])
