"""Exported files, read as freqtrade and Lean document them and compared with the bars of the API. The readers use pandas and
the standard library only, and nothing of Tickwire's import. `examples.slow.test.ts` exports the files and starts this."""

import csv
import io
import json
import os
import unittest
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Dict, List, Tuple

import pandas as pd
import tickwire

FOLDER = Path(os.environ["EXPORTED"])
FROM, TO = os.environ["FROM"], os.environ["TO"]
FREQTRADE_COLUMNS = ["date", "open", "high", "low", "close", "volume"]

Bars = Dict[datetime, Tuple[float, ...]]


def read_freqtrade(path: Path) -> Bars:
    """As `JsonDataHandler` of freqtrade reads candles."""
    frame = pd.read_json(path, orient="values")
    frame.columns = pd.Index(FREQTRADE_COLUMNS)
    frame = frame.astype({name: "float" for name in FREQTRADE_COLUMNS[1:]})
    frame["date"] = pd.to_datetime(frame["date"], unit="ms", utc=True)
    return {row[0].to_pydatetime(): tuple(row[1:]) for row in frame.itertuples(index=False, name=None)}


def read_lean(path: Path, entry: str) -> List[List[str]]:
    """A zip of Lean has one file, without a header."""
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == [entry], archive.namelist()
        return list(csv.reader(io.StringIO(archive.read(entry).decode("ascii"))))


def values(row: List[str]) -> Tuple[float, ...]:
    return tuple(float(cell) for cell in row)


class ExportTest(unittest.TestCase):
    def expected(self, interval: str) -> Bars:
        with tickwire.TickwireClient(os.environ["TICKWIRE_URL"], os.environ["TICKWIRE_API_KEY"]) as client:
            bars = list(client.iterate_bars("BTCUSD", interval=interval, from_=FROM, to=TO))
        self.assertTrue(bars)
        fields = FREQTRADE_COLUMNS[1:]
        times = [datetime.strptime(bar["time"], "%Y-%m-%dT%H:%M:%S.%f%z") for bar in bars]
        return {time: tuple(bar[name] for name in fields) for time, bar in zip(times, bars)}

    def assert_equal_bars(self, read: Bars, interval: str) -> None:
        expected = self.expected(interval)
        self.assertTrue(read.keys() == expected.keys(), f"{len(read)} bars of {interval}, not {len(expected)}")
        for time, prices in expected.items():
            for got, wanted in zip(read[time], prices):
                self.assertAlmostEqual(got, wanted, 8, (interval, time))

    def test_freqtrade_reads_candles(self) -> None:
        self.assert_equal_bars(read_freqtrade(FOLDER / "freqtrade" / "BTC_USD-5m.json"), "5m")

    def test_freqtrade_reads_trades(self) -> None:
        rows = json.loads((FOLDER / "freqtrade" / "BTC_USD-trades.json").read_text())
        self.assertTrue(rows)
        times = [row[0] for row in rows]
        self.assertEqual(times, sorted(times))
        for _, _, _, side, price, amount, cost in rows:
            self.assertIn(side, ("buy", "sell"))
            self.assertAlmostEqual(price * amount / cost, 1, 6)

    def test_lean_reads_minutes(self) -> None:
        read: Bars = {}
        for path in sorted((FOLDER / "lean/crypto/coinbase/minute/btcusd").glob("*_trade.zip")):
            date = path.name[:8]
            midnight = datetime.strptime(date, "%Y%m%d").replace(tzinfo=timezone.utc)
            for row in read_lean(path, f"{date}_btcusd_minute_trade.csv"):
                read[midnight + timedelta(milliseconds=int(row[0]))] = values(row[1:])
        self.assert_equal_bars(read, "1m")

    def test_lean_reads_hours(self) -> None:
        rows = read_lean(FOLDER / "lean/crypto/coinbase/hour/btcusd_trade.zip", "btcusd.csv")
        times = [datetime.strptime(row[0], "%Y%m%d %H:%M").replace(tzinfo=timezone.utc) for row in rows]
        self.assert_equal_bars({time: values(row[1:]) for time, row in zip(times, rows)}, "1h")


if __name__ == "__main__":
    unittest.main()
