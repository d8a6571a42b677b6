"""The command language: names, numbers, quotes, answers to mistakes, completion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.core.decide import complete, decide
from affray.core.dice import SeededDice
from affray.core.refusal import Refused
from affray.core.words import resolve, split_words


@pytest.fixture
def crowd(play):
    play('add monster "Fire Imp"', "add monster Ghoul x2", "add pc Sister Ash", "init 4 7")
    return play


@pytest.mark.parametrize(
    ("word", "who"),
    [
        ("fire-imp", "fire-imp"),
        ("Fire Imp", "fire-imp"),
        ("fire", "fire-imp"),
        ("GHOUL-2", "ghoul-2"),
        ("sister", "sister-ash"),
        ("1", "sister-ash"),
        ("2", "fire-imp"),
    ],
)
def test_a_combatant_is_named_by_id_name_beginning_or_number(crowd, word, who):
    assert resolve(crowd.state, word).id == who


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("ghoul", "ghoul-1 or ghoul-2"),
        ("goul-1", "ghoul-1"),
        ("9", "from 1 to 4"),
        ("zzz", "there are"),
    ],
)
def test_a_name_that_is_wrong_gets_what_is_close(crowd, word, answer):
    with pytest.raises(Refused, match=answer):
        resolve(crowd.state, word)


def test_quotes_hold_words_together_and_a_lone_one_is_refused():
    assert split_words('note "the door opens" now') == ["note", "the door opens", "now"]
    with pytest.raises(Refused, match="quote"):
        split_words('note "the door')


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "expected a command"),
        ("nxt", "did you mean next"),
        ("init ann", "expected initiative"),
        ("init ann many", "whole number"),
        ("next please", "did not expect 'please'"),
        ("act by", "after `by`"),
        ("set ann hp 11", "goes up to 10"),
        ("set ann luck 3", "expected a track"),
        ("setting fog thick", "one of off or on"),
        ("add wizard Bob", "neither pc"),
        ("add pc 99", "begin with a letter"),
        ("remove ann slow", "no effect"),
    ],
)
def test_a_mistake_gets_one_line_that_helps(fight, line, answer):
    before = fight.state
    with pytest.raises(Refused, match=answer) as refusal:
        fight(line)
    assert "\n" not in str(refusal.value)
    assert fight.state is before


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("ne", ["next"]),
        ("effect ", ["ann", "bob", "cat", "dan"]),
        ("effect c", ["cat"]),
        ("act ", ["by"]),
        ("act by d", ["dan"]),
        ("setting ", ["fog"]),
        ("setting fog ", ["off", "on"]),
        ("set ann h", ["hp"]),
        ("nonsense ", []),
        ('note "open', []),
    ],
)
def test_completion_offers_what_could_stand_there(fight, line, offers):
    assert complete(fight.state, line, fight.ruleset) == offers


@given(st.text(max_size=60))
def test_any_text_is_a_command_or_is_refused(text):
    from affray.core.state import Encounter
    from affray.rulesets import load_ruleset

    ruleset = load_ruleset("monsters-and-magic")
    state = Encounter(ruleset=ruleset.id)
    try:
        decide(state, text, ruleset, SeededDice(1))
    except Refused as refusal:
        assert str(refusal)
    complete(state, text, ruleset)
