"""Verifies that a webhook was sent by the service: Standard Webhooks, HMAC-SHA-256 over id, time and body."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Iterable, Optional, Protocol, Sequence, Tuple, Union, cast

from . import models

TOLERANCE_SECONDS = 300
"""How far the time of a message may be from that of this machine."""
SECRET_PREFIX = "whsec_"


class Headers(Protocol):
    """Headers of a request: a dictionary, or those of a web framework."""

    def items(self) -> Iterable[Tuple[str, Any]]:
        """Names and values."""


class WebhookVerificationError(Exception):
    """A webhook that did not pass: answer it with 400 and ignore its body."""


def verify_webhook(
    body: Union[bytes, str], headers: Headers, secret: Union[str, Sequence[str]]
) -> models.WebhookMessage:
    """The message of a webhook, if its signature is right and it was sent within the last five minutes.

    `body` is the raw body: a parsed one is a TypeError. `headers` are those of the request, in any case. Raises a
    `WebhookVerificationError` otherwise. A message may arrive more than once, always with the same `webhook-id`. Pass several
    secrets while you replace one.

    Example:
        >>> message = tickwire.verify_webhook(request.body, request.headers, "whsec_…")
        >>> message["data"]["title"]
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise TypeError("pass the raw body, the text or bytes as they arrived; a parsed body cannot be verified")
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    identifier, sent_at, given = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not identifier or not sent_at or not given:
        raise WebhookVerificationError("webhook-id, webhook-timestamp or webhook-signature is missing")
    if not re.fullmatch(r"[0-9]{1,12}", sent_at):
        raise WebhookVerificationError("webhook-timestamp is not a Unix time in seconds")
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("the message is more than five minutes old, or from the future")
    signed = f"{identifier}.{sent_at}.".encode("utf-8") + content
    for each in [secret] if isinstance(secret, str) else secret:
        expected = base64.b64encode(hmac.new(_key(each), signed, hashlib.sha256).digest())
        for signature in given.split(" "):
            version, _, text = signature.partition(",")
            if version == "v1" and hmac.compare_digest(expected, text.encode("utf-8")):
                return cast(models.WebhookMessage, json.loads(content))
    raise WebhookVerificationError("no signature matches; pass the raw body, not one that was parsed and written again")


def _header(headers: Headers, name: str) -> Optional[str]:
    for key, value in headers.items():
        if str(key).lower() == name:
            return str(value)
    return None


def _key(secret: str) -> bytes:
    text = secret[len(SECRET_PREFIX):] if secret.startswith(SECRET_PREFIX) else secret
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("`secret` must be the text that begins with whsec_")
    return key
