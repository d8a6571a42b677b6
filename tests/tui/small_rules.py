"""A small made-up rule system: actions in boxes, options of one's own, saves that hold a turn."""

from __future__ import annotations

from affray.core.engine.effects import gain_effect, remove_effect
from affray.core.engine.events import TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Effect, Track
from affray.core.rules.ruleset import (
    ActionRules,
    AvailableAction,
    Command,
    DecisionOption,
    InitiativeRules,
    NumberRules,
    PendingDecision,
    Ruleset,
    SheetRules,
    TurnRules,
)
from affray.core.rules.tables import read_tables

TURN = {"everybody": True, "spent": True}

TABLES = {
    "tracks": {
        "blood": {
            "label": "Blood",
            "short": "Bl",
            "shown": "bar",
            "below": True,
            "everybody": True,
        },
        "big": {"label": "Big", "short": "B", "shown": "box", **TURN},
        "small": {"label": "Small", "short": "s", "shown": "box", **TURN},
        "quick": {"label": "Quick", "short": "Q", "shown": "badge", "everybody": True},
        "luck": {"label": "Luck", "short": "L", "shown": "pips"},
    },
    "effects": {
        "dizzy": {"modifiers": {"poise": -1}},
        "blazing": {"kind": "burn"},
        "flabbergasted": {},
    },
    "outcomes": {"no": {"key": "o", "hits": False}, "yes": {"key": "y"}},
    "kinds": {"condition": {"harmful": True}, "burn": {"harmful": True}},
    "totals": {"guard": {"label": "Guard", "whole": True}, "poise": {"label": "Poise"}},
    "techniques": {
        "poke": {
            "name": "Poke",
            "key": "s",
            "cost": {"big": 1},
            "fields": ["targets", "outcome", "damage", "line?"],
            "text": "With a stick.",
        }
    },
    "prompts": {
        "trick": {
            "key": "p",
            "label": "Trick",
            "command": "trick",
            "fields": ["own", "targets?", "outcome", "damage"],
        },
        "shake": {
            "key": "v",
            "label": "Shake off",
            "command": "shake",
            "fields": [
                "self",
                {"kind": "effect", "options": ["save"]},
                {"kind": "outcome", "options": ["self"]},
            ],
        },
    },
}


def _hurt(ctx, words) -> None:
    """`TARGET[,TARGET] OUTCOME[,OUTCOME] [DAMAGE]`."""
    if words.done:
        return
    targets = words.combatants()
    outcomes = words.next("an outcome").split(",")
    outcomes *= len(targets) if len(outcomes) == 1 else 1
    damage = words.maybe_number(1)
    for target, outcome in zip(targets, outcomes, strict=True):
        if outcome != "no":
            ctx.emit(TrackChanged(target.id, "blood", -damage))


def _poke(ctx, words) -> None:
    who = ctx.actor()
    _hurt(ctx, words)
    ctx.emit(TrackChanged(who.id, "big", -1, routine=True), UseCounted(who.id, "poke"))


def _trick(ctx, words) -> None:
    who, name = ctx.actor(), str(words.next("a trick"))
    assert name in who.stats["tricks"]
    _hurt(ctx, words)
    ctx.emit(UseCounted(who.id, f"trick {name}"))
    ctx.text = f"{who.name} does {name}"


def _daze(ctx, words) -> None:
    """`NAME EFFECT [save] [hangs BEARER/ID]`."""
    who, name = words.combatant(), str(words.next("an effect"))
    until = Duration("save") if words.take("save") else Duration()
    hangs = str(words.next("an effect")) if words.take("hangs") else ""
    gain_effect(ctx, who.id, Effect(name, name, ctx.tables.effects[name].kind, until, hangs=hangs))


def _shake(ctx, words) -> None:
    """`NAME EFFECT OUTCOME`."""
    who, effect = words.combatant(), str(words.next("an effect"))
    outcome = words.choice("an outcome", ("no", "yes", "roll"))
    ctx.emit(UseCounted(who.id, f"shake {effect}"))
    if outcome == "yes":
        remove_effect(ctx, who.id, effect, "shaken off")


def _to_shake(who: Combatant) -> list[Effect]:
    return [e for e in who.effects if e.until.ends == "save" and not who.used(f"shake {e.id}")]


class Turns(TurnRules):
    """Saves hold a turn."""

    def on_turn_ending(self, ctx, who) -> None:
        for effect in _to_shake(ctx.state[who]):
            ctx.emit(UseCounted(who, f"rolled {effect.id}"))

    def pending_decisions(self, tables, state) -> list[PendingDecision]:
        who = state.find(state.turn)
        answers = {"s": ("shaken off", "yes"), "f": ("still there", "no")}
        return [
            PendingDecision(
                who.id,
                f"{who.name} shakes off {effect.id}",
                tuple(
                    DecisionOption(key, label, f"shake {who.id} {effect.id} {word}")
                    for key, (label, word) in answers.items()
                ),
                holds=True,
            )
            for effect in (_to_shake(who) if who is not None else ())
        ]

    def has_acted(self, combatant: Combatant) -> bool:
        return combatant.used("poke") > 0


class Actions(ActionRules):
    """Poking, and tricks of one's own."""

    def options(self, tables, state, combatant) -> list[AvailableAction]:
        return [AvailableAction("poke", {"big": 1})]

    def own_options(self, tables, state, who, how=None) -> list[AvailableAction]:
        tricks = who.stats.get("tricks", ())
        reasons = {name: "done already" for name in tricks if who.used(f"trick {name}")}
        return [
            AvailableAction(
                f"trick {n}", {"small": 1}, {}, reasons.get(n, ""), n, f"The {n} trick."
            )
            for n in tricks
        ]


class Sheets(SheetRules):
    """Blood and tricks."""

    def create(self, ctx, words, kind):
        tricks = []
        while words.take("trick"):
            tricks.append(str(words.next("a name")))
        pool = {"blood": Track(20, 20), "big": Track(1, 1), "small": Track(2, 1)}
        tracks = {**pool, "quick": Track(1, 1), "luck": Track(2, 3)}
        return {"tricks": tricks} if tricks else {}, tracks


class Initiative(InitiativeRules):
    """All at once."""

    def roll(self, ctx, ids, faces) -> dict[str, int]:
        return dict.fromkeys(ids, 10)


class Numbers(NumberRules):
    """Always the same."""

    def totals(self, tables, state, combatant) -> dict[str, int]:
        return {"guard": 12, "poise": 0}


RULESET = Ruleset(
    id="small",
    name="Small",
    tables=read_tables(TABLES),
    commands={
        "poke": Command("poke", "poke TARGET OUTCOME N", "pokes", _poke, True),
        "trick": Command("trick", "trick NAME", "does a trick", _trick, True),
        "daze": Command("daze", "daze NAME EFFECT", "begins an effect", _daze),
        "shake": Command("shake", "shake NAME EFFECT OUTCOME", "shakes one off", _shake),
    },
    sheet=Sheets(),
    initiative=Initiative(),
    turns=Turns(),
    numbers=Numbers(),
    actions=Actions(),
)
