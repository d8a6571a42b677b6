"""Proposals of players' phones for the ear: named, accepted and declined in any order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from affray.core.engine.decide import commands_of
from affray.core.engine.dice_owners import dice_in_words
from affray.core.engine.history import Entry
from affray.core.engine.state import Encounter
from affray.core.formatting.media import without_marks
from affray.core.formatting.spoken_answers import FEW, Answer
from affray.core.formatting.spoken_lines import sentence
from affray.core.parser.errors import Refused, close_matches, join_or
from affray.core.parser.spelling import fold
from affray.core.parser.targets import called_like
from affray.store import LogError
from affray.store.inbox import GONE, Inbox, Proposal, dice_left_out, only_looks, trusted
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.tui.prompts.field import ROLL

ANSWERS = "Accept, or decline."
ANSWER = "answer"
IS_QUESTION = f"that is a question: `{ANSWER} WORDS` answers it"
CLOSE_TO_A_NAME = 0.75
"""The similarity, from 0 to 1, at which a word may be a name that is misspelt."""
TellEntry = Callable[[Entry, Encounter, bool], Answer]
"""A function that tells an entry, given the state before it; True to begin with who did what."""


class Proposals:
    """The proposals that wait, and the phones that may make them.

    Attributes:
        inbox: The proposals that phones have sent.
        phones: The phones that may propose.
        offered: The proposal that `accept` means without a name; None for none.
    """

    def __init__(self, fight: OpenEncounter, tell: TellEntry) -> None:
        self._fight, self._tell = fight, tell
        self.inbox, self.phones = Inbox(fight.path), Phones(fight.path)
        self.offered: Proposal | None = None
        self._told: dict[str, Proposal] = {}

    def waiting(self) -> list[Proposal]:
        """Return the proposals that wait for the GM; none in a read-only fight."""
        if self._fight.is_viewed:
            return []
        return self.inbox.for_gm(self._fight.history, self.phones)

    def rows(self) -> list[str]:
        """List what waits; if there are several, each behind the number that `accept` takes."""
        rows = self.waiting()
        lines = [self._in_words(row) for row in rows]
        if len(lines) > 1:
            lines = [f"{place}, {words}" for place, words in enumerate(lines, 1)]
        return [*map(sentence, lines)]

    def forget_told(self) -> None:
        """Announce everything that waits once more."""
        self._told, self.offered = {}, None

    def news(self) -> list[str]:
        """Tell new proposals and those taken back, and offer the next one if the last offer is
        answered."""
        rows = self.waiting()
        ids = {row.id for row in rows}
        lines = [
            sentence(f"{self._whose(row)} takes back: {row.words or row.command}")
            for id_, row in self._told.items()
            if id_ not in ids and not row.asks_to_play
        ]
        new = [row for row in rows if row.id not in self._told]
        self._told = {row.id: row for row in rows}
        if self.offered is None or self.offered.id not in ids:
            self.offered = next(iter(rows), None)
            if self.offered is not None and self.offered not in new:
                new.insert(0, self.offered)
        if len(new) > FEW:
            names = join_or(dict.fromkeys(self._name(row) for row in new), "and")
            return [*lines, sentence(f"{len(new)} proposals, by {names}; what waits tells each")]
        lines += [sentence(self._in_words(row)) for row in new]
        if not new:
            return lines
        if len(rows) > 1:
            first = "Answer, accept" if any(row.asks for row in rows) else "Accept"
            return [*lines, f"{first} or decline, by name or number; {len(rows)} wait."]
        answers = f"{ANSWER.capitalize()} it, or decline." if rows[0].asks else ANSWERS
        return [*lines[:-1], f"{lines[-1]} {answers}"]

    def _name(self, row: Proposal) -> str:
        return self._fight.state.name(row.character)

    def _whose(self, row: Proposal) -> str:
        return self.phones.called(row.sender, self._name(row))

    def _in_words(self, row: Proposal) -> str:
        if row.asks_to_play:
            others = [each for each in self.waiting() if each.character == row.character]
            senders = [each.sender for each in others if each.asks_to_play]
            has_one = bool(self.phones.of(row.character))
            is_first = not has_one and senders[:1] == [row.sender]
            return (
                f"{self._name(row)}'s phone asks to play"
                if is_first
                else (f"another phone asks to play {self._name(row)}")
            )
        verb = "asks" if row.asks else "proposes"
        return f"{self._whose(row)} {verb}: {row.words or row.command}"

    # -- the GM's answers --------------------------------------------------------------------------

    def _meant(self, words: str, otherwise: str = "") -> tuple[Proposal, str]:
        """The proposal that the first words name, by number or player, and the words after it;
        without a name the offered one.

        Raises Refused if there is none, or for a word that is close to a name: it may be
        `otherwise` what was meant.
        """
        rows, (first, _, rest) = self.waiting(), words.partition(" ")
        if self.offered is None:
            raise Refused("no phone has proposed anything")
        if first.isdecimal() and first.isascii() and len(first) < 4:
            if not 0 < int(first) <= len(rows):
                raise Refused(f"expected a number from 1 to {len(rows)}, found {first}")
            return rows[int(first) - 1], rest
        people = {each.id: each for each in self._fight.state.combatants}
        whose = [people[row.character] for row in rows if row.character in people]
        for combatant in called_like(first, whose) if first else []:
            words_of_name = combatant.name.casefold().split()
            others = words.split()
            while others and words_of_name and others[0].casefold() == words_of_name[0]:
                others, words_of_name = others[1:], words_of_name[1:]
            rest = " ".join(others) if len(others) < len(words.split()) else rest
            return next(row for row in rows if row.character == combatant.id), rest
        names = [part for each in whose for part in fold(each.name).split()]
        near = close_matches(fold(first), names, CLOSE_TO_A_NAME)
        if near and first.casefold() not in commands_of(self._fight.ruleset):
            nobody = f"nobody called {first!r} has proposed anything"
            raise Refused(f"{nobody}; did you mean {join_or(near)}{otherwise}?")
        if self.offered not in rows:
            raise Refused(GONE)
        return self.offered, words

    def command_of(self, words: str) -> str:
        """Return the command that `accept` with these words would give; empty for a phone to let
        in. Raises Refused if nothing waits."""
        row, command = self._meant(words)
        if row.asks:
            raise Refused(IS_QUESTION)
        return row.command if command.casefold() in ("", ROLL) or row.asks_to_play else command

    def accept(self, words: str) -> Answer:
        """Do the proposal, or the command given instead, or let the phone in."""
        row, command = self._meant(words)
        if row.asks:
            raise Refused(IS_QUESTION)
        if not row.asks_to_play:
            if command.casefold() == ROLL:
                command = row.command
            elif not command and (dice := dice_left_out(row, self._fight)):
                whose = dice_in_words(self._fight.state, dice)
                raise Refused(f"{whose} is missing: accept roll rolls it, or accept COMMAND")
            try:
                return self._play(row, command or row.command, titled=False)
            except Refused:
                if command in ("", row.command):  # a line of the GM's own lets it wait on
                    self.inbox.tell_refused(row, self._fight)
                raise
        if command:
            raise Refused(f"nobody called {command!r} has proposed anything")
        history = self._fight.history
        self.inbox.accept(row, lambda: self.phones.grant(row.sender, row.character), history)
        self._told.pop(row.id, None)
        lines = [f"{self._name(row)}'s phone is in", *only_looks(history.state)]
        return Answer([sentence(without_marks(line)) for line in lines])

    def answer(self, words: str) -> Answer:
        """Answer a player's question: the one on offer, the first, or somebody's by name."""
        asked = [row for row in self.waiting() if row.asks]
        if not asked:
            raise Refused("no phone has asked anything")
        row, reply = self._named(words)
        if not row.asks:
            row, reply = asked[0], words
        if not reply.strip('" '):
            raise Refused(f"expected the answer after {ANSWER}")
        if not self.inbox.reply(row, reply.strip('"'), self._fight.history):
            raise Refused(GONE)
        self._told.pop(row.id, None)
        return Answer([sentence(f"answered: {self._name(row)}")])

    def _named(self, words: str) -> tuple[Proposal, str]:
        """The proposal that words are about, and the words for its player. Words in quotes name
        nobody."""
        if words.startswith('"'):
            return self._meant("")[0], words
        return self._meant(words, ", or the words in quotes")

    def decline(self, words: str) -> Answer:
        """Decline a proposal, with words for the player or without."""
        row, reason = self._named(words)
        if not self.inbox.decline(row, reason.strip('"'), self._fight.history):
            raise Refused(GONE)
        self._told.pop(row.id, None)
        return Answer([sentence(f"declined: {self._name(row)}")])

    def play_trusted(self) -> list[str]:
        """Play the proposals that need no accepting, and tell them; a refused one waits for the
        GM."""
        lines = list[str]()
        for row in trusted(self.waiting(), self._fight):
            with suppress(Refused, LogError):
                lines += self._play(row, row.command, titled=True).lines
        return lines

    def _play(self, row: Proposal, command: str, titled: bool) -> Answer:
        fight = self._fight
        before = fight.state
        entry = self.inbox.accept(row, lambda: fight.do(command, proposal=row.id), fight.history)
        self._told.pop(row.id, None)
        return self._tell(entry, before, titled)
