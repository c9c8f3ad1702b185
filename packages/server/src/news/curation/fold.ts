// The items that a new one may be the same as. Two titles that tell the same (similarity.ts) and name the same instruments
// are one item if they were published within the window of each other; two of one source that differ in figures or a few
// words are a revision if within the shorter one.
//
// Candidates come from an inverted index of shingles, so a look-up touches only titles that share some. Memory is bounded
// by the number of items, their age, and the length of each list of the index, which keeps the newest.
import type { EpochMs } from '@tickwire/engine';
import { fewestShared, revises, tellTheSame } from './similarity.ts';
import { sketchOf, type TitleSketch } from './title-sketch.ts';

const HOUR = 3_600_000;
export const FOLD_WINDOW_MS = 12 * HOUR;
export const REVISION_WINDOW_MS = 6 * HOUR;
/** Sources repeat what they have for days; an item is known for longer than any that is still taken may lie behind it. */
const KEPT_MS = 60 * HOUR;
const MOST_ITEMS = 20_000;
const LONGEST_LIST = 64;

export interface Foldable {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly symbols: readonly string[];
  readonly publishedAt: EpochMs;
  readonly seenAt: EpochMs;
}

interface Entry<T extends Foldable> {
  item: T;
  sketch: TitleSketch;
}

export interface Match<T> {
  readonly item: T;
  readonly relation: 'same' | 'revision';
}

export interface FoldOptions {
  readonly windowMs?: number;
  readonly mostItems?: number;
}

export class Fold<T extends Foldable> {
  readonly #windowMs: number;
  readonly #mostItems: number;
  readonly #entries = new Map<string, Entry<T>>();
  /** Oldest first, from `#first` on: what is before was forgotten. */
  #order: Entry<T>[] = [];
  #first = 0;
  readonly #index = new Map<number, Entry<T>[]>();
  #newest = 0;
  /** Of the title looked up last: it is the one that is put in next. */
  #last: { title: string; source: string; sketch: TitleSketch } | null = null;

  constructor({ windowMs = FOLD_WINDOW_MS, mostItems = MOST_ITEMS }: FoldOptions = {}) {
    this.#windowMs = windowMs;
    this.#mostItems = mostItems;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Items in all lists of the index: what its memory goes with. */
  get indexed(): number {
    let all = 0;
    for (const list of this.#index.values()) all += list.length;
    return all;
  }

  get(id: string): T | undefined {
    return this.#entries.get(id)?.item;
  }

  /** The earliest item that a new one is the same as, or else the latest that it revises. */
  find(item: Foldable): Match<T> | null {
    const sketch = this.#sketch(item);
    let same: T | null = null;
    let revised: T | null = null;
    for (const entry of this.#candidates(sketch)) {
      const other = entry.item;
      const apart = Math.abs(other.publishedAt - item.publishedAt);
      if (apart > this.#windowMs || !sameSymbols(item.symbols, other.symbols)) continue;
      if (tellTheSame(sketch, entry.sketch)) {
        if (!same || other.publishedAt < same.publishedAt) same = other;
      } else if (other.source === item.source && apart <= REVISION_WINDOW_MS && revises(sketch, entry.sketch)) {
        if (!revised || other.publishedAt > revised.publishedAt) revised = other;
      }
    }
    if (same) return { item: same, relation: 'same' };
    return revised && { item: revised, relation: 'revision' };
  }

  /** Takes an item, or its new state if it is known. */
  put(item: T): void {
    const known = this.#entries.get(item.id);
    if (known && known.item.title === item.title) {
      known.item = item;
      return;
    }
    let entry = known;
    if (entry) {
      this.#unlist(entry);
      entry.item = item;
      entry.sketch = this.#sketch(item);
    } else {
      entry = { item, sketch: this.#sketch(item) };
      this.#entries.set(item.id, entry);
      this.#order.push(entry);
    }
    this.#list(entry);
    this.#newest = Math.max(this.#newest, item.seenAt);
    this.#forget();
  }

  #sketch({ title, source }: Foldable): TitleSketch {
    if (this.#last?.title !== title || this.#last.source !== source)
      this.#last = { title, source, sketch: sketchOf(title, source) };
    return this.#last.sketch;
  }

  #candidates(sketch: TitleSketch): Entry<T>[] {
    const shared = new Map<Entry<T>, number>();
    for (const shingle of sketch.shingles)
      for (const entry of this.#index.get(shingle) ?? []) shared.set(entry, (shared.get(entry) ?? 0) + 1);
    const fewest = fewestShared(sketch);
    const candidates: Entry<T>[] = [];
    for (const [entry, count] of shared) if (count >= fewest) candidates.push(entry);
    return candidates;
  }

  #list(entry: Entry<T>): void {
    for (const shingle of entry.sketch.shingles) {
      const list = this.#index.get(shingle);
      if (!list) this.#index.set(shingle, [entry]);
      else if (list.push(entry) > LONGEST_LIST) list.shift();
    }
  }

  #unlist(entry: Entry<T>): void {
    for (const shingle of entry.sketch.shingles) {
      const list = this.#index.get(shingle);
      const at = list?.indexOf(entry) ?? -1;
      if (!list || at < 0) continue;
      list.splice(at, 1);
      if (list.length === 0) this.#index.delete(shingle);
    }
  }

  #forget(): void {
    for (;;) {
      const oldest = this.#order[this.#first];
      if (!oldest) return;
      if (this.#entries.size <= this.#mostItems && oldest.item.seenAt >= this.#newest - KEPT_MS) return;
      this.#unlist(oldest);
      this.#entries.delete(oldest.item.id);
      if (++this.#first < this.#order.length / 2) continue;
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** "Gold falls 1 %" and "Silver falls 1 %" are two items. */
const sameSymbols = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((symbol) => other.includes(symbol));
