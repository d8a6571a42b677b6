"""The commands that every ruleset has, by what they are about. A module a subject."""

from __future__ import annotations

from affray.core.commands.adding import ADD_VERBS
from affray.core.commands.carrying import CARRY_VERBS
from affray.core.commands.clocks import CLOCK_VERBS
from affray.core.commands.flow import FLOW_VERBS
from affray.core.commands.grouping import GROUP_VERBS
from affray.core.commands.people import PEOPLE_VERBS
from affray.core.commands.records import RECORD_VERBS
from affray.core.rules.ruleset import Verb

_ROWS = (
    *FLOW_VERBS,
    *ADD_VERBS,
    *PEOPLE_VERBS,
    *GROUP_VERBS,
    *RECORD_VERBS,
    *CLOCK_VERBS,
    *CARRY_VERBS,
)
CORE_VERBS: dict[str, Verb] = {verb.name: verb for verb in _ROWS}
