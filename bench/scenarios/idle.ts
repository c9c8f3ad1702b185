// The cost of an idle connection: resident memory of the server with thousands of them, compared with a bare Bun.serve.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdleJob, IdleResult } from '../load/idle-readers.ts';
import type { ServerChild } from '../processes/children.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { Figure, ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { FANOUT_SYMBOLS, recordTicks } from './fanout-ticks.ts';
import { BARE, type Bench, OURS, type Scenario } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
const CONNECTIONS = 10_000;
const QUICK_CONNECTIONS = 1_000;
/** Quotes per second of all instruments: very few. */
const QUIET_RATE = 0.1;
const COLLECTING = ['--preload', join(HERE, 'contenders/gc-on-signal.ts')];
const PATIENCE_MS = 90_000;

export const idle: Scenario = {
  steps: ({ rounds }) => 2 * rounds,
  async run(bench) {
    const connections = bench.quick ? QUICK_CONNECTIONS : CONNECTIONS;
    const [ours, bare]: [IdleResult[], IdleResult[]] = [[], []];
    for (let round = 1; round <= bench.rounds; round++) {
      const turn = `round ${round} of ${bench.rounds}`;
      bench.progress.show(`idle connections: ${turn}, ${OURS}`);
      ours.push(await measure(bench, connections, startOurs));
      bench.progress.advance();
      bench.progress.show(`idle connections: ${turn}, ${BARE}`);
      bare.push(await measure(bench, connections, startBare));
      bench.progress.advance();
    }
    return [sectionOf(ours, bare, connections)];
  },
};

type Start = (bench: Bench, folder: string) => Promise<{ server: ServerChild; key: string }>;

const startOurs: Start = async ({ children, cores }, folder) => {
  const [key] = await makeKeys(folder, 1);
  const options = { folder, simRate: QUIET_RATE, bunFlags: COLLECTING, env: NO_NEWS };
  // The first start generates history, and the memory for that would hide the memory of the connections.
  await (await startTickwire(children, cores.server, options)).stop();
  return { server: await startTickwire(children, cores.server, options), key: key! };
};

const startBare: Start = async ({ children, cores }, folder) => {
  const ticks = join(folder, 'ticks.json');
  writeFileSync(ticks, recordTicks(QUIET_RATE, Date.now()));
  // It waits for more readers than will connect, so it publishes nothing.
  const given = [ticks, join(folder, 'stamps'), String(Number.MAX_SAFE_INTEGER)];
  const command = [process.execPath, ...COLLECTING, join(HERE, 'contenders/bare-fanout.ts'), ...given];
  return { server: await children.server([...cores.server, ...command]), key: '' };
};

/** Uses a new process every time, because memory is not returned to the system. */
async function measure(bench: Bench, connections: number, start: Start): Promise<IdleResult> {
  const { children, cores } = bench;
  const folder = bench.folder();
  const { server, key } = await start(bench, folder);
  const { port, pid: serverPid } = server;
  const job: IdleJob = { port, path: '/ws/market', key, symbols: FANOUT_SYMBOLS, connections, serverPid };
  const file = join(folder, 'idle-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(HERE, 'load/idle-readers.ts'), file];
  const result = await children.job<IdleResult>(load, PATIENCE_MS);
  await server.stop();
  return result;
}

function sectionOf(ours: readonly IdleResult[], bare: readonly IdleResult[], connections: number): ReportSection {
  const kb =
    (of: 'connected' | 'subscribed') =>
    (result: IdleResult): number =>
      (result[of] - result.before) / 1024 / connections;
  const figure = (name: string, unit: string, plotted: boolean, values: number[]): Figure => ({
    name,
    unit,
    plotted,
    values,
  });
  const line = (contender: string, results: readonly IdleResult[]): ReportRow => ({
    contender,
    missing: null,
    figures: [
      figure('a connection without a subscription', 'KB', true, results.map(kb('connected'))),
      figure(`a connection with ${FANOUT_SYMBOLS.length} quiet symbols`, 'KB', true, results.map(kb('subscribed'))),
      figure(
        'the server before',
        'MB',
        false,
        results.map(({ before }) => before / 1e6),
      ),
      figure(
        'the server with all of them',
        'MB',
        false,
        results.map(({ subscribed }) => subscribed / 1e6),
      ),
    ],
  });
  const atBar = connections === CONNECTIONS ? null : `the bar is for ${CONNECTIONS.toLocaleString('en')}`;
  return {
    title: `Idle connections: ${connections.toLocaleString('en')}`,
    lines: [line(OURS, ours), line(BARE, bare)],
    verdicts: [
      {
        what: 'idle connection: resident memory',
        unit: 'KB',
        values: ours.map(kb('connected')),
        bar: TARGETS.idleMemory,
        unjudged: atBar,
      },
      {
        what: `idle connection with ${FANOUT_SYMBOLS.length} quiet symbols: resident memory`,
        unit: 'KB',
        values: ours.map(kb('subscribed')),
        bar: TARGETS.idleMemory,
        unjudged: atBar,
      },
    ],
    notes: [
      'Authenticated by the key in the handshake. Resident memory as /proc has it, once it has settled; 200 connections come and go before, so that code that runs for the first time is not counted. What the kernel keeps for a socket is not in it.',
      'Every round starts the servers anew, ours on a store that is there and without news. They are made to collect garbage before the connections come (a preload), not after: it is what somebody who looks would see.',
    ],
  };
}
