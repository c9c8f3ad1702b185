"""Faults found by a check. A check continues after a fault, so that one changed record does not hide another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional

KEPT = 1_000
"""Findings kept; the rest are only counted."""


@dataclass(frozen=True)
class Finding:
    """A fault of the log."""

    n: Optional[int]
    """Number of the record; None if it concerns no single record."""
    signal: Optional[str]
    """Id of the signal; None if it concerns none."""
    code: str
    """What kind of fault, such as `hash`, `signature` or `tape_decides`. The codes are those of `tickwire verify`."""
    message: str
    """Explanation for people."""

    def __str__(self) -> str:
        record = "" if self.n is None else f"record {self.n}: "
        return f"{record}{'' if self.signal is None else f'{self.signal}: '}{self.message} ({self.code})"


Fault = Callable[[str, str], None]
"""Reports a fault: code and message."""


class Findings:
    """All faults of a verification."""

    def __init__(self) -> None:
        self.first: List[Finding] = []
        self.count = 0

    def add(self, n: Optional[int], signal: Optional[str], code: str, message: str) -> None:
        """Counts a fault, and keeps it if there is room."""
        self.count += 1
        if len(self.first) < KEPT:
            self.first.append(Finding(n, signal, code, message))
