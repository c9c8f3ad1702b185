// The loads of the comparison with brokers, in ticks per second to every reader.
import type { FeedPlan } from '../load/feed-schedule.ts';
import { SYMBOLS, SYMBOLS_PER_READER } from '../load/reader-lists.ts';
import type { Bench } from './scenario.ts';

/** Readers of the targets. */
export const BAR_READERS = 1_000;
const SHORTEST_READERS = 40;
/** Steps of the feed that is not even. */
const STEPS_PER_SECOND = 100;

export interface BrokerLoad extends FeedPlan {
  readonly isEven: boolean;
  /** Ticks per second that each reader gets, on average. */
  readonly toEach: number;
  /** Deliveries per second to all readers together. */
  readonly offered: number;
  /** Such as "0.5M deliveries/s, even feed". */
  readonly label: string;
}

export const readersOf = ({ connections, shortest }: Bench): number =>
  connections ?? (shortest ? SHORTEST_READERS : BAR_READERS);

export function loadsOf(bench: Bench): BrokerLoad[] {
  const stepped = bench.shortest ? [500] : bench.quick ? [500, 1_800] : [500, 1_000, 1_800];
  const even = bench.quick ? [500] : [250, 500];
  const readers = readersOf(bench);
  const load = (toEach: number, isEven: boolean): BrokerLoad => {
    // A reader gets the ticks of some of the symbols.
    const ticksPerSecond = (toEach * SYMBOLS.length) / SYMBOLS_PER_READER;
    return {
      ticksPerSecond,
      toEach,
      perWrite: isEven ? 1 : Math.round(ticksPerSecond / STEPS_PER_SECOND),
      isEven,
      offered: toEach * readers,
      label: `${shortCount(toEach * readers)} deliveries/s, ${isEven ? 'even feed' : 'steps of 10 ms'}`,
    };
  };
  return [...stepped.map((ticks) => load(ticks, false)), ...even.map((ticks) => load(ticks, true))];
}

/** Such as 0.5M; below 100,000 in full. */
export const shortCount = (count: number): string =>
  count < 100_000 ? count.toLocaleString('en') : `${Number((count / 1e6).toFixed(2))}M`;
