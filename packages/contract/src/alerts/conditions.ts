// Conditions of alerts. A condition is either a moment (a crossing, a closed bar, a headline) or a state that lasts (a wide
// spread, an indicator above a value). An alert has one condition, or several that must hold together (`all`): at most one
// of them is a moment, and the alert fires at that moment if the states hold. Without a moment it fires when the last of
// the states begins to hold.
import { z } from 'zod';
import { CALENDAR_IMPACTS } from '../calendar/schemas.ts';
import { MAX_INDICATOR_TEXT } from '../market/indicator-spec.ts';
import { TIMEFRAMES, TimeframeCode } from '../market/schemas.ts';
import { NEWS_CATEGORIES, SENTIMENTS } from '../news/schemas.ts';

export const PRICE_SIDES = ['bid', 'ask', 'trade'] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];
export const CROSSINGS = ['above', 'below', 'either'] as const;
export type Crossing = (typeof CROSSINGS)[number];

/** Minutes of the window of a `move`. */
export const MAX_MOVE_MINUTES = 1_440;
export const MAX_CALENDAR_MINUTES = 1_440;
export const MAX_STALE_SECONDS = 86_400;
/** Conditions that can be combined. */
export const MAX_COMBINED = 5;
export const MAX_WORDS = 10;

const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`;
const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  z.enum(values).meta({ description, allowed: oneOf(values) });
const positive = (description: string) => z.number().positive().meta({ description, allowed: 'a number above 0' });
const kind = <const T extends string>(name: T) => z.literal(name).meta({ description: 'Kind of the condition' });
const anyNumber = (description: string) => z.number().meta({ description, allowed: 'a number' });

const side = z
  .enum(PRICE_SIDES)
  .default('bid')
  .meta({ description: 'Price to look at: the bid, the ask or that of the last trade', allowed: oneOf(PRICE_SIDES) });
const interval = TimeframeCode.meta({ description: 'Length of the bars', allowed: oneOf(TIMEFRAMES) });
const above = (description: string) => positive(description);

export const PriceCondition = z
  .strictObject({
    type: kind('price'),
    cross: choice(CROSSINGS, 'The price goes beyond the level in this direction').optional(),
    touch: choice(CROSSINGS, 'The price reaches the level, coming from the other side').optional(),
    is: choice(['above', 'below'], 'State: the price is on this side of the level').optional(),
    level: positive('The level'),
    side,
  })
  .refine((given) => [given.cross, given.touch, given.is].filter((each) => each !== undefined).length === 1, {
    message: 'must be given exactly one of cross, touch and is',
  })
  .meta({ id: 'PriceCondition', description: 'The price crosses or touches a level, or is beyond it' });

export const MoveCondition = z
  .strictObject({
    type: kind('move'),
    percent: positive('Size of the move in percent'),
    direction: choice(['up', 'down', 'either'], 'Direction of the move'),
    minutes: z
      .int()
      .min(1)
      .max(MAX_MOVE_MINUTES)
      .meta({
        description: 'Length of the window in minutes. The move is measured from the lowest or highest price in it',
        allowed: `an integer between 1 and ${MAX_MOVE_MINUTES}`,
      }),
    side,
  })
  .meta({ id: 'MoveCondition', description: 'The price moves by a percentage within a time' });

export const BarCloseCondition = z
  .strictObject({
    type: kind('bar_close'),
    interval,
    close: choice(['above', 'below'], 'Side of the level on which the bar closes'),
    level: positive('The level'),
  })
  .meta({ id: 'BarCloseCondition', description: 'A bar closes above or below a level' });

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
      description: `Line of ${of}, such as \`signal\`; required if it has several`,
      allowed: 'the name of a line',
    });

export const IndicatorCondition = z
  .strictObject({
    type: kind('indicator'),
    indicator: indicatorText('The indicator with its inputs'),
    line: line('the indicator'),
    interval,
    cross: choice(
      CROSSINGS,
      'Its line crosses the value in this direction, from one closed bar to the next',
    ).optional(),
    is: choice(['above', 'below'], 'State: its line at the last closed bar is on this side of the value').optional(),
    value: anyNumber('The value to compare with').optional(),
    other: indicatorText('The indicator to compare with, instead of a value').optional(),
    other_line: line('the other indicator'),
  })
  .refine((given) => (given.cross === undefined) !== (given.is === undefined), {
    message: 'must be given exactly one of cross and is',
  })
  .refine((given) => (given.value === undefined) !== (given.other === undefined), {
    message: 'must be given exactly one of value and other',
  })
  .meta({
    id: 'IndicatorCondition',
    description:
      'An indicator crosses a value or another indicator. Judged on closed bars, which never change the answer later',
  });

