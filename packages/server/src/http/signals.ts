// What the endpoints of signals and publishers answer, as JSON text.
import type {
  ClosedRecord,
  LogQuery,
  PublishedRecord,
  PublishersQuery,
  SignalDetail,
  SignalQuery,
} from '@tickwire/contract';
import { notFound } from '../signals/desk.ts';
import { iso, readFill, recordOf, signalOf } from '../signals/records.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import type { TrackRecords } from '../signals/track-records.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';

export interface SignalAnswersOptions {
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly store: SignalStore;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
}

export class SignalAnswers {
  readonly #options: SignalAnswersOptions;

  constructor(options: SignalAnswersOptions) {
    this.#options = options;
  }

  list(query: SignalQuery): string | Promise<string> {
    const list = this.#options.feed.list(query);
    return Array.isArray(list) ? listOf(list) : available(async () => listOf(await list));
  }

  async detail(id: string): Promise<string> {
    const signal = await this.#find(id);
    const published = recordOf<PublishedRecord>(signal.published);
    const closed = signal.closed && recordOf<ClosedRecord>(signal.closed);
    const fill = signal.fill === null ? null : readFill(signal.fill);
    const filledAt = published.entry_price === undefined ? fill && iso(fill.at) : published.at;
    const detail = {
      ...signalOf(signal, this.#name(published)),
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
    const records = await available(() => this.#options.store.log(after, limit));
    const next = records.length === limit ? records.at(-1)!.n : null;
    return `{"items":[${records.map(entryOf).join(',')}],"count":${records.length},"next":${next}}`;
  }

  publishers({ limit }: PublishersQuery): string {
    return listOf(this.#options.records.list(limit));
  }

  publisher(name: string): string {
    const { records, publisherOf } = this.#options;
    const publisher = publisherOf(name);
    const detail = publisher === undefined ? undefined : records.detail(publisher);
    if (!detail)
      throw new ApiError('publisher_not_found', `Nobody called ${JSON.stringify(name.slice(0, 64))} has published.`);
    return JSON.stringify(detail);
  }

  async #find(id: string): Promise<StoredSignal> {
    const signal = await available(() => this.#options.store.signal(id));
    if (!signal) throw notFound(id);
    return signal;
  }

  #name({ publisher }: PublishedRecord): string {
    return this.#options.nameOf(publisher) ?? publisher;
  }
}

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items, count: items.length });

/** The record leaves as the very text that was hashed. */
export const entryOf = ({ hash: sha256, text }: StoredRecord): string => `{"hash":"${sha256}","record":${text}}`;
