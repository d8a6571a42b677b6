"""What the panes show comes whole, from the rules' tables and from the user's keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_row
from textual.pilot import Pilot

from affray.core.ruleset import Option
from affray.core.state import Clock
from affray.core.tables import KindRule, OutcomeRule, Tables, TotalRule, read_tables
from affray.rulesets import load_ruleset
from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.drawing import Line
from affray.tui.keymap import keymap_for
from affray.tui.panes.card import card_lines
from affray.tui.panes.initiative import InitiativePane
from affray.tui.panes.pane import Pane
from affray.tui.panes.techniques import technique_lines
from affray.tui.panes.timers import clock_line, effect_lines
from affray.tui.prompts import Prompt, View, spec_of_technique
from affray.tui.themes import DARK, inks_of

INKS = inks_of(DARK)
RULESET = load_ruleset("monsters-and-magic")
USUAL_TECHNIQUES = 35  # cells within the pane at 120x40
USUAL_TIMERS = 38


def said(line: Line) -> str:
    """The text of a line."""
    return "".join(segment.text for segment in line.segments)


def text_of(pilot: Pilot[None], pane: str) -> str:
    """What a pane shows now."""
    found = pilot.app.screen.query_one(f"#{pane}", Pane)
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


def techniques(reasons: dict[str, str], width: int = USUAL_TECHNIQUES) -> list[str]:
    """The techniques' lines, where these can't be used."""
    rows = RULESET.tables.techniques.items()
    options = [Option(name, dict(t.cost), reason=reasons.get(name, "")) for name, t in rows]
    keymap = keymap_for(RULESET)
    return [said(line) for line in technique_lines(RULESET.tables, options, keymap, width, INKS)]


# -- techniques ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("technique", "reason", "shown"),
    [
        ("strike", "2 AP left, needs 3", "2 AP left, needs 3"),
        ("disengage", "2 AP left, needs 3", "2 AP left, needs 3"),
        ("mount", "2 AP left, needs 3", "2 AP left"),
        ("opportunity-attack", "reaction used", "reaction used"),
        ("retaliate", "reaction used", "reaction used"),
        ("opportunity-attack", "stunned: can't react", "stunned"),
    ],
)
def test_a_reason_is_never_cut_off(technique: str, reason: str, shown: str) -> None:
    """It takes the name's free room; without any, what stands before its comma is enough."""
    name = RULESET.tables.techniques[technique].name
    (line,) = [line for line in techniques({technique: reason}) if f" {name} " in line]
    assert line.endswith(f" {shown}")
    assert len(line) <= USUAL_TECHNIQUES


def test_a_reason_that_all_reactions_share_is_said_once() -> None:
    lines = techniques({"opportunity-attack": "reaction used", "retaliate": "reaction used"})
    assert [line for line in lines if "reaction used" in line] == [
        "Reactions ✗ reaction used ────────"
    ]
    assert any(line.startswith("o✗ Opportunity Attack") and line.endswith("◆") for line in lines)


