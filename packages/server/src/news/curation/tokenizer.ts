// Splits a text into words. Categories, instruments and near-duplicates are found by these words.

export interface Tokens {
  /** Lower case, without accents, possessives and plural endings; numbers in plain notation. */
  readonly stems: readonly string[];
  /** The same words as written. */
  readonly written: readonly string[];
}

const LINK = /https?:\/\/\S+/gi;
const INITIALS = /\b([A-Za-z])\.(?=[A-Za-z]\b)/g;
const POSSESSIVE = /['’]s\b/gi;
const WORD = /\$?\p{L}[\p{L}\p{N}]*|\p{N}+(?:[.,]\p{N}+)*/gu;
const ACCENTS = /\p{M}+/gu;

export function tokenize(text: string): Tokens {
  const plain = text.replace(LINK, ' ').replace(INITIALS, '$1').replace(POSSESSIVE, '');
  const written: readonly string[] = plain.match(WORD) ?? [];
  return { stems: written.map(stemOf), written };
}

export const isNumber = (stem: string): boolean => stem.charCodeAt(0) >= 48 && stem.charCodeAt(0) <= 57;

export const stemsOf = (phrase: string): readonly string[] => tokenize(phrase).stems;

function stemOf(word: string): string {
  let stem = word.toLowerCase();
  if (isNumber(stem)) return normalizeNumber(stem);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for anything beyond ASCII
  if (/[^\x00-\x7f]/.test(stem)) stem = stem.normalize('NFD').replace(ACCENTS, '');
  if (stem.length <= 3 || !stem.endsWith('s') || /(?:ss|us|is)$/.test(stem)) return stem;
  if (stem.endsWith('ies')) return `${stem.slice(0, -3)}y`;
  return stem.endsWith('sses') ? stem.slice(0, -2) : stem.slice(0, -1);
}

/** "3,842" equals "3842" and "1.10" equals "1.1"; "0,8" is a decimal. */
function normalizeNumber(text: string): string {
  const number = Number(text.replace(/,(?=\d{3}(?!\d))/g, '').replace(',', '.'));
  return Number.isNaN(number) ? text : String(number);
}
