// Sample records for the store suites.
import { asEpochMs, asSymbol, MINUTE_MS, type QuoteEvent, type TradeEvent } from '@tickwire/engine';
import type { KeyRecord } from '../../src/store/access-store.ts';
import type { BarRow, HistogramRow, StoredSeries, TapeBlock } from '../../src/store/market-store.ts';

export const MONDAY = Date.UTC(2026, 2, 2);
export const EURUSD = asSymbol('EURUSD');
export const XAUUSD = asSymbol('XAUUSD');

export const bar = (changes: Partial<BarRow> & { time: BarRow['time'] }): BarRow => ({
  symbol: EURUSD,
  timeframe: '1m',
  open: 1.1,
  high: 1.3,
  low: 1.05,
  close: 1.2,
  volume: 12.5,
  bidVolume: 4.5,
  askVolume: 8,
  basis: 'trade',
  ...changes,
});
export const minuteBar = (index: number, changes: Partial<BarRow> = {}): BarRow =>
  bar({ time: asEpochMs(MONDAY + index * MINUTE_MS), ...changes });

/** Of the minute of `minuteBar(0)`, with its volumes. */
export const histogram: HistogramRow = {
  symbol: EURUSD,
  time: asEpochMs(MONDAY),
  digits: 5,
  levelTicks: 10,
  sides: 1,
  trades: 3,
  turnover: 15.125,
  levels: [
    { ticks: 105_000, buy: 0, sell: 4.5 },
    { ticks: 130_000, buy: 8, sell: 0 },
  ],
};

export const block = (changes: Partial<TapeBlock> = {}): TapeBlock => ({
  symbol: EURUSD,
  minute: asEpochMs(MONDAY),
  firstSeq: 1,
  count: 2,
  bidVolume: 3,
  askVolume: 5,
  bytes: new Uint8Array([1, 0, 255]),
  ...changes,
});

export const key = (id: string, accountId: number, changes: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  accountId,
  name: 'a key',
  hash: new Uint8Array([0, 1, 2, 254, 255]),
  scopes: ['read', 'publish'],
  createdAt: 1_000,
  expiresAt: null,
  path: null,
  session: null,
  sessionEndedAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...changes,
});

export const quote: QuoteEvent = {
  kind: 'quote',
  symbol: EURUSD,
  time: asEpochMs(MONDAY),
  bid: 1.1,
  ask: 1.2,
  bidSize: 1.5,
  askSize: 2,
};
export const trade: TradeEvent = {
  kind: 'trade',
  symbol: EURUSD,
  time: asEpochMs(MONDAY),
  price: 1.15,
  size: 0.01,
  side: 'sell',
  sideMethod: 'tick_rule',
};

/** The error a promise was rejected with; `null` if it resolved. */
export const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error,
  );

/** Stored series as single rows. */
export const rowsOf = (stored: readonly StoredSeries[]): BarRow[] =>
  stored.flatMap(({ symbol, timeframe, bars }) => bars.map((bar) => ({ symbol, timeframe, ...bar })));
