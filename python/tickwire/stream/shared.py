"""One connection for the streams of a client: `/ws` carries all channels.

Each stream gets a part of the connection that behaves like one of its own: it sends the requests of the stream and receives the
messages of its topics. A stream that needs a topic which another one has on the connection uses a further connection, because the
service has one subscription per topic and connection. A proxy may let only the connections of single channels through.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, List, Mapping, Optional, Protocol, Sequence, Set, Tuple, Union

from .options import NUMBERED_TOGETHER, StreamOptions
from .websocket import Connect, ConnectionEnded, HandshakeRejected, WebSocket, parsed

MAX_REJECTED = 5
"""The service closes a connection after ten rejected requests. New streams do not join one that is half way there."""
MAX_WAITING = 1_024
"""Messages that may wait for one stream before the connection stops reading for a moment."""
NAMING_CHANNEL = ("bars", "footprint")
"""Messages of these name their channel on every connection."""
LEFT = "left"
"""Id of the last request of a stream that has left. Nobody waits for its reply."""


class Stream(Protocol):
    """What a connection needs to know of a stream."""

    options: StreamOptions
    symbols: Tuple[str, ...]
    api_key: Optional[str]


class SharedConnections:
    """The connections of a client."""

    def __init__(
        self,
        base: str,
        connect: Connect,
        headers: Callable[[], Mapping[str, str]],
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._base = base
        self._connect = connect
        self._headers = headers
        self._ssl = ssl_context
        self._connections: List[_Connection] = []
        self._offered = True

    async def open(self, stream: Stream) -> WebSocket:
        """A part of a shared connection, or a connection of its own in lockstep, or if the service has no shared one."""
        if self._offered and not stream.options.lockstep:
            connection = self._admitting(stream)
            part = connection.add(stream)
            try:
                await connection.opened()
                return part
            except HandshakeRejected:
                if self._offered:
                    raise
            except BaseException:
                part.abort()
                raise
        channel = {"bars": "market", "footprint": "orderflow"}.get(stream.options.kind, stream.options.kind)
        query = "?lockstep=true" if stream.options.lockstep else ""
        socket: WebSocket = await self._connect(f"{self._base}/ws/{channel}{query}", self._headers(), self._ssl)
        return socket

    def _admitting(self, stream: Stream) -> "_Connection":
        # Streams share a connection only if the same key or session authenticates them.
        group = (asyncio.get_running_loop(), stream.options.heartbeat, stream.api_key, dict(self._headers()))
        for connection in self._connections:
            if connection.group == group and connection.admits(stream):
                return connection
        created = _Connection(group, self._open_socket, self._connections.remove)
        self._connections.append(created)
        return created

    async def _open_socket(self) -> WebSocket:
        try:
            socket: WebSocket = await self._connect(f"{self._base}/ws", self._headers(), self._ssl)
        except HandshakeRejected as rejected:
            # Here, so that no other stream asks before the first one is told. 426: a proxy has removed the header that asks for
            # a WebSocket.
            if rejected.status in (404, 426):
                self._offered = False
            raise
        return socket


class _Connection:
    """One connection with its parts. It ends with its last part."""

    def __init__(
        self, group: Tuple[Any, ...], open_socket: Callable[[], Awaitable[WebSocket]], on_end: Callable[["_Connection"], None]
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.group = group
        self._open_socket = open_socket
        self._on_end = on_end
        self._parts: List[_Part] = []
        self._ids = 0
        self._rejected = 0
        self._socket: Optional[WebSocket] = None
        self._opened: "asyncio.Future[None]" = self.loop.create_future()
        self._ended = False
        self._task = self.loop.create_task(self._run())

    def admits(self, stream: Stream) -> bool:
        """Whether no other stream of the connection has one of the topics."""
        others = [part for part in self._parts if part.stream is not stream]
        if self._ended or (len(others) == len(self._parts) and self._rejected >= MAX_REJECTED):
            return False
        return not any(_overlap(part.stream, stream) for part in others)

    def add(self, stream: Stream) -> "_Part":
        part = _Part(self, stream, f"s{self._ids}")
        self._ids += 1
        self._parts.append(part)
        return part

    async def opened(self) -> None:
        """Waits until requests can be sent. Raises the reason if the connection cannot be opened."""
        await asyncio.shield(self._opened)

    async def send(self, message: Mapping[str, Any]) -> None:
        if self._socket is None:
            raise ConnectionEnded(1006, "the connection was lost")
        await self._socket.send(json.dumps(message))

    def leave(self, part: "_Part", farewell: Optional[Mapping[str, Any]]) -> None:
        """Ends the subscriptions of a part, and the connection if it was the last one."""
        if part not in self._parts:
            return
        self._parts.remove(part)
        if not self._parts:
            self._finish(ConnectionEnded(1000, "closed by the client"))
            self._task.cancel()
        elif farewell and self._socket is not None and not self.loop.is_closed():
            self.loop.create_task(self._say(farewell))

    async def _say(self, message: Mapping[str, Any]) -> None:
        try:
            await self.send(message)
        except ConnectionEnded:
            pass  # Reported by `receive`.

    async def _run(self) -> None:
        try:
            socket = self._socket = await self._open_socket()
            if not self._opened.done():
                self._opened.set_result(None)
            while True:
                part = self._route(await socket.receive())
                while part is not None and part.waiting >= MAX_WAITING:
                    await asyncio.sleep(0)
        except asyncio.CancelledError:
            self._finish(ConnectionEnded(1000, "closed by the client"))
            raise
        except Exception as end:  # A refused handshake, a lost connection, or a fault in between.
            self._finish(end)

    def _finish(self, end: Exception) -> None:
        if self._ended:
            return
        self._ended = True
        self._on_end(self)
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.abort()
        if not self._opened.done():
            self._opened.set_exception(end)
            self._opened.exception()  # Nobody may wait for it.
        parts, self._parts = self._parts, []
        for part in parts:
            part.end(end if isinstance(end, ConnectionEnded) else ConnectionEnded(1006, str(end)))

    def _route(self, text: Union[str, Dict[str, Any]]) -> Optional["_Part"]:
        """Hands a message to the streams that it is for; returns the one that receives it as one of its topics."""
        message = parsed(text) if isinstance(text, str) else text
        if message is None:
            raise ConnectionEnded(1006, "received a message that is not a JSON object")
        event = message.get("event")
        if event is None:
            for part in self._parts:
                if part.receives(message):
                    part.push(message)
                    return part
            return None
        if event == "error":
            self._rejected += 1
        name, channel = message.get("id"), message.get("channel")
        for part in list(self._parts):
            if name == part.name if name is not None else channel in (None, part.stream.options.kind):
                part.push_notice(message)
        return None


class _Part(WebSocket):
    """A stream's part of a connection."""

    def __init__(self, connection: _Connection, stream: Stream, name: str) -> None:
        self.stream = stream
        self.name = name
        """Id of its requests on the connection, and so of the replies."""
        self._connection = connection
        self._subscribed: Set[str] = set()
        self._confirmed = False
        self._messages: Deque[Dict[str, Any]] = deque()
        self._arrived = asyncio.Event()
        self._end: Optional[ConnectionEnded] = None

    @property
    def waiting(self) -> int:
        """Messages that the stream has not received yet; 0 after its end."""
        return 0 if self._end else len(self._messages)

    async def send(self, text: str) -> None:
        """Sends a request of the stream. Raises ConnectionEnded."""
        if self._end:
            raise self._end
        message: Dict[str, Any] = json.loads(text)
        symbols: Optional[Sequence[str]] = message.get("symbols")
        if message["action"] == "unsubscribe":
            self._subscribed.difference_update(symbols or tuple(self._subscribed))
        elif message["action"] == "subscribe":
            if not self._connection.admits(self.stream):
                # A symbol was added that another stream of the connection has.
                self.abort()
                self.end(ConnectionEnded(1006, "moved to another connection"))
                raise ConnectionEnded(1006, "moved to another connection")
            self._subscribed.update(symbols or ())
        await self._connection.send({**message, "channel": self.stream.options.kind, "id": self.name})

    async def receive(self) -> Union[str, Dict[str, Any]]:
        """The next message of the stream, or a notice. Raises ConnectionEnded."""
        while not self._messages:
            if self._end:
                raise self._end
            self._arrived.clear()
            await self._arrived.wait()
        return self._messages.popleft()

    def abort(self) -> None:
        """Ends the subscriptions of the stream."""
        options = self.stream.options
        farewell = {"action": "unsubscribe", "channel": options.kind, "symbols": sorted(self._subscribed), "id": LEFT}
        if "timeframe" in options.flags:
            farewell["timeframe"] = options.flags["timeframe"]
        self._connection.leave(self, farewell if self._subscribed else None)
        self._subscribed.clear()
        self.end(ConnectionEnded(1000, "closed by the client"))

    def end(self, end: ConnectionEnded) -> None:
        """Nothing more will arrive."""
        self._end = self._end or end
        self._arrived.set()

    def receives(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is of one of its topics. Those before its own reply belong to a stream that has left."""
        options = self.stream.options
        if not self._confirmed or message.get("channel") != options.kind:
            return False
        if "timeframe" in options.flags and message.get("timeframe") != options.flags["timeframe"]:
            return False
        return options.kind in NUMBERED_TOGETHER or "*" in self._subscribed or message.get("symbol") in self._subscribed

    def push(self, message: Dict[str, Any]) -> None:
        """Hands a message to the stream as it looks on a connection of its own."""
        if self.stream.options.kind not in NAMING_CHANNEL:
            message.pop("channel", None)
        self._messages.append(message)
        self._arrived.set()

    def push_notice(self, notice: Dict[str, Any]) -> None:
        """Hands over the part of a notice that concerns the stream."""
        event = notice["event"]
        if event == "subscribed":
            self._confirmed = True
        if event in ("subscribed", "unsubscribed", "subscriptions", "gap", "feed"):
            notice = self._own_part(notice)
            # A gap or a notice of the feed that concerns other streams only.
            if event in ("gap", "feed") and not notice["symbols"]:
                return
        self._messages.append(notice)
        self._arrived.set()

    def _own_part(self, notice: Mapping[str, Any]) -> Dict[str, Any]:
        options, own = self.stream.options, self.stream.symbols
        together = options.kind in NUMBERED_TOGETHER

        def owned(symbols: Sequence[str]) -> List[str]:
            return [symbol for symbol in symbols if together or "*" in own or symbol == "*" or symbol in own]

        part: Dict[str, Any] = {**notice, "symbols": owned(notice.get("symbols", ()))}
        for name in ("bars", "footprints"):
            if name in notice:
                timeframe = options.flags.get("timeframe")
                same = [{**each, "symbols": owned(each["symbols"])} for each in notice[name] if each["timeframe"] == timeframe]
                part[name] = [each for each in same if each["symbols"]]
        return part


def _overlap(one: Stream, other: Stream) -> bool:
    if one.options.kind != other.options.kind:
        return False
    if one.options.flags.get("timeframe") != other.options.flags.get("timeframe"):
        return False
    # Headlines and firings of a connection are one sequence, whatever their symbols are.
    together = one.options.kind in NUMBERED_TOGETHER
    return together or "*" in one.symbols or "*" in other.symbols or bool(set(one.symbols) & set(other.symbols))
