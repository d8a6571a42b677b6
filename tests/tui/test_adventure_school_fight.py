"""Adventure School at the table: a fight of four against six over five rounds, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.conftest import Game
from tests.tui.hands import Table, takes_so_many_keys

from affray.core.dice import SeededDice
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.combatant_card import card_lines
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.tracks import TracksPane

PARTY = (
    ("Pim", 25, "hp 50 ac 15 init 4 health 2 roguery 8 agility 6 seeking 4 tumbling 6 fortune 1d6"
     " attack dirk +6 vs ac 1d4+3 piercing light attack bow +6 vs ac 1d8 piercing ranged"),
    ("Bran", 20, "hp 64 ac 16 init 2 health 4 strength 8 agility 3 seeking 3 stamina 4 attacks 2"
     " attack axe +6 vs ac 1d8+4 slashing attack oar +7 vs ac 1d10 blunt two-handed"
     " ability Wind fast stamina 1 ability Hew stamina 2 +8 vs ac 2d6+4 slashing"),
    ("Ione", 16, "hp 54 ac 14 init 1 performance 7 spirit 5 attack mace +4 vs ac 1d8 blunt"),
    ("Cato", 14, "hp 48 ac 13 init 3 spellcraft 8 spellburn d8 control 15"
     " attack stick +2 vs ac 1d4 blunt ability Kindle spellburn +7 vs ac 2d6 fire ranged"
     " ability Rime spellburn ability Mist minor-spellburn ability Ivy control 9"),
)  # fmt: skip
FOES = (
    "Hound x3 hp 46 ac 14 init 2 health 2 strength 5 agility 4 seeking 3"
    " attack bite +6 vs ac 1d8+2 cold",
    "Hexer x2 hp 44 ac 12 init 1 seeking 2 spellburn d6 attack rod +3 vs ac 1d6 blunt"
    " ability Flare spellburn ability Gloom spellburn",
    "Troll size large hp 90 ac 13 strength 9 agility 1 attack club +5 vs ac 1d8+4 blunt",
)
PLACED = (("hound-1", 12), ("hound-2", 11), ("hound-3", 10), ("hexer-1", 8), ("hexer-2", 7))
ROUNDS = 5
SIZES = [(80, 24), (120, 40)]
Play = Callable[..., Any]
Played = Callable[..., OpenEncounter]

HALL = "\n".join(
    (
        *(f"add pc {name} {numbers}" for name, _, numbers in PARTY),
        *(f"add monster {numbers}" for numbers in FOES),
        'clock "Out of the hall" effort 20 group',
        *(f"init {name.lower()} {called}" for name, called, _ in PARTY),
        *(f"init {name} {rolled}" for name, rolled in (*PLACED, ("troll", 5))),
        "start",
    )
)
"""Pim (1) is up; Bran (2), Ione (3), Cato (4), the hounds (5 to 7), the hexers (8, 9), a troll."""
PIM, IONE, CATO, HOUND, HEXER = "", "next\n" * 2, "next\n" * 3, "next\n" * 4, "next\n" * 7


@pytest.fixture
def hall(played: Played) -> Played:
    """That fight, with more commands given behind its start."""

    def make(more: str = "") -> OpenEncounter:
        encounter = played(f"{HALL}\n{more}", "The Cold Hall", "adventure-school")
        encounter.dice = SeededDice(5)
        return encounter

    return make


@pytest.fixture
def play(hall: Played, game_of: Play) -> Play:
    """Opens it on the screen."""
    return lambda more="", size=(120, 40): game_of(hall(more), size)


# -- the whole of it -------------------------------------------------------------------------------


SPECIAL = {
    (1, "pim"): "s{hound-1}h8↵",
    (1, "bran"): "g{hound-2}s↵;efOut↵6↵",
    (1, "ione"): "HHymn↵s1⇥a{bran},{pim}↵",
    (1, "cato"): "CRim⇥6↵↵c{hound-1}fro↵",
    (2, "pim"): ";fo{pim}4↵h15⇥9↵",
    (2, "ione"): "↵ks{hound-3}h5↵;efOut↵5⇥f↵",
    (2, "cato"): "CKin⇥1⇥{hound-1}h9↵↵ur",
    (2, "hexer-1"): "CFla⇥1↵↵↵p",
    (3, "pim"): ";fo{pim}2↵K{pim}k15↵s{hound-3}h6↵",
    (3, "ione"): "↵ls{hound-3}h5↵",
    (3, "cato"): "CKin⇥1⇥{hound-2}h9↵↵1",
    (3, "hexer-2"): "CFla⇥1↵↵↵h",
    (4, "bran"): "pHew↵{troll}h14↵",
    (5, "bran"): "R",
}
"""What is done in some turns, by keys: `{hound-1}` stands for that creature's number."""


