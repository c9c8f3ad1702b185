// The rules for one signal: what a quote, a missed trade or a minute does to it. The caller has checked the deadline and requests.
// Prices are signed, as in JudgedSignal.
import type { ExitPart } from '@tickwire/contract';
import { barEnd } from './evidence.ts';
import type { JudgedEvent, Judgement } from './judged-event.ts';
import { deadlineOf, isInForce, type JudgedSignal, openParts, stopInForce } from './judged-signal.ts';

/** Signed prices of both sides of the market; `NaN` if a side is unknown. */
export interface MarketSides {
  /** Side at which the signal enters. */
  readonly entry: number;
  /** Side at which the signal exits. */
  readonly exit: number;
}

export const marketSides = (sign: 1 | -1, bid: number, ask: number): MarketSides =>
  sign === 1 ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };

/** Entry, stop and targets, in this order (J5 to J7). A comparison with `NaN` is false. */
export function judgeSides(signal: JudgedSignal, { entry, exit }: MarketSides, event: JudgedEvent): Judgement {
  const filledAt = signal.fill ? null : filledBySides(signal, entry);
  const targetsReached = signal.exits.length;
  if (!signal.fill && filledAt === null) return { filledAt, targetsReached, closing: null };
  if (exit <= stopInForce(signal, event))
    return { filledAt, targetsReached, closing: { reason: 'stop_loss', exit, best: null } };
  return { filledAt, ...reachTargets(signal, exit) };
}

/** Whether a fill at this price is worse than a market order allows (J12). */
export const isBeyondSlippage = ({ order, acceptedEntry }: JudgedSignal, filledAt: number): boolean =>
  order.maxSlippage !== null && filledAt - acceptedEntry > order.maxSlippage;

function filledBySides({ order, entry, acceptedEntry }: JudgedSignal, side: number): number | null {
  switch (order.kind) {
    case 'market':
      return Number.isNaN(side) ? null : Math.max(acceptedEntry, side);
    case 'limit':
      return side <= entry ? entry : null;
    case 'stop':
      return side >= entry ? side : null;
  }
}

function reachTargets({ targets, exits }: JudgedSignal, exit: number): Omit<Judgement, 'filledAt'> {
  let targetsReached = exits.length;
  while (targetsReached < targets.length && exit >= targets[targetsReached]!.price) targetsReached++;
  if (targetsReached < targets.length) return { targetsReached, closing: null };
  return { targetsReached, closing: { reason: 'take_profit', exit: targets.at(-1)!.price, best: null } };
}

/** Signed prices of a minute on the exit side; the entry side is `spread` above. */
export interface ExitBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly spread: number;
  /** Part of the bar may have been judged by other events. */
  readonly overlaps: boolean;
}

/** Applies what is certain; if a bar is ambiguous, the worse outcome for the signal (B2 to B7). */
export function judgeBar(signal: JudgedSignal, bar: ExitBar, event: JudgedEvent): Judgement {
  const { order, fill, targets, exits } = signal;
  const uncertain = bar.overlaps || isUncertain(signal, event);
  const filledAt = fill ? null : filledByBar(signal, bar);
  const unchanged = { filledAt, targetsReached: exits.length, closing: null };
  if (!fill && filledAt === null) return unchanged;
  const reachesTarget = bar.high >= targets[exits.length]!.price;
  const stop = stopInForce(signal, event);
  if (bar.low <= stop) {
    // A market or stop entry was not filled when the bar opened. The others were, or filled on the way to the stop.
    const lateEntry = !fill && order.kind !== 'limit';
    const exit = lateEntry ? stop : Math.min(stop, bar.open);
    const certain = !reachesTarget && !uncertain && !lateEntry;
    const best = certain ? null : bestExits(signal, bar, exit);
    return { ...unchanged, closing: { reason: 'stop_loss', exit, best } };
  }
  return reachesTarget && fill && !uncertain ? { filledAt, ...reachTargets(signal, bar.high) } : unchanged;
}

function filledByBar({ order, entry, acceptedEntry }: JudgedSignal, bar: ExitBar): number | null {
  const { open, high, low, spread } = bar;
  switch (order.kind) {
    case 'market':
      return Math.max(acceptedEntry, high + spread);
    case 'limit':
      return low + spread <= entry ? entry : null;
    case 'stop':
      return high + spread >= entry ? Math.max(entry, open + spread) : null;
  }
}

/** Whether the bar began before the publication, the fill or an amendment, or may have outlasted the deadline (B2). */
function isUncertain(signal: JudgedSignal, { seq, time, end }: JudgedEvent): boolean {
  const { order, fill, amendments } = signal;
  if (deadlineOf(signal) < barEnd(time)) return true;
  if (fill && time <= fill.evidence.time) return true;
  return time <= order.publishedAt || amendments.some((each) => isInForce(each, seq, end) && time <= each.at);
}

/** The exits of the open parts if everything went well: at the targets in range, the others at the close. */
function bestExits(signal: JudgedSignal, { high, close }: ExitBar, exit: number): readonly ExitPart[] | null {
  const best = openParts(signal).map(({ fraction, price }) => ({
    fraction,
    price: high >= price ? price : Math.max(exit, close),
  }));
  return best.some(({ price }) => price > exit) ? best : null;
}
