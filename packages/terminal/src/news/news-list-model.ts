// What the news list shows: it starts with the latest news, loads older pages on request and receives new headlines. Components
// that read `version` render again when anything changes.
import { signal } from '@preact/signals';
import type { NewsDetail } from '@tickwire/client';
import type { NewsChange } from '../services/latest-news.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { ALL_NEWS, isRequested, type NewsPageFilter } from './news-filter.ts';
import { NewsRows } from './news-rows.ts';

type Services = Pick<TerminalServices, 'client' | 'latestNews' | 'notifier'>;

const PAGE = 100;

export class NewsListModel {
  readonly version = signal(0);
  readonly #services: Services;
  #filter: NewsPageFilter = ALL_NEWS;
  #rows = new NewsRows(() => true);
  #started = false;
  #paused = false;
  #olderOnly = false;
  #loading: AbortController | null = null;
  #error: unknown = null;
  /** The latest news as of their last load. */
  #latest: readonly NewsDetail[] = [];

  constructor(services: Services) {
    this.#services = services;
  }

  get rows(): NewsRows {
    return this.#rows;
  }

  /** The latest news are loaded. */
  get started(): boolean {
    return this.#started;
  }

  /** The list continues below the newest headlines, which are not in it. */
  get olderOnly(): boolean {
    return this.#olderOnly;
  }

  get loading(): boolean {
    return this.#loading !== null;
  }

  /** Why older headlines could not be loaded; `null` if they could. */
  get error(): unknown {
    return this.#error;
  }

  /** Until the signal is aborted. */
  open(signal: AbortSignal): void {
    this.#services.latestNews.subscribe(signal, (change) => this.#receive(change));
    signal.addEventListener('abort', () => this.#loading?.abort());
  }

  /** Starts over at the newest headline. */
  start(filter: NewsPageFilter = this.#filter): void {
    const { latestNews } = this.#services;
    this.#loading?.abort();
    this.#loading = null;
    this.#error = null;
    this.#olderOnly = false;
    this.#filter = filter;
    this.#rows = new NewsRows((item) => isRequested(filter, item));
    this.#started = latestNews.state === 'ready';
    this.#latest = latestNews.items;
    if (this.#started) this.#rows.reset(latestNews.items, latestNews.complete);
    this.#changed();
  }

  /** New headlines are pending while the list is paused. */
  pause(paused: boolean): void {
    this.#paused = paused;
    if (!paused && !this.#olderOnly && this.#rows.pending.length > 0) this.showNewest();
  }

  showNewest(): void {
    // Some were dropped, so the list would have a hole.
    if (this.#rows.dropped > 0 || this.#olderOnly) this.start();
    else this.#rows.showPending();
    this.#changed();
  }

  /** Makes room in a full list. */
  continueWithOlder(): void {
    this.#olderOnly = true;
    this.#rows.clear();
    void this.loadOlder();
  }

  async loadOlder(): Promise<void> {
    const before = this.#rows.cursor;
    if (!this.#started || this.#loading || this.#rows.complete || before === null) return;
    const loading = new AbortController();
    this.#loading = loading;
    this.#error = null;
    this.#changed();
    const { categories, symbol } = this.#filter;
    try {
      const { items } = await this.#services.client.news(
        {
          detail: true,
          limit: PAGE,
          before,
          ...(categories.length > 0 && { category: categories }),
          ...(symbol !== null && { symbol }),
        },
        { signal: loading.signal },
      );
      if (loading.signal.aborted) return;
      this.#rows.addOlder(items, items.length === PAGE);
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#error = error;
      this.#services.notifier.reportError(error, 'Older news');
    }
    this.#loading = null;
    this.#changed();
  }

  #receive({ item }: NewsChange): void {
    if (item) {
      if (this.#started && this.#rows.add(item, this.#paused || this.#olderOnly) !== 'ignored') this.#changed();
    } else if (this.#services.latestNews.state !== 'ready') this.#changed();
    else if (this.#started) this.#catchUp();
    else this.start();
  }

  /** The latest news were loaded again after a gap. If they do not overlap with the previous ones, some in between are unknown. */
  #catchUp(): void {
    const { items, complete } = this.#services.latestNews;
    const before = new Set(this.#latest.map(({ id }) => id));
    const overlaps = complete || items.some(({ id }) => before.has(id));
    this.#latest = items;
    if (!overlaps && !this.#olderOnly) {
      this.start();
      return;
    }
    for (const item of items.toReversed()) this.#rows.add(item, this.#paused || this.#olderOnly);
    this.#changed();
  }

  #changed(): void {
    this.version.value++;
  }
}
