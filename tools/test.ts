// `npm test`, `npm run test:all` and `npm run test:full`: runs the test files and ends with a summary of what was not run, and why.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { TestLog } from './test-log.ts';

const ROOT = dirname(import.meta.dir);
/** Files that take longest, in seconds beside others. They start first, so that no worker is left alone with one at the end. */
const LONGEST: Readonly<Record<string, number>> = {
  'proof/start-orders.test.ts': 300,
  'e2e/accessibility.test.ts': 200,
  'packages/server/src/export/round-trip.slow.test.ts': 160,
  'examples/first-steps/clients.slow.test.ts': 160,
  'examples/examples.slow.test.ts': 130,
  'packages/server/src/pages/api-documents.slow.test.ts': 115,
  'packages/sentiment/src/quality.slow.test.ts': 103,
  'packages/server/src/cli/change-markets.slow.test.ts': 100,
  'packages/server/src/cli/import.slow.test.ts': 95,
  'packages/server/src/cluster/journal/redis-journal-faults.slow.test.ts': 90,
  'e2e/drawing.test.ts': 90,
  'packages/server/src/cli/kill-signals.slow.test.ts': 90,
  'packages/server/src/signals/proof/attacks.slow.test.ts': 75,
  'e2e/chart-toolbar.test.ts': 75,
  'packages/client/src/package.slow.test.ts': 75,
  'e2e/layout.test.ts': 70,
  'e2e/indicators.test.ts': 65,
  'e2e/layouts.test.ts': 60,
  'packages/server/src/ws/slow-consumers.slow.test.ts': 60,
  'packages/server/src/cli/export.slow.test.ts': 55,
  'packages/server/testing/attacks/slices.slow.test.ts': 55,
  'e2e/real-markets.test.ts': 55,
  'e2e/publishers.test.ts': 50,
  'e2e/requests.test.ts': 50,
  'e2e/chart-frame.test.ts': 50,
  'e2e/reference.test.ts': 50,
  'packages/server/src/news/open-news.slow.test.ts': 50,
  'examples/pages.slow.test.ts': 50,
  'e2e/markets.test.ts': 45,
  'packages/server/src/cli/verify-remote.slow.test.ts': 45,
  'packages/server/src/app/cluster-lifecycle.slow.test.ts': 45,
  'e2e/channels.test.ts': 45,
  'packages/server/src/cli/kill-restart.slow.test.ts': 40,
  'e2e/signals.test.ts': 40,
  'e2e/trading-session.test.ts': 40,
  'tools/pack/python-package.slow.test.ts': 37,
  'tools/pack/client-package.slow.test.ts': 32,
  'proof/ranking/ranking.test.ts': 25,
  'packages/contract/src/documents/openapi.test.ts': 20,
  'packages/server/src/store/postgres/postgres-store.test.ts': 17,
  'packages/server/src/cluster/journal/redis-journal.test.ts': 14,
  'packages/server/src/accounts/account-security.test.ts': 13,
};
const USUAL_SECONDS = 5;
/** Of one test, unless it states more: a machine that is ten times slower than usual must pass. */
const QUICK_LIMIT_MS = 120_000;
const SLOW_LIMIT_MS = 600_000;
/** How many of the slowest files the summary lists. */
const SLOWEST = 10;
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
  /^(e2e\/guide\.test|(tools\/(pack\/(executable|service-package)|release\/release)|examples\/first-steps\/self-hosting)\.slow\.test)\.ts$/;

interface Suite {
  readonly name: string;
  /**
   * How its files run. Default: beside others.
   * - `alone`: nothing else runs, because they measure times.
   * - `in turn`: one after another, because they write to the same folder.
   * - `sharing`: with shared modules and browsers, which take a second of computing per file.
   */
  readonly runs?: 'alone' | 'in turn' | 'sharing';
  readonly includes: (path: string) => boolean;
}

