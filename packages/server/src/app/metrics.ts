// The metrics of a node that belong to no module.
import type { RedisJournal } from '../cluster/journal/redis-journal.ts';
import type { RedisJournalReader } from '../cluster/journal/redis-journal-reader.ts';
import type { IngestProxy } from '../cluster/link/ingest-proxy.ts';
import type { SharedAllowance } from '../cluster/shared-allowance.ts';
import type { Ports } from '../http/ports.ts';
import type { Journal } from '../journal/journal.ts';
import type { Metrics } from '../ops/metrics.ts';
import { openFiles, openFilesLimit } from '../ops/open-files.ts';

export function observeJournal(metrics: Metrics, journal: Pick<Journal, 'lastSeq'>): void {
  metrics.gauge('tickwire_journal_seq', 'Newest sequence number', () => journal.lastSeq);
}

/** Events of the cluster journal that are not in Redis. */
export function observeIngest(metrics: Metrics, journal: RedisJournal): void {
  observeJournal(metrics, journal);
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
  observeJournal(metrics, journal);
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

const START = Math.round(performance.timeOrigin);

export function observeProcess(metrics: Metrics, ports: Ports): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  metrics.counter('process_cpu_seconds_total', 'CPU time used', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970', () => START / 1_000);
  metrics.gauge('process_open_fds', 'Open file descriptors', () => openFiles() ?? []);
  const limit = openFilesLimit();
  metrics.gauge('process_max_fds', 'Limit of open file descriptors', () => (Number.isFinite(limit) ? limit : []));
  metrics.gauge(
    'tickwire_idle_connections',
    'Connections without a stream or request in progress, such as unfinished handshakes',
    () => ports.idle ?? [],
  );
  metrics.counter(
    'tickwire_port_pauses_total',
    'Times that no connections were accepted because file descriptors ran out',
    () => ports.pauses,
  );
}
