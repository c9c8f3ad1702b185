// Decides whether two titles report the same news. All of these must hold:
//
// - The figures agree: those of one title are a subset of the other's (a shorter title may omit figures).
// - The titles do not contradict each other: buy and sell, gold rises and gold falls.
// - The Jaccard similarity of their pairs of neighbouring words is at least 0.4 if the words of one title are a subset of the
//   other's, and at least 0.7 if each has words that the other lacks: an added word is detail, a replaced word is usually
//   other news.
// - If each has words that the other lacks, the first significant word of each also occurs in the other: "Copper futures
//   fall" and "Nickel futures fall" have all other words in common.
//
// Titles of fewer than four significant words are the same only if all their words and figures are.
import { contradicts } from './direction-words.ts';
import { MIN_COMPARABLE_WORDS, type TitleFeatures } from './title-features.ts';

/** Jaccard thresholds: if one title only adds words, and if words were replaced. */
const SAME_ADDED = 0.4;
const SAME_REPLACED = 0.7;
const REVISION_ADDED = 0.6;
const REVISION_REPLACED = 0.75;

export function isSameNews(a: TitleFeatures, b: TitleFeatures): boolean {
  if (isShort(a, b)) return sameSequence(a.words, b.words) && sameSet(a.figures, b.figures);
  if (!isSubset(a.figures, b.figures) && !isSubset(b.figures, a.figures)) return false;
  return isSimilar(a, b, SAME_ADDED, SAME_REPLACED);
}

/** Whether the titles differ only in figures or a few words, as when a source revises its own headline. */
export const isRevision = (a: TitleFeatures, b: TitleFeatures): boolean =>
  !isShort(a, b) && isSimilar(a, b, REVISION_ADDED, REVISION_REPLACED);

function isSimilar(a: TitleFeatures, b: TitleFeatures, added: number, replaced: number): boolean {
  if (contradicts(a.wordSet, b.wordSet) || directionsDiffer(a.directions, b.directions)) return false;
  const similarity = jaccard(a.shingles, b.shingles);
  if (isSubset(a.wordSet, b.wordSet) || isSubset(b.wordSet, a.wordSet)) return similarity >= added;
  return similarity >= replaced && b.wordSet.has(a.words[0]!) && a.wordSet.has(b.words[0]!);
}

function directionsDiffer(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  for (const [word, direction] of a) if ((b.get(word) ?? direction) !== direction) return true;
  return false;
}

const isShort = (a: TitleFeatures, b: TitleFeatures): boolean =>
  Math.min(a.words.length, b.words.length) < MIN_COMPARABLE_WORDS;

/** Whether two titles that link to one page can be about the same thing: some sources link all their items to one page. */
export function sharesWords(a: TitleFeatures, b: TitleFeatures): boolean {
  let shared = 0;
  for (const word of a.wordSet) if (b.wordSet.has(word)) shared++;
  return shared * 3 >= Math.min(a.wordSet.size, b.wordSet.size);
}

/** Number of shingles that two titles must share for either rule to hold. */
export const minSharedShingles = (features: TitleFeatures): number =>
  Math.max(1, Math.ceil(features.shingles.size * SAME_ADDED));

function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

function isSubset<T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean {
  if (part.size > whole.size) return false;
  for (const each of part) if (!whole.has(each)) return false;
  return true;
}

const sameSet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean => a.size === b.size && isSubset(a, b);
const sameSequence = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((word, at) => word === b[at]);
