"""A fight in memory that tests of the rules play, whichever the rule system.

Command lines go in, and what `affray show --json` prints comes out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import pytest
from msgspec.structs import replace
from tests.fallen_dice import FallenDice

from affray.core.dice import SeededDice
from affray.core.engine import turns
from affray.core.engine.decide import decide
from affray.core.engine.events import AnyEvent, NoteAdded, Rolled, TrackChanged
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.log_lines import outcome_lines
from affray.core.formatting.pieces import steps_in_words
from affray.core.formatting.reports import json_report
from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset


class PlayedFight:
    """Holds a history, and plays commands into it as an open encounter does, without a file.

    `faces` are what the dice show that the program rolls; a command that needs one more is refused.
    `PEOPLE` bring in who is in a game's usual fight, `ORDER` begins it.
    """

    RULESET: ClassVar[str]
    PEOPLE: ClassVar[tuple[str, ...]]
    ORDER: ClassVar[tuple[str, ...]]

    def __init__(self, *lines: str, faces: Iterable[int] = ()) -> None:
        self.ruleset = load_ruleset(self.RULESET)
        self.history = History(Encounter("A test", self.ruleset.id))  # as store.entries begins one
        self.events: tuple[AnyEvent, ...] = ()
        self.do(*lines, faces=faces)

    @property
    def state(self) -> Encounter:
        """The fight as it stands."""
        return self.history.state

    def do(self, *lines: str, faces: Iterable[int] = ()) -> Self:
        """Play commands, one after the other; `undo` takes the last one back."""
        dice = FallenDice(faces)
        for line in lines:
            if line.startswith("undo"):
                steps = int(line.removeprefix("undo").strip() or 1)
                target = self.history.undo_target(steps)
                self.history.apply(Entry(self.history.last + 1, line, to=target))
                continue
            made = decide(self.state, line, self.ruleset, dice, self.history.previous)
            entry = made.entry(self.history.last + 1)
            replayed = evolve_all(self.state, made.events)
            self.history.apply(entry, made.state)
            assert _plain(replayed) == _plain(made.state), f"{line!r} replays to another fight"
            self.events = made.events
        assert dice.left == 0, f"{dice.left} dice were not rolled"
        return self

    def refuses(self, line: str, saying: str, faces: Iterable[int] = ()) -> str:
        """The line that turns a command down, with the words of its reason; nothing has changed."""
        before = self.state
        with pytest.raises(Refused) as refusal:
            decide(before, line, self.ruleset, FallenDice(faces), self.history.previous)
        message = refusal.value.message
        assert self.state is before
        assert "\n" not in message
        assert saying and saying in refusal.value.bare, message
        return message

    def play_anything(self, *lines: str) -> int:
        """Play lines that may be refused, and show the fight after each; how many were played."""
        played = 0
        for line in lines:
            try:
                made = decide(
                    self.state, line, self.ruleset, SeededDice(played), self.history.previous
                )
            except Refused as refusal:
                assert "\n" not in refusal.message
                continue
            self.history.apply(made.entry(self.history.last + 1))
            assert self.shown["title"] == "A test" and all(who for who, _ in self.pending)
            played += 1
        return played

    def edited(self, who: str, **changes: Any) -> Self:
        """The fight as a log that was edited by hand would have it."""
        people = tuple(replace(c, **changes) if c.id == who else c for c in self.state.combatants)
        self.history = History(replace(self.state, combatants=people))
        return self

    @property
    def shown(self) -> dict[str, Any]:
        """What `affray show --json` prints."""
        return json_report(self.history, self.ruleset)

    def who(self, who: str) -> dict[str, Any]:
        """What is shown of a combatant."""
        found: dict[str, Any] = next(c for c in self.shown["combatants"] if c["id"] == who)
        return found

    def __getitem__(self, who: str) -> Combatant:
        return self.state[who]

    def track(self, who: str, name: str) -> int:
        """The value of a track that is shown."""
        return int(self.who(who)["tracks"][name]["value"])

    def total(self, who: str, name: str) -> int:
        """One of the totals that are shown."""
        return int(self.who(who)["totals"][name])

    def effects(self, who: str) -> set[str]:
        """The names of all effects in force on a combatant, implied ones too."""
        return {effect["name"] for effect in self.who(who)["effects"]}

    def until(self, who: str, name: str) -> str:
        """When an effect ends, in words."""
        return next(str(e["until"]) for e in self.who(who)["effects"] if e["name"] == name)

    def option(self, who: str, technique: str) -> dict[str, Any]:
        """A technique, or a power of its own, as it stands for a combatant."""
        options = self.who(who)["options"]
        found: dict[str, Any] = next(o for o in options if o["technique"] == technique)
        return found

    def reason(self, who: str, technique: str) -> str:
        """Why a technique can't be used now; empty when it can."""
        return str(self.option(who, technique).get("reason", ""))

    def why(self, who: str, total: str) -> list[tuple[int | str, str]]:
        """The parts of one of the totals."""
        parts = self.ruleset.numbers.explain(
            self.ruleset.tables, self.state, self.state[who], total
        )
        return [(part.amount, part.source) for part in parts]

    @property
    def pending(self) -> list[tuple[str, str]]:
        """What waits for the GM: whose it is, and what."""
        return [(p.who, p.what) for p in turns.pending(self.ruleset, self.state)]

    @property
    def rolled(self) -> Rolled:
        """The last roll with an outcome of the last command."""
        return self.rolls[-1]

    @property
    def rolls(self) -> list[Rolled]:
        """All rolls with an outcome of the last command, in order."""
        return [e for e in self.events if isinstance(e, Rolled) and e.outcome]

    @property
    def notes(self) -> str:
        """What the rules said along with the last command."""
        return "; ".join(rules_said(self.events, self.state))

    @property
    def outcome(self) -> str:
        """What the last such roll came to."""
        return self.rolled.outcome


def rules_said(events: Iterable[AnyEvent], state: Encounter) -> list[str]:
    """Notes with the names of those whom they are about, and damage of which nothing was left."""
    lines = []
    for event in events:
        if isinstance(event, NoteAdded):
            lines += outcome_lines([event], state, {})
        elif isinstance(event, TrackChanged) and event.parts and not event.by:
            how = steps_in_words(event.parts)
            lines.append(f"{state.name(event.who)} takes no damage ({how})")
    return lines


def _plain(state: Encounter) -> Any:
    return [
        (c.id, c.life, c.tracks, c.effects, c.uses, c.stats, c.name, c.side)
        for c in state.combatants
    ] + [state.phase, state.round, state.turn, state.slots, state.tracks, state.clocks]
