"""Level Up (`level-up`): its tables and functions, put together as a `Ruleset`."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Ruleset
from affray.mechanics import actions as shared_actions, sheet as shared_sheet
from affray.mechanics.checks import tie_rank
from affray.mechanics.sheet import owner_of
from affray.rulesets import tables_of
from affray.rulesets.level_up import (
    action_economy,
    actions,
    checks,
    companions,
    conditions,
    damage,
    dying,
    environments,
    fatigue,
    import_creature,
    powers,
    scene,
    sheet,
    turns,
)

TABLES = tables_of(__name__)
VERBS = (
    *actions.technique_verbs(TABLES),
    *checks.VERBS,
    *companions.VERBS,
    *conditions.VERBS,
    *damage.VERBS,
    *dying.VERBS,
    *fatigue.VERBS,
    *environments.VERBS,
    *turns.VERBS,
)

RULESET = Ruleset(
    id="level-up",
    name="Level Up",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=shared_sheet.sheet_form(lambda tables: sheet.ROWS),
    sheet_lines=sheet.sheet_lines,
    initiative=turns.roll_initiative,
    tie_rank=tie_rank,
    turn_started=turns.on_turn_start,
    turn_ending=turns.on_turn_end,
    owed=dying.roll_deferred_saves,
    fight_ended=turns.on_fight_end,
    set_by_hand=dying.after_manual_change,
    totals=checks.totals,
    shares=checks.shares,
    options=partial(shared_actions.available_actions, action_economy.ECONOMY),
    own=powers.own_powers,
    pending=turns.pending_decisions,
    remark=fatigue.track_note,
    acted=shared_actions.has_acted,
    settled=turns.apply_invariants,
    master=owner_of,
    passive=companions.passive,
    takes=conditions.can_have,
    weapons=lambda combatant: [attack.name for attack in sheet.attacks_of(combatant)],
    attack="attack",
    settings={
        "fatigue": ("after-the-fight", "at-once"),
        "falls": ("once", "every"),
        "death-one": ("failure", "no-failure"),
        "world-turn": ("last", "first"),
        "expertise-die": ("d4", "d6", "d8", "d10", "d12"),
        **dict.fromkeys(scene.SCENES, ("off", "on")),
    },
    pools=True,
    reads=actions.READS,
    doing=actions.DOING,
    imports=import_creature.imported,
    stranger="hp 10 ac 12 attack Strike +3 1d6+1 bludgeoning",
)
