// Readers of /ws/news. An item mentions several instruments or none, so that what a reader takes in cannot be a topic: items
// are few, and each is sent to its readers one by one. `prev` goes by the reader.
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Batch, Journal, NewsEvent } from '../journal/journal.ts';
import type { Connection } from './connection.ts';
import { plain, sequenced } from './encode.ts';

interface Taste {
  everything: boolean;
  readonly symbols: Set<MarketSymbol>;
  sequenced: boolean;
  /** seq of the last item it was sent. */
  prev: number;
}

export interface NewsReadersOptions {
  readonly symbols: ReadonlySet<MarketSymbol>;
  readonly journal: Journal;
}

export class NewsReaders {
  published = 0;
  readonly #options: NewsReadersOptions;
  readonly #tastes = new Map<Connection, Taste>();

  constructor(options: NewsReadersOptions) {
    this.#options = options;
  }

  /** Adds to what the connection takes in; `codes` left out means everything. Returns the codes that are unknown. */
  subscribe(connection: Connection, codes: readonly string[] | undefined, numbered: boolean): string[] {
    const taste = this.#tastes.get(connection) ?? { everything: false, symbols: new Set(), sequenced: false, prev: 0 };
    taste.sequenced = numbered;
    const { known, unknown } = this.#sort(codes ?? ['*']);
    taste.everything ||= (codes ?? ['*']).includes('*');
    for (const symbol of known) taste.symbols.add(symbol);
    if (taste.everything || taste.symbols.size > 0) this.#tastes.set(connection, taste);
    return unknown;
  }

  /** Takes symbols off again; none named, or "*": all of them. Returns the codes that are unknown. */
  unsubscribe(connection: Connection, codes: readonly string[] | undefined): string[] {
    const { known, unknown } = this.#sort(codes ?? ['*']);
    const taste = this.#tastes.get(connection);
    if (!codes || codes.includes('*')) this.#tastes.delete(connection);
    else if (taste) {
      for (const symbol of known) taste.symbols.delete(symbol);
      if (!taste.everything && taste.symbols.size === 0) this.#tastes.delete(connection);
    }
    return unknown;
  }

  /** The whole current set. */
  subscriptions(connection: Connection): string[] {
    const taste = this.#tastes.get(connection);
    return taste ? [...(taste.everything ? ['*'] : []), ...taste.symbols] : [];
  }

  forget(connection: Connection): void {
    this.#tastes.delete(connection);
  }

  read({ firstSeq, events }: Batch): void {
    if (this.#tastes.size === 0) return;
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event.kind === 'news') this.#send(event, firstSeq + index);
    }
  }

  #sort(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const named = [...new Set(codes)].filter((code) => code !== '*');
    const { true: known = [], false: unknown = [] } = Object.groupBy(named, (code) =>
      this.#options.symbols.has(asSymbol(code)) ? 'true' : 'false',
    );
    return { known: known.map(asSymbol), unknown };
  }

  #send({ item, revised }: NewsEvent, seq: number): void {
    const body = JSON.stringify(revised ? { ...item, revised: true } : item).slice(0, -1);
    for (const [connection, taste] of this.#tastes) {
      if (!taste.everything && !item.symbols.some((symbol) => taste.symbols.has(symbol as MarketSymbol))) continue;
      this.published++;
      const { epoch } = this.#options.journal;
      connection.socket.send(taste.sequenced ? sequenced(body, seq, taste.prev, epoch) : plain(body));
      taste.prev = seq;
    }
  }
}
