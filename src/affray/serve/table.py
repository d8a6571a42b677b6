"""The phones at the table: what each may see and propose, and the results of its proposals.

A phone is known by the hash of its secret. Nothing that it sends is ever a command: its answers to
a form make one (`serve.forms`), which waits in the inbox for the GM. Everything that a phone may
know follows from the log, the inbox and the rights, so a restarted server, or a second one, says
the same.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from affray.core.engine import turns
from affray.core.engine.decide import despite_faults, faults_by_their_place
from affray.core.engine.settings import PLAYERS_ACT
from affray.core.formatting.players_view import last_entry_of_turn, outcome_as_known
from affray.core.formatting.safe_text import to_one_line
from affray.core.formatting.visibility import is_known_to_players
from affray.core.parser.errors import GameFault, Refused
from affray.core.rules.proposals import OwnTrack, own_sheet, require_possible, state_as_known
from affray.serve.forms import (
    QUESTION,
    asked_rolls,
    compose_command,
    describe_proposal,
    faults_in_forms,
    proposal_forms,
)
from affray.serve.page import amount
from affray.store import LogError
from affray.store.inbox import (
    MOST_OF_ONE,
    NO_CHARACTER,
    Answer,
    Inbox,
    InboxFull,
    Proposal,
)
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

MOST_A_SECOND, MOST_PHONES = 2, 1_000
"""The most posts of a phone in a second, and of phones whose posts are counted."""
MOST_OF_STRANGERS = 20
"""The most posts in a second of all phones together that play nobody."""
_PASSES = (["next"], ["delay"])
"""The commands that pass on a turn."""
SENT, SENT_TWICE = "sent to the GM", "sent to the GM; your other phone has sent the same"
CHANGED = "changed by the GM"
FAULT = "affray has a fault there, and the GM is told: tell them what you do"
TOO_MUCH, ALREADY = "too many proposals are already waiting for the GM", "that was already sent"


class Reply(NamedTuple):
    """The answer to a post: True if it was taken, a line for the phone, the status of the web, and
    the name of the field that a refusal is about."""

    ok: bool
    words: str
    status: int = 200
    field: str = ""


class Sent(NamedTuple):
    """A proposal as a phone sees it.

    own     True if that phone sent it, and not another one of its character
    answer  its result, in words
    """

    id: str
    words: str
    state: str
    answer: str
    own: bool


class Table:
    """All phones at a fight's table.

    `lock` guards the fight, which several threads read and follow.
    """

    def __init__(
        self,
        fight: OpenEncounter,
        inbox: Inbox,
        phones: Phones,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._fight, self._inbox, self._phones, self._now = fight, inbox, phones, now
        self.lock = asyncio.Lock()
        self._shown: set[str] = set()  # ids of the answers to send: none is taken back
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()
        self._strangers: deque[float] = deque(maxlen=MOST_OF_STRANGERS)
        self._stamp: tuple[Any, ...] = ()
        self._faults: dict[str, bool] = {}  # of the game's code -> whether it is told

    # -- what a phone is told ----------------------------------------------------------------------

    def has_news(self) -> bool:
        """Look for the GM's answers; returns True if they, rights or proposals have changed."""
        answers = self._inbox.answers()
        self._shown = {a.id for a in answers if a.id in self._shown or not self._is_secret(a)}
        stamp = (answers, self._shown, self._inbox.waiting(), self._phones.rights())
        changed, self._stamp = stamp != self._stamp, stamp
        return changed

    def left_alone(self) -> list[str]:
        """Name files of the inbox, and of the phones' file, that aren't affray's, each once."""
        return [line for line in (self._inbox.left_alone(), self._phones.left_alone()) if line]

    def faults(self) -> list[str]:
        """List the faults of the game's code that phones have met, each once."""
        for fault in faults_in_forms(self._fight.history):
            self.note_fault(fault)
        new = [fault for fault, is_told in self._faults.items() if not is_told]
        self._faults |= dict.fromkeys(new, True)
        return new

    def note_fault(self, fault: str) -> None:
        """Keep a fault of the game's code, to be told once."""
        self._faults.setdefault(fault, False)

    def view_of(self, phone: str) -> str:
        """Return a phone's view of its own character, as JSON.

        Of a phone that plays nobody, it has what that asks for, or that the GM has declined it;
        `null` for neither.
        """
        history, ruleset = self._fight.history, self._fight.ruleset
        me = self._phones.plays(phone, state_as_known(history, ruleset))
        waiting = [row for row in self._inbox.waiting() if row.sender == phone]
        asks = [row.character for row in waiting if row.asks_to_play]
        sheet = (
            despite_faults(ruleset, lambda rules: own_sheet(history, rules, me.id), self.note_fault)
            if me is not None
            else None
        )
        if me is None or sheet is None:
            if asks:
                return json.dumps({"asks": asks[0]})
            last = [a for a in self._inbox.answers(phone)[-1:] if a.state == "declined"]
            return json.dumps({"declined": last[0].id, "words": last[0].words} if last else None)
        acts = PLAYERS_ACT.value(history.state) != "off"
        forms = proposal_forms(history, ruleset, me.id) if acts else []
        others = [each for each in self._phones.of(me.id) if each != phone]
        proposals = [
            *(sent for each in others for sent in self._sent_by(each, me.id, own=False)),
            *self._sent_by(phone, me.id),
        ]
        return msgspec.json.encode(
            {
                "character": me.id,
                "name": sheet.name,
                "acts": acts,
                "sheet": {**to_builtins(sheet), "tracks": [*map(_track, sheet.tracks)]},
                "forms": forms,
                "proposals": [sent._asdict() for sent in proposals],
                "call": self._call(me.id, any(form.group == "waiting" for form in forms)),
            }
        ).decode()

    def _sent_by(self, phone: str, character: str, own: bool = True) -> list[Sent]:
        """The proposals of a phone with their results as players know them: all of its own, and of
        another phone those for this character."""
        shown, held = (
            [each for each in found if own or each.character == character]
            for found in self._answers_to(phone)
        )
        rows = [row for row in self._inbox.waiting() if row.sender == phone]
        rows = [row for row in rows if own or row.character == character]
        waiting = [(row.id, row.words) for row in rows if not row.asks_to_play]
        waiting += [(answer.id, answer.proposed) for answer in held]
        return [
            *(Sent(key, words, "waiting", "", own) for key, words in waiting),
            *(Sent(a.id, a.proposed, a.state, self._became(a, character), own) for a in shown),
        ]

    def _became(self, answer: Answer, character: str) -> str:
        """The words of an answer: the GM's, or the result of the accepted proposal and if the GM
        changed it; none if it passed on the turn, since the next creature may be hidden."""
        if answer.state != "accepted" or self._passes(answer):
            return answer.words
        history = self._fight.history
        entry = history.entries.get(answer.entry)
        if entry is None or entry.proposal != answer.id:
            return answer.words
        result = despite_faults(
            self._fight.ruleset,
            lambda rules: outcome_as_known(history, rules, entry, character),
            self.note_fault,
        )
        is_changed = not {*answer.command.split()} <= {*entry.command.split()}  # dice may be added
        return ": ".join(filter(None, (CHANGED * is_changed, result)))

    def _answers_to(self, phone: str) -> tuple[list[Answer], list[Answer]]:
        """The answers that a phone gets, and proposals that still wait for it. A withdrawn one
        counts as withdrawn until the phone may know that it was too late.
        """
        answers = self._inbox.answers(phone)  # those to requests to play are told in other words
        mine = [a for a in answers if a.proposed or a.command or a.of]
        ids = {answer.id for answer in mine if answer.id in self._shown}
        withdrawn = {answer.of for answer in mine if answer.of}
        shown = [a for a in mine if (a.of not in ids if a.of else a.id in ids)]
        return shown, [a for a in mine if not a.of and a.id not in ids | withdrawn]

    def _is_secret(self, answer: Answer) -> bool:
        """True if an answer would reveal that it is a hidden creature's turn, while the phone's own
        still seems to go on. True, too, for an entry that isn't read yet."""
        history = self._fight.history
        if answer.entry > history.last:
            return True
        up = list(history.state.all_up())
        if not up or any(map(is_known_to_players, up)):
            return False
        return self._passes(answer) and answer.entry > last_entry_of_turn(
            history, self._fight.ruleset
        )

    def _passes(self, answer: Answer) -> bool:
        """True for an entry that passes on a turn, or after which it is another's."""
        if answer.command.split()[:1] in _PASSES:
            return True
        history = self._fight.history
        entry = history.entries.get(answer.entry)
        if entry is None or entry.proposal != answer.id:
            return False
        before, after = history.before(entry.seq), history.states[entry.seq]
        return before.taking_turn() != after.taking_turn()

    def _call(self, character: str, is_asked: bool) -> str:
        """Return the reason why a phone calls its player: `up`, `asked`, `next`; empty for no
        reason."""
        state = state_as_known(self._fight.history, self._fight.ruleset)
        if state.takes_turn(character):
            return "up"
        if is_asked:
            return "asked"
        is_next = state.in_combat and character in turns.upcoming_turns(state, 1)
        return "next" if is_next else ""

    # -- what a phone sends ------------------------------------------------------------------------

    def is_too_fast(self, phone: str) -> bool:
        """Count a post; returns True if the phone has sent too many in a second."""
        now = self._now()
        if not self._phones.is_let_in(phone):
            if len(self._strangers) == MOST_OF_STRANGERS and now - self._strangers[0] < 1.0:
                return True
            self._strangers.append(now)
        times = self._posts.setdefault(phone, deque(maxlen=MOST_A_SECOND))
        self._posts.move_to_end(phone)
        while len(self._posts) > MOST_PHONES:
            self._posts.popitem(last=False)
        if len(times) == MOST_A_SECOND and now - times[0] < 1.0:
            return True
        times.append(now)
        return False

    def take(self, post: str, phone: str, body: Mapping[str, Any]) -> Reply:
        """Take in a phone's post: `play`, `propose` or `withdraw`."""
        do = {"play": self.ask_to_play, "propose": self.propose, "withdraw": self.withdraw}
        try:
            with faults_by_their_place(self._fight.ruleset):
                return do[post](phone, body)
        except GameFault as fault:
            self.note_fault(str(fault))
            return Reply(False, FAULT)

    def ask_to_play(self, phone: str, body: Mapping[str, Any]) -> Reply:
        """Take in a phone's wish to play a character, which the GM accepts or declines."""
        name = str(body.get("character", ""))
        state = state_as_known(self._fight.history, self._fight.ruleset)
        party = (c for c in state.combatants if c.is_character)
        called = [c for c in party if name in (c.id, c.name)]
        if not called:
            return Reply(False, NO_CHARACTER)
        if len(called) > 1:
            return Reply(False, f"{len(called)} are called {name}: the GM can rename one")
        (found,) = called
        if self._phones.plays(phone, state) is found:
            return Reply(True, f"this phone already plays {found.name}")
        proposal_id = _id_of(phone, found.id, body)
        return self._send(Proposal(proposal_id, phone, found.id, words=f"Playing {found.name}"))

    def propose(self, phone: str, body: Mapping[str, Any]) -> Reply:
        """Make a command of a filled-in form, which waits for the GM."""
        history, ruleset = self._fight.history, self._fight.ruleset
        me = self._phones.plays(phone, state_as_known(history, ruleset))
        if me is None:
            return Reply(False, "the GM hasn't let this phone play anybody", 403)
        proposal_id = _id_of(phone, me.id, body)
        if self._has(phone, proposal_id):  # whatever the fight has become since
            return Reply(True, ALREADY)
        if PLAYERS_ACT.value(history.state) == "off":
            return Reply(False, "the GM is not taking proposals now")
        given = body.get("answers")
        answers: dict[str, str | list[str]] = {
            str(key): [str(each) for each in value] if isinstance(value, list) else str(value)
            for key, value in (given.items() if isinstance(given, dict) else ())
        }
        try:
            form = str(body.get("form", ""))
            command = compose_command(history, ruleset, me.id, form, answers)
            if command:
                require_possible(history, ruleset, command)
            words = describe_proposal(history, ruleset, me.id, form, answers)
            rolls = asked_rolls(history, ruleset, me.id, form, answers)
        except GameFault:
            raise
        except Refused as refusal:
            return Reply(False, to_one_line(str(refusal)), field=refusal.field)
        asks = form == QUESTION
        return self._send(Proposal(proposal_id, phone, me.id, command, "", words, rolls, asks))

    def withdraw(self, phone: str, body: Mapping[str, Any]) -> Reply:
        """Take back a proposal that waits, or seems to: its acceptance may be a secret."""
        key = str(body.get("proposal", ""))
        sent = next((row for row in self._sent_by(phone, "") if row.id == key), None)
        if sent is None or sent.state != "waiting":
            return Reply(False, "that is no longer waiting")
        me = self._phones.plays(phone, state_as_known(self._fight.history, self._fight.ruleset))
        self._inbox.withdraw(key, phone, sent.words, me.id if me is not None else "")
        return Reply(True, "withdrawn")

    def _has(self, phone: str, proposal_id: str) -> bool:
        """True if a phone has sent this already, whatever its result: that may be a secret."""
        answered = {answer.id for answer in self._inbox.answers(phone)}
        waiting = {row.id for row in self._inbox.waiting()}
        return proposal_id in answered | waiting | self._fight.history.proposals

    def _send(self, proposal: Proposal) -> Reply:
        """Write a proposal, with the time; one that was sent already stays as it is."""
        phone, inbox = proposal.sender, self._inbox
        if self._has(phone, proposal.id):
            return Reply(True, ALREADY)
        held = self._answers_to(phone)[1]
        waiting = [row for row in inbox.waiting() if row.sender == phone]
        if len(held) + len(waiting) >= MOST_OF_ONE:  # all of these seem to wait
            return Reply(False, TOO_MUCH, 429)
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        try:
            is_new = inbox.write(replace(proposal, at=at))
        except InboxFull:
            return Reply(False, TOO_MUCH, 429)
        except Refused as refusal:
            return Reply(False, str(refusal))
        except LogError:
            return Reply(False, "it can't be saved now: tell the GM", 503)
        same = _what(proposal)
        again = any(row.sender != phone and _what(row) == same for row in inbox.waiting())
        return Reply(True, (SENT_TWICE if again else SENT) if is_new else ALREADY)


def _track(track: OwnTrack) -> dict[str, Any]:
    signs, words = amount(track)
    return {**to_builtins(track), "signs": signs, "words": words}


def _id_of(phone: str, character: str, body: Mapping[str, Any]) -> str:
    """The id of a phone's post: the same however often the page sends it."""
    what = [phone, character, *(body.get(part) for part in ("id", "form", "answers"))]
    return sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def _what(row: Proposal) -> tuple[str, str]:
    """The character and the words of a proposal, whichever phone sends it."""
    return row.character, row.words if row.asks else row.command
