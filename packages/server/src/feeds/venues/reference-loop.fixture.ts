// The least a supervisor must do, with nothing but the Source interface: connect again, drop what came twice, ask for what
// is missing. It stands here to prove that this is enough.
import type { MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { Source, SourceLink } from '../source.ts';

type Numbered = TradeEvent & { readonly id: number };

export class ReferenceLoop implements AsyncDisposable {
  readonly trades = new Map<MarketSymbol, Map<number, Numbered>>();
  readonly quotes: QuoteEvent[] = [];
  readonly complaints: string[] = [];
  readonly closings: string[] = [];
  duplicates = 0;
  backfilled = 0;
  unfilled = 0;
  live = false;
  readonly #source: Source;
  readonly #staleMs: number;
  readonly #running: Promise<void>;
  #heardAt = 0;
  #link: SourceLink | null = null;
  #stopped = false;

  constructor(source: Source, staleMs = source.staleMs) {
    this.#source = source;
    this.#staleMs = staleMs;
    for (const symbol of source.symbols) this.trades.set(symbol, new Map());
    this.#running = this.#run();
  }

  /** Ids of a symbol's trades in rising order; each stands once. */
  ids(symbol: MarketSymbol): number[] {
    return [...(this.trades.get(symbol)?.keys() ?? [])].sort((a, b) => a - b);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#link?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        this.#link = await this.#source.connect({
          events: (events) => this.#take(events, 'live'),
          alive: () => this.#hear(),
          complain: (what) => this.complaints.push(what),
        });
      } catch (error) {
        this.closings.push(String(error));
        await Bun.sleep(20);
        continue;
      }
      if (this.#stopped) this.#link.close();
      this.#hear();
      this.live = true;
      const watch = setInterval(() => {
        if (performance.now() - this.#heardAt > this.#staleMs) this.#link?.close();
      }, 10);
      let open = true;
      const gone = this.#link.closed.then((reason) => {
        open = false;
        this.live = false;
        this.closings.push(reason);
      });
      await this.#catchUp();
      while (open) {
        await this.#repair();
        await Promise.race([gone, Bun.sleep(20)]);
      }
      clearInterval(watch);
    }
  }

  #hear(): void {
    this.#heardAt = performance.now();
  }

  #take(events: readonly (QuoteEvent | TradeEvent)[], how: 'live' | 'missed'): void {
    if (how === 'live') this.#hear();
    for (const event of events) {
      if (event.kind === 'quote') this.quotes.push(event);
      else {
        const known = this.trades.get(event.symbol)!;
        if (event.id === undefined) throw new Error('a trade without its number');
        if (known.has(event.id)) this.duplicates++;
        else {
          known.set(event.id, event as Numbered);
          if (how === 'missed') this.backfilled++;
        }
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (const [symbol, known] of this.trades) {
      const last = known.get(this.ids(symbol).at(-1) ?? -1);
      if (last) await this.#ask(symbol, last);
    }
  }

  async #repair(): Promise<void> {
    for (const [symbol, known] of this.trades) {
      const ids = this.ids(symbol);
      const edge = ids.findIndex((id, index) => index > 0 && id !== ids[index - 1]! + 1);
      if (edge > 0) await this.#ask(symbol, known.get(ids[edge - 1]!)!, ids[edge]!);
    }
  }

  async #ask(symbol: MarketSymbol, after: Numbered, before?: number): Promise<void> {
    try {
      const found = await this.#source.missed?.(symbol, after, before === undefined ? {} : { before });
      if (found) this.#take(found, 'missed');
      else this.unfilled++;
    } catch (error) {
      this.complaints.push(String(error));
    }
  }
}

/** Waits for real I/O to bring about a condition. */
export async function until(condition: () => boolean, what: string, ms = 8_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await Bun.sleep(5);
  }
}
