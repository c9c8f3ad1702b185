// Many WebSocket readers in one process: counts the messages of a given time.
import { readFileSync } from 'node:fs';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { symbolsOf } from './reader-lists.ts';
import { ReaderPool } from './reader-pool.ts';
import { SocketPoller } from './socket-poller.ts';

export interface ReadersJob extends ServerPlace {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly connections: number;
  readonly warmMs: number;
  readonly measureMs: number;
}

export interface ReadersResult extends WindowUsage {
  readonly deliveries: number;
  /** `slow` and `gap` notices: each means that a reader missed messages. */
  readonly notices: number;
  readonly lost: number;
}

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ReadersJob;
const poller = new SocketPoller();
const subscribe = (reader: number): string =>
  JSON.stringify({ action: 'subscribe', symbols: symbolsOf(reader), seq: true });
const pool = new ReaderPool({ ...job, poller, subscribe }, job.connections);

poller.run(job.warmMs);
const [ticks, notices] = [pool.ticks, pool.notices];
const close = startUsageWindow(job);
poller.run(job.measureMs);
const usage = close();
const result: ReadersResult = {
  ...usage,
  deliveries: pool.ticks - ticks,
  notices: pool.notices - notices,
  lost: pool.lost,
};
pool.close();
console.log(JSON.stringify(result));
process.exit(0);
