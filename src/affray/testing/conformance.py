"""A check that a game keeps what affray promises for every command, by playing it.

    def test_the_game_holds_together() -> None:
        conforms(RULESET, *FIGHT)                # each line of it, and what keys offer

It gives each command by keys and by a phone's form, does it, reads the result and the log's line
aloud, undoes, redoes and amends it. Each failure is one line. Start with `conforms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from typing import Any

import msgspec

from affray.core.dice import SeededDice, StubDice
from affray.core.engine.dice_owners import rolls_of
from affray.core.engine.evolve import evolve
from affray.core.engine.history import Entry
from affray.core.engine.state import Encounter
from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.players_view import outcome_as_known, players_view
from affray.core.formatting.recap import recap_of
from affray.core.formatting.recap_output import markdown
from affray.core.formatting.reports import json_report
from affray.core.formatting.spoken_answers import entry_answer, turn_answer
from affray.core.formatting.spoken_lines import action_lines, card_lines
from affray.core.parser.errors import Refused, join_or, place_of_error
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import InitiativeRules, Ruleset, all_options
from affray.fight import Fight
from affray.odds.simulation import attack_the_weakest, play_out
from affray.serve.forms import compose_command, proposal_forms
from affray.slips import check_game
from affray.store.entries import decode_entry, format_log, replay
from affray.store.log_recovery import parse_log
from affray.testing.by_keys import NoKeys, keys_for
from affray.testing.keyboard import Keyboard
from affray.testing.offers import lines_offered, openings_of
from affray.testing.phone_forms import WAYS, fill_in
from affray.tui.prompts.command_bar import InputState

SEED = 7
MOST_LINES = 2
"""The number of lines to try for each command, of those that its keys offer."""
BEFORE_PLAY = ("add", "set", "setting")
OF_THE_LOG = ("undo", "redo", "goto", "amend", "keep", "why", "roll", "odds", "note")
TYPED_ALONE = (*BEFORE_PLAY, *OF_THE_LOG)
"""The commands that have forms or keys of another kind, or that are about the log."""
_SIGN = re.compile(r"[+−→·=|]|\d[/–]\d|(?<!\w)-\d|d\d+(-|k[hl])")
_DICE = re.compile(r"\d*d\d[\dd+khl-]*")
TYPED = re.compile(r'"[^"]*"|(?:note|read-aloud|read) .*')
"""The GM's own words in a command."""


def conforms(ruleset: Ruleset, *lines: str) -> None:
    """Check that a game keeps what affray promises for each of its commands.

    Args:
        ruleset: The game.
        lines: The commands of a fight, in order, from the first `add` on: each is checked as it is
            given. Commands without a line are checked by what their keys offer. Without lines two
            characters fight two foes with the sheet of `Ruleset.usual_foe`.

    Raises:
        AssertionError: Something fails; each line says what.
    """
    of_one: dict[str, str] = {}  # the same fault of several lines is told of the first
    for each in _Trial(ruleset).run(lines):
        of_one.setdefault(each.rpartition("`: ")[2], each)
    if found := [*of_one.values()]:
        what = f"{ruleset.name}: {len(found)} thing{'s do' if found[1:] else ' does'} not hold"
        raise AssertionError("\n".join((what, *(f"- {each}" for each in found))))


def signs_heard(line: str, typed: str) -> list[str]:
    """The words of a spoken line with a sign that would be read out, except those that the GM has
    `typed`, and dice of the command."""
    allowed = str([*TYPED.findall(typed), *_DICE.findall(typed)])
    words = ((word, word.strip('.,;:()"')) for word in line.split())
    return [word for word, bare in words if _SIGN.search(word) and bare not in allowed]


def faults_of(fight: Fight, line: str, by_keys: bool = True) -> Iterator[str]:
    """Give a command in a fight, and yield its failures; it stays done. A refusal changes nothing,
    and is a failure. Without `by_keys` it doesn't search for keys, which takes longest.
    """
    tell = f"`{line}`"
    try:
        yield from (f"{tell}: {fault}" for fault in _faults(fight, line, by_keys))
    except Refused as refusal:
        yield f"{tell} is refused: {refusal.bare}"
    except Exception as error:
        yield f"{tell} {_broken(error)}"


def _faults(fight: Fight, line: str, by_keys: bool) -> Iterator[str]:
    before, head = fight.state, fight.history.head
    decision = fight.preview(line, deepcopy(fight.dice))
    if by_keys and decision.verb not in TYPED_ALONE:
        yield from _by_keys(fight, line)
    yield from _unknown_dice(fight, line)
    yield from _on_a_phone(fight, decision.verb, decision.by)
    entry = fight.do(line)
    after = fight.state
    if entry.events != decision.events:
        yield "gives another result the second time: something is kept between commands"
    yield from _by_ear(fight, entry, before, after)
    yield from _on_screens(fight)
    if _plain(reduce(evolve, entry.events, before)) != _plain(after):
        yield "its events don't lead to the fight that follows"
    fight.undo()
    if fight.history.head != head:
        yield "undo doesn't lead back to the fight before it"
    fight.redo()
    amendment = fight.amendment(f"amend {entry.seq} {line}")
    if amendment is not None and _plain(amendment.state) != _plain(after):
        yield "amending it to the same words gives another fight"


