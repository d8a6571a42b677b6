"""Commands of Orcus that are done to several, and to sides."""

from __future__ import annotations

from affray.core.engine.events import Rolled


def hp(fight):
    return [fight.hp(who) for who in ("brannoc", "mira", "goblin-1", "goblin-2")]


def test_who_attacks_all_is_not_a_target(fight):
    """Orcus, Attack Rolls."""
    fight.do("attack all miss,hit,hit 5")
    assert hp(fight) == [44, 30, 21, 21]
    fight.refuses("attack foes,brannoc hit 5", "standard action used")


def test_half_and_damage_of_sides(fight):
    """Orcus, Damage."""
    fight.do("damage all 12 fire half party")
    assert hp(fight) == [38, 24, 14, 14]
    fight.do("damage goblin-1 99", "damage foes 4", "heal party 3")
    assert hp(fight)[1:] == [27, 14 - 99, 10]


def test_a_power_is_used_on_a_side(new_fight):
    """Orcus, Powers. A side after its name is whom it attacks, or the allies it is for."""
    fight = new_fight(
        'add pc Ann hp 30 ac 15 power "Fire Burst" daily +6 vs reflex 3d6 fire near'
        ' power "War Cry" encounter swift',
        "add pc Bob hp 30 ac 15",
        "add monster Rat x2 hp 20 ac 12 ref 12",
        "init ann 20", "init bob 12", "init rat-1 5", "init rat-2 5", "start",
    )  # fmt: skip
    fight.do('power "War Cry" party')
    assert fight.shown["undo"] == "Ann uses War Cry: Ann and Bob"
    fight.do('power "Fire Burst" foes hit,miss 9')
    assert [fight.hp("rat-1"), fight.hp("rat-2")] == [11, 20]


def test_knock_out_means_those_of_a_side_who_just_fell(fight):
    """Orcus, Knocking Creatures Unconscious."""
    fight.do("damage goblin-1 99", "damage goblin-2 40", "knock-out foes")
    assert [fight[who].life for who in ("goblin-1", "goblin-2")] == ["dead", "unconscious"]
    fight.refuses("knock-out foes", "nobody in 'foes' fits this command")


def test_several_save_with_a_die_each(fight):
    """Orcus, Saving Throws."""
    fight.do("inflict party dazed save ends", "save party dazed natural 12,7")
    assert [(e.who, e.outcome) for e in fight.events if isinstance(e, Rolled)] == [
        ("brannoc", "success"),
        ("mira", "failure"),
    ]
    told = (
        "Brannoc saves against dazed: it ends with the turn, Mira saves against dazed, "
        "without success"
    )
    assert fight.shown["undo"] == told
    fight.do("save mira dazed success")
    fight.refuses("save all dazed success", "Brannoc has made this turn's save")
    fight.refuses("save mira,goblin-1 dazed success", "Mira has nothing that a save ends")


def test_of_a_side_those_save_who_have_it(fight):
    """Orcus, Saving Throws. One die for each of them, and none for the others."""
    fight.do("inflict mira,goblin-2 dazed save ends", "save all dazed natural 12,7")
    assert (
        fight.shown["undo"]
        == "Mira saves against dazed: it ends, Goblin 2 saves against dazed, without success"
    )
    fight.refuses("save party dazed success", "nobody in 'party' fits this command")
    fight.refuses("save goblin-1,goblin-2 dazed hit", "Goblin 1 has nothing that a save ends")
    fight.refuses("death party roll", "expected the dying combatant, just one, found 'party'")


def test_several_save_against_what_is_no_effect(fight):
    """Orcus, Saving Throws, Unwilling Movement."""
    fight.do('save party "the pit" natural 12,7')
    told = "Brannoc saves against the pit, Mira saves against the pit, without success"
    assert fight.shown["undo"] == told
    fight.refuses('save party "the pit" natural 12', "2 rolls")


def test_several_make_a_check(fight):
    """Orcus, The Core Mechanic, Glossary (Extended challenge)."""
    fight.do('clock "the climb" 5 before 3')
    fight.do('check party athletics success,failure toward "the climb"')
    (race,) = fight.state.clocks
    assert (race.value, race.failures) == (1, 1)
    fight.do("check 1-2 heal natural 5,6")
    assert fight.shown["undo"] == "Brannoc rolls Heal check: 5, Mira rolls Heal check: 13"


def test_several_spend_a_recovery(gathered):
    """Orcus, Recoveries."""
    gathered.do("damage party 15", "recovery party plus 1")
    assert [gathered.hp("brannoc"), gathered.hp("mira")] == [44 - 15 + 12, 30 - 15 + 8]
    assert [gathered.track(who, "recoveries") for who in ("brannoc", "mira")] == [7, 5]
    gathered.refuses("recovery all", "Goblin 1 has no recoveries left")
