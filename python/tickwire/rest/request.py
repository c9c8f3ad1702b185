"""One REST call: its address, key, timeout and retries. Returns the body, or raises a TickwireError."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import secrets
import ssl
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)
from urllib.parse import quote, urlencode, urlsplit

from ..errors import NetworkError, RequestTimeoutError, TickwireError, UnexpectedResponseError, error_from_response
from ..frames import milliseconds
from ..signing.signer import iso_time
from .http import HttpFailure, HttpTransport, Response

Instant = Union[datetime, date, str, int, float]
"""A point in time: a datetime with a time zone, a date (UTC), an ISO 8601 text, or Unix time in seconds or milliseconds."""

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRY_WAIT = 5.0
RETRY_JITTER = 0.25
"""Random extra delay in seconds, so that callers rejected together do not retry together."""

TIMES = frozenset(["from", "to", "since", "before", "at"])
"""Names of query parameters that are times. `before` may also be an id, which stays as it is."""

T = TypeVar("T")


@dataclass(frozen=True)
class Allowance:
    """What is left of the account's REST allowance."""

    limit: int
    """Requests allowed in any 60 seconds."""
    remaining: int
    """Requests left."""
    reset_seconds: int
    """Seconds until at least one more request is allowed."""


@dataclass(frozen=True)
class StreamPosition:
    """A position in a stream: everything up to and including `seq` of `epoch`."""

    epoch: str
    """Name of an unbroken numbering."""
    seq: int
    """Number of the last message."""


@dataclass(frozen=True)
class ResponseInfo:
    """Facts from the headers of a response, for `on_response`."""

    status: int
    """HTTP status."""
    allowance: Optional[Allowance]
    """None if the response has no rate limit headers."""
    simulated: bool
    """Whether the data comes from a simulation. Say so wherever you display it."""
    position: Optional[StreamPosition]
    """The position of the market stream up to which the response includes everything; None if it states none."""
    headers: Mapping[str, str]
    """All headers, names in lower case."""


def _whole(headers: Mapping[str, str], name: str) -> Optional[int]:
    value = headers.get(name, "").strip()
    return int(value) if value.isdigit() else None


def response_info(status: int, headers: Mapping[str, str]) -> ResponseInfo:
    """Reads the headers of a response."""
    limit, remaining = _whole(headers, "x-ratelimit-limit"), _whole(headers, "x-ratelimit-remaining")
    allowance = None
    if limit is not None and remaining is not None:
        reset = re.search(r"\bt=(\d+)", headers.get("ratelimit", ""))
        allowance = Allowance(limit, remaining, int(reset[1]) if reset else 0)
    epoch, seq = headers.get("stream-epoch"), _whole(headers, "stream-seq")
    position = StreamPosition(epoch, seq) if epoch and seq is not None else None
    return ResponseInfo(status, allowance, headers.get("data-source") == "simulated", position, headers)


def instant_text(value: Instant) -> str:
    """A time as the service reads it. Raises a ValueError for a datetime without a time zone, which could mean anything."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; use datetime(…, tzinfo=timezone.utc)")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value >= 1e8:
        return str(round(value * 1_000 if value < 1e11 else value))
    return str(value)


def iso_instant(value: Optional[Instant]) -> Optional[str]:
    """A time as bodies have it; None stays None."""
    return None if value is None else iso_time(milliseconds(instant_text(value)))


def query_text(value: Any) -> str:
    """A query parameter as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(item) for item in value)
    return repr(value) if isinstance(value, float) else str(value)


def part(value: str) -> str:
    """One segment of a path."""
    return quote(str(value), safe="")


def either(**spellings: Any) -> Any:
    """The value of an argument that has two names. Raises a ValueError if both are given."""
    given = [value for value in spellings.values() if value is not None]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(f'`{name}`' for name in spellings)} are the same; pass one of them")
    return given[0] if given else None


def check_url(url: str, name: str = "url") -> str:
    """The address without a slash at the end. Raises a ValueError unless it is an http or https address."""
    address = urlsplit(url) if isinstance(url, str) else None
    if not address or address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError(f"`{name}` must be an http or https address, such as https://ticks.example.com; it is {url!r}")
    return url.rstrip("/")


def _origin(url: str) -> Tuple[str, Optional[str], Optional[int]]:
    address = urlsplit(url)
    return address.scheme, address.hostname, address.port or {"http": 80, "https": 443}.get(address.scheme)


def _variable(name: str) -> Optional[str]:
    return os.environ.get(name, "").strip() or None


