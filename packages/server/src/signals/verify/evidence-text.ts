// Evidence in records: whether its prices are possible, whether two are the same, and how findings name it.
import type { Evidence } from '@tickwire/contract';
import { fromTicks, toTicks } from '@tickwire/engine';

/** Whether a price is a whole number of ticks, in its shortest decimal form. */
export const isPrice = (price: number, digits: number): boolean =>
  price > 0 && fromTicks(toTicks(price, digits), digits) === price;

/** Whether all prices of evidence are valid. */
export function isValidEvidence(e: Evidence, digits: number): boolean {
  if (e.kind === 'quote') return isPrice(e.bid, digits) && isPrice(e.ask, digits) && e.bid <= e.ask;
  const spread = e.spread === 0 || isPrice(e.spread, digits);
  if (e.kind === 'trade') return spread && isPrice(e.price, digits);
  const valid =
    isPrice(e.open, digits) && isPrice(e.close, digits) && isPrice(e.low, digits) && isPrice(e.high, digits);
  return spread && valid && e.low <= Math.min(e.open, e.close) && Math.max(e.open, e.close) <= e.high;
}

export function isSameEvidence(a: Evidence, b: Evidence): boolean {
  if (a.seq !== b.seq || a.time !== b.time || a.source !== b.source) return false;
  if (a.kind === 'quote') return b.kind === 'quote' && a.bid === b.bid && a.ask === b.ask;
  if (a.kind === 'trade')
    return b.kind === 'trade' && a.price === b.price && a.side === b.side && a.spread === b.spread;
  const isBar = b.kind === 'bar' && a.spread === b.spread;
  return isBar && a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;
}

type Described = Evidence | (Omit<Evidence, 'time'> & { readonly time: number });

export function describeEvidence(evidence: Described): string {
  const e = evidence as Evidence;
  if (e.kind === 'quote') return `quote ${e.seq} (${e.bid} / ${e.ask})`;
  if (e.kind === 'trade') return `trade ${e.seq} (${e.side} at ${e.price})`;
  return `bar ${e.seq} (${e.low} to ${e.high})`;
}
