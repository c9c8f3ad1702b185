// Whether the volume of a bar is known by price. A bar may come without its trades: from an import of bars, or from a venue
// after an outage.
import type { Bar } from './events.ts';
import { roundSize } from './price.ts';
import type { MinuteHistogram } from './volume-level.ts';

/** Sums of sizes differ by less than this if the trades are the same: sizes have eight decimals, numbers sixteen digits. */
const TOLERANCE = 1e-9;
const MAX_DECIMAL = 1e-8;

const isSame = (a: number, b: number): boolean => Math.abs(a - b) < Math.max(MAX_DECIMAL / 2, Math.abs(a) * TOLERANCE);

type SidedBar = Pick<Bar, 'volume' | 'bidVolume' | 'askVolume'> & Partial<Pick<Bar, 'basis'>>;

/** Volume of the trades of a bar. The volume of a bar of bids is that of quotes. */
export const tradedVolume = ({ basis, volume, bidVolume, askVolume }: Bar): number =>
  basis === 'trade' ? volume : roundSize(bidVolume + askVolume);

/** Of the volume. Fetched bars without sides in a longer one make a larger difference. */
const SIDES_TOLERANCE = 1e-6;

/**
 * Whether the sides of all trades of a bar are known. Most venues do not state those of the bars that were fetched from them, nor
 * do most files of bars. A bar of bids may have trades beside its own volume.
 */
export const hasSides = ({ basis, volume, bidVolume, askVolume }: SidedBar): boolean =>
  basis === 'trade'
    ? Math.abs(bidVolume + askVolume - volume) <= Math.max(2 * MAX_DECIMAL, volume * SIDES_TOLERANCE)
    : bidVolume !== 0 || askVolume !== 0;

/** Whether the levels add up to the bar: its volume, bought and sold. */
export function explainsBar({ levels }: Pick<MinuteHistogram, 'levels'>, bar: Bar): boolean {
  let [buy, sell] = [0, 0];
  for (const level of levels) {
    buy += level.buy;
    sell += level.sell;
  }
  return isSame(buy, bar.askVolume) && isSame(sell, bar.bidVolume) && isSame(buy + sell, tradedVolume(bar));
}
