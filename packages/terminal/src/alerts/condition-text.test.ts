import { describe, expect, test } from 'bun:test';
import type { AlertCondition } from '@tickwire/client';
import { exactly } from '../ui/relative-time.ts';
import { conditionText } from './condition-text.ts';

const TEXTS: readonly (readonly [AlertCondition, string])[] = [
  [{ type: 'price', cross: 'above', level: 1.2, side: 'bid' }, 'Bid crosses above 1.2'],
  [{ type: 'price', cross: 'either', level: 1.2, side: 'ask' }, 'Ask crosses 1.2'],
  [{ type: 'price', touch: 'above', level: 1.2, side: 'trade' }, 'Trade price touches 1.2 from below'],
  [{ type: 'price', is: 'below', level: 1.2, side: 'bid' }, 'Bid is below 1.2'],
  [{ type: 'move', percent: 1.5, direction: 'down', minutes: 15, side: 'bid' }, 'Bid moves down 1.5% within 15 min'],
  [{ type: 'bar_close', interval: '1h', close: 'below', level: 2_000 }, '1h bar closes below 2000'],
  [
    {
      ...{ type: 'trend_line', interval: '5m', cross: 'either' },
      ...{ time: '2026-03-02T10:00:00.000Z', price: 1.085, per_bar: -0.0001 },
    },
    `5m bar closes across the line from 1.085 at ${exactly(Date.UTC(2026, 2, 2, 10))}, −0.0001 per bar`,
  ],
  [
    { type: 'indicator', indicator: 'rsi(14)', interval: '5m', cross: 'above', value: 70 },
    'rsi(14) on 5m bars crosses above 70',
  ],
  [
    {
      type: 'indicator',
      indicator: 'macd(12,26,9)',
      line: 'macd',
      interval: '1h',
      is: 'below',
      other: 'macd(12,26,9)',
      other_line: 'signal',
    },
    'macd(12,26,9) macd on 1h bars is below macd(12,26,9) signal',
  ],
  [{ type: 'volume', interval: '1m', above: 500 }, 'Volume of the 1m bar is above 500'],
  [{ type: 'delta', interval: '1m', below: -500 }, 'Delta of the 1m bar is below −500'],
  [{ type: 'absorption', side: 'buy' }, 'Absorption begins: buyers hold the price'],
  [{ type: 'spread', above: 0.0005 }, 'Spread is above 0.0005'],
  [
    { type: 'headline', category: 'gold', sentiment: 'bearish', words: ['fed', 'rate cut'] },
    'Headline, bearish gold with “fed” or “rate cut”',
  ],
  [{ type: 'headline' }, 'Headline'],
  [
    { type: 'signal', events: ['published', 'closed'], publisher: 'goldsmith' },
    'Signal published or closed by goldsmith',
  ],
  [{ type: 'calendar', minutes: 120, impact: 'high', country: 'US' }, 'High-impact event in US is due in 2 h'],
  [{ type: 'calendar', minutes: 0, impact: 'medium' }, 'Event of medium or high impact is due'],
  [{ type: 'stale', seconds: 90 }, 'No quote for 90 s while the market is open'],
  [{ type: 'market', state: 'closes' }, 'Market closes'],
  [
    {
      type: 'all',
      of: [
        { type: 'price', cross: 'above', level: 1.2, side: 'bid' },
        { type: 'spread', above: 0.0005 },
      ],
    },
    'Bid crosses above 1.2, and spread is above 0.0005',
  ],
];

describe('a condition in words', () => {
  for (const [condition, text] of TEXTS) test(text, () => expect(conditionText(condition)).toBe(text));

  test('levels have the decimals of the instrument', () =>
    expect(conditionText({ type: 'price', cross: 'above', level: 1.2, side: 'bid' }, 5)).toBe(
      'Bid crosses above 1.20000',
    ));
});