def _by_keys(fight: Fight, line: str) -> Iterator[str]:
    found = keys_for(fight, line)
    if isinstance(found, NoKeys):
        near = f"; the nearest is `{found.nearest}`" if found.nearest else ""
        yield f"no keys give it ({found.why}){near}"
        return
    keyboard = Keyboard(fight)
    prompt = keyboard.begin(found.opening)
    step = keyboard.press(prompt, found.keys) if found.keys else InputState.FINISHED
    if step is InputState.FINISHED and prompt.line == found.line and prompt.unasked:
        whose = join_or({fight.state.name(die.who) for die in prompt.unasked}, "and")
        yield f"the keys {found.shown} roll dice of {whose} that nobody asked for"


def _unknown_dice(fight: Fight, line: str) -> Iterator[str]:
    """Yield dice that belong to nobody, so that nobody can be asked for them."""
    dice = StubDice(high=True)
    decision = fight.preview(line, dice)
    rolls = " ".join(roll.dice for roll in rolls_of(decision.events, dice))
    for sides in sorted({sides for roll, sides in dice.thrown if not roll}):
        if not re.search(rf"d{sides}\b", rolls):
            yield f"a d{sides} is nobody's: roll it with `ctx.dice_of`"


def _on_a_phone(fight: Fight, verb: str, by: str) -> Iterator[str]:
    """Check that a technique of a character with a phone has a form that can be filled in."""
    actor = fight.state.find(by or fight.state.turn)
    if actor is None or not actor.is_character or verb not in fight.ruleset.tables.techniques:
        return
    forms = proposal_forms(fight.history, fight.ruleset, actor.id)
    form = next((form for form in forms if form.id == f"do:{verb}"), None)
    if form is None or form.reason:
        return
    refusals = []
    for way in WAYS:
        try:
            answers = fill_in(form, way)
            line = compose_command(fight.history, fight.ruleset, actor.id, form.id, answers)
            fight.preview(line, StubDice(high=True))
        except Refused as refusal:
            refusals.append(refusal.bare)
        else:
            return
    yield f"its form on a phone gives no command: {refusals[0]}"


def _by_ear(fight: Fight, entry: Entry, before: Encounter, after: Encounter) -> Iterator[str]:
    written = entry_line(entry, before, fight.ruleset.tables.tracks)
    if not written or "\n" in written:
        yield f"the log should have one line of it, but has {written!r}"
    answer = entry_answer(entry, before, after, fight.ruleset)
    turn = turn_answer(fight.ruleset, after, before)
    lines = (*answer.lines, *answer.whole, *turn.lines, *turn.whole)
    if not any(lines):
        yield "read aloud, it says nothing"
    for line in lines:
        for word in signs_heard(line, entry.command):
            yield f"{line!r}, read aloud, has the sign in {word!r}"
    for character in after.combatants:
        if character.is_character:
            outcome_as_known(fight.history, fight.ruleset, entry, character.id)


def _on_screens(fight: Fight) -> Iterator[str]:
    """Ask the game everything that panes, cards and the players' page ask."""
    ruleset, state = fight.ruleset, fight.state
    tables, numbers = ruleset.tables, ruleset.numbers
    players_view(fight.history, ruleset)
    json_report(fight.history, ruleset)
    for combatant in state.in_order():
        card_lines(ruleset, state, combatant)
        action_lines(ruleset, state, combatant)
        totals = numbers.totals(tables, state, combatant)
        for total in totals:
            numbers.explain(tables, state, combatant, total)
            if total not in tables.totals:
                yield f"[totals] has no {total!r}, which is a number of {combatant.name}"
        for option in all_options(ruleset, state, combatant):
            for track in option.cost:
                if track not in tables.tracks:
                    yield f"{option.technique} costs {track!r}, which [tracks] has not"


