// Says to who hears the page that signals came in: one by its name, several by their number, and not all the time.
import type { Signal } from '@tickwire/client';
import { make, write } from '../elements.ts';
import { wordOf } from './words.ts';

const EVERY_MS = 10_000;

export class FeedNews {
  readonly element = make('p', 'unseen');
  #unsaid: string[] = [];
  #saidAt = 0;

  constructor() {
    this.element.setAttribute('role', 'status');
  }

  add(signal: Signal): void {
    this.#unsaid.push(`${wordOf(signal.direction)} ${signal.symbol} by ${signal.user}`);
    const now = Date.now();
    if (now - this.#saidAt < EVERY_MS) return;
    this.#saidAt = now;
    const [first = ''] = this.#unsaid;
    write(this.element, this.#unsaid.length === 1 ? `New signal: ${first}` : `${this.#unsaid.length} new signals`);
    this.#unsaid = [];
  }
}
