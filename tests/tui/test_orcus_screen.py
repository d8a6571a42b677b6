"""The second rule system on the screen: a fight played with keys alone, and pictures of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.state import Encounter
from affray.core.rules.reference import ReferenceEntry
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.lookup.reference import ReferenceList
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.base import MORE
from affray.tui.widgets.combatant_card import CombatantCard, card_lines
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_order_lines import worn
from affray.tui.widgets.turn_order_rows import RowStyle
from affray.tui.widgets.turn_summary import TurnSummaryPane

TROUBLE = """\
attack goblin-1 hit 8
inflict goblin-1 dazed save ends
inflict goblin-1 dazed until end of goblin-1
inflict goblin-2 prone
inflict brannoc slowed until end of goblin-1
modifier mira +2 ac power until end of brannoc
damage goblin-hexer 25
inflict mira persistent 5 fire
inflict mira rattled save ends
next
"""
SIZES = [(80, 24), (120, 40)]

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]


@pytest.fixture
def fight(stair: Played) -> Played:
    """The fight on the stair."""
    return stair


@pytest.fixture
def play(fight: Callable[..., OpenEncounter], game_of: Play) -> Play:
    """Opens such a fight on the screen."""
    return lambda more="", size=(120, 40): game_of(fight(more), size)


@pytest.mark.parametrize("size", SIZES)
async def test_a_round_with_keys_alone(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as game:
        await game.type("s3h8↵")
        assert game.who("goblin-1").track("hp") == 12
        assert "·Mw ◆  44/44" in game.row(TurnOrderList)
        await game.type("m ")  # a walk, and nothing holds the turn
        assert game.encounter.state.turn == "mira"
        await game.type("s4m↵ ")  # a miss deals nothing, and asks for nothing more
        assert game.who("goblin-2").track("hp") == 20
        await game.type("s↵")  # by the app, at the likely foe
        entry = game.encounter.history.entries[game.encounter.history.last]
        assert entry.by == "goblin-1" and "roll" in entry.command
        await game.type(" s2↵ s1r↵ ")
        assert game.encounter.state.round == 2
        assert game.encounter.state.turn == "brannoc"
        assert game.row(TurnOrderList).startswith("›▶ 1 ▲ 20 BRANNOC")


@pytest.mark.parametrize("size", SIZES)
async def test_two_saves_and_the_turns_end_are_four_keys(play: Play, size: tuple[int, int]) -> None:
    async with play(TROUBLE, size) as game:
        assert game.who("mira").track("hp") == 27
        await game.type(" ")
        assert "persistent 5 fire" in game.row(PromptWidget)
        await game.type("sf")
        assert game.encounter.state.turn == "mira"
        await game.type(" ")
        assert game.encounter.state.turn == "goblin-1"
        names = {e.name for e in game.who("mira").effects}
        assert "rattled" in names and "persistent" not in names


async def test_a_save_that_no_player_made_is_asked_for_until_r_rolls_it(play: Play) -> None:
    async with play(TROUBLE) as game:
        await game.type("  ")
        assert game.encounter.state.turn == "mira"
        assert game.line.prompt.trouble == "Mira's d20, or r to roll it"
        await game.type("r")
        assert game.last == "save mira persistent-fire roll"
        await game.type(" r ")
        assert game.encounter.state.turn == "goblin-1"


async def test_a_power_at_two_with_an_outcome_for_each(play: Play) -> None:
    async with play() as game:
        await game.type("pfi3,4hm14↵")
        assert (game.who("goblin-1").track("hp"), game.who("goblin-2").track("hp")) == (6, 20)
        await game.type("p")
        assert "Second Skin" in game.row(PromptWidget)  # what can be used comes first
        await game.type("↵")
        assert "·M· ◆  44/44" in game.row(TurnOrderList)


@pytest.mark.parametrize("keys", ["p1,2↵", "p⇥1,2↵", "p 1,2↵"])
async def test_a_monsters_power_is_rolled_by_the_app_and_the_only_one_is_chosen_already(
    play: Play, keys: str
) -> None:
    more = "add monster Ogre hp 60 ac 15 power Sweep at-will standard +6 vs ac 2d6\ninit ogre 19\n"
    async with play(more) as game:
        await game.type(f" {keys}")
        entry = game.encounter.history.entries[game.encounter.history.last]
        assert entry.command == 'power "Sweep" brannoc,mira roll'


async def test_the_only_save_needs_no_asking(play: Play) -> None:
    async with play("inflict brannoc dazed save ends") as game:
        game.screen.begin_by_id("prompt.save")
        await game.pilot.pause()
        assert "dazed" in game.row(PromptWidget) and "success" not in game.row(PromptWidget)
        await game.type("↵")
        assert "s success  f fail" in game.row(PromptWidget)
        await game.type("s↵ ")
        assert game.who("brannoc").effects == ()


async def test_an_action_point_gives_a_second_standard_action(play: Play) -> None:
    async with play() as game:
        await game.type(";ac↵")
        assert "S2Mw ◆" in game.row(TurnOrderList)
        assert game.row(TurnSummaryPane).split() == ["●●", "Standard", "left"]


async def test_below_nothing_is_shown_with_its_minus(play: Play) -> None:
    async with play() as game:
        await game.type("-1 49↵")
        assert "dying  −5/44" in game.row(TurnOrderList)


async def test_the_death_save_is_asked_for_before_the_turn_ends(play: Play) -> None:
    """Orcus, Death Saving Throws."""
    async with play("damage mira 40\nnext") as game:
        assert game.encounter.state.turn == "mira" and game.who("mira").life == "dying"
        await game.type(" ")
        assert game.line.is_open and "death save" in game.row(PromptWidget)
        await game.type("f ")
        assert game.who("mira").track("death_failures") == 1
        assert game.encounter.state.turn == "goblin-1"


# -- pictures --------------------------------------------------------------------------------------

OPENED = {
    "fight": (),
    "held": ("space", "s"),
    "own": ("p",),
    "fallen": ("escape", "-", "1", "space", "4", "9", "enter", "k"),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", OPENED)
def test_pictures(
    snap_compare: Any, fight: Callable[..., OpenEncounter], size: tuple[int, int], what: str
) -> None:
    assert snap_compare(AffrayApp(fight(TROUBLE)), terminal_size=size, press=OPENED[what])


async def test_what_has_no_room_on_the_card_can_be_scrolled_to(play: Play) -> None:
    async with play(TROUBLE, size=(120, 40)) as game:
        card = game.screen.query_one("#card", CombatantCard)
        assert card.line_count() > card.size.height
        more = "".join(MORE[card.more_at(y)] for y in range(card.size.height))
        assert more == "│" * (card.size.height - 1) + "↓"
        card.scroll_lines(1)
        assert MORE[card.more_at(0)] == "↑"
        card.scroll_top(card.line_count())
        seen = " ".join(card.render_line(y).text for y in range(card.size.height))
        assert "rattled save ends" in seen


# -- rules to be read, and what somebody is --------------------------------------------------------

LOOKED_UP = (
    "cover", "concealment", "obscured", "light", "vision", "delay", "surprise", "difficult terrain",
    "flight", "falling", "teleport", "push", "size", "damage types", "resistance",
    "combat advantage", "critical", "range", "bursts", "lines of sight", "flanking", "summons",
    "companions", "zones", "tags", "psyche", "augment", "forms", "extended challenge", "overland",
    "long rest", "modifier types", "saving throw", "dw", "incantations",
)  # fmt: skip


@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_rules_that_no_row_plays_are_found_by_their_names(looked_up: str) -> None:
    """`/` finds any rule's text."""
    found = ReferenceList(load_ruleset("orcus"), Encounter()).rows(looked_up)
    named = [
        row for row in found if isinstance(row, ReferenceEntry) and looked_up in row.name.casefold()
    ]
    assert any(row.sort == "rule" and len(row.text) > 20 for row in named), named


