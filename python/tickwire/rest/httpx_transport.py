"""HTTP with httpx, if it is installed: proxies from the environment, and HTTP/2 if the `h2` package is there too."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncIterator, Dict, Mapping, Optional

from .http import HttpFailure, Response, Transport


class _HttpxResponse(Response):
    def __init__(self, response: Any, failures: Any) -> None:
        headers: Dict[str, str] = {}
        for name, value in response.headers.multi_items():
            key = name.lower()
            separator = "\n" if key == "set-cookie" else ", "
            headers[key] = f"{headers[key]}{separator}{value}" if key in headers else value
        super().__init__(response.status_code, response.reason_phrase, headers)
        self._response = response
        self._failures = failures

    async def chunks(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except self._failures as error:
            raise HttpFailure(str(error) or type(error).__name__) from error
        finally:
            await self._response.aclose()

    async def close(self) -> None:
        await self._response.aclose()


class HttpxTransport(Transport):
    """HTTP with `httpx.AsyncClient`."""

    name = "httpx"

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        import httpx

        self._httpx: Any = httpx
        self._ssl = ssl_context
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._client: Any = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        loop = asyncio.get_running_loop()
        if self._client is None or loop is not self._loop:
            # The service never redirects; following a redirect could carry the key to another origin. The caller has the timeout.
            self._client = self._httpx.AsyncClient(
                timeout=None, follow_redirects=False, verify=self._ssl if self._ssl is not None else True
            )
            self._loop = loop
        client = self._client
        request = client.build_request(method, url, headers=dict(headers), content=body)
        try:
            response = await client.send(request, stream=True)
        except (self._httpx.HTTPError, OSError) as error:  # Older versions let errors of TLS through.
            raise HttpFailure(str(error) or type(error).__name__) from error
        client.cookies.clear()  # Sessions are kept by the Tickwire client.
        return _HttpxResponse(response, (self._httpx.HTTPError, self._httpx.StreamError, OSError))

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None and asyncio.get_running_loop() is self._loop:
            await client.aclose()
