// `npm test` and `npm run test:all`: runs the test files and ends with a summary of what was not run, and why.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';

const ROOT = dirname(import.meta.dir);
/** Files that take longest, in seconds. They start first, so that no worker is left alone with one at the end. */
const LONGEST: Readonly<Record<string, number>> = {
  'packages/server/src/signals/proof/attacks.slow.test.ts': 200,
  'packages/server/src/cli/kill-signals.slow.test.ts': 190,
  'e2e/accessibility.test.ts': 180,
  'proof/start-orders.test.ts': 130,
  'packages/server/src/cli/kill-restart.slow.test.ts': 115,
  'packages/sentiment/src/quality.slow.test.ts': 90,
  'proof/second-implementation/agreement.test.ts': 75,
  'packages/server/src/store/postgres/postgres-store.test.ts': 50,
  'packages/server/src/app/cluster-lifecycle.test.ts': 45,
};
/** How many of the slowest files the summary lists. */
const SLOWEST = 10;
/** Lines before a failure that the summary repeats: what was expected, and where. */
const LINES_OF_FAILURE = 30;
const HELP = `npm test [-- NAME…]            the quick suites, or the files whose path contains a NAME
npm run test:all               everything: slow proofs, browser tests and the cluster proof too
npm run test:slow              only what npm test leaves out

Suites that need a service run if it is there:
  PostgreSQL   TICKWIRE_TEST_DATABASE_URL   a user who may create databases
  Redis        TICKWIRE_TEST_REDIS_URL
  Chromium     on the PATH, or named in TICKWIRE_CHROMIUM
TICKWIRE_TEST_REQUIRE_SERVICES=1 makes a missing service a failure.
`;

interface Suite {
  readonly name: string;
  readonly includes: (path: string) => boolean;
}

/** What only `test:all` runs. A file belongs to the first suite that includes it. */
const SLOW_SUITES: readonly Suite[] = [
  { name: 'browser tests', includes: (path) => path.startsWith('e2e/') },
  { name: 'agreement proof', includes: (path) => path.startsWith('proof/second-implementation/') },
  { name: 'cluster proof', includes: (path) => path.startsWith('proof/') },
  { name: 'slow proofs', includes: (path) => path.endsWith('.slow.test.ts') },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, slow: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const paths = ['packages/**/*.test.{ts,tsx}', '{deploy,e2e,examples,proof,tools}/**/*.test.ts']
  .flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)])
  .filter((path) => !path.includes('node_modules/'))
  .sort();
const suiteOf = (path: string): Suite | undefined => SLOW_SUITES.find(({ includes }) => includes(path));
const chosen =
  positionals.length > 0
    ? paths.filter((path) => positionals.some((name) => path.includes(name)))
    : paths.filter((path) => values.all || (suiteOf(path) !== undefined) === (values.slow ?? false));
if (chosen.length === 0) {
  process.stderr.write(`No test file has ${positionals.join(' or ')} in its path.\n`);
  process.exit(2);
}

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'tickwire-timings-'));
const timings = join(folder, 'timings.json');
const expected = Object.entries(LONGEST).map(([path, seconds]) => [path, seconds * 1_000]);
writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(expected) }));
// Quick files share their modules: loading these anew takes a third of the time. Slow ones start processes and browsers.
const isQuick = positionals.length === 0 && !values.all && !values.slow;
const workers = ['--parallel=3', ...(isQuick ? ['--no-isolate', '--timeout=20000'] : ['--timeout=60000'])];
const options = [...workers, `--timings=${timings}`, '--update-timings'];
// In a terminal a dot per test is enough; elsewhere the log keeps every name.
if (process.stdout.isTTY) options.push('--dots');
const child = Bun.spawn([process.execPath, 'test', ...options, ...chosen.map((path) => `./${path}`)], {
  cwd: ROOT,
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'pipe',
});
/** Why tests were skipped, as `packages/server/testing/skipped.fixture.ts` reports it. */
const reasons = new Set<string>();
const counts = { pass: 0, fail: 0, skip: 0 };
/** Each failed test with the lines before it, so that the end of a long log says why it failed. */
const failures = new Map<string, readonly string[]>();
/** Errors that were printed before the result of another test: tests run side by side, and some errors belong to none. */
const strayErrors: string[][] = [];
/** Since the last result of a test. */
let since: string[] = [];
await Promise.all([copy(child.stdout, process.stdout), copy(child.stderr, process.stderr)]);
const code = await child.exited;
process.stdout.write(summary());
rmSync(folder, { recursive: true });
process.exit(code);

async function copy(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of from) {
    to.write(bytes);
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) read(line);
  }
}

function read(line: string): void {
  if (/^\((pass|skip|todo)\) /.test(line)) {
    if (since.some((each) => /^ *error: |^# Unhandled error/.test(each))) strayErrors.push(since);
    since = [];
  } else if (line.startsWith('(fail) ')) {
    // The names of failed tests are listed once more at the end, without their errors.
    if (!failures.has(line)) failures.set(line, since);
    since = [];
  } else if (line.startsWith('  ^ ')) {
    // Why it failed, such as a time-out.
    const last = [...failures.keys()].at(-1);
    if (last !== undefined) failures.set(last, [...failures.get(last)!, line]);
  } else since = [...since.slice(1 - LINES_OF_FAILURE), line];
  const reason = /^SKIPPED: (.+)$/.exec(line)?.[1];
  if (reason) reasons.add(reason);
  const [, count, kind] = /^ +(\d+) (pass|fail|skip)$/.exec(line) ?? [];
  if (kind) counts[kind as keyof typeof counts] = Number(count);
}

/** The files that took longest, as lines. A run that was interrupted has no times. */
function slowest(): string {
  const { files } = JSON.parse(readFileSync(timings, 'utf8')) as { files: Record<string, number> };
  if (chosen.length <= SLOWEST || Object.keys(files).length < chosen.length) return '';
  const longest = Object.entries(files)
    .filter(([path]) => chosen.includes(path))
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([path, ms]) => `  ${(ms / 1000).toFixed(1).padStart(5)} s  ${path}`);
  return `Slowest files:\n${longest.join('\n')}\n`;
}

function summary(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  const left = paths.filter((path) => !chosen.includes(path));
  const suites = SLOW_SUITES.map(({ name }) => ({ name, files: left.filter((path) => suiteOf(path)?.name === name) }));
  const notRun = [
    ...(positionals.length > 0 || values.slow ? [] : suites)
      .filter(({ files }) => files.length > 0)
      .map(
        ({ name, files }) =>
          `${name} (${files.length} ${files.length === 1 ? 'file' : 'files'}): run them with "npm run test:all"`,
      ),
    ...[...reasons].sort(),
  ];
  return [
    '',
    ...(code === 0 ? [] : strayErrors).flatMap((lines) => ['An error without a test:', ...lines, '']),
    ...[...failures].flatMap(([name, lines]) => [...lines, name, '']),
    slowest(),
    `${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped`,
    `${chosen.length} ${chosen.length === 1 ? 'file' : 'files'} in ${Math.floor(seconds / 60)} min ${seconds % 60} s`,
    notRun.length > 0 ? `Not run:\n${notRun.map((each) => `  ${each}`).join('\n')}` : 'Nothing was left out.',
    '',
  ].join('\n');
}
