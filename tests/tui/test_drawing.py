"""Text in ink: names, bars, tracks and lines, by their cells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len
from textual.theme import Theme

from affray.core.engine.state import Track
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.rules.tables import EffectKindRow, TrackRow, read_tables
from affray.tui.drawing import (
    StyledLine,
    flow_items,
    progress_text,
    short_track_text,
    track_bar,
    truncate,
    truncate_name,
    truncate_start,
    wrap,
    wrapped_pieces,
)
from affray.tui.theme import DARK, THEMES, styles_of

INKS = styles_of(DARK)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Sister Ash", "Sister Ash"),
        ("[red]Tobin[/]", "[red]Tobin[/]"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("one\ttwo\n", "one two "),
        ("left\u202eright\u200f", "leftright"),
        ("Zoë 龍", "Zoë 龍"),
        ("❤\ufe0f and ⌚\ufe0e", "❤ and ⌚"),
    ],
)
def test_names_are_shown_as_text(text: str, shown: str) -> None:
    assert strip_control_chars(text) == shown


@pytest.mark.parametrize(
    ("value", "cells"), [(0, 0), (1, 1), (15, 5), (29, 9), (30, 10), (99, 10), (-4, 0)]
)
def test_a_bar_is_full_or_empty_only_when_the_track_is(value: int, cells: int) -> None:
    line = track_bar(Track(value, 30), 10, INKS)
    assert line.text == "▇" * cells + "░" * (10 - cells)


@pytest.mark.parametrize(
    ("shown", "track", "text"),
    [
        ("pips", Track(2, 3), "●●○"),
        ("pips", Track(4, 3), "●●●●"),
        ("badge", Track(0, 1), "◇"),
        ("boxes", Track(3, 5), "■■■□□"),
        ("boxes", Track(7, 20), "7/20"),
        ("number", Track(6), "6"),
        ("die", Track(8), "d8"),
        ("die", Track(0), "out"),
        ("box", Track(1, 1), "■"),
        ("box", Track(0, 1), "□"),
        ("box", Track(0, 0), "□"),
        ("box", Track(2, 2), "■■"),
        ("bar", Track(-5, 44), "−5/44"),
        ("boxes", Track(-1, 3), "−1/3"),
    ],
)
def test_a_track_is_drawn_as_its_rule_says(shown: str, track: Track, text: str) -> None:
    rule = TrackRow("Label", shown)  # type: ignore[arg-type]
    assert short_track_text(rule, track, INKS).text == text


@pytest.mark.parametrize(
    ("track", "text"),
    [
        (Track(0), "□□□□□"),
        (Track(3, unfelt=1), "■■▣□□"),
        (Track(7, unfelt=7), "▣▣▣▣▣▣▣"),
        (Track(12), "12"),
    ],
)
def test_levels_without_a_limit_are_squares_that_count_on(track: Track, text: str) -> None:
    rule = TrackRow("Label", "boxes", counts="marked", levels=True, least=5)
    assert short_track_text(rule, track, INKS).text == text


@pytest.mark.parametrize(
    ("track", "text"),
    [
        (Track(2, 3), "■■□"),
        (Track(0, 10), "□□□□□□□□□□"),
        (Track(12, 40), "▇▇▇░░░░░░░"),
        (Track(1, 40), "▇░░░░░░░░░"),
        (Track(39, 40), "▇▇▇▇▇▇▇▇▇░"),
        (Track(40, 40), "▇▇▇▇▇▇▇▇▇▇"),
    ],
)
def test_what_is_counted_up_is_squares_or_a_bar(track: Track, text: str) -> None:
    assert progress_text(track, INKS.accent, INKS).text == text


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_what_is_hot_cold_or_wet_has_an_ink_of_its_own(theme: Theme) -> None:
    inks = styles_of(theme)
    own = {
        inks.effect(EffectKindRow(harmful=True, ink=ink)).color
        for ink in ("hot", "cold", "wet", "")
    }
    assert len(own) == 4


def test_an_effect_is_shown_by_its_own_row_before_that_of_its_kind() -> None:
    tables = read_tables({"kinds": {"condition": {"harmful": True}, "burning": {"ink": "hot"}}})
    assert tables.look("burning", "condition").ink == "hot"
    assert tables.look("prone", "condition") == EffectKindRow(harmful=True)


def test_by_what_a_maximum_is_lowered_is_marked() -> None:
    track = Track(2, 3, lowered=1)
    assert short_track_text(TrackRow("Stamina", "pips"), track, INKS).text == "●●○×"
    assert short_track_text(TrackRow("Stamina", "number"), track, INKS).text == "2/3 of 4"
    assert (
        short_track_text(TrackRow("Movement", unit="ft."), Track(20, 30), INKS).text == "20/30 ft."
    )


def test_a_strip_has_exactly_the_cells_it_is_asked_for() -> None:
    line = StyledLine().add("Ghoul 龍龍龍", INKS.plain)
    for width in range(20):
        assert line.strip(width).cell_length == width


def test_text_is_cut_and_wrapped_by_cells() -> None:
    assert truncate("Brannoc", 7) == "Brannoc"
    assert truncate("Brannoc", 5) == "Bran…"
    assert truncate("龍龍龍", 4) == "龍…"
    assert truncate_name("Drowned Watchman 2", 15) == "Drowned Watc… 2"
    assert truncate_name("Sister Ash", 6) == "Siste…"
    assert wrap("one two three", 7) == ["one two", "three"]
    assert all(cell_len(line) <= 5 for line in wrap("龍龍龍龍 abcdefgh", 5))
    assert wrap("龍a", 1) == ["龍", "a"]
    assert [
        line.text for line in flow_items([StyledLine().add(w) for w in ("aa", "bb", "cc")], 7)
    ] == [
        "aa   bb",
        "cc",
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        lambda text: StyledLine().add(text).text,
        lambda text: "".join(line.text for line in wrapped_pieces([(text, None)], 40)),
        lambda text: " ".join(wrap(text, 40)),
        lambda text: truncate(text, 40),
        lambda text: truncate_start(text, 40),
        lambda text: truncate_name(text, 40),
    ],
)
def test_whatever_is_drawn_or_measured_is_made_safe(drawn: Callable[[str], str]) -> None:
    """A name from a file moves no cursor and turns no line round, whoever draws it."""
    assert drawn("Ash\x1b[31m\u202eborn 2") == "Ash[31mborn 2"
