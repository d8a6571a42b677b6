"""The techniques as a grid: what can be done now and what it costs; the rest as one number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import SAMPLES
from textual.geometry import Offset

from affray.core.engine.state import Track
from affray.core.formatting.effects import words_of_part
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.rules.ruleset import AvailableAction, all_options
from affray.core.rules.tables import TechniqueRow
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.opening import begin_prompt
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.technique_cells import attacks_of, cells_of, format_cost
from affray.tui.widgets.technique_grid import grid_for
from affray.tui.widgets.techniques import TechniquesPane

INKS = styles_of(DARK)
RULESET = load_ruleset("monsters-and-magic")
BASIC = {name: row for name, row in RULESET.tables.techniques.items() if name != "power"}
"""The techniques that everybody has: powers are offered to those who have some."""
KEYMAP = keymap_for(RULESET)
SIZES = [(118, 5), (76, 8), (44, 9), (34, 17), (26, 17)]

Sample = Callable[[str], OpenEncounter]
Stair = Callable[..., OpenEncounter]
Play = Callable[..., Any]


def options(reasons: dict[str, str] | None = None) -> list[AvailableAction]:
    """All techniques, where these can't be used."""
    rows = BASIC.items()
    return [
        AvailableAction(name, dict(t.cost), reason=(reasons or {}).get(name, ""))
        for name, t in rows
    ]


def grid(reasons: dict[str, str], size: tuple[int, int] = (118, 5)) -> list[str]:
    """The rows of the pane."""
    lines = grid_for(RULESET.tables, options(reasons), KEYMAP, size, INKS).lines
    assert len(lines) <= size[1] and all(line.width <= size[0] for line in lines)
    return [line.text.rstrip() for line in lines]


def places(fight: OpenEncounter, who: str, size: tuple[int, int]) -> dict[str, tuple[int, int]]:
    """Where each technique of the tables stands: its row and its first cell."""
    ruleset = fight.ruleset
    found = all_options(ruleset, fight.state, fight.state[who])
    rows = grid_for(ruleset.tables, found, keymap_for(ruleset), size, INKS).places
    return {
        place.chosen.key_id: (y, place.start)
        for y, row in enumerate(rows)
        for place in row
        if place.chosen is not None and place.chosen.key_id
    }


# -- places ----------------------------------------------------------------------------------------


def test_techniques_stand_in_one_order_whatever_they_cost(ambush: OpenEncounter) -> None:
    size = (26, 24)
    ambush.do("heal tobin 9")
    first = places(ambush, ambush.state.turn, size)
    for line in ("mark tobin fatigue 1", "next", "next"):
        ambush.do(line)
        found = places(ambush, ambush.state.turn, size)
        both = [key for key in first if key in found]
        assert both == [key for key in found if key in first] and len(both) > 5


def test_reactions_stand_behind_a_mark_at_the_end() -> None:
    before, first, last = " ".join(grid({})).split("◆")
    assert first.startswith("Opportunity Attack") and last == "Retaliate"
    *_, a_letter, no_letter = (word for word in before.split() if word in ("r", ";mo"))
    assert (a_letter, no_letter) == ("r", ";mo")  # what has no key of its own is the last before


# -- what it costs ---------------------------------------------------------------------------------


def test_the_cost_now_and_the_next_stand_by_the_name(ambush: OpenEncounter) -> None:
    while ambush.state.turn != "mira":
        ambush.do("next")
    ambush.do("strike ash-maned-warg miss")
    ruleset = ambush.ruleset
    found = ruleset.actions.options(ruleset.tables, ambush.state, ambush.state["mira"])
    lines = grid_for(ruleset.tables, found, KEYMAP, (44, 17), INKS).lines
    told = [" ".join(line.text.split()) for line in lines]
    assert {"s Strike 2→3", "m Move 1→2", "t Distract 2 AP +1 Fat", "d Dodge 2"} <= set(told)


def test_the_costs_of_a_column_stand_below_each_other() -> None:
    told = grid({}, (34, 17))
    costs = {row.rindex(" ") for row in told if row[-1].isdecimal() and "+" not in row}
    assert len(costs) == 1


