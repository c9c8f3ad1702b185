"""The whole verification of a service's log: the log on its own, the heads, and every ended signal judged again from the tape."""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
import heapq
import json
import os
import tempfile
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ..client import AsyncTickwireClient, TickwireClient
from ..errors import NotFoundError, RateLimitError
from .findings import Finding, Findings
from .log_check import LogCheck, check_heads, is_head
from .recorded_signal import RecordedSignal
from .shapes import time_of
from .tape_check import TapeCheck

OnProgress = Callable[[str, int, int], None]
"""Called with the step (`log` or `tape`), how much is done, and of how much."""
DAY_MS = 86_400_000
PATIENCE = 120.0
"""Most seconds to wait in total while the service limits the requests of one day."""
MAX_LINE = 4_096


@dataclass(frozen=True)
class VerifyReport:
    """What a verification found. `str(report)` is a summary for people."""

    ok: bool
    """Whether there are no faults."""
    log: Optional[str]
    """Name of the log; None if it is empty."""
    realm: Optional[str]
    """`sim`, `live` or `replay`."""
    records: int
    """Number of records."""
    head: Optional[Tuple[int, str]]
    """Number and hash of the last record."""
    chain_ok: bool
    """Whether the hashes and numbers are unbroken."""
    signals: int
    """Signals published."""
    closed: int
    """Signals closed."""
    active: int
    """Signals that are pending or open."""
    voided: int
    """Signals that an operator voided."""
    valid_signatures: int
    """Valid signatures of publishers."""
    recomputed_from_evidence: int
    """Closings whose result was reproduced from the events in their records."""
    heads_checked: int
    """Heads compared with the log."""
    tape_checked: bool
    """Whether signals were judged again from the tape."""
    recomputed_from_tape: int
    """Closed signals whose result was reproduced from the tape."""
    ticks: int
    """Ticks of the tape that were read."""
    sealed_days: int
    """Sealed days whose content matches the log."""
    unchecked: Dict[str, int] = field(default_factory=dict)
    """Signals that could not be judged again, by reason: `tape_gone`, `evidence_damaged`, `rules_version_1`."""
    faults: int = 0
    """Number of faults."""
    findings: Tuple[Finding, ...] = ()
    """The first 1,000 faults."""
    seconds: float = 0.0
    """How long it took."""

    def as_dict(self) -> Dict[str, Any]:
        """The report as plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        if self.records == 0:
            return "the log is empty"
        lines = [f"{self.log} ({self.realm}): {self.records:,} records checked in {self.seconds:.1f} s"]
        head = self.head or (0, "")
        lines.append(f"  chain      {f'intact up to record {head[0]}: {head[1]}' if self.chain_ok else 'BROKEN'}")
        voided = f", {self.voided:,} voided" if self.voided else ""
        lines.append(f"  signals    {self.signals:,} published, {self.closed:,} closed, {self.active:,} active{voided}")
        lines.append(f"  evidence   {self.recomputed_from_evidence:,} of {self.closed:,} closings recomputed from their records")
        if self.valid_signatures:
            lines.append(f"  signed     {self.valid_signatures:,} valid signatures of publishers")
        lines.append(f"  heads      {self.heads_checked:,} heads checked against the log; time stamps are not checked here")
        if self.tape_checked:
            text = f"{self.recomputed_from_tape:,} of {self.closed:,} closed signals judged again from {self.ticks:,} ticks"
            lines.append(f"  tape       {text}; {self.sealed_days:,} sealed days intact")
            lines += [f"  unchecked  {count:,} signals: {reason}" for reason, count in self.unchecked.items()]
        else:
            lines.append("  tape       not checked")
        lines.append(f"  result     {'no faults found' if self.ok else f'{self.faults:,} FAULTS'}")
        lines += [f"    {finding}" for finding in self.findings[:50]]
        return "\n".join(lines)


def verify_log(
    client: TickwireClient,
    *,
    heads: Sequence[Mapping[str, Any]] = (),
    tape: bool = True,
    publisher: Optional[str] = None,
    on_progress: Optional[OnProgress] = None,
    on_record: Optional[Callable[[Mapping[str, Any]], None]] = None,
) -> VerifyReport:
    """Verifies the signal log of a service: the chain of hashes, the heads, the order in time, the signatures of publishers, and
    every closed signal, from the events in its records and again from the tape.

    `heads` are heads that you have kept; without them, the log proves only that it is consistent. `tape=False` leaves the tape out.
    `publisher`, an id such as `pub_8w2k5n1d`, judges only the signals of one publisher from the tape; the log is always checked as a
    whole. `on_progress` is called with the step, how much is done, and of how much. `on_record` is called for every record.

    Example:
        >>> report = tickwire.verify_log(client)
        >>> print(report)
    """
    return client._thread.run(
        averify_log(
            client._client, heads=heads, tape=tape, publisher=publisher, on_progress=on_progress, on_record=on_record
        )
    )


async def averify_log(
    client: AsyncTickwireClient,
    *,
    heads: Sequence[Mapping[str, Any]] = (),
    tape: bool = True,
    publisher: Optional[str] = None,
    on_progress: Optional[OnProgress] = None,
    on_record: Optional[Callable[[Mapping[str, Any]], None]] = None,
) -> VerifyReport:
    """`verify_log` for asyncio.

    Example:
        >>> report = await tickwire.averify_log(client)
    """
    started = time.monotonic()
    progress = on_progress or (lambda step, done, of: None)
    # The heads are fetched first, so that every record they cover is in the pages that follow.
    all_heads = [(f"number {index + 1} that you passed", head) for index, head in enumerate(heads)]
    for source, head in all_heads:
        if not is_head(head):
            raise ValueError(f"the head {source} is not a head of a signal log")
    newest: Mapping[str, Any] = await _patiently(client.signal_head)
    all_heads += [("of the service", newest), *[("kept by the service", head) for head in await _kept_heads(client)]]
    findings = Findings()
    ended: List[RecordedSignal] = []
    log = LogCheck(findings, [head for _, head in all_heads], ended.append if tape else None, on_record)
    loop = asyncio.get_running_loop()
    after = -1
    while True:
        page = await _patiently(partial(client.signal_log, after=after, limit=1_000))
        items: List[Any] = list(page["items"])
        if not items:
            break
        await loop.run_in_executor(None, log.add, items)
        progress("log", log.records, max(int(newest["n"]) + 1, log.records))
        last = items[-1]["record"].get("n")
        if not isinstance(last, int) or last <= after:  # Stops if a service keeps returning the same page.
            break
        after = last
    log.finish()
    check_heads(all_heads, log, findings)
    judged = _Judged()
    if tape:
        chosen = [signal for signal in ended if publisher in (None, signal.published["publisher"])]
        await _check_tape(client, chosen, log, findings, judged, progress)
        if log.version_1:
            judged.unchecked["rules_version_1"] = log.version_1
    return VerifyReport(
        ok=findings.count == 0,
        log=log.opened["log"] if log.opened else None,
        realm=log.opened["realm"] if log.opened else None,
        records=log.records,
        head=log.tail,
        chain_ok=log.broken == 0,
        signals=log.signals,
        closed=log.closed,
        active=len(log.active),
        voided=log.voided,
        valid_signatures=log.signatures.valid,
        recomputed_from_evidence=log.recomputed,
        heads_checked=len(all_heads),
        tape_checked=tape,
        recomputed_from_tape=judged.confirmed,
        ticks=judged.ticks,
        sealed_days=judged.sealed,
        unchecked=judged.unchecked,
        faults=findings.count,
        findings=tuple(findings.first),
        seconds=time.monotonic() - started,
    )


class _Judged:
    def __init__(self) -> None:
        self.confirmed = self.ticks = self.sealed = 0
        self.unchecked: Dict[str, int] = {}


async def _kept_heads(client: AsyncTickwireClient) -> List[Mapping[str, Any]]:
    heads: List[Mapping[str, Any]] = []
    after = -1
    while True:
        page = await _patiently(partial(client.signal_heads, after=after, limit=1_000))
        items = list(page["items"])
        heads += [head for head in items if is_head(head)]
        last = items[-1]["n"] if items else -1
        if last <= after:
            return heads
        after = last


async def _patiently(call: Callable[[], Any]) -> Any:
    """Waits while the service limits requests."""
    left = PATIENCE
    while True:
        try:
            return await call()
        except RateLimitError as error:
            delay = max(0.5, error.retry_after or 1.0)
            if delay > left:
                raise
            left -= delay
            await asyncio.sleep(delay)


async def _check_tape(
    client: AsyncTickwireClient,
    ended: Sequence[RecordedSignal],
    log: LogCheck,
    findings: Findings,
    judged: _Judged,
    progress: OnProgress,
) -> None:
    groups: Dict[Tuple[str, int], List[RecordedSignal]] = {}
    for signal in ended:
        groups.setdefault((signal.published["symbol"], signal.instrument.digits), []).append(signal)
    days_of = {id(signal): _days(signal) for signal in ended}
    total = sum(len(set().union(*(days_of[id(signal)] for signal in signals))) for signals in groups.values())
    done = 0
    loop = asyncio.get_running_loop()
    for (symbol, _), signals in groups.items():
        with tempfile.TemporaryDirectory(prefix="tickwire-") as folder:
            files: Dict[str, str] = {}
            missing: Dict[str, str] = {}
            for day in sorted(set().union(*(days_of[id(signal)] for signal in signals))):
                path = os.path.join(folder, f"{day}.jsonl")
                reason, sealed = await _fetch_day(client, symbol, day, path, log, findings)
                judged.sealed += sealed
                if reason:
                    missing[day] = reason
                else:
                    files[day] = path
                done += 1
                progress("tape", done, total)
            known: List[RecordedSignal] = []
            for signal in signals:
                gone = [missing[day] for day in days_of[id(signal)] if day in missing]
                if gone:
                    judged.unchecked[gone[0]] = judged.unchecked.get(gone[0], 0) + 1
                else:
                    known.append(signal)
            if known:
                check = TapeCheck(known, findings)
                paths = [files[day] for day in sorted(files)]
                await loop.run_in_executor(None, _replay, check, paths, symbol, findings)
                judged.confirmed += check.confirmed
                judged.ticks += check.ticks


def _days(signal: RecordedSignal) -> Set[str]:
    """Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote."""
    times = [time_of(evidence["time"]) for evidence in signal.named()]
    if signal.closed:
        times.append(time_of(signal.closed["closed_at"]) - 1)
    first, last = min(times) // DAY_MS, max(times) // DAY_MS
    return {str(dt.date(1970, 1, 1) + dt.timedelta(days=day)) for day in range(first, last + 1)}


async def _fetch_day(
    client: AsyncTickwireClient, symbol: str, day: str, path: str, log: LogCheck, findings: Findings
) -> Tuple[Optional[str], int]:
    """Downloads the ticks of a day. Returns why they are missing, if they are, and 1 if they are those of an intact seal."""
    seal = log.seals.get((symbol, day))
    last = 0
    intact = 0
    if seal:
        try:
            sha256, ticks, last = await _download(client, symbol, day, path, None)
        except NotFoundError:
            return "tape_gone", 0
        if sha256 != seal["sha256"] or ticks != seal["ticks"]:
            message = f"the ticks of {symbol} of {day} are {ticks} with the hash {sha256}, the log has {seal['ticks']} with {seal['sha256']}"
            findings.add(seal["n"], None, "sealed_file", message)
            return "evidence_damaged", 0
        intact = 1
    try:
        # Ticks that came after the sealing have a higher seq.
        await _download(client, symbol, day, path, last)
    except NotFoundError:
        return (None if intact else "tape_gone"), intact
    return None, intact


async def _download(
    client: AsyncTickwireClient, symbol: str, day: str, path: str, after: Optional[int]
) -> Tuple[str, int, int]:
    evidence = await _patiently(partial(client.evidence, day, symbol, after=after))
    digest, count, last = hashlib.sha256(), 0, 0
    with open(path, "ab") as file:
        line = b""
        async for line in evidence.raw_lines():
            digest.update(line)
            digest.update(b"\n")
            file.write(line)
            file.write(b"\n")
            count += 1
        if line:
            last = int(json.loads(line)["seq"])
    return digest.hexdigest(), count, last


def _replay(check: TapeCheck, paths: Sequence[str], symbol: str, findings: Findings) -> None:
    try:
        check.read(_merged(paths))
    except _NotEvidence as error:
        findings.add(None, None, "sealed_file", f"the ticks of {symbol} {error}")
    check.finish()


class _NotEvidence(Exception):
    """The message completes the sentence "the ticks of … "."""


def _merged(paths: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """The ticks of all days in order of seq. Days overlap around midnight: a late tick of the old day comes after the first ticks of
    the new one."""
    last = -1
    lines = _lines(paths[0]) if len(paths) == 1 else heapq.merge(*(_lines(path) for path in paths), key=lambda line: line["seq"])
    for line in lines:
        if line["seq"] <= last:
            raise _NotEvidence(f"have the seq {line['seq']} twice, or in the wrong order")
        last = line["seq"]
        yield line


def _lines(path: str) -> Iterator[Any]:
    with open(path, "rb") as file:
        for text in file:
            try:
                line = json.loads(text)
                if not isinstance(line["seq"], int) or not isinstance(line["time"], int):
                    raise ValueError
            except (ValueError, KeyError, TypeError):
                raise _NotEvidence("have a line that is not a tick") from None
            yield line
