// The bars of a store with simulated markets, together with those that were never stored: the past before the first stored
// bar, and the shorter bars within stored ones that have none, such as the minutes of the days that a new store begins with.
// Stored bars stay as they are. Generated ones are computed when they are read; only those of the last day are kept, in which
// the next page of a long reading begins.
import { isTimeframe, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { type Bar, DAY_MS, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import { pauses } from '../../../ops/pauses.ts';
import type { BarRange, MarketStore } from '../../../store/store.ts';
import { loadPastSettings } from './past-settings.ts';
import { PAST_BEGINS, SimPast } from './sim-past.ts';

const NO_LIMIT = 1_000_000;

export interface SimBarSourceOptions {
  readonly store: Pick<MarketStore, 'bars' | 'watched' | 'fetched' | 'number'>;
  readonly instruments: readonly InstrumentSpec[];
  readonly now: () => number;
}

/** Start times of bars in milliseconds, both inclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What one reading needs. */
interface Reading extends Span {
  readonly past: SimPast;
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly limit: number;
  readonly first: 'oldest' | 'newest';
}

interface GeneratedDay {
  readonly symbol: MarketSymbol;
  readonly day: number;
  readonly timeframe: Timeframe;
  readonly bars: readonly Bar[];
}

export class SimBarSource implements Pick<MarketStore, 'bars' | 'watched' | 'fetched'> {
  readonly #options: SimBarSourceOptions;
  #past: SimPast | null = null;
  /** Start of the first stored bar, by symbol. Earlier ones are never stored later. */
  readonly #began = new Map<MarketSymbol, number>();

  /** All generated bars of one day. */
  #lastDay: GeneratedDay | null = null;

  constructor(options: SimBarSourceOptions) {
    this.#options = options;
  }

  watched(symbol: MarketSymbol, from: number, to: number): Promise<{ from: number; to: number }[]> {
    return this.#options.store.watched(symbol, from, to);
  }

  fetched(...range: Parameters<MarketStore['fetched']>): ReturnType<MarketStore['fetched']> {
    return this.#options.store.fetched(...range);
  }

  async bars(range: BarRange): Promise<Bar[]> {
    const { store, now } = this.#options;
    const { symbol, timeframe, limit, first } = range;
    const past = await this.#open();
    const began = past?.has(symbol) && isTimeframe(timeframe) ? await this.storedFrom(symbol) : null;
    if (past === null || began === null || !isTimeframe(timeframe)) return store.bars(range);
    const reading = { past, symbol, timeframe, limit, first };
    // The day in which the store begins is left as it is.
    const border = Math.floor(began / DAY_MS) * DAY_MS;
    const before = { from: Math.max(range.from, PAST_BEGINS), to: Math.min(range.to, border - 1) };
    const since = { from: Math.max(range.from, border), to: Math.min(range.to, now() + DAY_MS) };
    if (first === 'oldest') {
      const bars = await this.#generate({ ...reading, ...before });
      if (bars.length >= limit) return bars;
      return bars.concat(await this.#read({ ...reading, ...since, limit: limit - bars.length }));
    }
    const bars = await this.#read({ ...reading, ...since });
    if (bars.length >= limit) return bars;
    return (await this.#generate({ ...reading, ...before, limit: limit - bars.length })).concat(bars);
  }

  /** `null` before the first start of the simulated markets. */
  async #open(): Promise<SimPast | null> {
    const { store, instruments } = this.#options;
    if (!this.#past) {
      const settings = await loadPastSettings(store);
      this.#past ??= settings && new SimPast(instruments, settings);
    }
    return this.#past;
  }

  /** Start of the first stored bar of any timeframe; `null` if there is none. */
  async storedFrom(symbol: MarketSymbol): Promise<number | null> {
    const known = this.#began.get(symbol);
    if (known !== undefined) return known;
    const range = { symbol, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1, first: 'oldest' as const };
    const oldest = await Promise.all(TIMEFRAMES.map((timeframe) => this.#options.store.bars({ ...range, timeframe })));
    const times = oldest.flatMap(([bar]) => (bar ? [bar.time] : []));
    if (times.length === 0) return null;
    const began = Math.min(...times);
    this.#began.set(symbol, began);
    return began;
  }

  /** Bars of days before the store begins. */
  async #generate({ past, symbol, timeframe, from, to, limit, first }: Reading): Promise<Bar[]> {
    const days: Bar[][] = [];
    let count = 0;
    const pause = pauses();
    const [start, end] = [Math.floor(from / DAY_MS), Math.floor(to / DAY_MS)];
    for (let at = 0; at <= end - start && count < limit; at++) {
      const day = (first === 'oldest' ? start + at : end - at) * DAY_MS;
      const bars = await this.#barsOfDay(past, symbol, day, timeframe, { from, to });
      days.push(bars);
      count += bars.length;
      await pause();
    }
    return limited(days, limit, first);
  }

  async #barsOfDay(
    past: SimPast,
    symbol: MarketSymbol,
    day: number,
    timeframe: Timeframe,
    { from, to }: Span,
  ): Promise<Bar[]> {
    const kept = this.#lastDay;
    if (kept?.symbol === symbol && kept.day === day && kept.timeframe === timeframe)
      return kept.bars.filter(({ time }) => time >= from && time <= to);
    const bars = await gathered(past.barsOfDay(symbol, day, timeframe, { from, to }));
    if (from <= day && to >= day + DAY_MS - 1) this.#lastDay = { symbol, day, timeframe, bars };
    return bars;
  }

  /** Stored bars and those within longer stored ones. */
  async #read(reading: Reading): Promise<Bar[]> {
    const { from, to, limit, first } = reading;
    const windows: Bar[][] = [];
    let count = 0;
    let length = limit * TIMEFRAME_MS[reading.timeframe];
    let rest: Span = { from, to };
    while (rest.from <= rest.to && count < limit) {
      const window =
        first === 'oldest'
          ? { from: rest.from, to: Math.min(rest.to, rest.from + length - 1) }
          : { from: Math.max(rest.from, rest.to - length + 1), to: rest.to };
      rest = first === 'oldest' ? { from: window.to + 1, to } : { from, to: window.from - 1 };
      const bars = await this.#readWindow({ ...reading, ...window });
      windows.push(bars);
      count += bars.length;
      // Closed markets have few bars.
      length = Math.max(2 * length, DAY_MS);
    }
    return limited(windows, limit, first);
  }

  async #readWindow(reading: Reading): Promise<Bar[]> {
    const { past, symbol, timeframe, from, to } = reading;
    const length = TIMEFRAME_MS[timeframe];
    const stored = await this.#stored(symbol, timeframe, from, to);
    if (timeframe === '1d' || stored.length >= Math.floor(to / length) - Math.ceil(from / length) + 1) return stored;
    const bars = [...stored];
    const pause = pauses();
    for (const { bar, length: longer } of await this.#bareBars(reading, stored)) {
      bars.push(...(await gathered(past.barsWithin(symbol, bar, longer, timeframe, { from, to }))));
      await pause();
    }
    return bars.sort((a, b) => a.time - b.time);
  }

  /** Longer bars that overlap the range and have no stored bars in them; no two of them overlap. */
  async #bareBars({ symbol, timeframe, from, to }: Reading, stored: readonly Bar[]) {
    const bare: { readonly bar: Bar; readonly length: Timeframe }[] = [];
    let starts = stored.map(({ time }): number => time);
    for (const length of TIMEFRAMES.slice(TIMEFRAMES.indexOf(timeframe) + 1)) {
      const duration = TIMEFRAME_MS[length];
      const found: Bar[] = [];
      for (const bar of await this.#stored(symbol, length, Math.floor(from / duration) * duration, to)) {
        const end = bar.time + duration;
        if (hasBetween(starts, bar.time, end)) continue;
        // A bar at the edge of the range may have shorter ones outside of it.
        if ((bar.time < from || end > to + 1) && (await this.#hasShorter(symbol, timeframe, length, bar))) continue;
        found.push(bar);
      }
      bare.push(...found.map((bar) => ({ bar, length })));
      starts = [...starts, ...found.map(({ time }) => time)].sort((a, b) => a - b);
    }
    return bare;
  }

  async #hasShorter(symbol: MarketSymbol, shortest: Timeframe, length: Timeframe, bar: Bar): Promise<boolean> {
    const range = {
      symbol,
      from: bar.time,
      to: bar.time + TIMEFRAME_MS[length] - 1,
      limit: 1,
      first: 'oldest' as const,
    };
    for (const timeframe of TIMEFRAMES.slice(TIMEFRAMES.indexOf(shortest), TIMEFRAMES.indexOf(length)))
      if ((await this.#options.store.bars({ ...range, timeframe })).length > 0) return true;
    return false;
  }

  #stored(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Promise<Bar[]> {
    return this.#options.store.bars({ symbol, timeframe, from, to, limit: NO_LIMIT, first: 'oldest' });
  }
}

/** At most `limit` bars of parts in the order of reading, ascending. */
function limited(parts: readonly Bar[][], limit: number, first: 'oldest' | 'newest'): Bar[] {
  return first === 'oldest' ? parts.flat().slice(0, limit) : parts.toReversed().flat().slice(-limit);
}

/** Whether a sorted list has a value of `from` ≤ value < `to`. */
function hasBetween(sorted: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]! < to;
}

/** The bars of all parts. Other work runs in between. */
async function gathered(parts: Iterable<Bar[]>): Promise<Bar[]> {
  const bars: Bar[] = [];
  const pause = pauses();
  for (const part of parts) {
    bars.push(...part);
    await pause();
  }
  return bars;
}
