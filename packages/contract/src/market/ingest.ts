// Ticks from an operator's own sources, one JSON object per line, and the response to any body of lines.
import { z } from 'zod';
import { integer, namedObject, nonBlankText, positive, text } from '../common/values.ts';

/** Smaller numbers are seconds, which would be a time in 1970. 1e11 ms is in March 1973. */
const MILLISECONDS_BOUND = 100_000_000_000;

export const LineTime = z.union([z.number().min(MILLISECONDS_BOUND), z.iso.datetime({ offset: true })]).meta({
  description: 'Unix time in milliseconds, or ISO 8601 with an offset',
  allowed: 'Unix time in milliseconds, or an ISO 8601 time with its offset',
});
/** Where an item or an event comes from. */
export const LineSource = nonBlankText(
  100,
  'Name of the source, not that of a configured one. Default: the name of the account',
).optional();
export const lineUrl = (description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional()
    .meta({ description, allowed: 'an http or https address of up to 2048 characters' });

const symbol = z.string().meta({ description: 'Instrument code' });
const size = (description: string) => z.number().nonnegative().meta({ description, allowed: 'a number of at least 0' });

export const QuoteLine = namedObject('QuoteLine', 'A pushed quote', () => ({
  symbol,
  time: LineTime,
  bid: positive('Best bid'),
  ask: positive('Best ask'),
  bid_size: size('Size available at the bid').optional(),
  ask_size: size('Size available at the ask').optional(),
}));

export const TradeLine = namedObject('TradeLine', 'A pushed trade', () => ({
  symbol,
  time: LineTime,
  price: positive('Price'),
  size: size('Size of the trade'),
  side: z
    .enum(['buy', 'sell'])
    .optional()
    .meta({ description: 'Side of the taker. Inferred from the quotes by default', allowed: 'buy or sell' }),
}));

export const IngestLine = z
  .union([QuoteLine, TradeLine])
  .meta({ id: 'IngestLine', description: 'A pushed quote or trade' });
export type IngestLine = z.infer<typeof IngestLine>;

const messageId = z
  .union([z.string().max(128), z.number()])
  .optional()
  .meta({ description: 'Id of the request, echoed in the response' });

/** On `/ws/ingest` a client authenticates once, unless its key was sent with the upgrade request. */
export const AuthenticateMessage = namedObject(
  'AuthenticateMessage',
  'Authenticates a connection to `/ws/ingest`',
  () => ({
    action: z.literal('authenticate').meta({ description: 'Type of the request' }),
    api_key: z.string().max(256).meta({ description: 'API key with the scope `ingest`' }),
    id: messageId,
  }),
);

/** Reasons for rejecting a line of ticks. */
const LINE_REJECTIONS = [
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

export const AuthenticatedNotice = namedObject('AuthenticatedNotice', 'Confirms the authentication', () => ({
  event: z.literal('authenticated').meta({ description: 'Type of the event' }),
  id: messageId,
}));
export type AuthenticatedNotice = z.infer<typeof AuthenticatedNotice>;

export const PausedNotice = namedObject(
  'PausedNotice',
  'The allowance of lines is used up: the connection is not read for a while. No line is lost',
  () => ({
    event: z.literal('paused').meta({ description: 'Type of the event' }),
    seconds: integer('When reading continues at the earliest, in seconds'),
  }),
);
export type PausedNotice = z.infer<typeof PausedNotice>;

/** The response to each message of lines on `/ws/ingest`. */
export const IngestedNotice = IngestAnswer.extend({
  event: z.literal('ingested').meta({ description: 'Type of the event' }),
}).meta({ id: 'IngestedNotice', description: 'Result of one message of lines' });
export type IngestedNotice = z.infer<typeof IngestedNotice>;
