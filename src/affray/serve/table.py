"""The phones at the table: what each may see and propose, and what became of its proposals.

A phone is known by the hash of its secret. Nothing that it sends is ever a command: its answers to
a form make one (`core.rules.proposals`), which waits in the inbox for the GM.
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

from affray.core.engine import turns
from affray.core.formatting.players_view import known_state
from affray.core.formatting.safe_text import to_one_line
from affray.core.formatting.visibility import ACT, is_known_to_players, setting_value
from affray.core.parser.errors import Refused
from affray.core.rules.proposals import (
    compose_command,
    describe_proposal,
    own_sheet,
    proposal_forms,
)
from affray.store import LogError
from affray.store.inbox import Answer, Inbox, InboxFull, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

MOST_A_SECOND, MOST_PHONES = 2, 1_000
"""Posts that a phone may send in a second, and the phones whose posts are counted."""
MOST_OF_STRANGERS = 20
"""Posts in a second of all phones together that play nobody."""
MOST_ANSWERS = 5
"""The last answers that a phone is told."""
_NOTHING = Proposal("0000", "")
_PASSES = (["next"], ["delay"])
"""The commands that pass one's turn on."""
NO_CHARACTER = "no character of that name is there"
"""The words for anybody who can't be played, whether or not somebody hidden has the name."""


class Reply(NamedTuple):
    """The answer to a post: whether it was taken, and a line for the phone."""

    ok: bool
    words: str
    status: int = 200


