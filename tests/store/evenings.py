"""Campaigns that are played in tests: fights one after another, and the ledger between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant, Encounter
from affray.store.open_encounter import OpenEncounter

BEGUN = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
MONSTERS_AND_MAGIC = "monsters-and-magic"
PARTY = '[mira]\nname = "Mira"\nhp = 30\nac = 2\npb = 2\n[odo]\nname = "Odo"\nhp = 20\npb = 1\n'


class Evening:
    """A campaign in a folder, whose logs are opened, played and closed. `told` is what was to be
    said beside what was asked for, in the log that was open last."""

    def __init__(
        self, folder: Path, rules: str = MONSTERS_AND_MAGIC, party: str = PARTY, ledger: bool = True
    ) -> None:
        self.folder, self.rules = folder, rules
        self.told: tuple[str, ...] = ()
        self._seconds = count()
        (folder / "encounters").mkdir(parents=True)
        (folder / "campaign.toml").write_text(f'name = "Vale"\nruleset = "{rules}"\n', "utf-8")
        (folder / "party.toml").write_text(party, "utf-8")
        if ledger:
            OpenEncounter.create(self.ledger_path, rules, "Ledger", now=self.now).close()

    def now(self) -> datetime:
        """A second later each time."""
        return BEGUN + timedelta(seconds=next(self._seconds))

    @property
    def ledger_path(self) -> Path:
        return self.folder / "ledger.toml"

    def path(self, name: str) -> Path:
        return self.folder / "encounters" / f"{name}.toml"

    def opened(self, name: str) -> OpenEncounter:
        """The fight of that name, begun if it isn't there; `ledger` is the ledger."""
        path = self.ledger_path if name == "ledger" else self.path(name)
        if not path.exists():
            OpenEncounter.create(path, self.rules, name.title(), now=self.now).close()
        return OpenEncounter.open(path, SeededDice(1), self.now).with_news()

    def play(self, name: str, *lines: str) -> Encounter:
        """Give commands to a fight, or to the ledger; gives how it stands then."""
        with self.opened(name) as fight:
            for line in lines:
                if fight.ask(line) is None:
                    fight.do(line)
            self.told = fight.notes
            return fight.state

    def asked(self, name: str, line: str) -> list[str]:
        """The answer to a question."""
        with self.opened(name) as fight:
            answer = fight.ask(line)
            assert answer is not None
            return answer.lines

    def last_line(self, name: str) -> str:
        """The text of the last entry."""
        with self.opened(name) as fight:
            return fight.history.entries[fight.history.last].title


def carried(who: Combatant) -> tuple[object, ...]:
    """All of somebody that goes along, to be compared. A hold of which nothing is left is none."""
    tracks = {n: track for n, track in who.tracks.items() if track.value or track.max is not None}
    return tracks, {effect.id: effect for effect in who.effects}, who.life, who.uses
