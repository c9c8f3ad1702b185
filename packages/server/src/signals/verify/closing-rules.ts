// Checks a closing against "Judging" and "Profit and loss" in docs/signals.md: whether its evidence leads to the recorded
// result. The ticks in between are checked against the tape.
import { type ClosedRecord, type ExitPart, meanExitPrice, NO_PROFIT, profitOf } from '@tickwire/contract';
import type { Evidence } from '@tickwire/engine';
import {
  describeEvidence,
  formatTicks,
  formatTime,
  isPrice,
  isValidEvidence,
  type ParsedClosing,
  type ParsedPublication,
} from './parsed-signal.ts';
import { type ReportFault, STALE_MS } from './publication-rules.ts';
import type { ClosedOutcome, SignalJudge } from './signal-judge.ts';

/** Whether the prices are valid at all; all other rules assume it. The exit price may be a mean, and is recomputed. */
export function checkClosingPrices(r: ClosedRecord, digits: number, fault: ReportFault): boolean {
  const valid = [r.entry_price, r.last_exit?.price ?? null].every((price) => price === null || isPrice(price, digits));
  if (valid && isValidEvidence(r.decided, digits) && (r.filled === null || isValidEvidence(r.filled, digits)))
    return true;
  fault('price', `a price in it does not fit ${r.symbol}, which has ${digits} decimals`);
  return false;
}

/** quote.seq < filled.seq ≤ decided.seq ≤ decided_seq; the standing price may be the accepted quote itself. */
export function checkEvidenceOrder(p: ParsedPublication, c: ParsedClosing, byEvent: boolean, fault: ReportFault): void {
  const { seq: accepted } = p.quote;
  const { decided, filled, decidedSeq } = c;
  const decidedInTime = byEvent ? decided.seq > accepted : decided.seq >= accepted && decided.seq <= decidedSeq;
  // A bar of an earlier minute can fill an entry without becoming the standing price, which may then be older.
  const latestFill = !byEvent && filled?.kind === 'bar' ? decidedSeq : decided.seq;
  const filledInTime = !filled || (filled.seq > accepted && filled.seq <= latestFill);
  if (!decidedInTime || !filledInTime || (byEvent && decidedSeq !== decided.seq))
    fault('evidence_order', `seq ${accepted}, ${filled?.seq ?? '–'}, ${decided.seq}, ${decidedSeq} are out of order`);
}

/** Closed by its deadline or, under rules version 1, by its publisher: at the standing price. */
export function checkStanding(judge: SignalJudge, c: ParsedClosing, fault: ReportFault): ClosedOutcome {
  const { publication: p, deadline } = judge;
  const { decided } = c;
  if (c.reason === 'manual' && (decided.kind !== 'quote' || c.closedAt - decided.time > STALE_MS))
    fault('decision', `it was closed manually at ${decided.kind === 'quote' ? 'a quote older than 60 s' : 'no quote'}`);
  // The accepted quote is not judged, whatever its time.
  if (decided.seq !== p.quote.seq && decided.time >= deadline)
    fault('deadline', `${describeEvidence(decided)} came after the deadline`);
  const atOnce = p.rules === 1 && (c.reason === 'manual' || c.closedAt < deadline);
  if (!atOnce) return judge.expire(decided);
  if (c.closedAt > deadline) fault('closed_at', `closed_at is after the deadline ${formatTime(deadline)}`);
  return judge.closeAtOnce(decided, c.closedAt);
}

/** Compares a closing with what its evidence leads to. */
export function compareClosing(judge: SignalJudge, c: ParsedClosing, outcome: ClosedOutcome, fault: ReportFault): void {
  const { publication: p, entryPrice } = judge;
  const { exits } = outcome;
  const describe = (part: Part): string =>
    part ? `${part.fraction / 10_000} at ${formatTicks(part.price, p)}` : String(part);
  if (outcome.reason !== c.reason)
    fault('decision', `${describeEvidence(c.decided)} closes it as ${outcome.reason}, not ${c.reason}`);
  if (c.entryPrice !== entryPrice)
    fault('fill', `entry_price must be ${entryPrice === null ? 'null' : formatTicks(entryPrice, p)}`);
  const last = p.rules === 1 ? undefined : (exits.at(-1) ?? null);
  if (!isSamePart(c.lastExit, last))
    fault('decision', `last_exit is ${describe(c.lastExit)}: recomputed ${describe(last)}`);
  const mean = exits.length === 0 ? null : meanExitPrice(exits, p.digits);
  if (c.exitPrice !== mean) fault('decision', `${describeEvidence(c.decided)} closes it at ${mean}, not at exit_price`);
  if (c.closedAt !== outcome.at) fault('closed_at', `closed_at must be ${formatTime(outcome.at)}`);
  checkProfit(p, c, entryPrice, exits, fault);
  const best = bestPnl(p, entryPrice, outcome);
  // Only the tape shows whether ticks had judged a part of the bar. If so, pnl_best is required; here it is optional.
  if (c.pnlBest !== best && !(c.pnlBest === null && !outcome.bestIsCertain))
    fault('pnl', `pnl_best is ${c.pnlBest ?? 'missing'}: recomputed ${best ?? 'none'}`);
}

type Part = ExitPart | null | undefined;

const isSamePart = (a: Part, b: Part): boolean => (a && b ? a.price === b.price && a.fraction === b.fraction : a === b);

const profitAt = (p: ParsedPublication, entryPrice: number, exits: readonly ExitPart[]) =>
  profitOf({
    rules: p.rules,
    direction: p.buy ? 'buy' : 'sell',
    entry: p.entry,
    entryPrice,
    stopLoss: p.stopLoss,
    exits,
    digits: p.digits,
    pipSize: p.pipSize,
  });

function checkProfit(
  p: ParsedPublication,
  c: ParsedClosing,
  entryPrice: number | null,
  exits: readonly ExitPart[],
  fault: ReportFault,
): void {
  const profit = entryPrice === null || exits.length === 0 ? NO_PROFIT : profitAt(p, entryPrice, exits);
  if (c.pnl !== profit.pnl) fault('pnl', `pnl is ${c.pnl}: recomputed ${profit.pnl}`);
  if (c.pnlPercent !== profit.pnl_percent)
    fault('pnl', `pnl_percent is ${c.pnlPercent}: recomputed ${profit.pnl_percent}`);
  if (c.pnlR !== profit.pnl_r) fault('pnl', `pnl_r is ${c.pnlR}: recomputed ${profit.pnl_r}`);
}

/** `pnl_best` in pips; `null` if there is no better case. */
export const bestPnl = (p: ParsedPublication, entryPrice: number | null, { best }: ClosedOutcome): number | null =>
  best === null || entryPrice === null ? null : profitAt(p, entryPrice, best).pnl;

/** Fields of the record beside the decision. `events` are the accepted quote, the fill and the exits. */
export function checkFlags(r: ClosedRecord, events: readonly Evidence[], fault: ReportFault): void {
  if ((r.gap_from === undefined) !== (r.gap_to === undefined) || (r.gap_from ?? '') > (r.gap_to ?? ''))
    fault('gap', 'gap_from and gap_to are not a valid period');
  const own = `push:${r.publisher}`;
  const selfSourced =
    r.decided.source === own || r.filled?.source === own || events.some(({ source }) => source === own);
  if ((r.self_sourced === true) !== selfSourced)
    fault(
      'self_sourced',
      `self_sourced must ${selfSourced ? 'be set: the publisher pushed a deciding tick' : 'not be set'}`,
    );
}
