"""A campaign's own techniques: they pay, mark, are counted, leave their effect, and say so."""

from __future__ import annotations

from datetime import datetime

import pytest
from tests.house.playing import GAMES, HouseFight, ruleset_with

from affray.core.heart.decide import complete
from affray.core.heart.moves import entry_of_move, read_move
from affray.core.language.refusal import Refused
from affray.rulesets import load_ruleset

ROWS = {
    "monsters-and-magic": """
[techniques.whirl]
name = "Whirl"
cost = { ap = 2 }
marks = { fatigue = 1 }
asks = ["target"]
does = { inflict = "shaken" }

[techniques.shield-wall]
name = "Shield Wall"
cost = { ap = 1 }
repeat = "rising"
asks = ["text:shout?"]
does = { bestow = "braced", turns = 2 }

[techniques.rally-cry]
cost = { ap = 1 }
asks = ["targets", "choice:loud|hoarse?"]
does = { inflict = "shaken", bestow = "braced", ends = "fight" }
repeat = "any"

[techniques.rebuke]
cost = { reaction = 1 }
reaction = true
asks = ["target"]
does = { inflict = "shaken" }

[techniques.bow]
cost = { ap = 1 }

[effects.shaken]
modifiers = { check = -1 }

[effects.braced]
kind = "status"
modifiers = { ac = 1 }
""",
    "orcus": """
[techniques.whirl]
name = "Whirl"
cost = { standard = 1 }
repeat = "fight"
asks = ["target"]
does = { inflict = "shaken", ends = "save" }

[techniques.shield-wall]
name = "Shield Wall"
cost = { move = 1 }
asks = ["text:shout?"]
does = { bestow = "braced", turns = 2 }

[techniques.rally-cry]
cost = { swift = 1 }
asks = ["targets", "choice:loud|hoarse?"]
does = { inflict = "shaken", bestow = "braced", ends = "fight" }
repeat = "any"

[techniques.rebuke]
cost = { immediate = 1 }
reaction = true
asks = ["target"]
does = { inflict = "shaken" }

[techniques.bow]

[effects.shaken]
modifiers = { attack = -1 }

[effects.braced]
kind = "boon"
modifiers = { ac = 1 }
""",
    "level-up": """
[techniques.whirl]
name = "Whirl"
cost = { action = 1 }
marks = { fatigue = 1 }
asks = ["target"]
does = { inflict = "shaken" }

[techniques.shield-wall]
name = "Shield Wall"
cost = { action = 1 }
asks = ["text:shout?"]
does = { bestow = "braced", turns = 2 }

[techniques.rally-cry]
cost = { bonus_action = 1 }
asks = ["targets", "choice:loud|hoarse?"]
does = { inflict = "shaken", bestow = "braced", ends = "fight" }
repeat = "any"

[techniques.rebuke]
cost = { reaction = 1 }
reaction = true
asks = ["target"]
does = { inflict = "shaken" }

[techniques.bow]

[effects.shaken]
modifiers = { check = -1 }

[effects.braced]
kind = "state"
modifiers = { ac = 1 }
""",
    "adventure-school": """
[techniques.whirl]
name = "Whirl"
cost = { action = 1 }
marks = { diminish = 1 }
asks = ["target"]
does = { inflict = "shaken" }

[techniques.shield-wall]
name = "Shield Wall"
cost = { action = 1 }
asks = ["text:shout?"]
does = { bestow = "braced", turns = 2 }

[techniques.rally-cry]
cost = { movement = 5 }
asks = ["targets", "choice:loud|hoarse?"]
does = { inflict = "shaken", bestow = "braced", ends = "fight" }
repeat = "any"

[techniques.rebuke]
reaction = true
asks = ["target"]
does = { inflict = "shaken" }

[techniques.bow]

[effects.shaken]
modifiers = { check = -1 }

[effects.braced]
kind = "trace"
modifiers = { ac = 1 }
""",
}
PEOPLE = {
    "monsters-and-magic": (
        "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
        "add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1",
        "add monster Foe x2 cr 2 hp 28 ac 2 fatigue 3 exhaustion 2",
    ),
    "orcus": (
        "add pc Brannoc hp 44 ac 18 fort 16 ref 14 will 13 init 3 recoveries 8",
        "add pc Mira hp 30 ac 15 fort 12 ref 16 will 15 init 5 recoveries 6",
        "add monster Foe x2 hp 60 ac 16 fort 13 ref 14 will 12 init 4",
    ),
    "level-up": (
        "add pc Brannoc hp 40 ac 17 init 1 level 5 con 2 exertion 3 attack Sword +7 1d8+4",
        "add pc Mira hp 24 ac 14 init 3 level 3 dex 3",
        "add monster Foe x2 hp 60 ac 12 attack Axe +4 1d8+3",
    ),
    "adventure-school": (
        "add pc Brannoc hp 40 ac 17 init 1 strength 7 stamina 3 spirit 3"
        " attack Sword +7 1d8+4 attack Crossbow +5 1d10 ranged loading ability Hew",
        "add pc Mira hp 24 ac 14 init 3",
        "add monster Foe x2 hp 60 ac 12 attack Axe +4 1d8+3",
    ),
}
ORDER = ("init brannoc 17", "init mira 12", "init foe-1 10", "init foe-2 9", "start")
FULL = {"monsters-and-magic": ("ap", 3), "orcus": ("standard", 1), "level-up": ("action", 1)}
FULL["adventure-school"] = FULL["level-up"]
OFTEN = {
    "monsters-and-magic": "ap",
    "orcus": "swift",
    "level-up": "exertion",
    "adventure-school": "movement",
}
"""A track of which somebody has several, or one that others leave alone."""
REACTION = {"monsters-and-magic": "reaction", "orcus": "immediate", "level-up": "reaction"}
"""What a reaction takes, where they are counted."""
HOLDS = "adventure-school"
"""The game in which what is readied is said only when its trigger comes."""
OUT = {
    "monsters-and-magic": "stunned",
    "orcus": "stunned",
    "level-up": "unconscious",
    "adventure-school": "disabled",
}
"""What keeps from acting."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """One game, then the other."""
    return str(request.param)


@pytest.fixture
def fight(game: str) -> HouseFight:
    """Brannoc is up in a campaign that has these techniques."""
    made = HouseFight(ruleset_with(game, ROWS[game]))
    made.do(*PEOPLE[game], *ORDER)
    return made


def option(fight: HouseFight, who: str, technique: str) -> dict[str, object]:
    """A technique as it stands for somebody."""
    return next(o for o in fight.who(who)["options"] if o["technique"] == technique)


def test_a_technique_pays_its_price_leaves_its_effect_and_says_so(
    fight: HouseFight, game: str
) -> None:
    """DESIGN 1, Rulesets: a row that only pays, leaves an effect and says so needs no code."""
    track, full = FULL[game]
    said = fight.do("whirl foe-1")
    assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken"
    assert fight.effects("foe-1") == {"shaken"} and fight.effects("brannoc") == set()
    assert fight.track("brannoc", track) == full - (2 if game == "monsters-and-magic" else 1)
    effect = fight.state["foe-1"].named("shaken")
    assert effect is not None and effect.source == "brannoc"


def test_undo_takes_all_of_it_back(fight: HouseFight) -> None:
    before = fight.state
    fight.do("whirl foe-1")
    move = read_move(fight.history, "undo")
    assert move is not None
    fight.history.apply(entry_of_move(fight.history, move, datetime(2026, 1, 1)))
    assert fight.state is before
    assert fight.do("whirl foe-1") == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken"


LAID = """
[techniques.sit]
cost = {cost}
asks = ["text:where?"]
does = {{ bestow = "braced", ends = "{ends}", says = "sits down" }}
[techniques.get-up]
cost = {cost}
does = {{ lifts = ["braced"], says = "gets up" }}
[effects.braced]
modifiers = {{ attack = 1 }}
"""


@pytest.mark.parametrize(
    ("ends", "until"),
    [
        ("start", "start of brannoc's next turn"),
        ("end", "end of brannoc's next turn"),
        ("turn", "end of brannoc's turn"),
    ],
)
def test_a_row_says_when_its_effect_ends_what_it_lifts_and_what_the_log_says(
    game: str, ends: str, until: str
) -> None:
    fight = HouseFight(ruleset_with(game, LAID.format(cost=COST[game], ends=ends)))
    fight.do(*PEOPLE[game], *ORDER)
    assert fight.do('sit "on the floor"') == "Brannoc sits down: on the floor"
    assert [e["until"] for e in fight.who("brannoc")["effects"]] == [until]
    fight.do(f"set brannoc {FULL[game][0]} 1")
    assert fight.do("get-up") == "Brannoc gets up"
    assert fight.effects("brannoc") == set()


def test_a_row_leaves_its_effect_only_when_the_word_is_chosen(game: str) -> None:
    rows = f"""
    [techniques.topple]
    cost = {COST[game]}
    repeat = "any"
    asks = ["target", "choice:won|lost"]
    does = {{ inflict = "prone", when = "won", says = "tries to topple" }}
    """
    fight = HouseFight(ruleset_with(game, rows))
    fight.do(*PEOPLE[game])
    assert fight.do("topple foe-1 lost by mira") == "Mira tries to topple Foe 1: lost"
    assert "prone" not in fight.effects("foe-1")
    fight.do("topple foe-1 won by mira")
    assert "prone" in fight.effects("foe-1")


def test_a_row_gives_back_what_can_be_marked() -> None:
    rows = "techniques.breathe = { cost = { ap = 1 }, does = { recovers = { fatigue = 2 } } }"
    fight = HouseFight(ruleset_with("monsters-and-magic", rows))
    fight.do(*PEOPLE["monsters-and-magic"], *ORDER, "mark brannoc fatigue 3", "breathe")
    assert fight.track("brannoc", "fatigue") == 1


def test_what_the_games_own_technique_does_stays_when_a_campaign_changes_its_cost() -> None:
    rows = "techniques.dodge = { name = 'Duck', cost = { ap = 1 } }"
    fight = HouseFight(ruleset_with("monsters-and-magic", rows))
    fight.do(*PEOPLE["monsters-and-magic"], *ORDER)
    assert fight.do("dodge") == "Brannoc dodges"
    assert (fight.effects("brannoc"), fight.track("brannoc", "ap")) == ({"dodging"}, 2)


def test_what_a_row_marks_is_marked_and_somebody_who_cant_is_refused() -> None:
    game = "monsters-and-magic"
    fight = HouseFight(ruleset_with(game, ROWS[game]))
    fight.do(*PEOPLE[game], "add hazard Pit", "whirl foe-2 by brannoc")
    assert fight.track("brannoc", "fatigue") == 1
    assert "no fatigue to mark" in fight.refused("whirl foe-1 by pit")


@pytest.mark.parametrize("order", [(), ORDER])
def test_a_resource_that_is_marked_must_be_there_and_can_come_back(order: tuple[str, ...]) -> None:
    rows = """
    [techniques.whirl]
    repeat = "any"
    marks = { stamina = 2 }
    [techniques.breathe]
    does = { recovers = { stamina = 1 } }
    """
    fight = HouseFight(ruleset_with("adventure-school", rows))
    fight.do(*PEOPLE["adventure-school"], *order, "whirl by brannoc")
    assert fight.track("brannoc", "stamina") == 1
    assert "1 Stamina left, needs 2" in fight.refused("whirl by brannoc")
    assert option(fight, "brannoc", "whirl")["available"] is False
    fight.do("breathe by brannoc", "whirl by brannoc")
    assert fight.track("brannoc", "stamina") == 0


def test_how_often_it_is_used_is_counted(fight: HouseFight, game: str) -> None:
    fight.do("whirl foe-1")
    if game == "orcus":
        assert "once an encounter" in fight.refused("whirl foe-2")
        fight.do(*["next"] * 4)
        assert "once an encounter" in fight.refused("whirl foe-2")
        return
    assert "once a turn" in fight.refused("whirl foe-2")
    if game in ("level-up", "adventure-school"):
        assert option(fight, "brannoc", "whirl")["reason"] == "once a turn"
        return
    fight.do(*["next"] * 4, "shield-wall")
    assert option(fight, "brannoc", "shield-wall")["cost"] == {"ap": 2}
    fight.do("shield-wall extend")
    assert "0 AP left, needs 3" in fight.refused("shield-wall extend")


def test_a_name_of_several_words_can_be_written_apart(fight: HouseFight) -> None:
    said = fight.do('shield wall "hold the line"')
    assert said == "Brannoc uses Shield Wall (hold the line): Brannoc is braced"
    until = next(e["until"] for e in fight.who("brannoc")["effects"])
    assert until == "end of brannoc's 2nd turn from now"


def test_several_targets_a_word_that_is_chosen_and_both_kinds_of_effect(fight: HouseFight) -> None:
    said = fight.do("rally-cry foe-1,foe-2 loud")
    assert said == (
        "Brannoc uses rally-cry on Foe 1 and Foe 2 (loud): "
        "Foe 1 is shaken, Foe 2 is shaken, Brannoc is braced"
    )
    assert {e["until"] for e in fight.who("foe-1")["effects"]} == {"until the fight ends"}
    fight.do("end")
    assert fight.effects("foe-1") == fight.effects("brannoc") == set()


def test_a_technique_without_an_effect_is_paid_and_said(fight: HouseFight) -> None:
    assert "usage: bow [by NAME]" in fight.refused("bow deeply")
    assert fight.do("bow") == "Brannoc uses bow"


def test_a_reaction_stands_behind_react(fight: HouseFight, game: str) -> None:
    fight.do("next")
    said = fight.do("react rebuke foe-1 by brannoc")
    assert said == "Brannoc uses rebuke on Foe 1: Foe 1 is shaken"
    if game in REACTION:
        assert fight.track("brannoc", REACTION[game]) == 0
    assert fight.refused("react rebuke foe-2 by brannoc")
    assert "is no command" in fight.refused("rebuke foe-1 by brannoc")


def test_by_names_who_does_it(game: str) -> None:
    fight = HouseFight(ruleset_with(game, ROWS[game]))
    fight.do(*PEOPLE[game])
    assert fight.decided("whirl foe-1 by mira").by == "mira"
    assert fight.do("whirl foe-1 by mira") == "Mira uses Whirl on Foe 1: Foe 1 is shaken"


def test_it_can_be_readied_and_triggered(fight: HouseFight, game: str) -> None:
    if game == HOLDS:
        fight.do('ready "a foe comes near"', "next", "next")
        said = fight.do("trigger whirl foe-1 by brannoc")
        assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken, as readied"
        return
    said = fight.do('ready whirl "a foe comes near"')
    assert said == "Brannoc readies Whirl: a foe comes near"
    fight.do("next", "next")
    assert fight.effects("brannoc") == {"readied"}
    said = fight.do("trigger foe-1 by brannoc")
    assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken, as readied"
    assert fight.effects("foe-1") == {"shaken"}


def test_one_that_asks_for_nothing_is_done_when_its_trigger_comes(
    fight: HouseFight, game: str
) -> None:
    what = "" if game == HOLDS else " shield-wall"
    fight.do(f"ready{what}", "next")
    assert fight.do("trigger shield-wall" if game == HOLDS else "trigger") == (
        "Brannoc uses Shield Wall: Brannoc is braced, as readied"
    )


def test_a_reaction_cant_be_readied(fight: HouseFight, game: str) -> None:
    if game == HOLDS:
        fight.do("ready")
        assert "rebuke" in fight.refused("trigger rebuke foe-1")
        return
    assert "rebuke" in fight.refused("ready rebuke")


def test_completion_knows_the_command_and_whom_it_asks_for(fight: HouseFight, game: str) -> None:
    assert complete(fight.state, "whi", fight.ruleset) == ["whirl"]
    assert complete(fight.state, "whirl foe", fight.ruleset) == ["foe-1", "foe-2"]
    if game == HOLDS:
        fight.do("ready")
    ready = "trigger" if game == HOLDS else "ready"
    assert complete(fight.state, f"{ready} whi", fight.ruleset) == ["whirl"]
    assert complete(fight.state, "react reb", fight.ruleset) == ["rebuke"]


def test_a_mistake_names_the_usage_and_changes_nothing(fight: HouseFight, game: str) -> None:
    said = "expected the target (usage: whirl TARGET "
    assert fight.refused("whirl").startswith(said)
    fight.do("damage foe-1 999", *(("kill foe-1",) if game == "adventure-school" else ()))
    assert "Foe 1 is dead" in fight.refused("whirl foe-1")
    assert "nobody here is called 'grob'" in fight.refused("whirl grob")
    assert "did not expect 'softly'" in fight.refused("rally-cry foe-2 softly")


def test_what_can_be_done_is_listed_with_its_cost(fight: HouseFight, game: str) -> None:
    cost = {
        "monsters-and-magic": {"ap": 2, "fatigue": 1},
        "orcus": {"standard": 1},
        "level-up": {"action": 1, "fatigue": 1},
        "adventure-school": {"action": 1, "diminish": 1},
    }[game]
    assert option(fight, "brannoc", "whirl") == {
        "technique": "whirl",
        "cost": cost,
        "available": True,
    }
    fight.do(f"inflict brannoc {OUT[game]}")
    assert option(fight, "brannoc", "whirl")["available"] is False
    assert fight.refused("whirl foe-1").startswith(f"Brannoc can't use Whirl: {OUT[game]}")


def test_an_effect_that_is_there_already_is_laid_as_the_rules_have_it() -> None:
    game = "monsters-and-magic"
    fight = HouseFight(ruleset_with(game, ROWS[game]))
    fight.do(*PEOPLE[game], "whirl foe-1 by mira")
    said = fight.refused("whirl foe-1 by mira")
    assert said.startswith("Foe 1 is already shaken: say `extend`")
    assert fight.do("whirl foe-1 extend by mira").endswith("Foe 1 is shaken for longer")


def test_in_orcus_it_is_another_instance() -> None:
    fight = HouseFight(ruleset_with("orcus", ROWS["orcus"]))
    fight.do(*PEOPLE["orcus"], "whirl foe-1 by mira", "whirl foe-1 by brannoc")
    assert [e.until.ends for e in fight.state["foe-1"].effects] == ["save", "save"]


# -- each field of a technique's row is played, or refused -----------------------------------------


@pytest.mark.parametrize(
    ("game", "track"), [(game, track) for game in GAMES for track in load_ruleset(game).reads.cost]
)
def test_each_track_that_techniques_cost_is_paid(game: str, track: str) -> None:
    reaction = track in ("reaction", "immediate")
    row = {"cost": {track: 1}, "reaction": reaction}
    fight = HouseFight(ruleset_with(game, {"techniques": {"whirl": row}}))
    fight.do(*PEOPLE[game], *ORDER, *(("next",) if reaction else ()))
    before = fight.track("brannoc", track)
    fight.do(f"{'react ' if reaction else ''}whirl by brannoc")
    assert (before > 0, fight.track("brannoc", track)) == (True, before - 1)


@pytest.mark.parametrize(
    ("game", "track"), [(game, track) for game in GAMES for track in load_ruleset(game).reads.marks]
)
def test_each_track_that_techniques_mark_is_marked(game: str, track: str) -> None:
    row = {"cost": {OFTEN[game]: 1}, "marks": {track: 2}}
    fight = HouseFight(ruleset_with(game, {"techniques": {"whirl": row}}))
    fight.do(*PEOPLE[game], *ORDER)
    before = fight.track("brannoc", track)
    fight.do("whirl")
    assert abs(fight.track("brannoc", track) - before) == 2


def test_an_effect_of_a_kind_of_ones_own_is_left_by_a_technique(game: str) -> None:
    rows = """
    [kinds.curse]
    harmful = true
    [effects.hexed]
    kind = "curse"
    forbids = ["act"]
    [techniques.hex]
    asks = ["target"]
    does = { inflict = "hexed" }
    """
    fight = HouseFight(ruleset_with(game, f"{rows}cost = {COST[game]}"))
    fight.do(*PEOPLE[game], "hex foe-1 by mira", "hex foe-1 by brannoc")
    assert fight.effects("foe-1") == {"hexed"}
    assert "hexed" in fight.refused("hex brannoc by foe-1")


REPEATS = {
    ("monsters-and-magic", "once"): (1, 1),
    ("monsters-and-magic", "rising"): (2, 2),
    ("monsters-and-magic", "any"): (3, 3),
    ("orcus", "once"): (1, 1),
    ("orcus", "any"): (3, 3),
    ("orcus", "fight"): (1, 0),
    ("level-up", "once"): (1, 1),
    ("level-up", "any"): (3, 0),
    ("level-up", "fight"): (1, 0),
    ("adventure-school", "once"): (1, 1),
    ("adventure-school", "any"): (3, 3),
    ("adventure-school", "fight"): (1, 0),
}


def test_every_way_to_repeat_is_tried() -> None:
    known = {(game, word) for game in GAMES for word in load_ruleset(game).reads.repeat}
    assert set(REPEATS) == known


@pytest.mark.parametrize(("game", "repeat"), REPEATS)
def test_how_often_a_technique_can_be_used(game: str, repeat: str) -> None:
    """How often in a turn, and in the next one."""
    much = 10 if OFTEN[game] == "movement" else 1
    row = {"cost": {OFTEN[game]: much}, "repeat": repeat}
    fight = HouseFight(ruleset_with(game, {"techniques": {"whirl": row}}))
    fight.do(*PEOPLE[game], *ORDER)
    used = []
    for _ in range(2):
        count = 0
        while count < 9 and not fight.refused("whirl"):
            fight.do("whirl")
            count += 1
        used.append(count)
        fight.do(*["next"] * 4)
    assert tuple(used) == REPEATS[game, repeat]


@pytest.mark.parametrize("game", GAMES)
def test_a_technique_of_the_games_own_costs_what_a_campaign_says(game: str) -> None:
    own = load_ruleset(game).tables.techniques
    track = {"monsters-and-magic": "ap", "orcus": "move"}.get(game, "action")
    for name, row in own.items():
        if name == "power":  # each has a price of its own
            continue
        if row.cost.get(track) and not row.reaction:
            cost = {**row.cost, track: 0}
            kept = {"marks": row.marks, "repeat": row.repeat, "command": row.command}
            fight = HouseFight(ruleset_with(game, {"techniques": {name: {"cost": cost, **kept}}}))
            fight.do(*PEOPLE[game], *ORDER)
            full = fight.track("brannoc", track)
            held = "grabbed" if game == "adventure-school" else "grappled"
            before = {
                "stand-up": ("inflict brannoc prone",),
                "first-aid": ("damage mira 24",),
                "escape": (f"inflict brannoc {held} from foe-1",),
                "douse": ("inflict brannoc burning 3",),
                "reload": ("attack foe-1 miss with crossbow", "set brannoc action 1"),
            }
            fight.do(*before.get(name, ()))
            fight.do(_line(game, name))
            assert fight.track("brannoc", track) == full, name


def test_in_orcus_it_can_be_another_action() -> None:
    row = {"cost": {"swift": 1}, "repeat": "any"}
    fight = HouseFight(ruleset_with("orcus", {"techniques": {"total-defense": row}}))
    fight.do(*PEOPLE["orcus"], *ORDER, "total-defense")
    assert (fight.track("brannoc", "swift"), fight.track("brannoc", "standard")) == (0, 1)


def _line(game: str, name: str) -> str:
    """A technique as it can be used at a turn's start."""
    words = {
        "attack": "foe-1 miss",
        "cast": "spark",
        "help": "mira",
        "hide": "failure",
        "ready": "dodge",
        "search": "perception failure",
        "use": "rope",
        "first-aid": "mira failure",
        "escape": "failure",
        "maneuver": "Swing",
        **dict.fromkeys(("disarm", "grapple", "knockdown", "overrun", "shove"), "foe-1 failure"),
    }
    if game == "adventure-school":
        words = {
            "attack": "foe-1 miss",
            "stunt": "foe-1 prone pass",
            "cast": "spark",
            "song": "March pass",
            "ability": "hew",
            "assist": "mira strength pass",
            **dict.fromkeys(("hide", "seek", "escape"), "fail"),
            **dict.fromkeys(("distract", "trip", "push", "pull", "disarm", "grab"), "foe-1 fail"),
        }
        return f"{name} {words.get(name, '')}".strip()
    if game == "level-up":
        return f"{name} {words.get(name, '')}".strip()
    words = {
        "cast": "spark",
        "concentrate": "fog",
        "strike": "foe-1 miss",
        "aid": "mira 1",
        "distract": "foe-1 miss",
        "grapple": "foe-1 strong",
        "hide": "miss",
        "help": "mira 1",
    }
    return f"{name} {words.get(name, '')}".strip()


