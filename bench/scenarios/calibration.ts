// Measures the capacity of the readers with a bare server that publishes as fast as they read. The load of the scenarios must be
// well below it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordTicks, simRateFor } from './fanout-ticks.ts';
import { runReaders } from './run-readers.ts';
import type { Bench } from './scenario.ts';

export interface LoadCalibration {
  readonly readers: number;
  readonly perSecond: number;
  /** Fractions of their cores. */
  readonly load: number;
  readonly server: number;
}

export async function calibrateLoad(bench: Bench, readers: number): Promise<LoadCalibration> {
  const { children, cores, progress, quick } = bench;
  progress.show('fan-out: what the readers can take');
  const folder = bench.folder();
  const ticks = join(folder, 'ticks.json');
  writeFileSync(ticks, recordTicks(simRateFor(1_000), Date.now()));
  const command = [process.execPath, join(import.meta.dir, '../contenders/bare-flood.ts'), ticks, String(readers)];
  const server = await children.server([...cores.server, ...command]);
  await bench.quiet.wait();
  const times = { warmMs: 500, measureMs: quick ? 600 : 1_500 };
  const result = await runReaders(bench, server, folder, { connections: readers, key: '', probes: 0, ...times });
  await server.stop();
  progress.advance();
  const { deliveries, seconds, loadCpu, serverCpu } = result;
  return { readers, perSecond: deliveries / seconds, load: loadCpu / seconds, server: serverCpu / seconds };
}

export const calibrationNote = ({ readers, perSecond, load, server }: LoadCalibration): string =>
  `Calibration: from a bare server at full speed ${readers.toLocaleString('en')} of these readers took ${Math.round(perSecond).toLocaleString('en')} deliveries/s, with ${percent(load)} of the load's core and ${percent(server)} of the server's. What is offered here must be well below.`;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
