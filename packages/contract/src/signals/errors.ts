// Errors about publishing, closing and finding signals.
import { entry } from '../common/errors.ts';

export const SIGNAL_ERRORS = {
  signal_not_found: entry({ status: 404 }, 'Signal not found', 'There is no signal with this id.'),
  publisher_not_found: entry({ status: 404 }, 'Publisher not found', 'There is no publisher with this name or id.'),
  no_evidence: entry(
    { status: 404 },
    'No evidence',
    'There is no tape of the instrument for this day. It had no ticks, or it was not sealed and the tape has been deleted.',
  ),
  too_many_downloads: entry(
    { status: 429, retryable: true },
    'Too many downloads',
    'Too many downloads are under way. An account can read two days of the tape or two files at a time, and a file can wait too long for its turns. Wait until one is complete, or as long as Retry-After says.',
  ),
  not_your_signal: entry(
    { status: 403 },
    'Signal of another publisher',
    'Only the account that published a signal can close or amend it.',
  ),
  signal_closed: entry(
    { status: 409 },
    'Signal already closed',
    'The signal was closed before, by its publisher or by the market. A signal closes only once.',
  ),
  close_requested: entry(
    { status: 409 },
    'Closing already requested',
    'The publisher has already requested to close the signal. The next quote of its instrument closes it.',
  ),
  signal_voided: entry({ status: 409 }, 'Signal already voided', 'The signal was voided before. That is final.'),
  too_many_signals: entry(
    { status: 409 },
    'Too many active signals',
    'The account has reached its limit of active signals. Close one, or wait until one closes.',
  ),
  too_many_signals_of_symbol: entry(
    { status: 409 },
    'Too many active signals of the instrument',
    'The account has as many active signals of this instrument as its tier allows. Close one, or wait until one closes.',
  ),
  signals_exhausted: entry(
    { status: 429, retryable: true },
    'Signals used up',
    'The account has published as many signals today as its tier allows, over all keys and sessions. Retry-After gives the time until the next day.',
  ),
  market_closed: entry(
    { status: 409, retryable: true },
    'Market closed',
    'The market of the instrument is closed, so there is no price to trade at. Nothing was published, changed or closed.',
  ),
  stale_quote: entry(
    { status: 503, retryable: true },
    'Quote too old',
    'The newest quote of the instrument is too old. It is older than 60 seconds, or was restored from the store after a restart. Nothing was published, changed or closed.',
  ),
  price_unconfirmed: entry(
    { status: 409, retryable: true },
    'Price not confirmed',
    'The price of the instrument is not confirmed. It has jumped, and no second quote has confirmed it yet. Nothing was published or closed. The next quote usually decides.',
  ),
  unclear_signal: entry(
    { status: 422 },
    'Unclear signal',
    'The message does not state one clear signal, or is not about a new one. Nothing was published.',
  ),
  finer_than_digits: entry(
    { status: 422 },
    'Price has too many decimals',
    'A price has more decimals than the instrument has digits. Prices are never rounded.',
  ),
  levels_out_of_order: entry(
    { status: 422 },
    'Levels out of order',
    'A buy needs stop_loss < entry < first target < … < take_profit; a sell needs the reverse order.',
  ),
  invalid_targets: entry(
    { status: 422 },
    'Invalid targets',
    'The targets do not fit together. Their fractions must have at most 4 decimals and add up to exactly 1, take_profit must be the price of the last target, and breakeven_after must be less than the number of targets.',
  ),
  stop_not_tighter: entry(
    { status: 422 },
    'Stop not tighter',
    'The stop of a signal can only be tightened: raised for a buy, lowered for a sell.',
  ),
  too_many_amendments: entry(
    { status: 409 },
    'Too many amendments',
    'The stop of a signal can be changed at most 100 times.',
  ),
  signature_required: entry(
    { status: 403 },
    'Signature required',
    'The account has a signing key. Its signals, amendments and requests to close must be signed. TradingView alerts cannot be.',
  ),
  invalid_signature: entry(
    { status: 403 },
    'Invalid signature',
    'The signature does not match this request and the signing key of the account, or the account has no signing key.',
  ),
  stale_signature: entry(
    { status: 409 },
    'Signature too old',
    'signed_at is too early or too late. It is more than 30 seconds away from the clock of the service, or not later than that of an earlier request of the account. Sign again.',
  ),
  entry_too_far: entry(
    { status: 422 },
    'Entry too far from the market',
    'The entry is more than 20 % away from the newest quote: from the ask for a buy, from the bid for a sell.',
  ),
  distance_out_of_range: entry(
    { status: 422 },
    'Stop or target too near or too far',
    'A level is too near to the entry or too far from it. stop_loss and each target must be at least one spread of the newest quote and at most 50 % of the entry away from the entry.',
  ),
  level_reached: entry(
    { status: 422 },
    'Stop or target already reached',
    'The market has already reached stop_loss or the first target. The signal would close or exit immediately.',
  ),
  expiry_out_of_range: entry(
    { status: 422 },
    'Expiry out of range',
    'expires_at is not in the future, or is more than 30 days ahead.',
  ),
};
