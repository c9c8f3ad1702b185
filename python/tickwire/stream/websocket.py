"""A WebSocket client (RFC 6455) over asyncio streams, with the standard library only, and the same with the `websockets` package."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import ssl
from typing import Any, Callable, Dict, List, Mapping, Optional, Union
from urllib.parse import urlsplit

MAX_MESSAGE = 16 * 1024 * 1024
"""Longest message that is accepted, in bytes."""
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10


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


Connect = Callable[[str, Mapping[str, str], Optional[ssl.SSLContext]], Any]
"""Opens a connection: `await connect(url, headers, ssl_context)`."""


class _PlainWebSocket(WebSocket):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._closing = False

    async def send(self, text: str) -> None:
        await self._frame(_TEXT, text.encode("utf-8"))

    async def receive(self) -> str:
        parts: List[bytes] = []
        size = 0
        try:
            while True:
                first, second = await self._reader.readexactly(2)
                final, kind = bool(first & 0x80), first & 0x0F
                length = second & 0x7F
                if first & 0x70 or second & 0x80:
                    raise ConnectionEnded(1002, "a frame with reserved bits or a mask")
                if length == 126:
                    length = int.from_bytes(await self._reader.readexactly(2), "big")
                elif length == 127:
                    length = int.from_bytes(await self._reader.readexactly(8), "big")
                if size + length > MAX_MESSAGE:
                    raise ConnectionEnded(1009, f"a message of more than {MAX_MESSAGE} bytes")
                payload = await self._reader.readexactly(length) if length else b""
                if kind >= 8 and (not final or length > 125):
                    raise ConnectionEnded(1002, "a control frame that is fragmented or too long")
                if kind == _PING:
                    await self._frame(_PONG, payload)
                elif kind == _CLOSE:
                    code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005
                    if not self._closing:
                        self._closing = True
                        await self._frame(_CLOSE, payload[:2])
                    raise ConnectionEnded(code, payload[2:].decode("utf-8", "replace"))
                elif kind in (0, _TEXT, _BINARY):
                    if (kind == 0) != bool(parts):
                        raise ConnectionEnded(1002, "a fragment out of order")
                    if final and not parts:
                        return payload.decode("utf-8")
                    parts.append(payload)
                    size += length
                    if final:
                        return b"".join(parts).decode("utf-8")
                elif kind != _PONG:
                    raise ConnectionEnded(1002, f"an unknown frame {kind}")
        except (OSError, asyncio.IncompleteReadError) as error:
            raise ConnectionEnded(1006, str(error) or "the connection was lost") from error
        except UnicodeDecodeError as error:
            raise ConnectionEnded(1007, "a message is not UTF-8") from error
        except ConnectionEnded as end:
            if end.code in (1002, 1007, 1009):
                self.abort()
                # A fault of the connection, not a decision of the service: worth a retry.
                raise ConnectionEnded(1006, end.reason) from end
            raise

    async def _frame(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes([0x80 | kind])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65_536:
            head += bytes([0x80 | 126]) + length.to_bytes(2, "big")
        else:
            head += bytes([0x80 | 127]) + length.to_bytes(8, "big")
        mask = os.urandom(4)
        try:
            self._writer.write(head + mask + masked(payload, mask))
            await self._writer.drain()
        except (OSError, RuntimeError) as error:
            raise ConnectionEnded(1006, str(error) or "the connection was lost") from error

    def abort(self) -> None:
        transport = self._writer.transport
        try:
            if not self._closing and transport is not None and not transport.is_closing():
                self._closing = True
                mask = os.urandom(4)
                self._writer.write(bytes([0x80 | _CLOSE, 0x82]) + mask + masked((1000).to_bytes(2, "big"), mask))
            self._writer.close()
            if not self._reader.at_eof():
                self._reader.feed_eof()
        except (OSError, RuntimeError, AssertionError):
            pass


def masked(payload: bytes, mask: bytes) -> bytes:
    """The payload of a client's frame."""
    length = len(payload)
    pad = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(pad, "little")).to_bytes(length, "little")


