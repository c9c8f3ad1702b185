// Numbers as a trader reads them, in the format of the preferences. Default: plain digits without grouping, as on a ticket.
import type { Instrument } from '@tickwire/client';
import { type NumberFormat, preferences } from './preferences.ts';

/** Instead of the hyphen: as wide as the plus, so that columns do not move. */
const MINUS = '−';
export const NO_VALUE = '–';

const SIGNS: Readonly<Record<NumberFormat, { readonly group: string; readonly decimal: string }>> = {
  plain: { group: '', decimal: '.' },
  comma: { group: ',', decimal: '.' },
  dot: { group: '.', decimal: ',' },
  // A narrow no-break space.
  space: { group: '\u202f', decimal: ',' },
};

/** Formats a number written by JavaScript, such as -1234.50. Exponents stay as they are. */
export function setNumber(plain: string, format: NumberFormat = preferences.choices.numbers): string {
  const { group, decimal } = SIGNS[format];
  const [, minus = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(plain) ?? ['', '', '', plain];
  const grouped = group === '' ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  return `${minus && MINUS}${grouped}${rest.replace('.', decimal)}`;
}

export const signed = (value: number, text: string): string => {
  // A value that rounds to zero has no sign.
  if (!/[1-9]/.test(text)) return text;
  return value > 0 ? `+${text}` : `${MINUS}${text}`;
};

/** With a sign and a fixed number of decimals. */
export const signedFigure = (value: number, decimals: number): string =>
  signed(value, setNumber(Math.abs(value).toFixed(decimals)));

export type Sign = 'up' | 'down' | 'none';

/** The sign of a formatted figure; 'none' if it was rounded to zero. */
export function signOf(text: string): Sign {
  if (text.startsWith('+')) return 'up';
  return text.startsWith(MINUS) ? 'down' : 'none';
}

/** Decimals of a JSON number: 1.08345 → 5, 1e-7 → 7. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const places = mantissa.split('.')[1]?.length ?? 0;
  return Math.min(12, Math.max(0, places - Number(exponent)));
}

/** For a field, or where exponents cannot be read: 8e-7 → 0.0000008. */
export const plainNumber = (value: number): string => value.toFixed(decimalsOf(value));

export function price(value: number | null, digits: number): string {
  return value === null ? NO_VALUE : setNumber(value.toFixed(digits));
}

/** Fraction as a signed percentage with two decimals. */
export function percent(fraction: number | null): string {
  return fraction === null ? NO_VALUE : `${signed(fraction, setNumber(Math.abs(fraction * 100).toFixed(2)))}%`;
}

export function pips(spread: number | null, pipSize: number): string {
  return spread === null ? NO_VALUE : setNumber((spread / pipSize).toFixed(1));
}

export type MoveUnit = 'pips' | 'points';

/** What moves of an instrument are counted in, each as large as its `pip_size`: pips for forex and metals, otherwise points. */
export const moveUnit = (instrument: Pick<Instrument, 'type'> | undefined): MoveUnit =>
  instrument === undefined || instrument.type === 'forex' || instrument.type === 'metal' ? 'pips' : 'points';

const UNITS = [
  { at: 1e9, unit: 'B' },
  { at: 1e6, unit: 'M' },
  { at: 1e4, unit: 'k' },
] as const;

/** Volumes with three or four significant figures: nobody reads more while they change. Errors of rounding in a sum are zero. */
export function volume(value: number): string {
  const size = Math.abs(value);
  for (const { at, unit } of UNITS) {
    const scale = at === 1e4 ? 1e3 : at;
    if (size >= at) return `${setNumber((size / scale).toFixed(size / scale >= 100 ? 0 : 1))}${unit}`;
  }
  return setNumber(size >= 100 ? size.toFixed(0) : size >= 1 || size < 1e-6 ? size.toFixed(1) : size.toPrecision(2));
}

export function signedVolume(value: number): string {
  return signed(value, volume(value));
}

/** Counts and their averages: whole if large, with decimals if small. A value above zero is never shown as 0. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return setNumber(value.toFixed(0));
  if (size < 0.01) return `<${setNumber('0.01')}`;
  return setNumber(String(Number(value.toFixed(size < 1 ? 2 : 1))));
}

/** Splits a price so that the two digits that end at the pip can be emphasized. */
export function pipParts(value: number, digits: number, pipSize: number): readonly [string, string, string] {
  const text = price(value, digits);
  const pipDecimals = decimalsOf(pipSize);
  if (digits === 0 || pipDecimals < 2) return [text, '', ''];
  const end = text.length - digits + pipDecimals;
  return [text.slice(0, end - 2), text.slice(end - 2, end), text.slice(end)];
}

export function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`;
}
