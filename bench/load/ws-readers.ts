// Many WebSocket readers in one process: counts the messages of a given time, and records (seq, arrival) at some of the readers.
import { readFileSync, writeFileSync } from 'node:fs';
import { residentBytes } from '../measure/process-usage.ts';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { ContinuityTail } from './continuity-tail.ts';
import { type OnTick, ReaderPool } from './reader-pool.ts';
import { SocketPoller } from './socket-poller.ts';
import { StalledReader } from './stalled-reader.ts';
import { WsSocket } from './ws-socket.ts';

export interface ReadersJob extends ServerPlace {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly symbols: readonly string[];
  readonly connections: number;
  /** Number of readers, spread evenly, that record arrivals. */
  readonly probes: number;
  /** Adds a reader that subscribes and reads nothing. */
  readonly stalled: boolean;
  readonly deflate: boolean;
  readonly warmMs: number;
  readonly measureMs: number;
  readonly arrivalFile: string;
}

export interface ReadersResult extends WindowUsage {
  readonly deliveries: number;
  /** `slow` and `gap` notices: each means that a reader missed messages. */
  readonly notices: number;
  readonly lost: number;
  /** Bytes on the wire, including frame headers. */
  readonly bytes: number;
  /** Resident memory of the server: before the first reader, and its maximum while all read. */
  readonly serverBytesBefore: number;
  readonly serverBytes: number;
  /** What the stalled reader received when it read again; `null` without one. */
  readonly stalledReceived: string | null;
}

const MAX_ARRIVALS = 1_000_000;
const LOOK_MS = 250;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ReadersJob;
const arrivals = new Float64Array(MAX_ARRIVALS * 2);
const tail = new ContinuityTail();
let noted = 0;
let measuring = false;

// All ticks of a chunk arrived at the same time.
const note: OnTick = (bytes, start, end) => {
  if (!measuring || noted >= MAX_ARRIVALS || !tail.read(bytes, start, end)) return;
  arrivals[noted * 2] = tail.seq;
  arrivals[noted * 2 + 1] = performance.timeOrigin + WsSocket.chunkAt;
  noted++;
};

const serverBytesBefore = residentBytes(job.serverPid);
const poller = new SocketPoller();
const subscribe = JSON.stringify({ action: 'subscribe', symbols: job.symbols, seq: true });
const pool = new ReaderPool({ ...job, poller, subscribe }, job.connections, job.probes, note);
const stalled = job.stalled ? new StalledReader(poller, job, subscribe) : null;

poller.run(job.warmMs);
const [ticks, notices, bytes] = [pool.ticks, pool.notices, pool.bytes];
let serverBytes = residentBytes(job.serverPid);
const close = startUsageWindow(job);
measuring = true;
for (let left = job.measureMs; left > 0; left -= LOOK_MS) {
  poller.run(Math.min(left, LOOK_MS));
  serverBytes = Math.max(serverBytes, residentBytes(job.serverPid));
}
measuring = false;
const usage = close();
const result: ReadersResult = {
  ...usage,
  deliveries: pool.ticks - ticks,
  notices: pool.notices - notices,
  lost: pool.lost,
  bytes: pool.bytes - bytes,
  serverBytesBefore,
  serverBytes,
  stalledReceived: stalled?.drain() ?? null,
};
pool.close();
writeFileSync(job.arrivalFile, arrivals.subarray(0, noted * 2));
console.log(JSON.stringify(result));
process.exit(0);
