// All instruments, live, with search, sorting, groups, favourites and an own order. It is a tree grid: the arrow keys move the
// active line, which may be a heading; the selected instrument is the one that the page shows.
import type { TerminalServices } from '../services/terminal-services.ts';
import { make } from '../ui/dom/elements.ts';
import { keyboard, type Shortcut } from '../ui/keyboard.ts';
import { preferences } from '../ui/preferences.ts';
import { onThemeChange } from '../ui/theme.ts';
import {
  type Arrangement,
  type Group,
  groupsOf,
  moved,
  nextSort,
  placed,
  withFavouriteToggled,
  withGroupToggled,
} from './arrangement.ts';
import { readArrangement, storeArrangement } from './arrangement-store.ts';
import { LiveRows } from './live-rows.ts';
import { makeRowsDraggable } from './row-drag.ts';
import { WatchGroup } from './watch-group.ts';
import { WatchHead } from './watch-head.ts';
import { WatchRow } from './watch-row.ts';
import { WatchToolbar } from './watch-toolbar.ts';

type Services = Pick<TerminalServices, 'quotes' | 'dayOpens'>;

const PAGE = 10;
/** A list sorted by price is sorted again at this interval, but not under the pointer. */
const SORT_EVERY_MS = 3_000;
/** While an arrow key is held down, instruments are skipped; the last one is selected after this time. */
const SELECT_AFTER_MS = 150;

