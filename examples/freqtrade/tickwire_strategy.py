"""freqtrade strategy that trades the signals of a Tickwire service. It enters after the candle in which a signal was
filled, follows its stop, and exits at its target or when the signal closes. Orders, sizes and limits are freqtrade's.

    pip install ./python                                  # the client of Tickwire, into the environment of freqtrade
    cp examples/freqtrade/tickwire_strategy.py user_data/strategies/
    TICKWIRE_API_KEY=tw_… freqtrade trade --dry-run --strategy TickwireSignals --config config.json

TICKWIRE_PUBLISHER limits it to one publisher, by name or id.
"""

import logging
import os
from datetime import datetime
from typing import Any, Dict, Mapping, Optional

import pandas as pd
import tickwire
from freqtrade.persistence import Trade
from freqtrade.strategy import IStrategy, stoploss_from_absolute
from pandas import DataFrame

logger = logging.getLogger(__name__)


class TickwireSignals(IStrategy):
    INTERFACE_VERSION = 3
    timeframe = "1m"
    can_short = False  # True in futures mode: sell signals then become short trades
    minimal_roi: Dict[str, float] = {}  # targets are those of the signals
    stoploss = -0.10  # a floor, until the stop of the signal is in force
    use_custom_stoploss = True
    process_only_new_candles = True

    signals: Dict[str, Dict[str, Any]]

    def bot_start(self, **kwargs: Any) -> None:
        """Reads all signals once. The stream is opened first, so that none falls in between."""
        self.signals = {}
        self.client = tickwire.TickwireClient()
        self.stream = self.client.live.signals(fills=True, changes=True, closes=True) if self._is_live() else None
        self.publisher = None
        if name := os.environ.get("TICKWIRE_PUBLISHER"):
            self.publisher = self.client.publisher(name)["name"]
        before = None
        query = {"status": "all", "user": self.publisher, "limit": 500, "detail": True}
        while page := self.client.signals(**query, before=before)["items"]:
            for signal in page:
                # A backtest must not know a stop before it was tightened.
                stop = signal["current_stop_loss"] if self.stream else signal["stop_loss"]
                self.signals[signal["id"]] = {**signal, "stop_loss": stop}
            before = page[-1]["id"]

    def bot_loop_start(self, current_time: datetime, **kwargs: Any) -> None:
        """Takes what the stream has received since the last iteration. It reconnects and resumes by itself."""
        try:
            while self.stream and (event := self.stream.next_event(timeout=0.01)):
                if isinstance(event, tickwire.Message):
                    self._add(event.message)
                elif isinstance(event, tickwire.Gap):
                    logger.warning("signals may be missing: %s", event.reason)
        except TimeoutError:
            pass  # nothing more for now
        except tickwire.TickwireError as error:
            logger.warning("no signals: %s", error)

    def _add(self, message: Mapping[str, Any]) -> None:
        if self.publisher and message["user"] != self.publisher:
            return
        if message.get("change") == "amended" and message["id"] in self.signals:
            self.signals[message["id"]]["stop_loss"] = message["stop_loss"]
        elif "change" not in message:
            known = self.signals.get(message["id"], {})
            # A closing states the stop as published; a tighter one stays.
            self.signals[message["id"]] = {**message, **known, **{k: v for k, v in message.items() if k != "stop_loss"}}

    def _is_live(self) -> bool:
        return self.config["runmode"].value in ("live", "dry_run")

    def populate_indicators(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame:
        return dataframe

    def populate_entry_trend(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame:
        """Marks the candle in which a signal was filled. freqtrade enters when that has closed, also in a backtest."""
        symbol = metadata["pair"].split(":")[0].replace("/", "")
        dataframe["enter_long"] = 0
        dataframe["enter_short"] = 0
        dataframe["enter_tag"] = None
        for signal in self.signals.values():
            if signal["symbol"] == symbol and signal.get("filled_at"):
                candle = dataframe["date"] == pd.Timestamp(signal["filled_at"]).floor(pd.Timedelta(self.timeframe))
                side = "enter_long" if signal["direction"] == "buy" else "enter_short"
                dataframe.loc[candle, [side, "enter_tag"]] = (1, signal["id"])
        return dataframe

    def populate_exit_trend(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame:
        return dataframe

    def custom_stoploss(
        self,
        pair: str,
        trade: Trade,
        current_time: datetime,
        current_rate: float,
        current_profit: float,
        after_fill: bool,
        **kwargs: Any,
    ) -> Optional[float]:
        """The stop of the signal, as a distance from the current price. None keeps the stop as it is."""
        signal = self.signals.get(trade.enter_tag or "")
        if signal is None:
            return None
        stop = signal["stop_loss"]
        return stoploss_from_absolute(stop, current_rate, is_short=trade.is_short, leverage=trade.leverage)

    def custom_exit(
        self, pair: str, trade: Trade, current_time: datetime, current_rate: float, current_profit: float, **kwargs: Any
    ) -> Optional[str]:
        """Exits at the target, and when the publisher or the service has closed the signal."""
        signal = self.signals.get(trade.enter_tag or "")
        if signal is None:
            return None
        target = signal["take_profit"]
        if current_rate <= target if trade.is_short else current_rate >= target:
            return "take_profit"
        closed_at = signal.get("closed_at")
        if closed_at and pd.Timestamp(closed_at) <= pd.Timestamp(current_time):
            return f"signal_{signal['close_reason']}"
        return None
