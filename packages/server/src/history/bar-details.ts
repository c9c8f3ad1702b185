// Details of bars that are not stored with them: the number of trades and their average price, from the volume at price of the
// minutes, and how much of the interval was not recorded.
import type { BarField, Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type InstrumentSpec,
  intervalAt,
  isMarketOpen,
  MINUTE_MS,
  nextSessionChange,
  storedTimeframe,
  tradedVolume,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore } from '../store/store.ts';
import { type Chart, longest } from './chart-reader.ts';
import { coveredMs, fetchedPeriods, knownPeriods } from './known-periods.ts';
import { barsByTime } from './recorded-history.ts';
import { minuteVolumes, type VolumeSources, volumeBeyond } from './recorded-volume.ts';

/** `null`: not known. Absent: not requested. */
export interface BarDetails {
  readonly trades?: number | null;
  readonly vwap?: number | null;
  readonly unrecordedMinutes?: number;
  /** `venue`: fetched. `mixed`: fetched in part. `null`: recorded or imported. */
  readonly source?: 'venue' | 'mixed' | null;
}
export type DetailedBar = Bar & BarDetails;

export interface DetailSources extends VolumeSources {
  readonly store: VolumeSources['store'] & Pick<MarketStore, 'watched' | 'fetched'>;
  /** Simulated markets are never disconnected. */
  readonly simulated: boolean;
  readonly alwaysOpen: boolean;
  /** Market time in epoch milliseconds. It passes without ticks, too: after a restart, and beside imported history. */
  readonly now: () => number;
}

/** Decimals of an average price beyond those of the instrument. */
const MORE_DECIMALS = 3;
/** Minutes of bars that are read at a time, and for one page of JSON. */
export const MAX_DETAIL_MINUTES = 200_000;

const OF_TRADES: ReadonlySet<BarField> = new Set(['trades', 'vwap']);

export const needsMinutes = (fields: readonly BarField[]): boolean =>
  fields.some((field) => OF_TRADES.has(field) || field === 'unrecorded_minutes');

export class BarDetailReader {
  /** Whether each minute of the bars is read. */
  readonly readsMinutes: boolean;
  readonly #sources: DetailSources;
  readonly #spec: InstrumentSpec;
  readonly #chart: Chart;
  /** Length of the bars that those of the chart are made of. Fetched bars that are longer say nothing about them. */
  readonly #stored: Timeframe;
  readonly #hasTrades: boolean;
  readonly #hasGaps: boolean;
  readonly #hasSource: boolean;

  constructor(sources: DetailSources, spec: InstrumentSpec, chart: Chart, fields: readonly BarField[]) {
    this.#sources = sources;
    this.#spec = spec;
    this.#chart = chart;
    this.#stored = storedTimeframe(chart.interval, chart.day);
    this.#hasTrades = fields.some((field) => OF_TRADES.has(field));
    this.#hasGaps = fields.includes('unrecorded_minutes');
    this.#hasSource = fields.includes('source') && !sources.simulated;
    this.readsMinutes = needsMinutes(fields);
  }

