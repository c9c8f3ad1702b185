// What the service may say to a signal without anything being wrong, and what concerns more than one signal.
import { type FailureCode, TickwireError } from '@tickwire/client';

/** The market, its rules or an earlier answer said no. The next minute is another matter. */
const REFUSALS: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'market_closed',
  'no_quote',
  'stale_quote',
  'level_reached',
  'levels_out_of_order',
  'distance_out_of_range',
  'entry_too_far',
  'finer_than_digits',
  'expiry_out_of_range',
  'too_many_signals',
  // Published in this same minute before a restart, at another price.
  'idempotency_conflict',
  // Taken out of the catalogue since it was read.
  'symbol_not_found',
]);

export const isRefusal = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && REFUSALS.has(error.code);

export const isRateLimited = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && error.status === 429;

/** No answer, or none to this key: the next request would fare no better. */
export const concernsAll = (error: unknown): boolean =>
  !(error instanceof TickwireError) || [0, 401, 403, 429].includes(error.status);