/** What only `test:all` runs. A file belongs to the first suite that includes it. */
const SLOW_SUITES: readonly Suite[] = [
  { name: 'packages and the guide', runs: 'in turn', includes: (path) => BUILDS_GUIDE.test(path) },
  { name: 'browser tests', runs: 'sharing', includes: (path) => path.startsWith('e2e/') },
  { name: 'agreement proof', includes: (path) => path.startsWith('proof/second-implementation/') },
  { name: 'ranking proof', includes: (path) => path.startsWith('proof/ranking/') },
  { name: 'failures of a cluster', runs: 'alone', includes: (path) => path === 'proof/proof.test.ts' },
  {
    name: 'first start of real markets',
    runs: 'alone',
    includes: (path) => path.endsWith('/live-history.slow.test.ts'),
  },
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
const isQuick = positionals.length === 0 && !values.all && !values.slow && !values.full;
const shared = [`--timeout=${isQuick ? QUICK_LIMIT_MS : SLOW_LIMIT_MS}`];
// In a terminal a dot per test is enough; elsewhere the log keeps every name.
if (process.stdout.isTTY) shared.push('--dots');
const log = new TestLog();
/** Milliseconds per file, of those that ran in parallel. */
const times: Record<string, number> = {};
const filesThatRun = (runs: Suite['runs']): string[] => chosen.filter((path) => suiteOf(path)?.runs === runs);
// Slow files wait much: five or six of them keep two cores busy. Quick ones share their modules: loading those again takes a third of
// the time.
const codes = await Promise.all([
  runParallel(filesThatRun(undefined), 3, isQuick),
  runParallel(filesThatRun('sharing'), 2, true),
  run(filesThatRun('in turn')),
]);
codes.push(await run(filesThatRun('alone')));
const code = Math.max(...codes);
process.stdout.write(summary());
rmSync(folder, { recursive: true });
process.exit(code);

/** Runs files in several processes. */
async function runParallel(files: readonly string[], processes: number, sharesModules: boolean): Promise<number> {
  const timings = join(folder, `timings-${processes}.json`);
  // A file without a time would start before those with one.
  const expected = files.map((path) => [path, (LONGEST[path] ?? USUAL_SECONDS) * 1_000]);
  writeFileSync(timings, JSON.stringify({ version: 1, files: Object.fromEntries(expected) }));
  const isolation = sharesModules ? ['--no-isolate'] : [];
  const ended = await run(files, [...isolation, `--parallel=${processes}`, `--timings=${timings}`, '--update-timings']);
  try {
    Object.assign(times, (JSON.parse(readFileSync(timings, 'utf8')) as { files: Record<string, number> }).files);
  } catch {
    // It was killed while it wrote them. The summary must still be printed.
  }
  return ended;
}

async function run(files: readonly string[], options: readonly string[] = []): Promise<number> {
  if (files.length === 0) return 0;
  const child = Bun.spawn([process.execPath, 'test', ...shared, ...options, ...files.map((path) => `./${path}`)], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TICKWIRE_TEST_FOLDER: folder, ...(values.full && { TICKWIRE_TEST_FULL: '1' }) },
  });
  const read = log.reader();
  await Promise.all([copy(child.stdout, process.stdout, read), copy(child.stderr, process.stderr, read)]);
  return child.exited;
}

async function copy(
  from: ReadableStream<Uint8Array>,
  to: NodeJS.WriteStream,
  read: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of from) {
    to.write(bytes);
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) read(line);
  }
}

/** The files that took longest, as lines. */
function slowest(): string {
  if (Object.keys(times).length <= SLOWEST) return '';
  const longest = Object.entries(times)
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
    ...[...log.reasons].sort(),
  ];
  return [
    '',
    ...(code === 0 ? [] : log.strayErrors).flatMap((lines) => ['An error without a test:', ...lines, '']),
    ...log.failures.flatMap(({ line, lines }) => [...lines, line, '']),
    slowest(),
    `${log.counts.pass} passed, ${log.counts.fail} failed, ${log.counts.skip} skipped`,
    `${chosen.length} ${chosen.length === 1 ? 'file' : 'files'} in ${Math.floor(seconds / 60)} min ${seconds % 60} s`,
    notRun.length > 0 ? `Not run:\n${notRun.map((each) => `  ${each}`).join('\n')}` : 'Nothing was left out.',
    '',
  ].join('\n');
}
