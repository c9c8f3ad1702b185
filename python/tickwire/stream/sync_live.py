"""Streams for synchronous programs. The methods are those of `AsyncLive`.

Generated from `live.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

from typing import Optional, Sequence

from .. import models
from ..loop_thread import LoopThread
from ..rest.request import StreamPosition
from .live import AsyncLive, LiveStream, NewsMessage, OnGap, OnNotice, OnRejected, PerpetualMessage, SignalMessage
from .options import DEFAULT_BUFFER, DEFAULT_HEARTBEAT, Delivery, Overflow, Symbols


class Live:
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

    def __init__(self, inner: AsyncLive, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

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
    ) -> LiveStream[models.MarketTick]:
        """Every change of bid and ask. The last known tick of each symbol comes first, with volume 0.

        `max_rate` is the most messages per second and symbol, 0.1 to 1,000; volumes in between are added up. `delivery="latest"`:
        while the connection is behind, only the newest message of each symbol.

        Example:
            >>> for tick in client.live.ticks(["EURUSD", "XAUUSD"]):
            ...     print(tick["symbol"], tick["bid"], tick["ask"])
        """
        stream = self._inner.ticks(
            symbols,
            max_rate=max_rate,
            delivery=delivery,
            ms=ms,
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
        return LiveStream(stream.release(), self._thread)

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
    ) -> LiveStream[models.OrderFlowTick]:
        """Traded volume at the bid and at the ask, with delta, cumulative delta and absorption.

        Example:
            >>> for flow in client.live.order_flow("BTCUSD"):
            ...     print(flow["delta"])
        """
        stream = self._inner.order_flow(
            symbols,
            max_rate=max_rate,
            delivery=delivery,
            ms=ms,
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
        return LiveStream(stream.release(), self._thread)

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
    ) -> LiveStream[models.BarMessage]:
        """Bars while they form, up to five times a second, and once more when they have closed. `timeframe` is `1m`, `5m`, `15m`,
        `1h`, `4h` or `1d`. `indicators` adds the values of up to 20 indicators to each bar, such as `["rsi(14)"]`; such a stream cannot
        resume.

        Example:
            >>> for bar in client.live.bars("EURUSD", "1m"):
            ...     print(bar["close"], bar["closed"])
        """
        stream = self._inner.bars(
            symbols,
            timeframe,
            indicators=indicators,
            max_rate=max_rate,
            ms=ms,
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
        return LiveStream(stream.release(), self._thread)

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
    ) -> LiveStream[models.FootprintMessage]:
        """Volume at price of bars while they form, up to twice a second, and once more when they have closed. Cannot resume: after a
        reconnect there is a gap.

        Example:
            >>> for bar in client.live.footprints("BTCUSD", "5m"):
            ...     print(bar["poc"], len(bar["levels"]))
        """
        stream = self._inner.footprints(
            symbols,
            timeframe,
            max_rate=max_rate,
            heartbeat=heartbeat,
            buffer=buffer,
            overflow=overflow,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
            lockstep=lockstep,
        )
        return LiveStream(stream.release(), self._thread)

    def perpetuals(
        self,
        symbols: Symbols = '*',
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
    ) -> LiveStream[PerpetualMessage]:
        """Perpetuals: mark price, funding and open interest, at most once a second, and liquidations; `type` tells them apart. The
        current figures of each symbol come first.

        Example:
            >>> for update in client.live.perpetuals("BTCUSDT.P"):
            ...     print(update["type"], update["symbol"])
        """
        stream = self._inner.perpetuals(
            symbols,
            ms=ms,
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        return LiveStream(stream.release(), self._thread)

    def signals(
        self,
        symbols: Symbols = '*',
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
    ) -> LiveStream[SignalMessage]:
        """Signals as they are published. With `fills=True` also fills, with `changes=True` partial exits and tighter stops, with
        `closes=True` closings. Resumes across restarts of the service.

        Example:
            >>> for signal in client.live.signals(closes=True):
            ...     print(signal["id"], signal.get("pnl_r"))
        """
        stream = self._inner.signals(
            symbols,
            closes=closes,
            fills=fills,
            changes=changes,
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        return LiveStream(stream.release(), self._thread)

    def news(
        self,
        symbols: Symbols = '*',
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
    ) -> LiveStream[NewsMessage]:
        """Headlines as they are published, and their revisions.

        Example:
            >>> for item in client.live.news("XAUUSD"):
            ...     print(item["title"], item["sentiment"])
        """
        stream = self._inner.news(
            symbols,
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
            lockstep=lockstep,
        )
        return LiveStream(stream.release(), self._thread)

    def alerts(
        self,
        symbols: Symbols = '*',
        *,
        seq: bool = False,
        resume: bool = True,
        start: Optional[StreamPosition] = None,
        heartbeat: int = DEFAULT_HEARTBEAT,
        buffer: int = DEFAULT_BUFFER,
        on_gap: Optional[OnGap] = None,
        on_rejected: Optional[OnRejected] = None,
        on_notice: Optional[OnNotice] = None,
    ) -> LiveStream[models.AlertFired]:
        """Firings of the account's alerts and subscriptions. After a lost connection they resume, so that none is missed; `id` is the
        same as in the list of firings and in every delivery.

        Example:
            >>> for firing in client.live.alerts():
            ...     print(firing["title"], firing["price"], firing["late"])
        """
        stream = self._inner.alerts(
            symbols,
            seq=seq,
            resume=resume,
            start=start,
            heartbeat=heartbeat,
            buffer=buffer,
            on_gap=on_gap,
            on_rejected=on_rejected,
            on_notice=on_notice,
        )
        return LiveStream(stream.release(), self._thread)
