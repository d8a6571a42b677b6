"""The settings of Adventure School: water, and adventurers against each other."""

from __future__ import annotations

from affray.core.engine.settings import OFF_ON, Setting

UNDERWATER = Setting(
    "underwater",
    OFF_ON,
    "the fight is under water",
    "rulesets/adventure_school/stats.py",
    says=("The fight is not under water", "The fight is under water"),
)
PVP = Setting(
    "pvp",
    OFF_ON,
    "adventurers fight each other",
    "rulesets/adventure_school/turns.py",
    says=("Adventurers don't fight each other", "Adventurers fight each other"),
)

SETTINGS = (UNDERWATER, PVP)
