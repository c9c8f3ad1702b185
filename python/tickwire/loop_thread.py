"""A thread with an event loop of its own. The synchronous client runs the asynchronous one there, so both behave the same, and it
works inside a running loop, such as that of Jupyter.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import weakref
from collections import deque
from typing import Any, AsyncIterator, Coroutine, Deque, Generic, Iterator, Optional, TypeVar

T = TypeVar("T")
BATCH = 512
"""Items of an iterator that cross to the calling thread at a time."""


class LoopThread:
    """Starts with the first call. A process made by `os.fork` gets a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._thread: Optional[threading.Thread] = None
        self._process = 0
        self._closed = False
        self._stop: Any = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, started if necessary. Raises a RuntimeError after `close`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the client is closed")
            if self._loop is None or self._process != os.getpid():
                self._process = os.getpid()
                loop = self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(loop,), name="tickwire", daemon=True)
                self._thread.start()
                # Whoever needs the thread refers to this object: a client, its streams, an iterator.
                self._stop = weakref.finalize(self, _stop, loop)
            return self._loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the thread and returns its result. An interruption, such as Ctrl-C, cancels it."""
        try:
            loop = self.loop
        except RuntimeError:
            work.close()
            raise
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a callback must not call the synchronous client; use another thread")
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise RuntimeError("the client was closed during the call") from None
        except BaseException:
            future.cancel()
            raise

    def call_soon(self, callback: Any, *arguments: Any) -> None:
        """Runs a function on the thread, without waiting for it. Does nothing if the thread has ended."""
        loop = self._loop
        if loop is not None and not loop.is_closed() and self._process == os.getpid():
            try:
                loop.call_soon_threadsafe(callback, *arguments)
            except RuntimeError:
                pass

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        """The items of an asynchronous iterator. Items that are ready come over in batches; none is held back."""
        pump = _Pump(items)
        try:
            while True:
                self.run(pump.fill())
                while pump.ready:
                    yield pump.ready.popleft()
                if pump.error is not None:
                    if isinstance(pump.error, StopAsyncIteration):
                        return
                    raise pump.error
        finally:
            if not self._closed:
                self.run(pump.close())

    def close(self) -> None:
        """Ends the thread."""
        with self._lock:
            loop, thread, self._closed = self._loop, self._thread, True
        if loop is None or self._process != os.getpid() or loop.is_closed():
            return
        self._stop()
        if thread is not None and thread is not threading.current_thread():
            thread.join(5)


class _Pump(Generic[T]):
    """Takes items ahead as long as they are there without waiting."""

    def __init__(self, items: AsyncIterator[T]) -> None:
        self._items = items
        self._next: Optional["asyncio.Future[T]"] = None
        self.ready: Deque[T] = deque()
        self.error: Optional[BaseException] = None

    async def fill(self) -> None:
        """Returns when an item is ready, or the iterator has ended."""
        while len(self.ready) < BATCH:
            if self._next is None:
                self._next = asyncio.ensure_future(self._items.__anext__())
                await asyncio.sleep(0)
            if not self._next.done():
                if self.ready:
                    return
                await asyncio.wait({self._next})
            finished, self._next = self._next, None
            self.error = asyncio.CancelledError() if finished.cancelled() else finished.exception()
            if self.error is not None:
                return
            self.ready.append(finished.result())

    async def close(self) -> None:
        """Ends the iterator."""
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next})
        close = getattr(self._items, "aclose", None)
        if close is not None:
            await close()


def _stop(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.call_soon_threadsafe(loop.stop)
    except RuntimeError:  # It is closed already.
        pass


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
