"""History, then live, as one sequence without a gap or an overlap: REST pages first, then the stream from the position of the last
page. If the stream loses messages, what happened since then is fetched again.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, cast

from ..errors import UnexpectedResponseError
from ..frames import milliseconds
from ..models import HistoryQuote, OhlcvBar, Timeframe
from ..rest.request import Instant, RestSession, StreamPosition, part
from ..signing.signer import iso_time
from ..symbols import plain_symbol
from .derived import AMENDABLE_SECONDS, STREAMED, DerivedBars
from .events import Gap

PAGE = 10_000
PRICES = ("open", "high", "low", "close", "volume")
KEPT_BARS = 1_000
"""More than the bars that can still change."""
LATE_MS = 600_000
"""A page is ordered by the time of its ticks, which may be late by some minutes."""
KEPT_TICKS = 20_000
"""Ticks that are remembered, so that one of them is known before a gap."""
ATTEMPTS = 20
ATTEMPT_SECONDS = 0.25


@dataclass(frozen=True)
class FollowedBar:
    """A bar of `follow_bars`. It replaces an earlier one of the same time."""

    type: Literal["history", "live"]
    """Tells bars and gaps apart."""
    symbol: str
    """Instrument code."""
    bar: OhlcvBar
    """The bar, a dictionary as in `bars`: `time` (its start, ISO 8601), `open`, `high`, `low`, `close` and `volume`."""
    closed: Optional[bool]
    """False while a live bar is forming, True when it has closed; None for history, whose newest bar may still be forming."""


@dataclass(frozen=True)
class FollowedTick:
    """A tick of `follow_ticks`."""

    type: Literal["history", "live"]
    """Tells ticks and gaps apart."""
    tick: HistoryQuote
    """The tick, a dictionary as in `ticks`: `time` (ISO 8601), `bid` and `ask`. Live ticks have the fields of the stream as well."""


Page = Tuple[Any, StreamPosition]


async def page_with_position(session: RestSession, path: str, query: Mapping[str, Any]) -> Page:
    """A page and its position. A gateway that restores its data states none for a moment."""
    for _ in range(ATTEMPTS):
        body, info = await session.get_with_info(path, query, None, True)
        if info.position:
            return body, info.position
        await asyncio.sleep(ATTEMPT_SECONDS)
    detail = f"The responses of {path} state no stream position; the service or a proxy hides Stream-Epoch and Stream-Seq"
    raise UnexpectedResponseError("unexpected_response", detail)


async def follow_bars(
    session: RestSession,
    open_stream: Callable[[Timeframe, StreamPosition], Any],
    symbol: str,
    interval: str,
    from_: Optional[Instant],
    limit: int,
) -> AsyncIterator[Union[FollowedBar, Gap]]:
    """See `AsyncTickwireClient.follow_bars`."""
    path = f"/api/bars/{part(symbol)}"
    sent = _SentBars(symbol)
    streamed = next((name for name in STREAMED if name == interval), None)
    derived = None if streamed else DerivedBars(interval)
    timeframe: Timeframe = streamed or cast(DerivedBars, derived).part

    async def fetch(**query: Any) -> Page:
        return await page_with_position(session, path, {"interval": interval, **query})

    def amendable() -> int:
        """From here on, bars can still change."""
        since = (sent.newest or int(time.time())) - AMENDABLE_SECONDS
        return derived.start_of(since) if derived else max(0, since - STREAMED[timeframe])

    async def recent() -> AsyncIterator[Tuple[List[FollowedBar], StreamPosition]]:
        """Everything that can still change, in streamed bars."""
        query = {"interval": timeframe, "from": amendable(), "limit": PAGE}
        page: Any = {"next": None}
        while True:
            page, at = await fetch(**query, cursor=page["next"])
            items = [{**bar, "time": milliseconds(bar["time"]) // 1_000} for bar in page["items"]]
            yield list(sent.changed(derived.add(items) if derived else items)), at
            if page["next"] is None:
                return

    body, position = await fetch(limit=limit) if from_ is None else await fetch(**{"from": from_, "limit": PAGE})
    for bar in sent.changed(body["items"]):
        yield bar
    while from_ is not None and body["next"] is not None:
        body, position = await fetch(**{"from": from_, "limit": PAGE, "cursor": body["next"]})
        for bar in sent.changed(body["items"]):
            yield bar
        if body["next"] is None and not derived:
            # Bars of earlier pages may have been amended since; one answer has all that can still change.
            body, position = await fetch(**{"from": amendable(), "limit": PAGE})
            for bar in sent.changed(body["items"]):
                yield bar
    if derived:
        async for bars, position in recent():
            for bar in bars:
                yield bar
    stream = open_stream(timeframe, position)
    try:
        async for event in stream.events():
            if event.type == "message":
                message = event.message
                if _is_known(message, position):
                    continue
                for changed, closed in derived.add_live(message) if derived else [(message, message["closed"])]:
                    sent.note(changed)
                    yield _bar("live", symbol, changed, changed["time"], closed)
            elif event.type == "gap":
                yield event
                # What the stream has sent meanwhile is older than this answer, and skipped.
                async for bars, position in recent():
                    for bar in bars:
                        yield bar
    finally:
        await stream.close()


async def follow_ticks(
    session: RestSession,
    open_stream: Callable[[StreamPosition], Any],
    symbol: str,
    from_: Optional[Instant],
    limit: int,
) -> AsyncIterator[Union[FollowedTick, Gap]]:
    """See `AsyncTickwireClient.follow_ticks`."""
    path = f"/api/ticks/{part(symbol)}"
    known = _KnownTicks()

    async def pages(start: Optional[Instant], size: int) -> AsyncIterator[List[Mapping[str, Any]]]:
        """Pages from the first one on. All ticks up to its position are on them; the stream repeats later ones."""
        query: Dict[str, Any] = {"kind": "quotes", "from": start, "fields": "seq", "limit": size}
        body, known.position = await page_with_position(session, path, query)
        yield body["items"]
        while start is not None and body["next"] is not None:
            body, _ = await page_with_position(session, path, {**query, "cursor": body["next"]})
            yield body["items"]

    async def recover(gap: Gap) -> AsyncIterator[Union[FollowedTick, Gap]]:
        """What the stream has lost, after the last tick before it. The gap itself only if the tape no longer has that tick."""
        last = None if gap.reason == "feed" else known.before(gap.from_seq)
        if last is None:
            yield gap
            return
        seq, time = last
        held: Optional[List[Mapping[str, Any]]] = []
        async for ticks in pages(max(0, time - LATE_MS), PAGE):
            if held is not None:
                held = ticks = [*held, *ticks]
                found = any(tick["seq"] == seq for tick in ticks)
                if not found and ticks and milliseconds(ticks[-1]["time"]) <= time:
                    continue
                held = None
                if not found:
                    yield gap
            for tick in known.missing(ticks, seq):
                yield tick
        if held is not None:
            yield gap
            for tick in known.missing(held, seq):
                yield tick

    async for ticks in pages(from_, limit if from_ is None else PAGE):
        for tick in ticks:
            known.add(tick["seq"], milliseconds(tick["time"]))
            yield FollowedTick("history", cast(HistoryQuote, tick))
    stream = open_stream(known.position)
    try:
        async for event in stream.events():
            if event.type == "message":
                if known.is_new(event.message):
                    time = iso_time(event.message["time_ms"])
                    yield FollowedTick("live", cast(HistoryQuote, {**event.message, "time": time}))
            elif event.type == "gap":
                async for found in recover(event):
                    yield found
    finally:
        await stream.close()


class _KnownTicks:
    """The newest ticks that were yielded. `seq` grows over restarts of the service, too."""

    def __init__(self) -> None:
        self.position = StreamPosition("", 0)
        """Everything up to here was on a page."""
        self._times: "OrderedDict[int, int]" = OrderedDict()

    def add(self, seq: int, time: int) -> bool:
        """Returns False if the tick is known. `time` is in milliseconds."""
        if seq in self._times:
            return False
        self._times[seq] = time
        if len(self._times) > KEPT_TICKS:
            self._times.popitem(last=False)
        return True

    def missing(self, ticks: List[Mapping[str, Any]], after: int) -> Iterator[FollowedTick]:
        """The ticks of a page after a position that were not yielded yet."""
        for tick in ticks:
            if tick["seq"] > after and self.add(tick["seq"], milliseconds(tick["time"])):
                yield FollowedTick("history", cast(HistoryQuote, tick))

    def is_new(self, message: Mapping[str, Any]) -> bool:
        """Whether a tick of the stream was not on a page."""
        if _is_known(message, self.position):
            return False
        return "seq" not in message or self.add(message["seq"], message.get("time_ms", message["time"] * 1_000))

    def before(self, seq: Optional[int]) -> Optional[Tuple[int, int]]:
        """`seq` and time of the last tick before one; None: the last of all."""
        last = max((each for each in self._times if seq is None or each < seq), default=None)
        return None if last is None else (last, self._times[last])


def _is_known(message: Mapping[str, Any], position: StreamPosition) -> bool:
    """Messages up to the position are included in the answer."""
    return message.get("epoch") == position.epoch and message.get("seq", position.seq + 1) <= position.seq


def _bar(
    kind: Literal["history", "live"], symbol: str, bar: Mapping[str, Any], time: int, closed: Optional[bool]
) -> FollowedBar:
    row = {"time": iso_time(time * 1_000), **{name: bar[name] for name in PRICES}}
    return FollowedBar(kind, plain_symbol(symbol), cast(OhlcvBar, row), closed)


class _SentBars:
    """Remembers the newest bars that were yielded, so that only changes are yielded again."""

    def __init__(self, symbol: str) -> None:
        self.newest = 0
        self._symbol = symbol
        self._sent: "OrderedDict[int, List[float]]" = OrderedDict()

    def changed(self, bars: Sequence[Mapping[str, Any]]) -> Iterator[FollowedBar]:
        """The bars of a page that are new or have changed."""
        for bar in bars:
            time = milliseconds(bar["time"]) // 1_000
            if self.note({**bar, "time": time}):
                yield _bar("history", self._symbol, bar, time, None)

    def note(self, bar: Mapping[str, Any]) -> bool:
        """Returns whether the bar is new or has changed."""
        values = [bar[name] for name in PRICES]
        time = bar["time"]
        if self._sent.get(time) == values:
            return False
        self._sent[time] = values
        if time > self.newest:
            self.newest = time
            while len(self._sent) > KEPT_BARS:
                self._sent.popitem(last=False)
        return True
