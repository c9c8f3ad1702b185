"""Verification on random logs of the engine, with every kind of data loss, and on what an intruder could do to them."""

import asyncio
import copy
import hashlib
import json
import re
import subprocess
import unittest
from typing import Any, Callable, Counter, Dict, Iterator, List, Set, Tuple

from . import PYTHON

import tickwire
from tickwire.signing.canonical_json import canonical_json
from tickwire.verify.findings import Findings
from tickwire.verify.log_check import LogCheck, check_heads
from tickwire.verify.recorded_signal import RecordedSignal
from tickwire.verify.tape_check import TapeCheck

Entries = List[Dict[str, Any]]
LOGS = 8
# Logs on which the engine and this package are compared.
COMPARED = 100
EVENTS = 300
TRIES = 1
# Fields that the log and the tape alone do not prove. Heads kept outside prove all of them.
UNPROVEN = re.compile(
    r"opened\.(log|public_key|realm)"
    r"|.*\.at"
    r"|published\.(entry|max_slippage|stop_loss|breakeven_after|targets\.#\.price)"
    r"|amended\.stop_loss"
    r"|voided\.reason"
    r"|(filled|exited|closed)\.recovered"
    r"|(exited|closed)\.decided\.source"
    r"|closed\.decided_seq"
    r"|feed\..*"
)


