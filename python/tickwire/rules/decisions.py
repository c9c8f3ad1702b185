"""Results of signals, decisions, evidence and trials: rules CR1 to CR10, E1 to E6, EV1 to EV3, K1 and K2 of
docs/reference/signals.md, "Track records".

R values are integers of 1e-4.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

UNIT = 10_000
Step = Tuple[str, int, Optional[int]]
"""`begin` or `end`, the index of a decision, and the highest R that it can reach, or its R at the end."""
CAP = 10 * UNIT
DAY = 86_400_000
MIN_DECISIONS = 30
MIN_DAYS = 20
NUMBERED = 90 * DAY


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
    """One signal, as its records tell it."""

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

    @property
    def max_r(self) -> int:
        """EV1: R for the rank if every target is reached, at most 10."""
        published = self.published
        entry, target = Fraction(published["entry"]), {"price": published["take_profit"], "fraction": 1}
        parts = [(Fraction(t["fraction"]), Fraction(t["price"])) for t in published.get("targets", [target])]
        reward = sum((fraction * abs(price - entry) for fraction, price in parts), Fraction(0))
        return min(round_units(reward / self.rank_risk), CAP)

    @property
    def rank_risk(self) -> Fraction:
        """CR2"""
        published = self.published
        spread = Fraction(published["quote"]["ask"]) - Fraction(published["quote"]["bid"])
        return max(abs(Fraction(published["entry"]) - Fraction(published["stop_loss"])), 10 * spread)

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
        return round_units(d / self.rank_risk)


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
        return max(int(signal.closing_n) for signal in self.signals)

    @property
    def published_at(self) -> int:
        return milliseconds(self.first.published["at"])

    @property
    def completed_at(self) -> Any:
        """`closed_at` of its last closing record."""
        return max(self.signals, key=lambda signal: int(signal.closing_n)).closed_at

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


class EndedTrial(NamedTuple):
    n: int
    """Record that ended it."""
    at: int
    number: int


class Trial:
    """K1: the trial of one publisher. Give it all records of its signals, in order."""

    def __init__(self, trusts: Callable[[str], bool], waived: bool) -> None:
        self._trusts, self._waived = trusts, waived
        self._open: Dict[str, RankedSignal] = {}
        self._decisions: Dict[str, Decision] = {}
        self._current: Dict[Tuple[str, str], Decision] = {}
        self._results: Dict[int, Optional[int]] = {}
        self._counted: Dict[int, Tuple[int, int]] = {}
        self.total = 0

    @property
    def decisions(self) -> int:
        return len(self._counted)

    @property
    def days(self) -> int:
        return len({day for _, day in self._counted.values()})

    def add(self, record: Mapping[str, Any]) -> bool:
        """Whether the trial ends with this record."""
        kind, name = record["type"], record["signal"]
        if kind == "published":
            signal = self._open[name] = RankedSignal(record)
            key = (record["symbol"], record["direction"])
            decision = self._current.get(key)
            if decision is None or decision.first.is_closed:
                decision = self._current[key] = Decision(signal)
            else:
                decision.signals.append(signal)
            self._decisions[name] = decision
            return False
        if name in self._open:
            self._open[name].add(record)
        if kind not in ("closed", "voided"):
            return False
        decision = self._decisions[name]
        signal = next(each for each in decision.signals if each.published["signal"] == name)
        closes = self._open.pop(name, None) is not None
        if kind == "voided":
            signal.voided = True
        self._results[signal.n] = signal.result(None, self._trusts)
        if decision.complete:
            self._count(decision)
        enough = self.decisions >= MIN_DECISIONS and self.total > 0
        return closes and enough and (self._waived or self.days >= MIN_DAYS)

    def _count(self, decision: Decision) -> None:
        """A void may change a decision that was counted."""
        before = self._counted.pop(decision.first.n, None)
        r = decision.r(self._results)
        if r is not None:
            self._counted[decision.first.n] = (min(r, CAP), decision.published_at // DAY)
            self.total += min(r, CAP)
        if before:
            self.total -= before[0]


class Trials:
    """K1 and K2: the trials of all publishers. Give it all records of signals, in order of the log."""

    def __init__(self, trusts: Callable[[str], bool], waived: bool) -> None:
        self._trusts, self._waived = trusts, waived
        self.running: Dict[str, Trial] = {}
        self.ended: Dict[str, EndedTrial] = {}
        self._publishers: Dict[str, str] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        if record["type"] == "published":
            self._publishers[record["signal"]] = record["publisher"]
        publisher = self._publishers.get(record["signal"])
        # A forged log may have records of a signal that was never published.
        if publisher is None or publisher in self.ended:
            return
        trial = self.running.setdefault(publisher, Trial(self._trusts, self._waived))
        if trial.add(record):
            at = milliseconds(record["at"])
            self.ended[publisher] = EndedTrial(record["n"], at, self.number(at))
            del self.running[publisher]

    def number(self, at: int) -> int:
        """K2: of a trial that ends at this time."""
        return 1 + sum(1 for trial in self.ended.values() if trial.at >= at - NUMBERED)


def steps(decisions: Sequence[Decision], results: Mapping[int, Optional[int]], trial: Optional[EndedTrial]) -> List[Step]:
    """EV1: the begins of all decisions after the trial and the ends of the complete ones, in the order of their records, then the losses
    that are open."""
    staked = [(i, d) for i, d in enumerate(decisions) if trial and d.first.n > trial.n]
    begins: List[Tuple[int, str, int, Optional[int]]] = [(d.first.n, "begin", i, d.first.max_r) for i, d in staked]
    ends = [(d.place, "end", i, d.r(results)) for i, d in staked if d.complete]
    losses: List[Step] = [("end", i, d.r(results)) for i, d in staked if not d.complete and (d.r(results) or 0) < 0]
    return [step[1:] for step in sorted([*begins, *ends])] + losses


def wealths(steps: Sequence[Step]) -> List[float]:
    """EV1 and EV2, in doubles, step by step as the rules say."""
    return [_wealth(k / 50, steps) for k in range(1, 11)]


def _wealth(fraction: float, steps: Sequence[Step]) -> float:
    wealth, reserved = 1.0, 0.0
    bets: Dict[int, Tuple[float, float]] = {}
    for kind, decision, units in steps:
        if kind == "begin":
            assert units is not None
            c = units / UNIT + 2
            stake = max(0.0, min(fraction * wealth, (wealth - reserved) / c))
            bets[decision] = (c, stake)
            reserved += c * stake
            continue
        c, stake = bets[decision]
        reserved = max(0.0, reserved - c * stake)
        if units is not None:
            wealth = min(wealth + stake * (min(units, CAP) / UNIT), 1e300)
            if wealth < 0:
                return 0.0
    return wealth


def e_value(wealths: Sequence[float]) -> float:
    """EV3, from k = 1 up. (`sum` of Python adds more exactly than doubles do.)"""
    total = 0.0
    for wealth in wealths:
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
