#!/usr/bin/env python3
"""Writes the generated files: the types of the service, the synchronous classes, and the reference.

    python3 python/tools/generate.py            starts a service of this repository and writes what has changed
    python3 python/tools/generate.py --url URL  reads the documents of a running service instead
"""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any, Dict

TOOLS = Path(__file__).resolve().parent
PYTHON = TOOLS.parent
sys.path.insert(0, str(TOOLS))
sys.path.insert(0, str(PYTHON))

from generate_models import generate as generate_models  # noqa: E402
from generate_reference import generate as generate_reference  # noqa: E402
from generate_sync import generate as generate_sync  # noqa: E402
from generate_sync import generate_live  # noqa: E402
from service import Service  # noqa: E402


def document(url: str, name: str) -> Dict[str, Any]:
    """A document of a service."""
    with urllib.request.urlopen(f"{url}/{name}.json", timeout=30) as response:
        return dict(json.load(response))


def models(url: str) -> str:
    """What `tickwire/models.py` must be for the service."""
    return generate_models(document(url, "openapi"), document(url, "asyncapi"))


def sync() -> str:
    """What `tickwire/rest/sync_api.py` must be."""
    return generate_sync((PYTHON / "tickwire/rest/api.py").read_text())


def sync_live() -> str:
    """What `tickwire/stream/sync_live.py` must be."""
    return generate_live((PYTHON / "tickwire/stream/live.py").read_text())


def write(path: Path, text: str) -> None:
    """Writes a file if it has changed."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print(f"wrote {path.relative_to(PYTHON)}")


def main() -> None:
    """Writes all generated files."""
    parser = argparse.ArgumentParser(description="Writes the generated files of the Python package")
    parser.add_argument("--url", help="a running service; without it one is started")
    given = parser.parse_args()
    if given.url:
        write(PYTHON / "tickwire/models.py", models(given.url))
    else:
        with Service({"TICKWIRE_HOUSE": "none"}) as service:
            write(PYTHON / "tickwire/models.py", models(service.url))
    write(PYTHON / "tickwire/rest/sync_api.py", sync())
    write(PYTHON / "tickwire/stream/sync_live.py", sync_live())
    write(PYTHON / "reference.md", generate_reference(PYTHON))


if __name__ == "__main__":
    main()
