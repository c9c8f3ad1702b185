"""Checks the signatures of publishers against the `publisher_key` records before them."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, Set

from ..signing.canonical_json import canonical_json
from ..signing.ed25519 import verify
from .findings import Fault
from .shapes import time_of

ACTIONS = {"published": "publish", "amended": "amend", "close_requested": "close"}
SIGNED_WITHIN_MS = 30_000
LIFE_MS = 30 * 86_400_000


class PublisherSignatures:
    """Takes the records in order."""

    def __init__(self) -> None:
        self.valid = 0
        self.publishers: Set[str] = set()
        """Publishers that have had a key."""
        self.changes = 0
        """Keys that replaced or removed an earlier one."""
        self._keys: Dict[str, str] = {}
        self._signed_at: Dict[str, str] = {}

    def set_key(self, record: Mapping[str, Any]) -> None:
        """A `publisher_key` record."""
        self.changes += record["publisher"] in self.publishers
        self.publishers.add(record["publisher"])
        if record["public_key"] is None:
            self._keys.pop(record["publisher"], None)
        else:
            self._keys[record["publisher"]] = record["public_key"]

    def check(self, record: Mapping[str, Any], fault: Fault) -> None:
        """A record that may be signed."""
        publisher, signed = record["publisher"], record.get("signed")
        key = self._keys.get(publisher)
        if not signed:
            if key is not None:
                fault("signature", f"it is not signed, although {publisher} has a signing key")
            return
        signed_at = signed["signed_at"]
        if signed["public_key"] != key:
            fault("signature", f"it is signed with the key {signed['public_key']}, but that of {publisher} is {key or 'none'}")
            return
        if abs(time_of(record["at"]) - time_of(signed_at)) > SIGNED_WITHIN_MS:
            fault("signature", f"it was signed at {signed_at}, more than 30 s from {record['at']}")
        before = self._signed_at.get(publisher, "")
        if signed_at <= before:
            fault("signature", f"signed_at {signed_at} is not later than {before} before it")
        else:
            self._signed_at[publisher] = signed_at
        public, signature = bytes.fromhex(key), bytes.fromhex(signed["signature"])
        for text in _texts(record, signed_at):
            if verify(public, signature, text.encode("utf-8")):
                self.valid += 1
                return
        fault("signature", f"it is not signed by the key of {publisher}")


def _texts(record: Mapping[str, Any], signed_at: str) -> Iterator[str]:
    """Texts of the requests that lead to the record."""
    for request in _requests(record):
        fields = {**request, "publisher": record["publisher"], "signed_at": signed_at}
        try:
            yield canonical_json({name: value for name, value in fields.items() if value is not None})
        except ValueError:
            return


def _requests(record: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
    """The record does not tell whether fields with the default value were sent."""
    base: Dict[str, Any] = {"action": ACTIONS[record["type"]]}
    if record["type"] == "close_requested":
        yield {**base, "signal": record["signal"]}
        return
    if record["type"] == "amended":
        yield {**base, "signal": record["signal"], "stop_loss": record["stop_loss"]}
        return
    names = ("symbol", "direction", "entry", "max_slippage", "stop_loss", "targets", "breakeven_after", "note_sha256")
    base.update({name: record.get(name) for name in names})
    if "max_slippage" in record:
        base.update(order="market", entry=None)
    is_default = time_of(record["deadline"]) == time_of(record["at"]) + LIFE_MS
    for take_profit in (None, record["take_profit"]) if record.get("targets") else (record["take_profit"],):
        for expires_at in (None, record["deadline"]) if is_default else (record["deadline"],):
            yield {**base, "take_profit": take_profit, "expires_at": expires_at}
