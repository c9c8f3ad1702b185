"""The synchronous classes. Each method runs the asynchronous one of the same name on the thread of the client.

Generated from `api.py` by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Union

from .. import models
from ..loop_thread import LoopThread
from ..signing.signer import Signer
from .api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncRestApi
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

    def signal(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.SignalDetail:
        """One signal with its order type, its deadline and its records in the log.

        Example:
            >>> client.signal("sig_7k2m9q4x")["status"]
        """
        return self._thread.run(self._inner.signal(id, timeout=timeout, retry=retry))

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
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """The track record of one publisher, by display name or id. `risk` is the percent of the account at risk on each decision
        (default 1), for `months`.

        Example:
            >>> client.publisher("House Trend")["total_r"]
        """
        return self._thread.run(self._inner.publisher(name, risk=risk, timeout=timeout, retry=retry))

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
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """The track record of one publisher without a key. Available if the operator has turned on public records.

        Example:
            >>> client.public_publisher("House Trend")["status"]
        """
        return self._thread.run(self._inner.public_publisher(name, risk=risk, timeout=timeout, retry=retry))

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
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UsageHistory:
        """What the account used over the last `hour`, `day` (default) or `month`, and by key.

        Example:
            >>> client.usage_history(period="month")["points"]
        """
        return self._thread.run(self._inner.usage_history(period=period, timeout=timeout, retry=retry))

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
