"""The command language: names, numbers, quotes, answers to mistakes, completion."""

import pytest
from hypothesis import given, strategies as st
from tests.core.conftest import ruled

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.dice import SeededDice
from affray.core.engine.decide import complete, decide
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused, did_you_mean_or_list
from affray.core.parser.targets import resolve
from affray.core.parser.tokens import TokenStream, join_tokens, tokenize


@pytest.fixture
def crowd(play):
    play('add monster "Fire Imp"', "add monster Ghoul x2", "add pc Sister Ash", "init 4 7")
    return play


PLAYERS = ("players-names", "players-health", "players-log", "players-title", "players-act")
IN_TIME = ("turn-timer", "bell")


@pytest.mark.parametrize(
    ("word", "who"),
    [
        ("fire-imp", "fire-imp"),
        ("Fire Imp", "fire-imp"),
        ("fire", "fire-imp"),
        ("GHOUL-2", "ghoul-2"),
        ("sister", "sister-ash"),
        ("4", "sister-ash"),
        ("1", "fire-imp"),
        ("imp", "fire-imp"),
        ("ash", "sister-ash"),
        ("g2", "ghoul-2"),
        ("gho2", "ghoul-2"),
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


def test_a_later_word_and_the_number_of_a_name_find_it(play):
    play('add monster "Rime Hound" x3', 'add monster "Toll Ogre"', "add monster Hob x2")
    for word, who in (
        ("hound-3", "rime-hound-3"),
        ("hou2", "rime-hound-2"),
        ("ho3", "rime-hound-3"),
        ("r1", "rime-hound-1"),
        ("ogre", "toll-ogre"),
        ("to-og", "toll-ogre"),
    ):
        assert resolve(play.state, word).id == who
    assert "rime-hound-1, rime-hound-2 or rime-hound-3" in play.refused("leave hound")
    assert "rime-hound-2 or hob-2" in play.refused("leave h2")
    assert "nobody here is called 'r4'" in play.refused("leave r4")
    assert play.refused("leave oger").endswith("did you mean toll-ogre?"), "each is offered once"
    play("leave hound-1,ogre,ri2,hob-1")
    assert [c.id for c in play.state.combatants] == ["rime-hound-3", "hob-2"]


@pytest.mark.parametrize("line", ["leave {}", "init ghoul-1 natural {}", "group {}", "wave {}"])
def test_a_number_of_more_digits_than_any_has_is_refused_in_a_line(crowd, line):
    assert "\n" not in crowd.refused(line.format("9" * 5_000))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("add monster 'Rime Hound' hp 3", ["add", "monster", "Rime Hound", "hp", "3"]),
        ("damage mira,'Fire Imp' 3", ["damage", "mira,Fire Imp", "3"]),
        ("'the king's men' O'Brien", ["the king's men", "O'Brien"]),
        ("note the guards' hall, 'tis late", ["note", "the", "guards'", "hall,", "'tis", "late"]),
        ("note \"the 'big' one\"", ["note", "the 'big' one"]),
    ],
)
def test_single_quotes_hold_words_together_and_an_apostrophe_is_a_letter(line, words):
    said = tokenize(line)
    assert [str(word) for word in said] == words
    assert tokenize(join_tokens(said)) == said


@pytest.mark.parametrize("line", ["add pc 'Rime Hound", "rename ann 'Rime"])
def test_a_name_that_a_quote_opens_and_none_closes_is_refused(fight, line):
    with pytest.raises(Refused, match="the quote is never closed: \"'Rime"):
        fight(line)


def test_quotes_hold_words_together_and_a_lone_one_is_refused():
    assert tokenize('note "the door opens" now') == ["note", "the door opens", "now"]
    words = tokenize('mira,"Fire Imp","Old Cat" "Fire Imp"\'s "" "a"')
    assert words == ["mira,Fire Imp,Old Cat", "Fire Imp's", "", "a"]
    assert [word.quoted for word in words] == [False, False, True, True]
    with pytest.raises(Refused, match="quote"):
        tokenize('note "the door')


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "expected a command"),
        ("nxt", "did you mean next"),
        ("init ann", "expected initiative"),
        ("init ann many", "whole number"),
        ("next please", "nobody here is called 'please'"),
        ("act by", "after `by`"),
        ("set ann hp 11", "at most 10 hp"),
        ("set ann luck 3", "expected one of their tracks"),
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
        ("setting ", ["fog", "dynamic-initiative", "order", "player-dice", *PLAYERS, *IN_TIME]),
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
    from affray.core.engine.state import Encounter
    from affray.rulesets import load_ruleset

    ruleset = load_ruleset("monsters-and-magic")
    state = Encounter(ruleset=ruleset.id)
    try:
        decide(state, text, ruleset, SeededDice(1))
    except Refused as refusal:
        assert str(refusal)
    complete(state, text, ruleset)


def test_what_is_close_is_named_once(play):
    play("add monster Zoë", "add monster Ghoul")
    with pytest.raises(Refused) as refusal:
        resolve(play.state, "zoey")
    assert refusal.value.message.endswith("did you mean zoë?")


def test_a_refused_number_names_the_words_of_that_kind(play):
    usage = {"pc": ["hp N", "might N"], "monster": ["hp N", "claws N"]}
    play.ruleset = ruled(play.ruleset, usage=lambda tables, kind: usage[kind])
    with pytest.raises(Refused, match=r"usage: add pc NAME \[xN\] hp N might N"):
        play("add pc Ann hp 3 wings")
    with pytest.raises(Refused, match=r"usage: add monster NAME \[xN\] hp N claws N"):
        play("add monster Rat hp 3 wings")


