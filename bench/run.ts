// `npm run bench`: runs the scenarios, prints what they found, writes it as JSON and as a page.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArgumentError, type BenchArguments, HELP, readArguments, type ScenarioName } from './arguments.ts';
import { Quiet } from './measure/quiet.ts';
import { findPeers, type Peer, type Peers } from './peers.ts';
import { Children } from './processes/children.ts';
import { findCores } from './processes/cores.ts';
import { Progress } from './progress.ts';
import { renderHtml } from './report/html.ts';
import { renderText } from './report/table.ts';
import type { Report, Section } from './results.ts';
import { cluster } from './scenarios/cluster.ts';
import { deflate } from './scenarios/deflate.ts';
import { engine } from './scenarios/engine.ts';
import { fanout } from './scenarios/fanout.ts';
import { idle } from './scenarios/idle.ts';
import { ingest } from './scenarios/ingest.ts';
import { rest } from './scenarios/rest.ts';
import type { Bench, Scenario } from './scenarios/scenario.ts';
import { signals } from './scenarios/signals.ts';
import { soak } from './scenarios/soak.ts';
import { stalled } from './scenarios/stalled.ts';
import { start } from './scenarios/start.ts';

const RUNS: Readonly<Record<ScenarioName, Scenario>> = {
  rest,
  fanout,
  stalled,
  idle,
  engine,
  signals,
  ingest,
  start,
  deflate,
  cluster,
  soak,
};
const INTERRUPTED = 130;
/** How long a run may wait in all for the machine to be quiet. */
const PATIENCE_MS = 30_000;
const QUICK_PATIENCE_MS = 6_000;

async function main(args: BenchArguments): Promise<void> {
  const startedAt = new Date();
  const root = mkdtempSync(join(tmpdir(), 'tickwire-bench-'));
  const children = new Children(root);
  const progress = new Progress(process.stderr);
  const cores = findCores();
  const quiet = new Quiet(
    [cores.serverCore, cores.loadCore].filter((core) => core !== null),
    args.shortest ? 0 : args.quick ? QUICK_PATIENCE_MS : PATIENCE_MS,
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
      progress.say('stopping what was started');
      cleanUp().finally(() => process.exit(INTERRUPTED));
    });
  }
  try {
    const sections: Section[] = [];
    for (const name of args.scenarios) progress.expect(RUNS[name].steps(bench));
    for (const name of args.scenarios) sections.push(...(await attempt(name, bench)));
    progress.clear();
    const report: Report = {
      startedAt: startedAt.toISOString(),
      seconds: (Date.now() - startedAt.getTime()) / 1000,
      machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores`,
      versions: versionsOf(peers && (await peers)),
      options: `${args.shortest ? 'the shortest there is, ' : args.quick ? 'quick, ' : ''}${args.rounds} round${args.rounds === 1 ? '' : 's'} of each contender in turn, ${Math.round(quiet.waitedMs / 1000)} s waited for a quiet machine`,
      pinning: cores.note,
      sections,
    };
    process.stdout.write(renderText(report));
    mkdirSync(args.out, { recursive: true });
    writeFileSync(join(args.out, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(args.out, 'latest.html'), renderHtml(report));
    process.stdout.write(`written: ${join(args.out, 'latest.json')}, ${join(args.out, 'latest.html')}\n`);
  } finally {
    await cleanUp();
  }
}

/** One scenario that fails must not cost what the others found. */
async function attempt(name: ScenarioName, bench: Bench): Promise<Section[]> {
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

function versionsOf(peers: Peers | null): string {
  const version = (name: string, peer: Peer): string[] => ('version' in peer ? [`${name} ${peer.version}`] : []);
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
