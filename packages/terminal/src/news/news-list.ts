// The list of news: begins with what the wire has, goes back page by page as one scrolls, and takes up what comes in, at the
// top where the reader is there, else behind a button. At most MOST_ROWS stand in the page; who reads on begins behind them.
import type { NewsDetail } from '@tickwire/client';
import { box, button, make, write } from '../elements.ts';
import { explain } from '../forms/failure.ts';
import { preferences } from '../preferences.ts';
import type { Workspace } from '../workspace.ts';
import { DayList } from './day-list.ts';
import { ALL_NEWS, belongs, isNarrow, matcher, type NewsFilter } from './news-filter.ts';
import { NewsRows } from './news-rows.ts';
import type { NewsChange } from './news-wire.ts';

const PAGE = 100;

type Wanted = (item: NewsDetail) => boolean;

export class NewsList {
  readonly element = make('div', 'news-list');
  readonly #workspace: Workspace;
  readonly #onClear: () => void;
  readonly #days = new DayList();
  readonly #top = make('div', 'news-top');
  readonly #fresh = button('', 'news-fresh', () => this.#toTop());
  readonly #foot = make('div', 'news-foot');
  readonly #near = make('div', 'news-near');
  readonly #bottom: IntersectionObserver;
  #filter: NewsFilter = ALL_NEWS;
  #wanted: Wanted = () => true;
  #rows = new NewsRows(() => true);
  /** What the wire held when it was last loaded, and what it has heard since. */
  #wire: readonly NewsDetail[] = [];
  #begun = false;
  #held = false;
  /** The newest are not shown: the reader has gone on behind them. */
  #behind = false;
  #older: AbortController | null = null;
  #trouble: unknown = null;

  /** `onClear`: the reader wants all news. */
  constructor(workspace: Workspace, signal: AbortSignal, onClear: () => void) {
    this.#workspace = workspace;
    this.#onClear = onClear;
    this.#fresh.hidden = true;
    const announced = box('div', 'news-announce', this.#fresh);
    announced.setAttribute('aria-live', 'polite');
    this.element.append(this.#top, announced, this.#days.element, this.#foot, this.#near);
    const top = new IntersectionObserver(([entry]) => {
      // Out of sight above, and not below, as on a phone, where the plot stands before the list.
      if (entry) this.#hold(!entry.isIntersecting && entry.boundingClientRect.top < innerHeight / 2);
    });
    top.observe(this.#top);
    this.#bottom = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) this.#readOn();
    });
    this.#bottom.observe(this.#near);
    signal.addEventListener('abort', () => {
      top.disconnect();
      this.#bottom.disconnect();
      this.#older?.abort();
    });
    preferences.onChange(signal, () => {
      this.#days.forget();
      this.#render();
    });
    workspace.news.follow(signal, (change) => this.#hear(change));
    this.#begin();
  }

  show(filter: NewsFilter): void {
    const { categories, symbol } = this.#filter;
    const same = filter.symbol === symbol && filter.categories.join() === categories.join();
    this.#filter = filter;
    this.#wanted = matcher(filter);
    if (!same) this.#begin();
    else {
      this.#render();
      this.#lookOn();
    }
  }

  /** With the newest. */
  #begin(): void {
    const { news } = this.#workspace;
    this.#older?.abort();
    this.#older = null;
    this.#trouble = null;
    this.#behind = false;
    this.#rows = new NewsRows((item) => belongs(this.#filter, item));
    this.#begun = news.state === 'ready';
    this.#wire = news.items;
    if (this.#begun) this.#rows.begin(news.items, news.whole);
    this.#render();
    this.#lookOn();
  }

  #hear({ item }: NewsChange): void {
    const { news } = this.#workspace;
    if (item) {
      if (this.#begun && this.#rows.arrive(item, this.#held || this.#behind) !== 'none') this.#render();
      return;
    }
    if (news.state !== 'ready') this.#render();
    else if (!this.#begun) this.#begin();
    else this.#catchUp();
  }

  /** The wire was loaded again after a gap: what is missing between it and the list cannot be known, so then all is. */
  #catchUp(): void {
    const { news } = this.#workspace;
    const before = new Set(this.#wire.map(({ id }) => id));
    const joined = news.whole || news.items.some(({ id }) => before.has(id));
    this.#wire = news.items;
    if (!joined && !this.#behind) {
      this.#begin();
      return;
    }
    for (const item of news.items.toReversed()) this.#rows.arrive(item, this.#held || this.#behind);
    this.#render();
  }

  #hold(held: boolean): void {
    this.#held = held;
    if (held || this.#behind || this.#rows.waiting.length === 0) return;
    this.#release();
  }

  #release(): void {
    // More than could be kept, so there is a hole.
    if (this.#rows.missed > 0 || this.#behind) this.#begin();
    else this.#rows.release();
    this.#render();
  }

  #toTop(): void {
    this.#release();
    this.#top.scrollIntoView({ block: 'start' });
    // The button goes, and with it the focus.
    this.#days.element.tabIndex = -1;
    this.#days.element.focus({ preventScroll: true });
  }

  /** Loads older ones while their place is in sight. What is searched for words is not loaded for that. */
  #readOn(): void {
    if (this.#trouble !== null || this.#rows.full || this.#filter.words.trim() !== '') return;
    void this.#load();
  }

  async #load(): Promise<void> {
    const before = this.#rows.cursor;
    if (!this.#begun || this.#older || this.#rows.ended || before === null) return;
    const asked = new AbortController();
    this.#older = asked;
    this.#trouble = null;
    this.#render();
    const { categories, symbol } = this.#filter;
    try {
      const { items } = await this.#workspace.client.news(
        {
          detail: true,
          limit: PAGE,
          before,
          ...(categories.length > 0 && { category: categories }),
          ...(symbol !== null && { symbol }),
        },
        { signal: asked.signal },
      );
      if (asked.signal.aborted) return;
      this.#rows.older(items, items.length === PAGE);
    } catch (error) {
      if (asked.signal.aborted) return;
      this.#trouble = error;
      this.#workspace.failed(error, 'Older news');
    }
    this.#older = null;
    this.#render();
    this.#lookOn();
  }

  /** Where the end is still in sight, that is told once more, and the next page asked for. */
  #lookOn(): void {
    this.#bottom.unobserve(this.#near);
    this.#bottom.observe(this.#near);
  }