def turn(table: Table) -> str:
    """The keys of a turn: what is special about it, else one plain attack."""
    state = table.game.encounter.state
    special = SPECIAL.get((state.round, state.turn))
    if special is not None:
        return special
    who = state[state.turn]
    if who.kind == "pc":
        return f"s{table.first('foes')}h6↵"
    return f"s{table.first('party')}↵" if who.named("disabled") is None else ""


async def gather(table: Table) -> None:
    """Everybody joins, a race is begun, Pim hides, and the fight begins."""
    await table.keys("a")
    for name, _, numbers in PARTY:
        await table.keys(f"pc {name} {numbers}↵")
    for numbers in FOES:
        await table.keys(f"monster {numbers}↵")
    await table.keys("⎋LOut of the hall⇥effort 20 group↵")
    await table.keys("1h15⇥9↵1i" + "".join(f"{called}↵" for _, called, _ in PARTY))
    await table.keys("⎋S")


async def test_five_rounds_of_four_against_six_with_keys_alone(
    played: Played, game_of: Play
) -> None:
    encounter = played("", "The Cold Hall", "adventure-school")
    encounter.dice = SeededDice(5)
    seen: dict[str, set[str]] = {}
    async with game_of(encounter, (120, 40)) as game:
        table = Table(game)
        await gather(table)
        state = encounter.state
        assert state.phase == "combat" and len(state.combatants) == 10 and state.turn == "pim"
        for _ in range(ROUNDS * 12):
            if encounter.state.round > ROUNDS:
                break
            keys = turn(table)
            frozen = game.who("hound-1").named("frozen") is not None
            await table.keys(keys)
            for who in encounter.state.combatants:
                seen.setdefault(who.id, set()).update(effect.name for effect in who.effects)
            if frozen and "Kin" in keys:
                assert game.who("hound-1").named("frozen") is None
            was_up = encounter.state.turn
            await table.keys(" ")
            if encounter.state.turn == was_up:  # what waits for a player holds the turn
                await table.keys("r ")
        assert encounter.state.round == ROUNDS + 1, game.row(PromptWidget)
        given = [entry.command for entry in encounter.history.entries.values()]
    assert {"ambushed", "frozen", "soaked", "chilled"} <= seen["hound-1"]
    assert "grabbed" in seen["hound-2"] and "grabbing" in seen["bran"]
    backfires = [line.split(maxsplit=2)[2] for line in given if line.startswith("backfire")]
    assert sorted(backfires) == ["exceed heads", 'fry "Kindle"', "happens", "panic-fry"]
    assert 'ability "Hew" troll hit 14' in given and "breather" in given
    assert [line for line in given if line.startswith("maintain")] == [
        'maintain "Hymn" pass by ione',
        'maintain "Hymn" fail by ione',
    ]
    (race,) = encounter.state.clocks
    assert (race.value, race.failures, race.max, race.limit) == (6, 5, 40, 40)
    assert {"burnout"} <= seen["cato"] & seen["hexer-1"] & seen["hexer-2"]


# -- what came up at the table ---------------------------------------------------------------------


