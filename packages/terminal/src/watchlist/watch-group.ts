// A group of rows with a heading that collapses it.
import { make } from '../ui/dom/elements.ts';
import type { Group } from './arrangement.ts';
import type { WatchRow } from './watch-row.ts';

export class WatchGroup {
  readonly element = make('div', 'group');
  readonly heading = make('div', 'heading');
  readonly id: string;
  #folded = false;

  constructor({ id, title }: Group) {
    this.id = id;
    this.element.setAttribute('role', 'rowgroup');
    this.heading.id = `watch-group-${id}`;
    this.heading.dataset.group = id;
    this.heading.setAttribute('role', 'row');
    this.heading.setAttribute('aria-level', '1');
    const cell = make('div', '', title);
    cell.setAttribute('role', 'rowheader');
    cell.setAttribute('aria-colspan', '6');
    this.heading.append(cell);
    this.element.append(this.heading);
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
