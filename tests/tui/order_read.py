"""Reads the order off the screen, and says what of the fight it does not tell.

Nothing here asks the panes: what has to be there follows from the state and the rules' tables, and
what is there from the cells. A loss is told in a line that names whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.tui.seen import SeenPane

from affray.core.engine.effects import independent_effects
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.engine.turn_order import TurnOrderRow, turn_order_rows
from affray.core.formatting.effects import effect_by_note, effect_with_amounts, effect_words
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import format_signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TrackRow
from affray.tui.drawing import UNFELT
from affray.tui.widgets.turn_order_columns import stands_apart
from affray.tui.widgets.turn_order_rows import MARK, SMALLER

START = re.compile(r"^ ?[› ][▶‖ ] *(\d+)[? ][▲▼◈≈] *(?:–|[−-]?\d+) +")
FALLEN = re.compile(r"^[› ] ✗ #\d")
"""The row of all who are out of the fight, where rows are short."""
GLYPHS = {"pips": "●○", "badge": "◆◇", "boxes": "■□"}
LIFE = {"dying": "dying", "stable": "stable", "unconscious": "out cold"}
BAR = re.compile("[█▉▊▋▌▍▎▏░▒▓]+")
DOES = rf"(?:{'|'.join(filter(None, LIFE.values()))}|[●○•◦·A-Za-z0-9]{{1,6}}?)"
"""What a member has left to act with, or that it can't act, before its HP."""
BEFORE = r"(?:^|(?<=  )|(?<=· ))"
COUNTED = re.compile(r"(?:^|(?<=[\s,·]))…(\d+)(?: more)?$")


class Block(NamedTuple):
    """What the order tells of one combatant or a group: its row, and what stands below; and what
    the pane of the tracks has beside these."""

    of: TurnOrderRow
    rows: tuple[str, ...]
    beside: tuple[str, ...] = ()


def blocks(pane: SeenPane, state: Encounter, tracks: SeenPane | None = None) -> Iterator[Block]:
    """All of whom the first row is seen."""
    numbers = {who.id: number for number, who in state.by_number().items()}
    first = {numbers[row.members[0].id]: row for row in turn_order_rows(state)}
    found: list[tuple[int, int]] = []
    for y, line in enumerate(pane.rows):
        start = START.match(line)
        if start and int(start[1]) in first:
            found.append((y, int(start[1])))
    ends = [*(y for y, _ in found), len(pane.rows)][1:]
    out = [y for y, line in enumerate(pane.rows) if FALLEN.match(line)]
    for (y, number), end in zip(found, [min([end, *out]) for end in ends], strict=False):
        unmarked = (line.replace(MARK, " ") for line in pane.rows[y:end])
        told = tuple(line.rstrip() for line in unmarked if line.strip())
        beside = tracks.rows[y:end] if tracks is not None else ()
        yield Block(first[number], told, tuple(row.replace(MARK, " ") for row in beside))


def lost_in(block: Block, state: Encounter, ruleset: Ruleset) -> Iterator[str]:
    """What of those in a row neither stands there nor is counted there."""
    start = START.match(block.rows[0])
    assert start is not None
    name = strip_control_chars(block.of.name)
    rest = behind_name(block.rows[0][start.end() :], name)
    if rest is None:
        rest, block = _behind_wrapped(block.rows[0][start.end() :], name, block)
    if rest is None:
        yield f"{name}: no name in {block.rows[0]!r}"
    elif block.of.group:
        yield from _lost_in_group(block, rest, state, ruleset)
    else:
        yield from _lost_of_one(block, rest, state, ruleset)


def _lost_in_group(block: Block, rest: str, state: Encounter, ruleset: Ruleset) -> Iterator[str]:
    """Each member has its number with its HP, and what lasts on it; or is counted."""
    told = Told("\n".join(line.strip() for line in (rest, *block.rows[1:])))
    hidden = sum(int(number) for number in re.findall(r" …(\d+)(?=\s|$)", f" {rest}"))
    numbers = {who.id: number for number, who in state.by_number().items()}
    lost = []
    for who in block.of.members:
        health = who.tracks.get("hp")
        out = who.is_out
        shown = "✗" if out else "–" if health is None else _amount(health)
        has = rf"#{numbers[who.id]} (?:{DOES} ?)?{re.escape(shown)}"
        if not told.takes(rf"(?:^|(?<=\s)){has}(?=\s|$)"):
            lost.append(f"{who.name} {shown}")  # counted once, with all that is on it
        elif not out:
            lost += _lost_effects(who, ruleset, told)
    if len(lost) != hidden:
        yield f"{block.of.name}: {lost} not told, {hidden} counted, in {block.rows!r}"


