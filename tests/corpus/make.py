"""Keeps logs of format 1 for ever, each with the fight that it is.

    python tests/corpus/make.py           makes those of LOGS that are not there yet
    python tests/corpus/make.py LOG...    keeps copies of these logs beside them

What is kept is never written again: a log that exists is refused. Beside each stands what
`affray show --json` says of it at a third, at two thirds and at the end, without what the rules
make of a state (totals, options, effects that others imply): rules may be mended, a fight that was
played stays as it was.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from affray.core.dice.sources import SeededDice
from affray.core.telling.report import report
from affray.store.encounter import OpenEncounter
from affray.store.log_file import LogFile

KEPT = Path(__file__).parent / "format-1"
AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

MONSTERS_AND_MAGIC = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 luck 1 pb 2",
    "add pc Ash hp 20 ac 2 focus 2 luck 2 pb 1",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 hidden",
    "reveal ghoul-1",
    "init brannoc 17",
    "init ash 11",
    "init roll",
    'clock "the bridge falls" 4d6',
    "start",
    "strike ghoul-1 strong 8 slashing",
    "inflict ghoul-1 weakened from brannoc",
    'forward ash +2 "the high ground"',
    "damage ash 30 fire",
    "undo 2",
    "next",
    "delay",
    "return",
    'note on ghoul-1 "limps, and says „ʾabc“ \\\\ twice"',
    "goto 10",
    "strike ghoul-1 natural 15 6 slashing",
    "undo",
    "redo",
    "mark brannoc fatigue 3",
    "leave ghoul-2",
    "end",
    "rest short",
)
ORCUS = (
    "add pc Odo hp 40 ac 17",
    "add pc Maud hp 30 ac 15",
    "add monster Crockling x2 hp 22 ac 14 hidden",
    "reveal crockling-1,crockling-2",
    "init odo 20",
    "init maud 12",
    "init roll",
    'clock "the kiln comes to heat" 6 rounds',
    "start",
    "inflict odo persistent 5 fire",
    "inflict maud dazed save ends from crockling-1",
    "damage crockling-1 9",
    "undo",
    "damage crockling-1 12",
    "delay",
    "next",
    "goto 12",
    "next",
    "save maud dazed natural 14",
    "set odo hp 12",
    "note on odo \"burns\"",
    "leave crockling-2",
    "end",
    "rest short",
)  # fmt: skip
# Two encounters in one log, rerolls with advantage and the choice between their results, a death
# roll that a turn's end made, a round that waited for initiative.
NEW_ENCOUNTER = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 luck 1 pb 2",
    "add pc Ash hp 20 ac 2 focus 2 luck 2 pb 1",
    "add monster Ghoul x2 cr 2 hp 18 ac 2",
    "init brannoc 17",
    "init ash 11",
    "init ghoul-1 9",
    "init ghoul-2 8",
    "start",
    "strike ghoul-1 natural 20,4 6 slashing adv",
    "gm-thread reroll natural 3,9",
    "gm-thread keep old",
    "inflict ghoul-2 restrained from brannoc",
    "inflict ash doomed",
    "damage ash 30 fire",
    "next",
    "next",
    "setting dynamic-initiative on",
    "next",
    "next",
    "init brannoc 12",
    "init roll",
    "next",
    "react retaliate ghoul-1 by brannoc",
    "end",
    "rest short",
    "rest short brannoc clear tend ash 1",
    "init ash 15",
    "init brannoc 4",
    "start",
    "next",
)
# Groups: one added, one put together, one taken apart in its turn; members that die, leave, act and
# hold back; a group that takes in newcomers, swaps, delays, and goes into a new encounter.
WAVES = (
    "add pc Ash hp 20",
    "add monster Rat x2 hp 2d4 hidden wave 2",
    'add monster "Old Owl" hp 3 wave 3',
    'read-aloud "The rafters rustle."',
    "init ash 11",
    "start",
    "wave",
    "next",
)
GROUPS = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 luck 1 pb 2",
    "add monster Rat x4 cr 1 hp 6 ac 1 attack teeth 1d4 piercing group",
    "add monster Ghoul x2 cr 2 hp 18 ac 2",
    'group ghoul-1,ghoul-2 "The Pack"',
    "init brannoc 17",
    "init rat 12",
    "init the-pack 12",
    "start",
    "inflict brannoc weakened until end of rat-2",
    "next",
    "swap the-pack",
    "next",
    "strike brannoc roll by rat-3",
    "strike brannoc weak 3",
    "damage rat-1 9",
    "ungroup rat-4",
    "undo",
    "next",
    "ungroup rat-4",
    "next",
    "delay",
    "next",
    "return the-pack",
    "damage rat-2 9",
    "leave rat-3",
    "next",
    "add monster Rat x2 cr 1 hp 6 ac 1 group rat",
    "next",
    "next",
    "goto 12",
    "next",
    "delay 3",
    "next",
    "next",
    "ungroup the-pack",
    "setting dynamic-initiative on",
    "next",
    "init brannoc 2",
    "next",
    "end",
    "init rat 9",
    "init roll",
    "start",
)
# A maximum that is lowered, dice as tracks, a backfire that waits and its choice, refunds, effects
# that turn into others, grabs by size, songs, races of effort, a turn that was skipped, a roll made
# again.
ADVENTURE_SCHOOL = (
    "add pc Brannoc hp 40 ac 16 init 2 health 4 strength 7 agility 3 seeking 2 stamina 4 attacks 2"
    " attack axe +6 vs ac 1d8+4 slashing attack rapier +3 vs ac 1d6+3 piercing threat 2"
    " ability Hew stamina 2 +8 vs ac 2d6+4 slashing",
    "add pc Mira hp 30 ac 14 init 4 health 2 agility 5 roguery 6 seeking 4 performance 6 spirit 5"
    " fortune 1d6 spellburn d10 attack dagger +5 vs ac 1d4+3 piercing light ability Spark spellburn"
    " ability Ember minor-spellburn ability Thorns control 6",
    "add monster Ghoul x2 hp 24 ac 13 init 1 health 3 strength 5 agility 2 weak lightning"
    " attack claws +5 vs ac 1d6+2 slashing",
    "add monster Ogre size large hp 50 ac 12 strength 8 dr 2 regeneration 2"
    " attack club +5 vs ac 2d6 blunt",
    'clock "Past the gate" effort 20 group',
    "hide natural 14 vs natural 6 by mira",
    "init brannoc 17",
    "init mira 19",
    "init ghoul-1 10",
    "init ghoul-2 9",
    "init ogre 4",
    "start",
    "fortune mira 4",
    "attack ghoul-1 natural 9,15 6",
    'spend fortune 2 "a loaded die"',
    "next",
    "attack ghoul-1 natural 18 9 with rapier",
    "reroll natural 12",
    'exhaust 1 "the long hold"',
    "next",
    "inflict mira soaked,chilled",
    "next",
    "damage ghoul-2 3 lightning",
    "inflict ghoul-2 soaked",
    "damage ghoul-2 3 lightning",
    "next",
    "grab brannoc natural 14,3 vs natural 4",
    "next",
    "fortune mira 3",
    "devote spirit 2 Lantern",
    "dedicate spirit 1 Ward",
    "drop Ward",
    "song Marching natural 9 +1 attack to mira,brannoc",
    "next",
    "escape natural 4 vs natural 15",
    "next",
    "inflict ghoul-2 frozen",
    "damage ghoul-2 4 fire",
    "skip after ogre",
    "next",
    "inflict ogre burning 3",
    "next",
    "fortune mira 2",
    "maintain Marching fail",
    'check brannoc strength fail effort "Past the gate" 5',
    "cast Spark rolled 1",
    "backfire mira fry Ember",
)
# The past amended: a command given another form, one struck out and one put in, undone, done again,
# and gone on from.
AMENDED = (
    "add pc Mira hp 30 ac 2 power 2 pb 2 attack axe 1d8 slashing",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    "init mira 20",
    "init ghoul-1 10",
    "init ghoul-2 8",
    "start",
    "strike ghoul-1 roll",
    "next",
    "strike mira roll",
    "next",
    "strike mira strong 8",
    "next",
    "amend 9 strike mira miss; 11 out; before 10 damage ghoul-1 2",
    "undo",
    "redo",
    "strike ghoul-1 roll",
    "amend 7 out",
    "undo 2",
    "damage mira 2",
)
# Levels not felt yet, amounts in dice, a massive save owed, a critical blocked, the world's turn,
# somebody without turns, pools that are stopped and rolled by hand.
LEVEL_UP = (
    "add pc Brannoc hp 40 ac 17 level 5 pb 3 str 4 con 2 saves str,con shield 2 attacks 2"
    " attack sword +7 1d8+4 slashing melee",
    "add pc Mira hp 24 ac 14 level 3 pb 2 dex 3 wis 2 skills stealth,medicine spell 4"
    " attack rapier +5 1d8+3 piercing melee",
    "add monster Ghoul x2 hp 22 ac 12 hit-dice 5 dex 2 attack claws +4 2d4+2 slashing melee",
    "add monster Hound side party summon of Mira hp 9 ac 12 attack bite +4 1d6 piercing melee",
    "init brannoc 17",
    "init mira 12",
    "init ghoul-1 10",
    "init ghoul-2 9",
    'clock "the flood" 4d6 medium',
    "start",
    "environment stormy",
    "press-the-attack",
    "attack ghoul-1 natural 12,15 9 slashing",
    "inflict brannoc ongoing 1d6 fire until removed",
    "next",
    "command hound",
    'clock "the flood" stop',
    "next",
    "attack brannoc crit 9",
    "react block shield by brannoc",
    "damage mira 30 fire",
    "massive mira success",
    'clock "the flood" go',
    "undo",
    "redo",
    "next",
    "next",
    "world lightning-strike brannoc natural 4 11",
    "goto 14",
    "next",
    "mark mira strife 2",
    "end",
    "rest long",
    "rest long haven",
)
# What no command of the above gives, and what came to effects and slots only later.
EVERY_KIND: list[dict[str, Any]] = [
    {"event": "adjusted", "who": "{0}", "stat": "ac", "value": 5},
    {"event": "chose", "setting": "light", "value": "dim"},
    {"event": "used", "who": "{0}", "what": "dodge", "span": "fight"},
    {"event": "forgot", "who": "{0}", "span": "turn"},
    {"event": "spent", "who": "{0}", "track": "hp", "by": 1, "for": "blood"},
    {"event": "rolled", "who": "{0}", "dice": "1d20+2", "faces": [15], "total": 17, "natural": 15,
     "for": "check", "against": "luck", "dc": 12, "outcome": "strong", "why": "x", "step": 1},
    {"event": "became", "who": "{0}", "life": "dying", "why": "blood"},
    {"event": "gained", "who": "{0}", "effect": {
        "id": "burning", "name": "burning", "kind": "ongoing", "source": "{1}", "amount": 5,
        "type": "fire", "upkeep": "ap", "note": "oil", "modifiers": {"check": -1},
        "breaks": ["stunned"], "hangs": "{1}/light", "because": "oil",
        "until": {"ends": "turn", "who": "{1}", "edge": "start", "count": 9}}},
    {"event": "altered", "who": "{0}", "why": "more oil", "effect": {
        "id": "burning", "name": "burning", "kind": "ongoing", "amount": 7,
        "until": {"ends": "removed", "says": "it is put out"}}},
    {"event": "gained", "who": "{1}", "effect": {
        "id": "cold", "name": "cold", "kind": "condition", "until": {"ends": "save"}}},
    {"event": "lost", "who": "{1}", "effect": "cold", "why": "fire"},
    {"event": "ordered", "slots": [
        {"who": "{0}", "initiative": 12, "turns": 2, "round": 1, "open": True, "rank": [0, 4]},
        {"who": "{1}", "initiative": 12, "turns": 1, "round": 1, "held": True, "follows": "{0}"},
        {"who": "gone", "gone": True}]},
    {"event": "counted", "name": "dawn", "why": "x",
     "clock": {"name": "dawn", "value": 4, "max": 6, "every": "round"}},
    {"event": "counted", "name": "dusk", "clock": {"name": "dusk", "value": 2}},
    {"event": "counted", "name": "dusk"},
    {"event": "changed", "who": "", "track": "threads", "by": 2, "max": 5, "routine": True},
    {"event": "changed", "who": "{0}", "track": "charges", "by": 3, "max": 4},
    {"event": "left", "who": "{1}", "why": "flees"},
    {"event": "began", "round": 2},
    {"event": "round", "round": 3},
    {"event": "delayed", "who": "{0}"},
    {"event": "turn", "who": "{0}", "resumed": True},
    {"event": "turn-ended", "who": "{0}", "passed": True},
    {"event": "noted", "text": "nobody was there", "who": "{0}"},
    {"event": "revealed", "who": "{0}", "hidden": True},
    {"event": "ended"},
    {"event": "added", "who": "late", "name": "Late \u202eetaL", "side": "others", "kind": "hazard",
     "stats": {"ac": 3, "attack": ["claw 1d6"]}, "tracks": {"hp": {"value": 3, "max": 9}},
     "hidden": True},
]  # fmt: skip


def _played(path: Path, ruleset: str, lines: tuple[str, ...], people: tuple[str, str]) -> bytes:
    with OpenEncounter.create(path, ruleset, "Kept", SeededDice(7), lambda: AT) as fight:
        for line in lines:
            fight.do(line)
    with LogFile.open(path) as log:
        for event in EVERY_KIND:
            log.append({"at": AT, "command": "by a program", "events": [_about(event, people)]})
    return path.read_bytes()


def _about(value: Any, people: tuple[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _about(v, people) for key, v in value.items()}
    if isinstance(value, list):
        return [_about(v, people) for v in value]
    return value.format(*people) if isinstance(value, str) else value


def _monsters_and_magic(folder: Path) -> bytes:
    lines = MONSTERS_AND_MAGIC
    return _played(folder / "m.toml", "monsters-and-magic", lines, ("brannoc", "ghoul-1"))


def _new_encounter(folder: Path) -> bytes:
    people = ("brannoc", "ghoul-1")
    return _played(folder / "n.toml", "monsters-and-magic", NEW_ENCOUNTER, people)


def _groups(folder: Path) -> bytes:
    return _played(folder / "g.toml", "monsters-and-magic", GROUPS, ("brannoc", "rat-1"))


def _amended(folder: Path) -> bytes:
    return _played(folder / "p.toml", "monsters-and-magic", AMENDED, ("mira", "ghoul-1"))


def _waves(ruleset: str) -> Callable[[Path], bytes]:
    """What makes a fight of which one wave has come and another waits, with HP that were rolled."""
    return lambda folder: _played(folder / "w.toml", ruleset, WAVES, ("ash", "rat-1"))


def _level_up(folder: Path) -> bytes:
    return _played(folder / "l.toml", "level-up", LEVEL_UP, ("brannoc", "mira"))


def _adventure_school(folder: Path) -> bytes:
    lines = ADVENTURE_SCHOOL
    return _played(folder / "a.toml", "adventure-school", lines, ("brannoc", "ghoul-1"))


def _orcus(folder: Path) -> bytes:
    return _played(folder / "o.toml", "orcus", ORCUS, ("odo", "crockling-1"))


def _ledger(
    ruleset: str, party: str, lines: tuple[str, ...], risen: str = ""
) -> Callable[[Path], bytes]:
    """What makes the ledger of a campaign with one fight, of these lines, and a rest behind it;
    with another sheet of the party, it is carried once more, by that."""

    def make(folder: Path) -> bytes:
        (folder / "encounters").mkdir()
        (folder / "campaign.toml").write_text(f'ruleset = "{ruleset}"\n', "utf-8")
        (folder / "party.toml").write_text(party, "utf-8")
        path = folder / "ledger.toml"
        OpenEncounter.create(path, ruleset, "Ledger", now=lambda: AT).close()
        fight = folder / "encounters" / "kept.toml"
        with OpenEncounter.create(fight, ruleset, "Kept", SeededDice(7), lambda: AT) as opened:
            for line in lines:
                opened.do(line)
        (folder / "party.toml").write_text(risen or party, "utf-8")
        with OpenEncounter.open(path, SeededDice(7), lambda: AT) as opened:
            for line in ("rest short", *(("carry from kept",) if risen else ())):
                opened.do(line)
        return path.read_bytes()

    return make


def _edited(folder: Path) -> bytes:
    """What a person made of a log with an editor: each thing that may be done to one."""
    raw = _monsters_and_magic(folder)
    raw = raw.replace(b"by = -6", b"by = -7", 1)
    raw = raw.replace(b'title = "Kept"', b"# ours\ntitle = 'Kept, and edited'\nmood = \"grim\"")
    raw = raw.replace(b"\n[[entry]]\n", b"\n\n  [[ entry ]]  # the second\n", 2)
    start = raw.index(b"seq = 20\n") + 9
    end = raw.index(b"seq = 21\n") + 9
    raw = raw[:start] + raw[end:]  # an entry taken out
    return raw + (
        b"\n[[entry]]\ncommand = '''the\n[[entry]]\nceiling'''\nmood = 'grim'\n"
        b'events = [{ event = "changed", who = "brannoc", track = "hp", by = -4 }]\nseq = 900\n'
    )


def _crlf(folder: Path) -> bytes:
    return _monsters_and_magic(folder).replace(b"\n", b"\r\n")


def _bom(folder: Path) -> bytes:
    return b"\xef\xbb\xbf" + _orcus(folder).replace(b"\n", b"\r\n")


LOGS: dict[str, Callable[[Path], bytes]] = {
    "monsters-and-magic": _monsters_and_magic,
    "orcus": _orcus,
    "edited": _edited,
    "crlf": _crlf,
    "byte-order-mark": _bom,
    "new-encounter": _new_encounter,
    "groups": _groups,
    "amended": _amended,
    "waves-monsters-and-magic": _waves("monsters-and-magic"),
    "waves-orcus": _waves("orcus"),
    "level-up": _level_up,
    "adventure-school": _adventure_school,
    "ledger-monsters-and-magic": _ledger(
        "monsters-and-magic",
        "[ash]\nhp = 20\npb = 2\n",
        (
            "add party",
            "init ash 11",
            "start",
            "damage ash 12 fire",
            "inflict ash slowed until rest",
            "set gm threads 2",
            "end",
        ),
    ),
    "ledger-orcus": _ledger(
        "orcus",
        "[odo]\nhp = 40\nrecoveries = 6\n",
        ("add party", "init odo 11", "start", "damage odo 12", "recovery odo", "end"),
    ),
    "risen-monsters-and-magic": _ledger(
        "monsters-and-magic",
        "[ash]\nhp = 20\npb = 2\n",
        ("add party", "init ash 11", "start", "damage ash 12 fire", "end"),
        risen="[ash]\nhp = 26\npb = 3\n",
    ),
    "risen-orcus": _ledger(
        "orcus",
        "[odo]\nhp = 40\nrecoveries = 6\n",
        ("add party", "init odo 11", "start", "damage odo 12", "end"),
        risen="[odo]\nhp = 44\nrecoveries = 7\nac = 18\n",
    ),
}


def shown(path: Path) -> dict[str, Any]:
    """What a log says, as far as it may never change."""
    with OpenEncounter.view(path) as fight:
        history = fight.history
        numbers = list(history.entries)
        times = [numbers[len(numbers) // 3], numbers[2 * len(numbers) // 3], numbers[-1]]
        return {
            "show": {str(at): _without_rules(fight, at) for at in times},
            "edited": [seq for seq, entry in history.entries.items() if entry.edited],
            "path": history.path,
            "left": history.off_path(),
        }


def _without_rules(fight: OpenEncounter, at: int) -> dict[str, Any]:
    told = report(fight.history, fight.ruleset, at)
    for row in told["combatants"]:
        del row["totals"], row["options"]
        del row["effects"][len(fight.history.states[at][row["id"]].effects) :]
    return told


def keep(name: str, content: bytes) -> None:
    """Put a log and what it says into the corpus. Raises FileExistsError rather than replace."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / f"{name}.toml"
        copy.write_bytes(content)
        told = json.dumps(shown(copy), ensure_ascii=False, indent=1)
    for file, written in ((f"{name}.toml", content), (f"{name}.json", f"{told}\n".encode())):
        with (KEPT / file).open("xb") as opened:
            opened.write(written)


def main(logs: list[str]) -> int:
    """Keep these logs, or those of LOGS that are missing; 2 when one of them is there already."""
    given = {Path(log).stem: Path(log).read_bytes() for log in logs}
    with TemporaryDirectory() as folder:
        for name, make in {} if given else LOGS.items():
            if not (KEPT / f"{name}.toml").exists():
                (Path(folder) / name).mkdir()
                given[name] = make(Path(folder) / name)
    for name, content in given.items():
        try:
            keep(name, content)
        except FileExistsError as error:
            print(f"{error.filename} is there already, and is kept as it is", file=sys.stderr)
            return 2
        print(f"kept: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
