"""Lines in, short sentences out: `Reader` reads a fight aloud."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from affray.core.commands.log_commands import move_lines, query_kind, read_move
from affray.core.dice import StubDice
from affray.core.engine import turns
from affray.core.engine.decide import Decision, commands_of, faults_by_their_place
from affray.core.engine.dice_owners import dice_in_words
from affray.core.engine.events import CostPaid
from affray.core.engine.foresight import Foresight
from affray.core.engine.history import Entry
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting import spoken_answers, spoken_lines
from affray.core.formatting.log_lines import amendment_in_words, outcome_lines
from affray.core.formatting.media import SPOKEN, Words, prose_aloud, without_marks
from affray.core.formatting.spoken_answers import FEW, TELLS_ALL, Answer, listed
from affray.core.formatting.spoken_lines import sentence
from affray.core.formatting.turn_timer import timer_of
from affray.core.parser.errors import GameFault, Refused, join_or
from affray.core.parser.targets import resolve, resolve_many
from affray.core.rules.ruleset import PendingDecision
from affray.fight import utc_now
from affray.play.proposals import ANSWER, Proposals
from affray.play.questions import Questions
from affray.play.subjects import LOGGED, WORDS, help_answer
from affray.play.vocabulary import is_question
from affray.store import LogError
from affray.store.inbox import only_looks
from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.field import ROLL
from affray.tui.prompts.preview import PreviewLine, leanings, outcomes_ahead, refusal_text

if TYPE_CHECKING:
    from affray.beside import BesideServer

END_OF_TURN = "next"
HELP = "help"
"""Alone it means `?`, even in a game with an act of that name, which needs somebody to help."""
ALL = ("all", "who")
"""The words that ask for the whole last answer."""
ASKED_OF_CONDITIONS = ("who is", "who are")
ASKED_OF_SOMEBODY = (
    "how is",
    "how are",
    "card",
    "actions",
    "accept",
    "answer",
    "decline",
    "revoke",
)
"""The words that expect a name or a condition after them."""
ALONE = ("timers", "notes", "waiting", "later", "phones", "quit")
"""The words that take nothing after them."""
NOT_DONE = "Not done: "
"""The beginning of a refusal, so that nobody hears it as something that happened."""


class Reader:
    """A fight that is read aloud: it answers each line in sentences.

    Attributes:
        fight: The open fight.
        is_over: True if `quit` was given.
    """

    def __init__(self, fight: OpenEncounter, served: BesideServer | None = None) -> None:
        self.fight = fight
        self.is_over = False
        self._served, self._page = served, ""
        self._told_of: Encounter | None = None
        self._asked: PendingDecision | None = None
        self._owed: list[PendingDecision] = []
        self._is_answered = False
        self._answers: set[str] = set()
        self._reminded: set[tuple[int, str]] = set()
        self._held_at: int | None = None
        self._notes: tuple[str, ...] = ()
        self._seen_ahead = ""
        self._last = Answer([])
        self._stale = self._fault = ""
        self._proposals = Proposals(fight, self._tell)
        self._questions = Questions(fight, self._waiting, self._give)
        self._words: dict[str, Callable[[str], Answer]] = {
            "order": self._order,
            "timers": lambda _: spoken_answers.ends_answer(fight.ruleset, fight.state),
            "notes": lambda _: Answer(spoken_lines.note_lines(fight.history)),
            "settings": self._settings,
            "card": self._card,
            "actions": self._actions,
            "log": self._log,
            "waiting": self._waiting,
            "later": self._later,
            "accept": self._proposals.accept,
            "decline": self._proposals.decline,
            ANSWER: self._proposals.answer,
            "phones": self._phones,
            "revoke": self._revoke,
            "quit": self._quit,
        }

    # -- lines in, sentences out -------------------------------------------------------------------

    def begin(self) -> list[str]:
        """Say the fight's title, notes on opening it, its state and what waits."""
        fight = self.fight
        opened = [f"{fight.title}, {fight.ruleset.name}"]
        if fight.read_only:
            opened.append(f"read-only: {fight.read_only}")
        else:
            self._proposals.inbox.recover(fight.history)
        return self._say(Answer([*map(sentence, opened)]))

    def answer(self, line: str) -> list[str]:
        """Answer a line: give the command, answer a question, or preview it if it ends with `?`."""
        line = " ".join(line.split())
        if line.casefold() == "again":
            return [*self._last.lines]
        if line.casefold() in ALL:
            return [*self._last.whole] or ["That was all."]
        head = self.fight.history.head
        try:
            with faults_by_their_place(self.fight.ruleset):
                answer = self._answer(line)
        except Refused as refusal:
            if isinstance(refusal, GameFault) and self.fight.history.head != head:
                answer = Answer([sentence(f"It is saved, but {refusal}")])
            else:
                answer = Answer([refusal_aloud(line, refusal, self._spoken)])
        except LogError as error:
            answer = Answer([sentence(f"{NOT_DONE}{error}")])
        return self._say(answer)

    def _say(self, answer: Answer) -> list[str]:
        self._last = _together(answer, self._news())
        return [*self._last.lines]

    def complete(self, line: str) -> list[str]:
        """List the words that could complete the last word of a line."""
        begun, _, word = line.casefold().rpartition(" ")
        names: list[str] = []
        if begun in ASKED_OF_SOMEBODY:
            names = [each.id for each in self.fight.state.combatants]
        elif begun in ASKED_OF_CONDITIONS:
            names = [*spoken_answers.STANDINGS, *self.fight.ruleset.tables.effects]
        elif is_question(begun):
            names = [each.id for each in self.fight.state.combatants]
            names += [*spoken_answers.STANDINGS, *self.fight.ruleset.tables.effects]
        if names:
            return [name for name in names if name.startswith(word)]
        found = self.fight.complete(line)
        if not begun:
            own = dict.fromkeys(each.split()[0] for each in WORDS)
            found += [each for each in own if each.startswith(word)]
        return found

    def _answer(self, line: str) -> Answer:
        if not line:
            return self._where_we_are()
        first, _, rest = line.partition(" ")
        commands = commands_of(self.fight.ruleset)
        if first == "?" or (first.startswith("?") and not rest):
            word = f"{first[1:]} {rest}".strip()
            return help_answer(self.fight.ruleset, self.fight.state, word)
        if line.casefold() == HELP:
            return help_answer(self.fight.ruleset, self.fight.state, "")
        if is_question(line) and first.casefold() not in commands:
            return self._questions.answer(line)
        if line.endswith("?"):
            return self._preview(line[:-1].rstrip())
        ahead, self._seen_ahead = self._seen_ahead, ""
        if line.casefold() == "no" and ahead:
            return Answer(["Nothing is done."])
        if line.casefold() == "yes" and ahead:
            line = ahead
            first, _, rest = line.partition(" ")
        if (setting := self._setting(line)).lines:
            return setting
        own = self._words.get(first.casefold())
        if own is not None and first.casefold() not in commands:
            if rest and first.casefold() in ALONE:
                raise Refused(f"use {first.casefold()} on its own")
            return own(rest)
        answered = self._asked_for(line)
        answer = self._give(answered or line)
        self._is_answered = bool(answered)
        return answer

    def _asked_for(self, line: str) -> str:
        """The command for an answer; raises Refused for one that rolls a player's die, unless it
        says so: `f roll`."""
        word = line.casefold().removesuffix(f" {ROLL}")
        command = self._command_of_answer(line) or self._command_of_answer(word)
        choices = self._asked.choices if self._asked is not None else ()
        label = next((choice.label for choice in choices if choice.command == command), "")
        dice = Foresight(self.fight.preview).players_dice(command) if command else []
        if dice and ROLL not in (*label.split(), *line.casefold().split()[1:]):
            whose = dice_in_words(self.fight.state, dice)
            raise Refused(f"{whose} is missing: {line} roll rolls it")
        return command

    def _give(self, line: str) -> Answer:
        fight = self.fight
        if query_kind(line) or fight.is_carried_by(line):
            try:
                result = fight.ask(line, SPOKEN)
            except Refused:
                if asked := self._questions.why(line):
                    return self._give(asked)
                raise
            found = result.lines if result is not None else ()
            lines = [*map(sentence, map(without_marks, found))]
            return listed(lines, lines[0].rstrip(".")) if lines else Answer(["Nothing to explain."])
        if line.casefold() == END_OF_TURN and self._held_at != fight.history.last:
            held = [] if fight.read_only else fight.asked_before_end()
            if held:
                answers = "" if held[0] == self._asked else spoken_lines.answers_line(held[0])
                self._held_at, self._asked = fight.history.last, held[0]
                self._reminded.add((fight.state.round, sentence(held[0].missed)))
                first = sentence(f"before the turn ends: {self._what_it_asks(held[0])}")
                again = f"{END_OF_TURN.capitalize()} again rolls it."
                return Answer([f"{first} {answers}".rstrip(), again])
        amendment = fight.amendment(line)
        if amendment is not None:
            words = amendment_in_words(fight.state, fight.ruleset.tables, amendment, SPOKEN)
            fight.amend(amendment)
            return _first_few(["Amended.", *map(sentence, words)])
        before = fight.state
        return self._tell(fight.do(line), before)

    def _tell(self, entry: Entry, before: Encounter, titled: bool = False) -> Answer:
        """Tell an entry; reminders and missed rolls come once a round."""
        fight = self.fight
        again = {line for at, line in self._reminded if at == before.round}
        answer = spoken_answers.entry_answer(
            entry, before, fight.state, fight.ruleset, again, titled
        )
        now = spoken_answers.reminders_of(entry, before, fight.state, fight.ruleset)
        self._reminded |= {(before.round, line) for line in now}
        return answer

    # -- what nobody asked for ---------------------------------------------------------------------

    def _news(self, again: bool = True) -> Answer:
        """Tell what is new; or the fault in the game's code, `again` if it was told already."""
        try:
            with faults_by_their_place(self.fight.ruleset):
                news, fault = self._told_once(), ""
        except GameFault as met:
            fault = str(met)
            news = Answer([sentence(fault)] if again or fault != self._fault else [])
        self._fault = fault
        return news

    def _told_once(self) -> Answer:
        """Tell changes by others, notes on the file, a new turn and what waits, each once."""
        fight, lines = self.fight, self._proposals.play_trusted()
        notes = (*fight.notes, *fight.foreign_edit_notes)
        left = (self._proposals.inbox.left_alone(), self._proposals.phones.left_alone())
        lines += [sentence(line) for line in left if line]
        lines += [sentence(without_marks(note)) for note in notes if note not in self._notes]
        self._notes = notes
        lines += self._page_news()
        state, was = fight.state, self._told_of
        turn = Answer([])
        if was is None or _edge(state) != _edge(was):
            if not state.in_combat:
                turn = Answer([spoken_lines.edge_line(fight.ruleset, state)] if was is None else [])
            else:
                turn = spoken_answers.turn_answer(fight.ruleset, state, was)
            self._asked, self._owed = None, []
        self._told_of = state
        return _together(Answer(lines), turn, Answer([*self._ask(), *self._proposals.news()]))

    def _ask(self) -> list[str]:
        """Ask for a decision that waits: a new one, or after an answer the next."""
        waits = turns.pending(self.fight.ruleset, self.fight.state)
        new = list((Counter(waits) - Counter(self._owed)).elements())
        is_open = self._asked in waits and not self._is_answered
        self._owed, self._is_answered = waits, False
        if is_open and not new:
            return []
        self._asked = next(iter(new or waits), None)
        if self._asked is None:
            return []
        return self._waiting_lines(self._asked, len(waits))

    def _waiting_lines(self, asked: PendingDecision, count: int) -> list[str]:
        """Ask for the decision, with its answers unless these were heard before."""
        answers = spoken_lines.answers_line(asked, ROLL)
        shown = "" if answers in self._answers else answers
        self._answers.add(answers)
        more = f" {count - 1} more wait." if count > 1 else ""
        return [f"{sentence(self._what_it_asks(asked))} {shown}".rstrip() + more]

    def _what_it_asks(self, asked: PendingDecision) -> str:
        """The words of a decision, without the life that the announcement of the turn says."""
        up = self.fight.state.up
        if up is None or up.id != asked.who:
            return asked.what
        return asked.what.removeprefix(f"{up.name} is {up.life}: ")

    def _page_news(self) -> list[str]:
        """Tell once where the players' page is, or that it is gone."""
        served = self._served
        if served is None:
            return []
        page = (
            f"the players' page is gone: {served.trouble}"
            if served.trouble
            else (f"the players' page is at {served.url}" if served.url else "")
        )
        is_same, self._page = page == self._page, page
        words = "" if served.trouble else served.new_words()
        lines = [] if is_same else [page, *(only_looks(self.fight.state) if served.url else ())]
        return [sentence(without_marks(line)) for line in [*lines, words] if line]

    def arrivals(self) -> list[str]:
        """Tell what came from others since the last answer: entries of a read-only fight, and
        proposals of phones."""
        news = _together(self._followed(), self._news(again=False))
        if news.lines:
            self._last = news
        return [*news.lines]

    def _followed(self) -> Answer:
        before, last = self.fight.state, self.fight.history.last
        if not self.fight.is_viewed:
            return Answer([])
        try:
            with faults_by_their_place(self.fight.ruleset):
                news, stale = self.fight.follow(), ""
        except (Refused, LogError) as error:
            news, stale = False, str(error)
        is_told, self._stale = stale == self._stale, stale
        if not news:
            return Answer([] if is_told or not stale else [sentence(stale)])
        history, answers = self.fight.history, list[Answer]()
        for entry in [each for each in history.entries.values() if each.seq > last]:
            if entry.to is None:
                before = history.before(entry.seq)
            after = history.states[entry.seq if entry.to is None else entry.to]
            answers.append(
                spoken_answers.entry_answer(entry, before, after, self.fight.ruleset, titled=True)
            )
            before = after
        return _together(*answers)

    # -- what waits --------------------------------------------------------------------------------

    def _where_we_are(self) -> Answer:
        """Tell once more whose turn it is, what waits and what phones propose; with a turn timer,
        the time left."""
        self._told_of, self._asked, self._owed = None, None, []
        self._answers.clear()
        self._proposals.forget_told()
        timer = timer_of(self.fight.history)
        return Answer([f"{timer.left(utc_now())} seconds left."] if timer is not None else [])

    def _waiting(self, name: str) -> Answer:
        """The decisions that wait, of which it asks the first, proposals and reminders."""
        waits = turns.pending(self.fight.ruleset, self.fight.state)
        self._asked, self._owed = next(iter(waits), None), waits
        proposed = self._proposals.rows()
        reminders = spoken_answers.waiting_reminders(self.fight.history)
        owed = [sentence(each.what) for each in waits]
        if self._asked is not None:
            owed[0] = f"{owed[0]} {spoken_lines.answers_line(self._asked)}"
        kinds = (("owed", owed), ("proposed", proposed), ("to remember", reminders))
        counts = [f"{len(rows)} {kind}" for kind, rows in kinds if rows]
        first = f". First, {waits[0].what}" if waits else ""
        rows = [*owed, *proposed, *reminders]
        return (
            listed(rows, f"{join_or(counts, 'and')}{first}")
            if rows
            else Answer(["Nothing is waiting."])
        )

    def _later(self, name: str) -> Answer:
        """Go to the next that waits; after the last, to the first."""
        waits = turns.pending(self.fight.ruleset, self.fight.state)
        if not waits:
            return Answer(["Nothing is waiting."])
        if len(waits) == 1:
            return Answer(["Nothing else is waiting."])
        place = waits.index(self._asked) + 1 if self._asked in waits else 0
        self._asked, self._owed = waits[place % len(waits)], waits
        again = ["The first again:"] if place == len(waits) else []
        self._answers.clear()
        return Answer([" ".join([*again, *self._waiting_lines(self._asked, 1)])])

    def _command_of_answer(self, line: str) -> str:
        """The command for an answer to what was asked last: a key, a label, or the die's number."""
        asked, word = self._asked, line.casefold()
        if asked is None:
            return ""
        shown = word.removeprefix("natural ").removeprefix("n")  # as in the screen's prompts: n15
        if asked.die and shown.replace(",", "").isdecimal():
            return asked.line_with(shown)
        by_key = [c.command for c in asked.choices if word in (c.key, c.label.casefold())]
        if not by_key and word.split()[0] not in commands_of(self.fight.ruleset):
            by_key = [c.command for c in asked.choices if c.label.casefold().startswith(word)]
        return by_key[0] if len(by_key) == 1 else ""

    # -- what is asked for -------------------------------------------------------------------------

    def _people(self, words: str) -> list[Combatant]:
        words = words.strip('"')
        try:
            return resolve_many(self.fight.state, words)
        except Refused:
            return [resolve(self.fight.state, words.removeprefix("the "))]

    def _somebody(self, name: str) -> Combatant:
        up = self.fight.state.up
        if not name and up is None:
            raise Refused("it is nobody's turn: give a name")
        return up if not name and up is not None else resolve(self.fight.state, name.strip('"'))

    def _order(self, name: str) -> Answer:
        ruleset, state = self.fight.ruleset, self.fight.state
        if name:
            return spoken_answers.how_are(ruleset, state, self._people(name))
        return spoken_answers.order_answer(ruleset, state)

    def _card(self, words: str) -> Answer:
        """Answer who somebody is; with a word after the name, what their card says of that."""
        try:
            who = self._somebody(words)
        except Refused:
            if answer := self._questions.of_card(words):
                return answer
            raise
        return spoken_answers.card_answer(self.fight.ruleset, self.fight.state, who)

    def _actions(self, name: str) -> Answer:
        return self._questions.actions(self._somebody(name))

    def _setting(self, line: str) -> Answer:
        """Answer `setting` and `setting NAME` with the current value; empty for any other line."""
        first, _, name = line.partition(" ")
        return self._settings(name) if first.casefold() == "setting" else Answer([])

    def _settings(self, name: str) -> Answer:
        rows = spoken_lines.setting_lines(self.fight.ruleset, self.fight.state, name)
        if name or not rows:
            return Answer(rows)
        return listed(rows, f"settings: {', '.join(self.fight.ruleset.all_settings)}")

    def _log(self, count: str) -> Answer:
        if count and not (count.isdecimal() and count.isascii() and 0 < int(count[:9]) < 1000):
            raise Refused(f"expected the number of entries, from 1 to 999, found {count!r}")
        history, most = self.fight.history, int(count or LOGGED)
        whole = spoken_lines.log_lines(history, self.fight.ruleset, most)
        ruleset, path = self.fight.ruleset, history.path[-most:]
        rows = [f"{seq}: {spoken_answers.title_aloud(history, ruleset, seq)}" for seq in path]
        titles = [*map(sentence, rows)]
        return Answer(titles, whole) if titles else Answer(whole)

    def _phones(self, rest: str) -> Answer:
        named = (right.character for right in self._proposals.phones.rights())
        names = [who.name if (who := self.fight.state.character(c)) else c for c in named]
        lines = [f"phones of {join_or(dict.fromkeys(names), 'and')}" if names else "none"]
        lines += [*(only_looks(self.fight.state) if names else ()), self._page]
        return Answer([sentence(without_marks(line)) for line in lines if line])

    def _revoke(self, name: str) -> Answer:
        combatant = self._somebody(name)
        if combatant.kind != "pc":
            raise Refused(f"{combatant.name} is not a player's character, so has no phone")
        self._proposals.phones.revoke(combatant.id)
        return Answer([sentence(f"{combatant.name} no longer has a phone")])

    def _quit(self, rest: str) -> Answer:
        self.is_over = True
        return Answer([])

    @property
    def _spoken(self) -> Words:
        return self.fight.ruleset.tables.spoken

    # -- before enter ------------------------------------------------------------------------------

    def _preview(self, line: str) -> Answer:
        """Tell what a line would do; `yes` then gives it."""
        fight = self.fight
        given, (first, _, rest) = line, line.partition(" ")
        if first.casefold() == "accept":
            line = self._proposals.command_of(rest)
            if not line:
                return Answer(["It lets the phone in."])
        line = self._command_of_answer(line) or line
        first = line.split()[0].casefold() if line else ""
        if query_kind(line) or first in self._words or self._setting(line).lines:
            return Answer(["That only asks: give it without the ?."])
        self._seen_ahead, tables = "", fight.ruleset.tables
        amendment = fight.amendment(line)
        if amendment is not None:
            lines = amendment_in_words(fight.state, tables, amendment, SPOKEN)
        elif move := read_move(fight.history, line):
            lines = move_lines(fight.history, move.verb, move.to)
        elif fight.is_carried_by(line):
            lines = [fight.preview_command(line) or ""]
        else:
            foresight = Foresight(fight.preview)
            seen = outcomes_ahead(line, foresight, self._outcome, medium=SPOKEN)
            if isinstance(seen, PreviewLine):
                return Answer([_without_usage(line, seen, self._spoken)])
            ahead = fight.preview(line, StubDice(high=True))
            lines = [*seen, *leanings(ahead, tables)]
        self._seen_ahead = given
        few = _first_few([*map(sentence, map(without_marks, lines))])
        return Answer([*few.lines, "Yes does it."], few.whole)

    def _outcome(self, decision: Decision) -> list[str]:
        tables = self.fight.ruleset.tables
        events, tracks = decision.events, tables.tracks
        lines = outcome_lines(
            events, decision.before, tracks, decision.by, medium=SPOKEN, spoken=self._spoken
        )
        actor = decision.state.find(decision.by)
        if actor is not None and any(isinstance(event, CostPaid) for event in decision.events):
            lines.append(spoken_lines.left_in_words(tables, actor))
        return lines


