"""The settings of Orcus: contradictions of the text, and its variants."""

from __future__ import annotations

from affray.core.engine.settings import Setting

SURPRISE = Setting(
    "surprise",
    ("no-action", "one-standard"),
    "what the surprised can do in their first turn",
    "rulesets/orcus/initiative.py",
    says=(
        "The surprised do nothing in their first turn",
        "The surprised have one standard action in their first turn",
    ),
)
DEATH_SAVES = Setting(
    "death-saves",
    ("start", "end"),
    "when in the turn death saves are made",
    "rulesets/orcus/saves.py",
    says=(
        "Death saves are made at the start of a turn",
        "Death saves are made at the end of a turn",
    ),
)
NEGATIVE_HP = Setting(
    "negative-hp",
    ("on", "off"),
    "whether HP go below 0",
    "rulesets/orcus/damage.py",
    says=("HP go below 0", "HP stop at 0"),
)
FREE_ACTIONS = Setting(
    "free-actions",
    ("any", "one"),
    "how many free actions a turn has",
    "rulesets/orcus/action_economy.py",
    says=("A turn has any number of free actions", "A turn has one free action"),
)

SETTINGS = (SURPRISE, DEATH_SAVES, NEGATIVE_HP, FREE_ACTIONS)
