// One signal with all that is known of it, and the records that prove it.
import { z } from 'zod';
import { ActiveSignal, ClosedSignal } from './signal.ts';
import { Hash, LogEntry, LogHead, ORDER_KINDS } from './signal-record.ts';
import { integerQuery, Timestamp } from './values.ts';

const detail = {
  publisher: z.string().meta({ description: "Publisher's id, which never changes" }),
  order: z.enum(ORDER_KINDS).meta({ description: 'Kind of entry' }),
  expires_at: Timestamp.meta({
    description: 'The deadline in force: of the entry while it is pending, then of the signal',
  }),
  note: z.string().nullable(),
  entry_price: z.number().nullable().meta({ description: 'Where it really filled; null where it has not' }),
  filled_at: Timestamp.nullable(),
  published_n: z.int().meta({ description: 'Number of the record of its publication in the log' }),
  published_hash: Hash,
  closed_n: z.int().nullable().meta({ description: 'Number of the record of its closing; null while it is active' }),
  closed_hash: Hash.nullable(),
};

export const ActiveSignalDetail = ActiveSignal.extend(detail).meta({ id: 'ActiveSignalDetail' });
export const ClosedSignalDetail = ClosedSignal.extend(detail).meta({ id: 'ClosedSignalDetail' });
export const SignalDetail = z
  .discriminatedUnion('status', [ActiveSignalDetail, ClosedSignalDetail])
  .meta({ id: 'SignalDetail' });
export type SignalDetail = z.infer<typeof SignalDetail>;

export const SignalProof = z
  .object({
    published: LogEntry,
    closed: LogEntry.nullable().meta({ description: 'null while it is active' }),
    seals: z.array(LogEntry).meta({ description: "Seals of its instrument's tape for the days of its life, so far" }),
    head: LogHead.meta({ description: 'The head of the log now' }),
    note: z.string().nullable().meta({ description: 'What `note_sha256` of the publication is the hash of' }),
  })
  .meta({ id: 'SignalProof', description: 'The records of one signal, each with its hash' });
export type SignalProof = z.infer<typeof SignalProof>;

export const LogPage = z
  .object({
    items: z.array(LogEntry),
    count: z.int().meta({ description: 'Number of items in this answer' }),
    next: z.int().nullable().meta({ description: '`after` of the next page; null where this is the last' }),
  })
  .meta({ id: 'LogPage' });
export type LogPage = z.infer<typeof LogPage>;

export const LogQuery = z.object({
  after: integerQuery('Records with a number above this', -1, Number.MAX_SAFE_INTEGER, -1),
  limit: integerQuery('Maximum number of records', 1, 1000, 1000),
});
export type LogQuery = z.infer<typeof LogQuery>;
