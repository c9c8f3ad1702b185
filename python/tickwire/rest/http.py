"""HTTP with httpx: connections that are kept open and used again, proxies from the environment."""

from __future__ import annotations

import asyncio
import ssl
from functools import lru_cache
from typing import Any, AsyncIterator, Dict, Mapping, Optional

try:
    import httpx
except ImportError as error:
    raise ImportError("tickwire needs httpx: pip install httpx", name="httpx") from error

_BROKEN = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
"""How a connection fails that the service has closed meanwhile."""


class HttpFailure(Exception):
    """No response arrived, or not all of it."""


class Response:
    """Status, headers in lower case, and the body as it arrives."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.reason: str = response.reason_phrase
        self.headers: Dict[str, str] = {}
        for name, value in response.headers.multi_items():
            key = name.lower()
            separator = "\n" if key == "set-cookie" else ", "
            self.headers[key] = f"{self.headers[key]}{separator}{value}" if key in self.headers else value
        self._response = response

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body. Raises an HttpFailure if it breaks off."""
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise _failure(error) from error
        finally:
            await self._response.aclose()

    async def read(self) -> bytes:
        """The whole body."""
        return b"".join([chunk async for chunk in self.chunks()])

    async def close(self) -> None:
        """Ends the response. A connection with an unread body is closed."""
        await self._response.aclose()


class HttpTransport:
    """Sends requests on the running event loop. The caller limits the time."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl = ssl_context
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._client: Any = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        """Returns when the headers have arrived. Raises an HttpFailure if they do not."""
        client = self._client_of_loop()
        request = client.build_request(method, url, headers=dict(headers), content=body)
        try:
            try:
                response = await client.send(request, stream=True)
            except _BROKEN:
                if method != "GET":
                    raise
                response = await client.send(request, stream=True)  # On a new connection.
        except (httpx.HTTPError, OSError) as error:  # Older versions let errors of TLS through.
            raise _failure(error) from error
        client.cookies.clear()  # Sessions are kept by the Tickwire client.
        return Response(response)

    def _client_of_loop(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or loop is not self._loop:  # Connections belong to the loop that opened them.
            # The service never redirects; following a redirect could carry the key to another origin.
            verify = self._ssl or _default_context()
            self._client = httpx.AsyncClient(timeout=None, follow_redirects=False, verify=verify)
            self._loop = loop
        return self._client

    async def close(self) -> None:
        """Closes all connections."""
        client, self._client = self._client, None
        if client is not None and asyncio.get_running_loop() is self._loop:
            await client.aclose()


@lru_cache(maxsize=1)
def _default_context() -> Any:
    """For all clients, because reading the certificates takes most of the time to create one."""
    return httpx.create_ssl_context()


def _failure(error: Exception) -> HttpFailure:
    return HttpFailure(str(error) or type(error).__name__)
