"""A fight played line by line and read aloud: `affray play FILE`.

`Reader` answers a line; `run` reads lines from a terminal or a pipe until `quit`. What is said is
put into sentences by `core/formatting/spoken_lines.py`.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO

from affray.core.commands.log_commands import (
    SESSION_COMMANDS,
    move_lines,
    query_kind,
    read_move,
)
from affray.core.dice import StubDice, seeded_dice
from affray.core.engine import turns
from affray.core.engine.decide import Decision, commands_of
from affray.core.engine.dice_owners import PlayersDie, dice_in_words
from affray.core.engine.events import CostPaid
from affray.core.engine.history import Entry
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting import spoken_lines
from affray.core.formatting.log_lines import amendment_in_words, outcome_lines
from affray.core.formatting.pieces import SPOKEN
from affray.core.formatting.spoken_lines import sentence
from affray.core.formatting.turn_timer import timer_of
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.targets import resolve
from affray.core.rules.proposals import is_asked_roll, may_go_by_itself
from affray.core.rules.ruleset import PendingDecision
from affray.extras import install_command
from affray.fight import utc_now
from affray.stdio import decode_line, drop_output, print_lines
from affray.store import LogError
from affray.store.filesystem import ON_WINDOWS
from affray.store.inbox import GONE, Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones
from affray.tui.prompts.field import ROLL
from affray.tui.prompts.preview import (
    Foresight,
    PreviewLine,
    leanings,
    outcomes_ahead,
    refusal_text,
)

MOST_BYTES = 4_000
"""The size of a line that is read; a longer one is refused whole."""
LOGGED = 5
"""How many entries `log` tells by default."""
END_OF_TURN = "next"
PROMPT = "> "
LOOK_EVERY = 0.3
"""Seconds between two looks for what others do, while a line is typed."""

WORDS = {
    "order": "everybody in turn order, with their numbers",
    "card NAME": "all about somebody; without a name, whoever's turn it is",
    "actions NAME": "lists what somebody can do now, and the cost",
    "timers": "lists effects, the first to end first, and clocks",
    "notes": "shows texts to read aloud, and your own notes",
    "settings": "lists this fight's settings and their values; with NAME, one setting",
    "waiting": "lists everything waiting for an answer",
    "later": "goes to the next thing waiting",
    "log N": f"shows the last N entries, {LOGGED} without a number",
    "again": "repeats the last answer",
    "accept": "does what a phone proposes, or the command after it instead; lets a phone in",
    "decline WORDS": "declines it, with or without words for the player",
    "phones": "lists whose phones may propose",
    "revoke NAME": "removes their phones",
    "quit": "quits; everything is already saved",
}
"""The words that play alone has, beside the commands of the fight, and what they tell."""


class Reader:
    """A fight that is read aloud: each line that is given has its answer in sentences.

    Attributes:
        fight: The open fight.
        is_over: True if `quit` was given.
    """

    def __init__(self, fight: OpenEncounter) -> None:
        self.fight = fight
        self.is_over = False
        self._edge: tuple[int, str, str] | None = None
        self._asked: PendingDecision | None = None
        self._left: list[PendingDecision] = []
        self._held_at: int | None = None
        self._notes: tuple[str, ...] = ()
        self._seen_ahead = ""
        self._last: list[str] = []
        self._inbox, self._phones = Inbox(fight.path), Phones(fight.path)
        self._offered: Proposal | None = None
        self._stale = ""
        self._words: dict[str, Callable[[str], list[str]]] = {
            "order": lambda name: spoken_lines.order_lines(fight.ruleset, fight.state),
            "timers": lambda name: spoken_lines.timer_lines(fight.ruleset, fight.state),
            "notes": lambda name: spoken_lines.note_lines(fight.history),
            "settings": lambda name: spoken_lines.setting_lines(fight.ruleset, fight.state),
            "card": self._card,
            "actions": self._actions,
            "log": self._log,
            "waiting": self._waiting,
            "later": self._later,
            "accept": self._accept,
            "decline": self._decline,
            "phones": self._phones_in_words,
            "revoke": self._revoke,
            "quit": self._quit,
        }

    # -- lines in, sentences out -------------------------------------------------------------------

    def begin(self) -> list[str]:
        """Say which fight it is, what opening it has found, how it stands and what waits."""
        fight = self.fight
        opened = [f"{fight.title}, {fight.ruleset.name}"]
        if fight.read_only:
            opened.append(f"read-only: {fight.read_only}")
        else:
            self._inbox.recover(fight.history)
        self._last = [*map(sentence, opened), *self._news()]
        return self._last

    def answer(self, line: str) -> list[str]:
        """Answer a line: give the command, ask, or preview it where it ends with `?`."""
        line = " ".join(line.split())
        if line.casefold() == "again":
            return self._last
        try:
            lines = self._answer(line)
        except Refused as refusal:
            lines = [_refusal(line, refusal)]
        except LogError as error:
            lines = [sentence(str(error))]
        self._last = [*lines, *self._news()]
        return self._last

    def complete(self, line: str) -> list[str]:
        """List the words that could complete the last word of a line."""
        found = self.fight.complete(line)
        if " " not in line:
            found += [word for word in (*self._words, "again") if word.startswith(line.casefold())]
        return found

    def _answer(self, line: str) -> list[str]:
        if not line:
            return self._where_we_are()
        first, _, rest = line.partition(" ")
        if first == "?" or (first.startswith("?") and not rest):
            return self._meaning(f"{first[1:]} {rest}".strip())
        if line.endswith("?"):
            return self._preview(line[:-1].rstrip())
        if line.casefold() == "yes" and self._seen_ahead:
            line = self._seen_ahead
            first, _, rest = line.partition(" ")
        self._seen_ahead = ""
        if lines := self._setting(line):
            return lines
        own = self._words.get(first.casefold())
        if own is not None and first.casefold() not in commands_of(self.fight.ruleset):
            return own(rest)
        return self._give(self._asked_for(line) or line)

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

    def _give(self, line: str) -> list[str]:
        fight = self.fight
        if query_kind(line) or fight.is_carried_by(line):
            result = fight.ask(line, SPOKEN)
            lines = result.lines if result is not None else []
            return [sentence(each) for each in lines] or ["There is nothing to explain."]
        if line.casefold() == END_OF_TURN and self._held_at != fight.history.last:
            held = [] if fight.read_only else fight.asked_before_end()
            if held:
                answers = "" if held[0] == self._asked else spoken_lines.answers_line(held[0])
                self._held_at, self._asked = fight.history.last, held[0]
                return [
                    f"Before the turn ends: {sentence(held[0].what)} {answers}".rstrip(),
                    f"{END_OF_TURN.capitalize()} again rolls the rest and ends the turn.",
                ]
        amendment = fight.amendment(line)
        if amendment is not None:
            words = amendment_in_words(fight.state, fight.ruleset.tables, amendment, SPOKEN)
            fight.amend(amendment)
            return ["Amended.", *map(sentence, words)]
        before = fight.state
        return self._entry_lines(fight.do(line), before)

    def _entry_lines(self, entry: Entry, before: Encounter) -> list[str]:
        return spoken_lines.entry_lines(entry, before, self.fight.state, self.fight.ruleset)

    # -- what nobody asked for ---------------------------------------------------------------------

    def _news(self) -> list[str]:
        """Tell what others saved, notes on the file, a new turn and what waits, each once."""
        fight, lines = self.fight, self._play_trusted()
        notes = (*fight.notes, *fight.foreign_edit_notes)
        left = (self._inbox.left_alone(), self._phones.left_alone())
        lines += [sentence(line) for line in left if line]
        lines += [sentence(note) for note in notes if note not in self._notes]
        self._notes = notes
        state = fight.state
        edge = (state.round, state.turn, state.phase)
        if edge != self._edge:
            if self._edge is None or state.phase == "combat":  # else the entry itself has told it
                lines += [spoken_lines.edge_line(fight.ruleset, state)]
                lines += spoken_lines.turn_lines(fight.ruleset, state)
            self._edge, self._asked, self._left = edge, None, []
        waits = self._first_waiting()
        if waits != self._asked and waits is not None:
            lines.append(spoken_lines.waiting_line(waits))
        self._asked = waits
        return [*lines, *self._offers()]

    def arrivals(self) -> list[str]:
        """Tell what came from others since the last answer: entries of a fight that is only looked
        at, and what phones propose."""
        lines = [*self._followed(), *self._news()]
        self._last = lines or self._last
        return lines

    def _followed(self) -> list[str]:
        before, last = self.fight.state, self.fight.history.last
        if not self.fight.is_viewed:
            return []
        try:
            news, stale = self.fight.follow(), ""
        except (Refused, LogError) as error:
            news, stale = False, str(error)
        is_told, self._stale = stale == self._stale, stale
        if not news:
            return [] if is_told or not stale else [sentence(stale)]
        entries = self.fight.history.entries.values()
        new = [entry for entry in entries if entry.seq > last]
        lines = []
        for entry in new:
            if entry.to is None:
                before = self.fight.history.before(entry.seq)
            after = self.fight.history.states[entry.seq if entry.to is None else entry.to]
            lines += spoken_lines.entry_lines(entry, before, after, self.fight.ruleset)
            before = after
        return lines

    # -- what waits --------------------------------------------------------------------------------

    def _pending(self) -> list[PendingDecision]:
        return turns.pending(self.fight.ruleset, self.fight.state)

    def _first_waiting(self) -> PendingDecision | None:
        waits = self._pending()
        return next((each for each in waits if each not in self._left), None)

    def _where_we_are(self) -> list[str]:
        """Have whose turn it is, what waits and what is proposed told once more; of a turn with a
        timer what is left."""
        self._edge, self._asked, self._offered = None, None, None
        timer = timer_of(self.fight.history)
        return [f"{timer.left(utc_now())} seconds left."] if timer is not None else []

    def _waiting(self, name: str) -> list[str]:
        waits, self._left = self._pending(), []
        self._asked = waits[0] if waits else None
        return [spoken_lines.waiting_line(each) for each in waits] or ["Nothing is waiting."]

    def _later(self, name: str) -> list[str]:
        waits = self._first_waiting()
        if waits is None:
            return ["Nothing is waiting."]
        self._left.append(waits)
        return [] if self._first_waiting() else ["Nothing else is waiting."]

    def _command_of_answer(self, line: str) -> str:
        """The command for an answer to what was asked last: a key, a label, or the die's number."""
        asked, word = self._asked, line.casefold()
        if asked is None:
            return ""
        if asked.die and word.replace(",", "").isdecimal():
            return asked.line_with(word)
        by_key = [c.command for c in asked.choices if word in (c.key, c.label.casefold())]
        if not by_key and word.split()[0] not in commands_of(self.fight.ruleset):
            by_key = [c.command for c in asked.choices if c.label.casefold().startswith(word)]
        return by_key[0] if len(by_key) == 1 else ""

    # -- what phones propose -----------------------------------------------------------------------

    def _proposed(self) -> list[Proposal]:
        """The players' proposals that wait for the GM; none in a fight that is read-only."""
        if self.fight.is_viewed:
            return []
        return self._inbox.for_gm(self.fight.history, self._phones)

    def _play_trusted(self) -> list[str]:
        """Play what needs no word of the GM's, and tell it; what is refused waits for one."""
        fight, lines = self.fight, []
        for row in self._proposed():
            with suppress(Refused, LogError):
                command = row.command
                if (
                    command
                    and may_go_by_itself(fight.history, fight.ruleset, row.character, command)
                    and not self._still_asked(row)
                ):
                    lines += self._play(row, command)
        return lines

    def _offers(self) -> list[str]:
        """Tell the first thing that is proposed, once."""
        first = next(iter(self._proposed()), None)
        if first is None or first == self._offered:
            self._offered = first
            return []
        self._offered = first
        name = self.fight.state.name(first.character)
        whose = self._phones.called(first.sender, name)
        asks = f"{name}'s phone asks to play" if first.asks_to_play else f"{whose} proposes"
        what = "" if first.asks_to_play else f": {first.words or first.command}"
        return [f"{sentence(f'{asks}{what}')} Accept, or decline."]

    def _first_offer(self) -> Proposal:
        if self._offered is None:
            raise Refused("no phone has proposed anything")
        return self._offered

    def _play(self, row: Proposal, command: str) -> list[str]:
        fight = self.fight
        before = fight.state
        entry = self._inbox.accept(row, lambda: fight.do(command, proposal=row.id), fight.history)
        return self._entry_lines(entry, before)

    def _still_asked(self, row: Proposal) -> list[PlayersDie]:
        """The dice of players that a proposal would have rolled, and no player asked for."""
        dice = Foresight(self.fight.preview).players_dice(row.command)
        return [die for die in dice if not is_asked_roll(row.rolls, row.character, die)]

    def _accept(self, command: str) -> list[str]:
        row = self._first_offer()
        if not row.asks_to_play:
            if command.casefold() == ROLL:
                command = row.command
            elif not command and (dice := self._still_asked(row)):
                whose = dice_in_words(self.fight.state, dice)
                raise Refused(f"{whose} is missing: accept roll rolls it, or accept COMMAND")
            try:
                return self._play(row, command or row.command)
            except Refused:
                if command in ("", row.command):  # a line of the GM's own lets it wait on
                    self._inbox.tell_refused(row, self.fight)
                raise
        history = self.fight.history
        self._inbox.accept(row, lambda: self._phones.grant(row.sender, row.character), history)
        return [sentence(f"{self.fight.state.name(row.character)}'s phone is in")]

    def _decline(self, words: str) -> list[str]:
        row = self._first_offer()
        if not self._inbox.decline(row, words.strip('"'), self.fight.history):
            raise Refused(GONE)
        return ["Declined."]

    def _phones_in_words(self, rest: str) -> list[str]:
        named = (right.character for right in self._phones.rights())
        names = [who.name if (who := self.fight.state.character(c)) else c for c in named]
        return [sentence(f"phones of {join_or(dict.fromkeys(names), 'and')}" if names else "none")]

    def _revoke(self, name: str) -> list[str]:
        combatant = self._somebody(name)
        if combatant.kind != "pc":
            raise Refused(f"{combatant.name} is not a player's character, so has no phone")
        self._phones.revoke(combatant.id)
        return [sentence(f"{combatant.name} no longer has a phone")]

    # -- what is asked for -------------------------------------------------------------------------

    def _somebody(self, name: str) -> Combatant:
        up = self.fight.state.up
        if not name and up is None:
            raise Refused("it is nobody's turn: give a name")
        return up if not name and up is not None else resolve(self.fight.state, name.strip('"'))

    def _card(self, name: str) -> list[str]:
        fight = self.fight
        return spoken_lines.card_lines(fight.ruleset, fight.state, self._somebody(name))

    def _actions(self, name: str) -> list[str]:
        fight = self.fight
        return spoken_lines.action_lines(fight.ruleset, fight.state, self._somebody(name))

    def _setting(self, line: str) -> list[str]:
        """Tell of `setting` and `setting NAME` how it stands; nothing of any other line."""
        first, _, name = line.partition(" ")
        if first.casefold() != "setting":
            return []
        return spoken_lines.setting_lines(self.fight.ruleset, self.fight.state, name)

    def _log(self, count: str) -> list[str]:
        if count and not (count.isdecimal() and count.isascii() and 0 < int(count[:9]) < 1000):
            raise Refused(f"expected the number of entries, from 1 to 999, found {count!r}")
        return spoken_lines.log_lines(self.fight.history, self.fight.ruleset, int(count or LOGGED))

    def _quit(self, rest: str) -> list[str]:
        if rest:
            raise Refused("use quit on its own")
        self.is_over = True
        return []

    def _meaning(self, word: str) -> list[str]:
        """Tell the usage of a command and what a word of the rules means; of no word, how to go."""
        if not word:
            return [
                "Type a command to do it; add a ? to hear what it would do.",
                *(sentence(f"{name}: {tells}") for name, tells in WORDS.items()),
                "? WORD explains a command, a setting or a word of the rules.",
                "? words lists the words that may follow a die, ? adv the commands that take one.",
                sentence(f"commands: {', '.join(sorted(commands_of(self.fight.ruleset)))}"),
            ]
        own = next((name for name in WORDS if name.split()[0] == word.casefold()), None)
        name, commands = word.casefold(), commands_of(self.fight.ruleset)
        found = commands.get(name) or SESSION_COMMANDS.get(name)
        lines = [f"{own}: {WORDS[own]}"] if own is not None and found is None else []
        lines += [f"{found.usage}: {found.does}"] if found is not None else []
        lines += spoken_lines.setting_lines(self.fight.ruleset, self.fight.state, word)
        lines += spoken_lines.term_lines(commands, word)
        lines += spoken_lines.meaning_lines(self.fight.ruleset, word)
        return [sentence(each) for each in lines] or [
            sentence(f"{word} is not a word of these rules")
        ]

    # -- before enter ------------------------------------------------------------------------------

    def _preview(self, line: str) -> list[str]:
        """Tell what a line would do; `yes` then gives it."""
        fight = self.fight
        given = line
        if line.casefold() == "accept":
            line = self._first_offer().command
            if not line:
                return ["It lets the phone in."]
        line = self._command_of_answer(line) or line
        first = line.split()[0].casefold() if line else ""
        if query_kind(line) or first in self._words or self._setting(line):
            return ["That only asks: give it without accept."]
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
                return [_without_usage(line, seen)]
            ahead = fight.preview(line, StubDice(high=True))
            lines = [*seen, *leanings(ahead, tables)]
        self._seen_ahead = given
        return [*map(sentence, lines), "Not done yet: yes does it."]

    def _outcome(self, decision: Decision) -> list[str]:
        tables = self.fight.ruleset.tables
        events, tracks = decision.events, tables.tracks
        lines = outcome_lines(events, decision.before, tracks, decision.by, medium=SPOKEN)
        actor = decision.state.find(decision.by)
        if actor is not None and any(isinstance(event, CostPaid) for event in decision.events):
            lines.append(f"left: {spoken_lines.left_to_act(tables, actor) or 'nothing'}")
        return lines


