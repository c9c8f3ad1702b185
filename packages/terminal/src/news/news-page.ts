// The news: what came in, by day, with filters that stand in the address; beside it the sentiment over time and how the
// market moved afterwards.
import { box, make } from '../elements.ts';
import type { Page, PageKind } from '../page.ts';
import type { Workspace } from '../workspace.ts';
import { CalibrationPanel } from './calibration-panel.ts';
import { FilterBar } from './filter-bar.ts';
import { ALL_NEWS, addressOf, type NewsFilter, readFilter } from './news-filter.ts';
import { NewsList } from './news-list.ts';
import { SentimentPanel } from './sentiment-panel.ts';

class NewsPage implements Page {
  readonly element = make('div', 'news-page');
  readonly title = 'News · Tickwire';
  readonly #end = new AbortController();
  readonly #workspace: Workspace;
  readonly #bar: FilterBar;
  readonly #list: NewsList;
  readonly #sentiment: SentimentPanel;
  readonly #calibration: CalibrationPanel;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    const { signal } = this.#end;
    const filter = readFilter(location.search);
    this.#bar = new FilterBar(workspace.instruments, (chosen) => this.#choose(chosen));
    this.#list = new NewsList(workspace, signal, () => this.#choose(ALL_NEWS));
    this.#sentiment = new SentimentPanel(workspace, signal, filter);
    this.#calibration = new CalibrationPanel(workspace, signal, filter);
    const scrolled = box('div', 'news-main', make('h1', 'unseen', 'News'), this.#list.element);
    const aside = box('aside', 'news-aside', this.#sentiment.element, this.#calibration.element);
    aside.setAttribute('aria-label', 'Sentiment');
    this.element.append(this.#bar.element, aside, scrolled);
    this.#show(filter);
  }

  /** The filter stands in the query, so another address is at most another filter. */
  follow(): boolean {
    this.#show(readFilter(location.search));
    return true;
  }

  close(): void {
    this.#end.abort();
  }

  #choose(filter: NewsFilter): void {
    // The way back leads to the page before, and not through every letter that was typed.
    this.#workspace.router.go(addressOf(filter), { replace: true });
    this.#show(filter);
  }

  #show(filter: NewsFilter): void {
    this.#bar.show(filter);
    this.#list.show(filter);
    this.#sentiment.show(filter);
    this.#calibration.show(filter);
  }
}

export const NEWS_PAGE: PageKind = {
  name: 'news',
  label: 'News',
  forAccounts: false,
  make: (workspace) => new NewsPage(workspace),
};
