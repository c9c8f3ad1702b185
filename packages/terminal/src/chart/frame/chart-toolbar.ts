// The toolbar above the chart, in one row at any width: intervals, then the tools of the parts. Tools that do not fit, the last ones
// first, and those that are used less are in a menu at the end.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { INTERVALS, intervalMsOf, intervalText } from '../bars/intervals.ts';
import { iconButton, opensPanel } from './chart-buttons.ts';
import { changeChoices, readChoices } from './chart-choices.ts';
import type { IntervalMenuOptions } from './interval-menu.ts';

/** Space at the right end, and between the last tool and the button of the menu. */
const END_PX = 10;

const group = (label: string): HTMLElement => make('div', { class: 'timeframes', role: 'group', 'aria-label': label });

export class ChartToolbar {
  readonly element: HTMLElement;
  readonly #onInterval: (interval: string) => void;
  readonly #intervals = group('Interval');
  readonly #tools: HTMLElement[] = [];
  readonly #menu = make('div', 'chart-options chart-overflow');
  readonly #menuButton = iconButton('tools', 'More tools', () => {});
  /** Opens the menu of all intervals. */
  readonly more = iconButton('more', 'More intervals', () => {});
  #favourites = readChoices(localStorage).favourites;
  #interval = '';

  constructor(onInterval: (interval: string) => void) {
    this.#onInterval = onInterval;
    this.element = make('div', 'chart-bar line', this.#intervals, this.#menuButton);
    opensPanel(this.#menuButton, { label: 'More tools' }, (close) => {
      // Switches stay in view; a panel takes the place of the menu.
      this.#menu.onclick = ({ target }) => {
        const button = (target as Element).closest('button');
        if (button && !button.ariaPressed && !button.ariaHasPopup) close();
      };
      return this.#menu;
    });
    this.#showIntervals();
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  add(control: HTMLElement, place: 'row' | 'menu' = 'row'): void {
    if (place === 'menu') this.#menu.append(control);
    else {
      this.#tools.push(control);
      this.#menuButton.before(control);
    }
  }

  /** All tools that can be used now, also those in the menu. */
  get buttons(): readonly HTMLButtonElement[] {
    return [...buttonsIn(this.element), ...buttonsIn(this.#menu)].filter((each) => each !== this.#menuButton);
  }

  /** As if it was clicked. One in the menu opens its panel there. */
  press(button: HTMLButtonElement): void {
    if (!button.isConnected) this.#menuButton.click();
    button.click();
  }

  show(interval: string): void {
    this.#interval = interval;
    this.#showIntervals();
  }

  /** What the menu of all intervals shows and changes. */
  intervals(close: () => void): IntervalMenuOptions {
    return {
      intervals: [...new Set([...INTERVALS, ...this.#favourites])].sort(byLength),
      current: this.#interval,
      isFavourite: (interval) => this.#favourites.includes(interval),
      onFavourite: (interval) => this.#toggleFavourite(interval),
      onChoose: (interval) => {
        close();
        this.#onInterval(interval);
      },
    };
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
    if (same) return;
    this.#intervals.replaceChildren(...buttons, this.more);
    this.#fit();
  }

  /** Moves what does not fit into the menu. */
  #fit(): void {
    const { element } = this;
    // The toolbar of a chart that is not the active one is not shown.
    if (element.clientWidth === 0) return;
    const focused = document.activeElement as HTMLElement | null;
    delete element.dataset.narrow;
    // All of them in the row, to be measured.
    this.#menuButton.before(...this.#tools);
    const rightOf = (each: HTMLElement): number => each.getBoundingClientRect().right;
    const end = rightOf(element) - this.#menuButton.offsetWidth - END_PX;
    // Of the intervals, only the current one then.
    if (rightOf(this.#intervals) > end) element.dataset.narrow = '';
    const fitting = this.#tools.findIndex((tool) => rightOf(tool) > end);
    if (fitting >= 0) this.#menu.prepend(...this.#tools.slice(fitting));
    if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
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

const buttonsIn = (element: HTMLElement): readonly HTMLButtonElement[] => [
  ...element.querySelectorAll<HTMLButtonElement>('button:enabled:not([data-interval])'),
];

const byLength = (one: string, other: string): number => intervalMsOf(one) - intervalMsOf(other);
