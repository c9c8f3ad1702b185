// Instruments, quotes and price history as they leave the service.
import { z } from 'zod';
import { booleanQuery, enumQuery, instantQuery, integerQuery, SymbolCode, Timestamp } from './values.ts';

export const INSTRUMENT_TYPES = ['forex', 'metal', 'crypto', 'index', 'energy', 'equity'] as const;
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number];

export const Instrument = z
  .object({
    symbol: SymbolCode,
    name: z.string().meta({ description: 'Human-readable name' }),
    type: z.enum(INSTRUMENT_TYPES),
    pip_size: z.number().positive(),
    contract_size: z.number().positive(),
    margin_rate: z.number().positive(),
    min_lot: z.number().positive().meta({ description: 'Minimum trade size' }),
    max_lot: z.number().positive().meta({ description: 'Maximum trade size' }),
  })
  .meta({ id: 'Instrument' });
export type Instrument = z.infer<typeof Instrument>;

export const InstrumentList = z
  .object({ items: z.array(Instrument), count: z.int() })
  .meta({ id: 'InstrumentList', description: 'Every available instrument' });

export const TIMEFRAMES = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

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

const barFields = {
  time: Timestamp.meta({ description: 'Start of the bar, ISO 8601, UTC' }),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number().nonnegative(),
};

export const OhlcvBar = z.object(barFields).meta({ id: 'OhlcvBar' });
export type OhlcvBar = z.infer<typeof OhlcvBar>;

export const OhlcvBarDetail = z
  .object({
    ...barFields,
    bid_volume: z
      .number()
      .nonnegative()
      .meta({ description: 'Volume that hit the bid: sellers took it. 0 without trades' }),
    ask_volume: z
      .number()
      .nonnegative()
      .meta({ description: 'Volume that lifted the ask: buyers took it. 0 without trades' }),
  })
  .meta({
    id: 'OhlcvBarDetail',
    description: 'A bar as it stands with `detail=true`',
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

/** The longer one first: the shorter would take it too, and leave the rest of it out. */
const anyBar = z.union([OhlcvBarDetail, OhlcvBar]);

const quoteFields = {
  bid: z.number(),
  ask: z.number(),
  spread: z.number().meta({ description: 'ask − bid in price units, rounded to the digits of the instrument' }),
  timestamp: Timestamp,
};

export const Quote = z.object(quoteFields).meta({ id: 'Quote' });
export type Quote = z.infer<typeof Quote>;

export const SymbolQuote = z.object({ symbol: SymbolCode, ...quoteFields }).meta({ id: 'SymbolQuote' });
export type SymbolQuote = z.infer<typeof SymbolQuote>;

export const QuoteList = z
  .object({
    items: z.array(SymbolQuote).meta({ description: 'Instruments that have no quote yet are left out' }),
    count: z.int(),
  })
  .meta({ id: 'QuoteList' });

export const MarketResponse = z
  .object({
    symbol: SymbolCode,
    timeframe: z.enum(TIMEFRAMES),
    ohlcv: z.array(anyBar).meta({
      description: 'Ascending; the last one may still be forming. With `detail=true` each is an OhlcvBarDetail',
    }),
    quote: Quote.nullable().meta({ description: 'null while the instrument has had no quote yet' }),
  })
  .meta({ id: 'MarketResponse' });

export const MarketQuery = z.object({
  timeframe: enumQuery('Length of a bar', TIMEFRAMES, '1h'),
  bars: integerQuery('Number of bars', 1, MAX_BARS, 100),
  before: instantQuery('Only bars that start before this time (exclusive): pages back through history'),
  from: instantQuery('Only bars that start at or after this time. Without `before`, the count runs forward from here'),
  to: instantQuery('Only bars that start at or before this time'),
  detail: booleanQuery('Each bar with its `bid_volume` and `ask_volume`', false),
});
export type MarketQuery = z.infer<typeof MarketQuery>;

/** Bounds the work of one request; the catalogue may hold more. */
export const MAX_QUOTE_SYMBOLS = 200;

export const QuotesQuery = z.object({
  symbols: z
    .string()
    .transform((value) => value.split(',').map((symbol) => symbol.trim().toUpperCase()))
    .refine((symbols) => symbols.length <= MAX_QUOTE_SYMBOLS)
    .optional()
    .meta({
      description: 'Instrument codes, comma-separated; all instruments when left out',
      allowed: `up to ${MAX_QUOTE_SYMBOLS} instrument codes, comma-separated`,
      wire: { type: 'array', items: { type: 'string' }, maxItems: MAX_QUOTE_SYMBOLS },
    }),
});
