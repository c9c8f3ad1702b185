// Symbols that were subscribed to in one message. Their messages come in the order of their numbers, so one position does
// for all of them; those of two batches may overtake each other while one is being brought up to date.
import type { Position } from './contract.ts';

export interface Batch {
  readonly symbols: Set<string>;
  /** Of the number: another run of the service has numbers of its own. */
  epoch: string;
  /** Everything of these symbols up to this number has come; null before the service has said where it stands. */
  seq: number | null;
}

export interface Request {
  readonly symbols: readonly string[];
  readonly resume_from?: Position;
}

/** As many symbols as one message may name. */
const MOST_SYMBOLS = 1_000;
/** Batches that a new connection begins with; the service counts messages. */
const MOST_BATCHES = 8;

export class Batches {
  readonly #apart: boolean;
  #batches: Batch[] = [];
  readonly #bySymbol = new Map<string, Batch>();

  /** Not `apart`: all messages are one run, whatever they are about. */
  constructor(apart: boolean) {
    this.#apart = apart;
  }

  add(symbols: readonly string[]): Request[] {
    const [only] = this.#batches;
    if (!this.#apart && only) {
      for (const symbol of symbols) only.symbols.add(symbol);
      return inParts(symbols).map((part) => ({ symbols: part }));
    }
    const parts = inParts(symbols);
    this.#keep([...this.#batches, ...parts.map((part) => ({ symbols: new Set(part), epoch: '', seq: null }))]);
    return parts.map((part) => ({ symbols: part }));
  }

  remove(symbols: readonly string[]): void {
    for (const batch of this.#batches) for (const symbol of symbols) batch.symbols.delete(symbol);
    this.#keep(this.#batches.filter((batch) => batch.symbols.size > 0));
  }

  clear(): void {
    this.#keep([]);
  }

  of(symbol: string): Batch | undefined {
    if (!this.#apart) return this.#batches[0];
    return this.#bySymbol.get(symbol) ?? this.#bySymbol.get('*');
  }

  get placed(): boolean {
    return this.#batches.every(({ seq }) => seq !== null);
  }

  /** What has just begun has everything up to here: there is nothing to bring it up to. */
  place({ epoch, seq }: Position): void {
    for (const batch of this.#batches) if (batch.seq === null) Object.assign(batch, { epoch, seq });
  }

  /** Everything up to here has come. */
  raise({ epoch, seq }: Position): void {
    for (const batch of this.#batches) Object.assign(batch, { epoch, seq });
  }

  comeBack(): Request[] {
    this.#fold();
    return this.#batches.map(({ symbols, epoch, seq }) => ({
      symbols: [...symbols],
      ...(seq !== null && { resume_from: { epoch, seq } }),
    }));
  }

  #keep(batches: Batch[]): void {
    this.#batches = batches;
    this.#bySymbol.clear();
    for (const batch of batches) for (const symbol of batch.symbols) this.#bySymbol.set(symbol, batch);
  }

  /** Puts the furthest behind together; what comes again of those ahead of them has been seen. */
  #fold(): void {
    const rest = [...this.#batches].sort((one, other) => (one.seq ?? -1) - (other.seq ?? -1));
    const folded: Batch[] = [];
    while (folded.length + rest.length > MOST_BATCHES && rest.length > 1) {
      const [first, second] = rest.splice(0, 2) as [Batch, Batch];
      if (foldable(first, second)) rest.unshift({ ...first, symbols: new Set([...first.symbols, ...second.symbols]) });
      else {
        folded.push(first);
        rest.unshift(second);
      }
    }
    this.#keep([...folded, ...rest]);
  }
}

const foldable = (one: Batch, other: Batch): boolean =>
  one.epoch === other.epoch &&
  (one.seq === null) === (other.seq === null) &&
  one.symbols.size + other.symbols.size <= MOST_SYMBOLS;

function inParts(symbols: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < symbols.length; at += MOST_SYMBOLS) parts.push(symbols.slice(at, at + MOST_SYMBOLS));
  return parts;
}
