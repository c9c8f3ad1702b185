// Reads numbers as people type or paste them: with a comma or a dot, spaces, separators of thousands, any minus sign.
import { type NumberFormat, preferences } from './preferences.ts';

const GROUPS = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/;

/** `null` if the text is not a number. Exponents are none. */
export function readNumber(text: string, format: NumberFormat = preferences.choices.numbers): number | null {
  const [, sign, digits = ''] = /^([+-]?)(.*)$/.exec(text.replace(/\s/g, '').replace('−', '-'))!;
  const at = decimalAt(digits, format);
  const [whole, decimals] = at === -1 ? [digits, ''] : [digits.slice(0, at), digits.slice(at + 1)];
  const plain = GROUPS.test(whole) ? whole.replace(/[.,]/g, '') : whole;
  if (plain + decimals === '' || !/^\d{0,15}$/.test(plain) || !/^\d{0,12}$/.test(decimals)) return null;
  const value = Number(`${plain}.${decimals}`);
  return sign === '-' && value !== 0 ? -value : value;
}

/** `null` if the text is not a number above 0, such as a price. */
export function readPositive(text: string): number | null {
  const value = readNumber(text);
  return value !== null && value > 0 ? value : null;
}

/**
 * The decimal separator; -1 if there is none. Of dots and commas, it is the last. A single one is the decimal separator, too: 61.000 is 61,
 * because the terminal itself writes prices into fields in that way. Only if the preferences group by commas, 61,000 is 61000.
 */
function decimalAt(digits: string, format: NumberFormat): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last === -1) return -1;
  const isOnlyKind = !digits.includes(digits[last] === '.' ? ',' : '.');
  const isGroup = isOnlyKind && GROUPS.test(digits);
  const isRepeated = digits.indexOf(digits[last]!) !== last;
  return isGroup && (isRepeated || (digits[last] === ',' && format === 'comma')) ? -1 : last;
}
