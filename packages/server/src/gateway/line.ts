// A line: one symbol on one channel. It knows its continuity numbers and whether anyone listens.
import type { Channel } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { plain, sequenced } from './encode.ts';

/** Signals with their closings are a line of their own: `prev` must name a message that the same reader was sent. */
export type LineKind = Exclude<Channel, 'news'> | 'signals_and_closings';

/** How a listener takes a line. */
export interface Variant {
  readonly kind: LineKind;
  readonly sequenced: boolean;
}

export type Publish = (topic: string, text: string) => void;

export class Line {
  readonly symbol: MarketSymbol;
  /** Messages so far: how many a slow reader missed is a difference of this. */
  count = 0;
  seq = 0;
  prev = 0;
  readonly #topic: string;
  #plain = 0;
  #sequenced = 0;

  constructor(kind: LineKind, symbol: MarketSymbol) {
    this.symbol = symbol;
    this.#topic = `${kind}:${symbol}`;
  }

  /** The topic for listeners of the variant. */
  topic({ sequenced: numbered }: Variant): string {
    return numbered ? `${this.#topic}+` : this.#topic;
  }

  listeners({ sequenced: numbered }: Variant, change: 1 | -1): void {
    if (numbered) this.#sequenced += change;
    else this.#plain += change;
  }

  /** Whether a message would reach anyone; if not, it need not be encoded. */
  get heard(): boolean {
    return this.#plain > 0 || this.#sequenced > 0;
  }

  /** Counts a message, whether or not anyone listens: continuity does not depend on listeners. */
  advance(seq: number): void {
    this.prev = this.seq;
    this.seq = seq;
    this.count++;
  }

  /** Sends the message that was just counted to whoever listens. */
  publish(body: string, epoch: string, publish: Publish): void {
    if (this.#plain > 0) publish(this.#topic, plain(body));
    if (this.#sequenced > 0) publish(`${this.#topic}+`, sequenced(body, this.seq, this.prev, epoch));
  }
}
