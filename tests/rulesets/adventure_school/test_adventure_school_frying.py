"""What frying a spell tells. Adventure School, Fry."""

from __future__ import annotations

from affray import Fight


def test_what_a_fried_spell_may_have_laid_is_told() -> None:
    """Adventure School, Fry (ongoing effects of the fried spell end)."""
    fight = Fight("adventure-school", seed=1)
    fight.do(
        "add pc Kes hp 30 ac 15 spellburn d10 ability Ember spellburn ability Spark spellburn",
        "add monster Bat hp 20 ac 12",
        "init kes 20",
        "init bat 3",
        "start",
        "cast Ember rolled 4",
        'inflict bat "ember glow" from kes',
        "next",
        "next",
        "cast Spark rolled 1",
    )
    told = str(fight.do("backfire kes fry Ember").events)
    assert "text='ember glow ends, if Ember caused it', who='bat'" in told