def _lost_of_one(block: Block, rest: str, state: Encounter, ruleset: Ruleset) -> Iterator[str]:
    (who,) = block.of.members
    if who.is_out:
        if who.life not in rest:
            yield f"{who.name}: not {who.life} in {block.rows[0]!r}"
        return
    own = "\n".join(row.strip() for row in (BAR.sub(" ", rest), *block.rows[1:])).rstrip()
    counted = COUNTED.search(own)
    told, beside = Told(own), Told("\n".join(block.beside)) if block.beside else None
    lost = []
    for rule, wanted in _wanted(who, ruleset):
        apart = rule is not None and rule.when is None and stands_apart(rule)
        if ((apart and beside) or told).takes_word(wanted):
            continue
        if rule is None or not (rule.when or rule.in_row):
            yield f"{who.name}: none of {sorted(wanted)} in {block.rows!r}"
        else:
            lost.append(rule.label)
    yield from _lost_letters(who, ruleset, block.rows[0])
    lost += _lost_effects(who, ruleset, told)
    taken = min(_added_to_checks(state, who, ruleset), 0)
    if taken and not (beside or told).takes_word({format_signed(taken)}):
        yield f"{who.name}: no {format_signed(taken)} in {block.rows!r}"
    hidden = int(counted[1]) if counted and told.has(f"…{counted[1]}") else 0
    if len(lost) != hidden:
        yield f"{who.name}: {lost} not told, {hidden} counted, in {block.rows!r}"


class Told:
    """What stands behind a name. What has been found there is taken out: it tells of one thing."""

    def __init__(self, text: str) -> None:
        self.text = text.rstrip()

    def has(self, word: str) -> bool:
        """Whether a word is there yet."""
        return word in self.text.split()

    def takes_word(self, wanted: set[str]) -> bool:
        """Whether one of these words is there, which is taken out then."""
        return self._takes(m for m in re.finditer(r"\S+", self.text) if m.group() in wanted)

    def takes(self, pattern: str) -> bool:
        """Whether that is there, which is taken out then."""
        return self._takes(re.finditer(pattern, self.text, re.MULTILINE))

    def _takes(self, found: Iterator[re.Match[str]]) -> bool:
        first = next(found, None)
        if first is not None:
            blank = " " * len(first.group())
            self.text = f"{self.text[: first.start()]}{blank}{self.text[first.end() :]}"
        return first is not None


def behind_name(text: str, name: str) -> str | None:
    """What follows the name, whole or cut; None where it isn't there.

    Of a cut one the beginning is left, and the number that tells it from its fellows.
    """
    if text.casefold().startswith(name.casefold()):
        return text[len(name) :] if len(name.upper()) == len(name) else text.partition("  ")[2]
    head, cut, tail = text.partition("…")
    number = re.search(r" \d+$", name)
    if not cut or not head.strip() or not name.casefold().startswith(head.rstrip().casefold()):
        return None
    if number and tail.startswith(number.group()):
        return tail[len(number.group()) :]
    return None if number else tail


def _behind_wrapped(text: str, name: str, block: Block) -> tuple[str | None, Block]:
    """What follows the beginning of a name that goes on below, and the block without the rest."""
    head, gap, rest = text.partition("  ")
    told, rows = _letters(head), list(block.rows[1:])
    while told != _letters(name) and rows and _letters(name).startswith(told):
        told += _letters(rows.pop(0))
    if told != _letters(name):
        return None, block
    return gap + rest, block._replace(rows=(block.rows[0], *rows))


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def tells(name: str, text: str) -> bool:
    """Whether a name stands in a text, whole or cut."""
    starts = (at for at in range(len(text)) if text[at : at + 1].casefold() == name[:1].casefold())
    return any(behind_name(text[at:], name) is not None for at in starts)


# -- tracks ----------------------------------------------------------------------------------------


def _wanted(who: Combatant, ruleset: Ruleset) -> Iterator[tuple[TrackRow | None, set[str]]]:
    """What has to be told: sets of words of which one is enough, with the track's rule."""
    for word in LIFE.get(who.life, "").split():
        yield None, {word}
    for name, rule in ruleset.tables.tracks.items():
        track = who.tracks.get(name)
        if track is None or not (rule.everybody or rule.in_row) or rule.shown == "box":
            continue
        if rule.when not in (None, who.life) or (_acts(rule) and _is_barred(who, rule, ruleset)):
            continue
        if track.value or (track.max is not None and not rule.quiet):
            yield rule, _said(rule, track)


def _added_to_checks(state: Encounter, who: Combatant, ruleset: Ruleset) -> int:
    """What exhaustion and all that lasts come to: the number that the card has as well."""
    found = ruleset.numbers.totals(ruleset.tables, state, who).get("check", 0)
    return found if isinstance(found, int) else 0