async def connect_plain(url: str, headers: Mapping[str, str], ssl_context: Optional[ssl.SSLContext]) -> WebSocket:
    """Opens a connection with the standard library."""
    address = urlsplit(url)
    secure = address.scheme == "wss"
    host = address.hostname or ""
    port = address.port or (443 if secure else 80)
    context = (ssl_context or ssl.create_default_context()) if secure else None
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=context)
    except OSError as error:
        raise ConnectionEnded(1006, str(error) or type(error).__name__) from error
    try:
        key = base64.b64encode(os.urandom(16))
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        shown = f"[{host}]" if ":" in host else host
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {shown}{'' if address.port is None else f':{port}'}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key.decode()}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        await writer.drain()
        status, reason, answered = await _read_handshake(reader)
        if status != 101:
            length = int(answered.get("content-length", "0") or 0)
            body = await reader.readexactly(min(length, 65_536)) if length else b""
            raise HandshakeRejected(status, reason, answered, body)
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode()
        if answered.get("sec-websocket-accept") != accept:
            raise ConnectionEnded(1006, "the handshake was not answered by a WebSocket server")
        return _PlainWebSocket(reader, writer)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        writer.close()
        raise ConnectionEnded(1006, str(error) or type(error).__name__) from error
    except BaseException:
        writer.close()
        raise


async def _read_handshake(reader: asyncio.StreamReader) -> Any:
    line = (await reader.readline()).decode("latin-1").strip()
    parts = line.split(" ", 2)
    if len(parts) < 2 or not parts[1].isdigit():
        raise ValueError("the handshake was not answered" if not line else "this is not an HTTP response")
    headers: Dict[str, str] = {}
    for _ in range(256):
        header = (await reader.readline()).decode("latin-1").strip()
        if not header:
            break
        name, _colon, value = header.partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(parts[1]), parts[2] if len(parts) > 2 else "", headers


class _LibraryWebSocket(WebSocket):
    def __init__(self, connection: Any, closed: Any) -> None:
        self._connection = connection
        self._closed = closed
        self._ending: Any = None

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except self._closed as error:
            raise _ended(error) from error

    async def receive(self) -> str:
        try:
            message = await self._connection.recv()
        except self._closed as error:
            raise _ended(error) from error
        return message if isinstance(message, str) else bytes(message).decode("utf-8", "replace")

    def abort(self) -> None:
        transport = getattr(self._connection, "transport", None)
        loop = asyncio.get_running_loop()
        self._ending = loop.create_task(self._connection.close())
        if transport is not None:
            loop.call_later(0.1, transport.abort)  # A dead peer never completes the closing handshake.


def _ended(error: Any) -> ConnectionEnded:
    frame = getattr(error, "rcvd", None)
    if frame is not None:
        return ConnectionEnded(frame.code, frame.reason)
    return ConnectionEnded(1006, "the connection was lost")


async def connect_with_library(url: str, headers: Mapping[str, str], ssl_context: Optional[ssl.SSLContext]) -> WebSocket:
    """Opens a connection with the `websockets` package."""
    import websockets
    import websockets.exceptions as failures

    library: Any = websockets
    options: Dict[str, Any] = {"max_size": MAX_MESSAGE, "ping_interval": None, "compression": None, "open_timeout": None}
    if ssl_context is not None and url.startswith("wss:"):
        options["ssl"] = ssl_context
    if headers:
        # The name of the option has changed with version 14.
        name = "additional_headers" if int(library.version.version.split(".")[0]) >= 14 else "extra_headers"
        options[name] = dict(headers)
    rejected = getattr(failures, "InvalidStatus", ())
    rejected_before = getattr(failures, "InvalidStatusCode", ())
    try:
        connection = await library.connect(url, **options)
    except rejected_before as error:
        raise HandshakeRejected(error.status_code, "", {k.lower(): v for k, v in error.headers.items()}, b"") from error
    except rejected as error:
        response = error.response
        known = {name.lower(): value for name, value in response.headers.raw_items()}
        raise HandshakeRejected(response.status_code, response.reason_phrase, known, response.body or b"") from error
    except (OSError, failures.WebSocketException) as error:
        raise ConnectionEnded(1006, str(error) or type(error).__name__) from error
    return _LibraryWebSocket(connection, failures.ConnectionClosed)


def choose_connect(transport: str) -> Connect:
    """`websockets` if it is installed and not ruled out, otherwise the standard library."""
    if transport == "auto":
        try:
            import websockets  # noqa: F401

            return connect_with_library
        except ImportError:
            pass
    return connect_plain
