"""Reads the timers off the screen, and says what of those in force they neither tell nor count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from tests.tui.order_read import tells
from tests.tui.seen import SeenPane

from affray.core.engine.effects import independent_effects
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.formatting.effects import effect_by_note, effect_with_amounts
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.rules.ruleset import Ruleset

COUNTED = re.compile(r"…(\d+) later")


def untold(pane: SeenPane, state: Encounter, ruleset: Ruleset) -> Iterator[str]:
    """What is missing, when it is more than is counted. One thing is what ends at one time on one
    bearer, or a clock."""
    text = " ".join(pane.text.split())
    counted = COUNTED.search(text)
    missing = [
        f"{who.name}: {', '.join(strip_control_chars(effect_with_amounts(e)) for e in effects)}"
        for who, effects in _timers(state, ruleset)
        if not _are_told(who, effects, text)
    ]
    missing += [
        clock.name for clock in state.clocks if not tells(strip_control_chars(clock.name), text)
    ]
    if len(missing) > (int(counted[1]) if counted else 0):
        number = counted[1] if counted else "none"
        yield f"{missing} not told, {number} counted, in the timers {pane.rows}"


def _timers(state: Encounter, ruleset: Ruleset) -> Iterator[tuple[Combatant, list[Effect]]]:
    for who in state.in_order():
        if who.is_out:
            continue
        timed = [
            effect_by_note(ruleset.tables, effect)
            for effect in independent_effects(who)
            if ruleset.tables.kind(effect.kind).timed
        ]
        for _, effects in groupby(sorted(timed, key=_when), key=_when):
            yield who, list(effects)


def _when(effect: Effect) -> str:
    return repr(effect.until)


def _are_told(who: Combatant, effects: list[Effect], text: str) -> bool:
    names = {strip_control_chars(effect_with_amounts(effect)) for effect in effects}
    says = {strip_control_chars(effect.until.says) for effect in effects}
    return tells(strip_control_chars(who.name), text) and all(word in text for word in names | says)
