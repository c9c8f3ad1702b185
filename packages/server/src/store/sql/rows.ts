// Queries that both databases understand, the rows they return, and the records the rows become.
import type { NewsDetail } from '@tickwire/contract';
import type { MarketSymbol, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { LastPrices } from '../market-store.ts';
import type { DueMove, StoredNews } from '../news-store.ts';
import type { SignalStream, StoredOutcome, StoredRecord, StoredSignal, StoredSignalEvent } from '../signal-store.ts';

/** Columns named like the fields of a bar, so that a row is a bar without copying: a start reads a hundred thousand. */
/** Columns of bars without the volumes by side and the basis. Reading them takes a third less time. */
export const PRICE_COLUMNS = 'time, open, high, low, close, volume';
export const BAR_COLUMNS =
  'time, open, high, low, close, volume, bid_volume AS "bidVolume", ask_volume AS "askVolume", basis';

export const SELECT_SIGNAL = `SELECT s.id, s.note, s.fill, s.rank_r AS "rankR", s.idem_hash AS "bodyHash", p.n, p.hash, p.text,
    c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText",
    v.n AS "voidedN", v.hash AS "voidedHash", v.text AS "voidedText"
  FROM signals s JOIN signal_log p ON p.n = s.published_n LEFT JOIN signal_log c ON c.n = s.closed_n
    LEFT JOIN signal_log v ON v.n = s.voided_n`;

export const SELECT_OUTCOMES = `SELECT id, published_n AS "publishedN", publisher, symbol, rules, direction, order_kind AS "order",
    planned_risk AS "plannedRisk", planned_reward AS "plannedReward", source, published_at AS "publishedAt",
    filled_at AS "filledAt", filled_source AS "filledSource", close_requested_at AS "closeRequestedAt", closed_n AS "closedN",
    closed_at AS "closedAt", reason, pnl_r AS "pnlR", rank_r AS "rankR", decided_source AS "decidedSource",
    exit_sources AS "exitSources", gap, self_sourced AS "selfSourced", withdrawn, voided_n AS voided
  FROM signals ORDER BY published_n`;

/** Columns of an announced record; `r` is its row in signal_records, `l` its record. */
export const EVENT_COLUMNS = `r.stream, l.n AS "recordN", l.hash AS "recordHash", l.text AS "recordText", p.n, p.hash, p.text,
    c.n AS "closedN", c.hash AS "closedHash", c.text AS "closedText", s.voided_n AS "voidedN", s.filled_at AS "filledAt",
    s.filled_source AS "filledSource", s.rank_r AS "rankR", s.exit_sources AS "exitSources"`;
export const EVENT_JOINS = `JOIN signals s ON s.published_n = r.published_n JOIN signal_log l ON l.n = r.n
    JOIN signal_log p ON p.n = r.published_n LEFT JOIN signal_log c ON c.n = s.closed_n`;

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
  readonly fill: string | null;
  readonly rankR: number | null;
  readonly bodyHash: Uint8Array | null;
}

type Flag = number | null;
export type OutcomeRow = Omit<StoredOutcome, 'gap' | 'selfSourced' | 'withdrawn' | 'voided' | 'exitSources'> & {
  readonly gap: Flag;
  readonly selfSourced: Flag;
  readonly withdrawn: Flag;
  readonly voided: number | null;
  readonly exitSources: string | null;
};

export interface LastPricesRow {
  readonly symbol: MarketSymbol;
  readonly quote: string | null;
  readonly trade: string | null;
}

export interface SignalEventRow extends SignalRecords {
  readonly stream: SignalStream;
  readonly recordN: number;
  readonly recordHash: string;
  readonly recordText: string;
  readonly filledAt: number | null;
  readonly filledSource: string | null;
  readonly rankR: number | null;
  readonly exitSources: string | null;
}

/** A record of one of several signals. */
export interface RecordOfSignal extends StoredRecord {
  readonly id: string;
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

/** The void of an active signal takes the place of its closing in the row. */
const closingOf = ({ closedN, closedHash, closedText, voidedN }: SignalRecords): StoredRecord | null =>
  closedN === null || closedN === voidedN ? null : { n: closedN, hash: closedHash, text: closedText };

export const toStoredSignal = (row: StoredSignalRow): StoredSignal => {
  const { id, n, hash, text, voidedN, voidedHash, voidedText, note, fill, rankR } = row;
  const voided = voidedN === null ? null : { n: voidedN, hash: voidedHash, text: voidedText };
  return { id, published: { n, hash, text }, closed: closingOf(row), voided, note, fill, rankR };
};

const NO_SOURCES: readonly string[] = [];
/** Names of sources contain no spaces. */
const sourcesOf = (text: string | null): readonly string[] => text?.split(' ') ?? NO_SOURCES;
export const sourcesText = (sources: readonly string[]): string | null =>
  sources.length === 0 ? null : sources.join(' ');

/** Changes the row in place: a start reads a hundred thousand. */
export const toStoredOutcome = (row: OutcomeRow): StoredOutcome =>
  Object.assign(row, {
    gap: row.gap === 1,
    selfSourced: row.selfSourced === 1,
    withdrawn: row.withdrawn === 1,
    voided: row.voided !== null,
    exitSources: sourcesOf(row.exitSources),
  }) as StoredOutcome;

export const toLastPrices = ({ symbol, quote, trade }: LastPricesRow): LastPrices => ({
  symbol,
  quote: quote ? (JSON.parse(quote) as QuoteEvent) : null,
  trade: trade ? (JSON.parse(trade) as TradeEvent) : null,
});

export const toStoredEvent = (row: SignalEventRow): StoredSignalEvent => ({
  stream: row.stream,
  record: { n: row.recordN, hash: row.recordHash, text: row.recordText },
  published: { n: row.n, hash: row.hash, text: row.text },
  closed: closingOf(row),
  filledAt: row.filledAt,
  filledSource: row.filledSource,
  rankR: row.rankR,
  exitSources: sourcesOf(row.exitSources),
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

export const byDayAndSymbol = (a: SignalDay, b: SignalDay): number =>
  a.day < b.day || (a.day === b.day && a.symbol < b.symbol) ? -1 : 1;

/** Items stored before `account`, `published_at` and `certainty` existed do not have them. */
export function toNewsDetail(text: string): NewsDetail {
  const item = JSON.parse(text) as NewsDetail;
  return {
    ...item,
    account: item.account ?? null,
    published_at: item.published_at ?? null,
    certainty: item.certainty ?? null,
  };
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
