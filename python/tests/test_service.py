"""The clients against the real service, with simulated markets."""

import asyncio
import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple
from urllib.parse import unquote

from . import PYTHON
from service import Service

import tickwire
from tickwire.rest.api import AsyncAccountApi, AsyncAdminApi, AsyncKeysApi, AsyncLinksApi, AsyncRestApi, AsyncUdfApi
from tickwire.rest.request import RestSession

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
PASSWORD = "correct horse battery staple"


class Recorded(Exception):
    """Instead of an answer."""


class RecordingSession(RestSession):
    """Records the path and the query of a call."""

    seen: Tuple[str, str, Set[str]] = ("", "", set())

    def _record(self, method: str, path: str, query: Optional[Any]) -> None:
        self.seen = (method, re.sub(r"\{[^}]*\}", "{}", unquote(path)), set(query or {}))
        raise Recorded

    async def get_with_info(self, path: str, query: Any, timeout: Any, retry: bool) -> Any:
        self._record("get", path, query)

    async def get_text(self, path: str, query: Any, accept: str, timeout: Any, retry: bool) -> Any:
        self._record("get", path, query)

    async def open(self, path: str, query: Any, accept: str, timeout: Any, retry: bool) -> Any:
        self._record("get", path, query)

    async def post_idempotent(self, path: str, body: Any, key: Any, timeout: Any, retry: bool) -> Any:
        self._record("post", path, None)

    async def post_once(self, path: str, body: Any, timeout: Any) -> Any:
        self._record("post", path, None)

    async def patch_once(self, path: str, body: Any, timeout: Any) -> Any:
        self._record("patch", path, None)

    async def put_once(self, path: str, body: Any, timeout: Any) -> Any:
        self._record("put", path, None)

    async def delete(self, path: str, timeout: Any, retry: bool) -> Any:
        self._record("delete", path, None)


async def recorded_calls() -> Dict[Tuple[str, str], Set[str]]:
    """Method and path of every method of the clients, with the names of its query parameters."""
    session = RecordingSession("http://x")
    found: Dict[Tuple[str, str], Set[str]] = {}
    for group in (AsyncRestApi, AsyncAccountApi, AsyncKeysApi, AsyncLinksApi, AsyncUdfApi, AsyncAdminApi):
        api = group(session)
        for name, method in inspect.getmembers(api, inspect.ismethod):
            if name.startswith("_"):
                continue
            given: Dict[str, Any] = {}
            for parameter in inspect.signature(method).parameters.values():
                if parameter.kind is parameter.VAR_KEYWORD or parameter.name in ("start", "end"):
                    continue  # `start` and `end` are further names of `from_` and `to`.
                given[parameter.name] = _sample(parameter.name)
            call = method(**given)
            try:
                if hasattr(call, "__anext__"):
                    await call.__anext__()
                else:
                    await call
            except Recorded:
                key = session.seen[:2]
                found[key] = found.get(key, set()) | session.seen[2]
    return found


def _sample(name: str) -> Any:
    if name == "signer":
        return None
    if name in ("lines",):
        return []
    if name in ("alert", "request", "change", "condition"):
        return {}
    if name in ("symbols", "scopes", "status", "fields", "category"):
        return ["{x}"]
    if name == "targets":
        return []
    if name == "format":
        return "csv"
    if name == "expires_at":
        return 1_767_571_200
    if name in ("timeout", "entry", "stop_loss", "balance", "page_size", "after", "limit"):
        return 1
    return True if name in ("retry", "detail") else "{x}"


