// Endpoints for instruments, quotes, price history, feeds and pushed ticks.
import { endpoint } from '../common/endpoint.ts';
import { BarsPage, BarsPages, BarsQuery, SeveralBarsQuery, TicksPage, TicksQuery } from './bars.ts';
import { FeedList } from './feeds.ts';
import { HoursQuery, TradingHours } from './hours.ts';
import { IndicatorAnswer, IndicatorList, IndicatorsQuery } from './indicators.ts';
import { IngestAnswer, IngestLine } from './ingest.ts';
import { Overview, OverviewQuery } from './overview.ts';
import { PositionSize, PositionSizeQuery } from './position-size.ts';
import {
  Coverage,
  CoverageQuery,
  InstrumentList,
  MarketQuery,
  MarketResponse,
  QuoteList,
  QuoteQuery,
  QuotesQuery,
  SymbolQuote,
  SymbolsQuery,
} from './schemas.ts';
import { FootprintPage, FootprintQuery, Profile, ProfileQuery } from './volume.ts';

const FILES =
  'With `format` or `Accept`, the response is one file of the range instead: NDJSON, CSV or Parquet. Files support HEAD, ETag and ' +
  'Range; their rows count against the rows per day of the tier.';
const FILE_ERRORS = [
  'precondition_failed',
  'range_not_satisfiable',
  'export_rows_exhausted',
  'too_many_downloads',
  'store_unavailable',
] as const;

