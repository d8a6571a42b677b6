"""The players' view: what it shows, and above all what it never does."""

from __future__ import annotations

import msgspec

from affray import Fight
from affray.core.engine.history import Entry
from affray.core.engine.state import Duration, Effect
from affray.core.formatting.players_view import PlayersCombatant, PlayersView, players_view
from affray.core.parser.errors import Refused


def fight(*lines: str) -> Fight:
    """Mira, two ghouls and somebody who lurks, in the order in which they act."""
    made = Fight("orcus", title="The Ford", seed=1)
    made.do(
        "add pc Mira hp 30 ac 15",
        "add monster Ghoul x2 hp 20 ac 12",
        "add monster Lurker hp 7919 ac 17 hidden",
    )
    for place, who in enumerate(("mira", "ghoul-1", "lurker", "ghoul-2")):
        made.do(f"init {who} {20 - place}")
    if lines:
        made.do(*lines)
    return made


def seen(made: Fight) -> PlayersView:
    return players_view(made.history, made.ruleset)


class Unread(dict[int, Entry]):
    """Entries of which only the newest may still be asked for."""

    def __getitem__(self, seq: int) -> Entry:
        assert seq > max(self) - 2, "read anew"
        return super().__getitem__(seq)


def named_in(made: Fight) -> set[str]:
    return {who.name for who in seen(made).people}


def named(made: Fight, name: str) -> PlayersCombatant:
    return next(who for who in seen(made).people if who.name == name)


def test_it_shows_round_turn_next_and_whoever_is_known_in_the_order_of_their_turns() -> None:
    shown = seen(fight("start"))
    assert (shown.title, shown.round, shown.up, shown.next) == ("The Ford", 1, ("Mira",), "Ghoul 1")
    assert [who.name for who in shown.people] == ["Mira", "Ghoul 1", "Ghoul 2"]
    assert [who.is_up for who in shown.people] == [True, False, False]


def test_the_party_has_its_numbers_and_nobody_else_any() -> None:
    made = fight("start", "damage mira 7", "damage ghoul-1 11")
    assert (named(made, "Mira").tracks[0].value, named(made, "Mira").tracks[0].max) == (23, 30)
    assert named(made, "Ghoul 1") == PlayersCombatant(
        "Ghoul 1", "foes", "up", False, "badly hurt", lasting=named(made, "Ghoul 1").lasting
    )


def test_how_hurt_they_look_is_told_in_words_in_bars_or_not_at_all() -> None:
    made, words, bars = fight("start"), [], []
    for damage in (0, 1, 8, 2, 5, 3):
        made.do(f"damage ghoul-2 {damage}") if damage else None
        words.append(named(made, "Ghoul 2").health)
        made.do("setting players-health bars")
        bars.append(named(made, "Ghoul 2").bar)
        assert named(made, "Ghoul 2").health == ""
        made.do("undo")
    assert words == ["unhurt", "hurt", "hurt", "badly hurt", "nearly down", "nearly down"]
    assert bars == [5, 4, 3, 3, 1, 1]
    made.do("setting players-health hidden")
    assert (named(made, "Ghoul 2").health, named(made, "Ghoul 2").bar) == ("", None)


def test_the_hidden_are_not_there_and_the_turn_before_goes_on_while_one_is_up() -> None:
    made = fight("start", "next")
    assert (seen(made).up, seen(made).next) == (("Ghoul 1",), "Ghoul 2")
    before = msgspec.json.encode(seen(made))
    made.do("next")
    assert made.state.turn == "lurker"
    assert msgspec.json.encode(seen(made)) == before
    made.do("setting players-health hidden")
    assert (named(made, "Ghoul 1").health, named(made, "Ghoul 1").bar) == ("", None)
    made.do("undo")
    made.do("next")
    assert seen(made).up == ("Ghoul 2",)


def test_a_round_that_begins_with_somebody_hidden_has_not_begun_for_the_players() -> None:
    made = fight("init lurker 30")
    before = msgspec.json.encode(seen(made))
    made.do("start")
    assert (made.state.turn, made.state.round) == ("lurker", 1)
    assert msgspec.json.encode(seen(made)) == before
    made.do("next", "next", "next", "next")
    assert (made.state.turn, made.state.round) == ("lurker", 2)
    assert (seen(made).round, seen(made).up, seen(made).next) == (1, ("Ghoul 2",), "Mira")


