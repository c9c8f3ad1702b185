// Creates the session of a replay at the service. Only one is being created at a time, and one that nobody waits for any more is
// deleted again.
import type { CoreClient, ReplaySession } from '@tickwire/client';
import { DAY_MS, SECOND_MS } from '@tickwire/contract/durations.ts';
import { isEmpty } from './replay-text.ts';
import { FIRST_SPEED } from './speeds.ts';

/** Length of a replay at most. */
const MAX_DAYS = 31;
/** What is newer is not replayed. */
const RECORDED_MS = 10 * SECOND_MS;

/** Why a replay does not start, in words. */
export class NotReplayed extends Error {}

export interface SessionStart {
  readonly client: Pick<CoreClient, 'createReplay' | 'deleteReplay' | 'replaySessions'>;
  readonly symbols: readonly string[];
  /** The start of the range and the time of the service, in epoch milliseconds. */
  readonly from: number;
  readonly now: number;
  /** Ends the oldest session of the account before. */
  readonly endsOldest: boolean;
  /** Aborted if the replay is not wanted any more. */
  readonly signal: AbortSignal;
}

export class SessionStarts {
  #isStarting = false;

  /** `null` if the replay is not wanted any more, or another one is being started. */
  async start(options: SessionStart): Promise<ReplaySession | null> {
    if (this.#isStarting) return null;
    this.#isStarting = true;
    try {
      return await create(options);
    } finally {
      this.#isStarting = false;
    }
  }
}

async function create({ client, symbols, from, now, endsOldest, signal }: SessionStart): Promise<ReplaySession | null> {
  const newest = now - RECORDED_MS;
  if (from >= newest) throw new NotReplayed('Choose a time in the past.');
  if (endsOldest) {
    const [oldest] = (await client.replaySessions()).items;
    if (signal.aborted) return null;
    if (oldest) await client.deleteReplay(oldest.id);
    if (signal.aborted) return null;
  }
  const to = Math.min(newest, from + MAX_DAYS * DAY_MS);
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const session = await client.createReplay({ symbols: [...symbols], ...range, speed: FIRST_SPEED });
  if (!signal.aborted && !isEmpty(session)) return session;
  await client.deleteReplay(session.id);
  if (signal.aborted) return null;
  throw new NotReplayed('Nothing is recorded from this time on. Choose a later time.');
}
