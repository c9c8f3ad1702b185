// Judges one signal by the rules in docs/signals.md, event by event. Written from that page, not from the engine that applied
// the rules. Prices are in ticks; mirrored prices are negated for a sell.
import { type ExitPart, WHOLE } from '@tickwire/contract';
import { type Evidence, MINUTE_MS, type QuoteEvidence } from '@tickwire/engine';
import {
  type BarEvidence,
  type MirroredBar,
  mirroredBar,
  mirroredSides,
  type Sides,
  standingExit,
  type TickEvidence,
} from './evidence-rules.ts';
import type { ParsedAmendment, ParsedClosing, ParsedPublication } from './parsed-signal.ts';

/** Late quotes are waited for this long after a deadline. */
export const GRACE_MS = 5_000;

interface EventOutcome {
  readonly at: number;
  readonly evidence: Evidence;
}
export interface FillOutcome extends EventOutcome {
  readonly kind: 'filled';
  readonly price: number;
}
export interface ExitOutcome extends EventOutcome, ExitPart {
  readonly kind: 'exited';
  readonly target: number;
}
export interface ClosedOutcome extends EventOutcome {
  readonly kind: 'closed';
  readonly reason: ParsedClosing['reason'];
  /** Every exit; empty if it never filled. */
  readonly exits: readonly ExitPart[];
  /** The exits of the best case, if a bar leaves it open. */
  readonly best: readonly ExitPart[] | null;
  /** False if it depends on unknown events whether the best case applies. */
  readonly bestIsCertain: boolean;
}
export type Outcome = FillOutcome | ExitOutcome | ClosedOutcome;

/** What is known about the market when a bar judges. */
export interface BarContext {
  /** Latest time of all earlier events. */
  readonly judgedUntil: number;
  readonly partial: boolean;
  /** Set if events that are not known here may have judged a part of the bar. Then `targetsRecorded` decides. */
  readonly incomplete: boolean;
  readonly targetsRecorded: boolean;
}

export type DeadlinePhase = 'before' | 'due' | 'over';

/** A tick is judged without a context. */
const NO_CONTEXT: BarContext = { judgedUntil: -1, partial: false, incomplete: false, targetsRecorded: false };
const NOTHING: readonly Outcome[] = [];

export const endOf = (e: Evidence): number => (e.kind === 'bar' ? e.time + MINUTE_MS : e.time);

export class SignalJudge {
  readonly publication: ParsedPublication;
  readonly amendments: ParsedAmendment[] = [];
  /** Quote and time of the request to close. */
  request: { readonly quote: QuoteEvidence; readonly at: number } | null = null;
  entryPrice: number | null;
  /** Exits at targets so far. */
  readonly exits: ExitPart[] = [];
  closed = false;
  /** Time of the event that filled it. */
  #filledBy = -1;
  readonly #sign: 1 | -1;
  readonly #entry: number;

  constructor(publication: ParsedPublication) {
    this.publication = publication;
    this.#sign = publication.buy ? 1 : -1;
    this.#entry = this.#sign * publication.entry;
    // Under rules version 1, a market entry fills at publication.
    this.entryPrice = publication.entryPrice;
  }

  get deadline(): number {
    return this.entryPrice === null ? this.publication.entryDeadline : this.publication.deadline;
  }

  /** J3: a bar counts with its begin. */
  phaseAt(time: number): DeadlinePhase {
    if (time < this.deadline) return 'before';
    return this.publication.rules === 1 || time >= this.deadline + GRACE_MS ? 'over' : 'due';
  }

  /** J1 */
  isJudgedBy(e: Evidence): boolean {
    const { rules, quote, at } = this.publication;
    return e.seq > quote.seq && (rules === 1 || endOf(e) > at);
  }

  /** The tightest stop, mirrored, with all amendments, whether in force already or not. */
  get tightestStop(): number {
    return this.#stop(() => true);
  }

  /** M1. Missed trades and minutes do not execute a request. */
  isRequestedFor(e: Evidence): boolean {
    const { request } = this;
    return request !== null && e.kind === 'quote' && e.seq > request.quote.seq && e.time > request.at;
  }

  /** J4 to J7, or their equivalents for trades and bars. The caller has applied the deadline. */
  judge(e: Evidence, context: BarContext = NO_CONTEXT): readonly Outcome[] {
    if (this.closed || !this.isJudgedBy(e) || this.phaseAt(e.time) !== 'before') return NOTHING;
    return e.kind === 'bar' ? this.#judgeBar(e, context) : this.#judgeTick(e);
  }

  /** Closes it by its deadline, at the last price before. */
  expire(standing: Evidence): ClosedOutcome {
    const at = this.deadline;
    if (this.entryPrice === null) return this.#close('unfilled', null, at, standing);
    return this.#close('expired', standingExit(this.publication, standing), at, standing);
  }

  /** Rules version 1: a request closes it at once. */
  closeAtOnce(standing: Evidence, at: number): ClosedOutcome {
    if (this.entryPrice === null) return this.#close('unfilled', null, at, standing);
    return this.#close('manual', standingExit(this.publication, standing), at, standing);
  }

