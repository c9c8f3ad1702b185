// A first start, or one after a long absence: simulated markets get their history, and ticks follow from there.
import type { Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarHistory,
  BarSeries,
  type Engine,
  type EpochMs,
  type MarketSymbol,
} from '@tickwire/engine';
import { takeUp } from '../../store/restore.ts';
import type { BarRow, MarketStore, TapeBlock } from '../../store/store.ts';
import { encodeBlock } from '../../store/tape-block.ts';
import type { MarketView } from '../../views/market-view.ts';
import { simHistory } from './history.ts';
import type { SimMarket } from './market.ts';

const DAY_MS = 86_400_000;

export interface FirstHistoryOptions {
  readonly market: SimMarket;
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  /** Start of the minute from which ticks will follow. */
  readonly until: EpochMs;
  /** Start of a day: bars from before are in the store and stay. */
  readonly keepUntil: number;
}

export async function writeFirstHistory({
  market,
  engine,
  view,
  store,
  until,
  keepUntil,
}: FirstHistoryOptions): Promise<void> {
  const rows: BarRow[] = [];
  const histories = new Map<MarketSymbol, { [K in Timeframe]?: readonly Bar[] }>();
  for (const { symbol, timeframe, bars } of simHistory(market, until)) {
    const history = histories.get(symbol) ?? {};
    // It takes seconds on a slow machine, and an ingest of a cluster must be able to hold its lease meanwhile.
    if (!histories.has(symbol)) await new Promise(setImmediate);
    // What was shown before is not drawn anew.
    const fresh = bars.filter((bar) => bar.time >= keepUntil);
    history[timeframe] = fresh;
    histories.set(symbol, history);
    for (const bar of fresh) rows.push({ symbol, timeframe, ...bar });
  }
  const day = asEpochMs(until - (until % DAY_MS));
  const volumes: TapeBlock[] = [];
  for (const [symbol, history] of histories) {
    // The day so far: its flow goes on the tape in sum, as an empty block of the day's first minute. A start that was cut
    // off before the bars were stored is made again and replaces it.
    const { bidVolume, askVolume } = dayFlow(symbol, history, until);
    volumes.push({
      symbol,
      minute: day,
      firstSeq: 0,
      count: 0,
      bidVolume,
      askVolume,
      bytes: encodeBlock([], day, 0),
    });
    takeUp(engine, view, symbol, history, until, askVolume - bidVolume);
  }
  await store.writeTape(volumes);
  await store.setNumber('tape_from', until);
  await store.write({ bars: rows, prices: [], barsUntil: until });
}

function dayFlow(symbol: MarketSymbol, history: BarHistory, until: EpochMs): { bidVolume: number; askVolume: number } {
  const series = new BarSeries(symbol, () => {});
  series.restore(history, until);
  return series.forming('1d') ?? { bidVolume: 0, askVolume: 0 };
}
