// Thousands of idle connections: resident memory of the server for each, without and with a subscription to quiet symbols.
import { readFileSync } from 'node:fs';
import { residentBytes } from '../measure/process-usage.ts';
import { symbolsOf } from './reader-lists.ts';
import { ReaderPool } from './reader-pool.ts';
import { SocketPoller } from './socket-poller.ts';

export interface IdleJob {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly connections: number;
  readonly serverPid: number;
}

/** Resident bytes of the server: after a garbage collection before the connections, without one after. */
export interface IdleResult {
  readonly before: number;
  readonly connected: number;
  readonly subscribed: number;
}

/** Connections opened and closed beforehand, so that code that runs for the first time does not count as connection memory. */
const FIRST = 200;
const SETTLE_MS = 500;
const LONGEST_MS = 6_000;
/** Memory is stable when it changes by less than this. */
const SETTLED_BYTES = 256 * 1024;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as IdleJob;
const poller = new SocketPoller();
const subscribe = (reader: number): string => JSON.stringify({ action: 'subscribe', symbols: symbolsOf(reader) });

/** Excludes free memory that has not been returned to the system, which would hide the memory of connections. */
function collected(): number {
  process.kill(job.serverPid, 'SIGUSR2');
  poller.run(SETTLE_MS);
  process.kill(job.serverPid, 'SIGUSR2');
  return settled();
}

function settled(): number {
  let last = residentBytes(job.serverPid);
  for (let waited = 0; waited < LONGEST_MS; waited += SETTLE_MS) {
    poller.run(SETTLE_MS);
    const now = residentBytes(job.serverPid);
    if (Math.abs(now - last) < SETTLED_BYTES && waited > 0) return now;
    last = now;
  }
  return last;
}

const first = new ReaderPool({ ...job, poller, subscribe }, Math.min(FIRST, job.connections));
first.close();
const before = collected();
const pool = new ReaderPool({ ...job, poller, subscribe: null }, job.connections);
const connected = settled();
pool.request(subscribe);
const subscribed = settled();
if (pool.lost > 0) throw new Error(`${pool.lost} idle connections were lost: ${pool.reason}`);
pool.close();
const result: IdleResult = { before, connected, subscribed };
console.log(JSON.stringify(result));
process.exit(0);
