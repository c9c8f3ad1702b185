// WebSocket fan-out: N readers of 20 symbols each, ours against a bare Bun.serve that publishes the same messages at the
// same rate, and `ws` on Node as people write it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadersJob, ReadersResult } from '../load/ws-readers.ts';
import { joinLatencies } from '../measure/latencies.ts';
import { type Contender, interleave } from '../measure/rounds.ts';
import { missingOf } from '../peers.ts';
import type { ServerChild } from '../processes/children.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import type { Section } from '../results.ts';
import { type FanoutRound, fanoutSection } from './fanout-section.ts';
import { FANOUT_SYMBOLS, recordTicks, simRateFor } from './fanout-ticks.ts';
import { BARE, type Bench, OURS, type Scenario, WS } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
const MOST_PER_READER = 1_000;
const DELIVERIES_PER_SECOND = 1_000_000;
const PROBES = 20;

export const fanout: Scenario = {
  steps: ({ rounds, connections }) => connections.length * 3 * (rounds + 1),
  async run(bench) {
    const sections: Section[] = [];
    for (const connections of bench.connections) sections.push(await runWith(bench, connections));
    return sections;
  },
};

async function runWith(bench: Bench, connections: number): Promise<Section> {
  const { children, cores, progress } = bench;
  const peers = await bench.peers();
  const folder = bench.folder();
  const perReader = Math.min(MOST_PER_READER, DELIVERIES_PER_SECOND / connections);
  const simRate = simRateFor(perReader);
  const title = `fan-out to ${connections.toLocaleString('en')}`;
  progress.show(`${title}: starting the servers`);
  const many = String(connections);
  const [key] = await makeKeys(folder, 1);
  const ticks = join(folder, 'ticks.json');
  writeFileSync(ticks, recordTicks(simRate, Date.now()));
  const stamps = (name: string): string => join(folder, `stamps-${name}`);

  const ours = await startTickwire(children, cores.server, {
    folder,
    simRate,
    bunFlags: ['--preload', join(HERE, 'contenders/stamp-intake.ts')],
    env: { BENCH_STAMPS: stamps('ours') },
  });
  const bareCommand = [process.execPath, join(HERE, 'contenders/bare-fanout.ts'), ticks, stamps('bare'), many];
  const bare = await children.server([...cores.server, ...bareCommand]);
  const missing = missingOf(peers.ws);
  const ws =
    'path' in peers.ws
      ? await children.server([
          ...cores.server,
          peers.node!,
          join(HERE, 'contenders/ws-fanout.mjs'),
          ticks,
          stamps('ws'),
          many,
          peers.ws.path,
        ])
      : null;

  const contender = (name: string, server: ServerChild | null, file: string): Contender<FanoutRound> => ({
    name,
    missing: server ? null : missing,
    async measure() {
      const arrivalFile = join(folder, 'arrivals');
      const result = await server!.turn(() => read(bench, server!, { connections, key: key!, arrivalFile, folder }));
      return { ...result, latencies: joinLatencies(stamps(file), arrivalFile) };
    },
  });
  const contenders = [contender(OURS, ours, 'ours'), contender(BARE, bare, 'bare'), contender(WS, ws, 'ws')];
  const found = await interleave(contenders, title, bench);
  for (const server of [ours, bare, ws]) await server?.stop();
  return fanoutSection({ connections, perReader, simRate, contenders, rounds: found });
}

async function read(
  { children, cores, quick }: Bench,
  { port, pid }: ServerChild,
  given: { connections: number; key: string; arrivalFile: string; folder: string },
): Promise<ReadersResult> {
  const { folder, ...rest } = given;
  const job: ReadersJob = {
    ...rest,
    port,
    path: '/ws/market',
    symbols: FANOUT_SYMBOLS,
    probes: Math.min(PROBES, given.connections),
    warmMs: quick ? 400 : 800,
    measureMs: quick ? 800 : 2_000,
    serverPid: pid,
    serverCore: cores.serverCore,
    loadCore: cores.loadCore,
  };
  const file = join(folder, 'readers-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(HERE, 'load/ws-readers.ts'), file];
  return children.job<ReadersResult>(load, job.warmMs + job.measureMs + 60_000);
}
