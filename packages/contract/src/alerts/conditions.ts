// Conditions of alerts. A condition is either a moment (a crossing, a closed bar, a headline) or a state that lasts (a wide
// spread, an indicator above a value). An alert has one condition, or several that must hold together (`all`): at most one
// of them is a moment, and the alert fires at that moment if the states hold. Without a moment it fires when the last of
// the states begins to hold.
import { z } from 'zod';
import { CALENDAR_IMPACTS } from '../calendar/schemas.ts';
import { choice, integerBetween, namedStrict, positive } from '../common/values.ts';
import { MAX_INDICATOR_TEXT } from '../market/indicator-spec.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { NEWS_CATEGORIES, SENTIMENTS } from '../news/schemas.ts';

const PRICE_SIDES = ['bid', 'ask', 'trade'] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];
const CROSSINGS = ['above', 'below', 'either'] as const;

/** Minutes of the window of a `move`. */
const MAX_MOVE_MINUTES = 1_440;
const MAX_CALENDAR_MINUTES = 1_440;
const MAX_STALE_SECONDS = 86_400;
/** Conditions that can be combined. */
const MAX_COMBINED = 5;
export const MAX_WORDS = 10;

const kind = <const T extends string>(name: T) => z.literal(name).meta({ description: 'Kind' });
const anyNumber = (description: string) => z.number().meta({ description, allowed: 'a number' });

const side = choice(PRICE_SIDES, 'Price to look at; `trade`: the last one').default('bid');
const interval = choice(TIMEFRAMES, 'Length of a bar');

export const PriceCondition = z
  .strictObject({
    type: kind('price'),
    cross: choice(CROSSINGS, 'Fires if the price goes beyond the level').optional(),
    touch: choice(CROSSINGS, 'Fires if the price reaches the level').optional(),
    is: choice(['above', 'below'], 'State: side of the level').optional(),
    level: positive('The level'),
    side,
  })
  .refine((given) => [given.cross, given.touch, given.is].filter((each) => each !== undefined).length === 1, {
    message: 'must be an object with exactly one of cross, touch and is',
  })
  .meta({ id: 'PriceCondition', description: 'The price crosses or touches a level, or is beyond it' });
export type PriceCondition = z.infer<typeof PriceCondition>;

export const MoveCondition = namedStrict('MoveCondition', 'The price moves by a percentage within a time', () => ({
  type: kind('move'),
  percent: positive('Size of the move in percent'),
  direction: choice(['up', 'down', 'either'], 'Direction of the move'),
  minutes: integerBetween(
    1,
    MAX_MOVE_MINUTES,
    'Length of the window, from whose lowest or highest price the move is measured',
  ),
  side,
}));
export type MoveCondition = z.infer<typeof MoveCondition>;

export const BarCloseCondition = namedStrict('BarCloseCondition', 'A bar closes above or below a level', () => ({
  type: kind('bar_close'),
  interval,
  close: choice(['above', 'below'], 'Side of the level on which the bar closes'),
  level: positive('The level'),
}));

export const TrendLineCondition = namedStrict(
  'TrendLineCondition',
  'A bar closes on the other side of a straight line over bars',
  () => ({
    type: kind('trend_line'),
    interval,
    cross: choice(CROSSINGS, 'Direction in which the close crosses the line'),
    time: z.iso.datetime({ offset: true }).meta({
      description: 'Start of a bar that the line passes',
      allowed: 'an ISO 8601 time with its offset',
    }),
    price: positive('Price of the line at this bar'),
    per_bar: anyNumber('Change of the line with each bar'),
  }),
);
export type TrendLineCondition = z.infer<typeof TrendLineCondition>;

const indicatorText = (description: string) =>
  z
    .string()
    .min(1)
    .max(MAX_INDICATOR_TEXT)
    .meta({ description, allowed: 'an indicator such as rsi(14) or macd(12,26,9)' });
const line = (of: string) =>
  z
    .string()
    .max(32)
    .optional()
    .meta({
      description: `Line of ${of}; required if it has several`,
      allowed: 'the name of a line',
    });

export const IndicatorCondition = z
  .strictObject({
    type: kind('indicator'),
    indicator: indicatorText('The indicator with its inputs'),
    line: line('the indicator'),
    interval,
    cross: choice(CROSSINGS, 'Direction in which the line crosses the value').optional(),
    is: choice(['above', 'below'], 'State: side of the value at the last closed bar').optional(),
    value: anyNumber('Value to compare with').optional(),
    other: indicatorText('Indicator to compare with').optional(),
    other_line: line('the other indicator'),
  })
  .refine((given) => (given.cross === undefined) !== (given.is === undefined), {
    message: 'must be an object with exactly one of cross and is',
  })
  .refine((given) => (given.value === undefined) !== (given.other === undefined), {
    message: 'must be an object with exactly one of value and other',
  })
  .meta({
    id: 'IndicatorCondition',
    description: 'An indicator crosses a value or another indicator, at closed bars',
  });

export const VolumeCondition = namedStrict(
  'VolumeCondition',
  'State: the volume of the forming bar is above a threshold',
  () => ({ type: kind('volume'), interval, above: positive('Threshold of the traded volume') }),
);

