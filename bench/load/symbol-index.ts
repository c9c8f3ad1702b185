// Finds the symbol of a message by a hash over the bytes of its code, without creating a string.

const KEY = Buffer.from('"symbol":"');
const QUOTE = 0x22;

export class SymbolIndex {
  readonly symbols: readonly string[];
  readonly #byHash = new Map<number, number>();
  readonly #byName: ReadonlyMap<string, number>;

  constructor(symbols: readonly string[]) {
    this.symbols = symbols;
    this.#byName = new Map(symbols.map((symbol, index) => [symbol, index]));
    for (const [index, symbol] of symbols.entries()) {
      const hash = hashOf(Buffer.from(`${symbol}"`), 0, symbol.length + 1);
      if (this.#byHash.has(hash)) throw new Error(`${symbol} has the hash of another symbol`);
      this.#byHash.set(hash, index);
    }
  }

  /** Index of the first symbol in the message; −1 if there is none or it is unknown. */
  at(bytes: Buffer, start: number, end: number): number {
    // It is nearly always the first field.
    const found = isAt(bytes, start + 1) ? start + 1 : bytes.subarray(start, end).indexOf(KEY) + start;
    if (found < start) return -1;
    return this.#byHash.get(hashOf(bytes, found + KEY.length, end)) ?? -1;
  }

  of(symbol: string): number {
    return this.#byName.get(symbol) ?? -1;
  }
}

function isAt(bytes: Buffer, at: number): boolean {
  for (let index = 0; index < KEY.length; index++) if (bytes[at + index] !== KEY[index]) return false;
  return true;
}

/** Hash of the bytes up to the closing quote. */
function hashOf(bytes: Buffer, from: number, end: number): number {
  let hash = 0;
  for (let at = from; at < end && bytes[at] !== QUOTE; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
  return hash;
}
