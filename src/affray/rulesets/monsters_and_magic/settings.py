"""The settings of Monsters & Magic: the surroundings of a fight."""

from __future__ import annotations

from affray.core.engine.settings import OFF_ON, Setting

UNDERWATER = Setting(
    "underwater",
    OFF_ON,
    "the fight is under water",
    "rulesets/monsters_and_magic/environment.py",
    says=("The fight is not under water", "The fight is under water"),
)
LIGHT = Setting(
    "light",
    ("bright", "dim", "dark", "magical-dark"),
    "the light for everybody who has none of their own",
    "rulesets/monsters_and_magic/environment.py",
    says=("The light is bright", "The light is dim", "It is dark", "It is magically dark"),
)

SETTINGS = (UNDERWATER, LIGHT)
