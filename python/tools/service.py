"""Starts a Tickwire service of this repository with simulated markets, for tests, notebooks and generated files."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, Optional

REPOSITORY = Path(__file__).resolve().parents[2]
START_SECONDS = 60


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A service in a process of its own, with a temporary data folder. Use it in a `with` block."""

    def __init__(self, settings: Optional[Dict[str, str]] = None, port: Optional[int] = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = tempfile.mkdtemp(prefix="tickwire-python-")
        self.settings = settings or {}
        self.key = ""
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._output = Path(self.data, "output.txt")

    def start(self) -> "Service":
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TICKWIRE_")},
            "TICKWIRE_DATA": str(Path(self.data, "data")),
            "TICKWIRE_PORT": str(self.port),
            "TICKWIRE_METRICS_PORT": "off",
            "TICKWIRE_LOG": "warn",
            **self.settings,
        }
        with open(self._output, "ab") as output:
            self._process = subprocess.Popen(
                ["node", str(REPOSITORY / "packages/server/bin/tickwire.mjs"), "serve"],
                cwd=REPOSITORY,
                env=environment,
                stdout=output,
                stderr=output,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the service did not start:\n{self._output.read_text()}")
            time.sleep(0.1)
        found = re.search(r"tw_[0-9a-z]+_[0-9a-z]+", self._output.read_text())
        if found and not self.key:
            self.key = found.group()
        return self

    @property
    def setup_token(self) -> str:
        """The token of the link that creates the owner account."""
        found = re.search(r"setup\?token=([0-9a-z]+)", self._output.read_text())
        return found.group(1) if found else ""

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def command(self, *arguments: str) -> str:
        """Runs a `tickwire` command on the data folder of the service."""
        environment = {**os.environ, "TICKWIRE_DATA": str(Path(self.data, "data")), "TICKWIRE_LOG": "warn"}
        done = subprocess.run(
            ["node", str(REPOSITORY / "packages/server/bin/tickwire.mjs"), *arguments],
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if done.returncode != 0:
            raise RuntimeError(f"tickwire {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def stop(self, kill: bool = False) -> None:
        """Ends the process; the data folder stays."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Ends the process and removes the data folder."""
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self) -> "Service":
        return self.start()

    def __exit__(self, *_: Any) -> None:
        self.close()
