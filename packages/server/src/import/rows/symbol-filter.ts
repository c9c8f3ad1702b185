// Selects the rows of one instrument in a file with a symbol column. EUR/USD, eurusd and OANDA:EURUSD are the same symbol.

import { plainSpelling, withoutVenue } from '@tickwire/engine';
import { latin1Text } from '../files/bytes.ts';
import type { RowSink } from './row-sink.ts';

export const symbolOf = (text: string): string => plainSpelling(withoutVenue(text).replaceAll(/\s/g, ''));

export class SymbolFilter {
  readonly #wanted: string;
  readonly #sink: RowSink;
  readonly #known = new Map<string, boolean>();
  #last: Uint8Array = new Uint8Array(0);
  #lastMatches = false;

  constructor(wanted: string, sink: RowSink) {
    this.#wanted = symbolOf(wanted);
    this.#sink = sink;
  }

  matches(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isLast(bytes, start, end)) return this.#lastMatches;
    const text = latin1Text(bytes, start, end);
    let matches = this.#known.get(text);
    if (matches === undefined) {
      matches = symbolOf(text) === this.#wanted;
      this.#known.set(text, matches);
      this.#sink.foundSymbol(text);
    }
    this.#last = bytes.slice(start, end);
    this.#lastMatches = matches;
    return matches;
  }

  #isLast(bytes: Uint8Array, start: number, end: number): boolean {
    const last = this.#last;
    if (end - start !== last.length || last.length === 0) return false;
    for (let index = 0; index < last.length; index++) if (bytes[start + index] !== last[index]) return false;
    return true;
  }
}
