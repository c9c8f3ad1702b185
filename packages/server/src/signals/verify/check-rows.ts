// Checks the rows the store keeps beside the log for queries. They follow from the records, so any difference means
// that they were changed.
import { type ClosedRecord, rankingR, WHOLE } from '@tickwire/contract';
import { toTicks } from '@tickwire/engine';
import { sha256Hex } from '../../ops/sha256.ts';
import type { SignalRow, SignalStore } from '../../store/signal-store.ts';
import { epoch } from '../log-records.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { RecordedSignal } from './recorded-signal.ts';

/** Read before the log, so that the log contains everything in them. */
export interface StoredRows {
  /** Number of the last record at that time. */
  readonly tail: number;
  readonly outcomes: readonly SignalRow[];
}

/** A signal as recorded in the log. */
export interface LoggedSignal {
  readonly signal: RecordedSignal;
  voided: { readonly n: number; readonly at: number } | null;
}

type ReportRowFault = (n: number | null, signal: string, code: FindingCode, message: string) => void;

export async function readStoredRows(store: SignalStore): Promise<StoredRows> {
  const tail = (await store.tail())?.n ?? -1;
  return { tail, outcomes: await store.rows() };
}

export async function checkRows(
  store: SignalStore,
  { tail, outcomes }: StoredRows,
  logged: ReadonlyMap<string, LoggedSignal>,
  findings: Findings,
): Promise<number> {
  const fault: ReportRowFault = (n, signal, code, message) => findings.add({ n, signal, code, message });
  const seen = new Set<string>();
  for (const row of outcomes) {
    seen.add(row.id);
    const known = logged.get(row.id);
    if (!known) {
      fault(null, row.id, 'row', 'the store has a signal that was never published in the log');
      continue;
    }
    const wrong = differenceOf(row, known, tail);
    if (wrong) fault(known.signal.published.n, row.id, 'row', `its row says ${wrong}`);
  }
  for (const [id, { signal }] of logged) {
    const { n } = signal.published;
    if (n <= tail && !seen.has(id)) fault(n, id, 'row', 'it has no row in the store');
  }
  await checkNotes(store, logged, seen, fault);
  return outcomes.length;
}

/** The columns that follow from the log, in words, in the order in which they are compared. */
const COLUMNS = {
  publishedN: 'the number of its publication',
  publisher: 'publisher',
  symbol: 'symbol',
  publishedAt: 'published at',
  voided: 'voided',
  closedN: 'the number of its closing',
  rankR: 'R for ranking',
  filledAt: 'filled at',
} as const satisfies Partial<Record<keyof SignalRow, string>>;

type Column = keyof typeof COLUMNS;

/** The first difference in words, or `null`. Records that were written after record `tail` may not be in the row yet. */
function differenceOf(row: SignalRow, logged: LoggedSignal, tail: number): string | null {
  const expected = expectedRow(row, logged, tail);
  for (const column of Object.keys(COLUMNS) as Column[]) {
    if (row[column] !== expected[column]) return `${COLUMNS[column]} ${row[column]}, the log ${expected[column]}`;
  }
  return null;
}

function expectedRow(row: SignalRow, { signal, voided }: LoggedSignal, tail: number) {
  const { published, closed, filled } = signal;
  const known = <T extends { readonly n: number }>(record: T | null, isStored: boolean): T | null =>
    record && (record.n <= tail || isStored) ? record : null;
  const fill = known(filled, row.filledAt !== null);
  const [c, v] = [known(closed, row.closedN !== null), known(voided, row.voided)];
  return {
    publishedN: published.n,
    publisher: published.publisher,
    symbol: published.symbol,
    publishedAt: epoch(published.at),
    voided: v !== null,
    closedN: c?.n ?? v?.n ?? null,
    rankR: v ? 0 : c && rankedR(signal, c),
    filledAt: fill && epoch(fill.filled_at),
  } satisfies Record<Column, unknown>;
}

/** R for ranking. */
function rankedR({ published, order, exits }: RecordedSignal, { entry_price, last_exit, pnl_r }: ClosedRecord): number {
  if (entry_price === null || !last_exit) return pnl_r;
  const { digits, pip_size: pipSize } = published.instrument;
  const { direction, entry, stopLoss, accepted } = order;
  const ticks = (price: number): number => toTicks(price, digits);
  const parts = [...exits, last_exit].map(({ fraction, price }) => ({
    fraction: Math.round(fraction * WHOLE),
    price: ticks(price),
  }));
  const input = { direction, entry, entryPrice: ticks(entry_price), stopLoss, exits: parts, digits, pipSize };
  return rankingR(input, ticks(accepted.ask) - ticks(accepted.bid));
}

async function checkNotes(
  store: SignalStore,
  logged: ReadonlyMap<string, LoggedSignal>,
  rows: ReadonlySet<string>,
  fault: ReportRowFault,
): Promise<void> {
  const notes = new Map((await store.notes()).map(({ id, note }) => [id, note]));
  for (const [id, { signal }] of logged) {
    if (!rows.has(id)) continue;
    const { n, note_sha256 } = signal.published;
    const note = notes.get(id);
    const hash = note === undefined ? null : sha256Hex(note);
    if (hash !== (note_sha256 ?? null)) fault(n, id, 'note', 'its note differs from the published one');
  }
}
