// Whether the volume of a bar is known by price. A bar may come without its trades: from an import of bars, or from a venue
// after an outage.
import type { Bar } from './events.ts';
import { roundSize } from './price.ts';
import type { MinuteHistogram } from './volume-level.ts';

/** Sums of sizes differ by less than this if the trades are the same: sizes have eight decimals, numbers sixteen digits. */
const TOLERANCE = 1e-9;
const MAX_DECIMAL = 1e-8;

const isSame = (a: number, b: number): boolean => Math.abs(a - b) < Math.max(MAX_DECIMAL / 2, Math.abs(a) * TOLERANCE);

/** Volume of the trades of a bar. The volume of a bar of bids is that of quotes. */
export const tradedVolume = ({ basis, volume, bidVolume, askVolume }: Bar): number =>
  basis === 'trade' ? volume : roundSize(bidVolume + askVolume);

/** Whether the levels add up to the bar: its volume, bought and sold. */
export function explainsBar({ levels }: Pick<MinuteHistogram, 'levels'>, bar: Bar): boolean {
  let [buy, sell] = [0, 0];
  for (const level of levels) {
    buy += level.buy;
    sell += level.sell;
  }
  return isSame(buy, bar.askVolume) && isSame(sell, bar.bidVolume) && isSame(buy + sell, tradedVolume(bar));
}
