"""Logs that are not all there, or in disorder: who shows them says so, and a repair keeps all."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tests.torture.damaged_bytes import hurt_logs, taken_out, zeros
from tests.torture.fights import commands, log_of, read, saved_commands
from tests.torture.table import Tally, fault

from affray.cli import main
from affray.core.engine.history import LAST_SEQ
from affray.store.entry_toml import SEPARATOR, format_entry
from affray.store.log_recovery import Damaged, build_history, parse_log
from affray.store.log_repair import repaired, survey
from affray.store.open_encounter import OpenEncounter

SHOWING = (
    ("log", "--all"),
    ("show",),
    ("show", "--json"),
    ("do", "--dry-run", "note x"),
    ("do", "--dry-run", "--json", "note x"),
)


def said_by(*arguments: str) -> tuple[int, str, str]:
    """The exit status of the command line, and what it printed on both of its outputs."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


@fault("a log that is not all there is shown")
def shown(tally: Tally) -> None:
    """A block zeroed or missing; whatever shows the rest says that it isn't all."""
    path = tally.folder / "fight.toml"
    for hurt in (zeros, taken_out):
        for number, (where, whole, broken) in enumerate(hurt_logs(tally, hurt)):
            if number % tally.times(4, 12):
                continue
            path.write_bytes(broken)
            command, *more = SHOWING[tally.tries % len(SHOWING)]
            tally.tries += 1
            try:
                _, _, err = said_by(command, str(path), *more)
                there = 0 if "not an affray log" in err else len(saved_commands(path))
            except Exception as error:
                tally.breaks(where, error)
                continue
            tally.say(err, best="not all")
            if there < len(read(whole)) and not err:
                tally.misreads(f"{where}: {command} shows {there} of {len(read(whole))} entries")
            if err.count("\n") > 1 and "edited" not in err:
                tally.fails(f"{where}: {err.count(chr(10))} lines: {err[:200]!r}")


@fault("a whole log with a move to a missing entry is repaired")
def astray(tally: Tally) -> None:
    """One entry after another is taken out of a log full of undo, redo and goto."""
    for _ in range(tally.times(12, 2)):
        raw = log_of(12)
        for seq in range(13, 30):
            to = tally.rng.randrange(seq)
            raw += format_entry({"command": f"goto {to}", "to": to}, seq)
        head, *blocks = raw.split(SEPARATOR)
        for index in range(len(blocks) - 1):
            tally.tries += 1
            rest = [*blocks[:index], *blocks[index + 1 :]]
            broken = SEPARATOR.join([head, *rest])
            found = survey(broken, "fight.toml")
            try:
                build_history(parse_log(broken, "fight.toml"))
                is_played = True
            except Damaged as error:
                tally.say(error)
                is_played = False
            if is_played == found.needs_repair:
                tally.fails(f"without entry {index + 1}: a repair is not what it needs")
            made = repaired(found)
            build_history(parse_log(made, "made.toml"))
            if any(SEPARATOR + block.rstrip(b"\n") not in made for block in rest):
                tally.lose(f"without entry {index + 1}")


@fault("entries are moved by hand")
def moved(tally: Tally) -> None:
    """Two change places, the log stands upside down, or in any order: a repair keeps all of it."""
    whole = log_of(20)
    head, *blocks = whole.split(SEPARATOR)
    for attempt in range(tally.times(400, 20)):
        tally.tries += 1
        order = list(range(len(blocks)))
        if attempt == 0:
            order.reverse()
        elif attempt % 2:
            tally.rng.shuffle(order)
        else:
            at = tally.rng.randrange(len(order) - 1)
            order[at : at + 2] = order[at + 1], order[at]
        raw = SEPARATOR.join([head, *(blocks[index] for index in order)])
        found = survey(raw, "fight.toml")
        for line in found.report():
            tally.say(line, best="order")
        if not repaired(found).endswith(whole):
            tally.lose(f"{order}")


@fault("numbers of entries near their end")
def numbers(tally: Tally) -> None:
    """A hand-written number that is nearly the last: what is acknowledged can be read again."""
    path = tally.folder / "fight.toml"
    for room in range(tally.times(12, 3)):
        path.write_bytes(log_of(8) + format_entry({"command": "by hand"}, LAST_SEQ - room))
        saved = [*commands(8), "by hand"]
        tally.tries += 1
        with OpenEncounter.open(path) as fight:
            for number in range(room + 2):
                line = f"note 'late {number}'"
                if tally.attempt(f"room for {room}", lambda f=fight, c=line: f.do(c)):
                    saved.append(line)
        if len(saved) != 9 + room:
            tally.fails(f"room for {room}: {len(saved) - 9} were saved")
        if saved_commands(path) != saved:
            tally.lose(f"room for {room}")


SOGGY = '[effects.soggy]\nkind = "condition"\nimplies = ["weakened"]\n'


@fault("rules that are not installed, or gone")
def without_rules(tally: Tally) -> None:
    """The fight can be told, shown, checked and repaired; the line that says so names them."""
    _house_rule_gone(tally)
    whole = log_of(12)
    for name in ("orkus", "monsters", "x" * 200, "no rules.at:all")[: tally.times(4, 2)]:
        path = Path(tally.folder) / "fight.toml"
        head, rest = whole.split(SEPARATOR, 1)
        lines = [line for line in head.split(b"\n") if not line.startswith((b"sum", b"ruleset"))]
        foreign = b"\n".join([f'ruleset = "{name}"'.encode(), *lines]) + SEPARATOR + rest
        for form, raw in (("whole", foreign), ("damaged", foreign.replace(b"Ghoul", b"\0", 1))):
            path.write_bytes(raw)
            for arguments in (("log",), ("show",), ("show", "--json"), ("check", "--repair")):
                tally.tries += 1
                status, out, err = said_by(arguments[0], str(path), *arguments[1:])
                tally.say(err, best="no ruleset")
                is_right = status == (0 if form == "whole" or arguments[0] == "check" else 2)
                if not is_right or ("no ruleset" not in out + err and form == "whole"):
                    tally.fails(f"{name[:20]}, {form}, {arguments}: {status}, {err[:200]!r}")
            made = path.with_name("fight.repaired.toml")
            if made.exists() == (form == "whole"):
                tally.fails(f"{name[:20]}, {form}: the repair")
            made.unlink(missing_ok=True)


def _house_rule_gone(tally: Tally) -> None:
    """Of a campaign's own rule by which an effect was made, when the fight is opened again."""
    path, rules = tally.folder / "encounters" / "fight.toml", tally.folder / "rules.toml"
    path.parent.mkdir()
    rules.write_text(SOGGY, "utf-8")
    with OpenEncounter.create(path, "monsters-and-magic", "The Ford") as fight:
        for line in ("add pc Mira hp 20", "inflict mira soggy"):
            fight.do(line)
    for is_there in (True, False):
        tally.tries += 1
        if not is_there:
            rules.unlink()
        status, _, err = said_by("show", str(path))
        tally.say(err)
        if status or is_there == ("soggy on Mira" in err):
            tally.fails(f"the house rule is there: {is_there}, and what is said is {err!r}")
