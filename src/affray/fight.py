"""A fight in memory, for scripts and tools: give it commands, ask it, look at anybody in it.

    fight = Fight("orcus", seed=1)
    fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20")
    fight["mira"].hp

One that is saved is a `Fight` with a log: `affray.store.open_encounter.OpenEncounter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.commands.log_commands import entry_of_move, move_in_words, read_move
from affray.core.commands.queries import QueryResult, answer_query
from affray.core.dice import (
    DiceSource,
    RecordedDice,
    RecordedDie,
    StubDice,
    seeded_dice,
    system_dice,
)
from affray.core.engine.amend import Amendment, amend, build_entry, read_edits
from affray.core.engine.decide import Decision, complete, decide
from affray.core.engine.effects import active_effects, effect_name
from affray.core.engine.history import AMEND, NOWHERE, Entry, History, OtherLogs
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.reports import json_report, text_report
from affray.core.parser.errors import NotInFight, Refused, did_you_mean
from affray.core.parser.targets import resolve
from affray.core.rules.ruleset import AvailableAction, Ruleset, all_options
from affray.rulesets import load_ruleset

Now = Callable[[], datetime]
ComeTrue = Callable[[Entry, Encounter | None], Entry]


def utc_now() -> datetime:
    """The time as entries bear it: in UTC, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


class Preview(NamedTuple):
    """A decision with stub dice, and the line, history, head and rules for which it holds."""

    of: tuple[str, History, int, Ruleset]
    dice: StubDice
    decision: Decision


