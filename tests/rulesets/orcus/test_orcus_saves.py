"""Saving throws. Orcus, Saving Throws, Duration (save ends), The End of Your Turn."""

from __future__ import annotations

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.events import EffectLost, Rolled


def saves(fight):
    """What was saved against in the last command, and how it came out."""
    return [
        (e.for_, e.outcome)
        for e in fight.events
        if isinstance(e, Rolled) and e.for_.startswith("save against")
    ]


@pytest.mark.parametrize(
    ("face", "left"), [(9, {"slowed"}), (10, set()), (20, set()), (1, {"slowed"})]
)
def test_a_save_succeeds_from_10_on(fight, face, left):
    """Orcus, Saving Throws."""
    fight.do("inflict brannoc slowed save ends", f"save brannoc natural {face}")
    assert fight.rolled.for_ == "save against slowed"
    assert fight.rolled.dc == 10
    assert fight.do("next").effects("brannoc") & {"slowed"} == left


def test_a_save_that_is_entered_early_takes_effect_when_the_turn_ends(fight):
    """Orcus, The End of Your Turn. Told at once, and no reason to act sooner."""
    fight.do("inflict brannoc dazed save ends", "attack goblin-1 miss", "save brannoc success")
    assert fight.shown["undo"] == "Brannoc saves against dazed: it ends with the turn"
    assert fight.pending == [] and "dazed" in fight.effects("brannoc")
    assert fight.until("brannoc", "dazed") == "end of brannoc's turn"
    fight.refuses("walk", "dazed")
    fight.refuses("save brannoc success", "already")
    assert "dazed" not in fight.do("next").effects("brannoc")
    assert saves(fight) == []


def test_what_shares_a_save_lasts_until_the_turns_end_together(fight):
    """Orcus, The End of Your Turn, Duration."""
    fight.do("inflict brannoc dazed,immobile save ends", "save brannoc immobile success")
    assert {"dazed", "immobile"} <= fight.effects("brannoc")
    fight.refuses("save brannoc dazed success", "dazed and immobile already")
    fight.do("next")
    assert not {"dazed", "immobile"} & fight.effects("brannoc")


def test_the_last_save_that_is_left_in_a_turn_needs_no_name(fight):
    """Orcus, The End of Your Turn: a save for every effect."""
    fight.do("inflict brannoc dazed save ends", "inflict brannoc slowed save ends")
    fight.refuses("save brannoc success", "dazed or slowed")
    fight.do("save brannoc dazed success", "save brannoc success", "next")
    assert not fight.effects("brannoc")


def test_an_early_save_outlasts_a_delay(fight):
    """Orcus, Delay, The End of Your Turn: the turn is over when it has been taken."""
    fight.do("inflict brannoc dazed save ends", "save brannoc success", "delay")
    assert "dazed" in fight.effects("brannoc")
    fight.do("next", "return brannoc")
    fight.refuses("save brannoc success", "already")
    assert "dazed" not in fight.do("next").effects("brannoc")


def test_an_extra_save_takes_effect_at_once(fight):
    """Orcus, Saving Throws, Treat Ally: right away, and the turn's own is still to be made."""
    fight.do("inflict brannoc dazed save ends", "save brannoc failure extra")
    assert fight.pending == [("brannoc", "Brannoc saves against dazed")]
    fight.do("save brannoc failure")
    fight.refuses("save brannoc success", "extra")
    assert "dazed" not in fight.do("save brannoc success extra").effects("brannoc")
    assert fight.shown["undo"] == "Brannoc saves against dazed: it ends"


def test_each_save_in_anothers_turn_is_one_more(fight):
    """Orcus, The End of Your Turn; Treat Ally (Additional Saving Throw)."""
    fight.do("inflict mira slowed save ends", "save mira failure")
    assert "slowed" not in fight.do("save mira success").effects("mira")


@pytest.mark.parametrize(
    ("laid", "said"), [("dazed save ends", "dazed"), ("persistent 5 fire", "persistent-fire")]
)
def test_of_two_instances_the_name_said_again_is_the_next_one(fight, laid, said):
    """Orcus, Conditions: each instance has its own duration."""
    fight.do(*[f"inflict brannoc {laid}"] * 2, f"save brannoc {said} success")
    assert len(fight.pending) == 1
    fight.do(f"save brannoc {said} failure")
    fight.refuses(f"save brannoc {said} success", "extra")
    assert [e.id for e in fight.do("next")["brannoc"].effects] == [f"{said}-2"]


