// What 200 instruments of five venues cost while nobody reads them: the processor time of the service, from recordings.
import { join } from 'node:path';
import { cpuSeconds } from '../measure/process-usage.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import { TARGETS } from '../targets.ts';
import { type Bench, OURS, type Scenario } from './scenario.ts';

/** The recordings last 345 s. */
const MEASURE_MS = 60_000;
const QUICK_MS = 20_000;
const SHORTEST_MS = 5_000;
/** Until all sockets are open, and what runs for the first time is compiled. */
const WARM_MS = 15_000;
const CONNECT_MS = 60_000;

interface Measured {
  /** Of one core. */
  readonly percent: number;
  readonly messages: number;
  readonly instruments: number;
  /** From the venue to the service, of the slowest venue, median. A service that gets no time would look cheap. */
  readonly delayMs: number;
}

/** With a longer delay, the service has not kept up. */
const MOST_DELAY_MS = 1_000;

export const venues: Scenario = {
  steps: ({ rounds }) => rounds,
  async run(bench) {
    const results: Measured[] = [];
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress.show(`idle venues: round ${round} of ${bench.rounds}`);
      results.push(await measure(bench));
      bench.progress.advance();
    }
    const percent = results.map((each) => each.percent);
    const [{ instruments }] = results as [Measured];
    const isLate = results.some(({ delayMs }) => delayMs > MOST_DELAY_MS);
    const unjudged = isLate ? 'the service got too little time: the machine is busy' : null;
    return [
      {
        title: `Idle venues: ${instruments} instruments of five venues`,
        lines: [
          {
            contender: OURS,
            missing: null,
            figures: [
              { name: 'processor', unit: '% of a core', values: percent },
              { name: 'messages', unit: '/s', values: results.map(({ messages }) => messages) },
              { name: 'delay', unit: 'ms', values: results.map(({ delayMs }) => delayMs) },
            ],
          },
        ],
        verdicts: [
          {
            what: '200 live instruments, nobody reading: processor',
            unit: '% of a core',
            values: percent,
            bar: TARGETS.idleVenues,
            unjudged,
          },
        ],
        notes: [
          'Fakes of Kraken, Hyperliquid, Binance futures, Bybit and OKX play recordings of BTCUSDT and ETHUSDT in their own protocols: 40 markets each, the two busiest as recorded, the market of rank n with 2/n of the messages of ETHUSDT, Binance futures with twice as many.',
          'Nobody reads. Every event passes the intake, makes bars and order flow, enters the journal and is recorded on the tape. No history is fetched, and there are no news.',
        ],
      },
    ];
  },
};

async function measure({ quick, shortest, cores, children, quiet, folder: newFolder }: Bench): Promise<Measured> {
  const folder = newFolder();
  const feeder = [...cores.load, process.execPath, join(import.meta.dir, '../load/venue-feeds.ts')];
  const fakes = await children.server(feeder);
  const ask = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${fakes.port}/${path}`)).json();
  const { venues } = (await ask('settings')) as { venues: Record<string, { readonly symbols: object }> };
  const symbols = Object.values(venues).flatMap((venue) => Object.keys(venue.symbols));
  const [key] = await makeKeys(folder, 1, ['read', 'admin']);
  const server = await startTickwire(children, cores.server, {
    folder,
    config: { feeds: Object.keys(venues).join(','), venues },
    instruments: symbols,
    env: NO_NEWS,
  });
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'X-API-Key': key! } })).json();
  const deadline = performance.now() + CONNECT_MS;
  let instruments = 0;
  while (instruments < symbols.length) {
    if (performance.now() > deadline)
      throw new Error(`only ${instruments} of ${symbols.length} instruments are quoted`);
    await Bun.sleep(500);
    instruments = ((await read('/api/quotes')) as { items?: unknown[] }).items?.length ?? 0;
  }
  await quiet.wait();
  await Bun.sleep(shortest ? 0 : WARM_MS);
  const before = { cpu: cpuSeconds(server.pid), at: performance.now(), ...((await ask('sent')) as { sent: number }) };
  await Bun.sleep(shortest ? SHORTEST_MS : quick ? QUICK_MS : MEASURE_MS);
  const { sent } = (await ask('sent')) as { sent: number };
  const seconds = (performance.now() - before.at) / 1_000;
  const percent = (100 * (cpuSeconds(server.pid) - before.cpu)) / seconds;
  const feeds = (await read('/api/feeds')) as { items: { readonly delay_ms: { readonly p50: number } | null }[] };
  const delayMs = Math.max(...feeds.items.map(({ delay_ms }) => delay_ms?.p50 ?? 0));
  await Promise.all([server.stop(), fakes.stop()]);
  return { percent, messages: (sent - before.sent) / seconds, instruments, delayMs };
}
