#!/usr/bin/env python3
"""A second implementation of the rules of signals, by docs/reference/signals.md. It shares no code with the service.

Reads one scenario per line (JSON) and writes, per line, what the records of its signals must say. README.md has the format.
Naive on purpose: each signal walks all events by itself.
"""

import json
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

# The rules need the standard library only, unlike the package around them.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python/tickwire"))

from rules.acceptance import Terms, violations
from rules.lifecycle import Signal
from rules.market import Event, Instrument, annotate, gap_of
from rules.results import NO_PROFIT


def judge(scenario):
    """What the records of every signal of a scenario must say."""
    instrument = Instrument(scenario["instrument"])
    events = [Event(fields, instrument) for fields in scenario["events"]]
    annotate(events)
    publications = [(i, event) for i, event in enumerate(events) if event.type == "publish"]
    return [judge_signal(instrument, events, i, event) for i, event in publications]


def judge_signal(instrument, events, position, publication):
    fields = publication.fields
    market_open = fields.get("market_open", True)
    terms = Terms(fields["request"], instrument, publication.at, publication.standing.quote)
    rejected = violations(terms, publication.standing, publication.at, market_open, fields.get("restored", False))
    if rejected:
        return {"signal": fields["signal"], "rejected": rejected}
    signal = Signal(instrument, publication, terms)
    requests = []
    for event in events[:position]:
        if event.seq is not None and event.seq > signal.accepted.seq and gap_of(event):  # G2
            signal.gaps.append(gap_of(event))
    for event in events[position + 1:]:
        if event.type in ("amend", "close", "void"):
            if event.fields["signal"] == fields["signal"]:
                requests.append(handle_request(signal, event))
        elif signal.active and event.type != "publish":
            signal.read(event)
    return describe(signal, fields["signal"], requests)


def handle_request(signal, event):
    market_open = event.fields.get("market_open", True)
    if event.type == "close":
        rejected = signal.request_close(event, market_open)
    elif event.type == "amend":
        rejected = signal.amend(event, market_open)
    else:
        rejected = ["V2"] if signal.voided_at is not None else []
        if not rejected:
            signal.voided_at = event.at
    return {"type": event.type, "at": event.at, "rejected": rejected}


def describe(signal, name, requests):
    price = signal.instrument.price
    state = "closed" if not signal.active else "open" if signal.fill else "pending"
    said = {
        "signal": name,
        "order": signal.order,
        "quote": signal.accepted.seq,
        "entry_deadline": signal.entry_deadline,
        "deadline": signal.open_deadline,
        "state": state,
        "requests": requests,
        "filled": None,
        "exits": [],
        "closed": signal.closing,
    }
    if signal.fill:
        fill_price, time, event = signal.fill
        said["filled"] = {"entry_price": price(fill_price), "filled_at": time, "filled": event.seq}
    for number, (fraction, exit_price, time, event) in enumerate(signal.exits, 1):
        said["exits"].append(
            {"target": number, "fraction": fraction, "price": price(exit_price), "exited_at": time, "decided": event.seq}
        )
    if signal.active:
        said["stop_in_force"] = price(signal.stop_in_force())
    if signal.voided_at is not None:  # V1
        closed_at = signal.closing["closed_at"] if signal.closing else signal.voided_at
        said["voided"] = {**NO_PROFIT, "close_reason": "voided", "closed_at": closed_at}
    return said


def to_number(value):
    """JSON has no fractions: the nearest double, which reads back as the exact decimal."""
    if isinstance(value, (Fraction, Decimal)):
        return int(value) if value == int(value) else float(value)
    raise TypeError(type(value))


def main():
    for line in sys.stdin:
        if line.strip():
            scenario = json.loads(line, parse_float=Decimal)
            answer = {"scenario": scenario.get("scenario"), "signals": judge(scenario)}
            print(json.dumps(answer, default=to_number, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
