"""What the Python client reads per second: ticks of a replay at `max` into a loop, and bars into a DataFrame. In a process of its own:
python-client.py URL KEY SESSION TICKS BARS. The session is paused at its start; its range has TICKS ticks of BTCUSD.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import tickwire

URL, KEY, SESSION, TICKS, BARS = (*sys.argv[1:4], *map(int, sys.argv[4:]))


def missing(gap):
    raise ValueError(f"ticks are missing: {gap}")


async def ticks():
    """Ticks per second of time, and per second of CPU time of this process, from the first to the last one."""
    async with tickwire.AsyncTickwireClient(URL, KEY) as client, client.replay(SESSION) as replay:
        async with replay.live.ticks("BTCUSD", on_gap=missing) as stream:
            while stream.state != "live":
                await stream.next_event()
            await client.change_replay(SESSION, state="playing", speed="max")
            await anext(stream)
            started, cpu = time.perf_counter(), time.process_time()
            for _ in range(TICKS - 1):
                await anext(stream)
            return (TICKS - 1) / (time.perf_counter() - started), (TICKS - 1) / (time.process_time() - cpu)


def frame():
    """Seconds from the call to a DataFrame with all bars."""
    with tickwire.TickwireClient(URL, KEY) as client:
        client.bars_frame("EURUSD", interval="1m", limit=10)
        started = time.perf_counter()
        rows = len(client.bars_frame("EURUSD", interval="1m", from_="2025-01-06"))
        if rows != BARS:
            raise SystemExit(f"{rows} bars instead of {BARS}")
        return time.perf_counter() - started


per_second, per_cpu_second = asyncio.run(ticks())
print(json.dumps({"ticks": per_second, "ticksPerCpuSecond": per_cpu_second, "frameSeconds": frame()}))
