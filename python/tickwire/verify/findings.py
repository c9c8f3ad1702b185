"""Faults found by a check. A check continues after a fault, so that one changed record does not hide another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional

CODES = (
    *("number", "hash", "prev", "not_json", "not_canonical", "shape", "rules_version", "opening", "time_order", "quote_order"),
    *("record_order", "published_twice", "not_published", "closed_twice", "voided_twice", "belongs", "price", "levels", "targets"),
    *("order_kind", "deadline", "never_closed", "accepted_quote", "amendment", "close_request", "signature", "evidence_order"),
    *("fill", "decision", "closed_at", "gap", "recovered", "self_sourced", "pnl", "sealed_twice", "sealed_file", "not_on_tape"),
    *("tape_decides", "head", "head_time", "time_stamp", "row", "note", "tape_block"),
)
"""The numbered findings of docs/reference/signals.md: the first is F1."""
UNPROVED_CODES = ("no_outside_head", "no_time_stamp", "no_tape", "unsealed_days", "not_served", "active_signals", "key_changes", "operator_keys", "declared_gaps")
"""The same of what a result does not prove: the first is N1."""
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
        return f"{record}{'' if self.signal is None else f'{self.signal}: '}{self.message} (F{self.number} {self.code})"

    @property
    def number(self) -> int:
        """Its number in docs/reference/signals.md."""
        return CODES.index(self.code) + 1


@dataclass(frozen=True)
class NotProved:
    """What a result does not prove."""

    code: str
    """What kind, such as `no_outside_head`. The codes are those of `tickwire verify`."""
    count: int
    """How many records, days, signals, keys or publishers."""
    message: str
    """Explanation for people."""

    def __str__(self) -> str:
        return f"{self.message} (N{UNPROVED_CODES.index(self.code) + 1} {self.code})"


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
