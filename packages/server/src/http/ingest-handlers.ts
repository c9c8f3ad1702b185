// Handlers that need the pipeline: publishing signals and requests about them, signing keys, proofs with the signed head of the
// log, the tape of a day, pushed ticks, news and calendar events, the state of feeds and of the language model. A gateway node
// forwards these requests to the ingest node (ingest-proxy.ts).
import { createHash } from 'node:crypto';
import {
  AmendRequest,
  type ClosedRecord,
  CloseSignalRequest,
  type EndpointName,
  type EvidenceQuery,
  type FeedReport,
  type PublishedRecord,
  SignalRequest,
  SigningKeyRequest,
  TradingViewAlert,
  VoidRequest,
} from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { FeedStatus } from '../market/feeds/feed.ts';
import type { Quarantined } from '../market/spike-filter.ts';
import type { Ledger } from '../signals/ledger.ts';
import { parseRecord } from '../signals/log-records.ts';
import { notFound } from '../signals/signal-requests.ts';
import type { SignalService } from '../signals/signal-service.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { ALERT_ENDPOINT_NAMES, type AlertHandlers } from './alert-handlers.ts';
import type { CalendarHandlers } from './calendar-handlers.ts';
import type { EvidenceHandler } from './evidence-handlers.ts';
import type { EndpointHandler, ResponseWithStatus } from './handler.ts';
import { type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';
import { readJson, readOptionalJson } from './json-body.ts';
import { type LanguageModelOptions, languageModelReport } from './language-model-handler.ts';
import type { NewsHandlers } from './news-handlers.ts';
import type { PushHandlers } from './push-handlers.ts';
import { logEntryJson } from './signal-handlers.ts';

export const INGEST_ENDPOINTS = [
  'publishSignal',
  'closeSignal',
  'amendSignal',
  'voidSignal',
  'setSigningKey',
  'tradingViewHook',
  'signalProof',
  'signalHead',
  'evidence',
  'feeds',
  'newsSources',
  'languageModel',
  'ingestTicks',
  'ingestNews',
  ...ALERT_ENDPOINT_NAMES,
  'calendarSources',
  'ingestCalendar',
] as const satisfies readonly EndpointName[];
export type IngestEndpoint = (typeof INGEST_ENDPOINTS)[number];
export type IngestHandlers = { readonly [K in IngestEndpoint]: EndpointHandler };

export interface IngestHandlersOptions {
  readonly signalService: SignalService;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  /** Adds an entry to the audit log. */
  readonly audit: (entry: Omit<AuditEntry, 'at'>) => Promise<void>;
  readonly evidence: EvidenceHandler;
  readonly news: NewsHandlers;
  readonly calendar: CalendarHandlers;
  readonly push: PushHandlers;
  readonly idempotency: IdempotencyCache;
  readonly feeds: () => readonly FeedStatus[];
  readonly quarantine: () => readonly Quarantined[];
  readonly alerts: AlertHandlers;
  readonly languageModel: LanguageModelOptions;
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
    return JSON.stringify(await signalService.publishAlert(account, signal, idempotency));
  }

  async function close(id: string, request: Request, { account }: Caller): Promise<ResponseWithStatus> {
    const { value, bytes } = await readOptionalJson(request, CloseSignalRequest);
    const work = async (): Promise<string> => JSON.stringify(await signalService.close(account, id, value));
    const key = idempotencyKey(request);
    if (key === null) return closing(await work());
    const recover = async (): Promise<string | null> => {
      const closed = await signalService.closedByPublisher(account, id);
      return closed && JSON.stringify(closed);
    };
    return closing(
      await idempotency.once(account.id, key, hash(Buffer.concat([Buffer.from(`close ${id}`), bytes])), work, recover),
    );
  }

  async function amend(id: string, request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, AmendRequest);
    const work = async (): Promise<string> => JSON.stringify(await signalService.amend(account, id, value));
    const key = idempotencyKey(request);
    if (key === null) return work();
    const recover = async (): Promise<string | null> => {
      const detail = await signalService.detail(id);
      return detail.current_stop_loss === value.stop_loss ? JSON.stringify(detail) : null;
    };
    return idempotency.once(account.id, key, hash(Buffer.concat([Buffer.from(`amend ${id}`), bytes])), work, recover);
  }

  async function voidSignal(id: string, request: Request, caller: Caller): Promise<string> {
    const { reason } = (await readJson(request, VoidRequest)).value;
    const detail = await signalService.void(id, reason);
    await options.audit({
      ...by(caller),
      act: 'signal voided',
      subject: `${id}: ${reason}`,
      account: detail.publisher,
    });
    return JSON.stringify(detail);
  }

  async function setSigningKey(request: Request, caller: Caller): Promise<string> {
    const { public_key } = (await readJson(request, SigningKeyRequest)).value;
    const { publicId } = caller.account;
    const key = await signalService.setSigningKey(publicId, public_key);
    const act = public_key === null ? 'signing key removed' : 'signing key set';
    await options.audit({ ...by(caller), act, subject: public_key ?? publicId, account: publicId });
    return JSON.stringify(key);
  }

  async function proof(id: string): Promise<string> {
    const signal = await signalService.find(id);
    if (!signal) throw notFound(id);
    const { symbol, quote } = parseRecord<PublishedRecord>(signal.published);
    const last = signal.closed ? parseRecord<ClosedRecord>(signal.closed).decided.time : LAST_DAY;
    const seals = await withStoreErrors(() => store.seals(symbol, quote.time.slice(0, 10), last.slice(0, 10)));
    const records = (await withStoreErrors(() => store.records([id]))).get(id)!;
    return `{"published":${logEntryJson(signal.published)},"closed":${signal.closed ? logEntryJson(signal.closed) : 'null'},"seals":[${seals
      .map(logEntryJson)
      .join(
        ',',
      )}],"head":${JSON.stringify(ledger.head())},"note":${JSON.stringify(signal.note)},"records":[${records.map(logEntryJson).join(',')}]}`;
  }

  function feeds(): string {
    const items = options.feeds().map(feedReport);
    const quarantine = options
      .quarantine()
      .map(({ time, ...rest }) => ({ ...rest, time: new Date(time).toISOString() }));
    return JSON.stringify({ items, count: items.length, quarantine });
  }

  return {
    ...options.alerts,
    publishSignal: ({ request, caller }) => publish(request, caller!),
    closeSignal: ({ params, request, caller }) => close(params.id!, request, caller!),
    amendSignal: ({ params, request, caller }) => amend(params.id!, request, caller!),
    voidSignal: ({ params, request, caller }) => voidSignal(params.id!, request, caller!),
    setSigningKey: ({ request, caller }) => setSigningKey(request, caller!),
    tradingViewHook: ({ request, caller }) => publishAlert(request, caller!),
    signalProof: ({ params }) => proof(params.id!),
    signalHead: () => JSON.stringify(ledger.head()),
    evidence: ({ params, query, caller }) =>
      options.evidence.evidence(params.day!, params.symbol!, query as EvidenceQuery, caller!),
    feeds,
    newsSources: () => news.sources(),
    languageModel: ({ now }) => languageModelReport(options.languageModel, now),
    ingestTicks: ({ request, caller }) => push.ticks(request, caller!),
    ingestNews: ({ request, caller }) => push.news(request, caller!),
    calendarSources: () => options.calendar.sources(),
    ingestCalendar: ({ request, caller }) => push.calendar(request, caller!),
  };
}

/** A signal that is still active was not closed yet. */
const closing = (body: string): ResponseWithStatus => ({
  body,
  status: (JSON.parse(body) as { status: string }).status === 'active' ? 202 : 200,
});

const by = ({ session, keyId, account }: Caller): Pick<AuditEntry, 'actor'> => ({
  actor: session ? account.publicId : keyId,
});

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
