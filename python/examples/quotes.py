"""Prints current quotes and the last hour of one instrument.

    TICKWIRE_API_KEY=tw_… python3 python/examples/quotes.py EURUSD
"""

import sys

import tickwire


def main() -> None:
    symbol = sys.argv[1] if len(sys.argv) > 1 else "EURUSD"
    with tickwire.TickwireClient() as client:
        quote = client.quote(symbol)
        print(f"{symbol} {quote['bid']} / {quote['ask']}")
        for bar in client.bars(symbol, interval="5m", limit=12)["items"]:
            print(bar["time"], bar["open"], bar["high"], bar["low"], bar["close"], bar["volume"])


if __name__ == "__main__":
    main()
