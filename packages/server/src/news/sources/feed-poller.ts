// Polls feeds: each at its interval, with at most one request per host and four in total. A failing source backs off and
// does not affect the others. Only new items are passed on.
import type { Log } from '../../ops/log.ts';
import type { NewsSource, NewsSourceStatus, RawItem, TakeNews } from '../news-source.ts';
import { FeedParser } from './feed-parser.ts';
import { type FetchFeedOptions, fetchFeed } from './fetch-feed.ts';
import { type FeedSource, PolledSource } from './polled-source.ts';

const MAX_REQUESTS = 4;
/** The first polls are spread over this time. */
const START_SPREAD_MS = 5_000;

export interface FeedPollerOptions {
  readonly sources: readonly FeedSource[];
  readonly intervalMs: number;
  readonly take: TakeNews;
  readonly now: () => number;
  readonly log: Log;
  /** Options of all requests. */
  readonly request?: Pick<FetchFeedOptions, 'contact' | 'proxies' | 'limits' | 'resolve' | 'ca'>;
  readonly parser?: FeedParser;
  readonly random?: () => number;
}

export class FeedPoller implements NewsSource {
  readonly #options: FeedPollerOptions;
  readonly #random: () => number;
  readonly #sources: readonly PolledSource[];
  readonly #parser: FeedParser;
  readonly #stopping = new AbortController();
  readonly #polls = new Set<Promise<void>>();
  #timer: Timer | null = null;

  constructor(options: FeedPollerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#parser = options.parser ?? new FeedParser();
    this.#sources = options.sources.map((source) => new PolledSource(source, 0));
  }

  start(): void {
    const { now, intervalMs } = this.#options;
    const spread = Math.min(START_SPREAD_MS, intervalMs / 2);
    for (const [index, source] of this.#sources.entries()) {
      source.dueAt = now() + ((index + this.#random()) * spread) / this.#sources.length;
    }
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#parser.stop();
    await Promise.all(this.#polls);
    for (const source of this.#sources) source.stop();
  }

  statuses(): readonly NewsSourceStatus[] {
    return this.#sources.map((source) => source.status());
  }

  /** Starts the polls that are due, and sets a timer for the next one. Called again at the end of every poll. */
  #schedule(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#stopping.signal.aborted) return;
    const now = this.#options.now();
    const busy = new Set(this.#sources.filter(({ isPolling }) => isPolling).map(({ hostname }) => hostname));
    for (const source of this.#sources.toSorted((a, b) => a.dueAt - b.dueAt)) {
      if (this.#polls.size >= MAX_REQUESTS) return;
      if (source.isPolling || source.isStopped || busy.has(source.hostname)) continue;
      if (source.dueAt > now) {
        this.#timer = setTimeout(() => this.#schedule(), source.dueAt - now);
        return;
      }
      busy.add(source.hostname);
      this.#startPoll(source);
    }
  }

  #startPoll(source: PolledSource): void {
    source.isPolling = true;
    const poll = this.#poll(source)
      // A poll never throws by design, but a bug must not end the polling of this source.
      .catch((error: unknown) => this.#failed(source, `internal error: ${String(error)}`))
      .finally(() => {
        source.isPolling = false;
        this.#polls.delete(poll);
        this.#schedule();
      });
    this.#polls.add(poll);
  }

  async #poll(source: PolledSource): Promise<void> {
    const { now, intervalMs, request, log } = this.#options;
    const { url, validators, ownHost } = source;
    const fetched = await fetchFeed({ ...request, url, validators, ownHost, signal: this.#stopping.signal });
    if (this.#stopping.signal.aborted) return;
    if (fetched.kind === 'failed') {
      return this.#failed(source, `${fetched.name}: ${fetched.detail}`, fetched.retryAfterMs);
    }
    if (fetched.kind === 'gone') {
      log.warn('a news source returned 410 Gone and is not polled again', { source: source.source.name });
      return source.stop('gone: status 410', now());
    }
    if (fetched.kind === 'unchanged') {
      source.redirected(fetched.movedTo);
      source.unchanged();
      return source.succeeded(now(), intervalMs, this.#random);
    }
    const parsed = await this.#parser.parse(fetched);
    if (this.#stopping.signal.aborted) return;
    // With the validators of a feed that cannot be parsed, the next response would be 304 and hide the problem.
    if (!parsed.ok) return this.#failed(source, `${parsed.failure}: ${parsed.detail}`);
    source.validators = fetched.validators;
    source.redirected(fetched.movedTo);
    const items = source.takeNew(parsed.items, now());
    source.succeeded(now(), intervalMs, this.#random);
    if (parsed.leftOut > 0)
      log.debug('a feed has more items than the limit', { source: source.source.name, left_out: parsed.leftOut });
    if (items.length > 0) this.#deliver(items);
  }

  #deliver(items: readonly RawItem[]): void {
    try {
      this.#options.take(items);
    } catch (error) {
      // Not a failure of the source, so it does not back off.
      this.#options.log.error('news items could not be processed', { items: items.length, error });
    }
  }

  #failed(source: PolledSource, reason: string, retryAfterMs = 0): void {
    const { now, intervalMs, log } = this.#options;
    if (!source.failed(reason, now(), intervalMs, this.#random, retryAfterMs)) return;
    const { name } = source.source;
    log.warn('a news source cannot be read', {
      source: name,
      why: reason,
      again_in_s: Math.round((source.dueAt - now()) / 1_000),
    });
  }
}
