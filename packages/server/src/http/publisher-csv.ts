// The signals and the equity curve of a publisher as CSV (RFC 4180). No value contains a comma, a quote or a line break.
import {
  type ClosedRecord,
  EQUITY_CSV_COLUMNS,
  type PublishedRecord,
  type PublisherDetail,
  SIGNALS_CSV_COLUMNS,
} from '@tickwire/contract';
import { iso, parseFill, parseRecord } from '../signals/log-records.ts';
import { rankRecordOf } from '../signals/ranking-signals.ts';
import type { SignalStore, StoredSignal } from '../store/signal-store.ts';
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
    rows.push(...signals.map(signalRow));
    if (signals.length < PAGE) break;
    beforeN = signals.at(-1)!.published.n;
  }
  return rows.length === 0 ? null : toCsv(SIGNALS_CSV_COLUMNS, rows);
}

function signalRow(signal: StoredSignal) {
  const published = parseRecord<PublishedRecord>(signal.published);
  const closed = signal.closed && parseRecord<ClosedRecord>(signal.closed);
  const fill = signal.fill === null ? null : parseFill(signal.fill);
  const { digits } = published.instrument;
  return {
    id: published.signal,
    published_at: published.at,
    symbol: published.symbol,
    direction: published.direction,
    order: published.order,
    entry: published.entry,
    stop_loss: published.stop_loss,
    take_profit: published.take_profit,
    filled_at: published.entry_price === undefined ? fill && iso(fill.at) : published.at,
    entry_price: closed?.entry_price ?? published.entry_price ?? (fill && fill.price / 10 ** digits),
    closed_at: closed?.closed_at,
    exit_price: closed?.exit_price,
    close_reason: closed?.reason,
    pnl: closed?.pnl,
    pnl_percent: closed?.pnl_percent,
    pnl_r: closed?.pnl_r,
    rank_r: closed && closed.entry_price !== null ? rankRecordOf(published, closed) : null,
    rules: published.rules,
    published_n: published.n,
    closed_n: closed?.n,
  };
}
