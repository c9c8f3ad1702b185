// The cost of a cluster compared with a single process: CPU per delivery at a gateway node, CPU per tick through Redis, and the
// latency from the intake of an ingest node to a reader of a gateway node. Each is started for its turn and stopped after it,
// because an ingest node that is paused loses its lease.
import { join } from 'node:path';
import { joinLatencies } from '../measure/latencies.ts';
import { cpuSeconds } from '../measure/process-usage.ts';
import { type RunningCluster, startCluster } from '../processes/cluster.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import { type ClusterRound, clusterSection, PER_READER, READERS, TICKS_PER_SECOND } from './cluster-section.ts';
import { simRateFor } from './fanout-ticks.ts';
import { arrivalFileIn, runReaders } from './run-readers.ts';
import type { Bench, Scenario } from './scenario.ts';

/** Readers whose latency is measured. */
const FEW = 20;
const STAMPS = join(import.meta.dir, '../contenders/intake-timestamps.ts');

export const cluster: Scenario = {
  steps: ({ rounds }) => 4 * rounds,
  async run(bench) {
    const [single, gateway]: [ClusterRound[], ClusterRound[]] = [[], []];
    for (let round = 1; round <= bench.rounds; round++) {
      await bench.quiet.wait();
      single.push(await measure(bench, 'single process', round, startSingle));
      gateway.push(await measure(bench, 'cluster', round, startBoth));
    }
    return [clusterSection(single, gateway)];
  },
};

interface Started {
  /** The process that readers connect to. */
  readonly server: RunningCluster['gateway'];
  readonly key: string;
  /** Process ids by name: all processes that a tick passes. */
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

type Start = (bench: Bench, folder: string, simRate: number) => Promise<Started>;

const stampsIn = (folder: string): string => join(folder, 'stamps');

const startSingle: Start = async ({ children, cores }, folder, simRate) => {
  const [key] = await makeKeys(folder, 1);
  const server = await startTickwire(children, cores.server, {
    folder,
    simRate,
    bunFlags: ['--preload', STAMPS],
    env: { BENCH_STAMPS: stampsIn(folder) },
  });
  return { server, key: key!, pids: { process: server.pid }, stop: () => server.stop() };
};

const startBoth: Start = async ({ children, cores }, folder, simRate) => {
  const env = { BENCH_STAMPS: stampsIn(folder) };
  const running = await startCluster(children, cores, { folder, simRate, preload: STAMPS, env });
  const { ingest, gateway, redisPid, key } = running;
  return {
    server: gateway,
    key,
    pids: { ingest: ingest.pid, gateway: gateway.pid, Redis: redisPid },
    stop: () => running.stop(),
  };
};

async function measure(bench: Bench, name: string, round: number, start: Start): Promise<ClusterRound> {
  const { progress, quick, shortest, rounds } = bench;
  const show = (what: string): void => progress.show(`cluster: ${name}, ${what}, round ${round} of ${rounds}`);
  // A process is slower in its first seconds, and catches up with what it missed since its last run.
  const settleMs = shortest ? 500 : quick ? 4_000 : 8_000;
  const times = { warmMs: quick ? 500 : 1_500, measureMs: quick ? 1_500 : 5_000 };

  show('ticks');
  const folder = bench.folder();
  const [perTick, few] = await during(await start(bench, folder, TICKS_PER_SECOND), async ({ server, key, pids }) => {
    await Bun.sleep(settleMs);
    const used = await cpuPerTick(pids, times.measureMs);
    return [used, await runReaders(bench, server, folder, { connections: FEW, key, ...times })] as const;
  });
  const latencies = joinLatencies(stampsIn(folder), arrivalFileIn(folder));
  progress.advance();

  show('deliveries');
  const wide = bench.folder();
  const many = await during(await start(bench, wide, simRateFor(PER_READER)), async ({ server, key }) => {
    await Bun.sleep(settleMs);
    return runReaders(bench, server, wide, { connections: READERS, key, ...times });
  });
  progress.advance();
  return {
    perDelivery: (1e6 * many.serverCpu) / many.deliveries,
    perTick,
    latencies,
    notices: few.notices + many.notices,
    usage: [few, many],
  };
}

async function during<T>(started: Started, work: (started: Started) => Promise<T>): Promise<T> {
  try {
    return await work(started);
  } finally {
    await started.stop();
  }
}

/** By simulation time: the number of ticks does not depend on the machine. */
async function cpuPerTick(pids: Started['pids'], ms: number): Promise<Record<string, number>> {
  const used = (): [string, number][] => Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)]);
  const before = new Map(used());
  const began = performance.now();
  await Bun.sleep(ms);
  const ticks = (TICKS_PER_SECOND * (performance.now() - began)) / 1_000;
  return Object.fromEntries(used().map(([name, cpu]) => [name, (1e6 * (cpu - before.get(name)!)) / ticks]));
}
