// Signals: the cost of 10,000 active signals on one instrument, whether a tick costs the same with 100 as with 100,000 signals, how
// fast a log is verified, and how fast signals are published.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, type LogCheck } from '../contenders/log-verification.ts';
import type { RecordChecks } from '../contenders/record-check-run.ts';
import { writeLog } from '../contenders/signal-log.ts';
import type { SignalsResult } from '../contenders/signals-run.ts';
import type { VerifierResult } from '../contenders/verifier-run.ts';
import type { CheckRun } from '../contenders/verify-run.ts';
import type { PublishJob, PublishResult } from '../load/publish-load.ts';
import { MAIN, makeKeys, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import type { Bench, Scenario } from './scenario.ts';
import { chainSection, verifierSection } from './signals-judging-section.ts';
import {
  type LogChecks,
  logSection,
  PUBLISHING,
  publishSection,
  recordsSection,
  WHOLE_LOG,
} from './signals-log-section.ts';

const HERE = join(import.meta.dir, '..');
const TIMEOUT_MS = 180_000;
/** Publications are spread over this many accounts, so that allowances are not the limit. */
const ACCOUNTS = 100;

export const signals: Scenario = {
  steps: ({ rounds }) => 4 + 2 * rounds,
  async run(bench) {
    return [await chain(bench), await verifier(bench), await log(bench), await records(bench), await publishing(bench)];
  },
};

const job = <T>({ children, cores }: Bench, file: string, ...args: readonly (string | number)[]): Promise<T> =>
  children.job<T>([...cores.server, process.execPath, join(HERE, file), ...args.map(String)], TIMEOUT_MS);

/** On all cores, as a command runs: others verify signatures and compile. */
const command = <T>({ children }: Bench, file: string, ...args: readonly (string | number)[]): Promise<T> =>
  children.job<T>([process.execPath, file, ...args.map(String)], TIMEOUT_MS);

async function chain(bench: Bench): Promise<ReportSection> {
  const { progress, quiet, quick, shortest, rounds } = bench;
  const ticks = shortest ? 50_000 : quick ? 300_000 : 1_000_000;
  progress.show(`signals: ${ticks.toLocaleString('en')} ticks of one instrument through the chain, ${rounds} rounds`);
  await quiet.wait();
  const result = await job<SignalsResult>(bench, 'contenders/signals-run.ts', ticks, rounds);
  progress.advance();
  return chainSection(result);
}

async function verifier(bench: Bench): Promise<ReportSection> {
  const { progress, quiet, quick, shortest, rounds } = bench;
  const quotes = shortest ? 40_000 : quick ? 400_000 : 1_000_000;
  progress.show(`signals: ${quotes.toLocaleString('en')} quotes judged with 100 to 100,000 signals, ${rounds} rounds`);
  await quiet.wait();
  const result = await job<VerifierResult>(bench, 'contenders/verifier-run.ts', quotes, rounds);
  progress.advance();
  return verifierSection(result);
}

async function log(bench: Bench): Promise<ReportSection> {
  const { progress, quiet, quick, shortest, rounds } = bench;
  const folder = bench.folder();
  const wanted = shortest ? 2_000 : quick ? 10_000 : WHOLE_LOG;
  let shown = -1;
  const records = await writeLog(folder, wanted, (done) => {
    const tenth = Math.floor((10 * done) / wanted);
    if (tenth === shown) return;
    shown = tenth;
    const all = wanted.toLocaleString('en');
    progress.show(`signals: writing a log, ${Math.min(done, wanted).toLocaleString('en')} of ${all} records`);
  });
  progress.advance();
  const runs: Record<LogCheck, CheckRun[]> = { hash: [], log: [], tape: [] };
  const taken: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress.show(`signals: checking the log, round ${round} of ${rounds}`);
    await quiet.wait();
    const contender = join(HERE, 'contenders/verify-run.ts');
    for (const check of CHECKS) runs[check].push(await command<CheckRun>(bench, contender, folder, check));
    const started = performance.now();
    const verified = await command<LogChecks['verified']>(bench, MAIN, 'verify', '--data', folder, '--json');
    taken.push((performance.now() - started) / 1000);
    for (const seen of [verified.records, ...CHECKS.map((check) => runs[check].at(-1)!.records)])
      if (seen !== records) throw new Error(`${seen} of ${records} records were checked`);
    progress.advance();
  }
  return logSection({ runs, command: taken, verified: { records } });
}

async function records(bench: Bench): Promise<ReportSection> {
  const { progress, quiet, quick, shortest, rounds } = bench;
  progress.show('signals: checking unsigned and signed records');
  await quiet.wait();
  const events = shortest ? 1_000 : quick ? 5_000 : 20_000;
  const contender = join(HERE, 'contenders/record-check-run.ts');
  const result = await command<RecordChecks>(bench, contender, events, rounds);
  progress.advance();
  return recordsSection(result);
}

async function publishing(bench: Bench): Promise<ReportSection> {
  const { children, cores, progress, quiet, quick, rounds } = bench;
  const folder = bench.folder();
  progress.show(`signals: making ${ACCOUNTS} accounts that publish, starting the service`);
  const keys = await makeKeys(folder, ACCOUNTS, ['read', 'publish']);
  const env = { TICKWIRE_HOUSE: 'none', TICKWIRE_MAX_ACTIVE_SIGNALS: '100000' };
  const server = await startTickwire(children, cores.server, { folder, env });
  const file = join(folder, 'publish-job.json');
  const results: PublishResult[] = [];
  // The first round warms up the JIT compiler and is discarded.
  for (let round = 0; round <= rounds; round++) {
    progress.show(`signals: publishing, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    await quiet.wait();
    const work: PublishJob = {
      port: server.port,
      keys,
      connections: PUBLISHING,
      round,
      warmMs: quick ? 200 : 500,
      measureMs: quick ? 1_000 : 3_000,
      serverPid: server.pid,
      serverCore: cores.serverCore,
      loadCore: cores.loadCore,
    };
    writeFileSync(file, JSON.stringify(work));
    const load = [...cores.load, process.execPath, join(HERE, 'load/publish-load.ts'), file];
    const result = await children.job<PublishResult>(load, work.warmMs + work.measureMs + 20_000);
    if (result.failures > 0) throw new Error(`${result.failures} responses to POST /api/signals were not 201`);
    if (round > 0) results.push(result);
    if (round > 0) progress.advance();
  }
  const records = await headOf(server.port, keys[0]!);
  const published = results.reduce((sum, result) => sum + result.published, 0);
  if (records < published) throw new Error(`${published} were answered 201, and the log has ${records} records`);
  await server.stop();
  return publishSection(results, records);
}

/** Number of the last record: every signal with a 201 response is in the log. */
async function headOf(port: number, key: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/signals/head`, { headers: { 'X-API-Key': key } });
  if (response.status !== 200) throw new Error(`GET /api/signals/head returned ${response.status}, not 200`);
  return ((await response.json()) as { n: number }).n;
}
