// Evidence: the market events that decided a fill, an exit or a closing, as the records of the signal log contain them.
import { z } from 'zod';
import { integer, namedObject, number, text, timestamp } from '../common/values.ts';
import { Direction } from './schemas.ts';

const evidence = {
  seq: integer('Sequence number of the event'),
  time: timestamp('Time of the event, or start of the bar or interval'),
  source: text('Feed that delivered it, or `push:` and the id of the account that pushed it'),
};
const kind = { description: 'Kind' };
export const QuoteEvidence = namedObject('QuoteEvidence', 'A quote', () => ({
  kind: z.literal('quote').meta(kind),
  ...evidence,
  bid: number('Best bid'),
  ask: number('Best ask'),
}));
export const TradeEvidence = namedObject('TradeEvidence', 'A missed trade that was fetched later', () => ({
  kind: z.literal('trade').meta(kind),
  ...evidence,
  price: number('Price'),
  side: Direction.meta({ description: 'Side of the taker' }),
  spread: number('Spread of the last quote before it'),
}));
export const BarEvidence = namedObject('BarEvidence', 'A minute for which only a bar of bids was available', () => ({
  kind: z.literal('bar').meta(kind),
  ...evidence,
  open: number('First price'),
  high: number('Highest price'),
  low: number('Lowest price'),
  close: number('Last price'),
  spread: number('Spread of the last quote before it'),
}));
export const Evidence = z
  .discriminatedUnion('kind', [QuoteEvidence, TradeEvidence, BarEvidence])
  .meta({ id: 'Evidence', description: 'The market event that decided a fill or a closing' });
export type QuoteEvidence = z.infer<typeof QuoteEvidence>;
export type Evidence = z.infer<typeof Evidence>;
