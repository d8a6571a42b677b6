"""The actions in combat. Seed 003: Actions in Combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.events import Rolled
from affray.rulesets import load_ruleset
from affray.rulesets.orcus.techniques import ACTIONS, REACTIONS

if TYPE_CHECKING:
    from tests.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]
BRANNOC = (
    "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8{}"
    " attack Sword +7 vs ac 1d8+4"
)
OTHERS = (
    "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6 bluff 9 heal 7"
    " attack Bow +8 vs ac 1d10+3 ranged",
    "add monster Goblin x2 hp 26 ac 16 fort 13 ref 14 will 12 init 4 attack Axe +6 vs ac 1d8+3",
)
ORDER = ("init brannoc 17", "init mira 12", "init goblin-1 10", "init goblin-2 10", "start")
FOX = "add monster Fox hp 10 companion of brannoc"


def with_skills(new_fight: NewFight, *skills: str) -> Fight:
    """The usual people; Brannoc has the skills that are said as well."""
    brannoc = BRANNOC.format("".join(f" {skill}" for skill in skills))
    return new_fight(brannoc, *OTHERS, *ORDER)


# -- what they cost -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("attack goblin-1 miss", (0, 1, 1)),
        ("charge goblin-1 miss", (0, 1, 1)),
        ("aid-another mira", (0, 1, 1)),
        ("create-diversion goblin-1 miss", (0, 1, 1)),
        ("deter goblin-1 miss", (0, 1, 1)),
        ("feint goblin-1 miss", (0, 1, 1)),
        ("grapple goblin-1 miss", (0, 1, 1)),
        ("help-attack mira goblin-1", (0, 1, 1)),
        ("help-defense mira goblin-1", (0, 1, 1)),
        ("rally", (0, 1, 1)),
        ("shove goblin-1 miss", (0, 1, 1)),
        ("total-defense", (0, 1, 1)),
        ("treat-ally mira save miss", (0, 1, 1)),
        ("walk", (1, 0, 1)),
        ("dash", (1, 0, 1)),
        ("crawl", (1, 0, 1)),
        ("squeeze", (1, 0, 1)),
        ("five-foot-step", (1, 0, 1)),
        ("interact door", (1, 1, 0)),
        ("free shouts", (1, 1, 1)),
        ("drop-prone", (1, 1, 1)),
    ],
)
def test_each_action_costs_its_kind_of_action(
    fight: Fight, line: str, left: tuple[int, int, int]
) -> None:
    """Seed 003: Your Turn (Standard, Move, Swift, Free Actions)."""
    assert fight.do(line).actions("brannoc") == left


def test_every_action_has_a_row_and_every_row_an_action() -> None:
    """Seed 003: Actions in Combat."""
    rows = load_ruleset("orcus").tables.techniques
    assert set(rows) == {*ACTIONS, *REACTIONS}
    assert all(row.text and row.key for row in rows.values())


@pytest.mark.parametrize(
    "line",
    ["attack goblin-1 hit 5", "rally", "total-defense", "grapple goblin-1 hit", "stand-up"],
)
def test_no_second_standard_action_in_a_turn(fight: Fight, line: str) -> None:
    """Seed 003: Your Turn."""
    fight.do("attack goblin-1 miss", "walk", "interact").refuses(line)


# -- Basic Attack, Charge, Coup de Grace --------------------------------------------------------


def test_basic_attack_hits_for_what_was_rolled(fight: Fight) -> None:
    """Seed 003: Basic Attack."""
    fight.do("attack goblin-1 hit 8")
    assert fight.hp("goblin-1") == 18
    assert fight.shown["undo"] == "Brannoc attacks Goblin 1, hit 8"


def test_charge_adds_one_to_the_attack_roll(fight: Fight) -> None:
    """Seed 003: Charge. 7 + 1 + 8 = 16 hits AC 16, which 15 would not."""
    fight.do("charge goblin-1 natural 8 5")
    assert (fight.outcome, fight.rolled.total, fight.hp("goblin-1")) == ("hit", 16, 21)
    assert "charge" in fight.rolled.why


def test_charge_may_end_in_a_shove(new_fight: NewFight) -> None:
    """Seed 003: Charge, Shove. Strength 4 + 1 against Fortitude 13."""
    fight = with_skills(new_fight, "strength 4").do("charge shove goblin-1 natural 8")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_charge_is_made_in_melee(fight: Fight) -> None:
    """Seed 003: Charge (a single basic melee attack)."""
    fight.do("next").refuses("charge goblin-1 hit 5 with Bow", "melee")


@pytest.mark.parametrize("what", ["charge goblin-1 hit 5", "walk", "dash", "five-foot-step"])
def test_nobody_moves_who_is_immobile(fight: Fight, what: str) -> None:
    """Seed 003: Conditions (Immobile)."""
    fight.do("inflict brannoc immobile").refuses(what, "immobile")


def test_coup_de_grace_makes_any_hit_critical(fight: Fight) -> None:
    """Seed 003: Coup de Grace."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 9")
    assert (fight.outcome, fight.hp("goblin-1")) == ("crit", 17)


