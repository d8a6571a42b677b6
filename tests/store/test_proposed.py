"""What came of a player's proposal says so in the log, and is never played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter


def test_an_entry_keeps_the_proposal_that_it_came_of_and_refuses_it_again_when_opened_anew(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "plain", "Ford", SeededDice(1)) as fight:
        fight.do("add pc Mira hp 9")
        fight.do("damage mira 2", proposal="0f3c")
        fight.do("undo")
    assert path.read_text("utf-8").count('proposal = "0f3c"') == 1
    with OpenEncounter.open(path) as fight:
        assert [e.proposal for e in fight.history.entries.values()] == ["", "0f3c", ""]
        before = path.read_bytes()
        with pytest.raises(Refused, match="already played"):
            fight.do("damage mira 2", proposal="0f3c")
        assert path.read_bytes() == before
        fight.do("damage mira 2", proposal="77d0")
    assert OpenEncounter.view(path).history.entries[4].proposal == "77d0"