class _Trial:
    """A fight of a game in which everything is checked."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.fight = Fight(ruleset, "Trial", SEED)

    def run(self, lines: tuple[str, ...]) -> Iterator[str]:
        """Play the fight, and yield the failures."""
        for line in lines or tuple(self._usual()):
            yield from faults_of(self.fight, line)
        yield from self._by_what_is_offered()
        for what, ask in (
            ("the code", self._code),
            ("the log, saved and read again,", self._saved),
            ("the recap", self._recap),
            ("affray odds", self._odds),
            ("the schema", self._schema),
        ):
            try:
                yield from (f"{what} {fault}" for fault in ask())
            except Refused as refusal:
                yield f"{what} is refused: {refusal.bare}"
            except Exception as error:
                yield f"{what} {_broken(error)}"

    def _usual(self) -> Iterator[str]:
        """Begin a fight of two against two, in the turn of somebody of the party; a game that rolls
        no initiative has no turns."""
        sheet = self.ruleset.usual_foe
        yield from (f"add pc {name} {sheet}" for name in ("Mira", "Odo"))
        yield f"add monster Ghoul x2 {sheet}"
        if type(self.ruleset.initiative).roll is InitiativeRules.roll:
            return
        yield "init all roll"
        yield "start"
        for _ in range(len(self.fight.state.combatants)):
            up = self.fight.state.find(self.fight.state.turn)
            if up is not None and not up.is_character:
                yield "next"

    # -- commands that no line gives ---------------------------------------------------------------

    def _by_what_is_offered(self) -> Iterator[str]:
        lacking = {*self.ruleset.commands} - {self._verb(e) for e in self._entries()}
        barred: dict[str, str] = {}
        for seq in self._moments():
            self._go_to(seq)
            for verb in sorted(lacking):
                found = []
                try:
                    found = list(self._offered(verb, barred))
                except Exception as error:
                    yield f"`{verb}`, by its keys, {_broken(error)}"
                    lacking -= {verb}
                for line in found:
                    yield from faults_of(self.fight, line)
                    self._go_to(seq)
                lacking -= {verb} if found else set()
        for verb in sorted(lacking):
            why = f" ({barred[verb]})" if barred.get(verb) else ""
            yield f"no key gives `{verb}` here{why}: give conforms a line with it"

    def _go_to(self, seq: int) -> None:
        if seq != self.fight.history.head:
            self.fight.goto(seq)

    def _entries(self) -> Iterator[Entry]:
        return (self.fight.history.entries[seq] for seq in self.fight.history.path)

    def _verb(self, entry: Entry) -> str:
        return entry.verb or entry.command.split()[0]

    def _moments(self) -> list[int]:
        """List the entries after which commands are tried: the last, the first turn of each side,
        the end of the fight, and before it."""
        history = self.fight.history
        first: dict[tuple[str, str], int] = {}
        for seq in history.path:
            state = history.states[seq]
            up = state.find(state.turn)
            if up is not None:
                first.setdefault((state.phase, up.side), seq)
            elif state.combatants:
                first[state.phase, ""] = seq
        moments = [history.head, *first.values()]
        with suppress(Refused):
            moments.append(self.fight.do("end").seq)
        return list(dict.fromkeys(moments))

    def _offered(self, verb: str, barred: dict[str, str]) -> Iterator[str]:
        """The first lines of a command that its keys give."""
        keyboard, count = Keyboard(self.fight), 0
        for key in keyboard.keys_of(verb):
            for opening in openings_of(keyboard, key):
                try:
                    why = keyboard.begin(opening).barred
                    for line in lines_offered(keyboard, opening):
                        decision = keyboard.decide(line)
                        if decision is not None and decision.verb == verb:
                            count += 1
                            yield line
                            if count == MOST_LINES:
                                return
                except Refused as refusal:
                    why = refusal.bare
                if why:
                    barred.setdefault(verb, why)

    # -- the whole ---------------------------------------------------------------------------------

    def _saved(self) -> Iterator[str]:
        header = {"format": 1, "title": "Trial", "ruleset": self.ruleset.id}
        entries = self.fight.history.entries.values()
        read = parse_log(format_log(header, entries), "Trial").blocks
        again = replay(header, [decode_entry(block) for block in read])
        if _plain(again.state) != _plain(self.fight.state):
            yield "is another fight"

    def _recap(self) -> Iterator[str]:
        if not markdown(recap_of(self.fight.history, self.ruleset)):
            yield "is empty"

    def _odds(self) -> Iterator[str]:
        history = self.fight.history
        fights = [s for s in history.path if history.states[s].in_combat]
        if not self.ruleset.usual_attack or not fights:
            return
        state = history.states[fights[0]]
        ended = play_out(state, self.ruleset, attack_the_weakest, SeededDice(SEED))
        if _plain(ended.combatants) == _plain(state.combatants):
            yield f"has no result: nobody can give `{self.ruleset.usual_attack} NAME roll`"

    def _code(self) -> Iterator[str]:
        """Check that the words in the code are those of the tables."""
        check_game(self.ruleset)
        yield from ()

    def _schema(self) -> Iterator[str]:
        """Check that every word of the tables means something to the game."""
        with_house_rules(self.ruleset, self.ruleset.tables)
        yield from ()


def _plain(state: Any) -> Any:
    return msgspec.to_builtins(state)


def _broken(error: Exception) -> str:
    """Describe an error, and its place in the game's own code."""
    return f"ends in {type(error).__name__}: {error}{place_of_error(error)}"
