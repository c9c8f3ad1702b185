// Feeder and readers of one contender in one process, on the core of the load: broker-load.ts JOB. The feeder starts when all readers
// are subscribed. Both use the same clock, so a latency is the difference of two times of this process.
import { readFileSync } from 'node:fs';
import { percentile } from '../measure/statistics.ts';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { type FeedPlan, FeedSchedule } from './feed-schedule.ts';
import { Feeder } from './feeder.ts';
import { deliveriesOf, SYMBOLS } from './reader-lists.ts';
import { SocketPoller } from './socket-poller.ts';
import { WireReaders } from './wire-readers.ts';
import { type ContenderAddress, protocolOf } from './wires/protocols.ts';

export interface BrokerLoadJob extends ServerPlace {
  readonly address: ContenderAddress;
  readonly connections: number;
  /** Number of readers, spread evenly, that record latencies. */
  readonly probes: number;
  readonly feed: FeedPlan;
  readonly warmMs: number;
  readonly measureMs: number;
}

export interface BrokerLoadResult extends WindowUsage {
  readonly deliveries: number;
  /** Milliseconds from the time at which a tick was due to its arrival. */
  readonly latencies: { readonly p50: number; readonly p99: number };
  /** By how much the feeder wrote later than due, p99 in milliseconds. It is part of the latencies. */
  readonly feederLate: number;
  /** Messages that never arrived. */
  readonly missing: number;
  /** Messages that were still arriving when the drain ended. */
  readonly behind: number;
  /** Readers that were disconnected. */
  readonly lost: number;
  /** What contender and load could not agree on, such as a refused tick. */
  readonly complaints: number;
  readonly firstComplaint: string | null;
}

/** Between the last subscription and the first tick. */
const SETTLE_MS = 200;
/** After the last tick: as long as messages arrive, up to a limit. */
const QUIET_MS = 2_000;
const MAX_DRAIN_MS = 5_000;
const TURN_MS = 5;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as BrokerLoadJob;
const protocol = protocolOf(job.address);
const schedule = new FeedSchedule(job.feed, SYMBOLS);
const poller = new SocketPoller();
const readers = new WireReaders({ ...job, poller, schedule, protocol, size: job.connections });
const feeder = new Feeder(poller, protocol, schedule);
poller.run(SETTLE_MS);
feeder.start();
readers.startAt(feeder.startedAt);
poller.run(job.warmMs);

const { messages } = readers;
const close = startUsageWindow(job);
readers.startRecording();
poller.run(job.measureMs);
const usage = close();
const deliveries = readers.messages - messages;
feeder.stop();
const left = drain(deliveriesOf(feeder.writes * job.feed.perWrite, job.connections));
const latencies = readers.latencies.sort();
const result: BrokerLoadResult = {
  ...usage,
  deliveries,
  latencies: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  feederLate: feeder.lateness(0.99),
  ...left,
  lost: readers.lost,
  complaints: readers.complaints + feeder.complaints,
  firstComplaint: feeder.firstComplaint ?? readers.firstComplaint,
};
readers.close();
feeder.close();
console.log(JSON.stringify(result));
process.exit(0);

/** Reads until every message has arrived, none arrives any more, or the time is over. */
function drain(expected: number): { missing: number; behind: number } {
  const until = performance.now() + MAX_DRAIN_MS;
  let lastAt = performance.now();
  while (readers.messages < expected) {
    const before = readers.messages;
    feeder.flush();
    poller.run(TURN_MS);
    const now = performance.now();
    if (readers.messages > before) lastAt = now;
    if (now - lastAt > QUIET_MS) return { missing: expected - readers.messages, behind: 0 };
    if (now > until) return { missing: 0, behind: expected - readers.messages };
  }
  // More than was sent is as wrong as less.
  return { missing: expected - readers.messages, behind: 0 };
}
