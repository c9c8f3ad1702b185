"""Errors of REST calls and streams. All of them are a :class:`TickwireError`, and its `code` says exactly what went wrong."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Type


class TickwireError(Exception):
    """A call that failed, or a stream that the service ended.

    `code` is a code of the service's catalogue (`/docs` lists them), or one of the client: `network`, `timeout`,
    `unexpected_response`.

    Example:
        >>> try:
        ...     client.quote("NOSUCH")
        ... except tickwire.TickwireError as error:
        ...     print(error.status, error.code)
        404 symbol_not_found
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 0,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        errors: Optional[List[Dict[str, Any]]] = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        """What went wrong, for programs."""
        self.detail = detail
        """Explanation for people."""
        self.status = status
        """HTTP status; 0 if there was no response, or if the error comes from a stream."""
        self.request_id = request_id
        """Id of the request in the service's log; None if unknown."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, from `Retry-After`; None if the service named none."""
        self.errors: List[Dict[str, Any]] = errors or []
        """For invalid input: each rejected parameter, its value and what is allowed. Empty otherwise."""

    def __reduce__(self) -> Any:
        return (_rebuild, (type(self), self.code, self.detail, self.status, self.request_id, self.retry_after, self.errors))


def _rebuild(
    kind: Type[TickwireError],
    code: str,
    detail: str,
    status: int,
    request_id: Optional[str],
    retry_after: Optional[float],
    errors: List[Dict[str, Any]],
) -> TickwireError:
    return kind(code, detail, status=status, request_id=request_id, retry_after=retry_after, errors=errors)


class NetworkError(TickwireError):
    """The service could not be reached, or the connection broke. The code is `network`."""


class RequestTimeoutError(TickwireError):
    """There was no response in time. The code is `timeout`."""


class UnexpectedResponseError(TickwireError):
    """The response is not one of this service: a proxy or another server sent it. The code is `unexpected_response`."""


class InvalidRequestError(TickwireError):
    """Status 400, 413 or 422: a parameter or the body is not valid. `errors` names each."""


class AuthenticationError(TickwireError):
    """Status 401: the key or session is missing, wrong, expired or revoked."""


class ForbiddenError(TickwireError):
    """Status 403: the key lacks a scope, or the account may not do this."""


class NotFoundError(TickwireError):
    """Status 404: there is no such instrument, signal, publisher or path."""


class ConflictError(TickwireError):
    """Status 409: the state does not allow it, such as closing a closed signal."""


class RateLimitError(TickwireError):
    """Status 429: an allowance is used up. `retry_after` says when to try again."""


class ServiceError(TickwireError):
    """Status 5xx: the service failed, or is not ready."""


_BY_STATUS: Mapping[int, Type[TickwireError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def class_of(status: int) -> Type[TickwireError]:
    """The class of a rejection with this status."""
    return _BY_STATUS.get(status, ServiceError if status >= 500 else TickwireError)


def retry_after_of(header: Optional[str]) -> Optional[float]:
    """Seconds from now; the header holds seconds or an HTTP date."""
    if header is None or not header.strip():
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def error_from_response(status: int, reason: str, headers: Mapping[str, str], body: bytes) -> TickwireError:
    """The error for a response that is not a success. A proxy may have sent a body of any kind."""
    retry_after = retry_after_of(headers.get("retry-after"))
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        detail = f"The response was {status} {reason}".rstrip()
        return UnexpectedResponseError("unexpected_response", detail, status=status, retry_after=retry_after)
    errors = problem.get("errors")
    return class_of(status)(
        problem["code"],
        str(problem.get("detail") or problem.get("title") or ""),
        status=status,
        request_id=problem.get("request_id"),
        retry_after=retry_after,
        errors=errors if isinstance(errors, list) else None,
    )
