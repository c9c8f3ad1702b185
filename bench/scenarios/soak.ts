// A soak: thousands of readers for minutes, some slow, some stalling, some going and coming back, each checking that it loses
// nothing it is not told of. It is passed or failed, as a whole.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakJob, SoakProgress, SoakResult } from '../load/soak-readers.ts';
import { makeKeys, startTickwire } from '../processes/tickwire.ts';
import { judge } from '../report/judge.ts';
import type { Bench, Scenario } from './scenario.ts';
import { soakSection } from './soak-section.ts';

/** Quotes per second over all instruments: a busy day, that two cores carry to thousands. */
const SIM_RATE = 600;
/** Of a sequenced tick with its frame. */
const BYTES_PER_TICK = 150;
/** Full within two minutes: a bounded memory that still fills must not look like one that grows. */
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
    if (section.verdicts.some((verdict) => judge(verdict) === 'not met')) process.exitCode = 1;
    return [section];
  },
};

/** Every second in a terminal, every ten elsewhere. */
function progressOf({ progress, minutes }: Bench): (line: string) => void {
  let shown = 0;
  return (line) => {
    const { progress: at } = JSON.parse(line) as { progress: SoakProgress };
    const step = Math.floor(at.seconds / STEP_SECONDS);
    const isStep = step > shown;
    for (; shown < step; shown++) progress.advance();
    if (isStep || progress.terminal) progress.show(`soak: ${said(at)} of ${minutes} min`);
  };
}

const said = ({ seconds, open, deliveries, undeclared, duplicates, serverBytes }: SoakProgress): string =>
  `${open.toLocaleString('en')} open, ${deliveries.toLocaleString('en')} deliveries, ${undeclared} undeclared gaps, ${duplicates} duplicates, ${Math.round(serverBytes / 1e6)} MB; ${(seconds / 60).toFixed(1)}`;

/** The lines of a server's log that tell of an error, or that are none of the log's. */
function errorsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !/^\{.*"level":"(debug|info|warn)"/.test(line));
}
