"""Whatever is typed: the file is the fight, undo takes back, and a refusal changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from affray.core.decide import verbs_of
from affray.core.dice_sources import SeededDice
from affray.core.refusal import Refused
from affray.core.report import report
from affray.core.sheet import sheet
from affray.rulesets import load_ruleset
from affray.store.encounter import OpenEncounter
from affray.store.entries import history_of
from affray.store.log_file import LogError, read_log

RULESET = load_ruleset("monsters-and-magic")
EXAMPLES = int(os.environ.get("INVARIANT_EXAMPLES", "60"))  # more by hand, and others each time
AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
CAMPAIGN = Path(__file__).parents[1] / "campaigns" / "drowned-vale"

# --- what a GM may type ---------------------------------------------------------------------------


def words(*row: str) -> st.SearchStrategy[str]:
    return st.sampled_from(row)


def line(*parts: str | st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The parts with a space between, empty ones left out."""
    row = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*row).map(lambda found: " ".join(part for part in found if part))


def maybe(*parts: str | st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), line(*parts))


WHO = words("mira", "ash", "ghoul-1", "ghoul-2", "queen", "1", "3", "gh", "the-well")
MANY = st.lists(WHO, min_size=1, max_size=3).map(",".join)
SMALL = st.integers(-2, 9).map(str)
AMOUNT = st.one_of(st.integers(0, 40).map(str), words("2d6+1", "1d10", "99", "many", "-3"))
FACE = st.one_of(st.integers(1, 20).map(str), words("1", "20", "4,15", "20,1", "0", "21"))
OUTCOME = st.one_of(
    words("miss", "weak", "strong", "crit", "crit-miss"), line("natural", FACE), words("roll")
)
TYPE = words("", "fire", "slashing", "cold", "radiant", "poison")
TERM = st.one_of(
    words("", "", "", "adv", "dis", "prepared", "cover", "concealed", "far", "agile"),
    line("dc", st.integers(1, 25).map(str)),
    line("step", words("+1", "-1", "+2")),
    line("plus", SMALL),
)
HARM = st.one_of(line(AMOUNT, TYPE), words("fatigue", ""))
BY = maybe("by", WHO)
TRACK = words("fatigue", "exhaustion", "threads", "xp", "ap", "reaction", "deathsaves", "temp_hp")
CONDITION = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "condition"))
STATUS = words(*(n for n, r in RULESET.tables.effects.items() if r.kind == "status"))
EFFECT = words(*RULESET.tables.effects, "readied", "forward")
UNTIL = words("until freed", "until rest", "until fight", "until used", "until round 3")
TAIL = st.one_of(
    st.just(""),
    line("for", SMALL, "turns"),
    UNTIL,
    line("until", words("start of", "end of"), WHO),
    line("from", WHO),
    line("from", WHO, "until freed"),
    st.just('concentrating "fog"'),
)
AGAIN = words("", "", "extend", "forward", "detonate fatigue", "detonate", "detonate 7 fire")
TEXT = words('"a note"', '"Ünïcode ⚔ \\ # = [x]"', "bare words here", '"]] seq = 9"')

