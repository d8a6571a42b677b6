"""The inbox beside a log: proposals from players' phones, and the answers to them.

A server writes proposals and reads answers; the program that plays the fight takes proposals and
writes answers. Nobody needs a lock: each is a small file, written whole and then moved. Answers are
kept for every server of the fight, the last few of each phone. Other files in the folder stay where
they are, and are reported once.

    inbox = Inbox(Path("ford.toml"))              # the folder ford.inbox
    inbox.write(Proposal("ab12", "f00d", "mira", "attack ghoul-1 hit 8", "2026-11-20T19:30:00Z"))
    inbox.waiting()                               # oldest first
    inbox.accept(row, lambda: fight.do(row.command, proposal=row.id), fight.history)
    inbox.answers()                               # for every server, oldest first
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec
import tomli_w
from msgspec import Struct

from affray.core.dice import StubDice
from affray.core.engine.decide import faults_by_their_place
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import History
from affray.core.engine.settings import PLAYERS_ACT
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import to_one_line
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import GameFault, Refused, join_or
from affray.data_text import read_toml
from affray.fight import Fight
from affray.store import LogError
from affray.store.filesystem import file_error_from, is_open_elsewhere, os_error_text
from affray.store.own_folder import OwnFolder
from affray.store.phones import Phones

MOST_BYTES, MOST_PROPOSED = 16_384, 8_192
"""The size of a file that is read, and that of a proposal, which its answer repeats."""
MOST_WAITING, MOST_OF_ONE = 500, 5
"""The most proposals that wait, of all phones and of one."""
MOST_ASKING = 20
"""The most requests to play that wait: strangers leave room for those who play."""
MOST_ANSWERS, MOST_ANSWERS_TO_ONE = 500, 5
"""The most answers that are kept, to all phones and to one: the newest of them."""
NO_CHARACTER = "there is no character of that name"
"""The words for anybody who can't be played, whether or not somebody hidden has the name."""
GONE = "its player has withdrawn it, or another screen has answered it"
"""The words for a proposal that no longer waits."""
MOST_WORDS = 500
"""The characters of an answer's words; with them it is no larger than what is read."""
_ID = late_pattern(r"[0-9a-f]{4,64}")
_WAITING, _TAKEN, _ANSWERS = "waiting", "taken", "answers"
_SUFFIX = ".toml"
_NAMED = 3
"""How many of the files that are left alone a line names."""