BACKFIRED = "cast Kindle rolled 1 at hound-1 hit 9\n"


@pytest.mark.parametrize(
    ("keys", "command", "effects"),
    [
        ("↵1", 'backfire cato fry "Kindle"', {"burnout", "fried"}),
        ("↵p", "backfire cato panic-fry", {"burnout", "fried"}),
        ("↵h", "backfire cato happens", {"burnout"}),
        ("↵u", "backfire cato exceed heads", set()),
        ("↵d", "backfire cato exceed tails", {"catastrophe"}),
    ],
)
async def test_a_backfire_is_answered_with_a_key_and_undone(
    play: Play, keys: str, command: str, effects: set[str]
) -> None:
    """Adventure School, Backfire, Fry, Panic Fry, Exceed Your Limits."""
    async with play(CATO + BACKFIRED) as game:
        before = game.who("cato").effects, game.who("cato").track("hp")
        await game.type(keys)
        assert game.last == command
        assert effects <= {effect.name for effect in game.who("cato").effects}
        assert game.who("hound-1").track("hp") == (37 if "heads" in command else 46)
        await game.type("u")
        assert (game.who("cato").effects, game.who("cato").track("hp")) == before
        await game.type("↵")
        assert "Cato's Kindle backfires" in game.row(PromptWidget)


async def test_undo_across_a_backfire_and_its_choice(play: Play) -> None:
    async with play(CATO) as game:
        await game.type("CKin⇥1⇥5h9↵↵p")
        assert {e.name for e in game.who("cato").effects} >= {"burnout", "fried"}
        await game.type("uu")
        assert game.who("cato").effects == () and game.who("cato").track("action") == 1
        await game.type("CKin⇥6⇥5h9↵")
        assert game.who("hound-1").track("hp") == 37 and game.who("cato").track("spellburn") == 6


async def test_lightning_burns_the_soaked_and_undo_wets_them_again(play: Play) -> None:
    """Adventure School, Electrolysis."""
    async with play("inflict hound-1 soaked\n") as game:
        await game.type("-5 6l↵")
        assert game.who("hound-1").named("soaked") is None
        assert game.who("hound-1").track("hp") == 46 - 6 - 3
        await game.type("u")
        assert game.who("hound-1").named("soaked") is not None
        assert game.who("hound-1").track("hp") == 46


async def test_a_refund_is_taken_back(play: Play) -> None:
    """Adventure School, Dedicate."""
    async with play(f"{IONE}dedicate spirit 2 Ward\n") as game:
        assert game.who("ione").track("spirit") == 3
        await game.type(";lWard↵")
        assert game.last == 'drop "Ward"' and game.who("ione").track("spirit") == 5
        await game.type("u")
        assert game.who("ione").track("spirit") == 3


async def test_a_turn_is_skipped_with_three_keys_and_taken_back(play: Play) -> None:
    """Adventure School, Delay."""
    async with play() as game:
        await game.type(";ska5↵")
        assert game.last == "skip after hound-1" and game.encounter.state.turn == "bran"
        order = [slot.who for slot in game.encounter.state.slots]
        assert order.index("pim") == order.index("hound-1") + 1
        await game.type("u")
        assert game.encounter.state.turn == "pim" == game.encounter.state.slots[0].who


async def test_fortune_is_called_or_rolled_at_the_turns_edge(play: Play) -> None:
    """Adventure School, Fortune Points."""
    async with play() as game:
        assert "Pim rolls 1d6 for fortune" in text_of(game, TimersPane)
        await game.type(";fo1⇥4↵")
        assert game.last == "fortune pim 4" and game.who("pim").track("fortune") == 4
        await game.type("u↵7")
        assert "7 is not on a d6" in game.row(PromptWidget, 1)
        await game.type("3,")
        assert game.line.prompt.digits == "3", "a comma is for the two dice of advantage"
        await game.type("↵")
        assert game.last == "fortune pim 3" and game.who("pim").track("fortune") == 3
        await game.type("u↵r")
        assert game.last == "fortune pim roll" and game.who("pim").track("fortune") > 0


