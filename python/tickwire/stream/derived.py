"""Bars of intervals that have no stream of their own, made of the longest streamed bars that fit into them. Intervals are those of
`/api/bars` with `align=utc`: they count from the start of the day, and weeks start on Monday. Times are Unix seconds.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from ..models import Timeframe

DAY = 86_400
STREAMED: Dict[Timeframe, int] = {"1d": DAY, "4h": 14_400, "1h": 3_600, "15m": 900, "5m": 300, "1m": 60}
AMENDABLE_SECONDS = 660
"""Bars of the last ten minutes can still be amended by late ticks; one more minute for the end of the bar."""

Prices = Dict[str, Any]


class DerivedBars:
    """Bars of one interval. `part` is the timeframe of the streamed bars that they are made of."""

    def __init__(self, interval: str) -> None:
        self._interval = interval
        self._length = _length(interval)
        self.part = next(name for name, seconds in STREAMED.items() if (self._length or DAY) % seconds == 0)
        self._parts: Dict[int, Prices] = {}
        self._newest = -1
        self._is_closed = False
        self._kept = 0

    def start_of(self, time: int) -> int:
        """Start of the bar that contains a time."""
        day = time - time % DAY
        if self._length:
            return day + (time - day) // self._length * self._length
        if self._interval == "1w":
            return day - (day // DAY + 3) % 7 * DAY  # 1970-01-01 was a Thursday.
        return int(datetime.fromtimestamp(day, timezone.utc).replace(day=1).timestamp())

    def end_of(self, start: int) -> int:
        """End of the bar that starts there. The last one of a day is shorter if the day is not a multiple of it."""
        if self._length:
            return min(start + self._length, start - start % DAY + DAY)
        return start + 7 * DAY if self._interval == "1w" else self.start_of(start + 31 * DAY)

    def add(self, parts: Iterable[Mapping[str, Any]]) -> List[Prices]:
        """Adds all shorter bars from the start of a bar on. Returns the bars that they are in."""
        starts = set()
        for part in parts:
            self._parts[part["time"]] = dict(part)
            starts.add(self.start_of(part["time"]))
        bars = [self._bar(start) for start in sorted(starts)]
        for start in sorted(starts):
            self._advance(start)
        return bars

    def add_live(self, part: Mapping[str, Any]) -> List[Tuple[Prices, bool]]:
        """Adds a live shorter bar. Returns its bar and whether it is closed, after the close of the one before it if that was not
        reported yet."""
        start = self.start_of(part["time"])
        if start < self._kept:
            return []  # The other parts of such an old bar are not known.
        changed = []
        if start > self._newest >= 0 and not self._is_closed:
            changed.append((self._bar(self._newest), True))
        self._parts[part["time"]] = dict(part)
        self._advance(start)
        is_last = part["time"] + STREAMED[self.part] >= self.end_of(start)
        closed = start < self._newest or self._is_closed or (part["closed"] and is_last)
        if start == self._newest:
            self._is_closed = closed
        changed.append((self._bar(start), closed))
        return changed

    def _advance(self, start: int) -> None:
        """Keeps the parts of the newest bar and of the one before it, which late ticks may amend."""
        if start <= self._newest:
            return
        before = start if self._newest < 0 else self._newest
        self._kept = min(before, self.start_of(start - AMENDABLE_SECONDS))
        self._parts = {time: part for time, part in self._parts.items() if time >= self._kept}
        self._newest = start
        self._is_closed = False

    def _bar(self, start: int) -> Prices:
        end = self.end_of(start)
        parts = [self._parts[time] for time in sorted(self._parts) if start <= time < end]
        return {
            "time": start,
            "open": parts[0]["open"],
            "high": max(part["high"] for part in parts),
            "low": min(part["low"] for part in parts),
            "close": parts[-1]["close"],
            "volume": round(sum(part["volume"] for part in parts), 8),
        }


def _length(interval: str) -> Optional[int]:
    """Length in seconds up to a day; None for a week or a month."""
    if interval in ("1w", "1M"):
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,3})([mh])", interval)
    seconds = int(match[1]) * {"m": 60, "h": 3_600}[match[2]] if match else 0
    if 0 < seconds <= DAY:
        return seconds
    raise ValueError(f"timeframe must be minutes or hours up to a day, such as 2m or 3h, or 1d, 1w or 1M, not {interval}")
