// Queries that both databases understand, the rows they return, and the records the rows become.
import type { NewsDetail } from '@tickwire/contract';
import type { MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { LastPrices } from '../market-store.ts';
import type { DueMove, StoredNews } from '../news-store.ts';
import type { StoredOutcome, StoredRecord, StoredSignal, StoredSignalEvent } from '../signal-store.ts';

/** Columns named like the fields of a bar, so that a row is a bar without copying: a start reads a hundred thousand. */
export const BAR_COLUMNS =
  'time, open, high, low, close, volume, bid_volume AS "bidVolume", ask_volume AS "askVolume", basis';

export const SELECT_SIGNAL = `SELECT s.id, s.note, s.fill, s.idem_hash AS "bodyHash", p.n, p.hash, p.text,
    c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText"
  FROM signals s JOIN signal_log p ON p.n = s.published_n LEFT JOIN signal_log c ON c.n = s.closed_n`;

export const SELECT_OUTCOMES = `SELECT id, published_n AS "publishedN", publisher, symbol, published_at AS "publishedAt",
    filled_at AS "filledAt", closed_n AS "closedN", closed_at AS "closedAt", reason, pnl_r AS "pnlR", ranked
  FROM signals ORDER BY published_n`;

/** A publishing record with its closing record. */
interface RecordPair extends StoredRecord {
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
}

export interface StoredSignalRow extends RecordPair {
  readonly id: string;
  readonly note: string | null;
  readonly fill: string | null;
  readonly bodyHash: Uint8Array | null;
}

export type OutcomeRow = Omit<StoredOutcome, 'ranked'> & { readonly ranked: number | null };

export interface LastPricesRow {
  readonly symbol: MarketSymbol;
  readonly quote: string | null;
  readonly trade: string | null;
}

export interface SignalEventRow extends RecordPair {
  readonly filledAt: number | null;
}

export interface SignalDay {
  readonly day: string;
  readonly symbol: MarketSymbol;
}

export interface NewsRow {
  readonly item: string;
  readonly seenAt: number;
  readonly guid: string | null;
}

export type DueRow = Pick<DueMove, 'id' | 'publishedAt' | 'seenAt'> & { readonly item: string };

const recordsOf = ({ n, hash, text, closedN, closedHash, closedText }: RecordPair) => ({
  published: { n, hash, text },
  closed: closedN === null ? null : { n: closedN, hash: closedHash, text: closedText },
});

export const toStoredSignal = (row: StoredSignalRow): StoredSignal => {
  const { id, note, fill } = row;
  return { id, ...recordsOf(row), note, fill };
};

/** Changes the row in place: a start reads a hundred thousand. */
export const toStoredOutcome = (row: OutcomeRow): StoredOutcome => Object.assign(row, { ranked: row.ranked !== 0 });

export const toLastPrices = ({ symbol, quote, trade }: LastPricesRow): LastPrices => ({
  symbol,
  quote: quote ? (JSON.parse(quote) as QuoteEvent) : null,
  trade: trade ? (JSON.parse(trade) as TradeEvent) : null,
});

export const toStoredEvent = (row: SignalEventRow): StoredSignalEvent => ({
  ...recordsOf(row),
  filledAt: row.filledAt,
});

export const byDayAndSymbol = (a: SignalDay, b: SignalDay): number =>
  a.day < b.day || (a.day === b.day && a.symbol < b.symbol) ? -1 : 1;

/** Items stored before `account` existed do not have it. */
export function toNewsDetail(text: string): NewsDetail {
  const item = JSON.parse(text) as NewsDetail;
  return { ...item, account: item.account ?? null };
}

export const toStoredNews = ({ item, seenAt, guid }: NewsRow): StoredNews => ({
  item: toNewsDetail(item),
  seenAt,
  guid,
});

export function toDueMove({ item, ...due }: DueRow): DueMove {
  const { source, category, symbols } = JSON.parse(item) as NewsDetail;
  return { ...due, source, category, symbols };
}