def test_a_pack_is_numbered_as_the_players_have_met_it() -> None:
    def rats() -> list[str]:
        return [who.name for who in seen(made).people if who.name.startswith("Rat")]

    made = fight("add monster Rat x4 hp 5", "conceal rat-3")
    assert rats() == ["Rat 1", "Rat 2", "Rat 3"], "it was hidden before anybody looked"
    made.do("reveal rat-3", "start", "conceal rat-3")
    assert rats() == ["Rat 1", "Rat 2", "Rat 4"], "they have met the third: it only isn't there now"

    made = fight("add monster Rat x2 hp 5 hidden", "add monster Rat x2 hp 5", "start")
    assert sorted(rats()) == ["Rat 1", "Rat 2"]
    made.do("reveal rat-1")
    called = {who.name for who in seen(made).people}
    assert {"Rat 1", "Rat 2", "Rat 3"} <= called and "Rat 4" not in called
    made.do("rename rat-1 Old Tooth", "reveal rat-2")
    assert {"Rat 1", "Rat 2", "Old Tooth", "Rat 4"} <= {who.name for who in seen(made).people}


def test_who_is_met_alone_has_no_number_that_tells_of_others() -> None:
    made = fight("add monster Imp hp 5 hidden", "add monster Imp hp 5", "start")
    assert "Imp 2" in {who.name for who in made} and "Imp" in named_in(made)
    made.do("reveal imp")
    assert {"Imp", "Imp 2"} <= named_in(made)
    assert (named(made, "Imp").health, named(made, "Imp 2").health) == ("unhurt", "unhurt")
    made.do("damage imp-2 4")
    assert named(made, "Imp").health == "nearly down", "it is the one that they met first"


def test_a_name_that_was_heard_stays_whoever_comes_out_of_hiding() -> None:
    made = fight("add monster Imp x3 hp 5 hidden", "start", "reveal imp-3")
    assert "Imp" in named_in(made)
    made.do("reveal imp-1,imp-2")
    assert {"Imp", "Imp 1", "Imp 2"} <= named_in(made)


def test_what_an_undo_takes_back_was_heard_by_nobody() -> None:
    made = fight("start", "add monster Imp hp 5", "undo", "add monster Imp x2 hp 5")
    assert {"Imp 1", "Imp 2"} <= named_in(made)
    made.do("amend 3 add monster Lurker hp 7")
    assert named_in(made) == {"Mira", "Ghoul 1", "Ghoul 2", "Lurker", "Imp 1", "Imp 2"}


def test_while_somebody_hidden_is_up_time_stands_still_until_something_is_done() -> None:
    """A clock that ticks with the round, what ends with a turn: neither tells that one is up."""
    made = fight("init lurker 30", 'clock "fog" 3 rounds', "start", "next")
    made.do('inflict mira "hexed" until end of ghoul-2', "next", "next")
    before = msgspec.json.encode(seen(made))
    made.do("next")
    assert (made.state.turn, made.state.round) == ("lurker", 2)
    assert msgspec.json.encode(seen(made)) == before
    made.do("damage lurker 3", 'note "psst"')
    assert msgspec.json.encode(seen(made)) == before
    made.do("damage mira 4")
    assert named(made, "Mira").tracks[0].value == 26 and named(made, "Mira").lasting == ()
    assert (seen(made).up, seen(made).round) == (("Ghoul 2",), 1)
    assert seen(made).clocks[0].stands == "2 rounds left"
    made.do("next")
    assert (seen(made).up, seen(made).round) == (("Mira",), 2)


def test_the_title_is_told_unless_the_gm_keeps_it() -> None:
    made = fight("setting players-title hidden")
    assert seen(made).title == ""


def test_reading_on_costs_no_more_than_what_is_new() -> None:
    """And comes to the same as reading all of it, whatever was undone between."""
    made = fight("start")
    for line in ("add monster Imp x2 hp 5 hidden", "reveal imp-2", "undo", "reveal imp-1", "redo"):
        try:
            made.do(line)
        except Refused:
            continue
        again = Fight("orcus", title="The Ford")
        for seq, entry in made.history.entries.items():
            again.history.apply(entry, made.history.states[seq] if entry.to is None else None)
        assert seen(made) == seen(again)
        made.history.entries = Unread(made.history.entries)
        assert seen(made)
        made.history.entries = dict(made.history.entries)


def test_a_number_that_is_nobody_elses_is_part_of_the_name() -> None:
    made = fight('add monster "Agent 47" hp 5 hidden', "reveal agent-47")
    assert "Agent 47" in {who.name for who in seen(made).people}


