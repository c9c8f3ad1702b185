// Signals of the public feed. Prices are in price units of the instrument; pips, percent and R are signed.
import { z } from 'zod';
import {
  booleanQuery,
  enumQuery,
  integer,
  integerQuery,
  listFormatQuery,
  namedObject,
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
const SIGNAL_STATES = ['pending', 'open', 'closed'] as const;
export const SignalState = z.enum(SIGNAL_STATES).meta({
  description: '`pending`: the entry waits for its fill. `open`: the entry is filled. `closed`: it has ended',
});

export const MAX_TARGETS = 5;
export const SignalTarget = namedObject('SignalTarget', 'A target', () => ({
  price: number('Price'),
  fraction: number('Part of the position, up to 1'),
}));
export type SignalTarget = z.infer<typeof SignalTarget>;

export const MAX_SLIPPAGE = 'How much worse than its quote a market order may fill, in price units';

/** Fields of a publication that the feed and the log share. */
export const signalLevels = {
  direction: Direction,
  entry: number('Declared entry price'),
  stop_loss: number('Stop loss price'),
  take_profit: number('Take profit price: the last target'),
};

const published = {
  id: text('Id'),
  user: text('Display name of the publisher'),
  symbol: SymbolCode,
  ...signalLevels,
};
const publishedAt = timestamp('Time of publication');

/** Fields of a closing that the feed and the log share. */
export const closingFields = {
  pnl: number('Profit or loss in pips, from the worse of the declared entry and the fill to the exit'),
  pnl_percent: number('Profit or loss in percent of the entry'),
  pnl_r: number('Profit or loss in R: multiples of the distance from entry to stop loss'),
  entry_price: nullable(z.number(), 'Fill price of the entry; `null` if not filled'),
  exit_price: nullable(
    z.number(),
    'Exit price, the weighted mean of several exits; `null` if the entry was not filled',
  ),
  closed_at: timestamp('Time of the closing'),
};
export const CloseReason = z.enum(CLOSE_REASONS).meta({
  description:
    'Reached level, or `manual`: closed by the publisher, `expired`: the deadline passed, `unfilled`: the entry was never filled, `voided`: by an operator',
});

export const RECOVERED = z.enum(['tape', 'backfill']).meta({
  description:
    'Present if determined after an interruption: from the tape, or from prices that the feed delivered later',
});

/** Optional fields of a closing that the feed and the log share. */
export const closingNotes = {
  pnl_best: number(
    'Present if only a bar was available: profit or loss in pips in the best case. `pnl` is the worst case',
  ).optional(),
  gap_from: timestamp('Start of an interval without prices while the signal was active').optional(),
  gap_to: timestamp('End of that interval').optional(),
  self_sourced: z.literal(true).optional().meta({
    description:
      'Present if ticks that the publisher pushed decided the result. Its losses count for the ranking, its wins do not',
  }),
  recovered: RECOVERED.optional(),
};

export const SignalResult = namedObject('SignalResult', 'Result of a signal', () => ({
  ...closingFields,
  ...closingNotes,
}));

export const ActiveSignal = namedObject('ActiveSignal', 'A pending or filled signal', () => ({
  ...published,
  status: z.literal('active').meta({ description: 'State' }),
  timestamp: publishedAt,
}));

export const ClosedSignal = namedObject('ClosedSignal', 'A closed signal with its verified profit or loss', () => ({
  ...published,
  status: z.literal('closed').meta({ description: 'State' }),
  timestamp: publishedAt,
  ...closingFields,
  close_reason: CloseReason,
  ...closingNotes,
}));
export type ActiveSignal = z.infer<typeof ActiveSignal>;
export type ClosedSignal = z.infer<typeof ClosedSignal>;

export const Signal = z
  .discriminatedUnion('status', [ActiveSignal, ClosedSignal])
  .meta({ id: 'Signal', description: 'An active or closed signal' });
export type Signal = z.infer<typeof Signal>;

/** A new signal on `/ws/signals`: the published fields, without `status`. */
export const SignalMessage = namedObject('SignalMessage', 'A newly published signal', () => ({
  ...published,
  timestamp: publishedAt,
}));
export type SignalMessage = z.infer<typeof SignalMessage>;

/** A fill on `/ws/signals`. */
export const FilledSignal = ActiveSignal.extend({
  state: z.literal('open').meta({ description: 'The entry is filled' }),
  filled_at: timestamp('Time of the fill'),
  entry_price: number('Fill price of the entry'),
}).meta({ id: 'FilledSignal', description: 'A signal whose entry was filled' });
export type FilledSignal = z.infer<typeof FilledSignal>;

const changed = <const C extends string>(change: C) => ({
  id: text('Id'),
  user: text('Display name of the publisher'),
  symbol: SymbolCode,
  change: z.literal(change).meta({ description: `Kind of the change: \`${change}\`` }),
});

/** A partial exit on `/ws/signals`. */
export const ExitedSignal = namedObject('ExitedSignal', 'A part of the position exited at a target', () => ({
  ...changed('exited'),
  target: integer('Number of the target, starting at 1'),
  fraction: number('Part of the position, up to 1'),
  price: number('Price'),
  timestamp: timestamp('Time of the exit'),
}));
/** A tighter stop on `/ws/signals`. */
export const AmendedSignal = namedObject('AmendedSignal', 'The publisher tightened the stop of a signal', () => ({
  ...changed('amended'),
  stop_loss: number('The tighter stop'),
  timestamp: timestamp('Time of the amendment'),
}));
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
  symbol: z.string().optional().meta({ description: 'Instrument code', allowed: 'an instrument code' }),
  user: z.string().optional().meta({
    description:
      'Display name (case-insensitive) or id of a publisher; `practice` in a replay. An unknown one gives an empty list',
    allowed: 'a display name or an id',
  }),
  before: z.string().optional().meta({
    description: 'Id of the last item of the previous page',
    allowed: 'the id of a signal',
  }),
  limit: integerQuery('Maximum number of items', 1, 500, 50),
  detail: booleanQuery('Return SignalDetail items', false),
  format: listFormatQuery(SIGNAL_LIST_COLUMNS),
});
export type SignalQuery = z.infer<typeof SignalQuery>;

export const SignalDetailQuery = z.object({
  windows: booleanQuery('Add `windows`: high-impact calendar events at the entry and exit', false),
});
export type SignalDetailQuery = z.infer<typeof SignalDetailQuery>;
