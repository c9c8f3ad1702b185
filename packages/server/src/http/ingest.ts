// POST /ingest/ticks and /ingest/news: lines, plain or gzip. The body is checked as a whole before anything of it is taken
// in; then each line stands for itself. A repeated body with the same Idempotency-Key gets the first answer again.
import { createHash } from 'node:crypto';
import type { IngestAnswer } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { RollingLines } from '../access/rolling-lines.ts';
import { type PushFeed, Tally } from '../feeds/push/feed.ts';
import { readNewsLines } from '../news/ingest-lines.ts';
import type { TakeNews } from '../news/raw-item.ts';
import { ApiError } from './api-error.ts';
import { plainBody, readBody, textOf } from './body.ts';
import { type Answered, idempotencyKey } from './idempotency.ts';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Lines taken in at once, so that a large body does not hold up everyone else. */
const CHUNK_LINES = 2_000;
const MAX_ACCOUNTS = 10_000;

/** Takes some lines; `first` is the number of the first one. */
type TakeLines = (lines: readonly string[], first: number, tally: Tally) => void;

export interface IngestOptions {
  readonly feed: PushFeed | null;
  /** null where headlines are invented: real ones do not stand beside them. */
  readonly takeNews: TakeNews;
  readonly answered: Answered;
  readonly linesPerMinute: number;
  readonly now: () => number;
}

/** Takes lines of ticks that came over a WebSocket, here or elsewhere. */
export interface PushLines {
  /** Throws where none are ever taken. */
  open(): void;
  push(caller: Caller, lines: readonly string[]): IngestAnswer | Promise<IngestAnswer>;
}

export class Ingest implements PushLines {
  readonly #options: IngestOptions;
  readonly #allowances = new Map<number, RollingLines>();

  constructor(options: IngestOptions) {
    this.#options = options;
  }

  ticks(request: Request, caller: Caller): Promise<string> {
    const feed = this.feed();
    return this.#post(request, caller, (lines, first, tally) =>
      feed.take(lines, first, caller.account.publicId, tally),
    );
  }

  news(request: Request, caller: Caller): Promise<string> {
    const { takeNews, now } = this.#options;
    const take: TakeLines = (lines, first, tally) =>
      takeNews(readNewsLines(lines, first, caller.account.name, now(), tally));
    return this.#post(request, caller, take, 'news ');
  }

  open(): void {
    this.feed();
  }

  push(caller: Caller, lines: readonly string[]): IngestAnswer {
    const feed = this.feed();
    this.allow(caller, lines.length);
    const tally = new Tally();
    feed.take(lines, 1, caller.account.publicId, tally);
    return tally.answer();
  }

  /** The feed that takes pushed ticks, or a refusal. */
  feed(): PushFeed {
    if (this.#options.feed) return this.#options.feed;
    throw new ApiError('ingest_disabled', 'This service takes no ticks: start it with TICKWIRE_FEEDS=push.');
  }

  /** Counts lines against the account's allowance. */
  allow(caller: Caller, lines: number): void {
    const { account } = caller;
    const { linesPerMinute, now } = this.#options;
    let allowance = this.#allowances.get(account.id);
    if (!allowance) {
      if (this.#allowances.size >= MAX_ACCOUNTS) this.#allowances.delete(this.#allowances.keys().next().value!);
      allowance = new RollingLines(linesPerMinute);
      this.#allowances.set(account.id, allowance);
    }
    if (allowance.take(lines, now())) return;
    const seconds = Math.ceil(allowance.waitMs(lines, now()) / 1000);
    throw new ApiError(
      'rate_limited',
      `${linesPerMinute} lines are allowed in 60 seconds; these fit in ${seconds} s.`,
      {
        headers: { 'Retry-After': String(seconds) },
      },
    );
  }

  /** `salt` makes the same lines, sent elsewhere, another request. */
  async #post(request: Request, caller: Caller, take: TakeLines, salt = ''): Promise<string> {
    const key = idempotencyKey(request);
    const body = await readBody(request, MAX_BODY_BYTES);
    const work = (): Promise<string> => this.#take(body, request, caller, take);
    if (key === null) return work();
    const bodyHash = createHash('sha256').update(salt).update(body).digest();
    return this.#options.answered.once(caller.account.id, key, bodyHash, work);
  }

  async #take(body: Uint8Array, request: Request, caller: Caller, take: TakeLines): Promise<string> {
    const lines = textOf(await plainBody(body, request, MAX_UNPACKED_BYTES)).split('\n');
    if (lines.at(-1) === '') lines.pop();
    this.allow(caller, lines.length);
    const tally = new Tally();
    for (let at = 0; at < lines.length; at += CHUNK_LINES) {
      take(lines.slice(at, at + CHUNK_LINES), at + 1, tally);
      await new Promise(setImmediate);
    }
    return JSON.stringify(tally.answer());
  }
}
