// The signals and the equity curve of a publisher as CSV.
import { EQUITY_CSV_COLUMNS, type PublisherDetail, SIGNALS_CSV_COLUMNS } from '@tickwire/contract';
import { signalDetail } from '../signals/signal-history.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { toCsv } from './csv.ts';

/** Signals per query. */
const PAGE = 1_000;

export const equityCsv = (points: PublisherDetail['equity']): string => toCsv(EQUITY_CSV_COLUMNS, points);

/** Newest publication first; `null` if the account has published nothing. */
export async function signalsCsv(store: SignalStore, publisher: string): Promise<string | null> {
  const rows: ReturnType<typeof signalRow>[] = [];
  for (let beforeN: number | undefined; ; ) {
    const before = beforeN === undefined ? {} : { beforeN };
    const signals = await store.list({ status: 'all', publisher, limit: PAGE, ...before });
    const records = await store.records(signals.map(({ id }) => id));
    rows.push(...signals.map((signal) => signalRow(signal, records.get(signal.id)!)));
    if (signals.length < PAGE) break;
    beforeN = signals.at(-1)!.published.n;
  }
  return rows.length === 0 ? null : toCsv(SIGNALS_CSV_COLUMNS, rows);
}

function signalRow(stored: StoredSignal, records: readonly StoredRecord[]) {
  const detail = signalDetail(stored, records, '');
  const isRanked = detail.rules > 1 && detail.status === 'closed' && detail.entry_price !== null;
  return { ...detail, published_at: detail.timestamp, rank_r: isRanked ? stored.rankR : null };
}
