// What the store keeps beside the log for looking things up, held against the records: it can be worked out from them, so
// where it differs, somebody or something has changed it.
import { createHash } from 'node:crypto';
import type { Outcome, SignalStore } from '../../store/signal-store.ts';
import type { FindingCode, Findings } from './finding.ts';
import type { Closing, Publication } from './life.ts';

const MINUTE = 60_000;

/** Read before the log, so that the log knows of everything in it. */
export interface Rows {
  /** Number of the last record then. */
  readonly tail: number;
  readonly outcomes: readonly Outcome[];
}

/** A signal as the log tells it. */
export interface Told {
  readonly publication: Publication;
  closing: Closing | null;
}

type Fault = (n: number | null, signal: string, code: FindingCode, message: string) => void;

export async function readRows(store: SignalStore): Promise<Rows> {
  const tail = (await store.tail())?.n ?? -1;
  return { tail, outcomes: await store.outcomes() };
}

export async function checkRows(
  store: SignalStore,
  { tail, outcomes }: Rows,
  told: ReadonlyMap<string, Told>,
  findings: Findings,
): Promise<number> {
  const fault: Fault = (n, signal, code, message) => findings.add({ n, signal, code, message });
  const seen = new Set<string>();
  for (const row of outcomes) {
    seen.add(row.id);
    const signal = told.get(row.id);
    if (!signal) {
      fault(null, row.id, 'row', 'a signal is stored that was never published in the log');
      continue;
    }
    // One that closed while the log was read is still active in its row.
    const closing = signal.closing && (row.closedAt !== null || signal.closing.n <= tail) ? signal.closing : null;
    const wrong = differenceOf(row, signal.publication, closing);
    if (wrong) fault(signal.publication.n, row.id, 'row', `its row says ${wrong}`);
  }
  for (const [id, { publication }] of told)
    if (publication.n <= tail && !seen.has(id)) fault(publication.n, id, 'row', 'it has no row in the store');
  await checkNotes(store, told, seen, fault);
  return outcomes.length;
}

/** The first difference in words, or null. One after the other, with nothing made for those that agree: there are many rows. */
function differenceOf(row: Outcome, p: Publication, c: Closing | null): string | null {
  const said = (what: string, stored: unknown, told: unknown): string => `${what} ${stored}, the log ${told}`;
  if (row.publishedN !== p.n) return said('the number of its publication', row.publishedN, p.n);
  if (row.closedN !== (c?.n ?? null)) return said('the number of its closing', row.closedN, c?.n);
  if (row.publisher !== p.publisher) return said('publisher', row.publisher, p.publisher);
  if (row.symbol !== p.symbol) return said('symbol', row.symbol, p.symbol);
  if (row.publishedAt !== p.at) return said('published at', row.publishedAt, p.at);
  if (row.closedAt !== (c?.closedAt ?? null)) return said('closed at', row.closedAt, c?.closedAt);
  if (row.reason !== (c?.reason ?? null)) return said('reason', row.reason, c?.reason);
  if (row.pnlR !== (c?.pnlR ?? null)) return said('pnl_r', row.pnlR, c?.pnlR);
  if (row.ranked !== (c?.ranked ?? true)) return said('ranked', row.ranked, c?.ranked);
  // The fill of an active signal is not in the log yet.
  const known = c !== null || p.order === 'market';
  return known && row.filledAt !== filledAt(p, c) ? said('filled at', row.filledAt, filledAt(p, c)) : null;
}

function filledAt(p: Publication, c: Closing | null): number | null {
  if (p.order === 'market') return p.at;
  if (!c?.filled) return null;
  return c.filled.kind === 'bar' ? c.filled.time + MINUTE : c.filled.time;
}

async function checkNotes(
  store: SignalStore,
  told: ReadonlyMap<string, Told>,
  rows: ReadonlySet<string>,
  fault: Fault,
): Promise<void> {
  const notes = new Map((await store.notes()).map(({ id, note }) => [id, note]));
  for (const [id, { publication }] of told) {
    if (!rows.has(id)) continue;
    const note = notes.get(id);
    const hash = note === undefined ? null : createHash('sha256').update(note).digest('hex');
    if (hash !== publication.noteHash) fault(publication.n, id, 'note', 'its note is not the one that was published');
  }
}
