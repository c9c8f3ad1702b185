"""Lean algorithm that trades the signals of a Tickwire service on the bars that it exported. Signals are custom data
(PythonData), read from a data link, so that no key is in the algorithm.

    npx tickwire export bars data --symbol BTCUSD --interval 1m --format lean --market coinbase
    npx tickwire keys create --account NAME --path '/api/signals?status=all&symbol=BTCUSD&limit=500&format=csv'
    lean backtest tickwire --parameter tickwire-signals http://…/link/tw_… \\
        --parameter start 2026-11-16 --parameter end 2026-11-17
"""

from AlgorithmImports import *

import csv
from datetime import datetime

COLUMNS = ("id", "user", "symbol", "direction", "entry", "stop_loss", "take_profit", "status", "timestamp")


class TickwireSignal(PythonData):
    """A published signal. Its time is that of the publication: the algorithm sees it then and not earlier."""

    url = ""

    def get_source(self, config: SubscriptionDataConfig, date: datetime, is_live_mode: bool) -> SubscriptionDataSource:
        # The same address for every date: Lean reads it once in a backtest, and polls it in live trading.
        source = SubscriptionDataSource(self.url, SubscriptionTransportMedium.REMOTE_FILE, FileFormat.CSV)
        source.sort = True  # the feed has the newest signal first
        return source

    def reader(self, config: SubscriptionDataConfig, line: str, date: datetime, is_live_mode: bool) -> BaseData:
        cells = next(csv.reader([line]), [])
        if len(cells) < len(COLUMNS) or cells[0] == COLUMNS[0]:
            return None
        row = dict(zip(COLUMNS, cells))
        signal = TickwireSignal()
        signal.symbol = config.symbol
        signal.time = datetime.strptime(row["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ")
        signal.end_time = signal.time
        signal.value = float(row["entry"])
        signal["Id"] = row["id"]
        signal["Direction"] = row["direction"]
        for name in ("entry", "stop_loss", "take_profit"):
            signal[name] = float(row[name])
        return signal


class TickwireAlgorithm(QCAlgorithm):
    """One position at a time, without leverage. It risks at most 1 % of the account: entry to stop of the signal."""

    def initialize(self) -> None:
        self.set_start_date(datetime.strptime(self.get_parameter("start"), "%Y-%m-%d"))
        self.set_end_date(datetime.strptime(self.get_parameter("end"), "%Y-%m-%d"))
        self.set_cash(100_000)
        self.set_time_zone(TimeZones.UTC)
        TickwireSignal.url = self.get_parameter("tickwire-signals")
        self.btcusd = self.add_crypto("BTCUSD", Resolution.MINUTE, Market.COINBASE).symbol
        self.feed = self.add_data(TickwireSignal, "BTCUSD", Resolution.MINUTE, TimeZones.UTC).symbol
        self.exits = []

    def on_data(self, data: Slice) -> None:
        if not data.contains_key(self.feed):
            return
        signal = data[self.feed]
        price = self.securities[self.btcusd].price
        is_busy = self.portfolio[self.btcusd].invested or self.transactions.get_open_orders(self.btcusd)
        if price == 0 or is_busy:
            return
        entry, stop, target = (float(signal[name]) for name in ("entry", "stop_loss", "take_profit"))
        if abs(entry - price) > abs(entry - stop) / 4:
            return  # too late, or a limit or stop entry: this example enters only at the market
        account = self.portfolio.total_portfolio_value
        quantity = round(min(0.01 * account / abs(entry - stop), 0.9 * account / price), 4)
        quantity *= 1 if signal["Direction"] == "buy" else -1
        if quantity != 0:
            self.levels = (quantity, stop, target)
            self.market_order(self.btcusd, quantity, tag=signal["Id"])

    def on_order_event(self, order_event: OrderEvent) -> None:
        if order_event.status != OrderStatus.FILLED:
            return
        if order_event.order_id in [exit_.order_id for exit_ in self.exits]:
            for exit_ in self.exits:
                if exit_.order_id != order_event.order_id:
                    exit_.cancel()
            self.exits = []
        elif not self.exits:
            quantity, stop, target = self.levels
            self.exits = [
                self.stop_market_order(self.btcusd, -quantity, stop),
                self.limit_order(self.btcusd, -quantity, target),
            ]
