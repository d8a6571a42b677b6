"""A fight in memory, for scripts and tools: give it commands, ask it, look at its combatants.

    fight = Fight("orcus", seed=1)
    fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20")
    fight["mira"].hp

A saved fight is a `Fight` with a log: `affray.store.open_encounter.OpenEncounter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

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
from affray.core.engine import turns
from affray.core.engine.amend import Amendment, amend, build_entry, read_edits
from affray.core.engine.decide import Decision, commands_of, complete, decide
from affray.core.engine.dice_owners import players_dice
from affray.core.engine.effects import active_effects, effect_name
from affray.core.engine.history import AMEND, NOWHERE, Entry, History, OtherLogs
from affray.core.engine.state import Combatant, Encounter, Side
from affray.core.formatting.media import WRITTEN
from affray.core.formatting.reports import json_report, text_report
from affray.core.parser.errors import NotInFight, Refused, did_you_mean
from affray.core.parser.targets import resolve
from affray.core.rules.ruleset import AvailableAction, PendingDecision, Ruleset, all_options
from affray.fight_commands import FightCommands, Name
from affray.rulesets import load_ruleset

if TYPE_CHECKING:
    from affray.core.formatting.recap import Recap
    from affray.core.formatting.recap_output import Section

Now = Callable[[], datetime]
ComeTrue = Callable[[Entry, Encounter | None], Entry]


def utc_now() -> datetime:
    """The time for an entry: in UTC, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


class Preview(NamedTuple):
    """A decision with stub dice, and the line, history, head and rules for which it holds."""

    of: tuple[str, History, int, Ruleset]
    dice: StubDice
    decision: Decision