class Fight:
    """A fight by one of the rule systems: `Fight("orcus")`, or with dice that fall the same each
    time, `Fight("orcus", seed=1)`.

    `do` gives commands, `fight["mira"]` is somebody in it, `print(fight)` shows all; `in`, `len`
    and iteration go by the combatants. Raises Refused for a rule system that is not there.
    """

    history: History
    ruleset: Ruleset
    title: str
    dice: DiceSource
    clock: Now
    other_logs: OtherLogs
    _ahead: Preview | None = None

    def __init__(self, ruleset_id: str, title: str = "Fight", seed: int | None = None) -> None:
        self.ruleset = load_ruleset(ruleset_id)
        self.title = title
        self.history = History(Encounter(title=title, ruleset=ruleset_id))
        self.dice = seeded_dice(seed)
        self.clock = utc_now
        self.other_logs = NOWHERE

    # -- giving commands ---------------------------------------------------------------------------

    def do(self, line: str, *more: str) -> Entry:
        """Give commands, one after the other; gives the last entry.

        Raises Refused at the first that can't be done, which changes nothing.
        """
        entry = self._given(line)
        for each in more:
            entry = self._given(each)
        return entry

    def undo(self, entries: int = 1) -> Entry:
        """Take back so many entries. Raises Refused when there are fewer."""
        return self.do(f"undo {entries}")

    def redo(self, entries: int = 1) -> Entry:
        """Bring back so many entries that were taken back. Raises Refused when there are fewer."""
        return self.do(f"redo {entries}")

    def goto(self, seq: int) -> Entry:
        """Go to how the fight was after entry `seq`, on whatever branch. Raises Refused."""
        return self.do(f"goto {seq}")

    def amend(self, amendment: Amendment) -> Entry:
        """Let an amendment come true, as it was looked at: `fight.amend(fight.amendment(line))`.

        Raises Refused when the fight has gone on since, which changes nothing.
        """
        return self.do_in_memory(amendment)

    def _given(self, line: str) -> Entry:
        return self.do_in_memory(line)

    def do_in_memory(self, line: str | Amendment) -> Entry:
        """Let a command, or an amendment, come true in memory alone, whatever else keeps the fight.
        Raises Refused.

        Of a fight in memory, that is all there is to do.
        """
        if isinstance(line, str):
            amendment = self.amendment(line)
            if amendment is None:
                return self._come_true(*self._decided(line))
            line = amendment
        return self._amended(line, self._come_true)

    def _decided(self, line: str) -> tuple[Entry, Encounter | None]:
        move = read_move(self.history, line)
        if move is not None:
            return entry_of_move(self.history, move, self.clock()), None
        decision = self.preview(line)
        return decision.entry(self.history.last + 1, self.clock()), decision.state

    def _amended(self, amendment: Amendment, come_true: ComeTrue) -> Entry:
        """Write the amended past aside, and last the entry that leads to it: so the fight is
        another one only when all of it is there."""
        if amendment.head != self.history.head:
            raise Refused("not amended: the fight has gone on since that was looked at")
        parent = amendment.parent
        for step in amendment.steps:
            if step.decision is not None:
                entry = replace(build_entry(step, self.history.last + 1), parent=parent)
                parent = come_true(entry, step.decision.state).seq
        there = Entry(
            self.history.last + 1, amendment.line, text=amendment.title, at=self.clock(), verb=AMEND
        )
        if parent == amendment.parent:  # nothing is left of it: a place to stand on, all the same
            parent = come_true(replace(there, parent=parent), None).seq
        return come_true(replace(there, seq=self.history.last + 1, to=parent), None)

    def _come_true(self, entry: Entry, state: Encounter | None) -> Entry:
        self.history.apply(entry, state)
        return entry

    def do_instead(self, seq: int, line: str, dice: Sequence[RecordedDie]) -> Entry:
        """Take back entry `seq` with all behind it, and give a command in its place.

        It may be the one that was just taken back. `dice` are dice, which fall so again. Raises as
        `do`; when the command can't be done, nothing has changed.
        """
        if (
            not self.history.is_effective(seq)
            and self.history.parents.get(seq) != self.history.head
        ):
            raise Refused(f"entry {seq} is taken back already, so nothing can take its place")
        self.preview_instead(seq, line, RecordedDice(dice, system_dice()))
        back, _ = self.history.way_to(self.history.parents[seq])
        if back:
            self.do(f"undo {back}")
        others = self.dice
        self.dice = RecordedDice(dice, others)
        try:
            return self.do(line)
        finally:
            self.dice = others

    # -- asking ------------------------------------------------------------------------------------

    def preview(self, line: str, dice: DiceSource | None = None) -> Decision:
        """Decide what a command would do now; nothing changes. Raises Refused when it can't be
        done.

        What was looked at with sham dice, of which none fell, is what it is when it is given.
        """
        of = (line, self.history, self.history.head, self.ruleset)
        decision = self._seen_ahead(of, dice)
        if decision is not None:
            return decision
        dice, previous = dice or self.dice, self.history.previous
        result = decide(self.state, line, self.ruleset, dice, previous, other_logs=self.other_logs)
        if isinstance(dice, StubDice) and not result.looked_elsewhere:
            self._ahead = Preview(of, dice, result)
        return result

    def _seen_ahead(
        self, of: tuple[str, History, int, Ruleset], dice: DiceSource | None
    ) -> Decision | None:
        """What was looked at last, if it is that line, nothing has changed, and dice fall alike."""
        ahead = self._ahead
        if ahead is None or ahead.of != of:
            return None
        if isinstance(dice, StubDice) and dice.high is ahead.dice.high:
            dice.thrown |= ahead.dice.thrown
            return ahead.decision
        return None if ahead.dice.thrown else ahead.decision

    def preview_instead(self, seq: int, line: str, dice: DiceSource) -> Decision:
        """Decide what a command would have done in place of entry `seq`. Raises Refused."""
        history = self.history
        before, previous = history.before(seq), history.previous_of(seq)
        return decide(before, line, self.ruleset, dice, previous, other_logs=self.other_logs)

    def amendment(self, line: str, seen: Amendment | None = None) -> Amendment | None:
        """Decide what an `amend` would change, for `amend` to do; None for any other line.

        Dice that are new in it fall as they did in `seen`, one that was looked at before. Raises
        Refused when it can't be done.
        """
        edits = read_edits(self.history, line)
        if edits is None:
            return None
        return amend(self.history, self.ruleset, edits, self.dice, self.other_logs, seen)

    def preview_command(self, line: str) -> str | None:
        """Describe what undo, redo or goto would do; None for any other command.

        Raises Refused when it can't be done.
        """
        move = read_move(self.history, line)
        return None if move is None else move_in_words(self.history, move.verb, move.to)

    def complete(self, line: str) -> list[str]:
        """List the words that could complete the last word of a line."""
        return complete(self.state, line, self.ruleset)

    def ask(self, line: str) -> QueryResult | None:
        """The answer to a question, such as `why mira ac` or `roll 4d6`, which changes nothing in
        the fight; None for what is no question. Raises Refused for one that has no answer."""
        return answer_query(self.history, line, self.ruleset, self.dice, self.other_logs)

    def why(self, combatant_id: str, number: str) -> list[str]:
        """Lines that say where a number of somebody comes from: `why("mira", "hp")`; of the
        GM's, `why("gm", "threads")`."""
        whose = combatant_id if combatant_id == "gm" else f'"{self[combatant_id].id}"'
        result = self.ask(f"why {whose} {number}")
        return result.lines if result is not None else []

    def options(self, combatant_id: str) -> list[AvailableAction]:
        """Everything that somebody could do: what it costs now, and why it can't be used."""
        return all_options(self.ruleset, self.state, self[combatant_id].now)

    # -- looking -----------------------------------------------------------------------------------

    @property
    def state(self) -> Encounter:
        """The fight as it stands."""
        return self.history.state

    @property
    def entries(self) -> list[Entry]:
        """The entries that count now, the oldest first; what was undone is not among them."""
        return [self.history.entries[seq] for seq in self.history.path]

    def report(self) -> dict[str, Any]:
        """The fight as plain dicts, lists, numbers and texts, as `affray show --json` prints it."""
        return json_report(self.history, self.ruleset)

    def __getitem__(self, name: str) -> Who:
        """Somebody, named as in a command.

        Raises NotInFight, which is a Refused and a LookupError, when nobody is called so.
        """
        try:
            return Who(self, resolve(self.state, name).id)
        except Refused as refusal:
            raise NotInFight(refusal.bare, refusal.candidates) from None

    def __contains__(self, who: object) -> bool:
        """True if somebody in the fight is called so: `"mira" in fight`."""
        if isinstance(who, Who):
            return who in list(self)
        try:
            return isinstance(who, str) and bool(self[who].id)
        except NotInFight:
            return False

    def __len__(self) -> int:
        """The number of combatants."""
        return sum(1 for _ in self.state.in_order())

    def __bool__(self) -> bool:
        """True: a fight is one before anybody has joined, too."""
        return True

    def __iter__(self) -> Iterator[Who]:
        """Everybody, in the order of their turns."""
        return (Who(self, each.id) for each in self.state.in_order())

    def __str__(self) -> str:
        """The whole fight, as `affray show` prints it."""
        shown = json_report(self.history, self.ruleset, options=False)
        return "\n".join(text_report(shown, self.ruleset))

    def __repr__(self) -> str:
        state = self.state
        stands = f"round {state.round}" if state.phase == "combat" else state.phase
        up = f", {state.name(state.turn)} is up" if state.turn else ""
        return f"<{type(self).__name__} {state.ruleset}: {stands}{up}, entry {self.history.last}>"


