// The two sides of a comparison: this checkout, and a clone of the repository at another commit.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../results.ts';
import type { Commands } from './commands.ts';

/** The start of a line with which a benchmark shows its progress outside a terminal. */
export const PROGRESS = /^\[ *\d+ %\] /;
const GIT_MS = 120_000;
const INSTALL_MS = 600_000;
const TURN_MS = 900_000;
/** Programs that the benchmark uses beside Bun and the peers. */
const PROGRAMS = ['taskset', 'lscpu'];
/** The folders of `bench/` whose code affects figures. */
const MEASURING_CODE = ['contenders', 'load', 'measure', 'processes', 'scenarios'].map((name) => `bench/${name}`);

export interface Checkout {
  readonly name: string;
  readonly folder: string;
  /** Path of the Bun that this commit installs. */
  readonly bun: string;
}

/** Fails with `why` if the command fails. */
async function output(commands: Commands, folder: string, command: readonly string[], why: string): Promise<string> {
  const { status, stdout, errors } = await commands.run(command, { cwd: folder, timeoutMs: GIT_MS });
  if (status !== 0) throw new Error(errors === '' ? why : `${why}:\n${errors}`);
  return stdout.trim();
}

/** The full hash of a commit. */
export const resolveCommit = (commands: Commands, root: string, commit: string): Promise<string> =>
  output(
    commands,
    root,
    ['git', 'rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`],
    `there is no commit ${commit} in ${root}`,
  );

const shortName = (commands: Commands, root: string, commit: string): Promise<string> =>
  output(commands, root, ['git', 'rev-parse', '--short', commit], `git cannot name ${commit}`);

const findBun = (commands: Commands, folder: string): Promise<string> =>
  output(commands, folder, ['node', 'packages/server/bin/bun.mjs', '-p', 'process.execPath'], `${folder} has no Bun`);

export async function presentCheckout(commands: Commands, root: string): Promise<Checkout> {
  const head = await shortName(commands, root, 'HEAD');
  const changes = await output(commands, root, ['git', 'status', '--porcelain'], 'git status failed');
  return {
    name: changes === '' ? head : `${head} with uncommitted changes`,
    folder: root,
    bun: await findBun(commands, root),
  };
}

/** Clones the repository into `folder` and installs the packages of `commit`. */
export async function cloneCommit(commands: Commands, root: string, commit: string, folder: string): Promise<Checkout> {
  const name = await shortName(commands, root, commit);
  // A shared clone has every object of the repository, also of commits that are on no branch.
  const clone = ['git', 'clone', '--quiet', '--shared', '--no-checkout', root, folder];
  await output(commands, root, clone, `cannot clone ${root}`);
  await output(commands, folder, ['git', 'checkout', '--quiet', '--detach', commit], `cannot check out ${name}`);
  const install = ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'];
  const { status, errors } = await commands.run(install, { cwd: folder, timeoutMs: INSTALL_MS });
  if (status !== 0) throw new Error(`npm ci failed at ${name} with status ${status}:\n${errors}`);
  return { name, folder, bun: await findBun(commands, folder) };
}

/** Files of the measuring code that differ between this checkout and `commit`. */
export async function differingMeasuringCode(commands: Commands, root: string, commit: string): Promise<string[]> {
  const command = ['git', 'diff', '--name-only', commit, '--', ...MEASURING_CODE];
  const files = await output(commands, root, command, 'git diff failed');
  return files.split('\n').filter((file) => file !== '' && !file.endsWith('.test.ts'));
}

/**
 * A PATH with what the benchmark needs, but without Node: the peers that run on Node then take no part. They would not be
 * compared, and no option of the benchmark leaves them out.
 */
export function makePathWithoutNode(folder: string): string {
  mkdirSync(folder);
  for (const name of PROGRAMS) {
    const program = Bun.which(name);
    if (program) symlinkSync(program, join(folder, name));
  }
  return folder;
}

export interface Turn {
  readonly scenario: string;
  /** Uses the shortest form of the scenario. */
  readonly quick: boolean;
  /** PATH of the benchmark. */
  readonly path: string;
  /** An empty folder for its report and its temporary files. */
  readonly folder: string;
  /** Called with each line of its progress. */
  readonly onLine: (line: string) => void;
}

/** Runs one round of a scenario with the benchmark of the checkout. */
export async function measureTurn(
  commands: Commands,
  { folder: cwd, bun }: Checkout,
  { scenario, quick, path, folder, onLine }: Turn,
): Promise<Report> {
  mkdirSync(folder);
  const flags = quick ? ['--shortest'] : ['--quick'];
  const { status, errors } = await commands.run(
    [bun, 'bench/run.ts', scenario, ...flags, '--rounds', '1', '--out', folder],
    { cwd, timeoutMs: TURN_MS, env: { PATH: path, TMPDIR: folder }, onLine },
  );
  const said = errors.split('\n').filter((line) => line !== '' && !PROGRESS.test(line));
  if (status !== 0) throw new Error([`ended with status ${status}`, ...said].join('\n'));
  return JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as Report;
}
