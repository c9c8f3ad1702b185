"""The ticks of a day for synchronous programs."""

from __future__ import annotations

from typing import Iterator, Optional

from .. import models
from ..loop_thread import LoopThread
from .api import AsyncEvidence


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