@pytest.mark.parametrize(
    "size, said",
    [
        ((69, 40), ("Fire Burst S enc vs Ref", "Second Skin w day")),
        ((200, 60), ("Fire Burst S encounter, standard action, +", "Second Skin w daily, swift")),
    ],
)
def test_orcus_powers_say_once_how_often_and_against_what(
    stair: Stair, size: tuple[int, int], said: tuple[str, str]
) -> None:
    """Orcus, Powers."""
    fight = stair()
    rules, state = fight.ruleset, fight.state
    found = all_options(rules, state, state[state.turn])
    lines = grid_for(rules.tables, found, keymap_for(rules), size, INKS).lines
    told = " ".join(" ".join(line.text for line in lines).split())
    assert all(words in told for words in said)
    assert ("enc vs" in told) is (size == (69, 40))


# -- what can't be done ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_what_cannot_be_done_takes_no_room(size: tuple[int, int]) -> None:
    told = " ".join(grid({"strike": "2 AP left, needs 3", "hide": "in plain sight"}, size))
    assert "Strike" not in told and "Hide" not in told and "Move" in told


def test_what_cannot_be_done_is_counted_with_the_reason_that_most_share() -> None:
    def not_now(reasons: dict[str, str]) -> str:
        return grid_for(RULESET.tables, options(reasons), KEYMAP, (118, 5), INKS).not_now(80)

    assert not_now({}) == ""
    assert not_now({"strike": "2 AP left, needs 3", "hide": "in plain sight"}) == "2 not now"
    assert not_now({"strike": "2 AP left, needs 3"}) == "1 not now: Strike (2 AP left, needs 3)"
    assert not_now(dict.fromkeys(BASIC, "stunned")) == f"{len(BASIC)} not now: stunned"


def test_what_lacks_most_is_told_where_each_needs_another_amount() -> None:
    """Each has a reason of its own, `2 AP left, needs 3`; what they share is what is left."""
    found = [
        AvailableAction(name, {"ap": by}, reason=f"2 AP left, needs {by}")
        for name, by in (("strike", 3), ("cast", 4), ("hide", 5))
    ]
    tracks = {"ap": Track(2, 3)}
    grid = grid_for(RULESET.tables, found, KEYMAP, (118, 5), INKS, tracks=tracks)
    assert grid.not_now(80) == "3 not now: 2 AP left"


def test_of_what_cannot_be_done_ones_own_is_named(sample: Sample) -> None:
    fight = sample("ash-road/encounters/the-bed-of-the-drake.toml")
    while fight.state.turn != "cinder-drake":
        fight.do("next")
    drake = fight.state["cinder-drake"]
    found = all_options(fight.ruleset, fight.state, drake)
    keymap = keymap_for(fight.ruleset)
    grid = grid_for(fight.ruleset.tables, found, keymap, (82, 6), INKS)
    assert grid.not_now(82).endswith("Sweep, Hot Wind …")  # before them Ash Breath, by its recharge


def test_what_is_paid_with_two_tracks_has_a_plus_between() -> None:
    """Adventure School: `A+2St` is the action and two stamina."""
    rules = load_ruleset("adventure-school").tables.tracks
    row, option = (
        TechniqueRow("Falling Slate"),
        AvailableAction("power", {"action": 1, "stamina": 2}),
    )
    assert format_cost(rules, row, option, letters=True) == "A+2St"


def test_no_row_is_empty_above_what_everybody_can_do(sample: Sample) -> None:
    fight = sample("ash-road/encounters/the-bed-of-the-drake.toml")
    tables, keymap = fight.ruleset.tables, keymap_for(fight.ruleset)
    while fight.state.turn != "teasel":
        fight.do("next")
    found = all_options(fight.ruleset, fight.state, fight.state["teasel"])
    common = [option for option in found if option.technique in tables.techniques]
    for height in (6, 9, 12):
        assert grid_for(tables, common, keymap, (60, height), INKS).lines[0].text.strip()


async def test_the_frame_says_why_nothing_can_be_done(ambush: OpenEncounter, game_of: Play) -> None:
    async with game_of(ambush) as game:
        await game.type("j")
        pane = game.screen.query_one(TechniquesPane)
        rows = "".join(pane.render_line(y).text for y in range(pane.size.height))
        assert pane.aside.endswith(" not now: it is Tobin's turn ")
        assert "s  Strike" not in rows


