// Why a signal is not published, not closed or not found: a part of the catalogue of errors.
import { type CatalogueEntry, entry } from './catalogue-entry.ts';

export const SIGNAL_ERRORS = {
  signal_not_found: entry({
    title: 'Signal not found',
    status: 404,
    retryable: false,
    when: 'There is no signal with this id.',
  }),
  publisher_not_found: entry({
    title: 'Publisher not found',
    status: 404,
    retryable: false,
    when: 'No publisher of signals has this name or id.',
  }),
  not_your_signal: entry({
    title: 'Signal of another publisher',
    status: 403,
    retryable: false,
    when: 'Only the account that published a signal may close it.',
  }),
  signal_closed: entry({
    title: 'Signal already closed',
    status: 409,
    retryable: false,
    when: 'The signal has been closed before, by its publisher or by the market. A signal closes once.',
  }),
  too_many_signals: entry({
    title: 'Too many active signals',
    status: 409,
    retryable: false,
    when: 'The publisher has as many active signals as an account may have. Close one, or wait until one closes.',
  }),
  market_closed: entry({
    title: 'Market closed',
    status: 409,
    retryable: true,
    when: "The instrument's market is closed: there is no price at which one could deal. Nothing was published or closed.",
  }),
  stale_quote: entry({
    title: 'Quote too old',
    status: 503,
    retryable: true,
    when: 'The newest quote of the instrument is older than 60 seconds, too old to deal at. Nothing was published or closed.',
  }),
  finer_than_digits: entry({
    title: 'Price finer than the instrument',
    status: 422,
    retryable: false,
    when: 'A price has more decimals than the instrument has digits. It is refused, never rounded.',
  }),
  levels_out_of_order: entry({
    title: 'Levels out of order',
    status: 422,
    retryable: false,
    when: 'A buy needs stop_loss < entry < take_profit, a sell take_profit < entry < stop_loss.',
  }),
  entry_too_far: entry({
    title: 'Entry too far from the market',
    status: 422,
    retryable: false,
    when: 'The entry is more than 20 % away from the standing quote: the ask for a buy, the bid for a sell.',
  }),
  distance_out_of_range: entry({
    title: 'Stop or target too near or too far',
    status: 422,
    retryable: false,
    when: 'stop_loss and take_profit must each be at least one spread of the standing quote and at most 50 % of the entry away from it.',
  }),
  level_reached: entry({
    title: 'Stop or target already reached',
    status: 422,
    retryable: false,
    when: 'The market stands at or beyond stop_loss or take_profit already, so that a market entry would close at once.',
  }),
  expiry_out_of_range: entry({
    title: 'Expiry out of range',
    status: 422,
    retryable: false,
    when: 'expires_at is not later than now, or is more than 30 days ahead.',
  }),
} as const satisfies Record<string, CatalogueEntry>;
