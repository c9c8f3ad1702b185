// What `/metrics` shows: every counter the parts keep.
import type { Keyring } from '../access/keyring.ts';
import type { FeedStatus } from '../feeds/feed.ts';
import type { Floor } from '../roles/floor.ts';
import type { Front } from '../roles/front.ts';
import type { Metrics } from './metrics.ts';

type Observed = Pick<Front, 'api' | 'gateway' | 'aiCalls'>;

/** The front: what callers ask for and get. */
export function observeFront(metrics: Metrics, { api, gateway, aiCalls: calls }: Observed): void {
  metrics.counter('tickwire_http_responses_total', 'Answers by status', () =>
    [...api.statuses].map(([status, count]) => [{ status: String(status) }, count] as const),
  );
  metrics.histogram('tickwire_http_seconds', 'Time to answer a successful request', api.latency);
  metrics.gauge('tickwire_ws_connections', 'Open connections', () => gateway.connections.size);
  metrics.counter('tickwire_ws_refused_total', 'Connections refused at the handshake, by reason', () =>
    Object.entries(gateway.connections.refused).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_ws_clients', 'Open authenticated connections', () => gateway.slots.total);
  metrics.counter('tickwire_ws_messages_in_total', 'Messages from clients', () => gateway.messagesIn);
  metrics.counter(
    'tickwire_ws_published_total',
    'Messages published, each to all of its readers',
    () => gateway.switchboard.published + gateway.news.published,
  );
  metrics.counter('tickwire_ws_slow_total', 'Times a reader fell behind', () => gateway.slow.crossings);
  metrics.counter('tickwire_ws_conflated_total', 'Messages left out for slow readers', () => gateway.slow.dropped);
  metrics.counter('tickwire_ai_calls_total', 'AI calls counted against allowances', () => calls.counted);
}

/** The floor: what comes in, and what becomes of it. */
export function observeFloor(metrics: Metrics, floor: Floor, now: () => number): void {
  const { intake, journal, recorder, engine } = floor;
  const { desk, ledger, verifier } = floor.signals;
  const { newsroom, statuses, curator } = floor.news;
  const { llm } = floor.models;
  const { feeds } = floor.feeds;
  metrics.counter('tickwire_ticks_accepted_total', 'Quotes and trades taken in', () => intake.accepted);
  metrics.counter('tickwire_ticks_refused_total', 'Quotes and trades refused, by reason', () =>
    [...intake.refused].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.counter('tickwire_ticks_late_total', 'Ticks too late to count in a bar', () => engine.lateTicks);
  metrics.histogram('tickwire_intake_seconds', 'Time from a batch of ticks to its publication', intake.latency);
  const ofFeeds = (read: (status: FeedStatus) => number) => () =>
    feeds.map((feed) => [{ feed: feed.status().name }, read(feed.status())] as const);
  metrics.gauge(
    'tickwire_feed_live',
    '1 while the feed is connected',
    ofFeeds(({ state }) => (state === 'live' ? 1 : 0)),
  );
  metrics.gauge(
    'tickwire_feed_age_seconds',
    'Age of the newest tick',
    ofFeeds(({ lastEventAt }) => Math.max(0, now() - lastEventAt) / 1000),
  );
  metrics.counter(
    'tickwire_feed_connects_total',
    'Connections made',
    ofFeeds(({ connects }) => connects),
  );
  metrics.counter(
    'tickwire_feed_disconnects_total',
    'Connections lost',
    ofFeeds(({ disconnects }) => disconnects),
  );
  metrics.counter(
    'tickwire_feed_duplicates_total',
    'Trades that came twice',
    ofFeeds(({ duplicates }) => duplicates),
  );
  metrics.counter(
    'tickwire_feed_backfilled_total',
    'Missed trades fetched',
    ofFeeds(({ backfilled }) => backfilled),
  );
  metrics.counter(
    'tickwire_feed_gaps_total',
    'Stretches missing for good',
    ofFeeds(({ gaps }) => gaps),
  );
  metrics.counter(
    'tickwire_feed_complaints_total',
    'Messages not understood',
    ofFeeds(({ complaints }) => complaints),
  );
  metrics.gauge('tickwire_journal_seq', 'Newest sequence number', () => journal.lastSeq);
  metrics.counter('tickwire_tape_ticks_written_total', 'Ticks written to the tape', () => recorder.ticksWritten);
  metrics.counter('tickwire_tape_ticks_lost_total', 'Ticks the store could not take in time', () => recorder.ticksLost);
  metrics.gauge('tickwire_tape_ticks_waiting', 'Ticks that wait to be written', () => recorder.waitingTicks);
  metrics.gauge('tickwire_store_ok', '1 while the store can write', () => (recorder.failure ? 0 : 1));
  metrics.gauge('tickwire_signals_active', 'Signals under judgement', () => verifier.active);
  metrics.counter('tickwire_signals_published_total', 'Signals published', () => desk.published);
  metrics.counter('tickwire_signals_closed_total', 'Signals closed, by reason', () =>
    [...desk.closedBy].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_signal_log_records', 'Records in the signal log', () => ledger.length);
  metrics.gauge('tickwire_signal_log_waiting', 'Records that wait to be written', () => ledger.waiting);
  metrics.counter('tickwire_news_published_total', 'News items published', () => newsroom.published);
  metrics.counter('tickwire_news_revised_total', 'Revisions of news items', () => newsroom.revised);
  metrics.counter('tickwire_news_folded_total', 'Items folded into another', () => newsroom.folded);
  metrics.counter('tickwire_news_left_out_total', 'Items left out of the feed, by reason', () =>
    Object.entries(curator.leftOut).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_news_waiting', 'Items that wait to be scored', () => newsroom.waiting);
  metrics.counter('tickwire_news_dropped_total', 'Items given up because too many waited', () => newsroom.dropped);
  metrics.gauge('tickwire_news_source_ok', '1 while the source answers', () =>
    statuses().map(({ name, state }) => [{ source: name }, state === 'ok' ? 1 : 0] as const),
  );
  if (llm) {
    metrics.counter('tickwire_llm_calls_total', 'Questions put to the language model', () => llm.counts.calls);
    metrics.counter('tickwire_llm_failures_total', 'Questions it did not answer rightly', () => llm.counts.failures);
    metrics.counter('tickwire_llm_tokens_in_total', 'Tokens sent to it', () => llm.counts.tokensIn);
    metrics.counter('tickwire_llm_tokens_out_total', 'Tokens received from it', () => llm.counts.tokensOut);
    metrics.counter('tickwire_llm_cost_total', 'What that cost, by the configured prices', () => llm.counts.cost);
  }
}

export function observeKeys(metrics: Metrics, keyring: Keyring): void {
  metrics.gauge('tickwire_keys', 'Keys known', () => keyring.size);
}

export function observeProcess(metrics: Metrics): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  metrics.counter('process_cpu_seconds_total', 'CPU time used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}
