// The data feed of TradingView charts (UDF): the names and forms are those of its protocol, not ours. Times are Unix time in
// seconds.
import { z } from 'zod';
import {
  integer,
  integerQuery,
  namedObject,
  number,
  oneOf,
  optionalIntegerQuery,
  RANGE_END,
  RANGE_START,
  text,
} from '../common/values.ts';
import { MAX_QUOTE_SYMBOLS } from './schemas.ts';

/** Minutes, or a day, a week, a month. The service makes bars of each itself. */
export const UDF_RESOLUTIONS = [
  '1',
  '3',
  '5',
  '15',
  '30',
  '45',
  '60',
  '120',
  '180',
  '240',
  '360',
  '480',
  '720',
  '1D',
  '1W',
  '1M',
] as const;
export type UdfResolution = (typeof UDF_RESOLUTIONS)[number];

/** Classes of instruments in the search of charts. */
export const UDF_TYPES = ['forex', 'commodity', 'crypto', 'index', 'stock'] as const;

const SHORT_RESOLUTIONS: Readonly<Record<string, UdfResolution>> = { D: '1D', W: '1W', M: '1M' };
const RESOLUTIONS = oneOf([...UDF_RESOLUTIONS, 'D', 'W', 'M']);

const symbol = z.string().min(1).max(64).meta({
  description: 'Instrument code or `ticker`, with or without an exchange before a colon',
  allowed: 'an instrument code of 1 to 64 characters',
});
const resolution = z
  .preprocess(
    (value) => (typeof value === 'string' ? (SHORT_RESOLUTIONS[value] ?? value) : value),
    z.enum(UDF_RESOLUTIONS),
  )
  .meta({
    description: 'Length of a bar: minutes, or `1D`, `1W`, `1M`',
    allowed: RESOLUTIONS,
    wire: { type: 'string', enum: [...UDF_RESOLUTIONS, ...Object.keys(SHORT_RESOLUTIONS)] },
  });
/** Charts ask for times before 1970, too. */
const seconds = (description: string) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && /^-?\d{1,12}$/.test(value) ? Number(value) : value),
      z.int().min(-999_999_999_999).max(999_999_999_999),
    )
    .meta({ description, allowed: 'Unix time in whole seconds' });

export const UdfSymbolQuery = z.object({ symbol });
export type UdfSymbolQuery = z.infer<typeof UdfSymbolQuery>;

const filter = (description: string) =>
  z.string().max(64).default('').meta({ description, allowed: 'a text of at most 64 characters' });

export const UdfSearchQuery = z.object({
  query: filter('What the user typed: a part of a symbol or of a name'),
  type: filter('Return only instruments of this type. Empty: all'),
  exchange: filter('Return only instruments of this exchange. Empty: all'),
  limit: integerQuery('Maximum number of items', 1, 100, 30),
});
export type UdfSearchQuery = z.infer<typeof UdfSearchQuery>;

export const UdfMarksQuery = z.object({ symbol, resolution, from: seconds(RANGE_START), to: seconds(RANGE_END) });
export type UdfMarksQuery = z.infer<typeof UdfMarksQuery>;

export const UdfHistoryQuery = UdfMarksQuery.extend({
  from: UdfMarksQuery.shape.from.optional().meta({
    description: 'Start (inclusive); ignored with `countback`',
    allowed: 'Unix time in whole seconds',
  }),
  countback: optionalIntegerQuery('Number of bars before `to`, wherever they start. A response has at most 10,000', 1),
});
export type UdfHistoryQuery = z.infer<typeof UdfHistoryQuery>;

export const UdfQuotesQuery = z.object({
  symbols: z
    .string()
    .transform((value) => value.split(','))
    .refine((symbols) => symbols.length <= MAX_QUOTE_SYMBOLS && symbols.every((code) => code !== ''))
    .meta({
      description: 'Instrument codes, comma-separated',
      allowed: `1 to ${MAX_QUOTE_SYMBOLS} instrument codes, comma-separated`,
      wire: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_QUOTE_SYMBOLS },
    }),
});
export type UdfQuotesQuery = z.infer<typeof UdfQuotesQuery>;

const flag = (description: string) => z.boolean().meta({ description });
const resolutions = z.array(z.string()).meta({ description: 'Lengths of bars that can be requested' });

export const UdfConfig = namedObject('UdfConfig', 'What the data feed supports', () => ({
  supports_search: flag('`/search` and `/symbols` can be used'),
  supports_group_request: flag('`/symbol_info` can be used'),
  supports_marks: flag('`/marks` can be used'),
  supports_timescale_marks: flag('`/timescale_marks` can be used'),
  supports_time: flag('`/time` can be used'),
  supported_resolutions: resolutions,
  exchanges: z
    .array(z.object({ value: text('Value of `exchange`'), name: text('Name'), desc: text('Description') }))
    .meta({ description: 'Exchanges to choose from' }),
  symbols_types: z
    .array(z.object({ name: text('Name'), value: text('Value of `type`') }))
    .meta({ description: 'Types of instruments to choose from' }),
}));
export type UdfConfig = z.infer<typeof UdfConfig>;

