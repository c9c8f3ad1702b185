// What many connections cost: resident memory of the service, and its CPU time per delivered message.
import { checkOpenFiles, mostConnections } from '../measure/process-usage.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import { readFrom } from './fanout.ts';
import { simRateFor } from './fanout-ticks.ts';
import type { Curve } from './growth-curve.ts';
import { idleMemory } from './idle.ts';
import { type Bench, curveSizes } from './scenario.ts';

const WANTED = [100, 1_000, 3_000, 10_000];
const FULL_WANTED = [...WANTED, 20_000];
const QUICK_WANTED = [100, 300, 900];
/** Offered to each reader. At a higher rate, several messages are in one write. */
const TICKS_PER_SECOND = 10;

export async function connectionCurve(bench: Bench): Promise<Curve> {
  const { full, quick, rounds, progress } = bench;
  const most = mostConnections();
  const wanted = curveSizes(bench, full ? FULL_WANTED : WANTED, QUICK_WANTED);
  const sizes = wanted.map((size) => Math.min(size, most)).filter((size, at, all) => all.indexOf(size) === at);
  const memory: Record<number, number[]> = {};
  const perMessage: Record<number, number[]> = {};
  for (const connections of sizes) {
    checkOpenFiles(connections);
    memory[connections] = [];
    for (let round = 1; round <= rounds; round++) {
      progress.show(`curves: memory of ${connections.toLocaleString('en')} connections, round ${round} of ${rounds}`);
      const { before, subscribed } = await idleMemory(bench, connections);
      memory[connections].push((subscribed - before) / 1e6);
    }
    progress.show(`curves: messages to ${connections.toLocaleString('en')} connections`);
    perMessage[connections] = await cpuPerMessage(bench, connections);
  }
  return {
    what: 'connections',
    sizes,
    costs: [
      { name: 'resident memory', unit: 'MB', growth: 'linear', values: memory },
      { name: 'CPU time per message', unit: 'µs', growth: 'flat', values: perMessage },
    ],
    notes: [
      `Memory: authenticated and subscribed to 20 quiet symbols. Messages: ${TICKS_PER_SECOND} per second to each reader of 20 symbols.`,
      ...(full || quick ? [] : ['With --full up to 20,000 connections.']),
      ...(most < Math.max(...wanted)
        ? [`No more than ${most.toLocaleString('en')} connections: the limit of open files.`]
        : []),
    ],
  };
}

/** Microseconds per delivery, one value per round. */
async function cpuPerMessage(bench: Bench, connections: number): Promise<number[]> {
  const { children, cores, rounds, quiet } = bench;
  const folder = bench.folder();
  const [key] = (await makeKeys(folder, 1)) as [string];
  const simRate = simRateFor(TICKS_PER_SECOND);
  const server = await startTickwire(children, cores.server, { folder, simRate, env: NO_NEWS });
  const costs: number[] = [];
  // The first round is discarded: code must be compiled before it is measured.
  for (let round = 0; round <= rounds; round++) {
    await quiet.wait();
    const { serverCpu, deliveries } = await readFrom(bench, server, folder, { connections, key });
    if (round > 0) costs.push((serverCpu * 1e6) / deliveries);
  }
  await server.stop();
  return costs;
}
