// Values of indicators over bars of any interval, and the list of indicators.
import { z } from 'zod';
import { ItemCount, integerQuery, nullable, SymbolCode, text, timestamp } from '../common/values.ts';
import { BarsQuery } from './bars.ts';
import { INDICATOR_CATALOGUE, INDICATOR_NAMES, type IndicatorEntry } from './indicator-catalogue.ts';
import { allowedOf, MAX_INDICATOR_TEXT, splitIndicators } from './indicator-spec.ts';

export const MAX_INDICATOR_BARS = 10_000;
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
      allowed: `one of ${INDICATOR_NAMES.join(', ')}`,
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
  limit: integerQuery('Maximum number of bars', 1, MAX_INDICATOR_BARS, 100),
  cursor: BarsQuery.shape.cursor,
  ...inputParameters(),
});
export type IndicatorsQuery = z.infer<typeof IndicatorsQuery>;

const LineValue = nullable(z.number(), '`null` while there are too few bars');

export const IndicatorItem = z
  .object({
    time: timestamp('Start of the bar'),
    value: LineValue.optional().meta({
      description: 'Value of an indicator with one line; `null` while there are too few bars',
    }),
    values: z
      .record(z.string(), LineValue)
      .optional()
      .meta({ description: 'Values of an indicator with several lines, by the name of the line' }),
    settled: z.boolean().meta({
      description:
        'Whether a longer history would give the same value (up to a ten-billionth): there were enough bars before',
    }),
    forming: z
      .literal(true)
      .optional()
      .meta({ description: 'Present on the newest bar while it is forming: its values change until it closes' }),
  })
  .meta({ id: 'IndicatorItem', description: 'Values of an indicator at one bar' });
export type IndicatorItem = z.infer<typeof IndicatorItem>;

const series = {
  name: text('Name of the indicator'),
  indicator: text('The indicator with all of its inputs as one text, such as `rsi(14)`'),
  inputs: z
    .record(z.string(), z.union([z.number(), z.string()]))
    .meta({ description: 'Values of the inputs, defaults included' }),
  offsets: z.record(z.string(), z.int()).optional().meta({
    description:
      'Bars by which a chart draws a line later, or earlier if negative. Absent if all lines are drawn at their bar',
  }),
  items: z.array(IndicatorItem).meta({ description: 'In ascending order, one per bar' }),
};

export const IndicatorResult = z
  .object(series)
  .meta({ id: 'IndicatorResult', description: 'Values of one indicator, bar by bar' });
export type IndicatorResult = z.infer<typeof IndicatorResult>;

const page = {
  symbol: SymbolCode,
  interval: text('Length of a bar'),
  align: text('When a day starts'),
};
const next = nullable(
  z.string(),
  'Cursor of the next page, as in `GET /api/bars/{symbol}`: older bars, or newer ones if `from` was given',
);

export const IndicatorPage = z
  .object({ ...page, ...series, next })
  .meta({ id: 'IndicatorPage', description: 'Values of one indicator, one page. The answer to `name`' });
export type IndicatorPage = z.infer<typeof IndicatorPage>;

export const IndicatorSet = z
  .object({
    ...page,
    indicators: z.array(IndicatorResult).meta({ description: 'In the order of the request, all with the same bars' }),
    next,
  })
  .meta({ id: 'IndicatorSet', description: 'Values of several indicators, one page. The answer to `indicators`' });
export type IndicatorSet = z.infer<typeof IndicatorSet>;

export const IndicatorAnswer = z
  .union([IndicatorPage, IndicatorSet])
  .meta({ id: 'IndicatorAnswer', description: 'Values of one indicator, or of several' });

export const IndicatorInputDescription = z
  .object({
    name: text('Name of the input'),
    type: z
      .enum(['integer', 'number', 'choice', 'anchor'])
      .meta({ description: '`anchor`: one of `choices`, or an ISO 8601 time' }),
    description: text('Meaning'),
    default: z.union([z.number(), z.string()]).meta({ description: 'Value if it is left out' }),
    minimum: z.number().optional().meta({ description: 'Least number' }),
    maximum: z.number().optional().meta({ description: 'Largest number' }),
    choices: z.array(z.string()).optional().meta({ description: 'Allowed texts' }),
  })
  .meta({ id: 'IndicatorInputDescription', description: 'An input of an indicator' });
export type IndicatorInputDescription = z.infer<typeof IndicatorInputDescription>;

export const IndicatorDescription = z
  .object({
    name: text('Name, as in requests'),
    aliases: z.array(z.string()).meta({ description: 'Other names that requests may use' }),
    title: text('Name, for people'),
    description: text('What it shows'),
    formula: text('How it is computed'),
    indicator: text('The indicator with its defaults as one text'),
    inputs: z.array(IndicatorInputDescription).meta({ description: 'In the order of the text form' }),
    lines: z.array(z.string()).meta({ description: 'Names of the lines. A single line is `value` in responses' }),
    pane: z.enum(['price', 'own']).meta({ description: 'Whether it is drawn over the price or in a pane of its own' }),
    needs_trades: z.boolean().meta({ description: 'Whether it is available only for instruments with trades' }),
  })
  .meta({ id: 'IndicatorDescription', description: 'An indicator and its inputs' });
export type IndicatorDescription = z.infer<typeof IndicatorDescription>;

export const IndicatorList = z
  .object({ items: z.array(IndicatorDescription).meta({ description: 'All indicators' }), count: ItemCount })
  .meta({ id: 'IndicatorList', description: 'The indicators of the service' });
export type IndicatorList = z.infer<typeof IndicatorList>;
