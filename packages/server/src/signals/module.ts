// Signals: publishing and judging them, the signal log, publishers and their records.
import type {
  EvidenceQuery,
  FollowersQuery,
  HeadsQuery,
  LogQuery,
  PublicRecordsQuery,
  PublisherQuery,
  PublishersQuery,
  SignalDetailQuery,
  SignalQuery,
} from '@tickwire/contract';
import { HOUR_MS, type InstrumentSpec, type MarketSymbol, SECOND_MS } from '@tickwire/engine';
import { writerRoutes } from '../http/handler.ts';
import type { IdempotencyCache } from '../http/idempotency-cache.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Module } from '../module/module.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Store } from '../store/store.ts';
import { EvidenceHandler, KeptHeadHandlers } from './evidence-handlers.ts';
import { ROWS_PER_SIGNAL } from './follower-results.ts';
import type { HeadDelivery } from './head-delivery.ts';
import type { HeadWriter } from './head-writer.ts';
import { LogRequests, type LogRequestsOptions } from './log-requests.ts';
import type { Signals } from './open-signals.ts';
import { PublicRecordHandlers } from './public-records.ts';
import { PublishHandlers, type PublishHandlersOptions } from './publish-handlers.ts';
import type { SignalEvents } from './signal-events.ts';
import { SignalHandlers, type SignalHandlersOptions } from './signal-handlers.ts';
import { SignalChannel } from './streams/signal-channel.ts';
import { TapeSealer } from './tape-sealer.ts';

const MARK_MS = 10_000;
const SEAL_CHECK_MS = SECOND_MS;
const REQUESTS_MS = SECOND_MS;
const PRUNE_MS = HOUR_MS;

export interface SignalsModuleOptions extends Omit<SignalHandlersOptions, 'store' | 'tape' | 'market'> {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly store: Store;
  readonly events: SignalEvents;
  /** Whether anyone may read the records of publishers. */
  readonly publicRecords: boolean;
  /** `null` on a gateway node. */
  readonly writer: SignalsWriter | null;
}

/** Signals where they are judged. */
export interface SignalsWriter extends Signals, Pick<PublishHandlersOptions, 'requireConfirmed'> {
  readonly heads: HeadWriter;
  readonly realm: LogRequestsOptions['realm'];
  /** Folder of the realm. */
  readonly folder: string;
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly idempotency: IdempotencyCache;
  readonly now: () => number;
  readonly log: Log;
}

