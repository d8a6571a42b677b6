"""What an evening of Monsters & Magic by keys has found: what is kept up, lines in their order, an
old entry that is amended, and rows that say what decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.effects import independent_effects
from affray.tui.lookup.undo_list import AmendPreview
from affray.tui.widgets.header_footer import Footer, Header, progress
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.turn_order_columns import effect_badges

FIGHT = """
add pc Ysolde hp 30 ac 1 power 0 cunning 1 focus 2 luck 1 pb 2 spell 3 attack dagger 1d4 piercing
add pc Rook hp 20 ac 2 power 0 cunning 3 focus 2 luck 2 pb 2 attack dagger 1d4 bond Ysolde 2
add monster "Drowned Knight" cr 3 hp 34 ac 5 attack sword 1d8 powers "Bell Toll" ap 1 thread
add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claw 1d6+2 slashing
init ysolde 17
init rook 14
init drowned-knight 12
init ghoul-1 10
init ghoul-2 9
start
"""
SMALL = (80, 24)
Play = Callable[..., Any]


def rows(game: Any) -> str:
    """The two rows of the prompt, and the one of the keys, which a long line goes on in."""
    pieces = (game.row(PromptWidget), game.row(PromptWidget, 1), game.row(Footer))
    return " ".join(" ".join(pieces).split())


# -- what is kept up, and what was undone ----------------------------------------------------------


async def test_the_only_spell_that_is_concentrated_on_needs_no_typing(opened: Play) -> None:
    """Monsters & Magic, Concentrate on a Spell, every turn anew: `O` and an enter."""
    async with opened(FIGHT) as game:
        await game.type("Ohail storm↵")
        await game.type("     ")
        assert game.encounter.state.turn == "ysolde"
        await game.type("O")
        assert "concentrating (hail storm) until" in game.row(PromptWidget, 1)
        await game.type("↵")
        assert game.last == 'concentrate "hail storm"' and not game.line.is_open


async def test_of_two_spells_the_one_that_is_not_kept_up_yet_is_proposed_and_neither_before(
    opened: Play,
) -> None:
    """Again in the same turn only for another spell."""
    async with opened(FIGHT) as game:
        for keys in ("Ohail↵", "Ofog↵", "     ", "O↵"):
            await game.type(keys)
        assert game.line.is_open and "spell" in game.row(PromptWidget, 1)
        await game.type("fog↵")
        await game.type("O↵")
        assert game.last == 'concentrate "hail"' and not game.line.is_open


async def test_a_name_that_an_undone_act_made_is_offered_no_more_until_it_is_redone(
    opened: Play,
) -> None:
    async with opened(FIGHT) as game:
        for keys in ("Cfire bolt↵↵", "Og1n6↵", "u", "O"):
            await game.type(keys)
        assert "g1n6" not in rows(game) and "fire bolt" in rows(game)
        await game.type("⎋uC")
        assert "fire bolt" not in rows(game)
        await game.type("⎋<ctrl+r><ctrl+r>O")
        assert "g1n6" in rows(game)


# -- lines: the outcome, HP, the rest, what is only kept account of --------------------------------


@pytest.mark.parametrize(
    ("keys", "told"),
    [("s416", "→ 18 strong"), ("s412", "→ 14 weak"), ("s42", "→ 4 miss"), ("s416⇥", "→ 18 strong")],
)
async def test_how_it_comes_out_is_said_as_soon_as_the_die_is_typed(
    opened: Play, keys: str, told: str
) -> None:
    async with opened(FIGHT, SMALL) as game:
        await game.type(keys)
        assert game.row(PromptWidget, 1).strip().startswith(told)


async def test_a_critical_says_first_what_is_left_of_the_target_and_its_threads_last(
    opened: Play,
) -> None:
    """Monsters & Magic, Threads of Fate: a critical gives the GM one."""
    async with opened(FIGHT, SMALL) as game:
        await game.type("s420⇥6")
        seen = game.row(PromptWidget, 1)
        assert seen.strip().startswith("→ 22 crit · Ghoul 1 −10 HP, 8 left (6 piercing, doubled 12")
        await game.type("↵")
        assert "Ghoul 1 −10 HP, 8 left" in game.row(PromptWidget)
        assert game.said.index("8 left") < game.said.index("GM +1 Thread") < game.said.index("[20]")


async def test_a_power_that_takes_a_thread_of_the_gms_says_how_many_are_left(opened: Play) -> None:
    """Monsters & Magic, Threads of Fate: the GM's, a monster's ability that asks for one."""
    async with opened(f"{FIGHT}strike ghoul-1 crit 2\nnext\nnext\n", SMALL) as game:
        await game.type("p↵")
        await game.type("↵")  # whom it is at may be left out
        assert game.last.startswith("power") and "GM −1 Thread, 0 left" in game.said


async def test_what_runs_over_is_told_as_what_it_became(opened: Play) -> None:
    """Monsters & Magic, Fatigue & Exhaustion: a full track turns into 1 exhaustion."""
    async with opened(f"{FIGHT}mark ysolde fatigue 5\n") as game:
        await game.type("t4w↵")
        assert "Ysolde +1 Exhaustion, now 1 of 5 (Fatigue was full, now 0 of 5" in game.said


async def test_the_pane_says_what_the_next_of_a_kind_costs_and_the_one_after(opened: Play) -> None:
    """Monsters & Magic, Action Points: a further Strike or Move costs 1 AP more."""
    async with opened(FIGHT, SMALL) as game:
        await game.type("s4m")
        pane = game.screen.query_one("#spend")
        told = [str(pane.render_line(y).text) for y in range(pane.size.height)]
        assert any("Move 1, again 2" in row for row in told)
        assert any("Strike 2, again 3" in row for row in told)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("A2↵", "Ysolde helps Rook, Rook's bond with Ysolde 2"),
        ("v2↵", "Ysolde aids Rook, Ysolde's bond with Rook 0"),
    ],
)
async def test_a_bond_is_said_with_whose_it_is(opened: Play, keys: str, told: str) -> None:
    """Monsters & Magic, Help goes by their bond with the helper, Aid by the helper's own."""
    async with opened(FIGHT) as game:
        await game.type(keys)
        assert game.said.startswith(told)