class ServiceTest(unittest.TestCase):
    service: Service
    owner: tickwire.TickwireClient
    client: tickwire.TickwireClient

    @classmethod
    def setUpClass(cls) -> None:
        settings = {"TICKWIRE_PUBLIC_RECORDS": "on", "TICKWIRE_DELIVERY_ALLOW_PRIVATE": "true"}
        cls.service = Service(settings).start()
        cls.owner = tickwire.TickwireClient(cls.service.url)
        cls.owner.account.set_up(cls.service.setup_token, "Ada", PASSWORD)
        cls.owner.account.confirm(PASSWORD)
        key = cls.owner.keys.create("tests", scopes=["read", "alerts", "publish", "ingest", "admin"])["key"]
        cls.client = tickwire.TickwireClient(cls.service.url, key)
        cls.key = str(key)
        deadline = time.monotonic() + 60
        while len(cls.client.quotes()["items"]) < 5 and time.monotonic() < deadline:
            time.sleep(0.2)

    key: str = ""

    @classmethod
    def tearDownClass(cls) -> None:
        cls.owner.close()
        cls.client.close()
        cls.service.close()

    def document(self, name: str) -> Any:
        with urllib.request.urlopen(f"{self.service.url}/{name}.json") as response:
            return json.load(response)

    def test_every_endpoint_of_the_document_has_a_method_with_its_parameters(self) -> None:
        calls = asyncio.run(recorded_calls())
        document = self.document("openapi")
        missing: List[str] = []
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if method not in ("get", "post", "put", "delete", "patch"):
                    continue
                if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}):
                    continue  # Streams of the client use WebSocket.
                known = calls.get((method, re.sub(r"\{[^}]*\}", "{}", path)))
                if known is None:
                    missing.append(f"{method} {path}")
                    continue
                for parameter in operation.get("parameters", []):
                    if "$ref" in parameter:
                        parameter = document["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[-1]]
                    if parameter["in"] == "query" and parameter["name"] not in known | {"format"} and path not in OPEN_INPUTS:
                        missing.append(f"{method} {path} {parameter['name']}")
        self.assertEqual(missing, [])

    def test_the_service_serves_the_documents_that_methods_and_models_are_generated_from(self) -> None:
        from generate import contract

        found = contract()
        for name in ("openapi", "asyncapi"):
            self.assertEqual(self.document(name), found[name])

    def test_reads_the_feed_of_charts_and_makes_a_link_to_it(self) -> None:
        udf = self.client.udf
        self.assertIn("60", udf.config()["supported_resolutions"])
        self.assertEqual(udf.symbol("EUR/USD")["ticker"], "EURUSD")
        self.assertEqual(udf.search("gold", limit=1)[0]["symbol"], "XAUUSD")
        now = udf.time()
        self.assertEqual(len(udf.history("EURUSD", "1", to=now, countback=5)["t"]), 5)
        self.assertIn("id", udf.marks("EURUSD", "60", from_=now - 86_400, to=now))
        self.assertEqual(udf.quotes(["EURUSD"])["d"][0]["s"], "ok")
        link = self.client.links.create("chart", "/udf", expires_days=1)
        with urllib.request.urlopen(f"{link['url']}/time") as response:
            self.assertGreaterEqual(json.load(response), now)
        self.client.links.revoke(link["id"])
        self.assertEqual(self.client.links.list()["items"][-1]["state"], "revoked")

    def test_keeps_documents_of_an_account(self) -> None:
        account = self.owner.account
        first = account.put_document("settings", "python", {"text": "one"})
        self.assertEqual(account.document("settings", "python")["value"], {"text": "one"})
        account.put_document("settings", "python", {"text": "two"}, revision=first["revision"])
        with self.assertRaises(tickwire.TickwireError):
            account.put_document("settings", "python", {"text": "three"}, revision=first["revision"])
        self.assertEqual([item["name"] for item in account.documents(kind="settings")["items"]], ["python"])
        account.delete_document("settings", "python")
        self.assertEqual(account.documents()["items"], [])
        self.assertEqual(account.check_invitation("none")["valid"], False)

    def test_reads_market_data(self) -> None:
        client = self.client
        symbols = [item["symbol"] for item in client.symbols(detail=True)["items"]]
        self.assertIn("EURUSD", symbols)
        quote = client.quote("EURUSD")
        self.assertLess(quote["bid"], quote["ask"])
        self.assertEqual([item["symbol"] for item in client.overview(["EURUSD", "NOSUCH"])["items"]], ["EURUSD"])
        self.assertEqual(client.quotes(["EURUSD", "NOSUCH"])["rejected"][0]["symbol"], "NOSUCH")
        self.assertEqual(len(client.market("EURUSD", timeframe="1m", bars=5, detail=True)["ohlcv"]), 5)
        self.assertEqual(client.bars("EURUSD", interval="7m", align="ny", limit=3)["interval"], "7m")
        self.assertTrue(client.hours("EURUSD")["sessions"])
        self.assertIn("absent", client.coverage("EURUSD", timeframe="1m"))
        self.assertGreater(client.position_size("EURUSD", entry=1.1, stop_loss=1.09, balance=10_000)["lots"], 0)
        for call in (client.session, client.usage, client.usage_history, client.news, client.news_sentiment, client.ai_models):
            self.assertIsInstance(call(), dict)
        for call in (client.news_calibration, client.news_sources, client.feeds, client.publishers, client.healthz, client.readyz):
            self.assertIsInstance(call(), dict)

    def test_pages_are_the_same_bars_as_one_long_page(self) -> None:
        start = int(time.time()) - 7_200
        whole = self.client.bars("EURUSD", interval="1m", from_=start, to=start + 3_600, limit=1_000)["items"]
        paged = list(self.client.iterate_bars("EURUSD", interval="1m", from_=start, to=start + 3_600, page_size=7))
        self.assertEqual(paged, whole)
        self.assertGreater(len(whole), 30)

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_bars_become_a_frame(self) -> None:
        frame = self.client.bars_frame("EURUSD", interval="1m", limit=50)
        self.assertEqual(list(frame.columns), ["open", "high", "low", "close", "volume"])
        self.assertEqual((len(frame), str(frame.index.tz), frame.index.is_monotonic_increasing), (50, "UTC", True))
        self.assertTrue((frame.high >= frame.low).all())
        items = self.client.bars("EURUSD", interval="1m", from_=frame.index[0].to_pydatetime(), limit=10)["items"]
        self.assertEqual([item["close"] for item in items], list(frame.close[:10]))

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_bars_of_several_symbols_become_one_frame(self) -> None:
        frame = self.client.bars_frame(["EURUSD", "XAUUSD"], interval="1m", limit=50)
        self.assertEqual((frame.index.names, len(frame)), (["symbol", "time"], 100))
        alone = self.client.bars_frame("XAUUSD", interval="1m", start=frame.loc["XAUUSD"].index[0].to_pydatetime(), limit=10)
        self.assertTrue(frame.loc["XAUUSD"].head(10).equals(alone))
        self.assertEqual(list(frame.close.unstack("symbol").columns), ["EURUSD", "XAUUSD"])

    @unittest.skipUnless(HAS_ARROW, "pyarrow is not installed")
    def test_bars_become_a_table(self) -> None:
        table = self.client.bars_table("EURUSD", interval="1m", limit=50)
        self.assertEqual((table.num_rows, str(table.schema.field("time").type)), (50, "timestamp[ms, tz=UTC]"))

    def test_frames_say_what_they_need(self) -> None:
        for present, convert, name in ((HAS_PANDAS, tickwire.to_frame, "pandas"), (HAS_ARROW, tickwire.to_table, "pyarrow")):
            if not present:
                with self.assertRaisesRegex(ImportError, name):
                    convert([{"time": 1}])

    def test_accounts_sessions_and_keys(self) -> None:
        self.assertTrue(self.owner.account.get()["owner"])
        created = self.owner.keys.create("chart", scopes=["read"], expires_days=1)
        rotated = self.owner.keys.rotate(created["id"], overlap_hours=1)
        self.assertEqual(self.owner.keys.revoke(rotated["id"])["id"], rotated["id"])
        self.assertGreaterEqual(len(self.owner.keys.list()["items"]), 2)
        with tickwire.TickwireClient(self.service.url) as other:
            with self.assertRaises(tickwire.AuthenticationError):
                other.account.get()
            other.account.sign_in("Ada", PASSWORD)
            self.assertEqual(len(other.account.sessions()["items"]), 2)
            with other.live.ticks("EURUSD") as ticks:
                self.assertEqual(next(ticks)["symbol"], "EURUSD")
            other.account.sign_out()
            with self.assertRaises(tickwire.AuthenticationError):
                other.account.get()
        self.assertFalse(self.owner.account.two_factor()["enabled"])
        for call in (self.owner.admin.accounts, self.owner.admin.streams, self.owner.admin.invitations, self.owner.admin.audit_log):
            self.assertIn("items", call())
        self.assertIsNone(self.owner.admin.language_model()["model"])
        with self.assertRaises(tickwire.TickwireError) as raised:
            tickwire.TickwireClient(self.service.url, created["key"]).feeds()
        self.assertEqual(raised.exception.code, "missing_scope")

    def test_streams_deliver_what_rest_shows(self) -> None:
        with self.client.live.ticks(["EURUSD", "XAUUSD"], ms=True) as ticks:
            tick = next(ticks)
            self.assertEqual(tick["time_ms"] // 1_000, tick["time"])
        with self.client.live.bars("EURUSD", "1m") as bars:
            bar = next(bars)
            self.assertEqual((bar["symbol"], bar["timeframe"]), ("EURUSD", "1m"))
        with self.client.live.bars("EURUSD", "1m", indicators=["ema(5)"]) as with_indicators:
            self.assertIn("settled", json.dumps(next(with_indicators)))
        with self.client.live.footprints("BTCUSD", "1m") as footprints:
            self.assertEqual(next(footprints)["channel"], "footprint")
        with self.client.live.order_flow("BTCUSD") as flow:
            self.assertIn("cumulative_delta", next(flow))
        with self.assertRaises(tickwire.AuthenticationError):
            list(tickwire.TickwireClient(self.service.url, "tw_wrong_key").live.ticks("EURUSD"))

    def test_streams_of_all_kinds_are_one_stream_of_the_tier(self) -> None:
        live = self.client.live
        with live.ticks("EURUSD") as ticks, live.bars("EURUSD", "1m") as bars, live.order_flow("BTCUSD") as flow:
            with live.footprints("BTCUSD", "1m") as footprints, live.signals() as signals, live.news() as news, live.alerts() as alerts:
                for stream in (ticks, bars, flow, footprints):
                    next(stream)
                deadline = time.monotonic() + 60
                while not all(each.state == "live" for each in (signals, news, alerts)):
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                self.assertEqual(self.client.usage()["streams"]["open"], 1)
            self.assertNotIn("channel", next(ticks))
            self.assertEqual(next(bars)["channel"], "bars")

    def test_ticks_resume_without_loss_after_many_reconnects(self) -> None:
        with self.client.live.ticks("*", seq=True) as ticks:
            last: Dict[str, int] = {}
            gaps: List[Any] = []
            for count, event in enumerate(self._events(ticks, 400)):
                if event.type == "gap":
                    gaps.append(event)
                elif event.type == "message":
                    message = event.message
                    if message["symbol"] in last:
                        self.assertEqual(message["prev"], last[message["symbol"]])
                    last[message["symbol"]] = message["seq"]
                if count % 100 == 99:
                    self.client._thread.call_soon(lambda: ticks._runner._socket and ticks._runner._socket.abort())
            self.assertEqual(gaps, [])

    def _events(self, stream: Any, count: int) -> Any:
        for _ in range(count):
            yield stream.next_event(timeout=60)

    def test_history_continues_into_live_without_a_gap(self) -> None:
        bars: Dict[str, Any] = {}
        live = 0
        for event in self.client.follow_bars("EURUSD", "1m", limit=20):
            self.assertNotEqual(event.type, "gap")
            if event.type != "gap":
                bars[event.bar["time"]] = event.bar
                live += event.type == "live"
            if live >= 5:
                break
        times = sorted(tickwire.milliseconds(time) // 1_000 for time in bars)
        self.assertEqual(times, list(range(times[0], times[-1] + 60, 60)))
        stored = self.client.bars("EURUSD", interval="1m", start=min(bars), limit=10)["items"]
        self.assertEqual([bars[bar["time"]] for bar in stored], stored)
        self.assertGreaterEqual(len(times), 20)

    def test_follows_bars_of_intervals_without_a_stream(self) -> None:
        for interval in ("2m", "1w"):
            bars = {}
            for event in self.client.follow_bars("EURUSD", interval, limit=20):
                if event.type != "gap":
                    bars[event.bar["time"]] = event
                    if event.type == "live":
                        break
            newest = max(bars)
            page = self.client.bars("EURUSD", interval=interval, limit=20)
            stored = {bar["time"]: bar for bar in page["items"]}
            before = sorted(bars)[-3]
            self.assertEqual(bars[before].bar, stored[before])
            self.assertEqual((bars[newest].bar["open"], bars[newest].closed), (stored[newest]["open"], False))
        with self.assertRaisesRegex(ValueError, "timeframe must be minutes or hours up to a day"):
            next(self.client.follow_bars("EURUSD", "2d"))

    def test_publishes_signed_signals_and_verifies_the_log(self) -> None:
        account = self.client.account.get()
        key = tickwire.SigningKey.create()
        self.owner.account.confirm(PASSWORD)
        self.owner.account.set_signing_key(key.public_key)
        try:
            signer = tickwire.Signer(account["id"], key)
            with self.client.live.signals(fills=True, changes=True, closes=True) as stream:
                deadline = time.monotonic() + 60
                while stream.state != "live" and time.monotonic() < deadline:
                    time.sleep(0.05)
                published = self._publish(signer, note="Grüße")
                self.assertEqual(published["state"], "pending")
                deadline = time.monotonic() + 60
                while self.client.signal(published["id"])["state"] == "pending" and time.monotonic() < deadline:
                    time.sleep(0.2)
                entry = published["entry"]
                amended = self.client.amend_signal(published["id"], stop_loss=round(entry * 0.995, 5), signer=signer)
                self.assertEqual(amended["current_stop_loss"], round(entry * 0.995, 5))
                closed = self.client.close_signal(published["id"], signer=signer)
                deadline = time.monotonic() + 60
                while self.client.signal(published["id"])["status"] != "closed" and time.monotonic() < deadline:
                    time.sleep(0.2)
                self.assertIn(closed["status"], ("closed", "active"))
                mine = [message for message in self._until_closed(stream, published["id"])]
                self.assertEqual([message.get("change") for message in mine if "change" in message], ["amended"])
            with self.assertRaises(tickwire.TickwireError) as raised:
                self._publish(None)
            self.assertEqual(raised.exception.code, "signature_required")
        finally:
            self.owner.account.set_signing_key(None)
        self.assertIn("closed", self.client.signal_proof(published["id"]))
        self.assertIn(published["id"], self.client.publisher_signals("Ada"))
        head = self.client.signal_head()
        report = tickwire.verify_log(self.client, heads=[head])
        self.assertEqual([str(finding) for finding in report.findings], [])
        self.assertTrue(report.ok and report.chain_ok)
        self.assertEqual((report.recomputed_from_tape, report.recomputed_from_evidence), (report.closed, report.closed))
        self.assertGreaterEqual(report.valid_signatures, 3)
        self.assertGreaterEqual(report.closed, 1)
        mine_checked = tickwire.verify_publisher(self.client, "Ada")
        self.assertTrue(mine_checked.ok, str(mine_checked))
        self.assertEqual(mine_checked.figures["signals"][0], 1)
        forged = {**head, "hash": "0" * 64}
        self.assertFalse(tickwire.verify_log(self.client, heads=[forged], tape=False).ok)
        self._check_command()

    def _publish(self, signer: Optional[tickwire.Signer], note: Optional[str] = None) -> Any:
        ask = self.client.quote("EURUSD")["ask"]
        targets = [{"price": round(ask * 1.01, 5), "fraction": 0.25}, {"price": round(ask * 1.02, 5), "fraction": 0.75}]
        return self.client.publish_signal(
            "eurusd",
            "buy",
            entry=ask,
            stop_loss=round(ask * 0.99, 5),
            targets=targets,
            breakeven_after=1,
            expires_at=time.time() + 3_600,
            note=note,
            signer=signer,
        )

    def _until_closed(self, stream: Any, id: str) -> Any:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            event = stream.next_event(timeout=60)
            if event.type == "message" and event.message["id"] == id:
                yield event.message
                if "close_reason" in event.message:
                    return

    def _check_command(self) -> None:
        environment = {**os.environ, "TICKWIRE_API_KEY": self.key, "PYTHONPATH": str(PYTHON)}
        done = subprocess.run(
            [sys.executable, "-m", "tickwire.verify.command", "--url", self.service.url, "--no-tape", "--json"],
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(json.loads(done.stdout)["ok"])

    def test_alerts_fire_on_the_stream_and_at_a_webhook_that_verifies_them(self) -> None:
        client = self.client
        received: List[Any] = []

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Receiver) as server, client.live.alerts("EURUSD") as firings:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            hook = {"channel": "webhook", "url": f"http://127.0.0.1:{server.server_port}/hook"}
            bid = client.quote("EURUSD")["bid"]
            condition = {"type": "price", "cross": "either", "level": bid}
            alert = client.create_alert("EURUSD", condition, deliver=[hook], note="Sell half")
            firing = next(iter(firings))
            self.assertEqual((firing["alert_id"], firing["note"], firing["symbol"]), (alert["id"], "Sell half", "EURUSD"))
            deadline = time.monotonic() + 60
            while not received and time.monotonic() < deadline:
                time.sleep(0.05)
            server.shutdown()
        body, headers = received[0]
        message = tickwire.verify_webhook(body, headers, alert["created_destinations"][0]["secret"])
        self.assertEqual((message["type"], message["data"]["firing_id"]), ("alert.fired", firing["id"]))
        self.assertEqual([each["id"] for each in client.firings(alert=alert["id"])["items"]], [firing["id"]])
        changed = client.change_alert(alert["id"], {"repeat": "every_time", "note": None, "deliver": []})
        self.assertEqual((changed["repeat"], changed["note"], changed["state"]), ("every_time", None, "active"))
        self.assertEqual(client.pause_alert(alert["id"])["state"], "paused")
        self.assertEqual(client.resume_alert(alert["id"])["state"], "active")
        self.assertEqual(client.delete_alert(alert["id"])["id"], alert["id"])
        with self.assertRaises(tickwire.NotFoundError):
            client.alert(alert["id"])

    def test_pushes_ticks_and_news(self) -> None:
        answer = self.client.ingest_news([{"title": "Gold rises to a record", "category": "gold"}])
        self.assertEqual(answer["accepted"], 1)
        with self.assertRaises(tickwire.ForbiddenError) as raised:
            self.client.ingest_ticks([{"symbol": "EURUSD", "time": int(time.time() * 1000), "bid": 1.0, "ask": 1.1}])
        self.assertEqual(raised.exception.code, "ingest_disabled")

    def test_reads_evidence_as_it_arrives(self) -> None:
        day = time.strftime("%Y-%m-%d", time.gmtime())
        deadline = time.monotonic() + 60
        while True:
            try:
                evidence = self.client.evidence(day, "EURUSD")
                break
            except tickwire.NotFoundError:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.5)
        self.assertFalse(evidence.sealed)
        lines = list(evidence)
        seqs = [line["seq"] for line in lines]
        self.assertEqual(seqs, sorted(set(seqs)))
        for line in self.client.evidence(day, "EURUSD", after=seqs[0]):
            self.assertGreater(line["seq"], seqs[0])
            break

    def test_both_clients_work_inside_a_running_loop(self) -> None:
        async def cell() -> Tuple[Any, Any]:
            async with tickwire.AsyncTickwireClient(self.service.url, self.key) as client:
                mine = await client.quote("EURUSD")
                async with client.live.ticks("EURUSD") as ticks:
                    async for tick in ticks:
                        break
            with self.client.live.ticks("EURUSD") as stream:
                return mine, (next(stream), tick)

        quote, (first, second) = asyncio.run(cell())
        self.assertEqual({quote["symbol"], first["symbol"], second["symbol"]}, {"EURUSD"})

    def test_reads_and_streams_as_of_the_clock_of_a_replay(self) -> None:
        start = datetime.now(timezone.utc) - timedelta(hours=6)
        session = self.client.create_replay(["BTCUSD"], start.isoformat(), to=(start + timedelta(hours=1)).isoformat())
        try:
            with self.client.replay(session["id"]) as replay:
                clock = replay.change_replay(session["id"], step="bar")["clock"]
                self.assertGreater(clock, session["from"])
                self.assertLessEqual(replay.quote("BTCUSD")["timestamp"], clock)
                self.assertTrue(all(bar["time"] <= clock for bar in replay.bars("BTCUSD", interval="1m")["items"]))
                self.assertEqual([item["symbol"] for item in replay.symbols()["items"]], ["BTCUSD"])
                self.assertGreater(len(self.client.symbols()["items"]), 5)
                with self.assertRaises(tickwire.InvalidRequestError) as refused:
                    replay.usage()
                self.assertEqual(refused.exception.code, "not_in_replay")
                with replay.live.ticks("BTCUSD", ms=True) as ticks:
                    first = next(ticks)
                    replay.change_replay(session["id"], state="playing", speed="max")
                    later = [tick["time_ms"] for tick, _ in zip(ticks, range(20))]
                self.assertGreater(later[-1], first["time_ms"])
                self.assertLess(later[-1], (start + timedelta(hours=1)).timestamp() * 1_000)
            asyncio.run(self.replayed(session["id"]))
        finally:
            self.client.delete_replay(session["id"])
        with self.assertRaises(tickwire.NotFoundError), self.client.replay(session["id"]) as ended:
            ended.quotes()

    def test_a_loop_in_lockstep_sees_the_same_in_every_run_and_ends_with_the_range(self) -> None:
        start = datetime.now(timezone.utc) - timedelta(hours=6)
        end = (start + timedelta(minutes=5)).isoformat()

        def run(delay: float) -> List[Any]:
            session = self.client.create_replay(["BTCUSD"], start.isoformat(), to=end, speed="max", start="playing")
            seen: List[Any] = []
            with self.client.replay(session["id"]) as replay:
                for bar in replay.live.bars("BTCUSD", "1m", lockstep=True):
                    time.sleep(delay)
                    seen.append((bar, replay.quote("BTCUSD")))
            self.assertEqual(self.client.delete_replay(session["id"])["state"], "ended")
            return seen

        seen = run(0)
        self.assertGreaterEqual(len([bar for bar, _ in seen if bar["closed"]]), 5)
        self.assertEqual(run(0.003), seen)

    async def replayed(self, session: str) -> None:
        async with tickwire.AsyncTickwireClient(self.service.url, self.key) as client:
            async with client.replay(session) as replay:
                clock = (await replay.change_replay(session, state="paused"))["clock"]
                self.assertLessEqual((await replay.quote("BTCUSD"))["timestamp"], clock)
                async with replay.live.bars("BTCUSD", "1m") as bars:
                    async for bar in bars:
                        self.assertLessEqual(bar["time"], datetime.fromisoformat(clock.replace("Z", "+00:00")).timestamp())
                        break

    def test_downloads_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "bars.csv")
            start = int(time.time()) - 7_200
            self.client.download_bars("EURUSD", path, interval="1m", from_=start, to=start + 3_600)
            rows = path.read_text().splitlines()
            items = self.client.bars("EURUSD", interval="1m", from_=start, to=start + 3_600, limit=1_000)["items"]
            names = rows[0].split(",")
            read = [dict(zip(names, row.split(","))) for row in rows[1:]]
            self.assertEqual([[float(row["close"]), row["time"]] for row in read], [[item["close"], item["time"]] for item in items])
            size = self.client.download_ticks("EURUSD", Path(folder, "ticks.parquet"), format="parquet", from_=time.time() - 600)
            content = Path(folder, "ticks.parquet").read_bytes()
            self.assertEqual((len(content), content[:4], content[-4:]), (size, b"PAR1", b"PAR1"))

    def test_reads_ticks_indicators_profile_and_footprint(self) -> None:
        client = self.client
        ticks = client.ticks("EURUSD", limit=5, fields=["seq"])
        self.assertEqual((ticks["kind"], len(ticks["items"])), ("quotes", 5))
        self.assertEqual(len({tick["time"] for tick, _ in zip(client.iterate_ticks("EURUSD", page_size=3), range(7))}), 7)
        self.assertIn("rsi", [item["name"] for item in client.indicator_list()["items"]])
        one: Any = client.indicators("EURUSD", "rsi", length=14, interval="1m", limit=10)
        self.assertTrue(all(item["settled"] for item in one["items"]) and len(one["items"]) == 10)
        several: Any = client.indicators("EURUSD", ["rsi(14)", "macd(12,26,9)"], interval="1m", limit=3)
        self.assertEqual([item["name"] for item in several["indicators"]], ["rsi", "macd"])
        profile = client.profile("BTCUSD", from_=time.time() - 3_600)
        self.assertAlmostEqual(sum(level["buy"] + level["sell"] for level in profile["levels"]), profile["volume"], 6)
        footprint = client.footprint("BTCUSD", interval="5m", limit=3)
        self.assertEqual(len(footprint["items"]), 3)
        pages = client.several_bars(["EURUSD", "XAUUSD"], interval="1d", limit=2)
        self.assertEqual([page["symbol"] for page in pages["items"]], ["EURUSD", "XAUUSD"])

    def test_the_tape_continues_into_live_ticks(self) -> None:
        seqs: List[int] = []
        live = 0
        for event in self.client.follow_ticks("EURUSD", limit=20):
            self.assertNotEqual(event.type, "gap")
            if event.type != "gap":
                seqs.append(event.tick["seq"])
                self.assertRegex(event.tick["time"], r"^20\d\d-.*Z$")
                if event.type == "live" and live == 0:
                    # Nothing is missing between the two.
                    self.assertEqual(event.tick["prev"], seqs[-2])  # type: ignore[typeddict-item]
                live += event.type == "live"
            if live >= 3:
                break
        self.assertEqual(seqs, sorted(set(seqs)))


# Its inputs are further arguments of the method.
OPEN_INPUTS = ("/api/indicators/{symbol}",)


class RestartTest(unittest.TestCase):
    def test_signals_resume_across_a_restart_and_ticks_declare_their_gap(self) -> None:
        service = Service({"TICKWIRE_HOUSE": "none"})
        try:
            service.start()
            client = tickwire.TickwireClient(service.url, service.key)
            with client, client.live.signals(closes=True, heartbeat=1) as signals, client.live.ticks("EURUSD", heartbeat=1) as ticks:
                self.assertEqual(next(ticks)["symbol"], "EURUSD")
                deadline = time.monotonic() + 60
                while signals.state != "live":
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.05)
                service.stop()
                service.start()
                gap = None
                while gap is None:
                    event = ticks.next_event(timeout=60)
                    gap = event if event is not None and event.type == "gap" else None
                self.assertEqual((gap.reason, gap.symbols), ("resume", ("EURUSD",)))
                ask = client.quote("EURUSD")["ask"]
                deadline = time.monotonic() + 60
                while True:
                    try:
                        published = client.publish_signal(
                            "EURUSD", "buy", entry=ask, stop_loss=round(ask * 0.99, 5), take_profit=round(ask * 1.02, 5)
                        )
                        break
                    except tickwire.ConflictError:
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.3)
                        ask = client.quote("EURUSD")["ask"]
                events = []
                while not any(event.type == "message" for event in events):
                    events.append(signals.next_event(timeout=60))
                self.assertEqual(events[-1].message["id"], published["id"])  # type: ignore[union-attr]
                self.assertEqual([event for event in events if event.type == "gap"], [])
        finally:
            service.close()

    def test_followed_ticks_are_fetched_again_after_a_restart(self) -> None:
        service = Service({"TICKWIRE_HOUSE": "none"})
        try:
            service.start()
            with tickwire.TickwireClient(service.url, service.key) as client:
                ticks = client.follow_ticks("EURUSD", limit=5, heartbeat=1)
                found = [next(ticks)]
                while [tick.type for tick in found].count("live") < 3:
                    found.append(next(ticks))
                before = len(found)
                service.stop()
                service.start()
                while "history" not in [tick.type for tick in found[before:]] or found[-1].type != "live":
                    found.append(next(ticks))
                ticks.close()  # type: ignore[attr-defined]
                self.assertNotIn("gap", [tick.type for tick in found])
                seqs = [tick.tick["seq"] for tick in found]
                start = found[0].tick["time"]
                deadline = time.monotonic() + 60
                stored: List[int] = []
                while max(stored, default=0) < max(seqs) and time.monotonic() < deadline:
                    page = client.ticks("EURUSD", kind="quotes", from_=start, fields=["seq"], limit=10_000)
                    stored = [tick["seq"] for tick in page["items"]]
                self.assertEqual(sorted(seqs), [seq for seq in sorted(stored) if seqs[0] <= seq <= max(seqs)])
        finally:
            service.close()


if __name__ == "__main__":
    unittest.main()
