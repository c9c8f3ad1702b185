"""How generated code is laid out: on one line if it fits, otherwise with one part per line."""

from __future__ import annotations

from typing import Sequence

WIDTH = 120


def call(prefix: str, brackets: str, parts: Sequence[str], indent: int, suffix: str = "") -> str:
    """A call, a definition or a dictionary. `brackets` are the opening and the closing one."""
    margin = " " * indent
    line = f"{margin}{prefix}{brackets[0]}{', '.join(parts)}{brackets[1]}{suffix}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"{margin}    {part},\n" for part in parts)
    return f"{margin}{prefix}{brackets[0]}\n{inner}{margin}{brackets[1]}{suffix}"
