// The tools above the watchlist: the list that is shown and its menu, the search, and moving the selected instrument.
import { make, makeButton } from '../ui/dom/elements.ts';
import { READY_MADE, type WatchList } from './arrangement.ts';

export interface WatchToolbarActions {
  readonly view: (id: string) => void;
  readonly menu: (button: HTMLElement) => void;
  /** Up (−1) or down (1). */
  readonly move: (by: -1 | 1) => void;
}

export class WatchToolbar {
  readonly element: HTMLElement;
  readonly search = make('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search instruments',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #views = make('select', { class: 'watch-views', 'aria-label': 'Watchlist shown' });
  #shown = '';

  constructor(actions: WatchToolbarActions) {
    const tool = (text: string, label: string, run: (button: HTMLElement) => void): HTMLButtonElement => {
      const made = makeButton(text, { class: 'tool', title: label, 'aria-label': label }, () => run(made));
      return made;
    };
    const menu = tool('☰', 'Lists and columns', actions.menu);
    menu.setAttribute('aria-haspopup', 'dialog');
    menu.setAttribute('aria-expanded', 'false');
    this.#views.addEventListener('change', () => actions.view(this.#views.value));
    const up = tool('↑', 'Move the selected instrument up', () => actions.move(-1));
    const down = tool('↓', 'Move the selected instrument down', () => actions.move(1));
    this.element = make(
      'div',
      'watch-tools',
      make('div', 'search', this.#views, menu),
      make('div', 'search', make('div', 'find', this.search, make('kbd', {}, '/')), up, down),
    );
  }

  show(view: string, lists: readonly WatchList[]): void {
    const options = [...Object.entries(READY_MADE), ...lists.map(({ id, name }) => [id, name] as const)];
    const shown = JSON.stringify(options);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#views.replaceChildren(...options.map(([id, name]) => make('option', { value: id }, name)));
    }
    this.#views.value = view;
  }
}
