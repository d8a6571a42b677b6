"""Ability checks: bonuses, outcomes, DCs, advantage, steps, and what they bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("natural", "outcome"),
    [
        (1, "crit-miss"),
        (2, "miss"),
        (6, "miss"),
        (7, "weak"),
        (14, "weak"),
        (15, "strong"),
        (19, "strong"),
        (20, "crit"),
    ],
)
def test_outcomes_by_total_and_natural_die(fight: Fight, natural: int, outcome: str) -> None:
    """Monsters & Magic, Ability Checks (the table): Mira's CUNNING is 3."""
    fight.do(f"check mira cunning natural {natural}")
    assert fight.outcome == outcome


def test_a_natural_20_or_1_is_critical_whatever_the_total(fight: Fight) -> None:
    """Monsters & Magic, ruling 1: critical whatever the total."""
    fight.do("check mira cunning natural 1 plus 30")
    assert fight.outcome == "crit-miss"
    fight.do("check mira cunning natural 20 plus -30 dc 30")
    assert fight.outcome == "crit"


@pytest.mark.parametrize(
    ("total", "dc", "outcome"),
    [
        (11, 12, "miss"),
        (12, 12, "weak"),
        (17, 12, "weak"),
        (18, 12, "strong"),
        (8, 8, "weak"),
        (17, 18, "miss"),
        (18, 18, "strong"),
        (18, 19, "miss"),
        (19, 19, "weak"),
        (20, 19, "strong"),
        (20, 20, "weak"),
        (21, 20, "strong"),
        (24, 25, "miss"),
    ],
)
def test_a_dc_takes_the_place_of_the_ten(fight: Fight, total: int, dc: int, outcome: str) -> None:
    """Monsters & Magic, Difficulty Class; ruling 2: above 18, matching is weak and beating it
    strong."""
    fight.do(f"check mira power natural 5 plus {total - 5} dc {dc}")
    assert (fight.rolled.total, fight.outcome) == (total, outcome)


@pytest.mark.parametrize(
    ("said", "step", "outcome"),
    [
        ("miss", "+1", "weak"),
        ("weak", "+1", "strong"),
        ("strong", "+1", "strong"),
        ("crit", "+1", "crit"),
        ("crit", "-1", "strong"),
        ("crit", "-2", "weak"),
        ("strong", "-1", "weak"),
        ("weak", "-1", "miss"),
        ("miss", "-1", "miss"),
        ("crit-miss", "+1", "miss"),
        ("crit-miss", "-1", "crit-miss"),
        ("miss", "+2", "strong"),
    ],
)
def test_effect_steps_never_make_a_critical(
    fight: Fight, said: str, step: str, outcome: str
) -> None:
    """Monsters & Magic, Effect Steps; ruling 3."""
    fight.do(f"check mira cunning {said} step {step}")
    assert fight.outcome == outcome


@pytest.mark.parametrize(
    ("terms", "natural"),
    [("adv", 15), ("dis", 4), ("advantage adv", 15)],
)
def test_advantage_takes_the_higher_disadvantage_the_lower(
    fight: Fight, terms: str, natural: int
) -> None:
    """Monsters & Magic, Advantage & Disadvantage: no more than one of each."""
    fight.do(f"check mira cunning natural 4,15 {terms}")
    assert fight.rolled.natural == natural


@pytest.mark.parametrize("terms", ["adv dis", "dis adv dis"])
def test_advantage_and_disadvantage_together_take_one_die(fight: Fight, terms: str) -> None:
    """Monsters & Magic, Advantage & Disadvantage: they cancel; every game, ruling 2."""
    fight.refuses(f"check mira cunning natural 4,15 {terms}", "cancel out: give the one die")
    fight.do(f"check mira cunning natural 15 {terms}")
    assert fight.rolled.natural == 15


def test_two_dice_need_a_reason(fight: Fight) -> None:
    """Monsters & Magic, Advantage & Disadvantage."""
    fight.refuses("check mira cunning natural 4,15", "neither")


def test_several_make_a_check_at_once_each_with_a_die_of_their_own(fight: Fight) -> None:
    """Every game, ruling 2: with several it is one die each."""
    fight.do("check mira,brannoc cunning save natural 12,7 dc 12")
    made = [(r.who, r.faces, r.outcome) for r in fight.rolls]
    assert made == [("mira", (12,), "weak"), ("brannoc", (7,), "miss")]
    fight.do("dodge", "check brannoc,mira cunning save natural 4,15 natural 9")
    assert [r.natural for r in fight.rolls] == [15, 9]
    fight.do("check mira,ghoul-1 power weak,strong", "check mira,ghoul-1 luck miss")
    assert [r.outcome for r in fight.rolls] == ["miss", "miss"]
    fight.do("check mira,ghoul-1 luck roll", faces=[3, 17])
    assert [r.total for r in fight.rolls] == [5, 19]


