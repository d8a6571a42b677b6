"""The settings of 5e: the edition, water, and two ways to roll for monsters."""

from __future__ import annotations

from affray.core.engine.settings import OFF_ON, Setting

EDITION = Setting(
    "edition",
    ("2024", "2014"),
    "the year of the rules",
    "rulesets/fifth/sheet.py",
    says=("The rules are those of {}",),
)
UNDERWATER = Setting(
    "underwater",
    OFF_ON,
    "the fight is under water",
    "rulesets/fifth/attacks.py",
    says=("The fight is not under water", "The fight is under water"),
)
MONSTER_DAMAGE = Setting(
    "monster-damage",
    ("rolled", "average"),
    "the damage of monsters",
    "rulesets/fifth/rules.py",
    says=("The damage of monsters is rolled", "The damage of monsters is the average"),
)
INITIATIVE = Setting(
    "initiative",
    ("alike", "each"),
    "one roll for monsters that are alike, or one each",
    "rulesets/fifth/turns.py",
    says=(
        "Monsters that are alike share a roll of initiative",
        "Each monster rolls its own initiative",
    ),
)

SETTINGS = (EDITION, UNDERWATER, MONSTER_DAMAGE, INITIATIVE)
