// The closed bars that indicators of restored alerts had read: from the store, and from the tape as far as it is judged again.
// The bars of the last moments before a crash are only on the tape, and a bar that was amended later has its earlier values
// only there.
import { type AlertCondition, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { AlertInput, Bar, MarketSymbol, WarmUp, WarmUpNeed } from '@tickwire/engine';
import type { BarSource } from '../market/bar-source.ts';
import type { AlertRow } from '../store/alert-store.ts';
import { lastBarOf } from './alert-rows.ts';

/** Alerts whose states are at most this many bars apart are warmed up by one reading of the store. */
const SPARE_BARS = 100;
/** For a state that is much older than the others: its instrument was not configured for a while. */
const MAX_APART = 10_000;

interface Series {
  readonly symbol: MarketSymbol;
  readonly interval: Timeframe;
  /** Bars that an alert needs at most. */
  count: number;
  /** Start of the last bar that the newest and the oldest state had read. */
  newest: number;
  oldest: number;
  stored: readonly Bar[];
  readonly replayed: Map<number, Bar>;
  /** Bars up to `last` as of now: most states are from the same moment. */
  known: { readonly last: number; readonly bars: readonly Bar[] } | null;
}

const keyOf = (symbol: MarketSymbol, interval: Timeframe): string => `${symbol} ${interval}`;

export class RestoredBars {
  readonly #needsOf: (condition: AlertCondition) => readonly WarmUpNeed[];
  readonly #series = new Map<string, Series>();

  constructor(needsOf: (condition: AlertCondition) => readonly WarmUpNeed[]) {
    this.#needsOf = needsOf;
  }

  /** Reads the store, once for all alerts on an instrument and interval. */
  async load(source: Pick<BarSource, 'bars'>, rows: Iterable<AlertRow>): Promise<void> {
    for (const row of rows) for (const need of this.#closedNeeds(row)) this.#expect(row, need);
    for (const series of this.#series.values()) {
      const { symbol, interval, newest, oldest, count } = series;
      if (newest === Number.NEGATIVE_INFINITY) continue;
      const apart = Math.ceil((newest - oldest) / TIMEFRAME_MS[interval]);
      const limit = count + Math.min(Math.max(SPARE_BARS, apart), MAX_APART);
      series.stored = await source.bars({ symbol, timeframe: interval, from: 0, to: newest, limit, first: 'newest' });
    }
  }

  /** An event of the tape is judged again. */
  read(event: AlertInput): void {
    if (event.kind !== 'bar') return;
    const series = this.#series.get(keyOf(event.symbol, event.timeframe));
    if (!series) return;
    series.replayed.set(event.bar.time, event.bar);
    series.known = null;
  }

  /** For an alert that joins behind the last event that was read. */
  warmUp(row: AlertRow): WarmUp {
    const closed: Partial<Record<Timeframe, readonly Bar[]>> = {};
    for (const { interval, bars: count } of this.#closedNeeds(row)) {
      const series = this.#series.get(keyOf(row.symbol!, interval));
      const last = lastBarOf(row, interval);
      if (series && last !== null) closed[interval] = barsUntil(series, last).slice(-count);
    }
    return { closed };
  }

  /** All alerts have joined. */
  clear(): void {
    this.#series.clear();
  }

  #closedNeeds({ symbol, condition }: AlertRow): readonly WarmUpNeed[] {
    if (symbol === null) return [];
    return this.#needsOf(JSON.parse(condition) as AlertCondition).filter(({ bars }) => bars > 0);
  }

  #expect(row: AlertRow, { interval, bars }: WarmUpNeed): void {
    const symbol = row.symbol!;
    const key = keyOf(symbol, interval);
    const found = this.#series.get(key);
    const series = found ?? {
      ...{ symbol, interval, count: 0, stored: [], replayed: new Map(), known: null },
      newest: Number.NEGATIVE_INFINITY,
      oldest: Number.POSITIVE_INFINITY,
    };
    if (!found) this.#series.set(key, series);
    series.count = Math.max(series.count, bars);
    const last = lastBarOf(row, interval);
    if (last === null) return;
    series.newest = Math.max(series.newest, last);
    series.oldest = Math.min(series.oldest, last);
  }
}

function barsUntil(series: Series, last: number): readonly Bar[] {
  if (series.known?.last === last) return series.known.bars;
  const { stored, replayed } = series;
  const bars = stored.filter(({ time }) => time <= last && !replayed.has(time));
  for (const bar of replayed.values()) if (bar.time <= last) bars.push(bar);
  bars.sort((a, b) => a.time - b.time);
  series.known = { last, bars };
  return bars;
}
