// Bars of any interval, read page by page or as a file.
import { z } from 'zod';
import {
  choice,
  enumQuery,
  integer,
  namedList,
  namedObject,
  nextPage,
  nullable,
  number,
  optionalIntegerQuery,
  rangeQuery,
  SymbolCode,
  setQuery,
  text,
  timestamp,
} from '../common/values.ts';
import { OhlcvBar } from './schemas.ts';

export const MAX_CHART_BARS = 10_000;
/** Items of a page of JSON without `limit`. */
export const DEFAULT_PAGE = 500;
const MAX_BARS_SYMBOLS = 20;

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

/** Length of a bar as types can state it: the numbers are checked by the service. */
export type Interval = `${number}m` | `${number}h` | '1d' | '1w' | '1M';
export const INTERVALS = 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M';
const ALIGNMENTS = 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London';

/** The parameters of a page or a file that bars and ticks have in common. */
const pageQuery = (items: string, cursor: RegExp) => ({
  limit: optionalIntegerQuery(
    `Maximum number of ${items}. Default: ${DEFAULT_PAGE} in JSON; a file has the whole range`,
    1,
    MAX_CHART_BARS,
  ),
  cursor: z.string().regex(cursor).optional().meta({
    description: 'Value of `next` of the page before',
    allowed: 'the value of `next` of an earlier response',
  }),
  format: choice(
    HISTORY_FORMATS,
    'Pages of JSON, or one file of the range. Default: by the header `Accept`, else JSON',
  ).optional(),
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
      description: 'Start of a day: `utc`, `ny` (17:00 in New York), or a time zone (midnight)',
      allowed: ALIGNMENTS,
    }),
  ...rangeQuery,
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
      description: 'Instrument codes. A page has up to 10,000 bars of all together',
      allowed: `1 to ${MAX_BARS_SYMBOLS} instrument codes, comma-separated`,
      wire: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_BARS_SYMBOLS },
    }),
});
export type SeveralBarsQuery = z.infer<typeof SeveralBarsQuery>;

export const ChartBar = OhlcvBar.extend({
  trades: nullable(z.int().min(0), 'Number of trades; `null` if not recorded').optional(),
  vwap: nullable(z.number(), 'Volume-weighted average price; `null` if not recorded').optional(),
  buy_volume: nullable(z.number().min(0), 'Volume bought at the ask; `null` on a bar of bids').optional(),
  sell_volume: nullable(z.number().min(0), 'Volume sold at the bid; `null` on a bar of bids').optional(),
  delta: nullable(z.number(), '`buy_volume` − `sell_volume`; `null` on a bar of bids').optional(),
  source: nullable(z.string(), '`simulated`, `venue` (fetched), `mixed` (in part) or `null`').optional(),
  unrecorded_minutes: nullable(
    z.int().min(0),
    'Minutes of an open market that were not recorded: above 0, the bar is incomplete',
  ).optional(),
}).meta({ id: 'ChartBar', description: 'One price bar, with the fields that were requested' });

/** Whose bars a page has, and of which length. */
export const barsOf = { symbol: SymbolCode, interval: text('Length of a bar'), align: text('When a day starts') };
export const nextBars = nextPage(z.string());

export const BarsPage = namedObject('BarsPage', 'Bars of one instrument, one page', () => ({
  ...barsOf,
  items: z.array(ChartBar).meta({ description: 'Ascending; the newest may still be forming' }),
  next: nextBars,
}));
export type BarsPage = z.infer<typeof BarsPage>;

export const BarsPages = namedList(
  'BarsPages',
  'Bars of several instruments',
  BarsPage,
  'One page for each instrument, in the order of `symbols`',
);
export type BarsPages = z.infer<typeof BarsPages>;

export const TICK_KINDS = ['quotes', 'trades'] as const;
export type TickKind = (typeof TICK_KINDS)[number];
export const TICK_FIELDS = ['seq', 'source'] as const;
export type TickField = (typeof TICK_FIELDS)[number];

export const TicksQuery = z.object({
  kind: enumQuery('Which ticks to return', TICK_KINDS, 'quotes'),
  ...rangeQuery,
  ...pageQuery('ticks', /^[bf]\d{1,15}\.\d{1,15}$/),
  fields: setQuery('Further fields of each tick', TICK_FIELDS),
});
export type TicksQuery = z.infer<typeof TicksQuery>;

const tickTime = timestamp('Time of the event, or start of the bar or interval');
const tickFields = {
  seq: integer('Sequence number of the event').optional(),
  source: nullable(z.string(), 'Feed that delivered the tick; `null` if not recorded').optional(),
};

export const HistoryQuote = namedObject('HistoryQuote', 'One quote of the tape', () => ({
  time: tickTime,
  bid: number('Best bid'),
  ask: number('Best ask'),
  bid_size: nullable(z.number(), 'Size at the bid; `null` if the feed has no sizes'),
  ask_size: nullable(z.number(), 'Size at the ask; `null` if the feed has no sizes'),
  ...tickFields,
}));
export type HistoryQuote = z.infer<typeof HistoryQuote>;

export const HistoryTrade = namedObject('HistoryTrade', 'One trade of the tape', () => ({
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
}));
export type HistoryTrade = z.infer<typeof HistoryTrade>;

export const TicksPage = namedObject('TicksPage', 'Quotes or trades of one instrument, one page', () => ({
  symbol: SymbolCode,
  kind: z.enum(TICK_KINDS).meta({ description: 'Which ticks these are' }),
  items: z
    .union([z.array(HistoryQuote), z.array(HistoryTrade)])
    .meta({ description: 'Ascending by time, then by `seq`' }),
  next: nextPage(z.string()),
}));
export type TicksPage = z.infer<typeof TicksPage>;
