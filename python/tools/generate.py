#!/usr/bin/env python3
"""Writes the generated files: models and REST methods from the contract, the synchronous classes, and the reference.

    python3 python/tools/generate.py            writes what has changed; needs Node.js and `npm ci`
    python3 python/tools/generate.py --check    fails if a file is not current
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

TOOLS = Path(__file__).resolve().parent
PYTHON = TOOLS.parent
sys.path.insert(0, str(TOOLS))

from generate_api import generate as generate_api  # noqa: E402
from generate_models import generate as generate_models  # noqa: E402
from generate_reference import generate as generate_reference  # noqa: E402
from generate_sync import generate as generate_sync  # noqa: E402
from generate_sync import generate_live  # noqa: E402


def contract() -> Dict[str, Any]:
    """The documents of the contract, and how the client calls each operation."""
    command = ["node", str(PYTHON.parent / "packages/server/bin/bun.mjs"), str(TOOLS / "contract.ts")]
    return dict(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def generate(note: Callable[[Path, str], str]) -> None:
    """Hands the text of each file to `note`, which returns the text that later files are made from."""
    found = contract()
    rest, stream = PYTHON / "tickwire/rest", PYTHON / "tickwire/stream"
    note(PYTHON / "tickwire/models.py", generate_models(found["openapi"], found["asyncapi"], found["words"]))
    methods = note(rest / "api.py", generate_api(found["openapi"], found["calls"], found["words"]))
    note(rest / "sync_api.py", generate_sync((rest / "special_calls.py").read_text(), methods))
    note(stream / "sync_live.py", generate_live((stream / "live.py").read_text()))
    note(PYTHON.parent / "docs/reference/python.md", generate_reference(PYTHON))


def outdated() -> List[str]:
    """Generated files that are not current."""
    found: List[str] = []

    def compare(path: Path, text: str) -> str:
        if not path.exists() or path.read_text() != text:
            found.append(str(path.relative_to(PYTHON.parent)))
        return text

    generate(compare)
    return found


def write(path: Path, text: str) -> str:
    """Writes a file if it has changed."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print(f"wrote {path.relative_to(PYTHON.parent)}")
    return text


def main() -> int:
    """Writes or checks all generated files."""
    parser = argparse.ArgumentParser(description="Writes the generated files of the Python package")
    parser.add_argument("--check", action="store_true", help="fail if a file is not current")
    if not parser.parse_args().check:
        generate(write)
        return 0
    stale = outdated()
    for name in stale:
        print(f"{name} is not current: run python3 python/tools/generate.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
