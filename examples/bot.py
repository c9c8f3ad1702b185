"""A trading bot, the same as bot.ts. It follows minute bars with two moving averages and the average true range, all
computed by the service. When a bar closes and the bot has no active signal, it publishes one in the direction of the
trend.

    TICKWIRE_API_KEY=tw_… python3 examples/bot.py EURUSD         # a key with the scope `publish`
"""

import sys

import tickwire
from tickwire.models import Direction

FAST, SLOW, RANGE = "ema(9)", "ema(21)", "atr(14)"


def publish(client: tickwire.TickwireClient, symbol: str, direction: Direction, range_: float, digits: int) -> None:
    """Enters at the market, with the stop three ranges away and the target six."""
    quote = client.quote(symbol)
    entry = quote["ask"] if direction == "buy" else quote["bid"]
    risk = max(3 * range_, 3 * quote["spread"]) * (1 if direction == "buy" else -1)
    stop_loss, take_profit = round(entry - risk, digits), round(entry + 2 * risk, digits)
    signal = client.publish_signal(symbol, direction, entry=entry, stop_loss=stop_loss, take_profit=take_profit)
    print(f"published {signal['id']}: {direction} {symbol} at {entry}", flush=True)


def main() -> None:
    symbol = sys.argv[1] if len(sys.argv) > 1 else "EURUSD"
    with tickwire.TickwireClient() as client:
        publisher = client.account.get()["id"]
        digits = next(item["digits"] for item in client.symbols(detail=True)["items"] if item["symbol"] == symbol)
        print(f"following {symbol}", flush=True)
        for bar in client.live.bars(symbol, "1m", indicators=[FAST, SLOW, RANGE]):
            if not bar["closed"]:
                continue
            fast, slow, range_ = (bar["indicators"][name]["value"] for name in (FAST, SLOW, RANGE))
            if fast is None or slow is None or range_ is None:
                continue  # too few bars
            print(f"close {bar['close']}, {FAST} {fast:.{digits}f}, {SLOW} {slow:.{digits}f}", flush=True)
            try:
                if fast != slow and client.signals(symbol=symbol, user=publisher, limit=1)["count"] == 0:
                    publish(client, symbol, "buy" if fast > slow else "sell", range_, digits)
            except tickwire.TickwireError as error:
                # The market is closed, a limit is reached, or the network failed.
                print("not published:", error, flush=True)


if __name__ == "__main__":
    main()
