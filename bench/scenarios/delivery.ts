// Delivery of messages: how many per second one process sends to a receiver, and the time from a tick to the request of the webhook
// that it fires.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeliveryResult } from '../contenders/delivery-run.ts';
import { coreSeconds, cpuSeconds } from '../measure/process-usage.ts';
import { median, percentile } from '../measure/statistics.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { type Bench, OURS, type Scenario } from './scenario.ts';

const PROGRAM = join(import.meta.dir, '../contenders/delivery-run.ts');
const TIMEOUT_MS = 300_000;
const TICKS_PER_SECOND = 1_000;
/** Ticks are pushed in batches of this length. */
const STEP_MS = 10;
/** Number of batches between two crossings of the level. */
const CROSSES_EVERY = 4;
const LEVEL = 1.1;
const DISTURBED = 0.05;
/** Not measured, because code must be compiled first. */
const WARM_UP_S = 1;

export const delivery: Scenario = {
  steps: ({ rounds }) => rounds + 1,
  async run(bench) {
    return [await throughput(bench), await latency(bench)];
  },
};

async function throughput(bench: Bench): Promise<ReportSection> {
  const { children, cores, progress, quiet, quick, shortest, rounds } = bench;
  const due = shortest ? 1_000 : quick ? 5_000 : 20_000;
  const parked = shortest ? 1_000 : quick ? 20_000 : 1_000_000;
  const results: DeliveryResult[] = [];
  using receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      await request.arrayBuffer();
      return new Response();
    },
  });
  for (let round = 1; round <= rounds; round++) {
    progress.show(`delivery: ${due.toLocaleString('en')} messages, round ${round} of ${rounds}`);
    await quiet.wait();
    const args = [bench.folder(), receiver.url.href, due, parked].map(String);
    results.push(await children.job<DeliveryResult>([...cores.server, process.execPath, PROGRAM, ...args], TIMEOUT_MS));
    progress.advance();
  }
  const perSecond = results.map((result) => result.perSecond);
  return {
    title: 'Delivery: signed webhooks from the outbox on SQLite to a local receiver',
    lines: [
      {
        contender: OURS,
        missing: null,
        figures: [
          { name: 'deliveries', unit: '/s', values: perSecond, plotted: true },
          {
            name: 'deliveries per CPU second',
            unit: '/s',
            values: results.map((result) => result.perCpuSecond),
            plotted: false,
          },
          {
            name: 'lease of 32 destinations',
            unit: 'ms',
            values: results.map((result) => result.leaseMs),
            plotted: false,
          },
        ],
      },
    ],
    verdicts: [{ what: 'delivery: one process', unit: '/s', values: perSecond, bar: TARGETS.delivery, unjudged: null }],
    notes: [
      `${due.toLocaleString('en')} messages to 200 destinations, each in order; ${parked.toLocaleString('en')} more messages wait for later in the same store.`,
    ],
  };
}

async function latency(bench: Bench): Promise<ReportSection> {
  const { children, cores, progress, quiet, quick, shortest } = bench;
  const seconds = shortest ? 2 : quick ? 5 : 20;
  progress.show(`delivery: ${TICKS_PER_SECOND} ticks/s for ${seconds} s`);
  await quiet.wait();
  /** When each price was pushed, and when its message arrived. */
  const pushedAt = new Map<string, number>();
  const latencies: number[] = [];
  using receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const at = performance.now();
      const { data } = (await request.json()) as { data: { price: number } };
      const pushed = pushedAt.get(data.price.toFixed(5));
      if (pushed !== undefined) latencies.push(at - pushed);
      return new Response();
    },
  });
  const folder = join(bench.folder(), 'data');
  mkdirSync(folder);
  const [key = ''] = await makeKeys(folder, 1, ['read', 'ingest']);
  const server = await startTickwire(children, cores.server, {
    folder,
    env: {
      TICKWIRE_FEEDS: 'push',
      TICKWIRE_INGEST_LINES_PER_MINUTE: '1000000000',
      TICKWIRE_DELIVERY_ALLOW_PRIVATE: 'true',
    },
  });
  const post = async (path: string, body: string): Promise<void> => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body, headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const push = (bid: number): Promise<void> => {
    const time = Date.now();
    const count = (TICKS_PER_SECOND * STEP_MS) / 1_000;
    // The last tick of a batch has the price; those before it are of another instrument.
    const others = Array.from({ length: count - 1 }, (_, index) => {
      const price = 1.25 + (index % 5) / 1e5;
      return JSON.stringify({ symbol: 'GBPUSD', time, bid: price, ask: price + 0.0001 });
    });
    const own = JSON.stringify({ symbol: 'EURUSD', time, bid, ask: Number((bid + 0.00002).toFixed(5)) });
    return post('/ingest/ticks', [...others, own].join('\n'));
  };
  await push(LEVEL - 0.002);
  await post(
    '/api/alerts',
    JSON.stringify({
      symbol: 'EURUSD',
      condition: { type: 'price', cross: 'above', level: LEVEL, side: 'bid' },
      repeat: 'every_time',
      deliver: [{ channel: 'webhook', url: receiver.url.href }],
    }),
  );
  const busy = coreSeconds(cores.serverCore) - cpuSeconds(server.pid);
  const started = performance.now();
  let crossings = 0;
  for (let step = 0; step < ((WARM_UP_S + seconds) * 1_000) / STEP_MS; step++) {
    const crosses = step % CROSSES_EVERY === CROSSES_EVERY - 1;
    // Each crossing has a price of its own.
    const bid = Number((crosses ? LEVEL + (1 + (crossings++ % 500)) / 1e5 : LEVEL - 0.002).toFixed(5));
    if (step === (WARM_UP_S * 1_000) / STEP_MS) {
      crossings = 0;
      latencies.length = 0;
    }
    if (crosses) pushedAt.set(bid.toFixed(5), performance.now());
    await push(bid);
    await Bun.sleep(Math.max(0, started + (step + 1) * STEP_MS - performance.now()));
  }
  await Bun.sleep(500);
  const others = coreSeconds(cores.serverCore) - cpuSeconds(server.pid) - busy;
  const shareOfOthers = Number.isNaN(others) ? 0 : others / ((performance.now() - started) / 1_000);
  await server.stop();
  progress.advance();
  const sorted = Float64Array.from(latencies).sort();
  const unjudged =
    latencies.length < crossings
      ? `${latencies.length} of ${crossings} messages arrived`
      : shareOfOthers > DISTURBED
        ? `disturbed: others took ${Math.round(shareOfOthers * 100)} % of the core`
        : null;
  const p99 = percentile(sorted, 0.99);
  return {
    title: `Delivery: from a tick to the request of its webhook, at ${TICKS_PER_SECOND.toLocaleString('en')} ticks/s`,
    lines: [
      {
        contender: OURS,
        missing: null,
        figures: [
          { name: 'p50', unit: 'ms', values: [median([...sorted])], plotted: false },
          { name: 'p99', unit: 'ms', values: [p99], plotted: true },
          { name: 'delivered', unit: '', values: [latencies.length], plotted: false },
        ],
      },
    ],
    verdicts: [
      {
        what: 'delivery: tick to webhook, p99',
        unit: 'ms',
        values: [p99],
        bar: TARGETS.deliveryLatency,
        unjudged,
      },
    ],
    notes: [
      'From the push of the tick over HTTP to the arrival of the signed request: intake, journal, judgement, a transaction on disk (firing with its message), a lease, and the request.',
    ],
  };
}
