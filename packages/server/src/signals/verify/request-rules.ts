// Checks amendments and requests to close against "Requests" in docs/signals.md, by the standing quote in their records.
import { toTicks } from '@tickwire/engine';
import { mirroredSides } from './evidence-rules.ts';
import { formatTicks, formatTime, type ParsedAmendment, type ParsedRequest } from './parsed-signal.ts';
import { isValidDistance, type ReportFault, STALE_MS } from './publication-rules.ts';
import type { SignalJudge } from './signal-judge.ts';

const MAX_AMENDMENTS = 100;

/** `judge` does not have the amendment yet. */
export function checkAmendment(judge: SignalJudge, amendment: ParsedAmendment, fault: ReportFault): void {
  const { publication: p } = judge;
  const { stopLoss, at, quote } = amendment;
  const sign = p.buy ? 1 : -1;
  checkTime(judge, at, fault);
  if (judge.amendments.length >= MAX_AMENDMENTS) fault('amendment', `it was amended more than ${MAX_AMENDMENTS} times`);
  checkFresh(at, quote.time, fault);
  if (sign * stopLoss <= judge.tightestStop)
    fault(
      'amendment',
      `${formatTicks(stopLoss, p)} is not tighter than ${formatTicks(Math.abs(judge.tightestStop), p)}`,
    );
  const spread = toTicks(quote.ask, p.digits) - toTicks(quote.bid, p.digits);
  if (judge.entryPrice !== null) {
    if (mirroredSides(p, quote).exit <= sign * stopLoss)
      fault('amendment', `the market had already reached ${formatTicks(stopLoss, p)}`);
  } else if (sign * stopLoss >= sign * p.entry || !isValidDistance(stopLoss, p.entry, spread))
    fault(
      'amendment',
      `${formatTicks(stopLoss, p)} is not a valid stop of a pending entry at ${formatTicks(p.entry, p)}`,
    );
}

/** `judge` does not have the request yet. */
export function checkCloseRequest(judge: SignalJudge, { at, quote }: ParsedRequest, fault: ReportFault): void {
  checkTime(judge, at, fault);
  if (judge.request) fault('close_request', 'closing was already requested');
  // A pending signal can be withdrawn while the market is closed.
  if (judge.entryPrice !== null) checkFresh(at, quote.time, fault);
}

function checkTime(judge: SignalJudge, at: number, fault: ReportFault): void {
  if (at >= judge.deadline) fault('deadline', `it came after the deadline ${formatTime(judge.deadline)}`);
}

function checkFresh(at: number, time: number, fault: ReportFault): void {
  if (at - time > STALE_MS) fault('accepted_quote', `its quote was ${at - time} ms old; the limit is 60 s`);
}
