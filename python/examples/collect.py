"""Collects ticks of several instruments into a CSV file with asyncio, and says so if some are missing.

    TICKWIRE_API_KEY=tw_… python3 python/examples/collect.py ticks.csv EURUSD XAUUSD
"""

import asyncio
import csv
import sys
from typing import List, Optional

import tickwire


async def collect(path: str, symbols: List[str], most: Optional[int] = None) -> int:
    """Writes ticks until there are `most` of them (default: forever). Returns how many messages are missing."""
    missing = count = 0
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time_ms", "symbol", "bid", "ask", "volume"])
        async with tickwire.AsyncTickwireClient() as client:
            async for event in client.live.ticks(symbols, ms=True).events():
                if event.type == "gap":
                    missing += event.dropped or 1
                    print("gap:", event.reason, ", ".join(event.symbols), file=sys.stderr)
                elif event.type == "message":
                    tick = event.message
                    writer.writerow([tick.get("time_ms"), tick["symbol"], tick["bid"], tick["ask"], tick["volume"]])
                    count += 1
                    if most is not None and count >= most:
                        break
    return missing


if __name__ == "__main__":
    asyncio.run(collect(sys.argv[1], sys.argv[2:] or ["EURUSD"]))
