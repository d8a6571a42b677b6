"""What people carry, in games without rules for it (docs/commands.md, What people carry)."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.parser.errors import Refused
from affray.core.rules.proposals import own_sheet

GAMES = ["5e", "level-up", "orcus", "adventure-school", "plain"]
POTION = 'item "Potion of Healing" x2 does "2d4+2 HP"'


@pytest.fixture(params=GAMES)
def fight(request: pytest.FixtureRequest) -> Fight:
    fight = Fight(request.param, seed=2)
    fight.do(f"add pc Mira hp 30 ac 14 {POTION} item rope", "add pc Odo hp 30 ac 12")
    fight.do("add monster Rat hp 5 ac 9", "init mira 20", "init odo 10", "init rat 5", "start")
    return fight


def carried(fight: Fight, who: str) -> list[str]:
    return list(fight.ruleset.sheet.carried(fight.state[who]))


def test_a_sheet_says_what_somebody_carries(fight: Fight) -> None:
    assert carried(fight, "mira") == ["Potion of Healing ×2 (2d4+2 HP)", "rope"]
    labels = fight.ruleset.sheet.labels(fight.state, fight.state["mira"])
    assert labels["items"] == "Carries Potion of Healing ×2 (2d4+2 HP), rope"


def test_one_is_used_by_the_beginning_of_its_name(fight: Fight) -> None:
    used = fight.do("item mira potion -1")
    assert used.text == "Mira uses Potion of Healing (2d4+2 HP), 1 left"
    assert fight.do("item mira pot -1").text.endswith(", none left")
    assert carried(fight, "mira") == ["rope"]
    fight.undo()
    assert carried(fight, "mira")[0] == "Potion of Healing (2d4+2 HP)"


def test_things_are_given_and_handed_over(fight: Fight) -> None:
    assert fight.do("item odo torch +2").text == "Odo gets 2 torch"
    assert fight.do("item odo torch").text == "Odo gets torch, 3 in all"
    assert fight.do('item mira,odo bread +4 does "1 HP"').text == (
        "Mira and Odo get 4 bread (1 HP)"
    )
    assert fight.do("item mira rope to odo").text == "Mira hands rope to Odo"
    assert carried(fight, "odo") == ["torch ×3", "bread ×4 (1 HP)", "rope"]
    assert carried(fight, "mira")[-1] == "bread ×4 (1 HP)"


def test_what_does_not_go_is_refused_in_a_line_and_changes_nothing(fight: Fight) -> None:
    before = fight.state
    for line, message in (
        ("item mira lantern -1", "Mira carries no lantern"),
        ("item mira roep -1", "did you mean rope?"),
        ("item mira rope -2", "Mira has 1 rope, not 2"),
        ("item mira rope to mira", "Mira has it: hand it to somebody else"),
        ("item mira rope 0", "expected how many more, such as"),
        ("item mira rope +999", "Mira can't carry more than 999 rope"),
        (f'item mira "{"x" * 41}"', "must have 1 to 40 characters"),
    ):
        with pytest.raises(Refused) as caught:
            fight.do(line)
        assert message in str(caught.value)
    assert fight.state == before


def test_inventory_says_who_carries_what(fight: Fight) -> None:
    fight.do("item odo torch +2", "item rat bone")

    def asked(line: str) -> list[str]:
        answer = fight.ask(line)
        assert answer is not None
        return answer.lines

    assert asked("inventory") == [
        "Mira: Potion of Healing ×2 (2d4+2 HP), rope",
        "Odo: torch ×2",
    ]
    assert asked("inventory rat,odo") == ["Rat: bone", "Odo: torch ×2"]
    fight.do("item odo torch -2")
    assert asked("inventory odo") == ["Odo: nothing"]


def test_nobody_carries_anything() -> None:
    fight = Fight("plain")
    fight.do("add pc Mira hp 20")
    answer = fight.ask("inventory")
    assert answer is not None and answer.lines == ["nobody in the party carries anything"]


def test_the_inventory_of_monsters_and_magic_is_its_gear() -> None:
    fight = Fight("monsters-and-magic")
    fight.do("add pc Mira hp 20 item Potion x2 hand 1")
    answer = fight.ask("inventory")
    assert answer is not None and answer.lines == ["Mira: Potion ×2"]


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_use_takes_one_of_what_is_carried_and_takes_other_words_too(game: str) -> None:
    fight = Fight(game, seed=2)
    fight.do(f"add pc Mira hp 30 ac 14 {POTION}", "add pc Odo hp 9 ac 9")
    assert fight.do("use potion on odo by mira").text == (
        "Mira uses Potion of Healing on Odo (2d4+2 HP), 1 left"
    )
    assert fight.do("use lever by mira").text == "Mira uses lever"
    assert fight.do("use by mira").text == "Mira uses an object"
    assert carried(fight, "mira") == ["Potion of Healing (2d4+2 HP)"]


@pytest.mark.parametrize("game", GAMES)
def test_what_play_changes_goes_into_the_ledger(game: str) -> None:
    fight = Fight(game)
    assert "items" in fight.ruleset.carried_stats


@pytest.mark.parametrize("game", GAMES)
def test_a_players_own_page_has_what_their_character_carries(game: str) -> None:
    """docs/players.md, the page of a character."""
    fight = Fight(game)
    fight.do(f"add pc Mira hp 30 ac 14 {POTION}")
    page = own_sheet(fight.history, fight.ruleset, "mira")
    assert page is not None and "Carries Potion of Healing ×2 (2d4+2 HP)" in page.numbers
