// One signal in detail, and the log records that prove it.
import { z } from 'zod';
import { integer, nullable, Timestamp, text, timestamp } from '../common/values.ts';
import { LogEntry, LogHead } from './log.ts';
import { Hash, OrderKind } from './records.ts';
import { ActiveSignal, ClosedSignal } from './schemas.ts';

const detail = {
  publisher: text('Id of the publisher, which never changes'),
  order: OrderKind,
  expires_at: timestamp('Deadline in force: of the entry while it is pending, then of the signal'),
  note: nullable(z.string(), 'Note of the publisher, plain text; `null` if there is none'),
  entry_price: nullable(z.number(), 'Fill price of the entry; `null` if it is not filled'),
  filled_at: nullable(Timestamp, 'Time of the fill (ISO 8601, UTC); `null` if it is not filled'),
  published_n: integer('Number of the publication record in the log'),
  published_hash: Hash.meta({ description: 'Hash of the publication record' }),
  closed_n: nullable(z.int(), 'Number of the closing record; `null` while the signal is active'),
  closed_hash: nullable(Hash, 'Hash of the closing record; `null` while the signal is active'),
};

export const ActiveSignalDetail = ActiveSignal.extend(detail).meta({
  id: 'ActiveSignalDetail',
  description: 'An active signal in detail',
});
export const ClosedSignalDetail = ClosedSignal.extend(detail).meta({
  id: 'ClosedSignalDetail',
  description: 'A closed signal in detail',
});
export const SignalDetail = z
  .discriminatedUnion('status', [ActiveSignalDetail, ClosedSignalDetail])
  .meta({ id: 'SignalDetail', description: 'A signal in detail' });
export type SignalDetail = z.infer<typeof SignalDetail>;

export const SignalProof = z
  .object({
    published: LogEntry.meta({ description: 'Publication' }),
    closed: nullable(LogEntry, 'Closing; `null` while the signal is active'),
    seals: z
      .array(LogEntry)
      .meta({ description: "Seals of the instrument's tape for the days on which the signal was active" }),
    head: LogHead.meta({ description: 'Current head of the log' }),
    note: nullable(z.string(), 'Text whose hash is `note_sha256` of the publication; `null` if there is none'),
  })
  .meta({ id: 'SignalProof', description: 'The log records of one signal' });
export type SignalProof = z.infer<typeof SignalProof>;
