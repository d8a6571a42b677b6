"""What players propose: forms of their own character, and the commands that these make."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.parser.errors import Refused, few_of
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.proposals import (
    may_go_by_itself,
    own_sheet,
    refusal_as_known,
    refusal_in_words,
)
from affray.core.rules.tables import read_tables
from affray.serve.forms import ProposalForm, compose_command, describe_proposal, proposal_forms

DEATH_SAVE = "wait:death:mira-is-dying-death-save"


def begun(game: str, *more: str) -> Fight:
    fight = Fight(game, seed=1)
    fight.do("add pc Mira hp 30", "add pc Ash hp 20", "add monster Ghoul x2 hp 10")
    fight.do("add monster Lurker hp 9 hidden", *more)
    fight.do("init mira 20", "init ash 9", "init ghoul-1 8", "init ghoul-2 7", "init lurker 1")
    fight.do("start")
    return fight


def forms(fight: Fight, who: str = "mira") -> dict[str, ProposalForm]:
    return {form.id: form for form in proposal_forms(fight.history, fight.ruleset, who)}


def compose(fight: Fight, form: str, who: str = "mira", **answers: str | list[str]) -> str:
    return compose_command(fight.history, fight.ruleset, who, form, answers)


def test_a_technique_asks_for_what_its_prompt_asks_for_and_is_done_by_its_character():
    fight = begun("monsters-and-magic")
    strike = forms(fight)["do:strike"]
    assert (strike.label, strike.group, strike.cost, strike.reason) == (
        "Strike",
        "action",
        "1 AP",
        "",
    )
    target, also, die, damage = (field for field in strike.fields if not field.aside)
    assert [name for name, _ in target.options] == ["Ghoul 1", "Ghoul 2", "Ash"]
    assert (target.kind, die.kind, die.label, damage.kind) == ("combatant", "die", "d20", "damage")
    assert (also.several, also.optional, damage.optional) == (True, True, True)
    line = compose(fight, "do:strike", target="Ghoul 2", die="15", amount="8 slashing")
    assert line == "strike ghoul-2 natural 15 8 slashing by mira"
    entry = fight.do(line, proposal="p1")
    assert (entry.by, entry.proposal) == ("mira", "p1")
    assert forms(fight)["do:strike"].cost == "2 AP"  # what the next one costs


def test_a_proposal_is_told_to_its_player_by_the_names_that_players_know():
    fight = Fight("monsters-and-magic", seed=1)
    fight.do("add pc Mira hp 30", "add monster Ghoul x2 hp 9 hidden", "add monster Ghoul hp 9")
    fight.do("init mira 20", "init ghoul-1 1", "init ghoul-2 2", "init ghoul-3 3", "start")
    answers = {"target": "Ghoul", "die": "15", "amount": "8 slashing", "adv": ["adv", "cover"]}
    assert compose(fight, "do:strike", **answers).startswith("strike ghoul-3 natural 15 8 slashing")
    words = describe_proposal(fight.history, fight.ruleset, "mira", "do:strike", answers)
    assert words == "Strike Ghoul, advantage, cover, 15 on the die, 8 slashing"


def test_a_form_says_why_it_cannot_be_done_now_and_composes_nothing():
    fight = begun("monsters-and-magic")
    reason = forms(fight, "ash")["do:strike"].reason
    assert reason
    with pytest.raises(Refused, match=reason):
        compose(fight, "do:strike", "ash", target="Ghoul 1", die="3")


@pytest.mark.parametrize("name", ["Lurker", "lurker", "Nobody", "5", "foes", "ghoul-1", "all"])
def test_whoever_the_players_do_not_know_is_nobody_in_the_same_words(name):
    fight = begun("monsters-and-magic")
    with pytest.raises(Refused) as refusal:
        compose(fight, "do:strike", target=name, die="15")
    assert str(refusal.value) == "nobody has that name"


def test_what_the_fight_refuses_is_told_to_players_without_whom_they_do_not_know():
    fight = begun("monsters-and-magic")
    assert "lurker" not in refusal_as_known(fight.history, fight.ruleset, "strike lurke roll")
    assert "ghoul-1" in refusal_as_known(fight.history, fight.ruleset, "strike lurke roll")


def test_a_refusal_does_not_tell_by_a_number_how_many_there_are_of_a_name():
    fight = Fight("monsters-and-magic", seed=1)
    fight.do("add pc Mira hp 30", "add monster Ghoul x2 hp 9 hidden", "add monster Ghoul hp 9")
    fight.do("init mira 20", "init ghoul-1 1", "init ghoul-2 2", "init ghoul-3 3", "start")
    words = refusal_as_known(fight.history, fight.ruleset, "strike nobody roll")
    assert "Ghoul" in words and "-3" not in words


def test_initiative_waits_until_it_is_known():
    fight = Fight("orcus", seed=1)
    fight.do("add pc Mira hp 30", "setting players-act trusted")
    assert next(iter(forms(fight))) == "init"
    rolled = compose(fight, "init", die="12")
    assert (rolled, compose(fight, "init", die="roll")) == (
        "init mira natural 12",
        "init mira roll",
    )
    assert compose(fight, "init", total="17") == "init mira 17"
    assert may_go_by_itself(fight.history, fight.ruleset, "mira", rolled)
    fight.do(rolled)
    assert "init" not in forms(fight)
    assert not may_go_by_itself(fight.history, fight.ruleset, "mira", rolled)


def test_the_end_of_the_turn_is_offered_in_ones_own_turn_alone():
    fight = begun("plain")
    assert compose(fight, "turn-end") == "next"
    assert "turn-end" not in forms(fight, "ash")
    with pytest.raises(Refused, match="that can't be done now"):
        compose(fight, "turn-end", "ash")


def test_while_somebody_hidden_is_up_the_turn_before_goes_on_and_cannot_be_ended():
    fight = begun("plain", "setting players-act trusted")
    fight.do("next", "next", "next")
    seen = proposal_forms(fight.history, fight.ruleset, "mira")
    fight.do("next")
    assert fight.state.turn == "lurker"
    assert proposal_forms(fight.history, fight.ruleset, "mira") == seen
    assert not may_go_by_itself(fight.history, fight.ruleset, "mira", "next")


def test_what_waits_for_a_character_is_asked_with_its_die_and_its_answers():
    fight = begun("level-up", "setting players-act trusted")
    fight.do("next", *["damage mira 10"] * 3, *["next"] * 4)
    waiting = [form for form in forms(fight).values() if form.group == "waiting"]
    assert [form.id for form in waiting] == [DEATH_SAVE]
    line = compose(fight, DEATH_SAVE, die="12")
    assert line == "death mira natural 12"
    assert may_go_by_itself(fight.history, fight.ruleset, "mira", line)
    assert not may_go_by_itself(fight.history, fight.ruleset, "ash", line)
    assert not may_go_by_itself(fight.history, fight.ruleset, "mira", f"{line} by ash")
    fight.do(line)
    assert DEATH_SAVE not in forms(fight)


def test_an_answer_to_what_was_asked_first_is_none_to_what_is_asked_next():
    """The GM may have answered it while the player's thumb came down."""
    fight = begun("5e", "set mira hp 90 of 90")
    fight.do("cast Vigil concentration by mira", "damage mira 3", "damage mira 30")
    first = next(form for form in forms(fight).values() if form.group == "waiting")
    assert "DC 10" in first.label
    fight.do(compose(fight, first.id, answer="s"))
    second = next(form for form in forms(fight).values() if form.group == "waiting")
    assert "DC 15" in second.label
    with pytest.raises(Refused, match="that can't be done now"):
        compose(fight, first.id, answer="s")


