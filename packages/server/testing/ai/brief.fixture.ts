// A market of one moment, for briefs.
import type { ActiveSignal, NewsItem } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import type { BriefInput } from '../../src/ai/brief-facts.ts';

const TIME = asEpochMs(Date.UTC(2026, 2, 2, 11, 24, 7));
export const EURUSD = asSymbol('EURUSD');

export const catalogueSpec = (symbol: string): InstrumentSpec => CATALOGUE.find((spec) => spec.symbol === symbol)!;

const bar = (open: number, high: number, low: number, close: number): Bar => ({
  time: TIME,
  open,
  high,
  low,
  close,
  volume: 1,
  bidVolume: 0,
  askVolume: 0,
  basis: 'bid',
});

export const signal = (changes: Partial<ActiveSignal> = {}): ActiveSignal => ({
  id: 'sig_1',
  user: 'Ada <b>',
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.084,
  stop_loss: 1.081,
  take_profit: 1.09,
  status: 'active',
  timestamp: '2026-03-02T10:00:00.000Z',
  ...changes,
});

export const headline = (changes: Partial<NewsItem> = {}): NewsItem => ({
  title: 'Euro climbs 3 cents as 2 banks cut rates',
  category: 'forex',
  sentiment: 'bullish',
  sentiment_score: 0.6234,
  timestamp: '2026-03-02T11:00:00.000Z',
  ...changes,
});

export const briefInput = (changes: Partial<BriefInput> = {}): BriefInput => ({
  spec: catalogueSpec('EURUSD'),
  quote: { bid: 1.08412, ask: 1.08424, time: TIME },
  hour: bar(1.084, 1.0845, 1.0838, 1.08412),
  day: bar(1.08262, 1.08441, 1.0825, 1.08412),
  flow: { cumulativeDelta: -1234.5, imbalance: 0.25, absorption: null },
  signals: [signal(), signal({ id: 'sig_2', direction: 'sell', entry: 1.085, stop_loss: 1.086, take_profit: 1.08 })],
  news: [headline(), headline({ title: 'Dollar slips', sentiment: 'neutral', sentiment_score: 0 })],
  ...changes,
});

/** No data yet. */
export const emptyInput = (): BriefInput =>
  briefInput({ quote: null, hour: null, day: null, flow: null, signals: [], news: [] });
