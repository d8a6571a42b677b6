"""A rule system of the smallest kind, so that the core is tested without any game's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.fallen_dice import FallenDice

from affray.core.engine.decide import decide
from affray.core.engine.durations import turn_edge
from affray.core.engine.effects import gain_effect
from affray.core.engine.history import Entry, History
from affray.core.engine.settings import Setting
from affray.core.engine.state import Combatant, Duration, Effect, Encounter, Track
from affray.core.parser.errors import Refused
from affray.core.parser.targets import resolve
from affray.core.rules.ruleset import Command, Ruleset
from affray.core.rules.tables import read_tables

EFFECTS = {
    "effects": {
        "dazed": {"implies": ["slow"], "modifiers": {"check": -1}},
        "slow": {"speed": "half"},
        "afraid": {"implies": ["slow"], "needs_source": True},
        "felled": {"brings": ["down"]},
        "down": {"until": "it stands"},
        "tied": {"ends_with_source": True},
    }
}


def _effect(ctx, words) -> None:
    """`effect NAME EFFECT [start|end of NAME N] [from NAME] [breaks EFFECT] [hangs NAME/ID]`."""
    who, name = words.combatant(), str(words.next("an effect"))
    until, source, breaks, hangs = Duration(), "", (), ""
    while word := words.take("start", "end", "from", "breaks", "hangs"):
        if word in ("start", "end"):
            words.take("of")
            until = turn_edge(ctx.state, words.combatant().id, word, words.maybe_number(1))
        elif word == "from":
            source = words.combatant().id
        elif word == "breaks":
            breaks = (str(words.next("an effect")),)
        else:
            hangs = str(words.next("an effect"))
    gain_effect(
        ctx, who.id, Effect(name, name, "condition", until, source, breaks=breaks, hangs=hangs)
    )


def _act(ctx, words) -> None:
    from affray.core.engine.events import UseCounted

    ctx.emit(UseCounted(ctx.actor().id, "something"))


def _create(ctx, words, kind):
    words.take("hp")
    hp = words.maybe_number(10)
    return {"might": 1}, {"hp": Track(hp, hp)}


PARTS = ("sheet", "initiative", "turns", "numbers", "actions", "companions", "state")


def ruled(ruleset: Ruleset, **changes: Any) -> Ruleset:
    """The rule system with other data, and with functions in place of methods of its parts.

    `ruled(BARE, settings=(), on_turn_start=lambda ctx, who: None)`.
    """
    for name in [*changes]:
        of = next((part for part in PARTS if hasattr(getattr(ruleset, part), name)), "")
        if of:
            base = type(changes.get(of, getattr(ruleset, of)))
            changes[of] = type("Part", (base,), {name: staticmethod(changes.pop(name))})()
    return replace(ruleset, **changes)


BARE = ruled(
    Ruleset(
        id="bare",
        name="Bare",
        tables=read_tables(EFFECTS),
        commands={
            "effect": Command("effect", "effect NAME EFFECT", "begins an effect", _effect),
            "act": Command("act", "act [by NAME]", "does something", _act, True),
        },
        settings=(Setting("fog", ("off", "on"), "whether there is fog", ""),),
    ),
    create=_create,
    roll=lambda ctx, ids, faces: {who: sum(faces) or ctx.dice.die(20) for who in ids},
    tie_rank=lambda ctx, who, total, placed: () if ctx.state[who].kind == "pc" else (1,),
    totals=lambda tables, state, combatant: {"check": 0},
    has_acted=lambda combatant: combatant.used("something") > 0,
)


class Play:
    """A fight in memory: commands go in, the state is there to be looked at."""

    def __init__(self, faces: tuple[int, ...] = ()) -> None:
        self.history = History(Encounter(title="test", ruleset="bare"))
        self.dice = FallenDice(faces)
        self.ruleset = BARE

    @property
    def state(self) -> Encounter:
        return self.history.state

    @property
    def text(self) -> str:
        """What the log says of the last command."""
        return self.history.entries[self.history.last].text

    def __call__(self, *lines: str) -> Encounter:
        for line in lines:
            made = decide(self.state, line, self.ruleset, self.dice, self.history.previous)
            self.history.apply(made.entry(self.history.last + 1))
        return self.state

    def told(self, line: str) -> str:
        """Play a command; gives what the log says of it."""
        self(line)
        return self.text

    def refused(self, line: str) -> str:
        """The line that turns a command down."""
        with pytest.raises(Refused) as refusal:
            self(line)
        return refusal.value.message

    def move(self, to: int) -> Encounter:
        self.history.apply(Entry(self.history.last + 1, "goto", to=to))
        return self.state

    def who(self, name: str) -> Combatant:
        return resolve(self.state, name)

    def names(self, name: str) -> list[str]:
        return [effect.name for effect in self.who(name).effects]

    def round(self) -> list[str]:
        """Who takes turns from here on, until the round ends."""
        order, now = [], self.state.round
        while self.state.round == now:
            order.append(self.state.turn)
            self("next")
        return order


@pytest.fixture
def play() -> Play:
    return Play()


@pytest.fixture
def fight() -> Play:
    """Ann 20, Bob 15, Cat 10 (a monster), Dan 5; Ann is up in round 1."""
    begun = Play()
    begun("add pc Ann", "add pc Bob", "add monster Cat", "add pc Dan")
    begun("init ann 20", "init bob 15", "init cat 10", "init dan 5", "start")
    return begun


@pytest.fixture
def new_play() -> Callable[..., Play]:
    return Play


@pytest.fixture
def pack(new_play):
    """Ann 20, the rats 1 to 3 of a group 15, Bob 10; Ann is up. Later rolls show 5."""
    play = new_play((15, *(5,) * 30))
    play("add pc Ann", "add monster Rat x3 group", "add pc Bob")
    play("init ann 20", "init bob 10", "start")
    return play
