// Requests with one JSON document per line, plain or gzip. The body is checked as a whole before any line is processed. Repeating a
// request with the same Idempotency-Key returns the first response. Lines have an allowance of their own, which all endpoints share.
import { createHash } from 'node:crypto';
import type { Caller } from '../access/keyring.ts';
import { LineQuota } from '../access/line-quota.ts';
import { ServiceError } from '../errors/service-error.ts';
import { LruMap } from '../work/lru-map.ts';
import { WorkQueue } from '../work/work-queue.ts';
import { decodeContent, isCompressed, MAX_BODY_BYTES, readRequestBody, requireUtf8 } from './body.ts';
import { type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';
import { countNewlines, lineBatches, MAX_LINE_BYTES } from './line-batches.ts';
import { LineTally } from './line-tally.ts';

const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_ACCOUNTS = 20_000;
/** Compressed bodies that wait for their turn. */
const MAX_WAITING = 32;
const NEWLINE = 10;

/** Processes lines; may be asynchronous. `first` is the line number of the first one, starting at 1. */
export type TakeLines<Tally extends LineTally = LineTally> = (
  lines: readonly string[],
  first: number,
  tally: Tally,
) => unknown;

export interface LineRequestsOptions {
  readonly idempotency: IdempotencyCache;
  readonly linesPerMinute: number;
  readonly now: () => number;
}

export class LineRequests {
  readonly #options: LineRequestsOptions;
  readonly #quotas = new LruMap<number, LineQuota>(MAX_ACCOUNTS);
  /** Compressed bodies are processed one after the other, so that memory holds only one decompressed body. */
  readonly #compressed = new WorkQueue(1);

  constructor(options: LineRequestsOptions) {
    this.#options = options;
  }

  /** Counts lines that came in another way than a request. Throws a 429 over the limit. */
  count(caller: Caller, lines: number): void {
    this.#quota(caller).take(lines, this.#options.now());
  }

  #quota({ account }: Caller): LineQuota {
    let quota = this.#quotas.get(account.id);
    if (!quota) {
      quota = new LineQuota(this.#options.linesPerMinute);
      this.#quotas.set(account.id, quota);
    }
    return quota;
  }

  /**
   * Takes the lines of a request and returns the JSON of the result. `salt` tells apart requests with the same lines to different
   * endpoints.
   */
  post(request: Request, caller: Caller, take: TakeLines, salt: string): Promise<string> {
    return this.postWith(() => new LineTally(), request, caller, take, salt);
  }

  /** The same with another way to count lines. */
  async postWith<Tally extends LineTally>(
    newTally: () => Tally,
    request: Request,
    caller: Caller,
    take: TakeLines<Tally>,
    salt = '',
  ): Promise<string> {
    const key = idempotencyKey(request);
    const { now, idempotency } = this.#options;
    const quota = this.#quota(caller);
    quota.check(0, now());
    let bytes = 0;
    let isCounted = false;
    const process = (body: Uint8Array): Promise<string> => {
      isCounted = true;
      return this.#process(body, request, caller, take, newTally());
    };
    try {
      const body = await readRequestBody(request, MAX_BODY_BYTES);
      bytes = body.length;
      const work = isCompressed(request) ? () => this.#inTurn(() => process(body)) : () => process(body);
      if (key === null) return await work();
      const bodyHash = createHash('sha256').update(salt).update(body).digest();
      return await idempotency.once(caller.account.id, key, bodyHash, work);
    } finally {
      // A repeated request, or one that is rejected before its lines are counted, is not free either.
      if (!isCounted) quota.refuse(1, bytes, now());
    }
  }

  #inTurn(work: () => Promise<string>): Promise<string> {
    const result = this.#compressed.run(work, MAX_WAITING - 1);
    if (result) return result;
    throw new ServiceError('rate_limited', 'Too many compressed bodies are waiting. Try again in 1 s.', {
      retryAfterSeconds: 1,
    });
  }

  async #process<Tally extends LineTally>(
    body: Uint8Array,
    request: Request,
    caller: Caller,
    take: TakeLines<Tally>,
    tally: Tally,
  ): Promise<string> {
    const content = await this.#admit(body, request, this.#quota(caller));
    for (const { lines, first, tooLong } of lineBatches(content)) {
      for (const line of tooLong)
        tally.reject(line, 'malformed_line', `the line has more than ${MAX_LINE_BYTES} bytes`);
      await take(lines, first, tally);
      await new Promise(setImmediate);
    }
    return JSON.stringify(tally.result());
  }

  /** Decompresses and checks a body as a whole, and counts its lines. A refused body counts as well. */
  async #admit(body: Uint8Array, request: Request, quota: LineQuota): Promise<Uint8Array> {
    const { now } = this.#options;
    let lines = 0;
    let bytes = 0;
    try {
      quota.check(0, now());
      const content = await decodeContent(body, request, MAX_UNPACKED_BYTES, (chunk) => {
        bytes += chunk.length;
        lines += countNewlines(chunk);
        quota.check(lines, now());
      });
      requireUtf8(content);
      // An empty body counts as a line.
      quota.take(content.at(-1) === NEWLINE ? lines : lines + 1, now());
      return content;
    } catch (error) {
      quota.refuse(lines, bytes, now());
      throw error;
    }
  }
}
