// Where a replay can jump to: the next open of a trading session, and the next economic event.
import type { CoreClient } from '@tickwire/client';
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { sessionsBetween } from '../chart/layers/trading-sessions.ts';

/** Of the days after the clock, over a weekend. */
const AHEAD_MS = 4 * DAY_MS;

export interface Jump {
  readonly title: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** The next open of each trading session after a time, the nearest first. None is after `end`. */
export function nextOpens(after: number, end: number): readonly Jump[] {
  const ahead = sessionsBetween(after, after + AHEAD_MS)
    .filter(({ from }) => from > after && from <= end)
    .sort((one, other) => one.from - other.from);
  const first = new Map<string, number>();
  for (const { name, from } of ahead) if (!first.has(name)) first.set(name, from);
  return [...first].map(([name, time]) => ({ title: `${name} open`, time }));
}

/** The next event of one of the instruments from a time on, as it is known at the clock. `null` if there is none before `end`. */
export async function nextEvent(
  client: Pick<CoreClient, 'calendar'>,
  symbols: readonly string[],
  from: number,
  end: number,
): Promise<number | null> {
  const range = { from, to: Math.min(end, from + AHEAD_MS), impact: ['medium', 'high'], limit: 50 } as const;
  if (range.from >= range.to) return null;
  const pages = await Promise.all(symbols.map((symbol) => client.calendar({ symbol, ...range })));
  const times = pages.flatMap(({ items }) =>
    items.filter(({ all_day, status }) => !all_day && status !== 'cancelled').map(({ time }) => Date.parse(time)),
  );
  return times.length === 0 ? null : Math.min(...times);
}
