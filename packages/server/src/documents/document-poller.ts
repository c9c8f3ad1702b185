// Polls documents: each at its interval, with at most one request per host and four in total. A failing source backs off and
// does not affect the others.
import type { Log } from '../ops/log.ts';
import { type FetchDocumentOptions, type FetchedDocument, fetchDocument } from './fetch-document.ts';
import type { PolledDocument } from './polled-document.ts';
import type { Source, SourceStatus } from './source.ts';

const MAX_REQUESTS = 4;
/** The first polls are spread over this time. */
const START_SPREAD_MS = 5_000;

export interface DocumentPollerOptions {
  /** What the sources are called in the log: `news`, `calendar`. */
  readonly kind: string;
  readonly intervalMs: number;
  readonly now: () => number;
  readonly log: Log;
  /** Options of all requests. */
  readonly request?: Pick<FetchDocumentOptions, 'contact' | 'proxies' | 'limits' | 'resolve' | 'ca' | 'accept'>;
  readonly random?: () => number;
}

export abstract class DocumentPoller<P extends PolledDocument> implements Source {
  readonly #options: DocumentPollerOptions;
  readonly #random: () => number;
  readonly #sources: readonly P[];
  readonly #stopping = new AbortController();
  readonly #polls = new Set<Promise<void>>();
  #timer: Timer | null = null;

  constructor(sources: readonly P[], options: DocumentPollerOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#sources = sources;
  }

  /** Reads a document and passes on its items. Returns why it could not be read; `null` if it could. */
  protected abstract read(source: P, fetched: FetchedDocument): Promise<string | null>;
  /** Ends work on documents that are being read. */
  protected abstract cancel(): void;

  protected get isStopping(): boolean {
    return this.#stopping.signal.aborted;
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
    this.cancel();
    await Promise.all(this.#polls);
    for (const source of this.#sources) source.stop();
  }

  statuses(): readonly SourceStatus[] {
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

  #startPoll(source: P): void {
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

  async #poll(source: P): Promise<void> {
    const { kind, now, intervalMs, request, log } = this.#options;
    const { url, validators, ownHost } = source;
    const fetched = await fetchDocument({ ...request, url, validators, ownHost, signal: this.#stopping.signal });
    if (this.isStopping) return;
    if (fetched.kind === 'failed') {
      return this.#failed(source, `${fetched.name}: ${fetched.detail}`, fetched.retryAfterMs);
    }
    if (fetched.kind === 'gone') {
      log.warn(`a ${kind} source returned 410 Gone and is not polled again`, { source: source.source.name });
      return source.stop('gone: status 410', now());
    }
    if (fetched.kind === 'unchanged') {
      source.redirected(fetched.movedTo);
      source.unchanged();
      return source.succeeded(now(), intervalMs, this.#random);
    }
    const failure = await this.read(source, fetched);
    if (this.isStopping) return;
    // With the validators of a document that cannot be read, the next response would be 304 and hide the problem.
    if (failure !== null) return this.#failed(source, failure);
    source.validators = fetched.validators;
    source.redirected(fetched.movedTo);
    source.succeeded(now(), intervalMs, this.#random);
  }

  #failed(source: P, reason: string, retryAfterMs = 0): void {
    const { kind, now, intervalMs, log } = this.#options;
    if (!source.failed(reason, now(), intervalMs, this.#random, retryAfterMs)) return;
    const { name } = source.source;
    log.warn(`a ${kind} source cannot be read`, {
      source: name,
      why: reason,
      again_in_s: Math.round((source.dueAt - now()) / 1_000),
    });
  }
}
