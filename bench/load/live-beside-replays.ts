// Live ticks beside replay sessions, in one process on the core of the load: live-beside-replays.ts JOB. In each round the delay of the
// ticks is measured without sessions, with sessions that play to a stream each, and without again.
import { readFileSync } from 'node:fs';
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
  readonly rounds: number;
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

export interface BesideReplaysRound {
  readonly before: LivePeriod;
  readonly beside: LivePeriod;
  readonly after: LivePeriod;
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

/** A session that plays, each from another time of the past. */
async function create(key: string, index: number): Promise<Session> {
  const from = job.start + Math.floor(((job.end - job.start) / 2 / job.replayKeys.length) * index);
  const range = { from: new Date(from).toISOString(), to: new Date(job.end).toISOString() };
  const settings = { symbols: [job.symbol], ...range, start: 'playing', speed: job.speed };
  return { id: (await send(key, 'POST', '/api/replays', settings)).id, key };
}

const openStream = ({ id, key }: Session): ReaderPool => {
  const subscribe = (): string => JSON.stringify({ action: 'subscribe', symbols: [job.symbol], heartbeat: 60 });
  return new ReaderPool({ poller, port: job.port, path: `/ws/market?replay=${id}`, key, subscribe }, 1);
};

function measure(streams: readonly ReaderPool[]): LivePeriod {
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
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    share: (cpuSeconds(job.serverPid) - cpu) / seconds,
    replayed: (messages() - replayed) / seconds,
  };
}

async function besideSessions(): Promise<LivePeriod> {
  const sessions = await Promise.all(job.replayKeys.map(create));
  const streams = sessions.map(openStream);
  const period = measure(streams);
  for (const stream of streams) stream.close();
  await Promise.all(sessions.map(({ id, key }) => send(key, 'DELETE', `/api/replays/${id}`)));
  return period;
}

feeder.start();
readers.startAt(feeder.startedAt);
const rounds: BesideReplaysRound[] = [];
// The first round is discarded: code must be compiled before it is measured.
for (let round = 0; round <= job.rounds; round++) {
  const before = measure([]);
  const beside = await besideSessions();
  const after = measure([]);
  if (round > 0) rounds.push({ before, beside, after });
}
if (readers.lost + readers.complaints + feeder.complaints > 0)
  throw new Error(`live ticks: ${feeder.firstComplaint ?? readers.firstComplaint}`);
console.log(JSON.stringify(rounds));
process.exit(0);