export class Watchlist {
  readonly element: HTMLElement;
  readonly #tools = new WatchToolbar(
    () => this.#toggleFavourite(),
    (by) => this.#step(by),
  );
  readonly #search = this.#tools.search;
  readonly #head = new WatchHead((column) => this.#arrange({ sort: nextSort(this.#arrangement.sort, column) }));
  readonly #list = make(
    'div',
    { class: 'rows', tabindex: 0, role: 'treegrid', 'aria-label': 'Instruments' },
    make('div', { class: 'column-group', role: 'rowgroup' }, this.#head.element),
  );
  readonly #noMatches = make('p', { class: 'empty', hidden: '' }, 'No matches');
  readonly #announcement = make('p', { class: 'unseen', role: 'status' });
  readonly #rows = new Map<string, WatchRow>();
  readonly #groups = new Map<string, WatchGroup>();
  readonly #services: Services;
  readonly #onSelect: (symbol: string) => void;
  readonly #live: LiveRows;
  #arrangement = readArrangement(localStorage);
  #shown: readonly Group[] = [];
  #selected: string | null = null;
  /** A row or the heading of a group. */
  #active: HTMLElement | null = null;
  #selectTimer: ReturnType<typeof setTimeout> | undefined;

  /** `onSelect` is called for the user's choice, but not for `select`. */
  constructor(services: Services, signal: AbortSignal, onSelect: (symbol: string) => void) {
    this.#services = services;
    this.#onSelect = onSelect;
    for (const row of services.quotes.rows) this.#rows.set(row.instrument.symbol, new WatchRow(row));
    this.#live = new LiveRows(services, this.#rows, this.#list, signal);
    const panel = { class: 'watch panel', 'aria-label': 'Watchlist' };
    this.element = make('section', panel, this.#tools.element, this.#list, this.#noMatches, this.#announcement);
    this.#show();
    this.#search.addEventListener('input', () => this.#filter(), { signal });
    this.#list.addEventListener('click', (event) => this.#click(event), { signal });
    makeRowsDraggable(
      this.#list,
      signal,
      (...drop) => this.#dropped(...drop) !== null,
      (...drop) => this.#moveTo(drop[0], this.#dropped(...drop)),
    );
    keyboard.add(signal, this.#shortcuts());
    preferences.onChange(signal, () => this.#live.rewrite());
    onThemeChange(signal, () => this.#live.redraw());
    const sorting = setInterval(() => this.#sortAgain(), SORT_EVERY_MS);
    signal.addEventListener('abort', () => {
      clearInterval(sorting);
      clearTimeout(this.#selectTimer);
    });
  }

  /** Marks the instrument shown by the page. */
  select(symbol: string): void {
    const row = this.#rows.get(symbol);
    if (this.#selected === symbol || !row) return;
    if (this.#selected !== null) this.#rows.get(this.#selected)?.select(false);
    this.#selected = symbol;
    row.select(true);
    this.#activate(row.element);
    this.#showFavourite();
  }

  focus(): void {
    this.#list.focus();
  }

  #shortcuts(): readonly Shortcut[] {
    const everywhere = 'Watchlist';
    const group = 'In the watchlist';
    const field = 'In the search';
    const [at, search] = [this.#list, this.#search];
    const step = (keys: string, title: string, by: number): Shortcut => ({
      keys,
      title,
      group,
      at,
      run: (held) => this.#move(by, held),
    });
    return [
      { keys: '/', title: 'Search instruments', group: everywhere, run: () => search.select() },
      { keys: 'f', title: 'Toggle favourite', group: everywhere, run: () => this.#toggleFavourite() },
      step('ArrowDown', 'Next instrument', 1),
      step('ArrowUp', 'Previous instrument', -1),
      step('PageDown', 'Ten down', PAGE),
      step('PageUp', 'Ten up', -PAGE),
      step('Home', 'First line', Number.NEGATIVE_INFINITY),
      step('End', 'Last line', Number.POSITIVE_INFINITY),
      { keys: 'Enter', title: 'Show the instrument, or toggle the group', group, at, run: () => this.#enter() },
      { keys: 'ArrowLeft', title: 'Collapse the group', group, at, run: () => this.#fold(true) },
      { keys: 'ArrowRight', title: 'Expand the group', group, at, run: () => this.#fold(false) },
      { keys: 'alt+ArrowUp', title: 'Move the instrument up', group, at, run: () => this.#step(-1) },
      { keys: 'alt+ArrowDown', title: 'Move the instrument down', group, at, run: () => this.#step(1) },
      { keys: 'Escape', title: 'Clear the search', group: field, at: search, run: () => this.#clearSearch() },
      { keys: 'ArrowDown', title: 'Go to the first match', group: field, at: search, run: () => this.#first() },
      { keys: 'Enter', title: 'Show the first match', group: field, at: search, run: () => this.#first() },
    ];
  }

  #arrange(changes: Partial<Arrangement>): void {
    this.#arrangement = { ...this.#arrangement, ...changes };
    storeArrangement(localStorage, this.#arrangement);
    this.#show();
  }

  #show(): void {
    this.#shown = groupsOf(this.#services.quotes.rows, this.#arrangement);
    this.#head.show(this.#arrangement.sort);
    let after = this.#list.firstElementChild;
    for (const group of this.#shown) {
      const made = this.#groups.get(group.id) ?? new WatchGroup(group);
      this.#groups.set(group.id, made);
      if (after?.nextElementSibling !== made.element) after?.after(made.element);
      after = made.element;
      made.order(group.symbols.flatMap((symbol) => this.#rows.get(symbol) ?? []));
    }
    this.#filter();
    this.#showFavourite();
  }

  #sortAgain(): void {
    const { sort } = this.#arrangement;
    if (document.hidden || sort === null || sort.column === 'name' || this.#list.matches(':hover')) return;
    const before = this.#shown.flatMap(({ symbols }) => symbols).join();
    const now = groupsOf(this.#services.quotes.rows, this.#arrangement);
    if (now.flatMap(({ symbols }) => symbols).join() !== before) this.#show();
  }

  #filter(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    for (const row of this.#rows.values()) row.element.hidden = !words.every((word) => row.searchText.includes(word));
    const { folded } = this.#arrangement;
    const filled = new Set<string>(this.#shown.map(({ id }) => id));
    for (const group of this.#groups.values()) {
      // A search expands all groups.
      group.fold(this.#search.value === '' && folded.includes(group.id));
      group.element.hidden = !filled.has(group.id) || !group.element.querySelector('.row:not([hidden])');
    }
    this.#noMatches.hidden = this.#list.querySelector('.row:not([hidden])') !== null;
  }

  /** Visible headings and rows, from top to bottom. */
  #lines(): readonly HTMLElement[] {
    return [
      ...this.#list.querySelectorAll<HTMLElement>('.group:not([hidden]) > :is(.heading, .row:not([hidden]))'),
    ].filter((line) => line.matches('.heading') || line.parentElement?.dataset.folded !== 'true');
  }

  #activate(line: HTMLElement): void {
    if (this.#active) delete this.#active.dataset.active;
    this.#active = line;
    line.dataset.active = '';
    this.#list.setAttribute('aria-activedescendant', line.id);
    line.scrollIntoView({ block: 'nearest' });
  }

  #move(by: number, held: boolean): void {
    const lines = this.#lines();
    const at = this.#active ? lines.indexOf(this.#active) : -1;
    const to = at < 0 && Number.isFinite(by) ? 0 : Math.min(lines.length - 1, Math.max(0, at + by));
    const line = lines[to];
    if (!line) return;
    this.#activate(line);
    clearTimeout(this.#selectTimer);
    if (held) this.#selectTimer = setTimeout(() => this.#choose(line.dataset.symbol), SELECT_AFTER_MS);
    else this.#choose(line.dataset.symbol);
  }

  #choose(symbol: string | undefined): void {
    if (symbol === undefined || symbol === this.#selected) return;
    this.select(symbol);
    this.#onSelect(symbol);
  }

  #enter(): void {
    const { symbol, group } = this.#active?.dataset ?? {};
    if (group !== undefined) this.#toggleGroup(group);
    clearTimeout(this.#selectTimer);
    this.#choose(symbol);
  }

  #fold(folded: boolean): void {
    const id = this.#active?.closest('.group')?.querySelector<HTMLElement>('.heading')?.dataset.group;
    const group = id === undefined ? undefined : this.#groups.get(id);
    if (!group || group.folded === folded) return;
    if (folded) this.#activate(group.heading);
    this.#toggleGroup(group.id);
  }

  #toggleGroup(id: string): void {
    this.#arrange(withGroupToggled(this.#arrangement, id));
  }

  #click(event: Event): void {
    const target = event.target instanceof Element ? event.target : null;
    const heading = target?.closest<HTMLElement>('.heading');
    if (heading?.dataset.group !== undefined) {
      this.#activate(heading);
      this.#toggleGroup(heading.dataset.group);
    } else this.#choose(target?.closest<HTMLElement>('.row')?.dataset.symbol);
  }

  #instrument(symbol: string | null) {
    return symbol === null ? undefined : this.#services.quotes.row(symbol)?.instrument;
  }

  #step(by: -1 | 1): void {
    const instrument = this.#instrument(this.#selected);
    if (instrument) this.#moveTo(instrument.symbol, moved(this.#arrangement, this.#shown, instrument, by));
  }

  #dropped(symbol: string, target: string, side: 'before' | 'after'): Arrangement | null {
    const instrument = this.#instrument(symbol);
    return instrument ? placed(this.#arrangement, this.#shown, instrument, target, side) : null;
  }

  #moveTo(symbol: string, arrangement: Arrangement | null): void {
    if (arrangement === null) return;
    this.#arrange(arrangement);
    const { symbols, title } = this.#shown.find((group) => group.symbols.includes(symbol))!;
    this.#report(symbol, `${symbol} is ${symbols.indexOf(symbol) + 1} of ${symbols.length} in ${title}`);
  }

  #toggleFavourite(): void {
    const symbol = this.#selected;
    if (symbol === null) return;
    this.#arrange(withFavouriteToggled(this.#arrangement, symbol));
    const favourite = this.#arrangement.favourites.includes(symbol);
    this.#report(symbol, `${symbol} is ${favourite ? 'a favourite' : 'no longer a favourite'}`);
  }

  #showFavourite(): void {
    const favourite = this.#selected !== null && this.#arrangement.favourites.includes(this.#selected);
    this.#tools.showFavourite(this.#selected, favourite);
  }

  /** Announces where a row is now, and scrolls to it. */
  #report(symbol: string, text: string): void {
    this.#announcement.textContent = text;
    this.#rows.get(symbol)?.element.scrollIntoView({ block: 'nearest' });
  }

  #clearSearch(): void {
    this.#search.value = '';
    this.#filter();
    this.focus();
  }

  #first(): void {
    const row = this.#lines().find(({ dataset }) => dataset.symbol !== undefined);
    if (!row) return;
    this.#activate(row);
    this.#choose(row.dataset.symbol);
    this.focus();
  }
}
