"""What tests of a campaign's own rows share."""

from __future__ import annotations

import pytest
from tests.house.playing import GAMES


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """One game, then the other."""
    return str(request.param)
