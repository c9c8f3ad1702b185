"""The parts of Lean that the algorithm uses, as its documentation and its base classes describe them: custom data,
subscriptions to a remote file, market data in Lean's data folder, and orders. A market order fills at the last price,
others at the price that reaches them. `AlgorithmImports` of this folder exports all of it."""

import csv
import io
import urllib.request
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple


class Resolution(Enum):
    MINUTE = "minute"


class Market:
    COINBASE = "coinbase"


class TimeZones:
    UTC = "UTC"


class SubscriptionTransportMedium(Enum):
    REMOTE_FILE = 1


class FileFormat(Enum):
    CSV = 0


class OrderStatus(Enum):
    SUBMITTED = 1
    FILLED = 3
    CANCELED = 5


@dataclass(frozen=True)
class Symbol:
    value: str
    kind: str = ""


@dataclass
class SubscriptionDataConfig:
    symbol: Symbol


@dataclass
class SubscriptionDataSource:
    source: str
    transport_medium: SubscriptionTransportMedium
    format: FileFormat
    sort: bool = False


class BaseData:
    symbol: Symbol
    time: datetime
    end_time: datetime
    value: float


class PythonData(BaseData):
    """Properties by name, in any case, as in Lean."""

    def __init__(self) -> None:
        self._properties: Dict[str, Any] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        self._properties[name.lower()] = value

    def __getitem__(self, name: str) -> Any:
        return self._properties[name.lower()]


class Slice(Dict[Symbol, Any]):
    def contains_key(self, symbol: Symbol) -> bool:
        return symbol in self


@dataclass
class OrderEvent:
    order_id: int
    status: OrderStatus
    quantity: float
    price: float


@dataclass
class OrderTicket:
    order_id: int
    kind: str
    symbol: Symbol
    quantity: float
    level: Optional[float]
    tag: str
    status: OrderStatus = OrderStatus.SUBMITTED

    def cancel(self) -> None:
        self.status = OrderStatus.CANCELED

    def fills_at(self, price: float) -> bool:
        if self.kind == "market" or self.level is None:
            return True
        rises = (self.quantity > 0) == (self.kind == "stop")
        return price >= self.level if rises else price <= self.level


@dataclass
class Security:
    symbol: Symbol
    price: float = 0.0


@dataclass
class Holding:
    quantity: float = 0.0

    @property
    def invested(self) -> bool:
        return self.quantity != 0


class Portfolio(Dict[Symbol, Holding]):
    total_portfolio_value = 0.0

    def __missing__(self, symbol: Symbol) -> Holding:
        self[symbol] = Holding()
        return self[symbol]


@dataclass
class Transactions:
    tickets: List[OrderTicket] = field(default_factory=list)

    def get_open_orders(self, symbol: Symbol) -> List[OrderTicket]:
        return [each for each in self.tickets if each.symbol == symbol and each.status is OrderStatus.SUBMITTED]


class QCAlgorithm:
    def __init__(self, parameters: Dict[str, str]) -> None:
        self._parameters = parameters
        self._data: List[Tuple[Any, Symbol]] = []
        self.securities: Dict[Symbol, Security] = {}
        self.portfolio = Portfolio()
        self.transactions = Transactions()

    def get_parameter(self, name: str) -> Optional[str]:
        return self._parameters.get(name)

    def set_start_date(self, start: datetime) -> None:
        self.start_date = start

    def set_end_date(self, end: datetime) -> None:
        self.end_date = end

    def set_cash(self, amount: float) -> None:
        self.portfolio.total_portfolio_value = amount

    def set_time_zone(self, zone: str) -> None:
        assert zone == TimeZones.UTC

    def add_crypto(self, ticker: str, resolution: Resolution, market: str) -> Security:
        symbol = Symbol(ticker, f"crypto/{market}/{resolution.value}")
        return self.securities.setdefault(symbol, Security(symbol))

    def add_data(self, type_: Any, ticker: str, resolution: Resolution, time_zone: str) -> Security:
        assert time_zone == TimeZones.UTC  # the default of custom data is New York
        symbol = Symbol(ticker, type_.__name__)
        self._data.append((type_, symbol))
        return Security(symbol)

    def market_order(self, symbol: Symbol, quantity: float, asynchronous: bool = False, tag: str = "") -> OrderTicket:
        ticket = self._order("market", symbol, quantity, None, tag)
        fill(self, ticket, self.securities[symbol].price)
        return ticket

    def limit_order(self, symbol: Symbol, quantity: float, limit_price: float, tag: str = "") -> OrderTicket:
        return self._order("limit", symbol, quantity, limit_price, tag)

    def stop_market_order(self, symbol: Symbol, quantity: float, stop_price: float, tag: str = "") -> OrderTicket:
        return self._order("stop", symbol, quantity, stop_price, tag)

    def _order(self, kind: str, symbol: Symbol, quantity: float, level: Optional[float], tag: str) -> OrderTicket:
        ticket = OrderTicket(len(self.transactions.tickets) + 1, kind, symbol, quantity, level, tag)
        self.transactions.tickets.append(ticket)
        return ticket


