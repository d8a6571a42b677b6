"""Prompts on the fight's screen: begun by a key, fed with keys, and ended by a command."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from affray.core.commands.log_commands import MOVES, query_kind
from affray.core.dice import DiceSource, RecordedDice
from affray.core.engine import amend, turns
from affray.core.engine.decide import Decision, complete
from affray.core.engine.dice_owners import asks_for
from affray.core.engine.events import Rolled
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import AMEND, START, Entry, History, recorded_dice
from affray.core.parser.declarations import PromptSpec
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import AvailableAction, PendingDecision
from affray.store import LogError
from affray.store.inbox import Proposal
from affray.tui.fight_view import FightView
from affray.tui.keymap import (
    BEHIND_INIT,
    COMMAND,
    INIT,
    LAST_ROLL,
    RULES,
    STAYS_OPEN,
    KeyBinding,
    Keymap,
    in_letters,
    key_label,
)
from affray.tui.prompts import follow_ups
from affray.tui.prompts.command_bar import CommandBar, InputState
from affray.tui.prompts.context import AnswerMemory, PromptContext
from affray.tui.prompts.opening import MOST_LOOKED_BACK, begin_prompt, last_struck, why_not
from affray.tui.prompts.preview import MessageKind, PreviewLine, refusal_text
from affray.tui.prompts.prompt import Prompt
from affray.tui.screens.command_preview import (
    describe_done,
    is_reaction,
    preview_command,
    preview_prompt,
)
from affray.tui.terminal import clean_paste
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.log import LogPane
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.turn_order import TurnOrderList

if TYPE_CHECKING:
    from affray.store.open_encounter import OpenEncounter


class PromptLookups(Protocol):
    """The lists that a prompt, or the command bar, may open."""

    def show_help(self) -> None:
        """Show all keys and commands."""

    def show_rules_of(self, prompt: Prompt) -> None:
        """Show the rules for what an open prompt asks for."""

    def show_amending(self, line: str) -> None:
        """Show the result of an amendment of the past."""

    def put_in(self, line: str) -> None:
        """Show the result of the command, inserted after the entry on view."""

    def give_instead(self, prompt: follow_ups.RepeatPrompt) -> None:
        """Give the command in place of the one asked again."""


DECLINE, ANSWER = "decline", "answer"
"""The words of the command bar that decline what a phone proposes, and answer what one asks."""


class PromptProposals(Protocol):
    """The proposals of phones, as the command bar knows them."""

    changing: Proposal | None
    replying: Proposal | None

    @property
    def decisions(self) -> tuple[PendingDecision, ...]:
        """The proposals, as what waits."""

    def reply_for(self, word: str) -> str:
        """Say what a reply with this word is for; empty for nothing."""

    def decline(self, words: str, meant: Proposal | None = None) -> None:
        """Decline this one, or the first."""

    def answer(self, words: str, meant: Proposal | None = None) -> None:
        """Answer this question, or the first."""


class FightHost(Protocol):
    """The fight's screen as its prompts and look-ups know it."""

    encounter: OpenEncounter
    view: FightView
    keymap: Keymap
    cursor: str
    view_at: int | None
    inserting: bool

    @property
    def lookups(self) -> PromptLookups:
        """The lists that can be opened."""

    @property
    def proposals(self) -> PromptProposals:
        """The proposals of players' phones."""

    def own_options(self) -> list[AvailableAction]:
        """The powers on the sheet of the combatant for whom the keys act."""

    def run_binding(self, key: KeyBinding) -> bool:
        """Carry out an entry of the table of keys; returns True if it does anything."""

    def put_cursor(self, combatant_id: str) -> None:
        """Move the cursor to a combatant, by id."""

    def look_at(self, seq: int | None, inserting: bool = False) -> None:
        """Show the fight after an entry, to insert something there or just to look."""

    def run_command(self, line: str) -> bool:
        """Give a command to the encounter; returns True if it was done."""

    def carry_out(self, do: Callable[[], Entry], line: str) -> bool:
        """Have a command done, and show what came of it; returns True if it was done."""

    def publish(self) -> None:
        """Give all panes the present fight."""

    def look_for_what_differs(self) -> None:
        """Find out whether the ledger lacks something of this fight."""

    def show_message(self, text: str, kind: MessageKind = "info") -> None:
        """Show one line in the row of the prompt."""

    def say(self, outlook: PreviewLine) -> None:
        """Show a message, or a refusal with its usage, in the row of the prompt."""


