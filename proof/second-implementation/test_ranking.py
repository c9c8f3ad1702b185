"""Examples of the ranking, worked out by hand."""

import unittest
from datetime import datetime, timedelta
from fractions import Fraction

from ranking import DAY, published, rank
from tickwire.rules.decisions import e_value, milliseconds

START = datetime(2026, 1, 1)


def at(hours):
    return (START + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Log:
    def __init__(self):
        self.records = []
        self.names = 0

    def add(self, kind, hours, **fields):
        self.records.append({"n": len(self.records), "type": kind, "rules": 2, "at": at(hours), **fields})

    def publish(self, hours, publisher="p", symbol="EURUSD", source="oanda", spread=Fraction(1, 100), **fields):
        self.names += 1
        name = f"s{self.names}"
        levels = {"direction": "buy", "entry": Fraction(100), "stop_loss": Fraction(99)}
        quote = {"bid": 100 - spread, "ask": Fraction(100), "source": source}
        self.add("published", hours, signal=name, publisher=publisher, symbol=symbol, **{**levels, "quote": quote, **fields})
        return name

    def fill(self, name, hours, source="oanda"):
        self.add("filled", hours, signal=name, entry_price=Fraction(100), filled={"source": source})

    def close(self, name, hours, r, source="oanda", **fields):
        exit_price = Fraction(100) + Fraction(r)
        last = {"fraction": 1, "price": exit_price}
        self.add("closed", hours, signal=name, closed_at=at(hours), last_exit=last, decided={"source": source}, **fields)

    def whole(self, hours, r, **fields):
        name = self.publish(hours, **fields)
        self.fill(name, hours)
        self.close(name, hours + 1, r)
        return name

    def rank(self, **case):
        return rank({"records": self.records, "now": milliseconds(at(24 * 70)), **case})


class Examples(unittest.TestCase):
    def values(self, log, **case):
        return log.rank(**case)[0]["values"]

    def test_signals_of_one_decision_are_counted_once(self):
        log = Log()
        first, second = log.publish(0), log.publish(1)
        for name in (first, second):
            log.fill(name, 2)
        log.close(first, 3, 1)
        log.whole(4, 3)
        log.close(second, 9, "-0.5")
        # The first of the group made 1 R, the mean is 0.25 R. The third signal is a decision of its own and closed earlier.
        self.assertEqual(self.values(log), [30_000, 2_500])

    def test_an_unfilled_first_signal_counts_as_zero(self):
        log = Log()
        first, second = log.publish(0), log.publish(1)
        log.fill(second, 2)
        log.close(second, 3, 2)
        log.add("closed", 4, signal=first, closed_at=at(4), last_exit=None, decided={"source": "oanda"})
        self.assertEqual(self.values(log), [0])

    def test_mean_is_rounded_down(self):
        log = Log()
        names = [log.publish(0) for _ in range(3)]
        for name, r in zip(names, ("0", "0", "-0.0001")):
            log.fill(name, 1)
            log.close(name, 2, r)
        self.assertEqual(self.values(log), [-1])

    def test_wide_spreads_lower_the_result(self):
        log = Log()
        log.whole(0, 1, spread=Fraction(1, 5))
        self.assertEqual(self.values(log), [5_000])

    def test_sources(self):
        for source, fill, trusted, expected in [
            ("push:other", "push:other", None, []),
            ("push:p", "oanda", None, [0]),
            ("oanda", "push:other", None, [-10_000]),
            ("oanda", "push:p", None, [-10_000]),
            ("push:other", "push:other", ["push"], [10_000]),
            ("push:p", "oanda", ["push", "oanda"], [0]),
        ]:
            log = Log()
            name = log.publish(0, source=source)
            log.fill(name, 1, source=fill)
            log.close(name, 2, 1, source=fill)
            self.assertEqual(self.values(log, trusted=trusted), expected)

    def test_open_losses_count_and_open_wins_do_not(self):
        log = Log()
        name = log.publish(0)
        log.fill(name, 1)
        self.assertEqual(self.values(log, marks={name: {"price": Fraction("99.5")}}), [-5_000])
        self.assertEqual(self.values(log, marks={name: {"price": Fraction("100.5")}}), [])

    def test_voids_and_version_1_do_not_count(self):
        log = Log()
        log.add("voided", 9, signal=log.whole(0, 1))
        self.assertEqual(self.values(log), [])
        for record in log.records:
            record["rules"] = 1
        self.assertEqual(log.rank(), [])

    def test_with_a_gap_only_losses_count(self):
        for r, expected in ((1, [0]), (-1, [-10_000])):
            log = Log()
            name = log.publish(2)
            log.fill(name, 2)
            log.close(name, 3, r, gap_from=at(2), gap_to=at(3))
            self.assertEqual(self.values(log), expected)

    def test_e_value(self):
        def one_by_one(*values):
            return e_value([step for i, u in enumerate(values) for step in (("begin", i, None), ("end", i, u))])

        self.assertEqual(one_by_one(), 1)
        self.assertAlmostEqual(one_by_one(10_000), 1.11)
        self.assertEqual(published(one_by_one(20_000, -10_000, 15_000)), Fraction("1.26"))
        self.assertEqual(one_by_one(200_000), one_by_one(100_000))
        self.assertEqual(one_by_one(-50_001, 100_000), 0)
        self.assertEqual(one_by_one(None), 1)
        overlapping = [("begin", 0, None), ("begin", 1, None), ("end", 0, 10_000), ("end", 1, 10_000)]
        self.assertEqual(published(e_value(overlapping)), Fraction("1.143"))
        self.assertEqual(published(123_456.5), 123_500)
        self.assertEqual(published(1e13), 10**12)

    def test_ranking(self):
        log = Log()
        for i in range(60):
            log.whole(24 * i, 1, publisher="good")
            log.whole(24 * i, "-0.1" if i % 2 else "0.05", publisher="bad")
            log.whole(i / 2, 1, publisher="quick")
        good, quick, bad = log.rank()
        self.assertEqual((good["publisher"], good["rank"], good["status"]), ("good", 1, "ranked"))
        self.assertEqual((bad["rank"], bad["status"]), (None, "losing"))
        self.assertEqual((quick["rank"], quick["status"], [m["what"] for m in quick["missing"]]), (None, "unproven", ["days", "span_days"]))
        ranked = [p["publisher"] for p in log.rank(realm="sim") if p["rank"]]
        self.assertEqual(ranked, ["good", "quick"])
        self.assertEqual(log.rank(now=milliseconds(at(0)) + 500 * DAY)[0]["status"], "inactive")


if __name__ == "__main__":
    unittest.main()
