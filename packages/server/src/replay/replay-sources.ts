// What a replay plays in each part of its range: by UTC day and instrument, recorded ticks, bars, or nothing.
import { iso, type ReplaySource } from '@tickwire/contract';
import { DAY_MS, type MarketSymbol } from '@tickwire/engine';
import type { PastStore } from './symbol-tape.ts';

export async function replaySources(
  { tape, bars }: PastStore,
  symbols: readonly MarketSymbol[],
  from: number,
  to: number,
): Promise<readonly ReplaySource[]> {
  const found: { symbol: MarketSymbol; from: number; to: number; source: ReplaySource['source'] }[] = [];
  for (const symbol of symbols) {
    /** There are no ticks between the start of the day that is looked at and this time. */
    let ticksFrom = from;
    for (let start = from; start < to; ) {
      const end = Math.min(to, start - (start % DAY_MS) + DAY_MS);
      const last = found.at(-1);
      const range = { symbol, timeframe: '1m', from: start, to: end - 1, limit: 1, first: 'oldest' } as const;
      if (ticksFrom <= start) {
        const [first] = await tape.firstTapeOf(symbol, start, to);
        ticksFrom = first ? Math.max(start, first.minute) : to;
      }
      const source = ticksFrom < end ? 'ticks' : (await bars.bars(range)).length > 0 ? 'bars' : 'none';
      if (last?.symbol === symbol && last.source === source) last.to = end;
      else found.push({ symbol, from: start, to: end, source });
      start = end;
    }
  }
  return found.map((each) => ({ ...each, from: iso(each.from), to: iso(each.to) }));
}
