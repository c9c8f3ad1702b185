// The instruments of a list, live, with search, sorting, groups, favourites and an own order. It is a tree grid: the arrow keys move the
// active line, which may be a heading; the selected instrument is the one that the page shows.
import type { TerminalServices } from '../services/terminal-services.ts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { togglePopover } from '../ui/dom/popover.ts';
import { keyboard } from '../ui/keyboard.ts';
import { preferences } from '../ui/preferences.ts';
import { onThemeChange } from '../ui/theme.ts';
import {
  type Arrangement,
  nextSort,
  type Placement,
  USUAL_COLUMNS,
  withFavouriteToggled,
  withGroupToggled,
} from './arrangement.ts';
import { listMenu } from './list-menu.ts';
import { LiveRows } from './live-rows.ts';
import { makeRowsDraggable } from './row-drag.ts';
import { WatchGroup } from './watch-group.ts';
import { WatchHead } from './watch-head.ts';
import { WatchRow } from './watch-row.ts';
import { watchShortcuts } from './watch-shortcuts.ts';
import { WatchState } from './watch-state.ts';
import { WatchToolbar } from './watch-toolbar.ts';

type Services = Pick<TerminalServices, 'quotes' | 'dayOpens' | 'documents' | 'notifier' | 'addInstrument'>;

/** A list sorted by price is sorted again at this interval, but not under the pointer. */
const SORT_EVERY_MS = 3_000;
/** While an arrow key is held down, instruments are skipped; the last one is selected after this time. */
const SELECT_AFTER_MS = 150;

/** Instead of an empty list. */
const EMPTY: Readonly<Record<string, string>> = {
  favourites: 'No favourites yet. The star on a row makes it one.',
  movers: 'No instrument has moved today yet.',
};
const EMPTY_LIST = 'This list is empty. Search for an instrument, then add it in the menu of lists.';

