// Handlers of the endpoints that read signals, the signal log and publishers.
import type {
  ClosedRecord,
  LogQuery,
  PublishedRecord,
  PublisherQuery,
  PublishersQuery,
  SignalDetail,
  SignalQuery,
} from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { iso, parseFill, parseRecord, toSignal } from '../signals/log-records.ts';
import type { MarketPrices } from '../signals/ranking-signals.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import { notFound } from '../signals/signal-service.ts';
import type { TrackRecords } from '../signals/track-records.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import type { ResponseWithHeaders } from './handler.ts';
import { csvResponse, equityCsv, signalsCsv } from './publisher-csv.ts';

export interface SignalHandlersOptions {
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly store: SignalStore;
  /** Prices at which open signals are valued. */
  readonly market: MarketPrices;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
}

export class SignalHandlers {
  readonly #options: SignalHandlersOptions;

  constructor(options: SignalHandlersOptions) {
    this.#options = options;
  }

  list(query: SignalQuery): string | Promise<string> {
    const list = this.#options.feed.list(query);
    return Array.isArray(list) ? listOf(list) : withStoreErrors(async () => listOf(await list));
  }

  async detail(id: string): Promise<string> {
    const signal = await this.#find(id);
    const published = parseRecord<PublishedRecord>(signal.published);
    const closed = signal.closed && parseRecord<ClosedRecord>(signal.closed);
    const fill = signal.fill === null ? null : parseFill(signal.fill);
    const filledAt = published.entry_price === undefined ? fill && iso(fill.at) : published.at;
    const detail = {
      ...toSignal(signal, this.#name(published)),
      publisher: published.publisher,
      order: published.order,
      expires_at: filledAt === null ? published.entry_deadline : published.deadline,
      note: signal.note,
      entry_price:
        closed?.entry_price ?? published.entry_price ?? (fill && fill.price / 10 ** published.instrument.digits),
      filled_at: filledAt,
      published_n: signal.published.n,
      published_hash: signal.published.hash,
      closed_n: signal.closed?.n ?? null,
      closed_hash: signal.closed?.hash ?? null,
    } as SignalDetail;
    return JSON.stringify(detail);
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

  async publisher(name: string, { risk }: PublisherQuery, now: number): Promise<string> {
    const { records, market } = this.#options;
    const publisher = this.#publisher(name);
    const detail = await withStoreErrors(() => records.detail(publisher, risk, { market, now }));
    if (!detail) throw noPublisher(name);
    return JSON.stringify(detail);
  }

  async publisherSignals(name: string): Promise<ResponseWithHeaders> {
    const publisher = this.#publisher(name);
    const text = await withStoreErrors(() => signalsCsv(this.#options.store, publisher));
    if (text === null) throw noPublisher(name);
    return csvResponse(text);
  }

  async publisherEquity(name: string): Promise<ResponseWithHeaders> {
    const publisher = this.#publisher(name);
    const points = await withStoreErrors(() => this.#options.records.equity(publisher));
    if (!points) throw noPublisher(name);
    return csvResponse(equityCsv(points));
  }

  #publisher(name: string): string {
    const publisher = this.#options.publisherOf(name);
    if (publisher === undefined) throw noPublisher(name);
    return publisher;
  }

  async #find(id: string): Promise<StoredSignal> {
    const signal = await withStoreErrors(() => this.#options.store.signal(id));
    if (!signal) throw notFound(id);
    return signal;
  }

  #name({ publisher }: PublishedRecord): string {
    return this.#options.nameOf(publisher) ?? publisher;
  }
}

const noPublisher = (name: string): ServiceError =>
  new ServiceError(
    'publisher_not_found',
    `There is no publisher ${JSON.stringify(name.slice(0, 64))}. See /api/publishers for all publishers.`,
  );

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items, count: items.length });

/** The record is sent as the exact text that was hashed. */
export const logEntryJson = ({ hash: sha256, text }: StoredRecord): string => `{"hash":"${sha256}","record":${text}}`;
