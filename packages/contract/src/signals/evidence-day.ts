// The evidence of a UTC day and an instrument: its ticks as NDJSON, as they are sealed. Prices are JSON numbers, times
// milliseconds since 1970. The order of members is part of the format, because the bytes are hashed.
import { z } from 'zod';
import { integer, integerQuery, number, text } from '../common/values.ts';
import { Direction } from './schemas.ts';

const seq = integer('Sequence number of the event. Lines are in its order');
const source = text(
  'Feed that delivered the tick, or `push:` and the publisher id of the account that pushed it; empty on old tapes',
);
const time = integer('Time of the tick, in milliseconds since 1970');

export const EvidenceQuote = z
  .object({ seq, time, bid: number('Bid'), ask: number('Ask'), source })
  .meta({ id: 'EvidenceQuote', description: 'A quote on the tape' });

export const EvidenceTrade = z
  .object({
    seq,
    time,
    price: number('Price of the trade'),
    side: Direction.meta({ description: 'Side of the taker' }),
    source,
  })
  .meta({ id: 'EvidenceTrade', description: 'A trade on the tape' });

export const EvidenceBar = z
  .object({
    seq,
    time: integer('Start of the minute, in milliseconds since 1970'),
    open: number('First bid of the minute'),
    high: number('Highest bid of the minute'),
    low: number('Lowest bid of the minute'),
    close: number('Last bid of the minute'),
    partial: z.literal(true).optional().meta({ description: 'Present if the minute was not over when it was fetched' }),
  })
  .meta({ id: 'EvidenceBar', description: 'A minute known only as a bar' });

export const EvidenceLine = z
  .union([EvidenceQuote, EvidenceTrade, EvidenceBar])
  .meta({ id: 'EvidenceLine', description: 'A line of the tape: a quote, a trade, or a minute known only as a bar' });
export type EvidenceQuote = z.infer<typeof EvidenceQuote>;
export type EvidenceTrade = z.infer<typeof EvidenceTrade>;
export type EvidenceBar = z.infer<typeof EvidenceBar>;
export type EvidenceLine = z.infer<typeof EvidenceLine>;

export const EvidenceQuery = z.object({
  after: integerQuery(
    'Return only ticks with a `seq` above this, and read them from the tape even if the day is sealed. Use it for ticks that came after the sealing, or since your last request',
    -1,
    Number.MAX_SAFE_INTEGER,
    -1,
  ),
});
export type EvidenceQuery = z.infer<typeof EvidenceQuery>;
