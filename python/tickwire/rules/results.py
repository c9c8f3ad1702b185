"""Profit and loss of a closed signal: section "Profit and loss" of docs/reference/signals.md, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, Mapping, Sequence, Tuple

from .acceptance import Terms
from .market import Instrument

Part = Tuple[Fraction, int]
"""A fraction of the position and the price in ticks at which it exits."""


def round4(value: Fraction) -> Fraction:
    """Rounded to 4 decimals, halves away from zero."""
    units = abs(value) * 10_000
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return Fraction(whole if value >= 0 else -whole, 10_000)


def profit(instrument: Instrument, terms: Terms, fill_price: int, exits: Sequence[Part]) -> Dict[str, Any]:
    """The figures of a position that filled at `fill_price` and exited in parts: a list of (fraction, price)."""
    assert sum(fraction for fraction, _ in exits) == 1
    base = terms.side.worse_entry(terms.entry, fill_price)
    d = sum((fraction * terms.side.gain(base, price) for fraction, price in exits), Fraction(0))
    return {
        "entry_price": instrument.price(fill_price),
        "exit_price": instrument.price(sum((fraction * price for fraction, price in exits), Fraction(0))),
        "pnl": pips(instrument, d),
        "pnl_percent": round4(Fraction(100 * d) / base),
        "pnl_r": round4(Fraction(d) / abs(terms.entry - terms.stop_loss)),
    }


def pips(instrument: Instrument, d: Fraction) -> Fraction:
    return round4(instrument.price(d) / instrument.pip_size)


NO_PROFIT: Mapping[str, Any] = {"entry_price": None, "exit_price": None, "pnl": 0, "pnl_percent": 0, "pnl_r": 0}
