// The trades seen last, for venues that repeat trades and whose ids are in no order. Shared by all connections of a connector.
import type { MarketSymbol } from '@tickwire/engine';
import { LruMap } from '../../../work/lru-map.ts';

/** Per symbol. A venue repeats trades of the last minute; the busiest markets have some hundred per second at peaks. */
const REMEMBERED = 20_000;

export class SeenTrades {
  readonly #ids = new Map<MarketSymbol, LruMap<number, true>>();

  /** Remembers the id; returns whether it is new. */
  add(symbol: MarketSymbol, id: number): boolean {
    let ids = this.#ids.get(symbol);
    if (!ids) {
      ids = new LruMap(REMEMBERED);
      this.#ids.set(symbol, ids);
    }
    if (ids.get(id)) return false;
    ids.set(id, true);
    return true;
  }
}
