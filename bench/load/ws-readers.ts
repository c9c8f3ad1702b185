// Many WebSocket readers in one process: counts what arrives in a given time, and notes (seq, arrival) at some of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { residentBytes } from '../measure/process-usage.ts';
import { sharedNow } from '../measure/shared-clock.ts';
import { openWindow, type ServerPlace, type WindowUsage } from '../measure/window.ts';
import type { OnTick } from './frame-counter.ts';
import { openReader, type Reader } from './ws-reader.ts';

export interface ReadersJob extends ServerPlace {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly symbols: readonly string[];
  readonly connections: number;
  /** Readers, spread evenly, that note arrivals. */
  readonly probes: number;
  readonly warmMs: number;
  readonly measureMs: number;
  readonly arrivalFile: string;
}

export interface ReadersResult extends WindowUsage {
  readonly deliveries: number;
  /** Slow and gap notices: any means that a reader did not get everything. */
  readonly notices: number;
  readonly lost: number;
  readonly serverBytes: number;
}

const MAX_ARRIVALS = 1_000_000;
const AT_ONCE = 100;
const SEQ = Buffer.from('"seq":');
const ZERO = 0x30;
const NINE = 0x39;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ReadersJob;
const arrivals = new Float64Array(MAX_ARRIVALS * 2);
let noted = 0;
let measuring = false;
let lost = 0;

// One time for all ticks of a chunk: they arrived together.
let chunkSeen: Buffer | null = null;
let chunkAt = 0;
const note: OnTick = (chunk, from) => {
  if (!measuring || noted >= MAX_ARRIVALS) return;
  if (chunk !== chunkSeen) {
    chunkSeen = chunk;
    chunkAt = sharedNow();
  }
  let at = chunk.indexOf(SEQ, from) + SEQ.length;
  let seq = 0;
  for (; chunk[at]! >= ZERO && chunk[at]! <= NINE; at++) seq = seq * 10 + chunk[at]! - ZERO;
  arrivals[noted * 2] = seq;
  arrivals[noted * 2 + 1] = chunkAt;
  noted++;
};

const subscribe = JSON.stringify({ action: 'subscribe', symbols: job.symbols, seq: true });
const every = Math.max(1, Math.floor(job.connections / job.probes));
const open = (index: number): Promise<Reader> =>
  openReader({
    ...job,
    subscribe,
    onTick: index % every === 0 ? note : null,
    onLost: () => lost++,
  });
const readers: Reader[] = [];
while (readers.length < job.connections) {
  const count = Math.min(AT_ONCE, job.connections - readers.length);
  const first = readers.length;
  readers.push(...(await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)))));
}
const sum = (of: 'ticks' | 'notices'): number => readers.reduce((total, { counter }) => total + counter[of], 0);

await Bun.sleep(job.warmMs);
const ticksBefore = sum('ticks');
const noticesBefore = sum('notices');
const close = openWindow(job);
measuring = true;
await Bun.sleep(job.measureMs);
measuring = false;
const usage = close();
const result: ReadersResult = {
  ...usage,
  deliveries: sum('ticks') - ticksBefore,
  notices: sum('notices') - noticesBefore,
  lost,
  serverBytes: residentBytes(job.serverPid),
};
for (const reader of readers) reader.close();
writeFileSync(job.arrivalFile, arrivals.subarray(0, noted * 2));
console.log(JSON.stringify(result));
process.exit(0);
