// Query results that both databases return, and the records they become.
import type { NewsDetail } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { DueMove, StoredNews } from '../news-store.ts';
import type { StoredRecord, StoredSignal, StoredSignalEvent } from '../signal-store.ts';

/** A publishing record with its closing record. */
interface RecordPair extends StoredRecord {
  readonly closedN: number | null;
  readonly closedHash: string;
  readonly closedText: string;
}

export interface SignalRow extends RecordPair {
  readonly id: string;
  readonly note: string | null;
  readonly fill: string | null;
  readonly bodyHash: Uint8Array | null;
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

export const toStoredSignal = (row: SignalRow): StoredSignal => {
  const { id, note, fill } = row;
  return { id, ...recordsOf(row), note, fill };
};

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
