"""Which campaigns and encounters there are, and how far each encounter has come."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from affray.core.heart.groups import life_at_turn, whose_turn
from affray.core.language.refusal import Refused
from affray.rulesets import DEFAULT, check_installed
from affray.store.campaigns.files import ENCOUNTERS, campaign_of, toml_of
from affray.store.entries import history_of
from affray.store.log_file import Damaged, LogError, read_log


class EncounterSummary(Struct, frozen=True):
    """An encounter as a list shows it; `problem` says why it can't open.

    In a fight that goes on, `turn` names whose turn it is, and `life` says how they are.
    """

    path: Path
    title: str
    phase: str = ""
    round: int = 0
    turn: str = ""
    life: str = ""
    problem: str = ""


class Campaign(Struct, frozen=True):
    """A campaign folder and its encounters.

    loose  whether it is any other folder, in which a fight was left
    """

    name: str
    path: Path
    ruleset_id: str
    encounters: tuple[EncounterSummary, ...]
    loose: bool = False


def campaign_folders() -> list[Path]:
    """Where campaigns are looked for: AFFRAY_CAMPAIGNS, or ./campaigns and the user's folder."""
    chosen = os.environ.get("AFFRAY_CAMPAIGNS")
    if chosen:
        return [Path(part) for part in chosen.split(os.pathsep) if part]
    from platformdirs import user_data_path

    return [Path("campaigns"), user_data_path("affray", appauthor=False) / "campaigns"]


def find_campaigns() -> list[Campaign]:
    """All campaigns that can be found, by name. What can't be read is listed with its problem."""
    found = [c for parent in campaign_folders() for c in _campaigns_in(parent)]
    return sorted(found, key=lambda c: c.name.casefold())


def with_folder_of(fight: Path, ruleset_id: str, found: list[Campaign]) -> list[Campaign]:
    """The campaigns, and before them the folder of that fight if it is in none of them."""
    listed = {os.path.realpath(e.path) for c in found for e in c.encounters}
    if os.path.realpath(fight) in listed:
        return found
    own = campaign_of(fight)
    return [_campaign(own) if own is not None else _loose(fight, ruleset_id), *found]


def _loose(fight: Path, ruleset_id: str) -> Campaign:
    """The folder of a fight that is in no campaign, with all fights in it."""
    fight = Path(os.path.realpath(fight))
    folder = fight.parent
    paths = [p for p in sorted(folder.glob("*.toml")) if p == fight or _is_begun(p)]
    return Campaign(str(folder), folder, ruleset_id, tuple(map(summary, paths)), loose=True)


def _is_begun(path: Path) -> bool:
    """Whether a file begins as ours do."""
    try:
        if not path.is_file():  # opening a pipe would wait for its other end
            return False
        with path.open("rb") as file:
            return file.readline(20).startswith(b"format = ")
    except OSError:
        return False


def _campaigns_in(parent: Path) -> Iterator[Campaign]:
    try:
        folders = sorted(parent.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield _unreadable(parent, error)
        return
    for folder in folders:
        try:
            if (folder / ENCOUNTERS).is_dir() or (folder / "campaign.toml").is_file():
                yield _campaign(folder)
        except OSError as error:
            yield _unreadable(folder, error)


def _unreadable(folder: Path, error: OSError) -> Campaign:
    """A folder that may not be read, as a campaign with one encounter that says so."""
    problem = f"{folder}: {error.strerror}"
    return Campaign(
        folder.name, folder, DEFAULT, (EncounterSummary(folder, folder.name, problem=problem),)
    )


def _campaign(folder: Path) -> Campaign:
    try:
        about = toml_of(folder / "campaign.toml")
    except Refused:  # the encounters can be listed all the same
        about = {}
    paths: list[Path] = []
    with suppress(FileNotFoundError):  # a campaign may have none yet
        paths = sorted(p for p in (folder / ENCOUNTERS).iterdir() if p.suffix == ".toml")
    name, ruleset_id = str(about.get("name", folder.name)), str(about.get("ruleset", DEFAULT))
    return Campaign(name, folder, ruleset_id, tuple(summary(path) for path in paths))


def summary(path: Path) -> EncounterSummary:
    """What a list says of an encounter: how far it has come and who is up."""
    try:
        text = read_log(path)
        history, reason = history_of(text)
    except Damaged as damage:
        return EncounterSummary(path, path.stem, problem=str(damage))
    except LogError as error:
        return EncounterSummary(path, path.stem, problem=str(error))
    state = history.state
    problem = reason or _rules_problem(state.ruleset)
    turn, life = (whose_turn(state), life_at_turn(state)) if state.phase == "combat" else ("", "")
    title = state.title or path.stem
    return EncounterSummary(path, title, state.phase, state.round, turn, life, problem)


def _rules_problem(ruleset_id: str) -> str:
    """Why a fight of that rule system can't be played here; empty when it can."""
    try:
        check_installed(ruleset_id)
    except Refused as refusal:
        return str(refusal)
    return ""
