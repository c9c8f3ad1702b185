"""Bars, ticks and other lists as a pandas DataFrame or a pyarrow Table. Neither is needed to import the package."""

from __future__ import annotations

import datetime as dt
import io
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Sequence

if TYPE_CHECKING:
    import pandas
    import pyarrow

TIME_COLUMNS = ("time", "timestamp")


def to_frame(items: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """A pandas DataFrame of items. A `time` or `timestamp` becomes the index, in UTC; Unix seconds and milliseconds are read too.

    Example:
        >>> tickwire.to_frame(client.bars("EURUSD")["items"]).close.max()
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a DataFrame needs pandas: pip install pandas") from error
    rows = list(items)
    frame = pandas.DataFrame.from_records(rows, columns=list(rows[0]) if rows else None)
    for name in TIME_COLUMNS:
        if name in frame.columns:
            frame[name] = pandas.to_datetime(frame[name], unit=_unit(rows, name), utc=True)
            return frame.set_index(name)
    return frame


def to_table(items: Iterable[Mapping[str, Any]]) -> pyarrow.Table:
    """A pyarrow Table of items, with `time` as a UTC timestamp in milliseconds.

    Example:
        >>> pyarrow.parquet.write_table(tickwire.to_table(client.bars("EURUSD")["items"]), "eurusd.parquet")
    """
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("a Table needs pyarrow: pip install pyarrow") from error
    rows = list(items)
    columns: Dict[str, List[Any]] = {name: [row.get(name) for row in rows] for name in (rows[0] if rows else {})}
    arrays = {}
    for name, values in columns.items():
        if name in TIME_COLUMNS:
            arrays[name] = pyarrow.array([milliseconds(value) for value in values], pyarrow.timestamp("ms", tz="UTC"))
        elif any(isinstance(value, float) for value in values):
            arrays[name] = pyarrow.array([None if value is None else float(value) for value in values], pyarrow.float64())
        else:
            arrays[name] = pyarrow.array(values)
    return pyarrow.table(arrays)


def read_csv(content: bytes, levels: Sequence[str] = ()) -> pandas.DataFrame:
    """A pandas DataFrame of a CSV file of the service, with the time as its index, after columns that become levels of it. Numbers are
    those of the JSON answer."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("a DataFrame needs pandas: pip install pandas") from error
    frame = pandas.read_csv(io.BytesIO(content), float_precision="round_trip")
    if "time" not in frame.columns:
        return frame
    frame["time"] = pandas.to_datetime(frame["time"], utc=True)
    return frame.set_index([*levels, "time"] if levels else "time")


def read_parquet(content: bytes) -> pyarrow.Table:
    """A pyarrow Table of a Parquet file of the service."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("a Table needs pyarrow: pip install pyarrow") from error
    return pyarrow.parquet.read_table(pyarrow.BufferReader(content))


def _unit(rows: List[Mapping[str, Any]], name: str) -> Any:
    value = rows[0].get(name) if rows else None
    if not isinstance(value, (int, float)):
        return None
    return "s" if value < 1e11 else "ms"


def milliseconds(value: Any) -> int:
    """A time of the service, ISO 8601 text or Unix seconds or milliseconds, as milliseconds since 1970.

    Example:
        >>> milliseconds("2026-03-02T11:24:07.318Z")
        1772450647318
    """
    if isinstance(value, (int, float)):
        return round(value * 1_000) if value < 1e11 else round(value)
    if isinstance(value, str) and value.isdigit():
        if len(value) == 8:
            value = f"{value[:4]}-{value[4:6]}-{value[6:]}"
        elif int(value) < 100_000_000:
            raise ValueError(f"{value!r} is no time: use a date such as 2026-01-05, or Unix time")
        else:
            return milliseconds(int(value))
    elif isinstance(value, str) and len(value) == 7:
        value += "-01"
    moment = dt.datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.timezone.utc)
    return round((moment - dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)) / dt.timedelta(milliseconds=1))
