// "Judging" and "Profit and loss" in docs/signals.md, held against a closing: whether the evidence decides what it is said
// to decide, and what that comes to. What only the ticks in between can tell is checked from the tape.
import { type ClosedRecord, NO_PROFIT, profitOf, type Evidence as RecordEvidence } from '@tickwire/contract';
import type { Evidence } from '@tickwire/engine';
import { decisionOf, fillOf, standingSides } from './evidence-rules.ts';
import { type Closing, isPrice, type Life, type Publication, priceText, timeText } from './life.ts';
import type { Fault } from './publication-rules.ts';

const STALE_MS = 60_000;
const MINUTE = 60_000;

/** Whether prices can be reckoned with at all; the rest of the rules presume it. */
export function checkClosingPrices(r: ClosedRecord, digits: number, fault: Fault): boolean {
  const sound = (price: number | null): boolean => price === null || isPrice(price, digits);
  const right = sound(r.entry_price) && sound(r.exit_price) && soundEvidence(r.decided, digits);
  if (right && (r.filled === null || soundEvidence(r.filled, digits))) return true;
  fault('price', `a price in it is not one of ${r.symbol}, which has ${digits} decimals`);
  return false;
}

function soundEvidence(e: RecordEvidence, digits: number): boolean {
  if (e.kind === 'quote') return isPrice(e.bid, digits) && isPrice(e.ask, digits) && e.bid <= e.ask;
  const spread = e.spread === 0 || isPrice(e.spread, digits);
  if (e.kind === 'trade') return spread && isPrice(e.price, digits);
  const inside = [e.open, e.close].every((price) => e.low <= price && price <= e.high);
  return spread && inside && isPrice(e.low, digits) && isPrice(e.high, digits);
}

