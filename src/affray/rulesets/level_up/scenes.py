"""Other scenes: under water, in the sky, adrift, and rolling. Seed 002: Alternative Turn-based
Action Scenarios; rules file, 14. Each is a setting of the fight."""

from __future__ import annotations

from affray.core.heart.state import Encounter

SCENES = ("underwater", "aloft", "astral", "rolling")


def is_in(state: Encounter, scene: str) -> bool:
    """Whether the fight is in such a scene."""
    return state.settings.get(scene) == "on"


def rolls(state: Encounter) -> bool:
    """Whether everybody is moving along: a chase, a train (Rolling Movement)."""
    return is_in(state, "rolling")
