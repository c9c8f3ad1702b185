// One signal in the replay from the tape: what its records say, and the prices that can change it.
import { WHOLE } from '@tickwire/contract';
import type { Evidence } from '@tickwire/engine';
import { bestPnl } from './closing-rules.ts';
import {
  describeEvidence,
  formatTicks,
  formatTime,
  isSameEvent,
  isSameEvidence,
  type ParsedClosing,
  type ParsedExit,
  type ParsedFill,
  type ParsedSignal,
} from './parsed-signal.ts';
import { type ClosedOutcome, endOf, GRACE_MS, type Outcome, SignalJudge } from './signal-judge.ts';

/** The event that set the standing price. */
export interface Standing {
  readonly evidence: Evidence;
  /** Also possible, because it is not known which trades were missed. */
  readonly alternative: Evidence | null;
  /** Also possible under rules version 1, in which late quotes set the latest time back. */
  readonly ofVersion1: Evidence | null;
}

/** A record that an event must lead to. */
type Recorded =
  | { readonly kind: 'filled'; readonly record: Omit<ParsedFill, 'n'> }
  | { readonly kind: 'exited'; readonly record: ParsedExit }
  | { readonly kind: 'closed'; readonly record: ParsedClosing };

/** Prices in ticks that a side must reach to change a signal, and the time of its deadline. */
export interface Triggers {
  bidFalls: number;
  bidRises: number;
  askFalls: number;
  askRises: number;
  time: number;
}

export const noTriggers = (): Triggers => ({
  bidFalls: Number.NEGATIVE_INFINITY,
  bidRises: Number.POSITIVE_INFINITY,
  askFalls: Number.NEGATIVE_INFINITY,
  askRises: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
});

export class ReplayCase {
  readonly signal: ParsedSignal;
  readonly judge: SignalJudge;
  /** Evidence not found on the tape yet. */
  readonly unmatched: Set<Evidence>;
  /** The last price before the deadline, set once it has passed. */
  due: Standing | null = null;
  /** While it is due and pending: the last price before the deadline that it has if a late event fills it. */
  #dueIfFilled: Standing | null = null;
  done = false;
  judgedSeq = -1;
  faults = 0;
  triggers = noTriggers();
  readonly #recorded: Recorded[];
  #next = 0;

