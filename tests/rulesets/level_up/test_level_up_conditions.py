"""Conditions, ongoing damage, modifiers. Level Up, Ongoing Damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.level_up.conftest import Fight

NAMED = (
    "blinded",
    "grappled",
    "invisible",
    "poisoned",
    "prone",
    "restrained",
    "suffocating",
    "unconscious",
    "doomed",
)
"""The conditions that the text names."""


@pytest.mark.parametrize("name", [*NAMED, "raging", "hidden", "concentrating"])
def test_the_conditions_that_the_text_names_can_be_laid(fight: Fight, name: str) -> None:
    fight.do(f"inflict mira {name}")
    assert name in fight.effects("mira") and fight.until("mira", name).startswith("until ")
    fight.do(f"remove mira {name}")
    assert name not in fight.effects("mira")


def test_several_at_once_on_several(fight: Fight) -> None:
    """18."""
    fight.do("inflict ghoul-1,ghoul-2 poisoned,prone for 2 turns from mira")
    for ghoul in ("ghoul-1", "ghoul-2"):
        assert fight.effects(ghoul) == {"poisoned", "prone"}
        assert fight.who(ghoul)["effects"][0]["source"] == "mira"


def test_ends_in_the_usual_words(fight: Fight) -> None:
    ends = {
        "for 2 turns": "end of ghoul-1's 2nd turn from now",
        "until start of mira": "start of mira's next turn",
        "until end of mira": "end of mira's next turn",
        "until round 3": "end of round 3",
        "until rest": "until a rest",
        "until fight": "until the fight ends",
        "until used": "until used",
        "until removed": "until removed",
        '"the net is cut"': "until the net is cut",
        "": "until removed",
    }
    for said, until in ends.items():
        fight.do(f"inflict ghoul-1 poisoned {said}")
        assert fight.until("ghoul-1", "poisoned") == until
        fight.do("undo")
    fight.refuses("inflict ghoul-1 poisoned for 2 turns until rest", "one duration, not two")


def test_words_beside_a_duration_are_a_note(fight: Fight) -> None:
    """What ends it besides is for the table to see."""
    fight.do('inflict ghoul-1 ongoing 3 fire for 2 turns "until smothered"')
    effect = fight.who("ghoul-1")["effects"][0]
    assert effect["until"].startswith("end of ghoul-1") and effect["note"] == "until smothered"


def test_what_ends_with_turns_ends_with_them(fight: Fight) -> None:
    fight.do("inflict ghoul-1 blinded until start of mira", "inflict ghoul-1 poisoned for 1 turn")
    fight.do("next")
    assert fight.effects("ghoul-1") == {"poisoned"}
    fight.do("next", "next")
    assert fight.effects("ghoul-1") == set()


def test_the_same_condition_twice_is_there_until_both_have_ended(fight: Fight) -> None:
    """Each instance has its end."""
    fight.do("inflict mira poisoned until start of mira", "inflict mira poisoned")
    fight.do("next")
    assert fight.effects("mira") == {"poisoned"}


def test_nobody_gets_a_condition_that_they_are_immune_to(with_more: Callable[..., Fight]) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity; ruling 36: among several the immune
    are left out."""
    fight = with_more("add monster Imp hp 9 ac 13 immune poisoned,prone")
    fight.refuses("inflict imp poisoned", "Imp is immune to poisoned")
    fight.refuses("inflict imp poisoned,prone", "immune")
    fight.do("inflict imp,mira poisoned")
    assert (fight.effects("imp"), fight.effects("mira")) == (set(), {"poisoned"})
    assert "Imp is immune to poisoned" in fight.notes
    fight.do("inflict imp poisoned,blinded")
    assert fight.effects("imp") == {"blinded"}


