"""The settings of 5e: the edition, water, and two ways to roll for monsters."""

from __future__ import annotations

from affray.core.engine.settings import OFF_ON, Setting

EDITION = Setting("edition", ("2024", "2014"), "the year of the rules", "rulesets/fifth/sheet.py")
UNDERWATER = Setting("underwater", OFF_ON, "the fight is under water", "rulesets/fifth/attacks.py")
MONSTER_DAMAGE = Setting(
    "monster-damage", ("rolled", "average"), "the damage of monsters", "rulesets/fifth/rules.py"
)
INITIATIVE = Setting(
    "initiative",
    ("alike", "each"),
    "one roll for monsters that are alike, or one each",
    "rulesets/fifth/turns.py",
)

SETTINGS = (EDITION, UNDERWATER, MONSTER_DAMAGE, INITIATIVE)
