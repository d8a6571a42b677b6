"""Campaigns and encounters are begun: their folders and files."""

from __future__ import annotations

from pathlib import Path

from affray.core.language.refusal import Refused
from affray.fight import utc_now
from affray.rulesets import DEFAULT, load_ruleset
from affray.store.campaigns.files import ABOUT, ENCOUNTERS, LEDGER, LEDGER_TITLE, ruleset_of
from affray.store.campaigns.finding import campaign_folders
from affray.store.campaigns.names import free_name, stem_of
from affray.store.disk import publish, reason, said_of
from affray.store.errors import LogError
from affray.store.log_file import LogFile
from affray.store.toml_block import emit_header

FIRST_CAMPAIGN = "My campaign"


def new_encounter(folder: Path, title: str) -> Path:
    """Begin an encounter of that title in a campaign's folder; gives its file, named after it.

    Raises Refused for a title without letters or a ruleset that is not there, LogError for a file
    that can't be made.
    """
    return new_fight(folder / ENCOUNTERS, title, ruleset_of(folder))


def new_fight(folder: Path, title: str, ruleset_id: str) -> Path:
    """As `new_encounter`, but in that folder itself, which need be no campaign's."""
    stem = stem_of(title, "a title")
    load_ruleset(ruleset_id)
    with said_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
    path = free_name(folder, stem, ".toml")
    _begin_log(path, title, ruleset_id)
    return path


def _begin_log(path: Path, title: str, ruleset_id: str) -> None:
    header = {"title": title, "ruleset": ruleset_id, "created": utc_now()}
    LogFile.create(path, header).close()


def begin_campaign(name: str = FIRST_CAMPAIGN, ruleset_id: str = DEFAULT) -> Path:
    """Make a campaign's folder, named after it, where the user's campaigns are; gives it.

    A ledger is in it, and no encounter yet.

    Raises Refused for a name without letters or one that another campaign there has, which may be
    no more than a folder with encounters; LogError when the folder can't be made.
    """
    folder = campaign_folders()[-1] / stem_of(name, "a name")
    load_ruleset(ruleset_id)
    try:
        if (folder / ENCOUNTERS).exists():  # by which a folder without campaign.toml is one, too
            raise FileExistsError
        folder.mkdir(parents=True, exist_ok=True)
        publish(folder / ABOUT, emit_header({"name": name, "ruleset": ruleset_id}))
        (folder / ENCOUNTERS).mkdir()
        _begin_log(folder / LEDGER, LEDGER_TITLE, ruleset_id)
    except FileExistsError:
        raise Refused(f"there already is a campaign {folder.name!r} in {folder.parent}") from None
    except OSError as error:
        raise LogError(f"{folder}: {reason(error)}") from error
    return folder
