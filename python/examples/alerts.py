"""Watches a level: creates an alert, prints each firing, and deletes the alert at the end.

    TICKWIRE_API_KEY=tw_… python3 python/examples/alerts.py EURUSD 1.2    # a key with the scope `alerts`
"""

import sys

import tickwire


def main() -> None:
    symbol, level = sys.argv[1], float(sys.argv[2])
    with tickwire.TickwireClient() as client:
        # Opened first, so that it has the first firing too.
        firings = client.live.alerts(symbol, on_gap=lambda gap: print("firings may be missing: see client.firings()"))
        condition = {"type": "price", "cross": "either", "level": level}
        alert = client.create_alert(symbol, condition, repeat="every_time", cooldown_seconds=60)
        try:
            for firing in firings:
                if firing["alert_id"] == alert["id"]:
                    print(firing["time"], firing["title"], firing["price"], "(late)" if firing["late"] else "")
        except KeyboardInterrupt:
            pass
        finally:
            client.delete_alert(alert["id"])


if __name__ == "__main__":
    main()
