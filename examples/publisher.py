"""A publisher that signs its signals (Ed25519). The private key stays in a file on this machine; the service has the
public one.

The first run creates the key and says how to register it. Each later run publishes one signed signal and verifies the
log of the service, with all signatures.

    TICKWIRE_API_KEY=tw_… python3 examples/publisher.py publisher.pem EURUSD buy      # a key with the scope `publish`
"""

import shlex
import sys
from pathlib import Path

import tickwire
from tickwire.models import Direction


def create_key(path: Path) -> tickwire.SigningKey:
    """Writes a new private key to a file that only its owner can read."""
    key = tickwire.SigningKey.create()
    path.touch(mode=0o600)
    path.write_text(key.to_pem())
    return key


def main() -> None:
    path, symbol = Path(sys.argv[1]), sys.argv[2]
    direction: Direction = "buy" if sys.argv[3] == "buy" else "sell"
    with tickwire.TickwireClient() as client:
        account = client.account.get()
        if not path.exists():
            print("Register this key in Settings › Account, or with this command. Then start the publisher again.")
            print(f"  npx tickwire keys sign-with {shlex.quote(account['name'])} {create_key(path).public_key}")
            return

        key = tickwire.SigningKey.from_pem(path.read_text())
        quote = client.quote(symbol)
        digits = next(item["digits"] for item in client.symbols(detail=True)["items"] if item["symbol"] == symbol)
        entry = quote["ask"] if direction == "buy" else quote["bid"]
        risk = entry * (0.005 if direction == "buy" else -0.005)
        signal = client.publish_signal(
            symbol,
            direction,
            entry=entry,
            stop_loss=round(entry - risk, digits),
            take_profit=round(entry + 2 * risk, digits),
            note="Signed by examples/publisher.py",
            signer=tickwire.Signer(account["id"], key),
        )
        print(f"published {signal['id']}")

        # Anyone can check the log: its chain, and the signature of every signed record.
        report = tickwire.verify_log(client, tape=False)
        print(report)
        sys.exit(0 if report.ok and client.signal(signal["id"])["signed"] else 1)


if __name__ == "__main__":
    main()
