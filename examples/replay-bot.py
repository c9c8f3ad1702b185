"""A bot that runs live, and over yesterday with one changed line, the same as replay-bot.ts. On minute bars, it is long while a fast
average is above a slow one, and short while it is below. It prints its trades and what they gave: at closing prices, without spread and
fees. It publishes nothing.

    TICKWIRE_API_KEY=tw_… python3 examples/replay-bot.py BTCUSD
"""

import sys
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Iterator, List, Tuple

import tickwire

FAST, SLOW = "ema(9)", "ema(21)"
Market = Tuple[tickwire.TickwireClient, bool]
"""The client to read, and whether its clock waits for the bot."""


@contextmanager
def live(client: tickwire.TickwireClient, symbol: str) -> Iterator[Market]:
    """The present, which does not end."""
    yield client, False


@contextmanager
def yesterday(client: tickwire.TickwireClient, symbol: str) -> Iterator[Market]:
    """The last whole day in UTC, as fast as the bot is: its clock waits for each decision."""
    to = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    start = (to - timedelta(days=1)).isoformat()
    session = client.create_replay([symbol], start, to=to.isoformat(), speed="max", start="playing")["id"]
    try:
        with client.replay(session) as replay:
            yield replay, True
    finally:
        client.delete_replay(session)


def main() -> None:
    symbol = sys.argv[1] if len(sys.argv) > 1 else "BTCUSD"
    with tickwire.TickwireClient() as client:
        market = yesterday(client, symbol)  # in the present: live(client, symbol)
        with market as (reader, lockstep):
            follow(reader, symbol, lockstep)


def follow(client: tickwire.TickwireClient, symbol: str, lockstep: bool) -> None:
    """Trades until the past ends, and prints the record."""
    side, entry, last, at = 0, 0.0, 0.0, 0
    results: List[float] = []

    def turn(to: int, price: float, at: float) -> None:
        """Closes the position, if there is one, and opens another."""
        nonlocal side, entry
        percent = side * (price / entry - 1) * 100 if side else 0.0
        if side:
            results.append(percent)
        word = "long" if to > 0 else "short" if to < 0 else "flat"
        moment = datetime.fromtimestamp(at, timezone.utc).isoformat()
        print(f"{moment} {word} at {price}" + (f", {percent:.3f} %" if side else ""), flush=True)
        side, entry = to, price

    # Forming bars are of no interest.
    with client.live.bars(symbol, "1m", indicators=[FAST, SLOW], max_rate=0.1, lockstep=lockstep) as bars:
        print(f"following {symbol}", flush=True)
        for bar in bars:
            if not bar["closed"]:
                continue
            last, at = bar["close"], bar["time"]
            fast, slow = (bar["indicators"][name]["value"] for name in (FAST, SLOW))
            if fast is None or slow is None:
                continue  # too few bars
            wanted = (fast > slow) - (fast < slow)
            if wanted not in (0, side):
                turn(wanted, last, at)
    if side:
        turn(0, last, at)
    won = sum(percent > 0 for percent in results)
    print(f"record: {len(results)} trades, {won} won, {sum(results):.3f} %", flush=True)


if __name__ == "__main__":
    main()