def test_foes_without_names_are_numbered_as_they_were_met_also_where_others_speak_of_them() -> None:
    made = fight("setting players-names hidden", "start", "next")
    assert [who.name for who in seen(made).people] == ["Mira", "Foe 1", "Foe 2"]
    assert (seen(made).up, seen(made).next) == (("Foe 1",), "Foe 2")
    made.do("inflict mira slowed until end of ghoul-2", "reveal lurker")
    assert named(made, "Mira").lasting[0].ends == "until the end of Foe 2's next turn"
    assert [who.name for who in seen(made).people] == ["Mira", "Foe 1", "Foe 3", "Foe 2"]


def test_foes_and_others_without_names_are_numbered_apart_and_the_partys_keep_theirs() -> None:
    made = fight("setting players-names hidden")
    made.do("add monster Boatman side others hp 5", "add monster Crow hp 2")
    assert [who.name for who in seen(made).people] == ["Mira", "Foe 1", "Foe 2", "Other 1", "Foe 3"]
    made.do("set mira side foes", "set ghoul-2 side party")
    assert [who.name for who in seen(made).people][:3] == ["Mira", "Foe 1", "Ghoul 2"]


def test_conditions_are_told_with_their_ends_and_never_by_a_note_or_somebody_hidden() -> None:
    made = fight("start", 'inflict mira "Marked by fate" note "the lich owns her" until fight')
    assert [(e.name, e.ends) for e in named(made, "Mira").lasting] == [
        ("Marked by fate", "until the fight ends")
    ]
    made.do("undo", "inflict ghoul-1 dazed until end of lurker")
    assert [(e.name, e.ends) for e in named(made, "Ghoul 1").lasting] == [("dazed", "")]
    made.do("remove lurker")
    assert "lurker" not in msgspec.json.encode(seen(made)).decode().casefold()


def test_the_amounts_on_the_party_are_told_and_on_others_not() -> None:
    made = Fight("monsters-and-magic", seed=1)
    made.do("add pc Ilse hp 9", "add monster Ogre hp 30", "forward ilse +2 x", "forward ogre +3 x")
    assert [e.name for e in named(made, "Ilse").lasting] == ["forward +2 check"]
    assert named(made, "Ogre").lasting == ()


def test_neither_a_note_nor_an_end_in_words_of_the_gms_is_told() -> None:
    made = fight()
    secret = Effect("lull", "lull", "lull", Duration(says="the secret is out"), note="secret")
    for who in ("mira", "ghoul-1"):
        bearer = msgspec.structs.replace(made.state[who], effects=(secret,))
        others = tuple(bearer if c.id == who else c for c in made.state.combatants)
        state = msgspec.structs.replace(made.state, combatants=others)
        made.history.states[made.history.head] = state
    assert [(e.name, e.ends) for e in named(made, "Mira").lasting] == [("lull", "")]
    assert named(made, "Ghoul 1").lasting == ()
    assert "secret" not in msgspec.json.encode(seen(made)).decode()


def test_clocks_are_told_but_those_that_are_hidden() -> None:
    made = fight('clock "fog" 3 rounds', 'clock "the lord wakes" 6 hidden')
    assert [(c.name, c.stands) for c in seen(made).clocks] == [("fog", "3 rounds left")]
    made.do('clock "the lord wakes" reveal', 'clock "the lord wakes" tick', 'clock "fog" conceal')
    assert [(c.name, c.stands) for c in seen(made).clocks] == [("the lord wakes", "5 steps left")]
    assert made.report()["clocks"][0]["hidden"] is True


def test_the_last_lines_are_told_if_the_gm_wants_it_without_amounts_rolls_or_the_hidden() -> None:
    made = fight("start", "damage ghoul-1 9", "damage mira 4", "damage lurker 3", 'note "psst"')
    assert seen(made).lines == ()
    made.do("setting players-log shown", "setting players-names hidden")
    assert seen(made).lines == ("Foe 1 is hurt", "Mira −4 HP, 26 left")


def test_what_a_hand_has_written_into_the_log_as_a_setting_is_the_default() -> None:
    made = fight()
    state = msgspec.structs.replace(made.state, settings={"players-health": "everything"})
    made.history.states[made.history.head] = state
    assert named(made, "Ghoul 1").health == "unhurt"


def test_marks_that_nothing_limits_are_shown_with_the_empty_ones_that_the_game_draws() -> None:
    fight = Fight("level-up", seed=1)
    fight.do("add pc Mira hp 20 ac 12", "start")
    (mira,) = players_view(fight.history, fight.ruleset).people
    assert ("Fatigue", 0, 5) in [(each.label, each.value, each.max) for each in mira.tracks]
