"""What is done with campaigns and encounters at home: begun, copied, named, put away; and back.

Nothing is deleted: a copy that is taken back is put away.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from affray.core.language.refusal import Refused
from affray.store.campaigns import away, copying, folders, names
from affray.store.campaigns.finding import Campaign
from affray.tui.panes.home_list import HomeRow

LEDGER_STAYS = "the ledger goes where its campaign goes"
ONE_AT_A_TIME = "t copies one encounter to be played anew: put the cursor on it; d copies all"


class Change(NamedTuple):
    """What was done: told in a line, where it is now, and how it is taken back."""

    told: str
    path: Path
    back: Callable[[], object]


def is_encounter(row: HomeRow) -> bool:
    """Whether the row is an encounter's; it may be a campaign's instead."""
    return row.encounter is not None


def title_of(row: HomeRow) -> str:
    """An encounter's title, or a campaign's name."""
    if row.encounter is not None:
        return row.encounter.title
    return row.campaign.name if row.campaign is not None else ""


def whole_of(row: HomeRow) -> str:
    """What goes into a copy of a campaign; empty for an encounter, which goes alone."""
    if is_encounter(row) or row.campaign is None:
        return ""
    count = len(row.campaign.encounters)
    return f" of the whole campaign, with {count} encounter{'s' if count != 1 else ''}"


def begin_encounter(here: Campaign | None, title: str, ruleset_id: str) -> Path:
    """Begin an encounter in a campaign; without one, in the first campaign, which goes by those
    rules. Raises Refused for a campaign that is put away."""
    if here is not None and here.is_away:
        raise Refused("the campaign is put away: x brings it back")
    if here is not None and here.loose:
        return folders.new_fight(here.path, title, here.ruleset_id)
    folder = here.path if here is not None else folders.begin_campaign(ruleset_id=ruleset_id)
    return folders.new_encounter(folder, title)


def why_not(change: Callable[[HomeRow, str], Change], row: HomeRow) -> str:
    """Why a change can't be made to a row, so that no name needs asking; empty where it can."""
    if row.ledger:
        return LEDGER_STAYS
    return ONE_AT_A_TIME if change is copy_to_play and not is_encounter(row) else ""


def copy(row: HomeRow, name: str) -> Change:
    """Copy an encounter as it stands, or a campaign."""
    path = _there(row)
    make = copying.copy_encounter if is_encounter(row) else copying.copy_campaign
    made = make(path, name)
    told = "copied" if is_encounter(row) else "the whole campaign is copied"
    return Change(f"{told} as {name!r}", made, lambda: away.put_away(made))


def copy_to_play(row: HomeRow, name: str) -> Change:
    """Copy an encounter as it was before its first round."""
    made = copying.copy_unbegun(_there(row), name)
    return Change(f"copied as {name!r}, not begun", made, lambda: away.put_away(made))


def rename(row: HomeRow, name: str) -> Change:
    """Give an encounter or a campaign another name."""
    path = _there(row)
    give = names.rename_encounter if is_encounter(row) else names.rename_campaign
    old = give(path, name)
    return Change(f"{old!r} is called {name!r} now", path, lambda: give(path, old))


def put_away_or_back(row: HomeRow) -> Change:
    """Put an encounter or a campaign away; what is away comes back."""
    path = _there(row)
    if row.campaign is not None and row.campaign.is_away and is_encounter(row):
        raise Refused("its campaign is put away: x on the campaign's name brings it back")
    if row.away:
        moved = away.bring_back(path)
        return Change(f"{title_of(row)!r} is back", moved, lambda: away.put_away(moved))
    moved = away.put_away(path)
    return Change(f"{title_of(row)!r} is put away", moved, lambda: away.bring_back(moved))


def _there(row: HomeRow) -> Path:
    """The file or folder of a row. Raises Refused for the ledger, and for a folder that is no
    campaign."""
    if row.path is None:
        raise Refused("there is nothing under the cursor")
    if row.ledger:
        raise Refused(LEDGER_STAYS)
    if not is_encounter(row) and row.campaign is not None and row.campaign.loose:
        raise Refused(f"{row.path} is a folder of your own, and no campaign")
    return row.path
