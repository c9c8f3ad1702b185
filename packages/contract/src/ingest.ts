// What an operator's own sources may send: ticks, one JSON object a line; and how lines of any kind are answered.
import { z } from 'zod';

export const LineTime = z
  .union([z.number().nonnegative(), z.iso.datetime({ offset: true })])
  .meta({ description: 'Milliseconds since 1970-01-01 UTC, or ISO 8601' });
const symbol = z.string().meta({ description: 'Instrument code of the catalogue' });

export const QuoteLine = z
  .object({
    symbol,
    time: LineTime,
    bid: z.number().positive(),
    ask: z.number().positive(),
    bid_size: z.number().nonnegative().optional(),
    ask_size: z.number().nonnegative().optional(),
  })
  .meta({ id: 'QuoteLine' });

export const TradeLine = z
  .object({
    symbol,
    time: LineTime,
    price: z.number().positive(),
    size: z.number().nonnegative(),
    side: z.enum(['buy', 'sell']).optional().meta({ description: "The taker's side; inferred where it is left out" }),
  })
  .meta({ id: 'TradeLine' });

export const IngestLine = z.union([QuoteLine, TradeLine]).meta({ id: 'IngestLine' });

/** Over `/ws/ingest` a client authenticates once, unless its key came with the upgrade. */
export const AuthenticateMessage = z
  .object({
    action: z.literal('authenticate'),
    api_key: z.string().max(256),
    id: z.union([z.string().max(128), z.number()]).optional(),
  })
  .meta({ id: 'AuthenticateMessage' });

/** Why a line was refused. */
export const LINE_REFUSALS = [
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
export type LineRefusal = (typeof LINE_REFUSALS)[number];

/** Refused lines that one answer lists; `rejected_count` counts them all. */
export const MAX_LISTED_REFUSALS = 1_000;

/** The answer to lines that may be refused for these reasons. */
export const ingestAnswer = <const R extends readonly [string, ...string[]]>(refusals: R) =>
  z.object({
    accepted: z.int().meta({ description: 'Lines taken in' }),
    rejected: z
      .array(
        z.object({
          line: z.int().meta({ description: 'From 1' }),
          code: z.enum(refusals),
          detail: z.string(),
        }),
      )
      .meta({ description: `The first ${MAX_LISTED_REFUSALS} lines that were refused, each for itself` }),
    rejected_count: z.int(),
  });

export const IngestAnswer = ingestAnswer(LINE_REFUSALS).meta({ id: 'IngestAnswer' });
export const AuthenticatedNotice = z
  .object({ event: z.literal('authenticated'), id: z.union([z.string(), z.number()]).optional() })
  .meta({ id: 'AuthenticatedNotice' });

/** The answer to each message of lines over `/ws/ingest`. */
export const IngestedNotice = IngestAnswer.extend({ event: z.literal('ingested') }).meta({ id: 'IngestedNotice' });

export type IngestAnswer = z.infer<typeof IngestAnswer>;
