// What the feed is narrowed by: active, closed or all; instrument, publisher, direction.
import type { Instrument } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import type { FeedFilter, FeedStatus } from './feed-filter.ts';

const STATUSES: readonly (readonly [FeedStatus, string])[] = [
  ['active', 'Active'],
  ['closed', 'Closed'],
  ['all', 'All'],
];

export class FeedControls {
  readonly element: HTMLElement;
  readonly #statuses: readonly { readonly status: FeedStatus; readonly choice: HTMLButtonElement }[];
  readonly #symbol = make('select', 'pick');
  readonly #user = make('select', 'pick');
  readonly #direction = make('select', 'pick');
  #filter: FeedFilter;

  constructor(instruments: readonly Instrument[], filter: FeedFilter, onChange: (filter: FeedFilter) => void) {
    this.#filter = filter;
    this.#statuses = STATUSES.map(([status, text]) => {
      const choice = button(text, 'timeframe', () => onChange({ ...this.#filter, status }));
      return { status, choice };
    });
    fill(this.#symbol, 'Instrument', [
      ['', 'All instruments'],
      ...instruments.map(({ symbol }) => [symbol, symbol] as const),
    ]);
    fill(this.#user, 'Publisher', [['', 'All publishers']]);
    fill(this.#direction, 'Direction', [
      ['', 'Buy and sell'],
      ['buy', '▲ Buy'],
      ['sell', '▼ Sell'],
    ]);
    this.#symbol.addEventListener('change', () => onChange({ ...this.#filter, symbol: this.#symbol.value }));
    this.#user.addEventListener('change', () => onChange({ ...this.#filter, user: this.#user.value }));
    this.#direction.addEventListener('change', () =>
      onChange({ ...this.#filter, direction: this.#direction.value as FeedFilter['direction'] }),
    );
    const statuses = box('fieldset', 'timeframes', ...this.#statuses.map(({ choice }) => choice));
    statuses.setAttribute('aria-label', 'Which signals');
    this.element = box('div', 'feed-controls', statuses, this.#symbol, this.#user, this.#direction);
    this.show(filter);
  }

  show(filter: FeedFilter): void {
    this.#filter = filter;
    for (const { status, choice } of this.#statuses)
      choice.setAttribute('aria-pressed', String(status === filter.status));
    choose(this.#symbol, filter.symbol);
    choose(this.#user, filter.user);
    choose(this.#direction, filter.direction);
  }

  /** Names are known later than the page is shown. */
  publishers(names: readonly string[]): void {
    fill(this.#user, 'Publisher', [['', 'All publishers'], ...names.map((name) => [name, name] as const)]);
    choose(this.#user, this.#filter.user);
  }
}

function fill(select: HTMLSelectElement, label: string, choices: readonly (readonly [string, string])[]): void {
  select.setAttribute('aria-label', label);
  select.replaceChildren(...choices.map(([value, text]) => new Option(text, value)));
}

/** What the address names is chosen, though nobody here knows it. */
function choose(select: HTMLSelectElement, value: string): void {
  const known = [...select.options].find((option) => option.value.toLowerCase() === value.toLowerCase());
  if (!known) select.add(new Option(value, value));
  select.value = known?.value ?? value;
  select.dataset.chosen = String(value !== '');
}
