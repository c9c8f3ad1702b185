"""Checks the log on its own: whether its records are chained, and whether each follows from the evidence in it."""

from __future__ import annotations

import hashlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from ..signing.canonical_json import canonical_json
from ..signing.ed25519 import verify
from .findings import Fault, Findings
from .recorded_signal import RecordedSignal
from .shapes import is_hash, is_text, is_time, is_whole, shape_fault, time_of
from .signatures import PublisherSignatures

NO_HASH = "0" * 64
RULES_VERSION = 2
CHAIN_FAULTS = frozenset(["number", "hash", "prev", "not_canonical", "opening"])
VERSION_1_TYPES = frozenset(["opened", "published", "closed", "voided", "tape"])
DAY_MS = 86_400_000


class LogCheck:
    """Takes entries (`hash` and `record`) in order, any number at a time. Keeps active signals, and the owners of all others."""

    def __init__(
        self,
        findings: Findings,
        heads: Sequence[Mapping[str, Any]] = (),
        on_ended: Optional[Callable[[RecordedSignal], None]] = None,
        on_record: Optional[Callable[[Mapping[str, Any]], None]] = None,
    ) -> None:
        self.findings = findings
        self.records = self.signals = self.closed = self.voided = self.broken = self.recomputed = self.version_1 = 0
        self.opened: Optional[Mapping[str, Any]] = None
        self.tail: Optional[Tuple[int, str]] = None
        self.active: Dict[str, RecordedSignal] = {}
        self.seals: Dict[Tuple[str, str], Mapping[str, Any]] = {}
        self.signatures = PublisherSignatures()
        self.hashes: Dict[int, str] = {}
        self.times: Dict[int, str] = {}
        self._watched: Set[int] = {int(head["n"]) for head in heads}
        self._head_times: Dict[int, str] = {}
        for head in heads:
            self._head_times[head["n"]] = max(self._head_times.get(head["n"], ""), head["at"])
        self._on_ended = on_ended or (lambda signal: None)
        self._on_record = on_record
        self._ended: Dict[str, Dict[str, Any]] = {}
        self._active_version_1: Dict[str, Dict[str, Any]] = {}
        self._stored_hash = NO_HASH
        self._n = -1
        self._signal: Optional[str] = None
        self._promised_from: Optional[int] = None
        self._opened_at = self._before = self._head = ""
        self._quote_seqs: Dict[str, int] = {}

    def _fault(self, code: str, message: str) -> None:
        if code in CHAIN_FAULTS:
            self.broken += 1
        self.findings.add(self._n, self._signal, code, message)

    def add(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Checks entries that follow the ones before."""
        for entry in entries:
            self._entry(entry)

    def _entry(self, entry: Mapping[str, Any]) -> None:
        due = (self.tail[0] if self.tail else -1) + 1
        record, stored = entry.get("record"), entry.get("hash")
        self.records += 1
        self._n, self._signal = due, None
        try:
            computed = hashlib.sha256(canonical_json(record).encode("utf-8")).hexdigest()
        except ValueError as error:
            computed = ""
            self._fault("not_canonical", f"it has no canonical JSON: {error}")
        wrong = shape_fault(record)
        if wrong:
            self._fault("shape", wrong)
        n = record["n"] if isinstance(record, Mapping) and is_whole(record.get("n")) else due
        self._n = n
        if stored != computed:
            self._fault("hash", f"its hash is {computed}, not {stored}")
        if n != due:
            self._fault("number", f"it is record {n}, but {due} was expected")
        before = self.tail[1] if self.tail else NO_HASH
        # A changed record is a fault of its own. That the next one still has its old hash as prev is not reported again.
        if isinstance(record, Mapping) and record.get("prev") not in (before, self._stored_hash):
            self._fault("prev", f"prev is {record.get('prev')}, but the hash of the record before is {before}")
        self.tail, self._stored_hash = (n, computed), str(stored)
        if n in self._watched:
            self.hashes[n] = computed
        if wrong or not isinstance(record, Mapping):
            return
        if n in self._watched:
            self.times[n] = record["at"]
        self._record(record, n)

    def _record(self, record: Mapping[str, Any], n: int) -> None:
        kind = record["type"]
        self._signal = record.get("signal")
        self._check_rules(record)
        if (kind == "opened") != (n == 0):
            self._fault("opening", f"{kind} cannot be record {n}")
        self._check_order(record, n)
        if kind == "opened":
            self.opened = self.opened or record
        elif kind == "tape":
            self._sealed(record)
        elif kind == "publisher_key":
            self.signatures.set_key(record)
        elif kind == "published":
            self._published(record)
        elif kind == "voided":
            self._voided(record)
        else:
            self._of_active(record)
        if self._on_record:
            self._on_record(record)

    def _check_rules(self, record: Mapping[str, Any]) -> None:
        rules, kind = record["rules"], record["type"]
        if rules not in (1, RULES_VERSION):
            self._fault("rules_version", f"rules version {rules} is unknown: this release knows 1 and {RULES_VERSION}")
        elif rules == 1 and kind not in VERSION_1_TYPES:
            self._fault("rules_version", f"rules version 1 has no {kind} records")
        elif rules == 1 and kind not in ("closed", "voided") and self._promised_from is not None:
            self._fault("rules_version", f"it has rules version 1, after records of version {RULES_VERSION}")

    def _check_order(self, record: Mapping[str, Any], n: int) -> None:
        """L2, L3 and H1. Version 1 did not promise them: they hold from the first record of version 2 on."""
        at = record["at"]
        if record["rules"] > 1 and self._promised_from is None:
            self._promised_from = n
        if record["type"] == "opened":
            self._opened_at = self._opened_at or at
            if record["realm"] == "replay":  # Records have the time of the recording, heads that of the clock.
                self._head_times = {}
        if self._promised_from is not None:
            for earlier, what in (
                (self._before, "the record before it"),
                (self._opened_at, "the log was opened"),
                (self._head, "the head of a record before it"),
            ):
                if at < earlier:
                    self._fault("time_order", f"it was written at {at}, before {what} ({earlier})")
            if "quote" in record:
                seq, before = record["quote"]["seq"], self._quote_seqs.get(record["symbol"], 0)
                if seq < before:
                    self._fault("quote_order", f"its quote {seq} is older than quote {before} in a record before it")
                else:
                    self._quote_seqs[record["symbol"]] = seq
        self._before = at
        self._head = max(self._head, self._head_times.get(n, ""))

    def _sealed(self, record: Mapping[str, Any]) -> None:
        key = (record["symbol"], record["day"])
        if time_of(f"{record['day']}T00:00:00.000Z") + DAY_MS > time_of(record["at"]):
            self._fault("sealed_file", f"{record['day']} was sealed before it was over")
        if key in self.seals:
            self._fault("sealed_twice", f"{record['symbol']} of {record['day']} was already sealed")
        else:
            self.seals[key] = record

    def _published(self, record: Mapping[str, Any]) -> None:
        signal = record["signal"]
        before = self.findings.count
        self.signatures.check(record, self._fault)
        if signal in self.active or signal in self._ended or signal in self._active_version_1:
            self._fault("published_twice", "a signal with this id was already published")
            return
        self.signals += 1
        if record["rules"] == 1:
            self.version_1 += 1
            self._active_version_1[signal] = _owner(record)
            return
        recorded = RecordedSignal(record)
        recorded.check_publication(self._fault)
        recorded.unsound = recorded.unsound or self.findings.count > before
        self.active[signal] = recorded

    def _of_active(self, record: Mapping[str, Any]) -> None:
        signal, kind = record["signal"], record["type"]
        before = self.findings.count
        if kind in ("amended", "close_requested"):
            self.signatures.check(record, self._fault)
        if signal in self._active_version_1:
            self._check_owner(record, self._active_version_1[signal])
            self._ended[signal] = {**self._active_version_1.pop(signal), "voided": False}
            self.closed += 1
            return
        recorded = self.active.get(signal)
        if recorded is None:
            if signal not in self._ended:
                self._fault("not_published", "it was never published")
            elif kind == "closed":
                self._fault("closed_twice", "it was already closed")
            else:
                self._fault("record_order", f"{kind} after it was closed")
            return
        self._check_owner(record, _owner(recorded.published))
        recorded.add(record, self._fault)
        if kind == "closed":
            del self.active[signal]
            self._ended[signal] = {**_owner(recorded.published), "voided": False}
            self.closed += 1
            if not recorded.unsound and self.findings.count == before and recorded.check_evidence(self._fault):
                self.recomputed += 1
                self._on_ended(recorded)
        elif self.findings.count > before:
            recorded.unsound = True

    def _voided(self, record: Mapping[str, Any]) -> None:
        signal = record["signal"]
        active, ended = self.active.get(signal), self._ended.get(signal)
        owner = _owner(active.published) if active else ended or self._active_version_1.get(signal)
        if owner is None:
            self._fault("not_published", "it was never published")
            return
        if ended and ended["voided"]:
            self._fault("voided_twice", "it was already voided")
            return
        self._check_owner(record, owner)
        self.voided += 1
        self._ended[signal] = {**owner, "voided": True}
        self._active_version_1.pop(signal, None)
        if active:
            del self.active[signal]
            active.voided_n = record["n"]
            if not active.unsound and active.check_evidence(self._fault):
                self._on_ended(active)

    def _check_owner(self, record: Mapping[str, Any], owner: Mapping[str, Any]) -> None:
        for name in ("publisher", "symbol", "rules"):
            if record[name] != owner[name]:
                self._fault("belongs", f"{name} is {record[name]}, but {owner[name]} in the publication")

    def finish(self) -> None:
        """Checks the evidence of the signals that are still active. Call it after the last entry."""
        for signal, recorded in self.active.items():
            self._n, self._signal = recorded.published["n"], signal
            if not recorded.unsound:
                recorded.unsound = not recorded.check_evidence(self._fault)


def _owner(record: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: record[name] for name in ("publisher", "symbol", "rules")}


def is_head(value: Any) -> bool:
    """Whether a value has the fields of a head."""
    if not isinstance(value, Mapping):
        return False
    texts = is_text(value.get("log")) and is_text(value.get("signature"))
    return texts and is_whole(value.get("n")) and is_hash(value.get("hash")) and is_time(value.get("at")) and is_hash(value.get("public_key"))


def verify_head(head: Mapping[str, Any]) -> bool:
    """Whether a head is signed by the key it names."""
    text = canonical_json({name: head[name] for name in ("log", "n", "hash", "at")})
    try:
        return verify(bytes.fromhex(head["public_key"]), bytes.fromhex(head["signature"]), text.encode("utf-8"))
    except ValueError:
        return False


def check_heads(heads: Sequence[Tuple[str, Mapping[str, Any]]], log: LogCheck, findings: Findings) -> None:
    """Checks heads, each with where it comes from: signed by the key of the log, and matching its record."""
    for source, head in heads:
        wrong = _head_fault(head, log)
        if wrong:
            findings.add(head["n"], None, "head", f"the head {source} {wrong}")
            continue
        at = log.times.get(head["n"], "")
        promised = log._promised_from is not None and head["n"] >= log._promised_from
        if promised and log.opened and log.opened["realm"] != "replay" and at > head["at"]:
            findings.add(head["n"], None, "head_time", f"it is from {at}, later than its head {source} of {head['at']}")


def _head_fault(head: Mapping[str, Any], log: LogCheck) -> Optional[str]:
    if not verify_head(head):
        return "is not signed by the key it names"
    opened = log.opened
    if not opened or head["log"] != opened["log"] or head["public_key"] != opened["public_key"]:
        return f"belongs to the log {head['log']}, not to this one"
    last = log.tail[0] if log.tail else -1
    if head["n"] > last:
        return f"is of record {head['n']}, but the log ends at record {last}"
    known = log.hashes.get(head["n"])
    return None if known == head["hash"] else f"says record {head['n']} had the hash {head['hash']}; now it is {known or 'missing'}"


__all__: List[str] = ["LogCheck", "check_heads", "is_head", "verify_head", "Fault"]
