"""Other orders than by initiative: a side at once, or whoever the last one names; and several turns
a round for one. docs/rulings/every-game.md has the rulings."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.tui.ghouls import finished, prompt_after

from affray import Fight, Refused
from affray.core.dice import SeededDice
from affray.core.engine.evolve import evolve
from affray.core.engine.state import Encounter
from affray.core.engine.turns import choices
from affray.core.formatting.players_view import players_view
from affray.core.formatting.spoken_lines import edge_line
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.proposals import may_go_by_itself
from affray.core.rules.tables import read_tables
from affray.odds import odds_of
from affray.rulesets import load_ruleset
from affray.serve.forms import TURN_END, compose_command, proposal_forms
from affray.store.open_encounter import OpenEncounter


def fight_of(*lines: str, game: str = "plain") -> Fight:
    fight = Fight(game, seed=1)
    fight.do("add pc Mira hp 20", "add pc Odo hp 20", "add monster Ghoul x2 hp 9")
    fight.do("init mira 15", "init ghoul-1 12", "init odo 10", "init ghoul-2 5", *lines)
    return fight


def sides(*lines: str) -> Fight:
    return fight_of("setting order sides", "start", *lines)


def popcorn(*lines: str) -> Fight:
    return fight_of("setting order popcorn", "start", *lines)


def up(fight: Fight) -> list[str]:
    return [*fight.state.taking_turn()]


# -- sides -----------------------------------------------------------------------------------------


def test_a_sides_turns_start_together() -> None:
    fight = sides()
    assert up(fight) == ["mira", "odo"]
    assert fight.do("next").text == "The party's turn ends; The enemy is up"
    assert up(fight) == ["ghoul-1", "ghoul-2"]
    fight.do("next")
    assert (up(fight), fight.state.round) == (["mira", "odo"], 2)


def test_the_side_of_the_best_initiative_is_first() -> None:
    fight = fight_of("init ghoul-2 20", "setting order sides", "start")
    assert up(fight) == ["ghoul-1", "ghoul-2"] or up(fight) == ["ghoul-2", "ghoul-1"]


def test_each_keeps_an_initiative_of_their_own() -> None:
    fight = sides("setting order rolled")
    assert [(s.who, s.initiative) for s in fight.state.slots] == [
        ("mira", 15), ("odo", 10), ("ghoul-1", 12), ("ghoul-2", 5)
    ]  # fmt: skip
    assert not any(slot.shares for slot in fight.state.slots)


def test_durations_end_with_their_bearers_act_or_with_the_sides_end() -> None:
    fight = sides("next", "inflict mira slow until end of mira")
    fight.do("inflict odo slow until end of odo", "next", "finish mira")
    assert (fight["mira"].effects, fight["odo"].effects) == ([], ["slow"])
    assert up(fight) == ["odo"]
    fight.do("next")
    assert fight["odo"].effects == []


def test_an_effect_until_a_turns_start_ends_as_the_side_begins() -> None:
    fight = sides("inflict ghoul-2 slow until start of ghoul-2", "next")
    assert fight["ghoul-2"].effects == []


def test_the_last_who_is_done_ends_the_sides_turn() -> None:
    fight = sides("finish mira")
    assert fight.do("finish odo").text == "Odo is done; The enemy is up"


def test_several_are_done_at_once() -> None:
    fight = sides("next")
    assert fight.do("finish ghoul-1,ghoul-2").text.startswith("Ghoul 1 and Ghoul 2 are done")
    assert fight.state.round == 2


def test_who_has_no_turn_is_not_finish() -> None:
    with pytest.raises(Refused, match="it is not Ghoul 1's turn"):
        sides().do("finish ghoul-1")
    with pytest.raises(Refused, match="`finish` is for sides"):
        fight_of("start").do("finish mira")


def test_one_of_a_side_delays_and_comes_back_in_the_other_sides_turn() -> None:
    fight = sides("delay by odo")
    assert up(fight) == ["mira"]
    fight.do("next")
    assert up(fight) == ["ghoul-1", "ghoul-2"]
    fight.do("return odo")
    assert up(fight) == ["odo"]
    fight.do("next")
    assert up(fight) == ["ghoul-1", "ghoul-2"]
    fight.do("next")
    assert up(fight) == ["mira", "odo"]


def test_there_are_no_counts_and_no_ties_where_sides_act() -> None:
    for line, why in (("delay 3", "no counts"), ("swap odo", "no ties to swap")):
        with pytest.raises(Refused, match=why):
            sides().do(line)


def test_who_joins_or_changes_sides_acts_with_their_side() -> None:
    fight = sides("add pc Pim hp 9", "init pim 1", "set ghoul-2 side party", "next", "next")
    assert set(up(fight)) <= {"mira", "odo", "pim", "ghoul-2", "ghoul-1"}
    slots = {slot.who: slot.shares for slot in fight.state.slots}
    assert slots["pim"] == slots["ghoul-2"] == "party"


def test_the_dead_of_a_side_take_no_turn() -> None:
    fight = sides("damage ghoul-1 99", "next")
    assert up(fight) == ["ghoul-2"]
    assert fight.do("next").text == "Ghoul 2's turn ends; The party is up"


def test_one_undo_takes_a_sides_start_back() -> None:
    fight = sides("next")
    fight.undo()
    assert up(fight) == ["mira", "odo"]


def test_sides_begin_in_the_middle_of_a_fight() -> None:
    fight = fight_of("start", "setting order sides")
    assert up(fight) == ["mira"]
    fight.do("next")
    assert up(fight) == ["odo"]
    fight.do("next")
    assert up(fight) == ["ghoul-1", "ghoul-2"]


# -- popcorn ---------------------------------------------------------------------------------------


def test_whoever_has_had_a_turn_names_the_next() -> None:
    fight = popcorn()
    assert up(fight) == ["mira"]
    assert fight.do("next ghoul-2").text == "Mira's turn ends; Ghoul 2 is up"
    fight.do("next odo")
    with pytest.raises(Refused, match="Mira has had a turn this round: expected Ghoul 1"):
        fight.do("next mira")


def test_the_only_one_left_need_not_be_named() -> None:
    fight = popcorn("next ghoul-2", "next odo", "next")
    assert up(fight) == ["ghoul-1"]


def test_the_last_of_a_round_names_anybody_even_themselves() -> None:
    fight = popcorn("next ghoul-2", "next odo", "next", "next ghoul-1")
    assert (up(fight), fight.state.round) == (["ghoul-1"], 2)


def test_without_a_name_those_who_may_be_named_are_told() -> None:
    with pytest.raises(Refused) as refusal:
        popcorn().do("next")
    assert str(refusal.value).startswith("who is next? `next NAME`: Ghoul 1, Odo or Ghoul 2")


def test_the_order_by_initiative_takes_no_name() -> None:
    with pytest.raises(Refused, match="the order says who is next"):
        fight_of("start").do("next odo")


def test_the_dead_are_not_named_and_their_turns_are_counted() -> None:
    fight = popcorn("inflict mira slow until end of ghoul-1", "damage ghoul-1 99")
    with pytest.raises(Refused, match="Ghoul 1 is defeated"):
        fight.do("next ghoul-1")
    fight.do("next odo", "next")
    assert up(fight) == ["ghoul-2"] and fight["mira"].effects == ["slow"]
    fight.do("next odo")
    assert (up(fight), fight.state.round, fight["mira"].effects) == (["odo"], 2, [])


def test_who_delays_comes_back_between_two_others() -> None:
    fight = popcorn("delay")
    assert up(fight) == []
    fight.do("next odo", "return mira")
    assert up(fight) == ["mira"]
    fight.do("next")
    assert up(fight) == ["odo"]


def test_a_group_is_named_by_any_of_it() -> None:
    fight = popcorn("group ghoul-1,ghoul-2 Pack", "next ghoul-2")
    assert up(fight) == ["ghoul-1", "ghoul-2"]


# -- several turns ---------------------------------------------------------------------------------


def order_of_a_round(fight: Fight) -> list[str]:
    round_, found = fight.state.round, []
    while fight.state.round == round_:
        found.append(fight.state.turn)
        fight.do("next")
    return found


def test_two_turns_a_round_come_evenly_among_the_others() -> None:
    fight = fight_of("turns-a-round mira 2", "start")
    assert order_of_a_round(fight) == ["mira", "ghoul-1", "odo", "mira", "ghoul-2"]
    assert order_of_a_round(fight) == ["mira", "ghoul-1", "odo", "mira", "ghoul-2"]


def test_three_turns_and_the_last_in_the_order() -> None:
    assert order_of_a_round(fight_of("turns-a-round mira 3", "start")) == [
        "mira", "ghoul-1", "mira", "odo", "mira", "ghoul-2"
    ]  # fmt: skip
    fight = fight_of("turns-a-round ghoul-2 2", "start")
    assert order_of_a_round(fight)[-2:] == ["ghoul-2", "ghoul-2"]


def test_each_of_them_is_a_turn_for_durations() -> None:
    fight = fight_of("turns-a-round mira 2", "start", "inflict odo slow until start of mira")
    fight.do("next", "next", "next")
    assert (fight.state.turn, fight["odo"].effects) == ("mira", [])


def test_several_turns_where_sides_act_or_the_next_is_named() -> None:
    fight = fight_of("turns-a-round mira 2", "setting order sides", "start", "finish mira")
    assert up(fight) == ["mira", "odo"]
    fight.do("finish mira", "finish odo")
    assert up(fight) == ["ghoul-1", "ghoul-2"]
    fight = fight_of("turns-a-round mira 2", "setting order popcorn", "start")
    fight.do("next odo", "next mira")
    assert up(fight) == ["mira"]


def test_one_turn_again_and_who_can_have_no_more() -> None:
    fight = fight_of("turns-a-round mira 2", "turns-a-round mira 1", "start")
    assert order_of_a_round(fight) == ["mira", "ghoul-1", "odo", "ghoul-2"]
    fight.do("group ghoul-1,ghoul-2 Pack")
    with pytest.raises(Refused, match="can't have several"):
        fight.do("turns-a-round ghoul-1 2")


def test_undo_takes_a_further_turn_back() -> None:
    fight = fight_of("turns-a-round mira 2", "start", "next")
    fight.undo()
    assert (fight.state.turn, fight.state.slots[0].again) == ("mira", 1)


# -- which games, and how it is given --------------------------------------------------------------


@pytest.mark.parametrize("game", ["monsters-and-magic", "level-up", "5e", "adventure-school"])
@pytest.mark.parametrize("order", ["sides", "popcorn"])
def test_games_whose_rules_do_not_speak_against_it_may(game: str, order: str) -> None:
    fight = Fight(game, seed=1)
    fight.do("add pc Mira hp 20", "add pc Odo hp 20", "init mira 15", "init odo 10")
    fight.do(f"setting order {order}", "start", "next" if order == "sides" else "next odo")
    assert "odo" in up(fight)


@pytest.mark.parametrize("order", ["sides", "popcorn"])
def test_orcus_has_no_other_order_and_says_why(order: str) -> None:
    """Orcus, ruling 5."""
    with pytest.raises(Refused) as refusal:
        Fight("orcus").do(f"setting order {order}")
    assert str(refusal.value).startswith(
        "Orcus has no order but by initiative: a delayed turn comes at an initiative count"
    )
    Fight("orcus").do("setting order rolled")


def test_a_typical_side_gets_back_what_its_turns_start_with() -> None:
    fight = Fight("5e", seed=1)
    fight.do("add pc Mira hp 20", "add pc Odo hp 20", "add monster Ghoul hp 9")
    fight.do("init mira 15", "init odo 12", "init ghoul 10", "setting order sides", "start")
    fight.do("dodge by odo")
    assert (fight["odo"].action, fight["mira"].action) == (0, 1)
    fight.do("next", "next")
    assert fight["odo"].action == 1


def test_odds_play_a_fight_in_any_order() -> None:
    for order in ("sides", "popcorn"):
        fight = Fight("5e", seed=1)
        fight.do("add pc Mira hp 20 ac 12 attack axe 5 1d8+3 slashing")
        fight.do("add monster Ghoul x2 hp 9 ac 12 attack claw 3 1d6 slashing")
        fight.do("init all roll", f"setting order {order}", "start")
        found = odds_of(fight, 4)
        assert found.wins("party").value + found.wins("foes").value == 1


def opened(folder: Path, order: str) -> OpenEncounter:
    there = OpenEncounter.create(folder / "f.toml", "plain", "Orders", SeededDice(1))
    for line in ("add pc Mira hp 20", "add pc Odo hp 20", "add monster Ghoul x2 hp 9"):
        there.do(line)
    for line in ("init mira 15", "init ghoul-1 12", "init odo 10", "init ghoul-2 5"):
        there.do(line)
    there.do(f"setting order {order}")
    there.do("start")
    return there


@pytest.mark.parametrize(
    ("order", "keys", "line"),
    [
        ("popcorn", "space enter", "next ghoul-1"),
        ("popcorn", "space o d enter", "next odo"),
        ("popcorn", "space 4 enter", "next ghoul-2"),
        ("sides", ";y 1 enter", "finish mira"),
        ("sides", ";y 1 , 2 enter", "finish mira,odo"),
        ("rolled", ";n 1 2 enter", "turns-a-round mira 2"),
    ],
)
def test_keys_give_it(tmp_path: Path, order: str, keys: str, line: str) -> None:
    with opened(tmp_path, order) as fight:
        prompt = prompt_after(fight, keys)
        assert (prompt.line, finished(prompt)) == (line, True)


@pytest.mark.parametrize("order", ["rolled", "sides"])
def test_one_key_ends_the_turn_where_nobody_has_to_be_named(tmp_path: Path, order: str) -> None:
    with opened(tmp_path, order) as fight:
        assert prompt_after(fight, "space").instant


def test_a_phone_names_the_next_and_may_do_so_by_itself() -> None:
    fight = popcorn("setting players-act trusted")
    (form,) = (f for f in proposal_forms(fight.history, fight.ruleset, "mira") if f.id == TURN_END)
    assert [name for name, _ in form.fields[0].options] == ["Ghoul 1", "Odo", "Ghoul 2"]
    line = compose_command(fight.history, fight.ruleset, "mira", TURN_END, {"who": "Odo"})
    assert line == "next odo" and may_go_by_itself(fight.history, fight.ruleset, "mira", line)
    with pytest.raises(Refused):
        compose_command(fight.history, fight.ruleset, "mira", TURN_END, {"who": "Mira"})


def test_a_phone_ends_its_characters_turn_within_the_sides() -> None:
    fight = sides("setting players-act trusted")
    line = compose_command(fight.history, fight.ruleset, "odo", TURN_END, {})
    assert line == "finish odo" and may_go_by_itself(fight.history, fight.ruleset, "odo", line)


def test_the_page_and_the_ear_tell_who_is_up_and_nobody_next_where_it_is_open() -> None:
    fight = sides()
    view = players_view(fight.history, fight.ruleset)
    assert (view.up, view.next) == (("Mira", "Odo"), "Ghoul 1")
    assert "The party" in edge_line(fight.ruleset, fight.state)
    fight = popcorn()
    view = players_view(fight.history, fight.ruleset)
    assert (view.up, view.next) == (("Mira",), "")
    assert "next" not in edge_line(fight.ruleset, fight.state)


def test_a_fight_of_any_order_replays_to_itself(tmp_path: Path) -> None:
    with opened(tmp_path, "sides") as fight:
        for line in ("finish mira", "delay by odo", "return odo", "next"):
            fight.do(line)
        fight.do("turns-a-round ghoul-1 2")
        state = fight.state
    with OpenEncounter.open(tmp_path / "f.toml") as again:
        assert again.state.slots == state.slots and again.state.acting == state.acting


def test_a_campaigns_key_asks_for_whoever_may_be_named_next(tmp_path: Path) -> None:
    """docs/house-rules.md, Numbers, keys and names."""
    row = {"key": "V", "command": "next", "fields": [{"kind": "person", "options": ["due"]}]}
    rows = read_tables({"prompts": {"hand-over": row}})
    with OpenEncounter.create(tmp_path / "f.toml", "plain", "Fight", SeededDice(1)) as fight:
        for line in ("add pc Mira hp 9", "add pc Odo hp 9", "add monster Ghoul x2 hp 9"):
            fight.do(line)
        for line in ("setting order popcorn", "init all roll", "start", "next odo"):
            with suppress(Refused):
                fight.do(line)
        fight.ruleset = with_house_rules(fight.ruleset, rows)
        prompt = prompt_after(fight, "V")
        assert prompt.field is not None
        assert {*prompt.field.candidates} == {*choices(fight.state)} != set()


# -- a game's own ----------------------------------------------------------------------------------


def of_sides(*lines: str) -> Fight:
    """A fight of a game whose sides act at once."""
    fight = Fight(replace(load_ruleset("plain"), usual_settings={"order": "sides"}), seed=1)
    fight.do(*lines, "add pc Mira hp 20", "add pc Odo hp 20", "add monster Ghoul hp 9")
    fight.do("init mira 15", "init ghoul 12", "init odo 10", "start")
    return fight


def test_a_games_own_order_is_that_of_its_fights() -> None:
    assert up(of_sides()) == ["mira", "odo"]
    settings = Fight(of_sides().ruleset).report()["settings"]
    assert settings["order"] == "sides"


@pytest.mark.parametrize("order", ["rolled", "popcorn"])
def test_another_order_that_the_table_sets_stands_whenever_it_is_set(order: str) -> None:
    fight = of_sides(f"setting order {order}")
    assert up(fight) == ["mira"] and fight.report()["settings"]["order"] == order
    fight = of_sides()
    fight.do(f"setting order {order}", "setting order sides")
    assert fight.report()["settings"]["order"] == "sides"


def test_a_game_may_deal_its_initiative_anew_each_round() -> None:
    ruleset = replace(load_ruleset("plain"), usual_settings={"dynamic-initiative": "on"})
    fight = Fight(ruleset, seed=1)
    fight.do("add pc Mira hp 20", "add monster Ghoul hp 9", "init all roll", "start", "next")
    assert "round 2 waits for the initiative of Mira" in fight.do("next").text


def test_whoever_replays_it_without_the_rules_has_the_same_order() -> None:
    fight = of_sides()
    state = reduce(
        evolve,
        (e for n in fight.history.path for e in fight.history.entries[n].events),
        Encounter("x"),
    )
    assert {*state.taking_turn()} == {"mira", "odo"}


def test_a_fight_that_was_begun_before_the_game_had_one_keeps_its_own() -> None:
    fight = fight_of("start")
    fight.ruleset = replace(fight.ruleset, usual_settings={"order": "sides"})
    fight.do("add pc Pim hp 9")
    assert up(fight) == ["mira"]