@pytest.mark.parametrize(("face", "outcome"), [(9, "failure"), (10, "success")])
def test_a_saving_throw_against_nothing_that_lasts(fight, face, outcome):
    """Orcus, Saving Throws, Unwilling Movement: before one is moved into a pit."""
    fight.do(f"save brannoc natural {face}")
    assert (fight.rolled.for_, fight.outcome) == ("saving throw", outcome)
    fight.do("save brannoc roll plus 2", faces=[8])
    assert (fight.rolled.total, fight.outcome) == (10, "success")


def test_what_a_saving_throw_is_against_may_be_said_in_quotes(fight):
    """Orcus, Saving Throws, Unwilling Movement."""
    fight.do("inflict brannoc slowed save ends", 'save brannoc "the pit" natural 12')
    assert fight.rolled.for_ == "save against the pit"
    assert fight.shown["undo"] == "Brannoc saves against the pit"
    assert fight.pending == [("brannoc", "Brannoc saves against slowed")]
    fight.do('save brannoc "the pit" failure')
    assert fight.shown["undo"] == "Brannoc saves against the pit, without success"


def test_what_nobody_saved_against_is_rolled_at_the_turns_end(fight):
    """Orcus, The End of Your Turn: a save against every effect that one ends."""
    fight.do("inflict brannoc dazed save ends", "inflict brannoc persistent 5 fire")
    fight.do("next", faces=[12, 4])
    assert saves(fight) == [
        ("save against dazed", "success"),
        ("save against persistent 5 fire", "failure"),
    ]
    assert fight.effects("brannoc") & {"dazed", "persistent"} == {"persistent"}


def test_the_save_that_the_gm_entered_is_not_rolled_again(fight):
    """Orcus, Duration: one save for every effect."""
    fight.do("inflict brannoc dazed save ends", "save brannoc failure")
    fight.refuses("save brannoc success", "already")
    fight.do("next")
    assert saves(fight) == []
    assert "dazed" in fight.effects("brannoc")


def test_every_turn_has_a_save_of_its_own(fight):
    """Orcus, The End of Your Turn."""
    fight.do("inflict brannoc dazed save ends", "save brannoc failure", "next", "next", "next")
    fight.do("next", "next", faces=[15])
    assert saves(fight) == [("save against dazed", "success")]


def test_each_instance_has_its_own_save(fight):
    """Orcus, Conditions (instances)."""
    fight.do("inflict brannoc dazed save ends", "inflict brannoc dazed save ends")
    fight.do("next", faces=[15, 3])
    assert [e.id for e in fight["brannoc"].effects] == ["dazed-2"]


def test_what_came_at_once_shares_one_save(fight):
    """Orcus, Duration: a save for every effect, and one effect may lay several conditions."""
    fight.do("inflict brannoc dazed,immobile save ends")
    assert [what for _, what in fight.pending] == ["Brannoc saves against dazed and immobile"]
    fight.do("next", faces=[10])
    assert saves(fight) == [("save against dazed and immobile", "success")]
    assert not fight.effects("brannoc") & {"dazed", "immobile"}


def test_persistent_damage_may_share_a_save_with_a_condition(fight):
    """Orcus, Persistent damage, Duration."""
    fight.do("inflict brannoc persistent,dazed 5 fire save ends", "save brannoc dazed success")
    assert not fight.do("next").effects("brannoc") & {"dazed", "persistent"}


def test_a_successful_save_ends_what_hangs_on_its_effect(fight):
    """Orcus, Saving Throws: the effect ends."""
    fight.do("inflict brannoc unconscious,slowed save ends")
    fight.do("save brannoc unconscious success extra")
    assert fight.effects("brannoc") == {"prone"}
    lost = [(e.effect, e.why) for e in fight.events if isinstance(e, EffectLost)]
    assert lost == [("unconscious", "saved against"), ("slowed", "saved against")]


def test_a_save_out_of_turn_is_one_more(fight):
    """Orcus, Treat Ally (Additional Saving Throw): right away, besides the turn's own."""
    fight.do("inflict mira slowed save ends", "save mira failure", "next", "save mira failure")
    fight.refuses("save mira failure", "already")
    fight.do("next", "save mira failure")


def test_a_save_while_its_turn_is_delayed_is_one_more(fight):
    """Orcus, Delay, The End of Your Turn."""
    fight.do("inflict brannoc slowed save ends", "delay", "save brannoc failure")
    fight.do("return brannoc")
    fight.do("next", faces=[3])
    assert saves(fight) == [("save against slowed", "failure")]


