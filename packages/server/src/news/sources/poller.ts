// Polls feeds politely: each at its interval, one request at a time to a host, few in all; a source in trouble is asked
// less and less often and costs the others nothing. What was not seen before is handed on.
import type { Log } from '../../ops/log.ts';
import type { NewsSource, NewsSourceStatus, RawItem, TakeNews } from '../raw-item.ts';
import { FeedReader } from './feed-reader.ts';
import { type FetchFeedOptions, fetchFeed } from './fetch-feed.ts';
import { type FeedSource, PolledSource } from './polled-source.ts';

const MAX_REQUESTS = 4;
/** First polls are spread over so long: a start must not look like an attack. */
const SPREAD_MS = 5_000;

export interface PollerOptions {
  readonly sources: readonly FeedSource[];
  readonly intervalMs: number;
  readonly take: TakeNews;
  readonly now: () => number;
  readonly log: Log;
  /** Contact, proxies, limits: the same for all requests. */
  readonly request?: Pick<FetchFeedOptions, 'contact' | 'proxies' | 'limits' | 'resolve' | 'ca'>;
  readonly reader?: FeedReader;
  readonly random?: () => number;
}

export class Poller implements NewsSource {
  readonly #options: PollerOptions;
  readonly #random: () => number;
  readonly #sources: readonly PolledSource[];
  readonly #reader: FeedReader;
  readonly #stopping = new AbortController();
  readonly #polls = new Set<Promise<void>>();
  #timer: Timer | null = null;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#reader = options.reader ?? new FeedReader();
    this.#sources = options.sources.map((source) => new PolledSource(source, 0));
  }

  start(): void {
    const { now, intervalMs } = this.#options;
    const spread = Math.min(SPREAD_MS, intervalMs / 2);
    for (const [index, source] of this.#sources.entries()) {
      source.dueAt = now() + ((index + this.#random()) * spread) / this.#sources.length;
    }
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer) clearTimeout(this.#timer);
    this.#reader.stop();
    await Promise.all(this.#polls);
    for (const source of this.#sources) source.stop();
  }

  statuses(): readonly NewsSourceStatus[] {
    return this.#sources.map((source) => source.status());
  }

  /** Starts what is due and may start, and sets the clock for what comes next. Every end of a poll comes back here. */
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
      this.#begin(source);
    }
  }

  #begin(source: PolledSource): void {
    source.isPolling = true;
    const poll = this.#poll(source)
      // Nothing in there throws by design; a fault of ours must not end the polling of this source.
      .catch((error: unknown) => this.#failed(source, `fault: ${String(error)}`))
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
      log.warn('a news source is gone for good', { source: source.source.name });
      return source.stop('gone: status 410', now());
    }
    if (fetched.kind === 'unchanged') {
      source.moved(fetched.movedTo);
      source.unchanged();
      return source.succeeded(now(), intervalMs, this.#random);
    }
    const reading = await this.#reader.read(fetched);
    if (this.#stopping.signal.aborted) return;
    // The validators of a feed that could not be read would make the next answer a 304, and the trouble invisible.
    if (!reading.ok) return this.#failed(source, `${reading.refusal}: ${reading.detail}`);
    source.validators = fetched.validators;
    source.moved(fetched.movedTo);
    const items = source.news(reading.items, now());
    source.succeeded(now(), intervalMs, this.#random);
    if (reading.leftOut > 0)
      log.debug('a feed holds more than is taken', { source: source.source.name, left_out: reading.leftOut });
    if (items.length > 0) this.#hand(items);
  }

  #hand(items: readonly RawItem[]): void {
    try {
      this.#options.take(items);
    } catch (error) {
      // Not the source's fault: it is not asked less often for it.
      this.#options.log.error('news could not be taken', { items: items.length, error });
    }
  }

  #failed(source: PolledSource, why: string, retryAfterMs = 0): void {
    const { now, intervalMs, log } = this.#options;
    if (!source.failed(why, now(), intervalMs, this.#random, retryAfterMs)) return;
    const { name } = source.source;
    log.warn('a news source cannot be read', {
      source: name,
      why,
      again_in_s: Math.round((source.dueAt - now()) / 1_000),
    });
  }
}
