// A minimal supervisor that uses only the VenueConnector interface: reconnects, drops duplicates, fetches missing trades. It
// proves that the interface is sufficient.
import type { MarketSymbol, PriceEvent, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { VenueConnection, VenueConnector } from '../../src/market/feeds/connector.ts';

type NumberedTrade = TradeEvent & { readonly id: number };

export class ReferenceLoop implements AsyncDisposable {
  readonly trades = new Map<MarketSymbol, Map<number, NumberedTrade>>();
  readonly quotes: QuoteEvent[] = [];
  readonly complaints: string[] = [];
  readonly closings: string[] = [];
  duplicates = 0;
  backfilled = 0;
  unfilled = 0;
  live = false;
  readonly #connector: VenueConnector;
  /** A connection is closed after that much silence. */
  staleMs: number;
  readonly #running: Promise<void>;
  #lastMessageAt = 0;
  #connection: VenueConnection | null = null;
  #stopped = false;

  constructor(connector: VenueConnector, staleMs = connector.staleMs) {
    this.#connector = connector;
    this.staleMs = staleMs;
    for (const symbol of connector.symbols) this.trades.set(symbol, new Map());
    this.#running = this.#run();
  }

  /** Ids of a symbol's trades, ascending, each once. */
  ids(symbol: MarketSymbol): number[] {
    return [...(this.trades.get(symbol)?.keys() ?? [])].sort((a, b) => a - b);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#connection?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        this.#connection = await this.#connector.connect({
          events: (events) => this.#take(events, 'live'),
          alive: () => this.#touch(),
          complain: (complaint) => this.complaints.push(complaint),
        });
      } catch (error) {
        this.closings.push(String(error));
        await Bun.sleep(20);
        continue;
      }
      if (this.#stopped) this.#connection.close();
      this.#touch();
      this.live = true;
      const watch = setInterval(() => {
        if (performance.now() - this.#lastMessageAt > this.staleMs) this.#connection?.close();
      }, 10);
      let open = true;
      const closed = this.#connection.closed.then((reason) => {
        open = false;
        this.live = false;
        this.closings.push(reason);
      });
      await this.#catchUp();
      while (open) {
        await this.#repair();
        await Promise.race([closed, Bun.sleep(20)]);
      }
      clearInterval(watch);
    }
  }

  #touch(): void {
    this.#lastMessageAt = performance.now();
  }

  #take(events: readonly PriceEvent[], how: 'live' | 'missed'): void {
    if (how === 'live') this.#touch();
    for (const event of events) {
      if (event.kind === 'quote') this.quotes.push(event);
      else {
        const known = this.trades.get(event.symbol)!;
        if (event.id === undefined) throw new Error('trade without id');
        if (known.has(event.id)) this.duplicates++;
        else {
          known.set(event.id, event as NumberedTrade);
          if (how === 'missed') this.backfilled++;
        }
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (const [symbol, known] of this.trades) {
      const last = known.get(this.ids(symbol).at(-1) ?? -1);
      if (last) await this.#fetch(symbol, last);
    }
  }

  async #repair(): Promise<void> {
    for (const [symbol, known] of this.trades) {
      const ids = this.ids(symbol);
      const edge = ids.findIndex((id, index) => index > 0 && id !== ids[index - 1]! + 1);
      if (edge > 0) await this.#fetch(symbol, known.get(ids[edge - 1]!)!, ids[edge]!);
    }
  }

  async #fetch(symbol: MarketSymbol, after: NumberedTrade, before?: number): Promise<void> {
    try {
      const found = await this.#connector.fetchTrades?.(symbol, after, before === undefined ? {} : { before });
      if (found) this.#take(found, 'missed');
      else this.unfilled++;
    } catch (error) {
      this.complaints.push(String(error));
    }
  }
}

/** Waits for a condition that real I/O brings about. */
export async function until(condition: () => boolean, description: string, ms = 60_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${description}`);
    await Bun.sleep(5);
  }
}
