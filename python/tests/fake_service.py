"""A service that misbehaves on request: an HTTP and WebSocket server on a thread, with a handler for each test."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import ssl
import threading
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Dropped(Exception):
    """The client is gone."""


class FakeSocket:
    """One WebSocket connection, from the side of the service."""

    def __init__(self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.path = path
        self.reader = reader
        self.writer = writer
        self.pongs = 0

    async def receive(self) -> Any:
        """The next JSON message."""
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                length = second & 0x7F
                if length == 126:
                    length = int.from_bytes(await self.reader.readexactly(2), "big")
                mask = await self.reader.readexactly(4)
                payload = await self.reader.readexactly(length)
            except (asyncio.IncompleteReadError, OSError):
                raise Dropped from None
            text = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
            if first & 0x0F == 8:
                raise Dropped
            if first & 0x0F == 10:
                self.pongs += 1
                continue
            return json.loads(text)

    def frame(self, kind: int, payload: bytes, final: bool = True) -> None:
        """Sends one frame."""
        length = len(payload)
        head = bytes([(0x80 if final else 0) | kind])
        head += bytes([length]) if length < 126 else bytes([126]) + length.to_bytes(2, "big")
        self.writer.write(head + payload)

    def send(self, message: Any) -> None:
        """Sends a JSON message."""
        self.frame(1, json.dumps(message).encode())

    def close(self, code: int, reason: str = "") -> None:
        """Sends a close frame."""
        self.frame(8, code.to_bytes(2, "big") + reason.encode())

    def drop(self) -> None:
        """Ends the connection without a word."""
        transport: Any = self.writer.transport
        transport.abort()

    async def subscribed(self, epoch: str = "e", seq: int = 0, **more: Any) -> Dict[str, Any]:
        """Receives a subscription and confirms it."""
        request: Dict[str, Any] = await self.receive()
        self.send({"event": "subscribed", "symbols": request["symbols"], "rejected": [], "epoch": epoch, "seq": seq, **more})
        return request

    def tick(self, seq: int, prev: int, symbol: str = "EURUSD", epoch: str = "e", **more: Any) -> None:
        """Sends a tick with sequence numbers."""
        self.send({"symbol": symbol, "bid": seq, "ask": seq, "time": 1_000 + seq, "seq": seq, "prev": prev, "epoch": epoch, **more})


Request = Tuple[str, str, Dict[str, str], bytes]
"""Method, path, headers in lower case, body."""
Answer = Tuple[int, Dict[str, str], bytes]


class FakeService:
    """Set `on_http` and `on_socket` before a client connects. Use it in a `with` block."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl = ssl_context
        self.on_http: Callable[[Request], Any] = lambda request: (404, {}, b"")
        self.on_socket: Callable[[FakeSocket, int], Awaitable[None]]
        self.requests: List[Request] = []
        self.connections = 0
        self.sockets = 0
        self.faults: List[BaseException] = []
        self.url = ""
        self.shares = False
        """Whether it has a connection for all channels."""
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._ready = threading.Event()

    def __enter__(self) -> "FakeService":
        threading.Thread(target=self._serve, daemon=True).start()
        self._ready.wait(60)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._loop:
            self._loop.call_soon_threadsafe(self._loop.stop)

    def _serve(self) -> None:
        loop = self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(asyncio.start_server(self._connection, "127.0.0.1", 0, ssl=self._ssl))
        self.url = f"{'https' if self._ssl else 'http'}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        loop.run_forever()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        server.close()
        loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                line = (await reader.readline()).decode()
                if not line:
                    break
                method, path, _ = line.split(" ", 2)
                headers: Dict[str, str] = {}
                while True:
                    header = (await reader.readline()).decode().strip()
                    if not header:
                        break
                    name, _colon, value = header.partition(":")
                    headers[name.lower()] = value.strip()
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                if headers.get("upgrade", "").lower() == "websocket":
                    await self._socket(path, headers, reader, writer)
                    return
                request = (method, path, headers, body)
                self.requests.append(request)
                answer = self.on_http(request)
                if asyncio.iscoroutine(answer):
                    answer = await answer
                if answer is None:  # Hangs up without a word.
                    writer.transport.abort()
                    return
                if isinstance(answer, bytes):  # As it is.
                    writer.write(answer)
                    await writer.drain()
                    break
                status, more, content = answer
                lines = [f"HTTP/1.1 {status} Reason", f"Content-Length: {len(content)}"]
                lines += [f"{name}: {value}" for name, value in more.items()]
                writer.write("\r\n".join([*lines, "", ""]).encode() + content)
                await writer.drain()
                if more.get("Connection") == "close":
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _socket(
        self, path: str, headers: Dict[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        answer = self.on_http(("UPGRADE", path, headers, b""))
        # Like a service behind a strict proxy, it has a connection for each channel, and none for all of them.
        if path.endswith("/ws") and not self.shares:
            answer = (404, {}, b"")
        elif isinstance(answer, tuple) and answer[0] == 404:
            answer = None
        if isinstance(answer, tuple):
            status, _, content = answer
            writer.write(f"HTTP/1.1 {status} Reason\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content)
            await writer.drain()
            return
        accept = base64.b64encode(hashlib.sha1(headers["sec-websocket-key"].encode() + GUID).digest()).decode()
        head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Accept: {accept}"]
        writer.write("\r\n".join([*head, "", ""]).encode())
        self.sockets += 1
        try:
            await self.on_socket(FakeSocket(path, reader, writer), self.sockets)
            await writer.drain()
        except Dropped:
            pass
        except (OSError, asyncio.CancelledError):
            pass
        except BaseException as fault:  # Shown by the test.
            self.faults.append(fault)


def problem(status: int, code: str, **headers: str) -> Answer:
    """An error of the service."""
    body = json.dumps({"type": "x", "title": "t", "status": status, "detail": "d", "code": code, "request_id": "r1"})
    return status, headers, body.encode()
