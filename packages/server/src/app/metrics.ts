// The metrics of each part, as `/metrics` shows them.

import type { Keyring } from '../access/keyring.ts';
import type { AgreementCounts } from '../ai/model-agreement.ts';
import type { Alerts } from '../alerts/open-alerts.ts';
import type { RedisJournal } from '../cluster/journal/redis-journal.ts';
import type { RedisJournalReader } from '../cluster/journal/redis-journal-reader.ts';
import type { SharedAllowance } from '../cluster/shared-allowance.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { IngestProxy } from '../http/ingest-proxy.ts';
import type { FeedStatus } from '../market/feeds/feed.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { HeadDelivery } from '../signals/head-delivery.ts';
import type { Pipeline } from './pipeline.ts';
import type { HttpServer } from './server.ts';

type Observed = Pick<HttpServer, 'api' | 'gateway' | 'aiCalls'>;

/** Requests and streams. */
export function observeHttpServer(metrics: Metrics, { api, gateway, aiCalls: calls }: Observed): void {
  metrics.counter('tickwire_http_responses_total', 'Responses by status', () =>
    [...api.statuses].map(([status, count]) => [{ status: String(status) }, count] as const),
  );
  metrics.histogram('tickwire_http_seconds', 'Duration of successful requests', api.latency);
  metrics.gauge('tickwire_ws_connections', 'Open connections', () => gateway.connections.size);
  metrics.counter('tickwire_ws_refused_total', 'Connections refused at the handshake, by reason', () =>
    Object.entries(gateway.connections.refused).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.counter('tickwire_ws_closed_total', 'Connections closed with an error, by reason', () =>
    [...gateway.connections.closed].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_ws_clients', 'Open authenticated connections', () => gateway.slots.total);
  metrics.gauge(
    'tickwire_ws_groups',
    'Groups of connections with the same subscriptions, which share a topic',
    () => gateway.hub.groups,
  );
  metrics.counter('tickwire_ws_messages_in_total', 'Messages from clients', () => gateway.incoming.count);
  metrics.counter(
    'tickwire_ws_published_total',
    'Messages published, each counted once for all its subscribers',
    () => gateway.hub.published + gateway.items.news.published + gateway.items.alerts.published,
  );
  metrics.gauge(
    'tickwire_live_indicators',
    'Indicators that follow the market for subscribers',
    () => gateway.indicators.size,
  );
  metrics.counter('tickwire_ws_slow_total', 'Times a client became slow', () => gateway.slow.crossings);
  metrics.counter('tickwire_ws_conflated_total', 'Messages dropped for slow clients', () => gateway.slow.dropped);
  metrics.counter(
    'tickwire_ws_replays_cut_total',
    'Replays that ended with a gap because their account had replayed too much',
    () => gateway.replayQuota.cut,
  );
  metrics.counter('tickwire_ai_calls_total', 'AI calls counted against allowances', () => calls.counted);
}

/** Feeds, tape, signals, news and models. */
export function observePipeline(metrics: Metrics, pipeline: Pipeline, now: () => number): void {
  const { intake, journal, recorder, engine } = pipeline;
  const { service, ledger, verifier } = pipeline.signals;
  const { pipeline: newsPipeline, statuses, curator } = pipeline.news;
  const { llm, agreement } = pipeline.models;
  const { feeds } = pipeline.feeds;
  metrics.counter('tickwire_ticks_accepted_total', 'Quotes and trades accepted', () => intake.accepted);
  metrics.counter('tickwire_ticks_refused_total', 'Quotes and trades refused, by reason', () =>
    [...intake.refused].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.counter('tickwire_ticks_late_total', 'Ticks too late for their bar', () => engine.lateTicks);
  metrics.histogram('tickwire_intake_seconds', 'Time from a batch of ticks to its publication', intake.latency);
  const perFeed = (read: (status: FeedStatus) => number) => () =>
    feeds.map((feed) => [{ feed: feed.status().name }, read(feed.status())] as const);
  const isLive = perFeed(({ state }) => (state === 'live' ? 1 : 0));
  const age = perFeed(({ lastEventAt }) => Math.max(0, now() - lastEventAt) / 1000);
  metrics.gauge('tickwire_feed_live', '1 while the feed is connected', isLive);
  metrics.gauge('tickwire_feed_age_seconds', 'Age of the newest tick', age);
  const counted = (name: 'connects' | 'disconnects' | 'duplicates' | 'backfilled' | 'gaps' | 'complaints') =>
    perFeed((status) => status[name]);
  metrics.counter('tickwire_feed_connects_total', 'Connections made', counted('connects'));
  metrics.counter('tickwire_feed_disconnects_total', 'Connections lost', counted('disconnects'));
  metrics.counter('tickwire_feed_duplicates_total', 'Trades received twice', counted('duplicates'));
  metrics.counter('tickwire_feed_backfilled_total', 'Missed trades fetched later', counted('backfilled'));
  metrics.counter('tickwire_feed_gaps_total', 'Gaps that could not be filled', counted('gaps'));
  metrics.counter('tickwire_feed_complaints_total', 'Messages that could not be parsed', counted('complaints'));
  metrics.gauge('tickwire_journal_seq', 'Newest sequence number', () => journal.lastSeq);
  metrics.counter('tickwire_tape_ticks_written_total', 'Ticks written to the tape', () => recorder.ticksWritten);
  metrics.counter(
    'tickwire_tape_ticks_lost_total',
    'Ticks dropped because the store could not write them in time',
    () => recorder.ticksLost,
  );
  metrics.gauge('tickwire_tape_ticks_waiting', 'Ticks waiting to be written', () => recorder.waitingTicks);
  metrics.gauge('tickwire_store_ok', '1 while the store can write', () => (recorder.failure ? 0 : 1));
  metrics.gauge('tickwire_signals_active', 'Active signals', () => verifier.active);
  metrics.counter('tickwire_signals_published_total', 'Signals published', () => service.published);
  metrics.counter('tickwire_signals_closed_total', 'Signals closed, by reason', () =>
    [...service.closedBy].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_signal_log_records', 'Records in the signal log', () => ledger.length);
  metrics.gauge('tickwire_signal_log_waiting', 'Records waiting to be written', () => ledger.waiting);
  const perDestination = (read: (delivery: HeadDelivery) => number) => () =>
    pipeline.heads.deliveries.map((delivery) => [{ to: delivery.name }, read(delivery)] as const);
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
  metrics.counter('tickwire_news_published_total', 'News items published', () => newsPipeline.published);
  metrics.counter('tickwire_news_revised_total', 'Revisions of news items', () => newsPipeline.revised);
  metrics.counter('tickwire_news_folded_total', 'Items merged into another', () => newsPipeline.clustered);
  metrics.counter('tickwire_news_left_out_total', 'Items excluded from the feed, by reason', () =>
    Object.entries(curator.leftOut).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_news_waiting', 'Items waiting to be scored', () => newsPipeline.waiting);
  metrics.counter(
    'tickwire_news_dropped_total',
    'Items dropped because too many were waiting',
    () => newsPipeline.dropped,
  );
  metrics.gauge('tickwire_news_source_ok', '1 while the source responds', () =>
    statuses().map(({ name, state }) => [{ source: name }, state === 'ok' ? 1 : 0] as const),
  );
  const { intake: calendarIntake, feed: calendarFeed, statuses: calendarStatuses } = pipeline.calendar;
  metrics.counter('tickwire_calendar_changes_total', 'Changes of calendar events, by kind', () =>
    Object.entries(calendarIntake.changes).map(([change, count]) => [{ change }, count] as const),
  );
  metrics.gauge('tickwire_calendar_events', 'Calendar events in memory', () => calendarFeed.size);
  metrics.gauge('tickwire_calendar_source_ok', '1 while the calendar source responds', () =>
    calendarStatuses().map(({ name, state }) => [{ source: name }, state === 'ok' ? 1 : 0] as const),
  );
  if (llm) {
    metrics.counter('tickwire_llm_calls_total', 'Requests to the language model', () => llm.counts.calls);
    metrics.counter('tickwire_llm_failures_total', 'Failed requests to the language model', () => llm.counts.failures);
    metrics.counter('tickwire_llm_tokens_in_total', 'Tokens sent to the language model', () => llm.counts.tokensIn);
    metrics.counter(
      'tickwire_llm_tokens_out_total',
      'Tokens received from the language model',
      () => llm.counts.tokensOut,
    );
    metrics.counter(
      'tickwire_llm_cost_total',
      'Cost of the language model at the configured prices',
      () => llm.counts.cost,
    );
  }
  if (agreement) {
    const perCategory = (read: (counts: AgreementCounts) => number) => () =>
      [...agreement.counts].map(([category, counts]) => [{ category }, read(counts)] as const);
    metrics.counter(
      'tickwire_llm_compared_total',
      'Texts scored by both models, by category',
      perCategory(({ compared }) => compared),
    );
    metrics.counter(
      'tickwire_llm_disagreed_total',
      'Texts to which the models gave different labels, by category',
      perCategory(({ disagreed }) => disagreed),
    );
  }
}

/** Alerts, and what judging them costs. */
export function observeAlerts(metrics: Metrics, { judge, writer, active }: Alerts): void {
  metrics.gauge('tickwire_alerts', 'Alerts that are judged', () => active().alerts);
  metrics.gauge('tickwire_subscriptions', 'Subscriptions of accounts', () => active().subscriptions);
  metrics.counter('tickwire_alert_firings_total', 'Firings of alerts and subscriptions stored', () => writer.written);
  metrics.counter(
    'tickwire_alert_firings_dropped_total',
    'Firings dropped because too many waited for the store',
    () => writer.dropped,
  );
  metrics.gauge('tickwire_alert_firings_waiting', 'Firings that wait for the store', () => writer.waiting);
  metrics.counter(
    'tickwire_alert_judging_seconds_total',
    'Time spent on judging alerts',
    () => judge.judgingMs / 1_000,
  );
}

/** Messages to destinations. */
export function observeDelivery(metrics: Metrics, delivery: Delivery): void {
  const { attempts } = delivery.worker;
  metrics.gauge('tickwire_messages_waiting', 'Messages waiting for delivery', () => delivery.counts.waiting);
  metrics.gauge('tickwire_messages_dead', 'Messages that were given up', () => delivery.counts.dead);
  metrics.gauge('tickwire_delivery_active', 'Destinations being sent to', () => delivery.worker.active);
  metrics.counter('tickwire_delivery_attempts_total', 'Attempts to deliver a message, by channel and result', () =>
    [...attempts.counts].map(([key, count]) => {
      const [channel = '', result = ''] = key.split(' ');
      return [{ channel, result }, count] as const;
    }),
  );
  metrics.histogram('tickwire_delivery_seconds', 'Time from when a message was due to its delivery', attempts.latency);
}

/** Events of the cluster journal that are not in Redis. */
export function observeIngest(metrics: Metrics, journal: RedisJournal): void {
  metrics.gauge('tickwire_journal_unpublished', 'Events not in Redis yet', () => journal.unpublished);
  metrics.counter('tickwire_journal_lost_total', 'Events that never reached Redis', () => journal.lostEvents);
}

interface GatewayParts {
  readonly journal: RedisJournalReader;
  readonly allowance: SharedAllowance;
  readonly ingestProxy: IngestProxy;
  readonly gateways: () => number;
  readonly countsLocally: () => boolean;
}

/** The journal as a gateway node reads it, and what it shares with others. */
export function observeGateway(metrics: Metrics, parts: GatewayParts): void {
  const { journal, allowance, ingestProxy, gateways, countsLocally } = parts;
  metrics.gauge('tickwire_journal_seq', 'Newest sequence number', () => journal.lastSeq);
  metrics.gauge('tickwire_journal_behind', 'Journal events not read yet', () => journal.state().behind);
  metrics.gauge(
    'tickwire_journal_delay_seconds',
    'Age of the newest event when it was read',
    () => (journal.state().delayMs ?? 0) / 1000,
  );
  metrics.gauge('tickwire_gateways', 'Live gateways', gateways);
  metrics.gauge('tickwire_limits_degraded', '1 while this gateway counts allowances alone', () =>
    Number(countsLocally()),
  );
  metrics.counter('tickwire_limits_alone_total', 'Requests decided without Redis', () => allowance.decidedLocally);
  metrics.counter('tickwire_passed_on_total', 'Requests forwarded to the ingest node', () => ingestProxy.forwarded);
  metrics.counter('tickwire_passed_on_again_total', 'Forwarded requests that were retried', () => ingestProxy.retries);
}

export function observeKeys(metrics: Metrics, keyring: Keyring): void {
  metrics.gauge('tickwire_keys', 'API keys', () => keyring.size);
}

export function observeProcess(metrics: Metrics): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  metrics.counter('process_cpu_seconds_total', 'CPU time used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}
