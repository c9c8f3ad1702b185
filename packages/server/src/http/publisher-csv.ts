// The signals and the equity curve of a publisher as CSV (RFC 4180). No value contains a comma, a quote or a line break.
import {
  EQUITY_CSV_COLUMNS,
  type LogRecord,
  type PublisherDetail,
  rankingR,
  SIGNALS_CSV_COLUMNS,
  WHOLE,
} from '@tickwire/contract';
import { toTicks } from '@tickwire/engine';
import { parseRecord } from '../signals/log-records.ts';
import { historyOf, signalDetail } from '../signals/signal-history.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import type { ResponseWithHeaders } from './handler.ts';

/** Signals per query. */
const PAGE = 1_000;

export const csvResponse = (body: string): ResponseWithHeaders => ({
  body,
  headers: { 'Content-Type': 'text/csv; charset=utf-8' },
});

const toCsv = (columns: readonly string[], rows: Iterable<Readonly<Record<string, unknown>>>): string =>
  [columns, ...Array.from(rows, (row) => columns.map((column) => row[column] ?? ''))]
    .map((values) => `${values.join(',')}\r\n`)
    .join('');

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
  const closed = detail.status === 'closed' ? detail : null;
  return {
    ...detail,
    published_at: detail.timestamp,
    ...(closed && { rank_r: rankOf(records) }),
  };
}

/** R for ranking; `null` if it never filled or was voided. */
function rankOf(records: readonly StoredRecord[]): number | null {
  const { published, exits, voided } = historyOf(records);
  const last = parseRecord<LogRecord>(records.at(-1)!);
  if (voided || last.type !== 'closed' || !last.last_exit) return null;
  const { direction, entry, stop_loss, quote, instrument } = published;
  const ticks = (price: number): number => toTicks(price, instrument.digits);
  const parts = [...exits, last.last_exit].map(({ fraction, price }) => ({
    fraction: Math.round(fraction * WHOLE),
    price: ticks(price),
  }));
  const input = {
    rules: 2,
    direction,
    entry: ticks(entry),
    stopLoss: ticks(stop_loss),
    entryPrice: ticks(last.entry_price!),
    exits: parts,
    digits: instrument.digits,
    pipSize: instrument.pip_size,
  } as const;
  return rankingR(input, ticks(quote.ask) - ticks(quote.bid));
}
