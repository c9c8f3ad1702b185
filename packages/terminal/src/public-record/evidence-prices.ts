// The prices that follow from the evidence in the records, by rules version 2 of docs/signals.md. Prices are whole ticks; those
// of a sell are negated, so that the comparisons of a buy work for both directions.
import type { Evidence, PublishedRecord, QuoteEvidence } from '@tickwire/client';
import { ticksOf } from '../signals/evidence/arithmetic.ts';
import type { SignalHistory } from './history.ts';

const MINUTE = 60_000;

/** A price in signed ticks. */
export const signedTicks = ({ direction, instrument }: PublishedRecord, price: number): number =>
  (direction === 'buy' ? 1 : -1) * Number(ticksOf(price, instrument.digits));

interface Range {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** The price at the end, derived from the last spread where a trade has one side only. */
  readonly last: number;
}

/** Entry and exit side of an event. A tick is a range of one price; the side that a trade lacks is NaN and reaches nothing. */
function sidesOf(p: PublishedRecord, e: Evidence): { readonly entry: Range; readonly exit: Range } {
  const at = (price: number): number => signedTicks(p, price);
  const buy = p.direction === 'buy';
  const only = (price: number, last = price): Range => ({ open: price, high: price, low: price, last });
  if (e.kind === 'quote') return { entry: only(at(buy ? e.ask : e.bid)), exit: only(at(buy ? e.bid : e.ask)) };
  // Signed: the ask of a sell is below its bid.
  const spread = (buy ? 1 : -1) * at(e.spread);
  if (e.kind === 'trade') {
    const price = at(e.price);
    const isEntrySide = (e.side === 'buy') === buy;
    return isEntrySide
      ? { entry: only(price), exit: only(Number.NaN, price - spread) }
      : { entry: only(Number.NaN, price + spread), exit: only(price) };
  }
  const [high, low] = buy ? [at(e.high), at(e.low)] : [at(e.low), at(e.high)];
  const bid = { open: at(e.open), high, low, last: at(e.close) };
  const moved = (by: number): Range => ({ open: bid.open + by, high: high + by, low: low + by, last: bid.last + by });
  return buy ? { entry: moved(spread), exit: bid } : { entry: bid, exit: moved(-spread) };
}

/** The end of the event: that of a bar is 60 s after its begin. */
export const endOf = ({ kind, time }: Evidence): number => Date.parse(time) + (kind === 'bar' ? MINUTE : 0);

/** Whether an event may judge the signal (J1). */
export const mayJudge = (p: PublishedRecord, e: Evidence): boolean =>
  e.seq > p.quote.seq && endOf(e) > Date.parse(p.at);

/** The price at which the evidence fills the entry (J5, B4); `null` if it does not. */
export function fillPrice(p: PublishedRecord, e: Evidence): number | null {
  const { entry: side } = sidesOf(p, e);
  const entry = signedTicks(p, p.entry);
  if (p.order === 'limit') return side.low <= entry ? entry : null;
  if (p.order === 'stop') return side.high >= entry ? Math.max(entry, side.open) : null;
  const worst = Math.max(sidesOf(p, p.quote).entry.last, side.high);
  return Number.isNaN(worst) ? null : worst;
}

/** Whether the exit side reaches a target (J7, B6). */
export const reachesTarget = (p: PublishedRecord, e: Evidence, target: number): boolean =>
  sidesOf(p, e).exit.high >= signedTicks(p, target);

/** The stop in force for an event (J8). */
function stopFor({ published: p, amendments, exits }: SignalHistory, e: Evidence): number {
  const amended = amendments.filter((amendment) => isInForce(amendment, e));
  const stops = [p.stop_loss, ...amended.map(({ stop_loss }) => stop_loss)];
  const reached = exits.filter(({ decided }) => decided.seq < e.seq).length;
  if (p.breakeven_after !== undefined && reached >= p.breakeven_after) stops.push(p.entry);
  return Math.max(...stops.map((stop) => signedTicks(p, stop)));
}

/** The price at which the evidence hits the stop in force (J6, B5); `null` if it does not. */
export function stopPrice(history: SignalHistory, e: Evidence): number | null {
  const { published: p, filled } = history;
  const { exit } = sidesOf(p, e);
  const stop = stopFor(history, e);
  if (!(exit.low <= stop)) return null;
  // Not filled yet at the open of the bar.
  const isLate = e.kind === 'bar' && p.order !== 'limit' && filled?.filled.seq === e.seq;
  return isLate ? stop : Math.min(stop, exit.open);
}

/** Whether a request or an amendment is in force for an event (M1, A3). */
const isInForce = ({ quote, at }: { readonly quote: QuoteEvidence; readonly at: string }, e: Evidence): boolean =>
  e.seq > quote.seq && endOf(e) > Date.parse(at);

/** The price at which a request closes (J4): the worse of the quote in the request and this one. */
export function requestedPrice({ published: p, filled, closeRequest }: SignalHistory, e: Evidence): number | null {
  if (!closeRequest || e.kind !== 'quote' || !isInForce(closeRequest, e)) return null;
  const fill = filled?.filled;
  // A quote that fills the entry while the request is in force takes the place of the quote in it.
  const standing = fill?.kind === 'quote' && isInForce(closeRequest, fill) ? fill : closeRequest.quote;
  return Math.min(lastExit(p, standing), lastExit(p, e));
}

/** The exit side of the standing price that an event leaves (T4, B9). */
export const lastExit = (p: PublishedRecord, e: Evidence): number => sidesOf(p, e).exit.last;
