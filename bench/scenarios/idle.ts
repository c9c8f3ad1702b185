// The cost of an idle connection: resident memory of the server with thousands of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdleJob, IdleResult } from '../load/idle-readers.ts';
import { SYMBOLS_PER_READER } from '../load/reader-lists.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { type Bench, OURS, type Scenario } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
const CONNECTIONS = 10_000;
const QUICK_CONNECTIONS = 1_000;
/** Quotes per second of all instruments: very few. */
const QUIET_RATE = 0.1;
const COLLECTING = ['--preload', join(HERE, 'contenders/gc-on-signal.ts')];
const PATIENCE_MS = 90_000;

export const idle: Scenario = {
  steps: ({ rounds }) => rounds,
  async run(bench) {
    const connections = bench.quick ? QUICK_CONNECTIONS : CONNECTIONS;
    const results: IdleResult[] = [];
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress.show(`idle connections: round ${round} of ${bench.rounds}`);
      results.push(await idleMemory(bench, connections));
      bench.progress.advance();
    }
    return [sectionOf(results, connections)];
  },
};

/** Uses a new process every time, because memory is not returned to the system. */
export async function idleMemory(
  { children, cores, folder: newFolder }: Bench,
  connections: number,
): Promise<IdleResult> {
  const folder = newFolder();
  const [key] = await makeKeys(folder, 1);
  const options = { folder, simRate: QUIET_RATE, bunFlags: COLLECTING, env: NO_NEWS };
  // The first start generates history, and the memory for that would hide the memory of the connections.
  await (await startTickwire(children, cores.server, options)).stop();
  const server = await startTickwire(children, cores.server, options);
  const { port, pid: serverPid } = server;
  const job: IdleJob = { port, path: '/ws/market', key: key!, connections, serverPid };
  const file = join(folder, 'idle-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(HERE, 'load/idle-readers.ts'), file];
  const result = await children.job<IdleResult>(load, PATIENCE_MS);
  await server.stop();
  return result;
}

function sectionOf(results: readonly IdleResult[], connections: number): ReportSection {
  const kb =
    (of: 'connected' | 'subscribed') =>
    (result: IdleResult): number =>
      (result[of] - result.before) / 1024 / connections;
  const figures = [
    { name: 'a connection without a subscription', unit: 'KB', values: results.map(kb('connected')) },
    {
      name: `a connection with ${SYMBOLS_PER_READER} quiet symbols`,
      unit: 'KB',
      values: results.map(kb('subscribed')),
    },
  ];
  const atBar = connections === CONNECTIONS ? null : `the bar is for ${CONNECTIONS.toLocaleString('en')}`;
  return {
    title: `Idle connections: ${connections.toLocaleString('en')}`,
    lines: [{ contender: OURS, missing: null, figures }],
    verdicts: [
      {
        what: 'idle connection: resident memory',
        unit: 'KB',
        values: results.map(kb('connected')),
        bar: TARGETS.idleMemory,
        unjudged: atBar,
      },
      {
        what: `idle connection with ${SYMBOLS_PER_READER} quiet symbols: resident memory`,
        unit: 'KB',
        values: results.map(kb('subscribed')),
        bar: TARGETS.idleMemory,
        unjudged: atBar,
      },
    ],
    notes: [
      'Authenticated by the key in the handshake. Resident memory as /proc has it, once it has settled; 200 connections come and go before, so that code that runs for the first time is not counted. What the kernel keeps for a socket is not in it.',
      'Every round starts the server again, on a store that is there and without news. It is made to collect garbage before the connections come (a preload), not after.',
    ],
  };
}
