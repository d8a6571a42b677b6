"""What players' phones propose, on the GM's screen: it waits at the turn's edge, never in the way.

A proposal that is accepted is a command like any other. It is taken out of the inbox, decided and
saved with its id, and only then forgotten: a crash at any time neither loses one nor plays it
twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from affray.core.engine.decide import faults_by_their_place
from affray.core.engine.dice_owners import PlayersDie, asks_for
from affray.core.engine.settings import PLAYERS_ACT
from affray.core.formatting.log_lines import entry_line
from affray.core.parser.errors import GameFault, Refused
from affray.core.rules.ruleset import DecisionOption, PendingDecision
from affray.store import LogError
from affray.store.inbox import Inbox, Proposal, dice_left_out, only_looks, trusted
from affray.store.phones import Phones
from affray.tui.screens.command_preview import preview_command
from affray.tui.screens.fight_prompts import ANSWER, DECLINE, FightHost

if TYPE_CHECKING:
    from affray.core.engine.history import Entry
    from affray.tui.screens.fight_prompts import FightPrompts

LOOK_EVERY = 0.15
"""Seconds between two looks into the inbox."""
ACCEPT, CHANGE = "accept", "change"
MOST_SHOWN = 9
"""The proposals that are shown, each with its preview; the others wait after them."""


class ProposalsHost(FightHost, Protocol):
    """The fight's screen, as the proposals know it."""

    prompts: FightPrompts

    def ring_for(self, waiting: list[str]) -> None:
        """Ring for waiting proposals, if the GM wants that."""


