"""Ready: pay now, wait for a trigger, act with the reaction. Seed 004: Ready an Action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core import timing
from affray.core.clauses import who_has
from affray.core.doing import all_in_rows, asks_for_nothing
from affray.core.effects import end, forbidden, gain
from affray.core.events import Spent
from affray.core.refusal import Refused
from affray.core.ruleset import Verb
from affray.core.state import Effect
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import action_points
from affray.rulesets.monsters_and_magic.house_rules import act_of
from affray.rulesets.monsters_and_magic.techniques import ACTIONS

if TYPE_CHECKING:
    from affray.core.decide import Context

NEEDS_NO_WORDS = ("move", "dodge", "regroup", "disengage", "mount", "retrieve", "use")


def _ready(ctx: Context, words: Words) -> None:
    name = words.choice("a technique", [*ACTIONS, *all_in_rows(ctx.tables)])
    trigger = words.rest().strip()
    who = ctx.actor()
    if ctx.state.phase != "combat":
        raise Refused("an action can be readied only in a fight")
    if who.named("readied") is not None:
        raise Refused(f"{who.name} has an action readied already")
    action_points.pay(ctx, who.id, name)
    what = ctx.tables.techniques[name].name
    note = f"{what}: {trigger}" if trigger else what
    until = timing.at_turn(ctx.state, who.id, "start")
    effect = Effect("readied", "readied", "readied", until, who.id, note=note, because=name)
    gain(ctx, who.id, effect)
    ctx.text = f"{who.name} readies {note}"


def _trigger(ctx: Context, words: Words) -> None:
    who = who_has(ctx, "readied", "an action readied", "readied")
    readied = who.named("readied")
    if readied is None:
        raise Refused(f"{who.name} has nothing readied")
    name = readied.because
    if name not in (*ACTIONS, *all_in_rows(ctx.tables)):
        raise Refused(f"{who.name} has readied {name!r}, which is no technique")
    if who.life == "dead":
        raise Refused(f"{who.name} is dead")
    words.take(name)
    if who.track("reaction") < 1:
        raise Refused(f"{who.name} has used their reaction, so the readied action can't be taken")
    barred = forbidden(ctx.tables, ctx.state, who, "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")
    ctx.by = who.id
    ctx.emit(Spent(who.id, "reaction", 1, "trigger"))
    end(ctx, who.id, readied.id, "triggered")
    if words.done and name not in NEEDS_NO_WORDS and not asks_for_nothing(ctx.tables, name):
        words.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{who.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    act = ACTIONS.get(name) or act_of(name)
    act(ctx, words, ctx.state[who.id], lambda cost: None)
    ctx.text += ", as readied"


READY_VERBS = (
    Verb(
        "ready",
        'ready TECHNIQUE ["THE TRIGGER"] [by NAME]',
        "pays for a technique now, and waits for its trigger",
        _ready,
        True,
    ),
    Verb(
        "trigger",
        "trigger [what the technique asks for] [by NAME]",
        "takes the readied action, with the reaction",
        _trigger,
        True,
    ),
)
