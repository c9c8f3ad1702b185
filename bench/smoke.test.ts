// `bun test bench`: the harness itself works. Its figures are not looked at: a test must not fail because a machine is slow.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from './results.ts';

const out = mkdtempSync(join(tmpdir(), 'tickwire-bench-test-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const run = (...args: string[]): ReturnType<typeof Bun.spawnSync> =>
  Bun.spawnSync([process.execPath, join(import.meta.dir, 'run.ts'), ...args]);

describe('the benchmark', () => {
  test('measures the engine, prints the bar beside it and writes both reports', () => {
    const { exitCode, stdout } = run('engine', '--quick', '--rounds', '1', '--out', out);
    expect(exitCode).toBe(0);
    expect(String(stdout)).toContain('≥ 500,000 ticks/s');
    const report = JSON.parse(readFileSync(join(out, 'latest.json'), 'utf8')) as Report;
    const [section] = report.sections;
    expect(section!.lines).toHaveLength(6);
    for (const { figures } of section!.lines) expect(figures[0]!.values[0]).toBeGreaterThan(0);
    const page = readFileSync(join(out, 'latest.html'), 'utf8');
    expect(page).toContain('<svg');
    expect(page).not.toMatch(/(src|href)=/);
  }, 40_000);

  test('measures signals: the chain, the verifier at every size, the check of a log that is sound, and publishing', () => {
    const { exitCode, stdout, stderr } = run('signals', '--quick', '--rounds', '1', '--out', out);
    expect(String(stderr)).not.toContain('failed');
    expect(exitCode).toBe(0);
    expect(String(stdout)).toContain('within 1.5 ×');
    expect(String(stdout)).toContain('≥ 50,000 records/s');
    const { sections } = JSON.parse(readFileSync(join(out, 'latest.json'), 'utf8')) as Report;
    expect(sections.map(({ lines }) => lines.length)).toEqual([3, 4, 4, 1]);
    for (const { lines, verdicts } of sections) {
      // The command as a whole has no figure of its own CPU time.
      for (const { figures } of lines) expect(figures.flatMap(({ values }) => values)[0]).toBeGreaterThan(0);
      for (const { values } of verdicts) expect(values[0]).toBeGreaterThan(0);
    }
    const closings = sections[0]!.lines[1]!.figures.find(({ name }) => name.startsWith('closings'));
    expect(closings!.values[0]).toBeGreaterThan(1);
  }, 120_000);

  test('says what is wrong with its arguments', () => {
    const { exitCode, stderr } = run('fast');
    expect(exitCode).toBe(2);
    expect(String(stderr)).toContain('there is no scenario fast');
  });
});
