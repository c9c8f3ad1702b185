// Tracks the numbers (`seq`) of received messages, so that a stream can resume after a reconnect, drop duplicates and
// report every gap.
import type { GapNotice, StreamPosition } from '../common/contract.ts';
import { type Gap, gapFromNotice, unknownGap } from './gap.ts';
import { SubscriptionBatches, type SubscriptionRequest } from './subscription-batches.ts';

/** The fields of a message that place it in the stream. */
export interface SequencedMessage {
  readonly symbol?: string;
  readonly seq?: number;
  /** `seq` of the previous message of the symbol; 0 before the first. */
  readonly prev?: number;
  readonly epoch?: string;
  /** Unix seconds on ticks, ISO 8601 on firings; signals and news have a `timestamp`. */
  readonly time?: number | string;
  readonly timestamp?: string;
}

interface LastMessage {
  seq: number;
  message: SequencedMessage;
}

interface MissingRange {
  readonly symbols: Set<string>;
  fromSeq: number;
  toSeq: number;
}

/** Key of headlines and firings, which belong to no single symbol: their `prev` counts per subscription. */
const NO_SYMBOL = '';

export class SequenceTracker {
  readonly #batches: SubscriptionBatches;
  readonly #bySymbol: boolean;
  readonly #last = new Map<string, LastMessage>();
  readonly #onGap: (gap: Gap) => void;
  /** Epoch of the current connection. */
  #epoch = '';
  /** Messages missed while the service sends only the latest values; its gap notice then covers them all. */
  #missedWhileSlow: MissingRange | null = null;

  /** `bySymbol`: messages are numbered per symbol; otherwise per subscription, as for news. */
  constructor(bySymbol: boolean, onGap: (gap: Gap) => void) {
    this.#bySymbol = bySymbol;
    this.#batches = new SubscriptionBatches(bySymbol);
    this.#onGap = onGap;
  }

  /** The subscribe messages for new symbols. */
  add(symbols: readonly string[]): SubscriptionRequest[] {
    return this.#batches.add(symbols);
  }

  /** Adds symbols of which everything up to a position is known. `resume` then returns their subscribe messages. */
  startAt(symbols: readonly string[], position: StreamPosition): void {
    this.#batches.add(symbols);
    this.#batches.initialise(position);
    this.#epoch = position.epoch;
  }

  remove(symbols: readonly string[]): void {
    this.#batches.remove(symbols);
    for (const symbol of symbols) this.#last.delete(symbol);
  }

  clear(): void {
    this.#batches.clear();
    this.#last.clear();
  }

  /** The subscribe messages for a new connection. */
  resume(): SubscriptionRequest[] {
    this.#reportMissed();
    return this.#batches.resume();
  }

  /** Whether every symbol has a position to resume from. */
  get positioned(): boolean {
    return this.#batches.positioned;
  }

  /** Handles the response to a subscription. New symbols start at the position of the service. */
  onSubscribed({ epoch, seq }: { readonly [K in keyof StreamPosition]?: StreamPosition[K] | undefined }): void {
    if (epoch !== undefined) this.#epoch = epoch;
    if (epoch !== undefined && seq !== undefined) this.#batches.initialise({ epoch, seq });
  }

  /** Handles the notice that the service now sends only the latest values. */
  onSlow(): void {
    this.#missedWhileSlow ??= { symbols: new Set(), fromSeq: Number.POSITIVE_INFINITY, toSeq: 0 };
  }

  /** Handles a heartbeat. It is only sent to connections that are not behind. */
  onHeartbeat(position: StreamPosition): void {
    this.#reportMissed();
    this.#batches.initialise(position);
  }

  /** Handles a statement of the service that everything up to this position was sent. */
  onPosition(position: StreamPosition): void {
    this.#batches.setAll(position);
  }

  /** Handles a gap notice. */
  onGapNotice(notice: GapNotice): void {
    if (notice.reason !== 'resume') {
      const missed = notice.reason === 'slow' ? this.#missedWhileSlow : null;
      if (missed) this.#missedWhileSlow = null;
      // A connection that was slow for a moment may have lost nothing.
      if (notice.dropped !== 0 || missed?.symbols.size) this.#onGap(gapFromNotice(notice, this.#since(notice.symbols)));
      return;
    }
    const batch = this.#batches.of(notice.symbols[0] ?? '*');
    const gap = gapFromNotice(notice, this.#since(notice.symbols));
    for (const symbol of this.#bySymbol ? notice.symbols : [NO_SYMBOL]) this.#last.delete(symbol);
    // Without `to_seq` the service does not know the position we asked to resume from.
    if (batch) Object.assign(batch, { epoch: this.#epoch, seq: notice.to_seq ?? null });
    this.#onGap(gap);
  }

  /** Records a message and reports a gap before it. Returns false for a duplicate. */
  accept(message: SequencedMessage): boolean {
    const { seq, prev = 0 } = message;
    if (seq === undefined) return true;
    const symbol = this.#bySymbol ? (message.symbol ?? NO_SYMBOL) : NO_SYMBOL;
    const last = this.#last.get(symbol);
    if (last && seq <= last.seq) return false;
    const batch = this.#batches.of(symbol);
    // One of the last messages of a symbol that was just removed.
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
    const missed = this.#missedWhileSlow;
    if (!missed) {
      const symbols = [symbol || '*'];
      this.#onGap({ ...unknownGap('undeclared', symbols, this.#since([symbol])), fromSeq, toSeq });
      return;
    }
    missed.symbols.add(symbol);
    missed.fromSeq = Math.min(missed.fromSeq, fromSeq);
    missed.toSeq = Math.max(missed.toSeq, toSeq);
  }

  /** Reports what was missed while slow, if the connection recovered or ended without a gap notice. */
  #reportMissed(): void {
    const missed = this.#missedWhileSlow;
    this.#missedWhileSlow = null;
    if (!missed || missed.symbols.size === 0) return;
    const { symbols, fromSeq, toSeq } = missed;
    this.#onGap({ ...unknownGap('slow', [...symbols], this.#since(symbols)), fromSeq, toSeq });
  }

  /** Unix seconds of the oldest last message among these symbols. */
  #since(symbols: Iterable<string>): number | null {
    const named = this.#bySymbol ? [...symbols] : [NO_SYMBOL];
    const keys = named.includes('*') ? [...this.#last.keys()] : named;
    const times = keys.flatMap((key) => timeOf(this.#last.get(key)?.message));
    return times.length > 0 ? Math.min(...times) : null;
  }
}

function timeOf(message: SequencedMessage | undefined): number[] {
  const time = message?.time ?? message?.timestamp;
  if (time === undefined) return [];
  return [typeof time === 'number' ? time : Math.floor(Date.parse(time) / 1_000)];
}
