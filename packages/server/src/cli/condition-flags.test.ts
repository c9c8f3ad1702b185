import { describe, expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { SETTINGS } from '../config/settings.ts';
import { readArguments, UsageError } from './arguments.ts';
import { CONDITION_FLAGS, CONDITION_HELP, conditionOf } from './condition-flags.ts';
import { conditionText } from './condition-text.ts';

const read = (args: string): unknown => {
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
  const { flags, on } = readArguments(words, { values: CONDITION_FLAGS, switches: ['headline'] });
  return conditionOf(flags, on);
};

describe('flags become a condition that the contract accepts, and a few words', () => {
  test.each([
    [
      '--cross above --level 1.2 --side ask',
      { type: 'price', cross: 'above', level: 1.2, side: 'ask' },
      'ask crosses above 1.2',
    ],
    ['--cross either --level 1.2', { type: 'price', cross: 'either', level: 1.2 }, 'bid crosses 1.2'],
    ['--touch below --level 1.2', { type: 'price', touch: 'below', level: 1.2 }, 'bid touches below 1.2'],
    ['--is below --level 1.2', { type: 'price', is: 'below', level: 1.2 }, 'bid is below 1.2'],
    [
      '--move 1.5 --direction up --minutes 30',
      { type: 'move', percent: 1.5, direction: 'up', minutes: 30 },
      'bid moves up 1.5 % in 30 min',
    ],
    ['--move 2 --minutes 5', { type: 'move', percent: 2, direction: 'either', minutes: 5 }, 'bid moves 2 % in 5 min'],
    [
      '--close above --level 70000 --interval 4h',
      { type: 'bar_close', interval: '4h', close: 'above', level: 70_000 },
      '4h bar closes above 70000',
    ],
    [
      '--indicator rsi(14) --interval 1h --cross below --value 30',
      { type: 'indicator', indicator: 'rsi(14)', interval: '1h', cross: 'below', value: 30 },
      '1h rsi(14) crosses below 30',
    ],
    [
      '--indicator macd(12,26,9) --line macd --interval 1d --is above --other macd --other-line signal',
      {
        type: 'indicator',
        indicator: 'macd(12,26,9)',
        line: 'macd',
        interval: '1d',
        is: 'above',
        other: 'macd',
        other_line: 'signal',
      },
      '1d macd(12,26,9) macd is above macd signal',
    ],
    [
      '--indicator cci(20) --interval 1h --cross above --value=-100',
      { type: 'indicator', indicator: 'cci(20)', interval: '1h', cross: 'above', value: -100 },
      '1h cci(20) crosses above -100',
    ],
    ['--volume-above 500 --interval 5m', { type: 'volume', interval: '5m', above: 500 }, '5m volume is above 500'],
    ['--delta-above 5 --interval 5m', { type: 'delta', interval: '5m', above: 5 }, '5m delta is above 5'],
    ['--delta-below=-5 --interval 5m', { type: 'delta', interval: '5m', below: -5 }, '5m delta is below -5'],
    ['--absorption sell', { type: 'absorption', side: 'sell' }, 'absorption, sell side'],
    ['--spread-above 0.0005', { type: 'spread', above: 0.0005 }, 'spread is above 0.0005'],
    ['--headline', { type: 'headline' }, 'headline'],
    [
      '--headline --category gold --sentiment bullish --words "record, central bank"',
      { type: 'headline', category: 'gold', sentiment: 'bullish', words: ['record', 'central bank'] },
      'headline, gold, bullish, "record" or "central bank"',
    ],
    [
      '--signal published,closed --publisher "House Trend"',
      { type: 'signal', events: ['published', 'closed'], publisher: 'House Trend' },
      'signal published, closed by House Trend',
    ],
    [
      '--event-in 15 --country US',
      { type: 'calendar', minutes: 15, country: 'US' },
      'event of high impact in US, 15 min before',
    ],
    ['--stale 60', { type: 'stale', seconds: 60 }, 'no quote for 60 s'],
    ['--market opens', { type: 'market', state: 'opens' }, 'market opens'],
  ])('%s', (args, condition, text) => {
    const made = read(args);
    expect(JSON.parse(JSON.stringify(made))).toEqual(condition);
    expect(conditionText(AlertCondition.parse(made))).toBe(text);
  });

  test('also as JSON, with several', () => {
    const of = [
      { type: 'price', cross: 'above', level: 1.2 },
      { type: 'spread', above: 0.001 },
    ];
    const { flags, on } = readArguments(['--condition', JSON.stringify({ type: 'all', of })], {
      values: CONDITION_FLAGS,
    });
    const made = conditionOf(flags, on);
    expect(made).toEqual({ type: 'all', of });
    expect(conditionText(AlertCondition.parse(made))).toBe('bid crosses above 1.2 and spread is above 0.001');
  });
});

test.each([
  ['', 'the condition is missing, such as --cross above --level 1.2'],
  ['--level 1.2', 'the condition is missing, such as --cross above --level 1.2'],
  ['--headline --level 1.2', '--level does not belong to --headline'],
  ['--cross above --touch below --level 1', '--touch does not belong to --cross'],
  ['--cross above --level high', '--level is "high", but must be a number'],
  ['--cross above --level=', '--level is "", but must be a number'],
  ['--condition {} --level 1', '--condition and --level exclude each other'],
  ['--condition {', '--condition must be JSON, such as {"type":"price","cross":"above","level":1.2}'],
])('refuses %j', (args, message) => {
  expect(() => read(args)).toThrow(new UsageError(message));
});

test('the help names every flag, and no flag is a setting', () => {
  for (const flag of [...CONDITION_FLAGS, 'headline']) {
    expect(CONDITION_HELP).toContain(`--${flag}`);
    expect(Object.keys(SETTINGS)).not.toContain(flag.replaceAll('-', '_'));
  }
});
