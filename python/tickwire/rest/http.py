"""HTTP/1.1 over asyncio streams, with the standard library only.

Connections of reads are kept open and used again; a request that changes something always gets a new connection, because it must
not be sent twice if an idle connection turns out to be dead.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from typing import AsyncIterator, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

MAX_IDLE = 8
"""Open connections kept for the next read."""
MAX_HEADERS = 256
CHUNK = 65_536


class HttpFailure(Exception):
    """No response arrived, or not all of it."""


class Response:
    """Status, headers in lower case, and the body as it arrives."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str]) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers

    def chunks(self) -> AsyncIterator[bytes]:
        raise NotImplementedError

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])

    async def close(self) -> None:
        """Ends the response. A connection with an unread body is closed."""


class Transport:
    """Sends requests. Implemented with the standard library here, and with httpx in `httpx_transport`."""

    name = ""

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        """Returns when the headers have arrived. Raises an HttpFailure if they do not."""
        raise NotImplementedError

    async def close(self) -> None:
        """Closes all connections."""


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @property
    def usable(self) -> bool:
        return not self.reader.at_eof() and not self.writer.is_closing()

    def close(self) -> None:
        try:
            self.writer.close()
        except RuntimeError:  # The loop of the connection is closed.
            pass


class _StreamResponse(Response):
    def __init__(
        self,
        status: int,
        reason: str,
        headers: Mapping[str, str],
        connection: _Connection,
        pool: List[_Connection],
        has_body: bool,
        reusable: bool,
    ) -> None:
        super().__init__(status, reason, headers)
        self._connection: Optional[_Connection] = connection
        self._pool = pool
        self._has_body = has_body
        self._reusable = reusable

    async def chunks(self) -> AsyncIterator[bytes]:
        encoding = self.headers.get("content-encoding", "identity").strip().lower()
        unpack = zlib.decompressobj(47) if encoding in ("gzip", "deflate") else None
        try:
            async for chunk in self._raw():
                if unpack:
                    chunk = unpack.decompress(chunk)
                if chunk:
                    yield chunk
            if unpack:
                rest = unpack.flush()
                if rest:
                    yield rest
        except zlib.error as error:
            raise HttpFailure(f"the body cannot be unpacked: {error}") from error
        finally:
            await self.close()

    async def _raw(self) -> AsyncIterator[bytes]:
        connection = self._connection
        if connection is None:
            return
        if not self._has_body:
            self._done()
            return
        reader = connection.reader
        try:
            if "chunked" in self.headers.get("transfer-encoding", "").lower():
                while True:
                    size = int((await reader.readline()).split(b";")[0].strip() or b"x", 16)
                    if size == 0:
                        break
                    left = size
                    while left > 0:
                        chunk = await reader.read(min(left, CHUNK))
                        if not chunk:
                            raise HttpFailure("the connection ended in the middle of the body")
                        left -= len(chunk)
                        yield chunk
                    await reader.readexactly(2)
                while (await reader.readline()).strip():  # Trailers.
                    pass
                self._done()
            elif "content-length" in self.headers:
                left = int(self.headers["content-length"])
                while left > 0:
                    chunk = await reader.read(min(left, CHUNK))
                    if not chunk:
                        raise HttpFailure("the connection ended in the middle of the body")
                    left -= len(chunk)
                    yield chunk
                self._done()
            else:
                self._reusable = False
                while True:
                    chunk = await reader.read(CHUNK)
                    if not chunk:
                        break
                    yield chunk
                self._done()
        except (OSError, ValueError, asyncio.IncompleteReadError) as error:
            raise HttpFailure(str(error) or type(error).__name__) from error

    def _done(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._reusable and connection.usable and len(self._pool) < MAX_IDLE:
            self._pool.append(connection)
        else:
            connection.close()

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.close()


class StreamTransport(Transport):
    """HTTP/1.1 with asyncio streams."""

    name = "standard library"

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl = ssl_context
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._idle: Dict[Tuple[str, int, bool], List[_Connection]] = {}

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Response:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # Connections belong to the loop that opened them.
            self._loop, self._idle = loop, {}
        address = urlsplit(url)
        secure = address.scheme == "https"
        host = address.hostname or ""
        port = address.port or (443 if secure else 80)
        pool = self._idle.setdefault((host, port, secure), [])
        target = (address.path or "/") + (f"?{address.query}" if address.query else "")
        shown = f"[{host}]" if ":" in host else host
        lines = [f"{method} {target} HTTP/1.1", f"Host: {shown}{'' if address.port is None else f':{port}'}"]
        sent = {"Accept-Encoding": "gzip", **headers}
        if body is not None or method == "POST":
            sent["Content-Length"] = str(len(body or b""))
        for name, value in sent.items():
            if "\r" in value or "\n" in value:
                raise ValueError(f"the header {name} must not contain a line break")
            lines.append(f"{name}: {value}")
        message = "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")
        if method == "GET":
            while pool:
                connection = pool.pop()
                if not connection.usable:
                    connection.close()
                    continue
                try:
                    return await self._exchange(connection, message, method, pool)
                except HttpFailure:
                    break  # The service has closed it meanwhile: once more, on a new connection.
        try:
            reader, writer = await asyncio.open_connection(host, port, ssl=self._context() if secure else None)
        except (OSError, ssl.SSLError) as error:
            raise HttpFailure(str(error) or type(error).__name__) from error
        return await self._exchange(_Connection(reader, writer), message, method, pool)

    def _context(self) -> ssl.SSLContext:
        if self._ssl is None:
            self._ssl = ssl.create_default_context()
        return self._ssl

    async def _exchange(
        self, connection: _Connection, message: bytes, method: str, pool: List[_Connection]
    ) -> Response:
        try:
            connection.writer.write(message)
            await connection.writer.drain()
            status, reason, headers, minor = await _read_head(connection.reader)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            connection.close()
            raise HttpFailure(str(error) or type(error).__name__) from error
        except BaseException:
            connection.close()
            raise
        has_body = method != "HEAD" and status not in (204, 304)
        reusable = method == "GET" and minor >= 1 and headers.get("connection", "").lower() != "close"
        return _StreamResponse(status, reason, headers, connection, pool, has_body, reusable)

    async def close(self) -> None:
        for pool in self._idle.values():
            for connection in pool:
                connection.close()
        self._idle = {}


async def _read_head(reader: asyncio.StreamReader) -> Tuple[int, str, Dict[str, str], int]:
    while True:
        line = (await reader.readline()).decode("latin-1")
        parts = line.rstrip("\r\n").split(" ", 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
            raise ValueError("the connection ended before the response" if not line else "this is not an HTTP response")
        status = int(parts[1])
        headers: Dict[str, str] = {}
        for _ in range(MAX_HEADERS):
            line = (await reader.readline()).decode("latin-1")
            if not line.endswith("\n"):
                raise ValueError("the connection ended in the headers")
            if line in ("\r\n", "\n"):
                break
            name, _colon, value = line.partition(":")
            key = name.strip().lower()
            separator = "\n" if key == "set-cookie" else ", "
            headers[key] = f"{headers[key]}{separator}{value.strip()}" if key in headers else value.strip()
        else:
            raise ValueError("the response has too many headers")
        if status >= 200:
            return status, parts[2] if len(parts) > 2 else "", headers, int(parts[0][7:] or 0)
