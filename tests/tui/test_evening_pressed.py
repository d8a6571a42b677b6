"""What two evenings by keys, pressed in a terminal, have found: of 5e with a wizard, a cleric, a
fighter and a rogue against a dragon and goblins, and of Monsters & Magic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual import events

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget

Play = Callable[..., Any]

FIGHT = """
add pc Wren hp 28 ac 12 level 5 pb 3 dex 2 con 2 int 4 spell 7 spell-dc 15 slots 4,3,2 \
hit-dice 5d6 attack staff +2 1d6-1 spells "Fire Bolt",Fireball,Shield,Counterspell,"Misty Step"
add pc Cael hp 38 ac 18 pb 3 wis 4 con 2 spell 7 spell-dc 15 slots 4,3,2 hit-dice 5d8 \
attack mace +5 1d6+2 spells "Sacred Flame",Bless,"Spiritual Weapon","Healing Word"
add pc Bram hp 49 ac 18 pb 3 str 4 con 3 attacks 2 hit-dice 5d10 \
attack longsword +7 1d8+4 slashing sap attack javelin +7 1d6+4 piercing thrown ranged
add pc Sly hp 33 ac 15 pb 3 dex 4 attack shortsword +7 1d6+4 piercing finesse light vex
add monster Ogre x3 hp 60 ac 11 pb 2 str 4 attack club +6 2d8+4 attack javelin +6 2d6+4 ranged
init wren 20
init cael 18
init bram 16
init sly 14
init ogre-1 10
init ogre-2 8
init ogre-3 6
start
"""
CAEL_UP, BRAM_UP = "next\n", "next\nnext\n"


@pytest.fixture
def play(played: Play, game_of: Play) -> Play:
    """Opens the fight: Wren (1), who is up, Cael (2), Bram (3), Sly (4), three ogres (5 to 7)."""

    def open_(more: str = "", size: tuple[int, int] = (120, 40)) -> Any:
        encounter = played(f"{FIGHT}{more}", ruleset="5e")
        encounter.dice = SeededDice(11)
        return game_of(encounter, size)

    return open_


def below(game: Any) -> str:
    """What stands below the prompt, and goes on in place of the keys."""
    return f"{game.row(PromptWidget, 1).strip()} {game.row(Footer).strip()}"


# -- spells ----------------------------------------------------------------------------------------


async def test_of_a_save_that_keeps_all_damage_off_nobody_rolls_it(play: Play) -> None:
    """SRD 5.2.1, Saving Throws: a success here lets nothing through."""
    async with play(CAEL_UP) as game:
        await game.type("Csa↵5s↵")
        assert game.last == 'cast "Sacred Flame" at ogre-1 success' and not game.line.is_open
        assert game.who("ogre-1").track("hp") == 60
        await game.type("uCsa↵5,6fs↵")
        assert game.line.is_open and "d8, or r to roll it" in below(game)


async def test_a_spell_of_the_srd_without_dice_asks_for_no_damage(play: Play) -> None:
    """SRD 5.2.1, Spells: all that such a spell does by numbers is in its row."""
    async with play() as game:
        await game.type("Cco↵5")
        assert "damage" not in game.row(PromptWidget)
        await game.type("f↵")
        assert game.last == 'cast "Counterspell" at ogre-1 failure' and not game.line.is_open


async def test_arrows_go_through_the_spells_and_a_digit_is_none(play: Play) -> None:
    async with play() as game:
        await game.type("C<down><down>")
        assert "› Fireball▏" in game.row(PromptWidget)
        await game.type("<up>↵")
        assert "Fire Bolt › " in game.row(PromptWidget)
        await game.type("⎋C5")
        assert "no spell of theirs begins with 5" in below(game)
        await game.type("fireb↵5-7")
        assert game.line.prompt.line.startswith('cast "Fireball" at ogre-1,ogre-2,ogre-3')


async def test_pasted_letters_take_the_place_of_a_spell_that_arrows_went_to(play: Play) -> None:
    async with play() as game:
        await game.type("C<down><down>")
        game.pilot.app.post_message(events.Paste("Count"))
        await game.pilot.pause()
        assert "Count▏" in game.row(PromptWidget)
        await game.type("↵")
        assert "Counterspell › " in game.row(PromptWidget)


async def test_who_has_no_spells_is_asked_for_a_name(play: Play) -> None:
    async with play(BRAM_UP) as game:
        await game.type("C↵")
        assert "spell: its name" in below(game)


# -- numbers ---------------------------------------------------------------------------------------


async def test_a_range_leaves_out_the_dead(play: Play) -> None:
    async with play("damage ogre-2 99\n") as game:
        await game.type("-5-7")
        assert "Ogre 1, Ogre 3▏" in game.row(PromptWidget)
        await game.type("⎋-6")
        assert "Ogre 2▏" in game.row(PromptWidget), "named alone they may be dead"


async def test_healing_of_nothing_says_so(play: Play) -> None:
    """A number that names somebody leaves no amount: `1` and `0` are Wren, by none."""
    async with play("damage wren 9\n") as game:
        await game.type("+10↵")
        assert game.said.startswith("Wren is healed, by 0 HP")


async def test_the_hit_dice_that_a_player_has_rolled_have_a_place(play: Play) -> None:
    """SRD 5.2.1, Short Rest: each die and Constitution."""
    async with play("damage bram 30\nend\nrest short\n") as game:
        await game.type("R32↵")
        assert "r rolls" in game.row(PromptWidget)
        await game.type("14↵")
        assert game.last == "hit-dice bram 2 14" and not game.line.is_open
        assert game.who("bram").track("hp") == 49 - 30 + 14 + 2 * 3
        await game.type("R31r↵")
        assert game.last == "hit-dice bram 1" and "Bram spends a Hit Die" in game.said


# -- who is held, who is there ---------------------------------------------------------------------


async def test_nobody_is_grappled_twice_by_the_same(play: Play) -> None:
    """SRD 5.2.1, Unarmed Strike (Grapple), Conditions: they don't stack."""
    async with play(BRAM_UP) as game:
        await game.type("g5f")
        await game.type("g5f")
        assert "Bram holds Ogre 1 already" in below(game)
        assert len(game.who("ogre-1").all_named("grappled")) == 1


