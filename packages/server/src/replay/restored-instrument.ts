// The state of an instrument where a replay starts to read its ticks: its bars, order flow and last prices, from the store.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  DAY_MS,
  type Engine,
  type EpochMs,
  HOUR_MS,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  MINUTE_MS,
  type QuoteEvent,
  roundSize,
  roundTo,
  type TradeEvent,
} from '@tickwire/engine';
import { streamTicks } from '../history/tick-stream.ts';
import type { BarSource } from '../market/bar-source.ts';
import { KEPT_BARS } from '../market/closed-bars.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';

/** Closed bars that the forming ones may be made of, in addition to those of the view. */
const SPARE_BARS = LATE_WINDOW_MS / MINUTE_MS + 10;
/** Where the last quote and trade are searched: over a long weekend. */
const LAST_PRICES_MS = 5 * DAY_MS;

export interface RestoreSources {
  readonly bars: BarSource;
  readonly store: Pick<MarketStore, 'tapeOf' | 'tapeDays' | 'histograms'>;
}

interface RestoredMarket {
  readonly engine: Engine;
  readonly view: MarketView;
}

/** Closed bars by timeframe, oldest first. */
type History = { readonly [T in Timeframe]?: readonly Bar[] };

/** `start`: start of a minute. */
export async function restoreInstrument(
  spec: InstrumentSpec,
  start: EpochMs,
  { engine, view }: RestoredMarket,
  sources: RestoreSources,
): Promise<void> {
  const { bars, store } = sources;
  const { symbol } = spec;
  const midnight = start - (start % DAY_MS);
  const limit = KEPT_BARS + SPARE_BARS;
  const history: { [T in Timeframe]?: readonly Bar[] } = {};
  for (const timeframe of TIMEFRAMES) {
    // The minutes of the day have its order flow.
    const count = timeframe === '1m' ? Math.max(limit, (start - midnight) / MINUTE_MS) : limit;
    const read = await bars.bars({ symbol, timeframe, from: 0, to: start - 1, limit: count, first: 'newest' });
    history[timeframe] = read.filter((bar) => bar.time + TIMEFRAME_MS[timeframe] <= start);
  }
  const delta = (history['1m'] ?? [])
    .filter(({ time }) => time >= midnight)
    .reduce((sum, bar) => sum + bar.askVolume - bar.bidVolume, 0);
  const rows = await store.histograms([symbol], start - HOUR_MS, start);
  const quote = await lastQuote(spec, start, history['1m']?.at(-1), store);
  const trade = await lastTrade(spec, start, history, store);
  const cumulativeDelta = roundSize(delta);
  const spread = quote ? quote.ask - quote.bid : 0;
  engine.restore(symbol, { history, histograms: rows, from: start, cumulativeDelta, spread });
  view.restore(symbol, history, start, rows);
  view.seed(
    quote && { ...quote, kind: 'tick', volume: 0 },
    trade && { ...trade, kind: 'flow', cumulativeDelta, imbalance: 0, absorption: null },
    false,
  );
}

/** The last quote before a time. Without a recorded one: the close of the last minute. */
async function lastQuote(
  { symbol, pipSize, digits }: InstrumentSpec,
  before: EpochMs,
  bar: Bar | undefined,
  store: RestoreSources['store'],
): Promise<QuoteEvent | null> {
  const range = { symbol, kind: 'quotes', from: before - LAST_PRICES_MS, to: before - 1 } as const;
  let quote: QuoteEvent | null = null;
  for await (const batch of streamTicks(store, range, 'newest')) {
    quote = batch[0]?.event ?? null;
    break;
  }
  if (!bar || (quote && quote.time >= bar.time)) return quote;
  const { close } = bar;
  const time = asEpochMs(bar.time + MINUTE_MS - 1);
  return { kind: 'quote', symbol, time, bid: close, ask: roundTo(close + pipSize, digits), bidSize: 0, askSize: 0 };
}

/** The last trade before a time. It is searched only in hours whose bars were made of trades: most instruments have none. */
async function lastTrade(
  { symbol }: InstrumentSpec,
  before: EpochMs,
  history: History,
  store: RestoreSources['store'],
): Promise<TradeEvent | null> {
  const hours = new Set(
    [...(history['1h'] ?? []), ...(history['1m'] ?? [])]
      .filter(({ basis, time }) => basis === 'trade' && time >= before - LAST_PRICES_MS)
      .map(({ time }) => time - (time % HOUR_MS)),
  );
  for (const from of [...hours].sort((a, b) => b - a)) {
    const range = { symbol, kind: 'trades', from, to: Math.min(from + HOUR_MS, before) - 1 } as const;
    for await (const batch of streamTicks(store, range, 'newest')) if (batch[0]) return batch[0].event;
  }
  return null;
}