  #goBehind(): void {
    this.#behind = true;
    this.#rows.beginBehind();
    this.#render();
    this.#top.scrollIntoView({ block: 'start' });
    void this.#load();
  }

  #render(): void {
    const shown = this.#rows.rows.filter(this.#wanted);
    this.#days.show(shown);
    const fresh = this.#rows.waiting.filter(this.#wanted).length + this.#rows.missed;
    this.#fresh.hidden = fresh === 0 && !this.#behind;
    if (!this.#fresh.hidden)
      write(
        this.#fresh,
        `↑ ${[...(fresh > 0 ? [`${fresh} new`] : []), ...(this.#behind ? ['to the newest'] : [])].join(', ')}`,
      );
    this.#foot.replaceChildren(...this.#footOf(shown.length));
  }

  #footOf(shown: number): readonly Node[] {
    const { news } = this.#workspace;
    if (!this.#begun && news.state === 'failed') return [sorry('The news could not be loaded.', () => news.reload())];
    if (!this.#begun) return [make('p', 'empty-note', 'Loading…')];
    if (this.#trouble !== null) return [sorry(explain(this.#trouble).general, () => void this.#load())];
    if (this.#older) return [make('p', 'empty-note', shown === 0 ? 'Looking further back…' : 'Loading older news…')];
    const loaded = `${this.#rows.rows.length} ${this.#rows.rows.length === 1 ? 'headline' : 'headlines'}`;
    if (this.#rows.full)
      return [note(`${loaded} are shown at once.`), button('Go on with older ones', 'plain', () => this.#goBehind())];
    if (!this.#rows.ended && this.#filter.words.trim() !== '')
      return [note(`Searched ${loaded}.`), button('Search older ones', 'plain', () => void this.#load())];
    if (!this.#rows.ended) return [];
    if (shown > 0) return [note('There is nothing older.')];
    if (!isNarrow(this.#filter)) return [note('There is no news yet. What comes in appears here.')];
    return [note('No news matches these filters.'), button('Show all news', 'plain', this.#onClear)];
  }
}

const note = (text: string): HTMLElement => make('p', 'empty-note', text);
const sorry = (text: string, again: () => void): HTMLElement =>
  box('div', 'sorry', make('p', '', text), button('Try again', 'plain', again));
