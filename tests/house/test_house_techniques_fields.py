"""Each field of a technique's row is played, or refused."""

from __future__ import annotations

import pytest
from tests.house.people import COST, ORDER, PEOPLE
from tests.house.playing import GAMES, HouseFight, ruleset_with

from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset

OFTEN = {
    "monsters-and-magic": "ap",
    "orcus": "swift",
    "level-up": "exertion",
    "adventure-school": "movement",
    "5e": "movement",
}
"""A track of which somebody has several, or one that others leave alone."""


@pytest.mark.parametrize(
    ("game", "track"), [(game, track) for game in GAMES for track in load_ruleset(game).schema.cost]
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
    ("game", "track"),
    [(game, track) for game in GAMES for track in load_ruleset(game).schema.marks],
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
    ("5e", "once"): (1, 1),
    ("5e", "any"): (3, 3),
    ("5e", "fight"): (1, 0),
    ("adventure-school", "once"): (1, 1),
    ("adventure-school", "any"): (3, 3),
    ("adventure-school", "fight"): (1, 0),
}


def test_every_way_to_repeat_is_tried() -> None:
    known = {(game, word) for game in GAMES for word in load_ruleset(game).schema.repeat}
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
    if game == "5e":
        words |= {
            "magic": '"a wand"',
            "shove": "foe-1 push failure",
            "study": "arcana failure",
            "influence": "foe-1 deception failure",
        }
    if game in ("level-up", "5e"):
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
    (WHIRL + 'fields = ["targt"] }}', "did you mean target"),
    (WHIRL + 'fields = ["outcome"] }}', "is only for techniques that have co"),
    (WHIRL + 'asks = ["loud>target"] }}', "depends on another answer"),
    (WHIRL + 'fields = ["choice"] }}', "needs a list of words to choose from"),
    (WHIRL + 'does = {{ inflict = "prone" }} }}', "there is no target"),
    (WHIRL + 'does = {{ bestow = "pron" }} }}', "did you mean prone"),
    (WHIRL + 'does = {{ grant = "prone" }} }}', "does: object contains"),
    (WHIRL + 'does = {{ until = "2 turns" }} }}', "it needs an effect named by"),
    (WHIRL + 'does = {{ bestow = "prone", until = "-2 turns" }} }}',
        "has no end '-2 turns'; there are 2 turns, start of source, end of source, this turn, ",
    ),
    (WHIRL + 'does = {{ bestow = "prone", until = "100 turns" }} }}', "no end '100 turns'"),
    (WHIRL + 'does = {{ bestow = "prone", until = "rest", ends = "rest" }} }}',
        "does: object contains unknown field `ends`",
    ),
    (WHIRL + 'does = {{ bestow = "prone", until = "dawn" }} }}', "has no end 'dawn'; there are"),
    (WHIRL + 'does = {{ bestow = "prone", until = "end of sorce" }} }}', "'end of sorce'; there "
                                                                         "are"),
    (WHIRL + 'does = {{ bestow = "prone", ends = "dawn" }} }}', "has no end 'dawn'; there are"),
    (WHIRL + 'does = {{ bestow = "prone", turns = 2, ends = "rest" }} }}',
        "does: object contains unknown field `turns`",
    ),
    (WHIRL + 'asks = ["choice:won|lost"], does = {{ bestow = "prone", when = "wins" }} }}',
        "[techniques.whirl] does when: 'wins' is not among its fields; there are won and lost",
    ),
    (WHIRL + 'does = {{ lifts = ["pron"] }} }}', "lifts: 'pron' is no effect; did you "
                                                 "mean"),
    (WHIRL + "does = {{ recovers = {{ luck = 2 }} }} }}", "'luck' is recovered by no technique of"),
    (WHIRL + 'command = "walk" }}', "its id is its command"),
    (WHIRL + 'repeat = "subject" }}', "no techniques of kind"),
    (WHIRL + 'repeat = "twice" }}', "repeat: must be 'once', 'rising'"),
    ("techniques.Whirl = {{ cost = {cost} }}", "no command could name it; its id must be"),
    ('techniques."a b" = {{ cost = {cost} }}', "no command could name it; its id must be"),
    ("techniques.next = {{ cost = {cost} }}", "'next' is already a command"),
    ("techniques.undo = {{ cost = {cost} }}", "'undo' is already a command"),
    ("techniques.damage = {{ cost = {cost} }}", "'damage' is already a command"),
    ("techniques.whirl = {{ cost = {{ hp = 1 }} }}", "[techniques.whirl] cost: "),
    ('prompts.surge = {{ command = "surge" }}', "[prompts.surge] command: 'surge' is no "
                                                "command"),
    ('prompts.surge = {{ key = "v" }}', "[prompts.surge]: `key` and `command` must hold a word"),
    ('prompts.grapple = {{ key = "v" }}', "[prompts.grapple] key: a row with a technique's id"),
    ('prompts.surge = {{ command = "note", fields = ["txt"] }}', "did you mean text?"),
    ('prompts.surge = {{ command = "note", asks = ["person:dyng"] }}', "did you mean dying"),
    ('prompts.surge = {{ command = "note", asks = ["effect:saved"] }}', "did you mean save?"),
    ('prompts.surge = {{ command = "note", asks = ["die:x"] }}', "expects the die's sides, such "
                                                                 "as 20"),
    ('prompts.surge = {{ command = "note", asks = ["until:dawn"] }}', "has no option 'dawn'"),
    ('prompts.surge = {{ command = "note", asks = ["said"] }}', "needs a list of words to choose "
                                                                "from"),
    ('prompts.surge = {{ command = "note", then = "damge", takes = {{ miss = "all" }} }}',
        "[prompts.surge] then: 'damge' is no prompt; did you mean damage?",
    ),
    ('prompts.surge = {{ command = "note", then = "damage", takes = {{ mis = "all" }} }}',
        "[prompts.surge] takes: 'mis' is no outcome; did you mean miss?",
    ),
    ('prompts.surge = {{ command = "note", takes = {{ miss = "all" }} }}',
        "[prompts.surge] takes: it needs the prompt that `then` names",
    ),
    ('prompts.grapple = {{ then = "damage" }}', "[prompts.grapple] then: a row with a "
                                                "technique's id"),
    ('prompts.surge = {{ command = "note", asks = ["="] }}', "needs a list of words to choose "
                                                             "from"),
]  # fmt: skip


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
        "[techniques.grapple] does when: 'success' is not among its fields",
    ),
    (MM, "techniques.whirl = {}", "[techniques.whirl] needs a `cost` that names"),
    (MM, "techniques.w = { cost = { fatigue = 1 } }", "put it in `marks`"),
    (MM, "techniques.w = { cost = { ap = 0 } }", "ap must be from 1 to 99, not 0"),
    (MM, "techniques.w = { cost = { ap = 1 }, marks = { threads = 1 } }", "is marked by no tech"),
    (MM, "techniques.w = { cost = { threads = 1 } }", "has no price in 'threads'"),
    ("orcus", "techniques.w = { cost = { standard = 1, move = 1 } }", "a technique costs 1 of"),
    (MM, "techniques.w = { cost = { ap = 1 }, marks = { hp = -1 } }", "from 1 to"),
    (MM, "techniques.w = { cost = { ap = 1 }, repeat = 'fight' }", "'fight'"),
    (MM, "techniques.retrieve = { cost = { ap = 1 } }", "marks: a technique of the rules"),
    (
        MM,
        "techniques.dodge = { cost = { ap = 1 }, does = { bestow = 'protected' } }",
        "[techniques.dodge] does: a technique of the rules can't be changed",
    ),
    (MM, "techniques.dodge = { cost = { ap = 1 }, reaction = true }", "reaction: "),
    (
        MM,
        "techniques.w = { cost = { ap = 1 }, does = { bestow = 'prepared', until = 'save' } }",
        "does until: Monsters & Magic has no end 'save'; there are 2 turns, start of source, ",
    ),
    ("level-up", "effects.w = { until = 'save' }", "[effects.w] until: Level Up has no end "),
    ("orcus", "techniques.w = { cost = { standard = 2 } }", "a technique costs 1 of one track"),
    ("orcus", "techniques.w = { marks = { hp = 1 } }", "'hp' is marked by no technique of Orcus"),
    ("orcus", "techniques.w = { repeat = 'rising' }", "no techniques of kind 'rising'; there"),
    ("orcus", "techniques.w = { does = { bestow = 'persistent' } }", "no effect 'persistent' to"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "rows", "said"), ONE_GAMES, ids=lambda part: part[:40])
def test_what_one_game_cant_do_is_refused_there(game: str, rows: str, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(game, rows)
    assert said in refusal.value.message