# -- who still takes turns, and what decides in a row ----------------------------------------------


async def test_the_header_counts_those_who_still_take_turns(opened: Play) -> None:
    async with opened(f"{FIGHT}damage ghoul-1,ghoul-2 99\nnext\n") as game:
        assert "Round 1 · 2 of 3" in game.row(Header)
        game.encounter.do("damage drowned-knight 99")
        assert progress(game.encounter.state) == "Round 1 · 2 of 2"


async def test_a_dying_row_says_first_that_they_are_unconscious_and_prone(opened: Play) -> None:
    """At 80x24, where it has room for one word, of three that last."""
    inflicted = "inflict rook frightened from ghoul-1\ninflict rook slowed\n"
    async with opened(f"{FIGHT}{inflicted}damage rook 99\n", SMALL) as game:
        rook = game.who("rook")
        assert [each.name for each in independent_effects(rook)][:2] == ["frightened", "slowed"]
        tables = game.encounter.ruleset.tables
        names = [each.brief for each in effect_badges(tables, rook)]
        assert names[1:3] == ["unconscious", "prone"], "behind the saves of the dying"


# -- an old entry ----------------------------------------------------------------------------------


async def test_an_entry_that_is_looked_at_is_amended_by_the_key_of_the_last_roll(
    opened: Play,
) -> None:
    """`N` and its number show it, as it was; the same key as ever asks it again."""
    more = "strike ghoul-1 strong 8\n" + "next\n" * 10
    async with opened(f"{FIGHT}{more}", SMALL) as game:
        struck = 11
        await game.type(f"N{struck}↵")
        assert game.screen.view_at == struck
        assert "ctrl+e amends it" in game.said and "amend it" in game.row(Footer)
        await game.type("<ctrl+e>")
        assert game.screen.view_at is None
        assert "Strike again" in game.row(PromptWidget)
        await game.type("c↵")
        assert isinstance(game.sheet.contents, AmendPreview)
        await game.type("↵")
        assert game.who("ghoul-1").life == "up" and game.who("ghoul-1").track("hp") == 18 - 14


