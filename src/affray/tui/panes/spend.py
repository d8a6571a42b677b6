"""What whoever is up has spent in this turn, one by one, and what is left of it."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from rich.cells import cell_len

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Spent, TurnStarted, Used
from affray.core.heart.groups import name_of
from affray.core.heart.state import Combatant, Track
from affray.core.heart.turns import coming_up
from affray.core.language.words import split_words
from affray.core.rules.tables import TrackRule
from affray.tui.drawing import Line, fitting, flow, hung, plain, short_track, widest, wrapped_pieces
from affray.tui.fight_view import FightView
from affray.tui.panes.costs import cost_now
from affray.tui.panes.order_columns import is_barred
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks

LEFT, GONE = "●", "○"
NAMES_BELOW = 3
"""Where names begin that have no room behind the track, and stand in rows of their own."""
MOST_ROWS = 6
"""So many rows hold most turns in which single points are spent."""


class SpendPane(LinesPane):
    """The turn's spending: `○○ Strike`, `● 1 left`, the reaction, and what costs more next."""

    @property
    def most_rows(self) -> int:
        """The rows that a turn takes: of single actions one each, and one or, where some of it is
        measured, two for what is beside. Outside of a fight it says no more than that."""
        view = self.shown
        if view is not None and view.state.phase != "combat":
            return 1
        rules = view.ruleset.tables.tracks.values() if view else ()
        spent = [rule for rule in rules if rule.spent]
        beside = 1 + any(rule.unit for rule in rules)
        return len(spent) + beside if spent and all(r.shown == "box" for r in spent) else MOST_ROWS

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The state, the way to it, and who of a group is looked at."""
        return (view.state, view.head, view.view_at, view.up())

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """What went, what is left, what it costs to do the same again."""
        rules, up, inks = view.ruleset.tables.tracks, view.up(), self.inks
        out = forbidden(view.ruleset.tables, view.state, up, "act") if up else ""
        with_what = [rule for rule in rules.values() if rule.spent]
        name = f"{with_what[0].label if len(with_what) == 1 else 'Action'} spend"
        self.entitle(f"{name} · {plain(up.name)}" if up else name)
        if up is None:
            return list(fitting([Line().add(_nobody(view), inks.dim)], width))
        if out:
            barred = Line().add(f"✗ {out}: can't act", inks.warn)
            return [*fitting([barred], width), *flow(_beside(view, up, inks), width)]
        went = spent_by(view, up.id)
        label = widest([rule.label for rule in with_what])
        lines: list[Line] = []
        for track, rule in rules.items():
            if rule.spent and track in up.tracks:
                names = [(by, _called(view, what)) for spent, by, what in went if spent == track]
                drawn = partial(_boxes, label=label) if rule.shown == "box" else _pips
                lines += drawn(rule, up.tracks[track], names, width, inks)
        lines += flow(_beside(view, up, inks), width)
        return lines + _next_costs(view, up, width, inks)


def spent_by(view: FightView, who: str) -> list[tuple[str, int, str]]:
    """What somebody has paid since its turn began, in order: track, amount, for what: a
    technique, and which of their own, such as `power kindle`, or which spell, such as `cast Spark`.
    """
    history, found = view.history, []
    last = len(history.path)
    if view.view_at is not None:
        last = bisect_right(history.path, view.view_at)
    for place in reversed(range(last)):  # a slice would be a copy of the whole way
        entry = history.entries[history.path[place]]
        events = entry.events
        began = [
            index
            for index, event in enumerate(events)
            if isinstance(event, TurnStarted) and event.who == who and not event.resumed
        ]
        since = events[began[-1] :] if began else events
        paid = [e for e in since if isinstance(e, Spent) and e.who == who]
        subjects = {e.what.partition(" ")[0]: e.what for e in since if isinstance(e, Used)}
        spells = {e.for_: _spell_said(view, entry.command, e.for_) for e in paid}
        found += [
            (e.track, e.by, spells[e.for_] or subjects.get(e.for_, e.for_)) for e in reversed(paid)
        ]
        if began:
            break
    return found[::-1]


def _spell_said(view: FightView, command: str, technique: str) -> str:
    """The technique and the spell that a command says behind it; empty where it is of none."""
    words, up = split_words(command), view.up()
    at = next((i for i, word in enumerate(words) if word.casefold() == technique), len(words))
    if up is None or at + 1 >= len(words) or not _is_spell(view, technique):
        return ""
    behind = f"{' '.join(words[at + 1 :])} ".casefold()
    names = (*view.ruleset.spells(up), *(option.name for option in view.own(up.id)))
    known = [name for name in names if name and behind.startswith(f"{name} ".casefold())]
    return f"{technique} {max(known, key=len, default=words[at + 1])}"


def _is_spell(view: FightView, technique: str) -> bool:
    """Whether it asks which spell it is, and more: to keep one up is no spell of its own."""
    key = view.keymap.of_technique(technique)
    asks = key.prompt.asks if key is not None and key.prompt is not None else ()
    return len(asks) > 1 and asks[0].kind == "spell"


def _nobody(view: FightView) -> str:
    if view.elsewhere.is_ledger:
        return "Between fights nobody is up."
    if view.state.phase == "setup":
        return "The fight has not begun."
    if view.state.phase == "ended":
        return "The fight is over."
    first = coming_up(view.state, 2)
    following = f" Next: {plain(name_of(view.state, first[0]))}" if first else ""
    return f"Nobody is up.{following}"


def _called(view: FightView, what: str) -> str:
    """The name of what was paid for: a technique, or something that is the actor's own."""
    up = view.up()
    for option in view.own(up.id) if up is not None else ():
        if option.name and option.technique.casefold() == what.casefold():
            return plain(option.name)
    techniques = view.ruleset.tables.techniques
    known, _, which = what.partition(" ")
    if which and _is_spell(view, known):
        return plain(which)
    technique = techniques.get(what) or techniques.get(known)
    return plain(technique.name if technique else what)