WHIRL = "techniques.whirl = {{ cost = {cost}, "
REFUSED = [
    (WHIRL + 'asks = ["targt"] }}', "did you mean target"),
    (WHIRL + 'asks = ["outcome"] }}', "is for techniques that have co"),
    (WHIRL + 'asks = ["loud>target"] }}', "hangs on another answer"),
    (WHIRL + 'asks = ["choice"] }}', "needs words to choose from"),
    (WHIRL + 'does = {{ inflict = "prone" }} }}', "on whom? The techn"),
    (WHIRL + 'does = {{ bestow = "pron" }} }}', "did you mean prone"),
    (WHIRL + 'does = {{ grant = "prone" }} }}', "does: object contains"),
    (WHIRL + "does = {{ turns = 2 }} }}", "are for an effect that"),
    (WHIRL + 'does = {{ bestow = "prone", turns = -2 }} }}',
        "does turns: must be from 1 to 99, not -2",
    ),
    (WHIRL + 'does = {{ bestow = "prone", turns = 2, ends = "rest" }} }}',
        "either `turns` or `ends`, not both",
    ),
    (WHIRL + 'does = {{ bestow = "prone", ends = "dawn" }} }}',
        "does.ends: must be 'start', 'end', 'turn', 'save', 'rest' or 'fight'",
    ),
    (WHIRL + 'asks = ["choice:won|lost"], does = {{ bestow = "prone", when = "wins" }} }}',
        "[techniques.whirl] does when: 'wins' is not asked for; there are won and lost",
    ),
    (WHIRL + 'does = {{ lifts = ["pron"] }} }}', "lifts: there is no effect 'pron'; did you mean"),
    (WHIRL + "does = {{ recovers = {{ luck = 2 }} }} }}", "'luck' is recovered by no technique of"),
    (WHIRL + 'command = "walk" }}', "its id is its command"),
    (WHIRL + 'repeat = "subject" }}', "no techniques of the kind"),
    (WHIRL + 'repeat = "twice" }}', "repeat: must be 'once', 'rising'"),
    ("techniques.Whirl = {{ cost = {cost} }}", "no command could name it; its id must be"),
    ('techniques."a b" = {{ cost = {cost} }}', "no command could name it; its id must be"),
    ("techniques.next = {{ cost = {cost} }}", "'next' is a command already"),
    ("techniques.undo = {{ cost = {cost} }}", "'undo' is a command already"),
    ("techniques.damage = {{ cost = {cost} }}", "'damage' is a command already"),
    ("techniques.whirl = {{ cost = {{ hp = 1 }} }}", "[techniques.whirl] cost: "),
    ('prompts.surge = {{ command = "surge" }}', "[prompts.surge] command: 'surge' is no command"),
    ('prompts.surge = {{ key = "v" }}', "[prompts.surge]: `key` and `command` must hold a word"),
    ('prompts.grapple = {{ key = "v" }}', "[prompts.grapple] key: a row with the id of a techniq"),
    ('prompts.surge = {{ command = "note", asks = ["txt"] }}', "did you mean text?"),
    ('prompts.surge = {{ command = "note", asks = ["person:dyng"] }}', "did you mean dying"),
    ('prompts.surge = {{ command = "note", asks = ["effect:saved"] }}', "did you mean save?"),
    ('prompts.surge = {{ command = "note", asks = ["die:x"] }}', "by its sides, such as `die:20`"),
    ('prompts.surge = {{ command = "note", asks = ["until:dawn"] }}', "knows no `until:dawn`"),
    ('prompts.surge = {{ command = "note", asks = ["said"] }}', "needs words to choose from"),
    ('prompts.surge = {{ command = "note", then = "damge", takes = {{ miss = "all" }} }}',
        "[prompts.surge] then: 'damge' is no prompt; did you mean damage?",
    ),
    ('prompts.surge = {{ command = "note", then = "damage", takes = {{ mis = "all" }} }}',
        "[prompts.surge] takes: 'mis' is no outcome; did you mean miss?",
    ),
    ('prompts.surge = {{ command = "note", takes = {{ miss = "all" }} }}',
        "[prompts.surge] takes: it says whom the prompt is for that `then` names",
    ),
    ('prompts.grapple = {{ then = "damage" }}', "[prompts.grapple] then: a row with the id of a"),
    ('prompts.surge = {{ command = "note", asks = ["="] }}', "must hold a word behind the `=`"),
]  # fmt: skip
COST = {
    "monsters-and-magic": "{ ap = 1 }",
    "orcus": "{ standard = 1 }",
    "level-up": "{ action = 1 }",
    "adventure-school": "{ action = 1 }",
}


