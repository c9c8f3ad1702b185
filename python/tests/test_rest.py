"""REST calls against a service that misbehaves: limits, lost responses, other servers, slow ones."""

import asyncio
import gzip
import json
import os
import pickle
import tempfile
import threading
import time
import unittest
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, List, Optional
from unittest import mock

from . import PYTHON  # noqa: F401
from .fake_service import FakeService, problem

import tickwire
from tickwire.rest.request import RestSession, instant_text

QUOTE = (200, {"Content-Type": "application/json"}, b'{"symbol":"EURUSD","bid":1.1}')


class Rest(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService().__enter__()
        self.client = self.new_client()

    def new_client(self, **options: Any) -> tickwire.TickwireClient:
        client = tickwire.TickwireClient(self.service.url, "tw_key", **options)
        self.addCleanup(client.close)
        return client

    def tearDown(self) -> None:
        self.service.__exit__()

    def answer(self, *answers: Any) -> None:
        left = list(answers)
        self.service.on_http = lambda request: left.pop(0) if len(left) > 1 else left[0]

    def test_sends_the_key_and_the_query(self) -> None:
        self.answer((200, {}, b'{"items":[]}'))
        self.client.coverage("EURUSD", from_=1772450647.318)
        self.assertEqual(self.service.requests.pop()[1], "/api/market/EURUSD/coverage?from=1772450647318")
        for symbol, part in (("BTCUSDT.P", "BTCUSDT.P"), ("BTC/USDT:USDT", "BTC%2FUSDT%3AUSDT")):
            self.client.coverage(symbol)
            self.assertEqual(self.service.requests.pop()[1], f"/api/market/{part}/coverage")
        self.client.news(category=["gold", "macro"], since=datetime(2026, 3, 2, tzinfo=timezone.utc), detail=True)
        method, path, headers, _ = self.service.requests[0]
        self.assertEqual((method, headers["x-api-key"]), ("GET", "tw_key"))
        self.assertEqual(path, "/api/news?category=gold%2Cmacro&since=2026-03-02T00%3A00%3A00.000Z&detail=true")

    def test_names_are_escaped_in_paths(self) -> None:
        self.answer((200, {}, b"{}"))
        self.client.publisher("a/b ü?")
        self.assertEqual(self.service.requests[0][1], "/api/publishers/a%2Fb%20%C3%BC%3F")

    def test_an_error_has_the_code_of_the_catalogue(self) -> None:
        self.answer(problem(404, "symbol_not_found"))
        with self.assertRaises(tickwire.NotFoundError) as raised:
            self.client.quote("NOSUCH")
        error = raised.exception
        self.assertEqual((error.status, error.code, error.detail, error.request_id), (404, "symbol_not_found", "d", "r1"))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.code, str(again)), (tickwire.NotFoundError, error.code, str(error)))

    def test_each_status_has_its_class(self) -> None:
        for status, kind in (
            (400, tickwire.InvalidRequestError),
            (401, tickwire.AuthenticationError),
            (403, tickwire.ForbiddenError),
            (409, tickwire.ConflictError),
            (429, tickwire.RateLimitError),
            (500, tickwire.ServiceError),
        ):
            self.answer(problem(status, "x"))
            with self.assertRaises(kind):
                self.client.quote("EURUSD")

    def test_the_body_of_another_server_is_an_unexpected_response(self) -> None:
        for status in (200, 301, 502):
            self.answer((status, {"Location": "http://127.0.0.1:1/"}, b"<html>"))
            with self.assertRaises(tickwire.UnexpectedResponseError) as raised:
                self.client.quote("EURUSD")
            self.assertEqual(raised.exception.status, status)

    def test_waits_as_long_as_retry_after_says(self) -> None:
        self.answer(problem(429, "rate_limited", **{"Retry-After": "1"}), QUOTE)
        started = time.monotonic()
        self.assertEqual(self.client.quote("EURUSD")["bid"], 1.1)
        self.assertGreaterEqual(time.monotonic() - started, 1)
        self.assertEqual(len(self.service.requests), 2)

    def test_raises_at_once_if_the_wait_is_too_long_or_not_wanted(self) -> None:
        for seconds, retry in (("60", True), ("1", False), ("0", True)):
            self.service.requests.clear()
            self.answer(problem(503, "not_ready", **{"Retry-After": seconds}), QUOTE)
            with self.assertRaises(tickwire.ServiceError) as raised:
                self.client.quote("EURUSD", retry=retry)
            self.assertEqual(raised.exception.retry_after, float(seconds))
            self.assertEqual(len(self.service.requests), 1)

    def test_creates_changes_and_deletes_an_alert(self) -> None:
        self.answer((200, {}, b'{"id":"alr_1"}'))
        condition = {"type": "price", "cross": "above", "level": 1.2}
        hook = {"channel": "webhook", "url": "https://hooks.example.com"}
        self.client.create_alert("EURUSD", condition, deliver=[hook], expires_at=datetime(2026, 3, 2, tzinfo=timezone.utc))
        self.client.create_alert(None, {"type": "headline"}, repeat="every_time", cooldown_seconds=60)
        self.client.change_alert("alr/1", {"note": None, "expires_at": None, "repeat": "once"})
        self.client.delete_alert("alr_1")
        created, other, changed, deleted = self.service.requests
        self.assertEqual(created[:2], ("POST", "/api/alerts"))
        self.assertEqual(
            json.loads(created[3]),
            {"symbol": "EURUSD", "condition": condition, "expires_at": "2026-03-02T00:00:00.000Z", "deliver": [hook]},
        )
        self.assertEqual(json.loads(other[3]), {"condition": {"type": "headline"}, "repeat": "every_time", "cooldown_seconds": 60})
        self.assertNotEqual(created[2]["idempotency-key"], other[2]["idempotency-key"])
        self.assertEqual(changed[:2], ("PATCH", "/api/alerts/alr%2F1"))
        self.assertEqual(json.loads(changed[3]), {"note": None, "expires_at": None, "repeat": "once"})
        self.assertEqual((deleted[:2], deleted[3]), (("DELETE", "/api/alerts/alr_1"), b""))

    def test_sets_only_the_given_preferences(self) -> None:
        self.answer((200, {}, b'{"time_zone":"Europe/Berlin","number_format":"de"}'))
        self.assertEqual(self.client.set_preferences(time_zone="Europe/Berlin")["number_format"], "de")
        self.client.preferences()
        changed, read = self.service.requests
        self.assertEqual(changed[:2], ("PATCH", "/api/preferences"))
        self.assertEqual(json.loads(changed[3]), {"time_zone": "Europe/Berlin"})
        self.assertEqual(read[:2], ("GET", "/api/preferences"))

    def test_repeats_a_deletion_that_was_rejected_but_never_a_change(self) -> None:
        rejected = problem(503, "store_unavailable", **{"Retry-After": "1"})
        self.answer(rejected, (200, {}, b"{}"))
        self.client.delete_alert("alr_1")
        self.assertEqual([request[0] for request in self.service.requests], ["DELETE", "DELETE"])
        for lost in (rejected, None):
            self.service.requests.clear()
            self.answer(lost, (200, {}, b"{}"))
            with self.assertRaises(tickwire.TickwireError):
                self.client.change_alert("alr_1", {"note": "x"})
            self.assertEqual(len(self.service.requests), 1)
        self.service.requests.clear()
        self.answer(None, (200, {}, b"{}"))
        with self.assertRaises(tickwire.NetworkError):
            self.client.delete_alert("alr_1")
        self.assertEqual(len(self.service.requests), 1)

    def test_a_lost_response_publishes_once_with_the_same_key(self) -> None:
        self.answer(None, (201, {}, b'{"id":"sig_1"}'))
        signal = self.client.publish_signal("EURUSD", "buy", entry=1.1, stop_loss=1.0, take_profit=1.2)
        self.assertEqual(signal["id"], "sig_1")
        first, second = (request[2]["idempotency-key"] for request in self.service.requests)
        self.assertEqual(first, second)
        self.assertEqual(len(first), 32)
        body = json.loads(self.service.requests[0][3])
        self.assertEqual(body, {"symbol": "EURUSD", "direction": "buy", "entry": 1.1, "stop_loss": 1.0, "take_profit": 1.2})

    def test_a_market_order_has_no_entry(self) -> None:
        self.answer((201, {}, b'{"id":"sig_1"}'))
        self.client.publish_signal("EURUSD", "buy", order="market", max_slippage=0.0, stop_loss=1.0, take_profit=1.2)
        body = json.loads(self.service.requests[0][3])
        expected = {"symbol": "EURUSD", "direction": "buy", "order": "market", "max_slippage": 0.0, "stop_loss": 1.0, "take_profit": 1.2}
        self.assertEqual(body, expected)

    def test_a_message_is_published_in_place_of_fields(self) -> None:
        self.answer((200, {}, b'{"items":[],"count":0}'), (201, {}, b'{"id":"sig_1"}'))
        text = "Gold sell now SL 3343 TP 3320"
        self.assertEqual(self.client.parse_signal(text)["count"], 0)
        self.assertEqual(self.client.publish_text(text)["id"], "sig_1")
        sent = [(path, json.loads(body)) for _, path, _, body in self.service.requests]
        self.assertEqual(sent, [("/api/signals/parse", {"text": text}), ("/api/signals", {"text": text})])

    def test_the_key_of_the_caller_is_used(self) -> None:
        self.answer((200, {}, b"{}"))
        self.client.close_signal("sig_1", idempotency_key="mine")
        self.assertEqual(self.service.requests[0][2]["idempotency-key"], "mine")

    def test_a_call_that_must_not_be_repeated_is_sent_once(self) -> None:
        self.answer(None)
        with self.assertRaises(tickwire.NetworkError):
            self.client.ai_sentiment({"text": "Gold"})
        self.assertEqual(len(self.service.requests), 1)

    def test_a_slow_service_is_a_timeout(self) -> None:
        async def slow() -> Any:
            await asyncio.sleep(5)

        self.service.on_http = lambda request: slow()
        with self.assertRaises(tickwire.RequestTimeoutError) as raised:
            self.client.quote("EURUSD", timeout=0.2)
        self.assertEqual((raised.exception.code, raised.exception.status), ("timeout", 0))

    def test_nobody_listening_is_a_network_error(self) -> None:
        with tickwire.TickwireClient("http://127.0.0.1:9") as client:
            with self.assertRaises(tickwire.NetworkError):
                client.healthz()

    def test_reads_compressed_bodies(self) -> None:
        self.answer((200, {"Content-Encoding": "gzip"}, gzip.compress(b'{"bid":2}')))
        self.assertEqual(self.client.quote("EURUSD")["bid"], 2)

    def test_reads_bodies_in_chunks(self) -> None:
        body = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"bi\r\n5;x=y\r\nd\":3}\r\n0\r\nTrailer: 1\r\n\r\n"
        self.service.on_http = lambda request: body
        self.assertEqual(self.client.quote("EURUSD")["bid"], 3)

    def test_a_body_that_breaks_off_is_a_network_error(self) -> None:
        self.service.on_http = lambda request: b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"
        with self.assertRaises(tickwire.NetworkError):
            self.client.quote("EURUSD")

    def test_uses_a_connection_again_and_replaces_a_dead_one(self) -> None:
        self.answer(QUOTE)
        for _ in range(5):
            self.client.quote("EURUSD")
        self.assertEqual(self.service.connections, 1)
        self.answer(QUOTE, None, QUOTE)
        self.client.quote("EURUSD")
        self.assertEqual(self.client.quote("EURUSD")["bid"], 1.1)
        self.assertEqual(self.service.connections, 2)

    def test_reads_limits_and_the_position_from_headers(self) -> None:
        seen: List[tickwire.ResponseInfo] = []
        client = self.new_client(on_response=seen.append)
        headers = {
            "X-RateLimit-Limit": "60",
            "X-RateLimit-Remaining": "59",
            "RateLimit": '"minute";r=59;t=3',
            "Data-Source": "simulated",
            "Stream-Epoch": "9f3c",
            "Stream-Seq": "17",
        }
        self.answer((200, headers, b"{}"))
        client.quote("EURUSD")
        self.assertEqual(seen[0].allowance, tickwire.Allowance(60, 59, 3))
        self.assertEqual((seen[0].simulated, seen[0].position), (True, tickwire.StreamPosition("9f3c", 17)))

    def test_a_session_keeps_its_cookie_and_names_its_origin(self) -> None:
        answers = [
            (200, {"Set-Cookie": "sid=abc; Path=/; HttpOnly"}, b"{}"),
            (200, {}, b"{}"),
            (200, {"Set-Cookie": "sid=; Max-Age=0"}, b"{}"),
            (200, {}, b"{}"),
        ]
        self.service.on_http = lambda request: answers.pop(0)
        with tickwire.TickwireClient(self.service.url) as client:
            client.account.sign_in("Ada", "secret")
            client.account.sessions()
            client.account.sign_out()
            client.account.registration()
        cookies = [request[2].get("cookie") for request in self.service.requests]
        self.assertEqual(cookies, [None, "sid=abc", "sid=abc", None])
        self.assertEqual(self.service.requests[1][2]["origin"], self.service.url)

    def test_iterates_over_all_pages(self) -> None:
        def page(request: Any) -> Any:
            cursor = int(request[1].split("cursor=f")[1]) if "cursor" in request[1] else 0
            following = f"f{cursor + 2}" if cursor < 4 else None
            return 200, {}, json.dumps({"items": [{"time": cursor}, {"time": cursor + 1}], "next": following}).encode()

        self.service.on_http = page
        bars = self.client.iterate_bars("EURUSD", interval="7m", from_=date(2026, 3, 2))
        self.assertEqual([bar["time"] for bar in bars], [0, 1, 2, 3, 4, 5])
        self.assertIn("interval=7m&from=2026-03-02&limit=5000", self.service.requests[0][1])
        newest = self.client.iterate_bars("EURUSD")
        self.assertEqual([next(newest)["time"], next(newest)["time"]], [1, 0])  # type: ignore[comparison-overlap]

    def test_new_endpoints_have_the_parameters_of_the_contract(self) -> None:
        self.answer((200, {}, b'{"items":[],"next":null}'))
        self.client.ticks("BTCUSD", kind="trades", limit=10)
        self.client.indicators("EURUSD", "rsi", length=14, interval="5m", limit=100)
        self.client.indicators("EURUSD", ["rsi(14)", "ema(50)"])
        self.client.profile("BTCUSD", from_="2026-03-02")
        self.client.footprint("BTCUSD", interval="5m", limit=12)
        self.assertEqual(
            [request[1] for request in self.service.requests],
            [
                "/api/ticks/BTCUSD?kind=trades&limit=10",
                "/api/indicators/EURUSD?name=rsi&length=14&interval=5m&limit=100",
                "/api/indicators/EURUSD?indicators=rsi%2814%29%2Cema%2850%29",
                "/api/profile/BTCUSD?from=2026-03-02",
                "/api/footprint/BTCUSD?interval=5m&limit=12",
            ],
        )

    def test_a_download_appears_only_when_it_is_complete(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "bars.csv")
            self.service.on_http = lambda request: b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ntime,open"
            with self.assertRaises(tickwire.NetworkError):
                self.client.download_bars("EURUSD", path)
            self.assertEqual(list(Path(folder).iterdir()), [])
            self.answer((200, {}, b"time,open\n1,2\n"))
            self.assertEqual(self.client.download_bars("EURUSD", path, interval="1m"), 14)
            self.assertEqual(path.read_bytes(), b"time,open\n1,2\n")
            self.assertEqual(self.service.requests[-1][1], "/api/bars/EURUSD?interval=1m&format=csv")
            self.assertEqual(self.service.requests[-1][2]["accept"], "text/csv")
            with self.assertRaises(ValueError):
                self.client.download_bars("EURUSD", path, format="xls")

    def test_threads_share_a_client(self) -> None:
        self.answer(QUOTE)
        found: List[Any] = []
        threads = [threading.Thread(target=lambda: found.append(self.client.quote("EURUSD")["bid"])) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [1.1] * 20)

    def test_the_synchronous_client_works_inside_a_running_loop(self) -> None:
        self.answer(QUOTE)

        async def cell() -> float:
            return self.client.quote("EURUSD")["bid"]

        self.assertEqual(asyncio.run(cell()), 1.1)

    def test_a_callback_that_calls_the_client_is_told_instead_of_hanging(self) -> None:
        self.answer(QUOTE)
        client = self.new_client(on_response=lambda info: client.healthz() and None)
        with self.assertRaisesRegex(RuntimeError, "callback"):
            client.quote("EURUSD")

    def test_a_closed_client_says_so(self) -> None:
        self.client.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            self.client.quote("EURUSD")

    def test_one_asynchronous_client_serves_several_loops(self) -> None:
        self.answer(QUOTE)
        client = tickwire.AsyncTickwireClient(self.service.url)

        async def once() -> float:
            try:
                return (await client.quote("EURUSD"))["bid"]
            finally:
                await client.close()

        self.assertEqual([asyncio.run(once()), asyncio.run(once())], [1.1, 1.1])