class Fight(FightCommands):
    """A fight by a rule system, in memory.

    >>> fight = Fight("orcus", seed=1)
    >>> fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20")
    <Entry 2: Ghoul 1 and Ghoul 2 join>
    >>> fight["mira"], len(fight), "odo" in fight
    (<Mira: 30/30 HP, up>, 3, False)

    Each command is a method as well. `fight["mira"]` is a combatant, `print(fight)` shows all;
    `in`, `len` and iteration are about the combatants. With a seed the dice fall the same each
    time. Raises Refused for an unknown rule system.
    """

    history: History
    ruleset: Ruleset
    title: str
    dice: DiceSource
    read_time: Now
    other_logs: OtherLogs
    _ahead: Preview | None = None

    def __init__(
        self, ruleset: str | Ruleset, title: str = "Fight", seed: int | None = None
    ) -> None:
        self.ruleset = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        self.title = title
        self.history = History(Encounter(title=title, ruleset=self.ruleset.id))
        self.dice = seeded_dice(seed)
        self.read_time = utc_now
        self.other_logs = NOWHERE

    if not TYPE_CHECKING:  # with it a type checker would let pass every misspelt method

        def __getattr__(self, name: str) -> Any:
            """Say how a command is given that only some games have, and so is no method."""
            command = name.replace("_", "-")
            ruleset = self.__dict__.get("ruleset")  # a copy that is being made has none yet
            is_given = ruleset is not None and command in commands_of(ruleset)
            how = f": fight.give({command!r}, ...) gives that command" if is_given else ""
            raise AttributeError(f"a fight has no {name!r}{how}{did_you_mean(name, dir(self))}")

    # -- giving commands ---------------------------------------------------------------------------

    def do(self, line: str, *more: str, proposal: str = "") -> Entry:
        """Give commands, one after the other; returns the last entry.

        >>> fight.do("damage mira 12 fire", "heal mira 5")
        <Entry 5: Mira is healed>

        `proposal` is the id of a player's proposal that the first command is. Raises Refused at the
        first that can't be done, which changes nothing, and for a proposal that was played before.
        """
        entry = self._given(line, proposal)
        for each in more:
            entry = self._given(each)
        return entry

    def undo(self, entries: int = 1) -> Entry:
        """Undo that many entries. Raises Refused when there are fewer.

        >>> _ = fight.damage("mira", 12)
        >>> fight.undo()
        <Entry 5: undone: Mira takes 12>
        """
        return self.do(f"undo {entries}")

    def redo(self, entries: int = 1) -> Entry:
        """Redo that many undone entries. Raises Refused when there are fewer.

        >>> _ = fight.damage("mira", 12), fight.undo()
        >>> fight.redo()
        <Entry 6: redone: Mira takes 12>
        """
        return self.do(f"redo {entries}")

    def goto(self, seq: int) -> Entry:
        """Go to the fight as it was after entry `seq`, on any branch. Raises Refused.

        >>> _ = fight.damage("mira", 12)
        >>> fight.goto(3)
        <Entry 5: now at: Initiative of Mira: 20>
        """
        return self.do(f"goto {seq}")

    def amend(self, amendment: Amendment | None) -> Entry:
        """Carry out an amendment of the past that was decided.

        >>> _ = fight.damage("mira", 12)
        >>> fight.amend(fight.amendment("amend 4 damage mira 15"))
        <Entry 6: amended: entry 4, Mira takes 15>

        Raises Refused, and changes nothing, when the fight has gone on since, and for None.
        """
        if amendment is None:
            raise Refused("expected an amendment: `amend N COMMAND`")
        return self._amendment_given(amendment)

    def _amendment_given(self, amendment: Amendment) -> Entry:
        return self.do_in_memory(amendment)

    def _given(self, line: str, proposal: str = "") -> Entry:
        return self.do_in_memory(line, proposal)

    def do_in_memory(self, line: str | Amendment, proposal: str = "") -> Entry:
        """Do a command or an amendment in memory alone, even in a fight that has a log.

        >>> fight.do_in_memory("damage mira 12")
        <Entry 4: Mira takes 12>

        Raises Refused.
        """
        if isinstance(line, str):
            amendment = self.amendment(line)
            if amendment is None:
                return self._come_true(*self._decided(line, proposal))
            line = amendment
        return self._amended(line, self._come_true)

    def _decided(self, line: str, proposal: str = "") -> tuple[Entry, Encounter | None]:
        self.history.require_new(proposal)
        move = read_move(self.history, line)
        if move is not None:
            return entry_of_move(self.history, move, self.read_time()), None
        decision = self.preview(line)
        entry = decision.entry(self.history.last + 1, self.read_time())
        return replace(entry, proposal=proposal), decision.state

    def _amended(self, amendment: Amendment, come_true: ComeTrue) -> Entry:
        """Write the amended past aside, and last the entry that moves to it.

        So the fight changes only when all of the amended past is there.
        """
        if amendment.head != self.history.head:
            raise Refused("not amended: the fight has changed since you looked")
        parent = amendment.parent
        for step in amendment.steps:
            if step.decision is not None:
                entry = replace(build_entry(step, self.history.last + 1), parent=parent)
                parent = come_true(entry, step.decision.state).seq
        there = Entry(
            self.history.last + 1,
            amendment.line,
            text=amendment.title,
            at=self.read_time(),
            verb=AMEND,
        )
        if parent == amendment.parent:  # no step is left, but the move needs an entry to lead to
            parent = come_true(replace(there, parent=parent), None).seq
        return come_true(replace(there, seq=self.history.last + 1, to=parent), None)

    def _come_true(self, entry: Entry, state: Encounter | None) -> Entry:
        self.history.apply(entry, state)
        return entry

    def do_instead(self, seq: int, line: str, dice: Sequence[RecordedDie]) -> Entry:
        """Undo entry `seq` and all that follow it, and give a command in its place.

        >>> from affray.core.engine.history import recorded_dice
        >>> _ = fight.damage("mira", "3d6")
        >>> fight.do_instead(4, "damage ghoul-1 3d6", recorded_dice(fight.entries[-1].events))
        <Entry 6: Ghoul 1 takes 12>

        The entry may just have been undone. `dice` fall again as they were recorded. Raises as
        `do`; when the command can't be done, nothing has changed.
        """
        if (
            not self.history.is_effective(seq)
            and self.history.parents.get(seq) != self.history.head
        ):
            raise Refused(f"entry {seq} is already undone, so it can't be replaced")
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
        """Decide what a command would do now; nothing changes.

        >>> decision = fight.preview("damage mira 12")
        >>> decision.text, decision.state["mira"].track("hp"), fight["mira"].hp
        ('Mira takes 12', 18, 30)

        Raises Refused when it can't be done.

        A decision with stub dice, none of which was thrown, is used again when the line is given.
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
        """The last preview's decision, if line, fight and dice are the same."""
        ahead = self._ahead
        if ahead is None or ahead.of != of:
            return None
        if isinstance(dice, StubDice) and dice.high is ahead.dice.high:
            dice.thrown += ahead.dice.thrown
            return ahead.decision
        return None if ahead.dice.thrown else ahead.decision

    def asked_before_end(self) -> list[PendingDecision]:
        """The decisions to ask for before the turn ends: those that hold the turn, those that
        whoever's turn it is would miss, and those that would otherwise be rolled for a player's
        character.

        >>> _ = fight.start(), fight.damage("mira", 30)
        >>> _ = fight.do("next", "next", "next")
        >>> [(decision.who, decision.what) for decision in fight.asked_before_end()]
        [('mira', 'Mira is dying: death save')]
        """
        state = self.state
        waiting = turns.pending(self.ruleset, state)
        rolled = self._rolled_by_next() if waiting else frozenset()
        return [
            each
            for each in waiting
            if each.who in rolled or (state.takes_turn(each.who) and (each.holds or each.missed))
        ]

    def _rolled_by_next(self) -> frozenset[str]:
        """The ids of the players' characters for whom the end of the turn would roll."""
        try:
            decision = self.preview("next", dice := StubDice(high=False))
        except Refused:
            return frozenset()
        rolls = players_dice(decision.state, decision.events, dice)
        return frozenset(roll.who for roll in rolls)

    def preview_instead(self, seq: int, line: str, dice: DiceSource) -> Decision:
        """Decide what a command would have done in place of entry `seq`. Raises Refused.

        >>> _ = fight.damage("mira", 12)
        >>> fight.preview_instead(4, "damage mira 15", fight.dice)
        <Decision: Mira takes 15>
        """
        history = self.history
        before, previous = history.before(seq), history.previous_of(seq)
        return decide(before, line, self.ruleset, dice, previous, other_logs=self.other_logs)

    def amendment(self, line: str, seen: Amendment | None = None) -> Amendment | None:
        """Decide what an `amend` would change, for `amend` to do; None for any other line.

        >>> _ = fight.damage("mira", 12)
        >>> fight.amendment("amend 4 damage mira 15").state["mira"].track("hp")
        15

        New dice fall as they did in `seen`, an earlier decision about the same. Raises Refused when
        it can't be done.
        """
        edits = read_edits(self.history, line)
        if edits is None:
            return None
        return amend(self.history, self.ruleset, edits, self.dice, self.other_logs, seen)

    def preview_command(self, line: str) -> str | None:
        """Describe what undo, redo or goto would do; None for any other command.

        >>> fight.preview_command("undo 2")
        'undoes 2: Initiative of Mira: 20; Ghoul 1 and Ghoul 2 join'

        Raises Refused when it can't be done.
        """
        move = read_move(self.history, line)
        return None if move is None else move_in_words(self.history, move.verb, move.to)

    def complete(self, line: str) -> list[str]:
        """List the words that could complete the last word of a line.

        >>> fight.complete("damage gho")
        ['ghoul-1', 'ghoul-2']
        """
        return complete(self.state, line, self.ruleset)

    def ask(self, line: str, medium: int = WRITTEN) -> QueryResult | None:
        """Answer a question, such as `why mira ac` or `roll 4d6`; None for any other line.

        >>> fight.ask("roll 4d6kh3").lines
        ['4d6kh3 → [(1), 6, 5, 2] 13']

        Nothing changes. Raises Refused when there is no answer.
        """
        return answer_query(self.history, line, self.ruleset, self.dice, self.other_logs, medium)

    def why(self, combatant: Name, number: str) -> list[str]:
        """Explain in lines where a combatant's number comes from, or one of the GM's: `gm`.

        >>> _ = fight.damage("mira", 12, "fire")
        >>> fight.why("mira", "hp")
        ['Mira: HP 18/30', '4  −12 12 fire  (Mira takes 12 fire)', '1  began at 30  (Mira joins)']
        """
        whose = "gm" if combatant == "gm" else f'"{self[combatant].id}"'
        result = self.ask(f"why {whose} {number}")
        return result.lines if result is not None else []

    def options(self, combatant: Name) -> list[AvailableAction]:
        """All actions of a combatant, with what each costs now, and why it can't be used.

        >>> _ = fight.start()
        >>> [option.technique for option in fight.options("mira") if option.available][:3]
        ['attack', 'cast', 'magic']
        """
        return [*all_options(self.ruleset, self.state, self[combatant].now)]

    # -- looking -----------------------------------------------------------------------------------

    @property
    def state(self) -> Encounter:
        """The fight as it stands: a value that never changes, the next one is made of it.

        >>> before = fight.state
        >>> _ = fight.damage("mira", 12)
        >>> before["mira"].track("hp"), fight.state["mira"].track("hp")
        (30, 18)
        """
        return self.history.state

    @property
    def up(self) -> Who | None:
        """The combatant whose turn it is, of a group the first; None for nobody.

        >>> _ = fight.start()
        >>> fight.up, fight.state.round, fight.state.phase
        (<Mira: 30/30 HP, up>, 1, 'combat')
        """
        return Who(self, self.state.turn) if self.state.turn else None

    @property
    def entries(self) -> list[Entry]:
        """The entries in force, oldest first, without those that were undone.

        >>> for entry in fight.entries:
        ...     print(entry.seq, entry.command)
        1 add pc Mira hp 30 ac 15
        2 add monster Ghoul x2 hp 20
        3 init mira 20
        """
        return [self.history.entries[seq] for seq in self.history.path]

    def describe(self, entry: Entry) -> list[str]:
        """Describe an entry as the log does: its title, then each outcome.

        >>> fight.describe(fight.damage("mira", 12, "fire"))
        ['Mira takes 12 fire', '−12 HP, 18 left']
        """
        from affray.core.formatting.log_lines import entry_pieces  # here: only some fights are told

        return entry_pieces(entry, self.history.before(entry.seq), self.ruleset.tables.tracks)

    def recap(self, for_players: bool = False) -> Recap:
        """Return the figures of the fight so far: who dealt and took how much, round by round.

        >>> _ = fight.start(), fight.damage("mira", 12)
        >>> recap = fight.recap()
        >>> recap.rounds, [(person.name, person.taken) for person in recap.people]
        (1, [('Mira', 12), ('Ghoul 1', 0), ('Ghoul 2', 0)])

        Args:
            for_players: True if all that the players don't know is left out.
        """
        from affray.core.formatting.recap import recap_of  # here: few fights are summed up
        from affray.core.formatting.recap_output import players_recap

        return (players_recap if for_players else recap_of)(self.history, self.ruleset)

    def recap_sections(self, for_players: bool = False) -> list[Section]:
        """Return the recap in words, as `affray recap` prints it: headings with lines and tables.

        >>> _ = fight.start(), fight.damage("mira", 12)
        >>> [section.heading for section in fight.recap_sections()][:4]
        ['Fight', 'Turning points', 'How it went', 'Who did what']

        Args:
            for_players: True if all that the players don't know is left out.
        """
        from affray.core.formatting.recap_output import sections_of

        return sections_of(self.recap(for_players))

    def report(self) -> dict[str, Any]:
        """The fight as plain dicts, lists, numbers and texts, as `affray show --json` prints it.

        >>> report = fight.report()
        >>> report["order"], report["combatants"][0]["initiative"]
        (['mira', 'ghoul-1', 'ghoul-2'], 20)
        """
        return json_report(self.history, self.ruleset)

    def __getitem__(self, name: Name) -> Who:
        """A combatant, named as in a command.

        Raises NotInFight, which is a Refused and a LookupError, when nobody has that name.
        """
        word = name if isinstance(name, str) else getattr(name, "id", None)
        if not isinstance(word, str):
            raise TypeError(f"expected the name of a combatant, found {name!r}")
        try:
            return Who(self, resolve(self.state, word).id)
        except Refused as refusal:
            raise NotInFight(refusal.bare, refusal.candidates) from None

    def __contains__(self, who: object) -> bool:
        """True if a combatant has that name: `"mira" in fight`."""
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
        """True, even before anybody has joined."""
        return True

    def __iter__(self) -> Iterator[Who]:
        """The combatants, in the order of their turns."""
        return (Who(self, each.id) for each in self.state.in_order())

    def __str__(self) -> str:
        """The whole fight, as `affray show` prints it."""
        shown = json_report(self.history, self.ruleset, options=False)
        return "\n".join(text_report(shown, self.ruleset))

    def __repr__(self) -> str:
        state = self.state
        stands = f"round {state.round}" if state.in_combat else state.phase
        up = f", {state.name(state.turn)} is up" if state.turn else ""
        return f"<{type(self).__name__} {state.ruleset}: {stands}{up}, entry {self.history.last}>"


