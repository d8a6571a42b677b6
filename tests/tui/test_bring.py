"""The builder beside the fight, waves, texts to be read aloud, and `keep`, each by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli
from tests.tui.conftest import play

from affray.store.open_encounter import OpenEncounter
from affray.tui.lookup.roster import parted
from affray.tui.widgets.lookup import LookupPane
from affray.tui.widgets.turn_order import TurnOrderList

BESTIARY = """
[bog-ghoul]
name = "Bog Ghoul"
hp = "2d6+3"
text = "Peat keeps everything."

[gore-hound]
name = "Gore Hound"
hp = 7

[ghost]
name = "Ghost"
hp = 9
"""
PARTY = """
[mira]
name = "Mira"
hp = 20

[os]
name = "Os"
hp = 18
benched = true

[iver]
name = "Iver"
hp = 9
benched = true
spells = ["Clockwork"]
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[OpenEncounter]:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    (tmp_path / "bestiary.toml").write_text(BESTIARY, "utf-8")
    (tmp_path / "party.toml").write_text(PARTY, "utf-8")
    with play(tmp_path / "encounters" / "ford.toml", "") as fight:
        yield fight


def names(game: Any) -> list[str]:
    return [c.name for c in game.encounter.state.in_order()]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("gho", ("gho", "")),
        ("bog gho 3", ("bog gho", "x3")),
        ("gho x3 hidden wave 2", ("gho", "x3 hidden wave 2")),
        ("gho 1 as Old Tom", ("gho", "x1 as Old Tom")),
        ("peat hidden wave 2", ("peat", "hidden wave 2")),
        ("peat wave 2 hidden", ("peat", "wave 2 hidden")),
        ("dire 2 wave 2 hidden", ("dire", "x2 wave 2 hidden")),
        ("dire hidden 2 wave 3", ("dire", "hidden x2 wave 3")),
        ("dire wave 3 2", ("dire", "wave 3 x2")),
        ("dire hidden hp 30", ("dire", "hidden hp 30")),
        ("great wave serpent", ("great wave serpent", "")),
        ("wave 3", ("wave 3", "")),
        ("wave 3 hidden", ("wave 3", "hidden")),
        ("3", ("3", "")),
        ("turret 2000", ("turret 2000", "")),
    ],
)
def test_how_many_stands_behind_what_is_sought(query: str, found: tuple[str, str]) -> None:
    assert parted(query) == found


async def test_a_fight_is_built_by_typing_and_the_list_stays(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (80, 24)) as game:
        assert "ctrl+l brings in the campaign's" in game.row(TurnOrderList, 1)
        await game.type("<ctrl+l>↵")  # the party stands first
        assert names(game) == ["Mira"]  # Os is benched
        await game.type("gho 3↵")
        assert names(game) == ["Mira", "Bog Ghoul 1", "Bog Ghoul 2", "Bog Ghoul 3"]
        assert "Bog Ghoul 1, Bog Ghoul 2 and Bog Ghoul 3 join" in game.said
        assert len({game.who(f"bog-ghoul-{n}").track("hp") for n in (1, 2, 3)}) > 1
        await game.type("hound 2 hidden wave 2↵os↵⎋")
        assert names(game)[-1] == "Os"
        assert campaign.state.waves == {2: ("gore-hound x2 hidden",)}
        assert not game.screen.sheet_pane.is_open


async def test_who_is_brought_in_hidden_without_a_number_is_hidden(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (80, 24)) as game:
        await game.type("<ctrl+l>gore hidden wave 2↵")
        assert names(game) == [] and campaign.state.waves == {2: ("gore-hound hidden",)}
        await game.type("gore group hidden 2↵")
        assert [c.hidden for c in game.encounter.state.in_order()] == [True, True]
        await game.type("wave 2 hidden↵")  # a wave is as it was said: the word is refused
        assert "did not expect 'hidden'" in game.said and 2 in campaign.state.waves


