// Writes the history of simulated markets on the first start, or after a long downtime. Ticks follow from there.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarHistory,
  BarSeries,
  DAY_MS,
  type Engine,
  type EpochMs,
  type MarketSymbol,
} from '@tickwire/engine';
import type { BarRow, MarketStore, TapeBlock } from '../../../store/store.ts';
import { encodeBlock } from '../../../store/tape-block.ts';
import type { MarketView } from '../../market-view.ts';
import { restoreInstrument } from '../../restore.ts';
import { simHistory } from './sim-history.ts';
import type { SimMarket } from './sim-market.ts';

/** Of the bars of an instrument, those of the longest timeframe come last. */
const LAST_TIMEFRAME = TIMEFRAMES.at(-1);

export interface InitialHistoryOptions {
  readonly market: SimMarket;
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  /** Start of the minute from which ticks follow. */
  readonly until: EpochMs;
  /** Start of a day: earlier bars are in the store and stay. */
  readonly keepUntil: number;
}

/**
 * One instrument after the other: the bars of all would be a hundred thousand objects at a time. If this start is interrupted,
 * the marks of the run before stay, and the next start writes the same bars again.
 */
export async function writeInitialHistory({
  market,
  engine,
  view,
  store,
  until,
  keepUntil,
}: InitialHistoryOptions): Promise<void> {
  const day = asEpochMs(until - (until % DAY_MS));
  const volumes: TapeBlock[] = [];
  let history: { [K in Timeframe]?: readonly Bar[] } = {};
  let rows: BarRow[] = [];
  for (const { symbol, timeframe, bars } of simHistory(market, until)) {
    // Published bars are not generated again.
    const fresh = bars.filter((bar) => bar.time >= keepUntil);
    history[timeframe] = fresh;
    for (const bar of fresh) rows.push({ symbol, timeframe, ...bar });
    if (timeframe !== LAST_TIMEFRAME) continue;
    // The order flow of the day so far is stored as a sum, in an empty tape block of the day's first minute.
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
    restoreInstrument(engine, view, symbol, history, until, askVolume - bidVolume);
    await store.writeImported({ bars: rows, prices: [], numbers: {}, days: [], watched: [] });
    [history, rows] = [{}, []];
    // This takes seconds on a slow machine, and an ingest node must be able to renew its lease meanwhile.
    await new Promise(setImmediate);
  }
  await store.writeTape(volumes);
  await store.write({ bars: [], prices: [], barsUntil: until, tapeFrom: until });
}

function dayFlow(symbol: MarketSymbol, history: BarHistory, until: EpochMs): { bidVolume: number; askVolume: number } {
  const series = new BarSeries(symbol, () => {});
  series.restore(history, until);
  return series.forming('1d') ?? { bidVolume: 0, askVolume: 0 };
}
