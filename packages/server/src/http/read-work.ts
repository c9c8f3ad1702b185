// Long reads of history: what they cost is estimated first and counted against an allowance of the account; then they take turns
// with those of other accounts, and end when their client goes. Short reads cost a request and nothing else.
import { READ_ROWS_PER_REQUEST } from '@tickwire/contract';
import { SECOND_MS } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import { LruMap } from '../work/lru-map.ts';
import { RollingSum } from '../work/rolling-sum.ts';
import { Abandoned, WorkScheduler, type WorkSignal } from '../work/work-scheduler.ts';
import type { CostlyRoute, EndpointHandler, HandlerResult } from './handler.ts';

/** A read of fewer rows takes a few milliseconds. */
const SHORT_READ_ROWS = 5_000;
/** Pieces of work at a time: each may hold 50,000 bars. */
const LIMITS = { total: 8, perAccount: 2, waiting: 8 };
/** Accounts whose reads of the last minute are remembered. */
const MAX_ACCOUNTS = 20_000;
const BUSY_SECONDS = 1;

export class ReadWork {
  readonly #scheduler = new WorkScheduler(LIMITS);
  readonly #read = new LruMap<string, RollingSum>(MAX_ACCOUNTS);

  handlerOf({ cost, handle }: CostlyRoute): EndpointHandler {
    return (call) => {
      const { rows, counted } = cost(call);
      if (rows <= SHORT_READ_ROWS) return handle(call);
      const { request, caller } = call;
      const account = caller!.account.publicId;
      const work = async (): Promise<HandlerResult> => handle(call);
      if (counted) return this.#scheduler.share(account, request.signal, work).catch(unread);
      if (!this.#scheduler.hasPlace(account))
        throw tooManyReads(this.#headersOf(this.#readBy(caller!), Math.ceil(rows), call.now));
      const headers = this.charge(caller!, Math.ceil(rows), call.now);
      return this.#scheduler.run(account, request.signal, work)!.then((given) => withHeaders(given, headers), unread);
    };
  }

  /** Runs work that other limits bound in turns with that of other accounts. Rejects with `Abandoned` after the signal. */
  share<T>(account: string, signal: WorkSignal, work: () => Promise<T>): Promise<T> {
    return this.#scheduler.share(account, signal, work);
  }

  /** The same for work that holds many rows in memory: it begins when few others have begun. */
  queue<T>(account: string, signal: WorkSignal, work: () => Promise<T>): Promise<T> {
    return this.#scheduler.queue(account, signal, work);
  }

  /**
   * Counts the rows of a long read; throws if the account has read too many in the last minute. Returns headers of the response;
   * none for a short read.
   */
  charge(caller: Caller, rows: number, now: number): Record<string, string> {
    if (rows <= SHORT_READ_ROWS) return {};
    const read = this.#readBy(caller);
    const { limit } = read;
    // One read is always possible, however low the limit.
    const cost = Math.min(rows, limit);
    const isGranted = read.take(cost, now);
    const headers = this.#headersOf(read, rows, now);
    if (isGranted) return headers;
    const seconds = Math.max(1, Math.ceil(read.waitMs(cost, now) / SECOND_MS));
    throw new ServiceError(
      'rate_limited',
      `${caller.quota.grantedBy} allows long reads of ${limit} rows per minute, and ${read.remaining(now)} are left. This one reads about ${rows}. Try again in ${seconds} s, or read less.`,
      { retryAfterSeconds: seconds, headers },
    );
  }

  #readBy({ account, quota }: Caller): RollingSum {
    const limit = account.tier.requests_per_minute * READ_ROWS_PER_REQUEST;
    let read = this.#read.get(quota.name);
    if (read?.limit !== limit) {
      read = new RollingSum(limit);
      this.#read.set(quota.name, read);
    }
    return read;
  }

  #headersOf(read: RollingSum, rows: number, now: number): Record<string, string> {
    return {
      'Read-Rows-Cost': `${rows}`,
      'Read-Rows-Limit': `${read.limit}`,
      'Read-Rows-Remaining': `${Math.max(0, read.remaining(now))}`,
    };
  }
}

/** The response to a client that has gone. */
function unread(error: unknown): HandlerResult {
  if (error instanceof Abandoned) return { status: 499, body: null };
  throw error;
}

const tooManyReads = (headers: Record<string, string>): ServiceError =>
  new ServiceError(
    'rate_limited',
    `${LIMITS.perAccount} long reads of your account are under way and ${LIMITS.waiting} wait. Try again when one has ended.`,
    { retryAfterSeconds: BUSY_SECONDS, headers },
  );

const withHeaders = (given: HandlerResult, headers: Record<string, string>): HandlerResult =>
  typeof given === 'string' ? { body: given, headers } : { ...given, headers: { ...given.headers, ...headers } };
