// The catalogue of all errors, and the errors that each endpoint can return.
import { ACCOUNT_ERRORS, KEYED_ERRORS, SESSION_ERRORS } from '../accounts/errors.ts';
import { AI_ERRORS } from '../ai/errors.ts';
import { ALERT_ERRORS } from '../alerts/errors.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { COMMON_ERRORS, type ErrorCode, type ErrorEntry, type Problem, REQUEST_ERRORS } from '../common/errors.ts';
import { MARKET_ERRORS } from '../market/errors.ts';
import { NEWS_ERRORS } from '../news/errors.ts';
import { SIGNAL_ERRORS } from '../signals/errors.ts';
import { STREAM_ERRORS } from '../stream/errors.ts';

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...REQUEST_ERRORS,
  ...MARKET_ERRORS,
  ...SIGNAL_ERRORS,
  ...NEWS_ERRORS,
  ...AI_ERRORS,
  ...ALERT_ERRORS,
  ...ACCOUNT_ERRORS,
  ...STREAM_ERRORS,
};

/** Errors of the authentication of an endpoint. A hook lists its own, because its key is in the path. */
const AUTH_ERRORS: Readonly<Record<Endpoint['auth'], readonly ErrorCode[]>> = {
  key: KEYED_ERRORS,
  session: SESSION_ERRORS,
  hook: [],
  none: [],
};

/** The error codes that an endpoint can return, by HTTP status, in the order of the checks. */
export function errorsByStatus({ auth, query, unlimited, errors }: Endpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  const limitErrors: readonly ErrorCode[] = unlimited ? [] : ['too_many_requests'];
  const queryErrors: readonly ErrorCode[] = query ? ['repeated_parameter'] : [];
  for (const code of new Set<ErrorCode>([
    ...AUTH_ERRORS[auth],
    ...errors,
    ...queryErrors,
    ...limitErrors,
    ...COMMON_ERRORS,
  ])) {
    const { status } = ERRORS[code];
    if (status !== undefined) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const DETAILS: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: 'bars must be an integer between 1 and 500',
  repeated_parameter: 'bars must be given only once',
  symbol_not_found: 'There is no instrument EURUSDX.',
  signal_not_found: 'There is no signal sig_7k2m9q4y.',
  ai_calls_exhausted: 'The 5 AI calls of the free tier are used up; the next day begins in 45353 s.',
  signals_exhausted: 'The free tier allows 20 signals per day. The count resets in 45353 s, at 00:00 UTC.',
  model_not_found: 'There is no model news-sentimant.',
  model_unavailable: 'The model example-llm-8b is not available.',
  publisher_not_found: 'There is no publisher goldsmyth.',
  no_quote: 'EURUSD has no quote yet.',
  no_trades: 'The feed of EURUSD delivers quotes only, without trades.',
  finer_than_digits: 'stop_loss is 1.081005, and EURUSD has 5 digits.',
  levels_out_of_order: 'A buy needs stop_loss < entry < take_profit; these are 1.085, 1.084 and 1.09.',
};

/** Example body of a REST error. Throws for codes without an HTTP status. */
export function problemExample(code: ErrorCode): Problem {
  const { title, status, when } = ERRORS[code];
  if (status === undefined) throw new Error(`${code} is not a REST error`);
  return {
    type: `/docs#error-${code}`,
    title,
    status,
    detail: DETAILS[code] ?? when,
    code,
    request_id: 'req_5n8v2c7p',
    ...(code === 'invalid_parameter' && {
      errors: [{ parameter: 'bars', value: '900', allowed: 'an integer between 1 and 500' }],
    }),
    ...(code === 'repeated_parameter' && {
      errors: [{ parameter: 'bars', value: '5&9', allowed: 'given only once' }],
    }),
  };
}