async def test_the_card_tells_size_speeds_senses_and_kind(play: Play) -> None:
    drake = (
        'add monster "Mud Drake" hp 60 size large type "natural beast" fly 8 reach 2 darkvision'
        " passive-perception 15\ninit mud-drake 1\naloft mud-drake 6"
    )
    async with play(drake, size=(120, 40)) as game:
        rules, state = game.encounter.ruleset, game.encounter.state
        lines = card_lines(rules, state, state["mud-drake"], False, 78, styles_of(DARK))
        text = "\n".join(line.text for line in lines)
        for said in ("Fly 8", "Space 2 x 2", "Reach 2", "Size large", "Type natural beast"):
            assert said in text
        assert "Darkvision" in text and "Passive Perception 15" in text and "flying 6" in text


async def test_a_flier_that_has_not_flown_is_told_before_its_turn_ends(play: Play) -> None:
    """Orcus, Flying Movement."""
    async with play("modifier brannoc +8 fly until fight\naloft brannoc 4") as game:
        await game.type(" ")
        assert game.encounter.state.turn == "brannoc"  # asked for before the turn ends
        await game.type("f ")
        assert game.who("brannoc").named("flying") is not None
        assert game.encounter.state.turn == "mira"


async def test_a_space_asks_for_a_death_save_and_an_r_has_it_rolled(
    fight: Played, game_of: Play
) -> None:
    """Orcus, Death Saving Throws."""
    async with game_of(fight("damage mira 35\nnext\n")) as game:
        await game.type(" ")
        assert game.encounter.state.turn == "mira"
        assert "Mira is dying: death save" in game.row(PromptWidget)
        await game.type(" ")
        assert game.encounter.state.turn == "mira"
        await game.type("r ")
        assert game.encounter.state.turn != "mira"


