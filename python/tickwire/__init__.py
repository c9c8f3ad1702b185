"""Client of a Tickwire service: market data, verified trading signals and news.

Needs httpx and websockets; signing and verification also need cryptography, `to_frame` pandas and `to_table` pyarrow.

Example:
    >>> import tickwire
    >>> client = tickwire.TickwireClient("http://127.0.0.1:8080", "tw_…")
    >>> client.quote("EURUSD")["bid"]
"""

from . import models
from .client import AsyncTickwireClient, TickwireClient
from .errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NetworkError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    ServiceError,
    TickwireError,
    UnexpectedResponseError,
)
from .frames import milliseconds, to_frame, to_table
from .rest.request import Allowance, ResponseInfo, StreamPosition
from .signing.canonical_json import canonical_json
from .signing.signer import Signer, SigningKey
from .stream.events import Gap, Message, StateChange
from .stream.follow import FollowedBar, FollowedTick
from .stream.live import AsyncLiveStream, LiveStream
from .verify import Finding, NotProved, PublisherReport, VerifyReport, averify_log, verify_log, verify_publisher
from .webhooks import WebhookVerificationError, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "Allowance",
    "AsyncLiveStream",
    "AsyncTickwireClient",
    "AuthenticationError",
    "ConflictError",
    "Finding",
    "NotProved",
    "FollowedBar",
    "FollowedTick",
    "ForbiddenError",
    "Gap",
    "InvalidRequestError",
    "LiveStream",
    "Message",
    "NetworkError",
    "NotFoundError",
    "PublisherReport",
    "RateLimitError",
    "RequestTimeoutError",
    "ResponseInfo",
    "ServiceError",
    "Signer",
    "SigningKey",
    "StateChange",
    "StreamPosition",
    "TickwireClient",
    "TickwireError",
    "UnexpectedResponseError",
    "VerifyReport",
    "WebhookVerificationError",
    "averify_log",
    "canonical_json",
    "milliseconds",
    "models",
    "to_frame",
    "to_table",
    "verify_log",
    "verify_publisher",
    "verify_webhook",
]
