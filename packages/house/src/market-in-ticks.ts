// A look in whole ticks: prices can be compared, added and mirrored without float noise. The interface does not tell an
// instrument's digits, but its prices do: none has more decimals than the instrument, and among so many one has all of them.
import { averageTrueRange } from './indicators.ts';
import type { Bar, Look } from './strategy.ts';

const ATR_BARS = 14;

export interface MarketInTicks {
  readonly bars: readonly Bar[];
  readonly bid: number;
  readonly ask: number;
  /** At least one tick. */
  readonly spread: number;
  /** Average true range of the last minutes. */
  readonly atr: number;
  readonly digits: number;
}

/** null where there are fewer bars than the strategy needs, or where they or the quote make no sense. */
export function inTicks({ bars, quote }: Look, needed: number): MarketInTicks | null {
  if (bars.length < needed) return null;
  const prices = [quote.bid, quote.ask, ...bars.flatMap(({ open, high, low, close }) => [open, high, low, close])];
  const digits = Math.max(...prices.map(decimals));
  const scale = 10 ** digits;
  if (!prices.every((price) => price > 0 && Number.isSafeInteger(Math.round(price * scale)))) return null;
  const ticks = (price: number): number => Math.round(price * scale);
  const [bid, ask] = [ticks(quote.bid), ticks(quote.ask)];
  if (bid > ask) return null;
  const scaled = bars.map(({ open, high, low, close }) => ({
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
  }));
  if (!scaled.every(isBar)) return null;
  return { bars: scaled, bid, ask, spread: Math.max(1, ask - bid), atr: averageTrueRange(scaled, ATR_BARS), digits };
}

const isBar = ({ open, high, low, close }: Bar): boolean =>
  low <= Math.min(open, close) && high >= Math.max(open, close);

/** Division by a power of ten rounds correctly: the number prints with at most `digits` decimals. */
export const priceOf = (ticks: number, digits: number): number => ticks / 10 ** digits;

/** Of the shortest text that reads as the number; small ones are written 1.5e-7. */
export function decimals(price: number): number {
  const [mantissa = '', exponent = '0'] = String(price).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