def fill(algorithm: Any, ticket: OrderTicket, price: float) -> None:
    ticket.status = OrderStatus.FILLED
    algorithm.portfolio[ticket.symbol].quantity += ticket.quantity
    algorithm.on_order_event(OrderEvent(ticket.order_id, OrderStatus.FILLED, ticket.quantity, price))


def read_custom(type_: Any, symbol: Symbol, start: datetime, end: datetime) -> Iterator[PythonData]:
    """Reads a remote file as Lean does in a backtest: once per address, sorted if the source asks for it."""
    reader, config = type_(), SubscriptionDataConfig(symbol)
    read = set()
    day = start
    while day <= end:
        source = reader.get_source(config, day, False)
        if source.source not in read:
            read.add(source.source)
            with urllib.request.urlopen(source.source) as response:
                lines = response.read().decode().splitlines()
            points = [point for line in lines if (point := reader.reader(config, line, day, False)) is not None]
            if source.sort:
                points.sort(key=lambda point: point.end_time)
            assert points == sorted(points, key=lambda point: point.end_time), "data must be in chronological order"
            yield from (point for point in points if start <= point.end_time < end + timedelta(days=1))
        day += timedelta(days=1)


def read_bars(folder: Path, symbol: Symbol) -> Iterator[Tuple[datetime, float]]:
    """End and close of each minute of the data folder. Times in the files are milliseconds since midnight."""
    for path in sorted(Path(folder, symbol.kind, symbol.value.lower()).glob("*_trade.zip")):
        midnight = datetime.strptime(path.name[:8], "%Y%m%d")
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
        for row in csv.reader(io.StringIO(text)):
            yield midnight + timedelta(milliseconds=int(row[0]), minutes=1), float(row[4])


def set_price(algorithm: Any, symbol: Symbol, price: float) -> None:
    """The market moves to a price: orders that it reaches are filled."""
    algorithm.securities[symbol].price = price
    for ticket in algorithm.transactions.get_open_orders(symbol):
        # An order that filled just before may have cancelled this one.
        if ticket.status is OrderStatus.SUBMITTED and ticket.fills_at(price):
            fill(algorithm, ticket, price)


def run_backtest(algorithm: Any, folder: Path) -> List[datetime]:
    """Runs an algorithm over its bars and custom data, in order of time. Returns the times of the custom data."""
    algorithm.initialize()
    events: Dict[datetime, Slice] = defaultdict(Slice)
    for symbol in algorithm.securities:
        for time, price in read_bars(folder, symbol):
            events[time][symbol] = price
    seen = []
    for type_, symbol in algorithm._data:
        for point in read_custom(type_, symbol, algorithm.start_date, algorithm.end_date):
            events[point.end_time][symbol] = point
            seen.append(point.end_time)
    for time in sorted(events):
        algorithm.time = time
        for symbol in algorithm.securities:
            if symbol in events[time]:
                set_price(algorithm, symbol, events[time][symbol])
        algorithm.on_data(events[time])
    return seen