def test_an_effect_gained_after_a_success_asks_for_a_save_as_well(fight):
    """Orcus, The End of Your Turn."""
    fight.do("inflict brannoc dazed save ends", "save brannoc success")
    fight.do("inflict brannoc dazed save ends", "next", faces=[2])
    assert saves(fight) == [("save against dazed", "failure")]


def test_bonuses_add_to_a_save(new_fight):
    """Orcus, Saving Throws: other bonuses."""
    fight = new_fight("add pc Ann hp 20 ac 15 save 2", "inflict ann slowed save ends")
    fight.do("save ann natural 7")
    assert fight.outcome == "failure"
    fight.do("modifier ann +1 save power", "save ann natural 7")
    assert fight.outcome == "success"
    fight.do("inflict ann slowed save ends", "save ann natural 3 plus 4")
    assert fight.outcome == "success"


def test_a_bonus_to_the_next_save_is_used_up(fight):
    """Orcus, Treat Ally: +2 on a saving throw."""
    fight.do("inflict brannoc slowed save ends", "inflict brannoc dazed save ends")
    fight.do("modifier brannoc +2 save until used", "next", faces=[8, 8])
    assert saves(fight) == [("save against slowed", "success"), ("save against dazed", "failure")]


def test_the_saves_of_characters_are_asked_for_before_the_turn_ends(fight):
    """Orcus, Saving Throws: forced, by whoever is affected."""
    fight.do("inflict brannoc,goblin-1 slowed save ends")
    waits = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert [(p.who, p.what, p.holds) for p in waits] == [
        ("brannoc", "Brannoc saves against slowed", True)
    ]
    assert [(c.key, c.command) for c in waits[0].choices] == [
        ("s", "save brannoc slowed success"),
        ("f", "save brannoc slowed failure"),
        ("r", "save brannoc slowed roll"),
    ]
    fight.do(waits[0].choices[1].command)
    assert fight.pending == []


def test_monsters_saves_are_rolled_unasked(fight):
    """Orcus, The End of Your Turn."""
    fight.do("inflict goblin-1 slowed save ends", "next", "next")
    assert fight.pending == []
    fight.do("next", faces=[10])
    assert "slowed" not in fight.effects("goblin-1")


def test_a_save_may_be_rolled_on_command(fight):
    """Orcus, Saving Throws."""
    fight.do("inflict mira slowed save ends")
    fight.do("save mira slowed roll", faces=[11])
    assert "slowed" not in fight.effects("mira")


def test_which_effect_is_meant_must_be_clear(fight):
    """Orcus, Saving Throws."""
    fight.refuses("save mira success", "nothing that a save ends")
    fight.do("inflict mira slowed", "inflict mira dazed save ends", "inflict mira dazed save ends")
    fight.refuses("save mira success", "dazed or dazed-2")
    fight.refuses("save mira slowed success", "expected the effect Mira saves against")
    fight.refuses("save mira dazed", "expected an outcome")
    fight.do("save mira dazed-2 success")
    assert [e.id for e in fight["mira"].effects if e.name == "dazed"] == ["dazed"]


def test_a_name_that_fits_several_effects_is_refused(fight):
    """Orcus, Conditions (instances)."""
    fight.do("inflict mira persistent 5 fire", "inflict mira persistent 3 acid")
    fight.refuses("save mira persistent success", "persistent-fire or persistent-acid")
    fight.do("save mira persistent-acid success")
    assert [e.type for e in fight["mira"].effects] == ["fire"]


def test_the_dead_make_no_saves(fight):
    """Orcus, Monsters and Death."""
    fight.do("inflict brannoc dazed save ends", "damage brannoc 70")
    assert fight["brannoc"].life == "dead"
    assert fight.pending == []
    fight.do("next")
    assert saves(fight) == []


@pytest.mark.parametrize(
    ("part", "offered"),
    [
        ("save ", ["brannoc", "mira", "goblin-1", "goblin-2"]),
        ("save mira ", ["dazed", "persistent-fire"]),
        ("save mira da", ["dazed"]),
        ("save mira dazed su", ["success"]),
    ],
)
def test_the_words_of_a_save_are_offered(fight, part, offered):
    """Orcus, Saving Throws."""
    fight.do("inflict mira dazed save ends", "inflict mira persistent 5 fire")
    assert complete(fight.state, part, fight.ruleset)[: len(offered)] == offered
