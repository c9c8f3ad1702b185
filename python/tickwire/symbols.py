"""How instrument codes are written."""

from __future__ import annotations


def plain_symbol(text: str) -> str:
    """In upper case and without the slash that people write between currencies: `EUR/USD` is EURUSD. No symbol has a slash."""
    return text.upper().replace("/", "")
