// Prices of records as signed whole ticks: those of a sell are negated, so that the comparisons of a buy work for both
// directions. The worse of two prices is the greater one on the entry side and the lesser one on the exit side.
import type { Evidence, PublishedRecord } from '@tickwire/client';
import { ticksOf } from './arithmetic.ts';

export type Bar = Extract<Evidence, { kind: 'bar' }>;
type Tick = Exclude<Evidence, Bar>;

export const ticksIn = (p: PublishedRecord, price: number): number => Number(ticksOf(price, p.instrument.digits));
export const signOf = (p: PublishedRecord): 1 | -1 => (p.direction === 'buy' ? 1 : -1);

export function levelsOf(p: PublishedRecord) {
  const sign = signOf(p);
  const at = (price: number): number => sign * ticksIn(p, price);
  return { entry: at(p.entry), stop: at(p.stop_loss), target: at(p.take_profit) };
}

/** Entry and exit side, signed. A trade has one side; the other is NaN, and comparisons with it are false. */
export function sidesOf(p: PublishedRecord, e: Tick): { readonly entry: number; readonly exit: number } {
  const at = (price: number): number => ticksIn(p, price);
  const bid = e.kind === 'quote' ? at(e.bid) : e.side === 'sell' ? at(e.price) : Number.NaN;
  const ask = e.kind === 'quote' ? at(e.ask) : e.side === 'buy' ? at(e.price) : Number.NaN;
  return p.direction === 'buy' ? { entry: ask, exit: bid } : { entry: -bid, exit: -ask };
}

/** The current exit side, signed. The side that a trade or a bar lacks is derived from the last spread. */
export function currentExit(p: PublishedRecord, e: Evidence): number {
  const at = (price: number): number => ticksIn(p, price);
  const buy = p.direction === 'buy';
  if (e.kind === 'quote') return buy ? at(e.bid) : -at(e.ask);
  const spread = at(e.spread);
  if (e.kind === 'trade' && e.side === 'buy') return buy ? at(e.price) - spread : -at(e.price);
  const bid = at(e.kind === 'trade' ? e.price : e.close);
  return buy ? bid : -(bid + spread);
}

/** A bar on the exit side, signed; its entry side is `spread` higher. */
export function barOf(p: PublishedRecord, e: Bar) {
  const at = (price: number): number => ticksIn(p, price);
  const spread = at(e.spread);
  if (p.direction === 'buy') return { open: at(e.open), high: at(e.high), low: at(e.low), spread };
  return { open: -(at(e.open) + spread), high: -(at(e.low) + spread), low: -(at(e.high) + spread), spread };
}
