// The tools above the watchlist: search, favourite, and moving the selected instrument.
import { make, makeButton } from '../ui/dom/elements.ts';

export class WatchToolbar {
  readonly element: HTMLElement;
  readonly search = make('input', {
    type: 'search',
    placeholder: 'Search instruments',
    'aria-label': 'Search instruments',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #favourite: HTMLButtonElement;

  /** `onMove`: up (−1) or down (1). */
  constructor(onFavourite: () => void, onMove: (by: -1 | 1) => void) {
    this.#favourite = makeButton('☆', 'tool', onFavourite);
    const move = (text: string, label: string, by: -1 | 1): HTMLElement =>
      makeButton(text, { class: 'tool', title: label, 'aria-label': label }, () => onMove(by));
    const up = move('↑', 'Move the selected instrument up', -1);
    const down = move('↓', 'Move the selected instrument down', 1);
    const field = make('div', 'find', this.search, make('kbd', {}, '/'));
    this.element = make('div', 'search', field, this.#favourite, up, down);
  }

  /** Whether the selected instrument is a favourite; `null` if none is selected. */
  showFavourite(symbol: string | null, favourite: boolean): void {
    this.#favourite.textContent = favourite ? '★' : '☆';
    this.#favourite.setAttribute('aria-pressed', String(favourite));
    this.#favourite.ariaLabel = this.#favourite.title = `Favourite: ${symbol ?? 'none selected'}`;
  }
}