@pytest.mark.parametrize(
    ("dice", "saying"),
    [
        ("mira,brannoc cunning natural 12", "expected 2 rolls"),
        ("mira,brannoc cunning natural 12,3,4", "expected 2 rolls"),
        ("mira,brannoc cunning natural 4,15 natural 9", "there is neither"),
        ("mira,brannoc cunning weak,strong,miss", "expected 2 outcomes"),
        ("mira,brannoc cunning weak,9", "expected an outcome"),
        ("mira cunning natural 9 natural 4", "expected one roll"),
    ],
)
def test_dice_that_do_not_go_with_the_rolls_are_refused(
    fight: Fight, dice: str, saying: str
) -> None:
    """Every game, ruling 2: two dice of one roll need an advantage or disadvantage."""
    fight.refuses(f"check {dice}", saying)


def test_a_talent_is_no_help_with_a_saving_throw(fight: Fight) -> None:
    """Monsters & Magic, Talents: an ability check other than an attack roll or saving throw."""
    fight.refuses("check mira cunning save talent natural 9", "saving throws")
    fight.refuses("check mira cunning natural 9 expertise save", "saving throws")


def test_of_checks_made_at_once_each_is_bent_alone(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: a check, with what came of it; those of others stay."""
    fight.do("check mira,brannoc cunning natural 6,3", "thread brannoc bend-luck")
    assert fight.outcome == "miss"
    assert [fight.track(who, "xp") for who in ("mira", "brannoc")] == [1, 1]
    fight.do("thread brannoc feeling-lucky strong")
    assert [fight.track(who, "xp") for who in ("mira", "brannoc")] == [1, 0]
    fight.do("thread mira bend-luck")
    assert fight.outcome == "weak"
    assert [fight.track(who, "xp") for who in ("mira", "brannoc")] == [0, 0]


def test_of_several_attacks_luck_bends_the_one_against_oneself(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): a check that a creature has made against
    you."""
    fight.do("next", "next", "cast Hail at mira,brannoc natural 9,16 12", "thread mira bend-luck")
    assert (fight.rolled.against, fight.rolled.total, fight.outcome) == ("mira", 9, "miss")
    assert [fight.track(who, "hp") for who in ("mira", "brannoc")] == [24, 22]
    fight.do("thread brannoc bend-luck")
    assert (fight.rolled.against, fight.rolled.total, fight.outcome) == ("brannoc", 17, "weak")
    assert [fight.track(who, "hp") for who in ("mira", "brannoc")] == [24, 28]


def test_a_volley_that_the_program_rolled_is_bent_for_one(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Feeling Lucky): the other attack stays as rolled."""
    fight.do("next", "next")
    fight.do("cast Hail at mira,brannoc 12", faces=[16, 16])
    fight.do("thread mira feeling-lucky natural 5")
    assert [fight.track(who, "hp") for who in ("mira", "brannoc")] == [24, 22]


def test_the_program_rolls_as_many_dice_as_are_needed(fight: Fight) -> None:
    """Monsters & Magic, Ability Checks; Advantage & Disadvantage."""
    fight.do("check mira luck roll", faces=[9])
    assert (fight.rolled.faces, fight.rolled.total, fight.outcome) == ((9,), 11, "weak")
    fight.do("check mira luck roll adv", faces=[9, 17])
    assert (fight.rolled.faces, fight.rolled.total, fight.outcome) == ((9, 17), 19, "strong")
    fight.do("check mira luck roll adv dis", faces=[9])


@pytest.mark.parametrize(
    ("ability", "total"), [("power", 10), ("cunning", 13), ("focus", 12), ("luck", 12)]
)
def test_a_check_adds_the_ability(fight: Fight, ability: str, total: int) -> None:
    """Monsters & Magic, Abilities."""
    fight.do(f"check mira {ability} natural 10")
    assert fight.rolled.total == total


@pytest.mark.parametrize("ability", ["power", "cunning", "focus", "luck"])
def test_a_monster_adds_its_challenge_rating_once(fight: Fight, ability: str) -> None:
    """Monsters & Magic, Abilities; ruling 11: its CR once to every check."""
    fight.do(f"check ghoul-1 {ability} natural 10")
    assert fight.rolled.total == 12
    fight.do("next", "next", "strike brannoc natural 10 5")
    assert fight.rolled.total == 12


@pytest.mark.parametrize(
    ("weapon", "total"), [("", 14), ("agile", 13), ("precise", 12), ("unproficient", 12)]
)
def test_an_attack_adds_the_ability_and_the_proficiency(
    fight: Fight, weapon: str, total: int
) -> None:
    """Monsters & Magic, Ability Checks (Attack roll), Equipment Proficiencies; ruling 10."""
    fight.do(f"strike ghoul-1 natural 10 5 {weapon}")
    assert fight.rolled.total == total


def test_a_talent_adds_the_proficiency_twice_with_expertise(fight: Fight) -> None:
    """Monsters & Magic, Talents: expertise doubles its bonus."""
    fight.do("check brannoc power talent natural 10")
    assert fight.rolled.total == 14
    fight.do("check brannoc power expertise natural 10")
    assert fight.rolled.total == 16


def test_a_forward_is_used_up_by_the_roll_that_it_fits(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do('forward brannoc +2 "next attack"', "check brannoc power natural 10")
    assert fight.rolled.total == 12
    fight.do("strike ghoul-1 natural 10 5")
    assert fight.rolled.total == 16
    assert fight.effects("brannoc") == set()


@pytest.mark.parametrize(("command", "amount"), [("+2", 12), ("-1", 9), ("3", 13)])
def test_a_forward_without_words_fits_every_check(fight: Fight, command: str, amount: int) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do(f"forward mira {command}", "check mira power natural 10")
    assert fight.rolled.total == amount


def test_a_forward_to_ac_is_used_by_the_next_blow(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: +3 forward to your AC."""
    fight.do('forward brannoc +3 "AC"', "damage brannoc 10", "damage brannoc 10")
    assert fight.track("brannoc", "hp") == 30 - 3 - 6


def test_an_ongoing_modifier_lasts_until_its_end(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do("ongoing mira +1 attack until end of mira", "ongoing brannoc -1 check")
    assert (fight.total("mira", "attack"), fight.total("mira", "check")) == (1, 0)
    fight.do("next", "next")
    assert fight.total("mira", "attack") == 0
    assert fight.total("brannoc", "check") == fight.total("brannoc", "attack") == -1


def test_a_hold_stacks_and_is_spent(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: hold of the same type stacks."""
    fight.do("hold mira arrows 3", "hold mira arrows 2", "hold mira arrows -1")
    assert fight.track("mira", "arrows") == 4
    fight.do("hold mira 2 arrows")
    assert fight.track("mira", "arrows") == 6
    fight.refuses("hold mira arrows -7", "holds 6 arrows")
    fight.refuses("hold mira hp 3", "can't be held")


@pytest.mark.parametrize(
    ("outcome", "xp", "threads", "gm"),
    [
        ("crit-miss", 2, 1, 1),
        ("miss", 1, 0, 0),
        ("weak", 0, 0, 0),
        ("strong", 0, 0, 0),
        ("crit", 0, 1, 1),
    ],
)
def test_what_a_characters_check_brings(
    fight: Fight, outcome: str, xp: int, threads: int, gm: int
) -> None:
    """Monsters & Magic, Ability Checks (the table), Threads of Fate."""
    fight.do("set brannoc threads 0", f"check brannoc power {outcome}")
    assert (fight.track("brannoc", "xp"), fight.track("brannoc", "threads")) == (xp, threads)
    assert fight.gm_threads == gm


def test_a_stepped_critical_brings_its_thread_all_the_same(fight: Fight) -> None:
    """Monsters & Magic, Ability Checks: natural 20, gain 1 thread."""
    fight.do("set brannoc threads 0", "check brannoc power natural 20 step -1")
    assert (fight.outcome, fight.track("brannoc", "threads")) == ("strong", 1)


def test_threads_never_exceed_the_proficiency_bonus(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("check mira luck crit")
    assert fight.track("mira", "threads") == 1
    assert fight.gm_threads == 1


def test_a_monsters_check_brings_nobody_anything(fight: Fight) -> None:
    """Monsters & Magic, ruling 9: a PC's natural 20 or 1."""
    fight.do("check ghoul-1 power crit", "check ghoul-1 power crit-miss")
    assert fight.gm_threads == 0
    assert "xp" not in fight.who("ghoul-1")["tracks"]


def test_an_attack_that_misses_brings_experience(fight: Fight) -> None:
    """Monsters & Magic, Ability Checks: an attack roll is one."""
    fight.do("strike ghoul-1 natural 2 5", "strike ghoul-1 crit-miss")
    assert fight.track("brannoc", "xp") == 3


def test_cover_and_concealment_take_two_from_the_attack(fight: Fight) -> None:
    """Monsters & Magic, Concealment, Cover."""
    fight.do("strike ghoul-1 natural 10 8 cover")
    assert fight.rolled.total == 12
    assert fight.track("ghoul-1", "hp") == 18
    fight.do("strike ghoul-1 natural 10 8 concealed")
    assert fight.rolled.total == 12
    assert fight.track("ghoul-1", "hp") == 16


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ('"next attack" until end of mira', "next attack"),
        ("next attack until the end of mira's next turn", "next attack"),
        ("until end of mira next attack", "attack"),
        ("for the next attack until end of mira", "for the next attack"),
        ("attack for 1 turn", "attack"),
    ],
)
def test_a_forward_ends_when_it_is_used_or_in_time(fight: Fight, words: str, note: str) -> None:
    """Monsters & Magic, Forward: after it is used, or until the condition described is met."""
    fight.do(f"forward mira +2 {words}")
    assert fight.until("mira", "forward") == "end of mira's next turn"
    assert fight["mira"].effects[0].note == note
    fight.do("check mira power natural 9", "next")
    assert fight.effects("mira") == {"forward"}
    fight.do("next")
    assert fight.effects("mira") == set()


def test_a_forward_with_an_end_is_used_before_it(fight: Fight) -> None:
    """Monsters & Magic, Forward."""
    fight.do("forward brannoc +2 attack until fight", "strike ghoul-1 natural 12 8")
    assert (fight.rolled.total, fight.effects("brannoc")) == (18, set())


def test_a_hold_may_be_written_as_the_rules_write_it(fight: Fight) -> None:
    """Monsters & Magic, Hold: hold 3-arrows."""
    fight.do("hold mira 3-arrows", "hold mira cold-arrows 2")
    assert (fight.track("mira", "arrows"), fight.track("mira", "cold-arrows")) == (3, 2)


def test_the_dying_hold_deathsaves(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: hold 1-deathsave; three stabilise."""
    fight.refuses("hold mira 1-deathsave", "only the dying hold deathsaves")
    fight.do("damage mira 99", "hold mira 1-deathsave")
    assert fight.track("mira", "deathsaves") == 1
    fight.refuses("hold mira deathsaves -1", "can't be spent")
    fight.refuses("hold mira deathsaves 1 until end of mira", "until the dying are stable")
    fight.do("hold mira deathsaves 2")
    assert fight.state["mira"].life == "stable"


def test_a_hold_ends_when_its_condition_is_met(fight: Fight) -> None:
    """Monsters & Magic, Hold: until the condition described when it was received is met."""
    fight.do("hold mira arrows 2", "hold mira arrows 3 until start of mira")
    assert fight.track("mira", "arrows") == 5
    fight.do("hold mira arrows -1")
    assert fight["mira"].effects[0].amount == 2
    fight.do("next")
    assert (fight.track("mira", "arrows"), fight.effects("mira")) == (2, set())
    fight.do("undo", "hold mira arrows -3", "next")
    assert (fight.track("mira", "arrows"), fight.effects("mira")) == (1, set())


def test_charges_go_with_the_spell_that_they_hang_on(fight: Fight) -> None:
    """Effects that hang on a concentration end with it."""
    fight.do(
        "concentrate fog", "hold mira motes 2 concentrating fog", "remove brannoc concentrating"
    )
    assert (fight.track("mira", "motes"), fight.effects("mira")) == (0, set())


def test_charges_that_end_first_are_spent_first(fight: Fight) -> None:
    """Monsters & Magic, Hold: of one type it stacks, each with its end."""
    fight.do("hold mira wards 2 for 3 turns", "hold mira wards 2 until end of brannoc")
    fight.do("hold mira wards -2")
    assert fight.effects("mira") == {"holding"}
    fight.do("next")
    assert fight.track("mira", "wards") == 2
    fight.do("end")
    assert fight.track("mira", "wards") == 0
    fight.refuses("hold mira wards -1", "holds 0 wards")


def test_only_what_is_gained_has_an_end(fight: Fight) -> None:
    """A mistake gets one clear line."""
    fight.do("hold mira arrows 3")
    fight.refuses("hold mira arrows -1 until end of mira", "only to charges gained")
    fight.refuses("hold mira arrows 2 until noon", "expected its end")
