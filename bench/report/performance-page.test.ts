import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { brokersCharts, brokersTables, disturbedNotes, targetsTable } from './performance-blocks.ts';
import { replaceBlock } from './performance-page.ts';

const BLOCKS = ['machine', 'table: targets', 'charts: brokers', 'table: brokers'];

const REPORT: Report = {
  startedAt: '2026-01-02T03:04:05.000Z',
  seconds: 1,
  machine: 'm',
  versions: 'v',
  options: 'o',
  pinning: 'p',
  sections: [
    {
      title: 'Brokers: cost and latency by load',
      lines: [],
      verdicts: [],
      notes: [],
      charts: [
        {
          title: 'Cost, by load',
          unit: 's',
          marks: [
            [1, 'one'],
            [2, 'two'],
          ],
          log: 'none',
          series: [{ name: 'a', ours: true, points: [[1, 2]] }],
        },
      ],
    },
    {
      title: 'Brokers: 0.5M',
      lines: [
        { contender: 'a', missing: null, figures: [{ name: 'p99', unit: 'ms', values: [1, 2, 3], plotted: false }] },
        { contender: 'b', missing: 'not installed', figures: [] },
      ],
      verdicts: [
        {
          what: 'brokers, 0.5M: against b',
          unit: '×',
          values: [],
          bar: TARGETS.brokersAhead,
          unjudged: 'not installed',
        },
      ],
      notes: ['DISTURBED: other programs took up to 9 %'],
    },
    { title: 'Engine', lines: [], verdicts: [], notes: ['DISTURBED: elsewhere'] },
  ],
};

test('the page has every block, and only its content is replaced', () => {
  let page = readFileSync(join(import.meta.dir, '../../docs/performance.md'), 'utf8');
  for (const name of BLOCKS) page = replaceBlock(page, name, `EARLIER ${name}`);
  for (const name of BLOCKS) page = replaceBlock(page, name, `later ${name}`);
  for (const name of BLOCKS) expect(page).toContain(`<!-- ${name} -->\n\nlater ${name}\n\n<!-- end -->`);
  expect(page).not.toContain('EARLIER');
  expect(() => replaceBlock(page, 'other', '')).toThrow('no block other');
});

test('tables, targets and charts are those of the brokers', () => {
  expect(brokersTables(REPORT)).toContain('| a | – | – | – | – | 2.00 ms (1–3) |');
  expect(brokersTables(REPORT)).toContain('| b | not installed |');
  expect(targetsTable(REPORT)).toContain('| 0.5M: against b | – | > 1 × | not judged: not installed |');
  expect(disturbedNotes(REPORT)).toEqual(['Brokers: 0.5M: DISTURBED: other programs took up to 9 %']);
  const [chart] = brokersCharts(REPORT);
  expect(chart!.name).toBe('performance-cost-by-load.svg');
  expect(chart!.svg).toStartWith('<svg xmlns=');
});
