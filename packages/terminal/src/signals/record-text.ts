// A record of the log in words: what happened to the signal, and the tick that decided it.
import type { Evidence, LogRecord } from '@tickwire/client';
import { price } from '../ui/format.ts';
import { partText, REASONS } from './labels.ts';

export function eventText(record: LogRecord, digits: number): string {
  const at = (value: number | null): string => price(value, digits);
  switch (record.type) {
    case 'published':
      return `Published, ${record.order} order`;
    case 'filled':
      return `Filled at ${at(record.entry_price)}`;
    case 'exited':
      return `Target ${record.target} hit: ${partText(record.fraction)} out at ${at(record.price)}`;
    case 'amended':
      return `Stop tightened to ${at(record.stop_loss)}`;
    case 'close_requested':
      return 'Close requested';
    case 'closed': {
      const { last_exit: last, reason } = record;
      return last ? `${REASONS[reason]}: ${partText(last.fraction)} out at ${at(last.price)}` : REASONS[reason];
    }
    case 'voided':
      return `Voided: ${record.reason}`;
    default:
      return record.type;
  }
}

/** The tick in the record; `null` if nothing was decided by one. */
export function tickOf(record: LogRecord): Evidence | null {
  if ('decided' in record) return record.decided;
  if ('filled' in record) return record.filled;
  return 'quote' in record ? { ...record.quote, kind: 'quote' } : null;
}

export function pricesOf(tick: Evidence, digits: number): string {
  const at = (value: number): string => price(value, digits);
  if (tick.kind === 'quote') return `${at(tick.bid)} / ${at(tick.ask)}`;
  return tick.kind === 'trade' ? `trade at ${at(tick.price)}` : `minute ${at(tick.low)} to ${at(tick.high)}`;
}

/** What happened, with the tick and its number in the sequence of all events. */
export function recordText(record: LogRecord, digits: number): string {
  const tick = tickOf(record);
  const decided = tick ? `. Tick: ${pricesOf(tick, digits)} (event ${tick.seq}, ${tick.source})` : '';
  return eventText(record, digits) + decided;
}
