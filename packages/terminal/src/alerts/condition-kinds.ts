// The kinds of conditions as the form offers them: which fields each has, and how fields and condition become each other.
import type { SimpleCondition } from '@tickwire/client';
import { CATEGORIES, SENTIMENTS } from '../news/news-filter.ts';
import {
  ANY,
  BEYOND,
  type ConditionKind,
  type ConditionTexts,
  choices,
  happening,
  happeningText,
  INTERVAL,
  LEVEL,
  named,
  number,
  SIDE,
} from './condition-field.ts';
import type { ConditionValues } from './condition-values.ts';

export type ConditionType = SimpleCondition['type'];

type Of<T extends ConditionType> = Extract<SimpleCondition, { readonly type: T }>;
type Kind<T extends ConditionType> = Omit<ConditionKind, 'build' | 'texts'> & {
  readonly build: (values: ConditionValues) => Of<T> | null;
  readonly texts: (condition: Of<T>) => ConditionTexts;
};

const kinds: { readonly [T in ConditionType]: Kind<T> } = {
  price: {
    label: 'Price reaches a level',
    fields: [
      SIDE,
      {
        name: 'how',
        label: 'What it does',
        kind: 'choice',
        choices: choices(
          ['cross:either', 'crosses'],
          ['cross:above', 'crosses above'],
          ['cross:below', 'crosses below'],
          ['touch:either', 'touches'],
          ['touch:above', 'touches from below'],
          ['touch:below', 'touches from above'],
          ['is:above', 'is above'],
          ['is:below', 'is below'],
        ),
      },
      LEVEL,
    ],
    build: (values) => {
      const level = values.positive('level');
      if (level === null) return null;
      return { type: 'price', ...happening(values.text('how')), level, side: values.text('side') } as Of<'price'>;
    },
    texts: (condition) => ({ side: condition.side, how: happeningText(condition), level: String(condition.level) }),
  },
  move: {
    label: 'Price moves by a percentage',
    fields: [
      SIDE,
      {
        name: 'direction',
        label: 'Direction',
        kind: 'choice',
        choices: choices(['either', 'up or down'], ['up', 'up'], ['down', 'down']),
      },
      number('percent', 'Percent'),
      { ...number('minutes', 'Within minutes', '1 to 1440.'), value: '15' },
    ],
    build: (values) => {
      const [percent, minutes] = [values.positive('percent'), values.whole('minutes', 1, 1_440)];
      if (percent === null || minutes === null) return null;
      const [side, direction] = [values.text('side'), values.text('direction')];
      return { type: 'move', percent, minutes, side, direction } as Of<'move'>;
    },
    texts: ({ side, direction, percent, minutes }) => ({
      side,
      direction,
      percent: String(percent),
      minutes: String(minutes),
    }),
  },
  bar_close: {
    label: 'Bar closes beyond a level',
    fields: [INTERVAL, { name: 'close', label: 'Closes', kind: 'choice', choices: BEYOND }, LEVEL],
    build: (values) => {
      const level = values.positive('level');
      if (level === null) return null;
      const [interval, close] = [values.text('interval'), values.text('close')];
      return { type: 'bar_close', interval, close, level } as Of<'bar_close'>;
    },
    texts: ({ interval, close, level }) => ({ interval, close, level: String(level) }),
  },
  indicator: {
    label: 'Indicator crosses a value or another',
    fields: [
      { name: 'indicator', label: 'Indicator', kind: 'text', value: 'rsi(14)', hint: 'Such as rsi(14) or ema(20).' },
      { name: 'line', label: 'Its line', kind: 'text', optional: true, hint: 'If it has several, such as signal.' },
      INTERVAL,
      {
        name: 'how',
        label: 'What it does',
        kind: 'choice',
        choices: choices(
          ['cross:above', 'crosses above'],
          ['cross:below', 'crosses below'],
          ['cross:either', 'crosses'],
          ['is:above', 'is above'],
          ['is:below', 'is below'],
        ),
      },
      { name: 'value', label: 'Value or indicator', kind: 'text', hint: 'Such as 70 or ema(50).' },
      { name: 'other_line', label: 'Line of the other', kind: 'text', optional: true },
    ],
    build: (values) => {
      const [indicator, against] = [values.required('indicator'), values.required('value')];
      if (indicator === null || against === null) return null;
      const [line, otherLine] = [values.text('line'), values.text('other_line')];
      const value = values.numberIn(against);
      return {
        type: 'indicator',
        indicator,
        ...(line !== '' && { line }),
        interval: values.text('interval'),
        ...happening(values.text('how')),
        ...(value === null ? { other: against } : { value }),
        ...(value === null && otherLine !== '' && { other_line: otherLine }),
      } as Of<'indicator'>;
    },
    texts: (condition) => ({
      indicator: condition.indicator,
      line: condition.line,
      interval: condition.interval,
      how: happeningText(condition),
      value: condition.other ?? String(condition.value),
      other_line: condition.other_line,
    }),
  },
  volume: {
    label: 'Volume is above a threshold',
    fields: [INTERVAL, number('above', 'Volume above')],
    build: (values) => {
      const above = values.positive('above');
      return above === null ? null : ({ type: 'volume', interval: values.text('interval'), above } as Of<'volume'>);
    },
    texts: ({ interval, above }) => ({ interval, above: String(above) }),
  },
  delta: {
    label: 'Delta is beyond a threshold',
    fields: [
      INTERVAL,
      { name: 'beyond', label: 'Delta is', kind: 'choice', choices: BEYOND },
      number('threshold', 'Threshold', 'Bought minus sold volume of the forming bar.'),
    ],
    build: (values) => {
      const threshold = values.number('threshold');
      if (threshold === null) return null;
      return { type: 'delta', interval: values.text('interval'), [values.text('beyond')]: threshold } as Of<'delta'>;
    },
    texts: ({ interval, above, below }) => ({
      interval,
      beyond: above === undefined ? 'below' : 'above',
      threshold: String(above ?? below),
    }),
  },
  absorption: {
    label: 'Absorption begins',
    fields: [
      {
        name: 'side',
        label: 'Passive side',
        kind: 'choice',
        choices: choices(['either', 'either'], ['buy', 'buyers'], ['sell', 'sellers']),
      },
    ],
    build: (values) => ({ type: 'absorption', side: values.text('side') }) as Of<'absorption'>,
    texts: ({ side }) => ({ side }),
  },
  spread: {
    label: 'Spread is too wide',
    fields: [number('above', 'Spread above', 'Ask minus bid, in price units.')],
    build: (values) => {
      const above = values.positive('above');
      return above === null ? null : { type: 'spread', above };
    },
    texts: ({ above }) => ({ above: String(above) }),
  },
  headline: {
    label: 'Headline is published',
    fields: [
      { name: 'category', label: 'Category', kind: 'choice', choices: [ANY, ...named(CATEGORIES)] },
      { name: 'sentiment', label: 'Sentiment', kind: 'choice', choices: [ANY, ...named(SENTIMENTS)] },
      {
        name: 'words',
        label: 'Words (optional)',
        kind: 'text',
        optional: true,
        hint: 'One of them must occur. Separate with commas.',
      },
    ],
    build: (values) => {
      const [category, sentiment, words] = [values.text('category'), values.text('sentiment'), values.list('words')];
      return {
        type: 'headline',
        ...(category !== '' && { category }),
        ...(sentiment !== '' && { sentiment }),
        ...(words.length > 0 && { words }),
      } as Of<'headline'>;
    },
    texts: ({ category, sentiment, words }) => ({ category, sentiment, words: words?.join(', ') }),
  },
  signal: {
    label: 'Signal is published, filled or closed',
    fields: [
      {
        name: 'events',
        label: 'What happens',
        kind: 'several',
        choices: named(['published', 'filled', 'closed']),
      },
      { name: 'publisher', label: 'Publisher (optional)', kind: 'text', optional: true, hint: 'Name; empty for all.' },
    ],
    build: (values) => {
      const [events, publisher] = [values.all('events'), values.text('publisher')];
      if (events.length === 0) return values.reject('events', 'Choose at least one.');
      return { type: 'signal', events, ...(publisher !== '' && { publisher }) } as Of<'signal'>;
    },
    texts: ({ events, publisher }) => ({ events, publisher }),
  },
  calendar: {
    label: 'Economic event is due',
    fields: [
      { ...number('minutes', 'Minutes before', '0 for the event itself.'), value: '15' },
      {
        name: 'impact',
        label: 'Impact',
        kind: 'choice',
        choices: choices(['high', 'high'], ['medium', 'medium or high'], ['low', 'any']),
      },
      { name: 'country', label: 'Country (optional)', kind: 'text', optional: true, hint: 'Two letters, such as US.' },
    ],
    build: (values) => {
      const minutes = values.whole('minutes', 0, 1_440);
      const country = values.text('country').toUpperCase();
      if (country !== '' && !/^[A-Z]{2}$/.test(country))
        return values.reject('country', 'Must be two letters, such as US.');
      if (minutes === null) return null;
      return {
        type: 'calendar',
        minutes,
        impact: values.text('impact'),
        ...(country !== '' && { country }),
      } as Of<'calendar'>;
    },
    texts: ({ minutes, impact, country }) => ({ minutes: String(minutes), impact, country }),
  },
  stale: {
    label: 'Feed is stale',
    fields: [{ ...number('seconds', 'Seconds without a quote', 'While the market is open.'), value: '60' }],
    build: (values) => {
      const seconds = values.whole('seconds', 1, 86_400);
      return seconds === null ? null : { type: 'stale', seconds };
    },
    texts: ({ seconds }) => ({ seconds: String(seconds) }),
  },
  market: {
    label: 'Market opens or closes',
    fields: [
      {
        name: 'state',
        label: 'The market',
        kind: 'choice',
        choices: choices(['opens', 'opens'], ['closes', 'closes']),
      },
    ],
    build: (values) => ({ type: 'market', state: values.text('state') }) as Of<'market'>,
    texts: ({ state }) => ({ state }),
  },
};

export const CONDITION_KINDS = kinds as Readonly<Record<ConditionType, ConditionKind>>;
export const CONDITION_TYPES = Object.keys(kinds) as readonly ConditionType[];

/** Conditions that need no instrument. */
export const WITHOUT_SYMBOL: ReadonlySet<ConditionType> = new Set(['headline', 'signal', 'calendar']);
