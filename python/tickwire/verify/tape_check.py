"""Judges every ended signal again from the tape. One pass over the ticks of an instrument judges all of its signals.

Every quote and every bar judges. Trades judged only while the source was disconnected, and the tape does not say when that was:
therefore only trades that a record names judge here. Where a trade lies in the minute of a bar, it may or may not have made the bar
uncertain; both ways are followed, and one of them must lead to the records.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from ..rules.lifecycle import GRACE, Signal
from ..rules.market import MINUTE, Event, Instrument, trade_price
from .findings import Findings
from .recorded_signal import RecordedSignal, clock, copy_of, event_of
from .shapes import time_of

MAX_VARIANTS = 32
INFINITY = float("inf")


class _Case:
    """One signal in the replay."""

    def __init__(self, recorded: RecordedSignal, judged_until: int) -> None:
        self.recorded = recorded
        self.active = not recorded.closed and recorded.voided_n is None
        self._judged_until = judged_until
        self.variants: List[Signal] = [recorded.judge()]
        self.done = False
        self.reading = False
        """Whether every event is read: after its deadline, with a request, or while a market entry is pending."""
        self.unmatched: Dict[int, List[Mapping[str, Any]]] = {}
        for evidence in recorded.named():
            self.unmatched.setdefault(int(evidence["seq"]), []).append(evidence)
        self.first_seq: int = recorded.published["quote"]["seq"]
        self.last_seq: int = self._last_seq()
        self.update()

    def _last_seq(self) -> int:
        if self.recorded.closed:
            return int(self.recorded.closed["decided_seq"])
        return max(self._judged_until if self.active else 0, *self.unmatched)

    @property
    def is_eager(self) -> bool:
        return self.reading or any(
            signal.request is not None or (not signal.fill and signal.order == "market") for signal in self.variants
        )

    def update(self) -> None:
        """The prices in ticks, and the time, at which it must be judged."""
        self.bid_falls = self.ask_falls = -INFINITY
        self.bid_rises = self.ask_rises = self.time = INFINITY
        for signal in self.variants:
            if not signal.active:
                continue
            self.time = min(self.time, signal.deadline)
            buy, entry = signal.side.buy, signal.terms.entry
            if not signal.fill:
                if signal.order == "limit":
                    if buy:
                        self.ask_falls = max(self.ask_falls, entry)
                    else:
                        self.bid_rises = min(self.bid_rises, entry)
                elif buy:
                    self.ask_rises = min(self.ask_rises, entry)
                else:
                    self.bid_falls = max(self.bid_falls, entry)
                continue
            stop, target = signal.stop_in_force(), signal.terms.targets[len(signal.exits)][0]
            if buy:
                self.bid_falls, self.bid_rises = max(self.bid_falls, stop), min(self.bid_rises, target)
            else:
                self.ask_rises, self.ask_falls = min(self.ask_rises, stop), max(self.ask_falls, target)

    def is_touched(self, bid: int, ask: int, time: int) -> bool:
        return (
            bid <= self.bid_falls
            or bid >= self.bid_rises
            or ask <= self.ask_falls
            or ask >= self.ask_rises
            or time >= self.time
        )

    def read(self, event: Event, standing: List[Event], is_ambiguous: bool) -> None:
        """`standing` are the events that may have set the price before this one, the likely one first."""
        if not self.reading and event.time >= self.time:
            self._begin_reading(standing)
        if is_ambiguous and len(self.variants) * 2 <= MAX_VARIANTS:
            certain, uncertain = event, _changed(event, partial=True)
            others = [copy_of(signal) for signal in self.variants if signal.active]
            for signal in others:
                signal.read(uncertain)
            for signal in self.variants:
                if signal.active:
                    signal.read(certain)
            self.variants += others
        else:
            for signal in self.variants:
                if signal.active:
                    signal.read(event)
        self.done = not any(signal.active for signal in self.variants)
        self.update()

    def _begin_reading(self, standing: List[Event]) -> None:
        """From here on the signal keeps the prices itself, to know the last one before its deadline."""
        self.reading = True
        seen = [event for event in standing if event.seq > self.first_seq]
        others = [copy_of(signal) for signal in self.variants for _ in seen[1:]]
        for signal in self.variants:
            if seen:
                signal.prices.append((seen[0].time, seen[0].price_after, seen[0]))
        for index, signal in enumerate(others):
            event = seen[1 + index % max(1, len(seen) - 1)]
            signal.prices.append((event.time, event.price_after, event))
        self.variants += others


class TapeCheck:
    """Signals of one instrument, all with the same digits. What ticks up to `judged_until` decided must be in the log."""

    def __init__(self, signals: Sequence[RecordedSignal], findings: Findings, judged_until: int = -1) -> None:
        self.findings = findings
        self.confirmed = 0
        self.ticks = 0
        self._instrument: Instrument = signals[0].instrument
        self._scale = 10**self._instrument.digits
        cases = [_Case(signal, judged_until) for signal in signals]
        self._starts = sorted(cases, key=lambda case: case.first_seq)
        self._ends = sorted(cases, key=lambda case: case.last_seq)
        self._named: Dict[int, List[_Case]] = {}
        for case in cases:
            for seq in case.unmatched:
                self._named.setdefault(seq, []).append(case)
        self._start = self._end = 0
        self._waiting: List[_Case] = []
        self._eager: List[_Case] = []
        self._near = [-INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY]
        self._quote: Optional[Tuple[Decimal, Decimal]] = None
        self._spread = 0
        self._standing: List[Any] = []
        self._standing_time: Optional[int] = None
        self._until = -1
        self._traded = -1
        self._last = -1

    def read(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Takes ticks in order of seq."""
        for line in lines:
            seq, time = line["seq"], line["time"]
            self._last = seq
            self.ticks += 1
            if self._end < len(self._ends) and self._ends[self._end].last_seq < seq:
                self._end_before(seq, time)
            named = self._named.get(seq)
            if named:
                self._match(named, line)
            if self._start < len(self._starts) and self._starts[self._start].first_seq < seq:
                self._start_before(seq)
            if "bid" in line:
                self._read_quote(line, seq, time)
            elif "open" in line:
                self._read_bar(line)
            else:
                self._traded = max(self._traded, time)
                if named:
                    self._read_trade(line)

    def finish(self) -> None:
        """Call it after the last tick."""
        self._end_before(INFINITY, None)

    def _event(self, kind: str, line: Mapping[str, Any]) -> Event:
        fields = {name: Decimal(repr(value)) if isinstance(value, float) else value for name, value in line.items()}
        event = Event({"source": "", **fields, "type": kind}, self._instrument)
        event.judges = True
        event.spread = self._spread
        event.standing_time = self._standing_time
        return event

    def _read_quote(self, line: Mapping[str, Any], seq: int, time: int) -> None:
        bid, ask = round(line["bid"] * self._scale), round(line["ask"] * self._scale)
        near = self._near
        touched = bid <= near[0] or bid >= near[1] or ask <= near[2] or ask >= near[3] or time >= near[4]
        if touched or self._eager:
            event = self._event("quote", line)
            event.price_after = (event.bid, event.ask)
            self._judge(event, [case for case in self._waiting if case.is_touched(bid, ask, time)] if touched else [])
            self._standing = [event]
        else:
            self._standing = [line]
        self._spread = ask - bid
        self._standing_time = time
        self._until = max(self._until, time)
        self._traded = -1

    def _read_trade(self, line: Mapping[str, Any]) -> None:
        """A record names it: it was missed, and judges every signal (T1)."""
        event = self._event("trade", line)
        event.price_after = trade_price(event)
        self._judge(event, list(self._waiting))
        # After a restart, a missed trade is no longer the standing price (R4).
        self._standing = [event, *self._standing[:1]]
        self._standing_time = event.time
        self._until = max(self._until, event.time)

    def _read_bar(self, line: Mapping[str, Any]) -> None:
        event = self._event("bar", line)
        last = event.time + MINUTE - 1
        if self._standing_time is None or last > self._standing_time:  # B9
            event.price_after = (event.close, event.close + event.spread)
        ambiguous = not event.partial and (self._traded >= event.time or self._until >= event.time)
        self._judge(event, list(self._waiting), ambiguous)
        if event.price_after:
            self._standing = [event, *(self._standing[:1] if self._traded >= last else [])]
            self._standing_time = last
            self._until = max(self._until, last)

    def _standing_events(self) -> List[Event]:
        events: List[Event] = []
        for standing in self._standing:
            if isinstance(standing, Event):
                events.append(standing)
            else:  # A quote that touched nothing; only its line was kept.
                event = self._event("quote", standing)
                event.price_after = (event.bid, event.ask)
                events.append(event)
        return events

    def _judge(self, event: Event, waiting: List[_Case], ambiguous: bool = False) -> None:
        standing = self._standing_events()
        touched = [*waiting, *self._eager]
        for case in touched:
            if not case.done and event.seq > case.first_seq:
                case.read(event, standing, ambiguous)
        if touched:
            self._sort([*self._waiting, *self._eager])

    def _sort(self, cases: Iterable[_Case]) -> None:
        self._waiting, self._eager = [], []
        seen: Set[int] = set()
        near = [-INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY]
        for case in cases:
            if case.done or id(case) in seen:
                continue
            seen.add(id(case))
            if case.is_eager:
                self._eager.append(case)
                continue
            self._waiting.append(case)
            near[0] = max(near[0], case.bid_falls)
            near[1] = min(near[1], case.bid_rises)
            near[2] = max(near[2], case.ask_falls)
            near[3] = min(near[3], case.ask_rises)
            near[4] = min(near[4], case.time)
        self._near = near

    def _start_before(self, seq: int) -> None:
        started = []
        while self._start < len(self._starts) and self._starts[self._start].first_seq < seq:
            started.append(self._starts[self._start])
            self._start += 1
        self._sort([*self._waiting, *self._eager, *started])

    def _end_before(self, seq: float, next_time: Optional[int]) -> None:
        ended = False
        while self._end < len(self._ends) and self._ends[self._end].last_seq < seq:
            self._finish(self._ends[self._end], next_time)
            self._end += 1
            ended = True
        if ended:
            self._sort([*self._waiting, *self._eager])

    def _finish(self, case: _Case, next_time: Optional[int]) -> None:
        """All ticks that could judge it have been read."""
        recorded, closed = case.recorded, case.recorded.closed
        faults = 0
        if case.active and any(seq > self._last for seq in case.unmatched):  # The ticks end before its records.
            case.done = True
            return
        for left in case.unmatched.values():
            for evidence in left:
                faults += 1
                self._fault(case, "not_on_tape", f"{_described(evidence)} is not on the tape")
        if closed and not recorded.is_closed_by_event:
            if not case.reading:
                case._begin_reading(self._standing_events())
            for signal in case.variants:
                if signal.active:
                    signal.close_at_deadline(clock(closed["decided_seq"]))
            deadline = time_of(recorded.published["deadline" if recorded.filled else "entry_deadline"])
            in_time = time_of(closed["at"]) >= deadline + GRACE or (next_time is not None and next_time >= deadline + GRACE)
            if not in_time:
                faults += 1
                message = "its deadline had not passed: neither by a tick nor by the time of its record"
                self._fault(case, "tape_decides", message)
        if faults == 0:
            found = [recorded.differences(signal) for signal in case.variants]
            fewest = min(found, key=len)
            for _, message in fewest:
                faults += 1
                self._fault(case, "tape_decides", f"by the tape, {message}")
        case.done = True
        if faults == 0 and closed:
            self.confirmed += 1

    def _match(self, cases: Sequence[_Case], line: Mapping[str, Any]) -> None:
        for case in cases:
            for evidence in case.unmatched.pop(line["seq"], []):
                if not self._is_same(evidence, line):
                    self._fault(case, "not_on_tape", f"{_described(evidence)} differs on the tape: {dict(line)}")

    def _is_same(self, evidence: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
        if time_of(evidence["time"]) != line["time"]:
            return False
        kind = "quote" if "bid" in line else "bar" if "open" in line else "trade"
        if evidence["kind"] != kind:
            return False
        if kind != "quote" and event_of(evidence, self._instrument).spread != self._spread:
            return False
        if kind != "bar" and line.get("source") != evidence["source"]:  # Bars have no source.
            return False
        names = {"quote": ("bid", "ask"), "trade": ("price", "side"), "bar": ("open", "high", "low", "close")}[kind]
        return all(evidence[name] == line[name] for name in names)

    def _fault(self, case: _Case, code: str, message: str) -> None:
        record = case.recorded.closed or case.recorded.published
        self.findings.add(record["n"], record["signal"], code, message)


def _changed(event: Event, partial: bool) -> Event:
    other = Event.__new__(Event)
    other.__dict__.update(event.__dict__)
    other.partial = partial
    return other


def _described(evidence: Mapping[str, Any]) -> str:
    return f"the {evidence['kind']} {evidence['seq']} of {evidence['time']}"
