// The packages Tickwire is compared with: installed on first use, then probed on this Node version. A peer that does not run
// costs its own rows, not the whole run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchProgress } from './progress.ts';

const HERE = import.meta.dir;
const INSTALL_MS = 300_000;
const PROBE_MS = 20_000;

/** A usable peer, or the reason why it is not usable. */
export type PeerPackage = { readonly path: string; readonly version: string } | { readonly missing: string };

export interface Peers {
  readonly node: string | null;
  readonly fastify: PeerPackage;
  readonly sqlite: PeerPackage;
}

export const missingReason = (...peers: readonly PeerPackage[]): string | null =>
  peers.map((peer) => ('missing' in peer ? peer.missing : null)).find((reason) => reason !== null) ?? null;

const USE: Readonly<Record<string, string>> = {
  fastify: 'module()',
  'better-sqlite3': 'new module(":memory:").prepare("select 1").get()',
};

/** `build`: whether to compile a peer that has no build for this Node version, which takes minutes. */
export async function findPeers(progress: BenchProgress, build: boolean): Promise<Peers> {
  const node = Bun.which('node');
  if (!node) {
    const missing = { missing: 'peer missing: node is not on the PATH' };
    return { node, fastify: missing, sqlite: missing };
  }
  const failed = await install(HERE, 'installing the peers into bench/node_modules, this once', progress);
  const peer = async (name: string): Promise<PeerPackage> =>
    failed === null ? await probe(node, HERE, name) : { missing: `peer missing: ${failed}` };
  const fastify = await peer('fastify');
  let sqlite = await peer('better-sqlite3');
  if ('missing' in sqlite && failed === null && nodeMajor(node) < 22) {
    const older = join(HERE, 'node20');
    const why = 'better-sqlite3 13 needs Node 22: building version 12 in bench/node20, this once, up to two minutes';
    const reason = build || isInstalled(older) ? await install(older, why, progress) : 'a longer run builds it';
    if (reason === null) sqlite = await probe(node, older, 'better-sqlite3');
    else sqlite = { missing: `${sqlite.missing}; version 12 is not built: ${reason}` };
  }
  return { node, fastify, sqlite };
}

const isInstalled = (folder: string): boolean => existsSync(join(folder, 'node_modules', '.package-lock.json'));

/** `null` on success, otherwise the reason of the failure. */
async function install(folder: string, why: string, progress: BenchProgress): Promise<string | null> {
  if (isInstalled(folder)) return null;
  progress.say(`${why} (npm ci)`);
  const started = performance.now();
  const npm = Bun.which('npm');
  if (!npm) return 'npm is not on the PATH';
  const child = Bun.spawn([npm, 'ci', '--prefix', folder, '--no-audit', '--no-fund'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_MS,
  });
  const timer = setInterval(() => {
    progress.show(`npm ci: ${Math.round((performance.now() - started) / 1000)} s`);
  }, 10_000);
  const [errors, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  clearInterval(timer);
  if (status === 0) return null;
  return errors.split('\n').find((line) => line.includes('npm error')) ?? `npm ci ended with status ${status}`;
}

/** Runs in a separate process, because a native addon built for another Node version crashes instead of throwing. */
async function probe(node: string, folder: string, name: string): Promise<PeerPackage> {
  const script = `const module = require(process.argv[1]); ${USE[name]}; console.log(require(process.argv[1] + '/package.json').version)`;
  const path = join(folder, 'node_modules', name);
  const child = Bun.spawn([node, '-e', script, path], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: PROBE_MS,
  });
  const [version, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (child.exitCode === 0) return { path, version: version.trim() };
  const reason = child.signalCode
    ? `crashes with ${child.signalCode}`
    : (/^.*Error.*$/m.exec(errors)?.[0] ?? 'does not load');
  return { missing: `peer missing: ${name} ${reason} on Node ${nodeVersion(node)}` };
}

const nodeVersion = (node: string): string => Bun.spawnSync([node, '--version']).stdout.toString().trim().slice(1);
const nodeMajor = (node: string): number => Number.parseInt(nodeVersion(node), 10);
