from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import create

from affray.store.entry_toml import format_entry, format_header

AT = datetime(2026, 11, 20, 19, 42, 7, tzinfo=UTC)
HEADER = {"format": 1, "title": "Ambush", "ruleset": "monsters-and-magic", "created": AT}


def a_body(number: int = 0) -> dict[str, Any]:
    return {
        "at": AT,
        "command": f"strike ghoul-{number} strong 8 é",
        "by": "brannoc",
        "events": [
            {"event": "spent", "who": "brannoc", "track": "ap", "by": 1},
            {"event": "changed", "who": f"ghoul-{number}", "track": "hp", "by": -16},
        ],
    }


@pytest.fixture
def body() -> Callable[[int], dict[str, Any]]:
    return a_body


@pytest.fixture(scope="session")
def header_bytes() -> bytes:
    return format_header(HEADER)


@pytest.fixture(scope="session")
def entry_bytes() -> Callable[..., bytes]:
    """The bytes of the entry with this number; another `flavour` is another entry."""
    return lambda seq, flavour=0: format_entry(a_body(seq + flavour), seq)


@pytest.fixture(scope="session")
def log_bytes(header_bytes: bytes, entry_bytes: Callable[..., bytes]) -> Callable[[int], bytes]:
    return lambda count: header_bytes + b"".join(entry_bytes(n + 1) for n in range(count))


@pytest.fixture
def log_path(tmp_path: Path, log_bytes: Callable[[int], bytes]) -> Path:
    """A log of three entries."""
    path = tmp_path / "ford.toml"
    path.write_bytes(log_bytes(3))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight between Mira and a ghoul, Mira's turn; entry 4 is the last."""
    path = tmp_path / "ford.toml"
    with create(path) as fight:
        for line in ("add pc Mira hp 20 ac 2 luck 1", "add monster Ghoul hp 18", "init mira 9"):
            fight.do(line)
        fight.do("init ghoul 5")
    return path