def random_logs(first: int, count: int, events: int) -> List[Dict[str, Any]]:
    """Logs that the engine has written, with their tapes."""
    program = PYTHON / "tests/random-logs.fixture.ts"
    bun = PYTHON.parent / "packages/server/bin/bun.mjs"
    done = subprocess.run(
        ["node", str(bun), str(program), str(first), str(count), str(events)], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def verified(entries: Entries, tape: Any) -> Tuple[Findings, LogCheck, int]:
    """Findings, the check of the log, and the number of closings that the tape confirms."""
    findings = Findings()
    ended: List[RecordedSignal] = []
    check = LogCheck(findings, (), ended.append)
    check.add(entries)
    check.finish()
    confirmed = 0
    check.check_deadlines(())
    signals = ended + [signal for signal in check.active.values() if not signal.unsound]
    if signals:
        replay = TapeCheck(signals, findings, check.named_seq)
        replay.read(tape)
        replay.finish()
        confirmed = replay.confirmed
    return findings, check, confirmed


def rewritten(entries: Entries, edit: Callable[[List[Dict[str, Any]]], None]) -> Entries:
    """The log with its records edited, and numbers and hashes recomputed, as the owner of the file could."""
    records = [copy.deepcopy(entry["record"]) for entry in entries]
    edit(records)
    before = "0" * 64
    result: Entries = []
    for n, record in enumerate(records):
        record = {**record, "n": n, "prev": before}
        before = hashlib.sha256(canonical_json(record).encode()).hexdigest()
        result.append({"hash": before, "record": record})
    return result


def paths(value: Any, prefix: Tuple[Any, ...] = ()) -> Iterator[Tuple[Any, ...]]:
    """All fields of a record."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for name, member in members:
        if isinstance(member, (dict, list)):
            yield from paths(member, (*prefix, name))
        else:
            yield (*prefix, name)


OTHERS = {
    "buy": "sell",
    "sell": "buy",
    "market": "limit",
    "limit": "stop",
    "stop": "market",
    "take_profit": "stop_loss",
    "stop_loss": "manual",
    "manual": "expired",
    "expired": "manual",
    "unfilled": "expired",
    "sim": "live",
    "tape": "backfill",
    "backfill": "tape",
}
PRICE = re.compile(r"(bid|ask|price|open|high|low|close|entry|stop_loss|take_profit|entry_price|exit_price|spread)")


def change(record: Dict[str, Any], path: Tuple[Any, ...]) -> None:
    """Sets a field to another value of the same form, or removes it."""
    holder: Any = record
    for name in path[:-1]:
        holder = holder[name]
    name, value = path[-1], holder[path[-1]]
    if isinstance(value, bool) or value is None:
        del holder[name]
    elif isinstance(value, (int, float)):
        if PRICE.fullmatch(str(name)):
            holder[name] = round(value + 0.001, 7)
        else:
            holder[name] = round(value * 0.9, 4) if name == "fraction" else value + 1
    elif value in OTHERS:
        holder[name] = OTHERS[value]
    elif re.match(r"\d{4}-\d\d-\d\dT", value):
        holder[name] = f"{value[:-2]}{(int(value[-2]) + 1) % 10}Z"
    elif re.fullmatch(r"[0-9a-f]{64,}", value):
        holder[name] = ("1" if value[0] == "0" else "0") + value[1:]
    else:
        holder[name] = f"{value}x"


class Verification(unittest.TestCase):
    logs: List[Dict[str, Any]] = []

    @classmethod
    def setUpClass(cls) -> None:
        cls.logs = random_logs(1, LOGS, EVENTS)

    def test_confirms_whatever_the_engine_decides_in_random_markets(self) -> None:
        # The engine and this package are the two judges of signals: here they meet on whole logs with their tapes.
        seen: Counter[str] = Counter()
        for log in random_logs(1, COMPARED, 400):
            findings, check, confirmed = verified(log["entries"], log["tape"])
            self.assertEqual((log["seed"], [str(each) for each in findings.first]), (log["seed"], []))
            self.assertEqual((check.recomputed, confirmed), (len(log["closings"]), len(log["closings"])))
            seen.update(log["closings"])
            seen.update(entry["record"]["type"] for entry in log["entries"])
            seen["signatures"] += check.signatures.valid
        kinds = [f"{reason} {by}" for reason in ("take_profit", "stop_loss") for by in ("quote", "trade", "bar")]
        kinds += ["expired quote", "unfilled quote", "manual quote", "stop_loss bar best", "expired bar", "expired trade", "unfilled trade"]
        kinds += ["unfilled bar", "published", "filled", "exited", "amended", "close_requested", "closed", "voided", "signatures"]
        self.assertEqual([kind for kind in kinds if seen[kind] <= COMPARED // 20], [])

    def test_finds_every_changed_field_except_those_that_nothing_else_proves(self) -> None:
        # A short log: each field costs a verification of its own.
        log = random_logs(6, 1, 150)[0]
        entries, tape = log["entries"], log["tape"]
        tried: Dict[str, int] = {}
        unseen: Set[str] = set()
        for n, entry in enumerate(entries):
            for path in paths(entry["record"]):
                field = ".".join([entry["record"]["type"], *("#" if isinstance(name, int) else name for name in path)])
                if tried.get(field, 0) >= TRIES or path in (("n",), ("prev",)) or UNPROVEN.fullmatch(field):
                    continue
                tried[field] = tried.get(field, 0) + 1
                forged = rewritten(entries, lambda records: change(records[n], path))
                if verified(forged, tape)[0].count == 0:
                    unseen.add(field)
        self.assertEqual(unseen, set())
        self.assertGreater(len(tried), 80)

    def test_finds_a_changed_record_by_its_hash(self) -> None:
        entries = copy.deepcopy(self.logs[0]["entries"])
        entries[7]["record"]["at"] = "2026-03-02T12:00:00.001Z"
        found = verified(entries, [])[0].first
        self.assertIn((7, "hash"), [(each.n, each.code) for each in found])

    def test_finds_removed_duplicated_and_swapped_records(self) -> None:
        entries = self.logs[0]["entries"]

        def codes(changed: Entries) -> Set[str]:
            return {each.code for each in verified(changed, [])[0].first}

        self.assertIn("number", codes(entries[:5] + entries[6:]))
        self.assertIn("number", codes(entries[1:]))
        self.assertIn("number", codes(entries[:5] + entries[4:]))
        self.assertIn("prev", codes(entries[:4] + [entries[5], entries[4]] + entries[6:]))

    def test_finds_a_tick_that_was_removed_from_the_tape(self) -> None:
        log = self.logs[0]
        closed = next(e["record"] for e in log["entries"] if e["record"]["type"] == "closed" and e["record"]["reason"] == "stop_loss")
        tape = [line for line in log["tape"] if line["seq"] != closed["decided"]["seq"]]
        codes = {each.code for each in verified(log["entries"], tape)[0].first}
        self.assertIn("not_on_tape", codes)

    def test_finds_an_earlier_tick_that_should_have_closed_a_signal(self) -> None:
        log = self.logs[0]
        for entry in log["entries"]:
            record = entry["record"]
            if record["type"] == "closed" and record["reason"] == "take_profit" and record["decided"]["kind"] == "quote":
                before = record["decided"]["seq"]
                fill = record["filled"]["seq"]
                # A crash of the price that the log does not know, between the fill and the exit.
                tape = []
                changed = False
                for line in log["tape"]:
                    if "bid" in line and fill < line["seq"] < before and not changed and not self._is_named(log, line["seq"]):
                        factor = 0.5 if self._is_buy(log, record["signal"]) else 2
                        line = {**line, "bid": round(line["bid"] * factor, 3), "ask": round(line["ask"] * factor, 3)}
                        changed = True
                    tape.append(line)
                if changed:
                    found = verified(log["entries"], tape)[0].first
                    self.assertIn((record["signal"], "tape_decides"), [(each.signal, each.code) for each in found])
                    return
        self.fail("the log has no such signal")

    @staticmethod
    def _is_named(log: Dict[str, Any], seq: int) -> bool:
        return f'"seq": {seq},' in json.dumps([entry["record"] for entry in log["entries"]])

    @staticmethod
    def _is_buy(log: Dict[str, Any], signal: str) -> bool:
        records = (entry["record"] for entry in log["entries"])
        return any(r["type"] == "published" and r["signal"] == signal and r["direction"] == "buy" for r in records)

    def test_a_head_that_was_kept_proves_that_the_log_was_rewritten(self) -> None:
        from tickwire import SigningKey

        key = SigningKey.create()
        entries = rewritten(self.logs[0]["entries"], lambda records: records[0].update(public_key=key.public_key))
        opened, kept = entries[0]["record"], entries[20]
        head = {"log": opened["log"], "n": 20, "hash": kept["hash"], "at": kept["record"]["at"]}
        signed = {**head, "public_key": key.public_key, "signature": key.sign(canonical_json(head).encode()).hex()}

        def codes(log: Entries, proof: Dict[str, Any]) -> Set[str]:
            findings = Findings()
            check = LogCheck(findings, [proof])
            check.add(log)
            check_heads([("x", proof)], check, findings)
            return {each.code for each in findings.first if each.code.startswith("head")}

        self.assertEqual(codes(entries, signed), set())
        self.assertEqual(codes(rewritten(entries, lambda records: records[10].update(extra=1)), signed), {"head"})
        self.assertEqual(codes(entries[:20], signed), {"head"})
        self.assertEqual(codes(entries, {**signed, "n": 19}), {"head"})


class FakeEvidence:
    def __init__(self, lines: List[bytes], sealed: bool) -> None:
        self.lines, self.sealed = lines, sealed

    async def raw_lines(self) -> Any:
        for line in self.lines:
            yield line


class FakeClient:
    """What the verification of a remote service asks for."""

    def __init__(self, entries: Entries, head: Dict[str, Any], sealed: List[bytes], late: List[bytes]) -> None:
        self.entries, self.head, self.sealed, self.late = entries, head, sealed, late
        self.tape = sealed + late
        self.limited = 1

    async def signal_head(self) -> Any:
        return self.head

    async def signal_heads(self, after: int, limit: int) -> Any:
        return {"items": []}

    async def signal_log(self, after: int, limit: int) -> Any:
        return {"items": [entry for entry in self.entries if entry["record"]["n"] > after][:100]}

    async def evidence(self, day: str, symbol: str, after: Any = None) -> Any:
        if self.limited:
            self.limited -= 1
            raise tickwire.RateLimitError("too_many_downloads", "", status=429, retry_after=0.1)
        if day != "2026-03-02":
            raise tickwire.NotFoundError("no_evidence", "", status=404)
        if after is None:
            return FakeEvidence(self.sealed, True)
        return FakeEvidence([line for line in self.tape if json.loads(line)["seq"] > after], False)


class RemoteVerification(unittest.TestCase):
    def setUp(self) -> None:
        log = random_logs(5, 1, 200)[0]
        lines = [json.dumps(line, separators=(",", ":")).encode() for line in log["tape"]]
        cut = len(lines) // 2  # The rest came after the sealing.
        self.sealed, self.late = lines[:cut], lines[cut:]
        digest = hashlib.sha256(b"".join(line + b"\n" for line in self.sealed)).hexdigest()
        key = tickwire.SigningKey.create()

        def edit(records: List[Dict[str, Any]]) -> None:
            records[0]["public_key"] = key.public_key
            seal = {"day": "2026-03-02", "symbol": "XAUUSD", "ticks": cut, "sha256": digest}
            records.append({"type": "tape", "rules": 2, "at": "2026-03-03T00:15:00.000Z", **seal})

        self.entries = rewritten(log["entries"], edit)
        last = self.entries[-1]
        head = {"log": self.entries[0]["record"]["log"], "n": last["record"]["n"], "hash": last["hash"], "at": last["record"]["at"]}
        self.head = {**head, "public_key": key.public_key, "signature": key.sign(canonical_json(head).encode()).hex()}

    def verify(self, **changes: Any) -> tickwire.VerifyReport:
        client: Any = FakeClient(self.entries, self.head, self.sealed, self.late)
        for name, value in changes.items():
            setattr(client, name, value)
        return asyncio.run(tickwire.averify_log(client))

    def test_judges_from_sealed_days_and_what_came_later(self) -> None:
        report = self.verify()
        self.assertEqual([str(finding) for finding in report.findings], [])
        self.assertEqual((report.sealed_days, report.ticks), (1, len(self.sealed) + len(self.late)))
        self.assertEqual((report.recomputed_from_tape, report.unchecked), (report.closed, {}))
        self.assertIn("no faults found", str(report))
        self.assertRegex(str(report), "not proved .* \\(N8 operator_keys\\)")
        self.assertEqual(report.exit_status, 0)
        self.assertTrue(json.dumps(report.as_dict()))

    def test_finds_a_sealed_day_that_was_changed(self) -> None:
        changed = [self.sealed[0].replace(b'"time":', b'"time": '), *self.sealed[1:]]
        report = self.verify(sealed=changed)
        self.assertEqual([finding.code for finding in report.findings], ["sealed_file"])
        self.assertEqual((report.recomputed_from_tape, report.unchecked), (report.closed, {}))

    def test_counts_signals_whose_tape_is_gone(self) -> None:
        async def gone(day: str, symbol: str, after: Any = None) -> Any:
            raise tickwire.NotFoundError("no_evidence", "", status=404)

        report = self.verify(evidence=gone)
        self.assertTrue(report.ok)
        self.assertEqual(report.recomputed_from_tape, 0)
        self.assertGreaterEqual(report.unchecked["tape_gone"], report.closed)
        self.assertEqual(report.exit_status, 3)
        self.assertIn("not_served", [each.code for each in report.not_proved])

    def test_finds_a_log_that_was_cut_off(self) -> None:
        report = self.verify(entries=self.entries[:-5])
        self.assertIn("head", [finding.code for finding in report.findings])


if __name__ == "__main__":
    unittest.main()
