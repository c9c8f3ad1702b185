// What only the floor can answer: publishing and closing, proofs with the signed head of the log, what is pushed, and how the
// sources do. In a process without a floor these requests are passed on to the one that has it.
import { createHash } from 'node:crypto';
import {
  type ClosedRecord,
  type EndpointName,
  type FeedReport,
  type PublishedRecord,
  SignalRequest,
  TradingViewAlert,
} from '@tickwire/contract';
import { acting, type Caller } from '../access/caller.ts';
import type { FeedStatus } from '../feeds/feed.ts';
import type { Quarantined } from '../journal/spike-filter.ts';
import { type Desk, notFound } from '../signals/desk.ts';
import type { Ledger } from '../signals/ledger.ts';
import { recordOf } from '../signals/records.ts';
import type { SignalStore } from '../store/signal-store.ts';
import type { Answer } from './answer-table.ts';
import { available } from './available.ts';
import { type Answered, idempotencyKey } from './idempotency.ts';
import type { Ingest } from './ingest.ts';
import { readJson } from './json-body.ts';
import type { NewsAnswers } from './news.ts';
import { entryOf } from './signals.ts';

export const FLOOR_ENDPOINTS = [
  'publishSignal',
  'closeSignal',
  'tradingViewHook',
  'signalProof',
  'signalHead',
  'feeds',
  'newsSources',
  'ingestTicks',
  'ingestNews',
] as const satisfies readonly EndpointName[];
export type FloorEndpoint = (typeof FLOOR_ENDPOINTS)[number];
export type FloorAnswers = { readonly [K in FloorEndpoint]: Answer };

export interface FloorAnswersOptions {
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly store: SignalStore;
  readonly news: NewsAnswers;
  readonly ingest: Ingest;
  readonly answered: Answered;
  readonly feeds: () => readonly FeedStatus[];
  readonly quarantine: () => readonly Quarantined[];
}

/** Later than any. */
const LAST_DAY = '9999-12-31';

export function floorAnswers(options: FloorAnswersOptions): FloorAnswers {
  const { desk, ledger, store, news, ingest, answered } = options;

  async function publish(request: Request, { account }: Caller): Promise<string> {
    const key = idempotencyKey(request);
    const { value, bytes } = await readJson(request, SignalRequest);
    const idempotency = key === null ? null : { key, bodyHash: hash(bytes) };
    return JSON.stringify(await desk.publish(account, value, idempotency));
  }

  /** An alert of TradingView. */
  async function alert(request: Request, { account }: Caller): Promise<string> {
    const { value, bytes } = await readJson(request, TradingViewAlert);
    const { id, ...signal } = value;
    // No header can hold a line feed: the id of an alert never meets an Idempotency-Key of the same account.
    const idempotency = id === undefined ? null : { key: `tradingview\n${id}`, bodyHash: hash(bytes) };
    return JSON.stringify(await desk.publish(account, signal, idempotency));
  }

  async function close(id: string, request: Request, { account }: Caller): Promise<string> {
    const work = async (): Promise<string> => JSON.stringify(await desk.close(account, id));
    const key = idempotencyKey(request);
    if (key === null) return work();
    const found = async (): Promise<string | null> => {
      const closed = await desk.closedByHand(account, id);
      return closed && JSON.stringify(closed);
    };
    return answered.once(account.id, key, hash(Buffer.from(`close ${id}`)), work, found);
  }

  async function proof(id: string): Promise<string> {
    const signal = await desk.find(id);
    if (!signal) throw notFound(id);
    const { symbol, quote } = recordOf<PublishedRecord>(signal.published);
    const last = signal.closed ? recordOf<ClosedRecord>(signal.closed).decided.time : LAST_DAY;
    const seals = await available(() => store.seals(symbol, quote.time.slice(0, 10), last.slice(0, 10)));
    return `{"published":${entryOf(signal.published)},"closed":${signal.closed ? entryOf(signal.closed) : 'null'},"seals":[${seals
      .map(entryOf)
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
    publishSignal: ({ request, caller }) => publish(request, acting(caller!)),
    closeSignal: ({ params, request, caller }) => close(params.id!, request, acting(caller!)),
    tradingViewHook: ({ request, caller }) => alert(request, caller!),
    signalProof: ({ params }) => proof(params.id!),
    signalHead: () => JSON.stringify(ledger.head()),
    feeds,
    newsSources: () => news.sources(),
    ingestTicks: ({ request, caller }) => ingest.ticks(request, caller!),
    ingestNews: ({ request, caller }) => ingest.news(request, caller!),
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
