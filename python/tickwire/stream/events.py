"""What happens on a stream: messages, gaps and states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, Mapping, Optional, Sequence, Tuple, TypeVar, Union

M = TypeVar("M")
GapReason = Literal["resume", "slow", "feed", "behind", "undeclared"]
StreamState = Literal["connecting", "live", "stale", "closed"]


@dataclass(frozen=True)
class Message(Generic[M]):
    """A message of the stream."""

    message: M
    """The message, a dictionary."""
    type: Literal["message"] = "message"
    """Always `message`; tells the events of a stream apart."""


@dataclass(frozen=True)
class Gap:
    """Messages of a stream that are missing, or may be. If there is no gap, nothing is missing."""

    reason: GapReason
    """`resume`: after a reconnect, the service no longer had the messages. `slow`: this connection did not keep up, and the service
    skipped messages. `feed`: the price feed of the service was interrupted. `behind`: your loop did not keep up, and the stream has
    `overflow="latest"`. `undeclared`: a message is missing without a notice; this is a bug, please report it."""
    symbols: Tuple[str, ...]
    """The affected symbols; `*` if any symbol may be affected."""
    from_seq: Optional[int] = None
    """`seq` of the first message that may be missing; None if unknown."""
    to_seq: Optional[int] = None
    """`seq` of the last message that may be missing; None if unknown."""
    dropped: Optional[int] = None
    """Number of missing messages; None if unknown."""
    since: Optional[int] = None
    """Unix time in seconds of the last message before the gap, the oldest of all symbols; None if there was none."""
    fill: Optional[str] = None
    """Path of the REST call that returns the missing data; replace `{symbol}` and `{since}`. None if there is none."""
    type: Literal["gap"] = "gap"
    """Always `gap`; tells the events of a stream apart."""


@dataclass(frozen=True)
class StateChange:
    """A change of the stream's state."""

    state: StreamState
    """`connecting`: no connection yet, or waiting for the next attempt. `live`: the service has confirmed the subscription; from here
    on nothing is lost without a gap. `stale`: nothing is received, not even heartbeats, or the stream is paused because your loop is
    behind. `closed`: final."""
    code: Optional[int] = None
    """WebSocket close code of the connection that ended; None if none did."""
    reason: str = ""
    """Why it ended, for people."""
    retry_in: Optional[float] = None
    """Seconds until the next connection attempt; None if none is scheduled."""
    type: Literal["state"] = "state"
    """Always `state`; tells the events of a stream apart."""


StreamEvent = Union[Message[M], Gap, StateChange]
"""Anything that happens on a stream; `type` tells the variants apart."""


def gap_from_notice(notice: Mapping[str, Any], since: Optional[int]) -> Gap:
    """The gap that a notice of the service declares."""
    return Gap(
        reason=notice["reason"],
        symbols=tuple(notice.get("symbols", ())),
        from_seq=notice.get("from_seq"),
        to_seq=notice.get("to_seq"),
        dropped=notice.get("dropped"),
        since=since,
        fill=notice.get("fill"),
    )


def combined_gap(gaps: Sequence[Gap], removed: Sequence[Mapping[str, Any]]) -> Gap:
    """One gap for everything that a full queue removed."""
    symbols = dict.fromkeys([symbol for gap in gaps for symbol in gap.symbols])
    symbols.update(dict.fromkeys(str(message.get("symbol")) for message in removed))
    known = [gap.since for gap in gaps if gap.since is not None]
    return Gap(
        reason="behind",
        symbols=tuple(symbols),
        dropped=sum(gap.dropped or 0 for gap in gaps) + len(removed),
        since=min(known) if known else None,
        fill=next((gap.fill for gap in gaps if gap.fill is not None), None),
    )
