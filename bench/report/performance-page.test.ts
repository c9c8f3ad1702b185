import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Report } from '../results.ts';
import { TARGETS } from '../targets.ts';
import {
  brokersCharts,
  brokersTables,
  brokersTargets,
  disturbedNotes,
  memoryTable,
  otherTargets,
} from './performance-blocks.ts';
import { PAGES, replaceBlock } from './performance-page.ts';

const BLOCKS = [
  'machine',
  'table: targets',
  'charts: brokers',
  'table: brokers',
  'machine: other targets',
  'table: other targets',
  'table: memory',
];

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
          series: [{ name: 'a', ours: true, points: [[1, 2]] }],
        },
      ],
    },
    {
      title: 'Brokers: 0.5M',
      lines: [
        { contender: 'a', missing: null, figures: [{ name: 'p99', unit: 'ms', values: [1, 2, 3] }] },
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
  let page = PAGES.map((path) => readFileSync(path, 'utf8')).join('\n');
  for (const name of BLOCKS) page = replaceBlock(page, name, `EARLIER ${name}`);
  for (const name of BLOCKS) page = replaceBlock(page, name, `later ${name}`);
  for (const name of BLOCKS) expect(page).toContain(`<!-- ${name} -->\n\nlater ${name}\n\n<!-- end -->`);
  expect(page).not.toContain('EARLIER');
  expect(() => replaceBlock(page, 'other', '')).toThrow('no block other');
});

test('targets of other scenarios and the parts of memory are separate, and left out if they were not measured', () => {
  const memory = {
    title: 'Memory of a service at rest',
    lines: [
      {
        contender: 'runtime',
        missing: null,
        figures: [
          { name: 'resident', unit: 'MB', values: [17] },
          { name: 'added', unit: 'MB', values: [17] },
        ],
      },
    ],
    verdicts: [{ what: 'memory: base', unit: 'MB', values: [98], bar: TARGETS.baseMemory, unjudged: null }],
    notes: ['what for'],
  };
  const report = { ...REPORT, sections: [...REPORT.sections, memory] };
  expect(memoryTable(report)).toContain('| runtime | 17.0 MB | 17.0 MB |\n\nwhat for');
  expect(otherTargets(report)).toContain('| memory: base | 98.0 MB | ≤ 90 MB | not met |');
  expect(otherTargets(report)).not.toContain('against b');
  expect(memoryTable(REPORT)).toBeNull();
  expect(otherTargets({ ...REPORT, sections: REPORT.sections.slice(0, 2) })).toBeNull();
});

test('tables, targets and charts are those of the brokers', () => {
  expect(brokersTables(REPORT)).toContain('| a | – | – | – | – | 2.00 ms (1–3) |');
  expect(brokersTables(REPORT)).toContain('| b | not installed |');
  expect(brokersTargets(REPORT)).toContain('| 0.5M: against b | – | > 1 × | not judged: not installed |');
  expect(disturbedNotes(REPORT)).toEqual(['Brokers: 0.5M: DISTURBED: other programs took up to 9 %']);
  const [chart] = brokersCharts(REPORT);
  expect(chart!.name).toBe('performance-cost-by-load.svg');
  expect(chart!.svg).toStartWith('<svg xmlns=');
});
