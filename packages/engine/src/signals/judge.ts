// The rules for one signal: what a quote, a missed trade or a bar does to it. Prices are in ticks and carry the sign of the
// direction, so that a sell is a buy seen in a mirror: one set of rules serves both.
import { asEpochMs, type EpochMs } from '../brands.ts';
import type { CloseReason, Fill, Order } from './order.ts';

const MINUTE = 60_000;

/** A signal under judgement. */
export interface Position {
  readonly order: Order;
  readonly sign: 1 | -1;
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  /** Order of acceptance: what one tick decides for several goes by it. */
  readonly ordinal: number;
  fill: Fill | null;
  closed: boolean;
}

export function positionOf(order: Order, ordinal: number): Position {
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

export const deadlineOf = ({ fill, order }: Position): EpochMs => (fill ? order.deadline : order.entryDeadline);

/** Both sides of the market as the position sees them; NaN where a side is not known. */
export interface Sides {
  /** Where it would get in. */
  readonly entry: number;
  /** Where it would get out. */
  readonly exit: number;
}

export const sidesOf = ({ sign }: Position, bid: number, ask: number): Sides =>
  sign === 1 ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };

export interface Judgement {
  /** Signed price at which a pending entry filled; null where none did. */
  readonly filledAt: number | null;
  readonly closing: { readonly reason: CloseReason; readonly exit: number; readonly best: number | null } | null;
}

const NOTHING: Judgement = { filledAt: null, closing: null };

/** Entry, stop, target, in this order; the deadline was looked at before. Comparisons with an unknown side are false. */
export function judgeQuote(position: Position, { entry, exit }: Sides): Judgement {
  let filledAt: number | null = null;
  if (!position.fill) {
    if (position.order.kind === 'limit') {
      if (entry <= position.entry) filledAt = position.entry;
    } else if (entry >= position.entry) filledAt = entry;
    if (filledAt === null) return NOTHING;
  }
  if (exit <= position.stop) return { filledAt, closing: { reason: 'stop_loss', exit, best: null } };
  if (exit >= position.target)
    return { filledAt, closing: { reason: 'take_profit', exit: position.target, best: null } };
  return { filledAt, closing: null };
}

/** A minute's prices as the exit side of the position sees them; the entry side lies `spread` above. */
export interface BarSides {
  readonly time: EpochMs;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly spread: number;
  /** Some of the bar was judged by ticks already. */
  readonly overlaps: boolean;
}

export const barEnd = (time: EpochMs): EpochMs => asEpochMs(time + MINUTE);

/** What is certain counts; where a bar leaves it open, the worse. */
export function judgeBar(position: Position, bar: BarSides): Judgement {
  const uncertain = bar.overlaps || deadlineOf(position) < barEnd(bar.time);
  const wasFilled = position.fill !== null;
  let filledAt: number | null = null;
  if (!wasFilled) {
    if (position.order.kind === 'limit') {
      if (bar.low + bar.spread <= position.entry) filledAt = position.entry;
    } else if (bar.high + bar.spread >= position.entry) filledAt = Math.max(position.entry, bar.open + bar.spread);
    if (filledAt === null) return NOTHING;
  }
  const reachesTarget = bar.high >= position.target;
  if (bar.low <= position.stop) {
    // A stop entry was not in yet when the bar opened; the others were, or got in on the way to the stop.
    const lateEntry = !wasFilled && position.order.kind === 'stop';
    const exit = lateEntry ? position.stop : Math.min(position.stop, bar.open);
    const best = reachesTarget ? position.target : Math.max(exit, bar.close);
    const sure = !reachesTarget && !uncertain && !lateEntry;
    return { filledAt, closing: { reason: 'stop_loss', exit, best: sure || best === exit ? null : best } };
  }
  if (reachesTarget && wasFilled && !uncertain)
    return { filledAt, closing: { reason: 'take_profit', exit: position.target, best: null } };
  return { filledAt, closing: null };
}
