// How often the terminal sends requests, so that most of the account's allowance is left to its other programs.
import type { Allowance } from '@tickwire/client';

export const SESSION_EVERY_MS = 60_000;

/** Milliseconds between two loads of the forming bar. Live ticks update it in between; a load only corrects it. */
export function historyEveryMs(allowance: Allowance | null): number {
  return allowance !== null && allowance.remaining < 0.4 * allowance.limit ? 60_000 : 30_000;
}

/** Background requests are sent only while more than half of the allowance is left. */
export function mayFillIn(allowance: Allowance | null): boolean {
  return allowance !== null && allowance.remaining > allowance.limit / 2;
}
