"""From a command to its events: `decide(state, line, ruleset, dice)`. It changes nothing, so the
same call previews a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from affray.core.commands import CORE_COMMANDS
from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.dice import DiceError, DiceSource, Forced, SeededDice
from affray.core.engine import reminders, resets, turns
from affray.core.engine.advantage import RollAdvantage
from affray.core.engine.effects import apply_invariants
from affray.core.engine.events import AnyEvent, NoteAdded
from affray.core.engine.history import NOWHERE, EarlierEntry, Entry, OtherLogs
from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser.errors import GameFault, Refused, did_you_mean, join_or, place_of_error
from affray.core.parser.everyday_words import MEANT
from affray.core.parser.prompt_fields import Field
from affray.core.parser.spelling import begun_so, fold
from affray.core.parser.targets import resolve
from affray.core.parser.tokens import Token, TokenStream, tokenize
from affray.core.rules.ruleset import Command, Context, Ruleset, Unconfirmed

_Made = TypeVar("_Made")


class Decision(Struct, frozen=True):
    """The result of a command: its events, their text for the log, and the resulting state. `verb`
    is the command's name, however it was written: `gm-thread` for `gm thread reroll`.
    `looked_elsewhere` is True if it also depends on other logs of the campaign; `advantages` has
    the reasons for and against each of its checks, called or not.
    """

    command: str
    verb: str
    by: str
    text: str
    events: tuple[AnyEvent, ...]
    before: Encounter
    state: Encounter
    looked_elsewhere: bool = False
    advantages: tuple[RollAdvantage, ...] = ()

    def __repr__(self) -> str:
        return f"<Decision: {self.text}>"

    def entry(self, seq: int, at: datetime | None = None) -> Entry:
        """The log's entry for this decision, with the number `seq`."""
        begins = self.command.split(maxsplit=1)[0].casefold()
        verb = "" if begins == self.verb else self.verb
        return Entry(seq, self.command, self.by, self.text, self.events, at=at, verb=verb)


@lru_cache(maxsize=16)  # asked for by every command
def commands_of(ruleset: Ruleset) -> Mapping[str, Command]:
    """All commands by their first word; a ruleset's own command replaces the core's of that
    name."""
    return {**CORE_COMMANDS, **ruleset.commands}


def command_name(entry: Entry, ruleset: Ruleset) -> str:
    """The name of the command that an entry was given by, however it was written.

    Entries from before that was kept are read as the command would be now.
    """
    words = [Token(word) for word in entry.command.split()]
    return entry.verb or (_joined(words, ruleset)[0].casefold() if words else "")


def decide(
    state: Encounter,
    line: str,
    ruleset: Ruleset,
    dice: DiceSource,
    previous: EarlierEntry | None = None,
    forced: Forced | None = None,
    other_logs: OtherLogs = NOWHERE,
) -> Decision:
    """Decide what a command does now. Raises Refused, in one line, if it is impossible. `forced`
    replaces the dice of checks in the command's words.
    """
    words = tokenize(line)
    if not words:
        raise Refused("expected a command, such as `next`")
    commands = commands_of(ruleset)
    words = _joined(words, ruleset)
    phrase = " ".join(words[:2])
    whole = phrase if hyphenate(phrase) in MEANT else words[0]  # `end turn` is no `end`
    command = _find_command(whole, commands)
    by = _take_by(words, state) if command.acts else ""
    ctx = Context(state, ruleset, dice, previous, by, forced, other_logs)
    try:
        with faults_by_their_place(ruleset):
            resets.begin_tracks(ctx)
            _run(ctx, command, TokenStream(words[1:], ctx.state, command.usage))
            apply_invariants(ctx)
            turns.begin_with_usual_settings(ctx)
            turns.follow_sides(ctx)
            turns.roll_for_raised(ctx)
            reminders.tell(ctx)
    except Unconfirmed as unconfirmed:
        ctx = ctx.aside(state)
        ctx.by, ctx.text = by, str(unconfirmed)
        ctx.emit(NoteAdded(ctx.text))
    line = line.strip()
    return Decision(
        line,
        command.name,
        ctx.by,
        ctx.text or line,
        tuple(ctx.events),
        state,
        ctx.state,
        ctx.looked_elsewhere,
        tuple(ctx.advantages),
    )


@contextmanager
def faults_by_their_place(ruleset: Ruleset) -> Iterator[None]:
    """Raise an error in the code of somebody's own game as a refusal, with its file and line."""
    try:
        yield
    except (Refused, Unconfirmed, AssertionError):
        raise
    except Exception as error:
        place = place_of_error(error)
        if not place:
            raise
        what = f"{type(error).__name__}: {error}{place}"
        raise GameFault(f"the code of {ruleset.name} has a fault here: {what}") from error


def despite_faults(
    ruleset: Ruleset, make: Callable[[Ruleset], _Made], tell: Callable[[str], None]
) -> _Made:
    """Return what is made of a game; while its code fails, of its tables and commands alone, and
    tell the fault."""
    try:
        with faults_by_their_place(ruleset):
            return make(ruleset)
    except GameFault as fault:
        result = make(Ruleset(ruleset.id, ruleset.name, ruleset.tables, ruleset.commands))
        tell(str(fault))
        return result


def _run(ctx: Context, command: Command, tokens: TokenStream) -> None:
    try:
        command.run(ctx, tokens)
    except DiceError as error:
        raise Refused(str(error)) from None
    tokens.finish()


