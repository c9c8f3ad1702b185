// Arguments of a comparison, its arithmetic, and which figures take part.
import { describe, expect, test } from 'bun:test';
import type { ReportRow, ReportSection } from '../results.ts';
import { readCompareArguments } from './arguments.ts';
import { betterOf, compareRounds } from './comparison.ts';

type Values = Readonly<Record<string, readonly [unit: string, ...values: number[]]>>;

const row = (contender: string, figures: Values): ReportRow => ({
  contender,
  missing: null,
  figures: Object.entries(figures).map(([name, [unit, ...values]]) => ({ name, unit, values })),
});
const section = (title: string, ...lines: ReportRow[]): ReportSection => ({ title, lines, verdicts: [], notes: [] });
const ours = (figures: Values): ReportSection[] => [section('work', row('Tickwire', figures))];

describe('the arithmetic', () => {
  test('takes ratios per round and their median, and knows which direction is better', () => {
    const round = (present: number, other: number) => ({
      present: ours({ 'ticks/s': ['', present], p99: ['ms', present] }),
      other: ours({ 'ticks/s': ['', other], p99: ['ms', other] }),
    });
    const { figures, notCompared } = compareRounds([round(110, 100), round(300, 200), round(132, 110)]);
    expect(notCompared).toEqual([]);
    const [rate, time] = figures;
    expect(rate).toMatchObject({ better: 'higher', present: [110, 300, 132], other: [100, 200, 110], isClear: true });
    expect(rate!.ratio).toBeCloseTo(1.2);
    expect(rate!.lossPercent).toBeCloseTo(-20);
    expect(time).toMatchObject({ better: 'lower', isClear: true });
    expect(time!.lossPercent).toBeCloseTo(20);
  });

  test('says that a difference is not clear if rounds are on both sides', () => {
    const round = (present: number) => ({
      present: ours({ 'ticks/s': ['', present] }),
      other: ours({ 'ticks/s': ['', 100] }),
    });
    expect(compareRounds([round(90), round(95), round(101)]).figures[0]).toMatchObject({ isClear: false, ratio: 0.95 });
  });

  test('lists figures that one side lacks or that have no ratio', () => {
    const { figures, notCompared } = compareRounds([
      {
        present: ours({ p50: ['ms', 1], p99: ['ms', 2], 'memory per connection': ['KB', -1] }),
        other: ours({ p50: ['ms', 1], 'p99.9': ['ms', 3], 'memory per connection': ['KB', 1] }),
      },
    ]);
    expect(figures.map(({ name }) => name)).toEqual(['p50']);
    expect(notCompared).toEqual([
      'work: Tickwire: p99 (ms): only this checkout has it',
      'work: Tickwire: memory per connection (KB): not above zero on both sides in every round',
      'work: Tickwire: p99.9 (ms): only the other commit has it',
    ]);
  });

  test('leaves out peers and baselines', () => {
    const sections = [
      section('REST', row('Tickwire', { 'requests/s': ['', 1] }), row('Fastify', { 'requests/s': ['', 1] })),
      section(
        'Memory',
        row('Bun with an open port', { resident: ['MB', 1] }),
        row('… + news', { resident: ['MB', 1] }),
      ),
    ];
    const { figures } = compareRounds([{ present: sections, other: sections }]);
    expect(figures.map(({ contender }) => contender)).toEqual(['Tickwire', '… + news']);
  });
});

test('rates are better if higher, times, memory, bytes and processor time if lower, and counts and shares are not judged', () => {
  const higher = ['requests/s', 'requests per server CPU second', 'deliveries per CPU second'];
  for (const name of higher) expect(betterOf({ name, unit: '' })).toBe('higher');
  expect(betterOf({ name: 'deliveries', unit: '/s' })).toBe('higher');
  expect(betterOf({ name: 'server CPU seconds per million deliveries', unit: 's' })).toBe('lower');
  expect(betterOf({ name: 'server memory', unit: 'MB' })).toBe('lower');
  expect(betterOf({ name: 'bytes per answer', unit: '' })).toBe('lower');
  expect(betterOf({ name: 'processor in the minute after that', unit: '% of a core' })).toBe('lower');
  expect(betterOf({ name: 'load CPU', unit: '%' })).toBeNull();
  expect(betterOf({ name: 'times read and discard', unit: '×' })).toBeNull();
  expect(betterOf({ name: 'delivered', unit: '' })).toBeNull();
});

describe('the arguments', () => {
  test('have defaults', () => {
    expect(readCompareArguments(['main'])).toMatchObject({
      commit: 'main',
      scenarios: ['engine', 'fanout', 'rest', 'start'],
      rounds: 5,
      quick: false,
      maxLoss: null,
    });
    expect(readCompareArguments(['main', '--quick']).rounds).toBe(2);
  });

  test('select scenarios, rounds and the largest loss', () => {
    const args = readCompareArguments(['HEAD~2', 'rest', 'engine', '--rounds', '7', '--max-loss', '2.5']);
    expect(args).toMatchObject({ commit: 'HEAD~2', scenarios: ['rest', 'engine'], rounds: 7, maxLoss: 2.5 });
  });

  test('are refused if they are invalid', () => {
    expect(() => readCompareArguments([])).toThrow('compare needs a commit');
    expect(() => readCompareArguments(['main', 'soak'])).toThrow('compare has no scenario soak');
    expect(() => readCompareArguments(['main', '--max-loss', 'few'])).toThrow('--max-loss is few');
    expect(() => readCompareArguments(['main', '--connections', '5'])).toThrow('--connections');
  });
});