async def test_who_only_resembles_what_was_typed_is_asked_about(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>hond↵")  # spelt nearly so
        assert "nobody in the campaign is called 'hond'; enter again brings in Gore" in game.said
        assert names(game) == []
        await game.type("↵")
        assert names(game) == ["Gore Hound"]
        await game.type("xyzzy↵")
        assert "nobody in the campaign is called 'xyzzy'; expected NAME [N]" in game.said
        await game.type("⎋gore hiden wave 2↵↵")
        assert "'hiden' is neither part of the name Gore Hound" in game.said
        assert "did you mean hidden" in game.said
        assert names(game) == ["Gore Hound"] and not campaign.state.waves


async def test_what_somebody_can_do_finds_nobody_and_characters_are_no_copies(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    """A power's name is none of its bearer: `clockwork` must not bring in the character."""
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>clock 3↵↵")
        assert names(game) == []
        await game.type("⎋iver 3↵")
        assert game.said == "there is only one Iver"
        await game.type("⎋iver↵iver↵")
        assert game.said == "Iver is here already; `as NAME` brings in another"
        assert names(game) == ["Iver"]


async def test_the_campaigns_own_stand_before_those_that_were_imported_behind_them(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>gho 3↵ghost↵")
        assert names(game) == ["Bog Ghoul 1", "Bog Ghoul 2", "Bog Ghoul 3", "Ghost"]


async def test_a_list_shows_what_enter_gives_with_the_stat_block(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>gho 3 hidden")
        pane = game.screen.query_one(LookupPane)
        text = "\n".join(pane.render_line(y).text for y in range(pane.size.height))
        assert "↵ add bog-ghoul x3 hidden" in text and "Peat keeps everything." in text
        assert "hp 2d6+3 is rolled for each, such as" in text
        await game.type("⎋gho 3 ac↵")  # refused: the list stays, and so does what was typed
        assert game.sheet.query == "gho 3 ac" and names(game) == []


async def test_a_wave_comes_by_a_key_or_from_the_list(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ("add party", "init mira 20", "add gore-hound x2 wave 2", "start"):
        campaign.do(line)
    campaign.do("add bog-ghoul wave 3")
    async with game_of(campaign, (80, 24)) as game:
        await game.type("<ctrl+n>")
        assert game.last == "wave"
        assert sorted(names(game)) == ["Gore Hound 1", "Gore Hound 2", "Mira"]
        await game.type("<ctrl+l>wave↵⎋")
        assert game.last == "wave 3"
        assert campaign.state.waves == {}
        await game.type("<ctrl+n>")
        assert "no wave is waiting" in game.said


async def test_keep_is_a_key_and_add_knows_the_kept_at_once(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    campaign.do("add monster Wight hp 22 ac 2")
    async with game_of(campaign, (80, 24)) as game:
        await game.type("<ctrl+k>↵")
        assert game.said == "Wight is kept in the bestiary: `add wight`"
        assert not game.line.is_open
        kept = tomli.loads((campaign.path.parents[1] / "bestiary.toml").read_text("utf-8"))
        assert kept["wight"] == {"name": "Wight", "hp": 22, "ac": 2}
        await game.type("<ctrl+l>wight 2↵⎋")
        assert names(game) == ["Wight", "Wight 2", "Wight 3"]
        await game.type("<ctrl+k>↵")
        assert "there is a 'wight' in bestiary.toml already" in game.said


async def test_texts_to_be_read_aloud_stand_before_the_notes(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    for line in ('note "They know."', 'read-aloud "The bell tolls."', "add mira", "note on mira x"):
        campaign.do(line)
    async with game_of(campaign, (80, 24)) as game:
        await game.type("<ctrl+y>")
        rows = [row if isinstance(row, str) else row.text for row in game.sheet.rows]
        assert rows == ["To read aloud", "The bell tolls.", "Notes", "They know."]
        assert game.sheet.row.text == "The bell tolls."
        await game.type("<ctrl+y>")
        assert not game.screen.sheet_pane.is_open


async def test_a_broken_row_is_shown_as_broken(
    campaign: OpenEncounter, game_of: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "bestiary.toml"
    file.write_text(BESTIARY.replace("hp = 7", 'hp = 7\nspeed = "fast"'), "utf-8")
    campaign.take_in_rules()
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>gore")
        pane = game.screen.query_one(LookupPane)
        shown = "\n".join(pane.render_line(y).text for y in range(pane.size.height))
        assert "broken" in shown and "gore-hound, speed: expected speed" in shown
        await game.type("↵")
        assert game.screen.prompt_line.message.kind == "refused"
        await game.type("⎋⎋")
        assert not game.screen.prompt_line.message.text, "it was of that row alone"


LEGENDS = """
[winter-wolf]
name = "Winter Wolf"
hp = 75
cr = 3

[aboleth]
name = "Aboleth"
hp = 150
cr = 10
legendary = 3

[lair-guard]
name = "Lair Guard"
hp = 9
cr = "1/4"
"""


@pytest.fixture
def legends(tmp_path: Path) -> Iterator[OpenEncounter]:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "5e"\n', "utf-8")
    (tmp_path / "bestiary.toml").write_text(LEGENDS, "utf-8")
    with play(tmp_path / "encounters" / "deep.toml", "", ruleset="5e") as fight:
        yield fight


async def test_words_of_the_sheet_may_stand_behind_the_name(
    legends: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    """SRD 5.2.1: a legendary creature in its lair has one use more."""
    async with game_of(legends, (120, 40)) as game:
        await game.type("<ctrl+l>abol lair↵")
        assert game.last == "add aboleth lair"
        assert game.who("aboleth").track("legendary") == 4
        await game.type("win important hidden↵")
        assert game.last == "add winter-wolf important hidden"
        await game.type("lair gu 2↵")
        assert names(game)[-2:] == ["Lair Guard 1", "Lair Guard 2"]


async def test_the_list_is_in_the_order_of_names_with_how_strong_each_is(
    legends: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(legends, (120, 40)) as game:
        await game.type("<ctrl+l>")
        shown = "\n".join(game.row(LookupPane, line) for line in range(9))
        assert shown.index("Aboleth") < shown.index("Lair Guard") < shown.index("Winter Wolf")
        for rated in ("CR 10", "CR 1/4", "CR 3"):
            assert rated in shown