def _find_command(word: str, commands: Mapping[str, Command]) -> Command:
    command = commands.get(word.casefold())
    if command is None:
        session = SESSION_COMMANDS.get(word.casefold())
        if session is not None:
            raise Refused(f"`{session.name}` {session.does}; it can't be used here")
        choices = [*commands, *SESSION_COMMANDS]
        begun = [name for name in choices if name.startswith(word.casefold())]
        names = MEANT.get(hyphenate(word), ())
        meant = begun or [name for name in names if name.split()[0] in choices]
        near = f"; did you mean {join_or(meant[:3])}?" if meant else did_you_mean(word, choices)
        hint = near or "; ? lists all commands"
        raise Refused(f"{word!r} is no command{hint}", commands, 0)
    return command


def _joined(words: list[Token], ruleset: Ruleset) -> list[Token]:
    """The words with the command's own name in one piece: `total defense` is `total-defense`.

    The longest name counts: `drop prone` is no `drop`.
    """
    called = _called(ruleset)
    for count in range(min(4, len(words)), 0, -1):
        typed = "-".join(words[:count]).casefold()
        name = called.get(typed) or called.get(fold(typed))
        if name and not any(word.quoted for word in words[1:count]):
            return [*map(Token, name.split()), *words[count:]]
    return words


@lru_cache(maxsize=16)
def _called(ruleset: Ruleset) -> dict[str, str]:
    """Map each word that can begin a command to that beginning: the command's name, and a
    technique's name on the screen, such as `basic-attack` for `attack`, `retaliate` for `react
    retaliate`."""
    commands, techniques = commands_of(ruleset), ruleset.tables.techniques.items()
    shown = {hyphenate(row.name): row.command or id for id, row in techniques}
    by_name = {long: begins for long, begins in shown.items() if begins.split()[0] in commands}
    called = by_name | {name: name for name in commands}
    return {fold(name): begins for name, begins in called.items()} | called


def _take_by(words: list[Token], state: Encounter) -> str:
    """Take `by NAME` out of the words, wherever it is, and return the combatant's id."""
    if "by" not in words:
        return ""
    for index in range(len(words) - 1, 0, -1):
        if words[index] == "by" and not words[index].quoted:
            if index + 1 == len(words):
                raise Refused("expected a combatant after `by`", [c.id for c in state.combatants])
            combatant = resolve(state, words[index + 1])
            del words[index : index + 2]
            return combatant.id
    return ""


def complete(state: Encounter, line: str, ruleset: Ruleset) -> list[str]:
    """List words that could complete the last word of a line, best first; empty if none is known.
    After a comma, words that could follow it, except those already there.
    """
    head, _, part = line.rpartition(" ")
    before, comma, part = part.rpartition(",")
    try:
        words = tokenize(head)
    except Refused:
        return []
    if not words:
        offers: list[str] = [] if comma else [*sorted(commands_of(ruleset)), *SESSION_COMMANDS]
    elif words[-1].casefold() == "by" and not words[-1].quoted:
        offers = [c.id for c in state.combatants]
    else:
        offers = _offers(state, words, ruleset, begun=bool(part))
    parts = before.casefold().split(",")
    fit = begun_so(part, dict.fromkeys(offers))
    return [f"{before}{comma}{o}" for o in fit if o not in parts]


def _offers(
    state: Encounter, words: list[Token], ruleset: Ruleset, begun: bool = False
) -> list[str]:
    command = commands_of(ruleset).get(words[0].casefold())
    has_no_actor = command is not None and command.acts and "by" not in words
    found = _follow(state, words, ruleset)
    alike = found.alike if begun else ()  # other words only for whoever has begun one
    return [*found.words, *alike, *(["by"] if has_no_actor and not found.refused else [])]


class Continuation(Struct, frozen=True):
    """The parser's answer to what may follow a line.

    words    words that may follow, such as keywords and names
    needed   the field that must follow; None if the line may end
    besides  fields that may follow other than known words: a number, dice
    refused  why the line can't be decided as it is; empty if it can
    alike    other words for some of these, such as `advantage` for `adv`
    """

    words: tuple[str, ...] = ()
    needed: Field | None = None
    besides: tuple[Field, ...] = ()
    refused: str = ""
    alike: tuple[str, ...] = ()


def follow(state: Encounter, line: str, ruleset: Ruleset) -> Continuation:
    """Find out what may follow a line. Prompts ask for exactly that, so they ask for everything
    that the parser reads."""
    try:
        words = _joined(tokenize(line), ruleset)
    except Refused as refusal:
        return Continuation(refused=str(refusal))
    return _follow(state, words, ruleset) if words else Continuation()


def _follow(state: Encounter, words: list[Token], ruleset: Ruleset) -> Continuation:
    command = commands_of(ruleset).get(words[0].casefold())
    if command is None:
        return Continuation()
    try:
        by = _take_by(words, state) if command.acts else ""
    except Refused as refusal:
        return Continuation(refused=str(refusal))
    cursor = TokenStream(words[1:], state, command.usage, goes_on=True)
    try:
        with faults_by_their_place(ruleset):
            _run(Context(state, ruleset, SeededDice(0), None, by), command, cursor)
    except Unconfirmed:
        return _continuation(cursor)
    except Refused as refusal:
        if refusal.at is not None and refusal.at >= len(cursor.words):
            return _continuation(cursor, str(refusal), refusal.candidates, cursor.wanted)
        return (
            _continuation(cursor, str(refusal))
            if cursor.done
            else Continuation(refused=str(refusal))
        )
    return _continuation(cursor)


def _continuation(
    cursor: TokenStream,
    refused: str = "",
    candidates: Iterable[str] = (),
    needed: Field | None = None,
) -> Continuation:
    offered = [offer for more in cursor.offers for offer in more()]
    words = dict.fromkeys([*offered, *cursor.offered, *candidates])
    row = tuple(word for word in words if word not in cursor.alike)
    alike = tuple(word for word in words if word in cursor.alike)
    return Continuation(row, needed, tuple(dict.fromkeys(cursor.besides)), refused, alike)
