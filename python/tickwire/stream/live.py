"""Streams to loop over: `async for` on an event loop, or `for` with a thread of the client behind it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Deque,
    Generic,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
)

from .. import models
from ..loop_thread import LoopThread
from ..rest.request import RestSession, StreamPosition
from .events import Gap, Message, StreamEvent, StreamState
from .options import DEFAULT_BUFFER, DEFAULT_HEARTBEAT, Delivery, Overflow, StreamOptions, Symbols, resolve
from .runner import StreamRunner
from .shared import SharedConnections
from .websocket import connect

M = TypeVar("M")
OnGap = Callable[[Gap], None]
OnRejected = Callable[[List[Mapping[str, Any]]], None]
OnNotice = Callable[[Mapping[str, Any]], None]
SignalMessage = Union[
    models.SignalPublished, models.SignalFilled, models.SignalExited, models.SignalAmended, models.SignalClosed
]
"""A message of a stream of signals; all but publications need `fills`, `changes` or `closes`."""
NewsMessage = Union[models.NewsPublished, models.NewsRevised]
"""A message of a stream of headlines."""
PerpetualMessage = Union[models.PerpetualFigures, models.PerpetualLiquidation]
"""A message of a stream of perpetuals; `type` tells them apart."""

BATCH = 256
"""Most events that leave the queue at a time."""


class AsyncLiveStream(Generic[M]):
    """A stream to loop over. It reconnects and resumes by itself, and can be looped over only once.

    The loop ends when the stream is closed, and raises a TickwireError if the service ended it. Leave it with `async with`, or
    call `close`.

    Example:
        >>> async with client.live.ticks("EURUSD") as ticks:
        ...     async for tick in ticks:
        ...         print(tick["bid"])
    """

    def __init__(self, runner: StreamRunner) -> None:
        self._runner = runner
        self._ready: Deque[Any] = deque()

    @property
    def state(self) -> StreamState:
        """`connecting`, `live`, `stale` or `closed`."""
        return self._runner.state.state

    @property
    def symbols(self) -> Tuple[str, ...]:
        """The subscribed symbols, in upper case."""
        return self._runner.symbols

    @property
    def position(self) -> Optional[StreamPosition]:
        """The position up to which everything was received. Pass it as `start` to continue there in another process, once the loop
        has read everything (`waiting` is 0). None if it is not known, or if the stream cannot resume."""
        return self._runner.tracker.position if self._runner.tracker else None

    @property
    def waiting(self) -> int:
        """Number of events that wait for your loop."""
        return self._runner.waiting + len(self._ready)

    def set_symbols(self, symbols: Symbols) -> None:
        """Replaces the subscribed symbols while the loop runs.

        Example:
            >>> ticks.set_symbols(["EURUSD", "XAUUSD"])
        """
        self._runner.set_symbols(symbols)

    async def close(self) -> None:
        """Closes the stream. The loop ends after it has read the waiting events."""
        self._runner.close()

    async def next_event(self) -> Optional[StreamEvent[M]]:
        """The next message, gap or change of state; None at the end. Raises a TickwireError if the service ended the stream."""
        if not self._ready:
            self._ready.extend(await self._runner.take(min(BATCH, self._runner.options.buffer)))
        if self._ready:
            return cast("StreamEvent[M]", self._ready.popleft())
        if self._runner.error:
            raise self._runner.error
        return None

    async def events(self) -> AsyncIterator[StreamEvent[M]]:
        """Messages, gaps and changes of state, in order. Leaving the loop closes the stream.

        Example:
            >>> async for event in ticks.events():
            ...     if event.type == "gap":
            ...         print("missing:", event.symbols)
        """
        try:
            while True:
                event = await self.next_event()
                if event is None:
                    return
                yield event
        finally:
            self._runner.close()

    def release(self) -> StreamRunner:
        """Hands the stream over to a synchronous program."""
        runner = self._runner
        del self._runner
        return runner

    def __aiter__(self) -> "AsyncLiveStream[M]":
        return self

    async def __anext__(self) -> M:
        while True:
            event: Optional[StreamEvent[M]] = self._ready.popleft() if self._ready else await self.next_event()
            if event is None:
                raise StopAsyncIteration
            if isinstance(event, Message):
                return event.message

    async def __aenter__(self) -> "AsyncLiveStream[M]":
        self._runner.start()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __del__(self) -> None:
        # The task of the stream does not refer to this object: a stream that nobody reads any more is closed.
        runner = getattr(self, "_runner", None)
        loop = runner._loop if runner else None
        if runner and loop and not loop.is_closed() and runner.state.state != "closed":
            try:
                loop.call_soon_threadsafe(runner.close)
            except RuntimeError:
                pass


class LiveStream(Generic[M]):
    """A stream to loop over. It reconnects and resumes by itself, and can be looped over only once.

    The loop ends when the stream is closed, and raises a TickwireError if the service ended it. Callbacks are called on the thread
    of the client and must not call the client.

    Example:
        >>> with client.live.ticks("EURUSD") as ticks:
        ...     for tick in ticks:
        ...         print(tick["bid"])
    """

    def __init__(self, runner: StreamRunner, thread: LoopThread) -> None:
        self._runner = runner
        self._thread = thread
        self._ready: Deque[Any] = deque()
        thread.run(_start(runner))

    @property
    def state(self) -> StreamState:
        """`connecting`, `live`, `stale` or `closed`."""
        return self._runner.state.state

    @property
    def symbols(self) -> Tuple[str, ...]:
        """The subscribed symbols, in upper case."""
        return self._runner.symbols

    @property
    def position(self) -> Optional[StreamPosition]:
        """The position up to which everything was received. Pass it as `start` to continue there in another process, once the loop
        has read everything (`waiting` is 0). None if it is not known, or if the stream cannot resume."""
        return self._runner.tracker.position if self._runner.tracker else None

    @property
    def waiting(self) -> int:
        """Number of events that wait for your loop."""
        return self._runner.waiting + len(self._ready)

    def set_symbols(self, symbols: Symbols) -> None:
        """Replaces the subscribed symbols while the loop runs.

        Example:
            >>> ticks.set_symbols(["EURUSD", "XAUUSD"])
        """
        self._thread.run(_call(self._runner.set_symbols, symbols))

    def close(self) -> None:
        """Closes the stream. The loop ends after it has read the waiting events."""
        self._thread.call_soon(self._runner.close)

    def next_event(self, timeout: Optional[float] = None) -> Optional[StreamEvent[M]]:
        """The next message, gap or change of state; None at the end. Raises a TickwireError if the service ended the stream.

        `timeout` is in seconds (default: none). Raises a TimeoutError if nothing happens within it.

        Example:
            >>> event = ticks.next_event(timeout=5)
        """
        if not self._ready:
            taken = self._thread.run(_take(self._runner, self._ready, timeout))
            if taken is False:
                raise TimeoutError(f"nothing happened within {timeout:g} s")
        if self._ready:
            return cast("StreamEvent[M]", self._ready.popleft())
        if self._runner.error:
            raise self._runner.error
        return None

    def events(self) -> Iterator[StreamEvent[M]]:
        """Messages, gaps and changes of state, in order. Leaving the loop closes the stream.

        Example:
            >>> for event in ticks.events():
            ...     if event.type == "gap":
            ...         print("missing:", event.symbols)
        """
        try:
            while True:
                event = self.next_event()
                if event is None:
                    return
                yield event
        finally:
            self.close()

    def __iter__(self) -> "LiveStream[M]":
        return self

    def __next__(self) -> M:
        while True:
            event = self.next_event()
            if event is None:
                raise StopIteration
            if isinstance(event, Message):
                return event.message

    def __enter__(self) -> "LiveStream[M]":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_thread") and self._runner.state.state != "closed":
            self.close()


async def _start(runner: StreamRunner) -> None:
    runner.start()


async def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


async def _take(runner: StreamRunner, target: Deque[Any], timeout: Optional[float]) -> bool:
    """Puts the next events into `target` itself, so that an interrupted caller loses none. False if the time is over."""
    task = asyncio.ensure_future(runner.take(min(BATCH, runner.options.buffer)))
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
    finally:
        if task.done() and not task.cancelled():
            target.extend(task.result())
        else:
            task.cancel()
    return bool(done)


class StreamOpener:
    """Creates the runners of a client."""

    def __init__(self, session: RestSession) -> None:
        self._session = session
        base = session.base.replace("http", "ws", 1)
        self._connections = SharedConnections(base, connect, session.handshake_headers, session.ssl_context)

    def runner(self, options: StreamOptions) -> StreamRunner:
        """A stream that has not been started."""
        return StreamRunner(self._session.api_key, options, self._connections.open)


def _tick_options(
    kind: str,
    symbols: Symbols,
    max_rate: Optional[float],
    delivery: Optional[Delivery],
    ms: bool,
    seq: bool,
    resume: bool,
    start: Optional[StreamPosition],
    heartbeat: int,
    buffer: int,
    overflow: Optional[Overflow],
    on_gap: Optional[OnGap],
    on_rejected: Optional[OnRejected],
    on_notice: Optional[OnNotice],
    lockstep: bool,
) -> StreamOptions:
    return resolve(
        kind,
        symbols,
        flags={"max_rate": max_rate, "delivery": delivery, "ms": ms},
        seq=seq,
        resume=resume,
        start=start,
        heartbeat=heartbeat,
        buffer=buffer,
        overflow=overflow,
        on_gap=on_gap,
        on_rejected=on_rejected,
        on_notice=on_notice,
        lockstep=lockstep,
    )


class AsyncLive:
    """Streams to loop over, available as `client.live`. Streams of a client share a connection if they have different symbols,
    kinds or timeframes; each connection counts as one of the streams that the tier allows.

    Options of every stream: `symbols` (one code, several, or `"*"`), `seq` (show `seq`, `prev` and `epoch` in messages; default
    False), `heartbeat` (seconds between heartbeats, 1 to 60; default 5; after one more second of silence the stream is `stale`),
    `buffer` (events that may wait for your loop; default 10,000), and the callbacks `on_gap`, `on_rejected` (symbols that the service
    rejected; without it they end the stream) and `on_notice` (every notice of the service).

    `resume` (default True): continue where the stream was after a reconnect. `start`: the position to begin after. `overflow`: if
    the buffer is full, `"wait"` disconnects until half of it is read and then resumes, `"latest"` keeps the newest message of each
    symbol after a gap. Default `"wait"`; `"latest"` with `max_rate` or `resume=False`, because these cannot resume. Perpetual
    data, signals, news and alerts are never dropped. `ms` adds `time_ms`, the time in milliseconds, to messages of market data (default False).

    `lockstep` (default False), in a replay: the clock stands still while your loop handles the messages of a time. It goes on when the
    loop asks for more, and the loop ends with the range. The stream has a connection of its own, and no limit of its buffer.
    """

    def __init__(self, opener: StreamOpener) -> None:
        self._opener = opener

    def _open(self, options: StreamOptions) -> Any:
        return AsyncLiveStream(self._opener.runner(options))

    def ticks(
        self,
        symbols: Symbols,
        *,
        max_rate: Optional[float] = None,
        delivery: Optional[Delivery] = None,
        ms: bool = False,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        overflow: Optional[Overflow] = None,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
        lockstep: bool = False,
    ) -> AsyncLiveStream[models.MarketTick]:
        """Every change of bid and ask. The last known tick of each symbol comes first, with volume 0.

        `max_rate` is the most messages per second and symbol, 0.1 to 1,000; volumes in between are added up. `delivery="latest"`:
        while the connection is behind, only the newest message of each symbol.

        Example:
            >>> async for tick in client.live.ticks(["EURUSD", "XAUUSD"]):
            ...     print(tick["symbol"], tick["bid"], tick["ask"])
        """
        stream: AsyncLiveStream[models.MarketTick] = self._open(
            _tick_options(
                "market",
                symbols,
                max_rate,
                delivery,
                ms,
                seq,
                resume,
                start,
                heartbeat,
                buffer,
                overflow,
                on_gap,
                on_rejected,
                on_notice,
                lockstep,
            )
        )
        return stream

    def order_flow(
        self,
        symbols: Symbols,
        *,
        max_rate: Optional[float] = None,
        delivery: Optional[Delivery] = None,
        ms: bool = False,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        overflow: Optional[Overflow] = None,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
        lockstep: bool = False,
    ) -> AsyncLiveStream[models.OrderFlowTick]:
        """Traded volume at the bid and at the ask, with delta, cumulative delta and absorption.

        Example:
            >>> async for flow in client.live.order_flow("BTCUSD"):
            ...     print(flow["delta"])
        """
        stream: AsyncLiveStream[models.OrderFlowTick] = self._open(
            _tick_options(
                "orderflow",
                symbols,
                max_rate,
                delivery,
                ms,
                seq,
                resume,
                start,
                heartbeat,
                buffer,
                overflow,
                on_gap,
                on_rejected,
                on_notice,
                lockstep,
            )
        )
        return stream

    def bars(
        self,
        symbols: Symbols,
        timeframe: models.Timeframe,
        *,
        indicators: Optional[Sequence[str]] = None,
        max_rate: Optional[float] = None,
        ms: bool = False,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        overflow: Optional[Overflow] = None,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
        lockstep: bool = False,
    ) -> AsyncLiveStream[models.BarMessage]:
        """Bars while they form, up to five times a second, and once more when they have closed. `timeframe` is `1m`, `5m`, `15m`,
        `1h`, `4h` or `1d`. `indicators` adds the values of up to 20 indicators to each bar, such as `["rsi(14)"]`; such a stream cannot
        resume.

        Example:
            >>> async for bar in client.live.bars("EURUSD", "1m"):
            ...     print(bar["close"], bar["closed"])
        """
        options = resolve(
            "bars",
            symbols,
            flags={
                "channel": "bars",
                "timeframe": timeframe,
                "indicators": None if indicators is None else list(indicators),
                "max_rate": max_rate,
                "ms": ms,
            },
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=overflow,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
            lockstep=lockstep,
        )
        stream: AsyncLiveStream[models.BarMessage] = self._open(options)
        return stream

    def footprints(
        self,
        symbols: Symbols,
        timeframe: models.FootprintTimeframe,
        *,
        max_rate: Optional[float] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        overflow: Optional[Overflow] = None,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
        lockstep: bool = False,
    ) -> AsyncLiveStream[models.FootprintMessage]:
        """Volume at price of bars while they form, up to twice a second, and once more when they have closed. Cannot resume: after a
        reconnect there is a gap.

        Example:
            >>> async for bar in client.live.footprints("BTCUSD", "5m"):
            ...     print(bar["poc"], len(bar["levels"]))
        """
        options = resolve(
            "footprint",
            symbols,
            flags={"channel": "footprint", "timeframe": timeframe, "max_rate": max_rate},
            seq=False,
            resume=False,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=overflow,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
            lockstep=lockstep,
        )
        stream: AsyncLiveStream[models.FootprintMessage] = self._open(options)
        return stream

    def perpetuals(
        self,
        symbols: Symbols = "*",
        *,
        ms: bool = False,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
    ) -> AsyncLiveStream[PerpetualMessage]:
        """Perpetuals: mark price, funding and open interest, at most once a second, and liquidations; `type` tells them apart. The
        current figures of each symbol come first.

        Example:
            >>> async for update in client.live.perpetuals("BTCUSDT.P"):
            ...     print(update["type"], update["symbol"])
        """
        options = resolve(
            "perpetual",
            symbols,
            flags={"ms": ms},
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=None,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        stream: AsyncLiveStream[PerpetualMessage] = self._open(options)
        return stream

    def signals(
        self,
        symbols: Symbols = "*",
        *,
        closes: bool = False,
        fills: bool = False,
        changes: bool = False,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
    ) -> AsyncLiveStream[SignalMessage]:
        """Signals as they are published. With `fills=True` also fills, with `changes=True` partial exits and tighter stops, with
        `closes=True` closings. Resumes across restarts of the service.

        Example:
            >>> async for signal in client.live.signals(closes=True):
            ...     print(signal["id"], signal.get("pnl_r"))
        """
        options = resolve(
            "signals",
            symbols,
            flags={"closes": closes, "fills": fills, "changes": changes},
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=None,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        stream: AsyncLiveStream[SignalMessage] = self._open(options)
        return stream

    def news(
        self,
        symbols: Symbols = "*",
        *,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
        lockstep: bool = False,
    ) -> AsyncLiveStream[NewsMessage]:
        """Headlines as they are published, and their revisions.

        Example:
            >>> async for item in client.live.news("XAUUSD"):
            ...     print(item["title"], item["sentiment"])
        """
        options = resolve(
            "news",
            symbols,
            flags={},
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=None,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
            lockstep=lockstep,
        )
        stream: AsyncLiveStream[NewsMessage] = self._open(options)
        return stream

    def alerts(
        self,
        symbols: Symbols = "*",
        *,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
    ) -> AsyncLiveStream[models.AlertFired]:
        """Firings of the account's alerts and subscriptions. After a lost connection they resume, so that none is missed; `id` is the
        same as in the list of firings and in every delivery.

        Example:
            >>> async for firing in client.live.alerts():
            ...     print(firing["title"], firing["price"], firing["late"])
        """
        options = resolve(
            "alerts",
            symbols,
            flags={},
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=None,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        stream: AsyncLiveStream[models.AlertFired] = self._open(options)
        return stream
