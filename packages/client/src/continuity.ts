// Keeps the account of what a stream has seen, so that it can go on after a reconnect where it was, and so that nothing goes
// missing unnoticed.
import { Batches, type Request } from './batches.ts';
import type { GapNotice, Position } from './contract.ts';
import { type Gap, gapOf, unknownGap } from './gap.ts';

/** A message as far as its place in the stream goes. */
export interface Placed {
  readonly symbol?: string;
  readonly seq?: number;
  readonly prev?: number;
  readonly epoch?: string;
  /** Unix seconds of ticks; signals and news have a `timestamp`. */
  readonly time?: number;
  readonly timestamp?: string;
}

interface Last {
  seq: number;
  message: Placed;
}

interface Missed {
  readonly symbols: Set<string>;
  fromSeq: number;
  toSeq: number;
}

/** Messages of news belong to no single symbol: their `prev` goes by the reader. */
const NO_SYMBOL = '';

export class Continuity {
  readonly #batches: Batches;
  readonly #bySymbol: boolean;
  readonly #last = new Map<string, Last>();
  readonly #onGap: (gap: Gap) => void;
  /** Of the connection there is now. */
  #epoch = '';
  /** While the service sends only the newest, what is missing is noted; its own notice tells of it all at once. */
  #slow: Missed | null = null;

  constructor(bySymbol: boolean, onGap: (gap: Gap) => void) {
    this.#bySymbol = bySymbol;
    this.#batches = new Batches(bySymbol);
    this.#onGap = onGap;
  }

  /** What to send for symbols that are new to the stream. */
  add(symbols: readonly string[]): Request[] {
    return this.#batches.add(symbols);
  }

  remove(symbols: readonly string[]): void {
    this.#batches.remove(symbols);
    for (const symbol of symbols) this.#last.delete(symbol);
  }

  clear(): void {
    this.#batches.clear();
    this.#last.clear();
  }

  /** What to send on a new connection. */
  comeBack(): Request[] {
    this.#flush();
    return this.#batches.comeBack();
  }

  /** The answer to a subscription: what has just begun stands where the service does. */
  subscribed({ epoch, seq }: { readonly [K in keyof Position]?: Position[K] | undefined }): void {
    if (epoch !== undefined) this.#epoch = epoch;
    if (epoch !== undefined && seq !== undefined) this.#batches.place({ epoch, seq });
  }

  slow(): void {
    this.#slow ??= { symbols: new Set(), fromSeq: Number.POSITIVE_INFINITY, toSeq: 0 };
  }

  /** A heartbeat: a reader that is not behind gets it, and what has no position yet stands here. */
  heartbeat(position: Position): void {
    this.#flush();
    this.#batches.place(position);
  }

  /** The service is done with sending only the newest, or is gone: what it has not declared by now, it will not. */
  #flush(): void {
    const missed = this.#slow;
    this.#slow = null;
    if (!missed || missed.symbols.size === 0) return;
    const { symbols, fromSeq, toSeq } = missed;
    this.#onGap({ ...unknownGap('slow', [...symbols], this.#since(symbols)), fromSeq, toSeq });
  }

  /** Everything up to here has come, says the service. */
  stands(position: Position): void {
    this.#batches.raise(position);
  }

  /** Whether it could come back to where it is, for everything it takes. */
  get placed(): boolean {
    return this.#batches.placed;
  }

  /** A gap that the service declares. */
  declared(notice: GapNotice): void {
    if (notice.reason !== 'resume') {
      const missed = notice.reason === 'slow' ? this.#slow : null;
      if (missed) this.#slow = null;
      // Who was slow for a moment may have lost nothing.
      if (notice.dropped !== 0 || missed?.symbols.size) this.#onGap(gapOf(notice, this.#since(notice.symbols)));
      return;
    }
    const batch = this.#batches.of(notice.symbols[0] ?? '*');
    const gap = gapOf(notice, this.#since(notice.symbols));
    for (const symbol of this.#bySymbol ? notice.symbols : [NO_SYMBOL]) this.#last.delete(symbol);
    // Without a number the place we asked from is one that the service does not know.
    if (batch) Object.assign(batch, { epoch: this.#epoch, seq: notice.to_seq ?? null });
    this.#onGap(gap);
  }

  /** Takes account of a message; false where it has come before. */
  take(message: Placed): boolean {
    const { seq, prev = 0 } = message;
    if (seq === undefined) return true;
    const symbol = this.#bySymbol ? (message.symbol ?? NO_SYMBOL) : NO_SYMBOL;
    const last = this.#last.get(symbol);
    if (last && seq <= last.seq) return false;
    const batch = this.#batches.of(symbol);
    // The last messages of a symbol that was just taken off.
    if (!batch) return true;
    if (batch.seq === null || seq > batch.seq) batch.seq = seq;
    if (message.epoch !== undefined) batch.epoch = message.epoch;
    if (!last) this.#last.set(symbol, { seq, message });
    else {
      if (prev > last.seq) this.#miss(symbol, last.seq + 1, prev);
      last.seq = seq;
      last.message = message;
    }
    return true;
  }

  #miss(symbol: string, fromSeq: number, toSeq: number): void {
    const slow = this.#slow;
    if (!slow) {
      const symbols = [symbol || '*'];
      this.#onGap({ ...unknownGap('undeclared', symbols, this.#since([symbol])), fromSeq, toSeq });
      return;
    }
    slow.symbols.add(symbol);
    slow.fromSeq = Math.min(slow.fromSeq, fromSeq);
    slow.toSeq = Math.max(slow.toSeq, toSeq);
  }

  #since(symbols: Iterable<string>): number | null {
    const named = this.#bySymbol ? [...symbols] : [NO_SYMBOL];
    const meant = named.includes('*') ? [...this.#last.keys()] : named;
    const times = meant.flatMap((symbol) => timeOf(this.#last.get(symbol)?.message));
    return times.length > 0 ? Math.min(...times) : null;
  }
}

function timeOf(message: Placed | undefined): number[] {
  if (message?.time !== undefined) return [message.time];
  return message?.timestamp === undefined ? [] : [Math.floor(Date.parse(message.timestamp) / 1_000)];
}
