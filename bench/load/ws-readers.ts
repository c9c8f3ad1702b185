// Many WebSocket readers in one process: counts what arrives in a given time, and notes (seq, arrival) at some of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { residentBytes } from '../measure/process-usage.ts';
import { openWindow, type ServerPlace, type WindowUsage } from '../measure/window.ts';
import { ContinuityTail } from './continuity-tail.ts';
import { Crowd, type OnTick } from './crowd.ts';
import { Poller } from './poller.ts';
import { StalledReader } from './stalled-reader.ts';
import { WsSocket } from './ws-socket.ts';

export interface ReadersJob extends ServerPlace {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly symbols: readonly string[];
  readonly connections: number;
  /** Readers, spread evenly, that note arrivals. */
  readonly probes: number;
  /** One more that subscribes and reads nothing. */
  readonly stalled: boolean;
  readonly deflate: boolean;
  readonly warmMs: number;
  readonly measureMs: number;
  readonly arrivalFile: string;
}

export interface ReadersResult extends WindowUsage {
  readonly deliveries: number;
  /** Slow and gap notices: any means that a reader did not get everything. */
  readonly notices: number;
  readonly lost: number;
  /** On the wire, frames and all. */
  readonly bytes: number;
  /** Resident memory of the server: before the first reader, and the most of it while all read. */
  readonly serverBytesBefore: number;
  readonly serverBytes: number;
  /** What the stalled reader found when it read again; null where there was none. */
  readonly stalledTold: string | null;
}

const MAX_ARRIVALS = 1_000_000;
const LOOK_MS = 250;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ReadersJob;
const arrivals = new Float64Array(MAX_ARRIVALS * 2);
const tail = new ContinuityTail();
let noted = 0;
let measuring = false;

// One time for all ticks of a chunk: they arrived together.
const note: OnTick = (bytes, start, end) => {
  if (!measuring || noted >= MAX_ARRIVALS || !tail.read(bytes, start, end)) return;
  arrivals[noted * 2] = tail.seq;
  arrivals[noted * 2 + 1] = performance.timeOrigin + WsSocket.chunkAt;
  noted++;
};

const serverBytesBefore = residentBytes(job.serverPid);
const poller = new Poller();
const subscribe = JSON.stringify({ action: 'subscribe', symbols: job.symbols, seq: true });
const crowd = new Crowd({ ...job, poller, subscribe }, job.connections, job.probes, note);
const stalled = job.stalled ? new StalledReader(poller, job, subscribe) : null;

poller.run(job.warmMs);
const [ticks, notices, bytes] = [crowd.ticks, crowd.notices, crowd.bytes];
let serverBytes = residentBytes(job.serverPid);
const close = openWindow(job);
measuring = true;
for (let left = job.measureMs; left > 0; left -= LOOK_MS) {
  poller.run(Math.min(left, LOOK_MS));
  serverBytes = Math.max(serverBytes, residentBytes(job.serverPid));
}
measuring = false;
const usage = close();
const result: ReadersResult = {
  ...usage,
  deliveries: crowd.ticks - ticks,
  notices: crowd.notices - notices,
  lost: crowd.lost,
  bytes: crowd.bytes - bytes,
  serverBytesBefore,
  serverBytes,
  stalledTold: stalled?.drain() ?? null,
};
crowd.close();
writeFileSync(job.arrivalFile, arrivals.subarray(0, noted * 2));
console.log(JSON.stringify(result));
process.exit(0);
