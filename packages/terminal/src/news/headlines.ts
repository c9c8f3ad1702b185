// The latest headlines of one instrument, for the page that shows it. Live for who signed in; a key has few streams, so there
// they are asked for again now and then.
import type { NewsDetail } from '@tickwire/client';
import { box, link, make, write } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { preferences } from '../preferences.ts';
import { repeat } from '../repeat.ts';
import type { Workspace } from '../workspace.ts';
import { ALL_NEWS, addressOf } from './news-filter.ts';
import { headline, published } from './news-item.ts';
import { insert, laterOf } from './news-order.ts';
import { sentimentChip } from './words.ts';

const MOST = 8;
const EVERY_MS = 120_000;

export class Headlines {
  readonly element = make('section', 'headlines');
  readonly #workspace: Workspace;
  readonly #list = make('ol', 'news-items');
  readonly #note = make('p', 'empty-note');
  readonly #all = link('All news', '/news', 'quiet');
  #symbol: string | null = null;
  #items: NewsDetail[] = [];
  #asked: AbortController | null = null;

  constructor(workspace: Workspace, signal: AbortSignal) {
    this.#workspace = workspace;
    this.element.append(
      box('header', 'headlines-head', make('h2', '', 'Headlines'), this.#all),
      this.#list,
      this.#note,
    );
    this.element.setAttribute('aria-label', 'Latest headlines');
    if (workspace.signedIn)
      workspace.news.follow(signal, ({ item }) => {
        if (item) this.#hear(item);
        else if (workspace.news.state === 'ready') void this.#load();
      });
    const again = repeat(async () => {
      if (!workspace.signedIn) await this.#load();
      return EVERY_MS;
    }, EVERY_MS);
    preferences.onChange(signal, () => this.#render());
    signal.addEventListener('abort', () => {
      again.stop();
      this.#asked?.abort();
    });
  }

  /** Of another instrument nothing stays. */
  show(symbol: string): void {
    if (symbol === this.#symbol) return;
    this.#symbol = symbol;
    this.#items = [];
    this.#all.href = addressOf({ ...ALL_NEWS, symbol });
    this.#render();
    write(this.#note, 'Loading…');
    void this.#load();
  }

  async #load(): Promise<void> {
    const symbol = this.#symbol;
    if (symbol === null) return;
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    try {
      const { items } = await this.#workspace.client.news(
        { symbol, detail: true, limit: MOST },
        { signal: asked.signal },
      );
      if (asked.signal.aborted) return;
      // What came meanwhile may not be in the answer yet.
      const heard = this.#items;
      this.#items = [...items];
      for (const item of heard) this.#put(item);
      this.#render();
      write(this.#note, this.#items.length === 0 ? `No news on ${symbol} yet.` : '');
    } catch (error) {
      if (asked.signal.aborted) return;
      if (this.#items.length === 0) write(this.#note, explain(error).general);
      this.#workspace.failed(error, 'Headlines');
    }
  }

  #hear(item: NewsDetail): void {
    if (this.#symbol === null || !item.symbols.includes(this.#symbol)) return;
    this.#put(item);
    this.#render();
    write(this.#note, '');
  }

  #put(item: NewsDetail): void {
    const at = this.#items.findIndex(({ id }) => id === item.id);
    if (at >= 0) this.#items[at] = laterOf(this.#items[at]!, item);
    else insert(this.#items, item);
    this.#items.length = Math.min(this.#items.length, MOST);
  }

  #render(): void {
    this.#list.replaceChildren(
      ...this.#items.map((item) => box('li', 'headline', published(item), sentimentChip(item), headline(item))),
    );
  }
}
