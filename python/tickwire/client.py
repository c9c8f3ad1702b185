"""The two clients. Both have the same methods; the synchronous one runs the asynchronous one on a thread of its own."""

from __future__ import annotations

import ssl
import weakref
from typing import Any, Callable, Optional

from .loop_thread import LoopThread
from .rest.api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncRestApi
from .rest.request import DEFAULT_RETRY_WAIT, DEFAULT_TIMEOUT, ResponseInfo, RestSession
from .rest.sync_api import AccountApi, AdminApi, KeysApi, RestApi
from .stream.live import AsyncLive, StreamOpener
from .stream.sync_live import Live


class AsyncTickwireClient(AsyncRestApi):
    """Client of a Tickwire service for asyncio.

    `url` is the address of the service; a path prefix is kept. `api_key` may be left out if `account.sign_in` is called. `timeout`
    is that of each attempt of a REST call, in seconds (default 30). `retry_wait` is the most seconds that one call may wait in total
    for retries after a 429 or 503 with `Retry-After` (default 5; 0 disables them). `on_response` is called for every REST response.
    `transport` is `"auto"`, which uses httpx and websockets if they are installed, or `"stdlib"`. `ssl_context` replaces the default
    one.

    Example:
        >>> async with AsyncTickwireClient("http://127.0.0.1:8080", "tw_…") as client:
        ...     print((await client.quote("EURUSD"))["bid"])
    """

    def __init__(
        self,
        url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry_wait: float = DEFAULT_RETRY_WAIT,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        transport: str = "auto",
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Creates a client. It opens no connection until a method is called."""
        session = RestSession(
            url,
            api_key,
            timeout=timeout,
            retry_wait=retry_wait,
            on_response=on_response,
            transport=transport,
            ssl_context=ssl_context,
        )
        super().__init__(session)
        self.account = AsyncAccountApi(session)
        """The account: sign-up, sign-in, sessions, password, signing key."""
        self.keys = AsyncKeysApi(session)
        """API keys of the account."""
        self.admin = AsyncAdminApi(session)
        """Operator calls."""
        self.live = AsyncLive(StreamOpener(session))
        """Streams to loop over."""

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
        url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry_wait: float = DEFAULT_RETRY_WAIT,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        transport: str = "auto",
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """Creates a client. It opens no connection until a method is called."""
        inner = AsyncTickwireClient(
            url,
            api_key,
            timeout=timeout,
            retry_wait=retry_wait,
            on_response=on_response,
            transport=transport,
            ssl_context=ssl_context,
        )
        thread = LoopThread()
        super().__init__(inner, thread)
        self.account = AccountApi(inner.account, thread)
        """The account: sign-up, sign-in, sessions, password, signing key."""
        self.keys = KeysApi(inner.keys, thread)
        """API keys of the account."""
        self.admin = AdminApi(inner.admin, thread)
        """Operator calls."""
        self.live = Live(inner.live, thread)
        """Streams to loop over."""
        self._client = inner
        self._finalizer = weakref.finalize(self, thread.close)

    def close(self) -> None:
        """Closes all connections and streams, and ends the thread."""
        if self._finalizer.alive:
            try:
                self._thread.run(self._client.close())
            except RuntimeError:
                pass
            self._finalizer()

    def __enter__(self) -> "TickwireClient":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
