// What an entry of the corpus consists of: a file, the command that imports it, and what must then be stored.
import { type BarValues, DAY, HOUR, MINUTE, QUOTES, START, TRADES, times } from './values.ts';

export interface ExpectedBars {
  /** The name of the stored series: 1m, 30m, 1d@ny (days that end at 17:00 in New York). */
  readonly series: string;
  readonly basis: 'trade' | 'bid';
  /** Time, open, high, low, close, volume. Ascending. */
  readonly rows: readonly (readonly number[])[];
  readonly symbol?: string;
}

export interface Expectation {
  readonly bars?: readonly ExpectedBars[];
  /** Time, bid, ask, bid size, ask size. */
  readonly quotes?: readonly (readonly number[])[];
  /** Time, price, size, side, id. The side is `null` if the file does not have it. */
  readonly trades?: readonly (readonly (number | string | null)[])[];
  /** Everything is stored, but the status is 1, and the summary contains this text. */
  readonly leftOut?: string;
  /** Nothing is stored, and the message contains this text. */
  readonly refusal?: string;
}

export interface CorpusEntry {
  /** Path in `files/`. */
  readonly file: string;
  readonly symbol: string;
  /** Flags besides --symbol. */
  readonly flags?: readonly string[];
  /** Absent if another program writes the file (make-parquet.py). */
  readonly content?: string | Uint8Array;
  readonly expect: Expectation;
}

const STEPS: Readonly<Record<string, number>> = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '2h': 2 * HOUR,
  '4h': 4 * HOUR,
  '12h': 12 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
};

interface BarOptions {
  readonly at?: readonly number[];
  readonly volume?: boolean;
}

/** Bars of these values from `start` on, or at the times `at`. */
export const bars = (
  series: string,
  basis: 'trade' | 'bid',
  values: readonly BarValues[],
  start: number,
  { at = times(start, STEPS[series]!, values.length), volume = true }: BarOptions = {},
): Expectation => ({
  bars: [
    {
      series,
      basis,
      rows: values.map(([open, high, low, close, size], index) => [
        at[index]!,
        open,
        high,
        low,
        close,
        volume ? size : 0,
      ]),
    },
  ],
});

export const quotes = ({ sizes = true, start = START } = {}): Expectation => ({
  quotes: QUOTES.map(([ms, bid, ask, bidSize, askSize]) => [
    start + ms,
    bid,
    ask,
    sizes ? bidSize : 0,
    sizes ? askSize : 0,
  ]),
});

export const trades = ({ sides = true, ids = true, whole = false } = {}): Expectation => ({
  trades: TRADES.map(([ms, price, size, side, id]) => [
    START + (whole ? ms - (ms % 1000) : ms),
    price,
    size,
    sides ? side : null,
    ids ? id : null,
  ]),
});

export const refused = (refusal: string): Expectation => ({ refusal });

/** Lines that end with `\n`, the last one included. */
export const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
