// Bars of any interval, read page by page or as a file.
import { z } from 'zod';
import { ItemCount, instantQuery, integer, nullable, number, SymbolCode, setQuery, text } from '../common/values.ts';
import { OhlcvBar } from './schemas.ts';

export const MAX_CHART_BARS = 10_000;
/** Items of a page of JSON without `limit`. */
export const DEFAULT_PAGE = 500;
export const MAX_BARS_SYMBOLS = 20;

export const HISTORY_FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const;
export type HistoryFormat = (typeof HISTORY_FORMATS)[number];

/** Fields of a bar that are returned on request. */
export const BAR_FIELDS = [
  'trades',
  'vwap',
  'buy_volume',
  'sell_volume',
  'delta',
  'source',
  'unrecorded_minutes',
] as const;
export type BarField = (typeof BAR_FIELDS)[number];

const INTERVALS = 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M';
const ALIGNMENTS = 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London';

/** The parameters of a page or a file that bars and ticks have in common. */
export const pageQuery = (items: string, cursor: RegExp) => ({
  limit: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
      z.int().min(1).max(MAX_CHART_BARS),
    )
    .optional()
    .meta({
      description: `Maximum number of ${items}. Default: ${DEFAULT_PAGE} in JSON; a file has the whole range`,
      allowed: `an integer between 1 and ${MAX_CHART_BARS}`,
    }),
  cursor: z.string().regex(cursor).optional().meta({
    description: 'Value of `next` of the page before',
    allowed: 'the value of `next` of an earlier response',
  }),
  format: z
    .enum(HISTORY_FORMATS)
    .optional()
    .meta({
      description:
        'Format of the response: pages of JSON, or one file of the range. By default, the header `Accept` decides, and JSON if it ' +
        'names none of them',
      allowed: `one of ${HISTORY_FORMATS.join(', ')}`,
    }),
});

export const BarsQuery = z.object({
  interval: z
    .string()
    .regex(/^(?:[1-9]\d{0,3}[mh]|1d|1w|1M)$/)
    .default('1h')
    .meta({ description: 'Length of a bar. `1m` is a minute, `1M` a month', allowed: INTERVALS }),
  align: z
    .string()
    .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/)
    .default('utc')
    .meta({
      description:
        'When a day starts. Intervals count from there. `utc`: 00:00 UTC. `ny`: 17:00 in New York, as most charts of forex have it. ' +
        'A time zone: its midnight',
      allowed: ALIGNMENTS,
    }),
  from: instantQuery('Return only bars that start at or after this time, the oldest first'),
  to: instantQuery('Return only bars that start at or before this time'),
  ...pageQuery('bars', /^[bf]\d{1,15}$/),
  fields: setQuery('Further fields of each bar. A value that was not recorded is `null`', BAR_FIELDS),
});
export type BarsQuery = z.infer<typeof BarsQuery>;

export const SeveralBarsQuery = BarsQuery.omit({ cursor: true }).extend({
  symbols: z
    .string()
    .transform((value) => [...new Set(value.split(',').map((symbol) => symbol.trim().toUpperCase()))])
    .refine((symbols) => symbols.length <= MAX_BARS_SYMBOLS && symbols.every((symbol) => symbol !== ''))
    .meta({
      description: 'Instrument codes, comma-separated. A page of JSON has up to 10,000 bars of all of them together',
      allowed: `1 to ${MAX_BARS_SYMBOLS} instrument codes, comma-separated`,
      wire: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_BARS_SYMBOLS },
    }),
});
export type SeveralBarsQuery = z.infer<typeof SeveralBarsQuery>;

export const ChartBar = OhlcvBar.extend({
  trades: nullable(z.int().min(0), 'Number of trades; `null` if it was not recorded').optional(),
  vwap: nullable(z.number(), 'Average price of the trades, weighted by their sizes; `null` if not recorded').optional(),
  buy_volume: nullable(z.number().min(0), 'Volume bought at the ask; `null` on a bar of bids').optional(),
  sell_volume: nullable(z.number().min(0), 'Volume sold at the bid; `null` on a bar of bids').optional(),
  delta: nullable(z.number(), '`buy_volume` − `sell_volume`; `null` on a bar of bids').optional(),
  source: nullable(z.string(), 'Where the bar comes from; `null` if it was not recorded').optional(),
  unrecorded_minutes: nullable(
    z.int().min(0),
    'Minutes of the interval in which the market was open, but neither a price nor a connected source was recorded. More than 0: ' +
      'the bar is made of a part of its minutes',
  ).optional(),
}).meta({ id: 'ChartBar', description: 'One price bar, with the fields that were requested' });
export type ChartBar = z.infer<typeof ChartBar>;