_EXAMPLE = re.compile(r" \([^()]*\d,\d+\)")


def _edge(state: Encounter) -> tuple[int, str, str]:
    return state.round, state.turn, state.phase


def _together(*answers: Answer) -> Answer:
    """Join answers into one; its whole text is that of each answer."""
    lines = [line for answer in answers for line in answer.lines]
    whole = [line for answer in answers for line in answer.whole or answer.lines]
    return Answer(lines, whole if any(answer.whole for answer in answers) else [])


def _first_few(lines: Sequence[str]) -> Answer:
    """The most important of many lines, in their own order."""
    if len(lines) <= FEW + 1:
        return Answer(lines)
    return Answer([*lines[:FEW], sentence(f"{len(lines) - FEW} more; {TELLS_ALL}")], lines)


def refusal_aloud(line: str, refusal: Refused, spoken: Words) -> str:
    """Say why a line is refused; `spoken` are the ruleset's words for the ear."""
    return _without_usage(line, refusal_text(line, refusal), spoken)


def _without_usage(line: str, refused: PreviewLine, spoken: Words) -> str:
    """Say what was wrong or is expected, without examples of dice, and how to hear the usage, which
    may be long."""
    says = _EXAMPLE.sub("", refused.heard or refused.says)
    text = sentence(f"{NOT_DONE}{prose_aloud(says, spoken)}")
    return f"{text} ? {line.split()[0]} tells how." if refused.usage else text
