// Endpoints for instruments, quotes, price history, feeds and pushed ticks.
import { ADMIN, endpoint, READ } from '../common/endpoint.ts';
import { BarsPage, BarsPages, BarsQuery, SeveralBarsQuery, TicksPage, TicksQuery } from './bars.ts';
import { FeedList, InstrumentSource } from './feeds.ts';
import { HoursQuery, TradingHours } from './hours.ts';
import { IndicatorAnswer, IndicatorList, IndicatorsQuery } from './indicators.ts';
import { IngestAnswer, IngestLine } from './ingest.ts';
import { Overview, OverviewQuery } from './overview.ts';
import { Perpetual, PerpetualQuery } from './perpetual.ts';
import { PositionSize, PositionSizeQuery } from './position-size.ts';
import {
  Coverage,
  CoverageQuery,
  Instrument,
  InstrumentList,
  MarketQuery,
  MarketResponse,
  QuoteList,
  QuoteQuery,
  QuotesQuery,
  SymbolQuote,
  SymbolsQuery,
} from './schemas.ts';
import { InstrumentRequest, VenueInstrumentList, VenueInstrumentsQuery } from './venue-instruments.ts';
import { FootprintPage, FootprintQuery, Profile, ProfileQuery } from './volume.ts';

const FILES =
  'With `format` or `Accept`, the response is one file: NDJSON, CSV or Parquet. Files support HEAD, ETag and ' +
  'Range; their rows count against the rows per day of the tier.';
const FILE_ERRORS = [
  'confirmation_required',
  'precondition_failed',
  'range_not_satisfiable',
  'export_rows_exhausted',
  'too_many_downloads',
] as const;

const MARKET = { ...READ, tag: 'Market' } as const;
const HISTORY = { ...READ, tag: 'History' } as const;

