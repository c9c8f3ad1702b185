// A group of rows with a heading that collapses it.
import { make } from '../ui/dom/elements.ts';
import type { Group } from './arrangement.ts';
import type { WatchRow } from './watch-row.ts';

export class WatchGroup {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly id: string;
  #folded = false;

  constructor({ id, title }: Group) {
    this.id = id;
    const cell = make('div', { role: 'rowheader', 'aria-colspan': 9 }, title);
    const row = { class: 'heading', id: `watch-group-${id}`, 'data-group': id, role: 'row', 'aria-level': 1 };
    this.heading = make('div', row, cell);
    this.element = make('div', { class: 'group', role: 'rowgroup' }, this.heading);
  }

  get folded(): boolean {
    return this.#folded;
  }

  fold(folded: boolean): void {
    this.#folded = folded;
    this.heading.setAttribute('aria-expanded', String(!folded));
    this.element.dataset.folded = String(folded);
  }

  /** Moves only rows that are out of place, because moving an element is expensive. */
  order(rows: readonly WatchRow[]): void {
    let after: Element = this.heading;
    for (const { element } of rows) {
      if (after.nextElementSibling !== element) after.after(element);
      after = element;
    }
  }
}
