"""Level Up at the table: a fight of four against six with the world's turn, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.conftest import Sample
from tests.tui.hands import Table, takes_so_many_keys

from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.widgets.header_footer import Footer, Header
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.technique_cells import format_cost
from affray.tui.widgets.turn_summary import TurnSummaryPane

PARTY = (
    ("Bran", 18, "hp 44 ac 17 init 1 level 5 pb 3 str 4 con 2 saves str,con skills athletics"
     " maneuver-dc 15 shield 2 attacks 2 exertion 5 attack sword +7 1d8+4 slashing"
     " attack hatchet +7 1d6+4 slashing thrown dual-wielding"),
    ("Odo", 17, "hp 27 ac 13 init 2 level 4 pb 2 int 4 con 1 spell 6"
     " attack staff +3 1d6+1 bludgeoning"),
    ("Mira", 14, "hp 40 ac 14 init 3 level 3 pb 2 dex 3 saves dex,int skills stealth"
     " attack rapier +5 1d8+3 piercing attack bow +5 1d8+3 piercing ranged"),
    ("Wren", 6, "hp 46 ac 15 level 4 pb 2 wis 4 con 2 skills medicine attack mace +4 1d6+2"),
)  # fmt: skip
FOES = (
    "Ghoul x3 hp 40 ac 12 hit-dice 5 dex 2 attack claws +4 2d4+2 slashing",
    "Cultist x2 hp 30 ac 12 init 1 dex 1 attack knife +4 1d4+2 piercing",
    '"Mill Ogre" hp 90 ac 13 str 4 con 3 size large hit-dice 8 maneuver-dc 15'
    " attack club +6 2d8+4 bludgeoning",
)
PLACED = (("mill-ogre", 20), ("ghoul-1", 10), ("ghoul-2", 9), ("ghoul-3", 8))
PLACED += (("cultist-1", 5), ("cultist-2", 4))
ROUNDS = 5
SIZES = [(80, 24), (120, 40)]
Play = Callable[..., Any]
Played = Callable[..., OpenEncounter]

_BRAN, _ODO, _MIRA, _WREN = (f"add pc {name} {numbers}" for name, _, numbers in PARTY)
_GHOULS, _CULTISTS, _OGRE = (f"add monster {numbers}" for numbers in FOES)
MILL = "\n".join(
    (
        *(_OGRE, _BRAN, _ODO, _MIRA, _GHOULS, _WREN, _CULTISTS),
        "environment stormy",
        'clock "The wheel breaks free" 2d6 fast',
        *(f"init {name.lower()} {called}" for name, called, _ in PARTY),
        *(f"init {name} {rolled}" for name, rolled in PLACED),
        "start",
    )
)
"""Mill Ogre (1) is up; Bran (2), Odo (3), Mira (4), the ghouls (5 to 7), Wren (8), the cultists
(9, 10), and the world (11)."""


@pytest.fixture
def mill(played: Played) -> Played:
    """That fight, with more commands given behind its start."""

    def make(more: str = "") -> OpenEncounter:
        encounter = played(f"{MILL}\n{more}", "The Drowned Mill", "level-up")
        encounter.dice = SeededDice(5)
        return encounter

    return make


@pytest.fixture
def play(mill: Played, game_of: Play) -> Play:
    """Opens it on the screen."""
    return lambda more="", size=(80, 24): game_of(mill(more), size)


# -- the whole of it -------------------------------------------------------------------------------


async def gather(table: Table) -> None:
    """Everybody joins, the surroundings and the pool are named, and the fight begins."""
    await table.keys("a")
    for name, _, numbers in PARTY:
        await table.keys(f"pc {name} {numbers}↵")
    for numbers in FOES:
        await table.keys(f"monster {numbers}↵")
    await table.keys("⎋;enstormy↵LThe wheel breaks free⇥2d6 fast↵")
    await table.keys("i" + "".join(f"{called}↵" for _, called, _ in PARTY))
    await table.keys("⎋S")


async def blocked_by_the_shield(table: Table) -> None:
    """Level Up, Critical Hits."""
    had = table.who("bran").track("hp")
    await table.keys(f"s{table.number('bran')}c6↵")
    assert table.who("bran").track("hp") == had - 12
    await table.keys("↵s ")
    bran = table.who("bran")
    assert (bran.track("hp"), bran.track("shield"), bran.track("fatigue")) == (had - 6, 0, 0)


async def massive_damage_survived(table: Table) -> None:
    """Level Up, Massive Damage, Falling Unconscious."""
    await table.keys(f"s{table.number('odo')}c30↵")
    assert (table.who("odo").life, table.who("odo").track("fatigue")) == ("dying", 1)
    await table.keys("↵⇥s ")
    odo = table.who("odo")
    assert (odo.life, odo.track("fatigue"), odo.track("strife")) == ("dying", 2, 1)


async def helped_up(table: Table) -> None:
    await table.keys(f"+{table.number('odo')} 5↵ ")
    assert table.who("odo").life == "up"


async def a_second_fall(table: Table) -> None:
    """Level Up, Falling Unconscious: once in an encounter."""
    await table.keys(f"s{table.number('odo')}h9↵ ")
    assert (table.who("odo").life, table.who("odo").track("fatigue")) == ("dying", 2)


COMES_UP = {
    (1, "mill-ogre"): blocked_by_the_shield,
    (1, "ghoul-1"): massive_damage_survived,
    (1, "wren"): helped_up,
    (2, "cultist-1"): a_second_fall,
}
"""What is more than a blow, by round and by whose turn it is in."""


async def ordinary_turn(table: Table, who: Combatant) -> None:
    """A blow at the first who stands on the other side; the world blows at number 2."""
    if who.side == "world":
        await table.keys("Tf↵2↵r ")
    elif who.life != "up":
        await table.keys(" ")
    elif who.kind == "pc":
        await table.keys(f"s{table.first('foes')}h8↵ ")
    else:
        await table.keys(f"s{table.first('party')}↵ ")


async def test_five_rounds_of_four_against_six_and_the_world_with_keys_alone(
    played: Played, game_of: Play
) -> None:
    """A critical blocked, a massive save, a fall that tires once, a countdown that runs out."""
    encounter = played("", "The Drowned Mill", "level-up")
    encounter.dice = SeededDice(5)
    come_up = []
    async with game_of(encounter, (120, 40)) as game:
        table = Table(game)
        await gather(table)
        state = encounter.state
        assert state.phase == "combat" and len(state.combatants) == 11
        before = table.pressed
        for _ in range(ROUNDS * 11):
            if encounter.state.round > ROUNDS:
                break
            who = encounter.state[encounter.state.turn]
            more = COMES_UP.get((encounter.state.round, who.id))
            if more is not None:
                come_up.append(more)
                await more(table)
            else:
                await ordinary_turn(table, who)
            if encounter.state.turn == who.id:  # a player owes a roll
                await table.keys("r ")
        assert come_up == list(COMES_UP.values())
        assert encounter.state.round == ROUNDS + 1, game.row(PromptWidget)
        turns = sum(slot.turns for slot in encounter.state.slots)
        assert turns >= ROUNDS * 7 and (table.pressed - before) / turns < 6
        assert any(c.life == "dead" for c in encounter.state.combatants)
        assert encounter.state.clocks[0].value == 0
        assert "RUN OUT" in game.row(Header)


# -- what came up at the table ---------------------------------------------------------------------


async def test_whoever_can_block_and_owes_a_save_is_asked_in_one_line(play: Play) -> None:
    async with play() as game:
        await game.type("s2c12↵↵")
        assert "f for a fatigue  s with the shield" in game.row(PromptWidget)
    async with play() as game:
        await game.type("s3c30↵↵⇥")
        assert "Odo took massive damage: saves or dies  s success" in game.row(PromptWidget)


async def test_what_an_attack_at_0_hp_brings_is_said_with_a_capital(play: Play) -> None:
    """Level Up, Damage at 0 Hit Points."""
    async with play("damage odo 27\n") as game:
        await game.type("s3")
        assert "F failure" in f"{game.row(PromptWidget)} {game.row(PromptWidget, 1)}"
        await game.type("Fh5↵")
        assert game.last == "attack odo hit 5 failure"
        assert game.who("odo").track("death_failures") == 1


async def test_nobody_on_their_feet_is_asked_of_what_comes_at_0_hp(play: Play) -> None:
    async with play() as game:
        await game.type("s3Fh5↵")
        assert game.last == "attack odo hit 5"


COUNTED = {
    "a hit": (5, "next", "s5h8↵", "attack ghoul-1 hit 8"),
    "a monster's attack": (3, "", "s2↵", "attack bran roll"),
    "with advantage": (4, "", "s2A↵", "attack bran roll adv"),
    "a spell at somebody": (
        10, "next\nnext", "Cray↵5h9c↵", 'cast "ray" at ghoul-1 hit 9 cold',
    ),
    "a spell at nobody": (7, "next\nnext", "Cveil↵↵", 'cast "veil"'),
    "the world's action": (6, "next\n" * 10, "Tf↵2↵r", 'world "Forceful Gale" bran roll'),
    "press the attack": (1, "next", "r", "press-the-attack"),
    "dodge": (1, "next", "d", "dodge"),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTED)
async def test_what_is_done_often_takes_so_many_keys(play: Play, what: str) -> None:
    await takes_so_many_keys(play, COUNTED[what])


async def test_an_area_is_saves_of_several_and_then_its_damage(play: Play) -> None:
    async with play("next\nnext\n") as game:
        await game.type("*5-7⇥dfsf↵")
        assert game.last == "check ghoul-1,ghoul-2,ghoul-3 dex save failure,success,failure"
        await game.type("12f↵")
        assert game.last == "damage ghoul-1,ghoul-2,ghoul-3 12 fire half ghoul-2"


async def test_in_the_worlds_turn_its_action_stands_first_in_the_footer(play: Play) -> None:
    async with play("next\n" * 10) as game:
        assert game.row(Footer).startswith(" space next  T world action")
        await game.type("Tf↵2↵r")
        assert "world action" not in game.row(Footer)
        shown = [game.row(TurnSummaryPane, y).strip() for y in range(2)]
        assert shown == ["○  World action", "Forceful Gale"]


async def test_an_attack_is_the_first_key_behind_the_next_turn(play: Play) -> None:
    async with play() as game:
        assert "space next  s attack" in game.row(Footer)


async def test_in_80_columns_the_footer_names_conditions_and_panes(play: Play) -> None:
    async with play(size=(80, 24)) as game:
        assert "- damage  + heal  c condition  u undo  tab panes" in game.row(Footer)


async def test_the_attacks_of_an_action_are_told_by_their_price_and_are_nothing_dearer(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    fight = played(
        "add pc Garrow hp 44 ac 18 attacks 2 attack club +7 1d8 bludgeoning\ninit garrow 9\nstart",
        ruleset="level-up",
    )
    rules, who = fight.ruleset, fight.state["garrow"]
    option = next(o for o in rules.actions.options(rules.tables, fight.state, who) if o.after)
    told = [
        format_cost(
            rules.tables.tracks, rules.tables.techniques[option.technique], option, "", short
        )
        for short in (False, True)
    ]
    assert told == ["A, then 1 attack", "A"]
    async with game_of(fight) as game:
        rows = [game.row(TurnSummaryPane, y) for y in range(8)]
        assert not any(row.strip().startswith("next ") for row in rows)


async def test_an_action_that_is_spent_can_be_recharged_by_the_tables_die(play: Play) -> None:
    """Level Up, World Actions."""
    async with play("next\n" * 10 + "world lightning-strike bran success\n") as game:
        await game.type(':recharge "Lightning Strike" natural 5↵')
        assert game.last == 'recharge "Lightning Strike" natural 5'


def _text_of(pane: TurnSummaryPane) -> str:
    return " ".join(pane.render_line(y).text for y in range(pane.size.height))


async def test_attacks_left_are_told_once_the_action_is_begun(play: Play) -> None:
    async with play("next\n") as game:
        pane = game.screen.query_one(TurnSummaryPane)
        assert "Att" not in _text_of(pane).replace("Attack", "")
        await game.type("s5h8↵")
        assert "Att ●○" in _text_of(pane)


async def test_attacks_left_are_seen_in_the_few_rows_of_a_small_window(
    sample: Sample, game_of: Callable[..., Any]
) -> None:
    """The Abbot's action is begun, and its second attack is still to come."""
    fight = sample("salt-stair/encounters/the-bell-in-the-gale.toml")
    async with game_of(fight, (80, 24)) as game:
        assert "Att ●○" in _text_of(game.screen.query_one(TurnSummaryPane))


async def test_a_whole_sheet_has_room_in_the_prompt_that_adds(
    played: Played, game_of: Play
) -> None:
    async with game_of(played("", "The Drowned Mill", "level-up"), (80, 24)) as game:
        await game.type(f"apc {PARTY[0][0]} {PARTY[0][2]}↵")
        assert game.who("bran").track("shield") == 2


# -- pictures --------------------------------------------------------------------------------------

OPENED = {
    "fight": (),
    "attack": ("s", "2"),
    "owed": ("s", "3", "c", "3", "0", "enter", "enter"),
    "world": ("space",) * 10,
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", OPENED)
def test_pictures(snap_compare: Any, mill: Played, size: tuple[int, int], what: str) -> None:
    assert snap_compare(AffrayApp(mill()), terminal_size=size, press=OPENED[what])