def _refusal(line: str, refusal: Refused) -> str:
    return _without_usage(line, refusal_text(line, refusal))


def _without_usage(line: str, refused: PreviewLine) -> str:
    """Say what was wrong or is wanted, and how to hear the usage, which may be long."""
    text = refused.says
    return f"{sentence(text)} ? {line.split()[0]} tells how." if refused.usage else sentence(text)


# -------------------------------------------------------------------------------------------------
# Lines from a terminal or a pipe


class UnreadLine(Exception):  # noqa: N818
    """A line that can't be read as text, in one line of why."""


def run(options: Namespace) -> int:
    """Play a fight line by line until `quit` or the end of the input; gives the exit status."""
    if sys.stdin is None:
        raise Refused("expected commands on standard input; it is closed")
    with OpenEncounter.open_or_view(options.file) as fight:
        fight.dice = seeded_dice(options.seed)
        try:
            _play(Reader(fight))
        except KeyboardInterrupt:
            print_lines("Stopped; everything answered is saved.")
            return 130
    return 0


def _play(reader: Reader) -> None:
    """Answer lines until there are no more."""
    print_lines(*reader.begin())
    read_line, remark = _line_reader(reader)
    if remark:
        print_lines(remark)
    while not reader.is_over:
        try:
            line = read_line()
        except UnreadLine as error:
            print_lines(sentence(str(error)))
            continue
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            print_lines("", "Nothing was done; quit leaves.")
            continue
        except OSError:  # the terminal has gone, and what was drawn last may still be unwritten
            drop_output()
            break
        if line is None:
            break
        lines = [*reader.arrivals(), *reader.answer(line)]
        if lines:
            print_lines(*lines)


