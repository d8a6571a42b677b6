"""The address for phones beside the players' view."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from textual.geometry import Size

from affray.tui.screens import reports


@pytest.mark.parametrize(("width", "height", "is_drawn"), [(80, 24, False), (100, 30, True)])
def test_a_small_window_says_what_its_qr_code_lacks(
    monkeypatch: pytest.MonkeyPatch, width: int, height: int, is_drawn: bool
) -> None:
    served = SimpleNamespace(trouble="", url="http://192.0.2.1:8750")
    app = SimpleNamespace(served=served, inks=SimpleNamespace(accent="", dim=""))
    monkeypatch.setattr(reports, "get_app", lambda _: app)
    monkeypatch.setattr(reports.PlayersScreen, "size", Size(width, height))
    rows = reports.PlayersScreen(cast(Any, None))._where_served()
    assert any("█" in row.text for row in rows) == is_drawn
    assert any("QR code needs a larger window" in row.text for row in rows) != is_drawn
