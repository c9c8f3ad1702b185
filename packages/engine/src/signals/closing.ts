// Closes a signal: takes it out of the book and states what decided.
import type { ExitPart } from '@tickwire/contract';
import type { EpochMs } from '../market/time.ts';
import type { Evidence } from './evidence.ts';
import { deadlineOf, type JudgedSignal, openFraction } from './judged-signal.ts';
import type { LevelBook } from './level-book.ts';
import type { MarketPrice } from './standing-price.ts';
import type { ClosedVerdict, CloseReason, Recovered } from './verdict.ts';

export interface ClosingTerms {
  readonly reason: CloseReason;
  /** Ticks: where everything that is still open exits; `null` if the entry never filled. */
  readonly exit: number | null;
  /** The best case of what is still open, if a bar leaves the exit ambiguous. */
  readonly best?: readonly ExitPart[] | null;
  readonly closedAt: EpochMs;
  readonly decided: Evidence;
  readonly decidedSeq: number;
  readonly recovering: Recovered | null;
}

export function closeSignal(book: LevelBook, signal: JudgedSignal, terms: ClosingTerms): ClosedVerdict {
  const { reason, exit, best, closedAt, decided, decidedSeq, recovering } = terms;
  const { order, fill, exits } = signal;
  const before: ExitPart[] = [];
  const evidence: Evidence[] = fill ? [fill.evidence] : [];
  for (const { fraction, price, evidence: reached } of exits) {
    before.push({ fraction, price });
    evidence.push(reached);
  }
  evidence.push(decided);
  const gap = book.gaps.since(order.accepted.seq);
  book.remove(signal);
  return {
    kind: 'closed',
    id: order.id,
    reason,
    fill,
    exits: exit === null ? [] : [...before, { fraction: openFraction(signal), price: exit }],
    bestExits: best ? [...before, ...best] : null,
    closedAt,
    decided,
    sources: [order.accepted, ...evidence].map(({ source }) => source),
    decidedSeq,
    gap,
    recovered: recovering ?? (evidence.every(({ kind }) => kind === 'quote') ? null : 'backfill'),
  };
}

/** The last price before the deadline of a signal, as far as its market is known. */
export const lastPriceOf = (book: LevelBook, signal: JudgedSignal): MarketPrice => signal.due ?? book.price.current!;

/** Closes a signal whose deadline has passed, at the last price before it. */
export function expireSignal(
  book: LevelBook,
  signal: JudgedSignal,
  decidedSeq: number,
  recovering: Recovered | null,
  price = lastPriceOf(book, signal),
): ClosedVerdict {
  return closeSignal(book, signal, {
    reason: signal.fill ? 'expired' : 'unfilled',
    exit: signal.fill ? exitSide(signal, price) : null,
    closedAt: deadlineOf(signal),
    decided: price.evidence,
    decidedSeq,
    recovering,
  });
}

const exitSide = ({ sign }: JudgedSignal, { bid, ask }: { readonly bid: number; readonly ask: number }): number =>
  sign === 1 ? bid : ask;
