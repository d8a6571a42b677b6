"""The state machine: a fight in a file of its own, at the mercy of whoever types."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.invariants.language import (
    CAMPAIGNS,
    MOVES,
    Game,
    any_command,
    anything,
    by_usage,
    words,
)

from affray.core.dice import SeededDice
from affray.core.engine import turn_order, turns
from affray.core.engine.decide import commands_of
from affray.core.formatting.reports import json_report, text_report
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.log_file import read_log
from affray.store.log_recovery import build_history
from affray.store.open_encounter import OpenEncounter

EXAMPLES = int(os.environ.get("INVARIANT_EXAMPLES", "20"))  # more by hand, and others each time
AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def plain(state: Any) -> Any:
    return msgspec.to_builtins(state)


class Fight(RuleBasedStateMachine):
    """A fight of one game in a file of its own, at the mercy of whoever types."""

    game: ClassVar[Game]
    lines: ClassVar[st.SearchStrategy[str]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.lines = any_command(cls.game)

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="affray-"))
        (self.folder / "encounters").mkdir()
        for name in ("bestiary.toml", "rules.toml") if self.game.campaign else ():
            shutil.copy(CAMPAIGNS / self.game.campaign / name, self.folder)
        path = self.folder / "encounters" / "fight.toml"
        ruleset = self.game.ruleset.id
        self.fight = OpenEncounter.create(path, ruleset, "A fight", SeededDice(3), lambda: AT)
        self._looked_at: dict[str, tuple[object, int]] = {}
        for command in self.game.setup:
            self.fight.do(command)

    def _is_as_it_was(self, looked: str) -> bool:
        """Whether nothing was done since this was looked at: most of what is typed is refused."""
        now = (self.fight.state, self.fight.history.last)
        was, self._looked_at[looked] = self._looked_at.get(looked), now
        return was == now

    def teardown(self) -> None:
        self.fight.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @initialize(begun=words("start", "start", "start", "note later"), together=st.booleans())
    def begin(self, begun: str, together: bool) -> None:
        if together:
            assert self.give(f"group {','.join(self.game.pack)} Pack")
        self.give(begun)

    def give(self, command: str) -> bool:
        """Give a command; True when it was taken. Either it is one whole entry, or nothing."""
        path, history = self.fight.path, self.fight.history
        raw, state, last = path.read_bytes(), self.fight.state, history.last
        shape = (list(history.path), len(history.states), len(history.entries))
        try:
            entry = self.fight.do(command)
        except (Refused, LogError) as error:
            assert "\n" not in str(error), (command, str(error))
            assert path.read_bytes() == raw, command
            assert self.fight.state is state, command
            assert (list(history.path), len(history.states), len(history.entries)) == shape
            return False
        assert entry.seq == last + 1 == self.fight.history.last
        now = path.read_bytes()
        assert now.startswith(raw) and now.count(b"\n[[entry]]", len(raw)) == 1
        assert now.endswith(b"seq = %d\n" % entry.seq)
        return True

    @rule(data=st.data())
    def a_command(self, data: st.DataObject) -> None:
        command = data.draw(self.lines)
        before = plain(self.fight.state)
        if self.give(command):
            after = plain(self.fight.state)
            self.fight.do("undo")
            assert plain(self.fight.state) == before, command
            self.fight.do("redo")
            assert plain(self.fight.state) == after, command

    @rule(data=st.data(), count=st.integers(2, 6))
    def several_commands(self, data: st.DataObject, count: int) -> None:
        for _ in range(count):
            self.give(data.draw(self.lines))

    @rule(turns=st.integers(1, 6))
    def time_passes(self, turns: int) -> None:
        if self.fight.state.phase != "combat":
            self.give("start")
        for _ in range(turns):
            self.give("next")

    @precondition(lambda self: self.fight.state.combatants)
    @rule(data=st.data())
    def somebody_suffers(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.fight.state.combatants))
        self.give(data.draw(self.game.suffering).format(who.id))

    @rule(data=st.data())
    def what_waits_is_answered(self, data: st.DataObject) -> None:
        for pending in turns.pending(self.game.ruleset, self.fight.state):
            self.give(data.draw(st.sampled_from(pending.choices)).command)

    @precondition(lambda self: self.fight.state.turn)
    @rule(data=st.data())
    def the_turn_is_used(self, data: st.DataObject) -> None:
        state, ruleset = self.fight.state, self.fight.ruleset
        who = data.draw(st.sampled_from(state.taking_turn()))
        options = ruleset.actions.options(ruleset.tables, state, state[who])
        commands = commands_of(ruleset)
        usable = [commands[o.technique] for o in options if o.available and o.technique in commands]
        if usable:
            verb = data.draw(st.sampled_from(usable))
            by = "" if who == state.turn else f" by {who}"
            self.give(data.draw(by_usage(self.game, verb, anybody=False)) + by)

    @rule(command=MOVES)
    def a_move(self, command: str) -> None:
        self.give(command)

    @rule(data=st.data())
    def nonsense(self, data: st.DataObject) -> None:
        self.give(data.draw(anything(self.game.ruleset)))

    @rule(data=st.data())
    def a_look_ahead_changes_nothing(self, data: st.DataObject) -> None:
        command = data.draw(self.lines)
        raw, state = self.fight.path.read_bytes(), self.fight.state
        with suppress(Refused):
            self.fight.preview(command)
        self.fight.complete(command)
        assert self.fight.state is state
        assert self.fight.path.read_bytes() == raw

    @precondition(lambda self: self.fight.state.combatants)
    @rule(data=st.data())
    def every_number_can_be_asked_for(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.fight.state.combatants))
        ruleset = self.fight.ruleset
        totals = ruleset.numbers.totals(ruleset.tables, self.fight.state, who)
        what = data.draw(st.sampled_from([*who.tracks, *totals]))
        raw = self.fight.path.read_bytes()
        assert self.fight.ask(f"why {who.id} {what}")
        assert self.fight.path.read_bytes() == raw

    @invariant()
    def the_file_is_the_fight(self) -> None:
        if self._is_as_it_was("file"):  # every rule that does nothing says so of the file
            return
        text = read_log(self.fight.path)
        assert not text.notes
        replayed, reason = build_history(text)
        assert reason == ""
        assert replayed.path == self.fight.history.path
        assert plain(replayed.state) == plain(self.fight.state)
        assert replayed.redo_title == self.fight.history.redo_title

    @invariant()
    def tracks_are_within_bounds(self) -> None:
        state = self.fight.state
        rows = [("", state.tracks), *((c.id, c.tracks) for c in state.combatants)]
        for who, tracks in rows:
            for name, track in tracks.items():
                rule = self.fight.ruleset.tables.tracks.get(name)
                assert track.value >= 0 or (rule and rule.below), (who, name, track)
                assert track.max is None or track.value <= track.max, (who, name, track)

    @invariant()
    def ids_are_unique_and_the_turn_is_somebodys(self) -> None:
        state = self.fight.state
        ids = [c.id for c in state.combatants]
        assert len(ids) == len(set(ids))
        assert len({s.who for s in state.slots}) == len(state.slots)
        for combatant in state.combatants:
            effects = [e.id for e in combatant.effects]
            assert len(effects) == len(set(effects)), combatant.id
        assert not state.turn or state.turn in ids

    @invariant()
    def a_group_has_one_place_and_one_turn(self) -> None:
        state = self.fight.state
        for unit in turn_order.turn_units(state.slots):
            places = [state.slots.index(slot) for slot in unit]
            assert places == list(range(places[0], places[0] + len(unit))), unit
            assert len({(slot.initiative, slot.rank) for slot in unit}) == 1, unit
        now = state.taking_turn()
        assert (state.turn in now) if state.turn else not now
        assert len({slot.group or slot.who for slot in state.slots if slot.who in now}) <= 1
        first = turn_order.first_able(state.all_up())
        assert first is None or first.id == state.turn

    @invariant()
    def it_can_be_reported(self) -> None:
        if self._is_as_it_was("report"):
            return
        shown = json_report(self.fight.history, self.fight.ruleset)
        assert json.loads(json.dumps(shown)) == shown
        assert text_report(shown, self.fight.ruleset)


SETTINGS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize="INVARIANT_EXAMPLES" not in os.environ,
    print_blob=True,
)