export const DeltaCondition = z
  .strictObject({
    type: kind('delta'),
    interval,
    above: anyNumber('Upper threshold of the delta').optional(),
    below: anyNumber('Lower threshold of the delta').optional(),
  })
  .refine((given) => (given.above === undefined) !== (given.below === undefined), {
    message: 'must be an object with exactly one of above and below',
  })
  .meta({ id: 'DeltaCondition', description: 'State: the delta of the forming bar is beyond a threshold' });

export const AbsorptionCondition = namedStrict(
  'AbsorptionCondition',
  'A passive side begins to hold the price against aggression',
  () => ({
    type: kind('absorption'),
    side: choice(['buy', 'sell', 'either'], 'Passive side that holds the price'),
  }),
);

export const SpreadCondition = namedStrict('SpreadCondition', 'State: the spread is too wide', () => ({
  type: kind('spread'),
  above: positive('Ask minus bid is above this, in price units'),
}));

export const HeadlineCondition = namedStrict(
  'HeadlineCondition',
  'A headline is published, about the symbol if the alert has one',
  () => ({
    type: kind('headline'),
    category: choice(NEWS_CATEGORIES, 'Category of the item').optional(),
    sentiment: choice(SENTIMENTS, 'Sentiment of the item').optional(),
    words: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(MAX_WORDS)
      .optional()
      .meta({
        description: 'Words or phrases, one of which must occur (case-insensitive)',
        allowed: `1 to ${MAX_WORDS} texts of 1 to 64 characters`,
      }),
  }),
);

export const SIGNAL_HAPPENINGS = ['published', 'filled', 'closed'] as const;
export type SignalHappening = (typeof SIGNAL_HAPPENINGS)[number];
export const signalHappenings = (description: string) =>
  z
    .array(z.enum(SIGNAL_HAPPENINGS))
    .min(1)
    .default([...SIGNAL_HAPPENINGS])
    .meta({ description, allowed: `one or more of ${SIGNAL_HAPPENINGS.join(', ')}` });

export const SignalCondition = namedStrict('SignalCondition', 'A signal is published, filled or closed', () => ({
  type: kind('signal'),
  events: signalHappenings('Events of signals'),
  publisher: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Name or id of the publisher; any by default', allowed: 'the name or id of a publisher' }),
}));
export type SignalCondition = z.infer<typeof SignalCondition>;

export const CalendarCondition = namedStrict(
  'CalendarCondition',
  'An economic event is due, for the symbol if the alert has one',
  () => ({
    type: kind('calendar'),
    minutes: integerBetween(0, MAX_CALENDAR_MINUTES, 'Minutes before the event; 0 at the event'),
    impact: choice(CALENDAR_IMPACTS, 'Least impact of the event').default('high'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .meta({ description: 'Country of the event', allowed: 'two capital letters, such as US' }),
  }),
);
export type CalendarCondition = z.infer<typeof CalendarCondition>;

export const StaleCondition = namedStrict('StaleCondition', 'State: no quote for some time in an open market', () => ({
  type: kind('stale'),
  seconds: integerBetween(1, MAX_STALE_SECONDS, 'Seconds without a quote while the market is open'),
}));

export const MarketCondition = namedStrict('MarketCondition', 'The market of the instrument opens or closes', () => ({
  type: kind('market'),
  state: choice(['opens', 'closes'], 'What the market does'),
}));

const SIMPLE = [
  PriceCondition,
  MoveCondition,
  BarCloseCondition,
  TrendLineCondition,
  IndicatorCondition,
  VolumeCondition,
  DeltaCondition,
  AbsorptionCondition,
  SpreadCondition,
  HeadlineCondition,
  SignalCondition,
  CalendarCondition,
  StaleCondition,
  MarketCondition,
] as const;

/** One condition, not a combination. */
export const SimpleCondition = z
  .discriminatedUnion('type', SIMPLE)
  .meta({ id: 'SimpleCondition', description: 'One condition of an alert' });
export type SimpleCondition = z.infer<typeof SimpleCondition>;
export type ConditionType = SimpleCondition['type'];

export const CombinedCondition = namedStrict('CombinedCondition', 'Conditions that must hold together', () => ({
  type: kind('all'),
  of: z
    .array(SimpleCondition)
    .min(2)
    .max(MAX_COMBINED)
    .meta({
      description: 'Conditions, at most one of which is not a state',
      allowed: `2 to ${MAX_COMBINED} conditions`,
    }),
}));
export type CombinedCondition = z.infer<typeof CombinedCondition>;

export const AlertCondition = z
  .discriminatedUnion('type', [...SIMPLE, CombinedCondition])
  .meta({ id: 'AlertCondition', description: 'When an alert fires' });
export type AlertCondition = z.infer<typeof AlertCondition>;

/** Whether a condition lasts; otherwise it is a moment. */
export function isState(condition: SimpleCondition): boolean {
  switch (condition.type) {
    case 'price':
    case 'indicator':
      return condition.is !== undefined;
    case 'volume':
    case 'delta':
    case 'spread':
    case 'stale':
      return true;
    default:
      return false;
  }
}

/** The simple conditions of a condition. */
export const conditionsOf = (condition: AlertCondition): readonly SimpleCondition[] =>
  condition.type === 'all' ? condition.of : [condition];

/** Conditions that may be used without a symbol. */
export const SYMBOLLESS: ReadonlySet<ConditionType> = new Set(['headline', 'signal', 'calendar']);
