"""What waits in a turn holds it, and a backfire is of the headmaster's choosing; the charmed are
reminded, and do what is given again.

Adventure School, Fortune Points, Bardic Magic, Backfire, Charm, Distract.
"""

import pytest

from affray.core.formatting.reports import text_report
from affray.core.parser.declarations import fields_of
from affray.rulesets import load_ruleset

from .conftest import Fight

RULES = load_ruleset("adventure-school")


@pytest.fixture
def charmed(fight: Fight) -> Fight:
    """A ghoul that is charmed by Brannoc is up."""
    return fight.do("next", "next", "inflict ghoul-1 charmed from brannoc")


def waiting(fight: Fight):
    return RULES.turns.pending_decisions(RULES.tables, fight.state)


def test_fortune_and_songs_hold_the_turn_until_they_are_said(fight: Fight) -> None:
    """Adventure School, Fortune Points, Bardic Magic: what is lost with the turn is asked for
    before it ends."""
    fight.do("add pc Wren hp 20 ac 12 performance 5 fortune 2d4", "init wren 16", "next")
    assert [each.holds for each in waiting(fight)] == [True]
    fight.do("fortune wren 5", "song Hymn pass", "next", "next", "next", "next", "next")
    found = [(each.what, each.holds) for each in waiting(fight)]
    assert found == [("Wren rolls 2d4 for fortune", True), ("Wren may maintain Hymn", True)]


def test_each_spell_that_may_be_fried_has_a_key(fight: Fight) -> None:
    """Adventure School, Backfire: a spellburn spell of the headmaster's choosing."""
    fight.do("next", "ability Spark rolled 1")
    (backfires,) = waiting(fight)
    assert [(c.key, c.label) for c in backfires.choices][:3] == [
        ("1", "fry Spark"),
        ("2", "fry Ember"),
        ("p", "panic fry"),
    ]
    fight.do(backfires.choices[1].command)
    assert fight["mira"].named("fried").note == "Ember"


def test_what_a_backfire_can_do_is_declared_for_prompts(fight: Fight) -> None:
    """Adventure School, Backfire: how, and then which spell or coin, as completion knows them."""
    _, how, what = fields_of(RULES.commands["backfire"].args_type)
    assert (how.kind, how.options) == ("choice", ("fry", "panic-fry", "happens", "exceed"))
    assert (what.kind, what.optional, what.asked) == ("offered", True, True)


@pytest.mark.parametrize(
    "line",
    [
        "attack brannoc hit 5",
        "trip brannoc pass",
        "grab brannoc pass",
        "distract brannoc pass",
        "stunt brannoc blinded fail",
    ],
)
def test_a_hostile_act_against_the_charmer_is_a_reminder_and_done_when_given_again(
    charmed: Fight, line: str
) -> None:
    """Adventure School, Charm: the charmed avoid targeting their charmer with hostile actions."""
    charmed.do(line)
    assert "charmed by Brannoc" in charmed.notes
    assert (charmed.hp("brannoc"), charmed.track("ghoul-1", "action")) == (40, 1)
    charmed.do(line)
    assert charmed.track("ghoul-1", "action") == 0


def test_the_reminder_comes_again_when_something_else_was_done_meanwhile(charmed: Fight) -> None:
    """Adventure School, Charm: only what is given twice running is meant so."""
    charmed.do("attack brannoc hit 5", "note hm", "attack brannoc hit 5")
    assert charmed.hp("brannoc") == 40
    charmed.do("undo", "undo", "attack brannoc hit 5")
    assert charmed.hp("brannoc") == 35


def test_nobody_distracts_who_cannot_see(fight: Fight) -> None:
    """Adventure School, Distract, Blind: it ends with the target's sight, and doesn't begin
    without."""
    fight.do("inflict ghoul-1 blinded", "distract ghoul-1 pass")
    assert fight.effects("ghoul-1") == {"blinded", "off-guard"}
    assert "can't be distracted" in fight.notes


def test_who_distracts_out_of_hiding_is_hidden_no_more(fight: Fight) -> None:
    """Adventure School, Distract, Hide: all attention is on the distractor."""
    fight.do("inflict brannoc hidden", "distract ghoul-1 pass")
    assert fight.effects("brannoc") == set()
    assert fight.effects("ghoul-1") == {"distracted"}


def test_the_text_shows_the_spellburn_die_as_a_die(fight: Fight) -> None:
    """Adventure School, Spellburn Die: no number that is added to anything."""
    text = "\n".join(text_report(fight.shown, RULES))
    assert "SB d10 of d10" in text and "Spellburn +10" not in text


def test_a_hazard_acts_on_its_own_count(fight: Fight) -> None:
    """Adventure School, Initiative: what acts on a count of its own rolls nothing."""
    fight.do("add hazard Lair init 20")
    assert fight.who("lair")["initiative"] == 20
