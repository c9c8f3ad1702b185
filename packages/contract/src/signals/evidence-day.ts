// The evidence of a UTC day and an instrument: its ticks as NDJSON, as they are sealed. Prices are JSON numbers, times
// milliseconds since 1970. The order of members is part of the format, because the bytes are hashed.
import { z } from 'zod';
import { integer, integerQuery, namedObject, number, text } from '../common/values.ts';
import { Direction } from './schemas.ts';

const seq = integer('Sequence number of the event');
const source = text('Feed that delivered it, or `push:` and the id of the account that pushed it');
const time = integer('Time of the tick, in milliseconds since 1970');

export const EvidenceQuote = namedObject('EvidenceQuote', 'A quote on the tape', () => ({
  seq,
  time,
  bid: number('Best bid'),
  ask: number('Best ask'),
  source,
}));

export const EvidenceTrade = namedObject('EvidenceTrade', 'A trade on the tape', () => ({
  seq,
  time,
  price: number('Price'),
  side: Direction.meta({ description: 'Side of the taker' }),
  source,
}));

export const EvidenceBar = namedObject('EvidenceBar', 'A minute known only as a bar of bids', () => ({
  seq,
  time: integer('Start of the minute, in milliseconds since 1970'),
  open: number('First price'),
  high: number('Highest price'),
  low: number('Lowest price'),
  close: number('Last price'),
  partial: z.literal(true).optional().meta({ description: 'Present if the minute was not over when it was fetched' }),
}));

export const EvidenceLine = z
  .union([EvidenceQuote, EvidenceTrade, EvidenceBar])
  .meta({ id: 'EvidenceLine', description: 'A line of the tape: a quote, a trade, or a minute known only as a bar' });
export type EvidenceQuote = z.infer<typeof EvidenceQuote>;
export type EvidenceTrade = z.infer<typeof EvidenceTrade>;
export type EvidenceBar = z.infer<typeof EvidenceBar>;
export type EvidenceLine = z.infer<typeof EvidenceLine>;

export const EvidenceQuery = z.object({
  after: integerQuery(
    'Only ticks with a `seq` above this, from the tape even if the day is sealed',
    -1,
    Number.MAX_SAFE_INTEGER,
    -1,
  ),
});
export type EvidenceQuery = z.infer<typeof EvidenceQuery>;