def test_no_condition_brings_one_that_somebody_is_immune_to(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: an ooze that lies unconscious isn't
    prone."""
    fight = with_more("add monster Ooze hp 20 ac 8 immune prone important")
    fight.do("damage ooze 20")
    assert (fight.who("ooze")["life"], fight.effects("ooze")) == ("dying", {"unconscious"})


def test_immunity_to_a_condition_can_be_laid(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity."""
    fight.do("inflict mira immunity prone for 1 turn")
    fight.refuses("inflict mira prone", "Mira is immune to prone")


def test_the_dead_get_no_condition(fight: Fight) -> None:
    fight.do("damage ghoul-1 22")
    fight.refuses("inflict ghoul-1 prone", "Ghoul 1 is dead")


def test_a_grapple_ends_when_its_source_is_unconscious_dead_or_gone(fight: Fight) -> None:
    for end in ("inflict ghoul-1 unconscious", "damage ghoul-1 22", "leave ghoul-1"):
        fight.do("inflict mira grappled from ghoul-1", end)
        assert fight.effects("mira") == set(), end
        fight.do("undo 2")
    fight.do("inflict mira grappled from brannoc", "damage brannoc 34")
    assert fight.effects("mira") == {"grappled"}
    fight.do("damage brannoc 6")
    assert fight.effects("mira") == set()


def test_unconscious_brings_prone_and_bars_everything(fight: Fight) -> None:
    """Level Up, Actions in Combat; ruling 29."""
    fight.do("inflict brannoc unconscious")
    assert fight.effects("brannoc") == {"unconscious", "prone"}
    assert fight["brannoc"].life == "up"
    fight.refuses("dash", "unconscious")
    fight.do("remove brannoc unconscious", "dash")


def test_nothing_is_invented_for_labels(fight: Fight) -> None:
    """Poisoned, restrained, suffocating change no number."""
    before = fight.who("mira")["totals"]
    fight.do("inflict mira poisoned,restrained,suffocating,grappled,blinded")
    assert fight.who("mira")["totals"] == before
    assert fight.reason("mira", "dash").startswith("it is")


def test_what_is_no_condition_is_refused_with_what_is_close(fight: Fight) -> None:
    fight.refuses("inflict mira poisond", "did you mean poisoned, or an effect")
    fight.refuses("inflict mira", "expected a condition")
    fight.refuses("inflict mira at-zero", "is no condition")


def test_what_has_an_amount_or_a_type_is_laid_by_itself(fight: Fight) -> None:
    """The refusal doesn't offer the word that it refuses."""
    fight.refuses("inflict mira prone,ongoing 3 fire", "ongoing must be given on its own")


def test_an_effect_of_any_name(fight: Fight) -> None:
    fight.do('inflict mira "Evil Eye" attack -2 for 1 turn')
    assert fight.total("mira", "attack") == -2
    fight.refuses('inflict mira "Evil Eye" courage -2', "courage")


# -- ongoing damage --------------------------------------------------------------------------------


def test_ongoing_damage_comes_at_the_end_of_each_of_its_bearers_turns(fight: Fight) -> None:
    """Level Up, Ongoing Damage."""
    fight.do("inflict brannoc ongoing 6")
    assert fight.hp("brannoc") == 40
    fight.do("next")
    assert fight.hp("brannoc") == 34
    fight.do("next", "next", "next", "next")
    assert fight.hp("brannoc") == 28
    fight.do("remove brannoc ongoing", "next", "next", "next", "next")
    assert fight.hp("brannoc") == 28


def test_ongoing_damage_of_a_type_is_of_that_type(fight: Fight) -> None:
    """Level Up, Ongoing Damage: without one neither resistance nor vulnerability touches it."""
    fight.do("inflict brannoc resistance all", "inflict brannoc ongoing 6 fire")
    fight.do("inflict brannoc ongoing 4", "next")
    assert fight.hp("brannoc") == 33


def test_ongoing_dice_are_rolled_anew_each_time(fight: Fight) -> None:
    """Level Up, Ongoing Damage: 1d10 ongoing fire damage."""
    fight.do('inflict brannoc ongoing 1d10 fire "until smothered"')
    effect = fight.who("brannoc")["effects"][0]
    assert (effect["dice"], effect["type"], effect["until"]) == ("1d10", "fire", "until smothered")
    fight.do("next", faces=(7,))
    assert fight.hp("brannoc") == 33
    fight.do("next", "next", "next").do("next", faces=(2,))
    assert fight.hp("brannoc") == 31


def test_several_ongoing_damages_run_side_by_side(fight: Fight) -> None:
    """Level Up, Ongoing Damage."""
    fight.do("inflict brannoc ongoing 6 fire", "inflict brannoc ongoing 3 acid", "next")
    assert fight.hp("brannoc") == 31
    assert [e["name"] for e in fight.who("brannoc")["effects"]] == ["ongoing", "ongoing"]


def test_ongoing_damage_comes_before_what_ends_with_the_turn(fight: Fight) -> None:
    """Level Up, Ongoing Damage."""
    fight.do("inflict mira ongoing 6 until end of mira", "next", "next")
    assert (fight.hp("mira"), fight.effects("mira")) == (18, set())


def test_ongoing_damage_is_shown_with_its_amount(fight: Fight) -> None:
    """18."""
    fight.do("inflict mira ongoing 4 cold for 2 turns")
    effect = fight.who("mira")["effects"][0]
    assert (effect["name"], effect["amount"], effect["type"]) == ("ongoing", 4, "cold")
    fight.refuses("inflict mira ongoing", "the damage at the end")
    fight.refuses("inflict mira ongoing 0", "must be from 1 to 999999")
    fight.refuses("inflict mira ongoing 4 colt", "did you mean cold?")


@pytest.mark.parametrize("what", ["resistance", "vulnerability", "immunity"])
def test_what_is_laid_against_a_type_is_shown_with_it(fight: Fight, what: str) -> None:
    """18."""
    fight.do(f"inflict mira,brannoc {what} fire for 1 turn")
    effect = fight.who("mira")["effects"][0]
    assert (effect["name"], effect["type"]) == (what, "fire")
    fight.refuses(f"inflict mira {what}", f"the type of {what}")
    fight.refuses(f"inflict mira {what} fier", "did you mean fire?")


# -- modifiers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what",
    ["attack", "damage", "damage-taken", "ac", "save", "check", "hide", "speed", "initiative"],
)
def test_a_modifier_to_each_of_them(fight: Fight, what: str) -> None:
    """18."""
    total = what.replace("-", "_")
    before = fight.total("mira", total)
    fight.do(f'modifier mira +2 {what} "a blessing"')
    assert fight.total("mira", total) == before + 2
    assert (2, "a blessing") in fight.why("mira", total)


