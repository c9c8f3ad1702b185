// `npm run bench`: runs the scenarios, prints the results, and writes them as JSON and HTML.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArgumentError, type BenchArguments, HELP, readArguments, type ScenarioName } from './arguments.ts';
import { QuietWait } from './measure/quiet-wait.ts';
import { findPeers, type PeerPackage, type Peers } from './peers.ts';
import { Children } from './processes/children.ts';
import { findCores } from './processes/cores.ts';
import { BenchProgress } from './progress.ts';
import { renderHtml } from './report/html.ts';
import { summarise } from './report/summary.ts';
import { renderText } from './report/table.ts';
import type { Report, ReportSection } from './results.ts';
import { alerts } from './scenarios/alerts.ts';
import { brokers } from './scenarios/brokers.ts';
import { cluster } from './scenarios/cluster.ts';
import { deflate } from './scenarios/deflate.ts';
import { delivery } from './scenarios/delivery.ts';
import { engine } from './scenarios/engine.ts';
import { fanout } from './scenarios/fanout.ts';
import { history } from './scenarios/history.ts';
import { idle } from './scenarios/idle.ts';
import { indicators } from './scenarios/indicators.ts';
import { ingest } from './scenarios/ingest.ts';
import { memory } from './scenarios/memory.ts';
import { rest } from './scenarios/rest.ts';
import type { Bench, Scenario } from './scenarios/scenario.ts';
import { signals } from './scenarios/signals.ts';
import { soak } from './scenarios/soak.ts';
import { stalled } from './scenarios/stalled.ts';
import { start } from './scenarios/start.ts';

const RUNS: Readonly<Record<ScenarioName, Scenario>> = {
  rest,
  fanout,
  brokers,
  stalled,
  idle,
  memory,
  engine,
  indicators,
  signals,
  alerts,
  ingest,
  history,
  delivery,
  start,
  deflate,
  cluster,
  soak,
};
const INTERRUPTED = 130;
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      progress.say('stopping all processes');
      cleanUp().finally(() => process.exit(INTERRUPTED));
    });
  }
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
    mkdirSync(args.out, { recursive: true });
    writeFileSync(join(args.out, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(args.out, 'latest.html'), renderHtml(report));
    writeFileSync(join(args.out, 'summary.json'), `${JSON.stringify(summarise(report), null, 2)}\n`);
    process.stdout.write(`written to ${args.out}: latest.json, latest.html, summary.json\n`);
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
        ...version('ws', peers.ws),
        ...(peers.node ? [`Node ${Bun.spawnSync([peers.node, '--version']).stdout.toString().trim().slice(1)}`] : []),
      ]
    : [];
  return [`Bun ${Bun.version}`, ...found].join(', ');
}

try {
  const args = readArguments(process.argv.slice(2));
  if (args.help) process.stdout.write(HELP);
  else await main(args);
} catch (error) {
  const wrong = error instanceof ArgumentError;
  process.stderr.write(`bench: ${(error as Error).message}\n${wrong ? `\n${HELP}` : ''}`);
  process.exitCode = wrong ? 2 : 1;
}
