// The signal log as the API serves it: records with their hashes, pages of them, and signed heads.
import { z } from 'zod';
import { ItemCount, integer, integerQuery, namedObject, nextPage, text, timestamp } from '../common/values.ts';
import { hash, LogRecord } from './records.ts';

export const LogEntry = namedObject('LogEntry', 'A record of the signal log with its hash', () => ({
  hash: hash('SHA-256 of the canonical JSON of `record`, hex'),
  record: LogRecord,
}));
export type LogEntry = z.infer<typeof LogEntry>;

export const LogHead = namedObject('LogHead', 'Signed length and hash of the signal log', () => ({
  log: text('Id of the log'),
  n: integer('Number of the last record'),
  hash: hash('Hash of the last record, hex'),
  at: timestamp('Time of the signature'),
  public_key: text('Ed25519 public key, 32 bytes, hex'),
  signature: text('Ed25519 signature of the canonical JSON of `log`, `n`, `hash` and `at`'),
}));
export type LogHead = z.infer<typeof LogHead>;

export const LogPage = namedObject('LogPage', 'A page of the signal log', () => ({
  items: z.array(LogEntry).meta({ description: 'Records in ascending order' }),
  count: ItemCount,
  next: nextPage(z.int()),
}));
export type LogPage = z.infer<typeof LogPage>;

export const LogQuery = z.object({
  after: integerQuery('Number after which to start', -1, Number.MAX_SAFE_INTEGER, -1),
  limit: integerQuery('Maximum number of items', 1, 1000, 1000),
});
export type LogQuery = z.infer<typeof LogQuery>;
