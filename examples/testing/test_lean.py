"""The Lean algorithm against a real service, bars that it exported and a fake of Lean. `examples.slow.test.ts`
publishes the signals, creates the data link, exports the bars, and starts this."""

import importlib.util
import json
import os
import unittest
from datetime import datetime
from pathlib import Path
from typing import Any

import fake_lean

MAIN = Path(__file__).resolve().parents[1] / "lean" / "main.py"
FOLDER = Path(os.environ["LEAN_DATA"])
#: Two signals as published, the first one first.
PUBLISHED = json.loads(os.environ["PUBLISHED"])


def load() -> Any:
    spec = importlib.util.spec_from_file_location("lean_main", MAIN)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class LeanTest(unittest.TestCase):
    def setUp(self) -> None:
        day = PUBLISHED[0]["timestamp"][:10]
        until = PUBLISHED[1]["timestamp"][:10]
        parameters = {"tickwire-signals": os.environ["LINK"], "start": day, "end": until}
        self.algorithm = load().TickwireAlgorithm(parameters)
        self.seen = fake_lean.run_backtest(self.algorithm, FOLDER)
        self.tickets = self.algorithm.transactions.tickets

    def test_reads_the_signals_in_order_and_never_before_their_publication(self) -> None:
        times = [datetime.strptime(each["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ") for each in PUBLISHED]
        self.assertEqual(self.seen, times)

    def test_enters_on_the_first_signal_with_a_hundredth_of_the_account_at_risk(self) -> None:
        first = PUBLISHED[0]
        entry, stop, target = self.tickets
        self.assertEqual((entry.kind, entry.tag, entry.status), ("market", first["id"], fake_lean.OrderStatus.FILLED))
        risked = entry.quantity * (first["entry"] - first["stop_loss"])
        self.assertTrue(900 < risked <= 1_001, risked)
        self.assertEqual((stop.kind, stop.quantity, stop.level), ("stop", -entry.quantity, first["stop_loss"]))
        self.assertEqual((target.kind, target.quantity, target.level), ("limit", -entry.quantity, first["take_profit"]))

    def test_prices_are_those_of_the_exported_bars(self) -> None:
        price = self.algorithm.securities[self.algorithm.btcusd].price
        self.assertAlmostEqual(price, PUBLISHED[0]["entry"], delta=0.02 * PUBLISHED[0]["entry"])

    def test_one_exit_cancels_the_other(self) -> None:
        _, stop, target = self.tickets
        fake_lean.set_price(self.algorithm, self.algorithm.btcusd, PUBLISHED[0]["take_profit"])
        self.assertEqual(target.status, fake_lean.OrderStatus.FILLED)
        self.assertEqual(stop.status, fake_lean.OrderStatus.CANCELED)
        self.assertFalse(self.algorithm.portfolio[self.algorithm.btcusd].invested)

    def test_the_stop_limits_the_loss(self) -> None:
        _, stop, target = self.tickets
        fake_lean.set_price(self.algorithm, self.algorithm.btcusd, PUBLISHED[0]["stop_loss"] - 1)
        self.assertEqual((stop.status, target.status), (fake_lean.OrderStatus.FILLED, fake_lean.OrderStatus.CANCELED))


if __name__ == "__main__":
    unittest.main()
