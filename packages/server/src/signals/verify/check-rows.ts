// Checks the rows the store keeps beside the log for queries. They follow from the records, so any difference means
// that they were changed.
import { MINUTE_MS } from '@tickwire/engine';
import type { SignalStore, StoredOutcome } from '../../store/signal-store.ts';
import { sha256 } from '../log-records.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { ParsedClosing, ParsedPublication } from './parsed-signal.ts';

/** Read before the log, so that the log contains everything in them. */
export interface StoredRows {
  /** Number of the last record at that time. */
  readonly tail: number;
  readonly outcomes: readonly StoredOutcome[];
}

/** A signal as recorded in the log. */
export interface LoggedSignal {
  readonly publication: ParsedPublication;
  closing: ParsedClosing | null;
}

type ReportRowFault = (n: number | null, signal: string, code: FindingCode, message: string) => void;

export async function readStoredRows(store: SignalStore): Promise<StoredRows> {
  const tail = (await store.tail())?.n ?? -1;
  return { tail, outcomes: await store.outcomes() };
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
    const signal = logged.get(row.id);
    if (!signal) {
      fault(null, row.id, 'row', 'the store has a signal that was never published in the log');
      continue;
    }
    // A signal that closed while the log was read may still be active in its row.
    const closing = signal.closing && (row.closedAt !== null || signal.closing.n <= tail) ? signal.closing : null;
    const wrong = differenceOf(row, signal.publication, closing);
    if (wrong) fault(signal.publication.n, row.id, 'row', `its row says ${wrong}`);
  }
  for (const [id, { publication }] of logged)
    if (publication.n <= tail && !seen.has(id)) fault(publication.n, id, 'row', 'it has no row in the store');
  await checkNotes(store, logged, seen, fault);
  return outcomes.length;
}

/** The first difference in words, or `null`. Allocates nothing for rows that agree: there are many. */
function differenceOf(row: StoredOutcome, p: ParsedPublication, c: ParsedClosing | null): string | null {
  const differs = (what: string, stored: unknown, logged: unknown): string => `${what} ${stored}, the log ${logged}`;
  if (row.publishedN !== p.n) return differs('the number of its publication', row.publishedN, p.n);
  if (row.closedN !== (c?.n ?? null)) return differs('the number of its closing', row.closedN, c?.n);
  if (row.publisher !== p.publisher) return differs('publisher', row.publisher, p.publisher);
  if (row.symbol !== p.symbol) return differs('symbol', row.symbol, p.symbol);
  if (row.publishedAt !== p.at) return differs('published at', row.publishedAt, p.at);
  if (row.closedAt !== (c?.closedAt ?? null)) return differs('closed at', row.closedAt, c?.closedAt);
  if (row.reason !== (c?.reason ?? null)) return differs('reason', row.reason, c?.reason);
  if (row.pnlR !== (c?.pnlR ?? null)) return differs('pnl_r', row.pnlR, c?.pnlR);
  if (row.ranked !== (c?.ranked ?? true)) return differs('ranked', row.ranked, c?.ranked);
  // The fill of an active signal is not in the log yet.
  const known = c !== null || p.order === 'market';
  return known && row.filledAt !== filledAt(p, c) ? differs('filled at', row.filledAt, filledAt(p, c)) : null;
}

function filledAt(p: ParsedPublication, c: ParsedClosing | null): number | null {
  if (p.order === 'market') return p.at;
  if (!c?.filled) return null;
  return c.filled.kind === 'bar' ? c.filled.time + MINUTE_MS : c.filled.time;
}

async function checkNotes(
  store: SignalStore,
  logged: ReadonlyMap<string, LoggedSignal>,
  rows: ReadonlySet<string>,
  fault: ReportRowFault,
): Promise<void> {
  const notes = new Map((await store.notes()).map(({ id, note }) => [id, note]));
  for (const [id, { publication }] of logged) {
    if (!rows.has(id)) continue;
    const note = notes.get(id);
    const hash = note === undefined ? null : sha256(note);
    if (hash !== publication.noteHash) fault(publication.n, id, 'note', 'its note differs from the published one');
  }
}
