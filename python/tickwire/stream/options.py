"""The options of a stream, checked, and their translation into subscribe messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from ..rest.request import StreamPosition
from ..symbols import plain_symbol
from .events import Gap

NUMBERED_TOGETHER = ("news", "alerts")
"""Headlines and firings have several symbols or none, so their messages are numbered per subscription."""
MAX_SYMBOLS = 1_000
"""A stream with one position for all symbols sends them in one message."""
DEFAULT_BUFFER = 10_000
DEFAULT_HEARTBEAT = 5

Delivery = Literal["all", "latest"]
Overflow = Literal["wait", "latest"]
Symbols = Union[str, Sequence[str]]
"""One instrument code or several; `"*"` for all."""


@dataclass
class StreamOptions:
    """What a stream subscribes to, and how it behaves."""

    kind: str
    symbols: Tuple[str, ...]
    flags: Dict[str, Any]
    """Fields of every subscribe message."""
    resumes: bool
    shows_seq: bool
    heartbeat: int
    buffer: int
    keeps_latest: bool
    fill: Optional[str]
    """REST path that returns what a stream that cannot resume has missed."""
    start: Optional[StreamPosition] = None
    on_gap: Optional[Callable[[Gap], None]] = None
    on_rejected: Optional[Callable[[List[Mapping[str, Any]]], None]] = None
    on_notice: Optional[Callable[[Mapping[str, Any]], None]] = None
    lockstep: bool = False
    extra: Dict[str, Any] = field(default_factory=dict)


def resolve(
    kind: str,
    symbols: Symbols,
    *,
    flags: Mapping[str, Any],
    seq: bool,
    resume: bool,
    heartbeat: int,
    buffer: int,
    overflow: Optional[Overflow],
    start: Optional[StreamPosition] = None,
    on_gap: Optional[Callable[[Gap], None]] = None,
    on_rejected: Optional[Callable[[List[Mapping[str, Any]]], None]] = None,
    on_notice: Optional[Callable[[Mapping[str, Any]], None]] = None,
    lockstep: bool = False,
) -> StreamOptions:
    """Checks the options and fills in defaults. Raises a ValueError that names what cannot be used."""
    if buffer < 1:
        raise ValueError("`buffer` must be at least 1")
    if overflow not in (None, "wait", "latest"):
        raise ValueError(f"`overflow` must be 'wait' or 'latest'; it is {overflow!r}")
    if not 1 <= heartbeat <= 60:
        raise ValueError(f"`heartbeat` must be 1 to 60 seconds; it is {heartbeat!r}")
    # The service cannot replay throttled messages, values of indicators and footprints.
    resumes = resume and flags.get("max_rate") is None and flags.get("indicators") is None and kind != "footprint"
    if start is not None and not resumes:
        raise ValueError("`start` cannot be combined with `max_rate`, `indicators` or `resume=False`")
    sent = {name: value for name, value in flags.items() if value is not None and value is not False}
    if seq or resumes:
        sent["seq"] = True
    droppable = kind not in ("perpetual", "signals", "news", "alerts")
    return StreamOptions(
        kind=kind,
        symbols=normalise_symbols(kind, symbols),
        flags=sent,
        resumes=resumes,
        shows_seq=seq,
        heartbeat=heartbeat,
        buffer=buffer,
        keeps_latest=droppable and (overflow or ("wait" if resumes else "latest")) == "latest",
        fill=_fill_of(kind, flags.get("timeframe") or "1m"),
        start=start,
        on_gap=on_gap,
        on_rejected=on_rejected,
        on_notice=on_notice,
        lockstep=lockstep,
    )


def _fill_of(kind: str, timeframe: str) -> Optional[str]:
    if kind == "alerts":
        return "/api/alerts/firings"
    if kind == "perpetual":
        return "/api/market/{symbol}/perpetual?limit=500"
    if kind in ("signals", "news"):
        return None
    if kind == "footprint":
        return f"/api/footprint/{{symbol}}?interval={timeframe}&from={{since}}"
    return f"/api/market/{{symbol}}?timeframe={timeframe}&from={{since}}"


def normalise_symbols(kind: str, symbols: Symbols) -> Tuple[str, ...]:
    """Plain, without duplicates."""
    given = [symbols] if isinstance(symbols, str) else list(symbols)
    if not given or not all(isinstance(symbol, str) and symbol for symbol in given):
        raise ValueError("`symbols` must be an instrument code, a list of them, or '*' for all")
    if kind in NUMBERED_TOGETHER and len(given) > MAX_SYMBOLS:
        raise ValueError(f"a stream of {kind} takes at most {MAX_SYMBOLS} symbols; use '*' for all")
    return tuple(dict.fromkeys(plain_symbol(symbol) for symbol in given))
