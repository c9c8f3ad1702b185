"""History, then live, as one sequence without a gap or an overlap: REST pages first, then the stream from the position of the last
page. If the stream loses messages, what happened since then is fetched again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple, Union

from ..errors import UnexpectedResponseError
from ..frames import milliseconds
from ..rest.request import Instant, RestSession, StreamPosition, part
from .events import Gap

PAGE = 10_000
AMENDABLE_SECONDS = 660
"""Bars of the last ten minutes can still be amended by late ticks; one more minute for the end of the bar."""
KEPT_BARS = 1_000
"""More than the bars that can still change."""
ATTEMPTS = 20
ATTEMPT_SECONDS = 0.25
UNITS = {"m": 60, "h": 3_600, "d": 86_400}


@dataclass(frozen=True)
class FollowedBar:
    """A bar of `follow_bars`. It replaces an earlier one of the same time."""

    type: str
    """`history` or `live`; tells bars and gaps apart."""
    symbol: str
    """Instrument code."""
    time: int
    """Start of the bar, Unix time in seconds."""
    open: float
    """First price."""
    high: float
    """Highest price."""
    low: float
    """Lowest price."""
    close: float
    """Last price."""
    volume: float
    """Traded volume."""
    closed: Optional[bool]
    """False while a live bar is forming, True when it has closed; None for history, whose newest bar may still be forming."""


@dataclass(frozen=True)
class FollowedTick:
    """A tick of `follow_ticks`."""

    type: str
    """`history` or `live`; tells ticks and gaps apart."""
    tick: Mapping[str, Any]
    """The tick, as `/api/ticks` or the stream has it."""


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
    open_stream: Callable[[StreamPosition], Any],
    symbol: str,
    timeframe: str,
    from_: Optional[Instant],
    limit: int,
) -> AsyncIterator[Union[FollowedBar, Gap]]:
    """See `AsyncTickwireClient.follow_bars`."""
    path = f"/api/bars/{part(symbol)}"
    sent = _SentBars(symbol)

    async def fetch(**query: Any) -> Page:
        return await page_with_position(session, path, {"interval": timeframe, **query})

    def amendable() -> int:
        """From here on, bars can still change."""
        return max(0, sent.newest - AMENDABLE_SECONDS - int(timeframe[:-1]) * UNITS[timeframe[-1]])

    body, position = await fetch(limit=limit) if from_ is None else await fetch(**{"from": from_, "limit": PAGE})
    for bar in sent.changed(body["items"]):
        yield bar
    while from_ is not None and body["next"] is not None:
        body, position = await fetch(**{"from": from_, "limit": PAGE, "cursor": body["next"]})
        for bar in sent.changed(body["items"]):
            yield bar
        if body["next"] is None:
            # Bars of earlier pages may have been amended since; one answer has all that can still change.
            body, position = await fetch(**{"from": amendable(), "limit": PAGE})
            for bar in sent.changed(body["items"]):
                yield bar
    stream = open_stream(position)
    try:
        async for event in stream.events():
            if event.type == "message":
                message = event.message
                if _is_known(message, position):
                    continue
                sent.note(message)
                yield _bar("live", symbol, message, message["time"], message["closed"])
            elif event.type == "gap":
                yield event
                # What the stream has sent meanwhile is older than this answer, and skipped.
                cursor: Optional[str] = None
                start = amendable()
                while True:
                    body, position = await fetch(**{"from": start, "limit": PAGE, "cursor": cursor})
                    for bar in sent.changed(body["items"]):
                        yield bar
                    cursor = body["next"]
                    if cursor is None:
                        break
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
    query: Dict[str, Any] = {"kind": "quotes", "from": from_, "fields": "seq", "limit": limit if from_ is None else PAGE}
    # All ticks up to the first position are on the pages. Later ones are on later pages or in the stream, which repeats those.
    body, position = await page_with_position(session, path, query)
    repeated: Set[int] = set()
    while True:
        for tick in body["items"]:
            if tick["seq"] > position.seq:
                repeated.add(tick["seq"])
            yield FollowedTick("history", tick)
        if body["next"] is None or from_ is None:
            break
        body, _ = await page_with_position(session, path, {**query, "cursor": body["next"]})
    stream = open_stream(position)
    try:
        async for event in stream.events():
            if event.type == "message":
                seq = event.message.get("seq")
                if seq in repeated and event.message.get("epoch") == position.epoch:
                    repeated.discard(seq)
                elif not _is_known(event.message, position):
                    yield FollowedTick("live", event.message)
            elif event.type == "gap":
                yield event
    finally:
        await stream.close()


def _is_known(message: Mapping[str, Any], position: StreamPosition) -> bool:
    """Messages up to the position are included in the answer."""
    return message.get("epoch") == position.epoch and message.get("seq", position.seq + 1) <= position.seq


def _bar(kind: str, symbol: str, bar: Mapping[str, Any], time: int, closed: Optional[bool]) -> FollowedBar:
    prices = (bar["open"], bar["high"], bar["low"], bar["close"], bar["volume"])
    return FollowedBar(kind, symbol.upper(), time, *prices, closed)


class _SentBars:
    """Remembers the newest bars that were yielded, so that only changes are yielded again."""

    def __init__(self, symbol: str) -> None:
        self.newest = 0
        self._symbol = symbol
        self._sent: "OrderedDict[int, List[float]]" = OrderedDict()

    def changed(self, bars: List[Mapping[str, Any]]) -> Iterator[FollowedBar]:
        """The bars of a page that are new or have changed."""
        for bar in bars:
            time = milliseconds(bar["time"]) // 1_000
            if self.note({**bar, "time": time}):
                yield _bar("history", self._symbol, bar, time, None)

    def note(self, bar: Mapping[str, Any]) -> bool:
        """Returns whether the bar is new or has changed."""
        values = [bar[name] for name in ("open", "high", "low", "close", "volume")]
        time = bar["time"]
        if self._sent.get(time) == values:
            return False
        self._sent[time] = values
        if time > self.newest:
            self.newest = time
            while len(self._sent) > KEPT_BARS:
                self._sent.popitem(last=False)
        return True
