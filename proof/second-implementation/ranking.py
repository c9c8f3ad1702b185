#!/usr/bin/env python3
"""A second implementation of the ranking of publishers, written from section "Track records" of docs/signals.md alone.

Reads one case per line (JSON): the records of a log, the marks of open signals and the time. Writes the ranking per line. README.md has
the format. R values are integers of 1e-4.
"""

import json
import sys
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

DAY = 86_400_000
UNIT = 10_000
LAMBDAS = [Fraction(2 * i, 100) for i in range(1, 11)]
CAP = 10 * UNIT
RUIN = -5 * UNIT
RANKED_FROM = 30
LOSING_FROM = 10
ACTIVE_FROM = 10
E_LIMIT = 10**12


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
        """c(s) in units of 1e-4, or None (C2 to C6). `mark` is {"price","gap"} of an open signal."""
        publisher = self.published["publisher"]
        own = f"push:{publisher}"
        accepted = self.published["quote"]["source"]
        if self.voided or not self.filled:
            return None
        if "gap_from" in self.closed if self.closed else mark and mark.get("gap"):
            return None
        if not trusts(accepted) and accepted != own:
            return None
        r = self.rank_r(mark)
        if r is None:
            return None
        later = [self.filled["filled"]["source"], *(record["decided"]["source"] for record in self.exits)]
        if self.closed:
            later.append(self.closed["decided"]["source"])
        self_sourced = self.closed is not None and self.closed.get("self_sourced", False)
        if self_sourced or own in [accepted, *later] or not all(trusts(source) for source in later):
            return min(r, 0)
        return r

    def rank_r(self, mark):
        """C2"""
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
    def closed_at(self):
        return max(signal.closed_at for signal in self.signals)

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


def e_value(values):
    """The e-process of decisions in order, exact. Below -5 R it is 0 for good (E6)."""
    if any(r < RUIN for r in values):
        return Fraction(0)
    total = Fraction(0)
    for rate in LAMBDAS:
        product = Fraction(1)
        for r in values:
            product *= 1 + rate * Fraction(min(r, CAP), UNIT)
        total += product
    return total / len(LAMBDAS)


class Publisher:
    def __init__(self, name, signals, marks, trusts, now, waived):
        self.name = name
        self.now = now
        self.results = {signal.n: signal.result(marks.get(signal.published["signal"]), trusts) for signal in signals}
        self.decisions = group(signals)
        complete = [d for d in self.decisions if d.complete and d.r(self.results) is not None]
        complete.sort(key=lambda decision: decision.place)
        open_losses = [d for d in self.decisions if not d.complete and (d.r(self.results) or 0) < 0]  # E5
        self.complete = complete
        self.counted = [*complete, *open_losses]
        self.values = [decision.r(self.results) for decision in self.counted]
        self.e = e_value(self.values)
        self.total = sum(min(r, CAP) for r in self.values)
        self.qualified = len(self.counted) >= RANKED_FROM and (waived or self.long_enough())
        self.rank = None

    def long_enough(self):
        days = {decision.published_at // DAY for decision in self.counted}
        start = min(decision.published_at for decision in self.counted)
        end = max((decision.closed_at for decision in self.complete), default=start)
        return len(days) >= 20 and end - start >= 56 * DAY

    @property
    def inactive(self):
        if not self.counted:
            return False
        since = self.now - 365 * DAY
        recent = [decision for decision in self.complete if decision.closed_at >= since]
        return min(decision.published_at for decision in self.counted) < since and len(recent) < ACTIVE_FROM

    def status(self):
        if self.inactive:
            return "inactive"
        if self.rank:
            return "ranked"
        if len(self.counted) >= LOSING_FROM and self.total < 0:
            return "losing"
        return "unproven"


def select(publishers):
    """e-BH at 5 % over the publishers with at least 30 decisions."""
    tested = sorted((p for p in publishers if len(p.counted) >= RANKED_FROM), key=lambda p: -p.e)
    m = len(tested)
    threshold = None
    for k in range(1, m + 1):
        if tested[k - 1].e >= Fraction(m * 20, k):
            threshold = Fraction(m * 20, k)
    return [] if threshold is None else [p for p in tested if p.e >= threshold]


def significant(value):
    """4 significant digits, halves up; at most 1e12."""
    if value == 0:
        return Fraction(0)
    if value > E_LIMIT:
        return Fraction(E_LIMIT)
    scale = Fraction(1)
    while value * scale >= 10_000:
        scale /= 10
    while value * scale < 1_000:
        scale *= 10
    scaled = value * scale
    return Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)) / scale


def rank(case):
    """The publishers of a case: ranked ones first, in order, then the others by name."""
    trusted = case.get("trusted")

    def trusts(source):
        if trusted is None:
            return not source.startswith("push:")
        return source in trusted or (source.startswith("push:") and "push" in trusted)

    signals = {}
    for record in case["records"]:
        if record["rules"] == 1 or "signal" not in record:  # C1
            continue
        if record["type"] == "published":
            signals[record["signal"]] = RankedSignal(record)
        else:
            signals[record["signal"]].add(record)
    by_publisher = {}
    for signal in signals.values():
        by_publisher.setdefault(signal.published["publisher"], []).append(signal)
    waived = case.get("realm", "live") != "live"
    marks, now = case.get("marks", {}), case["now"]
    publishers = [Publisher(name, own, marks, trusts, now, waived) for name, own in by_publisher.items()]
    chosen = [p for p in select(publishers) if p.qualified and not p.inactive]
    chosen.sort(key=lambda p: (-p.e, -len(p.counted), p.name))
    for place, publisher in enumerate(chosen, 1):
        publisher.rank = place
    others = sorted((p for p in publishers if not p.rank), key=lambda p: p.name)
    return [describe(publisher) for publisher in [*chosen, *others]]


def describe(publisher):
    return {
        "publisher": publisher.name,
        "rank": publisher.rank,
        "status": publisher.status(),
        "decisions": len(publisher.counted),
        "values": publisher.values,
        "total_r": Fraction(publisher.total, UNIT),
        "e_value": significant(publisher.e),
        "qualified": publisher.qualified,
    }


def main():
    for line in sys.stdin:
        if line.strip():
            answer = {"publishers": rank(json.loads(line, parse_float=Decimal))}
            print(json.dumps(answer, default=float, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
