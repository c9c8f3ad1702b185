// `bun test bench`: checks that the benchmark works. Ignores its figures: a test must not fail because a machine is slow.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, ReportSection } from './results.ts';

const out = mkdtempSync(join(tmpdir(), 'tickwire-bench-test-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: string[]): Promise<Run> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'run.ts'), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** Runs one scenario in its shortest form. */
async function shortest(name: string, ...args: string[]): Promise<Run & { sections: readonly ReportSection[] }> {
  const folder = join(out, name);
  const result = await run(name, '--shortest', '--out', folder, ...args);
  expect(result.stderr).not.toContain('failed');
  const { sections } = JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as Report;
  return { ...result, sections };
}

/** Scenarios mostly wait, so three run at a time. */
const runs: Partial<Record<string, ReturnType<typeof shortest>>> = {};
function lane(...scenarios: [name: string, ...args: string[]][]): void {
  let last: Promise<unknown> = Promise.resolve();
  for (const [name, ...args] of scenarios) {
    const next = last.then(() => shortest(name, ...args));
    runs[name] = next;
    // A failure is reported by its own test and does not stop the next scenario.
    last = next.catch(() => {});
  }
}
beforeAll(() => {
  lane(['engine'], ['alerts'], ['rest'], ['curves']);
  lane(['fanout', '--connections', '100'], ['brokers'], ['start'], ['python']);
  lane(['history'], ['ingest'], ['idle'], ['memory'], ['resting'], ['fair'], ['venues'], ['replay']);
});
/** For all of them together, because a test waits for the scenarios before its own. */
const TIMEOUT_MS = 600_000;

const figure = ({ lines }: ReportSection, line: number, name: string): number =>
  lines[line]!.figures.find((candidate) => candidate.name.startsWith(name))!.values[0]!;

describe('the benchmark', () => {
  test(
    'measures files of history, with their targets',
    async () => {
      const { exitCode, stdout, sections } = await runs.history!;
      expect(exitCode).toBe(0);
      expect(stdout).toContain('≥ 500,000 bars/s');
      expect(sections[0]!.lines).toHaveLength(4);
      for (const { figures } of sections[0]!.lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'measures seeks, streams and memory of replays',
    async () => {
      const { exitCode, stdout, sections } = await runs.replay!;
      expect(exitCode).toBe(0);
      expect(stdout).toContain('≤ 300 ms');
      expect(figure(sections[0]!, 0, 'median')).toBeGreaterThan(0);
      expect(figure(sections[1]!, 0, 'ticks/s')).toBeGreaterThan(0);
      const beside = sections.at(-1)!;
      for (const line of [0, 1]) expect(figure(beside, line, 'p99')).toBeGreaterThan(0);
      expect(figure(beside, 1, 'messages of replays/s')).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'measures how costs grow, with an exponent of each',
    async () => {
      const { exitCode, sections } = await runs.curves!;
      expect(exitCode).toBe(0);
      expect(sections.map(({ title }) => title)).toEqual(
        ['instruments', 'alerts', 'signals', 'days on the tape', 'connections'].map((what) => `Growth with ${what}`),
      );
      for (const { lines, verdicts } of sections) {
        expect(lines).toHaveLength(2);
        for (const { values } of verdicts) expect(values[0]).toBeFinite();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'measures the Python client, where Python has its packages',
    async () => {
      const { exitCode, sections } = await runs.python!;
      expect(exitCode).toBe(0);
      const [section] = sections;
      if (section!.lines[0]!.missing === null) {
        expect(figure(section!, 0, 'ticks/s')).toBeGreaterThan(0);
        expect(figure(section!, 1, 'time')).toBeGreaterThan(0);
      } else expect(section!.lines[0]!.missing).toStartWith('python3 lacks');
    },
    TIMEOUT_MS,
  );

  test(
    'measures the engine, prints its target and writes the report',
    async () => {
      const { exitCode, stdout, sections } = await runs.engine!;
      expect(exitCode).toBe(0);
      expect(stdout).toContain('≥ 5,400,000 ticks/s');
      expect(stdout).toContain('≥ 800,000 ticks/s');
      expect(sections[0]!.lines).toHaveLength(6);
      for (const { figures } of sections[0]!.lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'measures what greedy accounts do to others',
    async () => {
      const { exitCode, sections } = await runs.fair!;
      expect(exitCode).toBe(0);
      for (const { figures } of sections[0]!.lines)
        for (const { values } of figures) expect(values[0]).toBeGreaterThan(0);
      expect(sections[0]!.notes[0]).toContain('"200":');
    },
    TIMEOUT_MS,
  );

  test(
    'measures 200 idle instruments of five venues, which cost less than a target that is far above the usual cost',
    async () => {
      const { exitCode, sections } = await runs.venues!;
      expect(exitCode).toBe(0);
      expect(figure(sections[0]!, 0, 'messages')).toBeGreaterThan(1_000);
      expect(figure(sections[0]!, 0, 'processor')).toBeLessThan(40);
    },
    TIMEOUT_MS,
  );

  test(
    'reports invalid arguments',
    async () => {
      const { exitCode, stderr } = await run('fast');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('there is no scenario fast');
      expect((await run('fanout', '--connections', '0')).stderr).toContain('--connections is 0');
    },
    TIMEOUT_MS,
  );
});

describe('the benchmark of the service', () => {
  test(
    'compares quote and history with the peers',
    async () => {
      const { sections } = await runs.rest!;
      const [quote, history] = sections;
      for (const section of [quote!, history!])
        for (const line of [0, 1]) expect(figure(section, line, 'requests/s')).toBeGreaterThan(0);
      expect(figure(quote!, 2, 'requests/s')).toBeGreaterThan(0);
      // On Node 20 it would have to be compiled first.
      const { missing } = history!.lines[2]!;
      if (missing === null) expect(figure(history!, 2, 'requests/s')).toBeGreaterThan(0);
      else expect(missing).toStartWith('peer missing: better-sqlite3');
    },
    TIMEOUT_MS,
  );

  test(
    'compares the fan-out with a bare server',
    async () => {
      const [section] = (await runs.fanout!).sections;
      for (const line of [0, 1]) expect(figure(section!, line, 'deliveries/s')).toBeGreaterThan(0);
      expect(section!.notes.join()).not.toContain('lost');
    },
    TIMEOUT_MS,
  );

  test(
    'compares with brokers, also if none is installed',
    async () => {
      const { exitCode, sections } = await runs.brokers!;
      expect(exitCode).toBe(0);
      const [growth, stepped, even] = sections;
      expect(growth!.charts).toHaveLength(4);
      for (const section of [stepped!, even!]) {
        expect(section.lines).toHaveLength(6);
        for (const line of [0, 1]) {
          expect(figure(section, line, 'deliveries/s')).toBeGreaterThan(0);
          expect(figure(section, line, 'p99')).toBeGreaterThan(0);
        }
        for (const { missing } of section.lines.slice(2))
          expect(missing ?? 'not installed').toMatch(/^not (installed|compiled)/);
        expect(section.notes.join()).not.toMatch(/disconnected|complaints/);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'measures the memory of idle connections and of the parts of the service, and a start with bars in the store',
    async () => {
      expect(figure((await runs.idle!).sections[0]!, 0, 'a connection with 20')).toBeGreaterThan(0);
      const [memory] = (await runs.memory!).sections;
      expect(memory!.lines).toHaveLength(5);
      expect(figure(memory!, 4, 'resident')).toBeGreaterThan(figure(memory!, 0, 'resident'));
      const [resting] = (await runs.resting!).sections;
      for (const name of ['resident', 'CPU time']) expect(figure(resting!, 0, name)).toBeGreaterThan(0);
      const { sections } = await runs.start!;
      const { lines } = sections[0]!;
      // The fourth is on one core, where processes can be pinned.
      expect(lines.slice(0, 3).map(({ contender }) => contender)).toEqual([
        'first start',
        'restart',
        'restart with 3 days of bars',
      ]);
      for (const { figures } of lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
      expect(sections[0]!.notes.join()).toMatch(/has \d{3},\d{3} bars/);
    },
    TIMEOUT_MS,
  );

  test(
    'measures the cost of alerts and signals, also of many',
    async () => {
      const { stdout, sections } = await runs.alerts!;
      expect(stdout).toContain('≥ 0.8 of the engine without alerts');
      const [section] = sections;
      expect(section!.lines).toHaveLength(4);
      for (const { figures } of section!.lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
      for (const { values } of section!.verdicts) expect(values[0]).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  test(
    'measures the rate of pushed and imported ticks',
    async () => {
      const { sections } = await runs.ingest!;
      expect(sections).toHaveLength(2);
      for (const { verdicts } of sections) expect(verdicts[0]!.values[0]).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
