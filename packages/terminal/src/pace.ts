// How often the terminal asks, so that it leaves most of an account's allowance to the account's other programs.
import type { Allowance } from '@tickwire/client';

export const SESSION_EVERY_MS = 15_000;

/** Milliseconds between two looks at the forming bar. Live ticks move it in between; the look only sets it right. */
export function historyEveryMs(allowance: Allowance | null): number {
  if (allowance === null) return 10_000;
  const left = allowance.remaining / allowance.limit;
  if (left < 0.1) return 60_000;
  return left < 0.4 ? 30_000 : 10_000;
}

/** Work that can wait may use the upper half of the allowance only. */
export function mayFillIn(allowance: Allowance | null): boolean {
  return allowance !== null && allowance.remaining > allowance.limit / 2;
}
