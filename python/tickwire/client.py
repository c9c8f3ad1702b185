"""The two clients. Both have the same methods; the synchronous one runs the asynchronous one on a thread of its own."""

from __future__ import annotations

import ssl
from typing import Any, AsyncIterator, Callable, Iterator, Optional, Union

from .loop_thread import LoopThread
from .rest.api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncLinksApi, AsyncRestApi, AsyncUdfApi
from .models import BarMessage, MarketTick, Timeframe
from .rest.request import DEFAULT_RETRY_WAIT, DEFAULT_TIMEOUT, Instant, ResponseInfo, RestSession, StreamPosition, either
from .rest.sync_api import AccountApi, AdminApi, KeysApi, LinksApi, RestApi, UdfApi
from .stream.events import Gap
from .stream.follow import FollowedBar, FollowedTick, follow_bars, follow_ticks
from .stream.live import AsyncLive, AsyncLiveStream, StreamOpener
from .stream.options import DEFAULT_BUFFER, DEFAULT_HEARTBEAT
from .stream.sync_live import Live


class AsyncTickwireClient(AsyncRestApi):
    """Client of a Tickwire service for asyncio.

    `url` is the address of the service; a path prefix is kept. Default: the environment variable `TICKWIRE_URL`, or else
    `http://127.0.0.1:8080`. The default of `api_key` is `TICKWIRE_API_KEY`, until `account.sign_in` starts a session, and only if `url`
    is left out or has the origin of its default. `timeout` is that of each attempt of a REST call, in seconds (default 30).
    `retry_wait` is the most seconds that one call may wait in total for retries after a 429 or 503 with `Retry-After` (default 5; 0
    disables them). `on_response` is called for every REST response. `ssl_context` replaces the default one.

    Example:
        >>> async with AsyncTickwireClient("http://127.0.0.1:8080", "tw_…") as client:
        ...     print((await client.quote("EURUSD"))["bid"])
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry_wait: float = DEFAULT_RETRY_WAIT,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Creates a client. It opens no connection until a method is called."""
        session = RestSession(
            url,
            api_key,
            timeout=timeout,
            retry_wait=retry_wait,
            on_response=on_response,
            ssl_context=ssl_context,
        )
        super().__init__(session)
        self.account = AsyncAccountApi(session)
        """The account: sign-up, sign-in, sessions, password, signing key."""
        self.keys = AsyncKeysApi(session)
        """API keys of the account."""
        self.links = AsyncLinksApi(session)
        """Addresses that read one path without a key."""
        self.udf = AsyncUdfApi(session)
        """The data feed of TradingView charts."""
        self.admin = AsyncAdminApi(session)
        """Operator calls."""
        self.live = AsyncLive(StreamOpener(session))
        """Streams to loop over."""

    def replay(self, id: str) -> "AsyncTickwireClient":
        """A client with the same options and key that reads a replay session: its calls are answered as of the clock of the session,
        and its streams follow it. What has no past is refused with the code `not_in_replay`. Close it like this client.

        Example:
            >>> session = await client.create_replay(["EURUSD"], "2026-03-02T08:00:00Z")
            >>> async with client.replay(session["id"]) as replay:
            ...     print((await replay.quote("EURUSD"))["bid"])
        """
        own = self._session
        client = AsyncTickwireClient(
            own.base,
            own.api_key,
            timeout=own.timeout,
            retry_wait=own.retry_wait,
            on_response=own.on_response,
            ssl_context=own.ssl_context,
        )
        client._session.enter_replay(id, own)
        return client

    def follow_bars(
        self,
        symbol: str,
        timeframe: str = "1h",
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        limit: int = 500,
        buffer: int = DEFAULT_BUFFER,
        heartbeat: int = DEFAULT_HEARTBEAT,
    ) -> AsyncIterator[Union[FollowedBar, Gap]]:
        """History, then live bars, as one sequence without a gap or an overlap. A bar replaces an earlier one of the same time.

        The history begins at `from_` (also called `start`), or with the newest `limit` bars (default 500). After a lost connection the
        stream resumes; if messages cannot be recovered, a gap is yielded, then the bars that changed meanwhile. `buffer` and `heartbeat` are those of
        streams.

        `timeframe` is minutes or hours up to a day, `1d`, `1w` or `1M`, aligned to UTC. Live bars of lengths other than those of
        streams are made of shorter ones, and close with the last of those or with the first one after it.

        Example:
            >>> async for event in client.follow_bars("EURUSD", "1m", limit=100):
            ...     if event.type != "gap":
            ...         print(event.type, event.bar["time"], event.bar["close"])
        """

        def open_stream(streamed: Timeframe, position: StreamPosition) -> AsyncLiveStream[BarMessage]:
            return self.live.bars(symbol, streamed, seq=True, start=position, buffer=buffer, heartbeat=heartbeat)

        return follow_bars(self._session, open_stream, symbol, timeframe, either(from_=from_, start=start), limit)

    def follow_ticks(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        limit: int = 500,
        buffer: int = DEFAULT_BUFFER,
        heartbeat: int = DEFAULT_HEARTBEAT,
    ) -> AsyncIterator[Union[FollowedTick, Gap]]:
        """Quotes from the tape, then live ticks, as one sequence without a gap or an overlap.

        The history begins at `from_` (also called `start`), or with the newest `limit` quotes (default 500). Ticks that the stream has
        lost are fetched and follow as history; a gap means that the service no longer has them, or that its feed was interrupted.

        Example:
            >>> async for event in client.follow_ticks("EURUSD", limit=100):
            ...     if event.type != "gap":
            ...         print(event.type, event.tick["time"], event.tick["bid"])
        """

        def open_stream(position: StreamPosition) -> AsyncLiveStream[MarketTick]:
            return self.live.ticks(symbol, seq=True, ms=True, start=position, buffer=buffer, heartbeat=heartbeat)

        return follow_ticks(self._session, open_stream, symbol, either(from_=from_, start=start), limit)

    async def close(self) -> None:
        """Closes the connections of REST calls. Streams have their own `close`."""
        await self._session.close()

    async def __aenter__(self) -> "AsyncTickwireClient":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class TickwireClient(RestApi):
    """Client of a Tickwire service. It works everywhere, also in a notebook or another program with a running event loop, because
    it has a thread of its own. It may be used by several threads at a time.

    The arguments are those of `AsyncTickwireClient`.

    Example:
        >>> with TickwireClient("http://127.0.0.1:8080", "tw_…") as client:
        ...     print(client.quote("EURUSD")["bid"])
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry_wait: float = DEFAULT_RETRY_WAIT,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Creates a client. It opens no connection until a method is called."""
        inner = AsyncTickwireClient(
            url,
            api_key,
            timeout=timeout,
            retry_wait=retry_wait,
            on_response=on_response,
            ssl_context=ssl_context,
        )
        thread = LoopThread()
        super().__init__(inner, thread)
        self.account = AccountApi(inner.account, thread)
        """The account: sign-up, sign-in, sessions, password, signing key."""
        self.keys = KeysApi(inner.keys, thread)
        """API keys of the account."""
        self.links = LinksApi(inner.links, thread)
        """Addresses that read one path without a key."""
        self.udf = UdfApi(inner.udf, thread)
        """The data feed of TradingView charts."""
        self.admin = AdminApi(inner.admin, thread)
        """Operator calls."""
        self.live = Live(inner.live, thread)
        """Streams to loop over."""
        self._client = inner

    def replay(self, id: str) -> "TickwireClient":
        """A client with the same options and key that reads a replay session: its calls are answered as of the clock of the session,
        and its streams follow it. What has no past is refused with the code `not_in_replay`. Close it like this client.

        Example:
            >>> session = client.create_replay(["EURUSD"], "2026-03-02T08:00:00Z")
            >>> with client.replay(session["id"]) as replay:
            ...     print(replay.quote("EURUSD")["bid"])
        """
        own = self._client._session
        client = TickwireClient(
            own.base,
            own.api_key,
            timeout=own.timeout,
            retry_wait=own.retry_wait,
            on_response=own.on_response,
            ssl_context=own.ssl_context,
        )
        client._client._session.enter_replay(id, own)
        return client

    def follow_bars(
        self,
        symbol: str,
        timeframe: str = "1h",
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        limit: int = 500,
        buffer: int = DEFAULT_BUFFER,
        heartbeat: int = DEFAULT_HEARTBEAT,
    ) -> Iterator[Union[FollowedBar, Gap]]:
        """History, then live bars, as one sequence without a gap or an overlap. A bar replaces an earlier one of the same time.

        The history begins at `from_` (also called `start`), or with the newest `limit` bars (default 500). After a lost connection the
        stream resumes; if messages cannot be recovered, a gap is yielded, then the bars that changed meanwhile. Leaving the loop closes the stream.

        Example:
            >>> for event in client.follow_bars("EURUSD", "1m", limit=100):
            ...     if event.type != "gap":
            ...         print(event.type, event.bar["time"], event.bar["close"])
        """
        bars = self._client.follow_bars(
            symbol, timeframe, from_=from_, start=start, limit=limit, buffer=buffer, heartbeat=heartbeat
        )
        return self._thread.iterate(bars)

    def follow_ticks(
        self,
        symbol: str,
        *,
        from_: Optional[Instant] = None,
        start: Optional[Instant] = None,
        limit: int = 500,
        buffer: int = DEFAULT_BUFFER,
        heartbeat: int = DEFAULT_HEARTBEAT,
    ) -> Iterator[Union[FollowedTick, Gap]]:
        """Quotes from the tape, then live ticks, as one sequence without a gap or an overlap. Leaving the loop closes the stream.

        Example:
            >>> for event in client.follow_ticks("EURUSD", limit=100):
            ...     if event.type != "gap":
            ...         print(event.type, event.tick["time"], event.tick["bid"])
        """
        ticks = self._client.follow_ticks(
            symbol, from_=from_, start=start, limit=limit, buffer=buffer, heartbeat=heartbeat
        )
        return self._thread.iterate(ticks)

    def close(self) -> None:
        """Closes all connections and streams, and ends the thread."""
        try:
            self._thread.run(self._client.close())
        except RuntimeError:
            pass  # It is closed already.
        self._thread.close()

    def __enter__(self) -> "TickwireClient":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
