// Restores the market from the last run: closed bars from the store, everything since from the tape.
//
// The bars of the last minutes are rebuilt from the tape, so that a crash between two writes, or a late tick, leaves no error.
// The sum of the day's order flow comes from the tape too.
import { iso, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarHistory,
  DAY_MS,
  type Engine,
  type EngineEvent,
  type EpochMs,
  endedBy,
  type GapEvent,
  HOUR_MS,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteHistogram,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { LastPrices, MarketStore, StoredSeries, TapeBlock, TapeRecord } from '../store/store.ts';
import type { MinuteRecord } from '../store/tape-minute.ts';
import { IMPORTED, recordsOf } from '../store/tape-records.ts';
import { KEPT_BARS } from './closed-bars.ts';
import type { MarketView } from './market-view.ts';
import type { Recorder } from './recorder.ts';

/** Bars before the late window that may be needed to aggregate the forming ones, in addition to those of the view. */
const SPARE_BARS = LATE_WINDOW_MS / MINUTE_MS + 10;
/** Volume at price before the replayed minutes: late trades amend the newest of it, and the current hour needs all of it. */
const HISTOGRAMS_MS = HOUR_MS;

export interface Restored {
  /** Time of the newest tick, or the last millisecond before the tape if it has none. */
  readonly until: EpochMs;
  readonly ticks: number;
  /** Highest seq that the service itself assigned to a record that was read; 0 if there is none. */
  readonly seq: number;
}

export interface RestoreOptions {
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly recorder: Pick<Recorder, 'keepBar'>;
  /** Called for every event that the engine makes of the tape, with the seq of the record; without imported ones. */
  readonly replay?: (seq: number, event: EngineEvent) => void;
  /**
   * Called for every record of the tape in the order of seq, after the market is restored; and for the gaps that damaged blocks
   * leave, before the first record of their minute or the first that follows it.
   */
  readonly judge?: (record: RestoredRecord) => void;
  /** Called for every damaged block that was to be read. */
  readonly onDamaged?: (block: TapeBlock) => void;
}

export type RestoredRecord = TapeRecord | MinuteRecord | GapRecord;

export interface GapRecord {
  readonly seq: number;
  /** What was lost came before this record; `Infinity` if none is known to follow. */
  readonly before: number;
  readonly event: GapEvent;
  readonly source: '';
}

/** `null` if the service has not run before: the store is empty or has only imported history. */
export async function restoreMarket(options: RestoreOptions): Promise<Restored | null> {
  const { store, instruments, engine, view, recorder, judge, replay } = options;
  const barsUntil = await store.number('bars_until');
  if (barsUntil === undefined) return null;
  const tapeFrom = (await store.number('tape_from')) ?? 0;
  const from = asEpochMs(Math.max(tapeFrom, barsUntil - LATE_WINDOW_MS));
  const symbols = instruments.map(({ symbol }) => symbol);
  const stored = await store.recentBars(symbols, KEPT_BARS + SPARE_BARS);
  const histories = historiesOf(stored, from);
  const recorded = Map.groupBy(await store.histograms(symbols, from - HISTOGRAMS_MS, from), ({ symbol }) => symbol);
  const flow = await store.flow(from - (from % DAY_MS), from);
  const prices = new Map((await store.lastPrices()).map((row) => [row.symbol, row]));
  for (const symbol of symbols) {
    const { bidVolume, askVolume } = flow.get(symbol) ?? { bidVolume: 0, askVolume: 0 };
    const last = prices.get(symbol);
    const histograms = recorded.get(symbol) ?? [];
    restoreInstrument(engine, view, symbol, histories.get(symbol) ?? {}, from, askVolume - bidVolume, last, histograms);
  }
  const blocks = await store.tape(from);
  const damaged = blocks.filter((block) => block.damaged);
  for (const block of damaged) options.onDamaged?.(block);
  const records = blocks
    .filter((block) => view.resolve(block.symbol))
    .flatMap(recordsOf)
    .sort((a, b) => a.seq - b.seq);
  const out: EngineEvent[] = [];
  // Alerts may take long to judge: leases are renewed meanwhile.
  const pause = pauses();
  // Nothing is known about the minute `from` yet.
  let until = from - 1;
  const minutes = [...damaged, ...(await fetchedMinutes(store, symbols, from))];
  for (const { seq, event, source } of withStoredMinutes(records, minutes, stored, symbols)) {
    // Not for each tick: even an await of nothing costs as much as the tick.
    const turn = pause();
    if (turn) await turn;
    const first = out.length;
    engine.apply(event, out);
    until = Math.max(until, knownUntil(event));
    if (replay && source !== IMPORTED) for (let next = first; next < out.length; next++) replay(seq, out[next]!);
  }
  view.replay(out);
  for (const event of out) if (event.kind === 'bar') recorder.keepBar(event);
  if (judge) for (const record of withGaps(records, damaged, symbols)) judge(record);
  const seq = newestSeq(records);
  if ((await store.number('imported_until')) === barsUntil) {
    // An import set the watermark: the service itself ended earlier, or has never run.
    const served = await store.number('served_until');
    return served === undefined ? null : { until: asEpochMs(served - 1), ticks: records.length, seq };
  }
  return { until: asEpochMs(until), ticks: records.length, seq };
}

/** `null`, or why the markets stand still: the engine does not go back in time. Clocks of nodes may differ by seconds. */
export function clockProblem(storedUntil: number, now: number): string | null {
  const ahead = storedUntil - now;
  if (ahead <= MINUTE_MS) return null;
  const [minutes, days] = [Math.round(ahead / MINUTE_MS), Math.round(ahead / DAY_MS)];
  return `the stored market data ends at ${iso(storedUntil)}, ${days > 1 ? `${days} days` : `${minutes} min`} ahead of the clock of this machine: the markets stand still until then. Correct the clock, or restore a backup`;
}

/** Minutes from `from` on whose bars were fetched from a venue: the tape has a part of their ticks at most. */
async function fetchedMinutes(
  store: MarketStore,
  symbols: readonly MarketSymbol[],
  from: number,
): Promise<Pick<TapeBlock, 'symbol' | 'minute'>[]> {
  const minutes: Pick<TapeBlock, 'symbol' | 'minute'>[] = [];
  for (const symbol of symbols)
    for (const range of await store.fetched(symbol, from, from + DAY_MS)) {
      if (range.timeframe !== '1m') continue;
      const end = Math.min(range.to, from + DAY_MS);
      for (let minute = Math.max(range.from, from); minute < end; minute += MINUTE_MS)
        minutes.push({ symbol, minute: asEpochMs(minute) });
    }
  return minutes;
}

/**
 * The records, with the stored bar of a minute in place of its ticks if some of them are in a damaged block, or if its bar was
 * fetched.
 */
function withStoredMinutes(
  records: readonly (TapeRecord | MinuteRecord)[],
  damaged: readonly Pick<TapeBlock, 'symbol' | 'minute'>[],
  stored: readonly StoredSeries[],
  symbols: readonly MarketSymbol[],
): readonly (TapeRecord | MinuteRecord)[] {
  let all = records;
  for (const { symbol: named, minute } of damaged)
    for (const { symbol, timeframe, bars } of stored) {
      const bar = timeframe === '1m' && bars.find(({ time }) => time === minute);
      // The newest ticks may be of any instrument.
      if (!bar || (symbols.includes(named) && symbol !== named)) continue;
      const others = all.filter(
        ({ event }) => event.symbol !== symbol || startOf(event) - (startOf(event) % MINUTE_MS) !== minute,
      );
      const found = others.findIndex(({ event }) => startOf(event) >= minute);
      const at = found < 0 ? others.length : found;
      all = others.toSpliced(at, 0, { seq: 0, event: { kind: 'minute', symbol, bar }, source: IMPORTED });
    }
  return all;
}

/** The records, with a gap for each minute that has a damaged block. Its columns may be damaged, too: they only make it larger. */
export function withGaps(
  records: readonly RestoredRecord[],
  damaged: readonly TapeBlock[],
  symbols: readonly MarketSymbol[],
): readonly RestoredRecord[] {
  const all = [...records];
  const seqAt = (time: number): number =>
    records.find(({ event }) => startOf(event) >= time)?.seq ?? Number.POSITIVE_INFINITY;
  for (const [minute, blocks] of Map.groupBy(damaged, (block) => block.minute)) {
    const found = all.findIndex(({ event }) => startOf(event) >= minute);
    const at = found < 0 ? all.length : found;
    const to = asEpochMs(minute + MINUTE_MS);
    const named = symbols.filter((each) => blocks.some(({ symbol }) => symbol === each));
    // The newest ticks may be of any instrument.
    const concerned = blocks.every(({ symbol }) => symbols.includes(symbol)) ? named : symbols;
    const event: GapEvent = { kind: 'gap', symbols: concerned, from: minute, to, time: to };
    // Late ticks of the minute may follow those of the next one.
    const before = Math.max(seqAt(to), ...blocks.map(({ firstSeq }) => firstSeq));
    all.splice(at, 0, { seq: seqAt(minute), before, event, source: '' });
  }
  return all;
}

const startOf = (event: RestoredRecord['event']): number =>
  event.kind === 'minute' ? event.bar.time : event.kind === 'gap' ? event.from : event.time;

/** Imported ticks are left out: the service does not publish them. */
export const newestSeq = (records: readonly Pick<RestoredRecord, 'seq' | 'source'>[]): number =>
  records.reduce((newest, { seq, source }) => (source === IMPORTED ? newest : Math.max(newest, seq)), 0);

/** Up to when an event proves what happened. A running minute proves nothing beyond its ticks. */
function knownUntil(event: (TapeRecord | MinuteRecord)['event']): number {
  if (event.kind !== 'minute') return event.time;
  return event.bar.partial ? 0 : event.bar.time + MINUTE_MS - 1;
}

/** Restores an instrument's closed bars in the engine and the view; events from `from` on follow. */
export function restoreInstrument(
  engine: Engine,
  view: MarketView,
  symbol: MarketSymbol,
  history: BarHistory,
  from: EpochMs,
  cumulativeDelta: number,
  last?: LastPrices,
  histograms: readonly MinuteHistogram[] = [],
): void {
  const { quote, trade } = last ?? { quote: null, trade: null };
  engine.restore(symbol, { history, histograms, from, cumulativeDelta, spread: quote ? quote.ask - quote.bid : 0 });
  view.restore(symbol, history, from, histograms);
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
    history[timeframe] = endedBy(bars, timeframe, from);
    histories.set(symbol, history);
  }
  return histories;
}
