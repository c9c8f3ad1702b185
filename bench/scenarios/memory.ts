// What the memory of a service at rest consists of: each line starts one part more.
import { join } from 'node:path';
import { residentBytes } from '../measure/process-usage.ts';
import type { ServerChild } from '../processes/children.ts';
import { NO_NEWS, startTickwire, type TickwireOptions } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Bench, Scenario } from './scenario.ts';

export const MEMORY_TITLE = 'Memory of a service at rest';

const CONTENDERS = join(import.meta.dir, '../contenders');
const COLLECTING = ['--preload', join(CONTENDERS, 'gc-on-signal.ts')];
/** Time for what follows a start, such as loading the model. */
const REST_MS = 6_000;
const QUICK_REST_MS = 1_000;
const SETTLE_MS = 1_000;
const SHORTEST_MS = 200;

const PARTS = {
  runtime: { name: 'Bun with an open port', why: 'the runtime and the part of its binary that is in use' },
  code: { name: '… + the code of the service', why: 'about 900 modules and the schemas of the interface' },
  service: { name: '… + a service without prices and news', why: '34 instruments, stores, timers, compiled code' },
  markets: { name: '… + simulated markets', why: 'the newest 520 bars of each timeframe, simulator, order flow' },
  news: { name: '… + news and the headline model', why: 'a thread with 12 MB of tables and as much unpacked' },
} as const;
type Part = keyof typeof PARTS;

export const memory: Scenario = {
  steps: ({ rounds }) => rounds * Object.keys(PARTS).length,
  async run(bench) {
    const found = new Map<Part, number[]>();
    for (let round = 1; round <= bench.rounds; round++)
      for (const part of Object.keys(PARTS) as Part[]) {
        bench.progress.show(`memory: round ${round} of ${bench.rounds}, ${PARTS[part].name}`);
        found.set(part, [...(found.get(part) ?? []), await measure(bench, part)]);
        bench.progress.advance();
      }
    return [sectionOf(found)];
  },
};

async function measure(bench: Bench, part: Part): Promise<number> {
  const server = await start(bench, part);
  const collect = async (ms: number): Promise<void> => {
    process.kill(server.pid, 'SIGUSR2');
    await Bun.sleep(ms);
  };
  const settleMs = bench.shortest ? SHORTEST_MS : SETTLE_MS;
  await Bun.sleep(bench.shortest ? SHORTEST_MS : bench.quick ? QUICK_REST_MS : REST_MS);
  await collect(settleMs);
  await collect(settleMs);
  const bytes = residentBytes(server.pid);
  await server.stop();
  return bytes / 1e6;
}

async function start(bench: Bench, part: Part): Promise<ServerChild> {
  const { children, cores } = bench;
  if (part === 'runtime' || part === 'code')
    return children.server([...cores.server, process.execPath, ...COLLECTING, join(CONTENDERS, 'at-rest.ts'), part]);
  const env = {
    ...(part === 'service' && { TICKWIRE_FEEDS: 'push' }),
    ...(part !== 'news' && NO_NEWS),
  };
  const options: TickwireOptions = { folder: bench.folder(), bunFlags: COLLECTING, env };
  // The first start generates history, which takes memory that a running service does not have.
  await (await startTickwire(children, cores.server, options)).stop();
  return startTickwire(children, cores.server, options);
}

function sectionOf(found: ReadonlyMap<Part, number[]>): ReportSection {
  const parts = [...found.keys()];
  const added = (part: Part): number[] => {
    const before = found.get(parts[parts.indexOf(part) - 1]!);
    return found.get(part)!.map((value, round) => value - (before?.[round] ?? 0));
  };
  return {
    title: MEMORY_TITLE,
    lines: parts.map((part) => ({
      contender: PARTS[part].name,
      missing: null,
      figures: [
        { name: 'resident', unit: 'MB', values: found.get(part)! },
        { name: 'added', unit: 'MB', values: added(part) },
      ],
    })),
    verdicts: [
      {
        what: 'memory: a service with the default catalogue, without prices and news',
        unit: 'MB',
        values: found.get('service')!,
        bar: TARGETS.baseMemory,
        unjudged: null,
      },
      {
        what: 'memory: as started by `npm start`',
        unit: 'MB',
        values: found.get('news')!,
        bar: null,
        unjudged: null,
      },
    ],
    notes: [
      `${parts.map((part) => `${PARTS[part].name.replace('… + ', '')}: ${PARTS[part].why}`).join('; ')}.`,
      'Resident memory as /proc has it, some seconds after the start and two collections of garbage. It includes the pages of the binary that are in use, which all processes of the machine share.',
    ],
  };
}
