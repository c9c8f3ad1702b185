// Evidence: the market events that decided a fill, an exit or a closing, as the records of the signal log contain them.
import { z } from 'zod';
import { integer, number, text, timestamp } from '../common/values.ts';
import { Direction } from './schemas.ts';

const evidence = {
  seq: integer('Sequence number of the event'),
  time: timestamp('Time of the event'),
  source: text('Feed that delivered the event, or `push:` and the publisher id of the account that pushed it'),
};
const kind = { description: 'Kind of the evidence' };
export const QuoteEvidence = z
  .object({ kind: z.literal('quote').meta(kind), ...evidence, bid: number('Bid'), ask: number('Ask') })
  .meta({ id: 'QuoteEvidence', description: 'A quote' });
export const TradeEvidence = z
  .object({
    kind: z.literal('trade').meta(kind),
    ...evidence,
    price: number('Price of the trade'),
    side: Direction.meta({ description: 'Side of the taker' }),
    spread: number('Spread of the last quote before it, from which the other side of the market is derived'),
  })
  .meta({
    id: 'TradeEvidence',
    description: 'A missed trade that was fetched later. It gives the price of the side it traded on',
  });
export const BarEvidence = z
  .object({
    kind: z.literal('bar').meta(kind),
    ...evidence,
    open: number('First bid of the minute'),
    high: number('Highest bid of the minute'),
    low: number('Lowest bid of the minute'),
    close: number('Last bid of the minute'),
    spread: number('Spread of the last quote before it: the ask is the bid plus this value'),
  })
  .meta({ id: 'BarEvidence', description: 'A minute for which only a bar was available' });
export const Evidence = z
  .discriminatedUnion('kind', [QuoteEvidence, TradeEvidence, BarEvidence])
  .meta({ id: 'Evidence', description: 'The market event that decided a fill or a closing' });
export type QuoteEvidence = z.infer<typeof QuoteEvidence>;
export type Evidence = z.infer<typeof Evidence>;