async def test_techniques_show_the_users_own_keys(
    ambush: OpenEncounter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text('technique.strike = "f5"\n', "utf-8")
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        rows = text_of(pilot, "techniques").splitlines()
        assert any(row.startswith("f5") and " Strike" in row for row in rows), rows
        names = {row[row.index(" ") :].lstrip()[:4] for row in rows if " " in row}
        assert {"Stri", "Move", "Dodg"} <= names


# -- timers ----------------------------------------------------------------------------------------


def test_long_names_of_effects_are_shown_whole(played: Callable[..., OpenEncounter]) -> None:
    fight = played(
        "add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2\n"
        'add monster "Drowned Watchman" x2 cr 2 hp 18 ac 2\n'
        "inflict drowned-watchman-1 unconscious\ninflict drowned-watchman-2 frightened from mira\n"
        'concentrate "Wall of Fog" by mira\n'
    )
    lines = effect_lines(fight.state, RULESET.tables, USUAL_TIMERS, INKS)
    shown = [said(line) for line in lines]
    for name in ("unconscious", "frightened", "concentrating"):
        assert any(f"{name} " in line for line in shown), shown


@pytest.mark.parametrize("width", [20, 30, 38, 60])
def test_a_clock_says_how_much_is_left_before_all_else(width: int) -> None:
    line = said(clock_line(Clock("Nethermere floods", 5, 7, every="round"), width, INKS))
    assert line.endswith("5 rounds left")
    assert len(line) <= max(width, 8 + len("  5 rounds left"))
    assert ("■" in line) is (width == 60)


async def test_the_gms_threads_are_shown_from_the_beginning(
    played: Callable[..., OpenEncounter],
) -> None:
    async with AffrayApp(played("add pc Mira hp 9")).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "GM Threads  0" in text_of(pilot, "timers")


# -- an empty fight --------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "key"), [("", "a"), ('add = "f6"\n', "f6")])
async def test_an_empty_fight_names_the_key_that_adds_somebody(
    played: Callable[..., OpenEncounter],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    own: str,
    key: str,
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text(own, "utf-8")
    async with AffrayApp(played("")).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert f"{key} adds a character: pc NAME hp N" in text_of(pilot, "card")
        assert footer(pilot).split()[:2] == [key, "add"]
        order = pilot.app.screen.query_one("#initiative", InitiativePane)
        assert f"{key} adds somebody" in order.aside


# -- names from the tables -------------------------------------------------------------------------


def test_a_campaigns_rules_may_add_outcomes_kinds_and_totals() -> None:
    tables = read_tables(
        {"outcomes": {"miss": {"key": "m", "hits": False}}, "kinds": {"hex": {"harmful": True}}},
        {"outcomes": {"graze": {"key": "g"}}, "totals": {"ac": {"label": "AC", "whole": True}}},
    )
    assert tables.outcomes == {"miss": OutcomeRule("m", hits=False), "graze": OutcomeRule("g")}
    assert tables.kind("hex") == KindRule(harmful=True) and tables.kind("other") == KindRule()
    assert tables.total("ac") == TotalRule("AC", whole=True)
    assert tables.total("to_hit") == TotalRule("To hit")


def test_a_prompt_offers_the_outcomes_of_the_tables(ambush: OpenEncounter) -> None:
    rows = {"graze": OutcomeRule("g", label="a graze"), "whiff": OutcomeRule("w", hits=False)}
    tables = replace_row(RULESET.tables, outcomes=rows)
    technique = replace_row(tables.techniques["strike"], asks=("target", "outcome", "damage"))
    view = View(ambush.state, replace_row(RULESET, tables=tables), "mira", "mira")
    for keys, line in (("3g8", "strike ghoul-1 graze 8"), ("3w", "strike ghoul-1 whiff")):
        prompt = Prompt(spec_of_technique("strike", technique), view)
        for key in keys:
            prompt.feed(key)
        assert prompt.line.startswith(line)
        assert prompt.complete


def test_the_card_calls_totals_as_the_tables_do(ambush: OpenEncounter) -> None:
    totals = {"ac": TotalRule("Guard", whole=True), "check": TotalRule("Tests")}
    tables: Tables = replace_row(RULESET.tables, totals=totals)
    ruleset = replace_row(RULESET, tables=tables)
    who = ambush.state["brannoc"]
    numbers = ruleset.totals(tables, ambush.state, who)
    lines = card_lines(ruleset, ambush.state, who, numbers, 80, INKS)
    shown = "\n".join(said(line) for line in lines)
    assert "Guard 4" in shown and "Tests −2" in shown and "Speed +30" in shown


async def test_the_footer_puts_first_what_the_life_under_the_cursor_calls_for(
    ambush: OpenEncounter,
) -> None:
    async with AffrayApp(ambush).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "D death roll" in footer(pilot)
        await pilot.press("k")
        await pilot.pause()
        assert "D death roll" not in footer(pilot)
        assert footer(pilot).index("s strike") < footer(pilot).index("- damage")


def footer(pilot: Pilot[None]) -> str:
    """The last row."""
    return pilot.app.screen.query_one("#footer").render_line(0).text
