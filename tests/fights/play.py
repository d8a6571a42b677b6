"""Plays the sample campaigns' fights from their commands.

    python tests/fights/play.py           plays them all, and writes the encounters
    python tests/fights/play.py --check   only says whether they are what the commands give

A script holds one command a line. Its head says the campaign, the title, the seed of the dice and
when the fight began; every command takes `PACE` of the table's time, so that the same script gives
the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from affray.core.dice import SeededDice
from affray.core.engine.history import History
from affray.core.parser.errors import Refused
from affray.store.campaigns.files import ruleset_id_for
from affray.store.open_encounter import OpenEncounter

HERE = Path(__file__).parent
CAMPAIGNS = HERE.parents[1] / "campaigns"
ENCOUNTERS = "encounters"
SCRIPTS = sorted(HERE.glob("*.commands"))
PACE = timedelta(seconds=35)


@dataclass(frozen=True)
class Script:
    """One fight as it is to be played, in a campaign of `campaigns/`."""

    campaign: str
    title: str
    seed: int
    begun: datetime
    commands: tuple[str, ...]


def read(path: Path) -> Script:
    """The script in a file: `# campaign:`, `# title:`, `# seed:`, `# begun:` above the commands."""
    lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    head = dict(line[2:].split(": ", 1) for line in lines[:4])
    commands = tuple(line for line in lines if line and not line.startswith("#"))
    begun = datetime.fromisoformat(head["begun"])
    return Script(head["campaign"], head["title"], int(head["seed"]), begun, commands)


def sample(path: Path) -> Path:
    """The encounter that a script has written."""
    return CAMPAIGNS / read(path).campaign / ENCOUNTERS / f"{path.stem}.toml"


def table_clock(begun: datetime) -> Callable[[], datetime]:
    """A clock that shows `begun` first, and `PACE` more each time it is looked at."""
    now = begun - PACE

    def look() -> datetime:
        nonlocal now
        now += PACE
        return now

    return look


def begin(script: Script, folder: Path) -> Path:
    """Make the script's campaign anew in `folder`, without encounters; where its own is to lie."""
    campaign = folder / script.campaign
    (campaign / ENCOUNTERS).mkdir(parents=True, exist_ok=True)
    for source in (CAMPAIGNS / script.campaign).glob("*.toml"):
        (campaign / source.name).write_bytes(source.read_bytes())
    return campaign / ENCOUNTERS / "fight.toml"


def play(script: Script, target: Path) -> History:
    """Play a script into a new file. Raises Refused, naming the command, for one that can't be."""
    dice, clock = SeededDice(script.seed), table_clock(script.begun)
    ruleset = ruleset_id_for(target)
    with OpenEncounter.create(target, ruleset, script.title, dice, clock) as fight:
        for command in script.commands:
            try:
                fight.do(command)
            except Refused as refusal:
                raise Refused(f"{script.title}, {command!r}: {refusal}") from None
        return fight.history


def played(path: Path, folder: Path) -> bytes:
    """What a script gives, played in a new campaign in `folder` with our people and rules."""
    script = read(path)
    target = begin(script, folder)
    play(script, target)
    content = target.read_bytes()
    target.unlink()
    return content


def main(arguments: list[str]) -> int:
    """Play all scripts; the exit status tells whether a check found them unchanged."""
    stale = []
    with TemporaryDirectory() as folder:
        for path in SCRIPTS:
            content = played(path, Path(folder))
            target = sample(path)
            if not target.is_file() or target.read_bytes() != content:
                stale.append(target)
                if "--check" not in arguments:
                    target.write_bytes(content)
    for target in stale:
        print(f"{'differs' if '--check' in arguments else 'written'}: {target}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
