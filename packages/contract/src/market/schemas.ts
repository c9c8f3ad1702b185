// Instruments, quotes, price history and its coverage, as in REST responses. Prices are in the quote currency of the
// instrument.
import { z } from 'zod';
import {
  booleanQuery,
  enumQuery,
  ItemCount,
  instantQuery,
  integer,
  integerQuery,
  listFormatQuery,
  namedList,
  namedObject,
  nullable,
  number,
  RANGE_END,
  RANGE_START,
  rangeQuery,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';
import { InstrumentHours } from './hours.ts';
import { TIMEFRAMES } from './timeframes.ts';

export const INSTRUMENT_TYPES = ['forex', 'metal', 'crypto', 'index', 'energy', 'equity'] as const;
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

const positive = (description: string) => z.number().positive().meta({ description });
const nonnegative = (description: string) => z.number().nonnegative().meta({ description });

export const Instrument = namedObject(
  'Instrument',
  'An instrument with its contract specification; with `detail=true` also from `digits` on',
  () => ({
    symbol: SymbolCode,
    name: text('Name'),
    type: z.enum(INSTRUMENT_TYPES).meta({ description: 'Class of the instrument' }),
    pip_size: positive('Size of one pip, in price units'),
    contract_size: positive('Units of the base asset in one lot'),
    margin_rate: positive('Margin required, as a fraction of the position value'),
    min_lot: positive('Minimum trade size, in lots'),
    max_lot: positive('Maximum trade size, in lots'),
    digits: integer('Decimals of a price').optional(),
    base: nullable(z.string(), 'What is priced; `null` if not a pair').optional(),
    quote: nullable(z.string(), 'Currency of prices').optional(),
    contract: z.literal('perpetual').meta({ description: 'Left out for spot' }).optional(),
    venue: text('Whose perpetual it is').optional(),
    underlying: text('What the perpetual follows').optional(),
    contract_unit: nullable(z.string(), 'Unit of the contract size, such as `troy ounces`').optional(),
    bars: nullable(
      z.enum(['quotes', 'trades']),
      'What bars are made of; `null`: quotes, and trades once there are any',
    ).optional(),
    source: nullable(z.string(), 'Public specifications with the same terms; `null` for own instruments').optional(),
    hours: InstrumentHours.optional().meta({
      description: 'Trading hours in the coming days',
    }),
  }),
);
export type Instrument = z.infer<typeof Instrument>;

export const InstrumentList = namedList('InstrumentList', 'All available instruments', Instrument);
export type InstrumentList = z.infer<typeof InstrumentList>;

export const SymbolsQuery = z.object({
  detail: booleanQuery('Add digits, currencies, price source, terms and trading hours', false),
});
export type SymbolsQuery = z.infer<typeof SymbolsQuery>;

export const TimeframeCode = z.enum(TIMEFRAMES).meta({ description: 'Length of a bar' });

export const MAX_BARS = 500;

export const barPrices = {
  open: number('First price'),
  high: number('Highest price'),
  low: number('Lowest price'),
  close: number('Last price'),
  volume: nonnegative('Volume traded; without trades, quote sizes or the number of ticks'),
};
const barFields = { time: timestamp('Time of the event, or start of the bar or interval'), ...barPrices };

export const OhlcvBar = namedObject('OhlcvBar', 'One price bar', () => barFields);
export type OhlcvBar = z.infer<typeof OhlcvBar>;

export const OhlcvBarDetail = z
  .object({
    ...barFields,
    bid_volume: nonnegative('Volume sold at the bid (seller-initiated); 0 without trades'),
    ask_volume: nonnegative('Volume bought at the ask (buyer-initiated); 0 without trades'),
  })
  .meta({
    id: 'OhlcvBarDetail',
    description: 'One price bar with `detail=true`',
    examples: [
      {
        time: '2026-03-02T11:00:00.000Z',
        open: 1.08397,
        high: 1.08426,
        low: 1.08371,
        close: 1.08412,
        volume: 1546,
        bid_volume: 702,
        ask_volume: 844,
      },
    ],
  });
export type OhlcvBarDetail = z.infer<typeof OhlcvBarDetail>;

/** The longer schema comes first: the shorter one would match as well, and strip the additional fields. */
const anyBar = z.union([OhlcvBarDetail, OhlcvBar]);

export const quotePrices = {
  bid: number('Best bid'),
  ask: number('Best ask'),
  spread: number('ask − bid, in price units'),
};
const quoteFields = {
  ...quotePrices,
  timestamp: timestamp('Time'),
  stale: z.boolean().optional().meta({
    description: 'With `detail=true`: restored from the store, or older than 60 seconds in an open market',
  }),
};

export const Quote = namedObject('Quote', 'Current bid and ask', () => quoteFields);

export const SymbolQuote = namedObject('SymbolQuote', 'Current bid and ask of one instrument', () => ({
  symbol: SymbolCode,
  ...quoteFields,
}));
export type SymbolQuote = z.infer<typeof SymbolQuote>;

export const QuoteList = namedObject('QuoteList', 'Current quotes of several instruments', () => ({
  items: z.array(SymbolQuote).meta({ description: 'Quotes; instruments without a quote are omitted' }),
  count: ItemCount,
  rejected: z
    .array(
      z.object({
        symbol: text('Symbol as requested, in upper case'),
        code: z.literal('symbol_not_found').meta({ description: 'Reason for the rejection' }),
      }),
    )
    .optional()
    .meta({ description: 'With `detail=true`: requested symbols that do not exist' }),
}));
export type QuoteList = z.infer<typeof QuoteList>;

export const MarketResponse = namedObject(
  'MarketResponse',
  'Price history and current quote of one instrument',
  () => ({
    symbol: SymbolCode,
    timeframe: TimeframeCode,
    ohlcv: z.array(anyBar).meta({
      description: 'Ascending; the newest may still be forming. With `detail=true`: OhlcvBarDetail',
    }),
    quote: Quote.nullable().meta({ description: 'Current quote; `null` if the instrument has no quote yet' }),
  }),
);
export type MarketResponse = z.infer<typeof MarketResponse>;

export const MarketQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  bars: integerQuery('Maximum number of items', 1, MAX_BARS, 100),
  before: instantQuery(RANGE_END),
  ...rangeQuery,
  detail: booleanQuery('Add `bid_volume` and `ask_volume` to each bar, and `stale` to the quote', false),
});
export type MarketQuery = z.infer<typeof MarketQuery>;