COMMANDS = st.one_of(
    words("next", "start", "end", "delay", "regroup", "dodge", "stand", "dismount"),
    line("strike", WHO, OUTCOME, HARM, TERM, BY),
    line("strike", WHO, BY),
    line("react", words("opportunity-attack", "retaliate"), WHO, maybe(OUTCOME, HARM), BY),
    line("cast fog", maybe("ap", SMALL), maybe("at", WHO, OUTCOME, HARM), BY),
    line("concentrate", words("fog", "rain"), BY),
    line("move", words("", "crawl"), BY),
    line("disengage", maybe("fatigue", SMALL), BY),
    line(words("aid", "help"), WHO, "bond", SMALL, BY),
    line(words("distract", "grapple"), WHO, OUTCOME, TERM, words("", "extend"), BY),
    line("hide", OUTCOME, TERM, BY),
    line("mount", maybe(WHO), BY),
    line(words("retrieve", "use"), words("", "rope", "swap", "rope on mira", "scroll ap 2"), BY),
    line("ready", words("strike", "move", "dodge", "cast"), TEXT, BY),
    line("trigger", maybe(WHO, OUTCOME, HARM), BY),
    line("return", maybe(WHO)),
    line("swap", WHO),
    line("damage", MANY, AMOUNT, TYPE, maybe("half", MANY)),
    line("heal", MANY, AMOUNT),
    line("temp", WHO, AMOUNT),
    line(words("mark", "clear"), WHO, TRACK, SMALL),
    line("set", WHO, words("hp", "fatigue", "ap", "ac", "threads", "side", "speed"), AMOUNT),
    line("set", WHO, words("hp", "exhaustion"), SMALL, "of", SMALL),
    line("inflict", WHO, CONDITION, AGAIN, TAIL, BY),
    line("bestow", WHO, STATUS, AGAIN, TAIL, BY),
    line("free", WHO, CONDITION, words("", "", "prevented")),
    line("remove", WHO, EFFECT),
    line("hold", WHO, words("arrows", "oil", "hp"), SMALL),
    line("forward", WHO, SMALL, words("", "next attack", "ac", "next save")),
    line("ongoing", WHO, SMALL, words("check", "attack", "ac", "speed"), TAIL),
    line("check", WHO, words("power", "cunning", "focus", "luck"), words("", "save"), OUTCOME),
    line("death", WHO, OUTCOME),
    line("bargain", WHO, words("accept", "refuse", "accept a year of winters")),
    line("thread", WHO, words("bend-luck", "feeling-lucky", "lucky-find", "lucky-find 2")),
    line("thread", WHO, "feeling-lucky natural", FACE),
    line("thread", WHO, "bonds-of-fate", WHO, SMALL),
    line("gm-thread", words("reroll", "monster-power", "change-scene"), maybe("natural", FACE)),
    line("gm-thread reroll keep", words("old", "new")),
    line("rest", words("short", "long", "extended"), maybe(WHO, words("clear", "tend", "prepare"))),
    line("clock", words('"the bridge"', "fog"), words("4d6 slow", "3d4 fast", "3 rounds", "tick")),
    line("clock", words('"the bridge"', "fog"), words("add 2", "roll", "off", "5", "tick 9")),
    line("note", maybe("on", WHO), TEXT),
    line("setting", words("dynamic-initiative", "underwater"), words("on", "off", "maybe")),
    line("add monster", words("Ghoul", "Rat x2", "Bat x0"), "hp", AMOUNT, words("", "cr 1")),
    line("add", words("pc Nix hp 9", "hazard Fire cr 3", "bog-ghoul x2", "mother-undertow")),
    line("leave", MANY),
    line(words("conceal", "reveal"), MANY),
    line("rename", WHO, words("Mira", "Zed", "")),
    line("init", WHO, st.one_of(SMALL, words("roll"))),
    words("init roll", "init roll all"),
)
MOVES = st.one_of(
    words("undo", "redo", "undo 2", "undo 99", "redo 2", "goto 0", "undo 0", "undo x"),
    line("goto", st.integers(0, 40).map(str)),
)
ANYTHING = st.one_of(
    st.text(max_size=30),
    st.lists(words(*verbs_of(RULESET), "mira", "ghoul-1", "7", "by", "on", '"'), max_size=6).map(
        " ".join
    ),
)

SETUP = (
    "add pc Mira hp 14 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1 spell 2"
    " attack knife 1d6 slashing agile",
    "add pc Ash hp 20 ac 4 power 2 cunning 1 luck 0 pb 2 swim",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    "add monster Queen important cr 3 hp 25 ac 1 resist fire vulnerable cold immune poison",
    'add hazard "The Well" cr 1',
)

_FORMS = {
    "cast": "cast fog at {other} {outcome} 5 cold",
    "concentrate": "concentrate fog",
    "mount": "mount {other}",
    "move": "move",
    "retrieve": "retrieve rope",
    "strike": "strike {other} {outcome} 8",
    "use": "use draught on {other}",
    "aid": "aid {other} bond 2",
    "disengage": "disengage fatigue 1",
    "distract": "distract {other} {outcome}",
    "dodge": "dodge",
    "grapple": "grapple {other} {outcome}",
    "hide": "hide {outcome}",
    "help": "help {other} bond 1",
    "regroup": "regroup",
    "opportunity-attack": "react opportunity-attack {other} {outcome} 4",
    "retaliate": "react retaliate {other}",
}


# --- the machine ----------------------------------------------------------------------------------


def plain(state: Any) -> Any:
    return msgspec.to_builtins(state)