class Proposal(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that a phone proposes, its question to the GM, or its request to play a character.

    Attributes:
        id: Of its own, in hexadecimal digits.
        sender: The phone, by the hash of its secret.
        character: The id of the character; of a request, the one that it asks to play.
        command: The command line; empty for a question, and a request to play the character.
        at: When it was sent, in UTC: `2026-11-20T19:30:00Z`.
        words: How the phone calls it.
        rolls: Which dice the player asks to have rolled: `die`, `damage`, or both.
        asks: True if its words are a question, which the GM answers in words.
    """

    id: str
    sender: str = msgspec.field(name="from")
    character: str = ""
    command: str = ""
    at: str = ""
    words: str = ""
    rolls: tuple[str, ...] = ()
    asks: bool = False

    @property
    def asks_to_play(self) -> bool:
        """True if it is a phone's request to play a character."""
        return not (self.command or self.asks)


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's answer to a proposal, for the phone that sent it; or that it took the proposal back.

    Attributes:
        id: That of the proposal; one of its own if that was taken back.
        to: The phone, by the hash of its secret.
        state: The state of the proposal.
        words: The GM's words to it.
        proposed: How the phone calls what it proposed; empty for a request to play.
        command: The command that was proposed.
        entry: The last entry of the log as it was given: what players haven't seen up to there, an
            answer may not tell them.
        of: The proposal that was taken back; empty for an answer of the GM's.
        character: The id of the proposal's character; earlier versions saved none.
    """

    id: str
    to: str
    state: Literal["accepted", "answered", "declined", "refused", "withdrawn"]
    words: str = ""
    proposed: str = ""
    command: str = ""
    entry: int = 0
    of: str = ""
    character: str = ""


class _AnswerFile(NamedTuple):
    """An answer's file as it was read, and when it was written."""

    written: int
    answer: Answer


_Row = TypeVar("_Row", Proposal, Answer)
_Done = TypeVar("_Done")


class InboxFull(Exception):  # noqa: N818
    """Too many proposals wait, of this phone or of all."""


class Inbox:
    """The folder of a fight's proposals, which is made with the first of them."""

    def __init__(self, log: Path) -> None:
        self.folder = log.with_suffix(".inbox")
        self._parts = {
            part: OwnFolder(self.folder.parent, self.folder.name, part)
            for part in (_WAITING, _TAKEN, _ANSWERS)
        }
        self._left: defaultdict[str, set[str]] = defaultdict(set)
        self._told: set[str] = set()
        self._seen: list[str] | None = None
        self._waiting: tuple[Proposal, ...] = ()
        self._answer_files: dict[str, _AnswerFile] = {}
        self._answers: tuple[Answer, ...] = ()

    # -- the server's side -------------------------------------------------------------------------

    def write(self, proposal: Proposal) -> bool:
        """Write a proposal; False if there is one of that id already, or an answer to it.

        Raises Refused for one that is too long, InboxFull where too many wait, and LogError where
        the folder can't be written.
        """
        if len(_as_toml(proposal)) > MOST_PROPOSED:
            raise Refused("that is too long to send")
        waiting = self.waiting()
        there = proposal.id in {row.id for row in waiting} | {row.id for row in self.answers()}
        with file_error_from(self.folder):
            if there or self._parts[_TAKEN].has(_name(proposal.id)):
                return False
        mine = sum(1 for each in waiting if each.sender == proposal.sender)
        asking = sum(1 for each in waiting if each.asks_to_play)
        is_crowded = proposal.asks_to_play and asking >= MOST_ASKING
        if is_crowded or len(waiting) >= MOST_WAITING or mine >= MOST_OF_ONE:
            raise InboxFull
        return self._put(_WAITING, proposal.id, proposal)

    def withdraw(self, proposal_id: str, sender: str, words: str, character: str = "") -> None:
        """Take a proposal back, called by these words, for the phone that sent it.

        That it was is kept also where the GM has answered it already, which a phone may not always
        be told at once.
        """
        marker = sha256(f"withdrawn {proposal_id}".encode()).hexdigest()[:16]
        back = Answer(
            marker, sender, "withdrawn", proposed=words, of=proposal_id, character=character
        )
        self._keep(back)
        if self.take(proposal_id):
            self.forget(proposal_id)

    def answers(self, to: str = "") -> tuple[Answer, ...]:
        """Return the answers that are kept, to a phone or to all, oldest first.

        Nothing is read but what is new.
        """
        names = self._names(_ANSWERS)
        if names != list(self._answer_files):  # a file is never changed
            files = dict[str, _AnswerFile]()
            for name in names:
                with suppress(OSError):  # somebody has it open: the next look reports it
                    found = self._answer_files.get(name) or self._read_answer(name)
                    files |= {name: found} if found is not None else {}
            self._answer_files = files
            rows = sorted((f.written, f.answer.entry, name) for name, f in files.items())
            self._answers = tuple(files[row[-1]].answer for row in rows)
        return tuple(each for each in self._answers if to in ("", each.to))

    def _read_answer(self, name: str) -> _AnswerFile | None:
        answer = self._read(_ANSWERS, name, Answer)
        written = self._parts[_ANSWERS].stamp(name)[-1]
        return _AnswerFile(written, answer) if answer is not None else None

    # -- the side of the fight ---------------------------------------------------------------------

    def waiting(self) -> tuple[Proposal, ...]:
        """Return what waits, oldest first. Nothing is read unless the folder has changed."""
        names = self._names(_WAITING)
        if names != self._seen:  # a file is never changed, and not every disk dates its folders
            found, self._seen = list[Proposal](), names
            for number, name in enumerate(names):
                if len(found) > MOST_WAITING or number - len(found) > MOST_WAITING:
                    self._seen = None  # so many that are none: the next look reads the rest
                    break
                try:
                    row = self._read(_WAITING, name, Proposal)
                    found += [row] if row is not None else []
                except OSError:  # somebody has it open: it is read at the next look
                    self._seen = None
            self._waiting = tuple(sorted(found, key=lambda row: (row.at, row.id)))
        return self._waiting

    def take(self, proposal_id: str) -> bool:
        """Move a proposal out of the others' reach; False if it is gone, taken or withdrawn."""
        name = _name(proposal_id)
        try:
            if self._read(_WAITING, name, Proposal) is None:
                return False
            self._parts[_WAITING].move(name, self._parts[_TAKEN])
        except OSError:
            return False
        self._seen = None
        return True

    def put_back(self, proposal_id: str) -> None:
        """Let a proposal that was taken wait again, as where it is refused for now."""
        with suppress(OSError):
            self._parts[_TAKEN].move(_name(proposal_id), self._parts[_WAITING])
        self._seen = None

    def forget(self, proposal_id: str) -> None:
        """Remove a proposal that was taken and is in the log, or declined."""
        with suppress(OSError):
            self._parts[_TAKEN].remove(_name(proposal_id))

    def answer(
        self,
        proposal: Proposal,
        state: Literal["accepted", "answered", "declined", "refused"],
        entry: int,
        words: str = "",
    ) -> None:
        """Leave an answer for the phone that sent a proposal, if it can be written at all.

        `entry` is the last one of the log.
        """
        self._keep(
            Answer(
                proposal.id,
                proposal.sender,
                state,
                to_one_line(words)[:MOST_WORDS],
                "" if proposal.asks_to_play else proposal.words,
                proposal.command,
                entry,
                character=proposal.character,
            )
        )

    def _keep(self, answer: Answer) -> None:
        """Write an answer, if it can be written at all; the oldest ones go for it."""
        with suppress(LogError):
            self._put(_ANSWERS, answer.id, answer)
        to_each = Counter[str]()
        for number, old in enumerate(reversed(self.answers()), 1):
            to_each[old.to] += 1
            if number > MOST_ANSWERS or to_each[old.to] > MOST_ANSWERS_TO_ONE:
                with suppress(OSError):
                    self._parts[_ANSWERS].remove(_name(old.id))

    def for_gm(self, history: History, phones: Phones) -> list[Proposal]:
        """Return the proposals that wait for the GM, oldest first, those of whoever's turn it is
        before others.

        Proposals that nobody may make any longer are declined: the phone plays nobody there, or the
        turn to end is over. The fight's setting says whether phones may propose.
        """
        state = history.state
        rows = [row for row in self.waiting() if not self._is_late(row, history, phones)]
        if PLAYERS_ACT.value(state) == "off":
            rows = [row for row in rows if row.asks_to_play]
        return sorted(rows, key=lambda row: not state.takes_turn(row.character))

    def _is_late(self, row: Proposal, history: History, phones: Phones) -> bool:
        words, state = "", history.state
        mine = phones.plays(row.sender, state)
        if row.asks_to_play:
            words = NO_CHARACTER if state.character(row.character) is None else ""
        elif mine is None or mine.id != row.character:
            words = "this phone no longer plays"
        elif row.command == "next" and not state.takes_turn(row.character):
            words = "that turn is over"
        if words:
            self.decline(row, words, history)
        return bool(words)

    def accept(self, proposal: Proposal, do: Callable[[], _Done], history: History) -> _Done:
        """Take a proposal, have it done, and tell its phone so; returns what `do` returns.

        It waits on where `do` raises, unless the log has it already. Raises Refused if another
        program has taken it, and what `do` raises.
        """
        if not self.take(proposal.id):
            raise Refused(GONE)
        try:
            done = do()
        except Exception:  # also of a game's code
            if proposal.id in history.proposals:
                self.forget(proposal.id)
            else:
                self.put_back(proposal.id)
            raise
        self.answer(proposal, "accepted", history.last)
        self.forget(proposal.id)
        return done

    def decline(self, proposal: Proposal, words: str, history: History) -> bool:
        """Take a proposal and tell its phone that it is declined; False if it is gone."""
        return self._close(proposal, "declined", words, history)

    def reply(self, question: Proposal, words: str, history: History) -> bool:
        """Take a question and give its phone the GM's answer; False if it is gone."""
        return self._close(question, "answered", words, history)

    def tell_refused(self, proposal: Proposal, fight: Fight) -> bool:
        """Tell its phone that the fight refuses a proposal, and why, as far as the players know.

        It then waits no longer. False, and it waits on, where the fight would do it: it was not
        saved, say; or where a fault in the game's tables or code is why.
        """
        # Here, since fights without phones do without what it loads.
        from affray.core.rules.proposals import refusal_as_known

        try:
            fight.preview(proposal.command, StubDice(high=False))
        except Refused as refusal:
            if refusal.row or isinstance(refusal, GameFault):
                return False
            words = refusal_as_known(fight.history, fight.ruleset, proposal.command)
            return self._close(proposal, "refused", words, fight.history)
        return False

    def _close(
        self,
        proposal: Proposal,
        state: Literal["answered", "declined", "refused"],
        words: str,
        history: History,
    ) -> bool:
        if not self.take(proposal.id):
            return False
        self.answer(proposal, state, history.last, words)
        self.forget(proposal.id)
        return True

    def recover(self, history: History) -> None:
        """Settle proposals that were open when the program was killed: those in the log are
        accepted, declined ones stay declined, and the rest waits again; phones learn all of
        that."""
        answered = {key for answer in self.answers() for key in (answer.id, answer.of)}
        for name in self._names(_TAKEN):
            with suppress(OSError):
                row = self._read(_TAKEN, name, Proposal)
                if row is None:
                    continue
                if row.id in history.proposals:
                    self.answer(row, "accepted", history.last)
                if row.id in history.proposals or row.id in answered:
                    self.forget(row.id)
                else:
                    self.put_back(row.id)

    def left_alone(self) -> str:
        """Say which files in the folder are none of ours, or why it can't be used; each once."""
        new = sorted({f"{part}/{n}" for part, names in self._left.items() for n in names})
        new = [name for name in new if name not in self._told]
        self._told.update(new)
        if not new:
            return ""
        more = [f"{len(new) - _NAMED:,} more"] if len(new) > _NAMED else []
        named = join_or([*map(to_one_line, new[:_NAMED]), *more], "and")
        return f"not proposals from phones, so left in {self.folder.name}: {named}"

    # -- files -------------------------------------------------------------------------------------

    def _names(self, part: str) -> list[str]:
        """Return the names in a part that may be ours, sorted; others are left alone."""
        left = self._left[part]
        try:
            names = [name for name in self._parts[part].listed() if not name.startswith(".")]
        except OSError as error:
            left.add(f"({os_error_text(error)})")
            return []
        left.intersection_update(names)
        left.update(name for name in names if not is_id(name.removesuffix(_SUFFIX)))
        left.update(name for name in names if not name.endswith(_SUFFIX))
        return [name for name in names if name not in left]

    def _read(self, part: str, name: str, row_type: type[_Row]) -> _Row | None:
        """Read one file; None for what is none of ours, which is left alone from now on.

        Raises OSError if it is gone, or somebody has it open.
        """
        try:
            text = self._parts[part].read(name, MOST_BYTES).decode()
            row = msgspec.convert(read_toml(text), row_type)
            if _name(row.id) == name:
                return row
        except ValueError:  # also what is no text, no TOML, or has other fields
            pass
        except OSError as error:
            if isinstance(error, FileNotFoundError) or is_open_elsewhere(error):
                raise
        self._left[part].add(name)
        return None

    def _put(self, part: str, name: str, row: Struct) -> bool:
        with file_error_from(self.folder / part):
            try:
                self._parts[part].create(_name(name), _as_toml(row))
            except FileExistsError:
                return False
        self._seen = None
        return True


def only_looks(state: Encounter) -> list[str]:
    """Say that phones propose nothing in a fight, and which command changes that; nothing where
    they may."""
    line = f"`setting {PLAYERS_ACT.name} ask` lets phones propose acts"
    return [line] if PLAYERS_ACT.value(state) == "off" else []


def dice_left_out(proposal: Proposal, fight: Fight) -> list[PlayersDie]:
    """Return the dice of players that a proposal would have rolled, and no player asked for."""
    # Here, since fights without phones do without what it loads.
    from affray.core.rules.proposals import is_asked_roll

    dice = Foresight(fight.preview).players_dice(proposal.command)
    return [die for die in dice if not is_asked_roll(proposal.rolls, proposal.character, die)]


def trusted(proposals: Iterable[Proposal], fight: Fight) -> Iterator[Proposal]:
    """Yield the proposals that need no word of the GM's, each as the fight stands by then."""
    from affray.core.rules.proposals import may_go_by_itself  # here, as above

    for row in proposals:
        try:
            with faults_by_their_place(fight.ruleset):
                free = may_go_by_itself(fight.history, fight.ruleset, row.character, row.command)
                free = free and not dice_left_out(row, fight)
        except Refused:  # or a fault in the game's code: it waits for the GM
            continue
        if free:
            yield row


def _name(row_id: str) -> str:
    assert is_id(row_id), row_id
    return f"{row_id}{_SUFFIX}"


def is_id(text: str) -> bool:
    """True if a text can be the id of a proposal."""
    return _ID.fullmatch(text) is not None


def _as_toml(row: Struct) -> bytes:
    plain = {key: value for key, value in msgspec.to_builtins(row).items() if value}
    return tomli_w.dumps(plain).encode()
