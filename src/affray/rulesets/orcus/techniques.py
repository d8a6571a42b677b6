"""The actions in combat that need code, by their names, each with the function that does it.

Seed 003: Actions in Combat. The functions read the words behind an action's name, pay, and act:
`fighting`, `moving`, `helping` and `influencing` have them by subject. The others are all in their
rows of the tables.
"""

from __future__ import annotations

from affray.rulekit.acts import Act
from affray.rulesets.orcus.fighting import FIGHTING, opportunity_attack
from affray.rulesets.orcus.helping import HELPING
from affray.rulesets.orcus.influencing import INFLUENCING
from affray.rulesets.orcus.moving import MOVING

ACTIONS: dict[str, Act] = {**FIGHTING, **MOVING, **HELPING, **INFLUENCING}
REACTIONS: dict[str, Act] = {"opportunity-attack": opportunity_attack}