class FightProposals:
    """The proposals that wait: oldest first, those of whoever's turn it is on top.

    `changing` is the one whose command is in the command bar, `replying` the one for which the GM
    types a reply there: others may come before it meanwhile.
    """

    def __init__(self, fight: ProposalsHost) -> None:
        self._fight = fight
        self._inbox = Inbox(fight.encounter.path)
        self.phones = Phones(fight.encounter.path)
        self.changing: Proposal | None = None
        self.replying: Proposal | None = None
        self._seen: tuple[object, ...] = ()
        self._head: object = None
        self._rows: tuple[Proposal, ...] = ()
        self._decisions: tuple[PendingDecision, ...] = ()

    def recover(self) -> None:
        """Settle the proposals that an earlier program had taken when it ended."""
        self._inbox.recover(self._fight.encounter.history)

    def look(self) -> None:
        """Look for news in the inbox; proposals that need no GM are played at once."""
        encounter = self._fight.encounter
        waiting, state = self._inbox.waiting(), encounter.state
        for line in filter(None, [self._inbox.left_alone(), self.phones.left_alone()]):
            self._fight.show_message(line, "warning")
        acts = PLAYERS_ACT.value(state)
        held = acts == "trusted" and self._fight.prompts.line.is_open
        seen = (waiting, acts, encounter.history.last, self.phones.rights(), held)
        if seen == self._seen:
            return
        self._seen = seen  # a fault in the game's code is met once
        rows = self._inbox.for_gm(encounter.history, self.phones)
        if self._rows and self._head == encounter.history.last:
            # What the GM is reading stays on top till the fight goes on: a key is meant for it.
            first = self._rows[0].id
            rows.sort(key=lambda row: row.id != first)
        if acts == "trusted" and self._play_trusted(rows):
            self._seen = ()
            return
        self._head = encounter.history.last
        was, self._rows = self._rows, tuple(rows)
        self._decisions = tuple(map(self._decision, rows[:MOST_SHOWN]))
        if was or rows:
            self._fight.publish()
        self._fight.ring_for([row.id for row in rows])

    @property
    def decisions(self) -> tuple[PendingDecision, ...]:
        """The proposals as decisions that wait."""
        return self._decisions

    def _decision(self, row: Proposal) -> PendingDecision:
        encounter = self._fight.encounter
        name = encounter.state.name(row.character)
        if row.asks_to_play:
            what = f"{name}'s phone?"
        elif row.asks:
            what = f"{self.phones.called(row.sender, name)} asks: {row.words}"
        else:
            comes = f" → {ahead}" if (ahead := self._ahead(row)) else ""
            what = f"{self.phones.called(row.sender, name)}: {row.words or row.command}{comes}"
        first = {"accept": ANSWER if row.asks else ACCEPT}
        second = {} if row.asks or row.asks_to_play else {"change": CHANGE}
        choices = {**first, **second, "decline": DECLINE}
        keys = self._fight.view.key_for
        return PendingDecision(
            row.character,
            what,
            tuple(DecisionOption(keys(f"proposal.{key}"), choices[key], "") for key in choices),
        )

    def _ahead(self, row: Proposal) -> str:
        """Preview a proposal in words; or give the fault in the game's code."""
        encounter = self._fight.encounter
        try:
            with faults_by_their_place(encounter.ruleset):
                asks = asks_for(encounter.state, dice_left_out(row, encounter))
                ahead = preview_command(encounter, row.command, asks=asks)
        except GameFault as fault:
            return str(fault)
        return ahead.says if ahead is not None and ahead.text else ""

    # -- what the GM does --------------------------------------------------------------------------

    def accept(self) -> bool:
        """Accept the first of them, or ask for the answer to it; False if nothing waits."""
        row = next(iter(self._rows), None)
        if row is None:
            return False
        if row.asks:
            self._reply(row, ANSWER)
            return True
        if row.asks_to_play:
            self._let_in(row)
        elif dice := dice_left_out(row, self._fight.encounter):
            self._ask_for(row, dice)
            return True
        else:
            self._play_accepted(row, row.command)
        self.look()
        return True

    def _ask_for(self, row: Proposal, dice: list[PlayersDie]) -> None:
        """Ask for dice that a player has left out: `r` rolls them, and the key that changes a
        proposal has them typed."""
        state = self._fight.encounter.state
        whose = self.phones.called(row.sender, state.name(row.character))
        what = f"{whose}: {row.words or row.command}"
        self._fight.prompts.close()
        self._fight.prompts.ask_waiting(
            [PendingDecision(row.character, what, (DecisionOption("r", "roll", row.command),))]
        )
        self.changing = row
        self._fight.show_message(asks_for(state, dice), "hint")

    def change(self) -> bool:
        """Take the first command into the command bar, to be changed; False for none."""
        row = next((row for row in self._rows if row.command), None)
        if row is None:
            return False
        self._fight.prompts.close()
        self._fight.prompts.open_bar(row.command)
        self.changing = row
        return True

    def begin_decline(self) -> bool:
        """Ask for a reply that declines the first of them; False if nothing waits."""
        if not self._rows:
            return False
        self._reply(self._rows[0], DECLINE)
        return True

    def _reply(self, row: Proposal, word: str) -> None:
        """Ask for a reply to a player, after the word for the act."""
        self._fight.prompts.close()
        self._fight.prompts.open_bar(f"{word} ")
        self.replying = row

    def reply_for(self, word: str) -> str:
        """Say what a reply with this word is for: `Mira asks: Is it dark?`; empty for nothing."""
        first = next((row for row in self._rows if row.asks or word == DECLINE), None)
        row = self.replying or first
        return self._decision(row).what if row is not None else ""

    def decline(self, words: str, meant: Proposal | None = None) -> None:
        """Decline this one, or the first of them, with words or without."""
        row = meant or next(iter(self._rows), None)
        history = self._fight.encounter.history
        if row is None or not self._inbox.decline(row, words, history):
            self._fight.show_message("there is nothing to decline", "hint")
            return
        self._fight.show_message(f"declined: {row.words or row.command}")
        self.look()

    def answer(self, words: str, meant: Proposal | None = None) -> None:
        """Answer this question, or the first of them."""
        row = meant or next((each for each in self._rows if each.asks), None)
        history = self._fight.encounter.history
        if row is None or not words or not self._inbox.reply(row, words, history):
            hint = "there is nothing to answer" if row is None or words else "no answer was given"
            self._fight.show_message(hint, "hint")
            return
        self._fight.show_message(f"answered: {row.words}")
        self.look()

    def play_changed(self, line: str) -> bool:
        """Give the command from the bar in place of the proposed one."""
        row, self.changing = self.changing, None
        assert row is not None
        done = self._play_accepted(row, line)
        self.look()
        return done

    def revoke(self, character: str) -> None:
        """Take the phones of a character back."""
        try:
            self.phones.revoke(character)
        except LogError as error:
            self._fight.show_message(str(error), "warning")
        self.look()

    # -- how it is done ----------------------------------------------------------------------------

    def _let_in(self, row: Proposal) -> None:
        name = self._fight.encounter.state.name(row.character)
        try:
            self._inbox.accept(
                row,
                lambda: self.phones.grant(row.sender, row.character),
                self._fight.encounter.history,
            )
        except (Refused, LogError) as error:
            self._fight.show_message(str(error), "warning")
            return
        words = [f"{name}'s phone is in", *only_looks(self._fight.encounter.state)]
        self._fight.show_message("; ".join(words))

    def _play_accepted(self, row: Proposal, line: str) -> bool:
        """Do a command for a proposal; if the fight refuses the player's own words, the player
        learns it. A refused line of the GM's leaves the proposal waiting."""
        done = self._play(row, line)
        encounter = self._fight.encounter
        if not done and line == row.command:
            self._inbox.tell_refused(row, encounter)
        elif done and not self._fight.prompts.line.message.text:
            history, rules = encounter.history, encounter.ruleset
            entry = history.entries[history.last]
            line = entry_line(entry, history.before(entry.seq), rules.tables.tracks)
            self._fight.show_message(line)
        return done

    def _play(self, row: Proposal, line: str) -> bool:
        """Carry out a command for a proposal; False if it is refused, and still waits."""
        encounter = self._fight.encounter

        def accept() -> Entry:
            return self._inbox.accept(
                row,
                lambda: encounter.do(line, proposal=row.id),
                encounter.history,
            )

        return self._fight.carry_out(accept, line)

    def _play_trusted(self, waiting: list[Proposal]) -> bool:
        """Play the first that may go by itself; False for none. While a prompt is open none does,
        as what the GM is typing would be about another fight."""
        if self._fight.prompts.line.is_open:
            return False
        free = trusted(waiting, self._fight.encounter)
        return any(self._play(row, row.command) for row in free)
