// Batches of symbols that were subscribed in one message. Messages of one batch arrive in the order of their numbers, so
// one position covers the whole batch; messages of two batches can overtake each other while one is being replayed.
import type { StreamPosition } from '../common/contract.ts';

export interface SubscriptionBatch {
  readonly symbols: Set<string>;
  /** Epoch of `seq`; numbers of different epochs cannot be compared. */
  epoch: string;
  /** Everything up to this number was received; `null` until the service has sent its position. */
  seq: number | null;
}

/** The symbols of one subscribe message, and the position to resume from. */
export interface SubscriptionRequest {
  readonly symbols: readonly string[];
  readonly resume_from?: StreamPosition;
}

/** Most symbols in one message. */
const MAX_SYMBOLS = 1_000;
/** Most subscribe messages on a new connection; the service limits the rate of messages. */
const MAX_BATCHES = 8;

export class SubscriptionBatches {
  readonly #bySymbol: boolean;
  #batches: SubscriptionBatch[] = [];
  readonly #batchOf = new Map<string, SubscriptionBatch>();

  /** Without `bySymbol`, all symbols share one batch, because messages are numbered across symbols. */
  constructor(bySymbol: boolean) {
    this.#bySymbol = bySymbol;
  }

  add(symbols: readonly string[]): SubscriptionRequest[] {
    const parts = split(symbols);
    const requests = parts.map((part) => ({ symbols: part }));
    const [first] = this.#batches;
    if (!this.#bySymbol && first) for (const symbol of symbols) first.symbols.add(symbol);
    else this.#set([...this.#batches, ...parts.map((part) => ({ symbols: new Set(part), epoch: '', seq: null }))]);
    return requests;
  }

  remove(symbols: readonly string[]): void {
    for (const batch of this.#batches) for (const symbol of symbols) batch.symbols.delete(symbol);
    this.#set(this.#batches.filter((batch) => batch.symbols.size > 0));
  }

  clear(): void {
    this.#set([]);
  }

  of(symbol: string): SubscriptionBatch | undefined {
    if (!this.#bySymbol) return this.#batches[0];
    return this.#batchOf.get(symbol) ?? this.#batchOf.get('*');
  }

  /** Whether every batch has a position to resume from. */
  get positioned(): boolean {
    return this.#batches.every(({ seq }) => seq !== null);
  }

  /** Sets the position of batches that have none. */
  initialise({ epoch, seq }: StreamPosition): void {
    for (const batch of this.#batches) if (batch.seq === null) Object.assign(batch, { epoch, seq });
  }

  /** Sets the position of every batch. */
  setAll({ epoch, seq }: StreamPosition): void {
    for (const batch of this.#batches) Object.assign(batch, { epoch, seq });
  }

  /** The subscribe messages for a new connection. */
  resume(): SubscriptionRequest[] {
    this.#merge();
    return this.#batches.map(({ symbols, epoch, seq }) => ({
      symbols: [...symbols],
      ...(seq !== null && { resume_from: { epoch, seq } }),
    }));
  }

  #set(batches: SubscriptionBatch[]): void {
    this.#batches = batches;
    this.#batchOf.clear();
    for (const batch of batches) for (const symbol of batch.symbols) this.#batchOf.set(symbol, batch);
  }

  /** Merges the batches that are furthest behind; duplicates that this causes are filtered out on arrival. */
  #merge(): void {
    const rest = [...this.#batches].sort((one, other) => (one.seq ?? -1) - (other.seq ?? -1));
    const done: SubscriptionBatch[] = [];
    while (done.length + rest.length > MAX_BATCHES && rest.length > 1) {
      const [first, second] = rest.splice(0, 2) as [SubscriptionBatch, SubscriptionBatch];
      if (mergeable(first, second)) rest.unshift({ ...first, symbols: new Set([...first.symbols, ...second.symbols]) });
      else {
        done.push(first);
        rest.unshift(second);
      }
    }
    this.#set([...done, ...rest]);
  }
}

const mergeable = (one: SubscriptionBatch, other: SubscriptionBatch): boolean =>
  one.epoch === other.epoch &&
  (one.seq === null) === (other.seq === null) &&
  one.symbols.size + other.symbols.size <= MAX_SYMBOLS;

function split(symbols: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let start = 0; start < symbols.length; start += MAX_SYMBOLS)
    parts.push(symbols.slice(start, start + MAX_SYMBOLS));
  return parts;
}
