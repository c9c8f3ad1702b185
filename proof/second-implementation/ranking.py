#!/usr/bin/env python3
"""A second implementation of the ranking of publishers, by section "Track records" of docs/reference/signals.md.

Reads one case per line (JSON): the records of a log, the marks of open signals and the time. Writes the ranking per line. README.md has
the format.
"""

import json
import math
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

# The rules need the standard library only, unlike the package around them.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python/tickwire"))

from rules.decisions import CAP, DAY, MIN_DAYS, MIN_DECISIONS, RankedSignal, Trials, e_value, group, published, steps, wealths

LOSING_FROM = 10
ACTIVE_FROM = 10


class Publisher:
    def __init__(self, name, signals, marks, trusts, now, waived, trials):
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
        self.trial = trials.ended.get(name)
        self.running = trials.running.get(name)
        wealth = wealths(steps(decisions, results, self.trial))
        self.e = e_value(wealth)
        self.w_max = max(wealth)
        self.since = len([d for d in self.counted if self.trial and d.first.n > self.trial.n])
        self.total = sum(min(r, CAP) for r in self.values)
        self.need_e = 20 * (self.trial.number if self.trial else trials.number(now))
        self.rank = None

    @property
    def first_at(self):
        return min((decision.published_at for decision in self.counted), default=None)

    @property
    def days(self):
        return len({decision.published_at // DAY for decision in self.counted})

    @property
    def span(self):
        """Milliseconds from the first publication to the latest completion (K3)."""
        end = max((decision.completed_at for decision in self.complete), default=None)
        return 0 if end is None else max(0, end - self.first_at)

    @property
    def recent(self):
        since = self.now - 365 * DAY
        return len([decision for decision in self.complete if decision.completed_at >= since])

    def missing(self):
        """K6"""
        trial = self.running
        checks = [("decisions", trial.decisions if trial else len(self.counted), MIN_DECISIONS)]
        if not self.waived:
            checks.append(("days", trial.days if trial else self.days, MIN_DAYS))
        if trial and trial.total <= 0:
            checks.append(("sum_r", Fraction(trial.total, 10_000), 0))
        if not self.waived:
            checks.append(("span_days", self.span // DAY, 56))
        checks.append(("e_value", self.e, self.need_e))
        if self.first_at is not None and self.now - self.first_at > 365 * DAY:
            checks.append(("recent_decisions", min(self.recent, ACTIVE_FROM), ACTIVE_FROM))
        missing = [{"what": what, "have": have, "need": need} for what, have, need in checks if have < need or what == "sum_r"]
        return [{**m, "have": published(m["have"]), "need": published(m["need"])} if m["what"] == "e_value" else m for m in missing]

    def further(self):
        """K7"""
        if not self.trial or self.since < 30 or self.w_max <= 1 or self.e >= self.need_e:
            return None
        further = math.ceil(self.since * math.log(self.need_e / self.e) / math.log(self.w_max))
        return further if further <= 2_000 else None

    def status(self):
        """K4"""
        missing = [item["what"] for item in self.missing()]
        if "recent_decisions" in missing:
            return "inactive"
        if not missing:
            return "ranked"
        if len(self.counted) >= LOSING_FROM and self.total < 0:
            return "losing"
        return "unproven"


def rank(case):
    """The publishers of a case: ranked ones first, losing ones last."""
    trusted = case.get("trusted")

    def trusts(source):
        """CR10"""
        pushed = source == "push" or source.startswith("push:")
        if trusted is None:
            return not pushed and source != "import"
        return source in trusted or (pushed and "push" in trusted)

    waived = case.get("realm", "live") != "live"
    trials = Trials(trusts, waived)
    signals = {}
    for record in case["records"]:
        if "signal" not in record:
            continue
        trials.add(record)
        if record["type"] == "published":
            signals[record["signal"]] = RankedSignal(record)
        else:
            signals[record["signal"]].add(record)
    by_publisher = {}
    for signal in signals.values():
        by_publisher.setdefault(signal.published["publisher"], []).append(signal)
    marks, now = case.get("marks", {}), case["now"]
    publishers = [Publisher(name, own, marks, trusts, now, waived, trials) for name, own in by_publisher.items()]
    publishers.sort(key=lambda p: (-p.e, -len(p.counted), p.name.encode("utf-16-be")))  # K5
    ranked = [p for p in publishers if p.status() == "ranked"]
    for place, publisher in enumerate(ranked, 1):
        publisher.rank = place
    others = sorted((p for p in publishers if not p.rank), key=lambda p: p.status() == "losing")
    return [describe(publisher) for publisher in [*ranked, *others]]


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
        "number": publisher.trial and publisher.trial.number,
        "since": publisher.since,
        "further": publisher.further(),
        "missing": publisher.missing(),
    }


def main():
    for line in sys.stdin:
        if line.strip():
            answer = {"publishers": rank(json.loads(line, parse_float=Decimal))}
            print(json.dumps(answer, default=float, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
