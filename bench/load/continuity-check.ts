// Whether a reader has lost anything it was not told of. Each message names the previous one of its symbol; where that is not
// the last one seen, a notice must say so: `slow` opens a stretch in which messages may be left out, the `gap` that closes
// it must name every symbol of which some were, up to the last of them.

export interface GapSaid {
  readonly reason: string;
  readonly symbols: readonly number[];
  /** null where the notice does not say: everything seen so far. */
  readonly toSeq: number | null;
}

/** Before the first message of a symbol. */
const UNSEEN = -1;

export class ContinuityCheck {
  /** Messages whose `prev` was not the last one seen, without a word about it. */
  undeclared = 0;
  /** Messages that came again. */
  duplicates = 0;
  /** Holes that were declared. */
  declared = 0;
  /** What was wrong first. */
  fault: string | null = null;
  #last: Float64Array;
  /** What was last seen at the position, while messages may be left out behind it. */
  #lastAtPosition: Float64Array | null = null;
  /** Holes of a symbol up to here are declared; and up to where they are still to be. */
  readonly #declaredTo: Float64Array;
  readonly #owed: Float64Array;
  #position = 0;

  constructor(symbols: number) {
    this.#last = new Float64Array(symbols).fill(UNSEEN);
    this.#declaredTo = new Float64Array(symbols);
    this.#owed = new Float64Array(symbols);
  }

  /** Everything up to this number was seen, or declared as left out; 0 where nothing was seen. */
  get position(): number {
    return this.#position;
  }

  get isSlow(): boolean {
    return this.#lastAtPosition !== null;
  }

  message(symbol: number, seq: number, prev: number): void {
    const last = this.#last[symbol]!;
    if (last !== UNSEEN && seq <= last) {
      this.duplicates++;
      this.#blame(`symbol ${symbol}: seq ${seq} after ${last}`);
      return;
    }
    if (last !== UNSEEN && prev !== last) this.#hole(symbol, seq, prev, last);
    this.#last[symbol] = seq;
    if (!this.isSlow && seq > this.#position) this.#position = seq;
  }

  slow(): void {
    this.#lastAtPosition ??= this.#last.slice();
  }

  gap({ reason, symbols, toSeq }: GapSaid): void {
    if (reason === 'feed') return;
    const upTo = toSeq ?? Math.max(...this.#last);
    for (const symbol of symbols) {
      this.#declaredTo[symbol] = upTo;
      if (reason === 'resume') this.#last[symbol] = UNSEEN;
    }
    this.#settle();
    this.#lastAtPosition = null;
    this.#position = Math.max(this.#position, upTo, ...this.#last);
  }

  /** The stream has ended while the reader was up to date: what is still owed was never declared. */
  finish(): void {
    this.#settle();
  }

  /** The connection is gone and will be resumed from the position: as if nothing behind it had been seen. */
  resume(): void {
    if (this.#lastAtPosition) this.#last = this.#lastAtPosition;
    this.#lastAtPosition = null;
    this.#owed.fill(0);
  }

  /** It begins from nothing. */
  restart(): void {
    this.resume();
    this.#last.fill(UNSEEN);
    this.#position = 0;
  }

  #hole(symbol: number, seq: number, prev: number, last: number): void {
    if (prev > last && prev <= this.#declaredTo[symbol]!) this.declared++;
    else if (prev > last && this.isSlow) this.#owed[symbol] = prev;
    else {
      this.undeclared++;
      this.#blame(`symbol ${symbol}: seq ${seq} names ${prev}, seen was ${last}`);
    }
  }

  /** What was left out must have been declared by now. */
  #settle(): void {
    for (const [symbol, prev] of this.#owed.entries()) {
      if (prev === 0) continue;
      if (prev <= this.#declaredTo[symbol]!) this.declared++;
      else {
        this.undeclared++;
        this.#blame(`symbol ${symbol}: messages up to ${prev} were left out and never declared`);
      }
    }
    this.#owed.fill(0);
  }

  #blame(what: string): void {
    this.fault ??= what;
  }
}
