// Sorts the errors of a publisher: expected rejections, rate limits, and errors that affect all symbols.
import { type FailureCode, TickwireError } from '@tickwire/client';

/** Rejections that are part of normal operation; the next minute may be different. */
const EXPECTED_REJECTIONS: ReadonlySet<FailureCode> = new Set<FailureCode>([
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
  'too_many_signals_of_symbol',
  // Published in the same minute before a restart, at another price.
  'idempotency_conflict',
  // Removed from the catalogue since it was read.
  'symbol_not_found',
]);

export const isExpectedRejection = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && EXPECTED_REJECTIONS.has(error.code);

export const isRateLimited = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && error.status === 429;

/** No response, or a rejected key: requests for other symbols would fail, too. */
export const affectsAllSymbols = (error: unknown): boolean =>
  !(error instanceof TickwireError) || [0, 401, 403, 429].includes(error.status);
