"""Find campaigns and encounters, those played last first; check and change their names.

Archived encounters are in a folder `put-away` beside `encounters`, archived campaigns in a folder
`put-away` beside the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.errors import Refused, did_you_mean, join_or
from affray.rulesets import DEFAULT
from affray.store.campaigns import files
from affray.store.campaigns.summaries import EncounterSummary, quick_summary
from affray.store.campaigns.toml_edit import with_key
from affray.store.entry_toml import SEPARATOR, format_header, header_sum, sealed_header
from affray.store.filesystem import (
    file_error_from,
    log_error_from,
    read_bytes,
    read_head,
    replace_file,
    stem_for,
)
from affray.store.log_file import LogFile
from affray.store.log_recovery import ParsedLog

if TYPE_CHECKING:
    from affray.fight import Fight

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Campaign(Struct, frozen=True):
    """A campaign folder and its encounters."""

    name: str
    path: Path
    ruleset_id: str
    encounters: tuple[EncounterSummary, ...]
    loose: bool = False
    """True for a folder with a fight that isn't a campaign."""
    away: tuple[EncounterSummary, ...] = ()
    """Its archived encounters."""
    is_away: bool = False
    """True if it is archived."""
    ledger: EncounterSummary | None = None
    """Its log of what happens between fights, if it has one."""

    @property
    def played(self) -> datetime:
        """The time when a fight or the ledger was played last, or the newest was begun."""
        logs = (*self.encounters, *filter(None, [self.ledger]))
        return max((each.played for each in logs), default=_LONG_AGO)

    def new_fight(self, title: str = "Fight", seed: int | None = None) -> Fight:
        """Begin a fight in memory, with the campaign's house rules, party and bestiary.

            fight = affray.load_campaign("campaigns/drowned-vale").new_fight(seed=1)
            fight.add("party")

        Raises Refused, naming the file, for rows that can't be read.
        """
        from affray.fight import Fight  # here: lists of campaigns do without any rules
        from affray.store.campaigns.campaign_rules import campaign_rules

        return Fight(campaign_rules(self.path), title, seed)


def campaign_folders() -> list[Path]:
    """The folders in which campaigns are looked for: AFFRAY_CAMPAIGNS, or ./campaigns and the
    user's folder."""
    chosen = os.environ.get("AFFRAY_CAMPAIGNS", "").split(os.pathsep)
    if any(chosen):
        return [Path(part) for part in chosen if part]
    from platformdirs import user_data_path

    return [Path("campaigns"), user_data_path("affray", appauthor=False) / "campaigns"]


def find_campaigns(away: bool = False) -> list[Campaign]:
    """All campaigns, played last first; with `away`, the archived ones after them.

    A folder that can't be read is listed with its problem.
    """
    found = [c for parent in campaign_folders() for c in _campaigns_in(parent)]
    found.sort(key=lambda campaign: campaign.name.casefold())
    found.sort(key=lambda campaign: campaign.played, reverse=True)
    if away:
        put_away = [c for parent in campaign_folders() for c in _campaigns_in(parent / files.AWAY)]
        found += (replace(campaign, is_away=True) for campaign in put_away)
    return found


def with_folder_of(fight: Path, ruleset_id: str, found: list[Campaign]) -> list[Campaign]:
    """The campaigns, with a fight's folder before them if it is in none of them.

    No folder is added for an archived fight, or a fight of an archived campaign.
    """
    logs = ((*c.encounters, *filter(None, [c.ledger])) for c in found)
    listed = {os.path.realpath(log.path) for row in logs for log in row}
    if os.path.realpath(fight) in listed:
        return found
    own = files.campaign_of(fight)
    return [_loose_folder(fight, ruleset_id), *found] if own is None else with_campaign(own, found)


def with_campaign(folder: Path, found: list[Campaign]) -> list[Campaign]:
    """The campaigns, with a folder's campaign first if it isn't among them."""
    is_known = any(os.path.realpath(c.path) == os.path.realpath(folder) for c in found)
    return found if is_known or not folder.is_dir() else [_campaign(folder), *found]


def _loose_folder(fight: Path, ruleset_id: str) -> Campaign:
    """A folder that is no campaign, with all fights in it."""
    fight = Path(os.path.realpath(fight))
    folder = fight.parent
    paths = [p for p in folder.glob("*.toml") if p == fight or read_head(p, 9) == b"format = "]
    away = tuple(_quick_summaries(files.encounters_of(folder, files.AWAY)))
    return Campaign(str(folder), folder, ruleset_id, tuple(_quick_summaries(paths)), True, away)


def _campaigns_in(parent: Path) -> Iterator[Campaign]:
    try:
        folders = files.listed(parent)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield _unreadable(parent, error)
        return
    for folder in folders:
        try:
            if files.is_campaign(folder):
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
        name, ruleset_id = files.campaign_name(folder), files.campaign_ruleset_id(folder)
    except Refused:  # the encounters can be listed all the same
        name, ruleset_id = folder.name, DEFAULT
    encounters = tuple(_quick_summaries(files.encounters_of(folder)))
    away = tuple(_quick_summaries(files.encounters_of(folder, files.AWAY)))
    ledger = quick_summary(folder / files.LEDGER) if (folder / files.LEDGER).is_file() else None
    return Campaign(name, folder, ruleset_id, encounters, away=away, ledger=ledger)


def _quick_summaries(paths: list[Path]) -> list[EncounterSummary]:
    """Encounters at a glance, played last first."""
    found = sorted(map(quick_summary, sorted(paths)), key=lambda seen: seen.title.casefold())
    return sorted(found, key=lambda seen: seen.played, reverse=True)


