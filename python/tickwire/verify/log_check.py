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
DAY_MS = 86_400_000
GRACE_MS = 5_000
OUTAGE_MS = DAY_MS
"""A source that is disconnected keeps a signal active after its deadline (C2). A longer outage is a fault of the record."""


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
        self.records = self.signals = self.closed = self.voided = self.broken = self.recomputed = 0
        self.opened: Optional[Mapping[str, Any]] = None
        self.tail: Optional[Tuple[int, str]] = None
        self.active: Dict[str, RecordedSignal] = {}
        self.seals: Dict[Tuple[str, str], Mapping[str, Any]] = {}
        self.gaps: List[Mapping[str, Any]] = []
        """Declared gaps and fail-overs."""
        self.signatures = PublisherSignatures()
        self.named_seq = -1
        """The greatest `seq` in a record. Records are written in the order of events: what events up to it decided is in the log."""
        self.hashes: Dict[int, str] = {}
        self.times: Dict[int, str] = {}
        self._watched: Set[int] = {int(head["n"]) for head in heads}
        self._head_times: Dict[int, str] = {}
        for head in heads:
            self._head_times[head["n"]] = max(self._head_times.get(head["n"], ""), head["at"])
        self._on_ended = on_ended or (lambda signal: None)
        self._on_record = on_record
        self._ended: Dict[str, Dict[str, Any]] = {}
        self._stored_hash = NO_HASH
        self._n = -1
        self._signal: Optional[str] = None
        self._opened_at = self._before = self._head = ""
        self._quote_seqs: Dict[str, int] = {}

    @property
    def is_replay(self) -> bool:
        """Records then have the time of the recording, and heads that of the clock."""
        return self.opened is not None and self.opened["realm"] == "replay"

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
        if record["rules"] != RULES_VERSION:
            self._fault("rules_version", f"it has rules version {record['rules']}: the only version is {RULES_VERSION}")
        if (kind == "opened") != (n == 0):
            self._fault("opening", f"{kind} cannot be record {n}")
        self._check_order(record, n)
        if kind == "opened":
            self.opened = self.opened or record
        elif kind == "tape":
            self._sealed(record)
        elif kind == "feed":
            self._lost(record)
        elif kind == "publisher_key":
            self.signatures.set_key(record)
        elif kind == "published":
            self._published(record)
        elif kind == "voided":
            self._voided(record)
        else:
            self._of_active(record)
        self.named_seq = max(self.named_seq, _seq_of(record))
        if self._on_record:
            self._on_record(record)

    def _check_order(self, record: Mapping[str, Any], n: int) -> None:
        """L2, L3 and H1."""
        at = record["at"]
        if record["type"] == "opened":
            self._opened_at = self._opened_at or at
            if record["realm"] == "replay":
                self._head_times = {}
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

    def _lost(self, record: Mapping[str, Any]) -> None:
        if record["from"] > record["to"]:
            self._fault("gap", f"it begins at {record['from']}, after its end {record['to']}")
        if record["seq"] < self.named_seq:  # Records are written in the order of events.
            self._fault("gap", f"its event {record['seq']} is older than event {self.named_seq} in a record before it")
        if record["event"] != "disconnect":
            self.gaps.append(record)

    def _check_gap(self, record: Mapping[str, Any], accepted: int) -> None:
        """G2: the gaps after the accepted quote and before the closing."""
        declared = [gap for gap in self.gaps if gap["symbol"] == record["symbol"] and accepted < gap["seq"] <= record["decided_seq"]]
        start = min((gap["from"] for gap in declared), default=None)
        end = max((gap["to"] for gap in declared), default=None)
        stated = record.get("gap_from"), record.get("gap_to")
        if stated != (start, end):
            self._fault("gap", f"it has a gap from {stated[0]} to {stated[1]}; the log declares one from {start} to {end}")

    def _published(self, record: Mapping[str, Any]) -> None:
        signal = record["signal"]
        before = self.findings.count
        self.signatures.check(record, self._fault)
        if signal in self.active or signal in self._ended:
            self._fault("published_twice", "a signal with this id was already published")
            return
        self.signals += 1
        recorded = RecordedSignal(record)
        recorded.check_publication(self._fault)
        recorded.unsound = recorded.unsound or self.findings.count > before
        self.active[signal] = recorded

    def _of_active(self, record: Mapping[str, Any]) -> None:
        signal, kind = record["signal"], record["type"]
        before = self.findings.count
        if kind in ("amended", "close_requested"):
            self.signatures.check(record, self._fault)
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
            self._check_gap(record, recorded.published["quote"]["seq"])
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
        owner = _owner(active.published) if active else ended
        if owner is None:
            self._fault("not_published", "it was never published")
            return
        if ended and ended["voided"]:
            self._fault("voided_twice", "it was already voided")
            return
        self._check_owner(record, owner)
        self.voided += 1
        self._ended[signal] = {**owner, "voided": True}
        if active:
            del self.active[signal]
            active.voided_n = record["n"]
            if not active.unsound and active.check_evidence(self._fault):
                self._on_ended(active)

    def _check_owner(self, record: Mapping[str, Any], owner: Mapping[str, Any]) -> None:
        for name in ("publisher", "symbol"):
            if record[name] != owner[name]:
                self._fault("belongs", f"{name} is {record[name]}, but {owner[name]} in the publication")

    def check_deadlines(self, heads: Heads) -> None:
        """Reports the signals that are active at the newest head although their deadline passed."""
        end = max([self._before] + [head["at"] for _, head in heads if not self.is_replay])
        for signal, recorded in self.active.items():
            deadline = recorded.published["deadline" if recorded.filled else "entry_deadline"]
            if time_of(end) >= time_of(deadline) + GRACE_MS + OUTAGE_MS:
                message = f"it is active at {end}, but its deadline was {deadline}"
                self.findings.add(recorded.published["n"], signal, "never_closed", message)

    def finish(self) -> None:
        """Checks the evidence of the signals that are still active. Call it after the last entry."""
        for signal, recorded in self.active.items():
            self._n, self._signal = recorded.published["n"], signal
            if not recorded.unsound:
                recorded.unsound = not recorded.check_evidence(self._fault)


def _seq_of(record: Mapping[str, Any]) -> int:
    """The `seq` up to which events were judged when the record was written; -1 if it does not say."""
    if record["type"] == "closed":
        return int(record["decided_seq"])
    if record["type"] == "feed":
        return int(record["seq"])
    evidence = record.get("filled") or record.get("decided") or record.get("quote")
    return int(evidence["seq"]) if evidence else -1


def _owner(record: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: record[name] for name in ("publisher", "symbol")}


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


Heads = Sequence[Tuple[str, Mapping[str, Any]]]
"""Heads, each with where it comes from."""


def check_heads(heads: Heads, log: LogCheck, findings: Findings) -> List[Tuple[str, Mapping[str, Any]]]:
    """Checks heads: signed by the key of the log, and matching its record. Returns those without faults."""
    sound = []
    for source, head in heads:
        wrong = _head_fault(head, log)
        if wrong:
            findings.add(head["n"], None, "head", f"the head {source} {wrong}")
            continue
        at = log.times.get(head["n"], "")
        if not log.is_replay and at > head["at"]:
            findings.add(head["n"], None, "head_time", f"it is from {at}, later than its head {source} of {head['at']}")
        else:
            sound.append((source, head))
    return sound


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