async def test_a_preview_says_which_of_two_dice_counts_and_why(play: Play) -> None:
    async with play("inflict hound-1 prone\n") as game:
        await game.type("s5 4,15")
        await game.type("⇥9")
        told = game.row(PromptWidget, 1) + game.row(PromptWidget, 2)
        assert "21 hit against 14" in told and "advantage: target prone" in told


def test_the_card_tells_how_dice_fall_what_is_exhausted_and_what_a_spell_risks(
    hall: Played,
) -> None:
    fight = hall(
        f"exhaust 1 by bran\n{CATO}set cato control 8\nset cato spellburn d6\ninflict cato prone"
    )
    inks = styles_of(DARK)

    def card(who: str) -> str:
        lines = card_lines(fight.ruleset, fight.state, fight.state[who], True, 60, inks)
        return "\n".join(line.text for line in lines)

    told = card("cato")
    assert "Melee ▼ prone   Melee against it ▲ prone" in told
    assert "Ranged against it ▼ prone" in told
    assert "30/30 ft." not in told, "it stands beside what is spent"
    assert "30/30 ft." in card("bran")
    assert "8/15  Ivy would be chaos" in told and "d6  1 in 6" in told
    assert "Stamina ●●●×" in card("bran")
    fight.do("add pc Vi hp 9 attack pin +6 vs ac 1d4 piercing light threat 2 extra 1d8")
    assert "pin +6 1d4 piercing light threat 2 extra 1d8" in card("vi")
    lines = card_lines(fight.ruleset, fight.state, fight.state["bran"], False, 90, inks)
    assert "Wind fast stamina 1, Hew stamina 2 +8 2d6+4 slashing" in " ".join(
        line.text for line in lines
    )
    fight.do("set cato spellburn 0")
    assert "Spellburn die out" in card("cato")


def text_of(game: Game, kind: type[Any]) -> str:
    """What a pane shows, its rows in one line."""
    pane = game.screen.query(kind).first()
    rows = (pane.render_line(y).text.strip(" │↑↓↕") for y in range(pane.size.height))
    return " ".join(" ".join(rows).split())


COUNTED = {
    "a hit": (5, PIM, "s5h8↵", "attack hound-1 hit 8"),
    "a monster's attack": (3, HOUND, "s2↵", "attack bran roll"),
    "with the bow": (6, PIM, "s5Bh8↵", "attack hound-1 hit 8 with bow"),
    "defend": (1, PIM, "d", "defend"),
    "a grab": (4, "next\n", "g5s↵", "grab hound-1 pass"),
    "a trip that failed": (6, PIM, ";tr5f↵", "trip hound-1 fail"),
    "hiding": (3, PIM, "hs↵", "hide pass"),
    "an ability": (4, "next\n", "pW↵↵", 'ability "Wind"'),
    "a test": (6, PIM, "K1⇥ks↵", "check pim seeking pass"),
    "a save": (5, PIM, "T5hs↵", "save hound-1 health pass"),
    "a song": (8, IONE, "HHymn↵s↵", 'song "Hymn" pass'),
    "set alight": (7, PIM, ";sa5 4↵", "inflict hound-1 burning 4"),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTED)
async def test_what_is_done_often_takes_so_many_keys(play: Play, what: str) -> None:
    await takes_so_many_keys(lambda before: play(before, (80, 24)), COUNTED[what])


async def test_an_area_is_saves_of_several_and_then_its_damage(play: Play) -> None:
    async with play(CATO) as game:
        await game.type("*5-7⇥hfsf↵")
        assert game.last == "save hound-1,hound-2,hound-3 health fail,pass,fail"
        await game.type("12f↵")
        assert game.last == "damage hound-1,hound-2,hound-3 12 fire half hound-2"


