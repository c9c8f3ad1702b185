"""Streams against a service that misbehaves: lost connections, gaps, duplicates, silence, slow loops."""

import itertools
import asyncio
import contextlib
import json
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest
from typing import Any, List

from . import PYTHON  # noqa: F401
from .fake_service import FakeService, FakeSocket, problem

import tickwire
from tickwire.stream import runner as runner_module
from tickwire.stream.options import normalise_symbols
from tickwire.stream.runner import backoff


PRICES = {"open": 1.0, "high": 2.0, "low": 0.5, "close": 1.5, "volume": 10.0}


def messages(stream: Any, count: int) -> List[Any]:
    """The next messages, gaps included, without states."""
    found: List[Any] = []
    deadline = time.monotonic() + 60
    while len([each for each in found if not isinstance(each, tickwire.Gap)]) < count:
        event = stream.next_event(timeout=max(0.1, deadline - time.monotonic()))
        if event is None:
            return found
        if event.type == "gap":
            found.append(event)
        elif event.type == "message":
            found.append(event.message["bid"])
    return found


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.first_ceiling = runner_module.FIRST_CEILING
        runner_module.FIRST_CEILING = 0.02
        self.service = FakeService().__enter__()
        self.client = tickwire.TickwireClient(self.service.url, "tw_key")

    def tearDown(self) -> None:
        runner_module.FIRST_CEILING = self.first_ceiling
        self.client.close()
        self.service.__exit__()
        self.assertEqual(self.service.faults, [])

    def test_resumes_after_a_lost_connection_and_drops_duplicates(self) -> None:
        requests: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            requests.append(await socket.subscribed(seq=4))
            if number == 1:
                socket.tick(5, 0)
                socket.tick(6, 5)
                await socket.writer.drain()
                socket.drop()
            else:
                for seq in (6, 7, 8):
                    socket.tick(seq, seq - 1)
                await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("eurusd") as ticks:
            self.assertEqual(messages(ticks, 4), [5, 6, 7, 8])
            self.assertEqual(ticks.symbols, ("EURUSD",))
            self.assertEqual(ticks.position, tickwire.StreamPosition("e", 8))
        self.assertEqual(requests[0]["api_key"], "tw_key")
        self.assertEqual([requests[0]["seq"], requests[0]["heartbeat"]], [True, 5])
        self.assertNotIn("resume_from", requests[0])
        self.assertEqual(requests[1]["resume_from"], {"epoch": "e", "seq": 6})

    def test_firings_of_alerts_resume_at_one_position_across_symbols(self) -> None:
        requests: List[Any] = []

        def firing(socket: FakeSocket, seq: int, prev: int, symbol: Any) -> None:
            time = "2026-03-02T10:14:07.312Z"
            numbers = {"event_seq": seq - 1, "seq": seq, "prev": prev, "epoch": "e"}
            socket.send({"id": f"fir_{seq}", "symbol": symbol, "time": time, **numbers})

        async def serve(socket: FakeSocket, number: int) -> None:
            requests.append(await socket.subscribed(seq=7))
            self.assertEqual(socket.path, "/ws/alerts")
            if number == 1:
                firing(socket, 11, 7, "EURUSD")
                firing(socket, 12, 11, None)
                await socket.writer.drain()
                socket.drop()
            else:
                firing(socket, 12, 11, None)
                firing(socket, 14, 13, "XAUUSD")
                await socket.receive()

        self.service.on_socket = serve
        gaps: List[tickwire.Gap] = []
        with self.client.live.alerts(on_gap=gaps.append) as firings:
            seen = list(itertools.islice(firings, 3))
        self.assertEqual([each["id"] for each in seen], ["fir_11", "fir_12", "fir_14"])
        self.assertEqual((seen[0]["event_seq"], "seq" in seen[0]), (10, False))
        self.assertEqual((requests[0]["symbols"], requests[1]["resume_from"]), (["*"], {"epoch": "e", "seq": 12}))
        self.assertEqual([(gap.reason, gap.from_seq, gap.to_seq, gap.since) for gap in gaps], [("undeclared", 13, 13, 1772446447)])

    def test_starts_at_a_given_position(self) -> None:
        requests: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            requests.append(await socket.subscribed(seq=9))
            socket.tick(8, 7)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD", start=tickwire.StreamPosition("e", 7)) as ticks:
            self.assertEqual(messages(ticks, 1), [8])
        self.assertEqual(requests[0]["resume_from"], {"epoch": "e", "seq": 7})

    def test_reports_a_gap_that_the_service_declares_after_a_restart(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            if number == 1:
                await socket.subscribed(seq=4)
                socket.tick(5, 0)
                await socket.writer.drain()
                socket.drop()
                return
            request = await socket.subscribed(epoch="f", seq=90)
            fill = "/api/market/{symbol}?timeframe=1m&from={since}"
            socket.send({"event": "gap", "reason": "resume", "symbols": request["symbols"], "from_seq": 6, "to_seq": 90, "fill": fill})
            socket.tick(90, 80, epoch="f")
            await socket.receive()

        seen: List[tickwire.Gap] = []
        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD", on_gap=seen.append) as ticks:
            first, gap, second = messages(ticks, 2)
        self.assertEqual([first, second], [5, 90])
        self.assertEqual((gap.reason, gap.symbols, gap.from_seq, gap.to_seq), ("resume", ("EURUSD",), 6, 90))
        self.assertEqual((gap.since, gap.fill), (1_005, "/api/market/{symbol}?timeframe=1m&from={since}"))
        self.assertEqual(seen, [gap])

    def test_reports_a_missing_message_that_nobody_declared(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(5, 0)
            socket.tick(9, 7)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as ticks:
            first, gap, second = messages(ticks, 2)
        self.assertEqual((first, second, gap.reason, gap.from_seq, gap.to_seq), (5, 9, "undeclared", 6, 7))

    def test_joins_what_was_skipped_while_slow_into_one_gap(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(5, 0)
            socket.send({"event": "slow", "buffered_bytes": 1, "delivery": "latest"})
            socket.tick(9, 8)
            socket.send({"event": "gap", "reason": "slow", "symbols": ["EURUSD"], "dropped": 3, "from_seq": 6})
            socket.tick(10, 9)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as ticks:
            found = messages(ticks, 3)
        self.assertEqual([each for each in found if not isinstance(each, tickwire.Gap)], [5, 9, 10])
        gaps = [each for each in found if isinstance(each, tickwire.Gap)]
        self.assertEqual([(gap.reason, gap.dropped) for gap in gaps], [("slow", 3)])

    def test_a_full_buffer_disconnects_and_resumes_without_loss(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            request = await socket.subscribed(seq=0)
            position = request.get("resume_from", {"seq": 0})["seq"]
            for seq in range(position + 1, 61):
                socket.tick(seq, seq - 1)
                await socket.writer.drain()
                await asyncio.sleep(0)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD", buffer=10) as ticks:
            time.sleep(0.3)
            self.assertLessEqual(ticks.waiting, 12)
            self.assertEqual(messages(ticks, 60), list(range(1, 61)))
        self.assertGreater(self.service.sockets, 1)

    def test_a_full_buffer_keeps_the_latest_messages_after_a_gap_that_counts_the_rest(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=0)
            for seq in range(1, 31):
                socket.tick(seq, max(0, seq - 2), symbol="EURUSD" if seq % 2 else "XAUUSD")
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("*", buffer=10, overflow="latest") as ticks:
            deadline = time.monotonic() + 60
            while self.service.sockets == 0 or ticks.state != "live":
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            time.sleep(0.3)
            self.assertLess(ticks.waiting, 25)
            found: List[Any] = []
            while 30 not in found:
                found += messages(ticks, 1)
        gaps = [each for each in found if isinstance(each, tickwire.Gap)]
        received = [each for each in found if not isinstance(each, tickwire.Gap)]
        self.assertTrue(all(gap.reason == "behind" for gap in gaps))
        self.assertEqual(sum(gap.dropped or 0 for gap in gaps) + len(received), 30)
        self.assertEqual(received, sorted(received))

    def test_a_silent_connection_is_stale_then_replaced(self) -> None:
        pings: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(4 + number, 3 + number)
            if number == 1:
                pings.append(await socket.receive())
                await asyncio.sleep(10)
            await socket.receive()

        self.service.on_socket = serve
        before = runner_module.HEARTBEAT_GRACE, runner_module.PONG_TIMEOUT
        runner_module.HEARTBEAT_GRACE, runner_module.PONG_TIMEOUT = -0.8, 0.2
        try:
            states: List[str] = []
            with self.client.live.ticks("EURUSD", heartbeat=1) as ticks:
                for event in ticks.events():
                    if event.type == "state":
                        states.append(event.state)
                    if event.type == "message" and event.message["bid"] == 6:
                        break
        finally:
            runner_module.HEARTBEAT_GRACE, runner_module.PONG_TIMEOUT = before
        self.assertEqual(states, ["connecting", "live", "stale", "connecting", "connecting", "live"])
        self.assertEqual(pings, [{"action": "ping"}])

    def test_a_final_close_code_ends_the_loop_with_an_error(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.receive()
            socket.send({"event": "error", "code": "invalid_key", "message": "unknown key", "fatal": True, "retryable": False})
            socket.close(4401, "unknown key")
            await socket.receive()

        self.service.on_socket = serve
        with self.assertRaises(tickwire.AuthenticationError) as raised:
            list(self.client.live.ticks("EURUSD"))
        self.assertEqual(raised.exception.code, "invalid_key")
        self.assertEqual(self.service.sockets, 1)

    def test_rejected_symbols_end_the_stream_unless_they_are_handled(self) -> None:
        rejected = [{"symbol": "NOSUCH", "code": "symbol_not_found", "message": "unknown"}]

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.receive()
            socket.send({"event": "subscribed", "symbols": ["EURUSD"], "rejected": rejected, "epoch": "e", "seq": 4})
            socket.tick(5, 0)
            await socket.receive()

        self.service.on_socket = serve
        with self.assertRaises(tickwire.NotFoundError):
            list(self.client.live.ticks(["EURUSD", "NOSUCH"]))
        seen: List[Any] = []
        with self.client.live.ticks(["EURUSD", "NOSUCH"], on_rejected=seen.append) as ticks:
            self.assertEqual(messages(ticks, 1), [5])
        self.assertEqual(seen, [rejected])

    def test_a_rejected_handshake_is_final_if_it_stays_wrong(self) -> None:
        self.service.on_http = lambda request: problem(403, "foreign_origin")
        with self.assertRaises(tickwire.TickwireError) as raised:
            list(self.client.live.ticks("EURUSD"))
        self.assertIn("403", str(raised.exception) + str(raised.exception.status))

    def test_a_service_that_is_not_there_yet_is_tried_again(self) -> None:
        answers = [problem(503, "service_full"), problem(502, "x")]
        self.service.on_http = lambda request: answers.pop() if answers else (404, {}, b"")
        before = runner_module.LIMIT_REACHED_WAIT
        runner_module.LIMIT_REACHED_WAIT = 0.05

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(5, 0)
            await socket.receive()

        self.service.on_socket = serve
        try:
            with self.client.live.ticks("EURUSD") as ticks:
                self.assertEqual(messages(ticks, 1), [5])
        finally:
            runner_module.LIMIT_REACHED_WAIT = before

    def test_answers_pings_and_joins_fragments(self) -> None:
        socket_seen: List[FakeSocket] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            socket_seen.append(socket)
            await socket.subscribed(seq=4)
            text = json.dumps({"symbol": "EURUSD", "bid": 5, "ask": 5, "time": 1, "seq": 5, "prev": 0, "epoch": "e", "x": "é" * 300}).encode()
            socket.frame(1, text[:10], final=False)
            socket.frame(9, b"hello")
            socket.frame(0, text[10:401], final=False)
            socket.frame(0, text[401:])
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as ticks:
            self.assertEqual(messages(ticks, 1), [5])
            deadline = time.monotonic() + 60
            while socket_seen[0].pongs == 0 and time.monotonic() < deadline:
                time.sleep(0.01)
        self.assertEqual(socket_seen[0].pongs, 1)

    def test_keeps_the_order_of_messages_of_any_length_in_pieces_of_any_size(self) -> None:
        def text(seq: int, length: int) -> bytes:
            tick = {"symbol": "EURUSD", "bid": seq, "ask": seq, "time": 1, "seq": seq, "prev": seq - 1, "epoch": "e", "x": "é" * length}
            return json.dumps(tick).encode()

        def frame(payload: bytes) -> bytes:
            length = len(payload)
            if length < 126:
                return bytes([0x81, length]) + payload
            if length < 65_536:
                return bytes([0x81, 126]) + length.to_bytes(2, "big") + payload
            return bytes([0x81, 127]) + length.to_bytes(8, "big") + payload

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            data = b"".join(frame(text(seq, length)) for seq, length in ((5, 0), (6, 50), (7, 30_000), (8, 0)))
            for size in [1] * 20 + [1_000] * (len(data) // 1_000 + 1):
                socket.writer.write(data[:size])
                data = data[size:]
                await socket.writer.drain()
                await asyncio.sleep(0)
            socket.frame(9, b"hello")
            socket.tick(9, 8)
            parts = text(10, 50)
            socket.frame(1, parts[:10], final=False)
            socket.frame(0, parts[10:])
            socket.tick(11, 10)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as ticks:
            self.assertEqual(messages(ticks, 7), [5, 6, 7, 8, 9, 10, 11])
        self.assertEqual(self.service.sockets, 1)

    def test_garbage_ends_the_connection_and_the_stream_goes_on(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            if number == 1:
                socket.frame(1, b"not json")
            else:
                socket.tick(5, 0)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as ticks:
            self.assertEqual(messages(ticks, 1), [5])
        self.assertEqual(self.service.sockets, 2)

    def test_streams_that_cannot_resume_report_a_gap_after_each_reconnect(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            request = await socket.receive()
            self.assertEqual([request["channel"], request["timeframe"], socket.path], ["bars", "5m", "/ws/market"])
            socket.send({"event": "subscribed", "symbols": [], "rejected": [], "bars": [{"timeframe": "5m", "symbols": ["EURUSD"]}]})
            socket.send({"channel": "bars", "symbol": "EURUSD", "bid": number, "time": 1})
            await socket.writer.drain()
            if number == 1:
                socket.drop()
            else:
                await socket.receive()

        self.service.on_socket = serve
        with self.client.live.bars("EURUSD", "5m", max_rate=5) as bars:
            first, gap, second = messages(bars, 2)
        self.assertEqual((first, second, gap.reason), (1, 2, "resume"))
        self.assertEqual(gap.fill, "/api/market/{symbol}?timeframe=5m&from={since}")

    def test_changes_its_symbols_without_reconnecting(self) -> None:
        requests: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            requests.append(await socket.subscribed(seq=4))
            socket.tick(5, 0)
            requests.append(await socket.receive())
            requests.append(await socket.subscribed(seq=5))
            socket.tick(6, 0, symbol="XAUUSD")
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks(["EURUSD", "GBPUSD"]) as ticks:
            self.assertEqual(messages(ticks, 1), [5])
            ticks.set_symbols(["EURUSD", "XAUUSD"])
            self.assertEqual(messages(ticks, 1), [6])
        self.assertEqual((requests[1]["action"], requests[1]["symbols"]), ("unsubscribe", ["GBPUSD"]))
        self.assertEqual((requests[2]["action"], requests[2]["symbols"]), ("subscribe", ["XAUUSD"]))

    def test_a_dropped_stream_object_closes_its_connection(self) -> None:
        gone: List[bool] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(5, 0)
            try:
                await socket.receive()
            finally:
                gone.append(True)

        self.service.on_socket = serve
        for tick in self.client.live.ticks("EURUSD"):
            self.assertEqual(tick["bid"], 5)
            break
        deadline = time.monotonic() + 60
        while not gone and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(gone, [True])

    def serve_all(self, requests: List[Any], then: Any = None) -> None:
        """A service with a connection for all channels: it confirms what it is asked for, and calls `then`."""

        async def serve(socket: FakeSocket, number: int) -> None:
            self.assertEqual(socket.path, "/ws")
            while True:
                request = await socket.receive()
                requests.append((number, request))
                about = {"channel": request.get("channel"), "id": request.get("id")}
                if request["action"] == "ping":
                    socket.send({"event": "pong", "id": request["id"]})
                elif request["action"] == "subscribe":
                    bars = {"bars": [{"timeframe": request["timeframe"], "symbols": request["symbols"]}]} if "timeframe" in request else {}
                    symbols = [] if bars else request["symbols"]
                    socket.send({"event": "subscribed", "symbols": symbols, "rejected": [], "epoch": "e", "seq": 4, **bars, **about})
                if then:
                    then(socket, number, request)

        self.service.shares = True
        self.service.on_socket = serve

    def test_streams_of_all_kinds_share_a_connection_and_get_their_own_messages(self) -> None:
        requests: List[Any] = []

        def then(socket: FakeSocket, number: int, request: Any) -> None:
            if request["action"] != "subscribe" or request["channel"] != "news":
                return
            numbers = {"seq": 5, "prev": 0, "epoch": "e"}
            for symbol in ("XAUUSD", "EURUSD", "GBPUSD"):
                socket.tick(5, 0, symbol, channel="market")
            socket.send({"channel": "bars", "symbol": "EURUSD", "timeframe": "5m", "close": 5, "closed": True, **numbers})
            socket.send({"channel": "bars", "symbol": "EURUSD", "timeframe": "1m", "close": 1, "closed": True, **numbers})
            socket.send({"channel": "signals", "symbol": "EURUSD", "id": "sig_1", **numbers})
            socket.send({"channel": "perpetual", "type": "liquidation", "symbol": "BTCUSDT.P", **numbers})
            socket.send({"channel": "news", "id": "news_1", "symbols": ["USDJPY"], **numbers})
            socket.send({"event": "feed", "channel": "market", "state": "disconnected", "symbols": ["XAUUSD"]})
            socket.tick(6, 5, "EURUSD", channel="market")

        self.serve_all(requests, then)
        notices: List[Any] = []
        live = self.client.live
        with live.ticks("EURUSD", on_notice=notices.append) as euro, live.ticks(["XAUUSD"]) as gold:
            with live.bars("EURUSD", "1m") as bars, live.signals() as signals, live.perpetuals() as perpetuals:
                opened = (euro, gold, bars, signals, perpetuals)
                self.wait_for("all", lambda: all(each.state == "live" for each in opened))
                with live.news("USDJPY") as news:
                    self.assertEqual(next(news), {"id": "news_1", "symbols": ["USDJPY"]})
                    self.assertEqual([dict(next(euro)) for _ in range(2)], [
                        {"symbol": "EURUSD", "bid": seq, "ask": seq, "time": 1_000 + seq} for seq in (5, 6)
                    ])
                    self.assertEqual(next(gold)["symbol"], "XAUUSD")
                    self.assertEqual((next(bars)["close"], next(signals)["id"]), (1, "sig_1"))
                    self.assertEqual(next(perpetuals), {"type": "liquidation", "symbol": "BTCUSDT.P"})
                self.wait_for("the end of its subscription", lambda: requests[-1][1]["action"] == "unsubscribe")
                self.assertEqual((requests[-1][1]["channel"], requests[-1][1]["symbols"]), ("news", ["USDJPY"]))
        self.assertEqual({number for number, _ in requests}, {1})
        self.assertEqual([each["event"] for each in notices], ["subscribed"])
        channels = [request["channel"] for _, request in requests if request["action"] == "subscribe"]
        self.assertEqual(sorted(channels), ["bars", "market", "market", "news", "perpetual", "signals"])

    def test_a_topic_of_another_stream_takes_a_connection_of_its_own(self) -> None:
        requests: List[Any] = []
        self.serve_all(requests)
        live = self.client.live
        with live.ticks("EURUSD") as one, live.ticks(["XAUUSD"]) as two, live.ticks("EURUSD") as three:
            self.wait_for("live", lambda: all(each.state == "live" for each in (one, two, three)))
            self.assertEqual(sorted(number for number, _ in requests), [1, 1, 2])
            two.set_symbols(["XAUUSD", "EURUSD"])
            self.wait_for("moved", lambda: requests[-1][0] == 3 and two.state == "live")
            self.assertEqual([one.state, three.state], ["live", "live"])
        with live.news("EURUSD") as one, live.news("XAUUSD") as two:
            self.wait_for("live", lambda: one.state == two.state == "live")
        self.assertEqual(len({number for number, request in requests if request["channel"] == "news"}), 2)

    def test_streams_share_a_connection_only_if_the_same_session_authenticates_them(self) -> None:
        requests: List[Any] = []
        self.serve_all(requests)
        with tickwire.TickwireClient(self.service.url) as client, contextlib.ExitStack() as opened:
            for name, count in (("Ada", 1), ("Ada", 1), ("Ben", 2)):
                cookie = {"Set-Cookie": f"tickwire={name}; HttpOnly"}
                self.service.on_http = lambda request: None if request[0] == "UPGRADE" else (200, cookie, b"{}")
                client.account.sign_in(name, "a password")
                stream = opened.enter_context(client.live.ticks(f"BTC{len(requests)}"))
                self.wait_for("live", lambda: stream.state == "live")
                self.assertEqual(requests[-1][0], count)

    def test_streams_that_share_a_connection_resume_on_the_next_one(self) -> None:
        requests: List[Any] = []

        def then(socket: FakeSocket, number: int, request: Any) -> None:
            if request["action"] != "subscribe":
                return
            if number == 1 and request["symbols"] == ["XAUUSD"]:
                socket.drop()
            else:
                socket.tick(4 + number, 3 + number, request["symbols"][0], channel="market")

        self.serve_all(requests, then)
        with self.client.live.ticks("EURUSD") as euro:
            self.assertEqual(messages(euro, 1), [5])
            with self.client.live.ticks("XAUUSD") as gold:
                self.assertEqual((messages(euro, 1), messages(gold, 1)), ([6], [6]))
        again = [request for number, request in requests if number == 2 and request["action"] == "subscribe"]
        self.assertEqual({tuple(request["symbols"]) for request in again}, {("EURUSD",), ("XAUUSD",)})
        resumed = [request.get("resume_from") for request in again if request["symbols"] == ["EURUSD"]]
        self.assertEqual(resumed, [{"epoch": "e", "seq": 5}])

    def test_an_older_service_is_asked_for_a_shared_connection_only_once(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD") as one, self.client.live.ticks("XAUUSD") as two:
            self.wait_for("live", lambda: one.state == two.state == "live")
            with self.client.live.ticks("GBPUSD") as three:
                self.wait_for("live", lambda: three.state == "live")
        # One that was refused, and three of their own.
        self.assertEqual((self.service.connections, self.service.sockets), (4, 3))

    def wait_for(self, what: str, check: Any) -> None:
        deadline = time.monotonic() + 60
        while not check():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.005)

    def test_works_on_an_event_loop(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            request = await socket.subscribed(seq=4)
            position = request.get("resume_from", {"seq": 4})["seq"]
            socket.tick(position + 1, position)
            await socket.writer.drain()
            if number < 3:
                socket.drop()
            else:
                await socket.receive()

        async def read() -> List[Any]:
            found: List[Any] = []
            async with tickwire.AsyncTickwireClient(self.service.url, "tw_key") as client:
                async with client.live.ticks("EURUSD") as ticks:
                    async for tick in ticks:
                        found.append(tick["bid"])
                        if len(found) == 3:
                            break
            return found

        self.service.on_socket = serve
        self.assertEqual(asyncio.run(read()), [5, 6, 7])

    def test_in_lockstep_asks_for_the_next_time_when_the_loop_has_handled_everything(self) -> None:
        steps: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            steps.append(socket.path)
            await socket.subscribed()
            steps.append((await socket.receive())["action"])
            socket.tick(1, 0)
            socket.send({"event": "subscriptions", "symbols": ["EURUSD"], "rejected": []})
            for seq in (2, 4):
                steps.append((await socket.receive())["action"])
                socket.tick(seq, seq - 1)
                socket.tick(seq + 1, seq)
                socket.send({"event": "waiting", "clock": "2026-03-02T11:00:00.000Z"})
            steps.append((await socket.receive())["action"])
            socket.send({"event": "ended", "clock": "2026-03-02T12:00:00.000Z"})
            await socket.receive()

        self.service.on_socket = serve
        with self.client.live.ticks("EURUSD", lockstep=True, buffer=1) as ticks:
            for tick in ticks:
                time.sleep(0.01)
                steps.append(tick["bid"])
        self.assertEqual(steps, ["/ws/market?lockstep=true", "list", 1, "next", 2, 3, "next", 4, 5, "next"])

    def test_history_is_fetched_again_after_a_gap_and_only_changes_are_yielded(self) -> None:
        bars = [{"time": f"2026-03-02T11:0{minute}:00.000Z", **PRICES} for minute in range(4)]
        start = tickwire.milliseconds(bars[0]["time"]) // 1_000

        def page(request: Any) -> Any:
            if request[0] == "UPGRADE":
                return 404, {}, b""
            # The second answer has a bar that the stream has lost.
            items = bars[:3] if len(self.service.requests) == 1 else [bars[1], {**bars[2], "close": 9.0}, bars[3]]
            headers = {"Stream-Epoch": "e", "Stream-Seq": "10" if len(self.service.requests) == 1 else "40"}
            return 200, headers, json.dumps({"items": items, "next": None}).encode()

        def bar(seq: int, prev: int, minute: int, close: float) -> Any:
            moment = start + minute * 60
            more = {"time": moment, "closed": False, "seq": seq, "prev": prev, "epoch": "e"}
            return {"channel": "bars", "symbol": "EURUSD", "timeframe": "1m", **PRICES, "close": close, **more}

        requests: List[Any] = []

        async def serve(socket: FakeSocket, number: int) -> None:
            requests.append(await socket.receive())
            subscribed = [{"timeframe": "1m", "symbols": ["EURUSD"]}]
            socket.send({"event": "subscribed", "symbols": [], "bars": subscribed, "rejected": [], "epoch": "e", "seq": 12})
            socket.send(bar(11, 10, 2, 2.5))
            socket.send({"event": "gap", "reason": "slow", "symbols": ["EURUSD"], "dropped": 3})
            socket.send(bar(39, 11, 3, 1.5))  # In the second answer already.
            socket.send(bar(41, 39, 3, 3.5))
            await socket.receive()

        self.service.on_http = page
        self.service.on_socket = serve
        found: List[Any] = []
        for item in self.client.follow_bars("eurusd", "1m", limit=3):
            if item.type == "gap":
                found.append("gap")
            else:
                minute = (tickwire.milliseconds(item.bar["time"]) // 1_000 - start) // 60
                found.append((item.type, minute, item.bar["close"]))
            if found[-1] == ("live", 3, 3.5):
                break
        history = [("history", 0, 1.5), ("history", 1, 1.5), ("history", 2, 1.5)]
        again = [("history", 2, 9.0), ("history", 3, 1.5)]
        self.assertEqual(found, [*history, ("live", 2, 2.5), "gap", *again, ("live", 3, 3.5)])
        self.assertEqual(requests[0]["resume_from"], {"epoch": "e", "seq": 10})

    def test_warns_of_the_first_failed_attempt_and_not_of_a_lost_connection(self) -> None:
        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=number)
            socket.tick(number + 1, number)
            await socket.writer.drain()
            if number == 1:
                socket.drop()
            await socket.receive()

        refused = (500, {}, b"")
        answers: List[Any] = [None, None, refused, refused]
        self.service.on_http = lambda request: answers.pop(0) if answers else None
        self.service.on_socket = serve
        with self.assertLogs("tickwire", "WARNING") as logged, self.client.live.ticks("EURUSD") as ticks:
            messages(ticks, 2)
        self.assertEqual(len(logged.output), 1, logged.output)
        self.assertRegex(logged.output[0], r"the stream of market cannot connect: .*500.*\. Next attempt in \d\.\d s")

    def test_a_symbol_may_have_a_slash_and_any_case(self) -> None:
        self.assertEqual(normalise_symbols("market", ["eur/usd", "EURUSD", "Btc/Usdt"]), ("EURUSD", "BTCUSDT"))

    def test_invalid_options_are_named_before_anything_is_sent(self) -> None:
        live = self.client.live
        for call in (
            lambda: live.ticks([]),
            lambda: live.ticks("EURUSD", buffer=0),
            lambda: live.ticks("EURUSD", overflow="drop"),
            lambda: live.ticks("EURUSD", heartbeat=100),
            lambda: live.ticks("EURUSD", max_rate=1, start=tickwire.StreamPosition("e", 1)),
        ):
            with self.assertRaises(ValueError):
                call()
        self.assertEqual(self.service.connections, 0)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Encrypted(unittest.TestCase):
    def test_calls_and_streams_over_tls_check_the_certificate(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
            names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
            kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
            made = ["openssl", "req", "-x509", *kind, "-nodes", "-days", "1", "-keyout", key, "-out", certificate, *names]
            subprocess.run(made, check=True, capture_output=True)
            served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            served.load_cert_chain(certificate, key)
            trusted = ssl.create_default_context(cafile=certificate)

        async def serve(socket: FakeSocket, number: int) -> None:
            await socket.subscribed(seq=4)
            socket.tick(5, 0)
            await socket.receive()

        def answer(request: Any) -> Any:
            return (404, {}, b"") if request[0] == "UPGRADE" else (200, {}, b'{"bid":1}')

        with FakeService(served) as service:
            service.on_http = answer
            service.on_socket = serve
            with tickwire.TickwireClient(service.url, ssl_context=trusted) as client:
                self.assertEqual(client.quote("EURUSD")["bid"], 1)
                with client.live.ticks("EURUSD") as ticks:
                    self.assertEqual(messages(ticks, 1), [5])
            with tickwire.TickwireClient(service.url) as client:
                with self.assertRaises(tickwire.NetworkError):
                    client.quote("EURUSD")


class Backoff(unittest.TestCase):
    def test_grows_to_half_a_minute_with_full_jitter(self) -> None:
        self.assertEqual([backoff(attempt, lambda: 1.0) for attempt in (0, 1, 2, 5, 6, 100)], [0.5, 1.0, 2.0, 16.0, 30.0, 30.0])
        self.assertEqual(backoff(3, lambda: 0.25), 1.0)


if __name__ == "__main__":
    unittest.main()
