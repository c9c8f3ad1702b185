"""The notebooks and examples run against the real service."""

import asyncio
import importlib.util
import json
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from . import PYTHON
from service import Service

import tickwire

HAS_NOTEBOOKS = all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel", "pandas"))


class Notebooks(unittest.TestCase):
    service: Service

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service().start()
        with tickwire.TickwireClient(cls.service.url, cls.service.key) as client:
            deadline = time.monotonic() + 60
            # The example publishers begin with the first bars.
            while client.signal_head()["n"] < 2 and time.monotonic() < deadline:
                time.sleep(0.5)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.service.close()

    def execute(self, name: str) -> Any:
        import nbformat
        from nbclient import NotebookClient

        stored = json.loads((PYTHON / "notebooks" / name).read_text())
        self.assertTrue(all(not cell.get("outputs") for cell in stored["cells"]), "store it without outputs")
        notebook = nbformat.reads(json.dumps(stored), as_version=4)
        settings = {
            "TICKWIRE_URL": self.service.url,
            "TICKWIRE_API_KEY": self.service.key,
            "PYTHONPATH": str(PYTHON),
        }
        before = {key: os.environ.get(key) for key in settings}
        os.environ.update(settings)
        try:
            with tempfile.TemporaryDirectory() as folder:
                NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}, kernel_name="python3").execute()
        finally:
            for key, value in before.items():
                if value is None:
                    os.environ.pop(key, None)
                else:
                    os.environ[key] = value
        return "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))

    @unittest.skipUnless(HAS_NOTEBOOKS, "nbclient, ipykernel or pandas is not installed")
    def test_data_to_dataframe(self) -> None:
        self.assertIn("largest difference", self.execute("data-to-dataframe.ipynb"))

    @unittest.skipUnless(HAS_NOTEBOOKS, "nbclient, ipykernel or pandas is not installed")
    def test_live_bot(self) -> None:
        self.assertRegex(self.execute("live-bot.ipynb"), r"(manual|stop_loss|take_profit) -?[\d.]+ pips")

    @unittest.skipUnless(HAS_NOTEBOOKS, "nbclient, ipykernel or pandas is not installed")
    def test_verify_a_publisher(self) -> None:
        text = self.execute("verify-a-publisher.ipynb")
        self.assertIn("no faults found", text)
        self.assertIn("agrees with the log", text)

    def test_examples(self) -> None:
        sys.path.insert(0, str(PYTHON / "examples"))
        try:
            import bot
            import collect

            with tickwire.TickwireClient(self.service.url, self.service.key) as client:
                self.assertGreaterEqual(bot.run(client, "EURUSD", most_bars=5), 0)
            with tempfile.TemporaryDirectory() as folder:
                path = str(Path(folder, "ticks.csv"))
                variables = {"TICKWIRE_URL": self.service.url, "TICKWIRE_API_KEY": self.service.key}
                with mock.patch.dict(os.environ, variables):
                    missing = asyncio.run(collect.collect(path, ["EURUSD", "XAUUSD"], most=10))
                self.assertEqual((missing, len(Path(path).read_text().splitlines())), (0, 11))
        finally:
            sys.path.remove(str(PYTHON / "examples"))


if __name__ == "__main__":
    unittest.main()