class RestSession:
    """What all REST calls of a client have in common: address, key, transport, cookies and limits."""

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retry_wait: float = DEFAULT_RETRY_WAIT,
        on_response: Optional[Callable[[ResponseInfo], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        home = _variable("TICKWIRE_URL") or DEFAULT_URL
        self.base = check_url(home, "TICKWIRE_URL") if url is None else check_url(url)
        self._is_default_key = api_key is None
        # The key of the environment is for the service of the environment: no other gets it.
        if api_key is None and _origin(self.base) == _origin(home):
            api_key = _variable("TICKWIRE_API_KEY")
        if api_key is not None and not (isinstance(api_key, str) and re.fullmatch(r"[\x21-\x7e]+", api_key)):
            name = "TICKWIRE_API_KEY" if self._is_default_key else "api_key"
            raise ValueError(f"`{name}` must be a text of printable ASCII characters without spaces")
        if not timeout > 0:
            raise ValueError(f"`timeout` must be a number of seconds above 0; it is {timeout!r}")
        if not retry_wait >= 0:
            raise ValueError(f"`retry_wait` must be a number of seconds of at least 0; it is {retry_wait!r}")
        self.api_key = api_key
        self.timeout = timeout
        self.retry_wait = retry_wait
        self.on_response = on_response
        self.ssl_context = ssl_context
        self.cookies: Dict[str, str] = {}
        self.replay: Optional[str] = None
        self.transport = HttpTransport(ssl_context)
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @property
    def origin(self) -> str:
        """Scheme and host of the service."""
        address = urlsplit(self.base)
        return f"{address.scheme}://{address.netloc}"

    def enter_replay(self, replay: str, other: "RestSession") -> None:
        """From now on reads as of the clock of a replay session, with the key or session of another client."""
        self.api_key, self.cookies, self._is_default_key = other.api_key, other.cookies, other._is_default_key
        self.replay = replay

    def headers(self) -> Dict[str, str]:
        """Headers of every request."""
        return self.auth_headers() if self.replay is None else {**self.auth_headers(), "Replay": self.replay}

    def handshake_headers(self) -> Dict[str, str]:
        """Headers of the handshake of a stream. A key comes with its first message, except in a replay."""
        return {} if self.api_key is not None and self.replay is None else self.headers()

    def auth_headers(self) -> Dict[str, str]:
        """Headers that authenticate: the key, or else the cookie of a session."""
        if self.api_key is not None:
            return {"X-API-Key": self.api_key}
        if not self.cookies:
            return {}
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookie, "Origin": self.origin}

    def url_of(self, path: str, query: Optional[Mapping[str, Any]] = None) -> str:
        """The address of a path, with the path prefix of the base."""
        sent = {
            name: instant_text(value) if name in TIMES else query_text(value)
            for name, value in (query or {}).items()
            if value is not None
        }
        return self.base + path + (f"?{urlencode(sent)}" if sent else "")

    async def get(
        self, path: str, query: Optional[Mapping[str, Any]], timeout: Optional[float], retry: bool
    ) -> Any:
        """The JSON body of a read."""
        body, _ = await self.get_with_info(path, query, timeout, retry)
        return body

    async def get_with_info(
        self, path: str, query: Optional[Mapping[str, Any]], timeout: Optional[float], retry: bool
    ) -> Tuple[Any, ResponseInfo]:
        """The JSON body of a read, and its headers."""
        url = self.url_of(path, query)
        info, body = await self.with_retry(retry, lambda: self._exchange("GET", url, {}, None, timeout))
        return _parsed(info.status, body), info

    async def get_text(
        self, path: str, query: Optional[Mapping[str, Any]], accept: str, timeout: Optional[float], retry: bool
    ) -> str:
        """The text of a read, such as CSV."""
        url = self.url_of(path, query)
        _, body = await self.with_retry(retry, lambda: self._exchange("GET", url, {"Accept": accept}, None, timeout))
        return body.decode("utf-8")

    async def open(
        self,
        path: str,
        query: Optional[Mapping[str, Any]],
        accept: str,
        timeout: Optional[float],
        retry: bool,
    ) -> Tuple[ResponseInfo, Response]:
        """A response whose body is read as it arrives. The timeout is that of the headers."""
        url = self.url_of(path, query)
        seconds = self.timeout if timeout is None else timeout

        async def once() -> Tuple[ResponseInfo, Response]:
            response = await self._within(seconds, self._send("GET", url, {"Accept": accept}, None))
            if not 200 <= response.status < 300:
                body = await self._within(seconds, response.read())
                raise error_from_response(response.status, response.reason, response.headers, body)
            return response_info(response.status, response.headers), response

        return await self.with_retry(retry, once)

    async def read_body(self, response: Response) -> AsyncIterator[bytes]:
        """The body of an opened response in chunks. Ending the loop early closes the connection."""
        try:
            async for chunk in response.chunks():
                yield chunk
        except HttpFailure as error:
            raise NetworkError("network", f"the connection to {self.origin} broke: {error}") from error
        finally:
            await response.close()

    async def read_lines(self, response: Response) -> AsyncIterator[bytes]:
        """The lines of an opened response, without the line breaks."""
        rest = b""
        chunks = self.read_body(response)
        try:
            async for chunk in chunks:
                lines = (rest + chunk).split(b"\n")
                rest = lines.pop()
                for line in lines:
                    yield line
            if rest:
                yield rest
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]

    async def post_idempotent(
        self,
        path: str,
        body: Optional[Tuple[str, bytes]],
        idempotency_key: Optional[str],
        timeout: Optional[float],
        retry: bool,
    ) -> Any:
        """Sends a POST with an idempotency key. If no response arrives, sends it once more with the same key: if the first
        request did arrive, the service repeats its response."""
        key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
        url = self.url_of(path)
        headers = {"Idempotency-Key": key}

        async def once() -> Tuple[ResponseInfo, bytes]:
            try:
                return await self._exchange("POST", url, headers, body, timeout)
            except (NetworkError, RequestTimeoutError):
                return await self._exchange("POST", url, headers, body, timeout)

        info, answer = await self.with_retry(retry, once)
        return _parsed(info.status, answer)

    async def post_once(self, path: str, body: Optional[Tuple[str, bytes]], timeout: Optional[float]) -> Any:
        """Sends a POST that must not be repeated: exactly once, whatever the outcome."""
        info, answer = await self._exchange("POST", self.url_of(path), {}, body, timeout)
        return _parsed(info.status, answer)

    async def patch_once(self, path: str, body: Tuple[str, bytes], timeout: Optional[float]) -> Any:
        """Sends a PATCH exactly once: a change that arrives twice could undo another one in between."""
        info, answer = await self._exchange("PATCH", self.url_of(path), {}, body, timeout)
        return _parsed(info.status, answer)

    async def put_once(self, path: str, body: Tuple[str, bytes], timeout: Optional[float]) -> Any:
        """Sends a PUT exactly once: one that arrives twice could undo a change in between."""
        info, answer = await self._exchange("PUT", self.url_of(path), {}, body, timeout)
        return _parsed(info.status, answer)

    async def delete(self, path: str, timeout: Optional[float], retry: bool) -> Any:
        """Sends a DELETE. It is repeated if the service rejected it, but not if no response arrived: the repetition of a DELETE
        that did arrive would fail with 404."""
        url = self.url_of(path)
        info, answer = await self.with_retry(retry, lambda: self._exchange("DELETE", url, {}, None, timeout))
        return _parsed(info.status, answer)

    async def with_retry(self, retry: bool, call: Callable[[], Awaitable[T]]) -> T:
        """Repeats a call that the service rejected with 429 or 503, after the delay in `Retry-After`, for up to `retry_wait`
        seconds in total."""
        left = self.retry_wait
        while True:
            try:
                return await call()
            except TickwireError as error:
                # A delay of 0 counts as none: it could loop forever.
                delay = error.retry_after or 0
                if not retry or error.status not in (429, 503) or delay <= 0 or delay > left:
                    raise
                left -= delay
            await self.sleep(delay + random.random() * RETRY_JITTER)

    async def close(self) -> None:
        """Closes all connections."""
        await self.transport.close()

    async def _exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[Tuple[str, bytes]],
        timeout: Optional[float],
    ) -> Tuple[ResponseInfo, bytes]:
        async def whole() -> Tuple[Response, bytes]:
            response = await self._send(method, url, headers, body)
            try:
                return response, await response.read()
            finally:
                await response.close()

        response, content = await self._within(self.timeout if timeout is None else timeout, whole())
        if not 200 <= response.status < 300:
            raise error_from_response(response.status, response.reason, response.headers, content)
        return response_info(response.status, response.headers), content

    async def _within(self, seconds: float, work: Awaitable[T]) -> T:
        try:
            return await asyncio.wait_for(work, seconds)
        except asyncio.TimeoutError as error:
            raise RequestTimeoutError("timeout", f"No response within {seconds:g} s") from error
        except HttpFailure as error:
            raise NetworkError("network", f"{self.origin} could not be reached: {error}") from error

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str], body: Optional[Tuple[str, bytes]]
    ) -> Response:
        sent = {**self.headers(), "Accept": "application/json", **headers}
        if body:
            sent["Content-Type"] = body[0]
        response = await self.transport.send(method, url, sent, body[1] if body else None)
        self._keep_cookies(response.headers.get("set-cookie"))
        if self.on_response:
            self.on_response(response_info(response.status, response.headers))
        return response

    def _keep_cookies(self, header: Optional[str]) -> None:
        for line in (header or "").split("\n"):
            name, equals, value = line.split(";")[0].strip().partition("=")
            if not equals:
                continue
            if not value or re.search(r";\s*max-age=0\b", line, re.IGNORECASE):
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
                if self._is_default_key and name.endswith("tickwire"):
                    self.api_key = None  # A session replaces a key of the environment.


def _parsed(status: int, body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        detail = "The response is not valid JSON"
        raise UnexpectedResponseError("unexpected_response", detail, status=status) from error


def json_body(value: Any) -> Tuple[str, bytes]:
    """A body of JSON. Fields that are None at the top level are left out."""
    if isinstance(value, Mapping):
        value = {name: member for name, member in value.items() if member is not None}
    return "application/json", json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")


def change_body(value: Mapping[str, Any]) -> Tuple[str, bytes]:
    """A body of JSON in which None stays null."""
    return "application/json", json.dumps(dict(value), ensure_ascii=False, allow_nan=False).encode("utf-8")


def ndjson_body(lines: Iterable[Mapping[str, Any]]) -> Tuple[str, bytes]:
    """A body with one JSON object per line."""
    texts: List[str] = [json.dumps(line, ensure_ascii=False, allow_nan=False) for line in lines]
    return "application/x-ndjson", "\n".join(texts).encode("utf-8")
