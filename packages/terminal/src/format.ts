// Numbers and times as a trader reads them. Prices are plain digits without grouping, like on a ticket.

/** Used instead of the hyphen: it is as wide as the plus, so columns stay still. */
const MINUS = '−';
export const NOTHING = '–';

const signed = (value: number, text: string): string => {
  // Anything that rounds to zero has no sign.
  if (!/[1-9]/.test(text)) return text;
  return value > 0 ? `+${text}` : `${MINUS}${text}`;
};

export type Sign = 'up' | 'down' | 'none';

/** The direction a formatted figure shows, which is not that of the number where it rounds to nothing. */
export function signOf(text: string): Sign {
  if (text.startsWith('+')) return 'up';
  return text.startsWith(MINUS) ? 'down' : 'none';
}

/** Decimals of a number as JSON carried it: 1.08345 → 5, 1e-7 → 7. */
export function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const places = mantissa.split('.')[1]?.length ?? 0;
  return Math.min(12, Math.max(0, places - Number(exponent)));
}

export function price(value: number | null, digits: number): string {
  return value === null ? NOTHING : value.toFixed(digits).replace('-', MINUS);
}

/** Fraction as a signed percentage with two decimals. */
export function percent(fraction: number | null): string {
  return fraction === null ? NOTHING : `${signed(fraction, Math.abs(fraction * 100).toFixed(2))}%`;
}

export function pips(spread: number | null, pipSize: number): string {
  return spread === null ? NOTHING : (spread / pipSize).toFixed(1).replace('-', MINUS);
}

const UNITS = [
  { at: 1e9, unit: 'B' },
  { at: 1e6, unit: 'M' },
  { at: 1e4, unit: 'k' },
] as const;

/** Volumes: three or four significant figures, since nobody reads more while they move. */
export function volume(value: number): string {
  const size = Math.abs(value);
  for (const { at, unit } of UNITS) {
    const scale = at === 1e4 ? 1e3 : at;
    if (size >= at) return `${(size / scale).toFixed(size / scale >= 100 ? 0 : 1)}${unit}`;
  }
  return size >= 100 ? size.toFixed(0) : size >= 1 || size === 0 ? size.toFixed(1) : size.toPrecision(2);
}

export function signedVolume(value: number): string {
  return signed(value, volume(value));
}

/** The parts of a price with the two figures that move (those that end at the pip) set apart. */
export function pipParts(value: number, digits: number, pipSize: number): readonly [string, string, string] {
  const text = price(value, digits);
  const pipDecimals = decimalsOf(pipSize);
  const point = text.indexOf('.');
  if (point < 0 || pipDecimals < 2) return [text, '', ''];
  const end = point + 1 + pipDecimals;
  return [text.slice(0, end - 2), text.slice(end - 2, end), text.slice(end)];
}

export function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`;
}
