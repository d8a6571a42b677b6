"""Another file comes into the place of a fight that is open, before any command or behind one.

A syncing folder, a restore, a version control system: what this process has read or saved, and the
file has no longer, must be in a file beside it, whole, and told before anything is built on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

from tests.torture.fights import log_of, saved_commands, table_clock
from tests.torture.places import fresh
from tests.torture.plays import Played, save_by_rename
from tests.torture.table import Tally, fault

from affray.core.dice import SeededDice
from affray.core.engine.history import Entry
from affray.store.entry_toml import format_entry
from affray.store.log_recovery import parse_log
from affray.store.open_encounter import OpenEncounter

COPIES: dict[str, Callable[[], bytes]] = {
    "an older copy": lambda: log_of(3),
    "an empty fight": lambda: log_of(0),
    "another fight": lambda: log_of(40, seed=3),
    "another fight of the same length": lambda: log_of(8, seed=3),
}


@fault("an older copy or another fight is put over an open one")
def put_over(tally: Tally) -> None:
    """Before the first command, and behind each of the next."""
    for (what, content), before in product(COPIES.items(), range(tally.times(8, 2))):
        _replaced(tally, f"{what}, after {before}", before, lambda p, c=content: _over(p, c()))


def _over(path: Path, content: bytes) -> None:
    save_by_rename(path, content)


def _linked_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _linked_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere"))


UNREADABLE = {
    "a link to itself": _linked_to_itself,
    "a link to /dev/null": _linked_to_nothing,
    "a link to nowhere": _dangling,
    "a pipe": _pipe,
    "a folder": _folder,
}


@fault("something unreadable takes the place of an open fight")
def unreadable(tally: Tally) -> None:
    """Found at the next command, or on closing."""
    for (what, deed), before in product(UNREADABLE.items(), range(tally.times(8, 2))):
        _replaced(tally, f"{what}, after {before}", before, deed)
        if before:
            _replaced(tally, f"{what}, on closing after {before}", before, deed, goes_on=False)


def _replaced(
    tally: Tally, where: str, before: int, deed: Callable[[Path], None], goes_on: bool = True
) -> None:
    played = _table(tally)
    tally.tries += 1
    try:
        with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
            for number in range(before):
                played.give(fight, f"note 'before {number}'")
            whole = played.path.read_bytes()
            held = list(played.saved)
            deed(played.path)
            if goes_on:
                played.give(fight, "note 'after'")
    except Exception as error:
        tally.breaks(where, error)
        return
    for line in fight.foreign_edit_notes:
        tally.say(line)
    if len(fight.foreign_edit_notes) != 1 or "fight.toml.torn-1" not in fight.foreign_edit_notes[0]:
        tally.fails(f"{where}: what was told is {fight.foreign_edit_notes}")
    torn = played.path.with_name("fight.toml.torn-1")
    if not torn.exists() or torn.read_bytes() != whole or saved_commands(torn) != held:
        tally.lose(where, len(held))


def _table(tally: Tally) -> Played:
    """A fight in an empty folder."""
    folder = tally.folder / "table"
    if folder.is_dir():
        for file in folder.iterdir():
            if file.is_dir() and not file.is_symlink():
                file.rmdir()
    return fresh(folder)


@fault("another program saves before an undo")
def before_a_move(tally: Tally) -> None:
    """Undo, redo and goto do what they named when they were given, or nothing."""
    for move, more in product(("undo", "undo 2", "redo", "goto 3"), range(tally.times(9, 2))):
        played = _table(tally)
        tally.tries += 1
        with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
            played.give(fight, "note 'ours'")
            played.give(fight, "note 'taken back'")
            played.give(fight, "undo")
            if move != "redo":
                played.give(fight, "note 'ours again'")
            with OpenEncounter.view(played.path) as seen:
                meant = seen.do_in_memory(move)
            _saved_by_another(played.path, more)
            where, done = f"{move}, with {more} more", list[Entry]()
            if not tally.attempt(where, lambda f=fight, m=move, d=done: d.append(f.do(m))):
                continue
            if (done[0].to, done[0].text) != (meant.to, meant.text):
                tally.misreads(f"{where}: {done[0].text} in the place of {meant.text}")


def _saved_by_another(path: Path, more: int) -> None:
    """The same log with so many entries behind it, from another program."""
    raw = path.read_bytes()
    last = parse_log(raw, path.name).last_seq
    events = [{"event": "noted", "text": "theirs"}]
    blocks = (format_entry({"command": "x", "events": events}, last + 1 + n) for n in range(more))
    save_by_rename(path, raw + b"".join(blocks))
