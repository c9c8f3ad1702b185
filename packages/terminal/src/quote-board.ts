// The state of all instruments: last quote, digits seen, today's open. Listeners hear once per frame which rows changed.
import type { Instrument } from '@tickwire/client';
import { decimalsOf } from './format.ts';

export interface Row {
  readonly instrument: Instrument;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly spread: number | null;
  /** Decimals of the finest price seen; JSON drops trailing zeros, so this can only grow. */
  readonly digits: number;
  /** Open of today's bar (00:00 UTC); null until it is known. */
  readonly dayOpen: number | null;
}

export interface BoardQuote {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly spread: number;
}

export type BoardListener = (changed: ReadonlySet<string>) => void;

/** Bid against today's open, as a fraction. */
export function dayChange(row: Row): number | null {
  return row.bid === null || row.dayOpen === null || row.dayOpen === 0 ? null : row.bid / row.dayOpen - 1;
}

export class QuoteBoard {
  readonly #rows = new Map<string, Row>();
  readonly #listeners = new Set<BoardListener>();
  #changed = new Set<string>();

  constructor(
    instruments: readonly Instrument[],
    /** Runs a callback soon, once: an animation frame in the page. */
    readonly schedule: (run: () => void) => void,
  ) {
    for (const instrument of instruments) {
      const digits = decimalsOf(instrument.pip_size);
      this.#rows.set(instrument.symbol, { instrument, bid: null, ask: null, spread: null, digits, dayOpen: null });
    }
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  row(symbol: string): Row | undefined {
    return this.#rows.get(symbol);
  }

  quote({ symbol, bid, ask, spread }: BoardQuote): void {
    const row = this.#rows.get(symbol);
    if (!row || (row.bid === bid && row.ask === ask)) return;
    const digits = Math.max(row.digits, decimalsOf(bid), decimalsOf(ask));
    this.#put(symbol, { ...row, bid, ask, spread, digits });
  }

  dayOpen(symbol: string, dayOpen: number | null): void {
    const row = this.#rows.get(symbol);
    if (row && row.dayOpen !== dayOpen) this.#put(symbol, { ...row, dayOpen });
  }

  onChange(listener: BoardListener): void {
    this.#listeners.add(listener);
  }

  #put(symbol: string, row: Row): void {
    this.#rows.set(symbol, row);
    if (this.#changed.size === 0) this.schedule(() => this.#tell());
    this.#changed.add(symbol);
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    for (const listener of this.#listeners) listener(changed);
  }
}
