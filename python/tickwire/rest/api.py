"""One method for each endpoint of the service, named as in its API reference. The synchronous classes are generated from these.

Every method takes `timeout`, the seconds that each attempt may take (default: that of the client). Methods that are safe to
repeat also take `retry`: whether to wait and try again after a 429 or 503 with `Retry-After` (default True).
"""

from __future__ import annotations

import json
import os
from typing import Any, AsyncIterator, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from .. import frames, models
from ..frames import milliseconds
from ..signing.signer import Signer, iso_time
from .request import Instant, RestSession, change_body, instant_text, json_body, ndjson_body, part, symbol_list


class AsyncEvidence:
    """The ticks of one instrument on one UTC day, as they arrive. Loop over it once; leaving the loop closes the connection."""

    def __init__(self, sha256: Optional[str], lines: AsyncIterator[bytes]) -> None:
        self.sha256 = sha256
        """SHA-256 of the sealed file as the log has it, hex; None if the lines are read from the tape."""
        self._lines = lines

    @property
    def sealed(self) -> bool:
        """Whether the lines are those of the sealed file."""
        return self.sha256 is not None

    async def __aiter__(self) -> AsyncIterator[models.EvidenceLine]:
        async for line in self._lines:
            yield json.loads(line)

    async def raw_lines(self) -> AsyncIterator[bytes]:
        """The lines as bytes, without the line breaks; their SHA-256, each with a line break, is that of the file."""
        async for line in self._lines:
            yield line


class AsyncApiGroup:
    """Base of the classes with methods."""

    def __init__(self, session: RestSession) -> None:
        self._session = session