def test_what_a_character_has_readied_is_asked_with_what_the_technique_asks():
    fight = begun("level-up")
    assert "say:trigger" not in forms(fight)
    fight.do(compose(fight, "do:ready", action="attack", trigger="it comes near"), "next")
    trigger = forms(fight)["say:trigger"]
    assert {"target", "die"} <= {field.name for field in trigger.fields}
    assert "say:trigger" not in forms(fight, "ash")
    line = compose(fight, "say:trigger", target="Ghoul 1", die="roll")
    assert line == "trigger ghoul-1 roll by mira"


def test_an_own_power_has_a_form_of_its_own():
    fight = Fight("adventure-school", seed=1)
    fight.do(
        'add pc Mira hp 30 ability "Sure Foot" stamina 1',
        "add monster Ghoul hp 9",
        "init mira 20",
        "init ghoul 1",
        "start",
    )
    found = [form for form in forms(fight).values() if form.label == "Sure Foot"]
    assert [form.group for form in found] == ["action"]
    assert compose(fight, found[0].id).startswith('ability "Sure Foot"')


def test_a_technique_of_the_house_has_a_form_as_any_other():
    fight = begun("monsters-and-magic")
    row = {"name": "War Cry", "cost": {"ap": 1}, "fields": ["target"]}
    fight.ruleset = with_house_rules(fight.ruleset, read_tables({"techniques": {"war-cry": row}}))
    cry = forms(fight)["do:war-cry"]
    assert (cry.label, cry.cost, cry.fields[0].kind) == ("War Cry", "1 AP", "combatant")
    assert fight.do(compose(fight, "do:war-cry", target="Ghoul 1")).by == "mira"


