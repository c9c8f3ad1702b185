"""Profit and loss of a closed signal: section "Profit and loss" of docs/signals.md, in exact arithmetic."""

from fractions import Fraction


def round4(value):
    """Rounded to 4 decimals, halves away from zero."""
    units = abs(value) * 10_000
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return Fraction(whole if value >= 0 else -whole, 10_000)


def profit(instrument, terms, fill_price, exits):
    """The figures of a position that filled at `fill_price` and exited in parts: a list of (fraction, price)."""
    assert sum(fraction for fraction, _ in exits) == 1
    base = terms.side.worse_entry(terms.entry, fill_price)
    d = sum(fraction * terms.side.gain(base, price) for fraction, price in exits)
    return {
        "entry_price": instrument.price(fill_price),
        "exit_price": instrument.price(sum(fraction * price for fraction, price in exits)),
        "pnl": pips(instrument, d),
        "pnl_percent": round4(Fraction(100 * d) / base),
        "pnl_r": round4(Fraction(d) / abs(terms.entry - terms.stop_loss)),
    }


def pips(instrument, d):
    return round4(instrument.price(d) / instrument.pip_size)


NO_PROFIT = {"entry_price": None, "exit_price": None, "pnl": 0, "pnl_percent": 0, "pnl_r": 0}
