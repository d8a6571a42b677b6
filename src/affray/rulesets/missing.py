"""A stand-in for a rule system that is not installed, so that its fights can be looked at.

Replay needs no rules. What only rules can tell, totals and techniques and what waits, is left out,
and nothing can be played.
"""

from __future__ import annotations

from typing import NoReturn

from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables


def without_rules(ruleset_id: str) -> Ruleset:
    """The rule system of that id with no tables and no judgement."""

    def refuse(*_: object) -> NoReturn:
        raise Refused(f"the rules of {ruleset_id!r} are not installed")

    return Ruleset(
        id=ruleset_id,
        name=ruleset_id,
        tables=Tables(),
        verbs={},
        create=refuse,
        initiative=refuse,
        tie_rank=refuse,
        turn_started=refuse,
        fight_ended=refuse,
        set_by_hand=refuse,
    )
