"""The settings of Level Up: other readings of open questions, and scenes."""

from __future__ import annotations

from affray.core.engine.settings import OFF_ON, Setting

FATIGUE = Setting(
    "fatigue",
    ("after-the-fight", "at-once"),
    "when the effects of a fight's fatigue begin",
    "rulesets/level_up/fatigue.py",
    says=(
        "A fight's fatigue has its effects after the fight",
        "A fight's fatigue has its effects at once",
    ),
)
FALLS = Setting(
    "falls",
    ("once", "every"),
    "whether falling unconscious gives fatigue once in a fight, or every time",
    "rulesets/level_up/fatigue.py",
    says=(
        "Falling unconscious gives fatigue once in a fight",
        "Falling unconscious gives fatigue every time",
    ),
)
DEATH_ONE = Setting(
    "death-one",
    ("failure", "no-failure"),
    "whether a natural 1 on a death save is also a failure",
    "rulesets/level_up/dying.py",
    says=(
        "A natural 1 on a death save is also a failure",
        "A natural 1 on a death save is no failure",
    ),
)
WORLD_TURN = Setting(
    "world-turn",
    ("last", "first"),
    "when the world acts in a round",
    "rulesets/level_up/scene.py",
    says=("The world acts last in a round", "The world acts first in a round"),
)
EXPERTISE_DIE = Setting(
    "expertise-die",
    ("d4", "d6", "d8", "d10", "d12"),
    "the size of a plain expertise die",
    "rulesets/level_up/actions.py",
    says=("A plain expertise die is a {}",),
)
UNDERWATER = Setting(
    "underwater",
    OFF_ON,
    "the fight is under water",
    "rulesets/level_up/scene.py",
    says=("The fight is not under water", "The fight is under water"),
)
ALOFT = Setting(
    "aloft",
    OFF_ON,
    "the fight is in the sky",
    "rulesets/level_up/scene.py",
    says=("The fight is not in the sky", "The fight is in the sky"),
)
ASTRAL = Setting(
    "astral",
    OFF_ON,
    "the fight is adrift, without up and down",
    "rulesets/level_up/checks.py",
    says=("The fight is not adrift", "The fight is adrift, without up and down"),
)
ROLLING = Setting(
    "rolling",
    OFF_ON,
    "the fight moves along, as a chase does",
    "rulesets/level_up/scene.py",
    says=("The fight no longer moves along", "The fight moves along"),
)

SETTINGS = (
    FATIGUE,
    FALLS,
    DEATH_ONE,
    WORLD_TURN,
    EXPERTISE_DIE,
    UNDERWATER,
    ALOFT,
    ASTRAL,
    ROLLING,
)
