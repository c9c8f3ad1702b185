// `npm run bench`: runs the scenarios, prints the results, and writes them as JSON and HTML; or compares two commits.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ArgumentError, type BenchArguments, HELP, readArguments, type ScenarioName } from './arguments.ts';
import { COMPARE_HELP, readCompareArguments } from './compare/arguments.ts';
import { compare } from './compare/compare.ts';
import { QuietWait } from './measure/quiet-wait.ts';
import { findPeers, type PeerPackage, type Peers } from './peers.ts';
import { Children } from './processes/children.ts';
import { cleanUpOnSignal } from './processes/clean-up.ts';
import { findCores } from './processes/cores.ts';
import { BenchProgress } from './progress.ts';
import { againstPublished, readPublished } from './report/published.ts';
import { renderText } from './report/table.ts';
import type { Report, ReportSection } from './results.ts';
import { alerts } from './scenarios/alerts.ts';
import { brokers } from './scenarios/brokers.ts';
import { curves } from './scenarios/curves.ts';
import { engine } from './scenarios/engine.ts';
import { fair } from './scenarios/fair.ts';
import { fanout } from './scenarios/fanout.ts';
import { history } from './scenarios/history.ts';
import { idle } from './scenarios/idle.ts';
import { ingest } from './scenarios/ingest.ts';
import { memory } from './scenarios/memory.ts';
import { python } from './scenarios/python.ts';
import { replay } from './scenarios/replay.ts';
import { rest } from './scenarios/rest.ts';
import { resting } from './scenarios/resting.ts';
import type { Bench, Scenario } from './scenarios/scenario.ts';
import { start } from './scenarios/start.ts';
import { venues } from './scenarios/venues.ts';

const RUNS: Readonly<Record<ScenarioName, Scenario>> = {
  rest,
  fanout,
  brokers,
  idle,
  memory,
  resting,
  engine,
  alerts,
  ingest,
  history,
  start,
  fair,
  venues,
  replay,
  curves,
  python,
};
/** Maximum total time a run waits for a quiet machine. */
const MAX_QUIET_WAIT_MS = 30_000;
const QUICK_MAX_QUIET_WAIT_MS = 6_000;

async function main(args: BenchArguments): Promise<void> {
  const startedAt = new Date();
  const root = mkdtempSync(join(tmpdir(), 'tickwire-bench-'));
  const children = new Children(root);
  const progress = new BenchProgress(process.stderr);
  const cores = findCores();
  const quiet = new QuietWait(
    [cores.serverCore, cores.loadCore].filter((core) => core !== null),
    args.shortest ? 0 : args.quick ? QUICK_MAX_QUIET_WAIT_MS : MAX_QUIET_WAIT_MS,
  );
  let peers: Promise<Peers> | null = null;
  const findPeersOnce = (): Promise<Peers> => {
    peers ??= findPeers(progress, !args.shortest);
    return peers;
  };
  const bench: Bench = {
    ...args,
    cores,
    children,
    progress,
    quiet,
    peers: findPeersOnce,
    folder: () => mkdtempSync(join(root, 'scenario-')),
  };
  const cleanUp = async (): Promise<void> => {
    await children.stopAll();
    rmSync(root, { recursive: true, force: true });
  };
  cleanUpOnSignal(progress, cleanUp);
  try {
    const sections: ReportSection[] = [];
    for (const name of args.scenarios) progress.expect(RUNS[name].steps(bench));
    for (const name of args.scenarios) sections.push(...(await attempt(name, bench)));
    progress.clear();
    const report: Report = {
      startedAt: startedAt.toISOString(),
      seconds: (Date.now() - startedAt.getTime()) / 1000,
      machine: `${processorName()}, ${availableParallelism()} cores`,
      versions: versionsOf(peers && (await peers)),
      options: `${args.shortest ? 'the shortest there is, ' : args.quick ? 'quick, ' : ''}${args.rounds} round${args.rounds === 1 ? '' : 's'} of each contender in turn, ${Math.round(quiet.waitedMs / 1000)} s waited for a quiet machine`,
      pinning: cores.note,
      sections,
    };
    process.stdout.write(renderText(report));
    const comparison = args.shortest ? [] : againstPublished(report, readPublished());
    for (const line of comparison) process.stdout.write(`  ${line}\n`);
    mkdirSync(args.out, { recursive: true });
    writeFileSync(join(args.out, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
    process.stdout.write(`written to ${join(args.out, 'latest.json')}\n`);
  } finally {
    await cleanUp();
  }
}

/** A scenario that fails must not affect the results of the others. */
async function attempt(name: ScenarioName, bench: Bench): Promise<ReportSection[]> {
  try {
    return await RUNS[name].run(bench);
  } catch (error) {
    process.exitCode = 1;
    bench.progress.say(`${name} failed: ${(error as Error).message}`);
    return [{ title: `${name}: failed`, lines: [], verdicts: [], notes: [(error as Error).message] }];
  } finally {
    await bench.children.stopAll();
  }
}

/** The runtime does not know the names of ARM processors; `lscpu` does. */
function processorName(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  if (model !== 'unknown' || !Bun.which('lscpu')) return model;
  return /^Model name: +(.+)$/m.exec(Bun.spawnSync(['lscpu']).stdout.toString())?.[1] ?? model;
}

function versionsOf(peers: Peers | null): string {
  const version = (name: string, peer: PeerPackage): string[] => ('version' in peer ? [`${name} ${peer.version}`] : []);
  const found = peers
    ? [
        ...version('Fastify', peers.fastify),
        ...version('better-sqlite3', peers.sqlite),
        ...(peers.node ? [`Node ${Bun.spawnSync([peers.node, '--version']).stdout.toString().trim().slice(1)}`] : []),
      ]
    : [];
  return [`Bun ${Bun.version}`, ...found].join(', ');
}

const given = process.argv.slice(2);
const isCompare = given[0] === 'compare';
try {
  if (isCompare) {
    const args = readCompareArguments(given.slice(1));
    if (args.help) process.stdout.write(COMPARE_HELP);
    else process.exitCode = await compare(args, dirname(import.meta.dir));
  } else {
    const args = readArguments(given);
    if (args.help) process.stdout.write(HELP);
    else await main(args);
  }
} catch (error) {
  const wrong = error instanceof ArgumentError;
  process.stderr.write(`bench: ${(error as Error).message}\n${wrong ? `\n${isCompare ? COMPARE_HELP : HELP}` : ''}`);
  process.exitCode = wrong ? 2 : 1;
}
