"""Any text as the user's own `keys.toml`: the keys that can be had, and a line for each other."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.fuzz import oddities
from tests.fuzz.files import _dumped
from tests.fuzz.keys import NAMED
from tests.fuzz.tables import _folder
from tests.fuzz.target import FIGHT, REFUSED, Target

from affray.core.rules.ruleset import Ruleset
from affray.rulesets import known_rulesets, load_ruleset
from affray.tui.keymap import FILE, Keymap, keymap_for, own_keys


@cache
def _usual() -> list[tuple[Ruleset, Keymap]]:
    return [(r, keymap_for(r)) for r in map(load_ruleset, known_rulesets()[:2])]


def make(rng: Random) -> bytes:
    """A file of keys, with some entries that there are and some that there are not."""
    rows: dict[str, object] = {}
    ids = list(_usual()[rng.randrange(2)][1].by_id)
    for _ in range(rng.randrange(1, 6)):
        name = rng.choice(ids) if rng.random() < 0.7 else oddities.text(rng)
        pressed = rng.choice((*NAMED, "a", "b z", "ctrl+z", oddities.text(rng)))
        given = pressed if rng.random() < 0.8 else oddities.value(rng)
        rows[name] = given.encode(errors="replace").decode() if isinstance(given, str) else given
    raw = _dumped({name.encode(errors="replace").decode(): given for name, given in rows.items()})
    return oddities.damaged(raw, rng) if rng.random() < 0.3 else raw


def run(data: bytes, thorough: bool = True) -> str:
    """Read the file, and make the table of keys by it."""
    path = _folder() / FILE
    path.write_bytes(data)
    keys, complaints = own_keys(path.parent)
    assert all(isinstance(line, str) and line for line in complaints)
    for _, usual in _usual() if thorough else _usual()[len(data) % 2 :][:1]:
        made = Keymap(usual.keys, keys)
        assert {key.id for key in made.keys} == set(usual.by_id)
        assert all(made.by_key[pressed] in made.keys for pressed in made.by_key)
        assert all(made.by_key[pressed] is key for key in made.keys for pressed in key.keys)
        assert all(made.complaints)
    return FIGHT if keys else REFUSED


TARGET = Target("own-keys", make, run)
