"""What damage goes to is the track whose row says so, whatever its name; or there is none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.other_bones import BONES, PEOPLE

from affray import Fight, Refused
from affray.core.engine.reminders import is_reminder
from affray.core.engine.state import Encounter
from affray.core.formatting.players_view import players_view
from affray.core.formatting.spoken_answers import how_are
from affray.core.rules.ruleset import Context, Ruleset, StateRules
from affray.core.rules.tables import Tables, read_tables
from affray.mechanics import damage
from affray.mechanics.sheet import FieldSheet, SheetFieldGroup, hp_field, track_fields
from affray.odds import odds_of


def game(row: dict[str, object] | None, cushion: bool = False) -> Ruleset:
    """A game whose health is `grit`, as that row has it; None for one without any."""
    tracks = {"grit": {"label": "Grit", "everybody": True, **(row or {})}}
    if cushion:
        tracks["shield"] = {"label": "Shield", "recap": "cushion"}
    names = tuple(tracks)

    class Sheets(FieldSheet):
        def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
            return (track_fields(*names),)

        def complete(self, ctx, kind, sheet):
            marked = tables.tracks["grit"].counts == "marked"
            return sheet.stats, {
                name: track.marked if marked else track.left for name, track in sheet.tracks.items()
            }

    tables = read_tables({"tracks": tracks, "outcomes": {"hit": {"key": "h"}}})
    hit = replace(damage.damage_command("harms", damage.DamageArgs, _deal), acts=True)
    heal = damage.heal_command("heals", damage.regain_hp)
    temp = damage.temp_hp_command("shields")
    commands = {each.name: each for each in (hit, heal, temp)}
    own = replace(BONES, tables=tables, commands=commands, state=StateRules())
    return replace(own, sheet=Sheets(), usual_attack="")


def _deal(ctx: Context, combatant_id: str, args: damage.DamageArgs, half: bool) -> None:
    target = damage.resolve_damage_target(ctx, combatant_id)
    damage.lose_hp(ctx, target.id, args.amount, "hurt")


def fight(row: dict[str, object] | None, cushion: bool = False) -> Fight:
    there = Fight(game(row, cushion), seed=1)
    there.do("add pc Mira grit 10", "add monster Ghoul grit 6", "init mira 15", "init ghoul 5")
    there.do("start")
    return there


LEFT = {"recap": "damage"}
MARKED = {"recap": "damage", "counts": "marked"}


@pytest.mark.parametrize(("row", "after", "healed"), [(LEFT, 6, 8), (MARKED, 4, 2)])
def test_damage_and_healing_go_to_what_the_game_calls_health(row, after, healed) -> None:
    there = fight(row)
    there.do("damage mira 4")
    assert there["mira"].grit == after
    there.do("heal mira 2")
    assert there["mira"].grit == healed
    there.do("damage mira 99")
    assert there["mira"].grit == (0 if row is LEFT else 10)


def test_a_cushion_goes_first_whatever_its_name() -> None:
    there = fight(LEFT, cushion=True)
    there.do("temp mira 3", "damage mira 4")
    assert (there["mira"].shield, there["mira"].grit) == (0, 9)


@pytest.mark.parametrize("line", ["damage mira 3", "temp mira 3"])
def test_without_any_health_nothing_can_be_damaged(line: str) -> None:
    with pytest.raises(Refused, match=r"Mira has no HP that could be"):
        fight(None).do(line)


def test_a_refusal_has_the_games_own_name() -> None:
    there = fight(LEFT)
    there.do("end", "add hazard Pit")
    with pytest.raises(Refused, match="Pit has no grit that could be damaged"):
        there.do("damage pit 3")


def test_a_sheet_must_have_what_its_fields_call_health() -> None:
    with pytest.raises(Refused, match="expected `grit` and a number"):
        fight(LEFT).do("add pc Odo")
    assert "odo" in (there := fight(None)) or there.do("add pc Odo")


def test_hp_may_be_read_under_another_name() -> None:
    assert hp_field(name="grit").names == ("grit",)


@pytest.mark.parametrize(
    ("row", "heard", "seen"),
    [
        (LEFT, "Mira, their turn, 6 of 10", "hurt"),
        (MARKED, "Mira, their turn, grit 4 of 10", "hurt"),
        (None, "Mira, their turn", ""),
    ],
)
def test_the_ear_and_the_page_tell_it(row, heard: str, seen: str) -> None:
    there = fight(row)
    there.do("set mira grit 6" if row is LEFT else "set mira grit 4")
    assert how_are(there.ruleset, there.state, [there["mira"].now]).lines[0].startswith(heard)
    there.do("setting players-health words")
    view = players_view(there.history, there.ruleset)
    assert {each.health for each in view.people if each.name == "Mira"} <= {seen, ""}


@pytest.mark.parametrize("row", [LEFT, MARKED])
def test_the_recap_counts_damage_and_healing_by_it(row) -> None:
    there = fight(row)
    there.do("damage ghoul 4", "heal ghoul 1", "end")
    ghoul = next(each for each in there.recap().people if each.name == "Ghoul")
    assert (ghoul.taken, there.recap().health) == (4, "Grit")


def test_half_of_it_is_the_moment_that_texts_speak_of() -> None:
    there = fight(LEFT)
    text = "The turn in which it is reduced to half its grit, it howls."
    there.do("end", f'add monster Howler text "{text}" grit 6', "init howler,mira,ghoul 3", "start")
    events = there.do("damage howler 3").events
    assert any(map(is_reminder, events))


@pytest.mark.parametrize("attack", ["risk", "risk NAME roll"])
def test_odds_play_a_game_without_hp(attack: str) -> None:
    there = Fight(replace(BONES, usual_attack=attack), seed=1)
    there.do(*PEOPLE)
    found = odds_of(there, 4)
    assert found.wins("party").value > 0


def test_odds_play_an_attack_that_takes_no_roll() -> None:
    there = Fight(replace(game(LEFT), usual_attack="damage NAME 2", state=BONES.state), seed=1)
    there.do("add pc Mira grit 10", "add monster Ghoul grit 6", "init mira 15", "init ghoul 5")
    found = odds_of(there, 4)
    assert found.wins("party").value == 1


def test_who_has_no_health_counts_as_the_last_to_be_attacked() -> None:
    from affray.odds.simulation import attack_the_weakest

    there = Fight(game(LEFT), seed=1)
    there.do("add pc Mira grit 10", "add hazard Pit", "add monster Ghoul grit 6")
    state: Encounter = there.state
    ruleset = replace(there.ruleset, usual_attack="damage NAME 2")
    assert attack_the_weakest(state, ruleset, state["mira"]) == "damage ghoul 2 by mira"