# -------------------------------------------------------------------------------------------------
# The end of a turn, and the past

NEXT = "next"
"""The entry of the table of keys that ends turns."""


def the_past(entry: int) -> str:
    """The reason why nothing can be done while the screen shows an earlier entry."""
    return f"this is entry {entry}: esc goes back to now, enter continues from here"


def _as_typed(entry: Entry) -> str:
    return f"{entry.title}: no prompt can ask for it as typed; `:` and ↑ bring it back"


def _taken_back(history: History) -> list[int]:
    """The entry that was just taken back, if the last command was to take back."""
    last = history.entries.get(history.last)
    if last is None or last.to is None:
        return []
    try:
        return [history.redo_target()]
    except Refused:
        return []


class FightPrompts:
    """The open prompt or command bar of a fight: what begins it, feeds it, and follows it.

    line      the rows in which it is shown
    left      the prompt that goes on in the command bar, to which escape comes back
    typed_on  True if keys are still those of a prompt that is not there
    """

    def __init__(
        self,
        fight: FightHost,
        line: PromptWidget,
        footer: Footer,
        order: TurnOrderList,
        log: LogPane,
        clock: Callable[[], float],
    ) -> None:
        self.fight, self.line = fight, line
        self.footer, self.order, self.log = footer, order, log
        self.left: Prompt | None = None  # the prompt that goes on in the command bar
        self.typed_on = TypedOn(clock)

    def context(self, spec: PromptSpec) -> PromptContext:
        """The fight as that prompt sees it: now, or if its command is to be put in."""
        encounter, history = self.fight.encounter, self.fight.encounter.history
        state, previous, preview = encounter.state, history.previous, encounter.preview
        before = len(history.path)
        if self.fight.inserting:
            before = bisect_right(history.path, self.fight.view_at or START)
            following = history.path[before]
            state, previous = history.before(following), history.previous_of(following)
            preview = partial(encounter.preview_instead, following)
        return PromptContext(
            state,
            encounter.ruleset,
            actor=self.fight.view.actor() if spec.acts or not state.turn else state.turn,
            cursor=self.fight.cursor,
            complete=lambda line: complete(state, line, encounter.ruleset),
            preview_command=Foresight(preview),
            memory=self.memory,
            last_struck=last_struck(history, before),
            previous=previous,
        )

    @property
    def memory(self) -> AnswerMemory:
        """The answers given before: the last targets; names and amounts only from commands that
        aren't undone."""
        memories, history = self.line.memories, self.fight.encounter.history
        last = memories[-1][1] if memories else AnswerMemory()
        stands = (memory for seq, memory in reversed(memories) if history.is_effective(seq))
        in_force = next(stands, AnswerMemory())
        return replace(last, names=in_force.names, amounts=in_force.amounts)

    def _remember(self, memory: AnswerMemory) -> None:
        self.line.memories.append((self.fight.encounter.history.last, memory))

    def show(self, prompt: Prompt) -> None:
        """Show a prompt with its preview."""
        outlook = preview_prompt(self.fight.encounter, self.fight.view, prompt)
        self.line.show(prompt, outlook=outlook)
        self._point_at_people(prompt)
        self.footer.show(prompt)

    def close(self) -> None:
        """Close the prompt and the command bar, without a change."""
        self.fight.proposals.changing = self.fight.proposals.replying = None
        self.line.show()
        self._point_at_people(None)
        self.footer.show(None)

    def _point_at_people(self, prompt: Prompt | None) -> None:
        """Let the order show the numbers that answer the prompt."""
        wanted = prompt is not None and bool(prompt.candidates)
        self.order.light_numbers(wanted)

    def close_if_done(self, done: bool) -> bool:
        """Close the prompt of a command that is done, and show the result. Returns `done`."""
        if done:
            outlook = self.line.message
            self.close()
            if not outlook.text:
                self.fight.show_message(*describe_done(self.fight.encounter))
        return done

    def submit(self, line: str) -> bool:
        """Give a command, or a question. A prompt that is refused stays open, with why below it.

        An insertion is first shown with its changes, and not done yet.
        """
        if query_kind(line) or self.fight.encounter.is_carried_by(line):
            return self._ask_question(line)
        if self.fight.inserting and not line.startswith(MOVES):
            self.fight.lookups.put_in(line)
            return False
        return self.close_if_done(self.fight.run_command(line))

    def _ask_question(self, line: str) -> bool:
        """Show the answer to a question, or why it has none; returns True if it has one.

        Keeping somebody changes the fight's rows, so all is shown anew.
        """
        try:
            result = self.fight.encounter.ask(line)
        except Refused as refusal:
            self.fight.say(refusal_text(line, refusal))
            return False
        except LogError as error:
            self.fight.show_message(str(error), "refused")
            return False
        self.close()
        self.fight.look_for_what_differs()
        self.fight.publish()
        self.fight.show_message(
            " · ".join(result.lines if result else ()) or "there is nothing to explain here"
        )
        return True

    # -- a prompt begins ---------------------------------------------------------------------------

    def open(self, spec: PromptSpec) -> None:
        """Begin a prompt; a command that asks for nothing is given at once.

        The end of a turn waits for what holds it, once.
        """
        inserting = self.fight.inserting
        if self.fight.view_at is not None and not inserting:
            self.fight.show_message(the_past(self.fight.view_at), "refused")
            self.typed_on.begin()
            return
        ends_turn = spec.id == NEXT and not self.fight.encounter.read_only and not inserting
        held = self.fight.encounter.asked_before_end() if ends_turn else []
        if held:
            self.ask_waiting(held)
            return
        view = self.context(spec)
        prompt = begin_prompt(spec, view, self.fight.encounter.read_only)
        if prompt.instant:
            if (not self.submit(prompt.line) or prompt.ended_early) and not inserting:
                self.typed_on.begin()
            return
        self.show(prompt)
        if prompt.barred:
            self.typed_on.begin()

    def ask_waiting(self, waiting: list[PendingDecision]) -> None:
        """Open the prompt for what waits; the key that ends turns leaves it, even where it holds up
        the turn."""
        key = self.fight.keymap.by_id.get(NEXT)
        first = self.fight.encounter.asked_before_end()
        held = any(each in first for each in waiting) and not self.fight.inserting
        ends = key.keys if key is not None and held else ()
        ending = key.prompt.command if key is not None and key.prompt is not None else ""
        view = self.context(follow_ups.WHAT_WAITS)
        self.show(follow_ups.DecisionPrompt(waiting, view, ends, ending))
        if ends:
            state = self.fight.encounter.state
            asks = asks_for(state, view.preview_command.players_dice(ending)[:1])
            ends_it = "ends the turn" if asks else "rolls the rest and ends the turn"
            text = f"{f'{asks}; then ' if asks else ''}{key_label(ends[0])} {ends_it}"
            self.fight.show_message(text, "hint")

    def why_not(self, act: KeyBinding) -> str:
        """The reason why an act can't be done now; empty if it can."""
        spec = act.prompt
        if spec is None or self.fight.encounter.read_only:
            return self.fight.encounter.read_only
        view = self.context(spec)
        return begin_prompt(spec, view).barred or ("" if spec.fields else why_not(spec, view))

    def point_at(self, combatant_id: str) -> bool:
        """Somebody was clicked; returns True if an open prompt took them as an answer."""
        prompt = self.line.prompt
        if prompt is None or not prompt.candidates:
            return False
        prompt.choose(combatant_id)
        self.show(prompt)
        return True

    def paste(self, text: str) -> None:
        """Text was pasted: it goes where words are typed, and is never taken for keys."""
        line, words = self.line, clean_paste(text)
        if line.bar is not None:
            line.bar.paste(words)
            self._show_bar(line.bar)
        elif line.prompt is not None:
            line.prompt.paste(words)
            self.show(line.prompt)

    # -- a prompt is answered ----------------------------------------------------------------------

    def feed(self, prompt: Prompt, pressed: str) -> bool:
        """Give a key to the open prompt, and the command when that finishes it.

        Returns True if the key was for the prompt.
        """
        key, field = self.fight.keymap.find(pressed), prompt.field
        act = key.id if key is not None and not prompt.writes else ""
        if act == RULES and not (pressed.isalnum() or prompt.barred):
            self.fight.lookups.show_rules_of(prompt)
            return True
        if act == COMMAND:  # it goes on as a typed command
            self.open_bar(f"{prompt.answered} ".lstrip(), prompt)
            return True
        # while one initiative after the other is asked for: to begin the fight, or have all roll
        ends_asking = act in BEHIND_INIT and prompt.spec.id == INIT and field and not field.touched
        step = InputState.PASSED if ends_asking else prompt.feed(pressed)
        if step is InputState.PASSED or step is InputState.LEFT:
            self.close()
            if is_reaction(prompt) and not prompt.barred and self.fight.view.state.up is not None:
                self.fight.put_cursor(self.fight.view.state.turn)  # as when it is done
        elif step is InputState.FINISHED:
            self._finish(prompt)
        else:
            self.show(prompt)
        return step is not InputState.PASSED

    def _finish(self, prompt: Prompt) -> None:
        line = self.line
        line.show(prompt)
        if prompt.spec.id == "goto":
            self._look_first(prompt.line)
            return
        if isinstance(prompt, follow_ups.RepeatPrompt):
            self.fight.lookups.give_instead(prompt)
        elif self.submit(prompt.line):
            if isinstance(prompt, follow_ups.DecisionPrompt) and not prompt.over:
                self._ask_on()
            self._remember(follow_ups.remember_answers(self.memory, prompt))
            self._go_on(prompt)
            if prompt.ended_early and not line.is_open:
                self.typed_on.begin(prompt.would_take)

    def _go_on(self, prompt: Prompt) -> None:
        """Open the prompt that follows: the same for the next one, or the damage of those hit."""
        outlook, spec, rule = self.line.message, prompt.spec, prompt.spec.rule
        if spec.id == INIT and not self._next_without_number(spec):
            return
        if spec.id in STAYS_OPEN:
            self.open(spec)
        key = self.fight.keymap.by_id.get(f"prompt.{rule.then}") if rule.then else None
        following = key.prompt if key is not None else None
        if following is not None and rule.takes:
            self._ask_takers(following, rule.takes)
        elif following is not None:
            self._ask_the_next(following, prompt.person)
        if self.line.is_open:
            self.fight.say(outlook)

    def _ask_on(self) -> None:
        """After an answer, open the next prompt that is due, below the message."""
        outlook = self.line.message
        encounter = self.fight.encounter
        first = encounter.asked_before_end()
        pending = turns.pending(encounter.ruleset, encounter.state)
        waiting = [each for each in pending if each.missed or each in first]
        if waiting:
            self.ask_waiting(waiting)
            self.fight.say(outlook)

    def _ask_takers(self, spec: PromptSpec, takes: Mapping[str, str]) -> None:
        """Ask for those who take damage or effects by the rolls of the last command, if any.

        `takes` says how much for each outcome, `all` or `half`.
        """
        history = self.fight.encounter.history
        found = follow_ups.damage_shares(history.entries[history.last].events, takes)
        self._remember(replace(self.memory, people=found.wholly))
        if found.people:
            asked = Prompt(spec, self.context(spec))
            asked.name_people(found)
            self.show(asked)

    def _ask_the_next(self, spec: PromptSpec, last: str) -> None:
        """Ask it for the last character again, or the next who may do it."""
        row = [c.id for c in self.fight.encounter.state.in_order() if c.kind == "pc"]
        at, view = row.index(last) if last in row else 0, self.context(spec)
        following = (
            combatant_id
            for combatant_id in row[at:] + row[:at]
            if not view.barred(f"{spec.command} {combatant_id}")
        )
        combatant_id = next(following, "")
        if combatant_id:
            self.fight.put_cursor(combatant_id)
            self.open(spec)

    def _next_without_number(self, spec: PromptSpec) -> bool:
        """Put the cursor on the next character without initiative, in the order of their joining.

        False for nobody.
        """
        waiting = self.context(spec).unplaced_from(self.fight.cursor)
        followers = [
            combatant_id for combatant_id in waiting if combatant_id != self.fight.cursor
        ] or waiting
        if followers:
            self.fight.put_cursor(followers[0])
        return bool(followers)

    def _look_first(self, line: str) -> None:
        """Show the entry that was asked for; an enter then goes on from there."""
        history = self.fight.encounter.history
        try:
            seq = history.goto_target(int(line.split()[-1]))
        except (Refused, ValueError) as error:
            self.fight.show_message(str(error), "refused")
            return
        self.close()
        self.fight.look_at(seq)
        title = history.entries[seq].title if seq else "the beginning"
        if self.fight.view_at is None:
            self.fight.show_message(f"entry {seq} is now: {title}")
        else:
            key = self.fight.keymap.by_id[LAST_ROLL].shown
            keys = f"{key} amends it, enter continues from here, esc goes back to now"
            self.fight.show_message(f"entry {seq}: {title} · {keys}")

    # -- the command bar ---------------------------------------------------------------------------

    def open_bar(self, text: str = "", of: Prompt | None = None) -> None:
        """Open the command bar, with the words of the prompt from which it goes on."""
        encounter, line = self.fight.encounter, self.line
        if self.fight.inserting:
            text = f"{AMEND} {self.fight.view_at} {amend.INSERT} {text}"
        self.left = of
        given = [c for c in encounter.commands if not c.startswith(MOVES)]
        bar = CommandBar([*given, *line.asked], encounter.complete, text)
        self._show_bar(bar)
        self.footer.show(bar)

    def feed_bar(self, bar: CommandBar, pressed: str) -> None:
        """Give a key to the command bar, and the command when that finishes it."""
        step, left = bar.feed(pressed), self.left
        if step is InputState.LEFT and left is not None:
            self.left = None
            self.show(left)
        elif step is InputState.LEFT or (step is InputState.FINISHED and not bar.text.strip()):
            self.close()
        elif step is InputState.FINISHED:
            self._carry_out(bar.text.strip())
        else:
            self._show_bar(bar)

    def _show_bar(self, bar: CommandBar) -> None:
        """Show the bar with the result of its line; of a reply to a player, what it is for."""
        line = bar.text.casefold()
        word = next((each for each in (DECLINE, ANSWER) if line.startswith(f"{each} ")), "")
        reply = self.fight.proposals.reply_for(word) if word else ""
        ahead = PreviewLine(reply, "hint") if reply else None
        self.line.show(
            bar=bar, outlook=ahead or preview_command(self.fight.encounter, bar.text, True)
        )

    def _carry_out(self, text: str) -> None:
        """Do the command in the bar, or show the answer to a question; an amendment is previewed
        first."""
        if text == "help":
            self.close()
            self.fight.lookups.show_help()
            return
        proposals = self.fight.proposals
        replies = {DECLINE: proposals.decline, ANSWER: proposals.answer}
        reply = replies.get(text.split()[0].casefold())
        if reply is not None and proposals.decisions:
            meant = proposals.replying
            self.close()
            reply(text.partition(" ")[2].strip(), meant)
        elif text.split()[0].casefold() == AMEND:
            self.fight.lookups.show_amending(text)
        elif self.submit(text) and query_kind(text):
            self.line.asked.append(text)

    # -- the last act done once more --------------------------------------------------------------

    def ask_again(self) -> None:
        """Open the prompt of the last thing that the actor did, with its answers but for its
        dice."""
        encounter = self.fight.encounter
        actor = encounter.state.find(self.fight.view.actor())
        barred = self.why_not_repeatable()
        if barred or actor is None:
            self.fight.show_message(barred or "it is nobody's turn", "refused")
            return
        history, specs = encounter.history, self._prompts()

        def make(spec: PromptSpec) -> follow_ups.AgainPrompt:
            return follow_ups.AgainPrompt(spec, view := self.context(spec), why_not(spec, view))

        for seq in history.path[: -MOST_LOOKED_BACK - 1 : -1]:
            entry = history.entries[seq]
            if entry.by == actor.id:
                prompt = follow_ups.refilled(entry, (s for s in specs if s.acts), make)
                if prompt is None:
                    self.fight.show_message(_as_typed(entry), "refused")
                else:
                    self.show(prompt)
                if prompt is not None and prompt.barred:
                    self.typed_on.begin()
                return
        self.fight.show_message(f"{actor.name} has done nothing recently to repeat", "refused")
        self.typed_on.begin()

    def _prompts(self) -> list[PromptSpec]:
        return [key.prompt for key in self.fight.keymap.keys if key.prompt is not None]

    # -- the last roll repeated with its dice: one thing of it changed, given in its place ---------

    def ask_last_roll(self) -> None:
        """Ask the last roll again with the same dice, to replace it with a change; or the entry on
        view, or the one selected in the log.

        A roll just undone counts as the last as well.
        """
        seen, history = self.fight.view_at, self.fight.encounter.history
        barred = self.fight.encounter.read_only
        if not barred and seen is not None and (seen == START or not history.is_effective(seen)):
            barred = f"{the_past(seen)}; you can amend only entries that led to now"
        if barred:
            self.fight.show_message(barred, "refused")
            return
        selected = self.log.selected if seen is None else seen
        if selected is not None:
            self.fight.look_at(None)
            self.ask_entry(selected)
            return
        for seq in (*_taken_back(history), *history.path[: -MOST_LOOKED_BACK - 1 : -1]):
            entry = history.entries[seq]
            prompt = self._asked_again(self._given(seq))
            if prompt is not None and prompt.is_roll:
                self.show(prompt)
                return
            if entry.by and any(isinstance(event, Rolled) for event in entry.events):
                self.fight.show_message(_as_typed(entry), "refused")
                return
        self.fight.show_message("none of the last commands has a roll to reopen", "refused")

    def why_not_repeatable(self) -> str:
        """The reason why no past entry can be changed now; empty where one can."""
        past = the_past(self.fight.view_at) if self.fight.view_at is not None else ""
        return past or self.fight.encounter.read_only

    def begin_insertion(self, seq: int) -> None:
        """Show the fight after an entry, where each key asks for what was forgotten there."""
        if seq == self.fight.encounter.history.head:
            self.fight.show_message(f"entry {seq} is the last: a new command comes after it anyway")
            return
        self.fight.look_at(seq, inserting=True)
        where = f"after entry {seq}" if seq else "at the beginning"
        keys = {name: self.fight.keymap.by_id[name].shown for name in (COMMAND, "leave")}
        text = f"what happened {where}? press its key: it acts in the fight as it was then"
        self.fight.show_message(
            f"{text} · {keys[COMMAND]} types it · {keys['leave']} goes back to now", "hint"
        )

    def ask_entry(self, seq: int) -> None:
        """Ask an entry of the log again: by its prompt, or as it was typed."""
        prompt = self._asked_again(self._given(seq))
        if prompt is not None:
            self.show(prompt)
        else:
            command = self.fight.encounter.history.entries[seq].command
            self.open_bar(f"{AMEND} {amend.Edit(seq, command)}")

    def _asked_again(self, given: follow_ups.GivenCommand) -> follow_ups.RepeatPrompt | None:
        return follow_ups.asked_again(given, self._prompts(), self.context)

    def _given(self, seq: int) -> follow_ups.GivenCommand:
        """An entry, and what would have come of another line in its place, with its dice."""
        encounter = self.fight.encounter
        entry, before = encounter.history.entries[seq], encounter.history.before(seq)
        rolls = recorded_dice(entry.events)

        def preview(line: str, dice: DiceSource) -> Decision:
            return encounter.preview_instead(seq, line, RecordedDice(rolls, dice))

        return follow_ups.GivenCommand(entry, before, preview)

    def ask_step(
        self, amending: amend.Amendment, step: amend.AmendedEntry
    ) -> follow_ups.RepeatPrompt | None:
        """The prompt of a later command in an amended past; None if none asks for it."""
        encounter, old = self.fight.encounter, step.old
        if old is None:
            return None
        entry = replace(old, command=step.command or old.command)
        if step.decision is not None:
            entry = amend.build_entry(step, old.seq)

        def preview(line: str, dice: DiceSource) -> Decision:
            recorded = amend.kept_dice(step, RecordedDice(step.new, dice))
            return amend.decide_step(step, line, encounter.ruleset, recorded, encounter.other_logs)

        return self._asked_again(follow_ups.GivenCommand(entry, step.before, preview, amending))


