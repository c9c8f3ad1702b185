"""Results of signals, decisions and evidence: rules CR1 to CR10, E1 to E6 and EV1 to EV3 of docs/signals.md, "Track records".

R values are integers of 1e-4.
"""

from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache

UNIT = 10_000
CAP = 10 * UNIT
RUIN = -5 * UNIT


@cache
def milliseconds(text):
    """An ISO 8601 time of a record (UTC, with milliseconds), since 1970."""
    return (datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime(1970, 1, 1)) // timedelta(milliseconds=1)


def round_units(value):
    """A fraction in units of 1e-4, halves away from zero."""
    units = abs(value) * UNIT
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return whole if value >= 0 else -whole


class RankedSignal:
    """One signal of rules version 2, as its records tell it."""

    def __init__(self, published):
        self.published = published
        self.n = published["n"]
        self.filled = None
        self.exits = []
        self.closed = None
        self.voided = False
        self.closing_n = None
        self.closed_at = None

    def add(self, record):
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
    def is_closed(self):
        return self.closing_n is not None

    def result(self, mark, trusts):
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

    def rank_r(self, mark):
        """CR2"""
        published = self.published
        buy = published["direction"] == "buy"
        entry, fill = Fraction(published["entry"]), Fraction(self.filled["entry_price"])
        base = max(entry, fill) if buy else min(entry, fill)
        parts = [(Fraction(record["fraction"]), Fraction(record["price"])) for record in self.exits]
        rest = 1 - sum(fraction for fraction, _ in parts)
        if self.closed:
            parts.append((rest, Fraction(self.closed["last_exit"]["price"])))
        elif mark:
            parts.append((rest, Fraction(mark["price"])))
        else:
            return None
        d = sum(fraction * (price - base if buy else base - price) for fraction, price in parts)
        spread = Fraction(published["quote"]["ask"]) - Fraction(published["quote"]["bid"])
        return round_units(d / max(abs(entry - Fraction(published["stop_loss"])), 10 * spread))


class Decision:
    def __init__(self, first):
        self.signals = [first]

    @property
    def first(self):
        return self.signals[0]

    @property
    def complete(self):
        return all(signal.is_closed for signal in self.signals)

    @property
    def place(self):
        return max(signal.closing_n for signal in self.signals)

    @property
    def published_at(self):
        return milliseconds(self.first.published["at"])

    @property
    def completed_at(self):
        """`closed_at` of its last closing record."""
        return max(self.signals, key=lambda signal: signal.closing_n).closed_at

    def r(self, results):
        """E3, or None if no signal of it has a result (E2)."""
        known = [results[signal.n] for signal in self.signals if results[signal.n] is not None]
        if not known:
            return None
        return min(results[self.first.n] or 0, sum(known) // len(known))


def group(signals):
    """E1: decisions of one publisher, in order of publication."""
    decisions, current = [], {}
    for signal in sorted(signals, key=lambda signal: signal.n):
        key = (signal.published["symbol"], signal.published["direction"])
        decision = current.get(key)
        if decision and (decision.first.closing_n is None or signal.n < decision.first.closing_n):
            decision.signals.append(signal)
        else:
            current[key] = Decision(signal)
            decisions.append(current[key])
    return decisions


def steps(decisions, results):
    """EV1: the begins of all decisions and the ends of the complete ones, in the order of their records, then the losses that are open."""
    begins = [(d.first.n, "begin", i, None) for i, d in enumerate(decisions)]
    ends = [(d.place, "end", i, d.r(results)) for i, d in enumerate(decisions) if d.complete]
    losses = [("end", i, d.r(results)) for i, d in enumerate(decisions) if not d.complete and (d.r(results) or 0) < 0]
    return [step[1:] for step in sorted([*begins, *ends])] + losses


def e_value(steps):
    """EV1 to EV3, in doubles, step by step as the rules say."""
    if any(u is not None and u < RUIN for _, _, u in steps):
        return 0.0
    total = 0.0
    for k in range(1, 11):
        wealth, staked, stakes = 1.0, 0.0, {}
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


def published(value):
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