def _pips(
    rule: TrackRule, track: Track, went: list[tuple[int, str]], width: int, inks: Inks
) -> list[Line]:
    """A line for each payment, with as many empty dots as it took; then the full ones."""
    lines: list[Line] = []
    for by, name in went:
        mark = Line().add(GONE * by, inks.dim).column(4)
        lines += hung(mark, wrapped_pieces([(name, inks.plain)], width - mark.width))
    left = Line().add(LEFT * track.value, inks.accent).column(4 if track.value < 4 else 0)
    return [*lines, left.add(f"{track.value} {rule.short or rule.label} left", inks.strong)]


def _boxes(
    rule: TrackRule,
    track: Track,
    went: list[tuple[int, str]],
    width: int,
    inks: Inks,
    *,
    label: int,
) -> list[Line]:
    """What the track is called, in so many cells, and behind it what it went on."""
    there = track.value > 0
    line = Line().add(LEFT * track.value if there else GONE, inks.accent if there else inks.dim)
    line.column(3).add(rule.label, inks.strong if there else inks.dim).column(3 + label + 1)
    names = ", ".join(name for _, name in went)
    if there:  # what went before it is no reason to take it for spent
        names = f"left, after {names}" if names else "left"
    if any(cell_len(word) > width - line.width for word in names.split()):
        below = wrapped_pieces([(names, inks.plain)], width - NAMES_BELOW)
        return [line, *(Line().column(NAMES_BELOW).join(each) for each in below)]
    return list(hung(line, wrapped_pieces([(names, inks.plain)], width - line.width)))


def _measured(rule: TrackRule, track: Track, inks: Inks) -> Line:
    """A track in short; none of it is said, where there are no dots for it."""
    drawn = short_track(rule, track, inks)
    return drawn if drawn.text.strip() else Line().add("none", inks.dim)


def _beside(view: FightView, up: Combatant, inks: Inks) -> list[Line]:
    """The reaction, what few dots there are of the rest, and what is measured: `Reaction ◆
    Threads ●○   Movement 20/30 ft.`."""
    tables, state = view.ruleset.tables, view.state
    return [
        Line().add(f"{rule.label} ", inks.dim).join(_measured(rule, up.tracks[track], inks))
        for track, rule in tables.tracks.items()
        if not is_barred(view.ruleset, state, up, rule)
        if (rule.shown in ("badge", "pips") or rule.unit) and not rule.spent and track in up.tracks
        if up.tracks[track].value or not rule.passing
    ]


def _next_costs(view: FightView, up: Combatant, width: int, inks: Inks) -> list[Line]:
    """What comes dearer each time: `next Strike 1 AP → 2`."""
    tables = view.ruleset.tables
    lines: list[Line] = []
    for option in view.options(up.id):
        technique = tables.techniques.get(option.technique)
        if technique is None or option.after == option.cost:
            continue
        if not option.after.keys() & option.cost.keys():  # the next is paid with something else
            continue
        words = cost_now(tables.tracks, technique, option)
        told = [(plain(technique.name), inks.plain), (words, inks.strong)]
        lines += hung(Line().add("next ", inks.dim), wrapped_pieces(told, width - 5))
    return lines
