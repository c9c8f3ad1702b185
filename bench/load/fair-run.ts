// How long others wait while accounts send the worst mix that they may: ticks on a stream, quotes over REST and messages to a
// webhook of another account, first alone and then beside the mix.
import { readFileSync } from 'node:fs';
import type { GreedyAccounts } from '../../packages/server/testing/attacks/greedy-accounts.worker.ts';
import { percentile } from '../measure/statistics.ts';

export interface FairJob {
  readonly port: number;
  readonly key: string;
  /** Of accounts that send messages. */
  readonly senders: readonly string[];
  readonly greedy: readonly string[];
  readonly warmMs: number;
  readonly measureMs: number;
}

/** p99 in milliseconds, and the number of values. */
export type Delays = Readonly<
  Record<'ticks' | 'quotes' | 'messages', { readonly p99: number; readonly count: number }>
>;

export interface FairResult {
  readonly alone: Delays;
  readonly beside: Delays;
  /** Responses to the mix, by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const QUOTE_EVERY_MS = 20;
/** An account may send ten test messages per minute. */
const MESSAGE_EVERY_MS = 6_500;
const GREEDY = '../../packages/server/testing/attacks/greedy-accounts.worker.ts';

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FairJob;
const url = `http://127.0.0.1:${job.port}`;
const found = { ticks: [] as number[], quotes: [] as number[], messages: [] as number[] };

async function must(key: string, path: string, body?: object): Promise<{ id: string }> {
  const request = { method: 'POST', headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url + path, request);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}

function followTicks(): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${job.port}/ws/market`);
  socket.onopen = () => {
    socket.send(JSON.stringify({ action: 'subscribe', symbols: ['*'], api_key: job.key, ms: true }));
  };
  return new Promise((resolve, reject) => {
    socket.onclose = ({ code, reason }) => reject(new Error(`the stream ended with ${code} ${reason}`));
    socket.onmessage = ({ data }) => {
      const { time_ms: at } = JSON.parse(data as string) as { time_ms?: number };
      if (at === undefined) return;
      found.ticks.push(Date.now() - at);
      resolve();
    };
  });
}

async function askQuotes(): Promise<void> {
  for (;;) {
    const at = performance.now();
    const response = await fetch(`${url}/api/market/EURUSD/quote`, { headers: { 'X-API-Key': job.key } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a quote has the status ${response.status}`);
    found.quotes.push(performance.now() - at);
    await Bun.sleep(QUOTE_EVERY_MS);
  }
}

async function sendMessages(key: string, sender: number): Promise<void> {
  await Bun.sleep((MESSAGE_EVERY_MS * sender) / job.senders.length);
  let arrived = Promise.withResolvers<void>();
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      arrived.resolve();
      return new Response(null, { status: 204 });
    },
  });
  const { id } = await must(key, '/api/destinations', { channel: 'webhook', url: `${receiver.url}hook` });
  for (;;) {
    const at = performance.now();
    await must(key, `/api/destinations/${id}/test`);
    await arrived.promise;
    found.messages.push(performance.now() - at);
    arrived = Promise.withResolvers();
    await Bun.sleep(MESSAGE_EVERY_MS);
  }
}

async function measured(): Promise<Delays> {
  for (const delays of Object.values(found)) delays.length = 0;
  await Bun.sleep(job.measureMs);
  const summary = (delays: readonly number[]): { p99: number; count: number } => ({
    p99: percentile(Float64Array.from(delays).sort(), 0.99),
    count: delays.length,
  });
  return { ticks: summary(found.ticks), quotes: summary(found.quotes), messages: summary(found.messages) };
}

await followTicks();
Promise.all([askQuotes(), ...job.senders.map(sendMessages)]).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
await Bun.sleep(job.warmMs);
const alone = await measured();
const mix = new Worker(new URL(GREEDY, import.meta.url).href);
let statuses: FairResult['statuses'] = {};
mix.onmessage = ({ data }) => {
  statuses = data;
};
mix.postMessage({ url, keys: job.greedy } satisfies GreedyAccounts);
await Bun.sleep(job.warmMs);
const beside = await measured();
console.log(JSON.stringify({ alone, beside, statuses } satisfies FairResult));
process.exit(0);
