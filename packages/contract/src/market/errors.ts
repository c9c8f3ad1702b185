// Errors about instruments, prices and pushed ticks.
import { entry } from '../common/errors.ts';

export const MARKET_ERRORS = {
  symbol_not_found: entry(
    { status: 404 },
    'Symbol not found',
    'The instrument does not exist. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
  venue_not_found: entry({ status: 404 }, 'Venue not found', 'The service has no such venue, or it has no list.'),
  venue_unavailable: entry(
    { status: 503, retryable: true },
    'Venue not available',
    'The venue has not sent its list of instruments in time.',
  ),
  instrument_exists: entry(
    { status: 409 },
    'Instrument exists',
    'The service has the instrument already, or another one whose symbol is the same or spelled alike.',
  ),
  too_many_instruments: entry(
    { status: 409 },
    'Too many instruments',
    'As many instruments have been added as a service or a connection to the venue can have.',
  ),
  no_quote: entry({ status: 503, retryable: true }, 'No quote yet', 'The instrument exists but has had no quote yet.'),
  no_trades: entry(
    { status: 422 },
    'No trades',
    'The feed of the instrument delivers quotes only, so there is no volume by side or at price. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
  not_perpetual: entry(
    { status: 422 },
    'Not a perpetual',
    'The instrument is a spot price, which has no mark price, funding or open interest. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
  no_conversion: entry(
    { status: 422 },
    'No rate between the currencies',
    'The risk cannot be converted. No current quotes connect the currency of the instrument with that of the account.',
  ),
  export_rows_exhausted: entry(
    { status: 429, retryable: true },
    'Rows of the day used up',
    'The file has more rows than the account may still download on this UTC day. The message names a narrower range that fits, if there is one, and `Retry-After` the seconds until the count resets. On a stream: no rows are left for the history of indicators.',
  ),
  precondition_failed: entry(
    { status: 412 },
    'File has changed',
    'The header `If-Match` names a version of the file that is not the current one.',
  ),
  range_not_satisfiable: entry(
    { status: 416 },
    'Range not satisfiable',
    'The header `Range` names no byte of the file. `Content-Range` has its size.',
  ),
  ingest_disabled: entry(
    { status: 403, close: 4401 },
    'Ingest disabled',
    'The service does not accept pushed ticks, because `push` is not one of its feeds.',
  ),
};