export function checkClosing({ publication: p, closing: c }: Life, fault: Fault): void {
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

/** quote.seq < filled.seq ≤ decided.seq ≤ decided_seq; what stands may be the quote it was accepted against. */
function checkOrder(p: Publication, c: Closing, fault: Fault): void {
  const { seq: accepted } = p.quote;
  const standing = c.reason !== 'take_profit' && c.reason !== 'stop_loss';
  const { decided, filled, decidedSeq } = c;
  const decidedInTime = standing ? decided.seq >= accepted && decided.seq <= decidedSeq : decided.seq > accepted;
  // A bar of earlier minutes fills without becoming the standing price, which may then be older.
  const latestFill = standing && filled?.kind === 'bar' ? decidedSeq : decided.seq;
  const filledInTime = !filled || (filled.seq > accepted && filled.seq <= latestFill);
  if (!decidedInTime || !filledInTime || (!standing && decidedSeq !== decided.seq))
    fault('evidence_order', `seq ${accepted}, ${filled?.seq ?? '–'}, ${decided.seq}, ${decidedSeq} are out of order`);
}

/** False where the rest makes no sense any more. */
function checkFill(p: Publication, c: Closing, fault: Fault): boolean {
  const { filled } = c;
  if (p.order === 'market' || c.reason === 'unfilled') {
    if (filled !== null)
      fault('fill', `a ${p.order === 'market' ? 'market entry' : 'signal that never filled'} has no filled evidence`);
    if (p.order === 'market' && c.entryPrice !== p.entryPrice)
      fault('fill', 'entry_price is not that of the publication');
    if (p.order === 'market' && c.reason === 'unfilled') fault('decision', 'a market entry cannot end unfilled');
    return true;
  }
  if (filled === null) {
    fault('fill', `a ${p.order} entry was filled by nothing`);
    return false;
  }
  const price = fillOf(p, filled);
  if (price === null) fault('fill', `${describe(filled)} does not reach the entry ${priceText(p.entry, p)}`);
  else if (price !== c.entryPrice)
    fault('fill', `${describe(filled)} fills at ${priceText(price, p)}, not at entry_price`);
  if (filled.time >= p.entryDeadline)
    fault('deadline', `it filled at ${timeText(filled.time)}, after the deadline of the entry`);
  return true;
}

function checkDecision(p: Publication, c: Closing, fault: Fault): void {
  const { decided } = c;
  const inSameEvent = c.filled?.seq === decided.seq;
  const judgedUntil = c.filled && c.filled.kind !== 'bar' && !inSameEvent ? c.filled.time : p.quote.time;
  const decision = decisionOf(p, decided, { inSameEvent, judgedUntil });
  if (!decision || decision.reason !== c.reason) {
    const really = decision ? `decides ${decision.reason}` : 'decides nothing';
    fault('decision', `${describe(decided)} ${really}, not ${c.reason}`);
    return;
  }
  if (decision.exit !== c.exitPrice)
    fault('decision', `${describe(decided)} closes it at ${priceText(decision.exit, p)}, not at exit_price`);
  if (decided.time >= (inSameEvent ? p.entryDeadline : p.deadline))
    fault('deadline', `${describe(decided)} came after the deadline`);
  const closedAt = decided.kind === 'bar' ? decided.time + MINUTE : decided.time;
  if (c.closedAt !== closedAt) fault('closed_at', `closed_at must be ${timeText(closedAt)}`);
  const best = decision.best === null ? null : profitAt(p, c.entryPrice!, decision.best).pnl;
  // Whether ticks had judged a part of the bar, only the tape tells: then a best case may stand that is not sure here.
  if (c.pnlBest !== best && !(c.pnlBest === null && !decision.surely))
    fault('pnl', `pnl_best is ${c.pnlBest ?? 'missing'}: it comes to ${best ?? 'none'}`);
}

/** Ended by time or by its publisher: at the standing price. */
function checkStanding(p: Publication, c: Closing, deadline: number, fault: Fault): void {
  const { decided } = c;
  const { exit } = standingSides(p, decided);
  if (c.exitPrice !== null && c.exitPrice !== exit)
    fault('decision', `${describe(decided)} stands at ${priceText(exit, p)}, not at exit_price`);
  if (c.reason === 'expired' && c.closedAt !== deadline)
    fault('closed_at', `closed_at must be the deadline ${timeText(deadline)}`);
  if (c.closedAt > deadline) fault('closed_at', `closed_at is after the deadline ${timeText(deadline)}`);
  if (c.reason === 'manual' && (decided.kind !== 'quote' || c.closedAt - decided.time > STALE_MS))
    fault('decision', `it was closed by hand at ${decided.kind === 'quote' ? 'a quote older than 60 s' : 'no quote'}`);
  // The one it was accepted against is not judged, whatever its clock says.
  if (decided.seq !== p.quote.seq && decided.time >= deadline)
    fault('deadline', `${describe(decided)} came after the deadline`);
  if (decided.kind !== 'bar' && decided.seq !== p.quote.seq) checkUndecided(p, c, fault);
  if (c.pnlBest !== null) fault('pnl', 'pnl_best stands where no bar decided');
}

/** What stands judged too, unless it came before the entry filled. */
function checkUndecided(p: Publication, c: Closing, fault: Fault): void {
  const { decided, filled } = c;
  if (c.reason === 'unfilled') {
    if (fillOf(p, decided) !== null) fault('decision', `${describe(decided)} had filled it`);
  } else if ((filled?.seq ?? p.quote.seq) <= decided.seq) {
    const state = { inSameEvent: filled?.seq === decided.seq, judgedUntil: p.quote.time };
    if (decisionOf(p, decided, state)) fault('decision', `${describe(decided)} had reached a level`);
  }
}

const profitAt = (p: Publication, entryPrice: number, exitPrice: number) =>
  profitOf({
    direction: p.buy ? 'buy' : 'sell',
    entry: p.entry,
    entryPrice,
    stopLoss: p.stopLoss,
    exitPrice,
    digits: p.digits,
    pipSize: p.pipSize,
  });

function checkProfit(p: Publication, c: Closing, fault: Fault): void {
  const profit = c.entryPrice === null || c.exitPrice === null ? NO_PROFIT : profitAt(p, c.entryPrice, c.exitPrice);
  if (c.pnl !== profit.pnl) fault('pnl', `pnl is ${c.pnl}: it comes to ${profit.pnl}`);
  if (c.pnlPercent !== profit.pnl_percent)
    fault('pnl', `pnl_percent is ${c.pnlPercent}: it comes to ${profit.pnl_percent}`);
  if (c.pnlR !== profit.pnl_r) fault('pnl', `pnl_r is ${c.pnlR}: it comes to ${profit.pnl_r}`);
}

/** What a bar's best case comes to, in pips. */
export const bestOf = (p: Publication, entryPrice: number, best: number | null): number | null =>
  best === null ? null : profitAt(p, entryPrice, best).pnl;

/** Fields of the record that stand beside the decision. */
export function checkMarks(r: ClosedRecord, { quote, publisher }: Publication, fault: Fault): void {
  if ((r.gap_from === undefined) !== (r.gap_to === undefined) || (r.gap_from ?? '') > (r.gap_to ?? ''))
    fault('gap', 'gap_from and gap_to do not make a stretch');
  const own = `push:${publisher}`;
  const selfSourced = quote.source === own || r.decided.source === own || r.filled?.source === own;
  if ((r.self_sourced === true) !== selfSourced)
    fault(
      'self_sourced',
      `self_sourced must ${selfSourced ? 'be set: a deciding tick is its own publisher’s' : 'not be set'}`,
    );
}

export function describe(e: Evidence): string {
  if (e.kind === 'quote') return `quote ${e.seq} (${e.bid} / ${e.ask})`;
  if (e.kind === 'trade') return `trade ${e.seq} (${e.side} at ${e.price})`;
  return `bar ${e.seq} (${e.low} to ${e.high})`;
}
