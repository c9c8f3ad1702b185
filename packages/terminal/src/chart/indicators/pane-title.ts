// A line of the legend, or the title of an indicator's own pane: name, values at the crosshair, and buttons. A title lies inside the
// element that the library has for the pane, so that it moves with it.
import type { IPaneApi, Time } from 'lightweight-charts';
import { make, makeButton, write } from '../../ui/dom/elements.ts';

/** Those that are left out have no button. */
export interface PaneTitleActions {
  readonly alert?: () => void;
  readonly edit?: (button: HTMLElement) => void;
  readonly maximise?: () => void;
  readonly hide?: () => void;
  readonly show?: () => void;
  readonly remove: () => void;
}

const BUTTONS: readonly (readonly [keyof PaneTitleActions, sign: string, what: string])[] = [
  ['alert', '◷', 'Alert on'],
  ['edit', '✎', 'Edit'],
  ['maximise', '⤢', 'Maximise or restore'],
  ['hide', '–', 'Hide'],
  ['show', '+', 'Show'],
  ['remove', '×', 'Remove'],
];

export interface PaneFigure {
  readonly name: string;
  readonly text: string;
  readonly color: string;
}

export class PaneTitle {
  readonly element: HTMLElement;
  readonly #name: HTMLElement;
  readonly #values = make('span', 'pane-values');
  readonly #note = make('span', 'pane-note clip muted');
  readonly #figures = new Map<string, HTMLElement>();

  constructor(name: string, actions: PaneTitleActions) {
    const buttons = BUTTONS.flatMap(([action, sign, what]) => {
      const run = actions[action];
      if (!run) return [];
      const attributes = { class: 'pane-button bare muted', 'aria-label': `${what} ${name}`, title: what };
      const made = makeButton(sign, attributes, () => run(made));
      return [made];
    });
    this.#name = make('span', 'pane-name muted', name);
    this.element = make(
      'div',
      { class: 'pane-title line small', role: 'group', 'aria-label': name },
      this.#name,
      this.#values,
      this.#note,
      make('span', 'pane-buttons', ...buttons),
    );
    // Keys of the buttons are not keys of the chart.
    this.element.addEventListener('keydown', (event) => event.key !== 'Escape' && event.stopPropagation());
    for (const type of ['mousedown', 'touchstart', 'dblclick'])
      this.element.addEventListener(type, (event) => event.stopPropagation());
  }

  show(figures: readonly PaneFigure[], note: string): void {
    for (const { name, text, color } of figures) {
      const known = this.#figures.get(name) ?? this.#add(name);
      known.style.setProperty('--swatch', color);
      write(known, name === '' ? text : `${name} ${text}`);
    }
    write(this.#note, note === '' ? '' : `(${note})`);
  }

  /** Moves the title to its pane. False if the library has not made the pane yet. */
  place(pane: IPaneApi<Time>): boolean {
    const cell = pane.getHTMLElement()?.querySelector('td:nth-child(2) > div');
    if (!cell) return false;
    if (this.element.parentElement !== cell) cell.append(this.element);
    return true;
  }

  remove(): void {
    this.element.remove();
  }

  #add(name: string): HTMLElement {
    const made = make('span', 'pane-value swatch');
    this.#figures.set(name, made);
    this.#values.append(made);
    return made;
  }
}