class Table:
    """All phones at a fight's table.

    `lock` is held by whoever reads or follows the fight, as several threads do.
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
        self._answers: OrderedDict[str, deque[tuple[str, Answer]]] = OrderedDict()
        self._sent: OrderedDict[str, Proposal] = OrderedDict()
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()
        self._strangers: deque[float] = deque(maxlen=MOST_OF_STRANGERS)
        self._stamp: tuple[Any, ...] = ()
        self._held: list[Answer] = []  # which would tell that somebody hidden is up

    # -- what a phone is told ----------------------------------------------------------------------

    def has_news(self) -> bool:
        """Take in the GM's answers, and tell whether they, rights or proposals have changed."""
        answers, self._held = [*self._held, *self._inbox.answers()], []
        for answer in answers:
            if self._is_secret(answer):
                self._held.append(answer)
                continue
            given = self._answers.setdefault(answer.to, deque(maxlen=MOST_ANSWERS))
            given.append((self._sent.pop(answer.id, _NOTHING).words, answer))
            self._answers.move_to_end(answer.to)
            while len(self._answers) > MOST_PHONES:
                self._answers.popitem(last=False)
        ids = tuple(answer.id for row in self._answers.values() for _, answer in row)
        waiting = tuple(row.id for row in self._inbox.waiting())
        stamp = (ids, waiting, self._phones.rights())
        changed, self._stamp = stamp != self._stamp, stamp
        return changed

    def left_alone(self) -> list[str]:
        """Say what of the inbox and of the phones' file is not ours, each once."""
        return [line for line in (self._inbox.left_alone(), self._phones.left_alone()) if line]

    def view_of(self, phone: str) -> str:
        """Return what a phone is told of its own character, as JSON; `null` for none."""
        history, ruleset = self._fight.history, self._fight.ruleset
        character = self._phones.character_of(phone)
        waiting = [row for row in self._inbox.waiting() if row.sender == phone]
        asks = [row.character for row in waiting if row.asks_to_play]
        sheet = own_sheet(history, ruleset, character) if character else None
        if sheet is None:
            return json.dumps({"asks": asks[0]} if asks else None)
        acts = setting_value(history.state, ACT) != "off"
        forms = proposal_forms(history, ruleset, character) if acts else []
        held = (self._sent.get(answer.id, _NOTHING) for answer in self._held)
        unanswered = [row for row in waiting if not row.asks_to_play]
        unanswered += [row for row in held if row.sender == phone]
        proposals = [
            {"id": row.id, "words": row.words, "state": "waiting", "answer": ""}
            for row in unanswered
        ]
        proposals += [
            {"id": answer.id, "words": words, "state": answer.state, "answer": answer.words}
            for words, answer in self._answers.get(phone, ())
        ]
        call = self._call(character, any(form.group == "waiting" for form in forms))
        return msgspec.json.encode(
            {
                "character": character,
                "name": sheet.name,
                "acts": acts,
                "sheet": sheet,
                "forms": forms,
                "proposals": proposals,
                "call": call,
            }
        ).decode()

    def _is_secret(self, answer: Answer) -> bool:
        """Whether an answer would tell that somebody hidden is up: the turn has passed to them,
        and the phone's still seems to go on."""
        up = list(self._fight.state.all_up())
        if not up or any(map(is_known_to_players, up)):
            return False
        return self._sent.get(answer.id, _NOTHING).command.split()[:1] in _PASSES

    def _call(self, character: str, is_asked: bool) -> str:
        """Return why a phone calls its player: `up`, `asked`, `next`; empty for no reason."""
        state = known_state(self._fight.history, self._fight.ruleset)
        if any(one.id == character for one in state.all_up()):
            return "up"
        if is_asked:
            return "asked"
        return "next" if character in turns.upcoming_turns(state, 2) else ""

    # -- what a phone sends ------------------------------------------------------------------------

    def is_too_fast(self, phone: str) -> bool:
        """Count a post, and tell whether the phone has sent too many in a second."""
        now = self._now()
        if not self._phones.character_of(phone):
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

    def ask_to_play(self, phone: str, body: Mapping[str, Any]) -> Reply:
        """Take in a phone's wish to play a character, which the GM says yes or no to."""
        name = str(body.get("character", ""))
        state = known_state(self._fight.history, self._fight.ruleset)
        mine = (c for c in state.combatants if c.kind == "pc" and c.side == "party")
        found = next((c for c in mine if name in (c.id, c.name)), None)
        if found is None:
            return Reply(False, NO_CHARACTER)
        if self._phones.character_of(phone) == found.id:
            return Reply(True, f"this phone plays {found.name} already")
        return self._send(phone, str(body.get("id", "")), found.id, "", f"Playing {found.name}")

    def propose(self, phone: str, body: Mapping[str, Any]) -> Reply:
        """Make a command of a filled-in form, and let it wait for the GM."""
        character = self._phones.character_of(phone)
        history, ruleset = self._fight.history, self._fight.ruleset
        if not character:
            return Reply(False, "the GM hasn't let this phone play anybody", 403)
        if setting_value(history.state, ACT) == "off":
            return Reply(False, "the GM takes no proposals now")
        given = body.get("answers")
        answers: dict[str, str | list[str]] = {
            str(key): [str(each) for each in value] if isinstance(value, list) else str(value)
            for key, value in (given.items() if isinstance(given, dict) else ())
        }
        try:
            form = str(body.get("form", ""))
            command = compose_command(history, ruleset, character, form, answers)
            words = describe_proposal(history, ruleset, character, form, answers)
        except Refused as refusal:
            return Reply(False, to_one_line(str(refusal)))
        return self._send(phone, str(body.get("id", "")), character, command, words)

    def _send(self, phone: str, key: str, character: str, command: str, words: str) -> Reply:
        """Write a proposal; the same key of a phone is the same one, however often it comes."""
        proposal_id = sha256(f"{phone}/{key}/{character}/{command}".encode()).hexdigest()[:16]
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        proposal = Proposal(proposal_id, phone, character, command, at, words)
        if proposal_id in self._fight.history.proposals:
            return Reply(False, "that was played already")
        try:
            is_new = self._inbox.write(proposal)
        except InboxFull:
            return Reply(False, "too much waits for the GM already", 429)
        except LogError:
            return Reply(False, "it can't be kept now: tell the GM", 503)
        if is_new:
            self._sent[proposal_id] = proposal
            while len(self._sent) > MOST_PHONES:
                self._sent.popitem(last=False)
        return Reply(True, "sent to the GM" if is_new else "it waits for the GM already")