async def test_of_whom_nothing_can_be_done_it_is_said_why_and_what_waits(
    ambush: OpenEncounter, game_of: Play
) -> None:
    """Also in a small window, and with the keys that go on."""
    for size in ((120, 40), (200, 60), (80, 24)):
        async with game_of(ambush, size) as game:
            pane = game.screen.query_one(TechniquesPane)
            if not pane.size:
                await game.type("<tab>")
            for _ in range(3):  # panes find their places, and then their rows
                await game.pilot.pause()
            rows = [pane.render_line(y).text.rstrip() for y in range(3)]
        assert rows == [
            "Tobin can do nothing now: dying",
            "↵  Tobin is dying: luck roll",
            "space  ends the turn",
        ]


async def test_attacks_stand_before_all_with_their_letters_as_far_as_there_are_rows(
    stair: Stair, game_of: Play
) -> None:
    """The first goes by the key alone, the others by letters behind the target; so do powers."""
    fight = stair(
        "add monster Ogre hp 30 ac 12 attack Club +5 vs ac 2d6 attack Rock +3 vs ac 1d8\n"
    )
    fight.do("init ogre 3", *["next"] * 5)
    assert fight.state.turn == "ogre"
    async with game_of(fight) as game:
        pane = game.screen.query_one(TechniquesPane)
        told = " ".join(pane.render_line(y).text for y in range(pane.size.height))
        assert told.split()[:7] == ["s", "Club", "+5", "2d6", "ac", "s·o", "Rock"]
        await game.type("s1o")
        assert game.line.prompt.line.endswith("with Rock")


@pytest.mark.parametrize("size", [(82, 6), (50, 6), (50, 4)])
async def test_attacks_stay_where_common_acts_have_no_room(
    sample: Sample, size: tuple[int, int]
) -> None:
    """A GM looks there for what a creature can do; what everybody can do gives way to it."""
    fight = sample("ash-road/encounters/the-bed-of-the-drake.toml")
    while fight.state.turn != "cinder-drake":
        fight.do("next")
    ruleset, keymap = fight.ruleset, keymap_for(fight.ruleset)
    drake = fight.state["cinder-drake"]
    found = all_options(ruleset, fight.state, drake)
    attacks = attacks_of(ruleset, fight.state, keymap, drake.id, drake.id)
    lines = grid_for(ruleset.tables, found, keymap, size, INKS, attacks).lines
    told = " ".join(" ".join(line.text for line in lines).split())
    assert told.startswith("s bite +8 2d6+5") and "s·t tail +8 1d8+5" in told
    assert all(line.text.strip() for line in lines[: size[1] - 1])


def test_the_words_of_an_attack_name_what_it_deals_besides() -> None:
    row = {"dice": "2d6", "plus": [["1d6", "fire"]], "half": False, "save": {"stat": "str"}}
    assert words_of_part(row) == "2d6 plus 1d6 fire save str"


def test_powers_have_the_letters_that_find_them(stair: Stair) -> None:
    fight = stair()
    own = fight.ruleset.actions.own_options(fight.ruleset.tables, fight.state, fight.state["mira"])
    cells, _ = cells_of(fight.ruleset.tables, own, keymap_for(fight.ruleset))
    assert [cell.key for cell in cells] == ["p"]
    own = fight.ruleset.actions.own_options(
        fight.ruleset.tables, fight.state, fight.state["brannoc"]
    )
    cells, _ = cells_of(fight.ruleset.tables, own, keymap_for(fight.ruleset))
    assert [cell.key for cell in cells] == ["pf", "ps"]


# -- room ------------------------------------------------------------------------------------------


def test_names_are_cut_only_where_the_rows_run_out() -> None:
    assert "…" not in "".join(grid({}, (34, 17)))
    told = " ".join(grid({}, (34, 8)))
    assert "C Cast a Spell 1" in told  # its key is close to it
    assert "R Retrieve 1+Fat" in told and "◆Opportunity…" in told  # cut at the end of a word


@pytest.mark.parametrize("size", [(26, 5), (44, 3), (118, 2), (34, 1)])
def test_what_does_not_fit_is_counted(size: tuple[int, int]) -> None:
    found = grid_for(RULESET.tables, options(), KEYMAP, size, INKS)
    seen = sum(place.chosen is not None for row in found.places for place in row)
    assert found.others == "; 1 other act"  # Mount has no key of its own
    lacks = len(BASIC) - 1 - seen
    assert grid({}, size)[-1].endswith(f"…{lacks} more" if lacks else "l ◆Retaliate")


