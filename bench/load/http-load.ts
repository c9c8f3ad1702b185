// Sends requests to an HTTP server as fast as possible for a given time: raw sockets, keep-alive, one request in flight on each.
// Every connection cycles through the keys, so that each request counts against a real allowance.
import { readFileSync } from 'node:fs';
import type { Socket } from 'bun';
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
}

const OK = 200;

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as HttpJob;
const requests = job.keys.map((key) =>
  Buffer.from(`GET ${job.path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nX-API-Key: ${key}\r\n\r\n`),
);
let measuring = false;
let ended = false;
let answered = 0;
let failures = 0;
let nextKey = 0;

function sendRequest(socket: Socket<ResponseReader>): void {
  if (ended) return;
  socket.write(requests[nextKey]!);
  nextKey = nextKey + 1 === requests.length ? 0 : nextKey + 1;
}

async function connect(): Promise<Socket<ResponseReader>> {
  const socket: Socket<ResponseReader> = await Bun.connect<ResponseReader>({
    hostname: '127.0.0.1',
    port: job.port,
    socket: {
      data: ({ data }, chunk) => data.read(chunk),
      close() {
        if (!ended) fail('the server closed a connection');
      },
      error: (_, error) => fail(error.message),
    },
    data: new ResponseReader((status) => {
      if (status !== OK) failures++;
      if (measuring) answered++;
      sendRequest(socket);
    }),
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

const result: HttpResult = { ...usage, requests: answered, failures };
console.log(JSON.stringify(result));
process.exit(0);
