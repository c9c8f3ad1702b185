// A comparison of two commits of a small repository, whose benchmark writes prepared figures. Everything else is real: clone,
// npm ci, turns, and the end of it all when a comparison is interrupted.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ComparisonReport } from './comparison-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-compare-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = join(folder, 'repository');
const out = join(folder, 'out');
const temporary = join(folder, 'temporary');
const started = join(folder, 'started.txt');
const TIMEOUT_MS = 60_000;

/** Writes a report with two figures; `start` starts another process and then waits. */
const benchOf = (ticks: number, ms: number, after = ''): string => `
import { appendFileSync, writeFileSync } from 'node:fs';
const [scenario] = process.argv.slice(2);
const out = process.argv[process.argv.indexOf('--out') + 1];
appendFileSync(${JSON.stringify(started)}, import.meta.dir + ' ' + process.argv.slice(2, -1).join(' ') + '\\n');
const figures = [{ name: 'ticks/s', unit: '', values: [${ticks}] }, { name: 'p99', unit: 'ms', values: [${ms}] }];
const sections = [{ title: scenario, lines: [{ contender: 'Tickwire', missing: null, figures }], verdicts: [], notes: [] }];
writeFileSync(out + '/latest.json', JSON.stringify({ machine: 'here', pinning: '', versions: 'Bun', sections }));
if (scenario === 'start') {
  process.on('SIGTERM', () => setTimeout(() => process.exit(130), 500));
  const child = Bun.spawn(['/bin/sleep', '1000']);
  appendFileSync(${JSON.stringify(started)}, 'sleep ' + child.pid + '\\n');
  await child.exited;
}
${after}
`;

const git = (...args: string[]): string =>
  Bun.spawnSync(['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root })
    .stdout.toString()
    .trim();

function commit(bench: string): string {
  writeFileSync(join(root, 'bench/run.ts'), bench);
  git('add', '.');
  git('commit', '--quiet', '-m', 'change');
  return git('rev-parse', '--short', 'HEAD');
}

let base = '';
let failing = '';
let uninstallable = '';
beforeAll(() => {
  for (const path of ['bench/load', 'packages/server/bin']) mkdirSync(join(root, path), { recursive: true });
  const manifest = { name: 'small', version: '1.0.0', lockfileVersion: 3, packages: { '': { version: '1.0.0' } } };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'small', version: '1.0.0' }));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(manifest));
  const launcher = join(root, 'packages/server/bin/bun.mjs');
  writeFileSync(launcher, `console.log(${JSON.stringify(process.execPath)});`);
  git('init', '--quiet');
  rmSync(join(root, 'package-lock.json'));
  uninstallable = commit(benchOf(1, 1));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(manifest));
  failing = commit(benchOf(1000, 10, "if (scenario === 'rest') throw new Error('no such table');"));
  base = commit(benchOf(1000, 10));
  writeFileSync(join(root, 'bench/load/load.ts'), '');
  commit(benchOf(900, 5));
});
beforeEach(() => {
  rmSync(started, { force: true });
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
});

/** Starts the comparison in a process with a temporary folder of its own. */
function start(...args: string[]) {
  const program = `
    const { compare } = await import(${JSON.stringify(join(import.meta.dir, 'compare.ts'))});
    const { readCompareArguments } = await import(${JSON.stringify(join(import.meta.dir, 'arguments.ts'))});
    const args = readCompareArguments(${JSON.stringify([...args, '--out', out])});
    process.exitCode = await compare(args, ${JSON.stringify(root)});`;
  return Bun.spawn([process.execPath, '-e', program], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TMPDIR: temporary },
  });
}

