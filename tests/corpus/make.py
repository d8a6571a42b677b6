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

from affray.core.dice import SeededDice
from affray.core.formatting.reports import json_report
from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter

KEPT = Path(__file__).parent / "format-1"
AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

SCRIPTS = Path(__file__).parent / "scripts"
PEOPLE = {
    "monsters-and-magic": ("brannoc", "ghoul-1"),
    "new-encounter": ("brannoc", "ghoul-1"),
    "groups": ("brannoc", "rat-1"),
    "amended": ("mira", "ghoul-1"),
    "waves": ("ash", "rat-1"),
    "returned": ("ash", "rat-1"),
    "orcus": ("odo", "crockling-1"),
    "level-up": ("brannoc", "mira"),
    "5e": ("brannoc", "ghoul-1"),
    "adventure-school": ("brannoc", "ghoul-1"),
    "asides": ("bran", "ghoul-2"),
    "orders": ("ash", "rat-1"),
}
"""Two people of each script's fight: the events of a file beside it happen to them."""


def _lines(script: str) -> list[str]:
    text = (SCRIPTS / f"{script}.commands").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _played(script: str, ruleset: str, events_of: str = "every-kind") -> Callable[[Path], bytes]:
    """What makes the log of a script that is played, and of a file of events behind it."""

    def make(folder: Path) -> bytes:
        path = folder / "fight.toml"
        with OpenEncounter.create(path, ruleset, "Kept", SeededDice(7), lambda: AT) as fight:
            for line in _lines(script):
                fight.do(line)
        with LogFile.open(path) as log:
            for event in json.loads((SCRIPTS / f"{events_of}.json").read_text("utf-8")):
                events = [_about(event, PEOPLE[script])]
                log.append({"at": AT, "command": "by a program", "events": events})
        return path.read_bytes()

    return make


def _about(value: Any, people: tuple[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _about(v, people) for key, v in value.items()}
    if isinstance(value, list):
        return [_about(v, people) for v in value]
    return value.format(*people) if isinstance(value, str) else value


_monsters_and_magic = _played("monsters-and-magic", "monsters-and-magic")
_orcus = _played("orcus", "orcus")


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


def _proposed(folder: Path) -> bytes:
    """What makes the log of a fight in which some commands came of players' proposals."""
    path = folder / "fight.toml"
    with OpenEncounter.create(path, "level-up", "Kept", SeededDice(7), lambda: AT) as fight:
        fight.do("setting players-act ask", "add pc Mira hp 30", "add monster Ghoul hp 10")
        fight.do("init mira 15", proposal="0f3c9a")
        fight.do("init ghoul 9", "start")
        fight.do("attack ghoul hit 4 slashing by mira", proposal="b2e871")
        fight.do("undo")
        fight.do("attack ghoul hit 5 slashing by mira", proposal="77d0c4")
        fight.do("next")
    return path.read_bytes()


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
    "new-encounter": _played("new-encounter", "monsters-and-magic"),
    "groups": _played("groups", "monsters-and-magic"),
    "amended": _played("amended", "monsters-and-magic"),
    "waves-monsters-and-magic": _played("waves", "monsters-and-magic"),
    "waves-orcus": _played("waves", "orcus"),
    "returned-monsters-and-magic": _played("returned", "monsters-and-magic"),
    "returned-orcus": _played("returned", "orcus"),
    "level-up": _played("level-up", "level-up"),
    "5e": _played("5e", "5e"),
    "adventure-school": _played("adventure-school", "adventure-school"),
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
    "asides": _played("asides", "adventure-school", "every-field"),
    "orders": _played("orders", "monsters-and-magic"),
    "proposed": _proposed,
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
    told = json_report(fight.history, fight.ruleset, at)
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
