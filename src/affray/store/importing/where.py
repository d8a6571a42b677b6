"""The campaign that something is imported into: the one that is named, or where one stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from affray.core.language.ids import id_of
from affray.core.language.refusal import Refused, did_you_mean, listed
from affray.store.campaigns.files import ENCOUNTERS, toml_of
from affray.store.campaigns.finding import campaign_folders

ABOUT = "campaign.toml"


def campaign_for(named: str = "") -> Path:
    """The folder of a campaign: by its path, its name or its folder's name; with nothing said the
    one in which the process stands.

    Raises Refused, naming those that there are.
    """
    if not named:
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / ABOUT).is_file():
                return folder
        raise Refused(f"say into which campaign: --into CAMPAIGN{_those()}")
    with suppress(OSError):
        if is_campaign(Path(named)):
            return Path(named)
    for folder in _campaigns():
        if id_of(named) in (id_of(folder.name), id_of(_name_of(folder))):
            return folder
    names = [_name_of(folder) for folder in _campaigns()]
    raise Refused(f"there is no campaign {named!r}{did_you_mean(named, names) or _those()}")


def is_campaign(folder: Path) -> bool:
    """Whether a folder is a campaign's."""
    return (folder / ABOUT).is_file() or (folder / ENCOUNTERS).is_dir()


def _those() -> str:
    names = [repr(_name_of(folder)) for folder in _campaigns()]
    return (
        f"; there {'is' if len(names) == 1 else 'are'} {listed(names[:8], 'and')}" if names else ""
    )


def _campaigns() -> Iterator[Path]:
    for parent in campaign_folders():
        with suppress(OSError):
            yield from (folder for folder in sorted(parent.iterdir()) if is_campaign(folder))


def _name_of(folder: Path) -> str:
    try:
        return str(toml_of(folder / ABOUT).get("name", folder.name))
    except Refused:  # it can be meant by its folder's name all the same
        return folder.name