export const UdfSymbol = namedObject('UdfSymbol', 'An instrument, as charts need it', () => ({
  name: text('Symbol'),
  ticker: text('Symbol, for further requests'),
  description: text('Name'),
  type: z.enum(UDF_TYPES).meta({ description: 'Class of the instrument' }),
  exchange: text('`TICKWIRE`, or `TICKWIRE-SIM` for simulated markets'),
  listed_exchange: text('The same'),
  timezone: text('`Etc/UTC`: bars are aligned to UTC'),
  session: text('`24x7`, so that charts show every bar'),
  minmov: integer('Price steps are `minmov` / `pricescale`'),
  pricescale: integer('10 to the number of digits of a price'),
  has_intraday: flag('Has bars of minutes'),
  has_daily: flag('Has bars of days'),
  has_weekly_and_monthly: flag('Has bars of weeks and months'),
  intraday_multipliers: z.array(z.string()).meta({ description: 'Minutes of the bars that the service makes' }),
  supported_resolutions: resolutions,
  visible_plots_set: text('`ohlcv`: bars have a volume'),
  volume_precision: integer('Decimals of volumes'),
  data_status: text('`streaming`'),
  format: text('`price`'),
  currency_code: text('Currency of prices, if it is known').optional(),
}));
export type UdfSymbol = z.infer<typeof UdfSymbol>;

export const UdfSearchResult = z
  .array(
    z.object({
      symbol: text('Symbol'),
      full_name: text('Exchange and symbol'),
      description: text('Name'),
      exchange: text('Exchange'),
      ticker: text('Symbol, for further requests'),
      type: z.enum(UDF_TYPES).meta({ description: 'Class of the instrument' }),
    }),
  )
  .meta({ id: 'UdfSearchResult', description: 'Instruments that match, the best first' });
export type UdfSearchResult = z.infer<typeof UdfSearchResult>;

const column = (description: string) => z.array(z.number()).meta({ description });

export const UdfHistory = z
  .union([
    z.object({
      s: z.literal('ok').meta({ description: 'There are bars' }),
      t: column('Start of each bar, ascending'),
      o: column('Open'),
      h: column('High'),
      l: column('Low'),
      c: column('Close'),
      v: column('Volume'),
    }),
    z.object({
      s: z.literal('no_data').meta({ description: 'There are no bars' }),
      nextTime: integer(
        'Start of the last bar before the range; absent if there is none, which is where the history begins',
      ).optional(),
    }),
  ])
  .meta({ id: 'UdfHistory', description: 'Bars as columns; the newest one may still be forming' });
export type UdfHistory = z.infer<typeof UdfHistory>;

const words = (description: string) => z.array(z.string()).meta({ description });

export const UdfMarks = namedObject('UdfMarks', 'Signals and headlines of an instrument, as columns', () => ({
  id: words('Ids'),
  time: column('Start of the bar that the mark belongs to'),
  color: words('`green`: buy, or good news. `red`: sell, or bad news. `blue`: neutral news'),
  text: words('What happened, as HTML text without tags'),
  label: words('`B`: buy, `S`: sell, `N`: news'),
  labelFontColor: words('Colour of the label'),
  minSize: column('Smallest diameter in pixels'),
}));
export type UdfMarks = z.infer<typeof UdfMarks>;

const price = (description: string) => number(description).optional();

export const UdfQuotes = namedObject('UdfQuotes', 'Quotes, as charts need them', () => ({
  s: z.literal('ok').meta({ description: 'Status' }),
  d: z
    .array(
      z.object({
        s: z.enum(['ok', 'error']).meta({ description: '`error`: no such instrument, or no price yet' }),
        n: text('Symbol, with the exchange if it was requested with one'),
        v: z
          .object({
            ch: price('Change since the close of the day before'),
            chp: price('The same in percent'),
            short_name: text('Symbol').optional(),
            exchange: text('Exchange').optional(),
            description: text('Name').optional(),
            lp: price('Last price'),
            ask: price('Best ask'),
            bid: price('Best bid'),
            spread: price('Ask − bid'),
            open_price: price('Open of the UTC day'),
            high_price: price('High of the UTC day'),
            low_price: price('Low of the UTC day'),
            prev_close_price: price('Close of the day before'),
            volume: price('Volume of the UTC day'),
          })
          .meta({ description: 'Values; those that are not known are absent' }),
      }),
    )
    .meta({ description: 'One entry for each requested symbol' }),
}));
export type UdfQuotes = z.infer<typeof UdfQuotes>;

export const UdfTime = z.int().meta({ id: 'UdfTime', description: 'Unix time in seconds' });
