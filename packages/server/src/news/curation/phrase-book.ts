// Looks up many phrases in a text at once. Where several begin at the same word the longest counts, and words that are
// taken by one phrase are not read again: "gold medal" is not "gold".
import { stemsOf } from './words.ts';

export interface Found<T> {
  readonly value: T;
  /** Place of its first word, and how many words it takes. */
  readonly at: number;
  readonly length: number;
}

interface Entry<T> {
  readonly stems: readonly string[];
  readonly value: T;
}

export class PhraseBook<T> {
  readonly #byFirst = new Map<string, Entry<T>[]>();

  constructor(phrases: Iterable<readonly [phrase: string, value: T]> = []) {
    for (const [phrase, value] of phrases) this.add(phrase, value);
  }

  /** A phrase that is there already keeps its value. */
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

  find(stems: readonly string[]): Found<T>[] {
    const found: Found<T>[] = [];
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
