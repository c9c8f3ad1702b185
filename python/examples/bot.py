"""A bot: follows minute bars from history into live, and publishes a signal if a close leaves the range of the last 20 bars.

It publishes at most one signal at a time. Run it with a key that has the scope `publish`:

    TICKWIRE_API_KEY=tw_… python3 python/examples/bot.py EURUSD
"""

import sys
from collections import OrderedDict
from typing import Optional

import tickwire
from tickwire.models import Direction, OhlcvBar

LENGTH = 20


def decide(bars: "OrderedDict[str, OhlcvBar]") -> Optional[Direction]:
    """`buy` or `sell` if the last closed bar leaves the range of those before it."""
    closed = list(bars.values())[-LENGTH - 2 : -1]
    if len(closed) <= LENGTH:
        return None
    last, before = closed[-1], closed[:-1]
    if last["close"] > max(bar["high"] for bar in before):
        return "buy"
    return "sell" if last["close"] < min(bar["low"] for bar in before) else None


def publish(client: tickwire.TickwireClient, symbol: str, direction: Direction, digits: int) -> str:
    """Publishes a signal at the market with a stop of 0.2 % and a target of 0.3 %."""
    quote = client.quote(symbol)
    sign = 1 if direction == "buy" else -1
    entry = quote["ask"] if direction == "buy" else quote["bid"]
    signal = client.publish_signal(
        symbol,
        direction,
        entry=entry,
        stop_loss=round(entry * (1 - sign * 0.002), digits),
        take_profit=round(entry * (1 + sign * 0.003), digits),
    )
    return signal["id"]


def run(client: tickwire.TickwireClient, symbol: str, most_bars: Optional[int] = None) -> int:
    """Runs until `most_bars` live bars were seen (default: forever). Returns the number of signals published."""
    instruments = client.symbols(detail=True)["items"]
    digits = next(item["digits"] for item in instruments if item["symbol"] == symbol)
    bars: "OrderedDict[str, OhlcvBar]" = OrderedDict()
    published, seen = 0, 0
    active: Optional[str] = None
    for event in client.follow_bars(symbol, "1m", limit=LENGTH + 5):
        if event.type == "gap":
            print("gap:", event.reason)
            continue
        is_new = event.bar["time"] not in bars
        bars[event.bar["time"]] = event.bar
        while len(bars) > LENGTH + 5:
            bars.popitem(last=False)
        if event.type != "live":
            continue
        seen += 1
        if most_bars is not None and seen >= most_bars:
            break
        direction = decide(bars) if is_new else None
        if active and client.signal(active)["status"] == "closed":
            active = None
        if direction and not active:
            try:
                active = publish(client, symbol, direction, digits)
                published += 1
                print(direction, active)
            except tickwire.TickwireError as error:
                print("not published:", error)
    return published


if __name__ == "__main__":
    with tickwire.TickwireClient() as connected:
        run(connected, sys.argv[1] if len(sys.argv) > 1 else "EURUSD")