def without_away(campaign: Campaign) -> Campaign:
    """The campaign without its archived encounters."""
    return replace(campaign, away=())


# -- the campaign that is meant --------------------------------------------------------------------


def working_folder() -> Path:
    """The folder in which the process runs. Raises Refused if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        raise Refused("the current folder no longer exists") from None


def find_campaign(named: str = "") -> Path:
    """The folder of a campaign, by its path, its name or its folder's name.

    Without a name, it is the campaign in which the process runs. Raises Refused if there is none,
    or if several have the name, and lists them.
    """
    if not named:
        start = working_folder()
        for folder in (start, *start.parents):
            if (folder / files.ABOUT).is_file():
                return folder
        raise Refused(f"say which campaign: --into CAMPAIGN{_known_campaigns_text()}")
    with suppress(OSError):
        if files.is_campaign(Path(named)):
            return Path(named)
    meant = named_campaign(named)
    if meant is not None:
        return meant
    names = [_campaign_name(folder) for folder in _folders()]
    raise Refused(
        f"there is no campaign {named!r}{did_you_mean(named, names) or _known_campaigns_text()}"
    )


def named_campaign(named: str) -> Path | None:
    """The folder of a campaign by its name or its folder's name; None for a name that none has.

    Raises Refused if several have it, and lists them.
    """
    meant = [f for f in _folders() if to_id(named) in (to_id(f.name), to_id(_campaign_name(f)))]
    if len({os.path.realpath(folder) for folder in meant}) > 1:
        which = join_or(map(str, meant), "and")
        raise Refused(f"several campaigns are called {named!r}: give the folder, one of {which}")
    return meant[0] if meant else None


def load_campaign(named: str | os.PathLike[str] = "") -> Campaign:
    """Return a campaign with its encounters, by its folder, its name or its folder's name.

        for encounter in affray.load_campaign("campaigns/drowned-vale").encounters:
            print(encounter.title, affray.view(encounter.path).recap().rounds)

    Without a name, it is the campaign in which the process runs. Raises Refused if there is none,
    or if several have the name.
    """
    return _campaign(find_campaign(os.fspath(named)))


def _known_campaigns_text() -> str:
    names = [repr(_campaign_name(folder)) for folder in _folders()]
    return (
        f"; there {'is' if len(names) == 1 else 'are'} {join_or(names[:8], 'and')}" if names else ""
    )


def _folders() -> Iterator[Path]:
    for parent in campaign_folders():
        with suppress(OSError):
            yield from (folder for folder in files.listed(parent) if files.is_campaign(folder))


def _campaign_name(folder: Path) -> str:
    try:
        return files.campaign_name(folder)
    except Refused:  # it can still be found by its folder
        return folder.name


# -------------------------------------------------------------------------------------------------
# Names of campaigns and encounters: what is allowed, and where they are written.


def file_stem(title: str, what: str) -> str:
    """The name of a file after a title. Raises Refused for one without letters or digits."""
    stem = stem_for(title)
    if not stem:
        raise Refused(f"{what} needs at least one letter")
    return stem


def free_name(folder: Path, stem: str, suffix: str = "") -> Path:
    """The first unused name in a folder: `ford.toml`, `ford-2.toml`."""
    names: Iterator[str] = chain([stem], (f"{stem}-{number}" for number in count(2)))
    paths = (folder / f"{name}{suffix}" for name in names)
    return next(path for path in paths if not os.path.lexists(path))  # a dead link is a name too


def rename_encounter(path: Path, title: str) -> str:
    """Give an encounter another title; returns the old one. Its file keeps its name.

    Raises Refused for a title without letters, LogError for a log that can't be written.
    """
    file_stem(title, "a title")
    log = LogFile.open(path)
    try:
        with log_error_from(path):
            raw = read_bytes(path)
            replace_file(path, raw, with_title(raw, log.text, to_one_line(title)))
        return str(log.text.header.get("title", ""))
    finally:
        log.close()


def with_title(raw: bytes, text: ParsedLog, title: str, created: datetime | None = None) -> bytes:
    """The bytes of a log with another title, and another time of creation if one is given.

    All else stays, comments too, unless the header isn't laid out as affray writes it.
    """
    header = {**text.header, "title": title}
    header |= {} if created is None else {"created": created}
    head, separator, entries = raw.partition(SEPARATOR)
    wanted = {key: value for key, value in header.items() if key in ("title", "created")}
    if "sum" in header:
        header["sum"] = wanted["sum"] = header_sum(header)
    for key, value in wanted.items():
        line = format_header({key: value}).rstrip(b"\n")
        pattern = rb"^%b = [^\r\n]*" % key.encode()
        new = line.replace(b"\\", rb"\\")  # a backslash is an escape in what `subn` puts in
        head, times = re.subn(pattern, new, head, flags=re.MULTILINE)
        if times != 1:  # edited by hand into another layout: write the whole header again
            head = sealed_header({key: value for key, value in header.items() if key != "sum"})
            break
    return head + separator + entries


def rename_campaign(folder: Path, name: str) -> str:
    """Give a campaign another name; returns the old one. Its folder keeps its name.

    Raises Refused for a name without letters or a campaign.toml that can't be read, LogError when
    it can't be written.
    """
    file_stem(name, "a name")
    file = Path(os.path.realpath(folder / files.ABOUT))  # a link to it stays one
    with file_error_from(file):
        raw = read_bytes(file) if file.exists() else None
        old = files.campaign_name(folder)
        text = raw.decode() if raw is not None else ""
        try:
            replace_file(file, raw, with_key(text, "name", to_one_line(name)).encode())
        except Refused as refusal:
            raise Refused(f"{file} {refusal}") from None
    return old
