// Rebuilds longer bars after shorter ones have changed: each is the aggregate of the next shorter bars in its interval. A bar
// without shorter bars stays as it is, and so does an imported one while the shorter bars leave a gap in its interval.
import { isTimeframe, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  aggregateBars,
  type Bar,
  DAY_MS,
  type InstrumentSpec,
  intervalMs,
  MIN_GAP_MS,
  MINUTE_MS,
  openBetween,
} from '@tickwire/engine';
import type { BarRow, MarketStore, SeriesName } from '../../store/store.ts';

/** Bars by series and start. */
export type ChangedBars = Map<SeriesName, Map<number, Bar>>;
type Bars = Map<number, Bar>;

/** The changed bars and all longer bars that follow from them, as rows to write. */
export function withLongerBars(
  store: Pick<MarketStore, 'bars'>,
  instrument: Pick<InstrumentSpec, 'symbol' | 'hours'>,
  changed: ChangedBars,
): Promise<BarRow[]> {
  return new LongerBars(store, instrument).build(changed);
}

class LongerBars {
  readonly #store: Pick<MarketStore, 'bars'>;
  readonly #instrument: Pick<InstrumentSpec, 'symbol' | 'hours'>;

  constructor(store: Pick<MarketStore, 'bars'>, instrument: Pick<InstrumentSpec, 'symbol' | 'hours'>) {
    this.#store = store;
    this.#instrument = instrument;
  }

  async build(changed: ChangedBars): Promise<BarRow[]> {
    const { symbol } = this.#instrument;
    const rows: BarRow[] = [];
    const add = (timeframe: SeriesName, bars: Bars): void => {
      for (const bar of bars.values()) rows.push({ symbol, timeframe, ...bar });
    };
    const given = new Map<Timeframe, Bars>();
    for (const [series, bars] of changed) {
      if (isTimeframe(series)) given.set(series, new Map([...(given.get(series) ?? []), ...bars]));
      else {
        add(series, bars);
        await this.#addMultiples(given, series, bars);
      }
    }
    let shorter: { timeframe: Timeframe; bars: Bars; gaps: Set<number> } | null = null;
    for (const timeframe of TIMEFRAMES) {
      const bars: Bars = new Map(given.get(timeframe));
      const gaps: Set<number> = shorter
        ? await this.#rebuild(timeframe, bars, shorter.timeframe, shorter.bars, shorter.gaps)
        : new Set();
      add(timeframe, bars);
      shorter = { timeframe, bars, gaps };
    }
    return rows;
  }

  /** Bars of another length, such as 30m, make those of the shortest timeframe that is a multiple of it. */
  async #addMultiples(given: Map<Timeframe, Bars>, series: SeriesName, changed: Bars): Promise<void> {
    const length = series.includes('@') ? Number.NaN : intervalMs(series);
    const timeframe = length <= DAY_MS ? TIMEFRAMES.find((each) => TIMEFRAME_MS[each] % length === 0) : undefined;
    if (!timeframe) return;
    const slot = TIMEFRAME_MS[timeframe];
    const own = given.get(timeframe) ?? new Map<number, Bar>();
    const starts = new Set([...changed.keys()].map((time) => time - (time % slot)));
    for (const [from, to] of joinAdjacent(starts, slot)) {
      const { merged } = await this.#within(series, length, from, to, changed);
      for (const [start, bars] of Map.groupBy(merged, ({ time }) => time - (time % slot)))
        if (starts.has(start) && !own.has(start)) own.set(start, aggregateBars(start, bars)!);
    }
    given.set(timeframe, own);
  }

  /** Adds the aggregates to `own`; returns the starts of those whose shorter bars leave a gap. */
  async #rebuild(
    timeframe: Timeframe,
    own: Bars,
    shorter: Timeframe,
    changed: Bars,
    shorterGaps: ReadonlySet<number>,
  ): Promise<Set<number>> {
    const length = TIMEFRAME_MS[timeframe];
    const gaps = new Set<number>();
    const starts = new Set(own.keys());
    for (const time of changed.keys()) starts.add(time - (time % length));
    for (const [from, to] of joinAdjacent(starts, length)) {
      const { stored, merged } = await this.#within(shorter, TIMEFRAME_MS[shorter], from, to, changed);
      const known = await this.#within(timeframe, length, from, to, new Map());
      const before = Map.groupBy(stored, ({ time }) => time - (time % length));
      const storedOwn = new Map(known.stored.map((bar) => [bar.time as number, bar]));
      for (const [start, bars] of Map.groupBy(merged, ({ time }) => time - (time % length))) {
        if (!starts.has(start)) continue;
        const hasGap =
          bars.some(({ time }) => shorterGaps.has(time)) || this.#hasGap(bars, start, length, TIMEFRAME_MS[shorter]);
        if (hasGap && (own.has(start) || isIndependent(storedOwn.get(start), start, before.get(start)))) continue;
        if (hasGap) gaps.add(start);
        own.set(start, aggregateBars(start, bars)!);
      }
    }
    return gaps;
  }

  /** By the rule for gaps: five minutes or a whole bar, while the market is open. */
  #hasGap(bars: readonly Bar[], start: number, length: number, shorterLength: number): boolean {
    const limit = Math.max(MIN_GAP_MS, shorterLength);
    const isGap = (from: number, to: number): boolean =>
      to - from >= limit && openBetween(this.#instrument.hours, from, to) >= limit;
    let until = start;
    for (const { time } of bars) {
      if (isGap(until, time)) return true;
      until = time + shorterLength;
    }
    return isGap(until, start + length);
  }

  /** The bars of a series in the store, and the same with the changed ones, both ascending. */
  async #within(
    series: SeriesName,
    length: number,
    from: number,
    to: number,
    changed: Bars,
  ): Promise<{ stored: Bar[]; merged: Bar[] }> {
    const limit = Math.ceil((to - from) / Math.min(length, MINUTE_MS));
    const range = { symbol: this.#instrument.symbol, timeframe: series, from, to: to - 1, limit };
    const stored = await this.#store.bars({ ...range, first: 'oldest' });
    const byTime = new Map(stored.map((bar) => [bar.time as number, bar]));
    for (let time = from; time < to; time += length) {
      const bar = changed.get(time);
      if (bar) byTime.set(time, bar);
    }
    return { stored, merged: [...byTime.values()].sort((a, b) => a.time - b.time) };
  }
}

/** Whether a stored bar is not the aggregate of the shorter bars that were stored with it: it was imported. */
function isIndependent(bar: Bar | undefined, start: number, shorter: readonly Bar[] | undefined): boolean {
  if (!bar) return false;
  const made = shorter && aggregateBars(start, shorter);
  return (
    !made ||
    made.open !== bar.open ||
    made.high !== bar.high ||
    made.low !== bar.low ||
    made.close !== bar.close ||
    made.volume !== bar.volume
  );
}

/** Joins adjacent intervals, ends exclusive, to save queries. */
function* joinAdjacent(starts: ReadonlySet<number>, length: number): Generator<[from: number, to: number]> {
  let from = Number.NaN;
  let to = Number.NaN;
  for (const start of [...starts].sort((a, b) => a - b)) {
    if (start !== to) {
      if (to > from) yield [from, to];
      from = start;
    }
    to = start + length;
  }
  if (to > from) yield [from, to];
}
