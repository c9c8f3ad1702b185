// What one quote, missed trade or bar does to a signal, by docs/signals.md. Within this file a sell is a buy in a mirror:
// its prices carry a minus, so that one set of comparisons serves both. Prices are in ticks.
import { type Evidence, toTicks } from '@tickwire/engine';
import type { Publication } from './life.ts';

const MINUTE = 60_000;

type Bar = Extract<Evidence, { kind: 'bar' }>;

/** Of the standing price, as the signal gets in and out. */
export interface Sides {
  readonly entry: number;
  readonly exit: number;
}

export interface Decision {
  readonly reason: 'stop_loss' | 'take_profit';
  readonly exit: number;
  /** The exit in the best case, where a bar leaves it open. */
  readonly best: number | null;
  /** False where the best case stands only if ticks had judged a part of the bar, which the tape tells. */
  readonly surely: boolean;
}

export interface FillState {
  /** What decides has filled it too. */
  readonly inSameEvent: boolean;
  /** Time up to which a quote or a trade is known to have judged. */
  readonly judgedUntil: number;
}

const signOf = ({ buy }: Publication): 1 | -1 => (buy ? 1 : -1);

/** Both sides as the signal sees them, mirrored; NaN where a trade does not tell: comparisons with it are false. */
function mirrored(p: Publication, e: Exclude<Evidence, Bar>): Sides {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [bid, ask] =
    e.kind === 'quote'
      ? [ticks(e.bid), ticks(e.ask)]
      : [e.side === 'sell' ? ticks(e.price) : Number.NaN, e.side === 'buy' ? ticks(e.price) : Number.NaN];
  return p.buy ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };
}

/** A bar's prices on the exit side, mirrored; the entry side lies `spread` above. */
function mirroredBar(p: Publication, e: Bar) {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [open, high, low, close] = [ticks(e.open), ticks(e.high), ticks(e.low), ticks(e.close)];
  const spread = ticks(e.spread);
  if (p.buy) return { open, high, low, close, spread };
  return { open: -(open + spread), high: -(low + spread), low: -(high + spread), close: -(close + spread), spread };
}

/** Where the market stands. A trade and a bar tell one side; the other is as far away as it was in the last quote. */
export function standingSides(p: Publication, e: Evidence): Sides {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [bid, ask] = e.kind === 'quote' ? [ticks(e.bid), ticks(e.ask)] : told(e, ticks);
  return p.buy ? { entry: ask, exit: bid } : { entry: bid, exit: ask };
}

function told(e: Exclude<Evidence, { kind: 'quote' }>, ticks: (price: number) => number): [bid: number, ask: number] {
  const spread = ticks(e.spread);
  if (e.kind === 'trade' && e.side === 'buy') return [ticks(e.price) - spread, ticks(e.price)];
  const bid = ticks(e.kind === 'trade' ? e.price : e.close);
  return [bid, bid + spread];
}

/** Where a pending entry fills; null where it does not. */
export function fillOf(p: Publication, e: Evidence): number | null {
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

/** What closes a filled signal, the deadline left aside; null where nothing does. */
export function decisionOf(p: Publication, e: Evidence, state: FillState): Decision | null {
  const sign = signOf(p);
  const [stop, target] = [sign * p.stopLoss, sign * p.takeProfit];
  if (e.kind === 'bar') return barDecision(p, e, stop, target, state);
  const { exit } = mirrored(p, e);
  if (exit <= stop) return { reason: 'stop_loss', exit: Math.abs(exit), best: null, surely: true };
  return exit >= target ? { reason: 'take_profit', exit: p.takeProfit, best: null, surely: true } : null;
}

function barDecision(p: Publication, e: Bar, stop: number, target: number, state: FillState): Decision | null {
  const { open, high, low, close } = mirroredBar(p, e);
  const deadline = state.inSameEvent ? p.entryDeadline : p.deadline;
  const uncertain = deadline < e.time + MINUTE || state.judgedUntil >= e.time;
  const reachesTarget = high >= target;
  if (low <= stop) {
    // A stop entry was not in yet when the bar opened.
    const lateEntry = state.inSameEvent && p.order === 'stop';
    const exit = lateEntry ? stop : Math.min(stop, open);
    const best = reachesTarget ? target : Math.max(exit, close);
    const surely = reachesTarget || uncertain || lateEntry;
    return { reason: 'stop_loss', exit: Math.abs(exit), best: best === exit ? null : Math.abs(best), surely };
  }
  const reached = reachesTarget && !state.inSameEvent && !uncertain;
  return reached ? { reason: 'take_profit', exit: p.takeProfit, best: null, surely: true } : null;
}
