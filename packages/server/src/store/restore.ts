// Takes up where the last run ended: closed bars from the store, everything since from the tape.
//
// The bars of the last minutes are not trusted but rebuilt from the tape, so that a crash between two writes, or a late
// tick, leaves no trace. The sum of the day's flow comes from the tape too.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarHistory,
  type Engine,
  type EngineEvent,
  type EpochMs,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  type MarketSymbol,
} from '@tickwire/engine';
import type { MarketView } from '../views/market-view.ts';
import { KEPT_BARS } from '../views/market-view.ts';
import type { Recorder } from './recorder.ts';
import type { LastPrices, MarketStore, StoredSeries, TapeBlock, TapeRecord } from './store.ts';
import { isAside } from './tape-aside.ts';
import { decodeBlock } from './tape-block.ts';
import { decodeMinute, isMinute, type MinuteRecord } from './tape-minute.ts';

/** Source of what was imported. */
export const IMPORTED = 'import';
const DAY_MS = 86_400_000;
const MINUTE = 60_000;
/** Bars before the late window that may be needed to fold the forming ones, on top of those a view keeps. */
const SPARE_BARS = LATE_WINDOW_MS / MINUTE + 10;

export interface Restored {
  /** Time of the newest tick, or the last moment before the tape where it has none. */
  readonly until: EpochMs;
  readonly ticks: number;
  /** Highest seq that the service itself gave to anything on the tape that was read; 0 where it has nothing. */
  readonly seq: number;
}

export interface RestoreOptions {
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly recorder: Pick<Recorder, 'keepBar'>;
  /** Is handed everything the tape had, in the order of seq, once the market stands where it ended. */
  readonly judge?: (record: RestoredRecord) => void;
}

export type RestoredRecord = TapeRecord | MinuteRecord;

/** Null where no run of the service came before: the store is empty, or holds imported history alone. */
export async function restoreMarket(options: RestoreOptions): Promise<Restored | null> {
  const { store, instruments, engine, view, recorder, judge } = options;
  const barsUntil = await store.number('bars_until');
  if (barsUntil === undefined) return null;
  const tapeFrom = (await store.number('tape_from')) ?? 0;
  const from = asEpochMs(Math.max(tapeFrom, barsUntil - LATE_WINDOW_MS));
  const symbols = instruments.map(({ symbol }) => symbol);
  const histories = historiesOf(await store.recentBars(symbols, KEPT_BARS + SPARE_BARS), from);
  const flow = await store.flow(from - (from % DAY_MS), from);
  const prices = new Map((await store.lastPrices()).map((row) => [row.symbol, row]));
  for (const symbol of symbols) {
    const { bidVolume, askVolume } = flow.get(symbol) ?? { bidVolume: 0, askVolume: 0 };
    const last = prices.get(symbol);
    takeUp(engine, view, symbol, histories.get(symbol) ?? {}, from, askVolume - bidVolume, last);
  }
  const records = (await store.tape(from))
    .filter((block) => view.resolve(block.symbol) && !isAside(block))
    .flatMap(recordsOf)
    .sort((a, b) => a.seq - b.seq);
  const out: EngineEvent[] = [];
  // Nothing of the minute `from` is known yet.
  let until = from - 1;
  for (const { event } of records) {
    engine.apply(event, out);
    until = Math.max(until, knownUntil(event));
  }
  view.read({ firstSeq: 0, source: '', events: out });
  for (const event of out) if (event.kind === 'bar') recorder.keepBar(event);
  if (judge) for (const record of records) judge(record);
  const seq = newestSeq(records);
  if ((await store.number('imported_until')) === barsUntil) {
    // The mark was set by an import: the service itself had ended before, or never run.
    const served = await store.number('served_until');
    return served === undefined ? null : { until: asEpochMs(served - 1), ticks: records.length, seq };
  }
  return { until: asEpochMs(until), ticks: records.length, seq };
}

/** Ticks of an import have numbers of their own, beyond those of the service. */
export const newestSeq = (records: readonly RestoredRecord[]): number =>
  records.reduce((newest, { seq, source }) => (source === IMPORTED ? newest : Math.max(newest, seq)), 0);

/** How far an event tells what happened. Of a minute that still ran, what its ticks tell. */
function knownUntil(event: RestoredRecord['event']): number {
  if (event.kind !== 'minute') return event.time;
  return event.bar.partial ? 0 : event.bar.time + MINUTE - 1;
}

export const recordsOf = (block: TapeBlock): RestoredRecord[] =>
  isMinute(block) ? [decodeMinute(block)] : decodeBlock(block.bytes, block.symbol, block.minute);

/** Hands an instrument's closed bars to the engine and to the view; events from `from` on follow. */
export function takeUp(
  engine: Engine,
  view: MarketView,
  symbol: MarketSymbol,
  history: BarHistory,
  from: EpochMs,
  cumulativeDelta: number,
  last?: LastPrices,
): void {
  const { quote, trade } = last ?? { quote: null, trade: null };
  engine.restore(symbol, { history, from, cumulativeDelta, spread: quote ? quote.ask - quote.bid : 0 });
  view.restore(symbol, history, from);
  view.seed(
    quote && { ...quote, kind: 'tick', volume: 0 },
    trade && { ...trade, kind: 'flow', cumulativeDelta, imbalance: 0, absorption: null },
  );
}

/** Closed bars that ended by `from`, by symbol and timeframe. */
function historiesOf(stored: readonly StoredSeries[], from: EpochMs): Map<MarketSymbol, BarHistory> {
  const histories = new Map<MarketSymbol, { [K in Timeframe]?: readonly Bar[] }>();
  for (const { symbol, timeframe, bars } of stored) {
    const history = histories.get(symbol) ?? {};
    history[timeframe] = bars.filter((bar) => bar.time + TIMEFRAME_MS[timeframe] <= from);
    histories.set(symbol, history);
  }
  return histories;
}