def _line_reader(reader: Reader) -> tuple[Callable[[], str | None], str]:
    """Return what reads a line, None at the end, and a remark where it lacks something."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda: _read_plain(sys.stdin.buffer), ""
    if os.environ.get("TERM", "console" if ON_WINDOWS else "dumb") in ("", "dumb"):
        return lambda: _read_typed(reader), ""
    try:
        return _prompt_toolkit_reader(reader), ""
    except ModuleNotFoundError as missing:
        remark = f"Without {missing.name} there is no completion: {install_command('play')}"
        return lambda: _read_typed(reader), remark


def _read_typed(reader: Reader) -> str | None:
    """Read a line from a terminal, and tell what arrives before it is there."""
    print(PROMPT, end="", flush=True)
    while not ON_WINDOWS and not select.select([sys.stdin], [], [], LOOK_EVERY)[0]:
        if lines := reader.arrivals():
            print_lines("", *lines)
            print(PROMPT, end="", flush=True)
    return _read_plain(sys.stdin.buffer)


def _read_plain(stream: BinaryIO) -> str | None:
    """Read a line as bytes, so that one which is no text takes none of the others with it."""
    line = stream.readline(MOST_BYTES + 1)
    if not line:
        return None
    if len(line) > MOST_BYTES:
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES)
        raise UnreadLine(f"a line has at most {MOST_BYTES} bytes; nothing was done")
    try:
        return decode_line(line, sys.stdin.encoding)
    except UnicodeDecodeError as error:
        encoding = error.encoding.upper()
        raise UnreadLine(f"that line is not {encoding} text; nothing was done") from None


def _prompt_toolkit_reader(reader: Reader) -> Callable[[], str | None]:
    """Return what reads a line with completion by tab and the fight's commands as its history."""
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")  # nothing is drawn that needs to know where
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import Application, get_app, run_in_terminal
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.layout import Layout
    from prompt_toolkit.renderer import Renderer
    from prompt_toolkit.shortcuts import CompleteStyle

    class DrawnOnce(Renderer):
        """Draws what is typed; enter goes on to the next line and draws nothing anew, since a
        screen reader would say it a second time."""

        def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
            if is_done:
                app.exit_style = ""  # or the line is drawn in another look
                app.current_buffer.cursor_position = len(app.current_buffer.text)
            super().render(app, layout)
            if is_done:
                self.output.write_raw("\r\n")
                self.reset()
                self.output.flush()

    def words() -> list[str]:
        return reader.complete(get_app().current_buffer.document.text_before_cursor)

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(reader.fight.commands),
        completer=WordCompleter(words, WORD=True, ignore_case=True),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
    )
    session.app.renderer = DrawnOnce(session.app.renderer.style, session.app.output)

    async def tell_arrivals() -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if lines := reader.arrivals():
                await run_in_terminal(partial(print_lines, *lines))

    def begin_line() -> None:
        get_app().create_background_task(tell_arrivals())

    def read_line() -> str | None:
        try:
            return str(session.prompt(PROMPT, pre_run=begin_line))
        except EOFError:
            return None

    return read_line
