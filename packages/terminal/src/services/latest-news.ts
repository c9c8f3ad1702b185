// The newest headlines, live, shared by all pages that show them. Stream messages that arrive while the list is loading are
// newer than the list and are merged into it.
import type { NewsDetail, NewsPublished, NewsRevised } from '@tickwire/client';
import { LiveList, type LiveListServices, type LoadState } from './live-list.ts';
import { upsert } from './news-order.ts';

export interface NewsChange {
  /** Published or revised. */
  readonly item?: NewsDetail;
}
/** A change without an item means that the list was loaded, or that loading failed. */
export type NewsListener = (change: NewsChange) => void;

/** Headlines kept, newest first. Pages load older ones themselves. */
const MAX_ITEMS = 500;
const PAGE = 200;

export class LatestNews {
  readonly #services: LiveListServices;
  readonly #list: LiveList<NewsChange, NewsDetail[]>;
  /** When each arrived on the stream, by this machine's clock. Old entries are dropped. */
  readonly #receivedAt = new Map<string, number>();
  #items: NewsDetail[] = [];
  #complete = false;

  constructor(services: LiveListServices) {
    this.#services = services;
    this.#list = new LiveList({
      open: (signal) => this.#open(signal),
      load: async (signal) => (await services.client.news({ detail: true, limit: PAGE }, { signal })).items,
      apply: (items, since) => this.#apply(items, since),
      onError: (error) => services.notifier.reportError(error, 'News'),
    });
  }

  get state(): LoadState {
    return this.#list.state;
  }

  /** Newest first. */
  get items(): readonly NewsDetail[] {
    return this.#items;
  }

  /** The service has no older headlines. */
  get complete(): boolean {
    return this.#complete;
  }

  of(symbol: string): readonly NewsDetail[] {
    return this.#items.filter((item) => item.symbols.includes(symbol));
  }

  /** Until the signal is aborted. */
  subscribe(signal: AbortSignal, listener: NewsListener): void {
    this.#list.subscribe(signal, listener);
  }

  reload(): void {
    this.#list.reload();
  }

  #open(signal: AbortSignal): void {
    this.#items = [];
    this.#receivedAt.clear();
    this.#complete = false;
    this.#services.streams.open(
      'news',
      {},
      { onMessage: (message) => this.#receive(message), onGap: () => this.reload() },
      signal,
    );
  }

  /** Headlines received while loading may be missing from the response, or be in it unrevised. */
  #apply(response: readonly NewsDetail[], since: number): void {
    const recent = this.#items.filter(({ id }) => (this.#receivedAt.get(id) ?? 0) >= since);
    this.#items = [...response];
    for (const item of recent) this.#put(item);
    for (const [id, at] of this.#receivedAt) if (at < since) this.#receivedAt.delete(id);
    this.#complete = response.length < PAGE;
  }

  #receive(message: NewsPublished | NewsRevised): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, revised: _revised, ...item } = message as NewsRevised;
    this.#receivedAt.set(item.id, Date.now());
    if (this.#receivedAt.size > MAX_ITEMS) this.#receivedAt.delete(this.#receivedAt.keys().next().value!);
    this.#put(item);
    this.#list.emit({ item });
  }

  #put(item: NewsDetail): void {
    upsert(this.#items, item);
    if (this.#items.length <= MAX_ITEMS) return;
    this.#items.pop();
    this.#complete = false;
  }
}
