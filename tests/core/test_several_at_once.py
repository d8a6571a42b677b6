"""Several at once: sides, `all`, numbers in a row and mixtures of them."""

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.events import LifeChanged
from affray.core.engine.history import Entry
from affray.core.formatting.log_lines import entry_line
from affray.core.parser.errors import Refused
from affray.core.parser.targets import present_combatants, resolve, resolve_many


@pytest.fixture
def crowd(play):
    """Ann 1 and Bob 2 (party), Cat 3 and Dan 4 (foes), Eve 5 (others), a flood 6 (world)."""
    play("add pc Ann", "add pc Bob", "add monster Cat", "add monster Dan")
    play("add monster Eve side others", 'add hazard "The Flood"')
    for total, who in enumerate(("the-flood", "eve", "dan", "cat", "bob", "ann"), 1):
        play(f"init {who} {total}")
    play("start")
    return play


def ids(play, word, among=None):
    return [c.id for c in resolve_many(play.state, word, among)]


@pytest.mark.parametrize(
    ("word", "who"),
    [
        ("foes", ["cat", "dan"]),
        ("party", ["ann", "bob"]),
        ("others", ["eve"]),
        ("FOES", ["cat", "dan"]),
        ("all", ["ann", "bob", "cat", "dan", "eve"]),
        ("2-4", ["bob", "cat", "dan"]),
        ("2–4", ["bob", "cat", "dan"]),
        ("4-2", ["bob", "cat", "dan"]),
        ("3-3", ["cat"]),
        ("1-6", ["ann", "bob", "cat", "dan", "eve", "the-flood"]),
        ("foes,ann", ["cat", "dan", "ann"]),
        ("ann,foes,", ["ann", "cat", "dan"]),
        ("2-4,3", ["bob", "cat", "dan"]),
        ("foes,foes,cat,3", ["cat", "dan"]),
        ("2-3,5", ["bob", "cat", "eve"]),
    ],
)
def test_a_word_for_several_means_whom_it_says_each_once(crowd, word, who):
    assert ids(crowd, word) == who


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("2-9", "no combatant has number 9: the list goes from 1 to 6"),
        ("0-3", "no combatant has number 0: the list goes from 1 to 6"),
        ("foes,zed", "nobody here is called 'zed'"),
        ("foes,", None),
        ("everybody", "nobody here is called 'everybody'"),
        ("2-", "nobody here is called '2-'"),
        ("٣-٢", None),
        ("2-4-6", "nobody here is called '2-4-6'"),
    ],
)
def test_a_word_for_several_that_is_none_gets_one_line(crowd, word, answer):
    if answer is None:
        assert ids(crowd, word) in (["cat", "dan"], ["bob", "cat"])
        return
    with pytest.raises(Refused) as refusal:
        ids(crowd, word)
    assert answer in refusal.value.message


def test_numbers_in_a_row_leave_out_who_has_left_and_stay_with_the_others(crowd):
    crowd("leave cat")
    assert ids(crowd, "2-4") == ["bob", "dan"]
    with pytest.raises(Refused, match="number 3 now"):
        resolve(crowd.state, "3")


def test_a_side_of_nobody_is_refused(crowd):
    crowd("leave eve")
    with pytest.raises(Refused, match="nobody in 'others' fits this command"):
        ids(crowd, "others")
    with pytest.raises(Refused, match="nobody in 'others'"):
        ids(crowd, "ann,others")


def test_whoever_is_called_like_a_side_goes_before_it(crowd):
    crowd("rename eve All", "rename dan 2-4")
    assert ids(crowd, "all") == ["eve"]
    assert ids(crowd, "2-4") == ["dan"]
    assert ids(crowd, "2-3") == ["bob", "cat"]


def test_a_side_is_no_beginning_of_a_name(crowd):
    crowd("rename ann Allison")
    assert ids(crowd, "all") == ["ann", "bob", "cat", "dan", "eve"]
    assert ids(crowd, "alli") == ["ann"]


def test_who_is_dead_or_defeated_is_of_a_side_only_where_that_makes_sense(crowd, fell):
    fell(crowd, "cat", "dead")
    fell(crowd, "bob", "defeated")
    assert ids(crowd, "foes") == ["dan"]
    assert ids(crowd, "1-4") == ["ann", "dan"]
    assert ids(crowd, "all,cat") == ["ann", "dan", "eve", "cat"]
    assert [c.id for c in present_combatants(crowd.state, but="ann")] == ["dan", "eve", "the-flood"]
    crowd("conceal foes")
    assert [c.id for c in crowd.state.combatants if c.hidden] == ["cat", "dan"]
    crowd("set foes side others", "leave others")
    assert [c.id for c in crowd.state.combatants] == ["ann", "bob", "the-flood"]


@pytest.fixture
def fell():
    """Somebody is dead, as a log would have it."""

    def fell(play, who, life):
        play.history.apply(Entry(play.history.last + 1, "fell", events=(LifeChanged(who, life),)))

    return fell


