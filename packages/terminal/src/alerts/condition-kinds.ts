// The kinds of conditions as the form offers them, and the fields of each.
import type { SimpleCondition } from '@tickwire/client';
import { CATEGORIES, SENTIMENTS } from '../news/news-filter.ts';
import { plainNumber } from '../ui/format.ts';
import { readNumber } from '../ui/read-number.ts';
import {
  ANY,
  anyNumber,
  BEYOND,
  type ConditionField,
  type ConditionTexts,
  choice,
  happening,
  happeningText,
  INTERVAL,
  LEVEL,
  named,
  positive,
  SIDE,
  type Values,
  whole,
} from './condition-field.ts';

export type ConditionType = SimpleCondition['type'];

export interface ConditionKind {
  readonly label: string;
  readonly fields: readonly ConditionField[];
  /** If the condition has something else than the fields: makes it of their values, and the values of it. */
  readonly join?: (values: Values) => Values;
  readonly split?: (condition: Values) => Values;
}

/** A time with its offset: without one it would be in the zone of the browser. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export const CONDITION_KINDS: Readonly<Record<ConditionType, ConditionKind>> = {
  price: {
    label: 'Price reaches a level',
    fields: [
      SIDE,
      choice(
        'how',
        'Trigger',
        ['cross:either', 'crosses'],
        ['cross:above', 'crosses above'],
        ['cross:below', 'crosses below'],
        ['touch:either', 'touches'],
        ['touch:above', 'touches from below'],
        ['touch:below', 'touches from above'],
        ['is:above', 'is above'],
        ['is:below', 'is below'],
      ),
      LEVEL,
    ],
    join: ({ how, ...values }) => ({ ...values, ...happening(how) }),
    split: (condition) => ({ ...condition, how: happeningText(condition) }),
  },
  move: {
    label: 'Price moves by a percentage',
    fields: [
      SIDE,
      choice('direction', 'Direction', ['either', 'up or down'], ['up', 'up'], ['down', 'down']),
      positive('percent', 'Percent'),
      whole({ name: 'minutes', label: 'Within minutes', hint: '1 to 1440.', value: '15' }, 1, 1_440),
    ],
  },
  bar_close: {
    label: 'Bar closes beyond a level',
    fields: [INTERVAL, choice('close', 'Closes', ...BEYOND), LEVEL],
  },
  trend_line: {
    label: 'Bar closes across a sloped line',
    fields: [
      INTERVAL,
      choice('cross', 'Closes', ['either', 'on the other side'], ['above', 'above'], ['below', 'below']),
      {
        name: 'time',
        label: 'Line passes through the bar at',
        kind: 'text',
        hint: 'Its start, such as 2026-03-02T10:00Z.',
        value: `${new Date().toISOString().slice(0, 13)}:00Z`,
        read: (text) => (ISO_TIME.test(text) && Date.parse(text) ? new Date(text).toISOString() : null),
        problem: 'Must be a time, such as 2026-03-02T10:00Z.',
      },
      positive('price', 'Price at that bar'),
      anyNumber('per_bar', 'Change per bar'),
    ],
  },
  indicator: {
    label: 'Indicator crosses a value or another',
    fields: [
      { name: 'indicator', label: 'Indicator', kind: 'text', value: 'rsi(14)', hint: 'Such as rsi(14) or ema(20).' },
      {
        name: 'line',
        label: 'Line',
        kind: 'text',
        optional: true,
        hint: 'If the indicator has several, such as signal.',
      },
      INTERVAL,
      choice(
        'how',
        'Trigger',
        ['cross:above', 'crosses above'],
        ['cross:below', 'crosses below'],
        ['cross:either', 'crosses'],
        ['is:above', 'is above'],
        ['is:below', 'is below'],
      ),
      { name: 'value', label: 'Value or indicator', kind: 'text', hint: 'Such as 70 or ema(50).' },
      { name: 'other_line', label: 'Line of that indicator', kind: 'text', optional: true },
    ],
    join: ({ how, value, other_line, ...values }) => {
      const number = readNumber(String(value));
      const other = { other: value, ...(other_line !== undefined && { other_line }) };
      return { ...values, ...happening(how), ...(number === null ? other : { value: number }) };
    },
    split: (condition) => ({
      ...condition,
      how: happeningText(condition),
      value: condition.other ?? condition.value,
    }),
  },
  volume: { label: 'Volume is above a threshold', fields: [INTERVAL, positive('above', 'Volume above')] },
  delta: {
    label: 'Delta is beyond a threshold',
    fields: [
      INTERVAL,
      choice('beyond', 'Delta is', ...BEYOND),
      anyNumber('threshold', 'Threshold', 'Bought minus sold volume of the forming bar.'),
    ],
    join: ({ beyond, threshold, ...values }) => ({ ...values, [String(beyond)]: threshold }),
    split: ({ above, below, ...values }) => ({
      ...values,
      beyond: above === undefined ? 'below' : 'above',
      threshold: above ?? below,
    }),
  },
  absorption: {
    label: 'Absorption begins',
    fields: [choice('side', 'Passive side', ['either', 'either'], ['buy', 'buyers'], ['sell', 'sellers'])],
  },
  spread: {
    label: 'Spread is too wide',
    fields: [positive('above', 'Spread above', 'Ask minus bid, in price units.')],
  },
  headline: {
    label: 'Headline is published',
    fields: [
      { ...choice('category', 'Category', ANY, ...named(CATEGORIES)), optional: true },
      { ...choice('sentiment', 'Sentiment', ANY, ...named(SENTIMENTS)), optional: true },
      {
        name: 'words',
        label: 'Words (optional)',
        kind: 'text',
        optional: true,
        hint: 'Any of them matches. Separate with commas.',
        read: (text) => {
          const words = text.split(',').map((each) => each.trim());
          return words.some((each) => each !== '') ? words.filter((each) => each !== '') : null;
        },
        problem: 'Must contain a word.',
      },
    ],
  },
  signal: {
    label: 'Signal is published, filled or closed',
    fields: [
      {
        ...choice('events', 'Events', ...named(['published', 'filled', 'closed'])),
        kind: 'several',
        problem: 'Choose at least one.',
      },
      { name: 'publisher', label: 'Publisher (optional)', kind: 'text', optional: true, hint: 'Name; empty for all.' },
    ],
  },
  calendar: {
    label: 'Economic event is due',
    fields: [
      whole({ name: 'minutes', label: 'Minutes before', hint: '0 for the event itself.', value: '15' }, 0, 1_440),
      choice('impact', 'Impact', ['high', 'high'], ['medium', 'medium or high'], ['low', 'any']),
      {
        name: 'country',
        label: 'Country (optional)',
        kind: 'text',
        optional: true,
        hint: 'Two letters, such as US.',
        read: (text) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null),
        problem: 'Must be two letters, such as US.',
      },
    ],
  },
  stale: {
    label: 'Feed is stale',
    fields: [
      whole(
        { name: 'seconds', label: 'Seconds without a quote', hint: 'While the market is open.', value: '60' },
        1,
        86_400,
      ),
    ],
  },
  market: {
    label: 'Market opens or closes',
    fields: [choice('state', 'The market', ['opens', 'opens'], ['closes', 'closes'])],
  },
};

export const CONDITION_TYPES = Object.keys(CONDITION_KINDS) as readonly ConditionType[];

/** The texts that the fields of an existing condition have. */
export function textsOf(condition: SimpleCondition): ConditionTexts {
  const { fields, split } = CONDITION_KINDS[condition.type];
  const values: Values = split ? split({ ...condition }) : { ...condition };
  const textOf = ({ name, kind }: ConditionField) => {
    const value = values[name];
    if (value === undefined || kind === 'several') return value as readonly string[] | undefined;
    if (typeof value === 'number') return plainNumber(value);
    return Array.isArray(value) ? value.join(', ') : String(value);
  };
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field)]));
}

/** Conditions that need no instrument. */
export const WITHOUT_SYMBOL: ReadonlySet<ConditionType> = new Set(['headline', 'signal', 'calendar']);