class Fight(RuleBasedStateMachine):
    """A fight in a file of its own, at the mercy of whoever types."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="affray-"))
        (self.folder / "encounters").mkdir()
        for name in ("bestiary.toml", "rules.toml"):
            shutil.copy(CAMPAIGN / name, self.folder)
        path = self.folder / "encounters" / "fight.toml"
        self.fight = OpenEncounter.create(path, RULESET.id, "A fight", SeededDice(3), lambda: AT)
        for command in SETUP:
            self.fight.do(command)

    def teardown(self) -> None:
        self.fight.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @initialize(begun=words("start", "start", "start", "note later"))
    def begin(self, begun: str) -> None:
        self.give(begun)

    def give(self, command: str) -> bool:
        """Give a command; True when it was taken. Either it is one whole entry, or nothing."""
        path, history = self.fight.path, self.fight.history
        raw, state, last = path.read_bytes(), self.fight.state, history.last
        shape = (list(history.path), len(history.states), len(history.entries))
        try:
            entry = self.fight.do(command)
        except (Refused, LogError) as error:
            assert "\n" not in str(error), (command, str(error))
            assert path.read_bytes() == raw, command
            assert self.fight.state is state, command
            assert (list(history.path), len(history.states), len(history.entries)) == shape
            return False
        assert entry.seq == last + 1 == self.fight.history.last
        now = path.read_bytes()
        assert now.startswith(raw) and now.count(b"\n[[entry]]", len(raw)) == 1
        assert now.endswith(b"seq = %d\n" % entry.seq)
        return True

    @rule(command=COMMANDS)
    def a_command(self, command: str) -> None:
        before = plain(self.fight.state)
        if self.give(command):
            after = plain(self.fight.state)
            self.fight.do("undo")
            assert plain(self.fight.state) == before, command
            self.fight.do("redo")
            assert plain(self.fight.state) == after, command

    @rule(commands=st.lists(COMMANDS, min_size=2, max_size=6))
    def several_commands(self, commands: list[str]) -> None:
        for command in commands:
            self.give(command)

    @rule(turns=st.integers(1, 6))
    def time_passes(self, turns: int) -> None:
        for _ in range(turns):
            self.give("next")

    @precondition(lambda self: self.fight.state.combatants)
    @rule(data=st.data(), what=words("damage {} 19", "mark {} fatigue 7", "mark {} exhaustion 3"))
    def somebody_suffers(self, data: st.DataObject, what: str) -> None:
        self.give(what.format(data.draw(st.sampled_from(self.fight.state.combatants)).id))

    @rule(data=st.data())
    def what_waits_is_answered(self, data: st.DataObject) -> None:
        for pending in RULESET.pending(self.fight.ruleset.tables, self.fight.state):
            self.give(data.draw(st.sampled_from(pending.choices)).command)

    @precondition(lambda self: self.fight.state.turn)
    @rule(data=st.data(), outcome=OUTCOME)
    def the_turn_is_used(self, data: st.DataObject, outcome: str) -> None:
        state = self.fight.state
        options = RULESET.options(self.fight.ruleset.tables, state, state[state.turn])
        usable = [option.technique for option in options if option.available]
        other = data.draw(st.sampled_from(state.combatants)).id
        form = _FORMS.get(data.draw(st.sampled_from(usable))) if usable else None
        if form:
            self.give(form.format(other=other, outcome=outcome))

    @rule(command=MOVES)
    def a_move(self, command: str) -> None:
        self.give(command)

    @rule(command=ANYTHING)
    def nonsense(self, command: str) -> None:
        self.give(command)

    @rule(command=COMMANDS)
    def a_look_ahead_changes_nothing(self, command: str) -> None:
        raw, state = self.fight.path.read_bytes(), self.fight.state
        with suppress(Refused):
            self.fight.preview(command)
        self.fight.complete(command)
        assert self.fight.state is state
        assert self.fight.path.read_bytes() == raw

    @precondition(lambda self: self.fight.state.combatants)
    @rule(data=st.data())
    def every_number_can_be_asked_for(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.fight.state.combatants))
        totals = RULESET.totals(self.fight.ruleset.tables, self.fight.state, who)
        what = data.draw(st.sampled_from([*who.tracks, *totals]))
        assert self.fight.ask(f"why {who.id} {what}")

    @invariant()
    def the_file_is_the_fight(self) -> None:
        text = read_log(self.fight.path)
        assert not text.notes
        replayed, reason = history_of(text)
        assert reason == ""
        assert replayed.path == self.fight.history.path
        assert plain(replayed.state) == plain(self.fight.state)
        assert replayed.redo_title == self.fight.history.redo_title

    @invariant()
    def tracks_are_within_bounds(self) -> None:
        state = self.fight.state
        rows = [("", state.tracks), *((c.id, c.tracks) for c in state.combatants)]
        for who, tracks in rows:
            for name, track in tracks.items():
                assert track.value >= 0, (who, name, track)
                assert track.max is None or track.value <= track.max, (who, name, track)

    @invariant()
    def ids_are_unique_and_the_turn_is_somebodys(self) -> None:
        state = self.fight.state
        ids = [c.id for c in state.combatants]
        assert len(ids) == len(set(ids))
        assert len({s.who for s in state.slots}) == len(state.slots)
        for combatant in state.combatants:
            effects = [e.id for e in combatant.effects]
            assert len(effects) == len(set(effects)), combatant.id
        assert not state.turn or state.turn in ids

    @invariant()
    def it_can_be_reported(self) -> None:
        shown = report(self.fight.history, self.fight.ruleset)
        assert json.loads(json.dumps(shown)) == shown
        assert sheet(shown, self.fight.ruleset)


Fight.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize="INVARIANT_EXAMPLES" not in os.environ,
    print_blob=True,
)
TestFight = Fight.TestCase
