"""Verification on random logs of the engine, with every kind of data loss, and on what an intruder could do to them."""

import copy
import hashlib
import json
import re
import subprocess
import unittest
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

from . import PYTHON
from tickwire.signing.canonical_json import canonical_json
from tickwire.verify.findings import Findings
from tickwire.verify.log_check import LogCheck, check_heads
from tickwire.verify.recorded_signal import RecordedSignal
from tickwire.verify.tape_check import TapeCheck

Entries = List[Dict[str, Any]]
LOGS = 8
EVENTS = 300
TRIES = 1
# Fields that the log and the tape alone do not prove. Heads kept outside prove all of them.
UNPROVEN = re.compile(
    r"opened\.(log|public_key|realm)"
    r"|.*\.at"
    r"|published\.(entry|stop_loss|breakeven_after|targets\.#\.price)"
    r"|amended\.stop_loss"
    r"|voided\.reason"
    r"|(filled|exited|closed)\.recovered"
    r"|(exited|closed)\.decided\.source"
    r"|closed\.(decided_seq|gap_from|gap_to)"
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
    if ended:
        replay = TapeCheck(ended, findings)
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
        seen: Set[str] = set()
        signatures = 0
        for log in self.logs:
            findings, check, confirmed = verified(log["entries"], log["tape"])
            self.assertEqual((log["seed"], [str(each) for each in findings.first]), (log["seed"], []))
            self.assertEqual((check.recomputed, confirmed), (len(log["closings"]), len(log["closings"])))
            seen.update(log["closings"])
            signatures += check.signatures.valid
        for kind in ("take_profit quote", "take_profit bar", "stop_loss quote", "stop_loss trade", "stop_loss bar"):
            self.assertIn(kind, seen)
        for kind in ("expired quote", "unfilled quote", "manual quote"):
            self.assertIn(kind, seen)
        self.assertGreater(signatures, 50)

    def test_finds_every_changed_field_except_those_that_nothing_else_proves(self) -> None:
        # A short log: each field costs a verification of its own.
        log = random_logs(3, 1, 150)[0]
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


if __name__ == "__main__":
    unittest.main()