LETTERS = {
    "an attack": ("s5h8D↵", "attack hound-1 hit 8 dis"),
    "an attack with advantage": ("s5h8A↵", "attack hound-1 hit 8 adv"),
    "a trip": (";tr5Ds↵", "trip hound-1 pass dis"),
    "a trip, at its end": (";tr5sD↵", "trip hound-1 pass dis"),
    "hiding": ("hDs↵", "hide pass dis"),
    "a test": ("K2Dks↵", "check bran seeking pass dis"),
    "a save": ("T5hDRs↵", "save hound-1 health pass dis reflex"),
}


@pytest.mark.parametrize("what", LETTERS)
async def test_a_capital_d_is_disadvantage_whatever_is_asked(play: Play, what: str) -> None:
    keys, command = LETTERS[what]
    async with play("next\n") as game:
        await game.type(keys)
        assert game.last == command, game.row(PromptWidget)


async def test_a_song_asks_what_it_gives_and_to_whom_its_performer_too(play: Play) -> None:
    """Adventure School, Bardic Magic."""
    async with play(IONE) as game:
        await game.type("HHymn↵s1⇥aP↵")
        assert game.last == 'song "Hymn" pass 1 attack to pim,bran,ione,cato'
        assert "Hymn +1 attack" in text_of(game, TimersPane)
        assert "modifier" not in text_of(game, TimersPane)


HELD = {
    "an attack": ("@⇥{bran}h5↵", "trigger attack bran hit 5 by hound-1"),
    "a grab": ("@grab⇥{pim}s↵", "trigger grab pim pass by hound-1"),
    "a dash": ("@dash↵", "trigger dash by hound-1"),
}


@pytest.mark.parametrize("what", HELD)
async def test_what_was_held_is_said_by_keys_when_its_trigger_comes(play: Play, what: str) -> None:
    """Adventure School, Hold."""
    keys, command = HELD[what]
    async with play(f"{HOUND}ready\nnext\n") as game:
        numbers = {c.id: n for n, c in game.encounter.state.by_number().items()}
        await game.type(keys.format(**numbers))
        assert game.last == command, game.row(PromptWidget) + game.row(PromptWidget, 1)


async def test_a_held_action_offers_only_what_takes_the_action(play: Play) -> None:
    async with play("ready\nnext\n") as game:
        await game.type("@")
        assert "Stunt  Reload" in game.row(PromptWidget)


async def test_a_dash_is_one_key_and_asks_for_a_save_of_the_blinded(play: Play) -> None:
    """Adventure School, Dash, Blind."""
    async with play() as game:
        await game.type("q")
        assert game.last == "dash"
        await game.type("u:inflict pim blinded↵qf↵")
        assert game.last == "dash fail"


async def test_a_key_kills_only_who_is_defeated(play: Play) -> None:
    """Adventure School, Death. A slip of the fingers leaves those alone who are up."""
    async with play("damage hound-1 46\n") as game:
        await game.type("DP↵")
        assert game.who("bran").life == "up" == game.who("pim").life
        await game.type("5↵")
        assert game.last == "kill hound-1" and game.who("hound-1").life == "dead"


async def test_whom_to_revive_is_whoever_is_defeated_or_dead(play: Play) -> None:
    """Adventure School, Defeat, Death."""
    async with play("damage hound-1 46\n") as game:
        await game.type("=9↵")
        assert game.last == "revive hound-1 9" and game.who("hound-1").life == "up"
        await game.type("u:kill hound-1↵=9↵")
        assert game.last == "revive hound-1 9 dead" and game.who("hound-1").life == "up"
        await game.type("=")
        assert "nobody is defeated" in game.row(PromptWidget)


async def test_weapons_to_wield_are_offered_and_completed(play: Play) -> None:
    async with play() as game:
        await game.type("U")
        assert "dirk  bow" in game.row(PromptWidget)
        await game.type("b⇥↵")
        assert game.last == "wield bow"


