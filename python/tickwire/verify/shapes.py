"""Checks that a record has the fields of its type."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import Any, Callable, Dict, Mapping, Optional

TIME = re.compile(r"(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
HASH = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
REASONS = ("take_profit", "stop_loss", "manual", "expired", "unfilled")
EPOCH = dt.datetime(1970, 1, 1)
MILLISECOND = dt.timedelta(milliseconds=1)
Check = Callable[[Any], bool]


@lru_cache(maxsize=4_096)
def time_of(text: str) -> int:
    """A time of a record in milliseconds since 1970."""
    return (dt.datetime.fromisoformat(text[:-1]) - EPOCH) // MILLISECOND


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) != float("inf")


def is_time(value: Any) -> bool:
    if not isinstance(value, str) or not TIME.fullmatch(value):
        return False
    try:
        time_of(value)
        return True
    except ValueError:
        return False


def is_hash(value: Any) -> bool:
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def is_side(value: Any) -> bool:
    return value in ("buy", "sell")


def one_of(*values: Any) -> Check:
    return lambda value: any(value is each or (isinstance(value, str) and value == each) for each in values)


def fields(**checks: Check) -> Check:
    """An object with these fields. A name that begins with `may_` is that of an optional field."""

    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for name, test in checks.items():
            if name.startswith("may_"):
                if name[4:] in value and not test(value[name[4:]]):
                    return False
            elif name not in value or not test(value[name]):
                return False
        return True

    return check


def list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(check(item) for item in value)


def or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


_event = {"seq": is_whole, "time": is_time, "source": is_text}
_quote = fields(kind=one_of("quote"), bid=is_number, ask=is_number, **_event)
_trade = fields(kind=one_of("trade"), price=is_number, side=is_side, spread=is_number, **_event)
_bar = fields(
    kind=one_of("bar"), open=is_number, high=is_number, low=is_number, close=is_number, spread=is_number, **_event
)


def is_evidence(value: Any) -> bool:
    return _quote(value) or _trade(value) or _bar(value)


_base: Dict[str, Check] = {"n": is_whole, "prev": is_hash, "rules": is_whole, "at": is_time}
_of_signal: Dict[str, Check] = {**_base, "signal": is_text, "publisher": is_text, "symbol": is_text}
_part = fields(fraction=is_number, price=is_number)
_specification = fields(digits=is_whole, pip_size=is_number)
_signed = fields(
    signed_at=is_time,
    signature=lambda value: isinstance(value, str) and SIGNATURE.fullmatch(value) is not None,
    public_key=is_hash,
)
_recovered = one_of("tape", "backfill")

SHAPES: Mapping[str, Check] = {
    "opened": fields(**_base, log=is_text, realm=one_of("sim", "live", "replay"), public_key=is_hash),
    "published": fields(
        **_of_signal,
        instrument=_specification,
        direction=is_side,
        entry=is_number,
        stop_loss=is_number,
        take_profit=is_number,
        may_targets=list_of(_part),
        may_breakeven_after=is_whole,
        order=one_of("market", "limit", "stop"),
        may_max_slippage=or_none(is_number),
        entry_deadline=is_time,
        deadline=is_time,
        may_note_sha256=is_hash,
        may_signed=_signed,
        quote=_quote,
    ),
    "filled": fields(
        **_of_signal, entry_price=is_number, filled_at=is_time, filled=is_evidence, may_recovered=_recovered
    ),
    "exited": fields(
        **_of_signal,
        target=is_whole,
        fraction=is_number,
        price=is_number,
        exited_at=is_time,
        decided=is_evidence,
        may_recovered=_recovered,
    ),
    "amended": fields(**_of_signal, stop_loss=is_number, may_signed=_signed, quote=_quote),
    "close_requested": fields(**_of_signal, may_signed=_signed, quote=_quote),
    "closed": fields(
        **_of_signal,
        instrument=_specification,
        reason=one_of(*REASONS),
        entry_price=or_none(is_number),
        exit_price=or_none(is_number),
        last_exit=or_none(_part),
        closed_at=is_time,
        pnl=is_number,
        pnl_percent=is_number,
        pnl_r=is_number,
        may_pnl_best=is_number,
        may_gap_from=is_time,
        may_gap_to=is_time,
        may_self_sourced=one_of(True),
        may_recovered=_recovered,
        filled=or_none(is_evidence),
        decided=is_evidence,
        decided_seq=is_whole,
    ),
    "voided": fields(**_of_signal, reason=is_text),
    "publisher_key": fields(**_base, publisher=is_text, public_key=or_none(is_hash)),
    "feed": fields(
        **_base,
        symbol=is_text,
        event=one_of("disconnect", "gap", "failover"),
        seq=is_whole,
        **{"from": is_time},
        to=is_time,
    ),
    "tape": fields(
        **_base,
        day=lambda value: isinstance(value, str) and DAY.fullmatch(value) is not None and is_time(f"{value}T00:00:00.000Z"),
        symbol=is_text,
        ticks=is_whole,
        sha256=is_hash,
    ),
}


def shape_fault(record: Any) -> Optional[str]:
    """What is wrong with the shape of a record; None if nothing is."""
    if not isinstance(record, dict):
        return "it is not an object"
    kind = record.get("type")
    check = SHAPES.get(kind) if isinstance(kind, str) else None
    if check is None:
        return f"its type {kind!r} is unknown"
    return None if check(record) else f"a field of it is missing, or not what a {kind} record has"
