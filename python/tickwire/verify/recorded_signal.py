"""One signal as the log records it, and what the rules say about it.

The rules are those of `tickwire.rules`. A signal is run through them twice: once with the events that its records name, and once with
everything on the tape. Both must lead to exactly the records in the log.
"""

from __future__ import annotations

import copy
from decimal import Decimal
from fractions import Fraction
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from ..rules.acceptance import DAY, SECOND, Side, Terms, distance_allowed, order_type, violations
from ..rules.lifecycle import MAX_AMENDMENTS, Signal
from ..rules.market import MINUTE, Event, Instrument, Standing, trade_price
from .findings import Fault
from .shapes import time_of

MAX_VARIANTS = 64
"""Most ways in which missed minutes may have been judged that are followed."""
STALE_MS = 60_000
MARKET_ENTRY_MS = 60 * SECOND
LIFE_MS = 30 * DAY
MAX_DIGITS = 12
RULE_CODES = {
    "P1": "accepted_quote",
    "P2": "levels",
    "P3": "levels",
    "P4": "levels",
    "P5": "levels",
    "P6": "targets",
    "P7": "targets",
    "fields": "price",
}


def exact(value: Any) -> Any:
    """The same with decimals in place of floats: a JSON number is the decimal that it shows."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {name: exact(member) for name, member in value.items()}
    return value


class Publication:
    """What `Signal` reads from a publication."""

    def __init__(self, at: int, publisher: str, quote: Event) -> None:
        self.at = at
        self.fields = {"publisher": publisher}
        self.standing = Standing(quote, False, False)


def event_of(evidence: Mapping[str, Any], instrument: Instrument) -> Event:
    """An event from the evidence in a record. Its prices must be valid."""
    fields = {**exact(evidence), "type": evidence["kind"], "time": time_of(evidence["time"])}
    event = Event(fields, instrument)
    event.judges = True
    if event.type == "quote":
        event.price_after = (event.bid, event.ask)
        return event
    event.spread = instrument.ticks(fields["spread"])
    event.price_after = trade_price(event) if event.type == "trade" else (event.close, event.close + event.spread)
    return event


def has_valid_prices(evidence: Mapping[str, Any], instrument: Instrument) -> bool:
    """Whether all prices of evidence are whole price ticks and fit together."""

    def ticks(name: str) -> Optional[int]:
        found = instrument.ticks(exact(evidence[name]))
        return found if found is not None and (found > 0 or name == "spread" and found == 0) else None

    if evidence["kind"] == "quote":
        bid, ask = ticks("bid"), ticks("ask")
        return bid is not None and ask is not None and bid <= ask
    if ticks("spread") is None:
        return False
    if evidence["kind"] == "trade":
        return ticks("price") is not None
    prices = [ticks(name) for name in ("open", "high", "low", "close")]
    if any(price is None for price in prices):
        return False
    opened, high, low, close = (price or 0 for price in prices)
    return low <= min(opened, close) and max(opened, close) <= high


class RecordedSignal:
    """The records of one signal, in order."""

    def __init__(self, published: Mapping[str, Any]) -> None:
        self.published = published
        self.filled: Optional[Mapping[str, Any]] = None
        self.exits: List[Mapping[str, Any]] = []
        self.amendments: List[Mapping[str, Any]] = []
        self.request: Optional[Mapping[str, Any]] = None
        self.closed: Optional[Mapping[str, Any]] = None
        self.voided_n: Optional[int] = None
        self.unsound = False
        """A fault was found: records after it are no longer checked against the rules of judging."""
        self.instrument = Instrument(exact(published["instrument"]))
        self.at = time_of(published["at"])
        self.side = Side(published["direction"])

    # Publication

    def check_publication(self, fault: Fault) -> None:
        """P1 to P7, O1 to O5 and D1 to D3, by the quote in the record."""
        record, digits = self.published, self.published["instrument"]["digits"]
        if not 0 <= digits <= MAX_DIGITS or not record["instrument"]["pip_size"] > 0:
            fault("price", f"an instrument cannot have {digits} digits and a pip size of {record['instrument']['pip_size']}")
            self.unsound = True
            return
        if not has_valid_prices(record["quote"], self.instrument):
            fault("accepted_quote", "the accepted quote is crossed, or its prices do not fit the instrument")
            self.unsound = True
            return
        terms = self.terms()
        quote = event_of(record["quote"], self.instrument)
        rules = violations(terms, Standing(quote, False, False), self.at, True, False)
        for rule in rules:
            fault(RULE_CODES[rule], f"its publication violates {rule}")
        if rules:
            self.unsound = True
            return
        order = order_type(terms, quote)
        if order != record["order"]:
            fault("order_kind", f"by its quote it is a {order} entry, not {record['order']}")
            self.unsound = True
        if "max_slippage" in record and terms.entry != self.side.entry(quote.bid, quote.ask):
            fault("order_kind", f"a market order is entered at the price of its quote, not at {record['entry']}")
            self.unsound = True
        if not self._has_valid_deadlines():
            fault("deadline", f"its deadlines do not follow from {record['at']}")
            self.unsound = True

    def _has_valid_deadlines(self) -> bool:
        """`expires_at` is not recorded: it is the deadline, unless that is the default."""
        entry, life = time_of(self.published["entry_deadline"]), time_of(self.published["deadline"])
        market = self.published["order"] == "market"
        default = self.at + (MARKET_ENTRY_MS if market else DAY)
        if entry == default and life == self.at + LIFE_MS:
            return True
        return entry == (min(default, life) if market else life) and self.at < life <= self.at + LIFE_MS

    def terms(self) -> Terms:
        """The request in price ticks."""
        record = exact(self.published)
        names = ("direction", "entry", "max_slippage", "stop_loss", "take_profit", "targets", "breakeven_after")
        request = {name: record[name] for name in names if name in record}
        return Terms(request, self.instrument, self.at)

    # Later records

    def add(self, record: Mapping[str, Any], fault: Fault) -> None:
        """A record after the publication, except `voided`."""
        getattr(self, f"_add_{record['type']}")(record, fault)

    def _add_filled(self, record: Mapping[str, Any], fault: Fault) -> None:
        if self.filled:
            fault("record_order", "it was already filled")
            return
        self.filled = record
        self._check_evidence(record, record["filled"], fault)

    def _add_exited(self, record: Mapping[str, Any], fault: Fault) -> None:
        count = len(self.published.get("targets") or [None])
        if not self.filled:
            fault("record_order", f"target {record['target']} was reached before the entry was filled")
        elif record["target"] != len(self.exits) + 1 or record["target"] >= count:
            fault("record_order", f"target {record['target']} cannot exit after {len(self.exits)} of {count}")
        else:
            self.exits.append(record)
            self._check_evidence(record, record["decided"], fault)

    def _add_amended(self, record: Mapping[str, Any], fault: Fault) -> None:
        self.amendments.append(record)
        if self.unsound or not self._check_evidence(record, record["quote"], fault):
            return
        side, entry = self.side, self.instrument.ticks(exact(self.published["entry"]))
        stop = self.instrument.ticks(exact(record["stop_loss"]))
        if stop is None or stop <= 0:
            fault("price", f"{record['stop_loss']} does not fit {record['symbol']}")
            return
        self._check_request(record, fault)
        if len(self.amendments) > MAX_AMENDMENTS:
            fault("amendment", f"it was amended more than {MAX_AMENDMENTS} times")
        current = self._tightest_stop(self.amendments[:-1])
        if side.gain(current, stop) <= 0:
            fault("amendment", f"{record['stop_loss']} is not tighter than the stop in force")
        quote = event_of(record["quote"], self.instrument)
        if self.at_most_stale(record) is False:
            fault("accepted_quote", "its quote was older than 60 s")
        if self.filled:
            if side.gain(stop, side.exit(quote.bid, quote.ask)) <= 0:
                fault("amendment", f"the market had already reached {record['stop_loss']}")
        elif not distance_allowed(side.gain(stop, entry), entry, quote.ask - quote.bid):
            fault("amendment", f"{record['stop_loss']} is not a valid stop of a pending entry")

    def _add_close_requested(self, record: Mapping[str, Any], fault: Fault) -> None:
        if self.request:
            fault("close_request", "closing was already requested")
            return
        self.request = record
        if self.unsound or not self._check_evidence(record, record["quote"], fault):
            return
        self._check_request(record, fault)
        # A pending signal can be withdrawn while the market is closed.
        if self.filled and self.at_most_stale(record) is False:
            fault("accepted_quote", "its quote was older than 60 s")

    def _add_closed(self, record: Mapping[str, Any], fault: Fault) -> None:
        self.closed = record
        if record["instrument"] != self.published["instrument"]:
            fault("belongs", "digits or pip_size differ from the publication")
        if ("gap_from" in record) != ("gap_to" in record) or record.get("gap_from", "") > record.get("gap_to", ""):
            fault("gap", "gap_from and gap_to are not a valid period")
        if not self._check_evidence(record, record["decided"], fault):
            return
        same = record["filled"] == (self.filled["filled"] if self.filled else None)
        if not same:
            fault("fill", "filled differs from the record of the fill" if self.filled else "the log has no record of the fill")

    def at_most_stale(self, record: Mapping[str, Any]) -> bool:
        """Whether the quote in a request was live."""
        return time_of(record["at"]) - time_of(record["quote"]["time"]) <= STALE_MS

    def _check_request(self, record: Mapping[str, Any], fault: Fault) -> None:
        deadline = self.published["deadline" if self.filled else "entry_deadline"]
        if time_of(record["at"]) >= time_of(deadline):
            fault("deadline", f"it came after the deadline {deadline}")

    def _check_evidence(self, record: Mapping[str, Any], evidence: Mapping[str, Any], fault: Fault) -> bool:
        if not has_valid_prices(evidence, self.instrument):
            fault("price", f"a price in it does not fit {record['symbol']}, which has {self.instrument.digits} decimals")
            return False
        if evidence["kind"] != "quote" and "recovered" not in record and record["type"] in ("filled", "exited", "closed"):
            fault("recovered", "recovered must be set: a missed trade or minute decided")
        return True

    def _tightest_stop(self, amendments: Iterable[Mapping[str, Any]]) -> int:
        stop = self.instrument.ticks(exact(self.published["stop_loss"]))
        for record in amendments:
            amended = self.instrument.ticks(exact(record["stop_loss"]))
            stop = stop if amended is None else self.side.tighter(stop, amended)
        after = self.published.get("breakeven_after")
        if after is not None and len(self.exits) >= after:
            stop = self.side.tighter(stop, self.instrument.ticks(exact(self.published["entry"])))
        return int(stop)

    # Judging

    def judge(self) -> Signal:
        """The signal as it was at its publication, with its requests, ready to read events."""
        quote = event_of(self.published["quote"], self.instrument)
        signal = Signal(self.instrument, Publication(self.at, self.published["publisher"], quote), self.terms())
        signal.order = self.published["order"]
        signal.entry_deadline = time_of(self.published["entry_deadline"])
        signal.open_deadline = time_of(self.published["deadline"])
        for record in self.amendments:
            stop = self.instrument.ticks(exact(record["stop_loss"]))
            signal.amendments.append((stop, event_of(record["quote"], self.instrument), time_of(record["at"])))
        if self.request:
            signal.request = (event_of(self.request["quote"], self.instrument), time_of(self.request["at"]))
        return signal

    def named(self) -> List[Mapping[str, Any]]:
        """All evidence in the records, without repetitions, in order of `seq`."""
        quotes = [record["quote"] for record in [self.published, *self.amendments] + ([self.request] if self.request else [])]
        found = quotes + [record["decided"] for record in self.exits]
        if self.filled:
            found.append(self.filled["filled"])
        if self.closed:
            found.append(self.closed["decided"])
        unique = {repr(sorted(evidence.items())): evidence for evidence in found}
        return sorted(unique.values(), key=lambda evidence: int(evidence["seq"]))

    @property
    def is_closed_by_event(self) -> bool:
        """A quote, trade or bar closed it, and not its deadline."""
        record = self.closed
        if not record or record["reason"] == "expired":
            return False
        if record["reason"] != "unfilled":
            return True
        if record["closed_at"] != self.published["entry_deadline"]:
            return True
        # A minute may end with the deadline. It always decides a market order (J12).
        decided, deadline = record["decided"], time_of(self.published["entry_deadline"])
        limited = self.published.get("max_slippage") is not None
        return limited and decided["kind"] == "bar" and time_of(decided["time"]) + MINUTE == deadline

    def check_evidence(self, fault: Fault) -> bool:
        """Runs the rules over the events in the records. Returns whether they lead to the records."""
        accepted = self.published["quote"]["seq"]
        named = [evidence for evidence in self._deciding() if evidence["seq"] > accepted]
        events = [event_of(evidence, self.instrument) for evidence in named]
        if not self._is_in_order(fault):
            return False
        bars = [event for event in events if event.type == "bar"]
        best: Optional[List[Tuple[str, str]]] = None
        for choice in range(min(4 ** len(bars), MAX_VARIANTS)):
            for index, event in enumerate(bars):
                # Events that no record names may have made a minute uncertain (B2), or kept it from setting the price (B9).
                event.partial = bool(choice >> 2 * index & 1)
                event.price_after = None if choice >> 2 * index & 2 else (event.close, event.close + event.spread)
            differences = self._run(events)
            if not differences:
                return True
            if best is None or len(differences) < len(best):
                best = differences
        for code, message in best or []:
            fault(code, message)
        return False

    def _deciding(self) -> List[Mapping[str, Any]]:
        found = [record["decided"] for record in self.exits]
        if self.filled:
            found.append(self.filled["filled"])
        if self.closed:
            found.append(self.closed["decided"])
        unique = {int(evidence["seq"]): evidence for evidence in found}
        return [unique[seq] for seq in sorted(unique)]

    def _is_in_order(self, fault: Fault) -> bool:
        closed, accepted = self.closed, self.published["quote"]["seq"]
        order = [accepted] + ([self.filled["filled"]["seq"]] if self.filled else [])
        order += [record["decided"]["seq"] for record in self.exits]
        valid = all(a <= b for a, b in zip(order[1:], order[2:])) and all(seq > accepted for seq in order[1:])
        if closed:
            decided, bound = closed["decided"]["seq"], closed["decided_seq"]
            if self.is_closed_by_event:
                valid = valid and accepted < decided == bound and order[-1] <= decided
            else:
                # A bar of an earlier minute can fill an entry without becoming the standing price, which may then be older.
                valid = valid and accepted <= decided <= bound and order[-1] <= bound
        if not valid:
            fault("evidence_order", f"the numbers of its events are out of order: {order}")
        return valid

    def _run(self, events: List[Event]) -> List[Tuple[str, str]]:
        signal = self.judge()
        for event in events:
            if signal.active:
                signal.read(event)
        if self.closed and not self.is_closed_by_event and signal.active:
            signal.close_at_deadline(clock(self.closed["decided_seq"]))
        return self.differences(signal)

    def differences(self, signal: Signal) -> List[Tuple[str, str]]:
        """Where the records differ from what the rules say: code and message of each."""
        found: List[Tuple[str, str]] = []
        price = self.instrument.price
        said_fill = None if not signal.fill else (price(signal.fill[0]), signal.fill[1], signal.fill[2].seq)
        fill = self.filled
        recorded_fill = fill and (number(fill["entry_price"]), time_of(fill["filled_at"]), fill["filled"]["seq"])
        if said_fill != recorded_fill:  # Whatever follows from another fill is another, too.
            return [("fill", f"the fill is {_shown(said_fill)} by the rules, {_shown(recorded_fill)} in the log")]
        said_exits = [(number_, price(exit_price), time, event.seq) for number_, (_, exit_price, time, event) in enumerate(signal.exits, 1)]
        exits = [(r["target"], number(r["price"]), time_of(r["exited_at"]), r["decided"]["seq"]) for r in self.exits]
        fractions = [(signal.exits[i][0], number(r["fraction"])) for i, r in enumerate(self.exits) if i < len(signal.exits)]
        if said_exits != exits or any(said != recorded for said, recorded in fractions):
            found.append(("decision", f"the exits are {_shown(said_exits)} by the rules, {_shown(exits)} in the log"))
        if self.closed is None:
            if signal.closing is not None:
                found.append(("record_order", f"it closed as {signal.closing['reason']} without a record"))
        elif signal.closing is None:
            found.append(("decision", f"nothing closes it as {self.closed['reason']}"))
        else:
            found += self._closing_differences(signal.closing)
        return found

    def _closing_differences(self, said: Mapping[str, Any]) -> List[Tuple[str, str]]:
        record = self.closed or {}
        found: List[Tuple[str, str]] = []
        last = record.get("last_exit")
        recorded: Dict[str, Any] = {
            "reason": record["reason"],
            "closed_at": time_of(record["closed_at"]),
            "entry_price": number(record["entry_price"]),
            "exit_price": number(record["exit_price"]),
            "last_exit": None if last is None else {name: number(last[name]) for name in ("fraction", "price")},
            "pnl": number(record["pnl"]),
            "pnl_percent": number(record["pnl_percent"]),
            "pnl_r": number(record["pnl_r"]),
            "pnl_best": number(record.get("pnl_best")),
            "decided": record["decided"]["seq"],
            "decided_seq": record["decided_seq"],
            "self_sourced": record.get("self_sourced"),
        }
        for name, value in recorded.items():
            if said.get(name) != value:
                message = f"{name} is {_shown(value)} in the log, {_shown(said.get(name))} by the rules"
                found.append((_CODES.get(name, "decision"), message))
        return found


_CODES = {
    "pnl": "pnl",
    "pnl_percent": "pnl",
    "pnl_r": "pnl",
    "pnl_best": "pnl",
    "closed_at": "closed_at",
    "entry_price": "fill",
    "self_sourced": "self_sourced",
    "decided_seq": "evidence_order",
}


def clock(seq: int) -> Event:
    """The clock of the service at a position of the order of events."""
    return Event({"type": "clock", "seq": seq}, Instrument({"digits": 0, "pip_size": 1}))


def copy_of(signal: Signal) -> Signal:
    """A signal that can be judged in another way. Events and terms are shared."""
    other = copy.copy(signal)
    other.exits = list(signal.exits)
    other.amendments = list(signal.amendments)
    other.prices = list(signal.prices)
    return other


def number(value: Any) -> Optional[Fraction]:
    """A number of a record, exactly."""
    return None if value is None else Fraction(exact(value))


def _shown(value: Any) -> str:
    if isinstance(value, Fraction):
        return f"{float(value):g}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(_shown(item) for item in value)})"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(item)}" for name, item in value.items())
    return "none" if value is None else str(value)
