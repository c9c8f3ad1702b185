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
from .findings import Finding, Findings, NotProved
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
    """Signals that could not be judged again, by reason: `tape_gone`, `evidence_damaged`."""
    not_proved: Tuple[NotProved, ...] = ()
    """What the result does not prove."""
    faults: int = 0
    """Number of faults."""
    findings: Tuple[Finding, ...] = ()
    """The first 1,000 faults."""
    seconds: float = 0.0
    """How long it took."""

    @property
    def exit_status(self) -> int:
        """Of the command: 1 with faults, 3 if there are none but ticks were not served, otherwise 0."""
        return 1 if not self.ok else 3 if self.unchecked else 0

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
        lines.append(f"  heads      {self.heads_checked:,} heads checked against the log")
        if self.tape_checked:
            text = f"{self.recomputed_from_tape:,} of {self.closed:,} closed signals judged again from {self.ticks:,} ticks"
            lines.append(f"  tape       {text}; {self.sealed_days:,} sealed days intact")
            lines += [f"  unchecked  {count:,} signals: {reason}" for reason, count in self.unchecked.items()]
        else:
            lines.append("  tape       not checked")
        lines.append(f"  result     {'no faults found' if self.ok else f'{self.faults:,} FAULTS'}")
        lines += [f"    {finding}" for finding in self.findings[:50]]
        lines += [f"  not proved {each}" for each in self.not_proved]
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
        if len(items) < 1_000 and last >= int(newest["n"]):  # While signals are published there may be no empty page.
            break
        after = last
    log.finish()
    sound = check_heads(all_heads, log, findings)
    log.check_deadlines(sound)
    judged = _Judged()
    if tape:
        judgeable = ended + [signal for signal in log.active.values() if not signal.unsound]
        chosen = [signal for signal in judgeable if publisher in (None, signal.published["publisher"])]
        await _check_tape(client, chosen, log, findings, judged, progress)
    outside = [head["n"] for _, head in sound if any(head is given for given in heads)]
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
        not_proved=tuple(_not_proved(log, max(outside, default=-1), judged if tape else None)),
        faults=findings.count,
        findings=tuple(findings.first),
        seconds=time.monotonic() - started,
    )


class _Judged:
    def __init__(self) -> None:
        self.confirmed = self.ticks = self.sealed = 0
        self.unsealed: Set[Tuple[str, str]] = set()
        """Days of instruments on which a signal was judged, without a seal in the log."""
        self.unchecked: Dict[str, int] = {}


def _not_proved(log: LogCheck, outside: int, judged: Optional[_Judged]) -> Iterator[NotProved]:
    """N1 to N9 of docs/reference/signals.md. `outside` is the number of the newest record with a head from outside."""
    last = log.tail[0] if log.tail else -1
    signatures = log.signatures

    def count(code: str, found: int, one: str, many: str) -> Iterator[NotProved]:
        if found:
            yield NotProved(code, found, (one if found == 1 else many).format(f"{found:,}"))

    since = "since the newest head from outside: the owner of the log can still rewrite them"
    yield from count("no_outside_head", last - outside, f"{{}} record {since}", f"{{}} records {since}")
    yield NotProved("no_time_stamp", last + 1, "time stamps are not checked here: tickwire verify does")
    if judged is None:
        yield NotProved("no_tape", log.signals, "the tape was not checked: no signal was judged by all ticks of its market")
    else:
        unsealed = "without a seal: the service chose its ticks when it was asked"
        yield from count("unsealed_days", len(judged.unsealed), f"{{}} day of an instrument {unsealed}", f"{{}} days of instruments {unsealed}")
        gone = "whose ticks were not served"
        yield from count("not_served", sum(judged.unchecked.values()), f"{{}} signal {gone}", f"{{}} signals {gone}")
    yield from count("active_signals", len(log.active), "{} signal is active: it has no result yet", "{} signals are active: they have no result yet")
    changed = "changed or removed: the log does not show who did it"
    yield from count("key_changes", signatures.changes, f"{{}} signing key was {changed}", f"{{}} signing keys were {changed}")
    keys = "that the operator could have registered: compare the key with one that you got from the publisher"
    yield from count("operator_keys", len(signatures.publishers), f"{{}} publisher has a signing key {keys}", f"{{}} publishers have signing keys {keys}")
    declared = "only the service declares: nothing outside shows that prices were lost"
    yield from count("declared_gaps", len(log.gaps), f"{{}} gap that {declared}", f"{{}} gaps that {declared}")


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
    active = {id(signal) for signal in log.active.values()}
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
                days = sorted(days_of[id(signal)])
                while id(signal) in active and len(days) > 1 and days[-1] in missing:  # There may be no ticks yet.
                    days.pop()
                judged.unsealed |= {(symbol, day) for day in days} - log.seals.keys()
                gone = [missing[day] for day in days if day in missing]
                if gone:
                    judged.unchecked[gone[0]] = judged.unchecked.get(gone[0], 0) + 1
                else:
                    known.append(signal)
            if known:
                check = TapeCheck(known, findings, log.named_seq)
                paths = [files[day] for day in sorted(files)]
                await loop.run_in_executor(None, _replay, check, paths, symbol, findings)
                judged.confirmed += check.confirmed
                judged.ticks += check.ticks


def _days(signal: RecordedSignal) -> Set[str]:
    """Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote."""
    times = [time_of(evidence["time"]) for evidence in signal.named()]
    if signal.closed:
        times.append(time_of(signal.closed["closed_at"]) - 1)
    elif signal.voided_n is None:
        times.append(max(times[0], min(int(time.time() * 1000), time_of(signal.published["deadline"]) + DAY_MS)))
    first, last = min(times) // DAY_MS, max(times) // DAY_MS
    return {str(dt.date(1970, 1, 1) + dt.timedelta(days=day)) for day in range(first, last + 1)}


async def _fetch_day(
    client: AsyncTickwireClient, symbol: str, day: str, path: str, log: LogCheck, findings: Findings
) -> Tuple[Optional[str], int]:
    """Downloads the ticks of a day. Returns why they are missing, if they are, and 1 if they are those of an intact seal."""
    seal = log.seals.get((symbol, day))
    last = 0
    intact = 0
    gone = "tape_gone"
    if seal:
        try:
            served, sha256, ticks, last = await _download(client, symbol, day, path, None)
        except NotFoundError:
            return gone, 0
        intact = int(served and sha256 == seal["sha256"] and ticks == seal["ticks"])
        if not intact:  # The tape is judged instead.
            last = 0
            os.remove(path)
        if served and not intact:
            gone = "evidence_damaged"
            message = f"the ticks of {symbol} of {day} are {ticks} with the hash {sha256}, the log has {seal['ticks']} with {seal['sha256']}"
            findings.add(seal["n"], None, "sealed_file", message)
    try:
        # Ticks that came after the sealing have a higher seq.
        await _download(client, symbol, day, path, last)
    except NotFoundError:
        return (None if intact else gone), intact
    return None, intact


async def _download(
    client: AsyncTickwireClient, symbol: str, day: str, path: str, after: Optional[int]
) -> Tuple[bool, str, int, int]:
    """Appends to a file. Returns whether it is the sealed file, its hash and number of ticks, and the last `seq`."""
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
    return evidence.sealed, digest.hexdigest(), count, last


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
    lines = _lines(paths[0]) if len(paths) == 1 else heapq.merge(*(_lines(path) for path in paths), key=lambda line: int(line["seq"]))
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
