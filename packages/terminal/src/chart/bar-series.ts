// The bars on the chart: loaded from history, moved on by live prices, set right again by a fresh tail of history.
import type { OhlcvBar, Timeframe } from '@tickwire/client';

export interface Candle {
  /** Start of the bar, milliseconds since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** A page left open for days keeps this many and lets the oldest go. */
const MOST_CANDLES = 1_000;

const candleOf = ({ time, ...rest }: OhlcvBar): Candle => ({ time: Date.parse(time), ...rest });

/** Open of the day that begins at `midnight`; null where the bars do not reach back to it. */
export function openOfDay(candles: readonly Candle[], midnight: number): number | null {
  const oldest = candles[0];
  if (!oldest || oldest.time > midnight) return null;
  return candles.find((candle) => candle.time >= midnight)?.open ?? null;
}

export class BarSeries {
  readonly #intervalMs: number;
  #candles: Candle[];

  constructor(timeframe: Timeframe, bars: readonly OhlcvBar[]) {
    this.#intervalMs = TIMEFRAME_MS[timeframe];
    this.#candles = bars.map(candleOf);
  }

  get candles(): readonly Candle[] {
    return this.#candles;
  }

  /** Puts the newest bars of the service in place of what was guessed. False where they do not join on to these. */
  join(tail: readonly OhlcvBar[]): boolean {
    const fresh = tail.map(candleOf);
    const first = fresh[0];
    if (!first) return true;
    const at = this.#candles.findIndex((candle) => candle.time === first.time);
    if (at < 0) return false;
    this.#candles.splice(at, Number.POSITIVE_INFINITY, ...fresh);
    return true;
  }

  /** Moves the forming bar, or begins the next one. Nothing older than the forming bar is touched. */
  move(price: number, timeMs: number, volume: number): boolean {
    const last = this.#candles.at(-1);
    const start = Math.floor(timeMs / this.#intervalMs) * this.#intervalMs;
    if (!last || start < last.time) return false;
    if (start > last.time) {
      this.#candles.push({ time: start, open: price, high: price, low: price, close: price, volume });
      if (this.#candles.length > MOST_CANDLES) this.#candles.shift();
      return true;
    }
    this.#candles[this.#candles.length - 1] = {
      ...last,
      high: Math.max(last.high, price),
      low: Math.min(last.low, price),
      close: price,
      volume: last.volume + volume,
    };
    return true;
  }
}
