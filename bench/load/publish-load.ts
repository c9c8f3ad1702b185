// Publishes signals as fast as the service accepts them: raw sockets, keep-alive, one request in flight on each, every request with
// its own body and Idempotency-Key, around quotes that were fetched at the start.
import { readFileSync } from 'node:fs';
import { asEpochMs, CATALOGUE, type InstrumentSpec, type QuoteEvidence } from '@tickwire/engine';
import type { Socket } from 'bun';
import { type Distances, randomTerms, seededRandom, signalRequest } from '../contenders/signal-pool.ts';
import { percentile } from '../measure/statistics.ts';
import { type ServerPlace, startUsageWindow, type WindowUsage } from '../measure/usage-window.ts';
import { ResponseReader } from './response-reader.ts';

export interface PublishJob extends ServerPlace {
  readonly port: number;
  readonly keys: readonly string[];
  readonly connections: number;
  /** Makes the idempotency keys of each round unique. */
  readonly round: number;
  readonly warmMs: number;
  readonly measureMs: number;
}

export interface PublishResult extends WindowUsage {
  readonly published: number;
  /** Responses other than 201, including the warm-up. */
  readonly failures: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const CREATED = 201;
const SYMBOLS = new Set(['EURUSD', 'USDJPY', 'XAUUSD', 'BTCUSD', 'ETHUSD']);
/** Far enough that no signal becomes invalid if the market moves for some seconds. */
const REACH: Distances = { nearest: 0.005, farthest: 0.05, waiting: 0.5, expiryMinutes: 240 };

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as PublishJob;
const markets = await Promise.all(CATALOGUE.filter(({ symbol }) => SYMBOLS.has(symbol)).map(marketOf));
const roll = seededRandom(job.round + 1);
const latencies: number[] = [];
let measuring = false;
let ended = false;
let failures = 0;
let sent = 0;

async function marketOf(spec: InstrumentSpec): Promise<{ spec: InstrumentSpec; quote: QuoteEvidence }> {
  const url = `http://127.0.0.1:${job.port}/api/market/${spec.symbol}/quote`;
  const response = await fetch(url, { headers: { 'X-API-Key': job.keys[0]! } });
  if (response.status !== 200) fail(`the quote of ${spec.symbol} was answered ${response.status}`);
  const { bid, ask } = (await response.json()) as { bid: number; ask: number };
  return { spec, quote: { kind: 'quote', seq: 0, time: asEpochMs(Date.now()), bid, ask, source: 'sim' } };
}

function request(): string {
  const { spec, quote } = markets[sent % markets.length]!;
  const body = JSON.stringify(signalRequest(spec, randomTerms(roll, spec, quote, REACH)));
  const key = job.keys[sent % job.keys.length]!;
  const head = `POST /api/signals HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
  return `${head}\r\nIdempotency-Key: bench-${job.round}-${sent++}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

interface State {
  readonly reader: ResponseReader;
  sentAt: number;
}

function publish(socket: Socket<State>): void {
  if (ended) return;
  const text = request();
  socket.data.sentAt = performance.now();
  socket.write(text);
}

async function connect(): Promise<Socket<State>> {
  const socket: Socket<State> = await Bun.connect<State>({
    hostname: '127.0.0.1',
    port: job.port,
    socket: {
      data: ({ data }, chunk) => data.reader.read(chunk),
      close() {
        if (!ended) fail('the server closed a connection');
      },
      error: (_, error) => fail(error.message),
    },
    data: {
      sentAt: 0,
      reader: new ResponseReader((status) => {
        if (status !== CREATED) failures++;
        if (measuring) latencies.push(performance.now() - socket.data.sentAt);
        publish(socket);
      }),
    },
  });
  return socket;
}

function fail(reason: string): never {
  console.error(`load: ${reason}`);
  process.exit(1);
}

const sockets = await Promise.all(Array.from({ length: job.connections }, connect));
for (const socket of sockets) publish(socket);
await Bun.sleep(job.warmMs);

const close = startUsageWindow(job);
measuring = true;
await Bun.sleep(job.measureMs);
measuring = false;
const usage = close();
ended = true;

const sorted = Float64Array.from(latencies).sort();
const result: PublishResult = {
  ...usage,
  published: latencies.length,
  failures,
  p50: percentile(sorted, 0.5),
  p99: percentile(sorted, 0.99),
};
console.log(JSON.stringify(result));
process.exit(0);
