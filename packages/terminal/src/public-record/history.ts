// The records of one signal, by their kind.
import type { LogEntry, LogRecord, PublicRecordPage } from '@tickwire/client';

type RecordOf<T extends LogRecord['type']> = Extract<LogRecord, { readonly type: T }>;
export type PublicSignal = PublicRecordPage['items'][number];

export interface SignalHistory {
  readonly entries: readonly LogEntry[];
  readonly published: RecordOf<'published'>;
  readonly filled: RecordOf<'filled'> | null;
  readonly exits: readonly RecordOf<'exited'>[];
  readonly amendments: readonly RecordOf<'amended'>[];
  readonly closeRequest: RecordOf<'close_requested'> | null;
  readonly closed: RecordOf<'closed'> | null;
  readonly voided: RecordOf<'voided'> | null;
}

/** Throws if there is not exactly one publication. */
export function historyOf({ records }: PublicSignal): SignalHistory {
  const all = <T extends LogRecord['type']>(type: T): RecordOf<T>[] =>
    records.map(({ record }) => record).filter((record): record is RecordOf<T> => record.type === type);
  const [published, ...more] = all('published');
  if (!published || more.length > 0) throw new Error('not one publication');
  return {
    entries: records,
    published,
    filled: all('filled')[0] ?? null,
    exits: all('exited'),
    amendments: all('amended'),
    closeRequest: all('close_requested')[0] ?? null,
    closed: all('closed')[0] ?? null,
    voided: all('voided')[0] ?? null,
  };
}
