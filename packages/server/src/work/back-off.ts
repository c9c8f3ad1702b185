// How long to wait before the next attempt: twice as long after each further failure, up to a maximum.

/** Resolves after so many milliseconds. */
export type Sleep = (ms: number) => Promise<void>;

export interface BackOff {
  /** Wait after the first failure. */
  readonly firstMs: number;
  /** Default: no maximum. */
  readonly maxMs?: number;
  /** Random share of the wait, from 0 (none, the default) to 1 (anywhere between nothing and the whole wait). */
  readonly jitter?: number;
  /** Default: `Math.random`. */
  readonly random?: () => number;
}

/** More doublings than any wait needs; the wait stays finite. */
const MAX_DOUBLINGS = 40;

/** Milliseconds to wait after this many failures in a row. No failure counts like the first. */
export function backOffMs(failures: number, { firstMs, maxMs, jitter = 0, random = Math.random }: BackOff): number {
  const doublings = Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS);
  const wait = Math.min(maxMs ?? Number.POSITIVE_INFINITY, firstMs * 2 ** doublings);
  return jitter === 0 ? wait : wait * (1 - jitter * random());
}
