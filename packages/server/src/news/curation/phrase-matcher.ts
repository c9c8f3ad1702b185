// Finds many phrases in a text in one pass. If several start at the same word, the longest one matches, and its words are
// not matched again: "gold medal" is not "gold".
import { stemsOf } from './tokenizer.ts';

export interface PhraseMatch<T> {
  readonly value: T;
  /** Index of its first word, and its number of words. */
  readonly at: number;
  readonly length: number;
}

interface Phrase<T> {
  readonly stems: readonly string[];
  readonly value: T;
}

export class PhraseMatcher<T> {
  readonly #byFirst = new Map<string, Phrase<T>[]>();

  constructor(phrases: Iterable<readonly [phrase: string, value: T]> = []) {
    for (const [phrase, value] of phrases) this.add(phrase, value);
  }

  /** A phrase that was added before keeps its value. */
  add(phrase: string, value: T): void {
    const stems = stemsOf(phrase);
    const first = stems[0];
    if (first === undefined) return;
    const entries = this.#byFirst.get(first) ?? [];
    if (entries.some((entry) => entry.stems.join(' ') === stems.join(' '))) return;
    entries.push({ stems, value });
    entries.sort((a, b) => b.stems.length - a.stems.length);
    this.#byFirst.set(first, entries);
  }

  find(stems: readonly string[]): PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    for (let at = 0; at < stems.length; at++) {
      const entry = this.#byFirst
        .get(stems[at]!)
        ?.find((each) => each.stems.every((stem, n) => stems[at + n] === stem));
      if (!entry) continue;
      found.push({ value: entry.value, at, length: entry.stems.length });
      at += entry.stems.length - 1;
    }
    return found;
  }
}