export const MARKET_ENDPOINTS = {
  symbols: endpoint({
    method: 'GET',
    path: '/api/symbols',
    tag: 'Market',
    summary: 'List instruments',
    description:
      'Returns every available instrument with its contract specification. `detail=true` adds digits, currencies, the unit of ' +
      'the contract size, what bars are made of, the source of the terms, and trading hours.',
    auth: 'key',
    scope: 'read',
    etag: true,
    query: SymbolsQuery,
    response: InstrumentList,
    errors: ['invalid_parameter'],
  }),
  market: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}',
    tag: 'History',
    summary: 'Get price history and the current quote',
    description:
      'Returns bars and the current quote of one instrument. Bars are aligned to UTC and in ascending order. The last bar may ' +
      'still be forming. An interval without data has no bar. To page back, set `before` to the `time` of the oldest bar you ' +
      'have; to page forward, set `from`. `detail=true` adds the volume sold at the bid and bought at the ask to each bar, and `stale` to the quote.',
    auth: 'key',
    scope: 'read',
    etag: true,
    quoteAge: true,
    streamPosition: true,
    query: MarketQuery,
    response: MarketResponse,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  quote: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/quote',
    tag: 'Market',
    summary: 'Get the current quote',
    description:
      'Returns the current bid and ask of one instrument, without history. A quote is stale if it was restored from the store ' +
      'after a restart and none has followed, or if it is older than 60 seconds in an open market. A stale quote has its age in ' +
      'the header `Quote-Age`, and no signal can be published against it.',
    auth: 'key',
    scope: 'read',
    quoteAge: true,
    streamPosition: true,
    query: QuoteQuery,
    response: SymbolQuote,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'no_quote'],
  }),
  bars: endpoint({
    method: 'GET',
    path: '/api/bars/{symbol}',
    tag: 'History',
    summary: 'Get bars of any interval',
    description:
      'Returns bars of any number of minutes, days, weeks or months, page by page. Without `from`: the newest bars; `next` leads to ' +
      'older ones. With `from`: the oldest bars from there on; `next` leads to newer ones. Intervals count from the start of the ' +
      'day, so the last one of a day is shorter if it does not divide the day. Weeks start on Monday (`ny`: on Sunday at 17:00). ' +
      FILES,
    auth: 'key',
    scope: 'read',
    streamPosition: true,
    query: BarsQuery,
    response: BarsPage,
    files: true,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', ...FILE_ERRORS],
  }),
  severalBars: endpoint({
    method: 'GET',
    path: '/api/bars',
    tag: 'History',
    summary: 'Get bars of several instruments',
    description:
      'Returns a page of bars for each instrument, as `GET /api/bars/{symbol}` does; `limit` counts for each. Further pages are ' +
      'those of each instrument. A file has the bars of all instruments, one instrument after the other, with a first column ' +
      '`symbol`.',
    auth: 'key',
    scope: 'read',
    query: SeveralBarsQuery,
    response: BarsPages,
    files: true,
    errors: ['invalid_parameter', 'symbol_not_found', ...FILE_ERRORS],
  }),
  ticks: endpoint({
    method: 'GET',
    path: '/api/ticks/{symbol}',
    tag: 'History',
    summary: 'Get quotes or trades',
    description:
      'Returns recorded quotes or trades, page by page. Without `from`: the newest; `next` leads to older ones. With `from`: the ' +
      'oldest from there on; `next` leads to newer ones. Ticks are kept for a number of days (header `Tape-Retention-Days`), ' +
      `imported days for good; the header \`Tape-Start\` has the first day that is kept now. ${FILES}`,
    auth: 'key',
    scope: 'read',
    streamPosition: true,
    query: TicksQuery,
    response: TicksPage,
    files: true,
    tape: true,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', ...FILE_ERRORS],
  }),
  profile: endpoint({
    method: 'GET',
    path: '/api/profile/{symbol}',
    tag: 'History',
    summary: 'Get the volume profile of a time range',
    description:
      'Returns how much was bought and sold at each price level of a range, with the point of control and the value area. Without ' +
      '`from` and `to`: the current UTC day. Volume that is known only from bars, as in imports without trades, is in ' +
      '`uncovered_volume` instead of a level. The range may cover up to 31 days, and the answer has up to 5,000 levels.',
    auth: 'key',
    scope: 'read',
    query: ProfileQuery,
    response: Profile,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'no_trades', 'store_unavailable'],
  }),
  footprint: endpoint({
    method: 'GET',
    path: '/api/footprint/{symbol}',
    tag: 'History',
    summary: 'Get footprints: the volume at price of each bar',
    description:
      'Returns how much was bought and sold at each price level of each bar, page by page, with the intervals, alignments and cursors ' +
      'of `GET /api/bars/{symbol}`. The levels of a bar and its `uncovered_volume` add up to its volume.',
    auth: 'key',
    scope: 'read',
    query: FootprintQuery,
    response: FootprintPage,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'no_trades', 'store_unavailable'],
  }),
  indicatorList: endpoint({
    method: 'GET',
    path: '/api/indicators',
    tag: 'History',
    summary: 'List indicators',
    description: 'Returns every indicator with its inputs, their defaults and ranges, its lines and its formula.',
    auth: 'key',
    scope: 'read',
    etag: true,
    response: IndicatorList,
    errors: [],
  }),
  indicators: endpoint({
    method: 'GET',
    path: '/api/indicators/{symbol}',
    tag: 'History',
    summary: 'Get values of indicators',
    description:
      'Returns the values of one indicator (`name` and its inputs) or of several (`indicators`) on bars of any interval, page by ' +
      'page as in `GET /api/bars/{symbol}`. Bars before the page are read first, so that values are those of the whole history: ' +
      '`settled` says whether there were enough of them. Values of closed bars do not change when later bars arrive. ' +
      '`GET /api/indicators` lists all indicators.',
    auth: 'key',
    scope: 'read',
    query: IndicatorsQuery,
    response: IndicatorAnswer,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'no_trades', 'store_unavailable'],
  }),
  coverage: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/coverage',
    tag: 'History',
    summary: 'Find missing bars',
    description:
      'Lists the bars that are missing in a time range, with the reason. `before_history`: before the first bar of the ' +
      'instrument. `market_closed`: outside trading hours. `no_trades`: the source was connected and nothing traded. ' +
      '`not_recorded`: longer bars show that the market traded, but bars of this timeframe were not recorded; or the instrument ' +
      'has no live venue, and neither a push nor an import contained them. `missing`: the market was open and its venue was not ' +
      'connected. The range may cover up to 50,000 bars.',
    auth: 'key',
    scope: 'read',
    query: CoverageQuery,
    response: Coverage,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  hours: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/hours',
    tag: 'Market',
    summary: 'Get trading hours',
    description:
      'Returns the sessions of one instrument in a time range, and its holidays. They come from the trading calendar, whatever the ' +
      'feed: simulated markets can trade outside them. The range may cover up to 366 days.',
    auth: 'key',
    scope: 'read',
    query: HoursQuery,
    response: TradingHours,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found'],
  }),
  positionSize: endpoint({
    method: 'GET',
    path: '/api/position-size',
    tag: 'Market',
    summary: 'Compute the size of a position',
    description:
      'Returns the lots that lose `risk_percent` of `balance` if the market goes from `entry` to `stop_loss`. The size is rounded ' +
      'down to a multiple of `min_lot`, so that the risk is never exceeded, and is at most `max_lot`. Amounts are converted to the ' +
      'currency of the account at the middle of current quotes, directly or through one other currency. Slippage and fees are not ' +
      'included.',
    auth: 'key',
    scope: 'read',
    query: PositionSizeQuery,
    response: PositionSize,
    errors: ['invalid_parameter', 'symbol_not_found', 'finer_than_digits', 'levels_out_of_order', 'no_conversion'],
  }),
  quotes: endpoint({
    method: 'GET',
    path: '/api/quotes',
    tag: 'Market',
    summary: 'Get the current quotes of several instruments',
    description:
      'Returns the current bid and ask of the given instruments, or of all instruments. Unknown symbols are omitted; ' +
      '`detail=true` lists them in `rejected` and marks each stale quote. If none of the given symbols exists, the status ' +
      'is 404. If quotes are stale, the header `Quote-Age` has the age of the oldest of them.',
    auth: 'key',
    scope: 'read',
    quoteAge: true,
    streamPosition: true,
    csvOption: true,
    query: QuotesQuery,
    response: QuoteList,
    errors: ['invalid_parameter', 'symbol_not_found'],
  }),
  overview: endpoint({
    method: 'GET',
    path: '/api/overview',
    tag: 'Market',
    summary: 'Get the day of several instruments',
    description:
      'Returns open, high, low and change of the UTC day for the given instruments, or for all, with the closing prices of the last ' +
      '24 hours in steps of 15 minutes. Figures are those of the 15-minute bars, the forming one included. Unknown symbols are ' +
      'omitted; if none of the given symbols exists, the status is 404.',
    auth: 'key',
    scope: 'read',
    streamPosition: true,
    query: OverviewQuery,
    response: Overview,
    errors: ['invalid_parameter', 'symbol_not_found'],
  }),
  feeds: endpoint({
    method: 'GET',
    path: '/api/feeds',
    tag: 'Service',
    summary: 'Get the status of the price feeds',
    description: 'Returns the connection state and counters of each feed, and the last prices rejected as implausible.',
    auth: 'key',
    scope: 'admin',
    response: FeedList,
    errors: [],
  }),
  ingestTicks: endpoint({
    method: 'POST',
    path: '/ingest/ticks',
    tag: 'Ingest',
    summary: 'Push ticks',
    description:
      'Accepts quotes and trades from your own sources as NDJSON, plain or compressed with gzip. Each line is accepted or ' +
      'rejected on its own: the response counts the accepted lines and lists the rejected ones. The rate limit counts lines, ' +
      'not requests.',
    auth: 'key',
    scope: 'ingest',
    lines: IngestLine,
    idempotent: true,
    response: IngestAnswer,
    errors: [
      'ingest_disabled',
      'idempotency_conflict',
      'invalid_parameter',
      'malformed_body',
      'payload_too_large',
      'unsupported_encoding',
      'store_unavailable',
    ],
  }),
} as const;
