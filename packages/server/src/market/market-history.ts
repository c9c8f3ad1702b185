// The market response with its ETag: the newest bars come from memory, older ones from the store.
import type { MarketQuery, Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import { once } from '../http/conditional-response.ts';
import { GZIP_LEVEL, type GzipPrefix, gzipPrefix, gzipWithPrefix } from '../http/gzip-prefix.ts';
import type { ApiResponse } from '../http/handler.ts';
import { quoteAge } from '../http/response-headers.ts';
import type { ReadPosition } from '../journal/read-position.ts';
import type { MarketStore } from '../store/store.ts';
import type { MarketResponse, MarketView } from './market-view.ts';

/** In characters. A response of one or two packets is not worth compressing. */
const MIN_GZIP_LENGTH = 2_048;

export interface MarketHistorySources {
  readonly market: MarketView;
  readonly history: Pick<MarketStore, 'bars'>;
  readonly startedAt: number;
  readonly position: ReadPosition;
}

/** Cached for an instrument, timeframe and level of detail: the last response, and the last compressed beginning. */
interface CacheEntry {
  text: MarketResponse | null;
  response: ApiResponse | null;
  head: string;
  prefix: GzipPrefix | null;
}

export class MarketHistory {
  readonly #market: MarketView;
  readonly #history: MarketHistorySources['history'];
  /** Part of every tag: versions start over with each run of the service. */
  readonly #run: string;
  readonly #position: ReadPosition;
  readonly #cache = new Map<string, CacheEntry>();

  constructor({ market, history, startedAt, position }: MarketHistorySources) {
    this.#market = market;
    this.#history = history;
    this.#position = position;
    this.#run = Math.floor(startedAt).toString(36);
  }

  /** `staleAge`: age of the quote in milliseconds if it is stale. */
  of(symbol: MarketSymbol, query: MarketQuery, staleAge: number | null = null): ApiResponse | Promise<ApiResponse> {
    const { timeframe, bars, before, from, to, detail } = query;
    if (before !== undefined || from !== undefined || to !== undefined) return this.#older(symbol, query, staleAge);
    const response = this.#newest(symbol, timeframe, bars, detail, staleAge !== null);
    return staleAge === null ? response : { ...response, headers: quoteAge(staleAge) };
  }

  #newest(symbol: MarketSymbol, timeframe: Timeframe, bars: number, detail: boolean, stale: boolean): ApiResponse {
    const text = this.#market.market(symbol, timeframe, bars, detail, stale);
    const entry = this.#entry(symbol, timeframe, detail);
    const position = this.#position();
    if (entry.response && entry.text === text) {
      if (entry.response.position !== position) entry.response = { ...entry.response, position };
      return entry.response;
    }
    const response: ApiResponse = {
      body: text.json,
      position,
      tag: `${this.#run}-${text.version.toString(36)}${detail ? (text.stale ? '-ds' : '-d') : ''}`,
      ...(text.head.length >= MIN_GZIP_LENGTH && {
        gzip: once(() => gzipWithPrefix(prefixOf(entry, text.head), text.tail)),
      }),
    };
    entry.text = text;
    entry.response = response;
    return response;
  }

  /** Bars of a range from the store, completed by those that only memory has yet. */
  async #older(symbol: MarketSymbol, query: MarketQuery, staleAge: number | null): Promise<ApiResponse> {
    const { timeframe, bars: limit, before, from } = query;
    const start = from ?? 0;
    const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, query.to ?? Number.MAX_SAFE_INTEGER) - 1;
    const first = from !== undefined && before === undefined ? 'oldest' : 'newest';
    const stored = await withStoreErrors(() =>
      this.#history.bars({ symbol, timeframe, from: start, to: end, limit, first }),
    );
    // From here on nothing waits: the bars and the quote in memory are those of this position.
    const position = this.#position();
    const byTime = new Map(stored.map((bar) => [bar.time, bar]));
    for (const bar of this.#market.recent(symbol, timeframe, start, end)) byTime.set(bar.time, bar);
    const bars = [...byTime.values()].sort((a, b) => a.time - b.time);
    const body = this.#market.marketOf(
      symbol,
      timeframe,
      first === 'oldest' ? bars.slice(0, limit) : bars.slice(-limit),
      query.detail,
      staleAge !== null,
    );
    // Stored bars have no version. A hash is cheap compared to the query.
    const tag = Bun.hash(body).toString(36);
    const extra = { position, ...(staleAge !== null && { headers: quoteAge(staleAge) }) };
    if (body.length < MIN_GZIP_LENGTH) return { body, tag, ...extra };
    return { body, tag, ...extra, gzip: () => Bun.gzipSync(body, { level: GZIP_LEVEL }) };
  }

  #entry(symbol: MarketSymbol, timeframe: Timeframe, detail: boolean): CacheEntry {
    const key = detail ? `${symbol} ${timeframe} detail` : `${symbol} ${timeframe}`;
    let entry = this.#cache.get(key);
    if (!entry) {
      entry = { text: null, response: null, head: '', prefix: null };
      this.#cache.set(key, entry);
    }
    return entry;
  }
}

/** The compressed beginning. It changes when a bar closes or a different number of bars is requested. */
function prefixOf(entry: CacheEntry, head: string): GzipPrefix {
  if (!entry.prefix || entry.head !== head) {
    entry.head = head;
    entry.prefix = gzipPrefix(head);
  }
  return entry.prefix;
}
