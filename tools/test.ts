// `npm test`, `npm run test:all` and `npm run test:full`: runs the test files and ends with a summary of what was not run, and why.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';

const ROOT = dirname(import.meta.dir);
/** Files that take longest, in seconds. They start first, so that no worker is left alone with one at the end. */
const LONGEST: Readonly<Record<string, number>> = {
  'e2e/accessibility.test.ts': 278,
  'proof/start-orders.test.ts': 198,
  'packages/server/src/signals/proof/attacks.slow.test.ts': 118,
  'packages/sentiment/src/quality.slow.test.ts': 103,
  'packages/server/src/export/round-trip.slow.test.ts': 97,
  'examples/examples.slow.test.ts': 90,
  'packages/server/src/pages/api-documents.slow.test.ts': 85,
  'packages/server/src/cli/import.slow.test.ts': 80,
  'packages/server/src/cluster/journal/redis-journal-faults.slow.test.ts': 78,
  'e2e/chart-toolbar.test.ts': 73,
  'e2e/layout.test.ts': 71,
  'packages/server/src/cli/export.slow.test.ts': 55,
  'proof/ranking/ranking.test.ts': 50,
  'packages/server/src/cli/kill-signals.slow.test.ts': 50,
  'packages/server/src/cli/verify-remote.slow.test.ts': 45,
  'packages/server/src/app/cluster-lifecycle.slow.test.ts': 45,
  'packages/server/src/cli/kill-restart.slow.test.ts': 40,
  'tools/pack/python-package.slow.test.ts': 37,
  'tools/pack/client-package.slow.test.ts': 32,
  'packages/contract/src/documents/openapi.test.ts': 20,
  'packages/server/src/store/postgres/postgres-store.test.ts': 17,
  'packages/server/src/cluster/journal/redis-journal.test.ts': 14,
  'packages/server/src/accounts/account-security.test.ts': 13,
};
const USUAL_SECONDS = 5;
/** How many of the slowest files the summary lists. */
const SLOWEST = 10;
/** Lines before a failure that the summary repeats: what was expected, and where. */
const LINES_OF_FAILURE = 30;
const HELP = `npm test [-- NAME…]            the quick suites, or the files whose path contains a NAME
npm run test:all               everything: slow proofs, browser tests and the cluster proof too
npm run test:slow              only what npm test leaves out
npm run test:full              everything, with as many kills and random signals as the documentation states

Suites that need a service run if it is there:
  PostgreSQL   TICKWIRE_TEST_DATABASE_URL   a user who may create databases
  Redis        TICKWIRE_TEST_REDIS_URL
  Chromium     on the PATH, or named in TICKWIRE_CHROMIUM
TICKWIRE_TEST_REQUIRE_SERVICES=1 makes a missing service a failure.
`;

/** They build the guide in its folder. */
const BUILDS_GUIDE =
  /^(e2e\/guide\.test|tools\/(pack\/(executable|service-package)|release\/release)\.slow\.test)\.ts$/;

interface Suite {
  readonly name: string;
  /** Nothing else runs beside it: it measures times, or its files write to the same folders. */
  readonly isAlone?: boolean;
  readonly includes: (path: string) => boolean;
}

/** What only `test:all` runs. A file belongs to the first suite that includes it. */
const SLOW_SUITES: readonly Suite[] = [
  { name: 'packages and the guide', isAlone: true, includes: (path) => BUILDS_GUIDE.test(path) },
  { name: 'browser tests', includes: (path) => path.startsWith('e2e/') },
  { name: 'agreement proof', includes: (path) => path.startsWith('proof/second-implementation/') },
  { name: 'ranking proof', includes: (path) => path.startsWith('proof/ranking/') },
  { name: 'failures of a cluster', isAlone: true, includes: (path) => path === 'proof/proof.test.ts' },
  { name: 'cluster proof', includes: (path) => path.startsWith('proof/') },
  { name: 'slow proofs', includes: (path) => path.endsWith('.slow.test.ts') },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    slow: { type: 'boolean' },
    full: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
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
    : paths.filter((path) => values.all || values.full || (suiteOf(path) !== undefined) === (values.slow ?? false));
if (chosen.length === 0) {
  process.stderr.write(`No test file has ${positionals.join(' or ')} in its path.\n`);
  process.exit(2);
}

const started = performance.now();
/** For what the test files of this run share. */
const folder = mkdtempSync(join(tmpdir(), 'tickwire-tests-'));
const timings = join(folder, 'timings.json');
// A file without a time would start before those with one.
const expected = chosen.map((path) => [path, (LONGEST[path] ?? USUAL_SECONDS) * 1_000]);
writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(expected) }));
// Quick files share their modules: loading them again takes a third of the time. Slow ones start processes and browsers.
const isQuick = positionals.length === 0 && !values.all && !values.slow && !values.full;
const shared = [isQuick ? '--no-isolate' : '', `--timeout=${isQuick ? 20_000 : 60_000}`].filter(Boolean);
// In a terminal a dot per test is enough; elsewhere the log keeps every name.
if (process.stdout.isTTY) shared.push('--dots');
/** Why tests were skipped, as `packages/server/testing/skipped.fixture.ts` reports it. */
const reasons = new Set<string>();
const counts = { pass: 0, fail: 0, skip: 0 };
/** Each failed test with the lines before it, so that the end of a long log says why it failed. */
const failures = new Map<string, readonly string[]>();
/** Errors that were printed before the result of another test: tests run side by side, and some errors belong to none. */
const strayErrors: string[][] = [];
/** Since the last result of a test. */
let since: string[] = [];
const together = chosen.filter((path) => !suiteOf(path)?.isAlone);
let code = 0;
// Slow files wait much.
if (together.length > 0)
  code = await run(together, [`--parallel=${isQuick ? 3 : 4}`, `--timings=${timings}`, '--update-timings']);
for (const suite of SLOW_SUITES.filter(({ isAlone }) => isAlone)) {
  const files = chosen.filter((path) => suiteOf(path) === suite);
  if (files.length > 0) code = (await run(files, [])) || code;
}
process.stdout.write(summary());
rmSync(folder, { recursive: true });
process.exit(code);

async function run(files: readonly string[], options: readonly string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, 'test', ...shared, ...options, ...files.map((path) => `./${path}`)], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TICKWIRE_TEST_FOLDER: folder, ...(values.full && { TICKWIRE_TEST_FULL: '1' }) },
  });
  await Promise.all([copy(child.stdout, process.stdout), copy(child.stderr, process.stderr)]);
  return child.exited;
}

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
  if (kind) counts[kind as keyof typeof counts] += Number(count);
}

/** The files that took longest, as lines. A run that was interrupted has no times. */
function slowest(): string {
  const { files } = JSON.parse(readFileSync(timings, 'utf8')) as { files: Record<string, number> };
  if (together.length <= SLOWEST || Object.keys(files).length < together.length) return '';
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
