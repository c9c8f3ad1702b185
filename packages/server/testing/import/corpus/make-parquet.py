"""Writes the Parquet files of the corpus: pip install pandas pyarrow, then python make-parquet.py."""
import json
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
OUT = HERE / "files" / "parquet"
VALUES = json.loads((HERE / "values.json").read_text())
START = pd.Timestamp("2024-03-05T10:00:00Z")
COLUMNS = ["open", "high", "low", "close", "volume"]
OUT.mkdir(parents=True, exist_ok=True)


def bars(name, step, start=START):
    frame = pd.DataFrame(VALUES[name], columns=COLUMNS)
    frame.index = pd.date_range(start, periods=len(frame), freq=step)
    return frame


def write(name, table, **options):
    pq.write_table(table, OUT / name, **options)


# The index has no name: pandas calls the column __index_level_0__.
bars("btcusd", "1h").to_parquet(OUT / "pandas-index-snappy.parquet", compression="snappy")

minutes = bars("btcusd", "1min").reset_index(names="timestamp")
minutes["timestamp"] = minutes["timestamp"].dt.as_unit("ns").astype("int64")
write("epoch-nanoseconds-zstd.parquet", pa.Table.from_pandas(minutes), compression="zstd")

for name, zone in [("without-zone", "UTC"), ("new-york", "America/New_York")]:
    local = bars("btcusd", "1h")
    local.index = local.index.tz_convert(zone).tz_localize(None)
    local.reset_index(names="datetime").to_parquet(OUT / f"{name}.parquet")

quotes = pd.DataFrame(VALUES["quotes"], columns=["time", "bid", "ask", "bid_size", "ask_size"])
quotes["time"] = START + pd.to_timedelta(quotes["time"], unit="ms")
write("quotes-row-groups-gzip.parquet", pa.Table.from_pandas(quotes), compression="gzip", row_group_size=5)

floats = bars("eurusd", "5min").reset_index(names="time")
schema = pa.schema([("time", pa.timestamp("us", tz="UTC"))] + [(name, pa.float32()) for name in COLUMNS])
write("float32-lz4.parquet", pa.Table.from_pandas(floats, schema=schema), compression="lz4")

decimals = bars("eurusd", "1min").reset_index(names="time")
for name in COLUMNS:
    decimals[name] = [Decimal(str(value)) for value in decimals[name]]
schema = pa.schema([("time", pa.timestamp("ms", tz="UTC"))] + [(name, pa.decimal128(12, 5)) for name in COLUMNS])
write("decimal-brotli.parquet", pa.Table.from_pandas(decimals, schema=schema), compression="brotli")

trades = pd.DataFrame(VALUES["trades"], columns=["timestamp", "price", "amount", "side", "id"])
trades["timestamp"] += START.value // 1_000_000
write("trades-dictionary.pq", pa.Table.from_pandas(trades), use_dictionary=True, data_page_version="2.0")

# freqtrade names the column of the times "date".
days = bars("btcusd", "1D", pd.Timestamp("2024-03-05T00:00:00Z")).reset_index(names="date")
days.to_parquet(OUT / "freqtrade-BTC_USD-1d.parquet", compression="snappy")

write("no-time.parquet", pa.Table.from_pandas(bars("btcusd", "1h").reset_index(drop=True), preserve_index=False))
whole = (OUT / "pandas-index-snappy.parquet").read_bytes()
(OUT / "truncated.parquet").write_bytes(whole[: len(whole) // 2])
