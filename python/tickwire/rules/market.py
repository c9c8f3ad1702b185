"""The market of one instrument, as docs/reference/signals.md defines it: what each event means, and what stands after it.

Prices are price ticks (integers), times are milliseconds since 1970. Rule numbers are those of docs/reference/signals.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Tuple

MINUTE = 60_000
LIVE_FOR = 60_000


class Standing(NamedTuple):
    """What is known at a position of the order of events."""

    quote: Optional[Event]
    disconnected: bool
    missed_since_quote: bool


class Instrument:
    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.digits = int(fields["digits"])
        self.pip_size = Fraction(fields["pip_size"])

    def ticks(self, price: Any) -> Any:
        """A price in price ticks, or None if it has more digits than the instrument."""
        ticks = Fraction(price) * 10**self.digits
        return int(ticks) if ticks.denominator == 1 else None

    def price(self, ticks: Any) -> Fraction:
        return Fraction(ticks) / Fraction(10**self.digits)


class Event:
    """A quote, a trade or a minute, a notice of the feed, the time of the clock, or a request at its position."""

    def __init__(self, fields: Any, instrument: Instrument) -> None:
        self.type: str = fields["type"]
        self.fields: Any = fields
        self.seq: Any = fields.get("seq")
        self.time: Any = fields.get("time")
        self.source: Optional[str] = fields.get("source")
        self.at: Any = fields.get("at")

        def ticks(name: str) -> Any:
            return instrument.ticks(fields[name]) if name in fields and self.at is None else None

        self.bid, self.ask, self.price = ticks("bid"), ticks("ask"), ticks("price")
        self.open, self.high, self.low, self.close = ticks("open"), ticks("high"), ticks("low"), ticks("close")
        self.side: Optional[str] = fields.get("side")
        self.partial: bool = fields.get("partial", False)
        # Set by `annotate`.
        self.judges = False
        self.spread: int = 0
        self.standing_time: Optional[int] = None
        self.price_after: Optional[Tuple[int, int]] = None
        self.standing: Standing = Standing(None, False, False)

    @property
    def end(self) -> int:
        """The time that J1 and A3 compare: the end of a minute, the time of any other event."""
        return int(self.time + MINUTE if self.type == "bar" else self.time)


def annotate(events: Sequence[Event]) -> None:
    """Walks all events once, in order, and adds to each what the market was before it and which price it sets."""
    quote: Optional[Event] = None
    disconnected = False
    missed_since_quote = False
    standing_time: Optional[int] = None
    for event in events:
        event.standing = Standing(quote, disconnected, missed_since_quote)
        event.standing_time = standing_time
        event.spread = quote.ask - quote.bid if quote else 0
        if event.type == "quote":
            event.judges = True
            event.price_after = (event.bid, event.ask)
            quote, disconnected, missed_since_quote = event, False, False
        elif event.type == "trade" and disconnected:  # T1
            event.judges = True
            missed_since_quote = True
            event.price_after = trade_price(event)
        elif event.type == "bar":
            event.judges = True
            missed_since_quote = True
            if standing_time is None or event.time + MINUTE - 1 > standing_time:  # B9
                event.price_after = (event.close, event.close + event.spread)
        elif event.type == "disconnect":
            disconnected = True
        elif event.type in ("gap", "backfilled", "failover"):  # C1
            event.fields["while_disconnected"] = disconnected
            disconnected = False
        if event.price_after:
            standing_time = event.time + MINUTE - 1 if event.type == "bar" else event.time


def trade_price(trade: Event) -> Tuple[int, int]:
    """T4: bid and ask after a missed trade."""
    if trade.side == "sell":
        return (trade.price, trade.price + trade.spread)
    return (trade.price - trade.spread, trade.price)


def is_live(standing: Standing, at: int) -> bool:
    return bool(
        standing.quote is not None
        and at - standing.quote.time <= LIVE_FOR
        and not standing.disconnected
        and not standing.missed_since_quote
    )


def gap_of(event: Event) -> Optional[Tuple[int, int]]:
    """The interval that a `gap` (G1) or a fail-over (G4) declares, or None."""
    if event.type == "gap":
        return (event.fields["from"], event.fields["to"])
    if event.type == "failover" and event.fields["while_disconnected"] and event.standing.quote:
        return (min(event.standing.quote.time, event.time), event.time)
    return None
