"""One signal, from its publication to its closing: sections "Judging", "Requests" and "Loss of data" of docs/reference/signals.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .acceptance import Terms, deadlines, distance_allowed, order_type
from .market import Event, Instrument, gap_of, is_live
from .results import NO_PROFIT, Part, profit

GRACE = 5_000
MAX_AMENDMENTS = 100


class Bar:
    """A missed minute from one side of the market: its prices as bids, or as asks (B1)."""

    def __init__(self, event: Event, asks: bool) -> None:
        shift = event.spread if asks else 0
        self.open, self.high, self.low, self.close = (p + shift for p in (event.open, event.high, event.low, event.close))


class Signal:
    def __init__(self, instrument: Instrument, publication: Any, terms: Terms) -> None:
        self.instrument = instrument
        self.terms = terms
        self.side = terms.side
        self.at: int = publication.at
        self.publisher: Optional[str] = publication.fields.get("publisher")
        self.accepted: Event = publication.standing.quote
        self.order = order_type(terms, self.accepted)
        self.entry_deadline, self.open_deadline = deadlines(terms, self.order, self.at)
        self.fill: Any = None  # (price, time, event)
        self.exits: List[Tuple[Fraction, int, int, Event]] = []  # (fraction, price, time, event), one for each target reached
        self.amendments: List[Tuple[int, Event, int]] = []  # (stop, quote, at)
        self.request: Any = None  # (quote, at)
        self.gaps: List[Tuple[int, int]] = []
        self.prices: List[Tuple[Optional[int], Any, Event]] = [(None, (self.accepted.bid, self.accepted.ask), self.accepted)]
        self.closing: Optional[Dict[str, Any]] = None
        self.voided_at: Optional[int] = None

    @property
    def deadline(self) -> int:
        return self.open_deadline if self.fill else self.entry_deadline

    @property
    def active(self) -> bool:
        return self.closing is None and self.voided_at is None

    # Events

    def read(self, event: Event) -> None:
        gap = gap_of(event)
        if gap and event.seq > self.accepted.seq:  # G2
            self.gaps.append(gap)
        if event.type == "clock":
            if not event.standing.disconnected and event.time >= self.deadline + GRACE:  # J10
                self.close_at_deadline(event)
        elif event.judges:
            if event.seq > self.accepted.seq and event.end > self.at:  # J1
                self.judge(event)
            if self.active and event.price_after:
                self.prices.append((event.time, event.price_after, event))

    def judge(self, event: Event) -> None:
        if event.time >= self.deadline + GRACE:  # J3
            self.close_at_deadline(event)
        elif event.time < self.deadline:
            if event.type == "quote":
                self.judge_quote(event)
            elif event.type == "trade":
                self.judge_trade(event)
            else:
                self.judge_bar(event)

    def judge_quote(self, quote: Event) -> None:
        stop = self.stop_in_force(quote)
        entry_side = self.side.entry(quote.bid, quote.ask)
        exit_side = self.side.exit(quote.bid, quote.ask)
        requested = self.request and quote.seq > self.request[0].seq and quote.time > self.request[1]  # M1
        if self.fill:
            if requested:  # J4
                at_request = self.side.exit(self.request[0].bid, self.request[0].ask)
                self.close("manual", quote, self.side.worse_exit(at_request, exit_side), quote.time)
            else:
                self.judge_exit(quote, exit_side, stop)
            return
        self.judge_entry(quote, entry_side)
        if self.fill:
            if requested:
                self.request = (quote, self.request[1])
            self.judge_exit(quote, exit_side, stop)
        elif requested and self.active:
            self.close("unfilled", quote, None, quote.time)

    def judge_trade(self, trade: Event) -> None:
        """T2, T3: a buyer hits the ask, a seller hits the bid; only that side is known."""
        is_ask = trade.side == "buy"
        if is_ask == self.side.buy:
            if not self.fill:
                self.judge_entry(trade, trade.price)
        elif self.fill:
            self.judge_exit(trade, trade.price, self.stop_in_force(trade))

    def judge_entry(self, event: Event, entry_side: int) -> None:
        """J5"""
        entry = self.terms.entry
        if self.order == "market":
            self.fill_market(event, entry_side)
        elif self.order == "limit" and self.side.gain(entry_side, entry) >= 0:
            self.fill = (entry, event.time, event)
        elif self.order == "stop" and self.side.gain(entry, entry_side) >= 0:
            self.fill = (entry_side, event.time, event)

    def fill_market(self, event: Event, entry_side: int) -> None:
        accepted = self.side.entry(self.accepted.bid, self.accepted.ask)
        price = self.side.worse_entry(accepted, entry_side)
        limit = self.terms.max_slippage
        if limit is not None and abs(price - accepted) > limit:  # J12
            self.close("unfilled", event, None, event.end)
        else:
            self.fill = (price, event.end, event)

    def judge_exit(self, event: Event, exit_side: int, stop: int) -> None:
        if self.side.gain(stop, exit_side) <= 0:  # J6
            self.close("stop_loss", event, exit_side, event.time)
        else:
            self.reach_targets(event, exit_side, event.time)

    def reach_targets(self, event: Event, exit_side: int, time: int) -> None:
        """J7"""
        while self.active and self.side.gain(self.terms.targets[len(self.exits)][0], exit_side) >= 0:
            price, fraction = self.terms.targets[len(self.exits)]
            if len(self.exits) == len(self.terms.targets) - 1:
                self.close("take_profit", event, price, time)
            else:
                self.exits.append((fraction, price, time, event))

    def judge_bar(self, event: Event) -> None:
        side, terms = self.side, self.terms
        stop = self.stop_in_force(event)
        uncertain = self.is_uncertain(event)
        filled_before = self.fill is not None
        if not filled_before:
            self.fill_by_bar(event)
        if not self.fill:
            return
        by_gapping_entry = not filled_before and self.order != "limit"
        bar = Bar(event, asks=not side.buy)
        best, worst = (bar.high, bar.low) if side.buy else (bar.low, bar.high)
        if side.gain(stop, worst) <= 0:  # B5
            price = stop if by_gapping_entry else side.worse_exit(stop, bar.open)
            reaches_target = side.gain(terms.targets[len(self.exits)][0], best) >= 0
            parts = self.best_exits(best, bar.close, price) if reaches_target or uncertain or by_gapping_entry else None
            self.close("stop_loss", event, price, event.end, parts)
        elif filled_before and not uncertain:  # B6
            self.reach_targets(event, best, event.end)

    def fill_by_bar(self, event: Event) -> None:
        """B4"""
        side, entry = self.side, self.terms.entry
        bar = Bar(event, asks=side.buy)
        highest_cost, lowest_cost = (bar.high, bar.low) if side.buy else (bar.low, bar.high)
        if self.order == "market":
            self.fill_market(event, highest_cost)
        elif self.order == "limit" and side.gain(lowest_cost, entry) >= 0:
            self.fill = (entry, event.end, event)
        elif self.order == "stop" and side.gain(entry, highest_cost) >= 0:
            self.fill = (side.worse_entry(entry, bar.open), event.end, event)

    def is_uncertain(self, event: Event) -> bool:
        """B2"""
        known = [event.standing_time, self.at, *(at for _, at in self.stops_in_force(event))]
        if self.fill:
            known.append(self.fill[2].time)
        return event.partial or self.deadline < event.end or any(time is not None and time >= event.time for time in known)

    def best_exits(self, best: int, close: int, price: int) -> List[Part]:
        """B7: how the open parts would have exited in the best case."""
        others = close if self.side.gain(price, close) > 0 else price
        parts = []
        for target, fraction in self.terms.targets[len(self.exits):]:
            parts.append((fraction, target if self.side.gain(target, best) >= 0 else others))
        return parts

    # The stop (J8)

    def stops_in_force(self, event: Event) -> List[Tuple[int, int]]:
        """A3: (stop, at) of the amendments that are in force for an event."""
        return [(stop, at) for stop, quote, at in self.amendments if event.seq > quote.seq and event.end > at]

    def stop_in_force(self, event: Optional[Event] = None) -> int:
        """For an event, or for the next one."""
        amended = self.stops_in_force(event) if event else [(stop, at) for stop, _, at in self.amendments]
        stop: int = self.terms.stop_loss
        for other, _ in amended:
            stop = self.side.tighter(stop, other)
        k = self.terms.breakeven_after
        if k is not None and len(self.exits) >= k:
            stop = self.side.tighter(stop, self.terms.entry)
        return stop

    # Closing

    def close_at_deadline(self, event: Event) -> None:
        """J3: closes before the event."""
        deadline = self.deadline
        _, (bid, ask), last = [p for p in self.prices if p[0] is None or p[0] < deadline][-1]
        decided_seq = event.seq if event.type == "clock" else event.seq - 1
        if self.fill:
            self.close("expired", last, self.side.exit(bid, ask), deadline, decided_seq=decided_seq)
        else:
            self.close("unfilled", last, None, deadline, decided_seq=decided_seq)

    def close(
        self,
        reason: str,
        decided: Event,
        price: Any,
        time: int,
        best_exits: Optional[Sequence[Part]] = None,
        decided_seq: Optional[int] = None,
    ) -> None:
        closing: Dict[str, Any] = {"reason": reason, "closed_at": time, "decided": decided.seq, "decided_seq": decided_seq or decided.seq}
        if self.fill:
            before = [(fraction, exit_price) for fraction, exit_price, _, _ in self.exits]
            rest = 1 - sum((fraction for fraction, _ in before), Fraction(0))
            figures = profit(self.instrument, self.terms, self.fill[0], [*before, (rest, price)])
            closing.update(figures, last_exit={"fraction": rest, "price": self.instrument.price(price)})
            if best_exits:
                best = profit(self.instrument, self.terms, self.fill[0], [*before, *best_exits])
                if self.side.gain(figures["exit_price"], best["exit_price"]) > 0:  # better before rounding
                    closing["pnl_best"] = best["pnl"]
        else:
            closing.update(NO_PROFIT, last_exit=None)
        if self.gaps:  # G2
            closing.update(gap_from=min(start for start, _ in self.gaps), gap_to=max(end for _, end in self.gaps))
        deciding = [self.accepted, decided, *(event for _, _, _, event in self.exits)]
        if self.fill:
            deciding.append(self.fill[2])
        if any(event.type != "quote" for event in deciding):  # R3
            closing["recovered"] = "backfill"
        if any(event.source == f"push:{self.publisher}" for event in deciding):  # S1
            closing["self_sourced"] = True
        self.closing = closing

    # Requests. Each returns the rules that reject it; an accepted request is recorded.

    def request_close(self, event: Event, market_open: bool) -> List[str]:
        if not self.active:
            return ["closed"]
        rules = []
        if event.at >= self.deadline or self.request:
            rules.append("M2")
        elif self.fill and not (market_open and is_live(event.standing, event.at)):
            rules.append("M2")
        elif not self.fill and event.standing.disconnected:
            rules.append("M2")
        if not rules:
            self.request = (event.standing.quote, event.at)
        return rules

    def amend(self, event: Event, market_open: bool) -> List[str]:
        if not self.active:
            return ["closed"]
        live = market_open and is_live(event.standing, event.at)
        quote, entry = event.standing.quote, self.terms.entry
        if event.at >= self.deadline or not live or quote is None or len(self.amendments) >= MAX_AMENDMENTS:
            return ["A1"]
        stop = self.instrument.ticks(event.fields["stop_loss"])
        current = self.stop_in_force()
        if stop is None or stop <= 0:
            return ["fields"]
        if stop == current:
            return ["same"]
        allowed = self.side.gain(current, stop) > 0
        if self.fill:
            allowed = allowed and self.side.gain(stop, self.side.exit(quote.bid, quote.ask)) > 0
        else:
            distance = self.side.gain(stop, entry)
            allowed = allowed and distance_allowed(distance, entry, quote.ask - quote.bid)
        if not allowed:
            return ["A2"]
        self.amendments.append((stop, quote, event.at))
        return []
