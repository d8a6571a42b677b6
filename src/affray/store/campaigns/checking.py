"""A campaign's files but its logs gone through, before the evening: what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from affray.core.heart.alone import seen_alone
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.store.campaigns.files import (
    ABOUT,
    BESTIARY,
    PARTY,
    READ_AS,
    RULES,
    is_there,
    keys_in,
    ruleset_of,
)
from affray.store.campaigns.lines import line_at
from affray.store.campaigns.rules import with_file, with_its_line


class Finding(NamedTuple):
    """A line on one of the files, and whether it tells of a fault."""

    line: str
    is_fault: bool = True


def findings(folder: Path) -> Iterator[Finding]:
    """What there is to say of a campaign: its rules, then its people, row by row."""
    try:
        ruleset = _ruleset(folder)
    except Refused as refusal:
        yield Finding(str(refusal))
        return
    for name in (RULES, BESTIARY, PARTY):
        file = folder / name
        try:
            if not is_there(file):
                continue
            ruleset = with_file(ruleset, file)
        except Refused as refusal:
            yield Finding(str(refusal))
        else:
            if name == RULES:
                yield Finding(f"{name}: read", is_fault=False)
    for name in (BESTIARY, PARTY):
        yield from _people(folder, name, ruleset)


def _ruleset(folder: Path) -> Ruleset:
    ruleset_id = ruleset_of(folder)
    try:
        return load_ruleset(ruleset_id)
    except Refused as refusal:
        line = line_at((folder / ABOUT).read_text(READ_AS), [("ruleset",)])
        raise Refused(f"{ABOUT}, line {line}: {refusal}") from None


def _people(folder: Path, name: str, ruleset: Ruleset) -> Iterator[Finding]:
    """Each row by which nobody could be added, and how many there are."""
    try:
        keys = keys_in(folder / name) & ruleset.tables.bestiary.keys()
    except Refused:  # which was said before
        return
    broken = 0
    for key in sorted(keys):
        try:
            seen_alone(ruleset, key)
        except Refused as refusal:
            broken += 1
            yield Finding(str(with_its_line(refusal, folder)))
    if keys and not broken:
        what = "character" if name == PARTY else "creature"
        several = "" if len(keys) == 1 else "s"
        yield Finding(f"{name}: {len(keys)} {what}{several}", is_fault=False)
