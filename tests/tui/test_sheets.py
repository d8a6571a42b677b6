"""What is looked up beside the fight: rules, creatures, keys and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import AMBUSH, play
from tests.tui.test_kept_rows import stale
from textual import events
from textual.geometry import Offset, Region

from affray.core.engine.decide import commands_of
from affray.core.engine.state import Encounter
from affray.core.parser.search import search, search_key
from affray.core.rules.reference import CreatureEntry, rule_texts
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.lookup.reference import ALSO, ReferenceList, fight_help
from affray.tui.screens.fight_layout import place_of_sheet
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.lookup import LookupPane
from affray.tui.widgets.turn_order import TurnOrderList

Play = Callable[..., Any]
SIZES = [(80, 24), (120, 40), (200, 60)]
BESTIARY = """
[bog-harrow]
name = "Bog Harrow"
cr = 3
hp = 31
ac = 2
resist = ["cold"]
attack = ["talons 1d8+2 slashing", "spit 1d6 acid ranged"]
text = "Sells eels, and asks after your children."

[broken]
name = "Broken Thing"
cr = 1

[scribe]
name = "Scribe"
hp = 5
text = "{}the last word"
""".format("So it goes on, and on. " * 40)
PARTY = '[wanda]\nname = "Wanda"\nhp = 22\nac = 3\npower = 2\nattack = "flail 1d8 bludgeoning"\n'


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[OpenEncounter]:
    """The ambush, in a campaign with a party and a bestiary that are not here."""
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    (folder / "bestiary.toml").write_text(BESTIARY, "utf-8")
    (folder / "party.toml").write_text(PARTY, "utf-8")
    with play(folder / "encounters" / "ford.toml", AMBUSH) as opened:
        yield opened


def seen(game: Any) -> str:
    """All that the sheet shows, with single blanks."""
    pane = game.screen.sheet_pane
    rows = (pane.render_line(y).text for y in range(pane.size.height))
    return " ".join(" ".join(rows).split())


def told(game: Any) -> str:
    """All that is said of the chosen row."""
    lines = game.sheet.contents.render_detail(game.sheet.row, 300, game.pilot.app.inks)
    return "\n".join(line.text for line in lines)


# -- rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_a_rule_is_found_by_a_word_of_its_text(
    fight: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        await game.type("/crawls")
        assert game.sheet.row.name == "prone"
        assert "On the ground" in seen(game)
        await game.type("⎋⎋")
        assert not game.screen.sheet_pane.is_open


async def test_the_list_narrows_while_it_is_typed_and_widens_again(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("/")
        everything = len(game.sheet.rows)
        await game.type("res")
        some = len(game.sheet.rows)
        await game.type("trained")
        assert 0 < len(game.sheet.rows) < some < everything
        assert game.sheet.row.name == "restrained"
        await game.type("<backspace>" * 7)
        assert len(game.sheet.rows) == some
        await game.type("<ctrl+w>")
        assert len(game.sheet.rows) == everything
        await game.type("xqz")
        assert game.sheet.rows == [] and "nothing found" in seen(game)


@pytest.mark.parametrize(
    ("typed", "name", "words"),
    [
        ("cover", "Cover", "−2 on attacks against it, and +2 AC"),
        ("advantage", "Advantage and disadvantage", "the higher counts with advantage"),
        ("disadv", "Advantage and disadvantage", "the lower with disadvantage"),
        ("surprise", "Initiative and rounds", "no surprise and no delayed turns"),
        ("initiative", "Initiative and rounds", "A cunning roll, the highest first"),
        ("delay", "delay", ": delay [COUNT] [by NAME]"),
        ("undo", "undo", "undoes the last command"),
        ("load", "Load", "half speed, −1 on all rolls"),
    ],
)
async def test_a_rule_that_nothing_plays_is_found_first(
    fight: OpenEncounter, game_of: Play, typed: str, name: str, words: str
) -> None:
    """Monsters & Magic, Cover, Advantage & Disadvantage, Order, Weight & Carrying Capacity."""
    async with game_of(fight) as game:
        await game.type(f"/{typed}")
        assert game.sheet.row.name == name
        assert words in told(game)


@pytest.mark.parametrize("game", ["monsters-and-magic", "orcus"])
def test_every_command_is_among_the_rules_once(game: str) -> None:
    ruleset = load_ruleset(game)
    rows = [row for row in rule_texts(ruleset) if row.sort == "command"]
    names = [row.name for row in rows]
    assert {"delay", "next", "undo", "note"} <= set(names)
    assert len(names) == len(set(names))
    assert not {"strike", "damage"} & set(names), "a technique or a prompt tells of them"


async def test_a_technique_tells_what_it_costs(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/grapple")
        assert "costs 2 AP, marks 1 Fat" in told(game)


async def test_what_was_typed_is_there_again_until_something_else_is(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("/prone⎋⎋/")
        assert game.sheet.query == "prone" and game.sheet.row.name == "prone"
        await game.type("d")
        assert game.sheet.query == "d"
        await game.type("⎋⎋/<backspace>azed⎋⎋/")
        assert game.sheet.query == "azed"
        await game.type("⎋")  # nothing was typed this time
        assert not game.screen.sheet_pane.is_open
        await game.type("/")
        await game.type("/")  # the key that opened it, before anything is typed
        assert not game.screen.sheet_pane.is_open


async def test_looking_things_up_changes_nothing(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        state, cursor = fight.state, game.screen.cursor
        await game.type("/ghoul 2<down><down><up>s3s8↵")
        await game.type("?damage<down>⎋⎋")
        assert fight.state is state and game.screen.cursor == cursor
        assert not game.line.is_open
        await game.type("j")  # keys are the fight's again
        assert game.screen.cursor != cursor


# -- creatures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_a_creature_that_is_not_in_the_fight_is_read_with_its_attacks(
    fight: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        await game.type("/bog")
        assert game.sheet.row.sort == "bestiary"
        shown = seen(game)
        for words in ("HP 31/31", "AC 2", "CR 3", "Resist cold", "talons 1d8+2 slashing"):
            assert words in shown
        assert "spit 1d6 acid ranged" in told(game) and "Sells eels" in told(game)
        assert fight.state.find("bog-harrow") is None


@pytest.mark.parametrize("typed", ["eels", "talons", "cold acid", "harow", "harrwo"])
async def test_a_creature_is_found_by_its_text_its_attacks_and_a_near_spelling(
    fight: OpenEncounter, game_of: Play, typed: str
) -> None:
    async with game_of(fight) as game:
        await game.type(f"/{typed}")
        assert "Bog Harrow" in [row.name for row in game.sheet.rows]


async def test_one_who_is_here_is_told_as_they_are_now(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/brannoc")
        assert f"HP {fight.state['brannoc'].track('hp')}/30" in told(game)
        await game.type("<ctrl+w>ash-maned")
        assert "Now: restrained" in told(game)


async def test_an_effect_of_the_gms_own_is_told_with_what_it_gives(
    fight: OpenEncounter, game_of: Play
) -> None:
    fight.do('inflict brannoc "hexed" until freed ac -2')
    async with game_of(fight) as game:
        await game.type("/brannoc")
        assert "hexed −2 ac until freed" in told(game)


async def test_a_character_of_the_party_is_found_and_those_here_are_listed_once(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("/wanda")
        assert game.sheet.row == CreatureEntry("Wanda", "party", "wanda")
        assert "flail 1d8 bludgeoning" in told(game) and "Power +2" in told(game)
        await game.type("⎋⎋")
        fight.do("add wanda")
        game.screen.publish()
        await game.type("/wanda")
        assert [row.sort for row in game.sheet.rows if row.name == "Wanda"] == ["here"]


async def test_a_row_that_add_would_refuse_says_why(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/broken")
        assert "Broken Thing can't be added: broken: expected `hp`" in told(game)


async def test_what_a_monster_can_do_by_itself_is_read_with_its_attack(
    tmp_path: Path, game_of: Play
) -> None:
    folder = tmp_path / "kiln"
    (folder / "encounters").mkdir(parents=True)
    (folder / "party.toml").write_text('[hesper]\nname = "Hesper"\nhp = 30\nac = 16\n', "utf-8")
    spit = '"Fire Spit" refresh 5 +7 vs reflex 2d6'
    imp = f"[imp]\nname = 'Imp'\nhp = 20\nac = 14\npower = '{spit}'\n"
    wolf = '[wolf]\nname = "Wolf"\nhp = 12\nac = 13\ncompanion = "of Hesper"\n'
    (folder / "bestiary.toml").write_text(imp + wolf, "utf-8")
    with play(folder / "encounters" / "f.toml", "add imp", ruleset="orcus") as fight:
        fight.do("leave imp")
        async with game_of(fight) as game:
            await game.type("/imp")
            assert "Fire Spit: refresh 5, standard action, +7 vs Ref 2d6" in told(game)
            await game.type("<ctrl+w>wolf")  # whose owner isn't here either
            assert "HP 12/12" in told(game) and "Companion of Hesper" in told(game)


# -- where it stands, and how it is used -----------------------------------------------------------


def test_it_stands_beside_the_order_or_below_it() -> None:
    room = Region(0, 1, 120, 36)
    beside = place_of_sheet(room, Region(0, 1, 40, 26))
    assert beside == Region(40, 1, 80, 36)
    assert place_of_sheet(room, Region(0, 1, 84, 18)) == Region(0, 19, 120, 18)
    assert place_of_sheet(room, Region(0, 1, 84, 36)) == Region(
        0, 19, 120, 18
    )  # over its lower half
    assert place_of_sheet(room, Region(0, 0, 0, 0)) == Region(60, 1, 60, 36)
    small = place_of_sheet(Region(0, 1, 80, 20), Region(0, 1, 36, 20))
    assert (small.x, small.width, small.bottom) == (0, 80, 21) and small.height >= 10


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("key", ["/", "?", "<ctrl+u>"])
async def test_the_order_is_seen_beside_it(
    fight: OpenEncounter, game_of: Play, key: str, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        await game.type(key)
        sheet, order = game.screen.sheet_pane, game.screen.query_one(TurnOrderList)
        assert sheet.region and not sheet.region.overlaps(order.region)


async def test_typing_lays_nothing_out_anew(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/")
        laid_out, layout = [], game.screen.layout
        arrange = layout.arrange

        def counted(*args: Any, **more: Any) -> Any:
            laid_out.append(1)
            return arrange(*args, **more)

        layout.arrange = counted
        await game.type("prone<down><up><pagedown><end><home><backspace>ghoul")
        assert laid_out == []


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_seen_is_what_a_fresh_picture_would_show(
    fight: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        for keys in (
            "/",
            "bog",
            "<down>",
            "<ctrl+w>",
            "<end>",
            "?",
            "str",
            "⎋",
            "<ctrl+u>",
            "<down>",
        ):
            await game.type(keys)
            assert stale(game.pilot) == [], keys


async def test_the_mouse_chooses_reads_on_and_leaves(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/")
        pane = game.screen.sheet_pane
        left, top = pane.gutter.left, pane.gutter.top
        await game.pilot.click(LookupPane, offset=Offset(left + 4, top + 1 + 3))
        assert game.sheet.at == 3
        wheel = {"x": 6, "y": 6, "delta_x": 0, "delta_y": 1, "button": 0}
        bare = dict.fromkeys(("shift", "meta", "ctrl"), False)
        pane.post_message(events.MouseScrollDown(pane, **wheel, **bare))
        await game.pilot.pause()
        assert game.sheet.at == 6
        at = game.row(Footer).index("leave")
        await game.pilot.click(Footer, offset=Offset(at, 0))
        assert not pane.is_open


async def test_a_long_text_is_read_on(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight, (60, 16)) as game:
        await game.type("/scribe")
        assert "pgdn reads on" in game.screen.sheet_pane.aside
        before = seen(game)
        assert "the last word" not in before
        await game.type("<end>" + "<pagedown>" * 12)
        assert "the last word" in seen(game)
        await game.type("<pageup>" * 12)
        assert seen(game) == before


async def test_what_is_pasted_is_typed(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("/")
        game.screen.post_message(events.Paste("pro\nne"))
        await game.pilot.pause()
        assert game.sheet.query == "pro ne"


async def test_a_click_in_the_fight_begins_what_it_stands_for(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("/")
        await game.find("damage")
        await game.type("↵")
        await game.until(lambda: game.line.prompt is not None)
        assert not game.screen.sheet_pane.is_open


# -- keys and commands -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("grap", "Grapple"),
        ("g", "Grapple"),
        ("G", "GM's thread"),
        ("undoes the last command", "undo"),
        ("goto N", "goto"),
        ("join", "Add"),
        ("someone", "Add"),
        ("reinforcements", "Add"),
        ("theme", "palette"),
        ("forgot", "last roll"),
        ("configuration folder", ""),
    ],
)
async def test_the_help_is_searched(
    fight: OpenEncounter, game_of: Play, typed: str, label: str
) -> None:
    async with game_of(fight) as game:
        await game.type(f"?{typed}")
        assert (game.sheet.row.label if game.sheet.row else "") == label


def lines(game: Any) -> list[str]:
    """The lines of the sheet."""
    pane = game.screen.sheet_pane
    return [pane.render_line(y).text for y in range(pane.size.height)]


async def test_the_help_has_room_for_what_each_key_does(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("?turn")
        whole = [
            row.what for row in game.sheet.rows if row.label in ("Next turn", "Delay", "delay")
        ]
        assert len(whole) == 3
        assert all(any(what in line for line in lines(game)) for what in whole)


@pytest.mark.parametrize("size", SIZES)
async def test_the_keys_of_the_help_stand_apart_from_what_they_do(
    fight: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        await game.type("?several: numbers")
        assert "1,3-5 F P A  several: numbers, foes, party, all;" in lines(game)[1]
        await game.type("⎋to a number")
        assert "1 … 9        to a number" in lines(game)[1]


IN_EVERY_GAME = {
    "late": "bring", "absent": "take-out", "missing": "bring", "arrives": "bring",
    "newcomer": "add", "reinforcements": "add", "flee": "take-out", "retreat": "take-out",
    "morale": "take-out", "wrong": "last-roll", "mistake": "last-roll", "oops": "undo",
    "forgot": "last-roll",
    "branch": "ways", "history": "ways", "hidden": "reveal", "secret": "reveal", "ambush": "reveal",
    "xp": "set", "gold": "set", "loot": "set", "treasure": "note", "weather": "setting",
    "dark": "setting", "variant": "setting", "countdown": "clock", "begin": "start", "skip": "next",
    "repeat": "again", "summary": "recap", "difficulty": "odds", "projector": "players",
    "device": "phones",
}  # fmt: skip
"""Words that game masters say, and the key that is to be among the first four that they find."""
OF_A_GAME = {
    "monsters-and-magic": {
        "potion": "technique.use", "revive": "technique.aid", "stealth": "technique.hide",
        "sustain": "technique.concentrate", "cover": "prompt.place", "fireball": "prompt.saves",
        "poisoned": "prompt.inflict", "buff": "prompt.bestow", "sleep": "prompt.rest",
        "skill": "prompt.check", "horse": "technique.mount", "journey": "prompt.travel",
        "villain": "prompt.gm-thread", "food": "prompt.forage", "lair": "technique.power",
    },
    "orcus": {
        "sustain": "prompt.maintain", "concentration": "prompt.maintain", "breath": "prompt.power",
        "stun": "prompt.inflict", "bleeding": "prompt.persistent", "potion": "prompt.heal",
        "sneak": "prompt.surprise", "run": "technique.walk", "nonlethal": "prompt.knock-out",
        "provoke": "technique.opportunity-attack", "saves": "prompt.death",
    },
    "5e": {
        "concentration": "technique.drop", "cantrip": "technique.cast", "shield": "prompt.temp",
        "fireball": "prompt.saves", "potion": "technique.use", "stealth": "technique.hide",
        "lair": "technique.power", "poisoned": "prompt.inflict", "bless": "prompt.modifier",
        "counterspell": "prompt.react", "nonlethal": "prompt.knock-out", "boss":
        "prompt.legendary-resistance", "sleep": "prompt.rest",
    },
    "level-up": {
        "trap": "prompt.world", "terrain": "prompt.environment", "fireball": "prompt.saves",
        "potion": "technique.use", "stealth": "technique.hide", "wrestle": "technique.grapple",
        "overwatch": "technique.ready", "bless": "prompt.modifier", "tired": "prompt.mark-fatigue",
    },
    "adventure-school": {
        "grapple": "technique.grab", "concentration": "technique.maintain", "dead": "prompt.revive",
        "flames": "prompt.burning", "stealth": "technique.hide", "shove": "technique.push",
        "dodge": "technique.defend", "luck": "prompt.reroll", "extinguish": "technique.douse",
    },
    "plain": {"poison": "prompt.damage", "potion": "prompt.heal", "stun": "prompt.condition"},
}  # fmt: skip


@pytest.mark.parametrize("game", OF_A_GAME)
def test_words_that_game_masters_say_find_their_keys(game: str) -> None:
    """They stand in no text: a row of the tables has them, or the table of every game's keys."""
    ruleset = load_ruleset(game)
    keymap = keymap_for(ruleset)
    sheet = fight_help(keymap, ruleset, ())
    wanted = {**IN_EVERY_GAME, **OF_A_GAME[game]}
    assert len(wanted) >= 30
    for word, name in wanted.items():
        found = [row.label for row in sheet.rows(word) if not isinstance(row, str)]
        assert keymap.by_id[name].label in found[:4], (word, found)