def test_coup_de_grace_kills_with_the_staggered_value(fight: Fight) -> None:
    """Seed 003: Coup de Grace. Half of 26 is 13."""
    fight.do("inflict goblin-1 helpless", "coup-de-grace goblin-1 hit 13")
    assert fight["goblin-1"].life == "dead"


def test_coup_de_grace_needs_somebody_helpless(fight: Fight) -> None:
    """Seed 003: Coup de Grace. The unconscious are taken as helpless."""
    fight.refuses("coup-de-grace goblin-1 hit 9", "not helpless")
    fight.do("inflict goblin-1 unconscious", "coup-de-grace goblin-1 hit 9")
    assert fight.outcome == "crit"


# -- movement -----------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["walk", "dash", "squeeze", "five-foot-step"])
def test_the_prone_only_crawl(fight: Fight, what: str) -> None:
    """Seed 003: Being Prone, Conditions (Prone)."""
    fight.do("drop-prone").refuses(what, "prone")
    assert fight.do("crawl").actions("brannoc") == (1, 0, 1)


def test_standing_up_ends_prone(fight: Fight) -> None:
    """Seed 003: Stand Up from Prone."""
    fight.do("inflict brannoc prone", "stand-up")
    assert "prone" not in fight.effects("brannoc")
    assert fight.actions("brannoc") == (1, 0, 1)
    fight.refuses("stand-up", "not prone")


def test_dropping_prone_is_free_and_done_once(fight: Fight) -> None:
    """Seed 003: Free Actions, Being Prone."""
    fight.do("drop-prone")
    assert "prone" in fight.effects("brannoc")
    fight.refuses("drop-prone", "already")


def test_a_dash_exposes_until_the_end_of_the_next_turn(fight: Fight) -> None:
    """Seed 003: Dash."""
    fight.do("dash")
    assert fight.total("brannoc", "attack") == -5
    fight.do("next", "attack brannoc natural 8 5 by mira")
    assert "combat advantage" in fight.rolled.why
    fight.do("next", "next", "next")
    assert fight.state.turn == "brannoc" and "dashing" in fight.effects("brannoc")
    fight.do("next")
    assert "dashing" not in fight.effects("brannoc")


def test_squeezing_lasts_until_one_walks_out(fight: Fight) -> None:
    """Seed 003: Squeeze."""
    fight.do("squeeze")
    assert fight.total("brannoc", "attack") == -5
    fight.do("squeeze")  # the standard action pays for it
    assert [e.name for e in fight["brannoc"].effects] == ["squeezing"]
    fight.do("next", "next", "next", "next", "walk")
    assert "squeezing" not in fight.effects("brannoc")


# -- Grapple ------------------------------------------------------------------------------------


def test_grapple_is_strength_against_reflex(new_fight: NewFight) -> None:
    """Seed 003: Grapple. 10 + 4 reaches Reflex 14."""
    fight = with_skills(new_fight, "strength 4").do("grapple goblin-1 natural 10")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 14, 14)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("next", "next").refuses("walk", "grappled")


def test_a_grapple_that_misses_holds_nobody(fight: Fight) -> None:
    """Seed 003: Grapple."""
    fight.do("grapple goblin-1 natural 13")
    assert fight.outcome == "miss" and "grappled" not in fight.effects("goblin-1")