export function signalsModule(options: SignalsModuleOptions): Module {
  const { instruments, feed, records, events, store, market, publicRecords, publisherOf, writer } = options;
  const handlers = new SignalHandlers({ ...options, store: store.signals, tape: store.market });
  const heads = new KeptHeadHandlers(store);
  const publicHandlers = new PublicRecordHandlers({
    enabled: publicRecords,
    signals: handlers,
    records,
    store: store.signals,
    publisherOf,
  });
  const work = writer && openWork(writer, store);
  return {
    routes: {
      signals: ({ query }) => handlers.list(query as SignalQuery),
      signal: ({ params, query }) => handlers.detail(params.id!, query as SignalDetailQuery),
      signingKey: ({ caller }) => handlers.signingKey(caller!),
      signalLog: ({ query }) => handlers.log(query as LogQuery),
      signalHeads: ({ query }) => heads.list(query as HeadsQuery),
      publicSignalHeads: ({ query }) => heads.list(query as HeadsQuery),
      publishers: ({ query, now }) => handlers.publishers(query as PublishersQuery, now),
      publisher: ({ params, query, now }) => handlers.publisher(params.name!, query as PublisherQuery, now),
      publisherSignals: ({ params }) => handlers.publisherSignals(params.name!),
      publisherFollowers: {
        cost: ({ query }) => ({ rows: (query as FollowersQuery).limit * ROWS_PER_SIGNAL, counted: false }),
        handle: ({ params, query }) => handlers.publisherFollowers(params.name!, query as FollowersQuery),
      },
      publisherEquity: ({ params }) => handlers.publisherEquity(params.name!),
      publicPublisher: ({ params, query, now }) => publicHandlers.publisher(params.name!, query as PublisherQuery, now),
      publicRecords: ({ params, query }) => publicHandlers.list(params.name!, query as PublicRecordsQuery),
      ...writerRoutes(work, {
        publishSignal: ({ publish }, { request, caller }) => publish.publish(request, caller!),
        parseSignal: ({ publish }, { request }) => publish.parse(request),
        closeSignal: ({ publish }, { params, request, caller }) => publish.close(params.id!, request, caller!),
        amendSignal: ({ publish }, { params, request, caller }) => publish.amend(params.id!, request, caller!),
        voidSignal: ({ publish }, { params, request, caller }) => publish.void(params.id!, request, caller!),
        setSigningKey: ({ publish }, { request, caller }) => publish.setSigningKey(request, caller!),
        tradingViewHook: ({ publish }, { request, caller }) => publish.publishAlert(request, caller!),
        signalProof: ({ publish }, { params }) => publish.proof(params.id!),
        signalHead: ({ publish }) => publish.head(),
        publicSignalHead: ({ publish }) => publish.head(),
        evidence: ({ evidence }, { params, query, caller }) =>
          evidence.evidence(params.day!, params.symbol!, query as EvidenceQuery, caller!),
      }),
    },
    channels: () => [new SignalChannel({ instruments, signals: events, market })],
    readers: [
      { phase: 'numbers', read: events.read },
      ...(writer ? [{ phase: 'verdicts' as const, read: writer.service.read }] : []),
      { phase: 'lists', read: feed.read },
      { phase: 'lists', read: records.read },
    ],
    metrics: (metrics) => writer && observe(metrics, writer),
    start(timers) {
      if (!writer || !work) return;
      const { service, ledger, now } = writer;
      timers.every(MARK_MS, 'marking how far signals were judged', () => ledger.markJudged());
      timers.every(SEAL_CHECK_MS, 'sealing days of the tape', () => work.sealer.run(now()), { immediately: true });
      timers.every(REQUESTS_MS, 'requests of the command line', () => work.requests.run(), { immediately: true });
      timers.every(PRUNE_MS, 'deleting old gaps', () => service.forgetGaps());
      writer.heads.start();
    },
    stop: () => work?.sealer.stop(),
    async drain() {
      if (!writer) return;
      const { ledger, heads: headWriter, log } = writer;
      await ledger.stop();
      await ledger.markJudged().catch((error) => log.error('the signal log could not be marked', { error }));
      await headWriter.stop();
    },
  };
}

interface SignalsWork {
  readonly publish: PublishHandlers;
  readonly evidence: EvidenceHandler;
  readonly sealer: TapeSealer;
  readonly requests: LogRequests;
}

function openWork(writer: SignalsWriter, store: Store): SignalsWork {
  const { service, ledger, folder, realm, resolve, idempotency, requireConfirmed, now, log } = writer;
  return {
    publish: new PublishHandlers({
      service,
      ledger,
      store: store.signals,
      audit: (entry) => store.access.audit({ ...entry, at: Date.now() }),
      idempotency,
      requireConfirmed,
    }),
    evidence: new EvidenceHandler({ store, folder, resolve }),
    sealer: new TapeSealer({ store, folder, log, seal: (day) => ledger.seal(day) }),
    requests: new LogRequests({ store: store.access, realm, service, now }),
  };
}

function observe(metrics: Metrics, { service, ledger, verifier, heads }: SignalsWriter): void {
  metrics.gauge('tickwire_signals_active', 'Active signals', () => verifier.active);
  metrics.counter('tickwire_signals_published_total', 'Signals published', () => service.published);
  metrics.counter('tickwire_signals_closed_total', 'Signals closed, by reason', () =>
    [...service.closedBy].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_signal_log_records', 'Records in the signal log', () => ledger.length);
  metrics.gauge('tickwire_signal_log_waiting', 'Records waiting to be written', () => ledger.waiting);
  const perDestination = (read: (delivery: HeadDelivery) => number) => () =>
    heads.deliveries.map((delivery) => [{ to: delivery.name }, read(delivery)] as const);
  metrics.counter(
    'tickwire_heads_delivered_total',
    'Heads of the signal log that were delivered or time-stamped, by destination',
    perDestination(({ delivered }) => delivered),
  );
  metrics.counter(
    'tickwire_head_failures_total',
    'Failed attempts to deliver or time-stamp a head, by destination',
    perDestination(({ failures }) => failures),
  );
}
