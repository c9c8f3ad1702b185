// Figures over bars: return, volatility, drawdown, extremes and correlation. Percentages, from closes unless stated.
import { DAY_MS } from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import { rounded, shortTime } from './answer.ts';

export interface PriceBar {
  /** Start, epoch milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface BarStatistics {
  readonly bars: number;
  readonly first: { readonly time: string; readonly open: number };
  readonly last: { readonly time: string; readonly close: number };
  /** From the first open to the last close. */
  readonly return_percent: number;
  /** Standard deviation of logarithmic returns, annualized by the number of bars per year; `null` with fewer than 3 bars. */
  readonly volatility_percent: number | null;
  readonly max_drawdown: { readonly percent: number; readonly from: string | null; readonly to: string | null };
  readonly high: { readonly price: number; readonly time: string };
  readonly low: { readonly price: number; readonly time: string };
}

const YEAR_MS = 365.25 * DAY_MS;
/** Fewer common returns say nothing about a correlation. */
const MIN_COMMON = 10;

/** `null` without bars. */
export function statisticsOf(bars: readonly PriceBar[]): BarStatistics | null {
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  let [high, low] = [first, first];
  for (const bar of bars) {
    if (bar.high > high.high) high = bar;
    if (bar.low < low.low) low = bar;
  }
  return {
    bars: bars.length,
    first: { time: shortTime(first.time), open: first.open },
    last: { time: shortTime(last.time), close: last.close },
    return_percent: rounded((last.close / first.open - 1) * 100, 2),
    volatility_percent: volatility(bars),
    max_drawdown: drawdown(bars),
    high: { price: high.high, time: shortTime(high.time) },
    low: { price: low.low, time: shortTime(low.time) },
  };
}

function volatility(bars: readonly PriceBar[]): number | null {
  if (bars.length < 3) return null;
  const returns = [...logReturns(bars).values()];
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  const variance = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1);
  const years = (bars.at(-1)!.time - bars[0]!.time) / YEAR_MS;
  return rounded(Math.sqrt(variance * (returns.length / years)) * 100, 2);
}

function drawdown(bars: readonly PriceBar[]): BarStatistics['max_drawdown'] {
  let peak = bars[0]!;
  let deepest = { percent: 0, from: null as number | null, to: null as number | null };
  for (const bar of bars) {
    if (bar.close > peak.close) peak = bar;
    const percent = (1 - bar.close / peak.close) * 100;
    if (percent > deepest.percent) deepest = { percent, from: peak.time, to: bar.time };
  }
  const dated = (time: number | null): string | null => (time === null ? null : shortTime(time));
  return { percent: rounded(deepest.percent, 2), from: dated(deepest.from), to: dated(deepest.to) };
}

/** Returns from close to close, by the time of the later bar. */
function logReturns(bars: readonly PriceBar[]): Map<number, number> {
  return new Map(bars.slice(1).map((bar, i) => [bar.time, Math.log(bar.close / bars[i]!.close)]));
}

/** Pearson correlation of the returns of each pair, at the times that both have; `null` with fewer than 10 of them. */
export async function correlations(
  series: ReadonlyMap<string, readonly PriceBar[]>,
): Promise<Record<string, number | null>> {
  const returns = [...series].map(([symbol, bars]) => [symbol, logReturns(bars)] as const);
  const pairs: Record<string, number | null> = {};
  const pause = pauses();
  for (const [i, [symbol, own]] of returns.entries())
    for (const [other, others] of returns.slice(i + 1)) {
      await pause();
      pairs[`${symbol}/${other}`] = correlation(own, others);
    }
  return pairs;
}

function correlation(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number | null {
  const common = [...a].flatMap(([time, value]) => (b.has(time) ? [[value, b.get(time)!] as const] : []));
  if (common.length < MIN_COMMON) return null;
  const meanA = common.reduce((sum, [x]) => sum + x, 0) / common.length;
  const meanB = common.reduce((sum, [, y]) => sum + y, 0) / common.length;
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of common) {
    ab += (x - meanA) * (y - meanB);
    aa += (x - meanA) ** 2;
    bb += (y - meanB) ** 2;
  }
  return aa === 0 || bb === 0 ? null : rounded(ab / Math.sqrt(aa * bb), 2);
}
