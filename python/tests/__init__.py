"""Tests of the Python package. `python/run-tests` runs them."""

import sys
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
for folder in (PYTHON, PYTHON / "tools"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
