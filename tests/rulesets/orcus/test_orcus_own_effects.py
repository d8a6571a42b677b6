"""Effects of a GM's own in Orcus: any name, an end, a note, modifiers."""

from __future__ import annotations

import pytest

from affray.core.engine.state import Duration


@pytest.mark.parametrize(
    ("clause", "until"),
    [
        ("", "until removed"),
        ("save ends", "until saved against"),
        ("target-end", "end of goblin-1's next turn"),
        ("user-end from mira", "end of mira's next turn"),
        ('user-start note "cold" from mira', "start of mira's next turn"),
        ("until freed", "until freed"),
        ("until a rest", "until a rest"),
        ("until the fight ends", "until the fight ends"),
        ("until end of round 4", "end of round 4"),
        ("until used attack -2", "until used"),
    ],
)
def test_an_effect_of_any_name_has_any_end(fight, clause, until):
    """Orcus, Duration. Without words on it, it lasts until it is removed, as a condition."""
    fight.do(f'inflict goblin-1 "hexed" {clause}')
    assert fight.until("goblin-1", "hexed") == until
    assert fight.shown["undo"] == "Goblin 1: hexed"


def test_its_modifiers_are_untyped_and_why_tells_it_by_its_name(fight):
    """Orcus, Modifiers (Stacking, Modifier Types)."""
    fight.do('inflict goblin-1 "hexed" from mira note "mute" ac -2 save +1 defenses -1')
    fight.do("modifier goblin-1 -1 ac power")
    assert fight.why("goblin-1", "ac") == [
        (16, "own AC"),
        (-2, "hexed from Mira"),
        (-1, "modifier (power)"),
    ]
    assert fight.why("goblin-1", "will")[1:] == [(-1, "hexed from Mira")]
    fight.do("attack goblin-1 natural 6 5")
    assert fight.hp("goblin-1") == 26 - 5


def test_one_that_lasts_until_used_ends_with_a_fitting_roll(fight):
    fight.do('inflict brannoc "shaky" until used attack -2', "attack goblin-1 natural 10 5")
    assert fight.rolled.total == 10 + 7 - 2
    assert not fight["brannoc"].effects


def test_a_save_ends_it_by_its_name(fight):
    """Orcus, Saving Throws, The End of Your Turn."""
    fight.do('inflict party "Evil Eye" save ends')
    assert fight.pending == [("brannoc", "Brannoc saves against Evil Eye")]
    fight.do('save mira "evil eye" success', "save brannoc evil eye natural 12")
    assert not fight["mira"].effects
    assert fight["brannoc"].effects[0].until == Duration("turn", "brannoc", "end", 1)
    fight.do('save mira "evil eye" natural 3')
    assert fight.shown["undo"] == "Mira saves against evil eye, without success"


def test_it_ends_with_what_it_hangs_on(fight):
    """Orcus, Stance."""
    fight.do('stance "Iron Gate"', 'inflict goblin-1 "warned" while "Iron Gate"')
    assert fight.until("goblin-1", "warned") == "until Iron Gate ends"
    assert not fight.do('drop "Iron Gate"').effects("goblin-1")


def test_delaying_ends_a_boon_and_keeps_a_bane(fight):
    """Orcus, Delay: what helps ends, what harms lasts."""
    fight.do('inflict mira "roused" until end of mira attack +1')
    fight.do('inflict mira "shaky" until end of mira attack -1', "next", "delay")
    assert fight.effects("mira") == {"shaky"}


def test_given_again_it_is_changed_and_stands_there_once(fight):
    fight.do('inflict goblin-1 "hexed" attack -2', 'inflict goblin-1 "hexed" save ends')
    (hexed,) = fight["goblin-1"].effects
    assert (hexed.until.ends, hexed.modifiers) == ("save", {"attack": -2})
    fight.refuses('inflict goblin-1 "hexed"', "hexed until saved against already")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("inflict goblin-1 hexed", "or an effect of your own in quotes"),
        ('inflict goblin-1 "Staggered"', "or an effect of your own with another name"),
        ('inflict goblin-1 "x" fort -2', "did you mean fortitude?"),
        ('inflict goblin-1 "x" save', "expected save ends"),
        ('inflict goblin-1 "x" until freed save ends', "one duration, not two"),
    ],
)
def test_what_is_wrong_with_one_gets_one_line(fight, line, answer):
    fight.refuses(line, answer)
