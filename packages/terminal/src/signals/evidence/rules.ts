// Applies the rules of docs/signals.md to the evidence in the records: whether the publication was valid at its quote, and
// whether the evidence fills and closes the signal as recorded. Prices are whole ticks. The prices of a sell are negated, so that
// the comparisons of a buy work for both directions.
import type { ClosedRecord, Evidence, PublishedRecord } from '@tickwire/client';
import type { checkTicket } from '../ticket.ts';
import { isWhole, type TradeExit, ticksOf } from './arithmetic.ts';

export const MINUTE = 60_000;
const DAY = 86_400_000;
const STALE_MS = 60_000;

type Bar = Extract<Evidence, { kind: 'bar' }>;
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

/** The rules of a ticket, which the page for publishing applies as well. */
export type CheckTicket = typeof checkTicket;

export function publicationFaults(p: PublishedRecord, check: CheckTicket): string[] {
  const { direction, entry, stop_loss: stop, instrument, quote } = p;
  const { digits, pip_size: pipSize } = instrument;
  const { bid, ask } = quote;
  const targets = targetsOf(p).map(({ price }) => price);
  const invalid = [entry, stop, ...targets, bid, ask].find((price) => !isWhole(price, digits));
  if (invalid !== undefined) return [`${invalid} is not a price with ${digits} decimals`];
  if (!(pipSize > 0)) return [`The pip size ${pipSize} is not valid`];
  const terms = { direction, entry, stop, targets: targetsOf(p) };
  const { problems, order, fillsAt } = check(terms, { bid, ask, digits, pipSize });
  const faults = [...problems.values()].map((text) => text.slice(0, -1));
  const age = Date.parse(p.at) - Date.parse(quote.time);
  if (bid > ask) faults.push('The bid of its quote is above the ask');
  if (age > STALE_MS) faults.push(`Its quote was ${Math.round(age / 1_000)} s old; at most 60 s are allowed`);
  if (order !== p.order) faults.push(`At its quote it is a ${order} order, not a ${p.order} order`);
  if ((p.rules === 1 ? fillsAt : null) !== (p.entry_price ?? null))
    faults.push('The fill price does not follow from its quote');
  return [...faults, ...targetFaults(p), ...deadlineFaults(p)];
}

/** Nearest first. Without `targets` there is one. */
export const targetsOf = (p: PublishedRecord): readonly TradeExit[] =>
  p.targets ?? [{ price: p.take_profit, fraction: 1 }];

function targetFaults(p: PublishedRecord): string[] {
  const [sign, targets] = [signOf(p), targetsOf(p)];
  const { breakeven_after: breakeven } = p;
  const faults: string[] = [];
  if (targets.some(({ price }, index) => index > 0 && sign * (price - targets[index - 1]!.price) <= 0))
    faults.push('The targets are out of order');
  if (targets.at(-1)?.price !== p.take_profit) faults.push('take_profit is not the last target');
  const shares = targets.map(({ fraction }) => Math.round(fraction * 10_000));
  const exact = shares.every((share, index) => share > 0 && share / 10_000 === targets[index]!.fraction);
  if (!exact || shares.reduce((sum, share) => sum + share, 0) !== 10_000)
    faults.push('The fractions of the targets do not add up to 1');
  if (breakeven !== undefined && !(breakeven >= 1 && breakeven < targets.length))
    faults.push('breakeven_after does not name a target before the last');
  return faults;
}

function deadlineFaults(p: PublishedRecord): string[] {
  const [at, ofEntry, ofSignal] = [Date.parse(p.at), Date.parse(p.entry_deadline), Date.parse(p.deadline)];
  // Under version 2, a market order waits for the next quote for a minute.
  const waits = p.rules > 1 && p.order === 'market';
  const usual = at + (waits ? MINUTE : DAY);
  const byDefault = ofEntry === usual && ofSignal === at + 30 * DAY;
  const expected = waits ? Math.min(usual, ofSignal) : ofSignal;
  const declared = ofEntry === expected && at < ofSignal && ofSignal <= at + 30 * DAY;
  return byDefault || declared ? [] : ['The deadlines do not follow from the time of publication'];
}

