// The result of a service without interruptions, computed from the simulated ticks alone: minute bars and the day's cumulative
// delta, independent of the service's own aggregation.
import { asEpochMs, CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { SimMarket, type SimOptions } from '../src/market/feeds/sim/sim-market.ts';

export interface WireBar {
  readonly time: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A state that the service may have published: the bar of the minute, the delta of the day. */
interface Moment {
  /** Time of the trade that led to it. */
  readonly at: number;
  readonly bar: WireBar;
  readonly delta: number;
}

const iso = (time: number): string => new Date(time).toISOString();
const rounded = (size: number): number => Math.round(size * 1e8) / 1e8;

/** Aggregates bars, oldest first. */
export function aggregate(time: number, bars: readonly WireBar[]): WireBar {
  return {
    time: iso(time),
    open: bars[0]!.open,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: bars.at(-1)!.close,
    volume: rounded(bars.reduce((sum, { volume }) => sum + volume, 0)),
  };
}

export class Uninterrupted {
  /** Minute bars by symbol. */
  readonly minutes = new Map<string, Map<string, WireBar>>();
  readonly #market: SimMarket;
  readonly #moments = new Map<string, Moment[]>();
  readonly #base: ReadonlyMap<string, number>;
  #at: number;

  /** `from` is the first minute with ticks; `base` is the delta of its day until then. */
  constructor(options: SimOptions, from: number, base: ReadonlyMap<string, number>) {
    this.#market = new SimMarket(CATALOGUE, options);
    this.#at = from;
    this.#base = base;
    for (const { symbol } of CATALOGUE) {
      this.minutes.set(symbol, new Map());
      this.#moments.set(symbol, []);
    }
  }

  /** Runs the market until `to`. */
  advance(to: number): void {
    for (const event of this.#market.events(asEpochMs(this.#at), asEpochMs(to))) {
      if (event.kind !== 'trade') continue;
      const { symbol, time, price, size, side } = event;
      const start = time - (time % MINUTE_MS);
      const moments = this.#moments.get(symbol)!;
      const last = moments.at(-1);
      const minutes = this.minutes.get(symbol)!;
      const before = minutes.get(iso(start));
      const trade: WireBar = { time: iso(start), open: price, high: price, low: price, close: price, volume: size };
      const bar = before ? aggregate(start, [before, trade]) : trade;
      const sameDay = !last || Math.floor(last.at / DAY_MS) === Math.floor(time / DAY_MS);
      const delta = (sameDay ? (last?.delta ?? this.#base.get(symbol) ?? 0) : 0) + (side === 'buy' ? size : -size);
      minutes.set(iso(start), bar);
      moments.push({ at: time, bar, delta });
      // Older states are not needed any more.
      if (moments.length > 4_000) moments.splice(0, 2_000);
    }
    this.#at = Math.max(this.#at, to);
  }

  /** All states that may be published between two times. */
  between(symbol: string, from: number, to: number): readonly Moment[] {
    const moments = this.#moments.get(symbol)!;
    const current = moments.findLastIndex(({ at }) => at < from);
    return moments.slice(Math.max(0, current)).filter(({ at }) => at <= to);
  }
}
