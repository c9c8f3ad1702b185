// Signals of the public feed. Prices are in price units of the instrument; pips, percent and R are signed.
import { z } from 'zod';
import {
  booleanQuery,
  enumQuery,
  integer,
  integerQuery,
  listFormatQuery,
  nullable,
  number,
  SymbolCode,
  text,
  timestamp,
} from '../common/values.ts';

export const Direction = z.enum(['buy', 'sell']).meta({ description: 'Direction of the trade' });
export type Direction = z.infer<typeof Direction>;

export const CLOSE_REASONS = ['take_profit', 'stop_loss', 'manual', 'expired', 'unfilled', 'voided'] as const;

/** A published signal is pending until its entry fills, then open until it closes. */
export const SIGNAL_STATES = ['pending', 'open', 'closed'] as const;
export const SignalState = z.enum(SIGNAL_STATES).meta({
  description: '`pending`: the entry waits for its fill. `open`: the entry is filled. `closed`: it has ended',
});
export type SignalState = z.infer<typeof SignalState>;

export const MAX_TARGETS = 5;
export const Target = z
  .object({ price: number('Price of the target'), fraction: number('Part of the position that exits there, up to 1') })
  .meta({ id: 'SignalTarget', description: 'A target: a part of the position and the price at which it exits' });
export type Target = z.infer<typeof Target>;

/** Fields of a publication that the feed and the log share. */
export const signalLevels = {
  direction: Direction,
  entry: number('Declared entry price'),
  stop_loss: number('Stop loss price'),
  take_profit: number('Take profit price: the last target'),
};

const published = {
  id: text('Id of the signal'),
  user: text('Display name of the publisher'),
  symbol: SymbolCode,
  ...signalLevels,
};
const publishedAt = timestamp('Publication time');

/** Fields of a closing that the feed and the log share. */
export const closingFields = {
  pnl: number('Profit or loss in pips, from the worse of the declared entry and the fill to the exit'),
  pnl_percent: number('Profit or loss in percent of the entry'),
  pnl_r: number('Profit or loss as a multiple of the published risk, the distance from entry to stop loss'),
  entry_price: nullable(z.number(), 'Fill price of the entry; `null` if the entry was not filled'),
  exit_price: nullable(
    z.number(),
    'Exit price, the weighted mean of several exits; `null` if the entry was not filled',
  ),
  closed_at: timestamp('Time of the closing'),
};
export const CloseReason = z.enum(CLOSE_REASONS).meta({
  description:
    '`take_profit` or `stop_loss`: the market reached the level. `manual`: closed by the publisher. `expired`: the deadline passed. `unfilled`: the entry was never filled. `voided`: an operator voided the signal, with a public reason',
});

export const RECOVERED = z.enum(['tape', 'backfill']).meta({
  description:
    'Present if this was determined after an interruption: from the recorded tape, or from prices that the feed delivered later',
});

/** Optional fields of a closing that the feed and the log share. */
export const closingNotes = {
  pnl_best: number(
    'Present if only a bar was available to judge the signal: profit or loss in pips in the best case. `pnl` is the worst case',
  ).optional(),
  gap_from: timestamp('Start of an interval without prices while the signal was active').optional(),
  gap_to: timestamp('End of that interval').optional(),
  self_sourced: z.literal(true).optional().meta({
    description:
      'Present if ticks pushed by the account of the publisher decided the result. For ranking, losses of such signals count and wins do not',
  }),
  recovered: RECOVERED.optional(),
};

export const ActiveSignal = z
  .object({
    ...published,
    status: z.literal('active').meta({ description: 'State of the signal' }),
    timestamp: publishedAt,
  })
  .meta({ id: 'ActiveSignal', description: 'A signal that is pending or filled, and not closed yet' });

export const ClosedSignal = z
  .object({
    ...published,
    status: z.literal('closed').meta({ description: 'State of the signal' }),
    timestamp: publishedAt,
    ...closingFields,
    close_reason: CloseReason,
    ...closingNotes,
  })
  .meta({ id: 'ClosedSignal', description: 'A closed signal with its verified profit or loss' });
