"""Words that people say for commands, whatever a game calls these."""

from __future__ import annotations

from collections.abc import Mapping

MEANT: Mapping[str, tuple[str, ...]] = {
    "attack": ("strike",), "hit": ("strike", "attack"), "strike": ("attack",), "hurt": ("damage",),
    "kill": ("damage", "leave"), "remove": ("leave",), "wait": ("delay", "ready"),
    "pass": ("next",), "space": ("next",), "turn": ("next",), "end-turn": ("next",),
    "spell": ("cast",), "pc": ("add pc",), "monster": ("add monster",), "hazard": ("add hazard",),
}  # fmt: skip
"""What people say, several words with - between -> the commands that do it, as far as a game has
them."""