/** Bounds the work of one request; the catalogue may hold more instruments. */
export const MAX_QUOTE_SYMBOLS = 200;

const detailOfQuote = booleanQuery('Add `stale` to each quote', false);

export const QuoteQuery = z.object({ detail: detailOfQuote });
export type QuoteQuery = z.infer<typeof QuoteQuery>;

/** Instruments of a request; all by default. */
export const instrumentsQuery = z
  .string()
  .transform((value) => value.split(',').map((symbol) => symbol.trim().toUpperCase()))
  .refine((symbols) => symbols.length <= MAX_QUOTE_SYMBOLS)
  .optional()
  .meta({
    description: 'Instrument codes, comma-separated. All instruments by default',
    allowed: `up to ${MAX_QUOTE_SYMBOLS} instrument codes, comma-separated`,
    wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_QUOTE_SYMBOLS },
  });

export const QUOTE_COLUMNS = ['symbol', 'bid', 'ask', 'spread', 'timestamp', 'stale'] as const;

export const QuotesQuery = z.object({
  symbols: instrumentsQuery,
  detail: booleanQuery('Add `stale` to each quote, and `rejected`: requested symbols that do not exist', false),
  format: listFormatQuery(QUOTE_COLUMNS),
});
export type QuotesQuery = z.infer<typeof QuotesQuery>;

const ABSENCES = ['before_history', 'market_closed', 'no_trades', 'not_recorded', 'missing'] as const;
export type Absence = (typeof ABSENCES)[number];

export const CoverageQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  from: instantQuery(`${RANGE_START}. Default: a day before \`to\``),
  to: instantQuery(`${RANGE_END}. Default: now`),
});
export type CoverageQuery = z.infer<typeof CoverageQuery>;

/** Maximum number of bars in the range of one request. */
export const MAX_COVERAGE_BARS = 50_000;

export const Coverage = namedObject('Coverage', 'Missing bars of a time range', () => ({
  symbol: SymbolCode,
  timeframe: TimeframeCode,
  from: timestamp('Start of the range'),
  to: timestamp('End of the range'),
  bars: integer('Number of bars present in the range'),
  absent: z
    .array(
      z.object({
        from: timestamp('Start of the first missing bar'),
        to: timestamp('End of the last missing bar'),
        bars: integer('Number of missing bars'),
        reason: z.enum(ABSENCES).meta({
          description:
            '`before_history`: before the first bar. `not_recorded`: no live venue, or longer bars exist. `missing`: the venue was not connected',
        }),
      }),
    )
    .meta({ description: 'Missing bars, ascending, joined if adjacent with the same reason' }),
  fetched: z
    .array(z.object({ from: timestamp('Start of the range'), to: timestamp('End of the range') }))
    .meta({ description: 'Periods fetched from a venue' }),
}));
export type Coverage = z.infer<typeof Coverage>;
