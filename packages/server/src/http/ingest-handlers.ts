// Handlers that need the pipeline: publishing and closing signals, proofs with the signed head of the log, the tape of a day,
// pushed ticks and news, and the state of feeds. A gateway node forwards these requests to the ingest node (ingest-proxy.ts).
import { createHash } from 'node:crypto';
import {
  type ClosedRecord,
  type EndpointName,
  type EvidenceQuery,
  type FeedReport,
  type PublishedRecord,
  SignalRequest,
  TradingViewAlert,
} from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { FeedStatus } from '../market/feeds/feed.ts';
import type { Quarantined } from '../market/spike-filter.ts';
import type { Ledger } from '../signals/ledger.ts';
import { parseRecord } from '../signals/log-records.ts';
import { notFound, type SignalService } from '../signals/signal-service.ts';
import type { SignalStore } from '../store/signal-store.ts';
import type { EvidenceHandler } from './evidence-handlers.ts';
import type { EndpointHandler } from './handler.ts';
import { type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';
import { readJson } from './json-body.ts';
import type { NewsHandlers } from './news-handlers.ts';
import type { PushHandlers } from './push-handlers.ts';
import { logEntryJson } from './signal-handlers.ts';

export const INGEST_ENDPOINTS = [
  'publishSignal',
  'closeSignal',
  'tradingViewHook',
  'signalProof',
  'signalHead',
  'evidence',
  'feeds',
  'newsSources',
  'ingestTicks',
  'ingestNews',
] as const satisfies readonly EndpointName[];
export type IngestEndpoint = (typeof INGEST_ENDPOINTS)[number];
export type IngestHandlers = { readonly [K in IngestEndpoint]: EndpointHandler };

export interface IngestHandlersOptions {
  readonly signalService: SignalService;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly evidence: EvidenceHandler;
  readonly news: NewsHandlers;
  readonly push: PushHandlers;
  readonly idempotency: IdempotencyCache;
  readonly feeds: () => readonly FeedStatus[];
  readonly quarantine: () => readonly Quarantined[];
}

/** Stands for "no end yet" of an open signal. */
const LAST_DAY = '9999-12-31';

export function ingestHandlers(options: IngestHandlersOptions): IngestHandlers {
  const { signalService, ledger, store, news, push, idempotency } = options;

  async function publish(request: Request, { account }: Caller): Promise<string> {
    const key = idempotencyKey(request);
    const { value, bytes } = await readJson(request, SignalRequest);
    const idempotency = key === null ? null : { key, bodyHash: hash(bytes) };
    return JSON.stringify(await signalService.publish(account, value, idempotency));
  }

  /** Publishes the signal of a TradingView alert. */
  async function publishAlert(request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, TradingViewAlert);
    const { id, ...signal } = value;
    // A header cannot contain a line feed, so the id of an alert never equals an Idempotency-Key of the same account.
    const idempotency = id === undefined ? null : { key: `tradingview\n${id}`, bodyHash: hash(bytes) };
    return JSON.stringify(await signalService.publish(account, signal, idempotency));
  }

  async function close(id: string, request: Request, { account }: Caller): Promise<string> {
    const work = async (): Promise<string> => JSON.stringify(await signalService.close(account, id));
    const key = idempotencyKey(request);
    if (key === null) return work();
    const recover = async (): Promise<string | null> => {
      const closed = await signalService.closedByPublisher(account, id);
      return closed && JSON.stringify(closed);
    };
    return idempotency.once(account.id, key, hash(Buffer.from(`close ${id}`)), work, recover);
  }

  async function proof(id: string): Promise<string> {
    const signal = await signalService.find(id);
    if (!signal) throw notFound(id);
    const { symbol, quote } = parseRecord<PublishedRecord>(signal.published);
    const last = signal.closed ? parseRecord<ClosedRecord>(signal.closed).decided.time : LAST_DAY;
    const seals = await withStoreErrors(() => store.seals(symbol, quote.time.slice(0, 10), last.slice(0, 10)));
    return `{"published":${logEntryJson(signal.published)},"closed":${signal.closed ? logEntryJson(signal.closed) : 'null'},"seals":[${seals
      .map(logEntryJson)
      .join(',')}],"head":${JSON.stringify(ledger.head())},"note":${JSON.stringify(signal.note)}}`;
  }

  function feeds(): string {
    const items = options.feeds().map(feedReport);
    const quarantine = options
      .quarantine()
      .map(({ time, ...rest }) => ({ ...rest, time: new Date(time).toISOString() }));
    return JSON.stringify({ items, count: items.length, quarantine });
  }

  return {
    publishSignal: ({ request, caller }) => publish(request, caller!),
    closeSignal: ({ params, request, caller }) => close(params.id!, request, caller!),
    tradingViewHook: ({ request, caller }) => publishAlert(request, caller!),
    signalProof: ({ params }) => proof(params.id!),
    signalHead: () => JSON.stringify(ledger.head()),
    evidence: ({ params, query, caller }) =>
      options.evidence.evidence(params.day!, params.symbol!, query as EvidenceQuery, caller!),
    feeds,
    newsSources: () => news.sources(),
    ingestTicks: ({ request, caller }) => push.ticks(request, caller!),
    ingestNews: ({ request, caller }) => push.news(request, caller!),
  };
}

const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const feedReport = ({ name, state, symbols, lastEventAt, lastError, ...counts }: FeedStatus): FeedReport => ({
  name,
  state,
  symbols: [...symbols],
  last_event_at: lastEventAt > 0 ? new Date(lastEventAt).toISOString() : null,
  connects: counts.connects,
  disconnects: counts.disconnects,
  duplicates: counts.duplicates,
  backfilled: counts.backfilled,
  gaps: counts.gaps,
  complaints: counts.complaints,
  last_error: lastError,
});
