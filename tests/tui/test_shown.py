"""What the panes show comes whole, from the rules' tables and from the user's keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_row
from textual.pilot import Pilot

from affray.core.parser.declarations import spec_of_technique
from affray.core.rules.tables import EffectKindRow, OutcomeRow, StatRow, Tables, read_tables
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.base import Pane
from affray.tui.widgets.combatant_card import card_lines
from affray.tui.widgets.turn_order import TurnOrderList

INKS = styles_of(DARK)
RULESET = load_ruleset("monsters-and-magic")


def text_of(pilot: Pilot[None], pane: str) -> str:
    """What a pane shows now."""
    found = pilot.app.screen.query_one(f"#{pane}", Pane)
    return "\n".join(found.render_line(y).text.rstrip() for y in range(found.size.height))


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
        assert f"{key} adds a character: pc NAME hp N" in text_of(pilot, "initiative")
        assert footer(pilot).split()[:2] == [key, "add"]
        order = pilot.app.screen.query_one("#initiative", TurnOrderList)
        assert f"{key} adds somebody" in order.aside


# -- names from the tables -------------------------------------------------------------------------


def test_a_campaigns_rules_may_add_outcomes_kinds_and_totals() -> None:
    tables = read_tables(
        {"outcomes": {"miss": {"key": "m", "hits": False}}, "kinds": {"hex": {"harmful": True}}},
        {"outcomes": {"graze": {"key": "g"}}, "totals": {"ac": {"label": "AC", "whole": True}}},
    )
    assert tables.outcomes == {"miss": OutcomeRow("m", hits=False), "graze": OutcomeRow("g")}
    assert (
        tables.kind("hex") == EffectKindRow(harmful=True)
        and tables.kind("other") == EffectKindRow()
    )
    assert tables.total("ac") == StatRow("AC", whole=True)
    assert tables.total("to_hit") == StatRow("To hit")


def test_a_prompt_offers_the_outcomes_of_the_tables(ambush: OpenEncounter) -> None:
    rows = {"graze": OutcomeRow("g", label="a graze"), "whiff": OutcomeRow("w", hits=False)}
    tables = replace_row(RULESET.tables, outcomes=rows)
    strike = replace_row(tables.techniques["strike"], fields=("target", "outcome", "damage"))
    tables = replace_row(tables, techniques=tables.techniques | {"strike": strike})
    ruleset = replace_row(RULESET, tables=tables)
    view = PromptContext(ambush.state, ruleset, "mira", "mira")
    ghoul = next(n for n, who in ambush.state.by_number().items() if who.id == "ghoul-1")
    for keys, line in (
        (f"{ghoul}g8", "strike ghoul-1 graze 8"),
        (f"{ghoul}w", "strike ghoul-1 whiff"),
    ):
        prompt = Prompt(spec_of_technique("strike", ruleset, {}), view)
        for key in keys:
            prompt.feed(key)
        assert prompt.line.startswith(line)
        assert prompt.complete


def test_the_card_calls_totals_as_the_tables_do(ambush: OpenEncounter) -> None:
    totals = {"ac": StatRow("Guard", whole=True), "check": StatRow("Tests")}
    tables: Tables = replace_row(RULESET.tables, totals=totals)
    ruleset = replace_row(RULESET, tables=tables)
    lines = card_lines(ruleset, ambush.state, ambush.state["brannoc"], True, 80, INKS)
    shown = "\n".join(line.text for line in lines)
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
