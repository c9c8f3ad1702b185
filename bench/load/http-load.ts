// Sends requests to an HTTP server as fast as possible for a given time: raw sockets, keep-alive, one request in flight on each.
// Every connection cycles through the keys, so that each request counts against a real allowance.
import { readFileSync } from 'node:fs';
import type { Socket } from 'bun';
import { percentile } from '../measure/statistics.ts';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { ResponseReader } from './response-reader.ts';

export interface HttpJob extends ServerPlace {
  readonly port: number;
  readonly path: string;
  readonly keys: readonly string[];
  readonly connections: number;
  readonly warmMs: number;
  readonly measureMs: number;
}

export interface HttpResult extends WindowUsage {
  readonly requests: number;
  /** Responses other than 200, including the warm-up. */
  readonly failures: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
}

const OK = 200;
const MAX_LATENCIES = 2_000_000;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as HttpJob;
const requests = job.keys.map((key) =>
  Buffer.from(`GET ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nX-API-Key: ${key}\r\n\r\n`),
);
const latencies = new Float64Array(MAX_LATENCIES);
let measuring = false;
let ended = false;
let answered = 0;
let failures = 0;
let bytes = 0;
let nextKey = 0;

interface State {
  readonly reader: ResponseReader;
  sentAt: number;
}

function sendRequest(socket: Socket<State>): void {
  if (ended) return;
  socket.data.sentAt = performance.now();
  socket.write(requests[nextKey]!);
  nextKey = nextKey + 1 === requests.length ? 0 : nextKey + 1;
}

async function connect(): Promise<Socket<State>> {
  const socket: Socket<State> = await Bun.connect<State>({
    hostname: '127.0.0.1',
    port: job.port,
    socket: {
      data({ data }, chunk) {
        if (measuring) bytes += chunk.length;
        data.reader.read(chunk);
      },
      close() {
        if (!ended) fail('the server closed a connection');
      },
      error: (_, error) => fail(error.message),
    },
    data: {
      sentAt: 0,
      reader: new ResponseReader((status) => {
        if (status !== OK) failures++;
        if (measuring) {
          if (answered < MAX_LATENCIES) latencies[answered] = performance.now() - socket.data.sentAt;
          answered++;
        }
        sendRequest(socket);
      }),
    },
  });
  return socket;
}

function fail(reason: string): void {
  console.error(`load: ${reason}`);
  process.exit(1);
}

const sockets = await Promise.all(Array.from({ length: job.connections }, connect));
for (const socket of sockets) sendRequest(socket);
await Bun.sleep(job.warmMs);

const close = startUsageWindow(job);
measuring = true;
await Bun.sleep(job.measureMs);
measuring = false;
const usage = close();
ended = true;

const sorted = latencies.subarray(0, Math.min(answered, MAX_LATENCIES)).sort();
const result: HttpResult = {
  ...usage,
  requests: answered,
  failures,
  bytes,
  p50: percentile(sorted, 0.5),
  p99: percentile(sorted, 0.99),
};
console.log(JSON.stringify(result));
process.exit(0);