async def test_a_weapon_in_each_hand_is_picked_with_a_comma_between(play: Play) -> None:
    """Adventure School, Dual Wielding. Backspace takes the comma back."""
    async with play() as game:
        await game.type("Ud,b<backspace><backspace>")
        assert game.line.prompt.line == "wield dirk"
        await game.type(",b↵")
        assert game.last == "wield dirk,bow"


async def test_each_of_several_targets_may_have_two_dice(play: Play) -> None:
    """`n` again begins the dice of the next."""
    async with play("next\n") as game:
        await game.type("s5,6n3,12n4,13")
        assert game.line.prompt.line.endswith("natural 3,12 natural 4,13")


async def test_what_the_others_of_a_contest_came_to_is_picked_behind_vs(play: Play) -> None:
    async with play() as game:
        await game.type("hn15⇥⇥vs⇥to⇥9")
        assert game.line.prompt.line == "hide natural 15 vs total 9"


async def test_a_letter_behind_a_number_of_the_list_leaves_it_as_it_is(play: Play) -> None:
    """The weapon is given twice then, so that nothing more may come next."""
    async with play() as game:
        await game.type("s5n15⇥⇥with⇥bow⇥+B")
        assert game.line.is_open and "with bow" in game.line.prompt.line


async def test_a_race_of_effort_is_begun_by_words_that_are_picked(play: Play) -> None:
    async with play() as game:
        await game.type("LThe gate⇥ef⇥12⇥di↵")
        assert game.last == 'clock "The gate" effort 12 difficult'


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_the_spellburn_dice_are_asked_for_whole(play: Play, size: tuple[int, int]) -> None:
    async with play(CATO, size=size) as game:
        await game.type("CKin⇥")
        asked = game.row(PromptWidget)
        assert "spellburn dice (if any)" in asked
        assert "as rolled · r rolls" in asked


async def test_what_a_grab_brings_along_is_told_with_it(play: Play) -> None:
    """Adventure School, Grab. What hangs on the grab takes no timer and no row of its own."""
    async with play("next\ngrab hound-1 pass\n") as game:
        assert {"immobilized", "off-guard"} <= {e.name for e in game.who("hound-1").effects}
        told = text_of(game, TimersPane)
        assert "grabbed" in told and "immobilized" not in told
        await game.type("5")
        rules, state, inks = game.encounter.ruleset, game.encounter.state, styles_of(DARK)
        lines = card_lines(rules, state, game.who("hound-1"), False, 60, inks)
        card = " ".join(line.text for line in lines)
        assert "grabbed by Bran (immobilized, off-guard)" in card and "until removed" not in card


# -- pictures --------------------------------------------------------------------------------------

OPENED = {
    "fight": (),
    "attack": ("s", "5", "4", "comma", "1", "5"),
    "backfire": (),
    "elements": (),
}
LED_TO = {
    "fight": "",
    "attack": "inflict hound-1 prone\n",
    "backfire": CATO + BACKFIRED,
    "elements": "inflict hound-1 frozen\ninflict hound-2 soaked,chilled\ninflict troll burning 4\n"
    'effort "Out of the hall" 17\neffort "Out of the hall" 6 fail\n',
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("what", OPENED)
def test_pictures(snap_compare: Any, hall: Played, size: tuple[int, int], what: str) -> None:
    encounter = hall(LED_TO[what])
    assert snap_compare(AffrayApp(encounter), terminal_size=size, press=OPENED[what])


async def test_a_column_of_one_dot_has_its_heading(
    played: Callable[..., OpenEncounter], game_of: Callable[..., Any]
) -> None:
    fight = played("add pc Cato hp 28 ac 13 spellburn d10 control 15", ruleset="adventure-school")
    async with game_of(fight, (120, 40)) as game:
        pane = game.screen.query_one(TracksPane)
        assert [label for _, label in pane.labels] == ["Stamina", "Spellburn die"]
        assert game.row(TracksPane).split() == ["●", "d10"]
