// Handlers of the endpoints that read signals, the signal log and publishers.
import type {
  ClosedRecord,
  LogQuery,
  PublishedRecord,
  PublishersQuery,
  SignalDetail,
  SignalQuery,
} from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { iso, parseFill, parseRecord, toSignal } from '../signals/log-records.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import { notFound } from '../signals/signal-service.ts';
import type { TrackRecords } from '../signals/track-records.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';

export interface SignalHandlersOptions {
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly store: SignalStore;
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

  publishers({ limit }: PublishersQuery): string {
    return listOf(this.#options.records.list(limit));
  }

  publisher(name: string): string {
    const { records, publisherOf } = this.#options;
    const publisher = publisherOf(name);
    const detail = publisher === undefined ? undefined : records.detail(publisher);
    if (!detail)
      throw new ServiceError(
        'publisher_not_found',
        `There is no publisher ${JSON.stringify(name.slice(0, 64))}. See /api/publishers for all publishers.`,
      );
    return JSON.stringify(detail);
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

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items, count: items.length });

/** The record is sent as the exact text that was hashed. */
export const logEntryJson = ({ hash: sha256, text }: StoredRecord): string => `{"hash":"${sha256}","record":${text}}`;