class Who:
    """A combatant of a fight, always as they are now.

    >>> mira = fight["mira"]
    >>> _ = fight.damage("mira", 12)
    >>> mira.hp, mira.max_hp, mira.ac, mira.life, mira.side
    (18, 30, 15, 'up', 'party')

    Their tracks, totals and the numbers of their sheet are attributes: `hp`, `ac`, `level`. A
    number that they don't have raises AttributeError.
    """

    __slots__ = ("_fight", "id")

    id: str
    """The word by which they go in commands."""
    hp: int
    """Their HP."""

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
        """Their present state. Raises Refused when they have left the fight.

        >>> fight["mira"].now.track("hp"), fight["mira"].now.kind
        (30, 'pc')
        """
        return resolve(self._fight.state, self.id)

    @property
    def name(self) -> str:
        """Their name as it is shown."""
        return self.now.name

    @property
    def side(self) -> Side:
        """Their side: `party`, `foes`, `others` or `world`."""
        return self.now.side

    @property
    def max_hp(self) -> int:
        """Their HP when nothing is lost; 0 if no maximum is known."""
        track = self.now.tracks.get(self._fight.ruleset.tables.health)
        return (track.max or 0) if track is not None else 0

    @property
    def life(self) -> str:
        """The life of the combatant: `up`, `dying`, `stable`, `unconscious`, `defeated` or
        `dead`."""
        return self.now.life

    @property
    def effects(self) -> list[str]:
        """The names of the effects in force on the combatant.

        >>> _ = fight.inflict("mira", ["prone", "poisoned"])
        >>> fight["mira"].effects
        ['prone', 'poisoned']
        """
        tables = self._fight.ruleset.tables
        return [
            effect_name(tables, name)
            for name in active_effects(tables, self._fight.state, self.now)
        ]

    @property
    def numbers(self) -> dict[str, Any]:
        """Their tracks, their totals and their sheet's numbers, by name.

        >>> fight["ghoul-1"].numbers["hp"]
        20
        """
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
        tables = self._fight.ruleset.tables
        left = tables.health_of(self.now)
        has = f"{left.value}/{left.max} {tables.health_label}, " if left is not None else ""
        return f"<{self.name}: {has}{self.life}>"
