"""The freqtrade strategy against a real service and a fake of freqtrade. `examples.slow.test.ts` starts both."""

import importlib.util
import os
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import fake_freqtrade
import pandas as pd
import tickwire

fake_freqtrade.install()
STRATEGY = Path(__file__).resolve().parents[1] / "freqtrade" / "tickwire_strategy.py"
PAIR = "BTC/USD"
#: Another one, because opposite entries in one candle cancel each other.
OTHER_PAIR = "ETH/USD"


def load_strategy() -> Any:
    spec = importlib.util.spec_from_file_location("tickwire_strategy", STRATEGY)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TickwireSignals


class FreqtradeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = tickwire.TickwireClient(os.environ["TICKWIRE_URL"], os.environ["TICKWIRE_API_KEY"])
        self.addCleanup(self.client.close)
        os.environ["TICKWIRE_PUBLISHER"] = self.client.account.get()["id"]

    def publish(self, pair: str, direction: str) -> str:
        quote = self.client.quote(pair)
        entry = quote["ask"] if direction == "buy" else quote["bid"]
        risk = entry * (0.02 if direction == "buy" else -0.02)
        levels = {"stop_loss": round(entry - risk, 2), "take_profit": round(entry + risk, 2)}
        return str(self.client.publish_signal(pair, direction, entry=entry, **levels)["id"])

    def signal_with(self, id: str, field: str) -> Any:
        """The signal, once it has the field."""
        for _ in range(200):
            signal = self.client.signal(id)
            if signal.get(field):
                return signal
            time.sleep(0.1)
        self.fail(f"the signal has no {field}")

    def start(self, runmode: fake_freqtrade.RunMode) -> Any:
        strategy = load_strategy()({"runmode": runmode})
        strategy.bot_start()
        self.addCleanup(strategy.client.close)
        return strategy

    def candles(self, pair: str) -> pd.DataFrame:
        frame = self.client.bars_frame(pair, interval="1m", limit=30).reset_index()
        frame = frame.rename(columns={"time": "date"})[["date", "open", "high", "low", "close", "volume"]]
        self.assertEqual(str(frame["date"].dt.tz), "UTC")
        return frame

    def entries(self, strategy: Any, pair: str) -> "dict[Any, Any]":
        """Tag → (side, date) of every entry."""
        found = {}
        for _, row in fake_freqtrade.analyze(strategy, self.candles(pair), pair).iterrows():
            side, tag = fake_freqtrade.entry_of(strategy, row)
            if side:
                found[tag] = (side, row["date"].to_pydatetime())
        return found

    def iterate(self, strategy: Any, until: Any) -> None:
        """Iterations of the bot until something holds."""
        for _ in range(200):
            strategy.bot_loop_start(current_time=datetime.now(timezone.utc))
            if until():
                return
            time.sleep(0.1)
        self.fail("it never came")

    def test_a_signal_of_the_stream_becomes_an_entry_with_its_stop_and_target(self) -> None:
        strategy = self.start(fake_freqtrade.RunMode.DRY_RUN)
        id = self.publish(PAIR, "buy")
        signal = self.signal_with(id, "filled_at")
        self.iterate(strategy, lambda: strategy.signals.get(id, {}).get("filled_at"))

        side, date = self.entries(strategy, PAIR)[id]
        filled_at = datetime.fromisoformat(signal["filled_at"].replace("Z", "+00:00"))
        self.assertEqual(side, "long")
        self.assertEqual(date, filled_at.replace(second=0, microsecond=0))
        self.assertNotIn(id, self.entries(strategy, OTHER_PAIR))

        trade = fake_freqtrade.Trade(PAIR, id)
        now = datetime.now(timezone.utc)
        rate = signal["entry"]
        stop = strategy.custom_stoploss(PAIR, trade, now, rate, 0.0, False)
        self.assertAlmostEqual(rate * (1 - stop), signal["stop_loss"], places=2)
        self.assertIsNone(strategy.custom_exit(PAIR, trade, now, rate, 0.0))
        self.assertEqual(strategy.custom_exit(PAIR, trade, now, signal["take_profit"], 0.0), "take_profit")

        tighter = round(signal["entry"] * 0.985, 2)
        self.client.amend_signal(id, stop_loss=tighter)
        self.iterate(strategy, lambda: strategy.signals[id]["stop_loss"] == tighter)
        stop = strategy.custom_stoploss(PAIR, trade, now, rate, 0.0, False)
        self.assertAlmostEqual(rate * (1 - stop), tighter, places=2)

        self.client.close_signal(id)
        self.iterate(strategy, lambda: strategy.signals[id].get("closed_at"))
        self.assertEqual(strategy.signals[id]["stop_loss"], tighter)
        later = datetime.now(timezone.utc) + timedelta(seconds=5)
        self.assertEqual(strategy.custom_exit(PAIR, trade, later, rate, 0.0), "signal_manual")

    def test_a_backtest_reads_the_log_and_does_not_look_ahead(self) -> None:
        id = self.publish(OTHER_PAIR, "sell")
        self.signal_with(id, "filled_at")
        self.client.close_signal(id)
        closed_at = pd.Timestamp(self.signal_with(id, "closed_at")["closed_at"]).to_pydatetime()

        strategy = self.start(fake_freqtrade.RunMode.BACKTEST)
        self.assertIsNone(strategy.stream)
        strategy.bot_loop_start(current_time=closed_at)
        self.assertNotIn(id, self.entries(strategy, OTHER_PAIR))
        strategy.can_short = True
        self.assertEqual(self.entries(strategy, OTHER_PAIR)[id][0], "short")
        futures = fake_freqtrade.analyze(strategy, self.candles(OTHER_PAIR), f"{OTHER_PAIR}:USD")
        self.assertIn(id, list(futures["enter_tag"]))

        signal = strategy.signals[id]
        trade = fake_freqtrade.Trade(OTHER_PAIR, id, is_short=True, leverage=2.0)
        before, after = closed_at - timedelta(seconds=1), closed_at + timedelta(seconds=1)
        rate = signal["entry"]
        self.assertIsNone(strategy.custom_exit(OTHER_PAIR, trade, before, rate, 0.0))
        self.assertEqual(strategy.custom_exit(OTHER_PAIR, trade, after, rate, 0.0), "signal_manual")
        self.assertEqual(strategy.custom_exit(OTHER_PAIR, trade, before, signal["take_profit"], 0.0), "take_profit")
        stop = strategy.custom_stoploss(OTHER_PAIR, trade, before, rate, 0.0, False)
        self.assertAlmostEqual(rate * (1 + stop / 2.0), signal["stop_loss"], places=2)

    def test_trades_of_other_strategies_are_left_alone(self) -> None:
        strategy = self.start(fake_freqtrade.RunMode.BACKTEST)
        trade = fake_freqtrade.Trade(PAIR, None)
        now = datetime.now(timezone.utc)
        self.assertIsNone(strategy.custom_stoploss(PAIR, trade, now, 1.0, 0.0, False))
        self.assertIsNone(strategy.custom_exit(PAIR, trade, now, 1.0, 0.0))


if __name__ == "__main__":
    unittest.main()
