"""Acceptance of a signal: rules P1 to P7, order type (O1 to O5) and deadlines (D1 to D3) of docs/reference/signals.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, List, Mapping, Optional, Set, Tuple

from .market import Event, Instrument, Standing, is_live

SECOND = 1_000
DAY = 86_400 * SECOND


class Side:
    """Prices as a buyer or a seller sees them."""

    def __init__(self, direction: str) -> None:
        self.buy = direction == "buy"

    def entry(self, bid: Any, ask: Any) -> Any:
        return ask if self.buy else bid

    def exit(self, bid: Any, ask: Any) -> Any:
        return bid if self.buy else ask

    def worse_entry(self, a: Any, b: Any) -> Any:
        return max(a, b) if self.buy else min(a, b)

    def worse_exit(self, a: Any, b: Any) -> Any:
        return min(a, b) if self.buy else max(a, b)

    def tighter(self, a: Any, b: Any) -> Any:
        """The tighter of two stops."""
        return max(a, b) if self.buy else min(a, b)

    def gain(self, start: Any, end: Any) -> Any:
        return end - start if self.buy else start - end


class Terms:
    """A request in price ticks. `valid` is false if a price or the number of targets is not what the table of fields asks for."""

    def __init__(self, request: Mapping[str, Any], instrument: Instrument, at: int, quote: Optional[Event] = None) -> None:
        """`quote` is the standing one. Only a market order needs it."""
        self.direction = request["direction"]
        self.side = Side(self.direction)
        if "entry" in request:
            self.entry = instrument.ticks(request["entry"])
        else:  # O5
            self.entry = None if quote is None else self.side.entry(quote.bid, quote.ask)
        slippage = request.get("max_slippage")
        self.max_slippage = None if slippage is None else instrument.ticks(slippage)
        valid_slippage = slippage is None or (self.max_slippage is not None and self.max_slippage >= 0)
        self.stop_loss = instrument.ticks(request["stop_loss"])
        take_profit = request.get("take_profit")
        targets = request.get("targets")
        if targets is None:
            targets = [{"price": take_profit, "fraction": 1}]
        self.targets = [(instrument.ticks(t["price"]), Fraction(t["fraction"])) for t in targets]
        self.take_profit = None if take_profit is None else instrument.ticks(take_profit)
        self.gives_both = request.get("targets") is not None and take_profit is not None
        self.breakeven_after = request.get("breakeven_after")
        self.expires_at = request.get("expires_at")
        prices = [self.entry, self.stop_loss, *(price for price, _ in self.targets)]
        if take_profit is not None:
            prices.append(self.take_profit)
        valid_prices = all(price is not None and price > 0 for price in prices)
        self.valid = valid_prices and valid_slippage and 1 <= len(self.targets) <= 5
        self.valid_expiry = self.expires_at is None or at < self.expires_at <= at + 30 * DAY


def order_type(terms: Terms, quote: Event) -> str:
    e = terms.side.entry(quote.bid, quote.ask)
    tolerance = max(quote.ask - quote.bid, e // 10_000)
    if abs(terms.entry - e) <= tolerance:
        return "market"
    if terms.entry < e if terms.side.buy else terms.entry > e:
        return "limit"
    return "stop"


def distance_allowed(distance: int, entry: int, spread: int) -> bool:
    """P4"""
    return distance >= spread and distance >= 1 and 2 * distance <= entry


def violations(terms: Terms, standing: Standing, at: int, market_open: bool, restored: bool) -> List[str]:
    """Every rule that the publication violates. It is accepted if there is none."""
    quote = standing.quote
    rules: Set[str] = set() if terms.valid and terms.valid_expiry else {"fields"}
    if not market_open or restored or not is_live(standing, at):
        rules.add("P1")
    prices = [price for price, _ in terms.targets]
    fractions = [fraction for _, fraction in terms.targets]
    if any(f <= 0 or (f * 10_000).denominator != 1 for f in fractions) or sum(fractions) != 1:
        rules.add("P6")
    if terms.gives_both and terms.take_profit != prices[-1]:
        rules.add("P6")
    k = terms.breakeven_after
    if k is not None and not (Fraction(k).denominator == 1 and 1 <= k <= len(prices) - 1):
        rules.add("P7")
    if not terms.valid:
        return sorted(rules)
    levels = [terms.stop_loss, terms.entry, *prices]
    if any(terms.side.gain(a, b) <= 0 for a, b in zip(levels, levels[1:])):
        rules.add("P2")
    if quote is not None:
        e = terms.side.entry(quote.bid, quote.ask)
        if 5 * abs(terms.entry - e) > e:
            rules.add("P3")
        spread = quote.ask - quote.bid
        if not all(distance_allowed(abs(level - terms.entry), terms.entry, spread) for level in [terms.stop_loss, *prices]):
            rules.add("P4")
        if order_type(terms, quote) == "market":
            exit_side = terms.side.exit(quote.bid, quote.ask)
            if not (terms.side.gain(terms.stop_loss, exit_side) > 0 and terms.side.gain(exit_side, prices[0]) > 0):
                rules.add("P5")
    return sorted(rules)


def deadlines(terms: Terms, kind: str, at: int) -> Tuple[int, int]:
    """Deadline while pending, deadline once open."""
    limit = terms.expires_at
    if kind == "market":
        pending = at + 60 * SECOND if limit is None else min(at + 60 * SECOND, limit)
    else:
        pending = at + DAY if limit is None else limit
    return pending, at + 30 * DAY if limit is None else limit
