"""Prints current quotes and the last hour of one instrument.

    TICKWIRE_API_KEY=tw_… python3 python/examples/quotes.py EURUSD
"""

import os
import sys

import tickwire


def main() -> None:
    symbol = sys.argv[1] if len(sys.argv) > 1 else "EURUSD"
    url = os.environ.get("TICKWIRE_URL", "http://127.0.0.1:8080")
    with tickwire.TickwireClient(url, os.environ["TICKWIRE_API_KEY"]) as client:
        quote = client.quote(symbol)
        print(f"{symbol} {quote['bid']} / {quote['ask']}")
        for bar in client.bars(symbol, interval="5m", limit=12)["items"]:
            print(bar["time"], bar["open"], bar["high"], bar["low"], bar["close"], bar["volume"])


if __name__ == "__main__":
    main()