# -------------------------------------------------------------------------------------------------
# Stray keys: those typed for a prompt that did not open, or closed sooner than expected.
#
# `s 1 0 n 1 8 enter` is a strike, even if the `s` was refused: keys after a refused key belong to
# it, and do nothing.

PAUSE = 1.0
"""Seconds without a key, after which the next one is meant as it stands."""
ENDS = ("enter", "escape")
"""The keys that end an answer, and so what is typed on."""


class TypedOn:
    """A check of each key: it drops keys for an answer that nothing asks for any longer.

    `clock` gives seconds; only differences count.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: float | None = None  # when the last key came that belonged to it
        self._name: str | None = None  # what is left of the name of what has begun already
        self._takes: Callable[[str], bool] | None = None  # tells if the first key belongs to it

    def begin(self, takes: Callable[[str], bool] | None = None) -> None:
        """Take the keys that follow for typed on, if the first is one that `takes` is true of."""
        self._last, self._name, self._takes = self._clock(), None, takes

    def pass_over(self, rest: str) -> None:
        """Take the rest of a name that letters have begun, and `enter` after it, as typed ahead;
        any other key counts as it is."""
        if self._last is None:
            self._last, self._name, self._takes = self._clock(), rest, None

    def end(self) -> None:
        """Take no more keys for typed on."""
        self._last = self._name = None

    def swallows(self, pressed: str) -> bool:
        """True if a key does nothing, since it was typed on. Keys that no answer has, with ctrl or
        a number behind an F, always act, as escape does, which closes what stands there, and `:`,
        which types it."""
        if self._last is None:
            return False
        now = self._clock()
        is_over = now - self._last >= PAUSE or _is_no_answer(pressed)
        takes, self._takes = self._takes, None
        is_over = is_over or (takes is not None and pressed not in ENDS and not takes(pressed))
        if self._name is not None:
            is_over = is_over or not self._is_next_letter(pressed)
        self._last = None if is_over or pressed in ENDS else now
        return not is_over and pressed != "escape"

    def _is_next_letter(self, pressed: str) -> bool:
        """True if the name goes on with that key, or is at its end with enter."""
        if not self._name:
            return pressed == "enter"
        letter, self._name = self._name[0], self._name[1:]
        if letter == " ":
            return pressed == "space" or (len(pressed) == 1 and not pressed.isalnum())
        return in_letters(pressed) == letter


def _is_no_answer(pressed: str) -> bool:
    return "ctrl+" in pressed or pressed == ":" or (pressed[:1] == "f" and pressed[1:].isdecimal())
