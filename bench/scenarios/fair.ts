// What one account can do to others: delays of ticks, quotes and messages beside twenty free accounts that send the worst mix of
// requests that they may.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Delays, FairJob, FairResult } from '../load/fair-run.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import { TARGETS } from '../targets.ts';
import { OURS, type Scenario } from './scenario.ts';

const ACCOUNTS = 20;
const SENDERS = 8;
const MEASURE_MS = 120_000;
const QUICK_MS = 20_000;
const SHORTEST_MS = 3_000;
/** Long enough for code that runs for the first time. */
const WARM_MS = 5_000;
const SIM_RATE = 50;
const PATIENCE_MS = 60_000;
/** Ticks may take twice as long as alone, and this in any case. Milliseconds. */
const TICK_MS = 20;

export const fair: Scenario = {
  steps: () => 1,
  async run({ quick, shortest, cores, children, progress, quiet, folder: newFolder }) {
    progress.show('fair shares: ticks, quotes and messages beside twenty greedy accounts');
    const folder = newFolder();
    const [key, ...senders] = await makeKeys(folder, 1 + SENDERS, ['read', 'alerts']);
    const greedy = await makeKeys(folder, ACCOUNTS, ['read'], 'free');
    const env = { ...NO_NEWS, TICKWIRE_DELIVERY_ALLOW_PRIVATE: 'true' };
    const server = await startTickwire(children, cores.server, { folder, simRate: SIM_RATE, env });
    const measureMs = shortest ? SHORTEST_MS : quick ? QUICK_MS : MEASURE_MS;
    const job: FairJob = { port: server.port, key: key!, senders, greedy, warmMs: WARM_MS, measureMs };
    const file = join(folder, 'fair-job.json');
    writeFileSync(file, JSON.stringify(job));
    await quiet.wait();
    const load = [...cores.load, process.execPath, join(import.meta.dir, '../load/fair-run.ts'), file];
    const { alone, beside, statuses } = await children.job<FairResult>(load, 2 * measureMs + PATIENCE_MS);
    await server.stop();
    progress.advance();
    const delays = (contender: string, { ticks, quotes, messages }: Delays) => ({
      contender,
      missing: null,
      figures: [
        { name: 'tick p99', unit: 'ms', values: [ticks.p99] },
        { name: 'quote p99', unit: 'ms', values: [quotes.p99] },
        { name: 'message p99', unit: 'ms', values: [messages.p99] },
      ],
    });
    const unjudged = shortest ? 'too short' : null;
    const tickBar = Math.max(2 * alone.ticks.p99, TICK_MS);
    return [
      {
        title: `Fair shares: beside ${ACCOUNTS} free accounts that send the worst mix for ${measureMs / 1000} s`,
        lines: [delays(`${OURS}, alone`, alone), delays(`${OURS}, beside the mix`, beside)],
        verdicts: [
          {
            what: 'fair: tick p99 beside the mix',
            unit: 'ms',
            values: [beside.ticks.p99],
            bar: { text: `≤ ${Math.round(tickBar)} ms: twice that alone, or 20 ms`, most: tickBar },
            unjudged,
          },
          {
            what: 'fair: quote p99 beside the mix',
            unit: 'ms',
            values: [beside.quotes.p99],
            bar: TARGETS.fairQuotes,
            unjudged,
          },
          {
            what: 'fair: message p99 beside the mix',
            unit: 'ms',
            values: [beside.messages.p99],
            bar: TARGETS.fairMessages,
            unjudged,
          },
        ],
        notes: [
          `The mix, without a pause but for refusals: long bars with all fields, indicators, profiles, footprints, coverage, UDF, files, answers for agents, server-sent events, subscriptions. Its responses by status: ${JSON.stringify(statuses)}.`,
          'A tick counts from its own time, and the feed makes ticks every 10 ms. A message counts from the request for a test message to its arrival at a webhook.',
          `${beside.ticks.count.toLocaleString('en')} ticks, ${beside.quotes.count.toLocaleString('en')} quotes and ${beside.messages.count} messages were measured beside the mix. The mix comes from the core of the clients that are measured.`,
        ],
      },
    ];
  },
};
