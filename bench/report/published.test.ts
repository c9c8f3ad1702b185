import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, ReportSection } from '../results.ts';
import { OURS } from '../scenarios/scenario.ts';
import { againstPublished, readPublished, writePublished } from './published.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-published-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const section = (title: string, rate: number, memory: number): ReportSection => ({
  title,
  lines: [
    {
      contender: OURS,
      missing: null,
      figures: [
        { name: 'requests/s', unit: '', values: [rate] },
        { name: 'resident', unit: 'MB', values: [memory] },
      ],
    },
  ],
  verdicts: [],
  notes: [],
});
const reportOf = (machine: string, ...sections: ReportSection[]): Report => ({
  ...{ startedAt: '', seconds: 1, versions: '', options: '', pinning: '' },
  machine,
  sections,
});

test('names figures that are more than 10 % worse than in the published run of the same machine', () => {
  const file = join(folder, 'published.json');
  expect(againstPublished(reportOf('a machine'), readPublished(file))[0]).toStartWith('No run was published');
  writePublished(reportOf('a machine', section('REST', 1_000, 100), section('Idle', 1_000, 100)), file);
  const worse = reportOf('a machine', section('REST', 880, 109));
  expect(againstPublished(worse, readPublished(file))).toEqual([
    'Of 2 figures, 1 is more than 10 % worse than in the published run.',
    `WORSE by 12 %: REST: ${OURS}: requests/s: 880 instead of 1,000`,
  ]);
  expect(againstPublished(reportOf('another', section('REST', 1, 1)), readPublished(file))[0]).toContain('a machine');

  writePublished(worse, file);
  expect(againstPublished(worse, readPublished(file))).toEqual([
    'Of 2 figures, none are more than 10 % worse than in the published run.',
  ]);
  expect(readPublished(file)!.sections.map(({ title }) => title)).toEqual(['Idle', 'REST']);
});
