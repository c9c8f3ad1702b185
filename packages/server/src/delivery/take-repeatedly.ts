// Takes what a bot has read until it succeeds. An outage of the store is no fault of a message, however long it lasts; any other failure
// is given up after ten attempts.
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_ATTEMPTS = 10;

export interface Taking {
  /** For the log: what is repeated. */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Wait after the first failure, which doubles up to a minute. Default: a second. */
  readonly waitMs?: number | undefined;
}

/** False if it was stopped before. */
export async function takeRepeatedly(
  take: () => Promise<unknown>,
  { what, signal, log, waitMs = FIRST_WAIT_MS }: Taking,
): Promise<boolean> {
  let attempts = 0;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await take();
      return true;
    } catch (error) {
      const why = (error as Error).message;
      if (!isStoreDown(error) && ++attempts >= MAX_ATTEMPTS) {
        log.error(`gave up: cannot ${what}`, { why });
        return true;
      }
      if (failures === 1) log.warn(`cannot ${what}`, { why });
      const ms = backOffMs(failures, { firstMs: waitMs, maxMs: MINUTE_MS });
      await sleep(ms, undefined, { signal }).catch(() => {});
    }
  }
  return false;
}

const isStoreDown = (error: unknown): boolean =>
  error instanceof StoreError || (error instanceof ServiceError && error.code === 'store_unavailable');
