// How often the terminal sends requests, so that most of the account's allowance is left to its other programs.
import type { Allowance } from '@tickwire/client';

export const SESSION_EVERY_MS = 15_000;

/** Milliseconds between two loads of the forming bar. Live ticks update it in between; a load only corrects it. */
export function historyEveryMs(allowance: Allowance | null): number {
  if (allowance === null) return 10_000;
  const left = allowance.remaining / allowance.limit;
  if (left < 0.1) return 60_000;
  return left < 0.4 ? 30_000 : 10_000;
}

/** Background requests are sent only while more than half of the allowance is left. */
export function mayFillIn(allowance: Allowance | null): boolean {
  return allowance !== null && allowance.remaining > allowance.limit / 2;
}
