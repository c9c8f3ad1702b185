// The time until the newest bar of a chart closes.
import { untilText } from '../../ui/relative-time.ts';
import type { ChartBars } from '../bars/chart-bars.ts';
import { barEnd } from '../bars/intervals.ts';

/** `2:31`; '' without a bar that is still forming, as at the weekend. `now`: milliseconds since the epoch, by the service's clock. */
export function untilClose(bars: Pick<ChartBars, 'interval' | 'candles'> | null, now: number): string {
  const last = bars?.candles.at(-1);
  const left = last ? barEnd(bars!.interval, last.time) - now : 0;
  return left > 0 ? untilText(left) : '';
}