  #judgeTick(e: TickEvidence): readonly Outcome[] {
    const sides = mirroredSides(this.publication, e);
    const stop = this.#stopFor(e);
    const outcomes: Outcome[] = [];
    const requested = this.isRequestedFor(e);
    if (this.entryPrice === null) {
      const price = this.#fillPrice(sides);
      if (price === null) return requested ? [this.#close('unfilled', null, e.time, e)] : NOTHING;
      outcomes.push(this.#fill(price, e));
      if (requested) this.request = { quote: e as QuoteEvidence, at: this.request!.at };
    } else if (requested) {
      const { exit } = mirroredSides(this.publication, this.request!.quote);
      return [this.#close('manual', Math.abs(Math.min(exit, sides.exit)), e.time, e)];
    }
    if (sides.exit <= stop) outcomes.push(this.#close('stop_loss', Math.abs(sides.exit), e.time, e));
    else this.#exitAtTargets(sides.exit, e, outcomes);
    return outcomes;
  }

  #judgeBar(e: BarEvidence, context: BarContext): readonly Outcome[] {
    const bar = mirroredBar(this.publication, e);
    const { order } = this.publication;
    const stop = this.#stopFor(e);
    const uncertain = this.#isUncertain(e, context);
    const outcomes: Outcome[] = [];
    const pending = this.entryPrice === null;
    if (pending) {
      const price = this.#barFillPrice(bar);
      if (price === null) return NOTHING;
      outcomes.push(this.#fill(price, e));
    }
    if (bar.low <= stop) {
      // A market or stop entry was not filled yet when the bar opened.
      const late = pending && order !== 'limit';
      const exit = late ? stop : Math.min(stop, bar.open);
      const ambiguous = late || uncertain || bar.high >= this.#target(this.exits.length);
      const best = ambiguous || context.incomplete ? this.#bestExits(bar, exit) : null;
      outcomes.push({ ...this.#close('stop_loss', Math.abs(exit), endOf(e), e), best, bestIsCertain: ambiguous });
    } else if (!pending && !uncertain && (!context.incomplete || context.targetsRecorded))
      this.#exitAtTargets(bar.high, e, outcomes);
    return outcomes;
  }

  /** B2, as far as it is known. */
  #isUncertain(e: BarEvidence, { judgedUntil, partial }: BarContext): boolean {
    const { rules, at } = this.publication;
    if (partial || judgedUntil >= e.time || this.deadline < endOf(e)) return true;
    if (rules === 1) return false;
    if (at >= e.time || this.#filledBy >= e.time) return true;
    return this.amendments.some((amendment) => amendment.at >= e.time && isInForce(amendment, e));
  }

  /** J5 */
  #fillPrice({ entry }: Sides): number | null {
    const { order, quote } = this.publication;
    // Also false for an unknown side.
    if (order === 'market')
      return Number.isNaN(entry) ? null : Math.abs(Math.max(entry, mirroredSides(this.publication, quote).entry));
    if (order === 'limit') return entry <= this.#entry ? Math.abs(this.#entry) : null;
    return entry >= this.#entry ? Math.abs(entry) : null;
  }

  /** B4 */
  #barFillPrice({ open, high, low, spread }: MirroredBar): number | null {
    const { order, quote } = this.publication;
    if (order === 'market') return Math.abs(Math.max(mirroredSides(this.publication, quote).entry, high + spread));
    if (order === 'limit') return low + spread <= this.#entry ? Math.abs(this.#entry) : null;
    return high + spread >= this.#entry ? Math.abs(Math.max(this.#entry, open + spread)) : null;
  }

  #fill(price: number, e: Evidence): FillOutcome {
    this.entryPrice = price;
    this.#filledBy = e.time;
    return { kind: 'filled', price, at: endOf(e), evidence: e };
  }

  /** J7: every target that `exit` (mirrored) has reached. */
  #exitAtTargets(exit: number, e: Evidence, outcomes: Outcome[]): void {
    const { targets } = this.publication;
    while (exit >= this.#target(this.exits.length)) {
      const part = targets[this.exits.length]!;
      if (this.exits.length === targets.length - 1) {
        outcomes.push(this.#close('take_profit', part.price, endOf(e), e));
        return;
      }
      this.exits.push(part);
      outcomes.push({ kind: 'exited', target: this.exits.length, ...part, at: endOf(e), evidence: e });
    }
  }

  /** Price of a target, mirrored. */
  #target(index: number): number {
    return this.#sign * this.publication.targets[index]!.price;
  }

  /** B7: each open part at its target if `high` reaches it, the others at the close; `null` if none is better than `exit`. All mirrored. */
  #bestExits({ high, close }: MirroredBar, exit: number): ExitPart[] | null {
    const otherwise = Math.max(exit, close);
    const open = this.publication.targets.slice(this.exits.length).map(({ price, fraction }) => {
      const target = this.#sign * price;
      return { fraction, price: high >= target ? target : otherwise };
    });
    if (!open.some(({ price }) => price > exit)) return null;
    return [...this.exits, ...open.map(({ fraction, price }) => ({ fraction, price: Math.abs(price) }))];
  }

  /** J8 */
  #stopFor(e: Evidence): number {
    return this.#stop((amendment) => isInForce(amendment, e));
  }

  #stop(inForce: (amendment: ParsedAmendment) => boolean): number {
    const { stopLoss, breakevenAfter } = this.publication;
    let stop = this.#sign * stopLoss;
    for (const amendment of this.amendments)
      if (inForce(amendment)) stop = Math.max(stop, this.#sign * amendment.stopLoss);
    return breakevenAfter !== null && this.exits.length >= breakevenAfter ? Math.max(stop, this.#entry) : stop;
  }

  /** Everything that is still open exits at `price`; `null` if it never filled. */
  #close(reason: ClosedOutcome['reason'], price: number | null, at: number, evidence: Evidence): ClosedOutcome {
    this.closed = true;
    const rest = this.exits.reduce((open, { fraction }) => open - fraction, WHOLE);
    const exits = price === null ? [] : [...this.exits, { fraction: rest, price }];
    return { kind: 'closed', reason, exits, best: null, bestIsCertain: true, at, evidence };
  }
}

/** A3 */
const isInForce = ({ quote, at }: ParsedAmendment, e: Evidence): boolean => e.seq > quote.seq && endOf(e) > at;
