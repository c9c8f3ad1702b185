// When two titles tell the same. All of this has to hold:
//
// - the figures agree: those of one are among those of the other (a shorter title may leave figures out);
// - neither says the opposite of the other: buy and sell, gold that rises and gold that falls;
// - the Jaccard measure of pairs of neighbouring words is at least 0.4 where one title only says more than the other, and
//   at least 0.7 where each has words that the other lacks: a word added is detail, a word replaced is mostly other news;
// - where each has words that the other lacks, the first telling word of each stands in the other: "Copper futures fall" and
//   "Nickel futures fall" have all the rest in common.
//
// Titles of fewer than four telling words are the same only if all their words and figures are.
import { contradict } from './direction-words.ts';
import { FEWEST_WORDS, type TitleSketch } from './title-sketch.ts';

const SAME_WITH_MORE = 0.4;
const SAME_WITH_OTHER = 0.7;
const REVISED_WITH_MORE = 0.6;
const REVISED_WITH_OTHER = 0.75;

export function tellTheSame(one: TitleSketch, other: TitleSketch): boolean {
  if (tooShort(one, other)) return sameInOrder(one.words, other.words) && sameSet(one.figures, other.figures);
  if (!within(one.figures, other.figures) && !within(other.figures, one.figures)) return false;
  return alike(one, other, SAME_WITH_MORE, SAME_WITH_OTHER);
}

/** Whether one is the other again with other figures or a few other words, as a source revises its own headline. */
export const revises = (one: TitleSketch, other: TitleSketch): boolean =>
  !tooShort(one, other) && alike(one, other, REVISED_WITH_MORE, REVISED_WITH_OTHER);

function alike(one: TitleSketch, other: TitleSketch, withMore: number, withOther: number): boolean {
  if (contradict(one.wordSet, other.wordSet) || goOtherWays(one.ways, other.ways)) return false;
  const measure = jaccard(one.shingles, other.shingles);
  if (within(one.wordSet, other.wordSet) || within(other.wordSet, one.wordSet)) return measure >= withMore;
  return measure >= withOther && other.wordSet.has(one.words[0]!) && one.wordSet.has(other.words[0]!);
}

function goOtherWays(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  for (const [word, way] of one) if ((other.get(word) ?? way) !== way) return true;
  return false;
}

const tooShort = (one: TitleSketch, other: TitleSketch): boolean =>
  Math.min(one.words.length, other.words.length) < FEWEST_WORDS;

/** Whether two titles of one page can be about one thing at all: some pages are the address of everything a source writes. */
export function shareWords(one: TitleSketch, other: TitleSketch): boolean {
  let shared = 0;
  for (const word of one.wordSet) if (other.wordSet.has(word)) shared++;
  return shared * 3 >= Math.min(one.wordSet.size, other.wordSet.size);
}

/** The fewest shingles two titles share if either of the rules is to hold. */
export const fewestShared = (one: TitleSketch): number => Math.max(1, Math.ceil(one.shingles.size * SAME_WITH_MORE));

function jaccard(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of one) if (other.has(each)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

function within<T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean {
  if (part.size > whole.size) return false;
  for (const each of part) if (!whole.has(each)) return false;
  return true;
}

const sameSet = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean =>
  one.size === other.size && within(one, other);
const sameInOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && one.length === other.length && one.every((word, at) => word === other[at]);
