// The toolbar above the chart: intervals on the left, the tools of the parts, and what concerns the view on the right. One row,
// which scrolls sideways on a phone.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { INTERVALS, intervalMsOf, intervalText } from '../bars/intervals.ts';
import { iconButton, opensPanel } from './chart-buttons.ts';
import { changeChoices, readChoices } from './chart-choices.ts';
import { intervalMenu } from './interval-menu.ts';

const group = (label: string): HTMLElement => make('div', { class: 'timeframes', role: 'group', 'aria-label': label });

export class ChartToolbar {
  readonly element: HTMLElement;
  readonly #onInterval: (interval: string) => void;
  readonly #intervals = group('Interval');
  readonly #tools = group('Tools');
  readonly #view = group('View');
  readonly #more: HTMLButtonElement;
  #favourites = readChoices(localStorage).favourites;
  #interval = '';

  constructor(onInterval: (interval: string) => void) {
    this.#onInterval = onInterval;
    this.#more = iconButton('more', 'More intervals', () => {});
    opensPanel(this.#more, { label: 'Intervals', className: 'interval-menu' }, (close) =>
      intervalMenu({
        intervals: [...new Set([...INTERVALS, ...this.#favourites])].sort(byLength),
        current: this.#interval,
        isFavourite: (interval) => this.#favourites.includes(interval),
        onFavourite: (interval) => this.#toggleFavourite(interval),
        onChoose: (interval) => {
          close();
          onInterval(interval);
        },
      }),
    );
    this.element = make('div', 'chart-bar line', this.#intervals, this.#tools, this.#view);
    this.#showIntervals();
  }

  add(control: HTMLElement): void {
    this.#tools.append(control);
  }

  addToView(control: HTMLElement): void {
    this.#view.append(control);
  }

  show(interval: string): void {
    this.#interval = interval;
    this.#showIntervals();
  }

  #toggleFavourite(interval: string): void {
    const others = this.#favourites.filter((each) => each !== interval);
    const isNew = others.length === this.#favourites.length;
    this.#favourites = isNew ? [...others, interval].sort(byLength) : others;
    changeChoices({ favourites: this.#favourites });
    this.#showIntervals();
  }

  /** The favourites, and the current interval if it is none. */
  #showIntervals(): void {
    const shown = this.#interval === '' ? this.#favourites : [...new Set([...this.#favourites, this.#interval])];
    const buttons = shown.toSorted(byLength).map((interval) => {
      const known = this.#intervals.querySelector<HTMLButtonElement>(`[data-interval="${interval}"]`);
      const button = known ?? this.#newButton(interval);
      button.setAttribute('aria-pressed', String(interval === this.#interval));
      return button;
    });
    const same = buttons.length + 1 === this.#intervals.childElementCount && buttons.every((each) => each.isConnected);
    // Replacing a focused button would lose the focus.
    if (!same) this.#intervals.replaceChildren(...buttons, this.#more);
  }

  #newButton(interval: string): HTMLButtonElement {
    const attributes = {
      class: 'timeframe chart-choice',
      title: `Bars of ${intervalText(interval)}`,
      'data-interval': interval,
    };
    return makeButton(interval, attributes, () => this.#onInterval(interval));
  }
}

const byLength = (one: string, other: string): number => intervalMsOf(one) - intervalMsOf(other);
