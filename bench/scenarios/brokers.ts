// Tickwire against message brokers, a bare Bun.serve and a server in C: the same ticks, pushed over a socket by the same feeder, to
// the same number of readers, at several loads. Latency is measured alike for all, from the time a tick was due to its arrival.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokerLoadJob, BrokerLoadResult } from '../load/broker-load.ts';
import { checkOpenFiles } from '../measure/process-usage.ts';
import { type Contender, quietRounds } from '../measure/quiet-rounds.ts';
import { type BrokerContender, startContenders } from './broker-contenders.ts';
import { type BrokerLoad, loadsOf, readersOf } from './broker-loads.ts';
import { brokersGrowth } from './brokers-growth.ts';
import { type BrokerFindings, brokersSection } from './brokers-section.ts';
import { type Bench, OURS, type Scenario } from './scenario.ts';
import { DISTURBED, shareTaken } from './usage-notes.ts';

const LOAD = join(import.meta.dir, '../load/broker-load.ts');
const PROBES = 20;
/** To open all connections, and for what arrives late. */
const PATIENCE_MS = 60_000;
/** A server compiles its code while it is under load, and with few ticks that takes minutes. */
const WARM_UP_MS = 10_000;
const QUICK_WARM_UP_MS = 3_000;
/** Disturbed rounds that are repeated, at each load. */
const MAX_REPEATED = 2;

export const brokers: Scenario = {
  steps: (bench) => loadsOf(bench).length * bench.rounds,
  async run(bench) {
    const readers = readersOf(bench);
    checkOpenFiles(readers);
    bench.progress.show('brokers: starting the servers');
    const { contenders, versions } = await startContenders(bench);
    const findings: BrokerFindings[] = [];
    for (const load of loadsOf(bench)) {
      const { rounds, repeated } = await quietRounds(
        contenders.map((contender) => entryOf(bench, contender, load, readers)),
        `brokers, ${load.label}`,
        {
          ...bench,
          extra: bench.shortest ? 0 : MAX_REPEATED,
          // The servers stay the same, so their code is compiled once.
          warmUp: findings.length === 0 && !bench.shortest,
          disturbance: shareTaken,
          limit: DISTURBED,
        },
      );
      // A copy: a contender that fails at a later load keeps its figures of this one.
      const present = contenders.map((contender) => ({ ...contender }));
      findings.push({ load, readers, contenders: present, rounds, repeated, versions });
    }
    for (const { running } of contenders) await running?.server.stop();
    return [brokersGrowth(findings), ...findings.map(brokersSection)];
  },
};

function entryOf(
  bench: Bench,
  contender: BrokerContender,
  load: BrokerLoad,
  readers: number,
): Contender<BrokerLoadResult | null> {
  return {
    name: contender.name,
    get missing() {
      return contender.missing;
    },
    async measure(warming) {
      const { server } = contender.running!;
      const [given, measureMs] = warming
        ? [hardest(bench), bench.quick ? QUICK_WARM_UP_MS : WARM_UP_MS]
        : [load, turnMs(bench)];
      try {
        return await server.turn(() => runLoad(bench, contender, given, readers, measureMs));
      } catch (error) {
        if (contender.name === OURS) throw error;
        contender.missing = `failed at ${load.label}: ${(error as Error).message}`;
        return null;
      }
    },
  };
}

const turnMs = ({ quick, shortest }: Bench): number => (shortest ? 500 : quick ? 1_200 : 2_500);
const hardest = (bench: Bench): BrokerLoad => loadsOf(bench).reduce((a, b) => (b.offered > a.offered ? b : a));

function runLoad(
  bench: Bench,
  contender: BrokerContender,
  feed: BrokerLoad,
  connections: number,
  measureMs: number,
): Promise<BrokerLoadResult> {
  const { children, cores, quick } = bench;
  const { server, address } = contender.running!;
  const job: BrokerLoadJob = {
    address,
    feed,
    connections,
    probes: Math.min(PROBES, connections),
    warmMs: quick ? 400 : 700,
    measureMs,
    serverPid: server.pid,
    serverCore: cores.serverCore,
    loadCore: cores.loadCore,
  };
  const file = join(bench.folder(), 'load.json');
  writeFileSync(file, JSON.stringify(job));
  const command = [...cores.load, process.execPath, LOAD, file];
  return children.job<BrokerLoadResult>(command, job.warmMs + job.measureMs + PATIENCE_MS);
}
