// A soak: thousands of readers for minutes, some slow, some stalling, some reconnecting, each checking that it loses nothing without
// a notice. It passes or fails as a whole.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakJob, SoakProgress, SoakResult } from '../load/soak-readers.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import { checkTarget } from '../report/check-target.ts';
import type { Bench, Scenario } from './scenario.ts';
import { soakSection } from './soak-section.ts';

/** Quotes per second of all instruments: a busy day that two cores can deliver to thousands of readers. */
const SIM_RATE = 600;
/** Bytes of a sequenced tick with its frame. */
const BYTES_PER_TICK = 150;
/** Replay buffers that fill within two minutes, so that filling them does not look like a leak. */
const RESUME_MESSAGES = '32768';
const STEP_SECONDS = 10;
const PATIENCE_MS = 120_000;

export const soak: Scenario = {
  steps: ({ minutes }) => Math.ceil((minutes * 60) / STEP_SECONDS),
  async run(bench) {
    const { children, cores, minutes, readers, progress } = bench;
    const folder = bench.folder();
    progress.show('soak: starting the server');
    const [key] = await makeKeys(folder, 1);
    const env = { TICKWIRE_RESUME_MESSAGES: RESUME_MESSAGES };
    const server = await startTickwire(children, cores.server, { folder, simRate: SIM_RATE, env });
    const job: SoakJob = {
      port: server.port,
      key: key!,
      readers,
      lastingMs: minutes * 60_000,
      bytesPerSecond: SIM_RATE * BYTES_PER_TICK,
      serverPid: server.pid,
      serverCore: cores.serverCore,
      loadCore: cores.loadCore,
    };
    const file = join(folder, 'soak-job.json');
    writeFileSync(file, JSON.stringify(job));
    const load = [...cores.load, process.execPath, join(import.meta.dir, '../load/soak-readers.ts'), file];
    const result = await children.job<SoakResult>(load, job.lastingMs + PATIENCE_MS, progressOf(bench));
    await server.stop();
    const section = soakSection(result, errorsIn(server.errors), bench);
    if (section.verdicts.some((verdict) => checkTarget(verdict) === 'not met')) process.exitCode = 1;
    return [section];
  },
};

/** Reports every second in a terminal, every ten seconds elsewhere. */
function progressOf({ progress, minutes }: Bench): (line: string) => void {
  let shown = 0;
  return (line) => {
    const { progress: at } = JSON.parse(line) as { progress: SoakProgress };
    const step = Math.floor(at.seconds / STEP_SECONDS);
    const isStep = step > shown;
    for (; shown < step; shown++) progress.advance();
    if (isStep || progress.terminal) progress.show(`soak: ${describe(at)} of ${minutes} min`);
  };
}

const describe = ({ seconds, open, deliveries, undeclared, duplicates, serverBytes }: SoakProgress): string =>
  `${open.toLocaleString('en')} open, ${deliveries.toLocaleString('en')} deliveries, ${undeclared} undeclared gaps, ${duplicates} duplicates, ${Math.round(serverBytes / 1e6)} MB; ${(seconds / 60).toFixed(1)}`;

/** Lines of a server's log that report an error or are not log lines. */
function errorsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !/^\{.*"level":"(debug|info|warn)"/.test(line));
}
