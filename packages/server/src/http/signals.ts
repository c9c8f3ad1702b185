// What the endpoints of signals and publishers answer, as JSON text.
import { createHash } from 'node:crypto';
import {
  type ClosedRecord,
  type LogQuery,
  type PublishedRecord,
  type PublishersQuery,
  type SignalDetail,
  type SignalQuery,
  SignalRequest,
  TradingViewAlert,
} from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { type Desk, notFound } from '../signals/desk.ts';
import type { Ledger } from '../signals/ledger.ts';
import { iso, readFill, recordOf, signalOf } from '../signals/records.ts';
import type { SignalFeed } from '../signals/signal-feed.ts';
import type { TrackRecords } from '../signals/track-records.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';
import type { Guard, PeerLookup } from './guard.ts';
import { type Answered, idempotencyKey } from './idempotency.ts';
import { readJson } from './json-body.ts';

export interface SignalAnswersOptions {
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly store: SignalStore;
  readonly answered: Answered;
  readonly guard: Guard;
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

  async publish(request: Request, { account }: Caller): Promise<string> {
    const key = idempotencyKey(request);
    const { value, bytes } = await readJson(request, SignalRequest);
    const idempotency = key === null ? null : { key, bodyHash: hash(bytes) };
    return JSON.stringify(await this.#options.desk.publish(account, value, idempotency));
  }

  /** Whose alert it is: the token in the path is a key that may do this and nothing else. */
  alerting(token: string, request: Request, peers: PeerLookup, now: number): Caller {
    const { guard } = this.#options;
    const caller = guard.identify(token, request, peers, now);
    guard.scope(caller, 'hook');
    guard.allowance(caller, now);
    return caller;
  }

  /** An alert of TradingView. */
  async alert(request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, TradingViewAlert);
    const { id, ...alert } = value;
    // No header can hold a line feed: the id of an alert never meets an Idempotency-Key of the same account.
    const idempotency = id === undefined ? null : { key: `tradingview\n${id}`, bodyHash: hash(bytes) };
    return JSON.stringify(await this.#options.desk.publish(account, alert, idempotency));
  }

  async close(id: string, request: Request, { account }: Caller): Promise<string> {
    const { desk, answered } = this.#options;
    const close = async (): Promise<string> => JSON.stringify(await desk.close(account, id));
    const key = idempotencyKey(request);
    return key === null ? close() : answered.once(account.id, key, hash(Buffer.from(`close ${id}`)), close);
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

  async proof(id: string): Promise<string> {
    const { store, ledger } = this.#options;
    const signal = await this.#find(id);
    const published = recordOf<PublishedRecord>(signal.published);
    const last = signal.closed ? recordOf<ClosedRecord>(signal.closed).decided.time : LAST_DAY;
    const seals = await available(() =>
      store.seals(published.symbol, published.quote.time.slice(0, 10), last.slice(0, 10)),
    );
    return `{"published":${entryOf(signal.published)},"closed":${signal.closed ? entryOf(signal.closed) : 'null'},"seals":[${seals
      .map(entryOf)
      .join(',')}],"head":${JSON.stringify(ledger.head())},"note":${JSON.stringify(signal.note)}}`;
  }

  async log({ after, limit }: LogQuery): Promise<string> {
    const records = await available(() => this.#options.store.log(after, limit));
    const next = records.length === limit ? records.at(-1)!.n : null;
    return `{"items":[${records.map(entryOf).join(',')}],"count":${records.length},"next":${next}}`;
  }

  head(): string {
    return JSON.stringify(this.#options.ledger.head());
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
    const signal = await this.#options.desk.find(id);
    if (!signal) throw notFound(id);
    return signal;
  }

  #name({ publisher }: PublishedRecord): string {
    return this.#options.nameOf(publisher) ?? publisher;
  }
}

/** Later than any. */
const LAST_DAY = '9999-12-31';

const listOf = (items: readonly unknown[]): string => JSON.stringify({ items, count: items.length });

/** The record leaves as the very text that was hashed. */
const entryOf = ({ hash: sha256, text }: StoredRecord): string => `{"hash":"${sha256}","record":${text}}`;

const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
