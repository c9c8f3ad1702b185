// Handlers of the calendar endpoints.
import type { CalendarQuery, CalendarSourceList, WindowQuery } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { type SourceStatus, sourceReport } from '../documents/source.ts';
import { symbolNotFound } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { CalendarFeed } from './calendar-feed.ts';

export interface CalendarHandlersOptions {
  readonly feed: CalendarFeed;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly sources: () => readonly SourceStatus[];
}

export class CalendarHandlers {
  readonly #options: CalendarHandlersOptions;

  constructor(options: CalendarHandlersOptions) {
    this.#options = options;
  }

  list(query: CalendarQuery, now: number): string | Promise<string> {
    return textOf(this.#options.feed.page(query, now));
  }

  window(code: string, query: WindowQuery, now: number): string | Promise<string> {
    const symbol = this.#options.resolve(code);
    if (!symbol) throw symbolNotFound(code);
    return textOf(this.#options.feed.window(symbol, query, now));
  }

  sources(): string {
    const items = this.#options.sources().map(sourceReport);
    const list: CalendarSourceList = { items, count: items.length };
    return JSON.stringify(list);
  }
}

const textOf = (result: object | Promise<object>): string | Promise<string> =>
  result instanceof Promise ? withStoreErrors(async () => JSON.stringify(await result)) : JSON.stringify(result);
