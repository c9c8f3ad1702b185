// Handlers of the endpoints that read signals, the signal log and publishers.
import {
  type FollowersQuery,
  type LogQuery,
  type PublisherQuery,
  type PublishersQuery,
  SIGNAL_LIST_COLUMNS,
  type SignalDetail,
  type SignalDetailQuery,
  type SignalQuery,
} from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { MarkedSignal, WindowMarks } from '../calendar/window-marks.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { csvResponse, toCsv } from '../http/csv.ts';
import type { ApiResponse, HandlerResult } from '../http/handler.ts';
import type { MarketStore } from '../store/market-store.ts';
import type { SignalStore, StoredRecord } from '../store/signal-store.ts';
import { Followers } from './follower-results.ts';
import { equityCsv, signalsCsv } from './publisher-csv.ts';
import type { MarketPrices } from './ranking-signals.ts';
import type { SignalFeed } from './signal-feed.ts';
import { readDetail } from './signal-history.ts';
import { notFound } from './signal-requests.ts';
import type { TrackRecords } from './track-records.ts';

export interface SignalHandlersOptions {
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly store: SignalStore;
  readonly tape: Pick<MarketStore, 'firstTapeOf'>;
  /** Prices at which open signals are valued. */
  readonly market: MarketPrices;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
  readonly marks: Pick<WindowMarks, 'load' | 'of'>;
}

export class SignalHandlers {
  readonly #options: SignalHandlersOptions;
  readonly #followers: Followers;

  constructor(options: SignalHandlersOptions) {
    this.#options = options;
    const { store, tape, market } = options;
    this.#followers = new Followers({ store, tape, quotedAt: (symbol) => market.tick(symbol)?.time ?? null });
  }

  list(query: SignalQuery): HandlerResult | Promise<HandlerResult> {
    return signalList(this.#options.feed, query);
  }

  async detail(id: string, { windows }: SignalDetailQuery): Promise<string> {
    const { store, nameOf, marks } = this.#options;
    const detail = await readDetail(store, id, nameOf);
    if (!detail) throw notFound(id);
    if (!windows) return JSON.stringify(detail);
    await withStoreErrors(() => marks.load());
    return JSON.stringify({ ...detail, windows: detail.status === 'closed' ? marks.of(timesOf(detail)) : null });
  }

  async signingKey({ account }: Caller): Promise<string> {
    const keys = await withStoreErrors(() => this.#options.store.signingKeys());
    const key = keys.find(({ publisher }) => publisher === account.publicId);
    return JSON.stringify({ public_key: key?.publicKey ?? null, n: key?.n ?? null });
  }

  async log({ after, limit }: LogQuery): Promise<string> {
    const records = await withStoreErrors(() => this.#options.store.log(after, limit));
    const next = records.length === limit ? records.at(-1)!.n : null;
    return `{"items":[${records.map(logEntryJson).join(',')}],"count":${records.length},"next":${next}}`;
  }

  async publishers(query: PublishersQuery, now: number): Promise<string> {
    const { records, market } = this.#options;
    return JSON.stringify(await withStoreErrors(() => records.list(query, { market, now })));
  }

  async publisher(name: string, { risk, windows }: PublisherQuery, now: number): Promise<string> {
    const { records, market, marks } = this.#options;
    const publisher = this.#publisher(name);
    const detail = await withStoreErrors(async () => {
      if (windows) await marks.load();
      const isNearEvent = windows ? (closed: MarkedSignal) => marks.of(closed)?.inside ?? false : undefined;
      return records.detail(publisher, risk, { market, now }, isNearEvent);
    });
    if (!detail) throw noPublisher(name);
    return JSON.stringify(detail);
  }

  async publisherSignals(name: string): Promise<ApiResponse> {
    const publisher = this.#publisher(name);
    const text = await withStoreErrors(() => signalsCsv(this.#options.store, publisher));
    if (text === null) throw noPublisher(name);
    return csvResponse(text);
  }

  async publisherEquity(name: string): Promise<ApiResponse> {
    const publisher = this.#publisher(name);
    const points = await withStoreErrors(() => this.#options.records.equity(publisher));
    if (!points) throw noPublisher(name);
    return csvResponse(equityCsv(points));
  }

  async publisherFollowers(name: string, { limit }: FollowersQuery): Promise<string> {
    const publisher = this.#publisher(name);
    return JSON.stringify(await withStoreErrors(() => this.#followers.of(publisher, limit)));
  }

  #publisher(name: string): string {
    const publisher = this.#options.publisherOf(name);
    if (publisher === undefined) throw noPublisher(name);
    return publisher;
  }
}

/** The signals of a feed, in the form that the query asks for. */
export function signalList(
  feed: Pick<SignalFeed, 'list' | 'listInDetail'>,
  query: SignalQuery,
): HandlerResult | Promise<HandlerResult> {
  if (query.format === 'csv')
    return withStoreErrors(async () => csvResponse(toCsv(SIGNAL_LIST_COLUMNS, await feed.list(query))));
  if (query.detail) return withStoreErrors(async () => listOf(await feed.listInDetail(query)));
  const list = feed.list(query);
  return Array.isArray(list) ? listOf(list) : withStoreErrors(async () => listOf(await list));
}

export const noPublisher = (name: string): ServiceError =>
  new ServiceError(
    'publisher_not_found',
    `There is no publisher ${JSON.stringify(name.slice(0, 64))}. See /api/publishers for all publishers.`,
  );

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items, count: items.length });

/** The record is sent as the exact text that was hashed. */
export const logEntryJson = ({ hash: sha256, text }: StoredRecord): string => `{"hash":"${sha256}","record":${text}}`;

const timesOf = ({ symbol, filled_at, closed_at }: Extract<SignalDetail, { status: 'closed' }>): MarkedSignal => ({
  symbol,
  filledAt: filled_at === null ? null : Date.parse(filled_at),
  closedAt: Date.parse(closed_at),
});