def test_a_strength_attack_has_combat_advantage_too(new_fight: NewFight) -> None:
    """Seed 003: Combat Advantage, Grapple."""
    fight = with_skills(new_fight, "strength 4")
    fight.do("inflict goblin-1 restrained", "grapple goblin-1 natural 8")
    assert fight.rolled.total == 14 and fight.outcome == "hit"


@pytest.mark.parametrize("condition", ["stunned", "unconscious", "petrified"])
def test_the_incapacitated_are_grappled_without_a_roll(fight: Fight, condition: str) -> None:
    """Seed 003: Grapple."""
    fight.refuses("grapple goblin-1")
    fight.do(f"inflict goblin-1 {condition}", "grapple goblin-1")
    assert "grappled" in fight.effects("goblin-1")
    assert not any(isinstance(event, Rolled) for event in fight.events)


def test_a_grapple_ends_when_the_grappler_is_stunned(fight: Fight) -> None:
    """Seed 003: Grapple."""
    fight.do("grapple goblin-1 hit", "inflict brannoc stunned")
    assert "grappled" not in fight.effects("goblin-1")


def test_letting_go_is_free(fight: Fight) -> None:
    """Seed 003: Free Actions (End a grapple)."""
    fight.refuses("release goblin-1", "not grappled")
    fight.do("grapple goblin-1 hit", "release goblin-1")
    assert fight.actions("brannoc") == (0, 1, 1)
    assert "grappled" not in fight.effects("goblin-1")


@pytest.mark.parametrize(("skill", "dc"), [("athletics", 16), ("acrobatics", 14)])
def test_escape_is_against_the_grapplers_fortitude_or_reflex(
    fight: Fight, skill: str, dc: int
) -> None:
    """Seed 003: Escape a Grapple."""
    fight.do("grapple goblin-1 hit", "next", "next", f"escape {skill} natural {dc - 1}")
    assert (fight.outcome, fight.rolled.dc) == ("miss", dc)
    assert "grappled" in fight.effects("goblin-1")
    fight.do("undo", f"escape {skill} natural {dc}")
    assert "grappled" not in fight.effects("goblin-1")
    assert fight.actions("goblin-1") == (0, 1, 1)


def test_only_the_grappled_escape(fight: Fight) -> None:
    """Seed 003: Escape a Grapple."""
    fight.refuses("escape athletics hit", "not grappled")


def test_of_two_grapples_one_escapes_one(fight: Fight) -> None:
    """Seed 003: Escape a Grapple, Conditions (each instance by itself)."""
    fight.do("grapple goblin-1 hit", "next", "grapple goblin-1 hit", "next")
    fight.do("escape from mira hit")
    assert [e.source for e in fight["goblin-1"].effects if e.name == "grappled"] == ["brannoc"]


def test_dragging_is_strength_against_fortitude(new_fight: NewFight) -> None:
    """Seed 003: Move a Grappled Creature."""
    fight = with_skills(new_fight, "strength 4")
    fight.refuses("move-grappled hit", "holds nobody")
    fight.do("grapple goblin-1 hit", "next", "next", "next", "next", "move-grappled natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)
    assert fight.shown["undo"] == "Brannoc drags Goblin 1 along at half the speed"


# -- Shove --------------------------------------------------------------------------------------


def test_shove_is_strength_against_fortitude(new_fight: NewFight) -> None:
    """Seed 003: Shove."""
    fight = with_skills(new_fight, "strength 4").do("shove goblin-1 natural 9")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 13, 13)


def test_a_natural_20_shoves_anybody(fight: Fight) -> None:
    """Seed 003: Rolling 1 or 20, Shove (a special melee attack)."""
    fight.do("set goblin-1 fortitude 40", "shove goblin-1 natural 20")
    assert fight.outcome == "hit"


def test_a_shove_deals_no_damage(fight: Fight) -> None:
    """Seed 003: Shove."""
    fight.refuses("shove goblin-1 hit 5", "no damage")
    fight.refuses("shove brannoc hit", "themself")


# -- Help ---------------------------------------------------------------------------------------


def test_help_attack_counts_for_the_next_attack_on_that_enemy(fight: Fight) -> None:
    """Seed 003: Help Attack. 8 + 8 + 2 against one, 8 + 8 against the other."""
    fight.do("help-attack mira goblin-1", "next", "attack goblin-2 natural 2 5")
    assert fight.rolled.total == 10
    fight.do("undo", "attack goblin-1 natural 2 5")
    assert fight.rolled.total == 12
    assert "helped-attack" not in fight.effects("mira")


