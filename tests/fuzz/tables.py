"""Any text in a campaign's rules.toml, bestiary.toml or party.toml: an error line or a fight."""

from __future__ import annotations

import tempfile
from atexit import register
from functools import cache
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Any, cast
from zlib import crc32

import tomli
from tests.fuzz import oddities
from tests.fuzz.commands import give
from tests.fuzz.fights import CAMPAIGNS, begun, points
from tests.fuzz.files import _dumped
from tests.fuzz.target import FIGHT, REFUSED, Target, assert_one_line, assert_shown

from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset
from affray.store.campaigns import files
from affray.store.campaigns.campaign_rules import ruleset_with_campaign
from affray.tui.keymap import keymap_for

FILES = ("rules.toml", "bestiary.toml", "party.toml")
SAMPLES = {
    "drowned-vale": "lantern-street",
    "kiln-road": "the-ninth-kiln",
    "salt-stair": "the-bell-in-the-gale",
    "winter-term": "the-frozen-conservatory",
    "night-ferry": "mid-river",
}
"""A fight for each campaign."""


@cache
def _folder() -> Path:
    """A campaign's folder of this process, in memory where the system has a place for that."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(prefix="affray-fuzz-", dir=memory if memory.is_dir() else None))
    register(rmtree, made, ignore_errors=True)
    (made / files.ENCOUNTERS).mkdir()
    return made


@cache
def _sample(campaign: str, file: str) -> tuple[bytes, dict[str, Any]]:
    raw = (CAMPAIGNS / campaign / file).read_bytes()
    return raw, tomli.loads(raw.decode())


def make(rng: Random) -> bytes:
    """The names of a campaign and of a file of its, and what stands in that."""
    campaign, file = rng.choice(list(SAMPLES)), rng.choice(FILES)
    return f"{campaign} {file}\n".encode() + _content(rng, campaign, file)


def _content(rng: Random, campaign: str, file: str) -> bytes:
    raw, tree = _sample(campaign, file)
    what = rng.random()
    if what < 0.05:
        return rng.randbytes(rng.randrange(200))
    if what < 0.25:
        return oddities.damaged(_part(raw, rng), rng)
    if what < 0.4:
        return _dumped(cast("dict[str, Any]", _rows(rng)))
    few = {key: row for key, row in tree.items() if rng.random() < 0.3} or tree
    for _ in range(rng.choice((1, 1, 2, 4))):
        changed = oddities.reshaped(few, rng)
        few = changed if isinstance(changed, dict) else few
    return _dumped(few)


def _part(raw: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(raw))
    start = raw.find(b"\n[", at) + 1
    return raw[start : start + 1500]


def _rows(rng: Random) -> dict[str, Any]:
    """New rows, of tables that there are, by the fields that there are."""
    fields = {
        "effects": (
            "name",
            "kind",
            "modifiers",
            "forbids",
            "implies",
            "until",
            "at_start",
            "brings",
        ),
        "techniques": (
            "name",
            "key",
            "cost",
            "asks",
            "fields",
            "command",
            "targets",
            "repeat",
            "marks",
        ),
        "prompts": ("key", "label", "command", "asks", "fields", "nobody", "when", "first"),
        "tracks": ("label", "shown", "counts", "short", "below"),
        "outcomes": ("key", "hits", "label"),
        "bestiary": ("hp", "ac", "kind", "attacks", "name"),
        "economy": ("a", "b"),
    }
    rows = {}
    for table in rng.sample(list(fields), 2):
        row = {field: _fitting(field, rng) for field in rng.sample(fields[table], 2)}
        rows[table] = {oddities.text(rng).encode(errors="replace").decode(): row}
    return rows


def _fitting(field: str, rng: Random) -> object:
    word = rng.choice(oddities.WORDS).encode(errors="replace").decode()
    if field in ("asks", "fields", "forbids", "implies", "brings") and rng.random() < 0.8:
        kinds = (
            "number",
            "target",
            "line",
            "text",
            "choice:a|b",
            "own",
            "noted",
            "die:x",
            "=a",
            "?",
        )
        return [rng.choice((*kinds, word)) for _ in range(3)]
    if field in ("modifiers", "cost", "at_start", "marks") and rng.random() < 0.8:
        return {rng.choice(("hp", "ac", "attack", word)): rng.choice((0, 1, -1, 10**9))}
    if rng.random() < 0.6:
        return word
    return oddities.value(rng)


def run(data: bytes, thorough: bool = True) -> str:
    """Play by a campaign with that file."""
    head, _, content = data.partition(b"\n")
    campaign, _, file = head.decode("utf-8", "replace").partition(" ")
    campaign = campaign if campaign in SAMPLES else "drowned-vale"
    file = file if file in FILES else FILES[0]
    folder = _folder()
    (folder / file).write_bytes(content)
    files._parsed.cache_clear()
    own = load_ruleset(files.load_toml(CAMPAIGNS / campaign / "campaign.toml")["ruleset"])
    path = folder / files.ENCOUNTERS / "fight.toml"
    try:
        ruleset = ruleset_with_campaign(own, path)
    except Refused as refusal:
        assert_one_line(str(refusal))
        return REFUSED
    finally:
        (folder / file).unlink()
    name = SAMPLES[campaign]
    fight = begun(f"{name} {points(name)[-1]}".encode())
    fight.ruleset = ruleset
    part = crc32(data) % 6
    if thorough or part == 0:
        assert_shown(fight.history, ruleset)
    if thorough or part == 1:
        for complaint in keymap_for(ruleset).complaints:
            assert complaint
    new = [key for key in ruleset.tables.bestiary if key not in own.tables.bestiary]
    for creature in new[: 40 if thorough else 2]:
        give(fight, f'add "{creature}"')
    for line in ("add party", "next")[: 2 if thorough or part == 2 else 0]:
        give(fight, line)
    return FIGHT


TARGET = Target("tables", make, run)
