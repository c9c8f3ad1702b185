// The columns of signals and announced records, the rows they are read as, and what the rows become.
import type { SignalRow, SignalStream, StoredRecord, StoredSignal, StoredSignalEvent } from '../signal-store.ts';

export const SELECT_SIGNAL = `SELECT s.id, s.note, s.rank_r AS "rankR", s.idem_hash AS "bodyHash", p.n, p.hash, p.text,
    c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText",
    v.n AS "voidedN", v.hash AS "voidedHash", v.text AS "voidedText"
  FROM signals s JOIN signal_log p ON p.n = s.published_n LEFT JOIN signal_log c ON c.n = s.closed_n
    LEFT JOIN signal_log v ON v.n = s.voided_n`;

export const SELECT_ROWS = `SELECT id, published_n AS "publishedN", publisher, symbol, published_at AS "publishedAt", filled_at AS "filledAt",
    closed_n AS "closedN", rank_r AS "rankR", voided_n AS "voidedN"
  FROM signals ORDER BY published_n`;

/** Announced records in log order; `limit` comes before the joins. */
export const SELECT_EVENTS = `SELECT e.stream, l.n AS "recordN", l.hash AS "recordHash", l.text AS "recordText", p.n, p.hash, p.text,
    c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText", s.voided_n AS "voidedN"
  FROM (SELECT n, published_n, stream FROM signal_records WHERE n > $1 AND stream IS NOT NULL ORDER BY n LIMIT $2) e
    JOIN signals s ON s.published_n = e.published_n JOIN signal_log l ON l.n = e.n
    JOIN signal_log p ON p.n = e.published_n LEFT JOIN signal_log c ON c.n = s.closed_n ORDER BY e.n`;

/** The publishing, closing and voiding records of a signal. */
interface SignalRecords extends StoredRecord {
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
  readonly voidedN: number | null;
}

export interface StoredSignalRow extends SignalRecords {
  readonly id: string;
  readonly voidedHash: string;
  readonly voidedText: string;
  readonly note: string | null;
  readonly rankR: number | null;
  readonly bodyHash: Uint8Array | null;
}

export type KeptSignalRow = Omit<SignalRow, 'voided'> & { readonly voidedN: number | null };

export interface SignalEventRow extends SignalRecords {
  readonly stream: SignalStream;
  readonly recordN: number;
  readonly recordHash: string;
  readonly recordText: string;
}

/** A record of one of several signals. */
export interface RecordOfSignal extends StoredRecord {
  readonly id: string;
}

/** The void of an active signal takes the place of its closing in the row. */
const closingOf = ({ closedN, closedHash, closedText, voidedN }: SignalRecords): StoredRecord | null =>
  closedN === null || closedN === voidedN ? null : { n: closedN, hash: closedHash, text: closedText };

export const toStoredSignal = (row: StoredSignalRow): StoredSignal => {
  const { id, n, hash, text, voidedN, voidedHash, voidedText, note, rankR } = row;
  const voided = voidedN === null ? null : { n: voidedN, hash: voidedHash, text: voidedText };
  return { id, published: { n, hash, text }, closed: closingOf(row), voided, note, rankR };
};

export const toSignalRow = ({ voidedN, ...row }: KeptSignalRow): SignalRow => ({ ...row, voided: voidedN !== null });

export const toStoredEvent = (row: SignalEventRow): StoredSignalEvent => ({
  stream: row.stream,
  record: { n: row.recordN, hash: row.recordHash, text: row.recordText },
  published: { n: row.n, hash: row.hash, text: row.text },
  closed: closingOf(row),
});

/** Rows in log order, by signal. */
export function bySignal(rows: readonly RecordOfSignal[]): ReadonlyMap<string, readonly StoredRecord[]> {
  const found = new Map<string, StoredRecord[]>();
  for (const { id, n, hash, text } of rows) {
    const records = found.get(id);
    if (records) records.push({ n, hash, text });
    else found.set(id, [{ n, hash, text }]);
  }
  return found;
}
