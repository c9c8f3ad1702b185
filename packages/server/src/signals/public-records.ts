// Public records of publishers: the JSON that anyone may read without a key, if the operator allows it.
import type { LogRecord, PublicRecordPage, PublicRecordsQuery, PublisherQuery } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { ApiResponse } from '../http/handler.ts';
import type { SignalStore, StoredRecord } from '../store/signal-store.ts';
import { parseRecord } from './log-records.ts';
import { logEntryJson, noPublisher, type SignalHandlers } from './signal-handlers.ts';
import type { TrackRecords } from './track-records.ts';

/** Pages of records that are read at the same time; further requests are rejected. */
const MAX_READING = 8;

export interface PublicRecordOptions {
  readonly enabled: boolean;
  readonly signals: SignalHandlers;
  readonly records: Pick<TrackRecords, 'isTrusted'>;
  readonly store: SignalStore;
  readonly publisherOf: (name: string) => string | undefined;
}

export class PublicRecordHandlers {
  readonly #options: PublicRecordOptions;
  #reading = 0;

  constructor(options: PublicRecordOptions) {
    this.#options = options;
  }

  async publisher(name: string, query: PublisherQuery, now: number): Promise<ApiResponse> {
    this.#requireEnabled();
    return unlisted(await this.#options.signals.publisher(name, query, now));
  }

  async list(name: string, query: PublicRecordsQuery): Promise<ApiResponse> {
    this.#requireEnabled();
    const publisher = this.#options.publisherOf(name);
    if (publisher === undefined) throw noPublisher(name);
    if (this.#reading >= MAX_READING)
      throw new ServiceError('too_many_requests', `The service is already reading ${MAX_READING} public records.`, {
        retryAfterSeconds: 1,
      });
    this.#reading++;
    try {
      return unlisted(await withStoreErrors(() => this.#page(publisher, query)));
    } finally {
      this.#reading--;
    }
  }

  async #page(publisher: string, { before, limit }: PublicRecordsQuery): Promise<string> {
    const { store, records } = this.#options;
    const from = before === undefined ? {} : { beforeN: before };
    const signals = await store.list({ status: 'all', publisher, limit, ...from });
    const byId = await store.records(signals.map(({ id }) => id));
    const sources = new Set([...byId.values()].flat().flatMap(sourcesOf));
    const items = signals.map(
      ({ id }) => `{"signal":${JSON.stringify(id)},"records":[${byId.get(id)!.map(logEntryJson).join(',')}]}`,
    );
    const rest = {
      count: signals.length,
      next: signals.length === limit ? signals.at(-1)!.published.n : null,
      untrusted_sources: [...sources].filter((source) => !records.isTrusted(source)).sort(),
    } satisfies Omit<PublicRecordPage, 'items'>;
    return `{"items":[${items.join(',')}],${JSON.stringify(rest).slice(1)}`;
  }

  #requireEnabled(): void {
    if (!this.#options.enabled)
      throw new ServiceError('not_found', 'The operator of this service has not made track records public.');
  }
}

const unlisted = (body: string): ApiResponse => ({ body, headers: { 'X-Robots-Tag': 'noindex' } });

/** The sources of all prices in a record. */
function sourcesOf(stored: StoredRecord): string[] {
  const record = parseRecord<LogRecord>(stored);
  const evidence = [
    'quote' in record ? record.quote : null,
    'filled' in record ? record.filled : null,
    'decided' in record ? record.decided : null,
  ];
  return evidence.flatMap((each) => (each ? [each.source] : []));
}
