// When a failed message is tried again, and when it is given up.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import type { StoredMessage } from '../store/delivery-store.ts';

const FIRST_DELAY_MS = SECOND_MS;
export const MAX_DELAY_MS = 15 * MINUTE_MS;
export const GIVE_UP_MS = DAY_MS;

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
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30), MAX_DELAY_MS);
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
