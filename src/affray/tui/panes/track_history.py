"""Every track of everybody, and how it went since the fight began, as a row of small bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from rich.style import Style

from affray.core.heart.events import Began
from affray.core.heart.history import History
from affray.core.heart.state import Combatant, Encounter, Track
from affray.core.rules.tables import TrackRule
from affray.tui.drawing import (
    Line,
    amount,
    flow,
    health_ink,
    marked_ink,
    plain,
    short_track,
    widest,
)
from affray.tui.fight_view import FightView
from affray.tui.panes.lasting import GAP
from affray.tui.themes import Inks

MOST_COLUMNS = 48
"""So many moments of a fight are told apart: what is looked at does not grow with the log."""
LEVELS = "▁▂▃▄▅▆▇█"
LEAST = 20
"""The cells of a bar's row at least."""


class Histories(Struct, frozen=True):
    """The moments of the fight that are told of, and how the fight stood at each.

    at      the place of each on the effective way
    seqs    its entry there
    states  the fight then
    step    so many entries lie between two of them
    """

    at: tuple[int, ...] = ()
    seqs: tuple[int, ...] = ()
    states: tuple[Encounter, ...] = ()
    step: int = 0

    def up_to(self, view: FightView, most: int) -> Histories:
        """The moments up to what is looked at, so many at most. Those that were found are kept
        while they stand, so that what a key brings does not hang on how long the log is."""
        history = view.history
        path = history.path
        end = len(path) if view.view_at is None else path.index(view.view_at) + 1
        kept = all(n < end and path[n] == seq for n, seq in zip(self.at, self.seqs, strict=True))
        if 0 < len(self.at) <= most and kept and end - self.at[0] <= 2 * most * self.step:
            return self
        began = _beginning(history, end)
        step = max(1, -(-(end - began) // most))
        at = tuple(range(began, end, step))
        seqs = tuple(path[n] for n in at)
        return Histories(at, seqs, tuple(history.states[seq] for seq in seqs), step)

    @property
    def told(self) -> str:
        """What one bar stands for."""
        return (
            f"since the fight began, a bar for each {self.step} entries"
            if self.step > 1
            else ("since the fight began, entry by entry")
        )


def _beginning(history: History, end: int) -> int:
    """The place of the entry with which the last fight began; 0 before there was any."""
    for place in reversed(range(end)):
        events = history.entries[history.path[place]].events
        if any(isinstance(event, Began) for event in events):
            return place
    return 0


def history_lines(view: FightView, past: Histories, width: int, inks: Inks) -> list[Line]:
    """A name, and below it each track with its bars; two tracks side by side where they fit."""
    rules, lines = view.ruleset.tables.tracks, []
    labels = _cells_of_labels(rules)
    for who in view.state.in_order():
        ink = inks.dim if who.is_out else inks.side(who.side)
        mark = "›" if who.id == view.cursor else " "
        line = Line().add(mark, inks.strong).add(plain(who.name), ink)
        lines.append(line.add(f"  {who.life}" if who.life != "up" else "", inks.warn))
        told = [
            _track_line(rule, track, list(_values(past, view.state, who, name)), labels, inks)
            for name, rule, track in _tracks(rules, who)
        ]
        lines += [Line().column(GAP).join(row) for row in flow(told, width - GAP, GAP)]
    return lines


def room_for_bars(rules: Mapping[str, TrackRule], width: int) -> int:
    """How many moments have room in so many cells; the last bar is how it stands now."""
    room = width - GAP - _cells_of_labels(rules) - LEAST - GAP
    return min(max(room, LEAST), MOST_COLUMNS)


def _cells_of_labels(rules: Mapping[str, TrackRule]) -> int:
    return widest([rule.label for rule in rules.values()])


def _tracks(
    rules: Mapping[str, TrackRule], who: Combatant
) -> Iterator[tuple[str, TrackRule, Track]]:
    """All that is counted on somebody, what is nothing but a name for a 0 left out."""
    for name, rule in rules.items():
        track = who.tracks.get(name)
        if track is not None and (track.value or track.max or rule.shown != "number"):
            yield name, rule, track


def _values(past: Histories, now: Encounter, who: Combatant, name: str) -> Iterator[Track | None]:
    """The track at each moment, and now; nothing where somebody was not there yet."""
    for state in (*past.states, now):
        found = state.find(who.id)
        yield found.tracks.get(name) if found is not None else None


def _track_line(
    rule: TrackRule, track: Track, values: Sequence[Track | None], labels: int, inks: Inks
) -> Line:
    """`Fatigue     ■■■□□ 3/5      ▁▁▃▃▅`: how it stands, and how it came to."""
    line = Line().add(rule.label, inks.dim).column(labels + 1)
    shown = short_track(rule, track, inks) if rule.shown in ("boxes", "pips", "badge") else Line()
    told = Line().join(shown).add(" " if shown.width else "")
    ink = marked_ink(rule, inks) if rule.counts == "marked" else health_ink(track, inks)
    line.join(told.add(amount(track), ink)).column(labels + LEAST)
    top = max((max(v.max or 0, v.value) for v in values if v is not None), default=0)
    known = [value.value for value in values if value is not None]
    line.join(
        _bars(values, top, ink) if len(set(known)) > 1 else Line().add("unchanged", inks.faint)
    )
    return line.column(labels + LEAST + len(values))


def _bars(values: Sequence[Track | None], top: int, ink: Style) -> Line:
    """A bar for each moment, as high as the track was full; a blank where there was none."""
    line = Line()
    for value in values:
        share = min(max(value.value / top, 0), 1) if value is not None and top else 0
        line.add(" " if value is None else LEVELS[round(share * (len(LEVELS) - 1))], ink)
    return line