/** The price at which the evidence fills a pending entry, signed; `null` if it does not. */
export function fillOf(p: PublishedRecord, e: Evidence): number | null {
  const { entry } = levelsOf(p);
  const accepted = sidesOf(p, p.quote).entry;
  if (e.kind === 'bar') {
    const bar = barOf(p, e);
    if (p.order === 'market') return Math.max(accepted, bar.high + bar.spread);
    if (p.order === 'limit') return bar.low + bar.spread <= entry ? entry : null;
    return bar.high + bar.spread >= entry ? Math.max(entry, bar.open + bar.spread) : null;
  }
  const side = sidesOf(p, e).entry;
  if (p.order === 'market') return Number.isNaN(side) ? null : Math.max(accepted, side);
  if (p.order === 'limit') return side <= entry ? entry : null;
  return side >= entry ? side : null;
}

export function fillFaults(p: PublishedRecord, c: ClosedRecord): string[] {
  if (c.reason === 'unfilled') {
    if (p.order === 'market') return ['A market order cannot end unfilled'];
    return c.entry_price === null && c.exit_price === null ? [] : ['An unfilled signal has no prices'];
  }
  if (c.entry_price === null || c.exit_price === null) return ['A filled signal must have an entry and an exit price'];
  if (p.order === 'market')
    return c.entry_price === p.entry_price ? [] : ['The entry price differs from the publication'];
  if (c.filled === null) return [`There is no evidence of the fill of the ${p.order} order`];
  if (Date.parse(c.filled.time) >= Date.parse(p.entry_deadline)) return ['It was filled after the entry deadline'];
  const price = fillOf(p, c.filled);
  if (price === null) return ['The evidence of the fill does not reach the entry'];
  return price === signOf(p) * ticksIn(p, c.entry_price) ? [] : ['The entry price does not follow from the evidence'];
}

/** Reason, exit price and time of the closing. */
export function closingFaults(p: PublishedRecord, c: ClosedRecord): string[] {
  const { decided, reason } = c;
  if (decided.seq < p.quote.seq || c.decided_seq < decided.seq) return ['The evidence is older than the signal'];
  if (reason === 'stop_loss' || reason === 'take_profit') return decisionFaults(p, c, decided);
  const deadline = Date.parse(reason === 'unfilled' ? p.entry_deadline : p.deadline);
  const closed = Date.parse(c.closed_at);
  if (closed > deadline) return ['It was closed after its deadline'];
  if (reason === 'expired' && closed !== deadline) return ['It did not expire at its deadline'];
  if (reason === 'manual' && (decided.kind !== 'quote' || closed - Date.parse(decided.time) > STALE_MS))
    return ['It was closed manually without a quote of the last 60 s'];
  if (reason === 'unfilled' || c.exit_price === null) return [];
  if (currentExit(p, decided) === signOf(p) * ticksIn(p, c.exit_price)) return [];
  return ['The exit price is not the market price'];
}

function decisionFaults(p: PublishedRecord, c: ClosedRecord, e: Evidence): string[] {
  if (e.seq <= p.quote.seq) return ['It was decided by a price from before its publication'];
  const exit = decidedExit(p, c, e);
  if (exit === null) return [`The evidence does not reach the ${c.reason === 'stop_loss' ? 'stop' : 'target'}`];
  const faults: string[] = [];
  if (c.exit_price === null || exit !== signOf(p) * ticksIn(p, c.exit_price))
    faults.push('The exit price does not follow from the evidence');
  const ended = Date.parse(e.time) + (e.kind === 'bar' ? MINUTE : 0);
  if (Date.parse(c.closed_at) !== ended) faults.push('It was not closed at the time of the evidence');
  if (Date.parse(e.time) >= Date.parse(p.deadline)) faults.push('The evidence is from after the deadline');
  return faults;
}

/** The exit price, signed; `null` if the level of its reason is not reached, or the other one was first. */
function decidedExit(p: PublishedRecord, c: ClosedRecord, e: Evidence): number | null {
  const { stop, target } = levelsOf(p);
  const atStop = c.reason === 'stop_loss';
  if (e.kind === 'bar') {
    const { open, high, low } = barOf(p, e);
    // A stop order was not filled yet when the bar that filled it opened.
    const lateEntry = c.filled?.seq === e.seq && p.order === 'stop';
    if (atStop) return low <= stop ? (lateEntry ? stop : Math.min(stop, open)) : null;
    return low > stop && high >= target ? target : null;
  }
  const { exit } = sidesOf(p, e);
  if (atStop) return exit <= stop ? exit : null;
  return exit > stop && exit >= target ? target : null;
}
