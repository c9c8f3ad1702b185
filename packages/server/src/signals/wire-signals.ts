// Signals as the API and the stream send them, from their records.
import {
  type ActiveSignal,
  type AmendedRecord,
  type ChangedSignal,
  type ClosedRecord,
  type ClosedSignal,
  type ExitedRecord,
  type FilledRecord,
  type FilledSignal,
  NO_PROFIT,
  type PublishedRecord,
  type PublishedSignal,
  type SignalMessage,
  type VoidedRecord,
} from '@tickwire/contract';
import type { StoredSignal } from '../store/signal-store.ts';
import { parseRecord, type UnchainedRecord } from './log-records.ts';
import type { Published } from './signal-records.ts';

export const signalMessage = (record: Published, user: string): SignalMessage => ({
  id: record.signal,
  user,
  symbol: record.symbol,
  direction: record.direction,
  entry: record.entry,
  stop_loss: record.stop_loss,
  take_profit: record.take_profit,
  timestamp: record.at,
});

export function activeSignal(record: Published, user: string): ActiveSignal {
  const { timestamp, ...message } = signalMessage(record, user);
  return { ...message, status: 'active', timestamp };
}

export const publishedSignal = (record: Published, user: string): PublishedSignal => ({
  ...activeSignal(record, user),
  order: record.order,
  state: 'pending',
});

export const filledSignal = (
  published: Published,
  { filled_at, entry_price }: UnchainedRecord<FilledRecord>,
  user: string,
): FilledSignal => ({ ...activeSignal(published, user), state: 'open', filled_at, entry_price });

export function changedSignal(record: UnchainedRecord<ExitedRecord | AmendedRecord>, user: string): ChangedSignal {
  const { signal: id, symbol } = record;
  if (record.type === 'amended')
    return { id, user, symbol, change: 'amended', stop_loss: record.stop_loss, timestamp: record.at };
  const { target, fraction, price, exited_at: timestamp } = record;
  return { id, user, symbol, change: 'exited', target, fraction, price, timestamp };
}

export function closedSignal(published: Published, closed: UnchainedRecord<ClosedRecord>, user: string): ClosedSignal {
  const { timestamp, ...message } = signalMessage(published, user);
  const { pnl_best, gap_from, gap_to, self_sourced, recovered } = closed;
  return {
    ...message,
    status: 'closed',
    timestamp,
    pnl: closed.pnl,
    pnl_percent: closed.pnl_percent,
    pnl_r: closed.pnl_r,
    entry_price: closed.entry_price,
    exit_price: closed.exit_price,
    closed_at: closed.closed_at,
    close_reason: closed.reason,
    ...(pnl_best !== undefined && { pnl_best }),
    ...(gap_from !== undefined && { gap_from }),
    ...(gap_to !== undefined && { gap_to }),
    ...(self_sourced !== undefined && { self_sourced }),
    ...(recovered !== undefined && { recovered }),
  };
}

/** `closed` is its closing, if it was closed before (V1). */
export function voidedSignal(
  published: Published,
  closed: ClosedRecord | null,
  voided: UnchainedRecord<VoidedRecord>,
  user: string,
): ClosedSignal {
  const { timestamp, ...message } = signalMessage(published, user);
  return {
    ...message,
    status: 'closed',
    timestamp,
    ...NO_PROFIT,
    entry_price: null,
    exit_price: null,
    closed_at: closed?.closed_at ?? voided.at,
    close_reason: 'voided',
  };
}

/** A stored signal as the API returns it. Default of `name`: the public id of its publisher. */
export function toSignal({ published, closed, voided }: StoredSignal, name?: string): ActiveSignal | ClosedSignal {
  const record = parseRecord<PublishedRecord>(published);
  const user = name ?? record.publisher;
  const closing = closed && parseRecord<ClosedRecord>(closed);
  if (voided) return voidedSignal(record, closing, parseRecord<VoidedRecord>(voided), user);
  return closing ? closedSignal(record, closing, user) : activeSignal(record, user);
}