def test_nothing_goes_by_itself_unless_players_are_trusted():
    fight = begun("plain")
    assert not may_go_by_itself(fight.history, fight.ruleset, "mira", "next")
    fight.do("setting players-act ask")
    assert not may_go_by_itself(fight.history, fight.ruleset, "mira", "next")
    fight.do("setting players-act trusted")
    assert may_go_by_itself(fight.history, fight.ruleset, "mira", "next")
    for line in ("next ", "end", "damage mira 3", "undo", "init mira 3", "note on mira x"):
        assert not may_go_by_itself(fight.history, fight.ruleset, "mira", line)


def test_a_proposal_is_played_once_whatever_is_undone():
    fight = begun("plain")
    fight.do("damage ghoul-1 3", proposal="p1")
    for line in ("damage ghoul-1 3", "next"):
        with pytest.raises(Refused, match="already played"):
            fight.do(line, proposal="p1")
    fight.undo()
    with pytest.raises(Refused, match="already played"):
        fight.do("damage ghoul-1 3", proposal="p1")
    assert fight["ghoul-1"].hp == 10


def test_a_note_to_the_gm_stands_on_the_character():
    fight = begun("plain")
    line = compose(fight, "note", text='I say "stop"\nby ghoul-1')
    fight.do(line)
    assert fight["mira"].now.notes == ("I say 'stop' by ghoul-1",)


def test_the_own_sheet_has_numbers_tracks_and_effects_but_no_note_of_the_gms():
    fight = begun("monsters-and-magic", "note on mira secret")
    fight.do("inflict mira weakened until end of mira")
    sheet = own_sheet(fight.history, fight.ruleset, "mira")
    assert sheet is not None and sheet.name == "Mira"
    assert ("HP", 30, 30) in [(track.label, track.value, track.max) for track in sheet.tracks]
    assert [(e.name, e.ends) for e in sheet.effects] == [
        ("weakened", "until the end of their next turn")
    ]
    assert "secret" not in str(sheet)
    assert own_sheet(fight.history, fight.ruleset, "lurker") is None


def test_a_refusal_for_players_names_no_words_that_the_gm_may_type():
    fight = begun("monsters-and-magic")
    words = refusal_as_known(fight.history, fight.ruleset, "strike ghoul-1 roll")
    assert words == "how much damage? Mira has no attack of their own to roll"


@pytest.mark.parametrize(
    ("game", "line", "told"),
    [
        ("orcus", "feint ghoul-1 natural 15", "Ghoul 1's number is not known"),
        ("orcus", "create-diversion ghoul-1 natural 15", "Ghoul 1's number is not known"),
        ("orcus", "attack ghoul-1 natural 15 9", "Mira has no attack of their own to roll with"),
        ("adventure-school", "distract ghoul-1 natural 15", "the rules give no DC to distract"),
    ],
)
def test_a_player_is_told_to_ask_for_what_only_the_gm_can_say(
    game: str, line: str, told: str
) -> None:
    fight = begun(game)
    words = refusal_as_known(fight.history, fight.ruleset, line)
    assert words == f"{told}: ask your GM how it went, and choose that outcome"


def test_a_missing_dc_is_asked_of_the_gm_and_a_missing_distance_is_not() -> None:
    state = begun("plain").state
    dc, distance = (
        "give the DC to escape: `dc N`",
        "give the distance, `jump FEET pass`, or the die",
    )
    assert refusal_in_words(state, Refused(dc)) == "the DC to escape is missing: ask your GM for it"
    assert refusal_in_words(state, Refused(distance)) == "the distance is missing"


def test_a_refusal_for_players_names_no_key_of_the_gms_screen() -> None:
    listed = Refused(f"expected a skill: {few_of('x', map(str, range(20)))}")
    assert "tab" not in refusal_in_words(begun("plain").state, listed)
