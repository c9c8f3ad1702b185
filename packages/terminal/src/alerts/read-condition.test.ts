import { describe, expect, test } from 'bun:test';
import { AlertCondition, type SimpleCondition } from '@tickwire/contract';
import { CONDITION_KINDS, CONDITION_TYPES, type ConditionType, textsOf } from './condition-kinds.ts';
import { fieldName, readCondition } from './read-condition.ts';

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A form whose rows have these texts. */
const formOf = (rows: readonly Texts[]) => {
  const all = new Map(
    rows.flatMap((row, at) => Object.entries(row).map(([name, text]) => [fieldName(at, name), text] as const)),
  );
  return {
    text: (name: string) => String(all.get(name) ?? ''),
    all: (name: string) => [all.get(name) ?? []].flat(),
  };
};

/** The texts that the form shows at first, with a level or threshold filled in. */
const first = (type: ConditionType): Texts =>
  Object.fromEntries(
    CONDITION_KINDS[type].fields.map(({ name, kind, value, choices, optional }) => [
      name,
      kind === 'several'
        ? choices!.map((choice) => choice.value)
        : (value ?? choices?.[0]?.value ?? (optional ? '' : '12.5')),
    ]),
  );

const SAMPLES: readonly SimpleCondition[] = [
  { type: 'price', touch: 'below', level: 1.085, side: 'ask' },
  { type: 'move', percent: 0.5, direction: 'up', minutes: 30, side: 'trade' },
  { type: 'bar_close', interval: '1h', close: 'below', level: 2_000 },
  {
    ...{ type: 'trend_line', interval: '5m', cross: 'either' },
    ...{ time: '2026-03-02T10:00:00.000Z', price: 1.085, per_bar: -0.00012 },
  },
  {
    ...{ type: 'trend_line', interval: '1m', cross: 'above' },
    ...{ time: '2026-03-02T10:00:00.000Z', price: 8e-7, per_bar: 4e-7 },
  },
  { type: 'indicator', indicator: 'rsi(14)', interval: '5m', cross: 'above', value: 70 },
  {
    type: 'indicator',
    indicator: 'macd',
    line: 'macd',
    interval: '1h',
    is: 'below',
    other: 'macd',
    other_line: 'signal',
  },
  { type: 'volume', interval: '1m', above: 500 },
  { type: 'delta', interval: '1m', below: -500 },
  { type: 'absorption', side: 'sell' },
  { type: 'spread', above: 0.0005 },
  { type: 'headline', category: 'gold', words: ['fed', 'rate cut'] },
  { type: 'signal', events: ['filled'], publisher: 'goldsmith' },
  { type: 'calendar', minutes: 0, impact: 'low', country: 'US' },
  { type: 'stale', seconds: 90 },
  { type: 'market', state: 'closes' },
];

describe('the fields of a condition', () => {
  for (const type of CONDITION_TYPES)
    test(`what the form offers first for ${type} is a condition of the service`, () => {
      const { condition, problems } = readCondition(formOf([first(type)]), [type]);
      expect([...problems]).toEqual([]);
      expect(AlertCondition.parse(condition).type).toBe(type);
    });

  for (const sample of SAMPLES)
    test(`show a ${sample.type} condition and return it unchanged: ${JSON.stringify(sample)}`, () => {
      const texts = textsOf(sample);
      expect(readCondition(formOf([texts]), [sample.type]).condition).toEqual(sample);
    });

  test('several conditions are combined', () => {
    const rows = [SAMPLES[0]!, SAMPLES.find(({ type }) => type === 'spread')!];
    const form = formOf(rows.map((each) => textsOf(each)));
    expect(readCondition(form, ['price', 'spread']).condition).toEqual({ type: 'all', of: rows });
  });

  test('what cannot be read is reported at its field', () => {
    const rows = [{ how: 'cross:above', side: 'bid', level: 'high' }, { seconds: '0' }, { events: [] }];
    const { condition, problems } = readCondition(formOf(rows), ['price', 'stale', 'signal']);
    expect(condition).toBeNull();
    expect(Object.fromEntries(problems)).toEqual({
      'condition-0-level': 'Must be a number above 0.',
      'condition-1-seconds': 'Must be a whole number between 1 and 86400.',
      'condition-2-events': 'Choose at least one.',
    });
  });

  test('a bar on a sloped line needs a whole time with its zone', () => {
    const given = { interval: '5m', cross: 'above', price: '1.08', per_bar: '0' };
    const read = (time: string) => readCondition(formOf([{ ...given, time }]), ['trend_line']).condition;
    expect(read('2026-03-02T11:00+01:00')).toMatchObject({ time: '2026-03-02T10:00:00.000Z', per_bar: 0 });
    for (const time of ['12.5', '2026-03-02', '2026-03-02T10:00', '2026-13-02T10:00Z']) expect(read(time)).toBeNull();
  });

  test('a decimal comma is understood', () => {
    const { condition } = readCondition(formOf([{ above: '0,0005' }]), ['spread']);
    expect(condition).toEqual({ type: 'spread', above: 0.0005 });
  });
});