def test_help_defense_counts_against_the_next_attack_of_that_enemy(fight: Fight) -> None:
    """Seed 003: Help Defense. AC 15 is 17 for one attack."""
    fight.do("help-defense mira goblin-1", "next", "next", "attack mira natural 10 5")
    assert (fight.rolled.dc, fight.outcome) == (17, "miss")
    assert "helped-defense" not in fight.effects("mira")


@pytest.mark.parametrize("name", ["help-attack", "help-defense"])
def test_help_that_is_not_used_ends_with_the_helpers_next_turn(fight: Fight, name: str) -> None:
    """Seed 003: Help Attack, Help Defense."""
    fight.do(f"{name} mira goblin-1", "next", "next", "next", "next")
    assert fight.state.turn == "brannoc" and len(fight["mira"].effects) == 1
    assert not fight.do("next")["mira"].effects


def test_nobody_helps_themself(fight: Fight) -> None:
    """Seed 003: Help Attack (a friendly creature)."""
    fight.refuses("help-attack brannoc goblin-1", "another")
    fight.refuses("aid-another brannoc", "another")


# -- Rally, Total Defense -----------------------------------------------------------------------


def test_rally_spends_a_recovery_and_guards(fight: Fight) -> None:
    """Seed 003: Rally. A quarter of 44 is 11."""
    fight.do("set brannoc hp 20", "rally")
    assert (fight.hp("brannoc"), fight.track("brannoc", "recoveries")) == (31, 7)
    assert [fight.total("brannoc", d) for d in ("ac", "fortitude", "reflex", "will")] == [
        20, 18, 16, 15,
    ]  # fmt: skip
    fight.do("next", "next", "next")
    assert fight.total("brannoc", "ac") == 20
    assert fight.do("next").total("brannoc", "ac") == 18


def test_rally_once_an_encounter(fight: Fight) -> None:
    """Seed 003: Rally."""
    fight.do("set brannoc hp 20", "rally", "next", "next", "next", "next").refuses("rally", "once")
    fight.do("end", "start", faces=())
    assert fight.do("rally by brannoc").hp("brannoc") == 42


def test_only_player_characters_rally(fight: Fight) -> None:
    """Seed 003: Rally."""
    fight.do("next", "next").refuses("rally", "only player characters")


def test_rally_needs_a_recovery(fight: Fight) -> None:
    """Seed 003: Rally, Recoveries."""
    fight.do("set brannoc recoveries 0").refuses("rally", "no recoveries")


def test_rally_may_heal_a_companion_as_well(new_fight: NewFight) -> None:
    """Seed 003: Companions (a second recovery heals it by the owner's recovery value)."""
    fight = new_fight(BRANNOC.format(""), *OTHERS, FOX, "init fox 17", *ORDER)
    fight.do("set brannoc hp 20", "set fox hp 1").refuses("rally with mira", "no companion")
    fight.do("rally with fox")
    assert fight.track("brannoc", "recoveries") == 6
    assert (fight.hp("brannoc"), fight.hp("fox")) == (31, 10)


def test_total_defense_until_the_next_turn(fight: Fight) -> None:
    """Seed 003: Total Defense."""
    fight.do("total-defense")
    assert (fight.total("brannoc", "ac"), fight.total("brannoc", "will")) == (20, 15)
    assert fight.do("next", "next", "next", "next").total("brannoc", "ac") == 18


def test_rally_and_total_defense_add_up(fight: Fight) -> None:
    """Seed 003: Stacking (untyped modifiers)."""
    fight.do("set brannoc hp 20", "rally", "action-point", "total-defense")
    assert fight.total("brannoc", "ac") == 22


# -- Treat Ally ---------------------------------------------------------------------------------


def test_first_aid_stabilises_the_dying(fight: Fight) -> None:
    """Seed 003: Treat Ally (First Aid, Heal DC 15). Mira's Heal is 7."""
    fight.do("next").refuses("treat-ally brannoc first-aid hit", "not dying")
    fight.do("damage brannoc 50", "treat-ally brannoc first-aid natural 7")
    assert (fight.outcome, fight["brannoc"].life) == ("miss", "dying")
    fight.do("undo", "treat-ally brannoc first-aid natural 8")
    assert (fight.rolled.dc, fight["brannoc"].life) == (15, "stable")


