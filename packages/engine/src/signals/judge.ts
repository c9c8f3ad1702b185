// The rules for one signal: how a quote, a backfilled trade or a bar changes it. Prices are in ticks and negated for a sell, so
// that one set of rules covers both directions.
import { asEpochMs, type EpochMs, MINUTE_MS } from '../market/time.ts';
import type { Fill, Order } from './order.ts';
import type { CloseReason } from './verdict.ts';

/** A signal that is being judged. */
export interface JudgedSignal {
  readonly order: Order;
  readonly sign: 1 | -1;
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  /** Order of acceptance. If one tick decides several signals, their verdicts follow it. */
  readonly ordinal: number;
  fill: Fill | null;
  closed: boolean;
}

export function toJudgedSignal(order: Order, ordinal: number): JudgedSignal {
  const sign = order.direction === 'buy' ? 1 : -1;
  return {
    order,
    sign,
    entry: sign * order.entry,
    stop: sign * order.stopLoss,
    target: sign * order.takeProfit,
    ordinal,
    fill: order.fill,
    closed: false,
  };
}

export const deadlineOf = ({ fill, order }: JudgedSignal): EpochMs => (fill ? order.deadline : order.entryDeadline);

/** Signed prices of both sides of the market; `NaN` if a side is unknown. */
export interface MarketSides {
  /** Side at which the signal enters. */
  readonly entry: number;
  /** Side at which the signal exits. */
  readonly exit: number;
}

export const marketSides = ({ sign }: JudgedSignal, bid: number, ask: number): MarketSides =>
  sign === 1 ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };

export interface Judgement {
  /** Signed price at which a pending entry filled; `null` if it did not. */
  readonly filledAt: number | null;
  readonly closing: { readonly reason: CloseReason; readonly exit: number; readonly best: number | null } | null;
}

const UNCHANGED: Judgement = { filledAt: null, closing: null };

/** Checks entry, stop and target, in this order; the caller has checked the deadline. A comparison with `NaN` is false. */
export function judgeQuote(signal: JudgedSignal, { entry, exit }: MarketSides): Judgement {
  let filledAt: number | null = null;
  if (!signal.fill) {
    if (signal.order.kind === 'limit') {
      if (entry <= signal.entry) filledAt = signal.entry;
    } else if (entry >= signal.entry) filledAt = entry;
    if (filledAt === null) return UNCHANGED;
  }
  if (exit <= signal.stop) return { filledAt, closing: { reason: 'stop_loss', exit, best: null } };
  if (exit >= signal.target) return { filledAt, closing: { reason: 'take_profit', exit: signal.target, best: null } };
  return { filledAt, closing: null };
}

/** Signed prices of a minute on the exit side; the entry side is `spread` above. */
export interface ExitBar {
  readonly time: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly spread: number;
  /** Part of the bar has already been judged by ticks. */
  readonly overlaps: boolean;
}

export const barEnd = (time: EpochMs): EpochMs => asEpochMs(time + MINUTE_MS);

/** Applies what is certain; if a bar is ambiguous, the worse outcome for the signal. */
export function judgeBar(signal: JudgedSignal, bar: ExitBar): Judgement {
  const uncertain = bar.overlaps || deadlineOf(signal) < barEnd(bar.time);
  const wasFilled = signal.fill !== null;
  let filledAt: number | null = null;
  if (!wasFilled) {
    if (signal.order.kind === 'limit') {
      if (bar.low + bar.spread <= signal.entry) filledAt = signal.entry;
    } else if (bar.high + bar.spread >= signal.entry) filledAt = Math.max(signal.entry, bar.open + bar.spread);
    if (filledAt === null) return UNCHANGED;
  }
  const reachesTarget = bar.high >= signal.target;
  if (bar.low <= signal.stop) {
    // A stop entry was not filled when the bar opened. The others were, or filled on the way to the stop.
    const lateEntry = !wasFilled && signal.order.kind === 'stop';
    const exit = lateEntry ? signal.stop : Math.min(signal.stop, bar.open);
    const best = reachesTarget ? signal.target : Math.max(exit, bar.close);
    const certain = !reachesTarget && !uncertain && !lateEntry;
    return { filledAt, closing: { reason: 'stop_loss', exit, best: certain || best === exit ? null : best } };
  }
  if (reachesTarget && wasFilled && !uncertain)
    return { filledAt, closing: { reason: 'take_profit', exit: signal.target, best: null } };
  return { filledAt, closing: null };
}
