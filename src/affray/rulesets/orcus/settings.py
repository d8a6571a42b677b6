"""The settings of Orcus: contradictions of the text, and its variants."""

from __future__ import annotations

from affray.core.engine.settings import Setting

SURPRISE = Setting(
    "surprise",
    ("no-action", "one-standard"),
    "what the surprised can do in their first turn",
    "rulesets/orcus/initiative.py",
)
DEATH_SAVES = Setting(
    "death-saves",
    ("start", "end"),
    "when in the turn death saves are made",
    "rulesets/orcus/saves.py",
)
NEGATIVE_HP = Setting(
    "negative-hp", ("on", "off"), "whether HP go below 0", "rulesets/orcus/damage.py"
)
FREE_ACTIONS = Setting(
    "free-actions",
    ("any", "one"),
    "how many free actions a turn has",
    "rulesets/orcus/action_economy.py",
)

SETTINGS = (SURPRISE, DEATH_SAVES, NEGATIVE_HP, FREE_ACTIONS)
