// Levels of conditions as signed, inclusive bounds. Prices are whole ticks; other values are plain numbers.
import { fitsDigits, toTicks } from '../market/price.ts';
import type { FiringReport, Level } from './threshold.ts';
import type { ValueStream } from './value-stream.ts';

/** A firing is repeated only after the price was back by the spread, and by no less than this many ticks. */
const LEAST_HYSTERESIS_TICKS = 2;

const bits = new DataView(new ArrayBuffer(8));

/** The next larger number. */
export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

const nextDown = (value: number): number => -nextUp(-value);

/** A level in ticks; with a fraction if the instrument has fewer decimals. */
export const levelTicks = (level: number, digits: number): number =>
  fitsDigits(level, digits) ? toTicks(level, digits) : level * 10 ** digits;

interface LevelOptions {
  readonly stream: ValueStream;
  /** 1: holds above the level; −1: below. */
  readonly sign: 1 | -1;
  readonly level: number;
  /** Being at the level is enough. */
  readonly reached?: boolean;
  readonly report: () => FiringReport;
}

/** Of a stream in whole ticks, with hysteresis. */
export function tickLevel({ stream, sign, level, reached = false, report }: LevelOptions): Level {
  const signed = sign * level;
  const begin = reached ? Math.ceil(signed) : Math.floor(signed) + 1;
  const clearAfter = (spread: number): number => Math.min(begin - 1, signed - Math.max(spread, LEAST_HYSTERESIS_TICKS));
  return { stream, sign, begin, end: begin - 1, clearAfter, report };
}

/** Of any other stream: no hysteresis. */
export function numberLevel({ stream, sign, level, reached = false, report }: LevelOptions): Level {
  const begin = reached ? sign * level : nextUp(sign * level);
  const end = nextDown(begin);
  return { stream, sign, begin, end, clearAfter: () => end, report };
}

/** Of a move in percent, with the hysteresis of its price. */
export function moveLevel({ level, ...rest }: Omit<LevelOptions, 'sign' | 'reached'>, ticks: () => number): Level {
  const base = numberLevel({ ...rest, level, sign: 1, reached: true });
  const clearAfter = (spread: number): number =>
    Math.min(base.end, Math.max(0, level - (Math.max(spread, LEAST_HYSTERESIS_TICKS) * 100) / ticks()));
  return { ...base, clearAfter };
}
