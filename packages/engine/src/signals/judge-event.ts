// Applies an event to the signals of an instrument that it can change: deadlines, requests, then entry, stop and targets.
import { closeSignal, expireSignal } from './closing.ts';
import { isBeyondSlippage, marketSides } from './judge.ts';
import type { JudgedEvent, Judgement } from './judged-event.ts';
import { afterFill, deadlineOf, graceEndOf, isInForce, isJudgedBy, type JudgedSignal } from './judged-signal.ts';
import type { LevelBook } from './level-book.ts';
import type { CloseRequest } from './order.ts';
import type { Recovered, Verdict } from './verdict.ts';

export function judgeEvent(
  book: LevelBook,
  event: JudgedEvent,
  recovering: Recovered | null,
  verdicts: Verdict[],
): void {
  const reached = book.popReached(event.range, event.time);
  for (const signal of reached.signals) judgeSignal(book, signal, event, recovering, verdicts);
  reached.restore();
}

function judgeSignal(
  book: LevelBook,
  signal: JudgedSignal,
  event: JudgedEvent,
  recovering: Recovered | null,
  verdicts: Verdict[],
): void {
  const { evidence, seq, time, end } = event;
  const [deadline, graceEnd] = [deadlineOf(signal), graceEndOf(signal)];
  if (time >= graceEnd) {
    verdicts.push(expireSignal(book, signal, seq - 1, recovering));
    return;
  }
  if (time >= deadline) {
    if (!signal.due) book.markDue(signal);
    return;
  }
  if (!isJudgedBy(signal, seq, end)) return;
  const request = executableRequest(signal, event);
  const decidedNow = { closedAt: end, decided: evidence, decidedSeq: seq, recovering };
  if (request && signal.fill) {
    const exit = worseExit(book, signal, request, event);
    verdicts.push(closeSignal(book, signal, { reason: 'manual', exit, ...decidedNow }));
    return;
  }
  const judgement = event.judge(signal, event);
  const { filledAt } = judgement;
  if (filledAt === null ? request : isBeyondSlippage(signal, filledAt)) {
    verdicts.push(closeSignal(book, signal, { reason: 'unfilled', exit: null, ...decidedNow }));
    return;
  }
  const changed = applyProgress(signal, judgement, event, recovering, verdicts);
  if (judgement.closing) {
    const { reason, exit, best } = judgement.closing;
    const bestParts = best?.map(({ fraction, price }) => ({ fraction, price: Math.abs(price) })) ?? null;
    verdicts.push(closeSignal(book, signal, { reason, exit: Math.abs(exit), best: bestParts, ...decidedNow }));
  } else if (changed) {
    if (signal.due && deadlineOf(signal) > deadline) book.postponeDue(signal, graceEnd);
    book.update(signal);
  }
}

/** The fill and the exits at all targets but the last, which is part of the closing. Returns whether there was any. */
function applyProgress(
  signal: JudgedSignal,
  { filledAt, targetsReached }: Judgement,
  { evidence, seq, end }: JudgedEvent,
  recovering: Recovered | null,
  verdicts: Verdict[],
): boolean {
  const { id, targets } = signal.order;
  const recovered = recovering ?? (evidence.kind === 'quote' ? null : 'backfill');
  const before = verdicts.length;
  if (filledAt !== null) {
    signal.fill = { price: Math.abs(filledAt), at: end, evidence };
    if (signal.closeRequest) signal.closeRequest = afterFill(signal.closeRequest, signal.fill);
    verdicts.push({ kind: 'filled', id, fill: signal.fill, seq, recovered });
  }
  for (let at = signal.exits.length; at < Math.min(targetsReached, targets.length - 1); at++) {
    const exit = { ...targets[at]!, at: end, evidence };
    signal.exits = [...signal.exits, exit];
    verdicts.push({ kind: 'exited', id, target: at + 1, exit, seq, recovered });
  }
  return verdicts.length > before;
}

/** Only quotes execute requests. */
const executableRequest = ({ closeRequest }: JudgedSignal, { evidence, seq, end }: JudgedEvent): CloseRequest | null =>
  evidence.kind === 'quote' && closeRequest && isInForce(closeRequest, seq, end) ? closeRequest : null;

/** The worse of the exit side at the request and now, in ticks. */
function worseExit(book: LevelBook, { sign }: JudgedSignal, { quote }: CloseRequest, { range }: JudgedEvent): number {
  const atRequest = marketSides(sign, book.ticks(quote.bid), book.ticks(quote.ask));
  const now = marketSides(sign, range.bidLow, range.askLow);
  return Math.abs(Math.min(atRequest.exit, now.exit));
}
