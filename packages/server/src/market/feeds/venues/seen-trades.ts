// The trades seen last, for venues that repeat trades and whose ids are in no order. Shared by all connections of a connector.
import { type MarketSymbol, MINUTE_MS } from '@tickwire/engine';

/** A venue repeats trades of the last minute: an id is remembered for two to four minutes. */
const GENERATION_MS = 2 * MINUTE_MS;
/** Ids of a symbol in a generation. The busiest markets have some hundred per second at peaks. */
const MAX_IDS = 10_000;

interface Generations {
  young: Set<number>;
  old: Set<number>;
  startedAt: number;
}

export class SeenTrades {
  readonly #now: () => number;
  readonly #symbols = new Map<MarketSymbol, Generations>();
  #clearedAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#clearedAt = now();
  }

  /** Remembered ids of all symbols. */
  get size(): number {
    return [...this.#symbols.values()].reduce((sum, { young, old }) => sum + young.size + old.size, 0);
  }

  /** Remembers the id; returns whether it is new. */
  add(symbol: MarketSymbol, id: number): boolean {
    const now = this.#now();
    if (now - this.#clearedAt >= GENERATION_MS) this.#clear(now);
    let ids = this.#symbols.get(symbol);
    if (!ids) {
      ids = { young: new Set(), old: new Set(), startedAt: now };
      this.#symbols.set(symbol, ids);
    }
    if (ids.young.has(id)) return false;
    const isNew = !ids.old.has(id);
    if (ids.young.size >= MAX_IDS) age(ids, now);
    ids.young.add(id);
    return isNew;
  }

  /** Also of symbols without new trades. */
  #clear(now: number): void {
    this.#clearedAt = now;
    for (const [symbol, ids] of this.#symbols) {
      if (now - ids.startedAt >= GENERATION_MS) age(ids, now);
      if (ids.young.size + ids.old.size === 0) this.#symbols.delete(symbol);
    }
  }
}

function age(ids: Generations, now: number): void {
  ids.old = ids.young;
  ids.young = new Set();
  ids.startedAt = now;
}