  constructor(signal: ParsedSignal) {
    const { publication, fill, exits, amendments, request, closing } = signal;
    this.signal = signal;
    this.judge = new SignalJudge(publication);
    this.judge.amendments.push(...amendments);
    this.judge.request = request;
    const quotes = [publication, ...amendments, ...(request ? [request] : [])].map(({ quote }) => quote);
    const events = [fill?.evidence, closing?.filled, ...exits.map(({ evidence }) => evidence), closing?.decided];
    const named = [...quotes, ...events.filter((each) => !!each)];
    const isFirst = (each: Evidence, index: number): boolean =>
      !named.slice(0, index).some((other) => isSameEvidence(each, other));
    this.unmatched = new Set(named.filter(isFirst));
    // Version 1 has no record of the fill: its evidence is in the closing.
    const { filled = null, entryPrice = null } = closing ?? {};
    const filledBy = fill ?? (filled && { price: entryPrice!, at: endOf(filled), evidence: filled });
    this.#recorded = [
      ...(filledBy ? [{ kind: 'filled', record: filledBy } as const] : []),
      ...exits.map((record) => ({ kind: 'exited', record }) as const),
      ...(closing && this.isClosedByEvent ? [{ kind: 'closed', record: closing } as const] : []),
    ];
    this.update();
  }

  /** A quote, trade or bar closed it: not its deadline nor, under rules version 1, a request. */
  get isClosedByEvent(): boolean {
    const { publication: p, closing } = this.signal;
    if (!closing || closing.reason === 'expired') return false;
    if (closing.reason === 'take_profit' || closing.reason === 'stop_loss') return true;
    if (p.rules === 1) return false;
    return closing.reason === 'manual' || closing.closedAt !== p.entryDeadline;
  }

  /** Events up to this `seq` must be in the log. */
  lastSeq(judgedUntil: number): number {
    const { publication, closing, voidedN, fill, exits, amendments, request } = this.signal;
    if (closing) return closing.decidedSeq;
    if (voidedN === null) return judgedUntil;
    const named = [publication, ...amendments, ...(request ? [request] : [])].map(({ quote }) => quote.seq);
    return Math.max(...named, fill?.evidence.seq ?? 0, ...exits.map(({ evidence }) => evidence.seq));
  }

  /** Its deadline has passed; `standing` is the last price before. */
  markDue(standing: Standing | null): void {
    if (this.due) return;
    this.due = standing;
    this.#dueIfFilled = standing;
  }

  /** An event at `time` has set the standing price. */
  settle(standing: Standing, time: number): void {
    if (!this.due) return;
    if (time < this.judge.deadline) this.due = standing;
    if (time < this.judge.publication.deadline) this.#dueIfFilled = standing;
  }

  /** A late event has filled it: it has the later deadline from now on. */
  postponeDue(): void {
    const { entryDeadline, deadline } = this.judge.publication;
    // Prices after the later deadline may have come already.
    this.due &&= deadline < entryDeadline + GRACE_MS ? this.#dueIfFilled : null;
  }

  /** Whether any event may change it. */
  get isEager(): boolean {
    const { judge } = this;
    const waits = judge.entryPrice === null && judge.publication.order === 'market';
    return waits || judge.request !== null || this.due !== null;
  }

  /** Call after each change. */
  update(): void {
    const { judge } = this;
    const { buy, order, entry, targets } = judge.publication;
    const triggers = noTriggers();
    triggers.time = judge.deadline;
    this.triggers = triggers;
    const sign = buy ? 1 : -1;
    if (judge.entryPrice === null) {
      if (order === 'limit') triggers[buy ? 'askFalls' : 'bidRises'] = entry;
      else if (order === 'stop') triggers[buy ? 'askRises' : 'bidFalls'] = entry;
      return;
    }
    // The tightest stop, even if it is not in force yet.
    triggers[buy ? 'bidFalls' : 'askRises'] = sign * judge.tightestStop;
    const target = targets[judge.exits.length];
    if (target) triggers[buy ? 'bidRises' : 'askFalls'] = target.price;
  }

  isTouchedBy(bid: number, ask: number, time: number): boolean {
    const { bidFalls, bidRises, askFalls, askRises, time: deadline } = this.triggers;
    return bid <= bidFalls || bid >= bidRises || ask <= askFalls || ask >= askRises || time >= deadline;
  }

  /** Whether the log says that the event with this `seq` reached a target. */
  recordsTargetBy(seq: number): boolean {
    const next = this.#recorded[this.#next];
    if (next?.kind === 'exited') return next.record.evidence.seq === seq;
    return next?.kind === 'closed' && next.record.reason === 'take_profit' && next.record.decided.seq === seq;
  }

  /** The difference between an outcome and the next record; `null` if they agree. */
  differenceFrom(outcome: Outcome): string | null {
    const { publication: p } = this.judge;
    if (p.rules === 1 && outcome.kind === 'filled' && !this.signal.closing) return null;
    const next = this.#recorded[this.#next++];
    const event = describeEvidence(outcome.evidence);
    if (!next) return `${event} ${what(outcome)}, but the log has no such record`;
    const evidence = next.kind === 'closed' ? next.record.decided : next.record.evidence;
    if (next.kind !== outcome.kind || evidence.seq !== outcome.evidence.seq)
      return `${event} ${what(outcome)}; in the log, ${describeEvidence(evidence)} has ${next.kind} it`;
    if (next.kind === 'closed') return this.closingDifference(outcome as ClosedOutcome);
    const { record } = next;
    const { price, at } = outcome as Exclude<Outcome, ClosedOutcome>;
    if (!isSameEvent(outcome.evidence, evidence)) return differs('evidence', event, describeEvidence(evidence));
    if (price !== record.price) return differs('price', formatTicks(price, p), formatTicks(record.price, p));
    return at === record.at ? null : differs('time', formatTime(at), formatTime(record.at));
  }

  /** The event of the next record has passed without leading to it. */
  missedBy(seq: number): Evidence | null {
    const next = this.#recorded[this.#next];
    const evidence = next && (next.kind === 'closed' ? next.record.decided : next.record.evidence);
    return evidence && evidence.seq <= seq ? evidence : null;
  }

  closingDifference(outcome: ClosedOutcome): string | null {
    const closing = this.signal.closing!;
    const { publication: p, entryPrice } = this.judge;
    const exit = outcome.exits.at(-1);
    if (outcome.reason !== closing.reason) return differs('reason', outcome.reason, closing.reason);
    if (entryPrice !== closing.entryPrice) return differs('entry_price', entryPrice, closing.entryPrice);
    if (outcome.at !== closing.closedAt)
      return differs('closed_at', formatTime(outcome.at), formatTime(closing.closedAt));
    if (!isSameEvent(outcome.evidence, closing.decided))
      return differs('decided', describeEvidence(outcome.evidence), describeEvidence(closing.decided));
    const { lastExit } = closing;
    if (lastExit && (lastExit.price !== exit?.price || lastExit.fraction !== exit.fraction))
      return differs('last_exit', exit && `${exit.fraction / WHOLE} at ${formatTicks(exit.price, p)}`, lastExit.price);
    const best = bestPnl(p, entryPrice, outcome);
    const optional = !outcome.bestIsCertain && closing.pnlBest === null;
    return best === closing.pnlBest || optional ? null : differs('pnl_best', best, closing.pnlBest);
  }
}

const differs = (name: string, tape: unknown, log: unknown): string =>
  `${name} is ${tape} by the tape, ${log} in the log`;

function what(outcome: Outcome): string {
  if (outcome.kind === 'filled') return 'fills it';
  return outcome.kind === 'exited' ? `reaches target ${outcome.target}` : `closes it as ${outcome.reason}`;
}
