// POST /ingest/ticks, /ingest/news and /ingest/calendar: JSON lines, plain or gzip. The body is checked as a whole before any line is
// processed; then each line is accepted or rejected separately. Repeating a request with the same Idempotency-Key returns
// the first response.
import { createHash } from 'node:crypto';
import type { IngestAnswer } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { LineQuota } from '../access/line-quota.ts';
import { readCalendarLines } from '../calendar/ingest-lines.ts';
import type { TakeCalendar } from '../calendar/raw-event.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { IngestTally, type PushFeed } from '../market/feeds/push/push-feed.ts';
import { readNewsLines } from '../news/ingest-lines.ts';
import type { TakeNews } from '../news/news-source.ts';
import { ReservedSources } from '../news/reserved-sources.ts';
import { decodeContent, isCompressed, readRequestBody, requireUtf8 } from './body.ts';
import { type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';
import { countNewlines, lineBatches, MAX_LINE_BYTES } from './line-batches.ts';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_ACCOUNTS = 10_000;
/** Compressed bodies that wait for their turn. */
const MAX_WAITING = 32;
const NEWLINE = 10;

/** Processes lines; may be asynchronous. `first` is the line number of the first one, starting at 1. */
type TakeLines = (lines: readonly string[], first: number, tally: IngestTally) => unknown;

export interface PushHandlersOptions {
  readonly feed: PushFeed | null;
  readonly takeNews: TakeNews;
  /** Names of the configured news sources. */
  readonly newsSources: () => readonly string[];
  readonly takeCalendar: TakeCalendar;
  /** Names of the configured calendar sources. */
  readonly calendarSources: () => readonly string[];
  readonly idempotency: IdempotencyCache;
  readonly linesPerMinute: number;
  readonly now: () => number;
}

/** Accepts lines of ticks from a WebSocket, in this process or by forwarding them to the ingest node. */
export interface PushLines {
  /** Throws if the service does not accept pushed ticks. */
  open(): void;
  push(caller: Caller, lines: readonly string[]): IngestAnswer | Promise<IngestAnswer>;
}

export class PushHandlers implements PushLines {
  readonly #options: PushHandlersOptions;
  readonly #quotas = new Map<number, LineQuota>();
  /** Compressed bodies are processed one after the other, so that memory holds only one decompressed body. */
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: PushHandlersOptions) {
    this.#options = options;
  }

  ticks(request: Request, caller: Caller): Promise<string> {
    const feed = this.feed();
    return this.#post(request, caller, (lines, first, tally) =>
      feed.take(lines, first, caller.account.publicId, tally),
    );
  }

  news(request: Request, caller: Caller): Promise<string> {
    const { takeNews, newsSources, now } = this.#options;
    const { publicId: id, name } = caller.account;
    const context = { account: { id, name }, reserved: new ReservedSources(newsSources()), now: now() };
    const take: TakeLines = (lines, first, tally) => takeNews(readNewsLines(lines, first, context, tally));
    return this.#post(request, caller, take, 'news ');
  }

  /** Stored when the answer is sent. */
  calendar(request: Request, caller: Caller): Promise<string> {
    const { takeCalendar, calendarSources, now } = this.#options;
    const { publicId: id, name } = caller.account;
    const context = { account: { id, name }, reserved: new ReservedSources(calendarSources()), now: now() };
    const take: TakeLines = (lines, first, tally) => takeCalendar(readCalendarLines(lines, first, context, tally));
    return withStoreErrors(() => this.#post(request, caller, take, 'calendar '));
  }

  open(): void {
    this.feed();
  }

  push(caller: Caller, lines: readonly string[]): IngestAnswer {
    const feed = this.feed();
    this.#quota(caller).take(lines.length, this.#options.now());
    const tally = new IngestTally();
    feed.take(lines, 1, caller.account.publicId, tally);
    return tally.result();
  }

  /** The feed for pushed ticks. Throws if it is not enabled. */
  feed(): PushFeed {
    if (this.#options.feed) return this.#options.feed;
    throw new ServiceError(
      'ingest_disabled',
      'This service does not accept pushed ticks. Start it with TICKWIRE_FEEDS=push.',
    );
  }

  #quota({ account }: Caller): LineQuota {
    let quota = this.#quotas.get(account.id);
    if (!quota) {
      if (this.#quotas.size >= MAX_ACCOUNTS) this.#quotas.delete(this.#quotas.keys().next().value!);
      quota = new LineQuota(this.#options.linesPerMinute);
      this.#quotas.set(account.id, quota);
    }
    return quota;
  }

  /** `salt` tells apart requests with the same lines to different endpoints. */
  async #post(request: Request, caller: Caller, take: TakeLines, salt = ''): Promise<string> {
    const key = idempotencyKey(request);
    const { now, idempotency } = this.#options;
    const quota = this.#quota(caller);
    quota.check(0, now());
    let bytes = 0;
    let isCounted = false;
    const process = (body: Uint8Array): Promise<string> => {
      isCounted = true;
      return this.#process(body, request, caller, take);
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
    if (this.#waiting >= MAX_WAITING)
      throw new ServiceError('rate_limited', 'Too many compressed bodies are waiting. Try again in 1 s.', {
        retryAfterSeconds: 1,
      });
    this.#waiting++;
    const result = this.#turn.then(work).finally(() => this.#waiting--);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #process(body: Uint8Array, request: Request, caller: Caller, take: TakeLines): Promise<string> {
    const content = await this.#admit(body, request, this.#quota(caller));
    const tally = new IngestTally();
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
