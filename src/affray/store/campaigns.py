"""Campaigns: folders with a party, a bestiary, house rules and encounters. Where they are found."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli
from msgspec import Struct

from affray.core.heart.groups import life_at_turn, whose_turn
from affray.core.language.refusal import Refused
from affray.core.rules.read_tables import read_tables
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import DEFAULT, check_installed, load_ruleset
from affray.store.disk import publish
from affray.store.entries import history_of
from affray.store.log_file import Damaged, LogError, LogFile, read_log

ENCOUNTERS = "encounters"
FIRST_CAMPAIGN = "My campaign"


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


def utc_now() -> datetime:
    """The time as entries bear it: in UTC, in whole seconds."""
    return datetime.now(UTC).replace(microsecond=0)


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
        about = _toml(folder / "campaign.toml")
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


def campaign_of(path: Path) -> Path | None:
    """The campaign folder that an encounter's file belongs to, if it lies in one."""
    folder = Path(os.path.realpath(path)).parent  # which a link to itself doesn't trouble
    return folder.parent if folder.name == ENCOUNTERS else None


def ruleset_with_campaign(ruleset: Ruleset, path: Path) -> Ruleset:
    """The ruleset with the campaign's own rows: `rules.toml`, `bestiary.toml` and `party.toml`.

    Raises Refused, naming the file, for one that is wrong.
    """
    folder = campaign_of(path)
    if folder is None:
        return ruleset
    for name in ("rules.toml", "bestiary.toml", "party.toml"):
        if _is_there(folder / name):
            ruleset = _merged(ruleset, folder / name)
    return ruleset


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


def _merged(ruleset: Ruleset, file: Path) -> Ruleset:
    # Imported here: a fight without a campaign is shown without what checks its rules.
    from affray.core.rules.house_rules import with_house_rules

    rows = _toml(file)
    if file.name == "party.toml":
        rows = {"bestiary": {key: {"kind": "pc", **row} for key, row in _people(rows, file)}}
    elif file.name == "bestiary.toml":
        rows = {"bestiary": dict(_people(rows, file))}
    try:
        return with_house_rules(ruleset, read_tables(rows))
    except Refused as refusal:
        raise Refused(f"{file}: {refusal}") from None


def _people(rows: dict[str, Any], file: Path) -> list[tuple[str, dict[str, Any]]]:
    for key, row in rows.items():
        if not isinstance(row, dict):
            raise Refused(f"{file}: expected a table [{key}] with the numbers of a creature")
    return [(key.casefold(), row) for key, row in rows.items()]


@lru_cache(maxsize=16)
def _parsed(file: Path, stamp: tuple[int, int]) -> dict[str, Any]:
    try:
        return tomli.loads(file.read_text("utf-8"))
    except (tomli.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Refused(f"{file}: no TOML: {error}") from None


def _toml(file: Path) -> dict[str, Any]:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for its other end
            raise Refused(f"{file}: not a plain file")
        return _parsed(file, (status.st_mtime_ns, status.st_size))
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


def new_encounter(folder: Path, title: str) -> Path:
    """Begin an encounter of that title in a campaign's folder; gives its file, named after it.

    Raises Refused for a title without letters or a ruleset that is not there, LogError for a file
    that can't be made.
    """
    return new_fight(folder / ENCOUNTERS, title, _ruleset_of(folder))


def new_fight(folder: Path, title: str, ruleset_id: str) -> Path:
    """As `new_encounter`, but in that folder itself, which need be no campaign's."""
    stem = "-".join(re.findall(r"\w+", title.casefold()))
    if not stem:
        raise Refused("a title needs at least one letter")
    load_ruleset(ruleset_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(f"{folder}: {error.strerror}") from error
    names = chain([stem[:60]], (f"{stem[:60]}-{number}" for number in count(2)))
    path = next(p for name in names if not (p := folder / f"{name}.toml").exists())
    header = {"title": title, "ruleset": ruleset_id, "created": utc_now()}
    LogFile.create(path, header).close()
    return path


def _ruleset_of(folder: Path) -> str:
    about = folder / "campaign.toml"
    return str(_toml(about).get("ruleset", DEFAULT)) if about.is_file() else DEFAULT


def ruleset_id_for(path: Path) -> str:
    """The rule system of an encounter that is to lie at `path`: its campaign's, or the default.

    Raises Refused for a campaign.toml that can't be read.
    """
    folder = campaign_of(path)
    return _ruleset_of(folder) if folder else DEFAULT


def begin_campaign(name: str = FIRST_CAMPAIGN, ruleset_id: str = DEFAULT) -> Path:
    """Make a campaign's folder, named after it, where the user's campaigns are; gives it.

    Raises Refused for a name without letters or one that another campaign there has, which may be
    no more than a folder with encounters; LogError when the folder can't be made.
    """
    stem = "-".join(re.findall(r"\w+", name.casefold()))
    if not stem:
        raise Refused("a name needs at least one letter")
    folder = campaign_folders()[-1] / stem[:60]
    about = {"name": name, "ruleset": ruleset_id}
    try:
        if (folder / ENCOUNTERS).exists():  # by which a folder without campaign.toml is one, too
            raise FileExistsError
        folder.mkdir(parents=True, exist_ok=True)
        import tomli_w  # here, since a campaign is seldom made

        publish(folder / "campaign.toml", tomli_w.dumps(about).encode())
        (folder / ENCOUNTERS).mkdir()
    except FileExistsError:
        raise Refused(f"there already is a campaign {folder.name!r} in {folder.parent}") from None
    except OSError as error:
        raise LogError(f"{folder}: {error.strerror}") from error
    return folder
