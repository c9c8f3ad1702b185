// Values of indicators over bars of any interval, and the list of indicators.
import { z } from 'zod';
import { integerQuery, namedList, namedObject, nextPage, nullable, oneOf, text, timestamp } from '../common/values.ts';
import { BarsQuery, barsOf } from './bars.ts';
import { INDICATOR_CATALOGUE, INDICATOR_NAMES, type IndicatorEntry } from './indicator-catalogue.ts';
import { allowedOf, MAX_INDICATOR_TEXT, splitIndicators } from './indicator-spec.ts';

const MAX_INDICATOR_BARS = 10_000;
/** Indicators in one request. */
export const MAX_INDICATORS = 50;
/** Indicators in one subscription to bars. */
export const MAX_STREAM_INDICATORS = 20;

const INDICATORS_ALLOWED = `1 to ${MAX_INDICATORS} indicators separated by commas, such as rsi(14),macd(12,26,9)`;

/** Every input of the catalogue as a query parameter of the same name. Ranges may be narrower for some indicators. */
function inputParameters() {
  const inputs = new Map<string, { readonly of: string[]; readonly allowed: string }>();
  for (const { name: indicator, inputs: own } of INDICATOR_CATALOGUE as readonly IndicatorEntry[])
    for (const input of own) {
      const known = inputs.get(input.name);
      if (known) known.of.push(indicator);
      else inputs.set(input.name, { of: [indicator], allowed: allowedOf(input) });
    }
  return Object.fromEntries(
    [...inputs].map(([name, { of, allowed }]) => [
      name,
      z
        .string()
        .max(MAX_INDICATOR_TEXT)
        .optional()
        .meta({ description: `Input of ${of.length > 2 ? `${of[0]}, ${of[1]} and others` : of.join(', ')}`, allowed }),
    ]),
  );
}

export const IndicatorsQuery = z.object({
  name: z
    .string()
    .max(MAX_INDICATOR_TEXT)
    .optional()
    .meta({
      description: 'One indicator. Its inputs are parameters, or in parentheses: `rsi(14)`',
      allowed: oneOf(INDICATOR_NAMES),
    }),
  indicators: z
    .preprocess(
      (value) => (typeof value === 'string' ? splitIndicators(value) : value),
      z.array(z.string().max(MAX_INDICATOR_TEXT)).min(1).max(MAX_INDICATORS),
    )
    .optional()
    .meta({
      description: 'Several indicators, instead of `name`',
      allowed: INDICATORS_ALLOWED,
    }),
  interval: BarsQuery.shape.interval,
  align: BarsQuery.shape.align,
  from: BarsQuery.shape.from,
  to: BarsQuery.shape.to,
  limit: integerQuery('Maximum number of items', 1, MAX_INDICATOR_BARS, 100),
  cursor: BarsQuery.shape.cursor,
  ...inputParameters(),
});
export type IndicatorsQuery = z.infer<typeof IndicatorsQuery>;

const LineValue = nullable(z.number(), '`null` while there are too few bars');

export const IndicatorItem = namedObject('IndicatorItem', 'Values of an indicator at one bar', () => ({
  time: timestamp('Time of the event, or start of the bar or interval'),
  value: LineValue.optional().meta({
    description: 'Value of a single line; `null` while there are too few bars',
  }),
  values: z.record(z.string(), LineValue).optional().meta({ description: 'Values of several lines, by name' }),
  settled: z.boolean().meta({
    description: 'Whether there were enough bars before: a longer history would give the same value',
  }),
  forming: z.literal(true).optional().meta({ description: 'Present while the bar is forming' }),
}));
export type IndicatorItem = z.infer<typeof IndicatorItem>;

const series = {
  name: text('Name'),
  indicator: text('Text form with all inputs, such as `rsi(14)`'),
  inputs: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .meta({ description: 'Values of the inputs, defaults included' }),
  offsets: z.record(z.string(), z.int()).optional().meta({
    description: 'Bars by which a chart shifts each line; absent if none',
  }),
  items: z.array(IndicatorItem).meta({ description: 'In ascending order, one per bar' }),
};

export const IndicatorResult = namedObject('IndicatorResult', 'Values of one indicator, bar by bar', () => series);
export type IndicatorResult = z.infer<typeof IndicatorResult>;

const next = nextPage(z.string());

export const IndicatorPage = namedObject('IndicatorPage', 'Values of one indicator (`name`), one page', () => ({
  ...barsOf,
  ...series,
  next,
}));
export type IndicatorPage = z.infer<typeof IndicatorPage>;

export const IndicatorSet = namedObject('IndicatorSet', 'Values of several `indicators`, one page', () => ({
  ...barsOf,
  indicators: z.array(IndicatorResult).meta({ description: 'In the order of the request, all with the same bars' }),
  next,
}));
export type IndicatorSet = z.infer<typeof IndicatorSet>;

export const IndicatorAnswer = z
  .union([IndicatorPage, IndicatorSet])
  .meta({ id: 'IndicatorAnswer', description: 'Values of one indicator, or of several' });

export const IndicatorInputDescription = namedObject('IndicatorInputDescription', 'An input of an indicator', () => ({
  name: text('Name'),
  type: z
    .enum(['integer', 'number', 'choice', 'anchor'])
    .meta({ description: '`anchor`: one of `choices`, or an ISO 8601 time' }),
  description: text('Meaning'),
  default: z.union([z.number(), z.string()]).meta({ description: 'Value if it is left out' }),
  minimum: z.number().optional().meta({ description: 'Least number' }),
  maximum: z.number().optional().meta({ description: 'Largest number' }),
  choices: z.array(z.string()).optional().meta({ description: 'Allowed texts' }),
}));
export type IndicatorInputDescription = z.infer<typeof IndicatorInputDescription>;

export const IndicatorDescription = namedObject('IndicatorDescription', 'An indicator and its inputs', () => ({
  name: text('Name, as in requests'),
  aliases: z.array(z.string()).meta({ description: 'Other names that requests may use' }),
  title: text('Name, for people'),
  description: text('What it shows'),
  formula: text('How it is computed'),
  indicator: text('Text form with defaults'),
  inputs: z.array(IndicatorInputDescription).meta({ description: 'In the order of the text form' }),
  lines: z.array(z.string()).meta({ description: 'Names of the lines. A single line is `value` in responses' }),
  pane: z.enum(['price', 'own']).meta({ description: 'Where it is drawn: over the price or in a separate pane' }),
  needs_trades: z.boolean().meta({ description: 'Whether it is available only for instruments with trades' }),
}));
export type IndicatorDescription = z.infer<typeof IndicatorDescription>;

export const IndicatorList = namedList('IndicatorList', 'The indicators of the service', IndicatorDescription);
export type IndicatorList = z.infer<typeof IndicatorList>;
