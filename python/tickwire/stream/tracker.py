"""Tracks the numbers (`seq`) of received messages, so that a stream can resume, drop duplicates and report every gap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from ..frames import milliseconds
from ..rest.request import StreamPosition
from .events import Gap, gap_from_notice

MAX_SYMBOLS = 1_000
"""Most symbols in one subscribe message."""
MAX_BATCHES = 8
"""Most subscribe messages on a new connection; the service limits the rate of messages."""
NO_SYMBOL = ""
"""Key of headlines and firings, which belong to no single symbol: their `prev` counts per subscription."""


@dataclass
class Batch:
    """Symbols that were subscribed in one message. Messages of one batch arrive in the order of their numbers, so one position
    covers the whole batch; messages of two batches can overtake each other while one is being replayed."""

    symbols: Set[str]
    epoch: str = ""
    seq: Optional[int] = None
    """Everything up to this number was received; None until the service has sent its position."""


@dataclass
class _Missing:
    symbols: Set[str] = field(default_factory=set)
    from_seq: Optional[int] = None
    to_seq: int = 0


class SequenceTracker:
    """`by_symbol`: messages are numbered per symbol; otherwise per subscription, as for news and alerts."""

    def __init__(self, by_symbol: bool, on_gap: Callable[[Gap], None]) -> None:
        self._by_symbol = by_symbol
        self._on_gap = on_gap
        self._batches: List[Batch] = []
        self._batch_of: Dict[str, Batch] = {}
        self._last: Dict[str, Tuple[int, Mapping[str, Any]]] = {}
        self._epoch = ""
        self._missed_while_slow: Optional[_Missing] = None

    def add(self, symbols: Sequence[str], position: Optional[StreamPosition] = None) -> List[Dict[str, Any]]:
        """The subscribe messages for new symbols; with a position, from there on."""
        parts = [list(symbols[start : start + MAX_SYMBOLS]) for start in range(0, len(symbols), MAX_SYMBOLS)]
        if not self._by_symbol and self._batches:
            self._batches[0].symbols.update(symbols)
        else:
            epoch, seq = (position.epoch, position.seq) if position else ("", None)
            self._set([*self._batches, *(Batch(set(part), epoch, seq) for part in parts)])
        start = {} if position is None else {"resume_from": {"epoch": position.epoch, "seq": position.seq}}
        return [{"symbols": part, **start} for part in parts]

    def remove(self, symbols: Iterable[str]) -> None:
        """Symbols that were unsubscribed."""
        for symbol in symbols:
            self._last.pop(symbol, None)
            for batch in self._batches:
                batch.symbols.discard(symbol)
        self._set([batch for batch in self._batches if batch.symbols])

    def clear(self) -> None:
        """All symbols were unsubscribed."""
        self._set([])
        self._last.clear()

    def resume(self) -> List[Dict[str, Any]]:
        """The subscribe messages for a new connection."""
        self._report_missed()
        self._merge()
        requests: List[Dict[str, Any]] = []
        for batch in self._batches:
            request: Dict[str, Any] = {"symbols": sorted(batch.symbols)}
            if batch.seq is not None:
                request["resume_from"] = {"epoch": batch.epoch, "seq": batch.seq}
            requests.append(request)
        return requests

    @property
    def positioned(self) -> bool:
        """Whether every symbol has a position to resume from."""
        return all(batch.seq is not None for batch in self._batches)

    @property
    def position(self) -> Optional[StreamPosition]:
        """The position up to which everything was received; None if it is unknown, or if batches are in different epochs."""
        known = [batch for batch in self._batches if batch.seq is not None]
        if not known or len(known) < len(self._batches) or len({batch.epoch for batch in known}) > 1:
            return None
        return StreamPosition(known[0].epoch, min(batch.seq or 0 for batch in known))

    def on_subscribed(self, notice: Mapping[str, Any]) -> None:
        """The response to a subscription. New symbols start at the position of the service."""
        epoch, seq = notice.get("epoch"), notice.get("seq")
        if epoch is not None:
            self._epoch = epoch
            if seq is not None:
                self._initialise(epoch, seq)

    def on_slow(self) -> None:
        """The service now sends only the latest values."""
        self._missed_while_slow = self._missed_while_slow or _Missing()

    def on_heartbeat(self, notice: Mapping[str, Any]) -> None:
        """A heartbeat is only sent to connections that are not behind."""
        self._report_missed()
        if notice.get("epoch") is not None and notice.get("seq") is not None:
            self._initialise(notice["epoch"], notice["seq"])

    def on_position(self, position: Mapping[str, Any]) -> None:
        """The service states that everything up to this position was sent."""
        for batch in self._batches:
            batch.epoch, batch.seq = position["epoch"], position["seq"]

    def on_gap_notice(self, notice: Mapping[str, Any]) -> None:
        """The service declares a gap."""
        symbols = list(notice.get("symbols", ()))
        if notice.get("reason") != "resume":
            missed = None
            if notice.get("reason") == "slow":
                missed, self._missed_while_slow = self._missed_while_slow, None
            # A connection that was slow for a moment may have lost nothing.
            if notice.get("dropped") != 0 or (missed and missed.symbols):
                self._on_gap(gap_from_notice(notice, self._since(symbols)))
            return
        batch = self._batch(symbols[0] if symbols else "*")
        gap = gap_from_notice(notice, self._since(symbols))
        for symbol in symbols if self._by_symbol else [NO_SYMBOL]:
            self._last.pop(symbol, None)
        if "*" in symbols:
            self._last.clear()
        if batch:  # Without `to_seq` the service does not know the position we asked to resume from.
            batch.epoch, batch.seq = self._epoch, notice.get("to_seq")
        self._on_gap(gap)

    def accept(self, message: Mapping[str, Any]) -> bool:
        """Records a message and reports a gap before it. Returns False for a duplicate."""
        seq = message.get("seq")
        if seq is None:
            return True
        symbol = message.get("symbol", NO_SYMBOL) if self._by_symbol else NO_SYMBOL
        last = self._last.get(symbol)
        if last and seq <= last[0]:
            return False
        batch = self._batch(symbol)
        if batch is None:  # One of the last messages of a symbol that was just removed.
            return True
        if batch.seq is None or seq > batch.seq:
            batch.seq = seq
        batch.epoch = message.get("epoch", batch.epoch)
        self._last[symbol] = (seq, message)
        prev = message.get("prev", 0)
        if last and prev > last[0]:
            self._miss(symbol, last, last[0] + 1, prev)
        return True

    def _batch(self, symbol: str) -> Optional[Batch]:
        if not self._by_symbol:
            return self._batches[0] if self._batches else None
        return self._batch_of.get(symbol) or self._batch_of.get("*")

    def _set(self, batches: List[Batch]) -> None:
        self._batches = batches
        self._batch_of = {symbol: batch for batch in batches for symbol in batch.symbols}

    def _initialise(self, epoch: str, seq: int) -> None:
        for batch in self._batches:
            if batch.seq is None:
                batch.epoch, batch.seq = epoch, seq

    def _merge(self) -> None:
        """Merges the batches that are furthest behind; duplicates that this causes are dropped on arrival."""
        rest = sorted(self._batches, key=lambda batch: -1 if batch.seq is None else batch.seq)
        done: List[Batch] = []
        while len(done) + len(rest) > MAX_BATCHES and len(rest) > 1:
            first, second = rest[0], rest[1]
            rest = rest[2:]
            fits = len(first.symbols) + len(second.symbols) <= MAX_SYMBOLS
            if fits and first.epoch == second.epoch and (first.seq is None) == (second.seq is None):
                rest.insert(0, Batch(first.symbols | second.symbols, first.epoch, first.seq))
            else:
                done.append(first)
                rest.insert(0, second)
        self._set([*done, *rest])

    def _miss(self, symbol: str, last: Tuple[int, Mapping[str, Any]], from_seq: int, to_seq: int) -> None:
        missed = self._missed_while_slow
        if missed is None:
            since = _time_of(last[1])
            self._on_gap(Gap("undeclared", (symbol or "*",), from_seq, to_seq, None, since))
            return
        missed.symbols.add(symbol)
        missed.from_seq = from_seq if missed.from_seq is None else min(missed.from_seq, from_seq)
        missed.to_seq = max(missed.to_seq, to_seq)

    def _report_missed(self) -> None:
        """Reports what was missed while slow, if the connection recovered or ended without a gap notice."""
        missed, self._missed_while_slow = self._missed_while_slow, None
        if missed and missed.symbols:
            symbols = tuple(sorted(missed.symbols))
            self._on_gap(Gap("slow", symbols, missed.from_seq, missed.to_seq, None, self._since(symbols)))

    def _since(self, symbols: Iterable[str]) -> Optional[int]:
        """Unix seconds of the oldest last message among these symbols."""
        named = list(symbols) if self._by_symbol else [NO_SYMBOL]
        keys = list(self._last) if "*" in named else named
        times = [_time_of(self._last[key][1]) for key in keys if key in self._last]
        known = [time for time in times if time is not None]
        return min(known) if known else None


def _time_of(message: Mapping[str, Any]) -> Optional[int]:
    if "time" in message:
        return milliseconds(message["time"]) // 1_000
    return milliseconds(message["timestamp"]) // 1_000 if "timestamp" in message else None