def test_modifiers_add_up_and_end(fight: Fight) -> None:
    """18."""
    fight.do("modifier mira,brannoc +2 attack,ac until start of mira", "modifier mira -1 attack")
    assert (fight.total("mira", "attack"), fight.total("brannoc", "attack")) == (1, 2)
    assert (fight.total("mira", "ac"), fight.total("brannoc", "ac")) == (16, 19)
    fight.do("next")
    assert (fight.total("mira", "attack"), fight.total("mira", "ac")) == (-1, 14)


def test_a_modifier_to_damage_is_added_to_an_attacks(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: flat, after doubling."""
    fight.do("modifier brannoc +2 damage", "attack ghoul-1 crit 4")
    assert fight.hp("ghoul-1") == 12


def test_advantage_and_disadvantage_that_the_gm_gives(fight: Fight) -> None:
    """18."""
    fight.do("modifier brannoc adv attack for 1 turn", "attack ghoul-1 natural 4,15 5")
    assert fight.outcome == "hit"
    fight.do("modifier brannoc dis attack")
    fight.refuses("attack ghoul-1 natural 4,15 5", "there is neither")
    fight.do("modifier mira dis check,save", "check mira wis natural 4,15 dc 10")
    assert fight.outcome == "failure"


def test_an_advantage_until_it_is_used(fight: Fight) -> None:
    """18."""
    fight.do("modifier mira adv check until used", "check mira wis natural 4,15 dc 10")
    assert fight.outcome == "success" and not fight.effects("mira")


def test_an_advantage_on_initiative(gathered: Fight) -> None:
    """18."""
    gathered.do("modifier mira adv initiative", "init mira natural 4,15")
    assert gathered.who("mira")["initiative"] == 18


def test_the_gm_may_give_advantage_on_the_rolls_of_one_ability(fight: Fight) -> None:
    """18."""
    fight.do("modifier mira adv dex-save", "check mira dex save natural 4,15 dc 15")
    assert fight.outcome == "success"
    fight.refuses("check mira wis save natural 4,15 dc 15", "there is neither")


def test_a_modifier_that_makes_no_sense_is_refused(fight: Fight) -> None:
    fight.refuses("modifier mira +0 attack", "changes nothing")
    fight.refuses(
        "modifier mira adv speed", "expected the roll or number it changes, found 'speed': one of "
    )
    fight.refuses("modifier mira +2 atack", "did you mean attack?")
    fight.refuses("modifier mira attack +2", "the bonus or penalty")


def _last(fight: Fight) -> str:
    """What the last command says of itself."""
    return fight.history.entries[fight.history.last].text


def test_who_is_immune_is_not_said_to_have_it(fight: Fight) -> None:
    fight.do("inflict ghoul-1 immunity poisoned", "inflict ghoul-1,brannoc poisoned,blinded")
    told = "Brannoc is poisoned; Ghoul 1 and Brannoc are blinded"
    assert _last(fight) == told


def test_why_tells_advantage_and_disadvantage(fight: Fight) -> None:
    fight.do("modifier mira adv attack,save", "inflict mira fallen-back", "help mira")
    assert fight.why("mira", "attack") == [
        ("advantage", "modifier"),
        ("disadvantage", "fallen-back"),
    ]
    assert fight.why("mira", "save") == [("advantage", "modifier")]
    assert fight.why("mira", "hide") == [("advantage", "helped")]


def test_what_is_had_is_told_as_such_when_it_is_taken_away(fight: Fight) -> None:
    fight.do("inflict mira immunity fire", "remove mira immunity")
    assert _last(fight) == "Mira no longer has immunity fire"
    fight.do("inflict mira ongoing 3", "remove mira ongoing")
    assert _last(fight) == "Mira no longer has ongoing 3"
    fight.do("inflict mira poisoned", "remove mira poisoned")
    assert _last(fight) == "Mira is no longer poisoned"


def test_a_leaning_modifier_is_told_in_words(fight: Fight) -> None:
    fight.do("modifier mira dis attack,save")
    assert _last(fight) == "Mira: disadvantage on attack and save"


def test_levels_are_marked_and_not_inflicted(fight: Fight) -> None:
    """What a level does comes with the level, and is no condition of its own."""
    fight.refuses("inflict mira fatigue-2", "is no condition")
