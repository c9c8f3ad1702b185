"""The ticks of a day, for both clients."""

from __future__ import annotations

import json
from typing import AsyncIterator, Iterator, Optional

from .. import models
from ..loop_thread import LoopThread


class AsyncEvidence:
    """The ticks of one instrument on one UTC day, as they arrive. Loop over it once; leaving the loop closes the connection."""

    def __init__(self, sha256: Optional[str], lines: AsyncIterator[bytes]) -> None:
        self.sha256 = sha256
        """SHA-256 of the sealed file as the log has it, hex; None if the lines are read from the tape."""
        self._lines = lines

    @property
    def sealed(self) -> bool:
        """Whether the lines are those of the sealed file."""
        return self.sha256 is not None

    async def __aiter__(self) -> AsyncIterator[models.EvidenceLine]:
        async for line in self._lines:
            yield json.loads(line)

    async def raw_lines(self) -> AsyncIterator[bytes]:
        """The lines as bytes, without the line breaks; their SHA-256, each with a line break, is that of the file."""
        async for line in self._lines:
            yield line


class Evidence:
    """The ticks of one instrument on one UTC day, as they arrive. Loop over it once; leaving the loop closes the connection."""

    def __init__(self, inner: AsyncEvidence, thread: LoopThread) -> None:
        self._inner = inner
        self._thread = thread

    @property
    def sha256(self) -> Optional[str]:
        """SHA-256 of the sealed file as the log has it, hex; None if the lines are read from the tape."""
        return self._inner.sha256

    @property
    def sealed(self) -> bool:
        """Whether the lines are those of the sealed file."""
        return self._inner.sealed

    def __iter__(self) -> Iterator[models.EvidenceLine]:
        return self._thread.iterate(self._inner.__aiter__())

    def raw_lines(self) -> Iterator[bytes]:
        """The lines as bytes, without the line breaks."""
        return self._thread.iterate(self._inner.raw_lines())
