"""Signs requests about signals, for accounts with a signing key. The private key stays in this process."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import re
import secrets
import threading
import time
from typing import Any, Dict, Mapping

from ..symbols import plain_symbol
from .canonical_json import canonical_json
from .ed25519 import public_key_of, sign

_PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")


class SigningKey:
    """An Ed25519 key pair.

    Example:
        >>> key = SigningKey.create()
        >>> client.account.set_signing_key(key.public_key)
    """

    def __init__(self, seed: bytes) -> None:
        """`seed` is the private key, 32 bytes."""
        if len(seed) != 32:
            raise ValueError("a private key has 32 bytes")
        self._seed = bytes(seed)
        self.public_key: str = public_key_of(self._seed).hex()
        """32 bytes in hex: register it with `client.account.set_signing_key`."""

    @classmethod
    def create(cls) -> "SigningKey":
        """A new random key."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_pem(cls, text: str) -> "SigningKey":
        """Reads a private key in PKCS #8 form, as `openssl genpkey -algorithm ed25519` writes it."""
        body = re.sub(r"-----[A-Z ]+-----|\s", "", text)
        der = base64.b64decode(body)
        if len(der) != 48 or not der.startswith(_PKCS8_PREFIX):
            raise ValueError("this is not an Ed25519 private key in PKCS #8 form")
        return cls(der[16:])

    def to_pem(self) -> str:
        """The private key in PKCS #8 form. Keep it secret."""
        body = base64.b64encode(_PKCS8_PREFIX + self._seed).decode()
        return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return sign(self._seed, message)

    def __repr__(self) -> str:
        return f"SigningKey(public_key={self.public_key!r})"


class Signer:
    """Signs the requests of one publisher. Each signature is valid for 30 seconds and for one request.

    Example:
        >>> signer = Signer(client.account.get()["id"], SigningKey.from_pem(open("key.pem").read()))
        >>> client.publish_signal("EURUSD", "buy", entry=1.084, stop_loss=1.081, take_profit=1.09, signer=signer)
    """

    def __init__(self, publisher: str, key: SigningKey) -> None:
        """`publisher` is the id of the account, such as `pub_8w2k5n1d`."""
        self.publisher = publisher
        self.key = key
        self._last = 0
        self._lock = threading.Lock()

    def publish(self, request: Mapping[str, Any]) -> Dict[str, Any]:
        """The request with its signature."""
        fields = {name: value for name, value in request.items() if name not in ("signed", "note") and value is not None}
        fields["symbol"] = plain_symbol(str(request["symbol"]))
        if fields.get("expires_at") is not None:
            fields["expires_at"] = iso_time(_milliseconds(fields["expires_at"]))
        if request.get("note") is not None:
            fields["note_sha256"] = hashlib.sha256(str(request["note"]).encode("utf-8")).hexdigest()
        return {**request, "signed": self._sign("publish", fields)}

    def amend(self, signal: str, stop_loss: float) -> Dict[str, Any]:
        """The request to tighten a stop, with its signature."""
        return {"stop_loss": stop_loss, "signed": self._sign("amend", {"signal": signal, "stop_loss": stop_loss})}

    def close(self, signal: str) -> Dict[str, str]:
        """The signature of a request to close."""
        return self._sign("close", {"signal": signal})

    def _sign(self, action: str, fields: Mapping[str, Any]) -> Dict[str, str]:
        with self._lock:  # Each signature must be later than the one before.
            self._last = max(time.time_ns() // 1_000_000, self._last + 1)
            signed_at = iso_time(self._last)
        text = canonical_json({"action": action, "publisher": self.publisher, "signed_at": signed_at, **fields})
        return {"signed_at": signed_at, "signature": self.key.sign(text.encode("utf-8")).hex()}


def iso_time(milliseconds: int) -> str:
    """A time as the service writes it.

    Example:
        >>> iso_time(1772450647318)
        '2026-03-02T11:24:07.318Z'
    """
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds") + "Z"


def _milliseconds(value: Any) -> int:
    from ..frames import milliseconds

    return milliseconds(value)