export const BarsPage = z
  .object({
    symbol: SymbolCode,
    interval: text('Length of a bar'),
    align: text('When a day starts'),
    items: z.array(ChartBar).meta({ description: 'Bars in ascending order; the newest one may still be forming' }),
    next: nullable(
      z.string(),
      'Cursor of the next page: older bars, or newer ones if `from` was given. `null` if there are no more. A page may have ' +
        'fewer bars than `limit` and still have a next one',
    ),
  })
  .meta({ id: 'BarsPage', description: 'Bars of one instrument, one page' });
export type BarsPage = z.infer<typeof BarsPage>;

export const BarsPages = z
  .object({
    items: z.array(BarsPage).meta({ description: 'One page for each instrument, in the order of `symbols`' }),
    count: ItemCount,
  })
  .meta({ id: 'BarsPages', description: 'Bars of several instruments' });
export type BarsPages = z.infer<typeof BarsPages>;

export const TICK_KINDS = ['quotes', 'trades'] as const;
export type TickKind = (typeof TICK_KINDS)[number];
export const TICK_FIELDS = ['seq', 'source'] as const;
export type TickField = (typeof TICK_FIELDS)[number];

export const TicksQuery = z.object({
  kind: z
    .enum(TICK_KINDS)
    .default('quotes')
    .meta({ description: 'Which ticks to return', allowed: 'one of quotes, trades' }),
  from: instantQuery('Return only ticks at or after this time, the oldest first'),
  to: instantQuery('Return only ticks at or before this time'),
  ...pageQuery('ticks', /^[bf]\d{1,15}\.\d{1,15}$/),
  fields: setQuery('Further fields of each tick', TICK_FIELDS),
});
export type TicksQuery = z.infer<typeof TicksQuery>;

const tickTime = z.iso.datetime({ precision: 3 }).meta({ description: 'Time of the tick (ISO 8601, UTC)' });
const tickFields = {
  seq: integer('Position in the journal; later ticks have a higher one').optional(),
  source: nullable(z.string(), 'Feed that delivered the tick; `null` if it was not recorded').optional(),
};

export const HistoryQuote = z
  .object({
    time: tickTime,
    bid: number('Best bid'),
    ask: number('Best ask'),
    bid_size: nullable(z.number(), 'Size at the bid; `null` if the feed has no sizes'),
    ask_size: nullable(z.number(), 'Size at the ask; `null` if the feed has no sizes'),
    ...tickFields,
  })
  .meta({ id: 'HistoryQuote', description: 'One quote of the tape' });
export type HistoryQuote = z.infer<typeof HistoryQuote>;

export const HistoryTrade = z
  .object({
    time: tickTime,
    price: number('Price'),
    size: number('Size'),
    side: z.enum(['buy', 'sell']).meta({ description: 'Side of the taker' }),
    side_method: nullable(
      z.enum(['quote_rule', 'tick_rule']),
      'How the side was inferred; `null` if the feed reported it',
    ),
    id: nullable(z.int(), 'Trade id of the venue; `null` if it has none'),
    ...tickFields,
  })
  .meta({ id: 'HistoryTrade', description: 'One trade of the tape' });
export type HistoryTrade = z.infer<typeof HistoryTrade>;

export const TicksPage = z
  .object({
    symbol: SymbolCode,
    kind: z.enum(TICK_KINDS).meta({ description: 'Which ticks these are' }),
    items: z
      .union([z.array(HistoryQuote), z.array(HistoryTrade)])
      .meta({ description: 'Ticks in ascending order of time, those of the same time by `seq`' }),
    next: nullable(
      z.string(),
      'Cursor of the next page: older ticks, or newer ones if `from` was given. `null` if there are no more',
    ),
  })
  .meta({ id: 'TicksPage', description: 'Quotes or trades of one instrument, one page' });
export type TicksPage = z.infer<typeof TicksPage>;