class AsyncRestApi(AsyncApiGroup):
    """Market data, signals, news, AI, usage and health."""

    # Market data

    async def symbols(
        self, *, detail: Optional[bool] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.InstrumentList:
        """All instruments with their contract specification. With `detail=True`, also digits, currencies and trading hours.

        Example:
            >>> [item["symbol"] for item in (await client.symbols())["items"]]
        """
        return await self._session.get("/api/symbols", {"detail": detail}, timeout, retry)

    async def market(
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
            >>> (await client.market("XAUUSD", timeframe="5m", bars=50))["ohlcv"][-1]["close"]
        """
        query = {"timeframe": timeframe, "bars": bars, "before": before, "from": from_, "to": to, "detail": detail}
        return await self._session.get(f"/api/market/{part(symbol)}", query, timeout, retry)

    async def quote(
        self, symbol: str, *, detail: Optional[bool] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.SymbolQuote:
        """The current bid and ask of one instrument.

        Example:
            >>> (await client.quote("EURUSD"))["bid"]
        """
        return await self._session.get(f"/api/market/{part(symbol)}/quote", {"detail": detail}, timeout, retry)

    async def quotes(
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
            >>> (await client.quotes(["EURUSD", "XAUUSD"]))["items"]
        """
        query = {"symbols": symbols, "detail": True if detail is None and symbols is not None else detail}
        return await self._session.get("/api/quotes", query, timeout, retry)

    async def overview(
        self, symbols: Optional[Sequence[str]] = None, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.Overview:
        """Open, high, low and change of the UTC day, and the line of the last 24 hours, of up to 200 named instruments, or of all.

        Example:
            >>> [item["change_percent"] for item in (await client.overview(["EURUSD", "XAUUSD"]))["items"]]
        """
        return await self._session.get("/api/overview", {"symbols": symbols}, timeout, retry)

    async def bars(
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
            >>> (await client.bars("EURUSD", interval="1d", align="ny", limit=5))["items"]
        """
        query = _bars_query(interval, align, from_, to, limit, cursor, fields)
        return await self._session.get(f"/api/bars/{part(symbol)}", query, timeout, retry)

    async def iterate_bars(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        fields: Optional[Sequence[str]] = None,
        page_size: int = 5_000,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> AsyncIterator[models.OhlcvBar]:
        """All bars of a range, page by page: ascending from `from_` on, or, without it, from the newest back to the oldest.

        `page_size` is the number of bars per request, 1 to 10,000 (default 5,000).

        Example:
            >>> async for bar in client.iterate_bars("EURUSD", interval="1m", from_="2026-03-02"):
            ...     print(bar["time"], bar["close"])
        """
        cursor: Optional[str] = None
        while True:
            query = _bars_query(interval, align, from_, to, page_size, cursor, fields)
            page = await self._session.get(f"/api/bars/{part(symbol)}", query, timeout, retry)
            for bar in page["items"] if from_ is not None else reversed(page["items"]):
                yield bar
            cursor = page["next"]
            if cursor is None:
                return

    async def several_bars(
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
            >>> [page["symbol"] for page in (await client.several_bars(["EURUSD", "XAUUSD"], interval="1d"))["items"]]
        """
        query = {**_bars_query(interval, align, from_, to, limit, None, fields), "symbols": list(symbols), "format": "json"}
        return await self._session.get("/api/bars", query, timeout, retry)

    async def bars_frame(
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
            >>> (await client.bars_frame("EURUSD", interval="1m", from_="2026-03-02")).close.rolling(20).mean()
        """
        most = 500 if limit is None and from_ is None else limit
        query = {**_bars_query(interval, align, from_, to, most, None, fields), "format": "csv"}
        return frames.read_csv(await self._content(f"/api/bars/{part(symbol)}", query, "csv", timeout, retry))

    async def bars_table(
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
            >>> (await client.bars_table("EURUSD", interval="1h", limit=100)).num_rows
        """
        most = 500 if limit is None and from_ is None else limit
        query = {**_bars_query(interval, align, from_, to, most, None, fields), "format": "parquet"}
        return frames.read_parquet(await self._content(f"/api/bars/{part(symbol)}", query, "parquet", timeout, retry))

    async def _content(
        self, path: str, query: Mapping[str, Any], format: str, timeout: Optional[float], retry: bool
    ) -> bytes:
        _, response = await self._session.open(path, query, _MEDIA_TYPES[format], timeout, retry)
        return b"".join([chunk async for chunk in self._session.read_body(response)])

    async def download_bars(
        self,
        symbol: str,
        path: Union[str, "os.PathLike[str]"],
        *,
        format: str = "csv",
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
            >>> await client.download_bars("EURUSD", "eurusd.parquet", format="parquet", interval="1m", from_="2026-01-01")
        """
        query = {**_bars_query(interval, align, from_, to, limit, None, fields), "format": format}
        return await self._download(f"/api/bars/{part(symbol)}", query, format, path, timeout, retry)

    async def ticks(
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
            >>> (await client.ticks("BTCUSD", kind="trades", limit=10))["items"]
        """
        query = {"kind": kind, "from": from_, "to": to, "limit": limit, "cursor": cursor, "fields": fields}
        return await self._session.get(f"/api/ticks/{part(symbol)}", query, timeout, retry)

    async def ticks_frame(
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
            >>> (await client.ticks_frame("BTCUSD", kind="trades", limit=100)).price.describe()
        """
        most = 500 if limit is None and from_ is None else limit
        query = {"kind": kind, "from": from_, "to": to, "limit": most, "fields": fields, "format": "csv"}
        return frames.read_csv(await self._content(f"/api/ticks/{part(symbol)}", query, "csv", timeout, retry))

    async def iterate_ticks(
        self,
        symbol: str,
        *,
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        page_size: int = 5_000,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> AsyncIterator[Union[models.HistoryQuote, models.HistoryTrade]]:
        """All ticks of a range, page by page: ascending from `from_` on, or, without it, from the newest back to the oldest.

        Example:
            >>> async for trade in client.iterate_ticks("BTCUSD", kind="trades", from_="2026-03-02"):
            ...     print(trade["price"])
        """
        cursor: Optional[str] = None
        while True:
            query = {"kind": kind, "from": from_, "to": to, "limit": page_size, "cursor": cursor}
            page = await self._session.get(f"/api/ticks/{part(symbol)}", query, timeout, retry)
            for tick in page["items"] if from_ is not None else reversed(page["items"]):
                yield tick
            cursor = page["next"]
            if cursor is None:
                return

    async def download_ticks(
        self,
        symbol: str,
        path: Union[str, "os.PathLike[str]"],
        *,
        format: str = "csv",
        kind: Optional[str] = None,
        from_: Optional[Instant] = None,
        to: Optional[Instant] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> int:
        """Downloads ticks into a file and returns its size in bytes. `format` is `csv`, `parquet` or `ndjson` (default `csv`).

        Example:
            >>> await client.download_ticks("BTCUSD", "trades.csv", kind="trades", from_="2026-03-02")
        """
        query = {"kind": kind, "from": from_, "to": to, "limit": limit, "format": format}
        return await self._download(f"/api/ticks/{part(symbol)}", query, format, path, timeout, retry)

    async def _download(
        self,
        path: str,
        query: Mapping[str, Any],
        format: str,
        target: Union[str, "os.PathLike[str]"],
        timeout: Optional[float],
        retry: bool,
    ) -> int:
        accept = _MEDIA_TYPES.get(format)
        if accept is None:
            raise ValueError(f"`format` must be one of {', '.join(_MEDIA_TYPES)}; it is {format!r}")
        _, response = await self._session.open(path, query, accept, timeout, retry)
        draft = f"{os.fspath(target)}.part"
        size = 0
        try:
            with open(draft, "wb") as file:
                async for chunk in self._session.read_body(response):
                    file.write(chunk)
                    size += len(chunk)
            os.replace(draft, target)
        except BaseException:
            if os.path.exists(draft):
                os.remove(draft)
            raise
        return size

    async def indicator_list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.IndicatorList:
        """Every indicator with its inputs, their defaults and ranges, its lines and its formula.

        Example:
            >>> [item["name"] for item in (await client.indicator_list())["items"]]
        """
        return await self._session.get("/api/indicators", None, timeout, retry)

    async def indicators(
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
            >>> (await client.indicators("EURUSD", "rsi", length=14, interval="5m", limit=100))["items"][-1]["value"]
        """
        query: Dict[str, Any] = {"name": name} if isinstance(name, str) else {"indicators": list(name)}
        query = {
            **query,
            **inputs,
            "interval": interval,
            "align": align,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        return await self._session.get(f"/api/indicators/{part(symbol)}", query, timeout, retry)

    async def profile(
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
            >>> (await client.profile("BTCUSD"))["poc"]
        """
        query = {"from": from_, "to": to, "level": level}
        return await self._session.get(f"/api/profile/{part(symbol)}", query, timeout, retry)

    async def footprint(
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
            >>> (await client.footprint("BTCUSD", interval="5m", limit=12))["items"][-1]["delta"]
        """
        query = {**_bars_query(interval, align, from_, to, limit, cursor, fields), "level": level}
        return await self._session.get(f"/api/footprint/{part(symbol)}", query, timeout, retry)

    async def coverage(
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
            >>> (await client.coverage("EURUSD", timeframe="1m"))["absent"]
        """
        query = {"timeframe": timeframe, "from": from_, "to": to}
        return await self._session.get(f"/api/market/{part(symbol)}/coverage", query, timeout, retry)

    async def hours(
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
            >>> (await client.hours("UK100", from_="2026-12-20", to="2027-01-05"))["sessions"]
        """
        return await self._session.get(f"/api/market/{part(symbol)}/hours", {"from": from_, "to": to}, timeout, retry)

    async def position_size(
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
            >>> (await client.position_size("EURUSD", entry=1.084, stop_loss=1.081, balance=10_000))["lots"]
        """
        query = {
            "symbol": symbol,
            "entry": entry,
            "stop_loss": stop_loss,
            "balance": balance,
            "currency": currency,
            "risk_percent": risk_percent,
        }
        return await self._session.get("/api/position-size", query, timeout, retry)

    async def session(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionStatistics:
        """Statistics of the running service: active instruments, connected clients, uptime.

        Example:
            >>> (await client.session())["uptime_seconds"]
        """
        return await self._session.get("/api/session", None, timeout, retry)

    async def feeds(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.FeedList:
        """State of the price feeds. Needs the scope `admin`.

        Example:
            >>> (await client.feeds())["items"]
        """
        return await self._session.get("/api/feeds", None, timeout, retry)

    async def ingest_ticks(
        self,
        lines: Iterable[models.IngestLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IngestAnswer:
        """Pushes your own quotes and trades. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> await client.ingest_ticks([{"symbol": "EURUSD", "time": 1772450647000, "bid": 1.084, "ask": 1.0841}])
        """
        return await self._session.post_idempotent("/ingest/ticks", ndjson_body(lines), idempotency_key, timeout, retry)

    # Signals

    async def signals(
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
            >>> (await client.signals(status="closed", limit=20))["items"]
        """
        query = {"status": status, "symbol": symbol, "user": user, "before": before, "limit": limit, "detail": detail}
        return await self._session.get("/api/signals", query, timeout, retry)

    async def signal(
        self, id: str, *, windows: Optional[bool] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.SignalDetail:
        """One signal with its order type, its deadline and its records in the log. With `windows=True`, also the high-impact
        calendar events at its entry and exit.

        Example:
            >>> (await client.signal("sig_7k2m9q4x"))["status"]
        """
        return await self._session.get(f"/api/signals/{part(id)}", {"windows": windows}, timeout, retry)

    async def signal_proof(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.SignalProof:
        """The log records that prove a signal.

        Example:
            >>> (await client.signal_proof("sig_7k2m9q4x"))["published"]["hash"]
        """
        return await self._session.get(f"/api/signals/{part(id)}/proof", None, timeout, retry)

    async def publish_signal(
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
            >>> await client.publish_signal("EURUSD", "buy", entry=1.084, stop_loss=1.081, take_profit=1.09)
        """
        request = signal_request(
            symbol, direction, entry, stop_loss, take_profit, targets, breakeven_after, expires_at, note
        )
        if signer:
            request = signer.publish(request)
        return await self._session.post_idempotent(
            "/api/signals", json_body(request), idempotency_key, timeout, retry
        )

    async def amend_signal(
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
            >>> (await client.amend_signal("sig_7k2m9q4x", stop_loss=1.0825))["current_stop_loss"]
        """
        request: Dict[str, Any] = {"stop_loss": stop_loss}
        if signer:
            request = signer.amend(id, stop_loss)
        path = f"/api/signals/{part(id)}/amend"
        return await self._session.post_idempotent(
            path, json_body(request), idempotency_key, timeout, retry
        )

    async def close_signal(
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
            >>> (await client.close_signal("sig_7k2m9q4x"))["status"]
        """
        body = json_body({"signed": signer.close(id)}) if signer else None
        path = f"/api/signals/{part(id)}/close"
        return await self._session.post_idempotent(path, body, idempotency_key, timeout, retry)

    async def trading_view_hook(
        self, token: str, alert: models.TradingViewAlert, *, timeout: Optional[float] = None
    ) -> models.PublishedSignal:
        """Publishes a signal the way a TradingView alert does. The token is a key with the scope `hook`.

        Example:
            >>> await client.trading_view_hook("tw_…", {"symbol": "FX:EURUSD", "direction": "long", "entry": "1.084",
            ...                                         "stop_loss": "1.081", "take_profit": "1.09"})
        """
        return await self._session.post_once(f"/hooks/tradingview/{part(token)}", json_body(alert), timeout)

    async def signal_log(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.LogPage:
        """A page of the signal log. Pass its `next` as `after` to get the following page. `limit` is at most 1,000.

        Example:
            >>> (await client.signal_log(after=-1, limit=500))["items"][0]["record"]["type"]
        """
        return await self._session.get("/api/signals/log", {"after": after, "limit": limit}, timeout, retry)

    async def iterate_log(
        self, *, after: int = -1, timeout: Optional[float] = None, retry: bool = True
    ) -> AsyncIterator[models.LogEntry]:
        """All records of the signal log with a number above `after` (default −1: from the first one on).

        Example:
            >>> async for entry in client.iterate_log():
            ...     print(entry["record"]["n"], entry["hash"])
        """
        while True:
            page = await self._session.get("/api/signals/log", {"after": after, "limit": 1_000}, timeout, retry)
            items = page["items"]
            for entry in items:
                yield entry
            last = items[-1]["record"].get("n") if items else None
            if not isinstance(last, int) or last <= after:
                return
            after = last

    async def signal_head(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.LogHead:
        """Number and hash of the last log record, signed.

        Example:
            >>> (await client.signal_head())["n"]
        """
        return await self._session.get("/api/signals/head", None, timeout, retry)

    async def signal_heads(
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
            >>> (await client.signal_heads(after=-1))["items"]
        """
        return await self._session.get("/api/signals/heads", {"after": after, "limit": limit}, timeout, retry)

    async def evidence(
        self,
        day: str,
        symbol: str,
        *,
        after: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> AsyncEvidence:
        """The ticks of one instrument on one UTC day, as they arrive. With `after`, those of the tape with a greater `seq`.

        Example:
            >>> async for line in await client.evidence("2026-03-02", "XAUUSD"):
            ...     print(line["seq"])
        """
        path = f"/api/evidence/{part(day)}/{part(symbol)}"
        info, response = await self._session.open(path, {"after": after}, "application/x-ndjson", timeout, retry)
        return AsyncEvidence(info.headers.get("evidence-sha256"), self._session.read_lines(response))

    async def publishers(
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
            >>> (await client.publishers(status=["ranked"], limit=10))["items"]
        """
        query = {
            "limit": limit,
            "offset": offset,
            "symbol": symbol,
            "period": period,
            "min_decisions": min_decisions,
            "max_drawdown": max_drawdown,
            "status": status,
            "sort": sort,
            "order": order,
        }
        return await self._session.get("/api/publishers", query, timeout, retry)

    async def publisher(
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
            >>> (await client.publisher("House Trend"))["total_r"]
        """
        return await self._session.get(f"/api/publishers/{part(name)}", {"risk": risk, "windows": windows}, timeout, retry)

    async def publisher_signals(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """All signals of a publisher as CSV, newest first.

        Example:
            >>> (await client.publisher_signals("House Trend")).splitlines()[0]
        """
        return await self._session.get_text(
            f"/api/publishers/{part(name)}/signals.csv", None, "text/csv", timeout, retry
        )

    async def publisher_equity(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """The complete equity curve of a publisher as CSV, in order of closing.

        Example:
            >>> (await client.publisher_equity("House Trend")).splitlines()[0]
        """
        return await self._session.get_text(
            f"/api/publishers/{part(name)}/equity.csv", None, "text/csv", timeout, retry
        )

    async def publisher_followers(
        self, name: str, *, limit: Optional[int] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.FollowerResults:
        """What followers of a publisher would have had 1, 5 and 30 seconds later, over the newest closed signals.

        Example:
            >>> (await client.publisher_followers("House Trend"))["delays"]
        """
        return await self._session.get(f"/api/publishers/{part(name)}/followers", {"limit": limit}, timeout, retry)

    async def public_publisher(
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
            >>> (await client.public_publisher("House Trend"))["status"]
        """
        return await self._session.get(f"/public/publishers/{part(name)}", {"risk": risk, "windows": windows}, timeout, retry)

    async def public_records(
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
            >>> (await client.public_records("House Trend", limit=50))["items"]
        """
        query = {"before": before, "limit": limit}
        return await self._session.get(f"/public/publishers/{part(name)}/records", query, timeout, retry)

    # News

    async def news(
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
            >>> (await client.news(symbol="XAUUSD", detail=True))["items"][0]["title"]
        """
        query = {
            "category": None if category is None else symbol_list(category),
            "symbol": symbol,
            "since": since,
            "before": before,
            "from": from_,
            "to": to,
            "detail": detail,
            "limit": limit,
        }
        return await self._session.get("/api/news", query, timeout, retry)

    async def news_item(
        self, id: str, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.NewsItemDetail:
        """One headline with all its fields, and the prices of its instruments at its publication and up to four hours later.

        Example:
            >>> (await client.news_item("news_4d9s2v7b"))["market"]
        """
        return await self._session.get(f"/api/news/{part(id)}", {}, timeout, retry)

    async def news_sentiment(
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
            >>> (await client.news_sentiment(period="week"))["items"]
        """
        query = {
            "period": period,
            "category": None if category is None else symbol_list(category),
            "symbol": symbol,
        }
        return await self._session.get("/api/news/sentiment", query, timeout, retry)

    async def news_calibration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsCalibration:
        """How the market moved after headlines, by model, category and label.

        Example:
            >>> (await client.news_calibration())["items"]
        """
        return await self._session.get("/api/news/calibration", None, timeout, retry)

    async def news_sources(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsSourceList:
        """State of the news sources. Needs the scope `admin`.

        Example:
            >>> (await client.news_sources())["items"]
        """
        return await self._session.get("/api/news/sources", None, timeout, retry)

    async def ingest_news(
        self,
        lines: Iterable[models.NewsLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsIngestAnswer:
        """Pushes your own headlines. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> await client.ingest_news([{"title": "Gold rises to a record", "category": "gold"}])
        """
        return await self._session.post_idempotent("/ingest/news", ndjson_body(lines), idempotency_key, timeout, retry)

    # Economic calendar

    async def calendar(
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
            >>> (await client.calendar(impact="high", symbol="EURUSD"))["items"]
        """
        query = {
            "from": from_,
            "to": to,
            "country": None if country is None else symbol_list(country),
            "impact": None if impact is None else symbol_list(impact),
            "symbol": symbol,
            "limit": limit,
            "cursor": cursor,
        }
        return await self._session.get("/api/calendar", query, timeout, retry)

    async def event_window(
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
            >>> (await client.event_window("EURUSD", before=5, after=5))["inside"]
        """
        query = {
            "before": before,
            "after": after,
            "impact": None if impact is None else symbol_list(impact),
            "at": at,
        }
        return await self._session.get(f"/api/market/{part(symbol)}/window", query, timeout, retry)

    async def calendar_sources(
        self, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.CalendarSourceList:
        """State of the calendar sources. Needs the scope `admin`.

        Example:
            >>> (await client.calendar_sources())["items"]
        """
        return await self._session.get("/api/calendar/sources", None, timeout, retry)

    async def ingest_calendar(
        self,
        lines: Iterable[models.CalendarLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarIngestAnswer:
        """Pushes your own calendar events. Each line is accepted or rejected on its own. Needs the scope `ingest`.

        Example:
            >>> await client.ingest_calendar([{"title": "CPI", "country": "US", "time": "2026-03-11T12:30:00Z"}])
        """
        return await self._session.post_idempotent(
            "/ingest/calendar", ndjson_body(lines), idempotency_key, timeout, retry
        )

    # Alerts and their delivery

    async def alerts(
        self,
        *,
        symbol: Optional[str] = None,
        state: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AlertList:
        """The alerts of the account, newest first. `state` is `active`, `paused`, `done` or `expired` (default: all).

        Example:
            >>> (await client.alerts(state="active"))["items"]
        """
        return await self._session.get("/api/alerts", {"symbol": symbol, "state": state}, timeout, retry)

    async def create_alert(
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
            >>> await client.create_alert("EURUSD", {"type": "price", "cross": "above", "level": 1.2}, deliver=[hook])
        """
        body = json_body(
            {
                "symbol": symbol,
                "condition": condition,
                "repeat": repeat,
                "interval": interval,
                "cooldown_seconds": cooldown_seconds,
                "expires_at": None if expires_at is None else iso_time(milliseconds(instant_text(expires_at))),
                "deliver": None if deliver is None else list(deliver),
                "note": note,
            }
        )
        return await self._session.post_idempotent("/api/alerts", body, idempotency_key, timeout, retry)

    async def alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """One alert.

        Example:
            >>> (await client.alert("alr_5d7e8f603f9c2a1b"))["state"]
        """
        return await self._session.get(f"/api/alerts/{part(id)}", None, timeout, retry)

    async def change_alert(
        self, id: str, change: Mapping[str, Any], *, timeout: Optional[float] = None
    ) -> models.CreatedAlert:
        """Changes the given fields of an alert (`models.AlertChange`). A new condition starts anew; an alert that is done or expired
        becomes active. The request is never repeated.

        Example:
            >>> await client.change_alert("alr_5d7e8f603f9c2a1b", {"note": "Sell half", "expires_at": None})
        """
        return await self._session.patch_once(f"/api/alerts/{part(id)}", change_body(change), timeout)

    async def delete_alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """Deletes an alert. Messages that were written before are still delivered; its firings stay in the list.

        Example:
            >>> await client.delete_alert("alr_5d7e8f603f9c2a1b")
        """
        return await self._session.delete(f"/api/alerts/{part(id)}", timeout, retry)

    async def pause_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Pauses an alert: it does not fire until it is resumed.

        Example:
            >>> await client.pause_alert("alr_5d7e8f603f9c2a1b")
        """
        return await self._session.post_once(f"/api/alerts/{part(id)}/pause", None, timeout)

    async def resume_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Resumes an alert. It starts anew: what happened during the pause does not fire it.

        Example:
            >>> await client.resume_alert("alr_5d7e8f603f9c2a1b")
        """
        return await self._session.post_once(f"/api/alerts/{part(id)}/resume", None, timeout)

    async def test_alert(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Sends a test message to each destination of an alert. It does not count as a firing.

        Example:
            >>> (await client.test_alert("alr_5d7e8f603f9c2a1b"))["deliveries"]
        """
        return await self._session.post_once(f"/api/alerts/{part(id)}/test", None, timeout)

    async def firings(
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
            >>> [firing["title"] for firing in (await client.firings(limit=10))["items"]]
        """
        query = {"alert": alert, "before": before, "limit": limit}
        return await self._session.get("/api/alerts/firings", query, timeout, retry)

    async def subscriptions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SubscriptionList:
        """The subscriptions of the account, newest first.

        Example:
            >>> (await client.subscriptions())["items"]
        """
        return await self._session.get("/api/subscriptions", None, timeout, retry)

    async def create_subscription(
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
            >>> await client.create_subscription([{"destination": "dst_2a1b5d7e8f603f9c"}], publisher="goldsmith")
        """
        body = json_body(
            {
                "publisher": publisher,
                "symbol": symbol,
                "category": category,
                "events": None if events is None else list(events),
                "mirror": mirror,
                "deliver": list(deliver),
            }
        )
        return await self._session.post_idempotent("/api/subscriptions", body, idempotency_key, timeout, retry)

    async def delete_subscription(
        self, id: str, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.Subscription:
        """Ends a subscription. Messages that were written before are still delivered.

        Example:
            >>> await client.delete_subscription("sub_3f9c2a1b5d7e8f60")
        """
        return await self._session.delete(f"/api/subscriptions/{part(id)}", timeout, retry)

    async def destinations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DestinationList:
        """Where messages of the account can be delivered, oldest first.

        Example:
            >>> (await client.destinations())["items"]
        """
        return await self._session.get("/api/destinations", None, timeout, retry)

    async def create_destination(
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
            >>> (await client.create_destination({"channel": "webhook", "url": "https://hooks.example.com/tickwire"}))["secret"]
        """
        return await self._session.post_idempotent(
            "/api/destinations", json_body(request), idempotency_key, timeout, retry
        )

    async def verify_destination(self, id: str, code: str, *, timeout: Optional[float] = None) -> models.Destination:
        """Verifies a destination with the code that it received.

        Example:
            >>> (await client.verify_destination("dst_2a1b5d7e8f603f9c", "482913"))["state"]
        """
        return await self._session.post_once(f"/api/destinations/{part(id)}/verify", json_body({"code": code}), timeout)

    async def test_destination(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Sends a test message to a destination.

        Example:
            >>> (await client.test_destination("dst_2a1b5d7e8f603f9c"))["deliveries"]
        """
        return await self._session.post_once(f"/api/destinations/{part(id)}/test", None, timeout)

    async def delete_destination(
        self, id: str, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.Destination:
        """Deletes a destination and its waiting messages, and removes it from all alerts and subscriptions.

        Example:
            >>> await client.delete_destination("dst_2a1b5d7e8f603f9c")
        """
        return await self._session.delete(f"/api/destinations/{part(id)}", timeout, retry)

    async def push_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.PushKey:
        """The key with which a browser subscribes to push messages; None if push is not configured.

        Example:
            >>> (await client.push_key())["public_key"]
        """
        return await self._session.get("/api/destinations/push-key", None, timeout, retry)

    async def preferences(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Preferences:
        """How messages of the account write times and numbers. Default: UTC and `en`.

        Example:
            >>> (await client.preferences())["time_zone"]
        """
        return await self._session.get("/api/preferences", None, timeout, retry)

    async def set_preferences(
        self,
        *,
        time_zone: Optional[str] = None,
        number_format: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Preferences:
        """Sets how messages of the account write times (an IANA time zone) and numbers (a locale such as `de`), from now on.

        What is left out stays. Bodies of webhooks do not depend on it. The request is never repeated.

        Example:
            >>> await client.set_preferences(time_zone="Europe/Berlin", number_format="de")
        """
        body = json_body({"time_zone": time_zone, "number_format": number_format})
        return await self._session.patch_once("/api/preferences", body, timeout)

    async def deliveries(
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
            >>> (await client.deliveries(state="dead"))["items"]
        """
        query = {"state": state, "destination": destination, "alert": alert, "before": before, "limit": limit}
        return await self._session.get("/api/deliveries", query, timeout, retry)

    async def replay_delivery(self, id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Tries a message that was given up again, for up to 24 hours and with the same id.

        Example:
            >>> (await client.replay_delivery("msg_1b5d7e8f603f9c2a"))["state"]
        """
        return await self._session.post_once(f"/api/deliveries/{part(id)}/replay", None, timeout)

    # AI

    async def ai_sentiment(
        self, request: models.AiSentimentRequest, *, timeout: Optional[float] = None
    ) -> models.AiSentiment:
        """Scores the sentiment of a text. A success counts as one AI call of the account; the request is never repeated.

        Example:
            >>> (await client.ai_sentiment({"text": "Gold rises to a record", "symbol": "XAUUSD"}))["sentiment"]
        """
        return await self._session.post_once("/api/ai/sentiment", json_body(request), timeout)

    async def ai_brief(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiBrief:
        """A short brief on one instrument, with a citation for each figure. A success counts as one AI call of the account.

        Example:
            >>> (await client.ai_brief("EURUSD"))["text"]
        """
        return await self._session.get(f"/api/ai/brief/{part(symbol)}", None, timeout, retry)

    async def ai_models(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiModelList:
        """The models, their tasks and whether they are available. Does not count as an AI call.

        Example:
            >>> (await client.ai_models())["items"]
        """
        return await self._session.get("/api/ai/models", None, timeout, retry)

    # Usage and health

    async def usage(
        self, *, detail: Optional[bool] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.Usage:
        """The tier of the account and what is left of its allowances.

        Example:
            >>> (await client.usage())["tier"]
        """
        return await self._session.get("/api/usage", {"detail": detail}, timeout, retry)

    async def usage_history(
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
            >>> (await client.usage_history(period="month"))["points"]
        """
        return await self._session.get("/api/usage/history", {"period": period, "detail": detail}, timeout, retry)

    async def healthz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Health:
        """Whether the process is alive. Needs no key.

        Example:
            >>> (await client.healthz())["status"]
        """
        return await self._session.get("/healthz", None, timeout, retry)

    async def readyz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Readiness:
        """Whether the service is ready. Raises a TickwireError of status 503 if it is not. Needs no key.

        Example:
            >>> (await client.readyz())["checks"]
        """
        return await self._session.get("/readyz", None, timeout, retry)


class AsyncAccountApi(AsyncApiGroup):
    """The account: sign-up, sign-in, sessions, password, signing key. Available as `client.account`.

    After `sign_in`, a client without a key keeps the cookie of the session and sends it with every call and stream.
    """

    async def get(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Account:
        """The account behind the key or session, and what it may do.

        Example:
            >>> (await client.account.get())["id"]
        """
        return await self._session.get("/api/account", None, timeout, retry)

    async def registration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Registration:
        """Whether sign-up is open, and whether the service still has no owner. Needs no key.

        Example:
            >>> (await client.account.registration())["setup_needed"]
        """
        return await self._session.get("/api/account/registration", None, timeout, retry)

    async def set_up(self, token: str, name: str, password: str, *, timeout: Optional[float] = None) -> models.Account:
        """Creates the owner account with the token from the link that the service printed, and signs in.

        Example:
            >>> await client.account.set_up("…", "Ada", "correct horse battery")
        """
        body = json_body({"token": token, "name": name, "password": password})
        return await self._session.post_once("/api/account/setup", body, timeout)

    async def check_setup(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Whether the token of a setup link can still create the owner account. Needs no key.

        Example:
            >>> (await client.account.check_setup("…"))["valid"]
        """
        return await self._session.post_once("/api/account/setup/check", json_body({"token": token}), timeout)

    async def check_invitation(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Whether the token of an invitation can still create an account. Needs no key.

        Example:
            >>> (await client.account.check_invitation("…"))["valid"]
        """
        return await self._session.post_once("/api/account/invitation/check", json_body({"token": token}), timeout)

    async def sign_up(
        self, name: str, password: str, *, invitation: Optional[str] = None, timeout: Optional[float] = None
    ) -> models.Account:
        """Creates an account and signs in. Pass the token of an invitation if registration is by invitation.

        Example:
            >>> await client.account.sign_up("Ada", "correct horse battery")
        """
        body = json_body({"name": name, "password": password, "invitation": invitation})
        return await self._session.post_once("/api/account/sign-up", body, timeout)

    async def sign_in(
        self, name: str, password: str, *, code: Optional[str] = None, timeout: Optional[float] = None
    ) -> models.Account:
        """Signs in and keeps the session. `code` is that of the authenticator app, if two-factor sign-in is enabled.

        Example:
            >>> await client.account.sign_in("Ada", "correct horse battery")
        """
        body = json_body({"name": name, "password": password, "code": code})
        return await self._session.post_once("/api/account/sign-in", body, timeout)

    async def documents(
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
            >>> [item["name"] for item in (await client.account.documents(kind="layout"))["items"]]
        """
        query = {"kind": kind, "values": values}
        return await self._session.get("/api/account/documents", query, timeout, retry)

    async def document(
        self, kind: str, name: str, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.AccountDocument:
        """One document with its value.

        Example:
            >>> (await client.account.document("layout", "scalper"))["value"]
        """
        return await self._session.get(f"/api/account/documents/{part(kind)}/{part(name)}", None, timeout, retry)

    async def put_document(
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
            >>> await client.account.put_document("settings", "notes", {"text": "wait for the close"})
        """
        body = json_body({"value": value, "revision": revision})
        return await self._session.put_once(f"/api/account/documents/{part(kind)}/{part(name)}", body, timeout)

    async def delete_document(
        self, kind: str, name: str, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.DocumentInfo:
        """Deletes a document, whatever its revision.

        Example:
            >>> await client.account.delete_document("settings", "notes")
        """
        return await self._session.delete(f"/api/account/documents/{part(kind)}/{part(name)}", timeout, retry)

    async def sign_out(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends this session.

        Example:
            >>> await client.account.sign_out()
        """
        return await self._session.post_once("/api/account/sign-out", None, timeout)

    async def sign_out_everywhere(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends every session of the account, including this one.

        Example:
            >>> (await client.account.sign_out_everywhere())["sessions_ended"]
        """
        return await self._session.post_once("/api/account/sign-out-everywhere", None, timeout)

    async def change_password(
        self,
        password: str,
        new_password: str,
        *,
        revoke_keys: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> models.PasswordChanged:
        """Changes the password and ends every other session. `revoke_keys` also revokes the API keys (default False).

        Example:
            >>> await client.account.change_password("correct horse battery", "a longer secret")
        """
        body = json_body({"password": password, "new_password": new_password, "revoke_keys": revoke_keys})
        return await self._session.post_once("/api/account/password", body, timeout)

    async def delete(self, password: str, *, timeout: Optional[float] = None) -> models.AccountDeleted:
        """Deletes the account permanently. Its keys and sessions end immediately; its signals stay in the log.

        Example:
            >>> await client.account.delete("correct horse battery")
        """
        return await self._session.post_once("/api/account/delete", json_body({"password": password}), timeout)

    async def sessions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionList:
        """The sessions of the account. Needs a session, not a key.

        Example:
            >>> (await client.account.sessions())["items"]
        """
        return await self._session.get("/api/account/sessions", None, timeout, retry)

    async def revoke_session(self, id: str, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Ends one session of the account.

        Example:
            >>> await client.account.revoke_session("ses_1")
        """
        return await self._session.post_once(f"/api/account/sessions/{part(id)}/revoke", None, timeout)

    async def signing_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SigningKey:
        """The public key with which the account signs its requests about signals.

        Example:
            >>> (await client.account.signing_key())["public_key"]
        """
        return await self._session.get("/api/account/signing-key", None, timeout, retry)

    async def set_signing_key(
        self, public_key: Optional[str], *, timeout: Optional[float] = None
    ) -> models.SigningKey:
        """Registers the Ed25519 public key of the account (32 bytes, hex), or removes it with None. From then on its signals,
        amendments and requests to close must be signed.

        Example:
            >>> await client.account.set_signing_key(tickwire.SigningKey.create().public_key)
        """
        body = ("application/json", json.dumps({"public_key": public_key}).encode())
        return await self._session.post_once("/api/account/signing-key", body, timeout)

    async def two_factor(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.TwoFactorStatus:
        """Whether sign-in asks for a code, and how many recovery codes are left.

        Example:
            >>> (await client.account.two_factor())["enabled"]
        """
        return await self._session.get("/api/account/two-factor", None, timeout, retry)

    async def set_up_two_factor(self, password: str, *, timeout: Optional[float] = None) -> models.TwoFactorSecret:
        """Starts the set-up of two-factor sign-in.

        Example:
            >>> (await client.account.set_up_two_factor("correct horse battery"))["secret"]
        """
        body = json_body({"password": password})
        return await self._session.post_once("/api/account/two-factor/set-up", body, timeout)

    async def confirm_two_factor(self, code: str, *, timeout: Optional[float] = None) -> models.TwoFactorConfirmed:
        """Enables two-factor sign-in with a code of the authenticator app. Only this response contains the recovery codes.

        Example:
            >>> (await client.account.confirm_two_factor("492039"))["recovery_codes"]
        """
        return await self._session.post_once("/api/account/two-factor/confirm", json_body({"code": code}), timeout)

    async def disable_two_factor(
        self, password: str, code: str, *, timeout: Optional[float] = None
    ) -> models.TwoFactorStatus:
        """Disables two-factor sign-in.

        Example:
            >>> await client.account.disable_two_factor("correct horse battery", "492039")
        """
        body = json_body({"password": password, "code": code})
        return await self._session.post_once("/api/account/two-factor/disable", body, timeout)


class AsyncKeysApi(AsyncApiGroup):
    """API keys of the calling account. Needs a session, or a key with the scope `admin`. Available as `client.keys`."""

    async def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.KeyList:
        """All keys of the account, without their secrets.

        Example:
            >>> (await client.keys.list())["items"]
        """
        return await self._session.get("/api/keys", None, timeout, retry)

    async def create(
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
            >>> (await client.keys.create("bot", scopes=["read", "publish"], expires_days=90))["key"]
        """
        body = json_body({"name": name, "scopes": scopes, "expires_days": expires_days})
        return await self._session.post_idempotent("/api/keys", body, idempotency_key, timeout, retry)

    async def rotate(
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
            >>> (await client.keys.rotate("tw_1a2b", overlap_hours=24))["key"]
        """
        body = json_body({"overlap_hours": overlap_hours})
        return await self._session.post_idempotent(
            f"/api/keys/{part(id)}/rotate", body, idempotency_key, timeout, retry
        )

    async def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.KeyInfo:
        """Revokes a key immediately. Its streams close within a second.

        Example:
            >>> await client.keys.revoke("tw_1a2b")
        """
        return await self._session.post_once(f"/api/keys/{part(id)}/revoke", None, timeout)


class AsyncLinksApi(AsyncApiGroup):
    """Data links of the calling account: addresses that read one path without a key. Available as `client.links`.

    Needs a session, or a key with the scope `admin`.
    """

    async def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DataLinkList:
        """All data links of the account, without their addresses.

        Example:
            >>> (await client.links.list())["items"]
        """
        return await self._session.get("/api/links", None, timeout, retry)

    async def create(
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
            >>> (await client.links.create("Sheet", "/api/bars/EURUSD?interval=1d&format=csv", expires_days=30))["url"]
        """
        body = json_body({"name": name, "path": path, "expires_days": expires_days})
        return await self._session.post_idempotent("/api/links", body, idempotency_key, timeout, retry)

    async def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.DataLink:
        """Revokes a link immediately.

        Example:
            >>> await client.links.revoke("3rd9k0w7xe")
        """
        return await self._session.post_once(f"/api/links/{part(id)}/revoke", None, timeout)


class AsyncUdfApi(AsyncApiGroup):
    """The data feed of TradingView charts, for charts of your own. Times are Unix time in seconds. Available as `client.udf`."""

    async def config(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfConfig:
        """What the data feed supports.

        Example:
            >>> (await client.udf.config())["supported_resolutions"]
        """
        return await self._session.get("/udf/config", None, timeout, retry)

    async def symbol(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfSymbol:
        """An instrument, as charts need it.

        Example:
            >>> (await client.udf.symbol("EURUSD"))["pricescale"]
        """
        return await self._session.get("/udf/symbols", {"symbol": symbol}, timeout, retry)

    async def search(
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
            >>> (await client.udf.search("gold"))[0]["symbol"]
        """
        parameters = {"query": query, "type": type, "exchange": exchange, "limit": limit}
        return await self._session.get("/udf/search", parameters, timeout, retry)

    async def history(
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
            >>> (await client.udf.history("EURUSD", "60", to=1772449200, countback=300))["c"]
        """
        parameters = {"symbol": symbol, "resolution": resolution, "from": from_, "to": to, "countback": countback}
        return await self._session.get("/udf/history", parameters, timeout, retry)

    async def marks(
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
            >>> (await client.udf.marks("EURUSD", "60", from_=1772442000, to=1772449200))["text"]
        """
        parameters = {"symbol": symbol, "resolution": resolution, "from": from_, "to": to}
        return await self._session.get("/udf/marks", parameters, timeout, retry)

    async def quotes(
        self, symbols: Sequence[str], *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.UdfQuotes:
        """Quotes with the figures of the day.

        Example:
            >>> (await client.udf.quotes(["EURUSD", "XAUUSD"]))["d"]
        """
        return await self._session.get("/udf/quotes", {"symbols": symbols}, timeout, retry)

    async def time(self, *, timeout: Optional[float] = None, retry: bool = True) -> int:
        """The time of the service, Unix time in seconds.

        Example:
            >>> await client.udf.time()
        """
        return await self._session.get("/udf/time", None, timeout, retry)


class AsyncAdminApi(AsyncApiGroup):
    """Operator calls. They need the owner's session, or a key with the scope `admin`. Available as `client.admin`."""

    async def accounts(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AccountReportList:
        """All accounts with tier, last activity and usage.

        Example:
            >>> (await client.admin.accounts())["items"]
        """
        return await self._session.get("/api/admin/accounts", None, timeout, retry)

    async def set_tier(self, account: str, tier: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Changes the tier of an account.

        Example:
            >>> await client.admin.set_tier("pub_8w2k5n1d", "premium")
        """
        body = json_body({"tier": tier})
        return await self._session.post_once(f"/api/admin/accounts/{part(account)}/tier", body, timeout)

    async def disable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Ends the sessions of an account and rejects its keys until it is enabled again.

        Example:
            >>> await client.admin.disable("pub_8w2k5n1d")
        """
        return await self._session.post_once(f"/api/admin/accounts/{part(account)}/disable", None, timeout)

    async def enable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Enables a disabled account and its keys.

        Example:
            >>> await client.admin.enable("pub_8w2k5n1d")
        """
        return await self._session.post_once(f"/api/admin/accounts/{part(account)}/enable", None, timeout)

    async def void_signal(self, id: str, reason: str, *, timeout: Optional[float] = None) -> models.SignalDetail:
        """Voids a signal, for example after a bad tick. The reason is public; this cannot be undone.

        Example:
            >>> await client.admin.void_signal("sig_7k2m9q4x", "The feed delivered a bad tick at 11:03:12 UTC.")
        """
        return await self._session.post_once(f"/api/admin/signals/{part(id)}/void", json_body({"reason": reason}), timeout)

    async def streams(
        self, *, limit: Optional[int] = None, timeout: Optional[float] = None, retry: bool = True
    ) -> models.StreamReportList:
        """Open WebSocket connections, oldest first. `limit` is 1 to 5,000 (default 500).

        Example:
            >>> (await client.admin.streams(limit=100))["items"]
        """
        return await self._session.get("/api/admin/streams", {"limit": limit}, timeout, retry)

    async def invitations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.InvitationList:
        """Invitations of the last year, newest first.

        Example:
            >>> (await client.admin.invitations())["items"]
        """
        return await self._session.get("/api/admin/invitations", None, timeout, retry)

    async def create_invitation(
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
            >>> (await client.admin.create_invitation("pro"))["link"]
        """
        body = json_body({"tier": tier, "expires_days": expires_days})
        return await self._session.post_idempotent("/api/admin/invitations", body, idempotency_key, timeout, retry)

    async def revoke_invitation(self, id: str, *, timeout: Optional[float] = None) -> models.Invitation:
        """Revokes an invitation that has not been used.

        Example:
            >>> await client.admin.revoke_invitation("inv_1")
        """
        return await self._session.post_once(f"/api/admin/invitations/{part(id)}/revoke", None, timeout)

    async def audit_log(
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
            >>> (await client.admin.audit_log(action="sign-in failed"))["items"]
        """
        query = {"account": account, "action": action, "from": from_, "to": to, "before": before, "limit": limit}
        return await self._session.get("/api/admin/audit", query, timeout, retry)

    async def language_model(
        self, *, timeout: Optional[float] = None, retry: bool = True
    ) -> models.LanguageModelReport:
        """Requests of the day to the language model, and where its labels differ from those of the built-in model.

        Example:
            >>> (await client.admin.language_model())["requests_today"]
        """
        return await self._session.get("/api/admin/language-model", None, timeout, retry)


_MEDIA_TYPES = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "ndjson": "application/x-ndjson",
}


def _bars_query(
    interval: Optional[str],
    align: Optional[str],
    from_: Optional[Instant],
    to: Optional[Instant],
    limit: Optional[int],
    cursor: Optional[str],
    fields: Optional[Sequence[str]],
) -> Dict[str, Any]:
    return {
        "interval": interval,
        "align": align,
        "from": from_,
        "to": to,
        "limit": limit,
        "cursor": cursor,
        "fields": fields,
    }


def signal_request(
    symbol: str,
    direction: str,
    entry: float,
    stop_loss: float,
    take_profit: Optional[float],
    targets: Optional[Sequence[Mapping[str, float]]],
    breakeven_after: Optional[int],
    expires_at: Optional[Instant],
    note: Optional[str],
) -> Dict[str, Any]:
    """The body of a publication, without the fields that are None."""
    fields = {
        "symbol": symbol,
        "direction": direction,
        "entry": entry,
        "stop_loss": stop_loss,
        "take_profit": take_profit,
        "targets": None if targets is None else [dict(target) for target in targets],
        "breakeven_after": breakeven_after,
        "expires_at": None if expires_at is None else iso_time(milliseconds(instant_text(expires_at))),
        "note": note,
    }
    return {name: value for name, value in fields.items() if value is not None}
