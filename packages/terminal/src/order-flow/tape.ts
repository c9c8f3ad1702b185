// The latest trades of an instrument: recorded ones, then those of the order flow, each once and without a gap. Both have the
// position of the trade in the journal (`seq`), by which they are joined.
import type { HistoryTrade, OrderFlowTick } from '@tickwire/client';

/** Trades shown at most. */
export const TAPE_LENGTH = 300;
/** Trades kept at most, so that a filter by size has enough to choose from. */
export const KEPT_TRADES = 1_500;

export interface Print {
  /** Position in the journal; `null` if the stream does not report it. */
  readonly seq: number | null;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly price: number;
  readonly size: number;
  /** The taker: buyers lift the ask, sellers hit the bid. If a message has both, the larger side. */
  readonly side: 'buy' | 'sell';
}

const byTime = (one: Print, other: Print): number => one.time - other.time || (one.seq ?? 0) - (other.seq ?? 0);

export class Tape {
  /** Newest last. */
  #prints: Print[] = [];
  /** Number of prints at the end that were not drained. */
  #fresh = 0;
  #second = Number.NEGATIVE_INFINITY;
  #delta = 0;
  /** Positions of recorded trades that the stream may still send. */
  #recorded = new Set<number>();
  #newestRecorded = -1;
  #newestLive: number | null = null;
  /** Everything up to this position has to be among the recorded trades; `null` if it is. */
  #missingUpTo: number | null = null;
  #tries = 0;

  /** Buy volume minus sell volume of the last second with trades. */
  get secondDelta(): number {
    return this.#delta;
  }

  /** Trades are missing between the recorded and the live ones. */
  get hasGap(): boolean {
    return this.#missingUpTo !== null;
  }

  get prints(): readonly Print[] {
    return this.#prints;
  }

  get fresh(): number {
    return this.#fresh;
  }

  add({ time, time_ms, price, bid_volume, ask_volume, delta, seq, prev = 0 }: OrderFlowTick): void {
    const size = bid_volume + ask_volume;
    // A subscription starts with the last state, which has no volume and is not a trade.
    if (seq !== undefined) this.#follow(seq, size === 0 ? seq : prev);
    if (size === 0) return;
    // A venue's clock may step back; the volume still belongs to the current second.
    if (time > this.#second) this.#delta = 0;
    this.#second = Math.max(this.#second, time);
    this.#delta += delta;
    if (seq !== undefined && this.#recorded.has(seq)) return;
    const side = delta >= 0 ? 'buy' : 'sell';
    this.#prints.push({ seq: seq ?? null, time: time_ms ?? time * 1_000, price, size, side });
    this.#fresh++;
    // Nothing is drained while the page is hidden or the tape is paused.
    if (this.#prints.length >= 2 * KEPT_TRADES) this.#trim();
  }

  /** Joins recorded trades, in ascending order. Everything counts as drained. */
  backfill(trades: readonly HistoryTrade[]): void {
    const recorded = trades.map(({ seq = null, time, price, size, side }): Print => {
      return { seq, time: Date.parse(time), price, size, side };
    });
    this.#recorded = new Set(recorded.flatMap(({ seq }) => seq ?? []));
    this.#newestRecorded = recorded.reduce((most, { seq }) => Math.max(most, seq ?? -1), this.#newestRecorded);
    const [first, last] = [recorded[0]?.time, recorded.at(-1)?.time].map((time) => time ?? Number.NEGATIVE_INFINITY);
    // Before the first recorded one, trades may be missing.
    const isNew = ({ seq, time }: Print): boolean =>
      time >= first! && (seq === null ? time > last! : !this.#recorded.has(seq));
    this.#prints = [...recorded, ...this.#prints.filter(isNew)].sort(byTime);
    this.#trim();
    this.#fresh = 0;
    if (this.#missingUpTo === null) return;
    this.#tries++;
    // The tape may no longer have them: a second request after the gap would return nothing else.
    if (this.#missingUpTo <= this.#newestRecorded || this.#tries > 1) this.#missingUpTo = null;
  }

  /** Trades since the last call, oldest first. */
  drain(): readonly Print[] {
    const fresh = this.#fresh === 0 ? [] : this.#prints.slice(-this.#fresh);
    this.#fresh = 0;
    return fresh;
  }

  /** The newest trades of at least a size that the tape shows, oldest first. Everything counts as drained. */
  latest(minSize: number): readonly Print[] {
    this.#fresh = 0;
    const found: Print[] = [];
    for (let at = this.#prints.length - 1; at >= 0 && found.length < TAPE_LENGTH; at--)
      if (this.#prints[at]!.size >= minSize) found.push(this.#prints[at]!);
    return found.reverse();
  }

  /** `before`: position of the message before this one. */
  #follow(seq: number, before: number): void {
    const known = this.#newestLive ?? -1;
    if (before > Math.max(known, this.#newestRecorded)) {
      this.#missingUpTo = before;
      this.#tries = 0;
    }
    this.#newestLive = Math.max(known, seq);
    if (seq > this.#newestRecorded && this.#recorded.size > 0) this.#recorded.clear();
  }

  #trim(): void {
    this.#prints = this.#prints.slice(-KEPT_TRADES);
    this.#fresh = Math.min(this.#fresh, this.#prints.length);
  }
}

/** Below this number of trades, none is called large. */
const MIN_SAMPLE = 50;
const LARGE_SHARE = 0.98;
/** A large trade is at least this many times the median. */
const LARGE_FACTOR = 3;

/** Size from which a trade is large: larger than 98 of 100 recent ones, and three times the median. `null` if too few are known. */
export function largeSizeOf(prints: readonly Print[]): number | null {
  if (prints.length < MIN_SAMPLE) return null;
  const sizes = Float64Array.from(prints, ({ size }) => size).sort();
  return Math.max(sizes[Math.floor(sizes.length * LARGE_SHARE)]!, LARGE_FACTOR * sizes[sizes.length >> 1]!);
}
