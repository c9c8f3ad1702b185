// Errors about instruments, prices and pushed ticks.
import { entry, errorEntries } from '../common/errors.ts';

export const MARKET_ERRORS = errorEntries({
  symbol_not_found: entry(
    { status: 404 },
    'Symbol not found',
    'The instrument does not exist. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
  no_quote: entry({ status: 503, retryable: true }, 'No quote yet', 'The instrument exists but has had no quote yet.'),
  no_trades: entry(
    { status: 422 },
    'No trades',
    'The feed of the instrument delivers quotes only, so there is no volume by side or at price. In the response to a subscribe message the symbol is listed in `rejected` with this code.',
  ),
  no_conversion: entry(
    { status: 422 },
    'No rate between the currencies',
    'No current quotes connect the currency of the instrument with that of the account, so the risk cannot be converted.',
  ),
  ingest_disabled: entry(
    { status: 403, close: 4401 },
    'Ingest disabled',
    'The service does not accept pushed ticks, because `push` is not one of its feeds.',
  ),
});