class Who:
    """Somebody in a fight, as they stand whenever they are asked.

    Their tracks, totals and the numbers of their sheet are attributes: `hp`, `ac`, `level`. What
    they have none of raises AttributeError.
    """

    __slots__ = ("_fight", "id")

    def __init__(self, fight: Fight, combatant_id: str) -> None:
        self._fight = fight
        self.id = combatant_id

    def __eq__(self, other: object) -> bool:
        """True for the same combatant of the same fight."""
        if not isinstance(other, Who):
            return NotImplemented
        return self._fight is other._fight and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self._fight), self.id))

    @property
    def now(self) -> Combatant:
        """All that is known of them. Raises Refused when they have left the fight."""
        return resolve(self._fight.state, self.id)

    @property
    def name(self) -> str:
        """Their name as it is shown."""
        return self.now.name

    @property
    def life(self) -> str:
        """The life of the combatant: `up`, `dying`, `stable`, `unconscious`, `defeated` or
        `dead`."""
        return self.now.life

    @property
    def effects(self) -> list[str]:
        """The names of the effects in force on the combatant."""
        tables = self._fight.ruleset.tables
        return [
            effect_name(tables, name)
            for name in active_effects(tables, self._fight.state, self.now)
        ]

    @property
    def numbers(self) -> dict[str, Any]:
        """Their tracks, their totals and their sheet's numbers, by name."""
        combatant, rules = self.now, self._fight.ruleset
        tracks = {name: track.value for name, track in combatant.tracks.items()}
        return {
            **combatant.stats,
            **rules.numbers.totals(rules.tables, self._fight.state, combatant),
            **tracks,
        }

    def __getattr__(self, name: str) -> Any:
        numbers = self.numbers
        if name in numbers:
            return numbers[name]
        raise AttributeError(f"{self.id} has no {name!r}{did_you_mean(name, numbers)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.numbers]

    def __repr__(self) -> str:
        hp = self.now.tracks.get("hp")
        has = f"{hp.value}/{hp.max} HP, " if hp is not None else ""
        return f"<{self.name}: {has}{self.life}>"