  /** Bars in parts whose details are read within a second or so. */
  *parts(bars: readonly Bar[]): Generator<readonly Bar[], void, void> {
    const size = Math.max(1, Math.floor((MAX_DETAIL_MINUTES * MINUTE_MS) / longest(this.#chart.interval)));
    for (let from = 0; from < bars.length; from += size) yield bars.slice(from, from + size);
  }

  /** The same bars, in ascending order, with the requested details. */
  async read(bars: readonly Bar[]): Promise<readonly DetailedBar[]> {
    if (bars.length === 0) return bars;
    const ends = bars.map(({ time }) => intervalAt(time, this.#chart.interval, this.#chart.day).end);
    const totals = this.#hasTrades ? await this.#totals(bars, ends) : [];
    const gaps = this.#hasGaps ? await this.#unrecorded(bars, ends) : [];
    const origins = this.#hasSource ? await this.#origins(bars, ends) : [];
    return bars.map((bar, at) => ({
      ...bar,
      ...totals[at],
      ...(this.#hasGaps && { unrecordedMinutes: gaps[at]! }),
      ...(this.#hasSource && { source: origins[at]! }),
    }));
  }

  async #totals(bars: readonly Bar[], ends: readonly number[]): Promise<BarDetails[]> {
    const sums = bars.map(() => ({ trades: 0, turnover: 0, volume: 0, isKnown: true }));
    let at = 0;
    for await (const { time, histogram, volume } of minuteVolumes(this.#sources, this.#spec, {
      from: bars[0]!.time,
      to: ends.at(-1)!,
    })) {
      while (time >= ends[at]!) at++;
      // Bars may leave out a part of the range.
      if (time < bars[at]!.time) continue;
      const sum = sums[at]!;
      sum.volume += volume;
      if (!histogram) sum.isKnown = false;
      else {
        sum.trades += histogram.trades;
        sum.turnover += histogram.turnover;
      }
    }
    return sums.map(({ trades, turnover, volume, isKnown }, index) => {
      // The trades of a bar are known only if the minutes have all of its volume.
      if (!isKnown || trades === 0 || volumeBeyond(tradedVolume(bars[index]!), volume) > 0)
        return { trades: null, vwap: null };
      return { trades, vwap: Number((turnover / volume).toFixed(this.#spec.digits + MORE_DECIMALS)) };
    });
  }

  async #origins(bars: readonly Bar[], ends: readonly number[]): Promise<('venue' | 'mixed' | null)[]> {
    const { store, now } = this.#sources;
    const fetched = await fetchedPeriods(store, this.#spec.symbol, this.#stored, {
      from: bars[0]!.time,
      to: ends.at(-1)!,
    });
    const current = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    let next = 0;
    return bars.map(({ time }, at) => {
      const to = Math.min(ends[at]!, Math.max(time + MINUTE_MS, current));
      while (next < fetched.length && fetched[next]!.to <= time) next++;
      const last = fetched.findIndex(({ from }, index) => index >= next && from >= to);
      const covered = coveredMs(fetched.slice(next, last < 0 ? undefined : last), { from: time, to });
      return covered === 0 ? null : covered < to - time ? 'mixed' : 'venue';
    });
  }

  /** Minutes in which the market was open, the source was not connected, and no bar was recorded. */
  async #unrecorded(bars: readonly Bar[], ends: readonly number[]): Promise<number[]> {
    const { store, now, simulated } = this.#sources;
    if (simulated) return bars.map(() => 0);
    const { symbol } = this.#spec;
    const watched = await knownPeriods(store, symbol, this.#stored, { from: bars[0]!.time, to: ends.at(-1)! });
    const current = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const found: number[] = [];
    let next = 0;
    const pause = pauses();
    for (const [at, { time }] of bars.entries()) {
      await pause();
      // What is still to come is not missing, nor is the forming minute, as in the coverage.
      const end = Math.min(ends[at]!, Math.max(time, current));
      while (next < watched.length && watched[next]!.to <= time) next++;
      let minutes = 0;
      let start: number = time;
      for (let index = next; start < end; index++) {
        const { from, to } = watched[index] ?? { from: end, to: end };
        if (from > start) minutes += await this.#unrecordedBetween(start, Math.min(from, end));
        start = Math.max(start, to);
      }
      found.push(minutes);
    }
    return found;
  }

  async #unrecordedBetween(from: number, to: number): Promise<number> {
    const { symbol, hours } = this.#spec;
    let minutes = 0;
    for (let start = from; start < to; ) {
      const at = asEpochMs(start);
      const change = this.#sources.alwaysOpen ? to : Math.min(to, nextSessionChange(hours, at));
      if (this.#sources.alwaysOpen || isMarketOpen(hours, at)) {
        const first = Math.floor(start / MINUTE_MS) * MINUTE_MS;
        const recorded = await barsByTime(this.#sources, symbol, '1m', first, change);
        minutes += Math.ceil((change - first) / MINUTE_MS) - recorded.size;
      }
      start = change;
    }
    return Math.max(0, minutes);
  }
}
