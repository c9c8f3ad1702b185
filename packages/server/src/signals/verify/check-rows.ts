// Checks the rows the store keeps beside the log for queries. They follow from the records, so any difference means
// that they were changed.
import { rankingR } from '@tickwire/contract';
import { fromTicks, toTicks } from '@tickwire/engine';
import type { SignalStore, StoredOutcome } from '../../store/signal-store.ts';
import { sha256 } from '../log-records.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { ParsedClosing, ParsedPublication, ParsedSignal } from './parsed-signal.ts';
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

const differs = (what: string, stored: unknown, logged: unknown): string => `${what} ${stored}, the log ${logged}`;

/** The first difference in words, or `null`. Records that were written after record `tail` may not be in the row yet. */
function differenceOf(row: StoredOutcome, { signal, voided }: LoggedSignal, tail: number): string | null {
  const { publication: p, fill, request } = signal;
  const c = signal.closing && (signal.closing.n <= tail || row.closedAt !== null) ? signal.closing : null;
  const v = voided && (voided.n <= tail || row.voided) ? voided : null;
  const different = publicationDifference(row, p) ?? closingDifference(row, signal, c, v);
  if (different !== null) return different;
  // Under rules version 1, the fill of an active signal is not in the log yet.
  const isFillKnown = p.rules > 1 ? fill === null || fill.n <= tail || row.filledAt !== null : c !== null;
  const filled = filledBy(signal, c);
  if (isFillKnown && row.filledAt !== filled.at) return differs('filled at', row.filledAt, filled.at);
  if (isFillKnown && row.filledSource !== filled.source) return differs('filled by', row.filledSource, filled.source);
  if (request && request.n > tail && row.closeRequestedAt === null) return null;
  const requestedAt = request?.at ?? null;
  return row.closeRequestedAt === requestedAt ? null : differs('close requested at', row.closeRequestedAt, requestedAt);
}

function publicationDifference(row: StoredOutcome, p: ParsedPublication): string | null {
  const direction = p.buy ? 'buy' : 'sell';
  const distance = (level: number): number => Math.abs(fromTicks(p.entry, p.digits) - fromTicks(level, p.digits));
  const [risk, reward] = [distance(p.stopLoss), distance(p.targets.at(-1)!.price)];
  if (row.publishedN !== p.n) return differs('the number of its publication', row.publishedN, p.n);
  if (row.publisher !== p.publisher) return differs('publisher', row.publisher, p.publisher);
  if (row.symbol !== p.symbol) return differs('symbol', row.symbol, p.symbol);
  if (row.publishedAt !== p.at) return differs('published at', row.publishedAt, p.at);
  if (row.rules !== p.rules) return differs('rules', row.rules, p.rules);
  if (row.direction !== direction) return differs('direction', row.direction, direction);
  if (row.order !== p.order) return differs('order', row.order, p.order);
  if (row.plannedRisk !== risk) return differs('planned risk', row.plannedRisk, risk);
  if (row.plannedReward !== reward) return differs('planned reward', row.plannedReward, reward);
  return row.source === p.quote.source ? null : differs('source', row.source, p.quote.source);
}

function closingDifference(
  row: StoredOutcome,
  signal: ParsedSignal,
  c: ParsedClosing | null,
  v: LoggedSignal['voided'],
): string | null {
  const { publication: p } = signal;
  const closedN = c?.n ?? v?.n ?? null;
  const closedAt = c?.closedAt ?? v?.at ?? null;
  const reason = v ? 'voided' : (c?.reason ?? null);
  const pnlR = v ? 0 : (c?.pnlR ?? null);
  const rankR = v ? 0 : c && rankedR(signal, c);
  const withdrawn = c?.reason === 'unfilled' && c.closedAt !== p.entryDeadline;
  const exitSources = c ? otherSources(signal, c) : '';
  if (row.voided !== (v !== null)) return differs('voided', row.voided, v !== null);
  if (row.closedN !== closedN) return differs('the number of its closing', row.closedN, closedN);
  if (row.closedAt !== closedAt) return differs('closed at', row.closedAt, closedAt);
  if (row.reason !== reason) return differs('reason', row.reason, reason);
  if (row.pnlR !== pnlR) return differs('pnl_r', row.pnlR, pnlR);
  if (row.rankR !== rankR) return differs('R for ranking', row.rankR, rankR);
  if (row.gap !== (c?.hasGap ?? false)) return differs('gap', row.gap, c?.hasGap);
  if (row.selfSourced !== (c?.selfSourced ?? false)) return differs('self_sourced', row.selfSourced, c?.selfSourced);
  if (row.withdrawn !== withdrawn) return differs('withdrawn', row.withdrawn, withdrawn);
  const decidedSource = c?.decided.source ?? null;
  if (row.decidedSource !== decidedSource) return differs('decided by', row.decidedSource, decidedSource);
  const stored = row.exitSources.toSorted().join();
  return stored === exitSources ? null : differs('exited by', stored, exitSources);
}

/** R for ranking. Signals under rules version 1 are never ranked. */
function rankedR({ publication: p, exits }: ParsedSignal, { entryPrice, lastExit, pnlR }: ParsedClosing): number {
  if (p.rules === 1 || entryPrice === null || !lastExit) return pnlR;
  const { digits, pipSize, entry, stopLoss, rules, quote } = p;
  const spread = toTicks(quote.ask, digits) - toTicks(quote.bid, digits);
  const direction = p.buy ? 'buy' : 'sell';
  const parts = [...exits, lastExit];
  return rankingR({ rules, direction, entry, entryPrice, stopLoss, exits: parts, digits, pipSize }, spread);
}

/** Sources of the exits that are not those of the accepted quote, the fill or the closing. */
function otherSources({ publication, exits }: ParsedSignal, { filled, decided }: ParsedClosing): string {
  if (exits.length === 0) return '';
  const known = new Set([publication.quote.source, filled?.source, decided.source]);
  const sources = new Set(exits.map(({ evidence }) => evidence.source).filter((source) => !known.has(source)));
  return [...sources].sort().join();
}

function filledBy(
  { publication, fill }: ParsedSignal,
  closing: ParsedClosing | null,
): { readonly at: number | null; readonly source: string | null } {
  if (fill) return { at: fill.at, source: fill.evidence.source };
  // Only under rules version 1.
  if (publication.entryPrice !== null) return { at: publication.at, source: null };
  const filled = closing?.filled;
  return filled ? { at: endOf(filled), source: filled.source } : { at: null, source: null };
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