export class Watchlist {
  readonly element: HTMLElement;
  readonly #tools = new WatchToolbar({
    view: (view) => this.#whenLoaded(() => this.#arrange({ view, sort: null })),
    menu: (button) => this.#whenLoaded(() => this.#openMenu(button)),
    move: (by) => this.#step(by),
  });
  readonly #search = this.#tools.search;
  readonly #head = new WatchHead((column) =>
    this.#whenLoaded(() => this.#arrange({ sort: nextSort(this.#state.arrangement.sort, column) })),
  );
  readonly #list = make(
    'div',
    { class: 'rows', tabindex: 0, role: 'treegrid', 'aria-label': 'Instruments' },
    make('div', { class: 'column-group', role: 'rowgroup' }, this.#head.element),
  );
  readonly #empty = make('p', { class: 'empty', hidden: '' });
  readonly #announcement = make('p', { class: 'unseen', role: 'status' });
  readonly #rows = new Map<string, WatchRow>();
  readonly #groups = new Map<string, WatchGroup>();
  readonly #services: Services;
  readonly #onSelect: (symbol: string) => void;
  readonly #live: LiveRows;
  readonly #state: WatchState;
  /** What the user changes before the lists are loaded; `null` once they are. */
  #early: (() => void)[] | null = [];
  #selected: string | null = null;
  /** A row or the heading of a group. */
  #active: HTMLElement | null = null;
  #selectTimer: ReturnType<typeof setTimeout> | undefined;

  /** `onSelect` is called for the user's choice, but not for `select`. */
  constructor(services: Services, signal: AbortSignal, onSelect: (symbol: string) => void) {
    this.#services = services;
    this.#onSelect = onSelect;
    const report = (error: unknown): void => services.notifier.reportError(error, 'Watchlists');
    this.#state = new WatchState(services.documents, () => services.quotes.rows, report);
    for (const row of services.quotes.rows)
      this.#rows.set(row.instrument.symbol, new WatchRow(row, (symbol) => this.#toggleFavourite(symbol)));
    this.#live = new LiveRows(services, this.#rows, this.#list, signal);
    const panel = { class: 'watch panel', 'aria-label': 'Watchlist' };
    this.element = make('section', panel, this.#tools.element, this.#list, this.#empty, this.#announcement);
    this.#show();
    this.#search.addEventListener('input', () => this.#show(), { signal });
    this.#list.addEventListener('click', (event) => this.#click(event), { signal });
    makeRowsDraggable(
      this.#list,
      signal,
      (...drop) => this.#dropped(...drop) !== null,
      (...drop) => this.#whenLoaded(() => this.#moveTo(drop[0], this.#dropped(...drop))),
    );
    keyboard.add(
      signal,
      watchShortcuts({
        list: this.#list,
        search: this.#search,
        toggleFavourite: () => this.#selected !== null && this.#toggleFavourite(this.#selected),
        move: (by, held) => this.#move(by, held),
        enter: () => this.#enter(),
        fold: (folded) => this.#fold(folded),
        step: (by) => this.#step(by),
        clearSearch: () => this.#clearSearch(),
        first: () => this.#first(),
      }),
    );
    preferences.onChange(signal, () => this.#live.rewrite());
    onThemeChange(signal, () => this.#live.redraw());
    this.#state.load().then(
      () => signal.aborted || this.#loaded(),
      (error: unknown) => {
        this.#early = null;
        report(error);
      },
    );
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
  }

  focus(): void {
    this.#list.focus();
  }

  #loaded(): void {
    const early = this.#early ?? [];
    this.#early = null;
    this.#show();
    for (const change of early) change();
  }

  /** A change made earlier would start from lists that are not those of the user. */
  #whenLoaded(change: () => void): void {
    if (this.#early) this.#early.push(change);
    else change();
  }

  #arrange(changes: Partial<Arrangement>): void {
    this.#state.arrange(changes);
    this.#show();
  }

  #show(): void {
    this.#state.update(this.#searching);
    const { sort, columns, favourites, view } = this.#state.arrangement;
    this.#tools.show(view, this.#state.lists.all);
    this.#head.show(sort);
    this.#head.setColumns(columns);
    this.element.dataset.columns = String(columns) === String(USUAL_COLUMNS) ? 'usual' : 'chosen';
    let after = this.#list.firstElementChild;
    for (const group of this.#state.groups) {
      const made = this.#groups.get(group.id) ?? new WatchGroup(group);
      this.#groups.set(group.id, made);
      if (after?.nextElementSibling !== made.element) after?.after(made.element);
      after = made.element;
      made.order(group.symbols.flatMap((symbol) => this.#rows.get(symbol) ?? []));
    }
    const shown = new Set(this.#state.symbols);
    for (const [symbol, row] of this.#rows) {
      row.setColumns(columns);
      row.setFavourite(favourites.includes(symbol));
      if (!shown.has(symbol)) row.element.remove();
    }
    this.#filter();
  }

  #openMenu(button: HTMLElement): void {
    const options = {
      lists: this.#state.lists,
      arrangement: () => this.#state.arrangement,
      displayed: () => this.#state.symbols,
      selected: () => this.#selected,
      known: new Set(this.#rows.keys()),
      arrange: (changes: Partial<Arrangement>) => this.#arrange(changes),
      changed: () => this.#show(),
      report: (text: string) => this.#services.notifier.show(text),
    };
    togglePopover(button, () => listMenu(options), { label: 'Lists and columns', className: 'list-popover' });
  }

  #sortAgain(): void {
    if (document.hidden || !this.#state.moves || this.#list.matches(':hover')) return;
    if (this.#state.update(this.#searching)) this.#show();
  }

  get #searching(): boolean {
    return this.#search.value !== '';
  }

  #filter(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    for (const row of this.#rows.values()) row.element.hidden = !words.every((word) => row.searchText.includes(word));
    const { folded } = this.#state.arrangement;
    const filled = new Set<string>(this.#state.groups.map(({ id }) => id));
    for (const group of this.#groups.values()) {
      // A search expands all groups.
      group.fold(!this.#searching && folded.includes(group.id));
      group.element.hidden = !filled.has(group.id) || !group.element.querySelector('.row:not([hidden])');
    }
    this.#empty.hidden = this.#list.querySelector('.row:not([hidden])') !== null;
    const { addInstrument } = this.#services;
    this.#empty.textContent = this.#searching ? 'No matches' : (EMPTY[this.#state.arrangement.view] ?? EMPTY_LIST);
    if (this.#searching && addInstrument)
      this.#empty.append(
        '. ',
        makeButton('Add instrument…', 'linklike', () => addInstrument(this.#search.value)),
      );
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
    this.#whenLoaded(() => this.#arrange(withGroupToggled(this.#state.arrangement, id)));
  }

  #click(event: Event): void {
    const target = event.target instanceof Element ? event.target : null;
    const heading = target?.closest<HTMLElement>('.heading');
    if (heading?.dataset.group !== undefined) {
      this.#activate(heading);
      this.#toggleGroup(heading.dataset.group);
    } else if (!target?.closest('.star')) this.#choose(target?.closest<HTMLElement>('.row')?.dataset.symbol);
  }

  #step(by: -1 | 1): void {
    const instrument = this.#services.quotes.row(this.#selected ?? '')?.instrument;
    if (instrument) this.#whenLoaded(() => this.#moveTo(instrument.symbol, this.#state.moved(instrument, by)));
  }

  #dropped(symbol: string, target: string, side: 'before' | 'after'): Placement | null {
    const instrument = this.#services.quotes.row(symbol)?.instrument;
    return instrument ? this.#state.placed(instrument, target, side) : null;
  }

  #moveTo(symbol: string, placement: Placement | null): void {
    // The order of matches is not that of the list.
    if (placement === null || this.#searching) return;
    this.#state.place(placement);
    this.#show();
    const { symbols, title } = this.#state.groups.find((group) => group.symbols.includes(symbol))!;
    this.#report(symbol, `${symbol} is ${symbols.indexOf(symbol) + 1} of ${symbols.length} in ${title}`);
  }

  #toggleFavourite(symbol: string): void {
    this.#whenLoaded(() => {
      this.#arrange(withFavouriteToggled(this.#state.arrangement, symbol));
      const favourite = this.#state.arrangement.favourites.includes(symbol);
      this.#report(symbol, `${symbol} is ${favourite ? 'a favourite' : 'no longer a favourite'}`);
    });
  }

  /** Announces where a row is now, and scrolls to it. */
  #report(symbol: string, text: string): void {
    this.#announcement.textContent = text;
    this.#rows.get(symbol)?.element.scrollIntoView({ block: 'nearest' });
  }

  #clearSearch(): void {
    this.#search.value = '';
    this.#show();
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
