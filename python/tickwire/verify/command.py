"""`tickwire-verify`: verifies the signal log of a service."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, List, Mapping, Optional

from ..client import TickwireClient
from ..errors import TickwireError
from .verification import verify_log


def main(arguments: Optional[List[str]] = None) -> int:
    """Returns 0 if there are no faults, 1 if there are, 2 if the command was called incorrectly or the service failed, 3 if there are
    no faults but ticks were not served."""
    parser = argparse.ArgumentParser(prog="tickwire-verify", description="Verifies the signal log of a Tickwire service",
        epilog="Exit status: 0 no fault found, 1 faults found, 2 invalid arguments or no service, 3 no fault found but ticks were not served.")
    parser.add_argument("--url", default=os.environ.get("TICKWIRE_URL", "http://127.0.0.1:8080"), help="address of the service")
    parser.add_argument("--heads", help="file with heads that you have kept, one per line")
    parser.add_argument("--no-tape", action="store_true", help="check the log only")
    parser.add_argument("--publisher", help="judge only the signals of this publisher id from the tape")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    given = parser.parse_args(arguments)
    key = os.environ.get("TICKWIRE_API_KEY")
    if not key:
        print("set TICKWIRE_API_KEY to a key with the scope `read`", file=sys.stderr)
        return 2
    heads: List[Mapping[str, Any]] = []
    if given.heads:
        with open(given.heads, encoding="utf-8") as file:
            heads = [json.loads(line) for line in file if line.strip()]

    def show(step: str, done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{step} {done:,} of {of:,}    ", end="", file=sys.stderr)

    try:
        with TickwireClient(given.url, key) as client:
            report = verify_log(client, heads=heads, tape=not given.no_tape, publisher=given.publisher, on_progress=show)
    except (TickwireError, ValueError) as error:
        print(f"tickwire-verify: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report.as_dict()) if given.json else str(report))
    return report.exit_status


if __name__ == "__main__":
    sys.exit(main())