async def test_what_a_turns_edge_took_is_said_along_with_the_turn(play: Play) -> None:
    async with play("inflict mira persistent 5 fire\nnext") as game:
        game.encounter.do("undo")
        game.screen.publish()
        await game.type(" ")
        assert "Mira is up · Mira −5 HP, 27 left (5 fire persistent)" in game.row(PromptWidget)


@pytest.mark.parametrize("size, told", [((120, 40), True), ((60, 20), False)])
async def test_the_footer_says_what_is_asked_where_there_is_room(
    stair: Callable[..., OpenEncounter],
    game_of: Callable[..., Any],
    size: tuple[int, int],
    told: bool,
) -> None:
    fight = stair("inflict brannoc dazed save ends\ninflict brannoc slowed save ends")
    async with game_of(fight, size) as game:
        row = game.row(Footer)
        assert ("↵ answer: Brannoc saves against dazed …1 more  space" in row) is told
        assert "↵ answer" in row


async def test_a_key_for_what_is_ones_own_is_not_offered_to_who_has_nothing(play: Play) -> None:
    async with play() as game:
        await game.type("3")
        assert "p power" not in game.row(Footer)
        await game.type("0")
        assert "p power" in game.row(Footer)


DAZED = "inflict goblin-hexer dazed save ends\n"


@pytest.mark.parametrize(
    ("more", "who", "has_one"),
    [
        ("", "goblin-hexer", True),
        (DAZED, "goblin-hexer", False),
        ("inflict goblin-1 surprised until round 1\n", "goblin-1", False),
        ("inflict goblin-1 surprised until round 1\nnext\nnext\nnext\nnext\n", "goblin-1", True),
    ],
)
def test_row_and_card_have_an_immediate_action_only_where_it_can_be_used(
    fight: Played, more: str, who: str, has_one: bool
) -> None:
    """Orcus, Dazed; Surprise, which keeps from immediate actions until the first turn ends."""
    opened = fight(more)
    rules, state = opened.ruleset, opened.state
    look = RowStyle(state, rules, styles_of(DARK))
    card = card_lines(rules, state, state[who], False, 78, styles_of(DARK))
    assert ("react" not in worn(look, state[who]).barred) is has_one
    assert any("Immediate" in line.text for line in card) is has_one
