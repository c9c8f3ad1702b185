"""Canonical JSON (RFC 8785): members sorted by name, no white space, numbers as JavaScript writes them."""

from __future__ import annotations

import math
from json.encoder import encode_basestring  # type: ignore[attr-defined]
from typing import Any, List


def canonical_json(value: Any) -> str:
    """The canonical text of a value that JSON can express. Raises a ValueError for anything else.

    Example:
        >>> canonical_json({"b": 1.0, "a": [True, None]})
        '{"a":[true,null],"b":1}'
    """
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(canonical_json(item) for item in value)}]"
    if isinstance(value, dict):
        names = list(value)
        if not all(isinstance(name, str) for name in names):
            raise ValueError("a member name is not a text")
        return "{%s}" % ",".join(f"{_text(name)}:{canonical_json(value[name])}" for name in _sorted(names))
    raise ValueError(f"{type(value).__name__} is not a JSON value")


def _sorted(names: List[str]) -> List[str]:
    """By UTF-16 code units, as JavaScript sorts. A name that is not well-formed fails when it is written."""
    return sorted(names) if all(map(str.isascii, names)) else sorted(names, key=_code_units)


def _code_units(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("a text is not well-formed Unicode") from error
    return str(encode_basestring(value))


def number_text(value: float) -> str:
    """A number as JavaScript writes it.

    Example:
        >>> number_text(1e-05), number_text(2412.0), number_text(1e21)
        ('0.00001', '2412', '1e+21')
    """
    if isinstance(value, int):
        if abs(value) < 2**53:
            return str(value)
        value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a JSON number")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS × 10^point.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    shown = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{shown}e{'+' if power >= 0 else '-'}{abs(power)}"
