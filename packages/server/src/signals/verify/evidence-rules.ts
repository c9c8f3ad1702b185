// The two sides of the market in one quote, missed trade or bar, in ticks. "Mirrored" prices are negated for a sell, so that the
// comparisons of a buy serve both directions.
import { type Evidence, toTicks } from '@tickwire/engine';
import type { ParsedPublication } from './parsed-signal.ts';

export type BarEvidence = Extract<Evidence, { kind: 'bar' }>;
export type TickEvidence = Exclude<Evidence, BarEvidence>;

/** Prices of the sides on which the signal enters and exits. */
export interface Sides {
  readonly entry: number;
  readonly exit: number;
}

export interface MirroredBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly spread: number;
}

/** Both sides, mirrored. NaN for the side a trade does not tell: comparisons with it are false. */
export function mirroredSides(p: ParsedPublication, e: TickEvidence): Sides {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [bid, ask] =
    e.kind === 'quote'
      ? [ticks(e.bid), ticks(e.ask)]
      : [e.side === 'sell' ? ticks(e.price) : Number.NaN, e.side === 'buy' ? ticks(e.price) : Number.NaN];
  return p.buy ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };
}

/** Prices of a bar on the exit side, mirrored; the entry side is `spread` above. */
export function mirroredBar(p: ParsedPublication, e: BarEvidence): MirroredBar {
  const ticks = (price: number): number => toTicks(price, p.digits);
  const [open, high, low, close] = [ticks(e.open), ticks(e.high), ticks(e.low), ticks(e.close)];
  const spread = ticks(e.spread);
  if (p.buy) return { open, high, low, close, spread };
  return { open: -(open + spread), high: -(low + spread), low: -(high + spread), close: -(close + spread), spread };
}

/** The exit side of the standing price. A trade or a bar gives one side; the other is one spread of the last quote away. */
export function standingExit(p: ParsedPublication, e: Evidence): number {
  const ticks = (price: number): number => toTicks(price, p.digits);
  if (e.kind === 'quote') return ticks(p.buy ? e.bid : e.ask);
  const spread = ticks(e.spread);
  if (e.kind === 'trade' && e.side === 'buy') return ticks(e.price) - (p.buy ? spread : 0);
  return ticks(e.kind === 'trade' ? e.price : e.close) + (p.buy ? 0 : spread);
}
