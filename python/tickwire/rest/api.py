"""One method for each endpoint of the service, named as in its API reference.

Generated from the OpenAPI document by `python3 python/tools/generate.py`. Do not edit. The methods of `special_calls.py` are not.

Every method takes `timeout`, the seconds that each attempt may take (default: that of the client). Methods that are safe to
repeat also take `retry`: whether to wait and try again after a 429 or 503 with `Retry-After` (default True). Those that create
something take `idempotency_key` (default: a random one): a repeated request with the same key has no further effect. A range is
`from_` and `to`, or `start` and `end`.
"""

from __future__ import annotations

from typing import Any, Iterable, Literal, Mapping, Optional, Sequence, Union

from .. import models
from .request import Instant, change_body, either, iso_instant, json_body, ndjson_body, part
from .special_calls import AsyncApiGroup, AsyncSpecialCalls


class AsyncRestApi(AsyncSpecialCalls):
    """Market data, signals, news, AI, usage and health."""

    async def symbols(
        self,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.InstrumentList:
        """List instruments.

        Returns every instrument with its contract specification.

        - `detail`: Add digits, currencies, price source, terms and trading hours. Default `False`.

        Example:
            >>> await client.symbols()
        """
        parameters = {"detail": detail}
        answer: models.InstrumentList = await self._session.get("/api/symbols", parameters, timeout, retry)
        return answer

    async def market(
        self,
        symbol: str,
        *,
        timeframe: Optional[models.Timeframe] = None,
        bars: Optional[int] = None,
        before: Optional[Instant] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.MarketResponse:
        """Get price history and the current quote.

        Returns bars, aligned to UTC, and the current quote of one instrument. An interval without data has no bar. To
        page back, set `before` to the oldest `time` you have; to page forward, set `from_`.

        - `timeframe`: Length of a bar. One of `1m`, `5m`, `15m`, `1h`, `4h`, `1d`. Default `1h`.
        - `bars`: Maximum number of items. 1 to 500. Default `100`.
        - `before`: End of the range (exclusive).
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `detail`: Add `bid_volume` and `ask_volume` to each bar, and `stale` to the quote. Default `False`.

        Example:
            >>> await client.market("EURUSD", timeframe="1h", bars=3)
        """
        parameters = {
            "timeframe": timeframe,
            "bars": bars,
            "before": before,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "detail": detail,
        }
        answer: models.MarketResponse = await self._session.get(
            f"/api/market/{part(symbol)}",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def quote(
        self,
        symbol: str,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SymbolQuote:
        """Get the current quote.

        Returns the current bid and ask of one instrument. A stale quote has its age in the header `Quote-Age`, and no
        signal can be published against it.

        - `detail`: Add `stale` to each quote. Default `False`.

        Example:
            >>> await client.quote("EURUSD")
        """
        parameters = {"detail": detail}
        answer: models.SymbolQuote = await self._session.get(
            f"/api/market/{part(symbol)}/quote",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def bars(
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
        cursor: Optional[str] = None,
        fields: Optional[Union[models.BarField, Sequence[models.BarField]]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.BarsPage:
        """Get bars of any interval.

        Returns bars of any number of minutes, days, weeks or months, page by page: the newest, then older ones; with
        `from_`, the oldest from there on, then newer ones. The last interval of a day is shorter if it does not
        divide the day. Weeks start on Monday (`ny`: on Sunday at 17:00).

        - `interval`: Length of a bar. `1m` is a minute, `1M` a month. Default `1h`.
        - `align`: Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight). Default `utc`.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `limit`: Maximum number of bars. Default: 500 in JSON; a file has the whole range. 1 to 10,000.
        - `cursor`: Value of `next` of the page before.
        - `fields`: Further fields of each bar. A value that was not recorded is `None`. Any of `trades`, `vwap`,
          `buy_volume`, `sell_volume`, `delta`, `source`, `unrecorded_minutes`.

        Example:
            >>> await client.bars("EURUSD", interval="1d", align="ny", limit=2)
        """
        parameters = {
            "interval": interval,
            "align": align,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "limit": limit,
            "cursor": cursor,
            "fields": fields,
        }
        answer: models.BarsPage = await self._session.get(f"/api/bars/{part(symbol)}", parameters, timeout, retry)
        return answer

    async def several_bars(
        self,
        symbols: Union[str, Sequence[str]],
        *,
        interval: Optional[str] = None,
        align: Optional[str] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        fields: Optional[Union[models.BarField, Sequence[models.BarField]]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.BarsPages:
        """Get bars of several instruments.

        Returns a page of bars for each instrument, as `bars` does; `limit` applies to each. A file has all
        instruments, one after the other, with a first column `symbol`.

        - `interval`: Length of a bar. `1m` is a minute, `1M` a month. Default `1h`.
        - `align`: Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight). Default `utc`.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `limit`: Maximum number of bars. Default: 500 in JSON; a file has the whole range. 1 to 10,000.
        - `fields`: Further fields of each bar. A value that was not recorded is `None`. Any of `trades`, `vwap`,
          `buy_volume`, `sell_volume`, `delta`, `source`, `unrecorded_minutes`.
        - `symbols`: Instrument codes. A page has up to 10,000 bars of all together.

        Example:
            >>> await client.several_bars(["EURUSD", "XAUUSD"], interval="1d", limit=1)
        """
        parameters = {
            "interval": interval,
            "align": align,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "limit": limit,
            "fields": fields,
            "symbols": symbols,
        }
        answer: models.BarsPages = await self._session.get("/api/bars", parameters, timeout, retry)
        return answer

    async def ticks(
        self,
        symbol: str,
        *,
        kind: Optional[models.TickKind] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        fields: Optional[Union[models.TickField, Sequence[models.TickField]]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.TicksPage:
        """Get quotes or trades.

        Returns recorded quotes or trades, page by page: the newest, then older ones; with `from_`, the oldest from
        there on, then newer ones. Ticks are kept for the days in the header `Tape-Retention-Days`, imported days for
        good.

        - `kind`: Which ticks to return. One of `quotes`, `trades`. Default `quotes`.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `limit`: Maximum number of ticks. Default: 500 in JSON; a file has the whole range. 1 to 10,000.
        - `cursor`: Value of `next` of the page before.
        - `fields`: Further fields of each tick. Any of `seq`, `source`.

        Example:
            >>> await client.ticks("EURUSD", kind="trades", from_="2026-03-02T11:00:00Z", limit=2)
        """
        parameters = {
            "kind": kind,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "limit": limit,
            "cursor": cursor,
            "fields": fields,
        }
        answer: models.TicksPage = await self._session.get(f"/api/ticks/{part(symbol)}", parameters, timeout, retry)
        return answer

    async def profile(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        level: Optional[float] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Profile:
        """Get the volume profile of a time range.

        Returns how much was bought and sold at each price level of a range of up to 31 days, by default the current
        UTC day. A response has up to 5,000 levels.

        - `from_`: Start of the range (inclusive). Default: 00:00 UTC of the day of `to`. Also called `start`.
        - `to`: End of the range (exclusive). Default: now. Also called `end`.
        - `level`: Height of a price level, a multiple of a tenth of the default of the instrument.

        Example:
            >>> await client.profile(
            ...     "EURUSD",
            ...     from_="2026-03-02T11:00:00Z",
            ...     to="2026-03-02T11:29:59Z",
            ... )
        """
        parameters = {"from": either(from_=from_, start=start), "to": either(to=to, end=end), "level": level}
        answer: models.Profile = await self._session.get(f"/api/profile/{part(symbol)}", parameters, timeout, retry)
        return answer

    async def footprint(
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
        cursor: Optional[str] = None,
        fields: Optional[Union[models.BarField, Sequence[models.BarField]]] = None,
        level: Optional[float] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FootprintPage:
        """Get footprints: the volume at price of each bar.

        Returns how much was bought and sold at each price level of each bar, page by page as in `bars`. The levels of
        a bar and its `uncovered_volume` add up to its volume.

        - `interval`: Length of a bar. `1m` is a minute, `1M` a month. Default `1h`.
        - `align`: Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight). Default `utc`.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `limit`: Maximum number of items. 1 to 1,000. Default `100`.
        - `cursor`: Value of `next` of the page before.
        - `fields`: Further fields of each bar. A value that was not recorded is `None`. Any of `trades`, `vwap`,
          `buy_volume`, `sell_volume`, `delta`, `source`, `unrecorded_minutes`.
        - `level`: Height of a price level, a multiple of a tenth of the default of the instrument.

        Example:
            >>> await client.footprint("EURUSD", interval="5m", limit=1)
        """
        parameters = {
            "interval": interval,
            "align": align,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "limit": limit,
            "cursor": cursor,
            "fields": fields,
            "level": level,
        }
        answer: models.FootprintPage = await self._session.get(
            f"/api/footprint/{part(symbol)}",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def indicator_list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.IndicatorList:
        """List indicators.

        Returns every indicator with its inputs, their defaults and ranges, its lines and its formula.

        Example:
            >>> await client.indicator_list()
        """
        answer: models.IndicatorList = await self._session.get("/api/indicators", None, timeout, retry)
        return answer

    async def coverage(
        self,
        symbol: str,
        *,
        timeframe: Optional[models.Timeframe] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Coverage:
        """Find missing bars.

        Lists the bars that are missing in a range of up to 50,000 bars, with the reason.

        - `timeframe`: Length of a bar. One of `1m`, `5m`, `15m`, `1h`, `4h`, `1d`. Default `1h`.
        - `from_`: Start of the range (inclusive). Default: a day before `to`. Also called `start`.
        - `to`: End of the range (exclusive). Default: now. Also called `end`.

        Example:
            >>> await client.coverage("EURUSD", timeframe="1m")
        """
        parameters = {"timeframe": timeframe, "from": either(from_=from_, start=start), "to": either(to=to, end=end)}
        answer: models.Coverage = await self._session.get(
            f"/api/market/{part(symbol)}/coverage",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def hours(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.TradingHours:
        """Get trading hours.

        Returns the sessions and holidays of one instrument in a range of up to 366 days, by its trading calendar.
        Simulated markets can trade outside it.

        - `from_`: Start of the range (inclusive). Default: now, or 7 days before `to`. Also called `start`.
        - `to`: End of the range (exclusive), at most 366 days after `from_`. 7 days after it by default. Also called
          `end`.

        Example:
            >>> await client.hours("US500", from_="2026-11-25", to="2026-11-28")
        """
        parameters = {"from": either(from_=from_, start=start), "to": either(to=to, end=end)}
        answer: models.TradingHours = await self._session.get(
            f"/api/market/{part(symbol)}/hours",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def perpetual(
        self,
        symbol: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Perpetual:
        """Get funding, mark price and open interest of a perpetual.

        Returns what the venue publishes beside prices, and the newest liquidations. Figures are `None` until the
        venue sends them, also after a restart.

        - `limit`: Number of liquidations. 0 to 500. Default `20`.

        Example:
            >>> await client.perpetual("BTCUSDT.P", limit=1)
        """
        parameters = {"limit": limit}
        answer: models.Perpetual = await self._session.get(
            f"/api/market/{part(symbol)}/perpetual",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def price_source(
        self,
        symbol: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.InstrumentSource:
        """Get the source of prices.

        Returns the feed that delivers one instrument now, and why another venue does not.

        Example:
            >>> await client.price_source("BTCUSD")
        """
        answer: models.InstrumentSource = await self._session.get(
            f"/api/market/{part(symbol)}/source",
            None,
            timeout,
            retry,
        )
        return answer

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
        """Compute the size of a position.

        Returns the lots that lose at most `risk_percent` of `balance` if the market goes from `entry` to `stop_loss`,
        without slippage and fees. Currencies are converted at the middle of current quotes.

        - `symbol`: Instrument code (case-insensitive).
        - `entry`: Entry price.
        - `stop_loss`: Stop loss price.
        - `balance`: Balance of the account, in its currency.
        - `currency`: Currency of the account. Default `USD`.
        - `risk_percent`: Part of the balance that the stop may cost, in percent. Default `1`.

        Example:
            >>> await client.position_size(
            ...     symbol="EURUSD",
            ...     entry=1.084,
            ...     stop_loss=1.081,
            ...     balance=10000,
            ...     currency="USD",
            ...     risk_percent=1,
            ... )
        """
        parameters = {
            "symbol": symbol,
            "entry": entry,
            "stop_loss": stop_loss,
            "balance": balance,
            "currency": currency,
            "risk_percent": risk_percent,
        }
        answer: models.PositionSize = await self._session.get("/api/position-size", parameters, timeout, retry)
        return answer

    async def overview(
        self,
        symbols: Optional[Union[str, Sequence[str]]] = None,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Overview:
        """Get the day of several instruments.

        Returns open, high, low and change of the UTC day, and the closing prices of the last 24 hours, from 15-minute
        bars. Unknown symbols are omitted; if none exists: 404.

        - `symbols`: Instrument codes, comma-separated. All instruments by default.

        Example:
            >>> await client.overview(symbols=["EURUSD", "XAUUSD"])
        """
        parameters = {"symbols": symbols}
        answer: models.Overview = await self._session.get("/api/overview", parameters, timeout, retry)
        return answer

    async def venue_instruments(
        self,
        venue: str,
        *,
        q: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.VenueInstrumentList:
        """Search a venue.

        Returns up to 20 listed instruments of a venue, or of each (`all`).

        - `q`: Part of a symbol or name.

        Example:
            >>> await client.venue_instruments("all", q="atom")
        """
        parameters = {"q": q}
        answer: models.VenueInstrumentList = await self._session.get(
            f"/api/venues/{part(venue)}/instruments",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def add_instrument(self, venue: str, symbol: str, *, timeout: Optional[float] = None) -> models.Instrument:
        """Add an instrument.

        Adds a listed instrument, which streams within seconds. A key needs the scope `admin`.

        - `venue`: Venue.
        - `symbol`: Symbol.

        Example:
            >>> await client.add_instrument(venue="binance", symbol="ATOMUSDT")
        """
        body = json_body({"venue": venue, "symbol": symbol})
        answer: models.Instrument = await self._session.post_once("/api/instruments", body, timeout)
        return answer

    async def feeds(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.FeedList:
        """Get the status of the price feeds.

        Returns the connection state and counters of each feed, and the last prices rejected as implausible. A key
        needs the scope `admin`.

        Example:
            >>> await client.feeds()
        """
        answer: models.FeedList = await self._session.get("/api/feeds", None, timeout, retry)
        return answer

    async def ingest_ticks(
        self,
        lines: Iterable[models.IngestLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IngestAnswer:
        """Push ticks.

        Accepts quotes and trades from your own sources. Each line is accepted or rejected separately. The rate limit
        counts lines, not requests. A key needs the scope `ingest`.

        Example:
            >>> await client.ingest_ticks(
            ...     [
            ...         {"symbol": "EURUSD", "time": 1772450647318, "bid": 1.08412, "ask": 1.08424},
            ...         {
            ...             "symbol": "BTCUSD",
            ...             "time": "2026-03-02T11:24:07.402Z",
            ...             "price": 67120.5,
            ...             "size": 0.02,
            ...             "side": "buy",
            ...         },
            ...         {"symbol": "XAUUSD", "time": 1772450647500, "bid": 2412.7, "ask": 2412.61},
            ...     ],
            ... )
        """
        body = ndjson_body(lines)
        answer: models.IngestAnswer = await self._session.post_idempotent(
            "/ingest/ticks",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def signals(
        self,
        *,
        status: Optional[Literal["active", "closed", "all"]] = None,
        symbol: Optional[str] = None,
        user: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalList:
        """List signals.

        Returns the public signal feed, newest first. To page back, set `before` to the `id` of the oldest signal you
        have.

        - `status`: Which signals to return. One of `active`, `closed`, `all`. Default `active`.
        - `symbol`: Instrument code.
        - `user`: Display name (case-insensitive) or id of a publisher; `practice` in a replay. An unknown one gives
          an empty list.
        - `before`: Id of the last item of the previous page.
        - `limit`: Maximum number of items. 1 to 500. Default `50`.
        - `detail`: Return SignalDetail items. Default `False`.

        Example:
            >>> await client.signals(status="all", limit=2)
        """
        parameters = {
            "status": status,
            "symbol": symbol,
            "user": user,
            "before": before,
            "limit": limit,
            "detail": detail,
        }
        answer: models.SignalList = await self._session.get("/api/signals", parameters, timeout, retry)
        return answer

    async def parse_signal(self, text: str, *, timeout: Optional[float] = None) -> models.SignalDraftList:
        """Read signals from a message.

        Returns the signals of a message as drafts that can be published. Nothing is guessed: an unclear message is
        refused with the reason. Publishes nothing. A key needs the scope `publish`.

        - `text`: Message as people write it in channels, up to 4,096 characters.

        Example:
            >>> await client.parse_signal("Gold sell now SL 3343 TP 3320")
        """
        body = json_body({"text": text})
        answer: models.SignalDraftList = await self._session.post_once("/api/signals/parse", body, timeout)
        return answer

    async def signal(
        self,
        id: str,
        *,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalDetail:
        """Get a signal.

        Returns one signal in detail.

        - `windows`: Add `windows`: high-impact calendar events at the entry and exit. Default `False`.

        Example:
            >>> await client.signal("sig_7k2m9q4x")
        """
        parameters = {"windows": windows}
        answer: models.SignalDetail = await self._session.get(f"/api/signals/{part(id)}", parameters, timeout, retry)
        return answer

    async def signal_proof(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.SignalProof:
        """Get the proof of a signal.

        Returns the log records of one signal.

        Example:
            >>> await client.signal_proof("sig_3f8t1w6c")
        """
        answer: models.SignalProof = await self._session.get(f"/api/signals/{part(id)}/proof", None, timeout, retry)
        return answer

    async def signal_log(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.LogPage:
        """Read the signal log.

        Returns the append-only log of signals. Compare it with a kept head to detect a rewritten log.

        - `after`: Number after which to start. Default `-1`.
        - `limit`: Maximum number of items. 1 to 1,000. Default `1000`.

        Example:
            >>> await client.signal_log(after=40, limit=2)
        """
        parameters = {"after": after, "limit": limit}
        answer: models.LogPage = await self._session.get("/api/signals/log", parameters, timeout, retry)
        return answer

    async def signal_head(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.LogHead:
        """Get the head of the signal log.

        Returns number and hash of the last record, signed. Keep it to prove later that the log was not rewritten.

        Example:
            >>> await client.signal_head()
        """
        answer: models.LogHead = await self._session.get("/api/signals/head", None, timeout, retry)
        return answer

    async def publishers(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        symbol: Optional[str] = None,
        period: Optional[Union[int, str]] = None,
        min_decisions: Optional[int] = None,
        max_drawdown: Optional[float] = None,
        status: Optional[Union[Literal["ranked", "unproven", "losing", "inactive"], Sequence[Literal["ranked", "unproven", "losing", "inactive"]]]] = None,
        sort: Optional[models.PublisherSort] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherList:
        """List publishers.

        Returns publishers with their track records, ranked ones first. `symbol` and `period` select the signals of
        the figures from `signals` on.

        - `limit`: Maximum number of items. 1 to 200. Default `50`.
        - `offset`: Number of publishers to skip. Default `0`.
        - `symbol`: Only publishers and figures of this instrument.
        - `period`: Number of days: figures cover only the signals that closed in this time. One of `30`, `90`,
          `365`.
        - `min_decisions`: Minimum number of decisions. Default `0`.
        - `max_drawdown`: Maximum of `max_drawdown_r`. 0 to 1,000,000. Default `1000000`.
        - `status`: Only publishers with one of these statuses. Any of `ranked`, `unproven`, `losing`, `inactive`.
        - `sort`: Field to sort by. Default `rank`.
        - `order`: Default: `asc` for `rank`, `name` and drawdowns, else `desc`. `None` comes last.

        Example:
            >>> await client.publishers(limit=1)
        """
        parameters = {
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
        answer: models.PublisherList = await self._session.get("/api/publishers", parameters, timeout, retry)
        return answer

    async def publisher(
        self,
        name: str,
        *,
        risk: Optional[float] = None,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """Get a publisher.

        Returns the track record of one publisher.

        - `risk`: Percent of the account at risk on each decision, for `months`. 0.01 to 100. Default `1`.
        - `windows`: Add `windows`: results near high-impact calendar events, and without them. Default `False`.

        Example:
            >>> await client.publisher("goldsmith")
        """
        parameters = {"risk": risk, "windows": windows}
        answer: models.PublisherDetail = await self._session.get(
            f"/api/publishers/{part(name)}",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def publisher_signals(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """Download the signals of a publisher.

        Returns all signals of one publisher as CSV (RFC 4180), newest first.

        Example:
            >>> await client.publisher_signals("goldsmith")
        """
        return await self._session.get_text(
            f"/api/publishers/{part(name)}/signals.csv",
            None,
            "text/csv",
            timeout,
            retry,
        )

    async def publisher_equity(self, name: str, *, timeout: Optional[float] = None, retry: bool = True) -> str:
        """Download the equity curve of a publisher.

        Returns the complete equity curve of one publisher as CSV (RFC 4180), in order of closing.

        Example:
            >>> await client.publisher_equity("goldsmith")
        """
        return await self._session.get_text(
            f"/api/publishers/{part(name)}/equity.csv",
            None,
            "text/csv",
            timeout,
            retry,
        )

    async def trading_view_hook(
        self,
        token: str,
        alert: models.TradingViewAlert,
        *,
        timeout: Optional[float] = None,
    ) -> models.PublishedSignal:
        """Publish a signal from a TradingView alert.

        Works like `publish_signal`. The token in the path replaces the API key, so keep the address secret; `id` in
        the body replaces `Idempotency-Key`.

        - `alert`: `models.TradingViewAlert`.

        Example:
            >>> await client.trading_view_hook(
            ...     "<TOKEN>",
            ...     {
            ...         "id": "2026-03-02T10:58:00Z breakout",
            ...         "symbol": "OANDA:EURUSD",
            ...         "direction": "long",
            ...         "entry": "1.084",
            ...         "stop_loss": "1.081",
            ...         "take_profit": "1.09",
            ...         "expires_at": "2026-03-06T21:00:00Z",
            ...         "note": "Back above the morning range; out before the weekend.",
            ...     },
            ... )
        """
        body = json_body(alert)
        answer: models.PublishedSignal = await self._session.post_once(
            f"/hooks/tradingview/{part(token)}",
            body,
            timeout,
        )
        return answer

    async def signal_heads(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.KeptHeadPage:
        """List kept heads.

        Returns the kept heads, one per hour by default, with their time stamps by RFC 3161 authorities.

        - `after`: Number after which to start. Default `-1`.
        - `limit`: Maximum number of items. 1 to 1,000. Default `100`.

        Example:
            >>> await client.signal_heads(after=40, limit=1)
        """
        parameters = {"after": after, "limit": limit}
        answer: models.KeptHeadPage = await self._session.get("/api/signals/heads", parameters, timeout, retry)
        return answer

    async def public_signal_head(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.LogHead:
        """Get the head without a key.

        Returns the same as `signal_head`.

        Example:
            >>> await client.public_signal_head()
        """
        answer: models.LogHead = await self._session.get("/public/signals/head", None, timeout, retry)
        return answer

    async def public_signal_heads(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.KeptHeadPage:
        """List kept heads without a key.

        Returns the same as `signal_heads`.

        - `after`: Number after which to start. Default `-1`.
        - `limit`: Maximum number of items. 1 to 1,000. Default `100`.

        Example:
            >>> await client.public_signal_heads(after=44)
        """
        parameters = {"after": after, "limit": limit}
        answer: models.KeptHeadPage = await self._session.get("/public/signals/heads", parameters, timeout, retry)
        return answer

    async def publisher_followers(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FollowerResults:
        """Get the results of followers.

        Returns the results of entering and exiting 1, 5 or 30 seconds after each fill and exit, at the first quote
        from then on, without fees.

        - `limit`: Maximum number of items. 1 to 200. Default `50`.

        Example:
            >>> await client.publisher_followers("goldsmith", limit=1)
        """
        parameters = {"limit": limit}
        answer: models.FollowerResults = await self._session.get(
            f"/api/publishers/{part(name)}/followers",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def public_publisher(
        self,
        name: str,
        *,
        risk: Optional[float] = None,
        windows: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublisherDetail:
        """Get the public record of a publisher.

        Returns the same as `publisher`, without a key. 404 `not_found` unless `TICKWIRE_PUBLIC_RECORDS` is on.

        - `risk`: Percent of the account at risk on each decision, for `months`. 0.01 to 100. Default `1`.
        - `windows`: Add `windows`: results near high-impact calendar events, and without them. Default `False`.

        Example:
            >>> await client.public_publisher("goldsmith")
        """
        parameters = {"risk": risk, "windows": windows}
        answer: models.PublisherDetail = await self._session.get(
            f"/public/publishers/{part(name)}",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def public_records(
        self,
        name: str,
        *,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PublicRecordPage:
        """Read the log records of a publisher.

        Returns the log records of all signals of one publisher, without a key. To page back, set `before` to `next`.
        404 `not_found` if public records are off.

        - `before`: Return only signals published by a record with a number below this.
        - `limit`: Maximum number of items. 1 to 100. Default `100`.

        Example:
            >>> await client.public_records("goldsmith", limit=1)
        """
        parameters = {"before": before, "limit": limit}
        answer: models.PublicRecordPage = await self._session.get(
            f"/public/publishers/{part(name)}/records",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def news(
        self,
        *,
        category: Optional[Union[models.NewsCategory, Sequence[models.NewsCategory]]] = None,
        symbol: Optional[str] = None,
        since: Optional[Instant] = None,
        before: Optional[Instant] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        detail: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsList:
        """List news.

        Returns the news feed with sentiment, newest first. Reports of the same story form one item, the earliest; an
        updated headline is a revision of it. To page back, set `before` to the `id` of the last item (with
        `detail=True`).

        - `category`: Only items of these categories. Any of `forex`, `gold`, `crypto`, `macro`.
        - `symbol`: Only items that mention this instrument.
        - `since`: Start of the range (exclusive).
        - `before`: Id of the last item of the previous page, or a time: only items with a `timestamp` before it.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `detail`: Return NewsDetail items. Default `False`.
        - `limit`: Maximum number of items. 1 to 200. Default `20`.

        Example:
            >>> await client.news(category=["gold", "macro"], limit=2)
        """
        parameters = {
            "category": category,
            "symbol": symbol,
            "since": since,
            "before": before,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "detail": detail,
            "limit": limit,
        }
        answer: models.NewsList = await self._session.get("/api/news", parameters, timeout, retry)
        return answer

    async def news_item(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsItemDetail:
        """Get a news item.

        Returns one item with all fields, and the prices of the instruments it mentions at its publication and 5, 30,
        60 and 240 minutes later.

        Example:
            >>> await client.news_item("news_4d9s2v7b")
        """
        answer: models.NewsItemDetail = await self._session.get(f"/api/news/{part(id)}", None, timeout, retry)
        return answer

    async def news_sentiment(
        self,
        *,
        period: Optional[Literal["day", "week", "month"]] = None,
        category: Optional[Union[models.NewsCategory, Sequence[models.NewsCategory]]] = None,
        symbol: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsSentiment:
        """Get the sentiment of the news over time.

        Returns the number of items per label and their average score, by interval and category, over the last day,
        week or month.

        - `period`: 24 hours by the hour, 7 days by 6 hours, or 30 days by day. One of `day`, `week`, `month`.
          Default `day`.
        - `category`: Only items of these categories. Any of `forex`, `gold`, `crypto`, `macro`.
        - `symbol`: Only items that mention this instrument.

        Example:
            >>> await client.news_sentiment(category=["gold", "macro"])
        """
        parameters = {"period": period, "category": category, "symbol": symbol}
        answer: models.NewsSentiment = await self._session.get("/api/news/sentiment", parameters, timeout, retry)
        return answer

    async def news_calibration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsCalibration:
        """Get the accuracy of the sentiment scores.

        Returns how often the market moved as predicted within 15, 60 and 240 minutes, by model, category and label,
        with 95 % confidence intervals.

        Example:
            >>> await client.news_calibration()
        """
        answer: models.NewsCalibration = await self._session.get("/api/news/calibration", None, timeout, retry)
        return answer

    async def news_sources(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.NewsSourceList:
        """Get the status of the news sources.

        Returns the state and counters of each source, and how many items curation dropped, by reason. A key needs the
        scope `admin`.

        Example:
            >>> await client.news_sources()
        """
        answer: models.NewsSourceList = await self._session.get("/api/news/sources", None, timeout, retry)
        return answer

    async def ingest_news(
        self,
        lines: Iterable[models.NewsLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.NewsIngestAnswer:
        """Push news.

        Accepts news from your own sources. Each line is accepted or rejected separately. Duplicates are merged and
        off-topic items are dropped. An account revises only its own items. The rate limit counts lines, not requests.
        A key needs the scope `ingest`.

        Example:
            >>> await client.ingest_news(
            ...     [
            ...         {
            ...             "title": "Gold holds near its high as real yields ease",
            ...             "url": "https://news.example.com/gold-holds-near-its-high",
            ...             "source": "example-wire",
            ...             "category": "gold",
            ...             "time": "2026-03-02T11:10:00Z",
            ...         },
            ...         {
            ...             "title": "Euro-area inflation prints in line with expectations",
            ...             "id": "hicp-2026-02",
            ...             "time": 1772445600000,
            ...         },
            ...     ],
            ... )
        """
        body = ndjson_body(lines)
        answer: models.NewsIngestAnswer = await self._session.post_idempotent(
            "/ingest/news",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def calendar(
        self,
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        country: Optional[Union[str, Sequence[str]]] = None,
        impact: Optional[Union[models.CalendarImpact, Sequence[models.CalendarImpact]]] = None,
        symbol: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarPage:
        """List calendar events.

        Returns the events of the economic calendar in a range of up to 366 days, by ascending time. A revision keeps
        the `id` of its event.

        - `from_`: Start of the range (inclusive). Default: 1 day ago, or 8 days before `to` if that is earlier.
          Also called `start`.
        - `to`: End of the range (exclusive), at most 366 days after `from_`. Default: 7 days from now, or after
          `from_` if that is later. Also called `end`.
        - `country`: Countries: ISO 3166 codes, or `EU`.
        - `impact`: Impacts. Any of `low`, `medium`, `high`.
        - `symbol`: Only events that affect this instrument.
        - `limit`: Maximum number of items. 1 to 1,000. Default `200`.
        - `cursor`: Value of `next` of the page before.

        Example:
            >>> await client.calendar(
            ...     from_="2026-03-02",
            ...     to="2026-03-09",
            ...     impact=["high"],
            ...     symbol="EURUSD",
            ... )
        """
        parameters = {
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "country": country,
            "impact": impact,
            "symbol": symbol,
            "limit": limit,
            "cursor": cursor,
        }
        answer: models.CalendarPage = await self._session.get("/api/calendar", parameters, timeout, retry)
        return answer

    async def event_window(
        self,
        symbol: str,
        *,
        before: Optional[int] = None,
        after: Optional[int] = None,
        impact: Optional[Union[models.CalendarImpact, Sequence[models.CalendarImpact]]] = None,
        at: Optional[Instant] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.EventWindow:
        """Tell whether a time is near a calendar event.

        Returns whether a time is inside the window of an event that affects the instrument, which events these are,
        and the next one. The window of an event starts `before` minutes before its time (inclusive) and ends `after`
        minutes after it (exclusive). All-day and cancelled events open no window.

        - `before`: Minutes before an event at which its window opens. 0 to 1,440. Default `2`.
        - `after`: Minutes after an event at which its window closes. 0 to 1,440. Default `2`.
        - `impact`: Impacts. Any of `low`, `medium`, `high`.
        - `at`: Time to judge. Default: now.

        Example:
            >>> await client.event_window("EURUSD", before=2, after=2, at="2026-03-03T09:58:30Z")
        """
        parameters = {"before": before, "after": after, "impact": impact, "at": at}
        answer: models.EventWindow = await self._session.get(
            f"/api/market/{part(symbol)}/window",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def calendar_sources(
        self,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarSourceList:
        """Get the status of the calendar sources.

        Returns the state and counters of each source. A key needs the scope `admin`.

        Example:
            >>> await client.calendar_sources()
        """
        answer: models.CalendarSourceList = await self._session.get("/api/calendar/sources", None, timeout, retry)
        return answer

    async def ingest_calendar(
        self,
        lines: Iterable[models.CalendarLine],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CalendarIngestAnswer:
        """Push calendar events.

        Accepts calendar events from your own sources. Each line is accepted or rejected separately. All accepted
        events are stored when the response is sent. An account revises only its own events. The rate limit counts
        lines, not requests. A key needs the scope `ingest`.

        Example:
            >>> await client.ingest_calendar(
            ...     [
            ...         {
            ...             "id": "cpi-2026-02",
            ...             "title": "Consumer price index, flash estimate",
            ...             "country": "EU",
            ...             "impact": "high",
            ...             "time": "2026-03-03T10:00:00Z",
            ...             "forecast": "2.1%",
            ...             "previous": "2.0%",
            ...         },
            ...         {
            ...             "title": "Bank holiday",
            ...             "country": "JP",
            ...             "impact": "low",
            ...             "time": "2026-03-20",
            ...         },
            ...     ],
            ... )
        """
        body = ndjson_body(lines)
        answer: models.CalendarIngestAnswer = await self._session.post_idempotent(
            "/ingest/calendar",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def ai_sentiment(
        self,
        request: models.AiSentimentRequest,
        *,
        timeout: Optional[float] = None,
    ) -> models.AiSentiment:
        """Score the sentiment of a text.

        Scores a text like a headline of the news feed. If `model` is omitted and the default model is slow or fails,
        the local model is used instead; `model` in the response names the one that was used. A request that succeeds,
        or that the client aborts after a model was asked, counts as one AI call.

        - `request`: `models.AiSentimentRequest`.

        Example:
            >>> await client.ai_sentiment(
            ...     {"text": "Gold holds near its high as real yields ease", "symbol": "XAUUSD"},
            ... )
        """
        body = json_body(request)
        answer: models.AiSentiment = await self._session.post_once("/api/ai/sentiment", body, timeout)
        return answer

    async def ai_brief(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiBrief:
        """Get a brief on an instrument.

        Returns a short text on price, order flow, active signals and news of one instrument. It is written by a
        language model if one is configured, otherwise composed by rules. Every figure comes from the data;
        `citations` lists the sources. A request that succeeds, or that the client aborts after a model was asked,
        counts as one AI call.

        Example:
            >>> await client.ai_brief("EURUSD")
        """
        answer: models.AiBrief = await self._session.get(f"/api/ai/brief/{part(symbol)}", None, timeout, retry)
        return answer

    async def ai_models(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AiModelList:
        """List models.

        Returns all models with their tasks and whether they are currently available. This does not count as an AI
        call.

        Example:
            >>> await client.ai_models()
        """
        answer: models.AiModelList = await self._session.get("/api/ai/models", None, timeout, retry)
        return answer

    async def alerts(
        self,
        *,
        symbol: Optional[str] = None,
        state: Optional[models.AlertState] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AlertList:
        """List alerts.

        Returns the alerts of the account, newest first.

        - `symbol`: Instrument code.
        - `state`: State. One of `active`, `paused`, `done`, `expired`.

        Example:
            >>> await client.alerts(symbol="EURUSD")
        """
        parameters = {"symbol": symbol, "state": state}
        answer: models.AlertList = await self._session.get("/api/alerts", parameters, timeout, retry)
        return answer

    async def create_alert(
        self,
        symbol: Optional[str],
        condition: Mapping[str, Any],
        *,
        repeat: Optional[Literal["once", "once_per_bar", "every_time"]] = None,
        interval: Optional[models.Timeframe] = None,
        cooldown_seconds: Optional[int] = None,
        expires_at: Optional[Instant] = None,
        deliver: Optional[Sequence[Mapping[str, Any]]] = None,
        note: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedAlert:
        """Create an alert.

        The alert is checked on every event from now on. A level that the price is already beyond does not fire until
        it is crossed. The tier limits the active alerts. A key needs the scope `alerts`.

        - `symbol`: Instrument code (case-insensitive). Conditions on headlines, signals and calendar events can
          leave it out.
        - `condition`: `models.AlertCondition`.
        - `repeat`: One of `once`, `once_per_bar`, `every_time`. Default `once`.
        - `interval`: Bar of `once_per_bar`. Default: that of the condition, or one minute. One of `1m`, `5m`,
          `15m`, `1h`, `4h`, `1d`.
        - `cooldown_seconds`: 0 to 604,800. Default `0`.
        - `deliver`: A list of `models.DeliverTo`.

        Example:
            >>> await client.create_alert(
            ...     symbol="EURUSD",
            ...     condition={"type": "price", "cross": "above", "level": 1.2, "side": "bid"},
            ...     repeat="once",
            ...     deliver=[{"channel": "webhook", "url": "https://hooks.example.com/tickwire"}],
            ...     note="Sell half",
            ... )
        """
        body = json_body(
            {
                "symbol": symbol,
                "condition": condition,
                "repeat": repeat,
                "interval": interval,
                "cooldown_seconds": cooldown_seconds,
                "expires_at": iso_instant(expires_at),
                "deliver": deliver,
                "note": note,
            }
        )
        answer: models.CreatedAlert = await self._session.post_idempotent(
            "/api/alerts",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """Get an alert.

        Returns one alert.

        Example:
            >>> await client.alert("alr_5d7e8f603f9c2a1b")
        """
        answer: models.Alert = await self._session.get(f"/api/alerts/{part(id)}", None, timeout, retry)
        return answer

    async def change_alert(
        self,
        id: str,
        change: Mapping[str, Any],
        *,
        timeout: Optional[float] = None,
    ) -> models.CreatedAlert:
        """Change an alert.

        Changes the given fields. A new condition starts from the current state; an alert that is done or expired
        becomes active. A key needs the scope `alerts`.

        - `change`: `models.AlertChange`.

        Example:
            >>> await client.change_alert("alr_5d7e8f603f9c2a1b", {"note": "Sell half"})
        """
        body = change_body(change)
        answer: models.CreatedAlert = await self._session.patch_once(f"/api/alerts/{part(id)}", body, timeout)
        return answer

    async def delete_alert(self, id: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.Alert:
        """Delete an alert.

        Deletes the alert. Messages that were written before are still delivered; its firings stay in the list. A key
        needs the scope `alerts`.

        Example:
            >>> await client.delete_alert("alr_5d7e8f603f9c2a1b")
        """
        answer: models.Alert = await self._session.delete(f"/api/alerts/{part(id)}", timeout, retry)
        return answer

    async def pause_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Pause an alert.

        The alert does not fire until it is resumed. A key needs the scope `alerts`.

        Example:
            >>> await client.pause_alert("alr_5d7e8f603f9c2a1b")
        """
        answer: models.Alert = await self._session.post_once(f"/api/alerts/{part(id)}/pause", None, timeout)
        return answer

    async def resume_alert(self, id: str, *, timeout: Optional[float] = None) -> models.Alert:
        """Resume an alert.

        What happened during the pause does not fire the alert. A key needs the scope `alerts`.

        Example:
            >>> await client.resume_alert("alr_5d7e8f603f9c2a1b")
        """
        answer: models.Alert = await self._session.post_once(f"/api/alerts/{part(id)}/resume", None, timeout)
        return answer

    async def test_alert(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Test an alert.

        Sends a test message to each destination of the alert, at most 10 per minute and account. A key needs the
        scope `alerts`.

        Example:
            >>> await client.test_alert("alr_5d7e8f603f9c2a1b")
        """
        answer: models.AlertTest = await self._session.post_once(f"/api/alerts/{part(id)}/test", None, timeout)
        return answer

    async def firings(
        self,
        *,
        alert: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.FiringList:
        """List firings.

        Returns firings of the last 90 days, newest first.

        - `alert`: Id of an alert.
        - `before`: Id of the last item of the previous page.
        - `limit`: Maximum number of items. 1 to 200. Default `50`.

        Example:
            >>> await client.firings(limit=1)
        """
        parameters = {"alert": alert, "before": before, "limit": limit}
        answer: models.FiringList = await self._session.get("/api/alerts/firings", parameters, timeout, retry)
        return answer

    async def subscriptions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SubscriptionList:
        """List subscriptions.

        Returns the subscriptions of the account, newest first.

        Example:
            >>> await client.subscriptions()
        """
        answer: models.SubscriptionList = await self._session.get("/api/subscriptions", None, timeout, retry)
        return answer

    async def create_subscription(
        self,
        deliver: Sequence[Mapping[str, Any]],
        *,
        publisher: Optional[str] = None,
        symbol: Optional[str] = None,
        category: Optional[models.NewsCategory] = None,
        events: Optional[Sequence[Literal["published", "filled", "closed"]]] = None,
        mirror: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedSubscription:
        """Follow a publisher, an instrument or a news category.

        Delivers every message, in order. A mirror posts every publication, fill and closing of a publisher to a
        community and never edits or deletes. The tier may delay the messages. A key needs the scope `alerts`.

        - `publisher`: Name or id of a publisher: its signals.
        - `symbol`: An instrument: its signals and headlines.
        - `category`: A news category: its headlines. One of `forex`, `gold`, `crypto`, `macro`.
        - `events`: Any of `published`, `filled`, `closed`. Default `published, filled, closed`.
        - `mirror`: Mirror for a community: all `events`. Default `False`.
        - `deliver`: A list of `models.DeliverTo`.

        Example:
            >>> await client.create_subscription(
            ...     publisher="goldsmith",
            ...     deliver=[{"destination": "dst_2a1b5d7e8f603f9c"}],
            ... )
        """
        body = json_body(
            {
                "publisher": publisher,
                "symbol": symbol,
                "category": category,
                "events": events,
                "mirror": mirror,
                "deliver": deliver,
            }
        )
        answer: models.CreatedSubscription = await self._session.post_idempotent(
            "/api/subscriptions",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def delete_subscription(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Subscription:
        """Delete a subscription.

        Ends the subscription. Messages that were written before are still delivered. A key needs the scope `alerts`.

        Example:
            >>> await client.delete_subscription("sub_3f9c2a1b5d7e8f60")
        """
        answer: models.Subscription = await self._session.delete(f"/api/subscriptions/{part(id)}", timeout, retry)
        return answer

    async def destinations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DestinationList:
        """List destinations.

        Returns where messages of the account can be delivered.

        Example:
            >>> await client.destinations()
        """
        answer: models.DestinationList = await self._session.get("/api/destinations", None, timeout, retry)
        return answer

    async def create_destination(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedDestination:
        """Create a destination.

        The signing secret of a webhook is only in this response. Discord, Slack, e-mail and push destinations receive
        a code that verifies them; to link a Telegram chat, send the code of the response to the bot. A key needs the
        scope `alerts`.

        - `request`: `models.DestinationRequest`.

        Example:
            >>> await client.create_destination(
            ...     {"channel": "webhook", "url": "https://hooks.example.com/tickwire"},
            ... )
        """
        body = json_body(request)
        answer: models.CreatedDestination = await self._session.post_idempotent(
            "/api/destinations",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def verify_destination(self, id: str, code: str, *, timeout: Optional[float] = None) -> models.Destination:
        """Verify a destination.

        Takes the code that the destination received. Verifying again changes nothing. A key needs the scope `alerts`.

        - `code`: Code that the destination received.

        Example:
            >>> await client.verify_destination("dst_2a1b5d7e8f603f9c", "482913")
        """
        body = json_body({"code": code})
        answer: models.Destination = await self._session.post_once(
            f"/api/destinations/{part(id)}/verify",
            body,
            timeout,
        )
        return answer

    async def test_destination(self, id: str, *, timeout: Optional[float] = None) -> models.AlertTest:
        """Test a destination.

        Sends a test message to the destination, at most 10 per minute and account. A key needs the scope `alerts`.

        Example:
            >>> await client.test_destination("dst_2a1b5d7e8f603f9c")
        """
        answer: models.AlertTest = await self._session.post_once(f"/api/destinations/{part(id)}/test", None, timeout)
        return answer

    async def delete_destination(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Destination:
        """Delete a destination.

        Deletes the destination and its waiting messages, and removes it from all alerts and subscriptions. A key
        needs the scope `alerts`.

        Example:
            >>> await client.delete_destination("dst_2a1b5d7e8f603f9c")
        """
        answer: models.Destination = await self._session.delete(f"/api/destinations/{part(id)}", timeout, retry)
        return answer

    async def push_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.PushKey:
        """Get the key for push messages.

        Returns the key with which a browser subscribes to push messages.

        Example:
            >>> await client.push_key()
        """
        answer: models.PushKey = await self._session.get("/api/destinations/push-key", None, timeout, retry)
        return answer

    async def deliveries(
        self,
        *,
        state: Optional[models.DeliveryState] = None,
        destination: Optional[str] = None,
        alert: Optional[str] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DeliveryList:
        """List deliveries.

        Returns the messages of the account with their state, newest first. They are kept for 30 days.

        - `state`: State. One of `waiting`, `delivered`, `dead`.
        - `destination`: Return only messages to this destination.
        - `alert`: Id of an alert.
        - `before`: Id of the last item of the previous page.
        - `limit`: Maximum number of items. 1 to 200. Default `50`.

        Example:
            >>> await client.deliveries(limit=1)
        """
        parameters = {"state": state, "destination": destination, "alert": alert, "before": before, "limit": limit}
        answer: models.DeliveryList = await self._session.get("/api/deliveries", parameters, timeout, retry)
        return answer

    async def replay_delivery(self, id: str, *, timeout: Optional[float] = None) -> models.Delivery:
        """Replay a message that was given up.

        The message is tried again for up to 24 hours, with the same id. A key needs the scope `alerts`.

        Example:
            >>> await client.replay_delivery("msg_1b5d7e8f603f9c2a")
        """
        answer: models.Delivery = await self._session.post_once(f"/api/deliveries/{part(id)}/replay", None, timeout)
        return answer

    async def preferences(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Preferences:
        """Get the preferences for messages.

        Returns how messages of the account write times and numbers. Default: UTC and `en`.

        Example:
            >>> await client.preferences()
        """
        answer: models.Preferences = await self._session.get("/api/preferences", None, timeout, retry)
        return answer

    async def set_preferences(
        self,
        *,
        time_zone: Optional[str] = None,
        number_format: Optional[Literal["en", "en-GB", "en-IN", "de", "de-CH", "es", "fr", "it", "ja", "nl", "pl", "pt-BR", "sv"]] = None,
        timeout: Optional[float] = None,
    ) -> models.Preferences:
        """Set the preferences for messages.

        Changes the given fields, for new messages. Webhooks ignore preferences. A key needs the scope `alerts`.

        - `time_zone`: Time zone of times in messages (IANA).
        - `number_format`: Locale of numbers in messages.

        Example:
            >>> await client.set_preferences(time_zone="Europe/Berlin", number_format="de")
        """
        body = json_body({"time_zone": time_zone, "number_format": number_format})
        answer: models.Preferences = await self._session.patch_once("/api/preferences", body, timeout)
        return answer

    async def chat_channels(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.ChatChannelList:
        """List chat channels.

        Returns the chats from which the account publishes. A key needs the scope `publish`.

        Example:
            >>> await client.chat_channels()
        """
        answer: models.ChatChannelList = await self._session.get("/api/chat-channels", None, timeout, retry)
        return answer

    async def create_chat_channel(
        self,
        platform: Literal["telegram", "discord"],
        *,
        mode: Optional[Literal["review", "automatic"]] = None,
        keep_text: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.CreatedChatChannel:
        """Create a chat channel.

        Returns a code that links a channel, or a chat with the bot. A key needs the scope `publish`.

        - `platform`: One of `telegram`, `discord`.
        - `mode`: Default: `review`. One of `review`, `automatic`.
        - `keep_text`: Default: false.

        Example:
            >>> await client.create_chat_channel(platform="telegram", mode="review")
        """
        body = json_body({"platform": platform, "mode": mode, "keep_text": keep_text})
        answer: models.CreatedChatChannel = await self._session.post_idempotent(
            "/api/chat-channels",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def change_chat_channel(
        self,
        id: str,
        *,
        mode: Optional[Literal["review", "automatic"]] = None,
        keep_text: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> models.ChatChannel:
        """Change a chat channel.

        Changes the given fields, for messages from now on. A key needs the scope `publish`.

        - `mode`: Mode. One of `review`, `automatic`.
        - `keep_text`: Whether texts are kept.

        Example:
            >>> await client.change_chat_channel("chn_2a1b5d7e8f603f9c", mode="automatic")
        """
        body = json_body({"mode": mode, "keep_text": keep_text})
        answer: models.ChatChannel = await self._session.patch_once(f"/api/chat-channels/{part(id)}", body, timeout)
        return answer

    async def delete_chat_channel(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.ChatChannel:
        """Remove a chat channel.

        Published signals and edits of their messages stay. A key needs the scope `publish`.

        Example:
            >>> await client.delete_chat_channel("chn_2a1b5d7e8f603f9c")
        """
        answer: models.ChatChannel = await self._session.delete(f"/api/chat-channels/{part(id)}", timeout, retry)
        return answer

    async def chat_messages(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.ChatMessageList:
        """List messages of a chat channel.

        Returns messages of the last 30 days with their outcome. A key needs the scope `publish`.

        - `limit`: Maximum number of items. 1 to 200. Default `50`.

        Example:
            >>> await client.chat_messages("chn_2a1b5d7e8f603f9c", limit=1)
        """
        parameters = {"limit": limit}
        answer: models.ChatMessageList = await self._session.get(
            f"/api/chat-channels/{part(id)}/messages",
            parameters,
            timeout,
            retry,
        )
        return answer

    async def signal_edits(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SignalEditList:
        """List edits of the message of a signal.

        Returns later edits, and the deletion, of the message that published it. They change no signal.

        Example:
            >>> await client.signal_edits("sig_9f2c1a7be04d5e63")
        """
        answer: models.SignalEditList = await self._session.get(f"/api/signals/{part(id)}/edits", None, timeout, retry)
        return answer

    async def usage_history(
        self,
        *,
        period: Optional[Literal["hour", "day", "month"]] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UsageHistory:
        """Get the usage history.

        Returns the usage of the account over the last hour, day or month, in total and by key.

        - `period`: The last hour by minute, the last day by hour, or the last 30 days by day. One of `hour`, `day`,
          `month`. Default `day`.
        - `detail`: Add `sessions`: the part of signed-in sessions, and their own limits. Default `False`.

        Example:
            >>> await client.usage_history(period="hour", detail=True)
        """
        parameters = {"period": period, "detail": detail}
        answer: models.UsageHistory = await self._session.get("/api/usage/history", parameters, timeout, retry)
        return answer

    async def usage(
        self,
        *,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.Usage:
        """Get the current usage.

        Returns the tier of the account and what remains of its limits.

        - `detail`: Add `signals`, the limits of published signals, and `limits_of`. Default `False`.

        Example:
            >>> await client.usage(detail=True)
        """
        parameters = {"detail": detail}
        answer: models.Usage = await self._session.get("/api/usage", parameters, timeout, retry)
        return answer

    async def replay_sessions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.ReplaySessionList:
        """List replay sessions.

        Returns the sessions of the account, oldest first.

        Example:
            >>> await client.replay_sessions()
        """
        answer: models.ReplaySessionList = await self._session.get("/api/replays", None, timeout, retry)
        return answer

    async def create_replay(
        self,
        symbols: Sequence[str],
        from_: str,
        *,
        to: Optional[str] = None,
        speed: Optional[Union[float, Literal["max"]]] = None,
        start: Optional[Literal["playing", "paused"]] = None,
        timeout: Optional[float] = None,
    ) -> models.ReplaySession:
        """Create a replay session.

        Then send its id in the header `Replay`, or in the parameter `replay`, to read as of its clock. The tier
        limits sessions, instruments and events per minute.

        - `symbols`: Instruments.
        - `from_`: Start: the clock begins here.
        - `to`: End, where the clock stops. Now by default.
        - `speed`: Seconds of the past per second, or `max`: as fast as the streams of the session are read. 1 by
          default.
        - `start`: Whether the clock runs; it is paused by default. One of `playing`, `paused`.

        Example:
            >>> await client.create_replay(
            ...     symbols=["EURUSD"],
            ...     from_="2026-03-02T08:00:00.000Z",
            ...     to="2026-03-02T17:00:00.000Z",
            ...     speed=60,
            ... )
        """
        body = json_body({"symbols": symbols, "from": from_, "to": to, "speed": speed, "start": start})
        answer: models.ReplaySession = await self._session.post_once("/api/replays", body, timeout)
        return answer

    async def replay_session(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.ReplaySession:
        """Get a replay session.

        Returns the session with the time of its clock.

        Example:
            >>> await client.replay_session("rpl_7c1f0e6b52a94d38")
        """
        answer: models.ReplaySession = await self._session.get(f"/api/replays/{part(id)}", None, timeout, retry)
        return answer

    async def change_replay(
        self,
        id: str,
        *,
        state: Optional[Literal["playing", "paused"]] = None,
        speed: Optional[Union[float, Literal["max"]]] = None,
        step: Optional[Literal["tick", "bar"]] = None,
        interval: Optional[str] = None,
        seek: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.ReplaySession:
        """Play, pause, step or seek.

        Changes the clock: first `seek`, then `step`, then `speed` and `state`.

        - `state`: Whether the clock runs; it is paused by default. One of `playing`, `paused`.
        - `speed`: Seconds of the past per second, or `max`: as fast as the streams of the session are read. 1 by
          default.
        - `step`: Goes to the next tick, or to the end of the bar in which it is, and pauses unless `state` is
          `playing`. One of `tick`, `bar`.
        - `interval`: Length of the bar of `step`. `1m` by default.
        - `seek`: Sets the clock. Numbers of messages start at 1 again, with another epoch.

        Example:
            >>> await client.change_replay("rpl_7c1f0e6b52a94d38", state="playing")
        """
        body = json_body({"state": state, "speed": speed, "step": step, "interval": interval, "seek": seek})
        answer: models.ReplaySession = await self._session.patch_once(f"/api/replays/{part(id)}", body, timeout)
        return answer

    async def delete_replay(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.ReplaySession:
        """End a replay session.

        Ends the session and returns it as it was.

        Example:
            >>> await client.delete_replay("rpl_7c1f0e6b52a94d38")
        """
        answer: models.ReplaySession = await self._session.delete(f"/api/replays/{part(id)}", timeout, retry)
        return answer

    async def practice_record(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.PracticeRecord:
        """Get the record of practice signals.

        Returns the results of the signals that were published in the session, as of its clock.

        Example:
            >>> await client.practice_record("rpl_7c1f0e6b52a94d38")
        """
        answer: models.PracticeRecord = await self._session.get(f"/api/replays/{part(id)}/record", None, timeout, retry)
        return answer

    async def save_practice(self, id: str, name: str, *, timeout: Optional[float] = None) -> models.SavedPracticeInfo:
        """Save the record of practice signals.

        Saves the record as of the clock. It remains when the session ends. The tier limits how many an account keeps.
        A key needs the scope `publish`.

        Example:
            >>> await client.save_practice("rpl_7c1f0e6b52a94d38", name="Breakouts, 2 March")
        """
        body = json_body({"name": name})
        answer: models.SavedPracticeInfo = await self._session.post_once(f"/api/replays/{part(id)}/save", body, timeout)
        return answer

    async def saved_practice(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SavedPracticeList:
        """List saved records of practice signals.

        Returns the saved records of the account, oldest first.

        Example:
            >>> await client.saved_practice()
        """
        answer: models.SavedPracticeList = await self._session.get("/api/practice-records", None, timeout, retry)
        return answer

    async def delete_saved_practice(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.SavedPracticeInfo:
        """Delete a saved record.

        Deletes a saved record of practice signals and returns which it was. A key needs the scope `publish`.

        Example:
            >>> await client.delete_saved_practice("rec_52a94d387c1f0e6b")
        """
        answer: models.SavedPracticeInfo = await self._session.delete(
            f"/api/practice-records/{part(id)}",
            timeout,
            retry,
        )
        return answer

    async def session(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionStatistics:
        """Get session statistics.

        Returns statistics of the current trading session.

        Example:
            >>> await client.session()
        """
        answer: models.SessionStatistics = await self._session.get("/api/session", None, timeout, retry)
        return answer

    async def healthz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Health:
        """Check liveness.

        Returns 200 while the process is running.

        Example:
            >>> await client.healthz()
        """
        answer: models.Health = await self._session.get("/healthz", None, timeout, retry)
        return answer

    async def readyz(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Readiness:
        """Check readiness.

        Returns 200 if the service is ready and 503 if it is not, with the result of each check.

        Example:
            >>> await client.readyz()
        """
        answer: models.Readiness = await self._session.get("/readyz", None, timeout, retry)
        return answer


class AsyncAccountApi(AsyncApiGroup):
    """The account: sign-up, sign-in, sessions, password, signing key. Available as `client.account`.

    After `sign_in`, a client without a key keeps the cookie of the session and sends it with every call and
    stream.
    """

    async def signing_key(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SigningKey:
        """Get the signing key.

        Returns the public key with which the account signs its requests about signals.

        Example:
            >>> await client.account.signing_key()
        """
        answer: models.SigningKey = await self._session.get("/api/account/signing-key", None, timeout, retry)
        return answer

    async def set_signing_key(self, public_key: Optional[str], *, timeout: Optional[float] = None) -> models.SigningKey:
        """Register or remove a signing key.

        Registers, replaces or removes the Ed25519 key with which signals, amendments and requests to close must then
        be signed.

        - `public_key`: Ed25519 public key, 32 bytes, hex; `None` removes the key.

        Example:
            >>> await client.account.set_signing_key(
            ...     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            ... )
        """
        body = change_body({"public_key": public_key})
        answer: models.SigningKey = await self._session.post_once("/api/account/signing-key", body, timeout)
        return answer

    async def registration(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Registration:
        """Get the registration policy.

        Returns who can sign up, and whether the service still needs its owner account.

        Example:
            >>> await client.account.registration()
        """
        answer: models.Registration = await self._session.get("/api/account/registration", None, timeout, retry)
        return answer

    async def set_up(self, token: str, name: str, password: str, *, timeout: Optional[float] = None) -> models.Account:
        """Create the owner account.

        Creates the owner account with the token of the setup link that the service printed, and signs in. Sets the
        session cookie.

        - `token`: Token of the setup link.
        - `name`: Display name, unique with similar ones, in NFKC.
        - `password`: New password.

        Example:
            >>> await client.account.set_up(token="<TOKEN>", name="goldsmith", password="<PASSWORD>")
        """
        body = json_body({"token": token, "name": name, "password": password})
        answer: models.Account = await self._session.post_once("/api/account/setup", body, timeout)
        return answer

    async def check_setup(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Check a setup link.

        Returns whether the token can still create the owner account. An invalid token counts as an attempt to sign
        up.

        - `token`: Token of the link.

        Example:
            >>> await client.account.check_setup(token="<TOKEN>")
        """
        body = json_body({"token": token})
        answer: models.LinkCheck = await self._session.post_once("/api/account/setup/check", body, timeout)
        return answer

    async def check_invitation(self, token: str, *, timeout: Optional[float] = None) -> models.LinkCheck:
        """Check an invitation.

        Returns whether the token can still create an account. An invalid token counts as an attempt to sign up.

        - `token`: Token of the link.

        Example:
            >>> await client.account.check_invitation(token="<TOKEN>")
        """
        body = json_body({"token": token})
        answer: models.LinkCheck = await self._session.post_once("/api/account/invitation/check", body, timeout)
        return answer

    async def sign_up(
        self,
        name: str,
        password: str,
        *,
        invitation: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Account:
        """Sign up.

        Creates an account and signs in. Sets the session cookie.

        - `name`: Display name, unique with similar ones, in NFKC.
        - `password`: New password.
        - `invitation`: Token of an invitation, if one is required.

        Example:
            >>> await client.account.sign_up(
            ...     name="goldsmith",
            ...     password="<PASSWORD>",
            ...     invitation="<TOKEN>",
            ... )
        """
        body = json_body({"name": name, "password": password, "invitation": invitation})
        answer: models.Account = await self._session.post_once("/api/account/sign-up", body, timeout)
        return answer

    async def sign_in(
        self,
        name: str,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Account:
        """Sign in.

        Signs in with name and password, and with `code` if two-factor sign-in is enabled. Without it, the response is
        `two_factor_required`. Sets the session cookie. By default the session ends after 30 days, or 12 hours without
        use. It has the scopes `read`, `alerts` and `publish`; the owner also has `admin`.

        - `name`: Display name, unique with similar ones, in NFKC.
        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.sign_in(name="goldsmith", password="<PASSWORD>")
        """
        body = json_body({"name": name, "password": password, "code": code})
        answer: models.Account = await self._session.post_once("/api/account/sign-in", body, timeout)
        return answer

    async def sign_out(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Sign out.

        Ends the current session and removes its cookie.

        Example:
            >>> await client.account.sign_out()
        """
        answer: models.SessionsEnded = await self._session.post_once("/api/account/sign-out", None, timeout)
        return answer

    async def sign_out_everywhere(self, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Sign out everywhere.

        Ends all sessions of the account, including the current one.

        Example:
            >>> await client.account.sign_out_everywhere()
        """
        answer: models.SessionsEnded = await self._session.post_once("/api/account/sign-out-everywhere", None, timeout)
        return answer

    async def change_password(
        self,
        password: str,
        new_password: str,
        *,
        code: Optional[str] = None,
        revoke_keys: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> models.PasswordChanged:
        """Change the password.

        Changes the password, ends all other sessions of the account and, unless `revoke_keys` is false, revokes its
        API keys and data links.

        - `code`: Code of the app, or a recovery code.
        - `new_password`: New password.
        - `revoke_keys`: Also revokes all API keys of the account; default true.

        Example:
            >>> await client.account.change_password(
            ...     password="<PASSWORD>",
            ...     new_password="<NEW PASSWORD>",
            ... )
        """
        body = json_body({"password": password, "code": code, "new_password": new_password, "revoke_keys": revoke_keys})
        answer: models.PasswordChanged = await self._session.post_once("/api/account/password", body, timeout)
        return answer

    async def confirm(
        self,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.Confirmed:
        """Confirm the session.

        Takes the password again, and the code with two-factor sign-in. For 5 minutes, the session gets no
        `confirmation_required`.

        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.confirm(password="<PASSWORD>")
        """
        body = json_body({"password": password, "code": code})
        answer: models.Confirmed = await self._session.post_once("/api/account/confirm", body, timeout)
        return answer

    async def delete(
        self,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.AccountDeleted:
        """Delete the account.

        Deletes the account and ends its keys and sessions. Its signals remain in the log under its id. Its name is
        not given to another account.

        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.delete(password="<PASSWORD>")
        """
        body = json_body({"password": password, "code": code})
        answer: models.AccountDeleted = await self._session.post_once("/api/account/delete", body, timeout)
        return answer

    async def get(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.Account:
        """Get the account of the caller.

        Returns the account of the key or session, and its scopes. For a session, the response renews the cookie.

        Example:
            >>> await client.account.get()
        """
        answer: models.Account = await self._session.get("/api/account", None, timeout, retry)
        return answer

    async def sessions(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.SessionList:
        """List sessions.

        Returns the signed-in sessions of the account.

        Example:
            >>> await client.account.sessions()
        """
        answer: models.SessionList = await self._session.get("/api/account/sessions", None, timeout, retry)
        return answer

    async def revoke_session(self, id: str, *, timeout: Optional[float] = None) -> models.SessionsEnded:
        """Revoke a session.

        Ends one session of the account.

        Example:
            >>> await client.account.revoke_session("ses_4t9x2k7p")
        """
        answer: models.SessionsEnded = await self._session.post_once(
            f"/api/account/sessions/{part(id)}/revoke",
            None,
            timeout,
        )
        return answer

    async def two_factor(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.TwoFactorStatus:
        """Get the state of two-factor sign-in.

        Returns whether sign-in asks for a code, and how many recovery codes are left.

        Example:
            >>> await client.account.two_factor()
        """
        answer: models.TwoFactorStatus = await self._session.get("/api/account/two-factor", None, timeout, retry)
        return answer

    async def set_up_two_factor(
        self,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.TwoFactorSecret:
        """Start the set-up of two-factor sign-in.

        Creates a secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds), to be confirmed. A second call
        replaces it.

        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.set_up_two_factor("<PASSWORD>")
        """
        body = json_body({"password": password, "code": code})
        answer: models.TwoFactorSecret = await self._session.post_once("/api/account/two-factor/set-up", body, timeout)
        return answer

    async def confirm_two_factor(self, code: str, *, timeout: Optional[float] = None) -> models.TwoFactorConfirmed:
        """Enable two-factor sign-in.

        Enables two-factor sign-in with a code of the app, and returns ten recovery codes. They are shown only once.

        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.confirm_two_factor("492039")
        """
        body = json_body({"code": code})
        answer: models.TwoFactorConfirmed = await self._session.post_once(
            "/api/account/two-factor/confirm",
            body,
            timeout,
        )
        return answer

    async def disable_two_factor(
        self,
        password: str,
        *,
        code: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> models.TwoFactorStatus:
        """Disable two-factor sign-in.

        Disables two-factor sign-in and deletes its secret and recovery codes.

        - `code`: Code of the app, or a recovery code.

        Example:
            >>> await client.account.disable_two_factor(password="<PASSWORD>", code="492039")
        """
        body = json_body({"password": password, "code": code})
        answer: models.TwoFactorStatus = await self._session.post_once("/api/account/two-factor/disable", body, timeout)
        return answer

    async def documents(
        self,
        *,
        kind: Optional[models.DocumentKind] = None,
        values: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DocumentList:
        """List documents.

        Returns stored documents, such as layouts and drawings. With `kind` or `values=True`, items have their values.

        - `kind`: Return only documents of this kind, with their values. One of `layout`, `drawings`, `watchlist`,
          `settings`.
        - `values`: Whether items have their `value`. By default with `kind` only.

        Example:
            >>> await client.account.documents(kind="layout")
        """
        parameters = {"kind": kind, "values": values}
        answer: models.DocumentList = await self._session.get("/api/account/documents", parameters, timeout, retry)
        return answer

    async def document(
        self,
        kind: str,
        name: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AccountDocument:
        """Get a document.

        Returns one document with its value.

        Example:
            >>> await client.account.document("layout", "scalper")
        """
        answer: models.AccountDocument = await self._session.get(
            f"/api/account/documents/{part(kind)}/{part(name)}",
            None,
            timeout,
            retry,
        )
        return answer

    async def put_document(
        self,
        kind: str,
        name: str,
        value: Mapping[str, Any],
        *,
        revision: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> models.DocumentInfo:
        """Create or replace a document.

        Stores a JSON object of up to 64 KiB, if `revision` is still the current one; otherwise the response is
        `document_conflict`. An account may have 500 documents with 4 MiB together.

        - `value`: Any JSON object, up to 64 KiB and 64 levels deep.
        - `revision`: Revision that the change is based on; 0 or absent for a new document.

        Example:
            >>> await client.account.put_document(
            ...     "layout",
            ...     "scalper",
            ...     value={"charts": [{"symbol": "EURUSD", "interval": "5m"}]},
            ...     revision=3,
            ... )
        """
        body = json_body({"value": value, "revision": revision})
        answer: models.DocumentInfo = await self._session.put_once(
            f"/api/account/documents/{part(kind)}/{part(name)}",
            body,
            timeout,
        )
        return answer

    async def delete_document(
        self,
        kind: str,
        name: str,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.DocumentInfo:
        """Delete a document.

        Deletes a document, whatever its revision, and returns its last state without its value.

        Example:
            >>> await client.account.delete_document("layout", "scalper")
        """
        answer: models.DocumentInfo = await self._session.delete(
            f"/api/account/documents/{part(kind)}/{part(name)}",
            timeout,
            retry,
        )
        return answer


class AsyncKeysApi(AsyncApiGroup):
    """API keys of the calling account. Needs a session, or a key with the scope `admin`. Available as `client.keys`."""

    async def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.KeyList:
        """List API keys.

        Returns the API keys of the account, without their secrets. A key needs the scope `admin`.

        Example:
            >>> await client.keys.list()
        """
        answer: models.KeyList = await self._session.get("/api/keys", None, timeout, retry)
        return answer

    async def create(
        self,
        name: str,
        *,
        scopes: Optional[Sequence[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]] = None,
        expires_days: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedKey:
        """Create an API key.

        Creates an API key. The complete key is shown only once, in this response. A key needs the scope `admin`.

        - `scopes`: Scopes, each one of `key_scopes` of the account. Any of `read`, `alerts`, `publish`, `ingest`,
          `admin`, `hook`. Default `read`.
        - `expires_days`: Days until expiry; `None` if never. 1 to 36,500.

        Example:
            >>> await client.keys.create(
            ...     name="night bot",
            ...     scopes=["read", "publish"],
            ...     expires_days=90,
            ... )
        """
        body = json_body({"name": name, "scopes": scopes, "expires_days": expires_days})
        answer: models.IssuedKey = await self._session.post_idempotent(
            "/api/keys",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def rotate(
        self,
        id: str,
        *,
        overlap_hours: float,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedKey:
        """Rotate an API key.

        Creates a new key that replaces an old one. The old key remains valid for the given overlap. A key needs the
        scope `admin`.

        - `overlap_hours`: Hours for which the old key remains valid. 0 to 8,760.

        Example:
            >>> await client.keys.rotate("8fk2m4q9tz", overlap_hours=24)
        """
        body = json_body({"overlap_hours": overlap_hours})
        answer: models.IssuedKey = await self._session.post_idempotent(
            f"/api/keys/{part(id)}/rotate",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.KeyInfo:
        """Revoke an API key.

        Revokes a key immediately. Its streams close within a second. A key needs the scope `admin`.

        Example:
            >>> await client.keys.revoke("8fk2m4q9tz")
        """
        answer: models.KeyInfo = await self._session.post_once(f"/api/keys/{part(id)}/revoke", None, timeout)
        return answer


class AsyncLinksApi(AsyncApiGroup):
    """Data links of the calling account: addresses that read one path without a key. Available as `client.links`.

    Needs a session, or a key with the scope `admin`.
    """

    async def list(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.DataLinkList:
        """List data links.

        Returns the data links of the account, without their addresses. A key needs the scope `admin`.

        Example:
            >>> await client.links.list()
        """
        answer: models.DataLinkList = await self._session.get("/api/links", None, timeout, retry)
        return answer

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
        """Create a data link.

        Creates an address that reads one path and its query without a key, for clients that cannot send a header. Its
        requests count against the limits of the account. The address is shown only once, in this response. A key
        needs the scope `admin`.

        - `path`: Path and query to read, such as `/api/bars/EURUSD?interval=1d&format=csv`, or `/udf` for all
          TradingView endpoints.
        - `expires_days`: Days until expiry. 1 to 366. Default `90`.

        Example:
            >>> await client.links.create(
            ...     name="Portfolio sheet",
            ...     path="/api/bars/EURUSD?interval=1d&limit=250&format=csv",
            ...     expires_days=90,
            ... )
        """
        body = json_body({"name": name, "path": path, "expires_days": expires_days})
        answer: models.IssuedDataLink = await self._session.post_idempotent(
            "/api/links",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def revoke(self, id: str, *, timeout: Optional[float] = None) -> models.DataLink:
        """Revoke a data link.

        Revokes a link immediately. A key needs the scope `admin`.

        Example:
            >>> await client.links.revoke("3rd9k0w7xe")
        """
        answer: models.DataLink = await self._session.post_once(f"/api/links/{part(id)}/revoke", None, timeout)
        return answer


class AsyncUdfApi(AsyncApiGroup):
    """The data feed of TradingView charts, for charts of your own. Times are Unix time in seconds. Available as
    `client.udf`.
    """

    async def config(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfConfig:
        """Get what the data feed supports.

        Part of the data feed for TradingView.

        Example:
            >>> await client.udf.config()
        """
        answer: models.UdfConfig = await self._session.get("/udf/config", None, timeout, retry)
        return answer

    async def symbol(self, symbol: str, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfSymbol:
        """Get an instrument for a chart.

        Part of the data feed for TradingView.

        - `symbol`: Instrument code or `ticker`, with or without an exchange before a colon.

        Example:
            >>> await client.udf.symbol(symbol="TICKWIRE:EURUSD")
        """
        parameters = {"symbol": symbol}
        answer: models.UdfSymbol = await self._session.get("/udf/symbols", parameters, timeout, retry)
        return answer

    async def search(
        self,
        query: Optional[str] = None,
        *,
        type: Optional[str] = None,
        exchange: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfSearchResult:
        """Search instruments for a chart.

        Part of the data feed for TradingView.

        - `query`: What the user typed: a part of a symbol or of a name.
        - `type`: Return only instruments of this type. Empty: all.
        - `exchange`: Return only instruments of this exchange. Empty: all.
        - `limit`: Maximum number of items. 1 to 100. Default `30`.

        Example:
            >>> await client.udf.search(query="eur", limit=30)
        """
        parameters = {"query": query, "type": type, "exchange": exchange, "limit": limit}
        answer: models.UdfSearchResult = await self._session.get("/udf/search", parameters, timeout, retry)
        return answer

    async def history(
        self,
        symbol: str,
        resolution: Literal["1", "3", "5", "15", "30", "45", "60", "120", "180", "240", "360", "480", "720", "1D", "1W", "1M", "D", "W", "M"],
        *,
        to: int,
        from_: Optional[int] = None,
        countback: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfHistory:
        """Get bars for a chart.

        Returns the bars of the range, or the `countback` bars before `to`: at most the newest 10,000. Part of the
        data feed for TradingView.

        - `symbol`: Instrument code or `ticker`, with or without an exchange before a colon.
        - `resolution`: Length of a bar: minutes, or `1D`, `1W`, `1M`.
        - `from_`: Start (inclusive); ignored with `countback`.
        - `to`: End of the range (exclusive).
        - `countback`: Number of bars before `to`, wherever they start. A response has at most 10,000.

        Example:
            >>> await client.udf.history(
            ...     symbol="EURUSD",
            ...     resolution="60",
            ...     from_=1772442000,
            ...     to=1772449200,
            ...     countback=2,
            ... )
        """
        parameters = {"symbol": symbol, "resolution": resolution, "from": from_, "to": to, "countback": countback}
        answer: models.UdfHistory = await self._session.get("/udf/history", parameters, timeout, retry)
        return answer

    async def marks(
        self,
        symbol: str,
        resolution: Literal["1", "3", "5", "15", "30", "45", "60", "120", "180", "240", "360", "480", "720", "1D", "1W", "1M", "D", "W", "M"],
        *,
        from_: int,
        to: int,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfMarks:
        """Get signals and headlines for a chart.

        Returns at most 10 marks for each bar, signals first. Part of the data feed for TradingView.

        - `symbol`: Instrument code or `ticker`, with or without an exchange before a colon.
        - `resolution`: Length of a bar: minutes, or `1D`, `1W`, `1M`.
        - `from_`: Start of the range (inclusive).
        - `to`: End of the range (exclusive).

        Example:
            >>> await client.udf.marks(
            ...     symbol="EURUSD",
            ...     resolution="60",
            ...     from_=1772442000,
            ...     to=1772449200,
            ... )
        """
        parameters = {"symbol": symbol, "resolution": resolution, "from": from_, "to": to}
        answer: models.UdfMarks = await self._session.get("/udf/marks", parameters, timeout, retry)
        return answer

    async def quotes(
        self,
        symbols: Union[str, Sequence[str]],
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.UdfQuotes:
        """Get quotes for a chart.

        Part of the data feed for TradingView.

        - `symbols`: Instrument codes, comma-separated.

        Example:
            >>> await client.udf.quotes(symbols=["EURUSD"])
        """
        parameters = {"symbols": symbols}
        answer: models.UdfQuotes = await self._session.get("/udf/quotes", parameters, timeout, retry)
        return answer

    async def time(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.UdfTime:
        """Get the time of the service.

        Part of the data feed for TradingView.

        Example:
            >>> await client.udf.time()
        """
        answer: models.UdfTime = await self._session.get("/udf/time", None, timeout, retry)
        return answer


class AsyncAdminApi(AsyncApiGroup):
    """Operator calls. They need the owner's session, or a key with the scope `admin`. Available as `client.admin`."""

    async def void_signal(self, id: str, reason: str, *, timeout: Optional[float] = None) -> models.SignalDetail:
        """Void a signal.

        Voids a signal, for example after a bad tick: it no longer counts. The reason is public, and its records stay
        in the log. A key needs the scope `admin`.

        - `reason`: Public reason, plain text.

        Example:
            >>> await client.admin.void_signal(
            ...     "sig_7k2m9q4x",
            ...     "The feed delivered a bad tick at 11:03:12 UTC.",
            ... )
        """
        body = json_body({"reason": reason})
        answer: models.SignalDetail = await self._session.post_once(
            f"/api/admin/signals/{part(id)}/void",
            body,
            timeout,
        )
        return answer

    async def accounts(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.AccountReportList:
        """List accounts.

        Returns all accounts with their tier, last use and activity of the last 24 hours. A key needs the scope
        `admin`.

        Example:
            >>> await client.admin.accounts()
        """
        answer: models.AccountReportList = await self._session.get("/api/admin/accounts", None, timeout, retry)
        return answer

    async def set_tier(self, account: str, tier: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Change the tier of an account.

        Assigns another tier to an account. A key needs the scope `admin`.

        Example:
            >>> await client.admin.set_tier("pub_4c9e1f7a20b3d586", "pro")
        """
        body = json_body({"tier": tier})
        answer: models.AccountReport = await self._session.post_once(
            f"/api/admin/accounts/{part(account)}/tier",
            body,
            timeout,
        )
        return answer

    async def disable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Disable an account.

        Ends the sessions of an account and rejects its keys until it is enabled again. A key needs the scope `admin`.

        Example:
            >>> await client.admin.disable("pub_4c9e1f7a20b3d586")
        """
        answer: models.AccountReport = await self._session.post_once(
            f"/api/admin/accounts/{part(account)}/disable",
            None,
            timeout,
        )
        return answer

    async def enable(self, account: str, *, timeout: Optional[float] = None) -> models.AccountReport:
        """Enable an account.

        Enables a disabled account and its keys. A key needs the scope `admin`.

        Example:
            >>> await client.admin.enable("pub_4c9e1f7a20b3d586")
        """
        answer: models.AccountReport = await self._session.post_once(
            f"/api/admin/accounts/{part(account)}/enable",
            None,
            timeout,
        )
        return answer

    async def streams(
        self,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.StreamReportList:
        """List open streams.

        Returns the open streams, oldest first. A key needs the scope `admin`.

        - `limit`: Maximum number of items. 1 to 5,000. Default `500`.

        Example:
            >>> await client.admin.streams(limit=100)
        """
        parameters = {"limit": limit}
        answer: models.StreamReportList = await self._session.get("/api/admin/streams", parameters, timeout, retry)
        return answer

    async def invitations(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.InvitationList:
        """List invitations.

        Returns the invitations of the last year, newest first. A key needs the scope `admin`.

        Example:
            >>> await client.admin.invitations()
        """
        answer: models.InvitationList = await self._session.get("/api/admin/invitations", None, timeout, retry)
        return answer

    async def create_invitation(
        self,
        tier: str,
        *,
        expires_days: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.IssuedInvitation:
        """Create an invitation.

        Creates an invitation for one person, with a link that works once. The token is shown only in this response. A
        key needs the scope `admin`.

        - `expires_days`: Days until expiry. 1 to 365. Default `7`.

        Example:
            >>> await client.admin.create_invitation(tier="free", expires_days=7)
        """
        body = json_body({"tier": tier, "expires_days": expires_days})
        answer: models.IssuedInvitation = await self._session.post_idempotent(
            "/api/admin/invitations",
            body,
            idempotency_key,
            timeout,
            retry,
        )
        return answer

    async def revoke_invitation(self, id: str, *, timeout: Optional[float] = None) -> models.Invitation:
        """Revoke an invitation.

        Revokes an invitation that has not been used. A key needs the scope `admin`.

        Example:
            >>> await client.admin.revoke_invitation("inv_7k3m9p2x")
        """
        answer: models.Invitation = await self._session.post_once(
            f"/api/admin/invitations/{part(id)}/revoke",
            None,
            timeout,
        )
        return answer

    async def audit_log(
        self,
        *,
        account: Optional[str] = None,
        action: Optional[models.AuditAction] = None,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        to: Optional[Instant] = None,
        end: Optional[Instant] = None,
        before: Optional[int] = None,
        limit: Optional[int] = None,
        detail: Optional[bool] = None,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.AuditList:
        """Read the audit log.

        Returns sign-ins and changes to accounts, keys and sessions, newest first. The settings `audit_days` and
        `audit_entries` limit the log. A key needs the scope `admin`.

        - `account`: Entries about or by this account: its id or its display name.
        - `action`: Entries with this action.
        - `from_`: Start of the range (inclusive). Also called `start`.
        - `to`: End of the range (exclusive). Also called `end`.
        - `before`: Entries older than the one with this id. Pass `next_before` of the previous page.
        - `limit`: Maximum number of items. 1 to 1,000. Default `100`.
        - `detail`: Add `actor_name` and `account_name`. Default `False`.

        Example:
            >>> await client.admin.audit_log(action="key created", limit=1)
        """
        parameters = {
            "account": account,
            "action": action,
            "from": either(from_=from_, start=start),
            "to": either(to=to, end=end),
            "before": before,
            "limit": limit,
            "detail": detail,
        }
        answer: models.AuditList = await self._session.get("/api/admin/audit", parameters, timeout, retry)
        return answer

    async def language_model(
        self,
        *,
        timeout: Optional[float] = None,
        retry: bool = True,
    ) -> models.LanguageModelReport:
        """Get the state of the language model.

        Returns the requests of the day. In a cluster, those of the node that scores the news. A key needs the scope
        `admin`.

        Example:
            >>> await client.admin.language_model()
        """
        answer: models.LanguageModelReport = await self._session.get("/api/admin/language-model", None, timeout, retry)
        return answer

    async def markets(self, *, timeout: Optional[float] = None, retry: bool = True) -> models.MarketsReport:
        """Get the markets.

        Returns whether the markets are simulated or live, and can be changed here. A key needs the scope `admin`.

        Example:
            >>> await client.admin.markets()
        """
        answer: models.MarketsReport = await self._session.get("/api/admin/markets", None, timeout, retry)
        return answer

    async def change_markets(
        self,
        markets: Literal["simulated", "live"],
        *,
        timeout: Optional[float] = None,
    ) -> models.MarketsReport:
        """Change the markets.

        Stores the choice, answers 202, and starts the service again. Streams close with 1012. Returns 200 if these
        markets run already. A key needs the scope `admin`.

        - `markets`: The markets to run. One of `simulated`, `live`.

        Example:
            >>> await client.admin.change_markets(markets="live")
        """
        body = json_body({"markets": markets})
        answer: models.MarketsReport = await self._session.put_once("/api/admin/markets", body, timeout)
        return answer