def test_one_alone_is_asked_for_where_several_make_no_sense(crowd):
    for word in ("foes", "2-4", "all", "ann,bob"):
        with pytest.raises(Refused, match="just one, found"):
            crowd(f"rename {word} Zed")
    with pytest.raises(Refused, match="just one combatant, found 'foes'"):
        crowd("act by foes")


@pytest.mark.parametrize(
    ("line", "has", "lacks"),
    [
        ("leave ", {"ann", "foes", "party", "others", "all"}, set()),
        ("leave f", {"foes"}, {"ann", "all"}),
        ("leave foes,a", {"foes,ann", "foes,all"}, {"foes,foes"}),
        ("leave ann,", {"ann,bob", "ann,foes"}, {"ann,ann"}),
        ("rename ", {"ann"}, {"foes", "all"}),
        ("leave,", set(), {"leave,next"}),
    ],
)
def test_completion_offers_sides_where_they_are_read(crowd, line, has, lacks):
    offers = set(complete(crowd.state, line, crowd.ruleset))
    assert has <= offers and not lacks & offers


def test_completion_offers_no_side_of_nobody(crowd):
    crowd("leave eve,cat,dan")
    offers = complete(crowd.state, "leave ", crowd.ruleset)
    assert "party" in offers and not {"foes", "others"} & set(offers)


# -- the commands of every game --------------------------------------------------------------------


def test_a_number_is_set_for_several(crowd):
    crowd("set foes,ann hp 4")
    assert {c.id: c.track("hp") for c in crowd.state.combatants if c.track("hp") == 4} == {
        "ann": 4,
        "cat": 4,
        "dan": 4,
    }
    assert crowd.history.undo_title == "Cat, Dan and Ann: hp is 4"
    crowd("set party might 3")
    assert [c.stats["might"] for c in crowd.state.combatants][:3] == [3, 3, 1]
    crowd("set party hp 12 of 15")
    assert crowd.who("bob").tracks["hp"].max == 15
    crowd("set 2-3 side others")
    assert ids(crowd, "others") == ["bob", "cat", "eve"]


def test_what_one_of_several_lacks_is_refused_by_name(crowd):
    before = crowd.state
    for line, answer in (
        ("set all hp 11", "Ann has at most 10 hp"),
        ("set all wit 3", "expected one of their tracks or numbers"),
        ("remove foes slow", "Cat and Dan have no effect to remove"),
    ):
        with pytest.raises(Refused, match=answer):
            crowd(line)
        assert crowd.state is before


def test_an_effect_is_taken_from_several_or_from_nobody(crowd):
    crowd("effect cat slow", "effect dan slow", "effect eve dazed")
    with pytest.raises(Refused, match="Eve has no effect 'slow' to remove; it has dazed"):
        crowd("remove foes,eve slow")
    crowd("remove all slow")
    assert crowd.names("cat") == crowd.names("dan") == []
    assert crowd.history.undo_title == "Cat and Dan are no longer slow"
    crowd("remove others")
    assert crowd.state.find("eve") is None


def test_initiative_is_given_to_several(crowd):
    crowd("init foes 30")
    assert [s.initiative for s in crowd.state.slots if s.who in ("cat", "dan")] == [30, 30]
    assert crowd.history.undo_title == "Initiative of Cat and Dan: 30"
    crowd("init party natural 12,7")
    assert {s.who: s.initiative for s in crowd.state.slots if s.who in ("ann", "bob")} == {
        "ann": 12,
        "bob": 7,
    }
    with pytest.raises(Refused, match="2 rolls"):
        crowd("init party natural 12")


def test_dice_for_initiative_lie_in_the_order_in_which_people_are_named(crowd):
    crowd('group cat,dan "The Pack"', "init cat,ann,dan natural 12,7")
    assert {s.who: s.initiative for s in crowd.state.slots if s.who in ("cat", "ann")} == {
        "cat": 12,
        "ann": 7,
    }


def test_a_groups_name_means_its_members_and_has_one_initiative(crowd, fell):
    crowd('group cat,dan,eve "The Pack"')
    assert ids(crowd, "the-pack,ann") == ["cat", "dan", "eve", "ann"]
    crowd("set party,the-pack hp 4", "init the-pack,ann natural 12,7")
    assert crowd.history.undo_title == "Initiative rolled for The Pack ×3 and Ann"
    crowd("init all 3")
    assert crowd.history.undo_title == "Initiative of The Pack ×3, Ann and Bob: 3"
    assert "the-pack" in complete(crowd.state, "leave ", crowd.ruleset)
    fell(crowd, "cat", "dead")
    assert ids(crowd, "The-Pack") == ["dan", "eve"]
    crowd("remove the-pack")
    assert [c.id for c in crowd.state.combatants] == ["ann", "bob", "the-flood"]


def test_a_note_on_several_is_told_once(crowd):
    crowd('note on foes "carry torches"')
    assert crowd.who("cat").notes == crowd.who("dan").notes == ("carry torches",)
    entry = crowd.history.entries[crowd.history.last]
    told = entry_line(entry, crowd.history.before(entry.seq), {})
    assert told == "Note on Cat and Dan: carry torches"
