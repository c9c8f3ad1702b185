// Checks that a reader has lost nothing without being notified. Each message names the previous one of its symbol. If that is not
// the last one seen, a notice must declare the loss: `slow` starts a period in which messages may be skipped, and the `gap`
// that ends it must name every affected symbol up to its last skipped message.

export interface GapNotice {
  readonly reason: string;
  readonly symbols: readonly number[];
  /** `null` if the notice does not say: everything seen so far. */
  readonly toSeq: number | null;
}

/** Before the first message of a symbol. */
const UNSEEN = -1;

export class ContinuityCheck {
  /** Messages whose `prev` was not the last one seen, without a notice. */
  undeclared = 0;
  /** Duplicate messages. */
  duplicates = 0;
  /** Declared holes. */
  declared = 0;
  /** Description of the first fault. */
  fault: string | null = null;
  #last: Float64Array;
  /** Last messages seen at the position, while later ones may be skipped. */
  #lastAtPosition: Float64Array | null = null;
  /** Per symbol: holes are declared up to here, and must still be declared up to there. */
  readonly #declaredTo: Float64Array;
  readonly #undeclaredUntil: Float64Array;
  #position = 0;

  constructor(symbols: number) {
    this.#last = new Float64Array(symbols).fill(UNSEEN);
    this.#declaredTo = new Float64Array(symbols);
    this.#undeclaredUntil = new Float64Array(symbols);
  }

  /** Everything up to this `seq` was seen or declared as lost; 0 if nothing was seen. */
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

  gap({ reason, symbols, toSeq }: GapNotice): void {
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

  /** The stream has ended while the reader was up to date: holes not declared by now are faults. */
  finish(): void {
    this.#settle();
  }

  /** The connection was lost and will be resumed from the position: forgets everything seen after it. */
  resume(): void {
    if (this.#lastAtPosition) this.#last = this.#lastAtPosition;
    this.#lastAtPosition = null;
    this.#undeclaredUntil.fill(0);
  }

  /** Starts over without history. */
  restart(): void {
    this.resume();
    this.#last.fill(UNSEEN);
    this.#position = 0;
  }

  #hole(symbol: number, seq: number, prev: number, last: number): void {
    if (prev > last && prev <= this.#declaredTo[symbol]!) this.declared++;
    else if (prev > last && this.isSlow) this.#undeclaredUntil[symbol] = prev;
    else {
      this.undeclared++;
      this.#blame(`symbol ${symbol}: seq ${seq} names ${prev}, seen was ${last}`);
    }
  }

  /** Skipped messages must have been declared by now. */
  #settle(): void {
    for (const [symbol, prev] of this.#undeclaredUntil.entries()) {
      if (prev === 0) continue;
      if (prev <= this.#declaredTo[symbol]!) this.declared++;
      else {
        this.undeclared++;
        this.#blame(`symbol ${symbol}: messages up to ${prev} were left out and never declared`);
      }
    }
    this.#undeclaredUntil.fill(0);
  }

  #blame(what: string): void {
    this.fault ??= what;
  }
}