def _is_barred(who: Combatant, rule: TrackRow, ruleset: Ruleset) -> bool:
    """Whether somebody can neither act nor react with it: it is shown of nobody who can't."""
    what, rows = "act" if rule.spent else "react", ruleset.tables.effects
    found = [rows[e.name] for e in who.effects if e.name in rows]
    found += [rows[name] for row in found for name in row.implies if name in rows]
    return who.life != "up" or any(what in row.forbids for row in found)


def _acts(rule: TrackRow) -> bool:
    return rule.spent or rule.shown == "badge"


def _said(rule: TrackRow, track: Track) -> set[str]:
    """The ways in which a track may be told."""
    value, top = str(track.value).replace("-", "−"), max(track.max or 0, track.value, rule.least, 1)
    said = {value, f"+{value}", _amount(track)}
    if rule.shown == "die":
        said |= {f"d{value}"}
    if rule.shown in GLYPHS and track.value >= 0:
        full, empty = GLYPHS[rule.shown]
        marked = full * (track.value - track.unfelt) + UNFELT * track.unfelt
        drawn = marked + empty * (top - track.value)
        said |= {drawn, drawn.translate(SMALLER)} if rule.spent else {drawn}
    return said


def _amount(track: Track) -> str:
    """`18/30`, or `−5/44`."""
    value = str(track.value).replace("-", "−")
    return value if track.max is None else f"{value}/{track.max}"


def _lost_letters(who: Combatant, ruleset: Ruleset, row: str) -> Iterator[str]:
    """A single action that is left is its letter, which stands among others or alone."""
    boxes = {n: r for n, r in ruleset.tables.tracks.items() if r.shown == "box" and r.everybody}
    letters = {name: (rule.short or rule.label)[:1] for name, rule in boxes.items()}
    among = "".join(re.findall(rf"(?<=\s)[{''.join(letters.values())}0-9·]+(?=\s)", row + " "))
    for name, letter in letters.items():
        if (
            not _is_barred(who, boxes[name], ruleset)
            and who.track(name) > 0
            and letter not in among
        ):
            yield f"{who.name}: no {letter} for {name} in {row!r}"


# -- what lasts ------------------------------------------------------------------------------------


def _lost_effects(who: Combatant, ruleset: Ruleset, told: Told) -> list[str]:
    """Those that are told neither by their name, with its amounts or alone, nor by a short form."""
    shorts = {
        strip_control_chars(effect_with_amounts(effect_by_note(ruleset.tables, e))): [
            rf"{BEFORE}{re.escape(strip_control_chars(e.name))}(?=$|\s)",
            *(
                _short_form(name, ruleset.tables.look(e.name, e.kind).mark)
                for name in (effect_with_amounts(e), e.name)
            ),
            *(
                [rf"{BEFORE}{re.escape(effect_words(e)[1])}(?=$|\s)"]
                if e.type and (e.amount or e.dice)
                else []
            ),
            *_notes_of(ruleset.tables, e),
        ]
        for e in independent_effects(who)
        if e.name != who.life  # which stands where the actions would
    }
    lost = [
        name
        for name in sorted(shorts, key=len, reverse=True)
        if not told.takes(rf"(?:^|(?<=[·,\d] )|(?<=  )){_wrapped(name)}(?=$|\s|,|:)")
    ]
    return [name for name in lost if not any(map(told.takes, shorts[name]))]


def _notes_of(tables: Tables, effect: Effect) -> Iterator[str]:
    """The patterns of a note that may stand for its effect, whole or only its first words: of what
    has a mark, or no name of its own."""
    named = effect_by_note(tables, effect)
    note = strip_control_chars(named.note)
    if note and (named.name == named.kind or tables.look(named.name, named.kind).mark):
        yield rf"{BEFORE}(?:◉ )?{re.escape(note)}(?=$|\s)"
        firsts = [note[:n].rstrip() for n in range(3, len(note))]
        yield rf"{BEFORE}(?:◉ )?(?:{'|'.join(map(re.escape, reversed(firsts)))})…(?=$|\s)"


def _wrapped(name: str) -> str:
    """The pattern of a name that may go on in the next row."""
    return r"\s".join(map(re.escape, name.split(" ")))


def _short_form(name: str, mark: str) -> str:
    """The pattern of what may stand for a name: the mark of its kind, or its first letter and one
    more of its letters, or a number."""
    letters = [letter for letter in name.casefold() if letter.isalnum()]
    two = rf"{letters[0]}(?:[{''.join(set(letters))}]|\d+)" if letters else r"\?\d+"
    return rf"(?:^|(?<=\s))(?:{re.escape(mark) if mark else two}|{two})(?=$|\s|,)"
