// POST /ingest/ticks and /ingest/news: JSON lines, plain or gzip. The body is checked as a whole before any line is
// processed; then each line is accepted or rejected separately. Repeating a request with the same Idempotency-Key returns
// the first response.
import { createHash } from 'node:crypto';
import type { IngestAnswer } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { LineAllowance } from '../access/line-allowance.ts';
import { ServiceError } from '../errors/service-error.ts';
import { IngestTally, type PushFeed } from '../market/feeds/push/push-feed.ts';
import { readNewsLines } from '../news/ingest-lines.ts';
import type { TakeNews } from '../news/news-source.ts';
import { ReservedSources } from '../news/reserved-sources.ts';
import { decodeContent, decodeUtf8, readRequestBody } from './body.ts';
import { type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Lines processed in one go, so that a large body does not block other requests. */
const CHUNK_LINES = 2_000;
const MAX_ACCOUNTS = 10_000;

/** Processes lines. `first` is the line number of the first one, starting at 1. */
type TakeLines = (lines: readonly string[], first: number, tally: IngestTally) => void;

export interface PushHandlersOptions {
  readonly feed: PushFeed | null;
  readonly takeNews: TakeNews;
  /** Names of the configured news sources. */
  readonly newsSources: () => readonly string[];
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
  readonly #allowances = new Map<number, LineAllowance>();

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

  open(): void {
    this.feed();
  }

  push(caller: Caller, lines: readonly string[]): IngestAnswer {
    const feed = this.feed();
    this.allow(caller, lines.length);
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

  /** Counts lines against the account's allowance. Throws a 429 over the limit. */
  allow(caller: Caller, lines: number): void {
    const { account } = caller;
    const { linesPerMinute, now } = this.#options;
    let allowance = this.#allowances.get(account.id);
    if (!allowance) {
      if (this.#allowances.size >= MAX_ACCOUNTS) this.#allowances.delete(this.#allowances.keys().next().value!);
      allowance = new LineAllowance(linesPerMinute);
      this.#allowances.set(account.id, allowance);
    }
    if (allowance.take(lines, now())) return;
    const seconds = Math.ceil(allowance.waitMs(lines, now()) / 1000);
    throw new ServiceError(
      'rate_limited',
      `An account may push ${linesPerMinute} lines in 60 seconds. Try again in ${seconds} s.`,
      {
        retryAfterSeconds: seconds,
      },
    );
  }

  /** `salt` tells apart requests with the same lines to different endpoints. */
  async #post(request: Request, caller: Caller, take: TakeLines, salt = ''): Promise<string> {
    const key = idempotencyKey(request);
    const body = await readRequestBody(request, MAX_BODY_BYTES);
    const work = (): Promise<string> => this.#take(body, request, caller, take);
    if (key === null) return work();
    const bodyHash = createHash('sha256').update(salt).update(body).digest();
    return this.#options.idempotency.once(caller.account.id, key, bodyHash, work);
  }

  async #take(body: Uint8Array, request: Request, caller: Caller, take: TakeLines): Promise<string> {
    const lines = decodeUtf8(await decodeContent(body, request, MAX_UNPACKED_BYTES)).split('\n');
    if (lines.at(-1) === '') lines.pop();
    this.allow(caller, lines.length);
    const tally = new IngestTally();
    for (let at = 0; at < lines.length; at += CHUNK_LINES) {
      take(lines.slice(at, at + CHUNK_LINES), at + 1, tally);
      await new Promise(setImmediate);
    }
    return JSON.stringify(tally.result());
  }
}
