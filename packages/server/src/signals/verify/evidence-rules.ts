// What one quote, missed trade or bar does to a signal, by docs/signals.md. Prices are in ticks. Within this file a
// sell is treated as a buy with negated prices ("mirrored"), so that the same comparisons serve both.
import { type Evidence, MINUTE_MS, toTicks } from '@tickwire/engine';
import type { ParsedPublication } from './parsed-signal.ts';

type Bar = Extract<Evidence, { kind: 'bar' }>;

/** The standing price, by the side on which the signal enters and exits. */
export interface Sides {
  readonly entry: number;
  readonly exit: number;
}

export interface Decision {
  readonly reason: 'stop_loss' | 'take_profit';
  readonly exit: number;
  /** The exit in the best case, if a bar leaves it open. */
  readonly best: number | null;
  /** False if the best case applies only if ticks had judged a part of the bar, which only the tape shows. */
  readonly certain: boolean;
}

export interface FillState {
  /** The deciding event also filled the signal. */
  readonly inSameEvent: boolean;
  /** Time up to which a quote or trade is known to have judged. */
  readonly judgedUntil: number;
}

const signOf = ({ buy }: ParsedPublication): 1 | -1 => (buy ? 1 : -1);

/** Both sides, mirrored. NaN for the side a trade does not tell: comparisons with it are false. */
function mirrored(p: ParsedPublication, e: Exclude<Evidence, Bar>): Sides {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [bid, ask] =
    e.kind === 'quote'
      ? [ticks(e.bid), ticks(e.ask)]
      : [e.side === 'sell' ? ticks(e.price) : Number.NaN, e.side === 'buy' ? ticks(e.price) : Number.NaN];
  return p.buy ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };
}

/** Prices of a bar on the exit side, mirrored; the entry side is `spread` above. */
function mirroredBar(p: ParsedPublication, e: Bar) {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [open, high, low, close] = [ticks(e.open), ticks(e.high), ticks(e.low), ticks(e.close)];
  const spread = ticks(e.spread);
  if (p.buy) return { open, high, low, close, spread };
  return { open: -(open + spread), high: -(low + spread), low: -(high + spread), close: -(close + spread), spread };
}

/** The standing price. A trade or a bar gives one side; the other is one spread of the last quote away. */
export function standingSides(p: ParsedPublication, e: Evidence): Sides {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [bid, ask] = e.kind === 'quote' ? [ticks(e.bid), ticks(e.ask)] : sidesOfTradeOrBar(e, ticks);
  return p.buy ? { entry: ask, exit: bid } : { entry: bid, exit: ask };
}

function sidesOfTradeOrBar(
  e: Exclude<Evidence, { kind: 'quote' }>,
  ticks: (price: number) => number,
): [bid: number, ask: number] {
  const spread = ticks(e.spread);
  if (e.kind === 'trade' && e.side === 'buy') return [ticks(e.price) - spread, ticks(e.price)];
  const bid = ticks(e.kind === 'trade' ? e.price : e.close);
  return [bid, bid + spread];
}

/** The price at which a pending entry fills; `null` if it does not. */
export function fillPrice(p: ParsedPublication, e: Evidence): number | null {
  const level = signOf(p) * p.entry;
  if (e.kind === 'bar') {
    const { open, high, low, spread } = mirroredBar(p, e);
    if (p.order === 'limit') return low + spread <= level ? p.entry : null;
    return high + spread >= level ? Math.abs(Math.max(level, open + spread)) : null;
  }
  const { entry } = mirrored(p, e);
  if (p.order === 'limit') return entry <= level ? p.entry : null;
  return entry >= level ? Math.abs(entry) : null;
}

/** How a filled signal closes, leaving the deadline aside; `null` if it does not. */
export function decide(p: ParsedPublication, e: Evidence, state: FillState): Decision | null {
  const sign = signOf(p);
  const [stop, target] = [sign * p.stopLoss, sign * p.takeProfit];
  if (e.kind === 'bar') return barDecision(p, e, stop, target, state);
  const { exit } = mirrored(p, e);
  if (exit <= stop) return { reason: 'stop_loss', exit: Math.abs(exit), best: null, certain: true };
  return exit >= target ? { reason: 'take_profit', exit: p.takeProfit, best: null, certain: true } : null;
}

function barDecision(p: ParsedPublication, e: Bar, stop: number, target: number, state: FillState): Decision | null {
  const { open, high, low, close } = mirroredBar(p, e);
  const deadline = state.inSameEvent ? p.entryDeadline : p.deadline;
  const uncertain = deadline < e.time + MINUTE_MS || state.judgedUntil >= e.time;
  const reachesTarget = high >= target;
  if (low <= stop) {
    // A stop entry was not filled yet when the bar opened.
    const lateEntry = state.inSameEvent && p.order === 'stop';
    const exit = lateEntry ? stop : Math.min(stop, open);
    const best = reachesTarget ? target : Math.max(exit, close);
    const certain = reachesTarget || uncertain || lateEntry;
    return { reason: 'stop_loss', exit: Math.abs(exit), best: best === exit ? null : Math.abs(best), certain };
  }
  const reached = reachesTarget && !state.inSameEvent && !uncertain;
  return reached ? { reason: 'take_profit', exit: p.takeProfit, best: null, certain: true } : null;
}
