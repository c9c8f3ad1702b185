"""REST methods that cannot be derived from the contract: pages as one sequence, files, frames, signed requests, and arguments that
depend on each other. Those of `api.py` are generated.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

from .. import frames, models
from ..signing.signer import Signer
from .evidence import AsyncEvidence
from .request import Instant, RestSession, either, iso_instant, json_body, part

if TYPE_CHECKING:
    import pandas
    import pyarrow

FileFormat = Literal["csv", "parquet", "ndjson"]

_MEDIA_TYPES: Dict[FileFormat, str] = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "ndjson": "application/x-ndjson",
}


class AsyncApiGroup:
    """Base of the classes with methods."""

    def __init__(self, session: RestSession) -> None:
        self._session = session


class AsyncSpecialCalls(AsyncApiGroup):
    """Base of the generated class with the other methods."""

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
        answer: models.QuoteList = await self._session.get("/api/quotes", query, timeout, retry)
        return answer

    async def iterate_bars(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        fields: Optional[Sequence[models.BarField]] = None,
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
        query = _bars_query(interval, align, _range(from_, start, to, end), page_size, fields)
        async for bar in self._pages(f"/api/bars/{part(symbol)}", query, timeout, retry):
            yield bar

    async def bars_frame(
        self,
        symbol: Union[str, Sequence[str]],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[models.BarField]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> pandas.DataFrame:
        """Bars as a pandas DataFrame with the UTC time as its index, ascending. Needs pandas. One request, whatever the range.

        With `from_`, all bars of the range, or the first `limit` of them. Without it, the newest `limit` bars (default 500). Several
        symbols become one frame with the levels `symbol` and `time`; `limit` applies to each.

        Example:
            >>> (await client.bars_frame("EURUSD", interval="1m", from_="2026-03-02")).close.rolling(20).mean()
            >>> (await client.bars_frame(["EURUSD", "XAUUSD"], interval="1d")).close.unstack("symbol").pct_change().corr()
        """
        query = _newest(_bars_query(interval, align, _range(from_, start, to, end), limit, fields))
        if isinstance(symbol, str):
            return frames.read_csv(await self._content(f"/api/bars/{part(symbol)}", query, "csv", timeout, retry))
        query["symbols"] = list(symbol)
        return frames.read_csv(await self._content("/api/bars", query, "csv", timeout, retry), ["symbol"])

    async def bars_table(
        self,
        symbol: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[models.BarField]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> pyarrow.Table:
        """Bars as a pyarrow Table, ascending, read from Parquet. Needs pyarrow. The range is that of `bars_frame`.

        Example:
            >>> (await client.bars_table("EURUSD", interval="1h", limit=100)).num_rows
        """
        query = _newest(_bars_query(interval, align, _range(from_, start, to, end), limit, fields))
        return frames.read_parquet(await self._content(f"/api/bars/{part(symbol)}", query, "parquet", timeout, retry))

    async def download_bars(
        self,
        symbol: str,
        path: Union[str, "os.PathLike[str]"],
        *,
        format: FileFormat = "csv",
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[models.BarField]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> int:
        """Downloads bars into a file and returns its size in bytes. `format` is `csv`, `parquet` or `ndjson` (default `csv`).

        The file covers the whole range unless `limit` is given. It appears under its name only when it is complete.

        Example:
            >>> await client.download_bars("EURUSD", "eurusd.parquet", format="parquet", interval="1m", from_="2026-01-01")
        """
        query = _bars_query(interval, align, _range(from_, start, to, end), limit, fields)
        return await self._download(f"/api/bars/{part(symbol)}", query, format, path, timeout, retry)

    async def ticks_frame(
        self,
        symbol: str,
        *,
        kind: Optional[models.TickKind] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Sequence[models.TickField]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> pandas.DataFrame:
        """Quotes or trades as a pandas DataFrame with the UTC time as its index. Needs pandas. The range is that of `bars_frame`.

        Example:
            >>> (await client.ticks_frame("BTCUSD", kind="trades", limit=100)).price.describe()
        """
        query = _newest({"kind": kind, **_range(from_, start, to, end), "limit": limit, "fields": fields})
        return frames.read_csv(await self._content(f"/api/ticks/{part(symbol)}", query, "csv", timeout, retry))

    async def iterate_ticks(
        self,
        symbol: str,
        *,
        kind: Optional[models.TickKind] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        page_size: int = 5_000,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> AsyncIterator[Union[models.HistoryQuote, models.HistoryTrade]]:
        """All ticks of a range, page by page: ascending from `from_` on, or, without it, from the newest back to the oldest.

        Example:
            >>> async for trade in client.iterate_ticks("BTCUSD", kind="trades", from_="2026-03-02"):
            ...     print(trade["price"])
        """
        query = {"kind": kind, **_range(from_, start, to, end), "limit": page_size}
        async for tick in self._pages(f"/api/ticks/{part(symbol)}", query, timeout, retry):
            yield tick

    async def download_ticks(
        self,
        symbol: str,
        path: Union[str, "os.PathLike[str]"],
        *,
        format: FileFormat = "csv",
        kind: Optional[models.TickKind] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> int:
        """Downloads ticks into a file and returns its size in bytes. `format` is `csv`, `parquet` or `ndjson` (default `csv`).

        Example:
            >>> await client.download_ticks("BTCUSD", "trades.csv", kind="trades", from_="2026-03-02")
        """
        query = {"kind": kind, **_range(from_, start, to, end), "limit": limit}
        return await self._download(f"/api/ticks/{part(symbol)}", query, format, path, timeout, retry)

    @overload
    async def indicators(
        self,
        symbol: str,
        name: str,
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
        **inputs: Union[int, float, str],
    ) -> models.IndicatorPage: ...

    @overload
    async def indicators(
        self,
        symbol: str,
        name: Union[List[str], Tuple[str, ...]],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IndicatorSet: ...

    async def indicators(
        self,
        symbol: str,
        name: Union[str, List[str], Tuple[str, ...]],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
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
            **_bars_query(interval, align, _range(from_, start, to, end), limit, None),
            "cursor": cursor,
        }
        answer: models.IndicatorAnswer = await self._session.get(
            f"/api/indicators/{part(symbol)}", query, timeout, retry
        )
        return answer

    async def publish_signal(
        self,
        symbol: str,
        direction: models.Direction,
        *,
        entry: Optional[float] = None,
        stop_loss: float,
        take_profit: Optional[float] = None,
        order: Optional[Literal["market"]] = None,
        max_slippage: Optional[float] = None,
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

        `direction` is `buy` or `sell`. Pass `entry`, or `order="market"` to enter at the market. `max_slippage` is how much worse
        than the newest quote a market order may fill, in price units; beyond it, the signal ends as `unfilled`. Pass `take_profit`,
        or up to five `targets` with `price` and `fraction`. `expires_at` is at most 30 days ahead. Safe to repeat: a lost response
        publishes no second signal. Pass your own `idempotency_key` to make it repeatable from another process, for 24 hours. Pass a
        `signer` if the account has a signing key.

        Example:
            >>> await client.publish_signal("EURUSD", "buy", entry=1.084, stop_loss=1.081, take_profit=1.09)
        """
        request = signal_request(
            symbol, direction, entry, order, max_slippage, stop_loss, take_profit, targets, breakeven_after, expires_at, note
        )
        if signer:
            request = signer.publish(request)
        answer: models.PublishedSignal = await self._session.post_idempotent(
            "/api/signals", json_body(request), idempotency_key, timeout, retry
        )
        return answer

    async def publish_text(
        self,
        text: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublishedSignal:
        """Publishes the one signal that a message states. An unclear message is refused with `unclear_signal`.

        `parse_signal` shows first what would be published. Needs the scope `publish`, and an account without a signing key. Safe to
        repeat, like `publish_signal`.

        Example:
            >>> await client.publish_text("Gold sell now SL 3343 TP 3320")
        """
        answer: models.PublishedSignal = await self._session.post_idempotent(
            "/api/signals", json_body({"text": text}), idempotency_key, timeout, retry
        )
        return answer

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
        answer: models.SignalDetail = await self._session.post_idempotent(
            path, json_body(request), idempotency_key, timeout, retry
        )
        return answer

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
        answer: Union[models.ClosedSignal, models.ClosingSignal] = await self._session.post_idempotent(
            path, body, idempotency_key, timeout, retry
        )
        return answer

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

    async def _pages(
        self, path: str, query: Mapping[str, Any], timeout: Optional[float], retry: bool
    ) -> AsyncIterator[Any]:
        cursor: Optional[str] = None
        while True:
            page = await self._session.get(path, {**query, "cursor": cursor}, timeout, retry)
            for item in page["items"] if query["from"] is not None else reversed(page["items"]):
                yield item
            cursor = page["next"]
            if cursor is None:
                return

    async def _content(
        self, path: str, query: Mapping[str, Any], format: FileFormat, timeout: Optional[float], retry: bool
    ) -> bytes:
        sent = {**query, "format": format}
        _, response = await self._session.open(path, sent, _MEDIA_TYPES[format], timeout, retry)
        return b"".join([chunk async for chunk in self._session.read_body(response)])

    async def _download(
        self,
        path: str,
        query: Mapping[str, Any],
        format: FileFormat,
        target: Union[str, "os.PathLike[str]"],
        timeout: Optional[float],
        retry: bool,
    ) -> int:
        accept = _MEDIA_TYPES.get(format)
        if accept is None:
            raise ValueError(f"`format` must be one of {', '.join(_MEDIA_TYPES)}; it is {format!r}")
        _, response = await self._session.open(path, {**query, "format": format}, accept, timeout, retry)
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


def _range(
    from_: Optional[Instant], start: Optional[Instant], to: Optional[Instant], end: Optional[Instant]
) -> Dict[str, Any]:
    return {"from": either(from_=from_, start=start), "to": either(to=to, end=end)}


def _bars_query(
    interval: Optional[str],
    align: Optional[str],
    range_: Mapping[str, Any],
    limit: Optional[int],
    fields: Optional[Sequence[str]],
) -> Dict[str, Any]:
    return {"interval": interval, "align": align, **range_, "limit": limit, "fields": fields}


def _newest(query: Dict[str, Any]) -> Dict[str, Any]:
    """A file has the whole range, and without a start all that is stored: then only the newest rows are wanted."""
    return {**query, "limit": 500} if query["limit"] is None and query["from"] is None else query


def signal_request(
    symbol: str,
    direction: str,
    entry: Optional[float],
    order: Optional[str],
    max_slippage: Optional[float],
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
        "order": order,
        "max_slippage": max_slippage,
        "stop_loss": stop_loss,
        "take_profit": take_profit,
        "targets": None if targets is None else [dict(target) for target in targets],
        "breakeven_after": breakeven_after,
        "expires_at": iso_instant(expires_at),
        "note": note,
    }
    return {name: value for name, value in fields.items() if value is not None}
