"""Every fault, tried a few times; `make torture` tries each far more often."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX signals and terminals", allow_module_level=True)

from tests.torture.table import FAULTS, Fault, load_faults

load_faults()
SEED = 1


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.in_suite], ids=str)
def test_nothing_is_lost_or_misread_and_nothing_breaks(fault: Fault) -> None:
    tally = fault.tried(SEED, short=True)
    assert tally.wrong == []
    assert tally.holds
    assert tally.tries or tally.skipped
