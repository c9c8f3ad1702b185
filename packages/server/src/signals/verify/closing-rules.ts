// Checks a closing against "Judging" and "Profit and loss" in docs/signals.md: whether its evidence leads to the
// recorded decision and result. The ticks in between are checked against the tape.
import { type ClosedRecord, NO_PROFIT, profitOf, type Evidence as RecordEvidence } from '@tickwire/contract';
import { type Evidence, MINUTE_MS } from '@tickwire/engine';
import { decide, fillPrice, standingSides } from './evidence-rules.ts';
import {
  formatTicks,
  formatTime,
  isPrice,
  type ParsedClosing,
  type ParsedPublication,
  type SignalLifecycle,
} from './parsed-signal.ts';
import type { ReportFault } from './publication-rules.ts';

const STALE_MS = MINUTE_MS;

/** Whether the prices are valid at all; all other rules assume it. */
export function checkClosingPrices(r: ClosedRecord, digits: number, fault: ReportFault): boolean {
  const isValid = (price: number | null): boolean => price === null || isPrice(price, digits);
  const valid = isValid(r.entry_price) && isValid(r.exit_price) && isValidEvidence(r.decided, digits);
  if (valid && (r.filled === null || isValidEvidence(r.filled, digits))) return true;
  fault('price', `a price in it does not fit ${r.symbol}, which has ${digits} decimals`);
  return false;
}

function isValidEvidence(e: RecordEvidence, digits: number): boolean {
  if (e.kind === 'quote') return isPrice(e.bid, digits) && isPrice(e.ask, digits) && e.bid <= e.ask;
  const spread = e.spread === 0 || isPrice(e.spread, digits);
  if (e.kind === 'trade') return spread && isPrice(e.price, digits);
  const inside = [e.open, e.close].every((price) => e.low <= price && price <= e.high);
  return spread && inside && isPrice(e.low, digits) && isPrice(e.high, digits);
}

export function checkClosing({ publication: p, closing: c }: SignalLifecycle, fault: ReportFault): void {
  checkOrder(p, c, fault);
  if (!checkFill(p, c, fault)) return;
  if (c.reason === 'unfilled') {
    if (c.entryPrice !== null || c.exitPrice !== null) fault('fill', 'an unfilled signal has no prices');
    checkStanding(p, c, p.entryDeadline, fault);
  } else if (c.entryPrice === null || c.exitPrice === null) {
    fault('fill', `${c.reason} without entry_price and exit_price`);
    return;
  } else if (c.reason === 'take_profit' || c.reason === 'stop_loss') checkDecision(p, c, fault);
  else checkStanding(p, c, p.deadline, fault);
  checkProfit(p, c, fault);
}

/** quote.seq < filled.seq ≤ decided.seq ≤ decided_seq; the standing price may be the accepted quote itself. */
function checkOrder(p: ParsedPublication, c: ParsedClosing, fault: ReportFault): void {
  const { seq: accepted } = p.quote;
  const standing = c.reason !== 'take_profit' && c.reason !== 'stop_loss';
  const { decided, filled, decidedSeq } = c;
  const decidedInTime = standing ? decided.seq >= accepted && decided.seq <= decidedSeq : decided.seq > accepted;
  // A bar of an earlier minute can fill an entry without becoming the standing price, which may then be older.
  const latestFill = standing && filled?.kind === 'bar' ? decidedSeq : decided.seq;
  const filledInTime = !filled || (filled.seq > accepted && filled.seq <= latestFill);
  if (!decidedInTime || !filledInTime || (!standing && decidedSeq !== decided.seq))
    fault('evidence_order', `seq ${accepted}, ${filled?.seq ?? '–'}, ${decided.seq}, ${decidedSeq} are out of order`);
}

/** False if the remaining checks make no sense. */
function checkFill(p: ParsedPublication, c: ParsedClosing, fault: ReportFault): boolean {
  const { filled } = c;
  if (p.order === 'market' || c.reason === 'unfilled') {
    if (filled !== null)
      fault('fill', `a ${p.order === 'market' ? 'market entry' : 'signal that never filled'} has no filled evidence`);
    if (p.order === 'market' && c.entryPrice !== p.entryPrice)
      fault('fill', 'entry_price differs from the publication');
    if (p.order === 'market' && c.reason === 'unfilled') fault('decision', 'a market entry cannot end unfilled');
    return true;
  }
  if (filled === null) {
    fault('fill', `a ${p.order} entry has no filled evidence`);
    return false;
  }
  const price = fillPrice(p, filled);
  if (price === null) fault('fill', `${describeEvidence(filled)} does not reach the entry ${formatTicks(p.entry, p)}`);
  else if (price !== c.entryPrice)
    fault('fill', `${describeEvidence(filled)} fills at ${formatTicks(price, p)}, not at entry_price`);
  if (filled.time >= p.entryDeadline)
    fault('deadline', `it filled at ${formatTime(filled.time)}, after the entry deadline`);
  return true;
}