export type ActiveSignal = z.infer<typeof ActiveSignal>;
export type ClosedSignal = z.infer<typeof ClosedSignal>;

export const Signal = z
  .discriminatedUnion('status', [ActiveSignal, ClosedSignal])
  .meta({ id: 'Signal', description: 'An active or closed signal' });
export type Signal = z.infer<typeof Signal>;

/** A new signal on `/ws/signals`: the published fields, without `status`. */
export const SignalMessage = z
  .object({ ...published, timestamp: publishedAt })
  .meta({ id: 'SignalMessage', description: 'A newly published signal' });
export type SignalMessage = z.infer<typeof SignalMessage>;

/** A fill on `/ws/signals`. */
export const FilledSignal = ActiveSignal.extend({
  state: z.literal('open').meta({ description: 'The entry is filled' }),
  filled_at: timestamp('Time of the fill'),
  entry_price: number('Fill price of the entry'),
}).meta({ id: 'FilledSignal', description: 'A signal whose entry was filled' });
export type FilledSignal = z.infer<typeof FilledSignal>;

const changed = <const C extends string>(change: C) => ({
  id: text('Id of the signal'),
  user: text('Display name of the publisher'),
  symbol: SymbolCode,
  change: z.literal(change).meta({ description: `Kind of the change: \`${change}\`` }),
});

/** A partial exit on `/ws/signals`. */
export const ExitedSignal = z
  .object({
    ...changed('exited'),
    target: integer('Number of the target, starting at 1'),
    fraction: number('Part of the position that exited'),
    price: number('Exit price'),
    timestamp: timestamp('Time of the exit'),
  })
  .meta({ id: 'ExitedSignal', description: 'A part of the position exited at a target' });
/** A tighter stop on `/ws/signals`. */
export const AmendedSignal = z
  .object({
    ...changed('amended'),
    stop_loss: number('The tighter stop'),
    timestamp: timestamp('Time of the amendment'),
  })
  .meta({ id: 'AmendedSignal', description: 'The publisher tightened the stop of a signal' });
export type ChangedSignal = z.infer<typeof ExitedSignal> | z.infer<typeof AmendedSignal>;

export const SIGNAL_STATUSES = ['active', 'closed', 'all'] as const;

/** Columns of the feed as CSV. Those after `timestamp` are empty while a signal is active. */
export const SIGNAL_LIST_COLUMNS = [
  'id',
  'user',
  'symbol',
  'direction',
  'entry',
  'stop_loss',
  'take_profit',
  'status',
  'timestamp',
  'pnl',
  'pnl_percent',
  'pnl_r',
  'entry_price',
  'exit_price',
  'closed_at',
  'close_reason',
] as const;

export const SignalQuery = z.object({
  status: enumQuery('Which signals to return', SIGNAL_STATUSES, 'active'),
  symbol: z
    .string()
    .optional()
    .meta({ description: 'Instrument code. An unknown code gives an empty list', allowed: 'an instrument code' }),
  user: z.string().optional().meta({
    description: 'Display name (case-insensitive) or id of a publisher. An unknown one gives an empty list',
    allowed: 'a display name or an id',
  }),
  before: z.string().optional().meta({
    description:
      'Id of a signal: return only signals published before it. To get the next page, use the id of the last signal of this page. An unknown id gives an empty list',
    allowed: 'the id of a signal',
  }),
  limit: integerQuery('Maximum number of signals', 1, 500, 50),
  detail: booleanQuery('Return each signal in detail: order, state, fill, exits, stop in force and log records', false),
  format: listFormatQuery(SIGNAL_LIST_COLUMNS),
});
export type SignalQuery = z.infer<typeof SignalQuery>;

export const SignalDetailQuery = z.object({
  windows: booleanQuery('Add `windows`: high-impact calendar events at the entry and exit', false),
});
export type SignalDetailQuery = z.infer<typeof SignalDetailQuery>;
