// The newest headlines, live, shared by all pages that show them. Stream messages that arrive while the list is loading are
// newer than the list and are merged into it.

import type { NewsDetail, NewsPublished, NewsRevised } from '@tickwire/client';
import { fromViewOf } from '@tickwire/contract/symbol-sentiment.ts';
import { LiveList, type LiveListServices } from './live-list.ts';
import { upsert } from './news-order.ts';

/** A change without an item means that the list was loaded, or that loading failed. */
export interface NewsChange {
  /** Published or revised. */
  readonly item?: NewsDetail;
}

/** Headlines kept, newest first. Pages load older ones themselves. */
const MAX_ITEMS = 500;
const PAGE = 200;

export class LatestNews extends LiveList<NewsChange, readonly NewsDetail[]> {
  readonly #client: LiveListServices<'news'>['client'];
  #items: NewsDetail[] = [];
  #complete = false;

  constructor({ client, streams, notifier }: LiveListServices<'news'>) {
    super({
      open: (signal) => {
        this.#items = [];
        this.#complete = false;
        const onMessage = (message: NewsPublished | NewsRevised): void => this.#receive(message);
        streams.open('news', {}, { onMessage, onGap: () => this.reload() }, signal);
      },
      load: async (signal) => (await client.news({ detail: true, limit: PAGE }, { signal })).items,
      // Headlines received while loading may be missing from the response, or be in it unrevised.
      apply: (response, isRecent) => {
        const recent = this.#items.filter(isRecent);
        this.#items = [...response];
        for (const item of recent) this.#put(item);
        this.#complete = response.length < PAGE;
      },
      onError: (error) => notifier.reportError(error, 'News'),
    });
    this.#client = client;
  }

  /** Newest first. */
  get items(): readonly NewsDetail[] {
    return this.#items;
  }

  /** The service has no older headlines. */
  get complete(): boolean {
    return this.#complete;
  }

  /** With the sentiment for the instrument. */
  of(symbol: string): readonly NewsDetail[] {
    return this.#items.filter((item) => item.symbols.includes(symbol)).map((item) => fromViewOf(item, symbol));
  }

  /** The newest headlines of an instrument, once the list is loaded. Only if it has none of them, older ones are requested. */
  async first(symbol: string, limit: number, signal: AbortSignal): Promise<readonly NewsDetail[]> {
    const end = new AbortController();
    await new Promise<void>((resolve) => {
      this.subscribe(end.signal, () => this.state !== 'loading' && resolve());
      signal.addEventListener('abort', () => resolve());
      if (this.state !== 'loading' || signal.aborted) resolve();
    });
    end.abort();
    const found = this.of(symbol).slice(0, limit);
    if (this.state === 'ready' && (found.length > 0 || this.#complete)) return found;
    const { items } = await this.#client.news({ symbol, detail: true, limit }, { signal });
    return items.map((item) => fromViewOf(item, symbol));
  }

  #receive(message: NewsPublished | NewsRevised): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, revised: _revised, ...item } = message as NewsRevised;
    this.#put(item);
    this.received(item.id, { item });
  }

  #put(item: NewsDetail): void {
    upsert(this.#items, item);
    if (this.#items.length <= MAX_ITEMS) return;
    this.#items.pop();
    this.#complete = false;
  }
}