class Options(unittest.TestCase):
    def test_invalid_options_are_named(self) -> None:
        for options, name in (
            (("ftp://x",), "url"),
            (("http://x", "a key"), "api_key"),
        ):
            with self.assertRaisesRegex(ValueError, name):
                tickwire.TickwireClient(*options)
        for more, name in (({"timeout": 0}, "timeout"), ({"retry_wait": -1}, "retry_wait")):
            with self.assertRaisesRegex(ValueError, name):
                tickwire.TickwireClient("http://x", **more)  # type: ignore[arg-type]

    def test_address_and_key_are_those_of_the_environment_unless_they_are_given(self) -> None:
        variables = {"TICKWIRE_URL": " https://ticks.example.com/prefix/ ", "TICKWIRE_API_KEY": "tw_environment"}
        with mock.patch.dict(os.environ, variables):
            session, given = RestSession(), RestSession("http://x", "tw_given")
        self.assertEqual((session.base, session.api_key), ("https://ticks.example.com/prefix", "tw_environment"))
        self.assertEqual((given.base, given.api_key), ("http://x", "tw_given"))
        with mock.patch.dict(os.environ, {"TICKWIRE_URL": "", "TICKWIRE_API_KEY": ""}):
            session = RestSession()
        self.assertEqual((session.base, session.api_key), ("http://127.0.0.1:8080", None))
        for name in variables:
            with mock.patch.dict(os.environ, {name: "a text"}), self.assertRaisesRegex(ValueError, f"`{name}`"):
                RestSession()

    def test_the_key_of_the_environment_is_sent_to_the_service_of_the_environment_only(self) -> None:
        def key_for(url: str, home: str) -> Optional[str]:
            with mock.patch.dict(os.environ, {"TICKWIRE_URL": home, "TICKWIRE_API_KEY": "tw_environment"}):
                return RestSession(url).api_key

        home = "https://ticks.example.com/prefix"
        self.assertEqual(key_for("https://ticks.example.com:443/other", home), "tw_environment")
        self.assertEqual(key_for("http://127.0.0.1:8080/", ""), "tw_environment")
        for url in ("http://ticks.example.com", "https://ticks.example.com.evil.test", "http://127.0.0.1:8080"):
            self.assertIsNone(key_for(url, home), url)
        self.assertIsNone(key_for("http://127.0.0.1:8081", ""))

    def test_a_session_replaces_a_key_of_the_environment_only(self) -> None:
        with mock.patch.dict(os.environ, {"TICKWIRE_URL": "http://x", "TICKWIRE_API_KEY": "tw_environment"}):
            session, given = RestSession("http://x"), RestSession("http://x", "tw_given")
        for each in (session, given):
            each._keep_cookies("balancer=node-1; Path=/")
            self.assertEqual(list(each.auth_headers()), ["X-API-Key"])
            each._keep_cookies("tickwire=abc; HttpOnly")
        self.assertEqual(list(session.auth_headers()), ["Cookie", "Origin"])
        self.assertEqual(list(given.auth_headers()), ["X-API-Key"])

    def test_start_and_end_are_other_names_of_from_and_to(self) -> None:
        names = {"from": "from_", "start": "start", "to": "to", "end": "end"}
        found: List[str] = []
        for pair in (("from", "to"), ("start", "end")):
            with FakeService() as service, tickwire.TickwireClient(service.url, "tw_key") as client:
                service.on_http = lambda request: (200, {}, b'{"items":[],"next":null}')
                times = {names[pair[0]]: "2026-01-05", names[pair[1]]: "2026-01-06"}
                client.bars("EURUSD", **times)  # type: ignore[arg-type]
                client.calendar(**times)  # type: ignore[arg-type]
                list(client.iterate_ticks("EURUSD", **times))  # type: ignore[arg-type]
                found.append(" ".join(request[1] for request in service.requests))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0].count("from=2026-01-05&to=2026-01-06"), 3)
        with self.assertRaisesRegex(ValueError, "`from_` and `start` are the same; pass one of them"):
            tickwire.TickwireClient("http://x").follow_bars("EURUSD", from_="2026-01-05", start="2026-01-06")

    def test_times_are_written_as_the_service_reads_them(self) -> None:
        zone = timezone(timedelta(hours=2))
        self.assertEqual(instant_text(datetime(2026, 3, 2, 12, 30, tzinfo=zone)), "2026-03-02T10:30:00.000Z")
        self.assertEqual(instant_text(date(2026, 3, 2)), "2026-03-02")
        self.assertEqual(instant_text(1772450647), "1772450647")
        self.assertEqual(instant_text(1772450647.318), "1772450647318")
        # As milliseconds, it would be read as the year 2286.
        self.assertEqual(instant_text(1e7), "10000000.0")
        with self.assertRaisesRegex(ValueError, "time zone"):
            instant_text(datetime(2026, 3, 2))


if __name__ == "__main__":
    unittest.main()
