// Missing bars of instruments, as the answers state them.
import { type Coverage, iso, MAX_COVERAGE_BARS, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, intervalAt } from '@tickwire/engine';
import type { Chart } from '../history/chart-reader.ts';
import { type Gap, shortTime } from './answer.ts';
import type { ServiceReader } from './service.ts';

/** Absences that are no gap in the data. */
const EXPECTED: ReadonlySet<string> = new Set(['market_closed', 'no_trades']);

export const isGap = ({ reason }: Coverage['absent'][number]): boolean => !EXPECTED.has(reason);

/** The longest timeframe that is not longer than `lengthMs` and whose bars of the range can be checked in one request. */
export function coverageTimeframe(lengthMs: number, rangeMs: number): Timeframe {
  const fitting = TIMEFRAMES.filter((each) => rangeMs / TIMEFRAME_MS[each] < MAX_COVERAGE_BARS);
  return fitting.findLast((each) => TIMEFRAME_MS[each] <= lengthMs) ?? fitting[0] ?? '1d';
}

/** Bars of this length that are missing between two times, in epoch milliseconds. */
export async function readGaps(
  reader: ServiceReader,
  symbols: readonly string[],
  { from, to, lengthMs }: { readonly from: number; readonly to: number; readonly lengthMs: number },
): Promise<Gap[]> {
  const query = {
    timeframe: coverageTimeframe(lengthMs, to - from),
    from: iso(from),
    to: iso(to),
  };
  const gaps = await Promise.all(
    symbols.map(async (symbol) => {
      const { absent } = await reader.get<Coverage>(`/api/market/${symbol}/coverage`, query);
      return absent.filter(isGap).map(
        ({ reason, bars, ...gap }): Gap => ({
          symbol,
          from: shortTime(gap.from),
          to: shortTime(gap.to),
          bars,
          reason,
        }),
      );
    }),
  );
  return gaps.flat();
}

/** End and length of the bar that starts at a time. */
export function barAt(
  { interval, day }: Chart,
  time: number | string,
): { readonly end: number; readonly lengthMs: number } {
  const { start, end } = intervalAt(asEpochMs(new Date(time).getTime()), interval, day);
  return { end, lengthMs: end - start };
}