def test_rules_are_found_by_these_words_as_well() -> None:
    ruleset = load_ruleset("monsters-and-magic")
    rules = ReferenceList(ruleset, Encounter())
    found = [row.name for row in rules.rows("potion") if not isinstance(row, str)]
    assert found[0] == "Use Item"


@pytest.mark.parametrize(("word", "label"), [("late", "bring in"), ("hidden", "Conceal / reveal")])
async def test_in_a_small_window_the_help_has_all_of_it_and_the_whole_text_of_the_chosen_row(
    fight: OpenEncounter, game_of: Play, word: str, label: str
) -> None:
    async with game_of(fight, (80, 24)) as game:
        await game.type("?")
        shown = [line for line in lines(game) if "  " in line.strip()]
        assert game.screen.sheet_pane.outer_size.width == 80 and len(shown) >= 12
        assert all("lets a tied ally go first" in line for line in shown if "Let ally" in line)
        await game.type(word)
        row = game.sheet.row
        assert row.label == label
        assert row.what in " ".join(" ".join(lines(game)).split())


@pytest.mark.parametrize("game", ["monsters-and-magic", "orcus"])
def test_the_other_words_are_of_keys_that_there_are(game: str) -> None:
    assert set(ALSO) <= {key.id for key in keymap_for(load_ruleset(game)).keys}


