// Ticks from an operator's own sources, one JSON object per line, and the response to any body of lines.
import { z } from 'zod';
import { integer, text } from '../common/values.ts';

export const LineTime = z.union([z.number().nonnegative(), z.iso.datetime({ offset: true })]).meta({
  description: 'Unix time in milliseconds, or ISO 8601 with an offset',
  allowed: 'Unix time in milliseconds, or an ISO 8601 time with its offset',
});
const symbol = z.string().meta({ description: 'Instrument code' });
const price = (description: string) => z.number().positive().meta({ description, allowed: 'a number above 0' });
const size = (description: string) => z.number().nonnegative().meta({ description, allowed: 'a number of at least 0' });

export const QuoteLine = z
  .object({
    symbol,
    time: LineTime,
    bid: price('Best price at which the market buys'),
    ask: price('Best price at which the market sells'),
    bid_size: size('Size available at the bid').optional(),
    ask_size: size('Size available at the ask').optional(),
  })
  .meta({ id: 'QuoteLine', description: 'A pushed quote' });

export const TradeLine = z
  .object({
    symbol,
    time: LineTime,
    price: price('Price of the trade'),
    size: size('Size of the trade'),
    side: z
      .enum(['buy', 'sell'])
      .optional()
      .meta({ description: 'Side of the taker. Inferred from the quotes by default', allowed: 'buy or sell' }),
  })
  .meta({ id: 'TradeLine', description: 'A pushed trade' });

export const IngestLine = z
  .union([QuoteLine, TradeLine])
  .meta({ id: 'IngestLine', description: 'A pushed quote or trade' });

const messageId = z
  .union([z.string().max(128), z.number()])
  .optional()
  .meta({ description: 'Id of the request, echoed in the response' });

/** On `/ws/ingest` a client authenticates once, unless its key was sent with the upgrade request. */
export const AuthenticateMessage = z
  .object({
    action: z.literal('authenticate').meta({ description: 'Type of the request' }),
    api_key: z.string().max(256).meta({ description: 'API key with the scope `ingest`' }),
    id: messageId,
  })
  .meta({ id: 'AuthenticateMessage', description: 'Authenticates a connection to `/ws/ingest`' });

/** Reasons for rejecting a line of ticks. */
export const LINE_REJECTIONS = [
  'malformed_json',
  'malformed_line',
  'unknown_symbol',
  'bad_time',
  'future_time',
  'bad_price',
  'crossed_quote',
  'finer_than_digits',
  'bad_size',
  'bad_side',
  'spike',
] as const;
export type LineRejection = (typeof LINE_REJECTIONS)[number];

/** Maximum number of rejected lines in one response; `rejected_count` counts all of them. */
export const MAX_LISTED_REJECTIONS = 1_000;

/** Schema of the response to lines that can be rejected for these reasons. */
export const ingestAnswer = <const R extends readonly [string, ...string[]]>(reasons: R) =>
  z.object({
    accepted: integer('Number of accepted lines'),
    rejected: z
      .array(
        z.object({
          line: integer('Line number, starting at 1'),
          code: z.enum(reasons).meta({ description: 'Reason for the rejection' }),
          detail: text('Explanation, for people'),
        }),
      )
      .meta({ description: `The first ${MAX_LISTED_REJECTIONS} rejected lines` }),
    rejected_count: integer('Number of rejected lines'),
  });

export const IngestAnswer = ingestAnswer(LINE_REJECTIONS).meta({
  id: 'IngestAnswer',
  description: 'Result of pushing ticks',
});
export type IngestAnswer = z.infer<typeof IngestAnswer>;

export const AuthenticatedNotice = z
  .object({ event: z.literal('authenticated').meta({ description: 'Type of the event' }), id: messageId })
  .meta({ id: 'AuthenticatedNotice', description: 'Confirms the authentication' });

export const PausedNotice = z
  .object({
    event: z.literal('paused').meta({ description: 'Type of the event' }),
    seconds: integer('When reading continues at the earliest, in seconds'),
  })
  .meta({
    id: 'PausedNotice',
    description: 'The allowance of lines is used up: the connection is not read for a while. No line is lost',
  });
export type PausedNotice = z.infer<typeof PausedNotice>;

/** The response to each message of lines on `/ws/ingest`. */
export const IngestedNotice = IngestAnswer.extend({
  event: z.literal('ingested').meta({ description: 'Type of the event' }),
}).meta({ id: 'IngestedNotice', description: 'Result of one message of lines' });