@pytest.mark.parametrize(("rows", "said"), REFUSED, ids=[rows for rows, _ in REFUSED])
def test_what_a_row_cant_say_is_refused(game: str, rows: str, said: str) -> None:
    if game == "adventure-school":
        rows, said = (text.replace("grapple", "grab") for text in (rows, said))
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows.format(cost=COST[game]))
    assert said in refusal.value.message
    assert "\n" not in refusal.value.message


MM = "monsters-and-magic"
ONE_GAMES = [
    (
        "level-up",
        "techniques.grapple = { cost = { action = 1 }, repeat = 'any', asks = ['target'] }",
        "[techniques.grapple] does when: 'success' is not asked for",
    ),
    (MM, "techniques.whirl = {}", "[techniques.whirl] needs a `cost` that names"),
    (MM, "techniques.w = { cost = { fatigue = 1 } }", "write it as `marks`"),
    (MM, "techniques.w = { cost = { ap = 0 } }", "ap must be from 1 to 99, not 0"),
    (MM, "techniques.w = { cost = { ap = 1 }, marks = { threads = 1 } }", "is marked by no tech"),
    (MM, "techniques.w = { cost = { threads = 1 } }", "nothing is paid with 'threads' in Mons"),
    ("orcus", "techniques.w = { cost = { standard = 1, move = 1 } }", "a technique costs 1 of"),
    (MM, "techniques.w = { cost = { ap = 1 }, marks = { hp = -1 } }", "from 1 to"),
    (MM, "techniques.w = { cost = { ap = 1 }, repeat = 'fight' }", "'fight'"),
    (MM, "techniques.retrieve = { cost = { ap = 1 } }", "marks: what the rules' o"),
    (
        MM,
        "techniques.dodge = { cost = { ap = 1 }, does = { bestow = 'protected' } }",
        "[techniques.dodge] does: what the rules' own technique does can't be changed",
    ),
    (MM, "techniques.dodge = { cost = { ap = 1 }, reaction = true }", "reaction: "),
    (
        MM,
        "techniques.w = { cost = { ap = 1 }, does = { bestow = 'prepared', ends = 'save' } }",
        "does ends: in Monsters & Magic nothing ends by 'save', but start, end, turn, rest ",
    ),
    ("orcus", "techniques.w = { cost = { standard = 2 } }", "a technique costs 1 of one track"),
    ("orcus", "techniques.w = { marks = { hp = 1 } }", "'hp' is marked by no technique of Orcus"),
    ("orcus", "techniques.w = { repeat = 'rising' }", "no techniques of the kind 'rising'; there"),
    ("orcus", "techniques.w = { does = { bestow = 'persistent' } }", "no effect 'persistent' can"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "rows", "said"), ONE_GAMES, ids=lambda part: part[:40])
def test_what_one_game_cant_do_is_refused_there(game: str, rows: str, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows)
    assert said in refusal.value.message
