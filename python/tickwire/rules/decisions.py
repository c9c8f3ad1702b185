"""Results of signals, decisions and evidence: rules CR1 to CR10, E1 to E6 and EV1 to EV3 of docs/signals.md, "Track records".

R values are integers of 1e-4.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

UNIT = 10_000
Step = Tuple[str, int, Optional[int]]
"""`begin` or `end`, the index of a decision, and its R at the end."""
CAP = 10 * UNIT
RUIN = -5 * UNIT


@lru_cache(maxsize=65_536)
def milliseconds(text: str) -> int:
    """An ISO 8601 time of a record (UTC, with milliseconds), since 1970."""
    return (datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime(1970, 1, 1)) // timedelta(milliseconds=1)


def round_units(value: Fraction) -> int:
    """A fraction in units of 1e-4, halves away from zero."""
    units = abs(value) * UNIT
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return whole if value >= 0 else -whole


class RankedSignal:
    """One signal of rules version 2, as its records tell it."""

    def __init__(self, published: Mapping[str, Any]) -> None:
        self.published = published
        self.n: int = published["n"]
        self.filled: Optional[Mapping[str, Any]] = None
        self.exits: List[Mapping[str, Any]] = []
        self.closed: Optional[Mapping[str, Any]] = None
        self.voided = False
        self.closing_n: Any = None
        self.closed_at: Any = None

    def add(self, record: Mapping[str, Any]) -> None:
        kind = record["type"]
        if kind == "filled":
            self.filled = record
        elif kind == "exited":
            self.exits.append(record)
        elif kind in ("closed", "voided"):
            if self.closing_n is None:  # E4: a void after the closing changes the result, not the place
                self.closing_n = record["n"]
                self.closed_at = milliseconds(record["closed_at"] if kind == "closed" else record["at"])
            if kind == "closed":
                self.closed = record
            else:
                self.voided = True

    @property
    def is_closed(self) -> bool:
        return self.closing_n is not None

    def result(self, mark: Any, trusts: Callable[[str], bool]) -> Optional[int]:
        """CR2 to CR9, or None. `mark` is {"price"} of an open signal."""
        publisher = self.published["publisher"]
        own = f"push:{publisher}"
        accepted = self.published["quote"]["source"]
        if self.voided or not self.filled:
            return None
        later = [self.filled["filled"]["source"], *(record["decided"]["source"] for record in self.exits)]
        if self.closed:
            later.append(self.closed["decided"]["source"])
        r = self.rank_r(mark)
        if r is None:
            return None
        if not trusts(accepted):  # CR4
            return min(r, 0) if own in [accepted, *later] else None
        if accepted == own:  # CR5
            return min(r, 0)
        if own in later or not all(trusts(source) for source in later):  # CR6
            return min(r, -UNIT)
        return min(r, 0) if self.closed and "gap_from" in self.closed else r  # CR7

    def rank_r(self, mark: Any) -> Optional[int]:
        """CR2"""
        published, filled = self.published, self.filled
        assert filled is not None
        buy = published["direction"] == "buy"
        entry, fill = Fraction(published["entry"]), Fraction(filled["entry_price"])
        base = max(entry, fill) if buy else min(entry, fill)
        parts = [(Fraction(record["fraction"]), Fraction(record["price"])) for record in self.exits]
        rest = 1 - sum((fraction for fraction, _ in parts), Fraction(0))
        if self.closed:
            parts.append((rest, Fraction(self.closed["last_exit"]["price"])))
        elif mark:
            parts.append((rest, Fraction(mark["price"])))
        else:
            return None
        d = sum((fraction * (price - base if buy else base - price) for fraction, price in parts), Fraction(0))
        spread = Fraction(published["quote"]["ask"]) - Fraction(published["quote"]["bid"])
        return round_units(d / max(abs(entry - Fraction(published["stop_loss"])), 10 * spread))


class Decision:
    def __init__(self, first: RankedSignal) -> None:
        self.signals = [first]

    @property
    def first(self) -> RankedSignal:
        return self.signals[0]

    @property
    def complete(self) -> bool:
        return all(signal.is_closed for signal in self.signals)

    @property
    def place(self) -> int:
        return max(signal.closing_n for signal in self.signals)

    @property
    def published_at(self) -> int:
        return milliseconds(self.first.published["at"])

    @property
    def completed_at(self) -> Any:
        """`closed_at` of its last closing record."""
        return max(self.signals, key=lambda signal: signal.closing_n).closed_at

    def r(self, results: Mapping[int, Optional[int]]) -> Optional[int]:
        """E3, or None if no signal of it has a result (E2)."""
        known = [r for r in (results[signal.n] for signal in self.signals) if r is not None]
        if not known:
            return None
        return min(results[self.first.n] or 0, sum(known) // len(known))


def group(signals: Sequence[RankedSignal]) -> List[Decision]:
    """E1: decisions of one publisher, in order of publication."""
    decisions: List[Decision] = []
    current: Dict[Tuple[str, str], Decision] = {}
    for signal in sorted(signals, key=lambda signal: signal.n):
        key = (signal.published["symbol"], signal.published["direction"])
        decision = current.get(key)
        if decision and (decision.first.closing_n is None or signal.n < decision.first.closing_n):
            decision.signals.append(signal)
        else:
            current[key] = Decision(signal)
            decisions.append(current[key])
    return decisions


def steps(decisions: Sequence[Decision], results: Mapping[int, Optional[int]]) -> List[Step]:
    """EV1: the begins of all decisions and the ends of the complete ones, in the order of their records, then the losses that are open."""
    begins: List[Tuple[int, str, int, Optional[int]]] = [(d.first.n, "begin", i, None) for i, d in enumerate(decisions)]
    ends = [(d.place, "end", i, d.r(results)) for i, d in enumerate(decisions) if d.complete]
    losses: List[Step] = [("end", i, d.r(results)) for i, d in enumerate(decisions) if not d.complete and (d.r(results) or 0) < 0]
    return [step[1:] for step in sorted([*begins, *ends])] + losses


def e_value(steps: Sequence[Step]) -> float:
    """EV1 to EV3, in doubles, step by step as the rules say."""
    if any(u is not None and u < RUIN for _, _, u in steps):
        return 0.0
    total = 0.0
    for k in range(1, 11):
        wealth, staked = 1.0, 0.0
        stakes: Dict[int, float] = {}
        for kind, decision, u in steps:
            if kind == "begin":
                stakes[decision] = k / 50 * max(0.0, wealth - 5 * staked)
                staked += stakes[decision]
                continue
            staked = max(0.0, staked - stakes[decision])
            if u is not None:
                wealth = min(max(0.0, wealth + stakes[decision] * (min(u, CAP) / UNIT)), 1e300)
        total += wealth
    return total / 10


def published(value: float) -> Fraction:
    """EV3: 4 significant digits of the exact value of the double, halves up; 1e12 from 1e12 on."""
    exact = Fraction(value)
    if exact == 0:
        return Fraction(0)
    if exact >= 10**12:
        return Fraction(10**12)
    scale = Fraction(1)
    while exact * scale >= 10_000:
        scale /= 10
    while exact * scale < 1_000:
        scale *= 10
    scaled = exact * scale
    return Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)) / scale
