"""Everyday words for commands, whatever a game calls them."""

from __future__ import annotations

from collections.abc import Mapping

MEANT: Mapping[str, tuple[str, ...]] = {
    "attack": ("strike",), "hit": ("strike", "attack"), "strike": ("attack",), "hurt": ("damage",),
    "kill": ("damage", "leave"), "remove": ("leave",), "wait": ("delay", "ready"),
    "pass": ("next",), "space": ("next",), "turn": ("next",), "end-turn": ("next",),
    "spell": ("cast",), "pc": ("add pc",), "monster": ("add monster",), "hazard": ("add hazard",),
}  # fmt: skip
"""Everyday word, or words with - between -> the commands for it, if a game has them."""