def test_treating_may_ease_one_save_later(fight: Fight) -> None:
    """Seed 003: Treat Ally (Additional Saving Throw)."""
    fight.do("inflict mira dazed,blinded save ends", "inflict mira slowed save ends")
    fight.do("treat-ally mira save hit later")
    fight.do("next", "save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "hit")
    fight.do("save mira dazed natural 8")
    assert (fight.rolled.total, fight.outcome) == (8, "miss")


def test_the_eased_save_is_one_at_the_end_of_the_next_turn(fight: Fight) -> None:
    """Seed 003: Treat Ally (Additional Saving Throw). No save before it uses it up."""
    fight.do("inflict mira dazed save ends", "inflict mira slowed save ends")
    fight.do("treat-ally mira save hit later", "save mira dazed natural 8")
    assert (fight.rolled.total, fight.outcome) == (8, "miss")
    fight.do("next", "save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "hit")


def test_a_death_save_at_the_start_of_the_turn_is_not_the_eased_one(fight: Fight) -> None:
    """Seed 003: Treat Ally (a saving throw at the end of their next turn), Death Saving Throws."""
    fight.do("damage mira 32", "inflict mira slowed save ends", "treat-ally mira save hit later")
    fight.do("next", "death mira natural 9")
    assert (fight.rolled.total, fight.outcome) == (9, "miss")
    fight.do("save mira slowed natural 8")
    assert (fight.rolled.total, fight.outcome) == (10, "hit")


def test_the_eased_save_is_lost_with_the_turn(fight: Fight) -> None:
    """Seed 003: Treat Ally (at the end of its next turn)."""
    fight.do("treat-ally mira save hit later", "next")
    assert fight.effects("mira") == {"treated"}
    assert not fight.do("next").effects("mira")


def test_treating_may_give_a_save_right_away(fight: Fight) -> None:
    """Seed 003: Treat Ally (Additional Saving Throw)."""
    fight.do("inflict mira slowed save ends", "treat-ally mira save hit", "save mira success")
    assert "slowed" not in fight.effects("mira")


def test_treating_a_wound_uses_the_allys_rally_without_its_defence(fight: Fight) -> None:
    """Seed 003: Treat Ally (Treat Wound, DC 10), Rally."""
    fight.do("set mira hp 10", "treat-ally mira wound natural 10")
    assert fight.rolled.dc == 10
    assert (fight.hp("mira"), fight.track("mira", "recoveries")) == (17, 5)
    assert fight.total("mira", "ac") == 15
    fight.do("next").refuses("rally", "once")


def test_a_wound_is_not_treated_where_the_rally_is_gone(fight: Fight) -> None:
    """Seed 003: Treat Ally (Treat Wound)."""
    fight.do("set brannoc hp 20", "rally", "next").refuses(
        "treat-ally brannoc wound hit", "rallied"
    )


# -- minds --------------------------------------------------------------------------------------


def test_feint_gives_combat_advantage_to_whoever_feinted(fight: Fight) -> None:
    """Seed 003: Feint."""
    fight.do("feint goblin-1 hit", "next", "attack goblin-1 natural 5 5")
    assert fight.rolled.total == 13
    fight.do("undo", "next", "next", "next", "attack goblin-1 natural 5 5")
    assert fight.rolled.total == 14
    fight.do("next")
    assert "feinted" not in fight.effects("goblin-1")


def test_feint_is_bluff_against_passive_insight(new_fight: NewFight) -> None:
    """Seed 003: Feint. Mira's Bluff is 9."""
    fight = new_fight(
        BRANNOC.format(""),
        *OTHERS,
        "add monster Ogre hp 40 passive-insight 14",
        "init ogre 5",
        *ORDER,
        "next",
    )
    fight.refuses("feint goblin-1 natural 5", "passive Insight is not known")
    fight.do("feint ogre natural 5")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("hit", 14, 14)
    fight.do("undo", "feint goblin-1 natural 5 dc 15")
    assert fight.outcome == "miss"


@pytest.mark.parametrize("line", ["feint goblin-1 miss", "create-diversion goblin-1,goblin-2 hit"])
def test_some_actions_are_for_once_an_encounter(fight: Fight, line: str) -> None:
    """Seed 003: Create Diversion, Feint."""
    fight.do(line, "next", "next", "next", "next").refuses(line, "once")


def test_a_diversion_is_rolled_against_each(new_fight: NewFight) -> None:
    """Seed 003: Create Diversion."""
    fight = with_skills(new_fight, "bluff 4")
    fight.do("create-diversion goblin-1,goblin-2 natural 10,3 dc 12")
    rolls = [e for e in fight.events if isinstance(e, Rolled)]
    assert [(e.against, e.outcome) for e in rolls] == [("goblin-1", "hit"), ("goblin-2", "miss")]


@pytest.mark.parametrize(
    ("said", "dc"),
    [
        ("", 12),
        ("unfriendly", 17),
        ("hostile", 22),
        ("no-language", 17),
        ("hostile no-language", 27),
    ],
)
def test_deter_is_against_a_will_that_mood_and_language_raise(
    fight: Fight, said: str, dc: int
) -> None:
    """Seed 003: Deter."""
    fight.do(f'deter goblin-1 natural 10 "attacking Mira" {said} plus 3')
    assert (fight.rolled.total, fight.rolled.dc) == (13, dc)


def test_deter_rules_out_an_action_for_a_turn(fight: Fight) -> None:
    """Seed 003: Deter (Hit)."""
    fight.do('deter goblin-1 hit "attacking Mira"')
    assert fight["goblin-1"].effects[0].note == "attacking Mira"
    assert fight.until("goblin-1", "deterred") == "end of goblin-1's next turn"
    fight.do("next", "next")
    assert "deterred" in fight.effects("goblin-1")
    assert "deterred" not in fight.do("next").effects("goblin-1")


def test_a_miss_rules_out_deterring_and_unnerving(fight: Fight) -> None:
    """Seed 003: Deter, Unnerve (Miss: by the same one, for the encounter)."""
    fight.do("deter goblin-1 miss", "damage goblin-1 13", "next")
    fight.do("deter goblin-1 hit", "next", "next", "next")
    fight.refuses("deter goblin-1 hit", "again by Brannoc")
    fight.refuses("unnerve goblin-1 hit", "again by Brannoc")
    fight.do("end")
    assert "unmoved" not in fight.effects("goblin-1")


def test_unnerve_makes_the_staggered_surrender(fight: Fight) -> None:
    """Seed 003: Unnerve."""
    fight.refuses("unnerve goblin-1 hit", "not staggered")
    fight.do("damage goblin-1,goblin-2 13", "unnerve goblin-1,goblin-2 hit,miss")
    assert [fight[g].life for g in ("goblin-1", "goblin-2")] == ["defeated", "up"]
    assert "unmoved" in fight.effects("goblin-2")


@pytest.mark.parametrize(("said", "dc"), [("", 22), ("no-language", 27)])
def test_unnerve_is_against_will_and_more(fight: Fight, said: str, dc: int) -> None:
    """Seed 003: Unnerve."""
    fight.do("damage goblin-1 13", f"unnerve goblin-1 natural 10 plus 12 {said}")
    assert (fight.rolled.total, fight.rolled.dc) == (22, dc)


# -- the command check --------------------------------------------------------------------------


def test_a_check_adds_the_skill_and_what_is_in_force(fight: Fight) -> None:
    """Seed 003: The Core Mechanic, Modifiers."""
    fight.do("modifier mira -2 check", "check mira bluff natural 8 dc 15")
    assert (fight.rolled.total, fight.outcome) == (15, "hit")
    fight.do("check mira bluff natural 8 dc 15 plus -1")
    assert fight.outcome == "miss"
    fight.do("check mira success")
    assert fight.outcome == "hit"


def test_a_check_without_a_dc_is_its_total(fight: Fight) -> None:
    """Seed 003: The Core Mechanic (such as Stealth, which others' Perception is compared with)."""
    fight.do("check mira bluff natural 8")
    assert fight.shown["undo"] == "Mira makes a Bluff check: 17"


def test_perception_suffers_for_the_blinded(fight: Fight) -> None:
    """Seed 003: Conditions (Blinded)."""
    fight.do("inflict mira blinded", "check mira perception natural 15 dc 10")
    assert (fight.rolled.total, fight.outcome) == (5, "miss")
