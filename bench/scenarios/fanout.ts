// WebSocket fan-out to N readers of 20 symbols each: Tickwire against a bare Bun.serve that publishes the same messages at the same
// rate, the same bytes sent with one call per socket, and a typical `ws` server on Node.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinLatencies } from '../measure/latencies.ts';
import { openFileLimit } from '../measure/process-usage.ts';
import { type Contender, interleave } from '../measure/rounds.ts';
import { missingReason } from '../peers.ts';
import type { ServerChild } from '../processes/children.ts';
import { makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { calibrateLoad, type LoadCalibration } from './calibration.ts';
import { growthSection } from './fanout-growth.ts';
import { type FanoutFindings, type FanoutRound, fanoutSection } from './fanout-section.ts';
import { recordTicks, simRateFor } from './fanout-ticks.ts';
import { arrivalFileIn, runReaders } from './run-readers.ts';
import { BARE, type Bench, OURS, type Scenario, SEND, WS } from './scenario.ts';

const HERE = join(import.meta.dir, '..');
const MOST_PER_READER = 1_000;
const DELIVERIES_PER_SECOND = 1_000_000;
/** Maximum for `ws`: at 1,000 readers it already skips most of its messages. */
const MOST_ON_WS = 1_000;
/** File descriptors in addition to those of the readers. */
const OTHER_FILES = 200;

export const fanout: Scenario = {
  steps: ({ rounds, connections }) => 1 + connections.length * 4 * (rounds + 1),
  async run(bench) {
    const calibration = await calibrateLoad(bench, Math.min(1_000, Math.max(...bench.connections)));
    const findings: FanoutFindings[] = [];
    for (const connections of bench.connections) findings.push(await runWith(bench, connections, calibration));
    const growth: ReportSection[] = findings.length > 1 ? [growthSection(findings)] : [];
    return [...growth, ...findings.map(fanoutSection)];
  },
};

async function runWith(bench: Bench, connections: number, calibration: LoadCalibration): Promise<FanoutFindings> {
  const { children, cores, progress, quick } = bench;
  const limit = openFileLimit();
  if (connections + OTHER_FILES > limit)
    throw new Error(`${connections} connections need more open files than the ${limit} allowed: raise ulimit -n`);
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
    bunFlags: ['--preload', join(HERE, 'contenders/intake-timestamps.ts')],
    env: { BENCH_STAMPS: stamps('ours'), ...NO_NEWS },
  });
  const bareCommand = [process.execPath, join(HERE, 'contenders/bare-fanout.ts'), ticks, stamps('bare'), many];
  const bare = await children.server([...cores.server, ...bareCommand]);
  const sendCommand = [process.execPath, join(HERE, 'contenders/plain-send.ts'), ticks, stamps('send'), many];
  const send = await children.server([...cores.server, ...sendCommand]);
  const missing =
    connections > MOST_ON_WS ? `left out above ${MOST_ON_WS.toLocaleString('en')}` : missingReason(peers.ws);
  const wsCommand = [join(HERE, 'contenders/ws-fanout.mjs'), ticks, stamps('ws'), many];
  const ws =
    missing === null && 'path' in peers.ws
      ? await children.server([...cores.server, peers.node!, ...wsCommand, peers.ws.path])
      : null;

  const contender = (name: string, server: ServerChild | null, file: string): Contender<FanoutRound> => {
    // A server does not release the memory of its first readers between rounds.
    let before = 0;
    return {
      name,
      missing: server ? null : missing,
      async measure() {
        const times = { warmMs: quick ? 400 : 800, measureMs: quick ? 800 : 2_000 };
        const result = await server!.turn(() =>
          runReaders(bench, server!, folder, { connections, key: key!, ...times }),
        );
        before ||= result.serverBytesBefore;
        return {
          ...result,
          serverBytesBefore: before,
          latencies: joinLatencies(stamps(file), arrivalFileIn(folder)),
        };
      },
    };
  };
  const contenders = [
    contender(OURS, ours, 'ours'),
    contender(BARE, bare, 'bare'),
    contender(SEND, send, 'send'),
    contender(WS, ws, 'ws'),
  ];
  const found = await interleave(contenders, title, bench);
  for (const server of [ours, bare, send, ws]) await server?.stop();
  return { connections, perReader, simRate, contenders, rounds: found, calibration };
}
