// Checks the rows the store keeps beside the log for queries. They follow from the records, so any difference means
// that they were changed.
import type { SignalStore, StoredOutcome } from '../../store/signal-store.ts';
import { sha256 } from '../log-records.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { ParsedClosing, ParsedSignal } from './parsed-signal.ts';
import { endOf } from './signal-judge.ts';

/** Read before the log, so that the log contains everything in them. */
export interface StoredRows {
  /** Number of the last record at that time. */
  readonly tail: number;
  readonly outcomes: readonly StoredOutcome[];
}

/** A signal as recorded in the log. */
export interface LoggedSignal {
  readonly signal: ParsedSignal;
  voided: { readonly n: number; readonly at: number } | null;
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
    const known = logged.get(row.id);
    if (!known) {
      fault(null, row.id, 'row', 'the store has a signal that was never published in the log');
      continue;
    }
    const wrong = differenceOf(row, known, tail);
    if (wrong) fault(known.signal.publication.n, row.id, 'row', `its row says ${wrong}`);
  }
  for (const [id, { signal }] of logged) {
    const { n } = signal.publication;
    if (n <= tail && !seen.has(id)) fault(n, id, 'row', 'it has no row in the store');
  }
  await checkNotes(store, logged, seen, fault);
  return outcomes.length;
}

/** The first difference in words, or `null`. Allocates nothing for rows that agree: there are many. */
function differenceOf(row: StoredOutcome, { signal, voided }: LoggedSignal, tail: number): string | null {
  const differs = (what: string, stored: unknown, logged: unknown): string => `${what} ${stored}, the log ${logged}`;
  const { publication: p, fill } = signal;
  // A record that was written while the log was read may not be in the row yet.
  const isRead = (n: number): boolean => n <= tail || row.closedAt !== null;
  const c = signal.closing && isRead(signal.closing.n) ? signal.closing : null;
  const v = voided && isRead(voided.n) ? voided : null;
  const closedAt = c?.closedAt ?? v?.at ?? null;
  const reason = v ? 'voided' : (c?.reason ?? null);
  const pnlR = v ? 0 : (c?.pnlR ?? null);
  if (row.publishedN !== p.n) return differs('the number of its publication', row.publishedN, p.n);
  const closedN = c?.n ?? v?.n ?? null;
  if (row.closedN !== closedN) return differs('the number of its closing', row.closedN, closedN);
  if (row.publisher !== p.publisher) return differs('publisher', row.publisher, p.publisher);
  if (row.symbol !== p.symbol) return differs('symbol', row.symbol, p.symbol);
  if (row.publishedAt !== p.at) return differs('published at', row.publishedAt, p.at);
  if (row.closedAt !== closedAt) return differs('closed at', row.closedAt, closedAt);
  if (row.reason !== reason) return differs('reason', row.reason, reason);
  if (row.pnlR !== pnlR) return differs('pnl_r', row.pnlR, pnlR);
  if (row.gap !== (c?.hasGap ?? false)) return differs('gap', row.gap, c?.hasGap);
  if (row.selfSourced !== (c?.selfSourced ?? false)) return differs('self_sourced', row.selfSourced, c?.selfSourced);
  // Under rules version 1, the fill of an active signal is not in the log yet.
  const isKnown = p.rules > 1 ? fill === null || isRead(fill.n) : c !== null || p.order === 'market';
  const at = filledAt(signal, c);
  return isKnown && row.filledAt !== at ? differs('filled at', row.filledAt, at) : null;
}

function filledAt({ publication, fill }: ParsedSignal, closing: ParsedClosing | null): number | null {
  if (publication.rules > 1) return fill?.at ?? null;
  if (publication.order === 'market') return publication.at;
  return closing?.filled ? endOf(closing.filled) : null;
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
    const { publication } = signal;
    const note = notes.get(id);
    const hash = note === undefined ? null : sha256(note);
    if (hash !== publication.noteHash) fault(publication.n, id, 'note', 'its note differs from the published one');
  }
}
