// Applies version 1 of the rules in docs/signals.md to the evidence in the records: whether the publication was valid at its quote, and
// whether the evidence fills and closes the signal as recorded.
import type { ClosedRecord, Evidence, PublishedRecord } from '@tickwire/client';
import type { checkTicket } from '../ticket.ts';
import { isWhole } from './arithmetic.ts';
import { barOf, currentExit, levelsOf, sidesOf, signOf, ticksIn } from './signed-prices.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const STALE_MS = 60_000;

/** The rules of a ticket, which the page for publishing applies as well. */
export type CheckTicket = typeof checkTicket;

export function publicationFaults(p: PublishedRecord, check: CheckTicket): string[] {
  const { direction, entry, stop_loss: stop, take_profit: target, instrument, quote } = p;
  const { digits, pip_size: pipSize } = instrument;
  const { bid, ask } = quote;
  const invalid = [entry, stop, target, bid, ask].find((price) => !isWhole(price, digits));
  if (invalid !== undefined) return [`${invalid} is not a price with ${digits} decimals`];
  if (!(pipSize > 0)) return [`The pip size ${pipSize} is not valid`];
  const targets = [{ price: target, fraction: 1 }];
  const { problems, order, fillsAt } = check({ direction, entry, stop, targets }, { bid, ask, digits, pipSize });
  const faults = [...problems.values()].map((text) => text.slice(0, -1));
  const age = Date.parse(p.at) - Date.parse(quote.time);
  if (bid > ask) faults.push('The bid of its quote is above the ask');
  if (age > STALE_MS) faults.push(`Its quote was ${Math.round(age / 1_000)} s old; at most 60 s are allowed`);
  if (order !== p.order) faults.push(`At its quote it is a ${order} order, not a ${p.order} order`);
  if (fillsAt !== (p.entry_price ?? null)) faults.push('The fill price does not follow from its quote');
  return [...faults, ...deadlineFaults(p)];
}

function deadlineFaults(p: PublishedRecord): string[] {
  const [at, ofEntry, ofSignal] = [Date.parse(p.at), Date.parse(p.entry_deadline), Date.parse(p.deadline)];
  const byDefault = ofEntry === at + DAY && ofSignal === at + 30 * DAY;
  const declared = ofEntry === ofSignal && at < ofSignal && ofSignal <= at + 30 * DAY;
  return byDefault || declared ? [] : ['The deadlines do not follow from the time of publication'];
}

/** The price at which the evidence fills a pending entry, signed; `null` if it does not. */
function fillOf(p: PublishedRecord, e: Evidence): number | null {
  const { entry } = levelsOf(p);
  if (e.kind === 'bar') {
    const bar = barOf(p, e);
    if (p.order === 'limit') return bar.low + bar.spread <= entry ? entry : null;
    return bar.high + bar.spread >= entry ? Math.max(entry, bar.open + bar.spread) : null;
  }
  const side = sidesOf(p, e).entry;
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
