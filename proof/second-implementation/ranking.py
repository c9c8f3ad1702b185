#!/usr/bin/env python3
"""A second implementation of the ranking of publishers, by section "Track records" of docs/signals.md.

Reads one case per line (JSON): the records of a log, the marks of open signals and the time. Writes the ranking per line. README.md has
the format.
"""

import json
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from tickwire.rules.decisions import CAP, RankedSignal, e_value, group, published, steps

DAY = 86_400_000
CONTENDER_FROM = 30
LOSING_FROM = 10
ACTIVE_FROM = 10


class Publisher:
    def __init__(self, name, signals, marks, trusts, now, waived):
        self.name = name
        self.now = now
        self.waived = waived
        results = {signal.n: signal.result(marks.get(signal.published["signal"]), trusts) for signal in signals}
        decisions = group(signals)
        self.complete = [d for d in decisions if d.complete and d.r(results) is not None]
        self.complete.sort(key=lambda decision: decision.place)
        open_losses = [d for d in decisions if not d.complete and (d.r(results) or 0) < 0]  # E5
        self.counted = [*self.complete, *open_losses]
        self.values = [decision.r(results) for decision in self.counted]
        self.e = e_value(steps(decisions, results))
        self.total = sum(min(r, CAP) for r in self.values)
        self.passes = False
        self.need_e = 0.0
        self.rank = None

    @property
    def first_at(self):
        return min((decision.published_at for decision in self.counted), default=None)

    @property
    def days(self):
        return len({decision.published_at // DAY for decision in self.counted})

    @property
    def span(self):
        """Milliseconds from the first publication to the latest completion (K2)."""
        end = max((decision.completed_at for decision in self.complete), default=None)
        return 0 if end is None else max(0, end - self.first_at)

    @property
    def recent(self):
        since = self.now - 365 * DAY
        return len([decision for decision in self.complete if decision.completed_at >= since])

    def missing(self):
        """K5"""
        checks = [("decisions", len(self.counted), CONTENDER_FROM)]
        if not self.waived:
            checks += [("days", self.days, 20), ("span_days", self.span // DAY, 56)]
        if not self.passes:
            checks.append(("e_value", self.e, self.need_e))
        if self.first_at is not None and self.now - self.first_at > 365 * DAY:
            checks.append(("recent_decisions", min(self.recent, ACTIVE_FROM), ACTIVE_FROM))
        missing = [{"what": what, "have": have, "need": need} for what, have, need in checks if have < need]
        return [{**m, "have": published(m["have"]), "need": published(m["need"])} if m["what"] == "e_value" else m for m in missing]

    def status(self):
        """K3"""
        missing = [item["what"] for item in self.missing()]
        if "recent_decisions" in missing:
            return "inactive"
        if self.passes and not missing:
            return "ranked"
        if len(self.counted) >= LOSING_FROM and self.total < 0:
            return "losing"
        return "unproven"


def select(ordered):
    """K1: e-BH at 5 %. `ordered` are all publishers, in order of K4."""
    contenders = [p for p in ordered if len(p.counted) >= CONTENDER_FROM]
    m, passing = len(contenders), 0
    for k in range(1, m + 1):
        if contenders[k - 1].e * k >= 20 * m:
            passing = k
    for publisher in contenders[:passing]:
        publisher.passes = True
    for publisher in ordered:
        publisher.need_e = 20 * (m if publisher in contenders else m + 1) / (passing + 1)


def rank(case):
    """The publishers of a case: ranked ones first, then the others."""
    trusted = case.get("trusted")

    def trusts(source):
        """CR10"""
        pushed = source == "push" or source.startswith("push:")
        if trusted is None:
            return not pushed and source != "import"
        return source in trusted or (pushed and "push" in trusted)

    signals = {}
    for record in case["records"]:
        if record["rules"] == 1 or "signal" not in record:  # CR1
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
    publishers.sort(key=lambda p: (-p.e, -len(p.counted), p.name.encode("utf-16-be")))  # K4
    select(publishers)
    ranked = [p for p in publishers if p.status() == "ranked"]
    for place, publisher in enumerate(ranked, 1):
        publisher.rank = place
    return [describe(publisher) for publisher in [*ranked, *(p for p in publishers if not p.rank)]]


def describe(publisher):
    return {
        "publisher": publisher.name,
        "rank": publisher.rank,
        "status": publisher.status(),
        "decisions": len(publisher.counted),
        "values": publisher.values,
        "sum": publisher.total,
        "e": publisher.e,
        "e_value": published(publisher.e),
        "missing": publisher.missing(),
    }


def main():
    for line in sys.stdin:
        if line.strip():
            answer = {"publishers": rank(json.loads(line, parse_float=Decimal))}
            print(json.dumps(answer, default=float, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
