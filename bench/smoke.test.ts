// `bun test bench`: the harness itself works. Its figures are not looked at: a test must not fail because a machine is slow.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, Section } from './results.ts';

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

/** One scenario, as short as it can be. */
async function shortest(
  name: string,
  ...args: string[]
): Promise<Run & { sections: readonly Section[]; page: string }> {
  const folder = join(out, name);
  const result = await run(name, '--shortest', '--out', folder, ...args);
  expect(result.stderr).not.toContain('failed');
  const { sections } = JSON.parse(readFileSync(join(folder, 'latest.json'), 'utf8')) as Report;
  return { ...result, sections, page: readFileSync(join(folder, 'latest.html'), 'utf8') };
}

/** Most of their time they wait: three at once, the rest behind them. */
const runs: Partial<Record<string, ReturnType<typeof shortest>>> = {};
function lane(...scenarios: [name: string, ...args: string[]][]): void {
  let last: Promise<unknown> = Promise.resolve();
  for (const [name, ...args] of scenarios) {
    const next = last.then(() => shortest(name, ...args));
    runs[name] = next;
    // One that fails does so in its own test, and the next has its turn all the same.
    last = next.catch(() => {});
  }
}
beforeAll(() => {
  lane(['engine'], ['signals'], ['rest'], ['start']);
  lane(['fanout', '--connections', '20,100'], ['stalled']);
  lane(['soak', '--minutes', '0.1', '--readers', '40'], ['idle'], ['deflate'], ['ingest']);
});
/** For all of them together, since a test waits for those before its own: what is slow here is the machine. */
const PATIENCE_MS = 600_000;

const figure = ({ lines }: Section, line: number, name: string): number =>
  lines[line]!.figures.find((candidate) => candidate.name.startsWith(name))!.values[0]!;

describe('the benchmark', () => {
  test(
    'measures the engine, prints the bar beside it and writes both reports',
    async () => {
      const { exitCode, stdout, sections, page } = await runs.engine!;
      expect(exitCode).toBe(0);
      expect(stdout).toContain('≥ 500,000 ticks/s');
      expect(sections[0]!.lines).toHaveLength(6);
      for (const { figures } of sections[0]!.lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
      expect(page).toContain('<svg');
      expect(page).not.toMatch(/(src|href)=/);
    },
    PATIENCE_MS,
  );

  test(
    'measures signals: the chain, the verifier at every size, the check of a log that is sound, and publishing',
    async () => {
      const { exitCode, stdout, sections } = await runs.signals!;
      expect(exitCode).toBe(0);
      expect(stdout).toContain('within 1.5 ×');
      expect(stdout).toContain('≥ 50,000 records/s');
      expect(sections.map(({ lines }) => lines.length)).toEqual([3, 4, 4, 1]);
      for (const { lines, verdicts } of sections) {
        // The command as a whole has no figure of its own CPU time.
        for (const { figures } of lines) expect(figures.flatMap(({ values }) => values)[0]).toBeGreaterThan(0);
        for (const { values } of verdicts) expect(values[0]).toBeGreaterThan(0);
      }
      expect(figure(sections[0]!, 1, 'closings')).toBeGreaterThan(1);
    },
    PATIENCE_MS,
  );

  test(
    'says what is wrong with its arguments',
    async () => {
      const { exitCode, stderr } = await run('fast');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('there is no scenario fast');
      expect((await run('soak', '--minutes', '0')).stderr).toContain('--minutes is 0');
    },
    PATIENCE_MS,
  );
});

describe('the benchmark of the service', () => {
  test(
    'measures quote and history against their peers',
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
    PATIENCE_MS,
  );

  test(
    'measures the fan-out at every number of connections, and draws how it grows',
    async () => {
      const { sections, page } = await runs.fanout!;
      const [growth, few, many] = sections;
      expect(growth!.charts).toHaveLength(4);
      for (const section of [few!, many!]) {
        for (const name of ['deliveries/s', 'p50', 'p99', 'p99.9', 'server memory'])
          expect(figure(section, 0, name)).toBeGreaterThan(0);
        expect(section.notes.join()).not.toContain('lost');
      }
      expect(page).toContain('by connections');
    },
    PATIENCE_MS,
  );

  test(
    'tells what became of a reader that stopped reading',
    async () => {
      const { stdout, sections } = await runs.stalled!;
      expect(stdout).toContain('within 1.2 ×');
      expect(sections[0]!.lines).toHaveLength(2);
      expect(stdout).toMatch(/found: (slow|closed with 4409) \(/);
    },
    PATIENCE_MS,
  );

  test(
    'measures what idle connections take, and a start with bars in the store',
    async () => {
      expect(figure((await runs.idle!).sections[0]!, 0, 'the server with')).toBeGreaterThan(0);
      const { sections } = await runs.start!;
      expect(sections[0]!.lines).toHaveLength(3);
      expect(sections[0]!.notes.join()).toMatch(/has \d,\d{3},\d{3} bars/);
    },
    PATIENCE_MS,
  );

  test(
    'measures how fast ticks are pushed and imported',
    async () => {
      const { sections } = await runs.ingest!;
      expect(sections).toHaveLength(2);
      for (const { verdicts } of sections) expect(verdicts[0]!.values[0]).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  test(
    'measures what compression costs and saves',
    async () => {
      const { sections } = await runs.deflate!;
      for (const section of sections) {
        const [off, shared] = [0, 1].map((line) => figure(section, line, 'bytes on the wire'));
        expect(off).toBeGreaterThan(100);
        expect(shared).toBeLessThan(off!);
      }
    },
    PATIENCE_MS,
  );

  test(
    'soaks: no reader loses anything it is not told of',
    async () => {
      const { exitCode, sections } = await runs.soak!;
      const [soak] = sections;
      expect(figure(soak!, 0, 'deliveries')).toBeGreaterThan(1_000);
      expect(figure(soak!, 0, 'resumed')).toBeGreaterThan(0);
      expect(soak!.verdicts.slice(0, 4).map(({ what, values }) => [what, values[0]!])).toEqual([
        ['soak: undeclared gaps', 0],
        ['soak: messages that came twice', 0],
        ['soak: messages that could not be read', 0],
        ['soak: errors in the log', 0],
      ]);
      expect(exitCode).toBe(0);
    },
    PATIENCE_MS,
  );
});