@pytest.mark.parametrize("key", ["?", "/"])
async def test_esc_clears_what_was_typed_and_then_leaves(
    fight: OpenEncounter, game_of: Play, key: str
) -> None:
    async with game_of(fight) as game:
        await game.type(key)
        everything = len(game.sheet.rows)
        await game.type("undo⎋")
        assert game.sheet.query == "" and len(game.sheet.rows) == everything
        await game.type("⎋")
        assert not game.screen.sheet_pane.is_open and not game.line.is_open


async def test_the_help_begins_with_nothing_typed(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("?undo⎋⎋?")
        assert game.sheet.query == ""
        await game.type("?")
        assert not game.screen.sheet_pane.is_open


@pytest.mark.parametrize("game", ["monsters-and-magic", "orcus"])
def test_the_help_has_every_key_and_command_of_the_game(game: str) -> None:
    ruleset = load_ruleset(game)
    keymap = keymap_for(ruleset)
    rows = fight_help(keymap, ruleset, []).rows("")
    labels = [row.label for row in rows if not isinstance(row, str)]
    assert all(key.label in labels for key in keymap.keys)
    assert set(commands_of(ruleset)) <= set(labels)
    assert set(keymap.groups) <= {row for row in rows if isinstance(row, str)}
    assert "What happens" in keymap.groups


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("ongoing", "Ongoing damage"),
        ("damage over time", "Ongoing damage"),
        ("healing surge", "Recovery"),
        ("second wind", "Rally"),
        ("disengage", "Five-Foot Step"),
    ],
)
def test_help_and_rules_know_the_words_of_other_games(word: str, name: str) -> None:
    orcus = load_ruleset("orcus")
    keys = fight_help(keymap_for(orcus), orcus, ()).rows(word)
    assert name in [row.label for row in keys if not isinstance(row, str)]
    assert name in [
        row.name
        for row in search([(search_key(r.name, (r.text,)), r) for r in rule_texts(orcus)], word)
    ]
