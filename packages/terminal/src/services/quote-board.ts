// The state of all instruments: last quote and its time, digits, the day so far. Listeners are called once per frame with the
// changed rows, however many ticks arrive.
import type { Instrument } from '@tickwire/client';
import { decimalsOf } from '../ui/format.ts';

/** The UTC day up to now. */
export interface Day {
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

export interface Row {
  readonly instrument: Instrument;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly spread: number | null;
  /** Decimals of the finest price seen; JSON drops trailing zeros, so this can only grow. */
  readonly digits: number;
  /** `null` until it is known, or if there is no bar today. */
  readonly day: Day | null;
}

export interface BoardQuote {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly spread: number;
  /** Of a tick: Unix seconds, rounded down. */
  readonly time?: number;
  /** Of a quote loaded over REST. */
  readonly timestamp?: string;
}

export type BoardListener = (changed: ReadonlySet<string>) => void;

/** Bid against today's open, as a fraction. */
export function dayChange({ bid, day }: Row): number | null {
  return bid === null || day === null || day.open === 0 ? null : bid / day.open - 1;
}

export class QuoteBoard {
  readonly #rows = new Map<string, Row>();
  /** When each was last quoted, in milliseconds of this browser's clock. A repeated price counts, too: the feed is alive. */
  readonly #quotedAt = new Map<string, number>();
  readonly #listeners = new Set<BoardListener>();
  #changed = new Set<string>();
  #newest: number | null = null;
  /** How far this browser's clock is ahead of the service's. */
  #aheadMs = 0;

  constructor(
    instruments: readonly Instrument[],
    /** Runs a callback once, in the next frame. */
    readonly schedule: (run: () => void) => void,
    readonly now: () => number = Date.now,
  ) {
    for (const instrument of instruments) {
      const digits = decimalsOf(instrument.pip_size);
      this.#rows.set(instrument.symbol, { instrument, bid: null, ask: null, spread: null, digits, day: null });
    }
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  row(symbol: string): Row | undefined {
    return this.#rows.get(symbol);
  }

  /** Milliseconds since the last quote; `null` if there was none. */
  ageMs(symbol: string): number | null {
    const at = this.#quotedAt.get(symbol);
    return at === undefined ? null : Math.max(0, this.now() - at);
  }

  /** Of the newest quote of all instruments. */
  get newestAgeMs(): number | null {
    return this.#newest === null ? null : Math.max(0, this.now() - this.#newest);
  }

  /** The time by the service's clock, in milliseconds since the epoch. */
  get serviceNow(): number {
    return this.now() - this.#aheadMs;
  }

  /** Corrects ages for the difference between this browser's clock and the service's. */
  setServiceTime(serviceMs: number): void {
    this.#aheadMs = this.now() - serviceMs;
  }

  quote({ symbol, bid, ask, spread, time, timestamp }: BoardQuote): void {
    const row = this.#rows.get(symbol);
    if (!row) return;
    this.#recordTime(symbol, time !== undefined ? time * 1_000 + 999 : timestamp ? Date.parse(timestamp) : null);
    if (row.bid === bid && row.ask === ask) return;
    const digits = Math.max(row.digits, decimalsOf(bid), decimalsOf(ask));
    const { day } = row;
    const wider = day !== null && (bid > day.high || bid < day.low);
    const reach = wider ? { open: day.open, high: Math.max(day.high, bid), low: Math.min(day.low, bid) } : day;
    this.#put(symbol, { instrument: row.instrument, bid, ask, spread, digits, day: reach });
  }

  /** `null`: there is no bar today, or a new day has begun. */
  setDay(symbol: string, day: Day | null): void {
    const row = this.#rows.get(symbol);
    if (row && row.day !== day) this.#put(symbol, { ...row, day });
  }

  onChange(listener: BoardListener, signal?: AbortSignal): void {
    if (signal?.aborted) return;
    this.#listeners.add(listener);
    signal?.addEventListener('abort', () => this.#listeners.delete(listener));
  }

  /** `latest`: the latest possible time of the quote, by the service's clock; a tick has its second only. */
  #recordTime(symbol: string, latest: number | null): void {
    const now = this.now();
    // A stream begins with the last known quotes, which may be old. A time in the future is due to rounding.
    const at = latest === null ? now : Math.min(now, latest + this.#aheadMs);
    const before = this.#quotedAt.get(symbol);
    if (before === undefined || at > before) this.#quotedAt.set(symbol, at);
    if (this.#newest === null || at > this.#newest) this.#newest = at;
  }

  #put(symbol: string, row: Row): void {
    this.#rows.set(symbol, row);
    if (this.#changed.size === 0) this.schedule(() => this.#notify());
    this.#changed.add(symbol);
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    for (const listener of this.#listeners) listener(changed);
  }
}
