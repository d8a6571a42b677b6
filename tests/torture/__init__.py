"""Faults that the log and the screen must outlive, tried many times: `python -m tests.torture`."""

import pytest

pytest.importorskip("fcntl", reason="its faults are made by Unix: signals, limits, terminals")
