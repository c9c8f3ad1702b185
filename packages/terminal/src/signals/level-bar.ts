// A bar from the stop at the left to the target at the right, with a mark at the entry and a needle where the price stands.
import { box, make } from '../elements.ts';
import { type Levels, placeOf } from './levels.ts';

const share = (place: number): string => `${(place * 100).toFixed(2)}%`;

export class LevelBar {
  readonly element: HTMLElement;
  readonly #entry = make('i', 'level-entry');
  readonly #run = make('i', 'level-run');
  readonly #needle = make('i', 'level-needle');
  readonly #levels: Levels;

  constructor(levels: Levels) {
    this.#levels = levels;
    this.element = box('span', 'level-bar', this.#run, this.#entry, this.#needle);
    this.element.setAttribute('aria-hidden', 'true');
    this.#entry.style.left = share(placeOf(levels, levels.entry));
    this.show(null);
  }

  /** null where there is no price yet. One that is not in (`waits`) neither wins nor loses. */
  show(price: number | null, waits = false): void {
    this.#needle.hidden = price === null;
    this.#run.hidden = price === null || waits;
    if (price === null) return;
    const [from, to] = [placeOf(this.#levels, this.#levels.entry), placeOf(this.#levels, price)];
    this.#needle.style.left = share(to);
    this.#run.style.left = share(Math.min(from, to));
    this.#run.style.width = share(Math.abs(to - from));
    this.#run.dataset.sign = to >= from ? 'up' : 'down';
  }
}
