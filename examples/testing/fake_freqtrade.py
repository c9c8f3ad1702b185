"""The parts of freqtrade that a strategy of interface version 3 uses, as its documentation describes them: the base
class, the order of the callbacks in an iteration, and how a row of the analysed frame becomes an entry. `install()`
makes them importable."""

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from types import ModuleType
from typing import Any, Dict, Optional, Tuple

from pandas import DataFrame


class RunMode(Enum):
    DRY_RUN = "dry_run"
    BACKTEST = "backtest"


@dataclass
class Trade:
    pair: str
    enter_tag: Optional[str]
    is_short: bool = False
    leverage: float = 1.0


class IStrategy(ABC):
    can_short = False

    def __init__(self, config: Dict[str, Any]) -> None:
        self.config = config

    def bot_start(self, **kwargs: Any) -> None: ...

    def bot_loop_start(self, current_time: datetime, **kwargs: Any) -> None: ...

    @abstractmethod
    def populate_indicators(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame: ...

    @abstractmethod
    def populate_entry_trend(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame: ...

    @abstractmethod
    def populate_exit_trend(self, dataframe: DataFrame, metadata: Dict[str, Any]) -> DataFrame: ...


def stoploss_from_absolute(
    stop_rate: float, current_rate: float, is_short: bool = False, leverage: float = 1.0
) -> float:
    """The distance of a stop from the price, as a fraction of the price, never negative; times the leverage."""
    distance = stop_rate / current_rate - 1 if is_short else 1 - stop_rate / current_rate
    return min(max(distance, 0.0), 1.0) * leverage


def analyze(strategy: IStrategy, dataframe: DataFrame, pair: str) -> DataFrame:
    """One analysis of a pair. A strategy must not change the length, the last close or the last date of the frame."""
    before = (len(dataframe), dataframe["close"].iloc[-1], dataframe["date"].iloc[-1])
    metadata = {"pair": pair}
    dataframe = strategy.populate_indicators(dataframe.copy(), metadata)
    dataframe = strategy.populate_entry_trend(dataframe, metadata)
    dataframe = strategy.populate_exit_trend(dataframe, metadata)
    assert (len(dataframe), dataframe["close"].iloc[-1], dataframe["date"].iloc[-1]) == before
    return dataframe


def entry_of(strategy: IStrategy, row: Any) -> Tuple[Optional[str], Optional[str]]:
    """Side and tag of the entry that a row means."""
    is_long, is_short = row.get("enter_long", 0) == 1, row.get("enter_short", 0) == 1
    tag = row.get("enter_tag")
    if is_long and not is_short:
        return "long", tag
    if is_short and not is_long and strategy.can_short:
        return "short", tag
    return None, None


def install() -> None:
    for name, content in {
        "freqtrade": {},
        "freqtrade.persistence": {"Trade": Trade},
        "freqtrade.strategy": {"IStrategy": IStrategy, "stoploss_from_absolute": stoploss_from_absolute},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        sys.modules[name] = module