@pytest.mark.parametrize("verb", SESSION_COMMANDS.values(), ids=lambda verb: verb.name)
def test_commands_about_the_log_are_known_and_not_decided(play, verb):
    offered = complete(play.state, "", play.ruleset)
    assert verb.name in offered
    with pytest.raises(Refused, match=verb.does) as refusal:
        play(verb.usage)
    assert "did you mean" not in refusal.value.message
    with pytest.raises(Refused, match=f"did you mean .*{verb.name}"):
        play(f"{verb.name}{verb.name[-1]}")


def test_the_cursor_goes_forward_back_and_looks_ahead(fight):
    words = TokenStream(tokenize("one Two three"), fight.state)
    assert (words.peek(), words.peek(2), words.peek(3)) == ("one", "three", "")
    assert words.next("a word") == "one"
    assert words.upcoming == "Two"
    words.back()
    words.insert(tokenize("zero half"))
    assert words.rest() == "zero half one Two three"
    assert (words.upcoming, words.peek()) == ("", "")


@pytest.mark.parametrize("word", ["fire-imp", "fire-imp's", "Sister’s"])
def test_an_owner_is_named_with_or_without_an_ending(crowd, word):
    words = TokenStream(tokenize(word), crowd.state)
    assert words.owner().id in ("fire-imp", "sister-ash")
    assert words.done


def test_words_left_over_are_refused_whatever_they_follow(fight):
    for line in ("start now", "next 2", "end it", "init ann 3 4", "set ann hp 3 4"):
        with pytest.raises(Refused, match=r"did not expect|has begun|the order says"):
            fight(line)


def test_who_was_renamed_goes_by_the_new_name_with_blanks_or_hyphens(fight):
    fight("rename cat The Old Cat")
    for word in ("cat", "the-old-cat", "The Old Cat"):
        assert fight.who(word).id == "cat"


@pytest.mark.parametrize(
    ("word", "is_dice"),
    [("2d6+1", True), ("d8", True), ("d%", True), ("8", True), ("dagger", False), ("", False)],
)
def test_dice_are_told_from_words_by_how_they_begin(word, is_dice):
    assert TokenStream(tokenize(word), Encounter()).has_dice() is is_dice


@pytest.mark.parametrize("line", ["shield-wall now", "Shield Wall now", "shield wall now"])
def test_a_choice_of_several_words_may_be_written_apart(line):
    for read in (lambda w: w.choice("a technique", CHOICES), lambda w: w.take(*CHOICES)):
        words = TokenStream(tokenize(line), Encounter())
        assert read(words) == "shield-wall"
        assert words.rest() == "now"


CHOICES = ("strike", "shield-wall", "shield-bash")


def test_a_track_may_be_written_with_hyphens():
    words = TokenStream(tokenize("temp-hp 3"), Encounter())
    assert (words.choice("a track", ("hp", "temp_hp")), words.peek()) == ("temp_hp", "3")


def test_what_is_passed_over_is_close_as_well():
    """A word that was left out may be what is misspelt, and is named where it would have stood."""
    words = TokenStream(tokenize("stregnth pass"), Encounter(ruleset="x"))
    assert not words.take("strength", "agility")
    with pytest.raises(Refused, match="found 'stregnth': did you mean strength"):
        words.choice("an outcome", ("pass", "fail"))
    words.next("a word")
    with pytest.raises(Refused, match="found 'pass': one of hit or miss"):  # it stood elsewhere
        words.choice("an outcome", ("hit", "miss"))


def test_somebody_who_is_passed_over_is_close_as_well(crowd):
    words = TokenStream(tokenize("gohul-1"), crowd.state)
    assert not words.is_combatant()
    with pytest.raises(Refused, match="did you mean ghoul-1 or ghoul-2"):
        words.finish()


def test_the_longest_choice_counts():
    words = TokenStream(tokenize("shield wall"), Encounter())
    assert words.choice("a technique", ("shield", *CHOICES)) == "shield-wall"
    words = TokenStream(tokenize("shield mine"), Encounter())
    assert words.choice("a technique", ("shield", *CHOICES)) == "shield"
    assert words.peek() == "mine"


def test_a_beginning_alone_is_no_choice():
    words = TokenStream(tokenize("shield up"), Encounter())
    assert words.take(*CHOICES) == ""
    with pytest.raises(Refused, match="expected a technique, found 'shield'"):
        words.choice("a technique", CHOICES)


def test_a_choice_of_no_words_is_none():
    words = TokenStream(tokenize("shield mine"), Encounter())
    assert (words.take("", *CHOICES), words.peek()) == ("", "shield")


def test_of_very_many_words_a_handful_is_listed_those_like_it_first_and_where_all_are():
    many = ["armor", "ac", "speed", "fatigue", *(f"other-{n}" for n in range(40)), "tremorsense"]
    told = did_you_mean_or_list("sens", many)
    assert told.startswith("one of tremorsense, ")
    assert told.endswith(" … (45 in all: tab lists them)") and told.count(",") == 7
    assert did_you_mean_or_list("zork", many[:3]) == "one of armor, ac or speed"
    assert did_you_mean_or_list("spead", many) == "did you mean speed?"
