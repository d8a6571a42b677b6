"""Accents need not be typed where a name or a rule is looked up; what is spelt so comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play

from affray.core.parser.errors import Refused
from affray.core.parser.spelling import begun_so, called_so, fold, known_as
from affray.store.open_encounter import OpenEncounter
from affray.tui.widgets.lookup import LookupPane

BESTIARY = """
["šakal"]
name = "Šakal"
hp = 7

[orsted]
name = "Ørsted"
hp = 9

["żółw"]
name = "Żółw"
hp = 9
"""
RULES = """
[effects."épuisé"]
kind = "condition"
modifiers = { check = -1 }

[techniques.flash]
name = "Éclair Fou"
cost = { ap = 1 }
does = { says = "flashes" }
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[OpenEncounter]:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    (tmp_path / "bestiary.toml").write_text(BESTIARY, "utf-8")
    (tmp_path / "rules.toml").write_text(RULES, "utf-8")
    lines = "add pc Zoë hp 9\nadd pc Mo hp 9\ninit zoë 9\ninit mo 8\nstart"
    with play(tmp_path / "encounters" / "ford.toml", lines) as fight:
        yield fight


@pytest.mark.parametrize(
    ("one", "other"),
    [("Zoë", "zoe"), ("Éowyn", "EOWYN"), ("Żółw", "zolw"), ("Ørsted", "orsted"), ("Šakal", "sakal"),
     ("Zoe\u0308", "zoë"), ("Straße", "strasse"), ("O’Brien", "o'brien"), ("Æsir", "aesir")],
)  # fmt: skip
def test_letters_are_the_same_but_for_capitals_and_accents(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_scripts_without_plain_letters_stay_apart() -> None:
    assert fold("バ") != fold("ハ") and fold("й") != "j"


def test_what_is_spelt_as_it_was_typed_comes_first() -> None:
    names = ["Zoe", "Zoë", "Zoé"]
    assert called_so("zoë", names) == ["Zoë"] and called_so("ZOE", names) == ["Zoe"]
    assert called_so("zoe", names[1:]) == ["Zoë", "Zoé"]
    assert begun_so("zoë", names) == ["Zoë"] and begun_so("zo", names) == names
    assert known_as("zoe", ["zoë", "zoé"]) == "zoe", "which of them is not known"


@pytest.mark.parametrize(
    ("lines", "line", "who"),
    [
        ("add pc Zoë hp 9", "damage zoe 3", "zoë"),
        ("add pc Zoë hp 9\nadd pc Zoe hp 9", "damage zoe 3", "zoe"),
        ("add pc Zoë hp 9\nadd pc Zoe hp 9", "damage zoë 3", "zoë"),
        ("add pc Zoë hp 9\nadd pc Zoey hp 9", "damage zoe 3", "zoë"),
        ("add monster Żółw x2 cr 1 hp 9", "damage zolw-2 3", "żółw-2"),
        ("add monster Ørsted cr 1 hp 9", "damage orst 3", "ørsted"),
    ],
)
def test_a_typed_command_finds_who_is_called_so(
    played: Callable[..., OpenEncounter], lines: str, line: str, who: str
) -> None:
    fight = played(lines)
    fight.do(line)
    assert fight.state[who].track("hp") == 6


def test_of_two_who_are_called_alike_it_is_asked_which(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played("add pc Zoë hp 9\nadd pc Zoé hp 9")
    with pytest.raises(Refused, match="'zoe' could be zoë or zoé"):
        fight.do("damage zoe 3")


def test_conditions_techniques_and_creatures_of_the_table_are_found(
    campaign: OpenEncounter,
) -> None:
    campaign.do("inflict zoe epuise")
    assert campaign.state["zoë"].named("épuisé") is not None
    campaign.do("remove zoe epuise")
    campaign.do("eclair fou")
    campaign.do("add sakal")
    campaign.do("add zolw")
    assert {"šakal", "żółw"} <= {c.id for c in campaign.state.combatants}
    assert campaign.complete("damage zoe") == ["zoë"] and campaign.complete("add sak") == ["šakal"]
    campaign.do('clock "Flüt" 6 rounds')
    campaign.do("clock flüt tick")
    campaign.do("clock flut tick")
    assert [clock.name for clock in campaign.state.clocks] == ["Flüt"]


async def test_the_builder_and_the_rules_find_them_by_keys(
    campaign: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(campaign, (120, 40)) as game:
        await game.type("<ctrl+l>sak↵")
        assert game.last == "add šakal"
        await game.type("⎋⎋/epuis")
        assert "épuisé" in "\n".join(game.row(LookupPane, y) for y in range(12))
        await game.type("⎋⎋c'zo epui↵")
        assert game.last == "inflict zoë épuisé"
