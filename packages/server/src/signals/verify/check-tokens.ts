// Checks the time stamps of heads (RFC 3161): proof by outside authorities that the log up to a record existed at a time.
import { createHash } from 'node:crypto';
import { signedBytes } from '../head.ts';
import { isBefore } from '../timestamp/timestamp-head.ts';
import { TokenChecker, TokenError } from '../timestamp/token.ts';
import { trustedRoots } from '../timestamp/trusted-roots.ts';
import type { HeadToCheck } from './check-heads.ts';
import type { LogCheck } from './check-log.ts';
import type { Findings } from './findings.ts';

export interface StampSummary {
  /** Number of valid tokens, and of the heads that have one. */
  readonly tokens: number;
  readonly heads: number;
  /** Number of the last record that existed at a proved time; −1 if there is none. */
  readonly until: number;
  /** Longest time from a record (`at`) to the time stamp that proves its existence, in milliseconds. */
  readonly longestMs: number;
}

export interface TokenCheckOptions {
  /** Heads without faults. */
  readonly heads: readonly HeadToCheck[];
  readonly log: LogCheck;
  readonly findings: Findings;
  /** File of trusted roots; `null`: the public ones. */
  readonly ca: string | null;
  readonly onProgress?: (heads: number) => void;
}

export async function checkTokens({ heads, log, findings, ca, onProgress }: TokenCheckOptions): Promise<StampSummary> {
  const checker = new TokenChecker(trustedRoots(ca));
  /** Earliest proved time of the records up to a number. */
  const proved = new Map<number, number>();
  const seen = new Set<string>();
  let tokens = 0;
  for (const [index, { from, head }] of heads.entries()) {
    onProgress?.(index);
    const content = signedBytes(head);
    for (const { authority, token } of head.tokens ?? []) {
      const der = Buffer.from(token, 'base64');
      const name = createHash('sha256').update(der).update(content).digest('hex');
      if (seen.has(name)) continue;
      seen.add(name);
      const fault = (message: string): void =>
        findings.add({
          n: head.n,
          code: 'time_stamp',
          message: `the token of ${authority} for its head in ${from} ${message}`,
        });
      try {
        const checked = await checker.check(der, content);
        if (isBefore(checked, log.times.get(head.n) ?? 0)) {
          fault(`is from ${new Date(checked.time).toISOString()}, before the record`);
          continue;
        }
        tokens++;
        proved.set(head.n, Math.min(proved.get(head.n) ?? Number.POSITIVE_INFINITY, checked.time));
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        fault(error.message);
      }
    }
  }
  return { tokens, heads: proved.size, ...coverage(proved, log) };
}

/** A token of a head proves the existence of all records up to it. */
function coverage(proved: ReadonlyMap<number, number>, { times }: LogCheck): Pick<StampSummary, 'until' | 'longestMs'> {
  const ascending = [...proved].sort(([a], [b]) => a - b);
  let longestMs = 0;
  let earliest = Number.POSITIVE_INFINITY;
  for (let index = ascending.length - 1; index >= 0; index--) {
    earliest = Math.min(earliest, ascending[index]![1]);
    // The oldest record that no earlier head covers. Times never fall along the log.
    const oldest = times.get((ascending[index - 1]?.[0] ?? -1) + 1);
    if (oldest !== undefined) longestMs = Math.max(longestMs, earliest - oldest);
  }
  return { until: ascending.at(-1)?.[0] ?? -1, longestMs };
}
