// The catalogue of all errors. A code means the same over REST and WebSocket.
import { z } from 'zod';
import { ACCOUNT_ERRORS } from '../accounts/errors.ts';
import { AI_ERRORS } from '../ai/errors.ts';
import { ALERT_ERRORS } from '../alerts/errors.ts';
import { CHAT_CHANNEL_ERRORS } from '../chat-channels/errors.ts';
import { type ErrorEntry, REQUEST_ERRORS } from '../common/errors.ts';
import { MARKET_ERRORS } from '../market/errors.ts';
import { NEWS_ERRORS } from '../news/errors.ts';
import { REPLAY_ERRORS } from '../replay/errors.ts';
import { SIGNAL_ERRORS } from '../signals/errors.ts';
import { STREAM_ERRORS } from './errors.ts';

const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...MARKET_ERRORS,
  ...SIGNAL_ERRORS,
  ...NEWS_ERRORS,
  ...AI_ERRORS,
  ...ALERT_ERRORS,
  ...CHAT_CHANNEL_ERRORS,
  ...STREAM_ERRORS,
  ...REPLAY_ERRORS,
};

export type ErrorCode = keyof typeof CATALOGUE;
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = CATALOGUE;
export const ERROR_CODES = Object.keys(CATALOGUE) as [ErrorCode, ...ErrorCode[]];

export const PROBLEM_EXAMPLE = {
  type: '/docs#error-invalid_parameter',
  title: REQUEST_ERRORS.invalid_parameter.title,
  status: 400,
  detail: 'bars must be an integer between 1 and 500',
  code: 'invalid_parameter',
  request_id: 'req_5n8v2c7p',
  errors: [{ parameter: 'bars', value: '900', allowed: 'an integer between 1 and 500' }],
} as const;

/** RFC 9457 body of every REST error. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Link to the code in the API reference' }),
    title: z.string().meta({ description: 'Short name, which may change' }),
    status: z.int().meta({ description: 'HTTP status' }),
    detail: z.string().meta({ description: 'Explanation, for people' }),
    code: z.enum(ERROR_CODES).meta({ description: 'Stable code, for programs' }),
    request_id: z.string().meta({ description: 'As in the header `X-Request-Id`' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter, header or field' }),
          value: z.string().nullable().meta({ description: 'Value received, shortened; `null` if it was missing' }),
          allowed: z.string().meta({ description: 'Allowed values, in words' }),
        }),
      )
      .optional()
      .meta({
        description: 'The invalid, repeated or unknown parameters and fields',
      }),
    s: z.literal('error').optional().meta({ description: 'Only on `/udf` paths' }),
    errmsg: z.string().optional().meta({ description: 'Same as `detail`; only on `/udf` paths' }),
  })
  .meta({ id: 'Problem', description: 'Body of every REST error (RFC 9457)', examples: [PROBLEM_EXAMPLE] });
export type Problem = z.infer<typeof Problem>;