async def test_what_the_fight_has_not_gone_through_is_looked_at_and_not_amended(
    opened: Play,
) -> None:
    async with opened(f"{FIGHT}damage rook 3\nundo\n") as game:
        for keys in ("N11↵", "N0↵"):
            await game.type(f"{keys}<ctrl+e>")
            assert (
                not game.line.is_open and "you can amend only entries that led to now" in game.said
            )
            await game.type("⎋")


async def test_feeling_lucky_asks_for_the_players_damage_die_and_so_does_its_amendment(
    opened: Play,
) -> None:
    """No die of a player's is rolled unasked. Monsters & Magic, Threads of Fate."""
    async with opened(f"{FIGHT}strike ghoul-1 natural 2\n") as game:
        await game.type("Tf15↵")
        assert "damage dice" in game.row(PromptWidget)
        await game.type("4↵")
        assert game.last == "thread ysolde feeling-lucky natural 15 rolled 4"
        await game.type("<ctrl+e>⇥3↵")
        assert game.last == "thread ysolde feeling-lucky natural 15 rolled 3"


# -- what is kept up in other games ----------------------------------------------------------------


async def test_the_only_zone_that_is_kept_up_is_maintained_and_let_end_by_an_enter(
    stair: Play, game_of: Play
) -> None:
    """Orcus, Orcus, Sustaining and ending what one keeps up."""
    async with game_of(stair("zone Web maintain swift\n" + "next\n" * 5)) as game:
        await game.type("M↵")
        assert game.last == 'maintain "Web"'
        await game.type("".join(game.screen.keymap.by_id["prompt.drop"].pressed))
        await game.type("↵")
        assert game.last == 'drop "Web"' and not game.line.is_open


async def test_of_two_zones_none_is_proposed_and_both_are_offered(
    stair: Play, game_of: Play
) -> None:
    two = "zone Web maintain swift\nzone Fog maintain move\n" + "next\n" * 5
    async with game_of(stair(two)) as game:
        await game.type("M")
        assert "Web" in rows(game) and "Fog" in rows(game)
        await game.type("↵")
        assert game.line.is_open
        await game.type("fo↵")
        assert game.last == 'maintain "Fog"'


# -- what a key says is so -------------------------------------------------------------------------


async def test_tab_behind_the_last_says_what_an_enter_asks_for_yet(opened: Play) -> None:
    """The damage die is the player's: an enter does nothing before it is said."""
    async with opened(FIGHT) as game:
        await game.type("sn19⇥⇥⇥")
        assert "d4, or r to roll it" in rows(game) and "enter does it" not in rows(game)
        await game.type("↵")
        assert game.line.is_open and "d4, or r to roll it" in rows(game)
        await game.type("⎋v2⇥89⇥⇥")
        assert "the bond must be from -20 to 20" in rows(game) and "enter does it" not in rows(game)


@pytest.mark.parametrize("word", ["lucky", "feeling lucky", "bend luck", "bonds of fate"])
async def test_the_key_of_a_thread_is_found_by_what_it_does(opened: Play, word: str) -> None:
    async with opened(FIGHT) as game:
        await game.type(f"?{word}")
        assert game.sheet.row.pressed == "T"


# -- the GM's thread -------------------------------------------------------------------------------

THREADS = f"{FIGHT}thread ysolde lucky-find\nstrike ghoul-1 natural 3\n"


@pytest.mark.parametrize(
    ("keys", "last"),
    [
        ("Gr4o↵", "gm-thread reroll natural 4 keep old"),
        ("Gr4n↵", "gm-thread reroll natural 4 keep new"),
        ("Gr4↵", "gm-thread reroll natural 4"),
        ("Gcthe weir breaks↵", 'gm-thread change-scene "the weir breaks"'),
        ("Gc↵", "gm-thread change-scene"),
        ("Gmtoll↵", 'gm-thread monster-power "toll"'),
    ],
)
async def test_the_gms_thread_asks_once_which_result_stands_and_then_what_happens(
    opened: Play, keys: str, last: str
) -> None:
    """Monsters & Magic, Threads of Fate. What `keep` asks is asked by it alone, not by a reroll's
    `keep old`."""
    async with opened(THREADS) as game:
        await game.type(keys)
        assert game.last == last and not game.line.is_open
