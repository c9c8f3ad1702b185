// The public signal feed: what was published, and what became of it.
import { z } from 'zod';
import { enumQuery, integerQuery, SymbolCode, Timestamp } from './values.ts';

export const Direction = z.enum(['buy', 'sell']);
export type Direction = z.infer<typeof Direction>;

export const CLOSE_REASONS = ['take_profit', 'stop_loss', 'manual', 'expired', 'unfilled'] as const;

const published = {
  id: z.string(),
  user: z.string().meta({ description: "Publisher's display name" }),
  symbol: SymbolCode,
  direction: Direction,
  entry: z.number().meta({ description: 'Declared entry price' }),
  stop_loss: z.number(),
  take_profit: z.number(),
};
const timestamp = Timestamp.meta({ description: 'Publication time' });

const closing = {
  pnl: z.number().meta({ description: 'Signed pips, counted from the worse of the declared entry and the fill' }),
  pnl_percent: z.number(),
  pnl_r: z.number().meta({ description: 'Multiples of the initial risk' }),
  entry_price: z.number().nullable().meta({ description: 'Where it really filled; null where it never did' }),
  exit_price: z.number().nullable(),
  closed_at: Timestamp,
  close_reason: z.enum(CLOSE_REASONS),
  pnl_best: z
    .number()
    .optional()
    .meta({ description: 'Where only a bar could decide: the pips in the best case; `pnl` is the worst' }),
  gap_from: Timestamp.optional().meta({ description: 'A stretch of its life for which no prices could be had' }),
  gap_to: Timestamp.optional(),
  self_sourced: z
    .literal(true)
    .optional()
    .meta({ description: "Decided by ticks that the publisher's own account pushed: shown, not ranked" }),
  recovered: z
    .enum(['tape', 'backfill'])
    .optional()
    .meta({ description: 'Found after an interruption: on the tape, or from what the feed could tell afterwards' }),
};

export const ActiveSignal = z
  .object({ ...published, status: z.literal('active'), timestamp })
  .meta({ id: 'ActiveSignal' });

export const ClosedSignal = z
  .object({ ...published, status: z.literal('closed'), timestamp, ...closing })
  .meta({ id: 'ClosedSignal', description: 'A closed signal with its verified profit and loss' });
export type ActiveSignal = z.infer<typeof ActiveSignal>;
export type ClosedSignal = z.infer<typeof ClosedSignal>;

export const Signal = z.discriminatedUnion('status', [ActiveSignal, ClosedSignal]).meta({ id: 'Signal' });
export type Signal = z.infer<typeof Signal>;

export const SignalList = z
  .object({ items: z.array(Signal), count: z.int().meta({ description: 'Number of items in this answer' }) })
  .meta({ id: 'SignalList' });

/** A new signal on `/ws/signals`: the published fields, without `status`. */
export const SignalMessage = z.object({ ...published, timestamp }).meta({ id: 'SignalMessage' });
export type SignalMessage = z.infer<typeof SignalMessage>;

export const SIGNAL_STATUSES = ['active', 'closed', 'all'] as const;

export const SignalQuery = z.object({
  status: enumQuery('Which signals', SIGNAL_STATUSES, 'active'),
  symbol: z.string().optional().meta({ description: 'Instrument code; an unknown one gives an empty list' }),
  user: z.string().optional().meta({
    description: "Publisher's display name, in upper or lower case, or id; an unknown one gives an empty list",
  }),
  before: z.string().optional().meta({
    description:
      'Id of a signal: only those published before it. The last one of a page leads to the next; an unknown one gives an empty list',
  }),
  limit: integerQuery('Maximum number of results', 1, 500, 50),
});
export type SignalQuery = z.infer<typeof SignalQuery>;
