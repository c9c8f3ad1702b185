// Ticks of records and of the tape as events of the engine. Volumes play no role.
import type { Bar, EngineEvent, EpochMs, MarketSymbol, Side } from '@tickwire/engine';

interface Prices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export const replayedQuote = (symbol: MarketSymbol, time: EpochMs, bid: number, ask: number): EngineEvent => ({
  ...{ kind: 'tick', symbol, time, bid, ask },
  ...{ bidSize: 0, askSize: 0, volume: 0 },
});

export const replayedTrade = (symbol: MarketSymbol, time: EpochMs, price: number, side: Side): EngineEvent => ({
  ...{ kind: 'flow', symbol, time, price, side },
  ...{ size: 0, sideMethod: null, cumulativeDelta: 0, imbalance: 0, absorption: null },
});

/** `partial`: other events may have judged a part of the minute. */
export function replayedMinute(symbol: MarketSymbol, time: EpochMs, prices: Prices, partial: boolean): EngineEvent {
  const { open, high, low, close } = prices;
  const sums = { volume: 0, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
  const bar: Bar = { time, open, high, low, close, ...sums, ...(partial && { partial: true as const }) };
  return { kind: 'minute', symbol, bar };
}
