"""WebSocket connections with the `websockets` package. What differs between its versions is here."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Union

try:
    import websockets
    import websockets.exceptions
    from websockets.version import version
except ImportError as error:
    raise ImportError("tickwire needs websockets: pip install websockets", name="websockets") from error

MAX_MESSAGE = 16 * 1024 * 1024
"""Longest message that is accepted, in bytes."""
CLOSE_SECONDS = 0.1
"""Time for the closing handshake. A dead peer never completes it."""
_IS_NEW = int(version.split(".")[0]) >= 14
"""Whether `websockets.connect` is the new implementation, with other names for the headers and for a rejected handshake."""


class ConnectionEnded(Exception):
    """The connection is over. `code` is 1006 if it was lost without a close frame."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}".rstrip())
        self.code = code
        self.reason = reason


class HandshakeRejected(Exception):
    """The service answered the handshake with an HTTP status."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(f"the handshake was answered with {status} {reason}".rstrip())
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body


class WebSocket:
    """One connection."""

    async def send(self, text: str) -> None:
        """Sends a text message. Raises ConnectionEnded."""
        raise NotImplementedError

    async def receive(self) -> Union[str, Dict[str, Any]]:
        """The next message: its text, or what its text means. Raises ConnectionEnded. Answers pings by itself."""
        raise NotImplementedError

    def abort(self) -> None:
        """Ends the connection at once; `receive` raises ConnectionEnded."""
        raise NotImplementedError


Connect = Callable[[str, Mapping[str, str], Optional[ssl.SSLContext]], Awaitable[WebSocket]]
"""Opens a connection: `await connect(url, headers, ssl_context)`."""


class _LibraryWebSocket(WebSocket):
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._closing: Any = None

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except websockets.exceptions.ConnectionClosed as error:
            raise _ended(error) from error

    async def receive(self) -> str:
        try:
            message = await self._connection.recv()
        except websockets.exceptions.ConnectionClosed as error:
            raise _ended(error) from error
        return message if isinstance(message, str) else bytes(message).decode("utf-8", "replace")

    def abort(self) -> None:
        loop = asyncio.get_running_loop()
        self._closing = loop.create_task(self._connection.close())
        loop.call_later(CLOSE_SECONDS, self._connection.transport.abort)


def _ended(error: Any) -> ConnectionEnded:
    if error.rcvd is not None:
        return ConnectionEnded(error.rcvd.code, error.rcvd.reason)
    return ConnectionEnded(1006, "the connection was lost")


async def connect(url: str, headers: Mapping[str, str], ssl_context: Optional[ssl.SSLContext]) -> WebSocket:
    """Opens a connection. Raises HandshakeRejected or ConnectionEnded."""
    options: Dict[str, Any] = {"additional_headers" if _IS_NEW else "extra_headers": dict(headers)}
    if ssl_context is not None and url.startswith("wss:"):
        options["ssl"] = ssl_context
    failures: Any = websockets.exceptions
    rejection = failures.InvalidStatus if _IS_NEW else failures.InvalidStatusCode
    try:
        # Heartbeats and timeouts are those of the stream.
        connection = await websockets.connect(
            url, max_size=MAX_MESSAGE, ping_interval=None, compression=None, open_timeout=None, **options
        )
    except rejection as error:
        raise _rejected(error) from error
    except (OSError, failures.WebSocketException) as error:
        raise ConnectionEnded(1006, str(error) or type(error).__name__) from error
    return _LibraryWebSocket(connection)


def _rejected(error: Any) -> HandshakeRejected:
    if not _IS_NEW:
        return HandshakeRejected(error.status_code, "", {name.lower(): value for name, value in error.headers.items()}, b"")
    response = error.response
    headers = {name.lower(): value for name, value in response.headers.raw_items()}
    return HandshakeRejected(response.status_code, response.reason_phrase, headers, response.body or b"")