def test_in_level_up_neither(played: Play) -> None:
    """Level Up, Grapple."""
    encounter = played(
        "add pc Oda hp 30 ac 14 pb 2\nadd monster Ogre hp 40 ac 12\ninit oda 20\ninit ogre 9\n"
        "start\ngrapple ogre success\nnext\nnext\n",
        ruleset="level-up",
    )
    with pytest.raises(Refused, match="Ogre is grappled already, by Oda"):
        encounter.do("grapple ogre success")


@pytest.mark.parametrize("key", ["s", "-", "i", "X", "A", "C"])
async def test_in_a_fight_of_nobody_a_key_says_so(played: Play, game_of: Play, key: str) -> None:
    async with game_of(played('note "dusk"\n', ruleset="5e")) as game:
        await game.type(key)
        assert "nobody is in the fight yet" in game.row(PromptWidget)


# -- what a message says ---------------------------------------------------------------------------


async def test_a_message_names_the_keys_of_the_commands_in_it(played: Play, game_of: Play) -> None:
    async with game_of(played('note "dusk"\n', ruleset="5e")) as game:
        await game.type("S")
        assert "`add` (a) somebody first" in game.row(PromptWidget)


async def test_a_typed_command_is_answered_as_it_was_typed(played: Play, game_of: Play) -> None:
    async with game_of(played('note "dusk"\n', ruleset="5e")) as game:
        await game.type(":start↵")
        assert "`add` somebody first" in below(game)


async def test_a_prompt_says_what_is_wrong_without_the_usage_of_a_typed_line(play: Play) -> None:
    async with play("damage bram 30\nend\nrest short\n") as game:
        await game.type("R341")
        assert "a number must be from 1 to 40" in below(game) and "usage" not in below(game)
        await game.type("↵")
        assert "a number must be from 1 to 40" in below(game) and "usage" not in below(game)


async def test_the_footer_offers_no_key_that_is_not_heard(play: Play) -> None:
    """`S` begins the fight as long as nothing is said of an initiative."""
    async with play("end\n") as game:
        await game.type("i")
        assert "S start the fight" in game.row(Footer)
        await game.type("1")
        assert "S start the fight" not in game.row(Footer)


async def test_what_more_there_is_stands_there_once(play: Play) -> None:
    async with play(BRAM_UP) as game:
        await game.type("b5↵⇥")
        assert game.row(PromptWidget).split()[-2:] == ["prone", "push"]
        assert game.row(PromptWidget).count("prone") == 1


# -- what is amended, and who has left -------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "amends", "last"),
    [
        ("1Csh↵↵", "[<ctrl+e>", "Wren's Cast a Spell again › Shield"),
        ("c5po↵", "[<ctrl+e>", "Condition again › Ogre 1 › poisoned"),
    ],
)
async def test_an_entry_without_a_roll_is_asked_again_by_its_prompt_too(
    play: Play, keys: str, amends: str, last: str
) -> None:
    async with play("next\n" * 4) as game:
        await game.type(keys)
        await game.type(amends)
        assert last in game.row(PromptWidget)


async def test_the_condition_was_on_somebody_else(play: Play) -> None:
    async with play() as game:
        await game.type("c5po↵")
        await game.type("c6bl↵")
        await game.type("<ctrl+u>/pois<ctrl+e>")
        await game.type("<left>7↵")
        await game.type("↵")
        assert game.who("ogre-1").named("poisoned") is None
        assert game.who("ogre-3").named("poisoned") is not None


async def test_whoever_leaves_owes_no_save_in_a_later_fight(play: Play) -> None:
    """SRD 5.2.1, Saving Throws: what nobody rolled ends with their part in the fight."""
    async with play() as game:
        await game.type("Cfireb↵4,5↵28↵")
        assert game.who("sly").named("threatened") is not None
        await game.type("X4↵")
        assert game.encounter.state.find_ever("sly").named("threatened") is None


# -- what can be pressed is said where it is looked for --------------------------------------------


async def test_the_letters_of_attacks_stand_there_before_an_enter_attacks(play: Play) -> None:
    async with play("next\n" * 4) as game:
        await game.type("s")
        assert "behind the target: l club, j javelin" in game.row(PromptWidget, 1)
        await game.type("2j↵")
        assert game.last == "attack cael roll with javelin"


async def test_with_one_attack_there_are_none(play: Play) -> None:
    async with play(CAEL_UP) as game:
        await game.type("s")
        assert "behind the target" not in below(game)


async def test_tab_says_that_it_leads_to_advantage_where_no_letter_does(play: Play) -> None:
    async with play(BRAM_UP) as game:
        await game.type("h")
        assert "tab more, such as advantage" in game.row(Footer)
        await game.type("n12⇥adv4↵")
        assert game.last.startswith("hide natural 12")
        await game.type("⎋us5")
        assert "such as advantage" not in game.row(Footer), "A says it there"
