// The filters of the news: categories (several), a label, an instrument, words.
import type { Instrument } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { ALL_NEWS, CATEGORIES, isNarrow, type NewsFilter, SENTIMENTS, type Sentiment, toggled } from './news-filter.ts';
import { ARROW, capital, LABEL } from './words.ts';

export class FilterBar {
  readonly element = make('div', 'news-filters');
  readonly #onChange: (filter: NewsFilter) => void;
  readonly #all: HTMLButtonElement;
  readonly #categories: readonly (readonly [(typeof CATEGORIES)[number], HTMLButtonElement])[];
  readonly #sentiments: readonly (readonly [Sentiment, HTMLButtonElement])[];
  readonly #symbol = make('select', 'news-select');
  readonly #words = make('input', 'news-search');
  readonly #clear: HTMLButtonElement;
  #filter: NewsFilter = ALL_NEWS;

  constructor(instruments: readonly Instrument[], onChange: (filter: NewsFilter) => void) {
    this.#onChange = onChange;
    this.#all = button('All', 'timeframe', () => this.#change({ categories: [] }));
    this.#categories = CATEGORIES.map((category) => [
      category,
      button(capital(category), 'timeframe', () => this.#change({ categories: toggled(this.#filter, category) })),
    ]);
    this.#sentiments = SENTIMENTS.map((sentiment) => {
      const made = button(LABEL[sentiment], 'timeframe', () =>
        this.#change({ sentiment: this.#filter.sentiment === sentiment ? null : sentiment }),
      );
      const arrow = make('span', `arrow ${sentiment}`, `${ARROW[sentiment]} `);
      arrow.setAttribute('aria-hidden', 'true');
      made.prepend(arrow);
      return [sentiment, made];
    });
    this.#symbol.setAttribute('aria-label', 'Instrument');
    this.#symbol.append(option('', 'All instruments'), ...instruments.map(({ symbol }) => option(symbol, symbol)));
    this.#symbol.addEventListener('change', () => this.#change({ symbol: this.#symbol.value || null }));
    this.#words.type = 'search';
    this.#words.placeholder = 'Search headlines';
    this.#words.setAttribute('aria-label', 'Search headlines that are loaded');
    this.#words.maxLength = 200;
    this.#words.addEventListener('input', () => this.#change({ words: this.#words.value }));
    this.#clear = button('Clear', 'linklike', () => this.#change(ALL_NEWS));
    this.element.append(
      group('Categories', this.#all, ...this.#categories.map(([, made]) => made)),
      group('Sentiment', ...this.#sentiments.map(([, made]) => made)),
      this.#symbol,
      this.#words,
      this.#clear,
    );
  }

  show(filter: NewsFilter): void {
    this.#filter = filter;
    press(this.#all, filter.categories.length === 0);
    for (const [category, made] of this.#categories) press(made, filter.categories.includes(category));
    for (const [sentiment, made] of this.#sentiments) press(made, filter.sentiment === sentiment);
    const symbol = filter.symbol ?? '';
    // One from an address, that the catalogue does not have.
    if (![...this.#symbol.options].some(({ value }) => value === symbol)) this.#symbol.append(option(symbol, symbol));
    this.#symbol.value = symbol;
    if (this.#words.value !== filter.words) this.#words.value = filter.words;
    this.#clear.hidden = !isNarrow(filter);
  }

  #change(changes: Partial<NewsFilter>): void {
    this.#onChange({ ...this.#filter, ...changes });
  }
}

function group(label: string, ...inside: readonly HTMLElement[]): HTMLElement {
  const made = box('fieldset', 'timeframes', ...inside);
  made.setAttribute('aria-label', label);
  return made;
}

function option(value: string, text: string): HTMLOptionElement {
  const made = make('option', '', text);
  made.value = value;
  return made;
}

const press = (made: HTMLButtonElement, pressed: boolean): void => made.setAttribute('aria-pressed', String(pressed));
