"""These tests share their faults with `python -m tests.torture`, and import them by that name."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)
