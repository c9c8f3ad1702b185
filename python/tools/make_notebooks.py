"""Writes the three notebooks from their text here. They are stored without outputs.

    python3 python/tools/make_notebooks.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
CONNECT = """import tickwire

client = tickwire.TickwireClient()"""

NOTEBOOKS: Dict[str, List[Tuple[str, str]]] = {
    "data-to-dataframe.ipynb": [
        ("text", "# Market data in a DataFrame\n\nNeeds pandas, and a service: `npm start` prints an API key. Set `TICKWIRE_API_KEY` to it, and `TICKWIRE_URL` if the service is elsewhere."),
        ("code", CONNECT),
        ("text", "A day of minutes, in one request. The index is the start of each bar, in UTC."),
        ("code", 'minutes = client.bars_frame("EURUSD", interval="1m", limit=1_440)\nminutes.tail()'),
        ("code", 'returns = minutes.close.pct_change().dropna()\nprint(f"{len(minutes)} minutes, volatility per minute {returns.std() * 1e4:.2f} basis points")'),
        ("text", "Bars of any interval, and the fields of order flow. Days begin at 17:00 in New York with `align=\"ny\"`."),
        ("code", 'days = client.bars_frame("BTCUSD", interval="90m", align="ny", limit=20, fields=["vwap", "delta"])\ndays[["close", "vwap", "delta"]].tail()'),
        ("text", "The service computes indicators as well. Here its RSI beside one of our own, on closes of the same bars."),
        ("code", 'items = client.indicators("EURUSD", "rsi", length=14, interval="1m", limit=50)["items"]\nrsi = tickwire.to_frame(items)\n\nchange = minutes.close.diff()\nup = change.clip(lower=0).ewm(alpha=1 / 14, adjust=False).mean()\ndown = -change.clip(upper=0).ewm(alpha=1 / 14, adjust=False).mean()\nown = 100 - 100 / (1 + up / down)\n\ntogether = rsi[["value"]].join(own.rename("own")).dropna().iloc[:-2]\nprint(f"largest difference of {len(together)} values: {(together.value - together.own).abs().max():.2e}")\nassert (together.value - together.own).abs().max() < 1e-3'),
        ("text", "Ticks from the tape, and the same bars as they are."),
        ("code", 'ticks = client.ticks_frame("EURUSD", limit=200)\nspread = (ticks.ask - ticks.bid).describe()\nspread'),
        ("code", "client.close()"),
    ],
    "live-bot.ipynb": [
        ("text", "# A live bot\n\nFollows bars from history into live, decides, publishes a signal, watches it, and closes it. Needs a key with the scope `publish`; the key that `npm start` prints has it. The notebook has a running event loop: the synchronous client works all the same."),
        ("code", CONNECT),
        ("text", "History, then live, in one call: no gap, no overlap. A live bar replaces the one of the same time."),
        ("code", 'bars = {}\nlive = 0\nfor event in client.follow_bars("EURUSD", "1m", limit=30):\n    if event.type == "gap":\n        print("gap:", event.reason)\n        continue\n    bars[event.bar["time"]] = event.bar\n    live += event.type == "live"\n    if live == 5:\n        break\nprint(f"{len(bars)} bars, the last one closes at {list(bars.values())[-1][\'close\']}")'),
        ("text", "A toy rule: with the move of the last ten minutes. It shows the calls; nobody should expect it to earn its spread."),
        ("code", 'closes = [bar["close"] for _, bar in sorted(bars.items())]\ndirection = "buy" if closes[-1] >= closes[-10] else "sell"\ndirection'),
        ("code", 'quote = client.quote("EURUSD")\nsign = 1 if direction == "buy" else -1\nentry = quote["ask"] if direction == "buy" else quote["bid"]\nsignal = client.publish_signal(\n    "EURUSD",\n    direction,\n    entry=entry,\n    stop_loss=round(entry * (1 - sign * 0.004), 5),\n    take_profit=round(entry * (1 + sign * 0.006), 5),\n    note="notebook",\n)\nsignal["id"], signal["order"], signal["state"]'),
        ("text", "A market entry fills with the next quote. Then we close it, which the quote after that does."),
        ("code", 'import time\n\ndeadline = time.monotonic() + 30\nwhile client.signal(signal["id"])["state"] == "pending" and time.monotonic() < deadline:\n    time.sleep(0.2)\nclient.close_signal(signal["id"])\nwhile client.signal(signal["id"])["status"] == "active" and time.monotonic() < deadline:\n    time.sleep(0.2)\nresult = client.signal(signal["id"])\nprint(result["close_reason"], result["pnl"], "pips,", result["pnl_r"], "R")'),
        ("text", "The same with asyncio, on the loop of the notebook."),
        ("code", 'async with tickwire.AsyncTickwireClient() as asynchronous:\n    async for tick in asynchronous.live.ticks(["EURUSD", "XAUUSD"]):\n        print(tick["symbol"], tick["bid"], tick["ask"])\n        break'),
        ("code", "client.close()"),
    ],
    "verify-a-publisher.ipynb": [
        ("text", "# Verifying a publisher\n\nEverything that happens to a signal is a record of a log that nobody can change unnoticed. This notebook checks the log of a service in plain Python, with none of the code of the service, and recomputes the track record of a publisher."),
        ("code", CONNECT),
        ("code", 'publishers = client.publishers(limit=200)["items"]\n[(item["name"], item["signals"], item["closed"]) for item in publishers]'),
        ("text", "The whole log: hashes, order, signatures, heads, and every closed signal judged again from the tape. Keep the head somewhere else: with it, you can prove later that the log up to it was not rewritten."),
        ("code", "head = client.signal_head()\nreport = tickwire.verify_log(client, heads=[head])\nprint(report)\nassert report.ok"),
        ("text", "One publisher. The figures on the left are recomputed from the log, those on the right are what the service says."),
        ("code", 'names = [item["name"] for item in publishers if item["signals"] > 0]\nif names:\n    checked = tickwire.verify_publisher(client, names[0])\n    print(checked)\n    assert checked.ok'),
        ("text", "A single record by hand: the SHA-256 of its canonical JSON is its hash, and the next record names it as `prev`."),
        ("code", 'import hashlib\n\nfirst, second = client.signal_log(after=-1, limit=2)["items"][:2]\ncomputed = hashlib.sha256(tickwire.canonical_json(first["record"]).encode()).hexdigest()\nprint(computed == first["hash"] == second["record"]["prev"])\nassert computed == first["hash"] == second["record"]["prev"]'),
        ("text", "What a lie looks like: a head of another log."),
        ("code", 'forged = tickwire.verify_log(client, heads=[{**head, "hash": "0" * 64}], tape=False)\nprint(forged.findings[0])\nassert not forged.ok'),
        ("code", "client.close()"),
    ],
}


def notebook(name: str, cells: List[Tuple[str, str]]) -> Dict[str, Any]:
    """A notebook in format 4.5."""
    return {
        "cells": [_cell(f"{name.split('.')[0]}-{index}", kind, text) for index, (kind, text) in enumerate(cells, 1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(id: str, kind: str, text: str) -> Dict[str, Any]:
    source = text.splitlines(keepends=True)
    if kind == "text":
        return {"cell_type": "markdown", "id": id, "metadata": {}, "source": source}
    return {"cell_type": "code", "execution_count": None, "id": id, "metadata": {}, "outputs": [], "source": source}


def text_of(name: str) -> str:
    """The text of a notebook file."""
    return json.dumps(notebook(name, NOTEBOOKS[name]), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file in NOTEBOOKS:
        (FOLDER / file).write_text(text_of(file))
