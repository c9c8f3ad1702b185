// How a signal began and ended, from its records.
import type { LogRecord, PublicSignal } from '@tickwire/client';

type RecordOf<T extends LogRecord['type']> = Extract<LogRecord, { readonly type: T }>;

export interface SignalHistory {
  readonly published: RecordOf<'published'>;
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
    published,
    closed: all('closed')[0] ?? null,
    voided: all('voided')[0] ?? null,
  };
}
