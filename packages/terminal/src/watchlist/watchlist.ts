// All instruments, grouped by type: search, arrows, selection, and the rows kept up to date from the board.
import type { InstrumentType } from '@tickwire/client';
import { element, make } from '../elements.ts';
import type { QuoteBoard } from '../quote-board.ts';
import { WatchRow } from './watch-row.ts';

const TITLES: Readonly<Record<InstrumentType, string>> = {
  forex: 'Forex',
  metal: 'Metals',
  crypto: 'Crypto',
  index: 'Indices',
  energy: 'Energy',
  equity: 'Equities',
};

const PAGE = 10;

export class Watchlist {
  readonly #list = element('watchlist', HTMLElement);
  readonly #search = element('search', HTMLInputElement);
  readonly #rows = new Map<string, WatchRow>();
  readonly #board: QuoteBoard;
  readonly #onSelect: (symbol: string) => void;
  #selected: string | null = null;

  constructor(board: QuoteBoard, signal: AbortSignal, onSelect: (symbol: string) => void) {
    this.#board = board;
    this.#onSelect = onSelect;
    this.#list.replaceChildren(...this.#groups());
    board.onChange((changed) => this.#refresh(changed));
    this.#search.value = '';
    this.#filter();
    this.#search.addEventListener('input', () => this.#filter(), { signal });
    this.#search.addEventListener('keydown', (event) => this.#searchKey(event), { signal });
    this.#list.addEventListener('keydown', (event) => this.#listKey(event), { signal });
    this.#list.addEventListener('click', (event) => this.#click(event), { signal });
    document.addEventListener('keydown', (event) => this.#pageKey(event), { signal });
  }

  select(symbol: string): void {
    if (this.#selected === symbol || !this.#rows.has(symbol)) return;
    if (this.#selected !== null) this.#rows.get(this.#selected)?.select(false);
    this.#selected = symbol;
    this.#rows.get(symbol)?.select(true);
    this.#list.setAttribute('aria-activedescendant', `row-${symbol}`);
    this.#onSelect(symbol);
  }

  #groups(): HTMLElement[] {
    const groups: HTMLElement[] = [];
    for (const [type, title] of Object.entries(TITLES)) {
      const rows = this.#board.rows.filter((row) => row.instrument.type === type);
      if (rows.length === 0) continue;
      const group = make('div', 'group');
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', title);
      const heading = make('div', 'heading', title);
      heading.setAttribute('aria-hidden', 'true');
      group.append(heading);
      for (const row of rows) {
        const line = new WatchRow(row);
        this.#rows.set(line.symbol, line);
        group.append(line.element);
      }
      groups.push(group);
    }
    return groups;
  }

  #refresh(changed: ReadonlySet<string>): void {
    for (const symbol of changed) {
      const row = this.#board.row(symbol);
      if (row) this.#rows.get(symbol)?.show(row);
    }
  }

  #filter(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    for (const row of this.#rows.values()) {
      row.element.hidden = !words.every((word) => row.haystack.includes(word));
    }
    for (const group of this.#list.children) {
      (group as HTMLElement).hidden = !group.querySelector('.row:not([hidden])');
    }
    element('nothing-found', HTMLElement).hidden = this.#visible().length > 0;
  }

  #visible(): readonly WatchRow[] {
    return [...this.#rows.values()].filter((row) => !row.element.hidden);
  }

  #move(by: number): void {
    const visible = this.#visible();
    const at = visible.findIndex((row) => row.symbol === this.#selected);
    const to = at < 0 ? 0 : Math.min(visible.length - 1, Math.max(0, at + by));
    const row = visible[to];
    if (row) this.select(row.symbol);
  }

  #click(event: Event): void {
    const symbol = (event.target as Element).closest<HTMLElement>('.row')?.dataset.symbol;
    if (symbol !== undefined) this.select(symbol);
  }

  #listKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#move(by);
  }

  #searchKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      this.#search.value = '';
      this.#filter();
      this.#list.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      const first = this.#visible()[0];
      if (!first) return;
      this.select(first.symbol);
      this.#list.focus();
    }
  }

  /** A slash anywhere goes to the search, as on many a page. */
  #pageKey(event: KeyboardEvent): void {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    this.#search.select();
  }
}
