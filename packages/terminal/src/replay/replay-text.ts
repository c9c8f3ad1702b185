// What the bar of a replay says in words.
import type { ReplaySession } from '@tickwire/client';
import type { StreamHealth } from '../services/stream-health.ts';
import { zoned } from '../ui/relative-time.ts';

/** `Mon 2 Mar 2026, 14:05:09 CET`. */
export const clockText = zoned({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

export const NOT_REPLAYED = 'Alerts are not part of a replay, and nothing is published: signals are practice.';
export const LOST =
  'The replay has ended: it was not used for a while, or the service was restarted. This is the present.';

export interface ReplayCondition {
  readonly session: Pick<ReplaySession, 'sources' | 'state'>;
  /** Of the clock, in epoch milliseconds. */
  readonly time: number;
  /** Of the stream of prices; `undefined` before it is opened. */
  readonly prices: StreamHealth | undefined;
  readonly isSlow: boolean;
}

/** The most important thing to know; `null` if everything is as usual. */
export function problemText({ session, time, prices, isSlow }: ReplayCondition): string | null {
  if (prices?.limited)
    return 'Too many streams are open. Close another tab, or stop a program that uses streams; then the replay goes on.';
  if (prices?.state === 'closed') return `The stream of the replay was closed${prices.reason && `: ${prices.reason}`}.`;
  if (prices?.lost) return 'The connection is lost. The replay goes on when it is back.';
  if (session.state === 'ended') return 'The replay has reached the end of its range.';
  if (isSlow) return 'The clock is slower than its speed: the limit of your tier, or this browser, allows no more.';
  return sourceText(session.sources, time);
}

/** What is not played from ticks at a time. */
function sourceText(sources: ReplaySession['sources'], time: number): string | null {
  const at = sources.filter(({ from, to }) => Date.parse(from) <= time && time < Date.parse(to));
  const named = (source: (typeof at)[number]['source']): string =>
    at
      .filter((each) => each.source === source)
      .map(({ symbol }) => symbol)
      .join(', ');
  const [none, bars] = [named('none'), named('bars')];
  if (none !== '') return `Nothing is recorded here for ${none}.`;
  return bars === '' ? null : `${bars}: no recorded ticks here, so each minute is played as four prices of its bar.`;
}

/** Nothing of any instrument is recorded in the whole range. */
export const isEmpty = ({ sources }: Pick<ReplaySession, 'sources'>): boolean =>
  sources.every(({ source }) => source === 'none');
