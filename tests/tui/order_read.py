"""Reads the order off the screen, and says what of the fight it does not tell.

Nothing here asks the panes: what has to be there follows from the state and the rules' tables, and
what is there from the cells. A loss is told in a line that names whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from tests.tui.seen import SeenPane

from affray.core.narrate import with_amounts
from affray.core.plain import plain
from affray.core.refusal import signed
from affray.core.ruleset import Ruleset
from affray.core.state import OUT_OF_THE_FIGHT, Combatant, Encounter, Track
from affray.core.tables import TrackRule

START = re.compile(r"^ ?[› ][▶‖ ] *(\d+)[? ][▲▼◈≈] *(?:–|[−-]?\d+) +")
GLYPHS = {"pips": "●○", "badge": "◆◇", "boxes": "■□"}
LIFE = {"dying": "dying", "stable": "stable", "unconscious": "out cold"}
BAR = re.compile("[█▉▊▋▌▍▎▏░▒▓]+")
COUNTED = re.compile(r"(?:^|(?<=[\s,·]))\+(\d+)$")
LETTERS = re.compile(r"[A-Za-z0-9· ]*?(?=  |$)")
LONGEST = 3
"""The cells of a short form, at most."""


class Block(NamedTuple):
    """What the order tells of one combatant: its row, and what stands below."""

    who: Combatant
    rows: tuple[str, ...]


def blocks(pane: SeenPane, state: Encounter) -> Iterator[Block]:
    """All of whom the first row is seen."""
    numbered = state.by_number()
    found: list[tuple[int, int]] = []
    for y, row in enumerate(pane.rows):
        start = START.match(row)
        if start and int(start[1]) in numbered:
            found.append((y, int(start[1])))
    ends = [y for y, _ in found[1:]] + [len(pane.rows)]
    for (y, number), end in zip(found, ends, strict=True):
        rows = tuple(row.rstrip() for row in pane.rows[y:end] if row.strip())
        yield Block(numbered[number], rows)


def lost_in(block: Block, state: Encounter, ruleset: Ruleset) -> Iterator[str]:
    """What of a combatant neither stands in its rows nor is counted there."""
    who = block.who
    start = START.match(block.rows[0])
    assert start is not None
    rest = behind_name(block.rows[0][start.end() :], plain(who.name))
    if rest is None:
        yield f"{who.name}: no name in {block.rows[0]!r}"
        return
    if who.life in OUT_OF_THE_FIGHT:
        if who.life not in rest:
            yield f"{who.name}: not {who.life} in {block.rows[0]!r}"
        return
    rest = BAR.sub(" ", rest)
    for wanted in _wanted(who, ruleset):
        told = next((m for m in re.finditer(r"\S+", rest) if m.group() in wanted), None)
        if told is None:
            yield f"{who.name}: none of {sorted(wanted)} in {block.rows[0]!r}"
        else:  # it tells of this alone
            rest = rest[: told.start()] + " " * len(told.group()) + rest[told.end() :]
    letters = LETTERS.match(rest.lstrip())
    yield from _lost_letters(who, ruleset, letters.group() if letters else "", block.rows[0])
    yield from _lost_effects(who, ruleset, [rest, *block.rows[1:]])


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


# -- tracks ----------------------------------------------------------------------------------------


def _wanted(who: Combatant, ruleset: Ruleset) -> Iterator[set[str]]:
    """What has to stand in the row: sets of which one is enough, in the order of the tables."""
    for word in LIFE.get(who.life, "").split():
        yield {word}
    for name, rule in ruleset.tables.tracks.items():
        track = who.tracks.get(name)
        if track is None or not rule.everybody or rule.shown == "box":
            continue
        if rule.when not in (None, who.life) or (_acts(rule) and who.life != "up"):
            continue
        if track.max is None and not track.value:
            continue
        yield _said(rule, track)
    penalty = ruleset.penalty(ruleset.tables, who)
    if penalty:
        yield {signed(penalty)}


def _acts(rule: TrackRule) -> bool:
    return rule.spent or rule.shown == "badge"


def _said(rule: TrackRule, track: Track) -> set[str]:
    """The ways in which a track may be told."""
    value, top = str(track.value).replace("-", "−"), max(track.max or 0, track.value, 1)
    said = {value, f"+{value}", f"{value}/{track.max}"}
    if rule.shown == "die":
        said |= {f"d{value}"}
    if rule.shown in GLYPHS and track.value >= 0:
        full, empty = GLYPHS[rule.shown]
        said |= {full * track.value + empty * (top - track.value)}
    return said


def _lost_letters(who: Combatant, ruleset: Ruleset, seen: str, row: str) -> Iterator[str]:
    """A single action that is left is its letter."""
    for name, rule in ruleset.tables.tracks.items():
        letter = (rule.short or rule.label)[:1]
        if rule.shown != "box" or who.life != "up" or not who.track(name):
            continue
        if letter not in seen:
            yield f"{who.name}: no {letter} for {name} in {row!r}"


# -- what lasts ------------------------------------------------------------------------------------


def _lost_effects(who: Combatant, ruleset: Ruleset, rows: list[str]) -> Iterator[str]:
    """Each by its name or a short form, or counted: together they are all."""
    text = "\n".join(row.strip() for row in rows)
    names = {plain(with_amounts(effect)) for effect in who.effects}
    lost = set()
    for name in sorted(names, key=len, reverse=True):
        found = re.search(rf"(?:^|· |, |\s){re.escape(name)}(?=$|\s|,)", text, re.MULTILINE)
        if found is None:
            lost.add(name)
        else:
            text = f"{text[: found.start()]} · {text[found.end() :]}"
    counted = COUNTED.search(text.rstrip())
    hidden = int(counted[1]) if counted else 0
    short = _short_forms(lost, ruleset, who, text.split())
    if len(lost) != hidden + short:
        yield f"{who.name}: {sorted(lost)} not told, {hidden} counted, in {rows!r}"


def _short_forms(lost: set[str], ruleset: Ruleset, who: Combatant, words: list[str]) -> int:
    """How many of these are told by a short form of their own."""
    marks = {e.name: ruleset.tables.kind(e.kind).mark for e in who.effects}
    forms = {word.rstrip(",") for word in words if 0 < cell_len(word.rstrip(",")) <= LONGEST}
    told = 0
    for name in sorted(lost):
        first, mark = name[:1].casefold(), next((marks[n] for n in marks if name.startswith(n)), "")
        form = next((f for f in sorted(forms) if f[0] == first or f == mark), None)
        if form is not None:
            forms.remove(form)
            told += 1
    return told
