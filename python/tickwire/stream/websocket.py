"""WebSocket connections with the `websockets` package. What differs between its versions is here."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, Mapping, Optional, Union

try:
    import websockets
    import websockets.exceptions
    from websockets.version import version
except ImportError as error:
    raise ImportError("tickwire needs websockets: pip install websockets", name="websockets") from error

MAX_MESSAGE = 16 * 1024 * 1024
"""Longest message that is accepted, in bytes."""
MAX_TEXTS = 4_096
"""Messages that may wait to be read before the connection stops reading for a moment."""
TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""First bytes of frames that are whole messages."""
MASKED = 0x80
"""In the second byte; a service must not mask."""
CLOSE_SECONDS = 0.1
"""Time for the closing handshake. A dead peer never completes it."""
_IS_NEW = int(version.split(".")[0]) >= 14
"""Whether `websockets.connect` is the new implementation, with other names for the headers and for a rejected handshake."""


_scan = json.JSONDecoder().raw_decode


def parsed(text: str) -> Optional[Dict[str, Any]]:
    """The JSON object of a message; None if it is none."""
    try:
        message, end = _scan(text)
    except ValueError:
        return None
    return message if end == len(text) and isinstance(message, dict) else None


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


class _LibraryWebSocket(WebSocket, asyncio.Protocol):
    """Takes whole text messages out of what arrives; the library would take several times as long for each. It gets everything
    else: pings, the end of the connection, and from a message in parts on, whatever follows."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._texts: Deque[str] = deque()
        self._bytes = bytearray()
        self._arrived = asyncio.Event()
        self._end: Optional[ConnectionEnded] = None
        self._is_plain = True
        self._is_paused = False
        self._closing: Any = None
        self._rest = asyncio.get_running_loop().create_task(self._receive_rest())
        connection.transport.set_protocol(self)

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except websockets.exceptions.ConnectionClosed as error:
            raise _ended(error) from error

    async def receive(self) -> str:
        texts = self._texts
        while not texts:
            if self._end:
                raise self._end
            self._arrived.clear()
            await self._arrived.wait()
        if self._is_paused and len(texts) < MAX_TEXTS // 2:
            self._is_paused = False
            self._connection.transport.resume_reading()
        return texts.popleft()

    def abort(self) -> None:
        loop = asyncio.get_running_loop()
        self._closing = loop.create_task(self._connection.close())
        loop.call_later(CLOSE_SECONDS, self._connection.transport.abort)

    async def _receive_rest(self) -> None:
        try:
            while True:
                message = await self._connection.recv()
                self._texts.append(message if isinstance(message, str) else bytes(message).decode("utf-8", "replace"))
                self._arrived.set()
        except websockets.exceptions.ConnectionClosed as error:
            self._end = _ended(error)
            self._arrived.set()

    # Called by the transport.

    def data_received(self, data: bytes) -> None:
        if not self._is_plain:
            self._connection.data_received(data)
            return
        self._bytes += data
        self._take_texts()
        self._arrived.set()
        if len(self._texts) > MAX_TEXTS and not self._is_paused:
            self._is_paused = True
            self._connection.transport.pause_reading()

    def eof_received(self) -> Any:
        return self._connection.eof_received()

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._connection.connection_lost(exc)

    def pause_writing(self) -> None:
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        self._connection.resume_writing()

    def _take_texts(self) -> None:
        data, at, arrived = self._bytes, 0, len(self._bytes)
        while arrived - at >= 2:
            kind, length, start = data[at], data[at + 1], at + 2
            if length == 126:
                start = at + 4
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == 127:
                start = at + 10
                length = int.from_bytes(data[at + 2 : start], "big")
            end = start + length
            text = None
            if kind == TEXT and data[at + 1] < MASKED and length <= MAX_MESSAGE:
                if end > arrived:
                    break
                text = _decoded(data[start:end])
            if text is not None:
                self._texts.append(text)
            elif kind in (PING, PONG) and length < 126:
                if end > arrived:
                    break
                self._connection.data_received(bytes(data[at:end]))
            else:
                self._is_plain = False
                self._connection.data_received(bytes(data[at:]))
                end = arrived
            at = end
        del data[:at]


def _decoded(data: bytearray) -> Optional[str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


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
