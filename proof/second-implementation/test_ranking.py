"""Examples of the ranking, worked out by hand."""

import math
import unittest
from datetime import datetime, timedelta
from fractions import Fraction

from ranking import DAY, published, rank
from rules.decisions import RankedSignal, e_value, milliseconds, wealths

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
        levels = {"direction": "buy", "entry": Fraction(100), "stop_loss": Fraction(99), "take_profit": Fraction(103)}
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

    def test_voids_do_not_count(self):
        log = Log()
        log.add("voided", 9, signal=log.whole(0, 1))
        self.assertEqual(self.values(log), [])

    def test_with_a_gap_only_losses_count(self):
        for r, expected in ((1, [0]), (-1, [-10_000])):
            log = Log()
            name = log.publish(2)
            log.fill(name, 2)
            log.close(name, 3, r, gap_from=at(2), gap_to=at(3))
            self.assertEqual(self.values(log), expected)

    def test_e_value(self):
        def value(steps):
            return e_value(wealths(steps))

        def one_by_one(*values, max_r=30_000):
            return value([step for i, u in enumerate(values) for step in (("begin", i, max_r), ("end", i, u))])

        self.assertEqual(one_by_one(), 1)
        self.assertAlmostEqual(one_by_one(10_000), 1.11)
        self.assertAlmostEqual(one_by_one(20_000, -10_000, 15_000), 1.26004)
        self.assertEqual(one_by_one(200_000), one_by_one(100_000))
        self.assertEqual(one_by_one(-510_000, 100_000), 0)
        # 1 − 6λ is below 0 for the two greatest fractions only.
        self.assertAlmostEqual(one_by_one(-60_000), sum(1 - 6 * k / 50 for k in range(1, 9)) / 10)
        self.assertEqual(one_by_one(None), 1)
        overlapping = [("begin", 0, 10_000), ("begin", 1, 10_000), ("end", 0, 10_000), ("end", 1, 10_000)]
        self.assertAlmostEqual(value(overlapping), 1.2107, 4)
        self.assertEqual(published(123_456.5), 123_500)
        self.assertEqual(published(1e13), 10**12)

    def test_highest_r_of_a_signal(self):
        def max_r(spread=Fraction(0), **fields):
            log = Log()
            log.publish(0, spread=spread, **fields)
            return RankedSignal(log.records[0]).max_r

        self.assertEqual(max_r(), 30_000)
        self.assertEqual(max_r(spread=Fraction(1, 5)), 15_000)
        self.assertEqual(max_r(take_profit=Fraction(120)), 100_000)
        targets = [{"price": Fraction(101), "fraction": Fraction(1, 4)}, {"price": Fraction(103), "fraction": Fraction(3, 4)}]
        self.assertEqual(max_r(targets=targets), 25_000)

    def test_trial(self):
        log = Log()
        for i in range(40):
            log.whole(24 * i, 1 if i < 35 else 2)
        # Thirty decisions of the trial are no evidence; the ten after it are.
        (only,) = log.rank()
        self.assertEqual((only["number"], only["since"], only["decisions"]), (1, 10, 40))
        # Voids after the trial change the evidence and not the trial.
        log.add("voided", 24 * 41, signal="s1")
        log.add("voided", 24 * 41, signal="s40")
        (after,) = log.rank()
        self.assertEqual((after["number"], after["since"], after["decisions"]), (1, 9, 38))

    def test_numbers(self):
        log = Log()
        for day in range(200):
            for publisher, first in (("a", 0), ("b", 60), ("c", 140)):
                if first <= day < first + 30:
                    log.whole(24 * day, 1, publisher=publisher)
        numbers = {p["publisher"]: p["number"] for p in log.rank(now=milliseconds(at(24 * 300)))}
        # The trial of a ends on day 29, that of b on day 89, that of c on day 169.
        self.assertEqual(numbers, {"a": 1, "b": 2, "c": 2})

    def test_ranking(self):
        log = Log()
        for i in range(90):
            log.whole(24 * i, 1, publisher="good")
            log.whole(24 * i, "-0.1" if i % 2 else "0.05", publisher="bad")
            log.whole(i / 2, 1, publisher="quick")
        now = milliseconds(at(24 * 100))
        good, quick, bad = log.rank(now=now)
        self.assertEqual((good["publisher"], good["rank"], good["status"]), ("good", 1, "ranked"))
        self.assertEqual((bad["rank"], bad["status"]), (None, "losing"))
        missing = [m["what"] for m in quick["missing"]]
        self.assertEqual((quick["rank"], quick["status"], missing), (None, "unproven", ["days", "span_days", "e_value"]))
        ranked = [p["publisher"] for p in log.rank(realm="sim", now=now) if p["rank"]]
        self.assertEqual(ranked, ["good", "quick"])
        self.assertEqual(log.rank(now=milliseconds(at(0)) + 500 * DAY)[0]["status"], "inactive")

    def test_further_decisions(self):
        log = Log()
        for i in range(60):
            log.whole(24 * i, "0.1")
        (only,) = log.rank()
        # Thirty wins of 0.1 R: the greatest wealth is 1.02 ** 30.
        self.assertEqual((only["since"], only["further"]), (30, math.ceil(30 * math.log(20 / only["e"]) / (30 * math.log(1.02)))))


if __name__ == "__main__":
    unittest.main()