async function run(...args: string[]) {
  const child = start(...args);
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(readdirSync(temporary)).toEqual([]);
  return { status: await child.exited, stdout, stderr };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test(
  'both sides take turns with the benchmark of their commit, and each row says which side is better',
  async () => {
    const { status, stdout, stderr } = await run(base, 'engine', 'rest', '--rounds', '2', '--max-loss', '10.5');
    expect(status).toBe(0);
    expect(stdout).toMatch(/ticks\/s +900 +1,000 +0\.90 × \(0\.90–0\.90\) +higher +10\.0 % WORSE/);
    expect(stdout).toMatch(/p99 +5\.00 ms +10\.0 ms +0\.50 × \(0\.50–0\.50\) +lower +50\.0 % better/);
    expect(stdout).toContain('THE MEASURING CODE DIFFERS, and can be the cause of a difference: bench/load/load.ts');
    expect(stderr).toContain('[ 11 %] round 1 of 2: rest, this');
    const turns = readFileSync(started, 'utf8').trim().split('\n');
    expect(turns.map((turn) => turn.includes('/other/'))).toEqual([false, true, false, true, true, false, true, false]);
    for (const turn of turns) expect(turn).toMatch(/(engine|rest) --quick --rounds 1 --out$/);
    const report = JSON.parse(readFileSync(join(out, 'compare.json'), 'utf8')) as ComparisonReport;
    expect(report.other.commit).toBe(base);
    expect(report.figures.map(({ present, other }) => [present, other])).toEqual([
      [
        [900, 900],
        [1000, 1000],
      ],
      [
        [5, 5],
        [10, 10],
      ],
      [
        [900, 900],
        [1000, 1000],
      ],
      [
        [5, 5],
        [10, 10],
      ],
    ]);
  },
  TIMEOUT_MS,
);

test(
  'a loss above --max-loss fails the comparison',
  async () => {
    const { status, stdout } = await run(base, 'engine', '--quick', '--rounds', '1', '--max-loss', '5');
    expect(status).toBe(1);
    expect(stdout).toContain('worse by more than 5 %: engine: Tickwire: ticks/s: 10.0 % WORSE');
    expect(readFileSync(started, 'utf8')).toContain('engine --shortest --rounds 1');
  },
  TIMEOUT_MS,
);

test(
  'a scenario that fails on one side fails the comparison, and the others are compared',
  async () => {
    const { status, stdout } = await run(failing, 'engine', 'rest', '--rounds', '2');
    expect(status).toBe(1);
    expect(stdout).toContain(`rest failed on other (${failing}), round 1: ended with status 1`);
    expect(stdout).toContain('no such table');
    expect(stdout).toMatch(/\nengine\n\n/);
    expect(stdout).not.toMatch(/\nrest\n\n/);
    expect(readFileSync(started, 'utf8').match(/ rest /g)).toHaveLength(2);
  },
  TIMEOUT_MS,
);

test(
  'a commit that does not exist or cannot be installed is reported',
  async () => {
    const unknown = await run('no-such-branch');
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('there is no commit no-such-branch');
    const broken = await run(uninstallable);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain(`npm ci failed at ${uninstallable}`);
    expect(existsSync(started)).toBe(false);
  },
  TIMEOUT_MS,
);

test(
  'an interrupted comparison leaves no process and no file behind',
  async () => {
    const child = start(base, 'start');
    let pid = 0;
    for (const until = Date.now() + TIMEOUT_MS; pid === 0 && Date.now() < until; await Bun.sleep(20))
      pid = existsSync(started) ? Number(/sleep (\d+)\n/.exec(readFileSync(started, 'utf8'))?.[1] ?? 0) : 0;
    expect(isAlive(pid)).toBe(true);
    // The terminal sends the signal, and so does the launcher.
    child.kill('SIGINT');
    await Bun.sleep(20);
    child.kill('SIGINT');
    expect(await child.exited).toBe(130);
    // It is dead once its new parent, init, has noticed.
    for (const until = Date.now() + 5_000; isAlive(pid) && Date.now() < until; ) await Bun.sleep(20);
    expect(isAlive(pid)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the command reports an unknown commit and invalid arguments',
  async () => {
    const command = (...args: string[]) =>
      Bun.spawnSync([process.execPath, join(dirname(import.meta.dir), 'run.ts'), 'compare', ...args]);
    const unknown = command('no-such-branch');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr.toString()).toStartWith('bench: there is no commit no-such-branch');
    const invalid = command('HEAD', '--rounds', '0');
    expect(invalid.exitCode).toBe(2);
    expect(invalid.stderr.toString()).toContain('--rounds is 0');
    expect(invalid.stderr.toString()).toContain('npm run bench -- compare COMMIT');
  },
  TIMEOUT_MS,
);
