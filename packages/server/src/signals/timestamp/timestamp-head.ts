// Has a head time-stamped by an authority and keeps the token. A token that `tickwire verify` would not accept is not kept.
import { iso, type LogHead } from '@tickwire/contract';
import type { HeadStore } from '../../store/head-store.ts';
import { headRow, signedBytes } from '../head.ts';
import { requestToken } from './request.ts';
import { type CheckedToken, type TokenChecker, TokenError } from './token.ts';

/** How far the clocks of the service and of an authority may differ, in addition to the accuracy of the token. */
export const CLOCK_TOLERANCE_MS = 5_000;

export interface TimestampOptions {
  readonly url: string;
  readonly store: HeadStore;
  readonly checker: TokenChecker;
  readonly timeoutMs?: number;
}

/** Address of an authority as it is published: without a query, which may contain a secret. */
export function authorityName(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether the token is from before `time` (milliseconds since 1970), whichever clock is wrong. */
export const isBefore = ({ time: stamped, accuracyMs }: CheckedToken, time: number): boolean =>
  stamped + accuracyMs + CLOCK_TOLERANCE_MS < time;

export async function timestampHead(head: LogHead, options: TimestampOptions): Promise<void> {
  const { url, store, checker, timeoutMs } = options;
  const authority = authorityName(url);
  const { n, hash, at, tokens } = await store.keep(headRow(head));
  if (hash !== head.hash) throw new Error(`another head of record ${n} is kept: was the log restored from a backup?`);
  if (tokens.some((token) => token.authority === authority)) return;
  const content = signedBytes({ log: head.log, n, hash, at: iso(at) });
  const { token, nonce } = await requestToken(url, content, timeoutMs);
  const checked = await checker.check(token, content).catch((error: Error) => {
    throw error instanceof TokenError ? new Error(`its token ${error.message}`) : error;
  });
  if (checked.nonce !== nonce) throw new Error('its token is for another request (the nonce differs)');
  if (isBefore(checked, at)) throw new Error('the time in its token is before the head: does a clock go wrong?');
  await store.addToken(n, { authority, at: checked.time, token: Buffer.from(token).toString('base64') });
}
