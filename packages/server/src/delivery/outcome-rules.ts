// What the outcome of an attempt means: a message is delivered or dead, or is tried again at a time; a destination that is gone is
// unsubscribed.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { AttemptResult, ReleasedDestination, StoredMessage } from '../store/delivery-store.ts';
import { backOffMs } from '../work/back-off.ts';
import type { SendResult } from './channel.ts';

const FIRST_DELAY_MS = SECOND_MS;
export const MAX_DELAY_MS = 15 * MINUTE_MS;
const GIVE_UP_MS = DAY_MS;

/** Number of failures in a row whose wait may end early because the destination asks for it. */
const TRUSTED_FAILURES = 3;
/** A message that waited for a service which was down, or behind others, is not given up at its first failure. */
const MIN_ATTEMPTS = 8;

/**
 * 1, 2, 4, 8 s … up to 15 minutes. Counted per destination, not per message: a destination that fails is tried with one
 * message at a time, ever less often, until it accepts one. A destination may ask for another delay, but after a few failures
 * only for a longer one.
 */
export function retryDelayMs(failures: number, askedMs?: number): number {
  const delayMs = backOffMs(failures, { firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS });
  if (askedMs === undefined) return delayMs;
  const leastMs = failures <= TRUSTED_FAILURES ? FIRST_DELAY_MS : delayMs;
  return Math.ceil(Math.min(Math.max(askedMs, leastMs), GIVE_UP_MS));
}

/** Whether a message is given up after the attempt that failed just now: a day after it was due, or replayed. */
export function isGivenUp(
  { notBefore, attempts }: Pick<StoredMessage, 'notBefore' | 'attempts'>,
  now: number,
): boolean {
  return now - notBefore >= GIVE_UP_MS && attempts + 1 >= MIN_ATTEMPTS;
}

/** What an attempt changes. `next`: the turn of the destination ends, and how it goes on. */
export interface Verdict extends Pick<ReleasedDestination, 'failures' | 'failingSince'> {
  readonly result: AttemptResult;
  readonly unsubscribes: boolean;
  readonly next: Pick<ReleasedDestination, 'wakeAt' | 'giveUp'> | null;
}

export function judgeOutcome(
  outcome: Exclude<SendResult, { result: 'wait' }>,
  message: StoredMessage,
  { failures, failingSince }: Pick<ReleasedDestination, 'failures' | 'failingSince'>,
  at: number,
): Verdict {
  const { id } = message;
  if (outcome.result === 'delivered')
    return {
      result: { id, result: 'delivered', at },
      failures: 0,
      failingSince: null,
      unsubscribes: false,
      next: null,
    };
  if (outcome.result === 'rejected') {
    const result = { id, result: 'dead', at, reason: outcome.reason } as const;
    return { result, failures, failingSince, unsubscribes: outcome.unsubscribe ?? false, next: null };
  }
  const failed = { failures: failures + 1, failingSince: failingSince ?? at, unsubscribes: false };
  // Also for messages that come before this one in the meantime.
  const wakeAt = at + retryDelayMs(failed.failures, outcome.afterMs);
  if (!isGivenUp(message, at))
    return { ...failed, result: { id, result: 'retry', at, nextAt: wakeAt, reason: outcome.reason }, next: { wakeAt } };
  const reason = `given up after 24 hours: ${outcome.reason}`;
  const giveUp = { notAfter: at - GIVE_UP_MS, reason };
  return { ...failed, result: { id, result: 'dead', at, reason }, next: { wakeAt, giveUp } };
}
