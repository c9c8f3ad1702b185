// WebSocket fan-out of simulated markets to readers of 20 symbols each: Tickwire against a bare Bun.serve that publishes the same
// messages at the same rate.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYMBOLS_PER_READER } from '../load/reader-lists.ts';
import type { ReadersJob, ReadersResult } from '../load/ws-readers.ts';
import { checkOpenFiles } from '../measure/process-usage.ts';
import { type Contender, quietRounds, type Rounds, WITHOUT_REPEATS } from '../measure/quiet-rounds.ts';
import { median, ratios } from '../measure/statistics.ts';
import type { ServerChild } from '../processes/children.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { Figure, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { recordTicks, simRateFor } from './fanout-ticks.ts';
import { BARE, type Bench, OURS, type Scenario } from './scenario.ts';
import { disturbance, heavilyDisturbed, usageFigures, usageNotes } from './usage-notes.ts';

const HERE = join(import.meta.dir, '..');
/** Number of connections of the target. */
const BAR_CONNECTIONS = 1_000;
/** Ticks per second to each reader, and deliveries per second in all. */
const MOST_PER_READER = 1_000;
const DELIVERIES_PER_SECOND = 1_000_000;
/** Time to open thousands of connections on a server that accepts them slowly. */
const PATIENCE_MS = 60_000;
const PATIENCE_PER_CONNECTION_MS = 10;

export const fanout: Scenario = {
  steps: ({ rounds }) => rounds,
  async run(bench) {
    const { children, cores } = bench;
    const connections = bench.connections ?? BAR_CONNECTIONS;
    checkOpenFiles(connections);
    const folder = bench.folder();
    const offered = Math.min(MOST_PER_READER * connections, DELIVERIES_PER_SECOND);
    const simRate = simRateFor(offered / connections);
    const title = `fan-out to ${connections.toLocaleString('en')}`;
    bench.progress.show(`${title}: starting the servers`);
    const [key] = await makeKeys(folder, 1);
    const ticks = join(folder, 'ticks.json');
    writeFileSync(ticks, recordTicks(simRate, Date.now()));
    const ours = await startTickwire(children, cores.server, { folder, simRate, env: NO_NEWS });
    const command = [process.execPath, join(HERE, 'contenders/bare-fanout.ts'), ticks, String(connections)];
    const bare = await children.server([...cores.server, ...command]);
    const contender = (name: string, server: ServerChild): Contender<ReadersResult> => ({
      name,
      missing: null,
      measure: () => server.turn(() => readFrom(bench, server, folder, { connections, key: key! })),
    });
    const contenders = [contender(OURS, ours), contender(BARE, bare)];
    const { rounds } = await quietRounds(contenders, title, { ...bench, ...WITHOUT_REPEATS });
    for (const server of [ours, bare]) await server.stop();
    return [sectionOf(rounds, connections, simRate, offered)];
  },
};

/** Runs the readers in a separate process on the load's core. */
export function readFrom(
  { children, cores, quick }: Bench,
  { port, pid }: ServerChild,
  folder: string,
  given: Pick<ReadersJob, 'connections' | 'key'>,
): Promise<ReadersResult> {
  const job: ReadersJob = {
    port,
    path: '/ws/market',
    ...given,
    warmMs: quick ? 400 : 800,
    measureMs: quick ? 800 : 2_000,
    serverPid: pid,
    serverCore: cores.serverCore,
    loadCore: cores.loadCore,
  };
  const file = join(folder, 'readers-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(HERE, 'load/ws-readers.ts'), file];
  const patience = PATIENCE_MS + PATIENCE_PER_CONNECTION_MS * job.connections;
  return children.job<ReadersResult>(load, job.warmMs + job.measureMs + patience);
}

const perCpuSecond = ({ deliveries, serverCpu }: ReadersResult): number => deliveries / serverCpu;
const perSecond = ({ deliveries, seconds }: ReadersResult): number => deliveries / seconds;

function sectionOf(
  rounds: Rounds<ReadersResult>,
  connections: number,
  simRate: number,
  offered: number,
): ReportSection {
  const many = connections.toLocaleString('en');
  const [ours, bare] = [rounds.get(OURS)!, rounds.get(BARE)!];
  const all = [...ours, ...bare];
  return {
    title: `Fan-out: ${many} connections × ${SYMBOLS_PER_READER} symbols`,
    lines: [...rounds].map(([name, list]) => ({ contender: name, missing: null, figures: figuresOf(list) })),
    verdicts: [
      {
        what: `fan-out to ${many}: against ${BARE}`,
        unit: '×',
        values: ratios(ours.map(perCpuSecond), bare.map(perCpuSecond)),
        bar: connections === BAR_CONNECTIONS ? TARGETS.fanoutBare : null,
        unjudged: heavilyDisturbed(all),
        caveat: disturbance(all),
      },
    ],
    notes: [
      `Offered: ${offered.toLocaleString('en')} deliveries/s in all (ours: TICKWIRE_SIM_RATE=${simRate}; the bare server: a recording of the same).`,
      'Each reader has its own list, drawn at random; the lists are the same for both. The ratio is of deliveries per CPU second of the server.',
      ...[...rounds].flatMap(([name, list]) => shortfalls(name, list, offered)),
      ...usageNotes(all, 'readers’ process'),
    ],
  };
}

/** Notes on everything that impairs a round. */
function shortfalls(name: string, list: readonly ReadersResult[], offered: number): string[] {
  const sum = (of: 'notices' | 'lost'): number => list.reduce((total, round) => total + round[of], 0);
  const share = median(list.map(perSecond)) / offered;
  return [
    ...(share < 0.9 ? [`${name} delivered ${Math.round(share * 100)} % of what was offered.`] : []),
    ...(sum('notices') > 0 ? [`${name} sent ${sum('notices')} slow or gap notices: some readers were conflated.`] : []),
    ...(sum('lost') > 0 ? [`${name} lost ${sum('lost')} connections.`] : []),
  ];
}

const figuresOf = (rounds: readonly ReadersResult[]): Figure[] => [
  {
    name: 'server CPU seconds per million deliveries',
    unit: 's',
    values: rounds.map((round) => 1e6 / perCpuSecond(round)),
  },
  { name: 'deliveries/s', unit: '', values: rounds.map(perSecond) },
  ...usageFigures(rounds),
];
