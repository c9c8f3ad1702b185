// Thousands of connections that do nothing: what each costs the server in resident memory, first without a subscription,
// then with one to a handful of symbols that are quiet.
import { readFileSync } from 'node:fs';
import { residentBytes } from '../measure/process-usage.ts';
import { Crowd } from './crowd.ts';
import { Poller } from './poller.ts';

export interface IdleJob {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly symbols: readonly string[];
  readonly connections: number;
  readonly serverPid: number;
}

/** Resident bytes of the server: collected before, as it is after. */
export interface IdleResult {
  readonly before: number;
  readonly connected: number;
  readonly subscribed: number;
}

/** So many come and go beforehand: code that was never run must not be counted as memory of connections. */
const FIRST = 200;
const SETTLE_MS = 500;
const LONGEST_MS = 6_000;
/** Memory has settled when it has changed by less over a while. */
const SETTLED_BYTES = 256 * 1024;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as IdleJob;
const poller = new Poller();
const subscribe = JSON.stringify({ action: 'subscribe', symbols: job.symbols });

/** Without memory that is free and not yet given back: it would hide what connections take. */
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

const first = new Crowd({ ...job, poller, subscribe }, Math.min(FIRST, job.connections));
first.close();
const before = collected();
const crowd = new Crowd({ ...job, poller, subscribe: null }, job.connections);
const connected = settled();
crowd.ask(subscribe);
const subscribed = settled();
if (crowd.lost > 0) throw new Error(`${crowd.lost} idle connections were lost: ${crowd.reason}`);
crowd.close();
const result: IdleResult = { before, connected, subscribed };
console.log(JSON.stringify(result));
process.exit(0);