def test_where_columns_have_no_room_everything_stands_one_behind_the_other_with_its_key() -> None:
    """Seventeen acts were only counted in a small window; whoever knows no letter finds them so."""
    found = grid_for(RULESET.tables, options(), KEYMAP, (50, 4), INKS)
    assert [line.text for line in found.lines] == [
        "C Cast a Spell  O Concentrate  m Move  R Retrieve…",
        "s Strike  U Use Item  v Aid  e Disengage",
        "t Distract  d Dodge  g Grapple  h Hide  A Help",
        "r Regroup  o ◆Opportunit…  l ◆Retaliate",
    ]
    last = found.places[-1][-1]
    assert last.chosen is not None and last.chosen.key_id == "technique.retaliate"
    assert last.start + last.width == 50, "a click behind it does it, too"


def test_where_each_has_a_row_its_text_stands_beside_it() -> None:
    told = grid({}, (120, 40))
    text = RULESET.tables.techniques["retrieve"].text
    assert text in " ".join(" ".join(told).split())
    assert "…" not in "".join(told)
    crowded = grid({}, (90, 20))
    assert len(crowded) == 20 and all(row for row in crowded)


@pytest.mark.parametrize("rows, told", [(16, 15), (14, 12), (12, 9), (11, 0)])
def test_where_most_have_a_row_the_first_have_their_texts_and_the_others_stand_below(
    rows: int, told: int
) -> None:
    lines = grid({}, (80, rows))
    texts = [strip_control_chars(technique.text) for technique in BASIC.values()]
    begins = [text[:15] for text in texts]
    assert sum(any(text in line for text in begins) for line in lines) == told
    if told:
        assert len(lines) == rows
        assert all(any(text in line for text in begins) for line in lines[:told])


@pytest.mark.parametrize("size", SIZES)
def test_the_rows_that_are_wanted_hold_everything(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    found = RULESET.actions.options(RULESET.tables, ambush.state, ambush.state["tobin"])
    wanted = grid_for(RULESET.tables, found, KEYMAP, size, INKS).wanted
    rows = grid_for(RULESET.tables, found, KEYMAP, (size[0], wanted), INKS).places
    cells = [place for row in rows for place in row]
    assert len(cells) == sum(each.available for each in found)
    assert not any("…" in s.text for place in cells for s in place.line.segments)


# -- clicks and keys -------------------------------------------------------------------------------


async def test_a_click_on_a_cell_begins_it(ambush: OpenEncounter, game_of: Play) -> None:
    async with game_of(ambush) as game:
        while ambush.state.turn != "mira":
            assert game.screen.run_command("next")
        for _ in range(3):  # panes find their places, and then their rows
            await game.pilot.pause()
        pane = game.screen.query_one(TechniquesPane)
        rows = [pane.render_line(y).text for y in range(pane.size.height)]
        x, y = next((row.index("Aid"), y) for y, row in enumerate(rows) if "Aid" in row)
        await game.pilot.click(TechniquesPane, offset=Offset(x + 2, y + 1))
        await game.pilot.pause()
        assert game.row(PromptWidget).startswith(" Aid")


async def test_techniques_show_the_users_own_keys(
    ambush: OpenEncounter, game_of: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    (tmp_path / "keys.toml").write_text('technique.strike = "f5"\n', "utf-8")
    ambush.do("heal tobin 9")
    async with game_of(ambush) as game:
        pane = game.screen.query_one(TechniquesPane)
        told = " ".join(pane.render_line(y).text for y in range(pane.size.height))
        assert "f5  Strike" in told and "m  Move" in told


@pytest.mark.parametrize(
    "campaign", ["ash-road", "drowned-vale", "kiln-road", "salt-stair", "winter-term"]
)
def test_what_stands_among_the_acts_asks_when_its_key_is_pressed(campaign: str) -> None:
    """What can't be done now is counted, and has no row: `p Power` of somebody without powers."""
    begun = 0
    for log in sorted((SAMPLES / campaign / "encounters").glob("*.toml")):
        with OpenEncounter.view(log) as fight:
            ruleset, history = fight.ruleset, fight.history
        keymap, states = keymap_for(ruleset), map(history.before, history.path)
        turns = {(s.round, s.turn): s for s in states if s.phase == "combat"}
        for state, who in ((s, who) for s in turns.values() for who in s.combatants):
            context = PromptContext(state, ruleset, who.id, who.id)
            for option in all_options(ruleset, state, who):
                key = keymap.of_technique(option.technique)
                if option.available and key is not None and key.prompt is not None:
                    assert not begin_prompt(key.prompt, context).barred, (who.name, option)
                    begun += 1
    assert begun > 100
