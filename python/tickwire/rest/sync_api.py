"""The synchronous classes. Each method runs the asynchronous one of the same name on the thread of the client.

Generated from `api.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Union

from .. import models
from ..loop_thread import LoopThread
from ..signing.signer import Signer
from .api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncLinksApi, AsyncRestApi, AsyncUdfApi
from .evidence import Evidence
from .request import Instant


class RestApi:
    """Market data, signals, news, AI, usage and health."""

    def __init__(self, inner: AsyncRestApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def symbols(
        self,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.InstrumentList:
        """All instruments with their contract specification. With `detail=True`, also digits, currencies and trading hours.

        Example:
            >>> [item["symbol"] for item in client.symbols()["items"]]
        """
        return self._thread.run(self._inner.symbols(detail=detail, timeout=timeout, retry=retry))

    def market(
        self,
        symbol: str,
        *,
        timeframe: Optional[str] = None,
        bars: Optional[int] = None,
        before: Optional[Instant] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.MarketResponse:
        """Bars of one instrument in ascending order, and its current quote.

        `timeframe` is `1m`, `5m`, `15m`, `1h`, `4h` or `1d` (default `1h`), `bars` 1 to 500 (default 100). `detail=True` adds the
        volumes at the bid and at the ask.

        Example:
            >>> client.market("XAUUSD", timeframe="5m", bars=50)["ohlcv"][-1]["close"]
        """
        return self._thread.run(
            self._inner.market(
                symbol,
                timeframe=timeframe,
                bars=bars,
                before=before,
                from_=from_,
                to=to,
                detail=detail,
                timeout=timeout,
                retry=retry,
            )
        )

    def quote(
        self,
        symbol: str,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SymbolQuote:
        """The current bid and ask of one instrument.

        Example:
            >>> client.quote("EURUSD")["bid"]
        """
        return self._thread.run(self._inner.quote(symbol, detail=detail, timeout=timeout, retry=retry))

    def quotes(
        self,
        symbols: Optional[Sequence[str]] = None,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.QuoteList:
        """The current bid and ask of up to 200 named instruments, or of all. With `symbols` or `detail=True`, `rejected` lists
        the symbols that do not exist.

        Example:
            >>> client.quotes(["EURUSD", "XAUUSD"])["items"]
        """
        return self._thread.run(self._inner.quotes(symbols, detail=detail, timeout=timeout, retry=retry))

    def overview(
        self,
        symbols: Optional[Sequence[str]] = None,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Overview:
        """Open, high, low and change of the UTC day, and the line of the last 24 hours, of up to 200 named instruments, or of all.

        Example:
            >>> [item["change_percent"] for item in client.overview(["EURUSD", "XAUUSD"])["items"]]
        """
        return self._thread.run(self._inner.overview(symbols, timeout=timeout, retry=retry))

    def bars(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.BarsPage:
        """Bars of any interval, one page: the newest, or from a time on.

        `interval` is any number of minutes up to a day (`7m`, `90m`, `2h`), `1d`, `1w` or `1M` (default `1h`). `align` says when
        a day starts: `utc`, `ny` (17:00 in New York) or an IANA zone (default `utc`). `limit` is at most 10,000 (default 500).
        `cursor` is `next` of the page before. `fields` adds fields such as `vwap` and `delta` to each bar.

        Example:
            >>> client.bars("EURUSD", interval="1d", align="ny", limit=5)["items"]
        """
        return self._thread.run(
            self._inner.bars(
                symbol,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                cursor=cursor,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def iterate_bars(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        fields: Optional[Sequence[str]] = None,
        page_size: int = 5000,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Iterator[models.OhlcvBar]:
        """All bars of a range, page by page: ascending from `from_` on, or, without it, from the newest back to the oldest.

        `page_size` is the number of bars per request, 1 to 10,000 (default 5,000).

        Example:
            >>> for bar in client.iterate_bars("EURUSD", interval="1m", from_="2026-03-02"):
            ...     print(bar["time"], bar["close"])
        """
        return self._thread.iterate(
            self._inner.iterate_bars(
                symbol,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                fields=fields,
                page_size=page_size,
                timeout=timeout,
                retry=retry,
            )
        )

    def several_bars(
        self,
        symbols: Sequence[str],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.BarsPages:
        """Bars of several instruments, one page each. The options are those of `bars`.

        Example:
            >>> [page["symbol"] for page in client.several_bars(["EURUSD", "XAUUSD"], interval="1d")["items"]]
        """
        return self._thread.run(
            self._inner.several_bars(
                symbols,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def bars_frame(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Any:
        """Bars as a pandas DataFrame with the UTC time as its index, ascending. Needs pandas. One request, whatever the range.

        With `from_`, all bars of the range, or the first `limit` of them. Without it, the newest `limit` bars (default 500).

        Example:
            >>> client.bars_frame("EURUSD", interval="1m", from_="2026-03-02").close.rolling(20).mean()
        """
        return self._thread.run(
            self._inner.bars_frame(
                symbol,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def bars_table(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Any:
        """Bars as a pyarrow Table, ascending, read from Parquet. Needs pyarrow. The range is that of `bars_frame`.

        Example:
            >>> client.bars_table("EURUSD", interval="1h", limit=100).num_rows
        """
        return self._thread.run(
            self._inner.bars_table(
                symbol,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def download_bars(
        self,
        symbol: str,
        path: Union[str, 'os.PathLike[str]'],
        *,
        format: str = 'csv',
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> int:
        """Downloads bars into a file and returns its size in bytes. `format` is `csv`, `parquet` or `ndjson` (default `csv`).

        The file covers the whole range unless `limit` is given. It appears under its name only when it is complete.

        Example:
            >>> client.download_bars("EURUSD", "eurusd.parquet", format="parquet", interval="1m", from_="2026-01-01")
        """
        return self._thread.run(
            self._inner.download_bars(
                symbol,
                path,
                format=format,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def ticks(
        self,
        symbol: str,
        *,
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.TicksPage:
        """Quotes or trades of one instrument from the tape, one page. `kind` is `quotes` or `trades` (default `quotes`).

        Without `from_` the newest ticks, and `next` leads to older ones; with it, forward. `limit` is at most 10,000 (default 500).
        `fields` adds `seq` or `source`.

        Example:
            >>> client.ticks("BTCUSD", kind="trades", limit=10)["items"]
        """
        return self._thread.run(
            self._inner.ticks(
                symbol,
                kind=kind,
                from_=from_,
                to=to,
                limit=limit,
                cursor=cursor,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def ticks_frame(
        self,
        symbol: str,
        *,
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Any:
        """Quotes or trades as a pandas DataFrame with the UTC time as its index. Needs pandas. The range is that of `bars_frame`.

        Example:
            >>> client.ticks_frame("BTCUSD", kind="trades", limit=100).price.describe()
        """
        return self._thread.run(
            self._inner.ticks_frame(
                symbol,
                kind=kind,
                from_=from_,
                to=to,
                limit=limit,
                fields=fields,
                timeout=timeout,
                retry=retry,
            )
        )

    def iterate_ticks(
        self,
        symbol: str,
        *,
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        page_size: int = 5000,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Iterator[Union[models.HistoryQuote, models.HistoryTrade]]:
        """All ticks of a range, page by page: ascending from `from_` on, or, without it, from the newest back to the oldest.

        Example:
            >>> for trade in client.iterate_ticks("BTCUSD", kind="trades", from_="2026-03-02"):
            ...     print(trade["price"])
        """
        return self._thread.iterate(
            self._inner.iterate_ticks(
                symbol,
                kind=kind,
                from_=from_,
                to=to,
                page_size=page_size,
                timeout=timeout,
                retry=retry,
            )
        )

    def download_ticks(
        self,
        symbol: str,
        path: Union[str, 'os.PathLike[str]'],
        *,
        format: str = 'csv',
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> int:
        """Downloads ticks into a file and returns its size in bytes. `format` is `csv`, `parquet` or `ndjson` (default `csv`).

        Example:
            >>> client.download_ticks("BTCUSD", "trades.csv", kind="trades", from_="2026-03-02")
        """
        return self._thread.run(
            self._inner.download_ticks(
                symbol,
                path,
                format=format,
                kind=kind,
                from_=from_,
                to=to,
                limit=limit,
                timeout=timeout,
                retry=retry,
            )
        )

    def indicator_list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.IndicatorList:
        """Every indicator with its inputs, their defaults and ranges, its lines and its formula.

        Example:
            >>> [item["name"] for item in client.indicator_list()["items"]]
        """
        return self._thread.run(self._inner.indicator_list(timeout=timeout, retry=retry))

    def indicators(
        self,
        symbol: str,
        name: Union[str, Sequence[str]],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
        **inputs: Union[int, float, str],
    ) -> models.IndicatorAnswer:
        """Values of one or several indicators. Each value states whether it is settled: whether it had enough bars before it.

        `name` is an indicator such as `rsi`, whose inputs are further arguments such as `length`, or a list of indicators with their
        inputs in parentheses, such as `["rsi(14)", "ema(50)"]`. `limit` is the number of bars, at most 10,000 (default 100).

        Example:
            >>> client.indicators("EURUSD", "rsi", length=14, interval="5m", limit=100)["items"][-1]["value"]
        """
        return self._thread.run(
            self._inner.indicators(
                symbol,
                name,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                cursor=cursor,
                timeout=timeout,
                retry=retry,
                **inputs,
            )
        )

    def profile(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        level: Optional[float] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Profile:
        """Volume at price over a range, with the point of control and the value area. Default: the current UTC day.

        `level` is the height of a price level (default: that of the instrument).

        Example:
            >>> client.profile("BTCUSD")["poc"]
        """
        return self._thread.run(
            self._inner.profile(symbol, from_=from_, to=to, level=level, timeout=timeout, retry=retry)
        )

    def footprint(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        level: Optional[float] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FootprintPage:
        """Buy and sell volume per price level and bar. `limit` is at most 1,000 (default 100); paged like `bars`.

        Example:
            >>> client.footprint("BTCUSD", interval="5m", limit=12)["items"][-1]["delta"]
        """
        return self._thread.run(
            self._inner.footprint(
                symbol,
                interval=interval,
                align=align,
                from_=from_,
                to=to,
                limit=limit,
                cursor=cursor,
                fields=fields,
                level=level,
                timeout=timeout,
                retry=retry,
            )
        )

    def coverage(
        self,
        symbol: str,
        *,
        timeframe: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Coverage:
        """Which bars of a range are absent, and why: market closed, no trades, or missing. Default: the last day of `1h`.

        Example:
            >>> client.coverage("EURUSD", timeframe="1m")["absent"]
        """
        return self._thread.run(
            self._inner.coverage(symbol, timeframe=timeframe, from_=from_, to=to, timeout=timeout, retry=retry)
        )

    def hours(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.TradingHours:
        """Trading sessions and holidays of one instrument, at most 366 days. Default: the next seven days.

        Example:
            >>> client.hours("UK100", from_="2026-12-20", to="2027-01-05")["sessions"]
        """
        return self._thread.run(self._inner.hours(symbol, from_=from_, to=to, timeout=timeout, retry=retry))

    def position_size(
        self,
        symbol: str,
        *,
        entry: float,
        stop_loss: float,
        balance: float,
        currency: Optional[str] = None,
        risk_percent: Optional[float] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PositionSize:
        """The lots that lose `risk_percent` (default 1) of an account if the stop is hit. `currency` is that of the account
        (default `USD`).

        Example:
            >>> client.position_size("EURUSD", entry=1.084, stop_loss=1.081, balance=10_000)["lots"]
        """
        return self._thread.run(
            self._inner.position_size(
                symbol,
                entry=entry,
                stop_loss=stop_loss,
                balance=balance,
                currency=currency,
                risk_percent=risk_percent,
                timeout=timeout,
                retry=retry,
            )
        )

    def session(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionStatistics:
        """Statistics of the running service: active instruments, connected clients, uptime.

        Example:
            >>> client.session()["uptime_seconds"]
        """
        return self._thread.run(self._inner.session(timeout=timeout, retry=retry))

    def feeds(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.FeedList:
        """State of the price feeds. Needs the scope `admin`.

        Example:
            >>> client.feeds()["items"]
        """
        return self._thread.run(self._inner.feeds(timeout=timeout, retry=retry))

    def ingest_ticks(
        self,
        lines: Iterable[models.IngestLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IngestAnswer:
        """Pushes your own quotes and trades. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> client.ingest_ticks([{"symbol": "EURUSD", "time": 1772450647000, "bid": 1.084, "ask": 1.0841}])
        """
        return self._thread.run(
            self._inner.ingest_ticks(lines, idempotency_key=idempotency_key, timeout=timeout, retry=retry)
        )

    def signals(
        self,
        *,
        status: Optional[str] = None,
        symbol: Optional[str] = None,
        user: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalList:
        """Published signals, newest first. `status` is `active`, `closed` or `all` (default `active`); `before` is the id of the
        last signal you have; `limit` 1 to 500 (default 50). With `detail=True`, each has its order type, state, fill and exits.

        Example:
            >>> client.signals(status="closed", limit=20)["items"]
        """
        return self._thread.run(
            self._inner.signals(
                status=status,
                symbol=symbol,
                user=user,
                before=before,
                limit=limit,
                detail=detail,
                timeout=timeout,
                retry=retry,
            )
        )

    def signal(
        self,
        id: str,
        *,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalDetail:
        """One signal with its order type, its deadline and its records in the log. With `windows=True`, also the high-impact
        calendar events at its entry and exit.

        Example:
            >>> client.signal("sig_7k2m9q4x")["status"]
        """
        return self._thread.run(self._inner.signal(id, windows=windows, timeout=timeout, retry=retry))

    def signal_proof(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.SignalProof:
        """The log records that prove a signal.

        Example:
            >>> client.signal_proof("sig_7k2m9q4x")["published"]["hash"]
        """
        return self._thread.run(self._inner.signal_proof(id, timeout=timeout, retry=retry))

    def publish_signal(
        self,
        symbol: str,
        direction: str,
        *,
        entry: float,
        stop_loss: float,
        take_profit: Optional[float] = None,
        targets: Optional[Sequence[Mapping[str, float]]] = None,
        breakeven_after: Optional[int] = None,
        expires_at: Optional[Instant] = None,
        note: Optional[str] = None,
        signer: Optional[Signer] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublishedSignal:
        """Publishes a signal. Afterwards only its stop can be tightened. Needs the scope `publish`.

        `direction` is `buy` or `sell`. Pass `take_profit`, or up to five `targets` with `price` and `fraction`. `expires_at` is at
        most 30 days ahead. Safe to repeat: a lost response publishes no second signal. Pass your own `idempotency_key` to make it
        repeatable from another process, for 24 hours. Pass a `signer` if the account has a signing key.

        Example:
            >>> client.publish_signal("EURUSD", "buy", entry=1.084, stop_loss=1.081, take_profit=1.09)
        """
        return self._thread.run(
            self._inner.publish_signal(
                symbol,
                direction,
                entry=entry,
                stop_loss=stop_loss,
                take_profit=take_profit,
                targets=targets,
                breakeven_after=breakeven_after,
                expires_at=expires_at,
                note=note,
                signer=signer,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def amend_signal(
        self,
        id: str,
        *,
        stop_loss: float,
        signer: Optional[Signer] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalDetail:
        """Tightens the stop of one of your own signals: raises it for a buy, lowers it for a sell.

        Example:
            >>> client.amend_signal("sig_7k2m9q4x", stop_loss=1.0825)["current_stop_loss"]
        """
        return self._thread.run(
            self._inner.amend_signal(
                id,
                stop_loss=stop_loss,
                signer=signer,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def close_signal(
        self,
        id: str,
        *,
        signer: Optional[Signer] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Union[models.ClosedSignal, models.ClosingSignal]:
        """Requests to close one of your own signals, or to withdraw it if its entry is pending. The next quote does it; if none
        comes within 5 seconds, the result is the active signal with `close_requested_at`.

        Example:
            >>> client.close_signal("sig_7k2m9q4x")["status"]
        """
        return self._thread.run(
            self._inner.close_signal(id, signer=signer, idempotency_key=idempotency_key, timeout=timeout, retry=retry)
        )

    def trading_view_hook(
        self,
        token: str,
        alert: models.TradingViewAlert,
        *,
        timeout: Optional[float] = None,
    ) -> models.PublishedSignal:
        """Publishes a signal the way a TradingView alert does. The token is a key with the scope `hook`.

        Example:
            >>> client.trading_view_hook("tw_…", {"symbol": "FX:EURUSD", "direction": "long", "entry": "1.084",
            ...                                         "stop_loss": "1.081", "take_profit": "1.09"})
        """
        return self._thread.run(self._inner.trading_view_hook(token, alert, timeout=timeout))

    def signal_log(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.LogPage:
        """A page of the signal log. Pass its `next` as `after` to get the following page. `limit` is at most 1,000.

        Example:
            >>> client.signal_log(after=-1, limit=500)["items"][0]["record"]["type"]
        """
        return self._thread.run(self._inner.signal_log(after=after, limit=limit, timeout=timeout, retry=retry))

    def iterate_log(
        self,
        *,
        after: int = -1,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Iterator[models.LogEntry]:
        """All records of the signal log with a number above `after` (default −1: from the first one on).

        Example:
            >>> for entry in client.iterate_log():
            ...     print(entry["record"]["n"], entry["hash"])
        """
        return self._thread.iterate(self._inner.iterate_log(after=after, timeout=timeout, retry=retry))

    def signal_head(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.LogHead:
        """Number and hash of the last log record, signed.

        Example:
            >>> client.signal_head()["n"]
        """
        return self._thread.run(self._inner.signal_head(timeout=timeout, retry=retry))

    def signal_heads(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.KeptHeadPage:
        """A page of the heads that the service keeps, with the time stamps of outside authorities. `limit` is at most 1,000
        (default 100).

        Example:
            >>> client.signal_heads(after=-1)["items"]
        """
        return self._thread.run(self._inner.signal_heads(after=after, limit=limit, timeout=timeout, retry=retry))

    def evidence(
        self,
        day: str,
        symbol: str,
        *,
        after: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> Evidence:
        """The ticks of one instrument on one UTC day, as they arrive. With `after`, those of the tape with a greater `seq`.

        Example:
            >>> for line in client.evidence("2026-03-02", "XAUUSD"):
            ...     print(line["seq"])
        """
        inner = self._thread.run(self._inner.evidence(day, symbol, after=after, timeout=timeout, retry=retry))
        return Evidence(inner, self._thread)

    def publishers(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        symbol: Optional[str] = None,
        period: Optional[int] = None,
        min_decisions: Optional[int] = None,
        max_drawdown: Optional[float] = None,
        status: Optional[Sequence[str]] = None,
        sort: Optional[str] = None,
        order: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherList:
        """Publishers with their track records, the best first. `limit` is 1 to 200 (default 50), `period` 30, 90 or 365 days.

        Example:
            >>> client.publishers(status=["ranked"], limit=10)["items"]
        """
        return self._thread.run(
            self._inner.publishers(
                limit=limit,
                offset=offset,
                symbol=symbol,
                period=period,
                min_decisions=min_decisions,
                max_drawdown=max_drawdown,
                status=status,
                sort=sort,
                order=order,
                timeout=timeout,
                retry=retry,
            )
        )

    def publisher(
        self,
        name: str,
        *,
        risk: Optional[float] = None,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """The track record of one publisher, by display name or id. `risk` is the percent of the account at risk on each decision
        (default 1), for `months`. With `windows=True`, also the results near high-impact calendar events, and without them.

        Example:
            >>> client.publisher("House Trend")["total_r"]
        """
        return self._thread.run(self._inner.publisher(name, risk=risk, windows=windows, timeout=timeout, retry=retry))

    def publisher_signals(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """All signals of a publisher as CSV, newest first.

        Example:
            >>> client.publisher_signals("House Trend").splitlines()[0]
        """
        return self._thread.run(self._inner.publisher_signals(name, timeout=timeout, retry=retry))

    def publisher_equity(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """The complete equity curve of a publisher as CSV, in order of closing.

        Example:
            >>> client.publisher_equity("House Trend").splitlines()[0]
        """
        return self._thread.run(self._inner.publisher_equity(name, timeout=timeout, retry=retry))

    def publisher_followers(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FollowerResults:
        """What followers of a publisher would have had 1, 5 and 30 seconds later, over the newest closed signals.

        Example:
            >>> client.publisher_followers("House Trend")["delays"]
        """
        return self._thread.run(self._inner.publisher_followers(name, limit=limit, timeout=timeout, retry=retry))

    def public_publisher(
        self,
        name: str,
        *,
        risk: Optional[float] = None,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """The track record of one publisher without a key. Available if the operator has turned on public records.

        Example:
            >>> client.public_publisher("House Trend")["status"]
        """
        return self._thread.run(
            self._inner.public_publisher(name, risk=risk, windows=windows, timeout=timeout, retry=retry)
        )

    def public_records(
        self,
        name: str,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublicRecordPage:
        """The log records of a publisher's signals without a key, newest signal first. To page back, pass `next` as `before`.

        Example:
            >>> client.public_records("House Trend", limit=50)["items"]
        """
        return self._thread.run(
            self._inner.public_records(name, before=before, limit=limit, timeout=timeout, retry=retry)
        )

    def news(
        self,
        *,
        category: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[str] = None,
        since: Optional[Instant] = None,
        before: Optional[Instant] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        detail: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsList:
        """Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`. `limit` is 1 to 200
        (default 20). With `detail=True`, each has its id, source, symbols and revision.

        Example:
            >>> client.news(symbol="XAUUSD", detail=True)["items"][0]["title"]
        """
        return self._thread.run(
            self._inner.news(
                category=category,
                symbol=symbol,
                since=since,
                before=before,
                from_=from_,
                to=to,
                detail=detail,
                limit=limit,
                timeout=timeout,
                retry=retry,
            )
        )

    def news_item(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsItemDetail:
        """One headline with all its fields, and the prices of its instruments at its publication and up to four hours later.

        Example:
            >>> client.news_item("news_4d9s2v7b")["market"]
        """
        return self._thread.run(self._inner.news_item(id, timeout=timeout, retry=retry))

    def news_sentiment(
        self,
        *,
        period: Optional[str] = None,
        category: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsSentiment:
        """Headlines of the last `day` (default), `week` or `month` counted by label, with their average score from −1 to 1.

        Example:
            >>> client.news_sentiment(period="week")["items"]
        """
        return self._thread.run(
            self._inner.news_sentiment(period=period, category=category, symbol=symbol, timeout=timeout, retry=retry)
        )

    def news_calibration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsCalibration:
        """How the market moved after headlines, by model, category and label.

        Example:
            >>> client.news_calibration()["items"]
        """
        return self._thread.run(self._inner.news_calibration(timeout=timeout, retry=retry))

    def news_sources(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsSourceList:
        """State of the news sources. Needs the scope `admin`.

        Example:
            >>> client.news_sources()["items"]
        """
        return self._thread.run(self._inner.news_sources(timeout=timeout, retry=retry))

    def ingest_news(
        self,
        lines: Iterable[models.NewsLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsIngestAnswer:
        """Pushes your own headlines. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> client.ingest_news([{"title": "Gold rises to a record", "category": "gold"}])
        """
        return self._thread.run(
            self._inner.ingest_news(lines, idempotency_key=idempotency_key, timeout=timeout, retry=retry)
        )

    def calendar(
        self,
        *,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        country: Optional[Union[str, Sequence[str]]] = None,
        impact: Optional[Union[str, Sequence[str]]] = None,
        symbol: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarPage:
        """Calendar events by ascending time, at most 366 days: by default from one day ago to seven days ahead. To get the next
        page, pass `next` as `cursor`. `limit` is 1 to 1,000 (default 200).

        Example:
            >>> client.calendar(impact="high", symbol="EURUSD")["items"]
        """
        return self._thread.run(
            self._inner.calendar(
                from_=from_,
                to=to,
                country=country,
                impact=impact,
                symbol=symbol,
                limit=limit,
                cursor=cursor,
                timeout=timeout,
                retry=retry,
            )
        )

    def event_window(
        self,
        symbol: str,
        *,
        before: Optional[int] = None,
        after: Optional[int] = None,
        impact: Optional[Union[str, Sequence[str]]] = None,
        at: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.EventWindow:
        """Whether a time (default: now) is inside the window of a calendar event that affects an instrument, which events these
        are, and the next one. `before` and `after` are minutes (default 2).

        Example:
            >>> client.event_window("EURUSD", before=5, after=5)["inside"]
        """
        return self._thread.run(
            self._inner.event_window(
                symbol,
                before=before,
                after=after,
                impact=impact,
                at=at,
                timeout=timeout,
                retry=retry,
            )
        )

    def calendar_sources(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.CalendarSourceList:
        """State of the calendar sources. Needs the scope `admin`.

        Example:
            >>> client.calendar_sources()["items"]
        """
        return self._thread.run(self._inner.calendar_sources(timeout=timeout, retry=retry))

    def ingest_calendar(
        self,
        lines: Iterable[models.CalendarLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarIngestAnswer:
        """Pushes your own calendar events. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> client.ingest_calendar([{"title": "CPI", "country": "US", "time": "2026-03-11T12:30:00Z"}])
        """
        return self._thread.run(
            self._inner.ingest_calendar(lines, idempotency_key=idempotency_key, timeout=timeout, retry=retry)
        )

    def alerts(
        self,
        *,
        symbol: Optional[str] = None,
        state: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AlertList:
        """The alerts of the account, newest first. `state` is `active`, `paused`, `done` or `expired` (default: all).

        Example:
            >>> client.alerts(state="active")["items"]
        """
        return self._thread.run(self._inner.alerts(symbol=symbol, state=state, timeout=timeout, retry=retry))

    def create_alert(
        self,
        symbol: Optional[str],
        condition: Mapping[str, Any],
        *,
        repeat: Optional[str] = None,
        interval: Optional[str] = None,
        cooldown_seconds: Optional[int] = None,
        expires_at: Optional[Instant] = None,
        deliver: Optional[Sequence[Mapping[str, Any]]] = None,
        note: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedAlert:
        """Creates an alert. A level that is already beyond the price does not fire until it is crossed.

        `symbol` may be None for headlines, signals and calendar events. `repeat` is `once`, `once_per_bar` or `every_time` (default
        `once`), `interval` the bar of `once_per_bar`, `cooldown_seconds` the time after a firing without another one. The signing
        secret of a new webhook is only in this response, in `created_destinations`. Safe to repeat: a lost response creates no
        second alert.

        Example:
            >>> hook = {"channel": "webhook", "url": "https://hooks.example.com/tickwire"}
            >>> client.create_alert("EURUSD", {"type": "price", "cross": "above", "level": 1.2}, deliver=[hook])
        """
        return self._thread.run(
            self._inner.create_alert(
                symbol,
                condition,
                repeat=repeat,
                interval=interval,
                cooldown_seconds=cooldown_seconds,
                expires_at=expires_at,
                deliver=deliver,
                note=note,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """One alert.

        Example:
            >>> client.alert("alr_5d7e8f603f9c2a1b")["state"]
        """
        return self._thread.run(self._inner.alert(id, timeout=timeout, retry=retry))

    def change_alert(
        self,
        id: str,
        change: Mapping[str, Any],
        *,
        timeout: Optional[float] = None,
    ) -> models.CreatedAlert:
        """Changes the given fields of an alert (`models.AlertChange`). A new condition starts anew; an alert that is done or expired
        becomes active. The request is never repeated.

        Example:
            >>> client.change_alert("alr_5d7e8f603f9c2a1b", {"note": "Sell half", "expires_at": None})
        """
        return self._thread.run(self._inner.change_alert(id, change, timeout=timeout))

    def delete_alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """Deletes an alert. Messages that were written before are still delivered; its firings stay in the list.

        Example:
            >>> client.delete_alert("alr_5d7e8f603f9c2a1b")
        """
        return self._thread.run(self._inner.delete_alert(id, timeout=timeout, retry=retry))

    def pause_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Pauses an alert: it does not fire until it is resumed.

        Example:
            >>> client.pause_alert("alr_5d7e8f603f9c2a1b")
        """
        return self._thread.run(self._inner.pause_alert(id, timeout=timeout))

    def resume_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Resumes an alert. It starts anew: what happened during the pause does not fire it.

        Example:
            >>> client.resume_alert("alr_5d7e8f603f9c2a1b")
        """
        return self._thread.run(self._inner.resume_alert(id, timeout=timeout))

    def test_alert(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Sends a test message to each destination of an alert. It does not count as a firing.

        Example:
            >>> client.test_alert("alr_5d7e8f603f9c2a1b")["deliveries"]
        """
        return self._thread.run(self._inner.test_alert(id, timeout=timeout))

    def firings(
        self,
        *,
        alert: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FiringList:
        """What fired, newest first, of alerts and subscriptions. To page back, pass the id of the last item as `before`. `limit` is at
        most 200 (default 50). Firings are kept for 90 days.

        Example:
            >>> [firing["title"] for firing in client.firings(limit=10)["items"]]
        """
        return self._thread.run(
            self._inner.firings(alert=alert, before=before, limit=limit, timeout=timeout, retry=retry)
        )

    def subscriptions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SubscriptionList:
        """The subscriptions of the account, newest first.

        Example:
            >>> client.subscriptions()["items"]
        """
        return self._thread.run(self._inner.subscriptions(timeout=timeout, retry=retry))

    def create_subscription(
        self,
        deliver: Sequence[Mapping[str, Any]],
        *,
        publisher: Optional[str] = None,
        symbol: Optional[str] = None,
        category: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        mirror: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedSubscription:
        """Follows a publisher, an instrument or a news category: pass exactly one of `publisher`, `symbol` and `category`.

        `events` are `published`, `filled` and `closed` (default: all). `mirror=True` posts every publication, fill and closing to a
        community. Safe to repeat: a lost response creates no second subscription.

        Example:
            >>> client.create_subscription([{"destination": "dst_2a1b5d7e8f603f9c"}], publisher="goldsmith")
        """
        return self._thread.run(
            self._inner.create_subscription(
                deliver,
                publisher=publisher,
                symbol=symbol,
                category=category,
                events=events,
                mirror=mirror,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def delete_subscription(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Subscription:
        """Ends a subscription. Messages that were written before are still delivered.

        Example:
            >>> client.delete_subscription("sub_3f9c2a1b5d7e8f60")
        """
        return self._thread.run(self._inner.delete_subscription(id, timeout=timeout, retry=retry))

    def destinations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DestinationList:
        """Where messages of the account can be delivered, oldest first.

        Example:
            >>> client.destinations()["items"]
        """
        return self._thread.run(self._inner.destinations(timeout=timeout, retry=retry))

    def create_destination(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedDestination:
        """Creates a destination (`models.DestinationRequest`). A webhook can be used at once; its signing secret is only in this
        response. The others receive a code that verifies them; a Telegram chat is linked by sending `link["code"]` to the bot.

        Example:
            >>> client.create_destination({"channel": "webhook", "url": "https://hooks.example.com/tickwire"})["secret"]
        """
        return self._thread.run(
            self._inner.create_destination(request, idempotency_key=idempotency_key, timeout=timeout, retry=retry)
        )

    def verify_destination(self, id: str, code: str, *, timeout: Optional[float] = None) -> models.Destination:
        """Verifies a destination with the code that it received.

        Example:
            >>> client.verify_destination("dst_2a1b5d7e8f603f9c", "482913")["state"]
        """
        return self._thread.run(self._inner.verify_destination(id, code, timeout=timeout))

    def test_destination(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Sends a test message to a destination.

        Example:
            >>> client.test_destination("dst_2a1b5d7e8f603f9c")["deliveries"]
        """
        return self._thread.run(self._inner.test_destination(id, timeout=timeout))

    def delete_destination(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Destination:
        """Deletes a destination and its waiting messages, and removes it from all alerts and subscriptions.

        Example:
            >>> client.delete_destination("dst_2a1b5d7e8f603f9c")
        """
        return self._thread.run(self._inner.delete_destination(id, timeout=timeout, retry=retry))

    def push_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.PushKey:
        """The key with which a browser subscribes to push messages; None if push is not configured.

        Example:
            >>> client.push_key()["public_key"]
        """
        return self._thread.run(self._inner.push_key(timeout=timeout, retry=retry))

    def preferences(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Preferences:
        """How messages of the account write times and numbers. Default: UTC and `en`.

        Example:
            >>> client.preferences()["time_zone"]
        """
        return self._thread.run(self._inner.preferences(timeout=timeout, retry=retry))

    def set_preferences(
        self,
        *,
        time_zone: Optional[str] = None,
        number_format: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Preferences:
        """Sets how messages of the account write times (an IANA time zone) and numbers (a locale such as `de`), from now on.

        What is left out stays. Bodies of webhooks do not depend on it. The request is never repeated.

        Example:
            >>> client.set_preferences(time_zone="Europe/Berlin", number_format="de")
        """
        return self._thread.run(
            self._inner.set_preferences(time_zone=time_zone, number_format=number_format, timeout=timeout)
        )

    def deliveries(
        self,
        *,
        state: Optional[str] = None,
        destination: Optional[str] = None,
        alert: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DeliveryList:
        """Messages of the account with their state, attempts and latency, newest first. `state` is `waiting`, `delivered` or `dead`
        (default: all). To page back, pass the id of the last item as `before`. `limit` is at most 200 (default 50). Messages are
        kept for 30 days.

        Example:
            >>> client.deliveries(state="dead")["items"]
        """
        return self._thread.run(
            self._inner.deliveries(
                state=state,
                destination=destination,
                alert=alert,
                before=before,
                limit=limit,
                timeout=timeout,
                retry=retry,
            )
        )

    def replay_delivery(self, id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Tries a message that was given up again, for up to 24 hours and with the same id.

        Example:
            >>> client.replay_delivery("msg_1b5d7e8f603f9c2a")["state"]
        """
        return self._thread.run(self._inner.replay_delivery(id, timeout=timeout))

    def ai_sentiment(
        self,
        request: models.AiSentimentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> models.AiSentiment:
        """Scores the sentiment of a text. A success counts as one AI call of the account; the request is never repeated.

        Example:
            >>> client.ai_sentiment({"text": "Gold rises to a record", "symbol": "XAUUSD"})["sentiment"]
        """
        return self._thread.run(self._inner.ai_sentiment(request, timeout=timeout))

    def ai_brief(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiBrief:
        """A short brief on one instrument, with a citation for each figure. A success counts as one AI call of the account.

        Example:
            >>> client.ai_brief("EURUSD")["text"]
        """
        return self._thread.run(self._inner.ai_brief(symbol, timeout=timeout, retry=retry))

    def ai_models(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiModelList:
        """The models, their tasks and whether they are available. Does not count as an AI call.

        Example:
            >>> client.ai_models()["items"]
        """
        return self._thread.run(self._inner.ai_models(timeout=timeout, retry=retry))

    def usage(
        self,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Usage:
        """The tier of the account and what is left of its allowances.

        Example:
            >>> client.usage()["tier"]
        """
        return self._thread.run(self._inner.usage(detail=detail, timeout=timeout, retry=retry))

    def usage_history(
        self,
        *,
        period: Optional[str] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UsageHistory:
        """What the account used over the last `hour`, `day` (default) or `month`, and by key. `detail=True` adds the part of
        signed-in sessions and their limits.

        Example:
            >>> client.usage_history(period="month")["points"]
        """
        return self._thread.run(self._inner.usage_history(period=period, detail=detail, timeout=timeout, retry=retry))

    def healthz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Health:
        """Whether the process is alive. Needs no key.

        Example:
            >>> client.healthz()["status"]
        """
        return self._thread.run(self._inner.healthz(timeout=timeout, retry=retry))

    def readyz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Readiness:
        """Whether the service is ready. Raises a TickwireError of status 503 if it is not. Needs no key.

        Example:
            >>> client.readyz()["checks"]
        """
        return self._thread.run(self._inner.readyz(timeout=timeout, retry=retry))


class AccountApi:
    """The account: sign-up, sign-in, sessions, password, signing key. Available as `client.account`.

    After `sign_in`, a client without a key keeps the cookie of the session and sends it with every call and stream.
    """

    def __init__(self, inner: AsyncAccountApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def get(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Account:
        """The account behind the key or session, and what it may do.

        Example:
            >>> client.account.get()["id"]
        """
        return self._thread.run(self._inner.get(timeout=timeout, retry=retry))

    def registration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Registration:
        """Whether sign-up is open, and whether the service still has no owner. Needs no key.

        Example:
            >>> client.account.registration()["setup_needed"]
        """
        return self._thread.run(self._inner.registration(timeout=timeout, retry=retry))

    def set_up(self, token: str, name: str, password: str, *, timeout: Optional[float] = None) -> models.Account:
        """Creates the owner account with the token from the link that the service printed, and signs in.

        Example:
            >>> client.account.set_up("…", "Ada", "correct horse battery")
        """
        return self._thread.run(self._inner.set_up(token, name, password, timeout=timeout))

    def check_setup(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Whether the token of a setup link can still create the owner account. Needs no key.

        Example:
            >>> client.account.check_setup("…")["valid"]
        """
        return self._thread.run(self._inner.check_setup(token, timeout=timeout))

    def check_invitation(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Whether the token of an invitation can still create an account. Needs no key.

        Example:
            >>> client.account.check_invitation("…")["valid"]
        """
        return self._thread.run(self._inner.check_invitation(token, timeout=timeout))

    def sign_up(
        self,
        name: str,
        password: str,
        *,
        invitation: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Account:
        """Creates an account and signs in. Pass the token of an invitation if registration is by invitation.

        Example:
            >>> client.account.sign_up("Ada", "correct horse battery")
        """
        return self._thread.run(self._inner.sign_up(name, password, invitation=invitation, timeout=timeout))

    def sign_in(
        self,
        name: str,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Account:
        """Signs in and keeps the session. `code` is that of the authenticator app, if two-factor sign-in is enabled.

        Example:
            >>> client.account.sign_in("Ada", "correct horse battery")
        """
        return self._thread.run(self._inner.sign_in(name, password, code=code, timeout=timeout))

    def documents(
        self,
        *,
        kind: Optional[str] = None,
        values: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DocumentList:
        """What pages have stored for the account: layouts, drawings, watchlists, settings. Needs a session.

        With `kind`, items have their values; without it only with `values=True`.

        Example:
            >>> [item["name"] for item in client.account.documents(kind="layout")["items"]]
        """
        return self._thread.run(self._inner.documents(kind=kind, values=values, timeout=timeout, retry=retry))

    def document(
        self,
        kind: str,
        name: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AccountDocument:
        """One document with its value.

        Example:
            >>> client.account.document("layout", "scalper")["value"]
        """
        return self._thread.run(self._inner.document(kind, name, timeout=timeout, retry=retry))

    def put_document(
        self,
        kind: str,
        name: str,
        value: Dict[str, Any],
        *,
        revision: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> models.DocumentInfo:
        """Creates or replaces a document. With `revision`, it fails if another device has changed the document since.

        Example:
            >>> client.account.put_document("settings", "notes", {"text": "wait for the close"})
        """
        return self._thread.run(self._inner.put_document(kind, name, value, revision=revision, timeout=timeout))

    def delete_document(
        self,
        kind: str,
        name: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DocumentInfo:
        """Deletes a document, whatever its revision.

        Example:
            >>> client.account.delete_document("settings", "notes")
        """
        return self._thread.run(self._inner.delete_document(kind, name, timeout=timeout, retry=retry))

    def sign_out(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends this session.

        Example:
            >>> client.account.sign_out()
        """
        return self._thread.run(self._inner.sign_out(timeout=timeout))

    def sign_out_everywhere(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends every session of the account, including this one.

        Example:
            >>> client.account.sign_out_everywhere()["sessions_ended"]
        """
        return self._thread.run(self._inner.sign_out_everywhere(timeout=timeout))

    def change_password(
        self,
        password: str,
        new_password: str,
        *,
        revoke_keys: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> models.PasswordChanged:
        """Changes the password and ends every other session. `revoke_keys` also revokes the API keys (default False).

        Example:
            >>> client.account.change_password("correct horse battery", "a longer secret")
        """
        return self._thread.run(
            self._inner.change_password(password, new_password, revoke_keys=revoke_keys, timeout=timeout)
        )

    def delete(self, password: str, *, timeout: Optional[float] = None) -> models.AccountDeleted:
        """Deletes the account permanently. Its keys and sessions end immediately; its signals stay in the log.

        Example:
            >>> client.account.delete("correct horse battery")
        """
        return self._thread.run(self._inner.delete(password, timeout=timeout))

    def sessions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionList:
        """The sessions of the account. Needs a session, not a key.

        Example:
            >>> client.account.sessions()["items"]
        """
        return self._thread.run(self._inner.sessions(timeout=timeout, retry=retry))

    def revoke_session(self, id: str, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends one session of the account.

        Example:
            >>> client.account.revoke_session("ses_1")
        """
        return self._thread.run(self._inner.revoke_session(id, timeout=timeout))

    def signing_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SigningKey:
        """The public key with which the account signs its requests about signals.

        Example:
            >>> client.account.signing_key()["public_key"]
        """
        return self._thread.run(self._inner.signing_key(timeout=timeout, retry=retry))

    def set_signing_key(self, public_key: Optional[str], *, timeout: Optional[float] = None) -> models.SigningKey:
        """Registers the Ed25519 public key of the account (32 bytes, hex), or removes it with None. From then on its signals,
        amendments and requests to close must be signed.

        Example:
            >>> client.account.set_signing_key(tickwire.SigningKey.create().public_key)
        """
        return self._thread.run(self._inner.set_signing_key(public_key, timeout=timeout))

    def two_factor(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.TwoFactorStatus:
        """Whether sign-in asks for a code, and how many recovery codes are left.

        Example:
            >>> client.account.two_factor()["enabled"]
        """
        return self._thread.run(self._inner.two_factor(timeout=timeout, retry=retry))

    def set_up_two_factor(self, password: str, *, timeout: Optional[float] = None) -> models.TwoFactorSecret:
        """Starts the set-up of two-factor sign-in.

        Example:
            >>> client.account.set_up_two_factor("correct horse battery")["secret"]
        """
        return self._thread.run(self._inner.set_up_two_factor(password, timeout=timeout))

    def confirm_two_factor(self, code: str, *, timeout: Optional[float] = None) -> models.TwoFactorConfirmed:
        """Enables two-factor sign-in with a code of the authenticator app. Only this response contains the recovery codes.

        Example:
            >>> client.account.confirm_two_factor("492039")["recovery_codes"]
        """
        return self._thread.run(self._inner.confirm_two_factor(code, timeout=timeout))

    def disable_two_factor(
        self,
        password: str,
        code: str,
        *,
        timeout: Optional[float] = None,
    ) -> models.TwoFactorStatus:
        """Disables two-factor sign-in.

        Example:
            >>> client.account.disable_two_factor("correct horse battery", "492039")
        """
        return self._thread.run(self._inner.disable_two_factor(password, code, timeout=timeout))


class KeysApi:
    """API keys of the calling account. Needs a session, or a key with the scope `admin`. Available as `client.keys`."""

    def __init__(self, inner: AsyncKeysApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.KeyList:
        """All keys of the account, without their secrets.

        Example:
            >>> client.keys.list()["items"]
        """
        return self._thread.run(self._inner.list(timeout=timeout, retry=retry))

    def create(
        self,
        name: str,
        *,
        scopes: Optional[Sequence[str]] = None,
        expires_days: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedKey:
        """Creates a key. Only this response contains the secret. `scopes` default to `read`; it never expires by default.

        Example:
            >>> client.keys.create("bot", scopes=["read", "publish"], expires_days=90)["key"]
        """
        return self._thread.run(
            self._inner.create(
                name,
                scopes=scopes,
                expires_days=expires_days,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def rotate(
        self,
        id: str,
        *,
        overlap_hours: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedKey:
        """Creates a replacement for a key. The old key stays valid for `overlap_hours`.

        Example:
            >>> client.keys.rotate("tw_1a2b", overlap_hours=24)["key"]
        """
        return self._thread.run(
            self._inner.rotate(
                id,
                overlap_hours=overlap_hours,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.KeyInfo:
        """Revokes a key immediately. Its streams close within a second.

        Example:
            >>> client.keys.revoke("tw_1a2b")
        """
        return self._thread.run(self._inner.revoke(id, timeout=timeout))


class LinksApi:
    """Data links of the calling account: addresses that read one path without a key. Available as `client.links`.

    Needs a session, or a key with the scope `admin`.
    """

    def __init__(self, inner: AsyncLinksApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DataLinkList:
        """All data links of the account, without their addresses.

        Example:
            >>> client.links.list()["items"]
        """
        return self._thread.run(self._inner.list(timeout=timeout, retry=retry))

    def create(
        self,
        name: str,
        path: str,
        *,
        expires_days: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedDataLink:
        """Creates an address that reads one path without a key. Only this response contains it. It expires after 90 days by default.

        Example:
            >>> client.links.create("Sheet", "/api/bars/EURUSD?interval=1d&format=csv", expires_days=30)["url"]
        """
        return self._thread.run(
            self._inner.create(
                name,
                path,
                expires_days=expires_days,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.DataLink:
        """Revokes a link immediately.

        Example:
            >>> client.links.revoke("3rd9k0w7xe")
        """
        return self._thread.run(self._inner.revoke(id, timeout=timeout))


class UdfApi:
    """The data feed of TradingView charts, for charts of your own. Times are Unix time in seconds. Available as `client.udf`."""

    def __init__(self, inner: AsyncUdfApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def config(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfConfig:
        """What the data feed supports.

        Example:
            >>> client.udf.config()["supported_resolutions"]
        """
        return self._thread.run(self._inner.config(timeout=timeout, retry=retry))

    def symbol(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfSymbol:
        """An instrument, as charts need it.

        Example:
            >>> client.udf.symbol("EURUSD")["pricescale"]
        """
        return self._thread.run(self._inner.symbol(symbol, timeout=timeout, retry=retry))

    def search(
        self,
        query: str,
        *,
        type: Optional[str] = None,
        exchange: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfSearchResult:
        """Instruments by a part of their symbol or name, the best match first.

        Example:
            >>> client.udf.search("gold")[0]["symbol"]
        """
        return self._thread.run(
            self._inner.search(query, type=type, exchange=exchange, limit=limit, timeout=timeout, retry=retry)
        )

    def history(
        self,
        symbol: str,
        resolution: str,
        *,
        to: int,
        from_: Optional[int] = None,
        countback: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfHistory:
        """Bars as columns, from `from_` (inclusive) to `to` (exclusive), or the `countback` bars before `to`.

        Example:
            >>> client.udf.history("EURUSD", "60", to=1772449200, countback=300)["c"]
        """
        return self._thread.run(
            self._inner.history(
                symbol,
                resolution,
                to=to,
                from_=from_,
                countback=countback,
                timeout=timeout,
                retry=retry,
            )
        )

    def marks(
        self,
        symbol: str,
        resolution: str,
        *,
        from_: int,
        to: int,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfMarks:
        """Signals and headlines on the bars from `from_` to `to`, both inclusive.

        Example:
            >>> client.udf.marks("EURUSD", "60", from_=1772442000, to=1772449200)["text"]
        """
        return self._thread.run(self._inner.marks(symbol, resolution, from_=from_, to=to, timeout=timeout, retry=retry))

    def quotes(
        self,
        symbols: Sequence[str],
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfQuotes:
        """Quotes with the figures of the day.

        Example:
            >>> client.udf.quotes(["EURUSD", "XAUUSD"])["d"]
        """
        return self._thread.run(self._inner.quotes(symbols, timeout=timeout, retry=retry))

    def time(self, *, timeout: Optional[float] = None, retry: bool = True) -> int:
        """The time of the service, Unix time in seconds.

        Example:
            >>> client.udf.time()
        """
        return self._thread.run(self._inner.time(timeout=timeout, retry=retry))


class AdminApi:
    """Operator calls. They need the owner's session, or a key with the scope `admin`. Available as `client.admin`."""

    def __init__(self, inner: AsyncAdminApi, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    def accounts(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AccountReportList:
        """All accounts with tier, last activity and usage.

        Example:
            >>> client.admin.accounts()["items"]
        """
        return self._thread.run(self._inner.accounts(timeout=timeout, retry=retry))

    def set_tier(self, account: str, tier: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Changes the tier of an account.

        Example:
            >>> client.admin.set_tier("pub_8w2k5n1d", "premium")
        """
        return self._thread.run(self._inner.set_tier(account, tier, timeout=timeout))

    def disable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Ends the sessions of an account and rejects its keys until it is enabled again.

        Example:
            >>> client.admin.disable("pub_8w2k5n1d")
        """
        return self._thread.run(self._inner.disable(account, timeout=timeout))

    def enable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Enables a disabled account and its keys.

        Example:
            >>> client.admin.enable("pub_8w2k5n1d")
        """
        return self._thread.run(self._inner.enable(account, timeout=timeout))

    def void_signal(self, id: str, reason: str, *, timeout: Optional[float] = None) -> models.SignalDetail:
        """Voids a signal, for example after a bad tick. The reason is public; this cannot be undone.

        Example:
            >>> client.admin.void_signal("sig_7k2m9q4x", "The feed delivered a bad tick at 11:03:12 UTC.")
        """
        return self._thread.run(self._inner.void_signal(id, reason, timeout=timeout))

    def streams(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.StreamReportList:
        """Open WebSocket connections, oldest first. `limit` is 1 to 5,000 (default 500).

        Example:
            >>> client.admin.streams(limit=100)["items"]
        """
        return self._thread.run(self._inner.streams(limit=limit, timeout=timeout, retry=retry))

    def invitations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.InvitationList:
        """Invitations of the last year, newest first.

        Example:
            >>> client.admin.invitations()["items"]
        """
        return self._thread.run(self._inner.invitations(timeout=timeout, retry=retry))

    def create_invitation(
        self,
        tier: str,
        *,
        expires_days: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedInvitation:
        """Invites one person. Only this response contains the link, which works once. It expires after 1 to 365 days (default 7).

        Example:
            >>> client.admin.create_invitation("pro")["link"]
        """
        return self._thread.run(
            self._inner.create_invitation(
                tier,
                expires_days=expires_days,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retry=retry,
            )
        )

    def revoke_invitation(self, id: str, *, timeout: Optional[float] = None) -> models.Invitation:
        """Revokes an invitation that has not been used.

        Example:
            >>> client.admin.revoke_invitation("inv_1")
        """
        return self._thread.run(self._inner.revoke_invitation(id, timeout=timeout))

    def audit_log(
        self,
        *,
        account: Optional[str] = None,
        action: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AuditList:
        """Sign-ins, failed sign-ins, and changes to accounts, keys and sessions, newest first. `limit` is at most 1,000 (default
        100); to page back, pass `next_before` as `before`.

        Example:
            >>> client.admin.audit_log(action="sign-in failed")["items"]
        """
        return self._thread.run(
            self._inner.audit_log(
                account=account,
                action=action,
                from_=from_,
                to=to,
                before=before,
                limit=limit,
                timeout=timeout,
                retry=retry,
            )
        )

    def language_model(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.LanguageModelReport:
        """Requests of the day to the language model, and where its labels differ from those of the built-in model.

        Example:
            >>> client.admin.language_model()["requests_today"]
        """
        return self._thread.run(self._inner.language_model(timeout=timeout, retry=retry))