export const MARKET_ENDPOINTS = {
  symbols: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/symbols',
    ignoresUnknown: true,
    summary: 'List instruments',
    description: 'Returns every instrument with its contract specification.',
    etag: true,
    query: SymbolsQuery,
    response: InstrumentList,
  }),
  market: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/market/{symbol}',
    ignoresUnknown: true,
    summary: 'Get price history and the current quote',
    description:
      'Returns bars, aligned to UTC, and the current quote of one instrument. An interval without data has no bar. To page back, set `before` to the oldest `time` you have; to page forward, set `from`.',
    etag: true,
    quoteAge: true,
    streamPosition: true,
    query: MarketQuery,
    response: MarketResponse,
  }),
  quote: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/market/{symbol}/quote',
    ignoresUnknown: true,
    summary: 'Get the current quote',
    description:
      'Returns the current bid and ask of one instrument. A stale quote has its age in the header `Quote-Age`, and no signal can be published against it.',
    quoteAge: true,
    streamPosition: true,
    query: QuoteQuery,
    response: SymbolQuote,
    errors: ['no_quote'],
  }),
  bars: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/bars/{symbol}',
    summary: 'Get bars of any interval',
    description:
      'Returns bars of any number of minutes, days, weeks or months, page by page: the newest, then older ones; with `from`, the ' +
      'oldest from there on, then newer ones. The last interval of a day is shorter if it does not divide the day. Weeks start on ' +
      'Monday (`ny`: on Sunday at 17:00). ' +
      FILES,
    streamPosition: true,
    query: BarsQuery,
    response: BarsPage,
    files: true,
    errors: FILE_ERRORS,
  }),
  severalBars: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/bars',
    summary: 'Get bars of several instruments',
    description:
      'Returns a page of bars for each instrument, as `GET /api/bars/{symbol}` does; `limit` applies to each. A file has all instruments, one after the other, with a first column `symbol`.',
    query: SeveralBarsQuery,
    response: BarsPages,
    files: true,
    errors: ['symbol_not_found', ...FILE_ERRORS],
  }),
  ticks: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/ticks/{symbol}',
    summary: 'Get quotes or trades',
    description:
      'Returns recorded quotes or trades, page by page: the newest, then older ones; with `from`, the oldest from there on, then ' +
      `newer ones. Ticks are kept for the days in the header \`Tape-Retention-Days\`, imported days for good. ${FILES}`,
    streamPosition: true,
    query: TicksQuery,
    response: TicksPage,
    files: true,
    tape: true,
    errors: FILE_ERRORS,
  }),
  profile: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/profile/{symbol}',
    summary: 'Get the volume profile of a time range',
    description:
      'Returns how much was bought and sold at each price level of a range of up to 31 days, by default the current UTC day. A response has up to 5,000 levels.',
    query: ProfileQuery,
    response: Profile,
    errors: ['no_trades'],
  }),
  footprint: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/footprint/{symbol}',
    summary: 'Get footprints: the volume at price of each bar',
    description:
      'Returns how much was bought and sold at each price level of each bar, page by page as in `GET /api/bars/{symbol}`. The levels of a bar and its `uncovered_volume` add up to its volume.',
    query: FootprintQuery,
    response: FootprintPage,
    errors: ['no_trades'],
  }),
  indicatorList: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/indicators',
    summary: 'List indicators',
    description: 'Returns every indicator with its inputs, their defaults and ranges, its lines and its formula.',
    etag: true,
    response: IndicatorList,
  }),
  indicators: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/indicators/{symbol}',
    summary: 'Get values of indicators',
    description:
      'Returns the values of one indicator (`name` and its inputs) or of several (`indicators`), page by page as in `GET /api/bars/{symbol}`. Bars before the page are read first, so that values are those of the whole history. Values of closed bars never change.',
    query: IndicatorsQuery,
    response: IndicatorAnswer,
    errors: ['no_trades'],
  }),
  coverage: endpoint({
    ...HISTORY,
    replay: true,
    path: '/api/market/{symbol}/coverage',
    summary: 'Find missing bars',
    description: 'Lists the bars that are missing in a range of up to 50,000 bars, with the reason.',
    query: CoverageQuery,
    response: Coverage,
  }),
  hours: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/market/{symbol}/hours',
    summary: 'Get trading hours',
    description:
      'Returns the sessions and holidays of one instrument in a range of up to 366 days, by its trading calendar. Simulated markets can trade outside it.',
    query: HoursQuery,
    response: TradingHours,
  }),
  perpetual: endpoint({
    ...MARKET,
    path: '/api/market/{symbol}/perpetual',
    summary: 'Get funding, mark price and open interest of a perpetual',
    description:
      'Returns what the venue publishes beside prices, and the newest liquidations. Figures are `null` until the venue sends them, also after a restart.',
    streamPosition: true,
    query: PerpetualQuery,
    response: Perpetual,
    errors: ['not_perpetual'],
  }),
  priceSource: endpoint({
    ...MARKET,
    path: '/api/market/{symbol}/source',
    summary: 'Get the source of prices',
    description: 'Returns the feed that delivers one instrument now, and why another venue does not.',
    response: InstrumentSource,
  }),
  positionSize: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/position-size',
    summary: 'Compute the size of a position',
    description:
      'Returns the lots that lose at most `risk_percent` of `balance` if the market goes from `entry` to `stop_loss`, without slippage and fees. Currencies are converted at the middle of current quotes.',
    query: PositionSizeQuery,
    response: PositionSize,
    errors: ['symbol_not_found', 'finer_than_digits', 'levels_out_of_order', 'no_conversion'],
  }),
  quotes: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/quotes',
    summary: 'Get the current quotes of several instruments',
    description:
      'Returns the current bid and ask of the given instruments, or of all. Unknown symbols are omitted; if none exists: 404. `Quote-Age` has the age of the oldest stale quote.',
    quoteAge: true,
    streamPosition: true,
    csvOption: true,
    query: QuotesQuery,
    response: QuoteList,
    errors: ['symbol_not_found'],
  }),
  overview: endpoint({
    ...MARKET,
    replay: true,
    path: '/api/overview',
    summary: 'Get the day of several instruments',
    description:
      'Returns open, high, low and change of the UTC day, and the closing prices of the last 24 hours, from 15-minute bars. Unknown symbols are omitted; if none exists: 404.',
    streamPosition: true,
    query: OverviewQuery,
    response: Overview,
    errors: ['symbol_not_found'],
  }),
  venueInstruments: endpoint({
    ...READ,
    path: '/api/venues/{venue}/instruments',
    tag: 'Service',
    summary: 'Search a venue',
    description: 'Returns up to 20 listed instruments of a venue, or of each (`all`).',
    query: VenueInstrumentsQuery,
    response: VenueInstrumentList,
    errors: ['venue_not_found', 'venue_unavailable'],
  }),
  addInstrument: endpoint({
    ...ADMIN,
    method: 'POST',
    path: '/api/instruments',
    tag: 'Service',
    summary: 'Add an instrument',
    description: 'Adds a listed instrument, which streams within seconds.',
    body: InstrumentRequest,
    status: 201,
    response: Instrument,
    errors: ['venue_not_found', 'symbol_not_found', 'venue_unavailable', 'instrument_exists', 'too_many_instruments'],
  }),
  feeds: endpoint({
    ...ADMIN,
    method: 'GET',
    path: '/api/feeds',
    tag: 'Service',
    summary: 'Get the status of the price feeds',
    description: 'Returns the connection state and counters of each feed, and the last prices rejected as implausible.',
    response: FeedList,
  }),
  ingestTicks: endpoint({
    method: 'POST',
    path: '/ingest/ticks',
    tag: 'Ingest',
    summary: 'Push ticks',
    description:
      'Accepts quotes and trades from your own sources. Each line is accepted or rejected separately. The rate limit counts lines, not requests.',
    auth: 'key',
    scope: 'ingest',
    lines: IngestLine,
    idempotent: true,
    response: IngestAnswer,
    errors: ['ingest_disabled'],
  }),
} as const;
