// The signals and the equity curve of a publisher as CSV.
import { EQUITY_CSV_COLUMNS, type PublisherDetail, SIGNALS_CSV_COLUMNS } from '@tickwire/contract';
import { toCsv } from '../http/csv.ts';
import { pauses } from '../ops/pauses.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { signalDetail } from './signal-history.ts';

/** Signals per query, which take a few milliseconds. */
const PAGE = 100;

export const equityCsv = (points: PublisherDetail['equity']): string => toCsv(EQUITY_CSV_COLUMNS, points);

/** Newest publication first; `null` if the account has published nothing. */
export async function signalsCsv(store: SignalStore, publisher: string): Promise<string | null> {
  const rows: ReturnType<typeof signalRow>[] = [];
  const pause = pauses();
  for (let beforeN: number | undefined; ; ) {
    const before = beforeN === undefined ? {} : { beforeN };
    const signals = await store.list({ status: 'all', publisher, limit: PAGE, ...before });
    const records = await store.records(signals.map(({ id }) => id));
    rows.push(...signals.map((signal) => signalRow(signal, records.get(signal.id)!)));
    if (signals.length < PAGE) break;
    beforeN = signals.at(-1)!.published.n;
    await pause();
  }
  return rows.length === 0 ? null : toCsv(SIGNALS_CSV_COLUMNS, rows);
}

function signalRow(stored: StoredSignal, records: readonly StoredRecord[]) {
  const detail = signalDetail(stored, records, '');
  const isRanked = detail.status === 'closed' && detail.entry_price !== null;
  return { ...detail, published_at: detail.timestamp, rank_r: isRanked ? stored.rankR : null };
}