export const VolumeCondition = z
  .strictObject({ type: kind('volume'), interval, above: above('Traded volume of the forming bar is above this') })
  .meta({ id: 'VolumeCondition', description: 'State: the volume of the forming bar is above a threshold' });

export const DeltaCondition = z
  .strictObject({
    type: kind('delta'),
    interval,
    above: anyNumber('Bought minus sold volume of the forming bar is above this').optional(),
    below: anyNumber('Bought minus sold volume of the forming bar is below this').optional(),
  })
  .refine((given) => (given.above === undefined) !== (given.below === undefined), {
    message: 'must be given exactly one of above and below',
  })
  .meta({ id: 'DeltaCondition', description: 'State: the delta of the forming bar is beyond a threshold' });

export const AbsorptionCondition = z
  .strictObject({
    type: kind('absorption'),
    side: choice(['buy', 'sell', 'either'], 'Passive side that holds the price'),
  })
  .meta({
    id: 'AbsorptionCondition',
    description: 'Absorption begins: a passive side holds the price against aggression',
  });

export const SpreadCondition = z
  .strictObject({ type: kind('spread'), above: above('Ask minus bid is above this, in price units') })
  .meta({ id: 'SpreadCondition', description: 'State: the spread is too wide' });

export const HeadlineCondition = z
  .strictObject({
    type: kind('headline'),
    category: choice(NEWS_CATEGORIES, 'Category of the item').optional(),
    sentiment: choice(SENTIMENTS, 'Sentiment of the item').optional(),
    words: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(MAX_WORDS)
      .optional()
      .meta({
        description: 'Words or phrases; one of them must occur in the headline as a whole, in any case',
        allowed: `1 to ${MAX_WORDS} texts of 1 to 64 characters`,
      }),
  })
  .meta({
    id: 'HeadlineCondition',
    description: 'A headline is published. It mentions the symbol of the alert, if it has one',
  });

export const SIGNAL_HAPPENINGS = ['published', 'filled', 'closed'] as const;
export type SignalHappening = (typeof SIGNAL_HAPPENINGS)[number];

export const SignalCondition = z
  .strictObject({
    type: kind('signal'),
    events: z
      .array(z.enum(SIGNAL_HAPPENINGS))
      .min(1)
      .default([...SIGNAL_HAPPENINGS])
      .meta({ description: 'What happens to the signal', allowed: `one or more of ${SIGNAL_HAPPENINGS.join(', ')}` }),
    publisher: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Name or id of the publisher; any by default', allowed: 'the name or id of a publisher' }),
  })
  .meta({ id: 'SignalCondition', description: 'A signal is published, filled or closed' });

export const CalendarCondition = z
  .strictObject({
    type: kind('calendar'),
    minutes: z
      .int()
      .min(0)
      .max(MAX_CALENDAR_MINUTES)
      .meta({
        description: 'Minutes before the event; 0 at the event',
        allowed: `an integer between 0 and ${MAX_CALENDAR_MINUTES}`,
      }),
    impact: choice(CALENDAR_IMPACTS, 'Least impact of the event').default('high'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .meta({ description: 'Country of the event', allowed: 'two capital letters, such as US' }),
  })
  .meta({
    id: 'CalendarCondition',
    description: 'An economic event is due. It affects the symbol of the alert, if it has one',
  });

export const StaleCondition = z
  .strictObject({
    type: kind('stale'),
    seconds: z
      .int()
      .min(1)
      .max(MAX_STALE_SECONDS)
      .meta({
        description: 'Seconds without a quote while the market is open',
        allowed: `an integer between 1 and ${MAX_STALE_SECONDS}`,
      }),
  })
  .meta({
    id: 'StaleCondition',
    description: 'State: the instrument has had no quote for some time although its market is open',
  });

export const MarketCondition = z
  .strictObject({ type: kind('market'), state: choice(['opens', 'closes'], 'What the market does') })
  .meta({ id: 'MarketCondition', description: 'The market of the instrument opens or closes' });

const SIMPLE = [
  PriceCondition,
  MoveCondition,
  BarCloseCondition,
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

export const CombinedCondition = z
  .strictObject({
    type: kind('all'),
    of: z
      .array(SimpleCondition)
      .min(2)
      .max(MAX_COMBINED)
      .meta({
        description: 'Conditions that must hold together; at most one of them is a moment, the others are states',
        allowed: `2 to ${MAX_COMBINED} conditions`,
      }),
  })
  .meta({ id: 'CombinedCondition', description: 'Conditions that must hold together' });
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
