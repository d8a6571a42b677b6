"""What a player does with a file while something goes wrong below: create, append, mend, repair.

Each play notes what was acknowledged, so that it can be looked for afterwards.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.fights import RULES, commands, kept, log_of, saved_commands, table_clock
from tests.torture.table import Tally

from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.open_encounter import OpenEncounter

# Other programs' own: no fault of the log's disk is theirs.
REPLACE, UNLINK, LIST = os.replace, os.unlink, os.listdir
FIGHT, DAMAGED = "fight.toml", "damaged.toml"
LONG = "x" * 900
"""Long enough for a command to lie in three sectors."""


@dataclass
class Played:
    """What came of a play: the commands that were saved, those that were told not to be, why."""

    path: Path
    created: bool = False
    saved: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    long: str = LONG
    on_saved: Callable[[str], None] = lambda command: None

    def give(self, fight: OpenEncounter, command: str) -> None:
        """Give a command, and note whether it was acknowledged."""
        try:
            fight.do(command)
        except (LogError, Refused) as error:
            self.refused.append(command)
            self.told.append(str(error))
        else:
            self.saved.append(command)
            self.on_saved(command)

    def opened(self, stack: ExitStack) -> OpenEncounter | None:
        """The fight, opened to be played; None with the reason told."""
        try:
            fight = OpenEncounter.open(self.path, SeededDice(1), table_clock())
        except (LogError, Refused) as error:
            self.told.append(str(error))
            return None
        return stack.enter_context(fight)


Play = Callable[[Played], None]


def create(played: Played) -> None:
    """A new fight, and its first commands."""
    with ExitStack() as stack:
        try:
            fight = OpenEncounter.create(played.path, RULES, "New", SeededDice(1), table_clock())
        except (LogError, Refused) as error:
            played.told.append(str(error))
            return
        stack.enter_context(fight)
        played.created = True
        played.on_saved("")
        for word in "ab":
            played.give(fight, f"note 'new {word}'")


def append(played: Played) -> None:
    """Commands, short and long, behind a fight that is there."""
    with ExitStack() as stack:
        fight = played.opened(stack)
        if fight is not None:
            played.give(fight, "note 'short'")
            played.give(fight, f"note 'long {played.long}'")
            played.give(fight, "next")


def reread(played: Played) -> None:
    """Commands, with an editor's save between them."""
    _with_editor(played, lambda older: played.path.read_bytes())


def reread_older(played: Played) -> None:
    """Commands, with an editor's save of an older text over the first of them."""
    _with_editor(played, lambda older: older)


def taken_away(played: Played) -> None:
    """Commands, and the file is deleted between them; what was kept is put into its place.

    A file to which nothing was added is gone with what was in it.
    """
    before = len(played.saved)
    with ExitStack() as stack:
        fight = played.opened(stack)
        if fight is None:
            return
        played.give(fight, "note 'before it was deleted'")
        UNLINK(played.path)
        played.give(fight, "note 'after it was deleted'")
    folder = played.path.parent
    kept_as = sorted(name for name in LIST(folder) if name.startswith(f"{FIGHT}.torn-"))
    if kept_as:
        REPLACE(folder / kept_as[-1], played.path)
    elif len(played.saved) == before:
        played.created, played.saved = False, []


def repair(played: Played) -> None:
    """A new log is made of all that is whole in a damaged one."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        source = played.path.with_name(DAMAGED)
        status = main(["check", str(source), "--repair", str(played.path)])
    if status:
        played.told.append(said.getvalue())
        return
    played.created = True
    for command in WHOLE:
        played.saved.append(command)
        played.on_saved(command)


def _with_editor(played: Played, text: Callable[[bytes], bytes]) -> None:
    older = played.path.read_bytes()
    with ExitStack() as stack:
        fight = played.opened(stack)
        if fight is None:
            return
        played.give(fight, "note 'before the edit'")
        save_by_rename(played.path, text(older).replace(b"by = -2", b"by = -1", 1))
        played.give(fight, "note 'after the edit'")
        played.give(fight, "next")


def save_by_rename(path: Path, content: bytes) -> None:
    """As editors save: a new file, moved into the place of the old one."""
    draft = path.with_name("draft~")
    draft.write_bytes(content)
    REPLACE(draft, path)


def _damaged() -> bytes:
    """A log with a hurt entry in its middle."""
    return log_of(8).replace(b"Ghoul", b"Gh\nul", 1)


WHOLE = [command for command in commands(8) if "Ghoul" not in command]
"""The commands that are left of it."""


@dataclass(frozen=True)
class Scene:
    """A play and the file on which it begins, by its name; no file for one that makes it."""

    name: str
    play: Play
    begins: Callable[[], bytes | None]
    file: str = FIGHT


SCENES = (
    Scene("create", create, lambda: None),
    Scene("append", append, lambda: log_of(8)),
    Scene("mend", append, lambda: log_of(9)[:-30]),
    Scene("repair", repair, _damaged, DAMAGED),
    Scene("an editor's save", reread, lambda: log_of(8)),
)
DELETED = Scene("deleted", taken_away, lambda: log_of(8))
OLDER_TEXT = Scene("an editor's save of an older text", reread_older, lambda: log_of(8))


def stage(scene: Scene, folder: Path) -> Played:
    """An empty folder with the file on which a scene begins."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    content = scene.begins()
    if content is not None:
        (folder / scene.file).write_bytes(content)
    created = content is not None and scene.file == FIGHT
    return Played(folder / FIGHT, created, commands(8) if created else [])


def verify(
    tally: Tally, played: Played, where: str, *, strict: bool = True, playable: bool = True
) -> None:
    """Open the file anew, as after the trouble: what was acknowledged is there, and can be played.

    `strict`: what was told not to be saved must not be there either. Unless `playable`, it may be
    that the fight can only be looked at.
    """
    source = played.path.with_name(DAMAGED)
    if source.exists() and source.read_bytes() != _damaged():
        tally.lose(f"{where}: the damaged log was changed")
    if not played.created and not played.path.exists():
        return
    try:
        with OpenEncounter.open(played.path, SeededDice(1), table_clock()) as fight:
            fight.do("note 'and on we play'")
            tally.say(" · ".join(fight.notes))
    except (LogError, Refused) as error:
        tally.say(error)
        if playable:
            tally.fails(f"{where}: it can't be played on: {error}")
    except Exception as error:
        tally.breaks(f"{where}, opened anew", error)
        return
    there: list[str] = []
    with suppress(LogError, OSError):
        there = saved_commands(played.path)
    beside = kept(played.path).decode(errors="replace")
    gone = [c for c in played.saved if c not in there and f'command = "{c}"' not in beside]
    if gone:
        tally.lose(f"{where}: {gone[0][:40]!r}", len(gone))
    if strict and (more := [c for c in played.refused if c in there and c not in played.saved]):
        tally.misreads(f"{where}: {more[0][:40]!r} was told not to be saved, and is there")
