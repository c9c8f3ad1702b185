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
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';
import { InstrumentHours } from './hours.ts';

export const INSTRUMENT_TYPES = ['forex', 'metal', 'crypto', 'index', 'energy', 'equity'] as const;
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

const positive = (description: string) => z.number().positive().meta({ description });
const nonnegative = (description: string) => z.number().nonnegative().meta({ description });

export const Instrument = z
  .object({
    symbol: SymbolCode,
    name: text('Name for display'),
    type: z.enum(INSTRUMENT_TYPES).meta({ description: 'Class of the instrument' }),
    pip_size: positive('Size of one pip, in price units'),
    contract_size: positive('Units of the base asset in one lot'),
    margin_rate: positive('Margin required, as a fraction of the position value'),
    min_lot: positive('Minimum trade size, in lots'),
    max_lot: positive('Maximum trade size, in lots'),
    digits: integer('Only with `detail=true`: decimals of a price').optional(),
    base: nullable(z.string(), 'Only with `detail=true`: what is priced; `null` if it is not a pair').optional(),
    quote: nullable(z.string(), 'Only with `detail=true`: currency of prices; `null` if it is not known').optional(),
    contract_unit: nullable(
      z.string(),
      'Only with `detail=true`: unit of the contract size, such as `EUR`, `troy ounces` or `USD per point`; `null` if not known',
    ).optional(),
    bars: nullable(
      z.enum(['quotes', 'trades']),
      'Only with `detail=true`: what bars are made of; `null`: of trades from the first one on, of quotes before',
    ).optional(),
    source: nullable(
      z.string(),
      'Only with `detail=true`: public specifications that agree with these terms; `null` for instruments of the operator',
    ).optional(),
    hours: InstrumentHours.optional().meta({
      description: 'Only with `detail=true`: trading hours in the coming days',
    }),
  })
  .meta({ id: 'Instrument', description: 'A trading instrument with its contract specification' });
export type Instrument = z.infer<typeof Instrument>;

export const InstrumentList = z
  .object({ items: z.array(Instrument).meta({ description: 'All instruments' }), count: ItemCount })
  .meta({ id: 'InstrumentList', description: 'All available instruments' });

export const SymbolsQuery = z.object({
  detail: booleanQuery(
    'Add digits, currencies, what bars are made of, the source of the terms, and trading hours',
    false,
  ),
});
export type SymbolsQuery = z.infer<typeof SymbolsQuery>;

export const TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];
export const TimeframeCode = z.enum(TIMEFRAMES).meta({ description: 'Length of a bar' });

/** Length of each timeframe in milliseconds. */
export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

export const MAX_BARS = 500;

export const barPrices = {
  open: number('First price of the interval'),
  high: number('Highest price of the interval'),
  low: number('Lowest price of the interval'),
  close: number('Last price of the interval'),
  volume: nonnegative('Volume traded; without trades, the sum of quote sizes, or the number of ticks'),
};
const barFields = { time: timestamp('Start of the bar'), ...barPrices };

export const OhlcvBar = z.object(barFields).meta({ id: 'OhlcvBar', description: 'One price bar' });
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
  bid: number('Best price at which the market buys'),
  ask: number('Best price at which the market sells'),
  spread: number('ask − bid in price units, rounded to the digits of the instrument'),
};
const quoteFields = {
  ...quotePrices,
  timestamp: timestamp('Time of the quote'),
  stale: z
    .boolean()
    .optional()
    .meta({
      description:
        'Only with `detail=true`: whether the quote is stale, that is restored from the store after a restart with none since, ' +
        'or older than 60 seconds in an open market',
    }),
};

export const Quote = z.object(quoteFields).meta({ id: 'Quote', description: 'Current bid and ask' });
export type Quote = z.infer<typeof Quote>;

export const SymbolQuote = z
  .object({ symbol: SymbolCode, ...quoteFields })
  .meta({ id: 'SymbolQuote', description: 'Current bid and ask of one instrument' });
export type SymbolQuote = z.infer<typeof SymbolQuote>;

export const QuoteList = z
  .object({
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
  })
  .meta({ id: 'QuoteList', description: 'Current quotes of several instruments' });

export const MarketResponse = z
  .object({
    symbol: SymbolCode,
    timeframe: TimeframeCode,
    ohlcv: z.array(anyBar).meta({
      description: 'Bars in ascending order; the last one may still be forming. With `detail=true`: OhlcvBarDetail',
    }),
    quote: Quote.nullable().meta({ description: 'Current quote; `null` if the instrument has no quote yet' }),
  })
  .meta({ id: 'MarketResponse', description: 'Price history and current quote of one instrument' });

export const MarketQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  bars: integerQuery('Maximum number of bars', 1, MAX_BARS, 100),
  before: instantQuery('Return only bars that start before this time (exclusive). Use it to page back through history'),
  from: instantQuery(
    'Return only bars that start at or after this time. Without `before`, bars are counted forward from here',
  ),
  to: instantQuery('Return only bars that start at or before this time'),
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

export const ABSENCES = ['before_history', 'market_closed', 'no_trades', 'not_recorded', 'missing'] as const;
export type Absence = (typeof ABSENCES)[number];

export const CoverageQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  from: instantQuery('Start of the range. One day before `to` by default'),
  to: instantQuery('End of the range. The current time by default'),
});
export type CoverageQuery = z.infer<typeof CoverageQuery>;

/** Maximum number of bars in the range of one request. */
export const MAX_COVERAGE_BARS = 50_000;

export const Coverage = z
  .object({
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
              '`before_history`: before the first bar of the instrument. `market_closed`: outside trading hours. `no_trades`: the source was ' +
              'connected and nothing traded. `not_recorded`: longer bars show that the market traded, but bars of this timeframe ' +
              'were not recorded; or the instrument has no live venue, and neither a push nor an import contained them. ' +
              '`missing`: the market was open and its venue was not connected',
          }),
        }),
      )
      .meta({ description: 'Missing bars in ascending order; adjacent bars with the same reason form one entry' }),
  })
  .meta({ id: 'Coverage', description: 'Missing bars of a time range' });
export type Coverage = z.infer<typeof Coverage>;
