// Index of recent items that finds near-duplicates of a new one. Two items are the same news if their titles report the same
// (similarity.ts), they mention the same instruments, and they were published within the cluster window of each other. Two
// items of one origin that differ in figures or a few words are a revision within the shorter revision window.
//
// Candidates come from an inverted index of shingles, so a lookup touches only titles that share some. Memory is bounded by
// the number of items, their age, and the length of each posting list, which keeps the newest items.

import type { EpochMs } from '@tickwire/engine';
import { HOUR_MS } from '@tickwire/engine';
import { originOf, type RawItem } from '../news-source.ts';
import { isRevision, isSameNews, minSharedShingles } from './similarity.ts';
import { type TitleFeatures, titleFeatures } from './title-features.ts';

export const CLUSTER_WINDOW_MS = 12 * HOUR_MS;
export const REVISION_WINDOW_MS = 6 * HOUR_MS;
/** Sources repeat their items for days: items are remembered longer than the maximum age plus the cluster window. */
const MAX_AGE_MS = 60 * HOUR_MS;
const MAX_ITEMS = 20_000;
const MAX_LIST_LENGTH = 64;

export interface ComparableItem extends Pick<RawItem, 'source' | 'account'> {
  readonly id: string;
  readonly title: string;
  readonly symbols: readonly string[];
  readonly publishedAt: EpochMs;
  readonly seenAt: EpochMs;
}

interface Entry<T extends ComparableItem> {
  item: T;
  features: TitleFeatures;
}

export interface NearDuplicate<T> {
  readonly item: T;
  readonly relation: 'same' | 'revision';
}

export interface NearDuplicateOptions {
  /** Default: 12 hours. */
  readonly windowMs?: number;
  /** Default: 20,000. */
  readonly maxItems?: number;
}

export class NearDuplicateIndex<T extends ComparableItem> {
  readonly #windowMs: number;
  readonly #maxItems: number;
  readonly #entries = new Map<string, Entry<T>>();
  /** Oldest first; entries before `#first` were removed. */
  #order: Entry<T>[] = [];
  #first = 0;
  readonly #index = new Map<number, Entry<T>[]>();
  #newest = 0;
  /** Features of the title that was looked up last: usually it is added next. */
  #last: { title: string; source: string; features: TitleFeatures } | null = null;

  constructor({ windowMs = CLUSTER_WINDOW_MS, maxItems = MAX_ITEMS }: NearDuplicateOptions = {}) {
    this.#windowMs = windowMs;
    this.#maxItems = maxItems;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Total length of all posting lists, which determines the memory of the index. */
  get postings(): number {
    let total = 0;
    for (const list of this.#index.values()) total += list.length;
    return total;
  }

  get(id: string): T | undefined {
    return this.#entries.get(id)?.item;
  }

  /** The earliest item with the same news, or else the latest item that the new one revises. */
  find(item: ComparableItem): NearDuplicate<T> | null {
    const features = this.#features(item);
    let same: T | null = null;
    let revised: T | null = null;
    for (const entry of this.#candidates(features)) {
      const other = entry.item;
      const distance = Math.abs(other.publishedAt - item.publishedAt);
      if (distance > this.#windowMs || !sameSymbols(item.symbols, other.symbols)) continue;
      if (isSameNews(features, entry.features)) {
        if (!same || other.publishedAt < same.publishedAt) same = other;
      } else if (
        originOf(other) === originOf(item) &&
        distance <= REVISION_WINDOW_MS &&
        isRevision(features, entry.features)
      ) {
        if (!revised || other.publishedAt > revised.publishedAt) revised = other;
      }
    }
    if (same) return { item: same, relation: 'same' };
    return revised && { item: revised, relation: 'revision' };
  }

  /** Adds an item, or replaces the one with the same id. */
  put(item: T): void {
    const known = this.#entries.get(item.id);
    if (known && known.item.title === item.title) {
      known.item = item;
      return;
    }
    let entry = known;
    if (entry) {
      this.#removeFromIndex(entry);
      entry.item = item;
      entry.features = this.#features(item);
    } else {
      entry = { item, features: this.#features(item) };
      this.#entries.set(item.id, entry);
      this.#order.push(entry);
    }
    this.#addToIndex(entry);
    this.#newest = Math.max(this.#newest, item.seenAt);
    this.#evict();
  }

  #features({ title, source }: ComparableItem): TitleFeatures {
    if (this.#last?.title !== title || this.#last.source !== source)
      this.#last = { title, source, features: titleFeatures(title, source) };
    return this.#last.features;
  }

  #candidates(features: TitleFeatures): Entry<T>[] {
    const shared = new Map<Entry<T>, number>();
    for (const shingle of features.shingles)
      for (const entry of this.#index.get(shingle) ?? []) shared.set(entry, (shared.get(entry) ?? 0) + 1);
    const minShared = minSharedShingles(features);
    const candidates: Entry<T>[] = [];
    for (const [entry, count] of shared) if (count >= minShared) candidates.push(entry);
    return candidates;
  }

  #addToIndex(entry: Entry<T>): void {
    for (const shingle of entry.features.shingles) {
      const list = this.#index.get(shingle);
      if (!list) this.#index.set(shingle, [entry]);
      else if (list.push(entry) > MAX_LIST_LENGTH) list.shift();
    }
  }

  #removeFromIndex(entry: Entry<T>): void {
    for (const shingle of entry.features.shingles) {
      const list = this.#index.get(shingle);
      const at = list?.indexOf(entry) ?? -1;
      if (!list || at < 0) continue;
      list.splice(at, 1);
      if (list.length === 0) this.#index.delete(shingle);
    }
  }

  #evict(): void {
    for (;;) {
      const oldest = this.#order[this.#first];
      if (!oldest) return;
      if (this.#entries.size <= this.#maxItems && oldest.item.seenAt >= this.#newest - MAX_AGE_MS) return;
      this.#removeFromIndex(oldest);
      this.#entries.delete(oldest.item.id);
      if (++this.#first < this.#order.length / 2) continue;
      this.#order = this.#order.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** "Gold falls 1 %" and "Silver falls 1 %" are two items. */
const sameSymbols = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((symbol) => b.includes(symbol));
