"""A subscription that survives its connections: on each new connection it resumes where it was, and reports a gap if that is not
possible. A bounded queue lies between the socket and the loop that reads it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Type

from ..errors import TickwireError, UnexpectedResponseError, class_of, error_from_response
from .events import Gap, Message, StateChange, combined_gap, gap_from_notice
from .options import NUMBERED_TOGETHER, StreamOptions, normalise_symbols
from .tracker import SequenceTracker
from .websocket import ConnectionEnded, HandshakeRejected, WebSocket, parsed

LOGGER = logging.getLogger("tickwire")
OPEN_TIMEOUT = 10.0
PONG_TIMEOUT = 4.0
"""Most seconds to wait for a response to a ping; less if heartbeats are more frequent."""
HEARTBEAT_GRACE = 1.0
FIRST_CEILING = 0.5
MAX_CEILING = 30.0
STABLE_AFTER = 10.0
"""If connections are live for less than this, the waits between them grow."""
LIMIT_REACHED_WAIT = 2.0
FINAL_CODES: Mapping[int, str] = {
    1009: "message_too_large",
    4400: "bad_messages",
    4401: "invalid_key",
    4408: "missing_key",
    4413: "message_too_large",
}
"""Close codes that rule out a retry. Any other one, including a lost connection (1006), is worth one."""
LIMIT_REACHED = 4429


def backoff(attempt: int, draw: Callable[[], float] = random.random) -> float:
    """Seconds to wait before connection attempt `attempt`, 0 for the first one after a drop: exponential, with full jitter, so that
    the clients of a restarted service come back spread out over time."""
    return draw() * min(MAX_CEILING, FIRST_CEILING * float(2 ** min(attempt, 16)))


class StreamRunner:
    """One stream. Everything here runs on one event loop; `start` must be called there."""

    def __init__(
        self,
        api_key: Optional[str],
        options: StreamOptions,
        open_socket: Callable[["StreamRunner"], Awaitable[WebSocket]],
    ) -> None:
        self.options = options
        self.symbols = options.symbols
        self.state = StateChange("connecting")
        self.error: Optional[TickwireError] = None
        self.api_key = api_key
        self._open_socket = open_socket
        by_symbol = options.kind not in NUMBERED_TOGETHER
        self.tracker = SequenceTracker(by_symbol, self._report_gap) if options.resumes else None
        self._queue: Deque[Any] = deque()
        self._threshold = options.buffer
        self._waiting_events = 0
        self._paused = False
        self._socket: Optional[WebSocket] = None
        self._started = False
        self._confirmed = False
        self._is_new = True
        self._is_awaited = False
        """In lockstep: whether the connection is new, and whether the clock waits for the loop."""
        self._rejection: Optional[TickwireError] = None
        self._received_at = 0.0
        self._live_since: Optional[float] = None
        self._task: Optional["asyncio.Task[None]"] = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._changed: Optional[asyncio.Event] = None
        self._wake: Optional[asyncio.Event] = None
        self._outbox: List[Dict[str, Any]] = []
        self._sending: Optional["asyncio.Task[None]"] = None
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self.draw: Callable[[], float] = random.random

    def start(self) -> None:
        """Opens the first connection in the background."""
        if self._task is None and self.state.state != "closed":
            self._loop = asyncio.get_running_loop()
            self._changed = asyncio.Event()
            self._wake = asyncio.Event()
            self._task = self._loop.create_task(self._run())

    # Reading

    async def take(self, most: int) -> List[Any]:
        """The next events, at least one; an empty list if the stream is closed and everything was read."""
        self.start()
        while not self._queue:
            if self.state.state == "closed" or self._changed is None:
                return []
            if self._is_awaited:  # The loop has handled everything.
                self._is_awaited = False
                self._send({"action": "next"})
            self._changed.clear()
            await self._changed.wait()
        events = [self._queue.popleft() for _ in range(min(most, len(self._queue)))]
        if self._paused and len(self._queue) <= self.options.buffer // 2:
            self._paused = False
            if self._wake:
                self._wake.set()
        return events

    @property
    def waiting(self) -> int:
        """Events that wait for the loop."""
        return len(self._queue)

    def close(self) -> None:
        """Closes the stream for good."""
        if self.state.state == "closed":
            return
        self._rejection = None
        self._finish(StateChange("closed", 1000, "closed by the client"))

    def set_symbols(self, symbols: Any) -> None:
        """Replaces the subscribed symbols without reconnecting."""
        following = normalise_symbols(self.options.kind, symbols)
        before, self.symbols = self.symbols, following
        if not self._started:
            return
        removed = [symbol for symbol in before if symbol not in following]
        replaces_all = "*" in before and bool(removed)  # "*" has no members that could be removed one by one.
        added = list(following) if replaces_all else [symbol for symbol in following if symbol not in before]
        if self.tracker:
            self.tracker.clear() if replaces_all else self.tracker.remove(removed)
        requests = self._requests_for(added)
        flags = self.options.flags
        channel = {name: flags[name] for name in ("channel", "timeframe") if name in flags}
        if removed:
            self._send({"action": "unsubscribe", **({} if replaces_all else {"symbols": removed}), **channel})
        for request in requests:
            self._send({"action": "subscribe", **request, **flags})

    # Connections

    async def _run(self) -> None:
        attempt = short_lived = 0
        warned = False
        try:
            while not self._is_closed():
                if self._paused and self._wake:
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                self._enter(StateChange("connecting"))
                self._live_since = None
                end = await self._connection()
                if self._is_closed():
                    return
                if self._live_since is not None:
                    # Failed attempts before a connection was live say nothing about the next ones.
                    if time.monotonic() - self._live_since >= STABLE_AFTER:
                        short_lived = 0
                    attempt, short_lived = short_lived, short_lived + 1
                    warned = False
                if self._paused:
                    self._enter(StateChange("stale", 1000, "paused by the client"))
                    continue
                if end.code in FINAL_CODES or self._rejection is not None:
                    if self._rejection is None:
                        self._rejection = TickwireError(FINAL_CODES[end.code], end.reason)
                    self._finish(StateChange("closed", end.code, end.reason))
                    return
                delay = backoff(attempt, self.draw) + (LIMIT_REACHED_WAIT if end.code == LIMIT_REACHED else 0)
                attempt += 1
                if self._live_since is None and not warned:
                    warned = True
                    reason = "the stream of %s cannot connect: %s. Next attempt in %.1f s, then less often"
                    LOGGER.warning(reason, self.options.kind, end.reason or end.code, delay)
                self._enter(StateChange("connecting", end.code, end.reason, delay))
                await self.sleep(delay)
        except asyncio.CancelledError:
            self._finish(StateChange("closed", 1000, "closed by the client"))
            raise
        except Exception as error:  # A fault of a callback ends the stream and reaches the loop.
            failure = TickwireError("unexpected_response", f"the stream failed: {error!r}")
            failure.__cause__ = error
            self._rejection = failure
            self._finish(StateChange("closed", 1000, str(error)))

    def _is_closed(self) -> bool:
        return self.state.state == "closed"

    async def _connection(self) -> ConnectionEnded:
        """One connection from its handshake to its end."""
        try:
            socket = await asyncio.wait_for(self._open_socket(self), OPEN_TIMEOUT)
        except asyncio.TimeoutError:
            return ConnectionEnded(1006, f"not open after {OPEN_TIMEOUT:g} s")
        except HandshakeRejected as rejected:
            return self._handshake_rejected(rejected)
        except ConnectionEnded as end:
            return end
        self._socket = socket
        watch: Optional["asyncio.Task[None]"] = None
        try:
            self._received_at = time.monotonic()
            for request in self._subscription():
                await socket.send(json.dumps(request))
            watch = asyncio.get_running_loop().create_task(self._watch(socket))
            while True:
                text = await socket.receive()
                self._received_at = time.monotonic()
                message = text if isinstance(text, dict) else parsed(text)
                if message is None:
                    return ConnectionEnded(1006, "received a message that is not a JSON object")
                if self.state.state == "stale":
                    self._enter(StateChange("live"))
                self._receive(message)
                if self._paused or self._rejection is not None and not self._rejection_is_fatal:
                    return ConnectionEnded(4400 if self._rejection else 1000, str(self._rejection or "paused"))
                if self.state.state == "closed":
                    return ConnectionEnded(1000, "closed by the client")
        except ConnectionEnded as end:
            return end
        finally:
            self._socket = None
            if watch:
                watch.cancel()
            socket.abort()

    async def _watch(self, socket: WebSocket) -> None:
        """A process that was busy or suspended may have messages waiting. Only a missing response to a ping proves the connection
        dead."""
        silence = self.options.heartbeat + HEARTBEAT_GRACE
        while True:
            left = silence - (time.monotonic() - self._received_at)
            if left > 0:
                await asyncio.sleep(left)
                continue
            since = self._received_at
            if self.state.state == "live":
                self._enter(StateChange("stale"))
            try:
                await asyncio.wait_for(socket.send('{"action":"ping"}'), PONG_TIMEOUT)
            except (ConnectionEnded, asyncio.TimeoutError):
                pass
            await asyncio.sleep(min(PONG_TIMEOUT, silence))
            if self._received_at == since:
                socket.abort()
                return

    def _handshake_rejected(self, rejected: HandshakeRejected) -> ConnectionEnded:
        status = rejected.status
        # A limit, a full service or a proxy without one behind it: worth a retry. Everything else stays wrong.
        if status in (408, 425, 429) or status >= 500:
            return ConnectionEnded(LIMIT_REACHED if status in (429, 503) else 1006, str(rejected))
        error = error_from_response(status, rejected.reason, rejected.headers, rejected.body)
        self._rejection = error if rejected.body else UnexpectedResponseError(error.code, str(rejected), status=status)
        return ConnectionEnded(4400, str(rejected))

    # Messages

    _rejection_is_fatal = False

    def _subscription(self) -> List[Dict[str, Any]]:
        """The messages that open a connection."""
        first, self._started = not self._started, True
        self._confirmed = False
        self._is_new, self._is_awaited = True, False
        self._rejection = None  # A rejection on an earlier connection does not explain the end of this one.
        self._rejection_is_fatal = False
        options = self.options
        if first:
            requests = self._requests_for(list(self.symbols), first=True)
        elif self.tracker:
            requests = self.tracker.resume()
        else:
            self._report_gap(Gap("resume", self.symbols, fill=options.fill))
            requests = self._requests_for(list(self.symbols))
        opening: Dict[str, Any] = {"heartbeat": options.heartbeat}
        if self.api_key is not None:
            opening["api_key"] = self.api_key
        return [
            {"action": "subscribe", **request, **(opening if index == 0 else {}), **options.flags}
            for index, request in enumerate(requests)
        ]

    def _requests_for(self, symbols: Sequence[str], first: bool = False) -> List[Dict[str, Any]]:
        if not symbols:
            return []
        if self.tracker:
            return self.tracker.add(symbols, self.options.start if first else None)
        return [{"symbols": list(symbols)}]

    def _send(self, message: Dict[str, Any]) -> None:
        """Dropped if no connection is open: the next one sends the whole subscription anyway."""
        if self._socket is None:
            return
        self._outbox.append(message)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._flush())

    async def _flush(self) -> None:
        while self._outbox:
            message, socket = self._outbox.pop(0), self._socket
            if socket is not None:
                try:
                    await socket.send(json.dumps(message))
                except ConnectionEnded:
                    pass  # `receive` reports it.

    def _receive(self, message: Dict[str, Any]) -> None:
        if "event" in message:
            self._receive_notice(message)
            return
        self._mark_live()
        if self.tracker is None or self.tracker.accept(message):
            if not self.options.shows_seq:
                message.pop("seq", None)
                message.pop("prev", None)
                message.pop("epoch", None)
            self._push(Message(message))

    def _receive_notice(self, notice: Dict[str, Any]) -> None:
        event = notice["event"]
        if event == "pong":
            return
        subscribing = self.state.state == "connecting"
        self._track(event, notice)
        if self.options.on_notice:
            self.options.on_notice(notice)
        if self.options.lockstep:
            self._keep_step(event)
        rejection = self._rejection_in(event, notice, subscribing)
        if rejection is None:
            # Live once nothing can be lost unnoticed: the stream is subscribed and has a position to resume from.
            if event != "error" and self._confirmed and (self.tracker is None or self.tracker.positioned):
                self._mark_live()
            return
        self._rejection = rejection
        # After a fatal error the service closes the connection itself.
        self._rejection_is_fatal = event == "error" and bool(notice.get("fatal"))

    def _keep_step(self, event: str) -> None:
        if event == "subscribed" and self._is_new:
            self._is_new = False
            self._send({"action": "list"})  # The reply follows the snapshots.
        elif event in ("subscriptions", "waiting"):
            self._is_awaited = True
            if self._changed:
                self._changed.set()
        elif event == "ended":
            self.close()

    def _track(self, event: str, notice: Dict[str, Any]) -> None:
        tracker = self.tracker
        if event == "subscribed":
            self._confirmed = True
            if tracker:
                tracker.on_subscribed(notice)
        elif event == "gap":
            if tracker:
                tracker.on_gap_notice(notice)
            else:
                self._report_gap(gap_from_notice(notice, None))
        elif tracker and event == "slow":
            tracker.on_slow()
        elif tracker and event == "heartbeat":
            tracker.on_heartbeat(notice)
        elif tracker and event == "error" and notice.get("resume_from"):
            tracker.on_position(notice["resume_from"])

    def _rejection_in(self, event: str, notice: Dict[str, Any], subscribing: bool) -> Optional[TickwireError]:
        """The rejection in a notice, if repeating the request would be rejected again."""
        if event == "error":
            code = str(notice.get("code", "internal"))
            fatal = notice.get("fatal") and not self._may_retry(notice)
            if fatal or (subscribing and not notice.get("retryable") and not notice.get("fatal")):
                return _stream_error(code, str(notice.get("message", "")))
            return None
        if event != "subscribed" or not notice.get("rejected"):
            return None
        rejected = list(notice["rejected"])
        listed = ", ".join(str(each.get("symbol")) for each in rejected)
        code = str(rejected[0].get("code", "symbol_not_found"))
        if not any(notice.get(name) for name in ("symbols", "bars", "footprints")) and len(rejected) >= len(self.symbols):
            return _stream_error(code, f"All symbols were rejected: {listed}")
        if self.options.on_rejected:
            self.options.on_rejected(rejected)
            return None
        return _stream_error(code, f"Some symbols were rejected: {listed}. Pass on_rejected to continue with the others")

    def _may_retry(self, notice: Mapping[str, Any]) -> bool:
        """A fatal error is followed by the close of the connection; its close code says whether to come back."""
        return bool(notice.get("retryable"))

    def _mark_live(self) -> None:
        if self.state.state == "connecting":
            self._live_since = time.monotonic()
            self._enter(StateChange("live"))

    # Events

    def _report_gap(self, gap: Gap) -> None:
        self._push(gap)
        if self.options.on_gap:
            self.options.on_gap(gap)

    def _enter(self, change: StateChange) -> None:
        self.state = change
        self._push(change)

    def _finish(self, change: StateChange) -> None:
        if self.state.state == "closed":
            return
        self.error = self._rejection
        self._enter(change)
        socket, self._socket = self._socket, None
        if socket:
            socket.abort()
        task = self._task
        if task and not task.done() and task is not _current_task():
            task.cancel()

    def _push(self, event: Any) -> None:
        self._queue.append(event)
        if self._changed:
            self._changed.set()
        if self.options.lockstep or not isinstance(event, Message) or len(self._queue) < self._threshold:
            return
        if self.options.keeps_latest:
            self._keep_latest()
            # With more symbols than the buffer holds, every message would otherwise rebuild the queue.
            self._threshold = max(self.options.buffer, len(self._queue) * 2)
        else:
            self._paused = True  # Disconnects until half of the buffer is read, then resumes.

    def _keep_latest(self) -> None:
        """Keeps the newest message of each symbol and the newest state, after one gap that covers everything removed."""
        newest: Dict[Any, Any] = {}
        gaps: List[Gap] = []
        removed: List[Mapping[str, Any]] = []
        for event in self._queue:
            if isinstance(event, Gap):
                gaps.append(event)
                continue
            key = (event.message.get("symbol"),) if isinstance(event, Message) else event.type
            previous = newest.pop(key, None)  # Removed first, so that the order of arrival is kept.
            if isinstance(previous, Message):
                removed.append(previous.message)
            newest[key] = event
        self._queue = deque(newest.values())
        if gaps or removed:
            gap = combined_gap(gaps, removed)
            self._queue.appendleft(gap)
            if removed and self.options.on_gap:
                self.options.on_gap(gap)


def _current_task() -> Any:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


_STATUS_OF_CODE: Mapping[str, int] = {
    "invalid_key": 401,
    "missing_key": 401,
    "missing_scope": 403,
    "symbol_not_found": 404,
    "stream_limit": 429,
    "too_many_messages": 429,
    "invalid_parameter": 400,
    "bad_messages": 400,
}


def _stream_error(code: str, detail: str) -> TickwireError:
    """The class is that of the same code over REST; the status stays 0, because there was no response."""
    status = _STATUS_OF_CODE.get(code, 0)
    kind: Type[TickwireError] = class_of(status) if status else TickwireError
    return kind(code, detail)
