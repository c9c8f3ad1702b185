// Live ticks beside replay sessions, in one process on the core of the load: live-beside-replays.ts JOB. The delay of the ticks is measured
// in pairs of short periods: while sessions are paused and have no streams, and while they play to a stream each, in turns the one or the
// other first.
import { readFileSync } from 'node:fs';
import { seededRandom } from '../contenders/signal-pool.ts';
import { PeriodDelays, type PooledRatio, pooledPercentile, pooledRatio } from '../measure/pooled-delays.ts';
import { cpuSeconds } from '../measure/process-usage.ts';
import { percentile } from '../measure/statistics.ts';
import { type FeedPlan, FeedSchedule } from './feed-schedule.ts';
import { Feeder } from './feeder.ts';
import { SYMBOLS } from './reader-lists.ts';
import { ReaderPool } from './reader-pool.ts';
import { SocketPoller } from './socket-poller.ts';
import { WireReaders } from './wire-readers.ts';
import { tickwireProtocol } from './wires/json-wire.ts';

export interface BesideReplaysJob {
  readonly port: number;
  readonly serverPid: number;
  /** Of an account that pushes and reads live ticks. */
  readonly key: string;
  readonly feed: FeedPlan;
  readonly readers: number;
  /** Of accounts with a session each. */
  readonly replayKeys: readonly string[];
  readonly symbol: string;
  readonly speed: number;
  /** Start and end of the recorded past. Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly pairs: number;
  readonly settleMs: number;
  readonly measureMs: number;
}

/** Delays of live ticks from when they were due to a reader, in milliseconds. */
export interface LivePeriod {
  readonly p50: number;
  readonly p99: number;
  /** Share of a core that the service used. */
  readonly share: number;
  /** Messages of replays per second. */
  readonly replayed: number;
}

export interface LiveBesideReplays {
  readonly without: readonly LivePeriod[];
  readonly beside: readonly LivePeriod[];
  /** Of the delays of all periods together. */
  readonly p99: { readonly without: number; readonly beside: number; readonly ratio: PooledRatio };
}

interface Measured extends LivePeriod {
  readonly delays: PeriodDelays;
}

interface Session {
  readonly id: string;
  readonly key: string;
}

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as BesideReplaysJob;
const protocol = tickwireProtocol(job.port, job.key);
const schedule = new FeedSchedule(job.feed, SYMBOLS);
const poller = new SocketPoller();
const readers = new WireReaders({ poller, protocol, schedule, size: job.readers, probes: job.readers });
const feeder = new Feeder(poller, protocol, schedule);

async function send(key: string, method: string, path: string, body?: object): Promise<{ id: string }> {
  const init = { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`http://127.0.0.1:${job.port}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as { id: string };
}

/** A session, each from another time of the past. */
async function create(key: string, index: number): Promise<Session> {
  const from = job.start + Math.floor(((job.end - job.start) / 2 / job.replayKeys.length) * index);
  const range = { from: new Date(from).toISOString(), to: new Date(job.end).toISOString() };
  const settings = { symbols: [job.symbol], ...range, speed: job.speed };
  return { id: (await send(key, 'POST', '/api/replays', settings)).id, key };
}

const openStream = ({ id, key }: Session): ReaderPool => {
  const subscribe = (): string => JSON.stringify({ action: 'subscribe', symbols: [job.symbol], heartbeat: 60 });
  return new ReaderPool({ poller, port: job.port, path: `/ws/market?replay=${id}`, key, subscribe }, 1);
};

function measure(streams: readonly ReaderPool[] = []): Measured {
  const messages = (): number => streams.reduce((sum, { ticks }) => sum + ticks, 0);
  poller.run(job.settleMs);
  readers.startRecording();
  const [first, cpu, replayed, startedAt] = [
    readers.latencies.length,
    cpuSeconds(job.serverPid),
    messages(),
    performance.now(),
  ];
  poller.run(job.measureMs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const delays = readers.latencies.slice(first).sort();
  if (streams.some(({ lost }) => lost > 0)) throw new Error('the stream of a replay was lost');
  return {
    delays: new PeriodDelays(delays),
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    share: (cpuSeconds(job.serverPid) - cpu) / seconds,
    replayed: (messages() - replayed) / seconds,
  };
}

const changeAll = (change: object): Promise<unknown> =>
  Promise.all(sessions.map(({ id, key }) => send(key, 'PATCH', `/api/replays/${id}`, change)));

async function besideSessions(): Promise<Measured> {
  await changeAll({ state: 'playing' });
  const streams = sessions.map(openStream);
  const period = measure(streams);
  for (const stream of streams) stream.close();
  await changeAll({ state: 'paused' });
  return period;
}

feeder.start();
readers.startAt(feeder.startedAt);
const sessions = await Promise.all(job.replayKeys.map(create));
const pairs: { readonly without: Measured; readonly beside: Measured }[] = [];
// The first two pairs are discarded: code must be compiled before it is measured.
for (let count = -2; count < job.pairs; count++) {
  const first = count % 2 === 0 ? measure() : null;
  const beside = await besideSessions();
  const without = first ?? measure();
  if (count >= 0) pairs.push({ without, beside });
}
if (readers.lost + readers.complaints + feeder.complaints > 0)
  throw new Error(`live ticks: ${feeder.firstComplaint ?? readers.firstComplaint}`);
const periods = { without: pairs.map(({ without }) => without), beside: pairs.map(({ beside }) => beside) };
const p99 = (of: readonly Measured[]): number =>
  pooledPercentile(
    of.map(({ delays }) => delays),
    0.99,
  );
const delaysOf = pairs.map(({ without, beside }) => ({ without: without.delays, beside: beside.delays }));
const ratio = pooledRatio(delaysOf, 0.99, seededRandom(1));
const shown = ({ delays: _, ...period }: Measured): LivePeriod => period;
const result: LiveBesideReplays = {
  without: periods.without.map(shown),
  beside: periods.beside.map(shown),
  p99: { without: p99(periods.without), beside: p99(periods.beside), ratio },
};
console.log(JSON.stringify(result));
process.exit(0);
