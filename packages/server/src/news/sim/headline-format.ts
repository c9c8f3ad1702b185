// Formats prices, percentages, times and instrument names in simulated headlines.
import { iso } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { pairSides } from '../curation/asset-names.ts';

/** By number of decimals: making a formatter takes longer than making a headline. */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(decimals: number): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, format);
  return format;
}

/** Five significant digits: 1.1684, 152.31, 3,842.1, 105,230. */
export function formatPrice(price: number, { digits }: InstrumentSpec): string {
  const decimals = Math.max(0, Math.min(digits, 4 - Math.floor(Math.log10(price))));
  return formatOf(decimals).format(price);
}

/** Without sign: the words express the direction. */
export const formatPercent = (percent: number): string =>
  `${Math.abs(percent).toFixed(Math.abs(percent) < 1 ? 2 : 1)}%`;

const SPANS: Readonly<Record<number, string>> = {
  15: '15 minutes',
  60: 'an hour',
  120: 'two hours',
  180: 'three hours',
  240: 'four hours',
};
export const formatSpan = (minutes: number): string => SPANS[minutes] ?? `${minutes} minutes`;

/** A pair by both codes, a share by its symbol (no real company is named), anything else by its name. */
export function subjectOf({ symbol, name, type }: InstrumentSpec): string {
  const sides = pairSides(symbol);
  if (type === 'forex' && sides) return sides.join('/');
  if (type === 'equity') return symbol;
  return name.split(' / ')[0]!;
}

export const formatClock = (time: number): string => iso(time).slice(11, 16);
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
