// Longer bars as the aggregate of the shorter ones under them.
import { asEpochMs, type Bar, roundSize } from '@tickwire/engine';

/** `length` in milliseconds. A bar whose end lies after `until` is left out. */
export function foldBars(shorter: readonly Bar[], length: number, until: number): Bar[] {
  const folded: Bar[] = [];
  for (let at = 0; at < shorter.length; ) {
    const first = shorter[at]!;
    const start = first.time - (first.time % length);
    if (start + length > until) break;
    let { high, low, close, volume, bidVolume, askVolume } = first;
    for (at++; at < shorter.length && shorter[at]!.time < start + length; at++) {
      const bar = shorter[at]!;
      high = Math.max(high, bar.high);
      low = Math.min(low, bar.low);
      close = bar.close;
      volume += bar.volume;
      bidVolume += bar.bidVolume;
      askVolume += bar.askVolume;
    }
    folded.push({
      time: asEpochMs(start),
      open: first.open,
      high,
      low,
      close,
      volume: roundSize(volume),
      bidVolume: roundSize(bidVolume),
      askVolume: roundSize(askVolume),
      basis: 'trade',
    });
  }
  return folded;
}