function checkDecision(p: ParsedPublication, c: ParsedClosing, fault: ReportFault): void {
  const { decided } = c;
  const inSameEvent = c.filled?.seq === decided.seq;
  const judgedUntil = c.filled && c.filled.kind !== 'bar' && !inSameEvent ? c.filled.time : p.quote.time;
  const decision = decide(p, decided, { inSameEvent, judgedUntil });
  if (!decision || decision.reason !== c.reason) {
    const actual = decision ? `decides ${decision.reason}` : 'decides nothing';
    fault('decision', `${describeEvidence(decided)} ${actual}, not ${c.reason}`);
    return;
  }
  if (decision.exit !== c.exitPrice)
    fault('decision', `${describeEvidence(decided)} closes it at ${formatTicks(decision.exit, p)}, not at exit_price`);
  if (decided.time >= (inSameEvent ? p.entryDeadline : p.deadline))
    fault('deadline', `${describeEvidence(decided)} came after the deadline`);
  const closedAt = decided.kind === 'bar' ? decided.time + MINUTE_MS : decided.time;
  if (c.closedAt !== closedAt) fault('closed_at', `closed_at must be ${formatTime(closedAt)}`);
  const best = decision.best === null ? null : profitAt(p, c.entryPrice!, decision.best).pnl;
  // Only the tape shows whether ticks had judged a part of the bar. If so, pnl_best is required; here it is optional.
  if (c.pnlBest !== best && !(c.pnlBest === null && !decision.certain))
    fault('pnl', `pnl_best is ${c.pnlBest ?? 'missing'}: recomputed ${best ?? 'none'}`);
}

/** Closed by time or by its publisher: at the standing price. */
function checkStanding(p: ParsedPublication, c: ParsedClosing, deadline: number, fault: ReportFault): void {
  const { decided } = c;
  const { exit } = standingSides(p, decided);
  if (c.exitPrice !== null && c.exitPrice !== exit)
    fault('decision', `${describeEvidence(decided)} is at ${formatTicks(exit, p)}, not at exit_price`);
  if (c.reason === 'expired' && c.closedAt !== deadline)
    fault('closed_at', `closed_at must be the deadline ${formatTime(deadline)}`);
  if (c.closedAt > deadline) fault('closed_at', `closed_at is after the deadline ${formatTime(deadline)}`);
  if (c.reason === 'manual' && (decided.kind !== 'quote' || c.closedAt - decided.time > STALE_MS))
    fault('decision', `it was closed manually at ${decided.kind === 'quote' ? 'a quote older than 60 s' : 'no quote'}`);
  // The accepted quote is not judged, whatever its time.
  if (decided.seq !== p.quote.seq && decided.time >= deadline)
    fault('deadline', `${describeEvidence(decided)} came after the deadline`);
  if (decided.kind !== 'bar' && decided.seq !== p.quote.seq) checkUndecided(p, c, fault);
  if (c.pnlBest !== null) fault('pnl', 'pnl_best is set although no bar decided');
}

/** The standing price judged the signal too, unless it came before the fill. */
function checkUndecided(p: ParsedPublication, c: ParsedClosing, fault: ReportFault): void {
  const { decided, filled } = c;
  if (c.reason === 'unfilled') {
    if (fillPrice(p, decided) !== null) fault('decision', `${describeEvidence(decided)} had filled it`);
  } else if ((filled?.seq ?? p.quote.seq) <= decided.seq) {
    const state = { inSameEvent: filled?.seq === decided.seq, judgedUntil: p.quote.time };
    if (decide(p, decided, state)) fault('decision', `${describeEvidence(decided)} had reached a level`);
  }
}

const profitAt = (p: ParsedPublication, entryPrice: number, exitPrice: number) =>
  profitOf({
    direction: p.buy ? 'buy' : 'sell',
    entry: p.entry,
    entryPrice,
    stopLoss: p.stopLoss,
    exitPrice,
    digits: p.digits,
    pipSize: p.pipSize,
  });

function checkProfit(p: ParsedPublication, c: ParsedClosing, fault: ReportFault): void {
  const profit = c.entryPrice === null || c.exitPrice === null ? NO_PROFIT : profitAt(p, c.entryPrice, c.exitPrice);
  if (c.pnl !== profit.pnl) fault('pnl', `pnl is ${c.pnl}: recomputed ${profit.pnl}`);
  if (c.pnlPercent !== profit.pnl_percent)
    fault('pnl', `pnl_percent is ${c.pnlPercent}: recomputed ${profit.pnl_percent}`);
  if (c.pnlR !== profit.pnl_r) fault('pnl', `pnl_r is ${c.pnlR}: recomputed ${profit.pnl_r}`);
}

/** `pnl_best` of a bar, in pips. */
export const bestPnl = (p: ParsedPublication, entryPrice: number, best: number | null): number | null =>
  best === null ? null : profitAt(p, entryPrice, best).pnl;

/** Fields of the record beside the decision. */
export function checkFlags(r: ClosedRecord, { quote, publisher }: ParsedPublication, fault: ReportFault): void {
  if ((r.gap_from === undefined) !== (r.gap_to === undefined) || (r.gap_from ?? '') > (r.gap_to ?? ''))
    fault('gap', 'gap_from and gap_to are not a valid period');
  const own = `push:${publisher}`;
  const selfSourced = quote.source === own || r.decided.source === own || r.filled?.source === own;
  if ((r.self_sourced === true) !== selfSourced)
    fault(
      'self_sourced',
      `self_sourced must ${selfSourced ? 'be set: the publisher pushed a deciding tick' : 'not be set'}`,
    );
}

export function describeEvidence(e: Evidence): string {
  if (e.kind === 'quote') return `quote ${e.seq} (${e.bid} / ${e.ask})`;
  if (e.kind === 'trade') return `trade ${e.seq} (${e.side} at ${e.price})`;
  return `bar ${e.seq} (${e.low} to ${e.high})`;
}
