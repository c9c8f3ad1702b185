// Turns the raw items of all sources into one feed: plain text, category, instruments, near-duplicates clustered, revisions
// detected. Items are processed one at a time in the order of arrival. The curator reads no clock and no file: the same
// items in the same order always give the same feed.
import { asEpochMs, type EpochMs, HOUR_MS, type InstrumentSpec } from '@tickwire/engine';
import { plainText } from '../../documents/plain-text.ts';
import { LruMap } from '../../work/lru-map.ts';
import { MAX_AHEAD_MS, originOf, type RawItem } from '../news-source.ts';
import { CategoryClassifier } from './category-classifier.ts';
import { type Curated, type CuratedItem, LEFT_OUT_REASONS, type LeftOutReason } from './curated-item.ts';
import { InstrumentMatcher } from './instrument-matcher.ts';
import { itemId, pageKey, publicUrl } from './item-identity.ts';
import { NearDuplicateIndex } from './near-duplicates.ts';
import { sharesWords } from './similarity.ts';
import { titleFeatures } from './title-features.ts';
import { tokenize } from './tokenizer.ts';

/** Maximum age of an item when it is first seen. */
const MAX_AGE_MS = 48 * HOUR_MS;
const SUMMARY_LENGTH = 600;
const MAX_KEYS = 50_000;
const MAX_SOURCES = 50;
/** A source that changes an item more often writes a ticker, not a headline. */
const MAX_REVISIONS = 20;

export type { Curated, CuratedItem, LeftOutReason } from './curated-item.ts';

export interface CuratorOptions {
  /** The list may grow. */
  readonly instruments: readonly InstrumentSpec[];
  /** Number of items that a new one is compared with. */
  readonly maxItems?: number;
}

export class Curator {
  readonly #known: readonly InstrumentSpec[];
  /** Both are made of the instruments. */
  #classifier: CategoryClassifier;
  #matcher: InstrumentMatcher;
  #matched: number;
  readonly #items: NearDuplicateIndex<CuratedItem>;
  /** From the id and from the page of a raw item to the id of the published item. */
  readonly #publishedIds = new LruMap<string, string>(MAX_KEYS);
  readonly #publishedPages = new LruMap<string, string>(MAX_KEYS);
  /** The other origins that an item was counted for. They are not stored: after a restart one may be counted again. */
  readonly #otherOrigins = new LruMap<string, readonly string[]>(MAX_KEYS);
  /** Earlier titles of items: a source that lists both the old and the new title does not change the item back. */
  readonly #knownTitles = new LruMap<string, true>(MAX_KEYS);
  readonly #leftOut = new Map<LeftOutReason, number>(LEFT_OUT_REASONS.map((reason) => [reason, 0]));

  constructor({ instruments, maxItems }: CuratorOptions) {
    this.#known = instruments;
    this.#classifier = new CategoryClassifier(instruments);
    this.#matcher = new InstrumentMatcher(instruments);
    this.#matched = instruments.length;
    this.#items = new NearDuplicateIndex(maxItems === undefined ? {} : { maxItems });
  }

  /** Number of items left out, by reason. */
  get leftOut(): Readonly<Record<LeftOutReason, number>> {
    return Object.fromEntries(this.#leftOut) as Record<LeftOutReason, number>;
  }

  /** Number of entries in memory: items to compare with, postings of their index, and keys of all maps. */
  get sizes(): { readonly items: number; readonly postings: number; readonly keys: number } {
    return {
      items: this.#items.size,
      postings: this.#items.postings,
      keys: this.#publishedIds.size + this.#publishedPages.size + this.#knownTitles.size + this.#otherOrigins.size,
    };
  }

  take(raw: RawItem): Curated {
    const title = plainText(raw.title);
    if (!/[\p{L}\p{N}]/u.test(title)) return this.#leaveOut('empty');
    const publishedAt = publishedAtOf(raw);
    if (raw.seenAt - publishedAt > MAX_AGE_MS) return this.#leaveOut('too_old');
    const url = publicUrl(raw.url);
    const id = itemId(raw, url, title, publishedAt);
    const page = url && pageKey(url);
    const publishedId = this.#publishedIds.get(id) ?? (page ? this.#publishedOnPage(page, raw, title) : undefined);
    if (publishedId !== undefined) return this.#repeat(raw, id, publishedId, title);

    const item = this.#analyze(raw, { id, title, url, publishedAt });
    if (!item) return this.#leaveOut('off_topic');
    const match = this.#items.find(item);
    if (!match) {
      this.#remember(id, page, id);
      this.#put(item);
      return { kind: 'new', item };
    }
    this.#remember(id, page, match.item.id);
    return match.relation === 'same' ? this.#addToCluster(match.item, originOf(raw)) : this.#revise(match.item, item);
  }

  /** Loads items of an earlier run, in any order: new items are compared with them. */
  restore(items: Iterable<CuratedItem>): void {
    for (const item of [...items].sort((a, b) => a.seenAt - b.seenAt)) {
      this.#remember(item.id, item.url && pageKey(item.url), item.id);
      this.#put(item);
    }
  }

  /** `null` if the item is off topic. */
  #analyze(raw: RawItem, known: Pick<CuratedItem, 'id' | 'title' | 'url' | 'publishedAt'>): CuratedItem | null {
    if (this.#matched < this.#known.length) {
      this.#classifier = new CategoryClassifier(this.#known);
      this.#matcher = new InstrumentMatcher(this.#known);
      this.#matched = this.#known.length;
    }
    const words = tokenize(known.title);
    const summary = raw.summary ? tokenize(plainText(raw.summary, SUMMARY_LENGTH)) : null;
    const classification = this.#classifier.classify(raw.category, words, summary);
    if ('offTopic' in classification) return null;
    const symbols = this.#matcher.match(words);
    return {
      ...known,
      category: classification.category,
      symbols: symbols.length > 0 || !summary ? symbols : this.#matcher.match(summary),
      source: raw.source,
      account: raw.account,
      guid: raw.guid,
      isTimeStated: hasTime(raw),
      seenAt: raw.seenAt,
      cluster: 1,
      revision: 0,
    };
  }

  /**
   * Id of the item published for this page, unless the titles have nothing in common. An item that another account pushed does
   * not count: anyone could push a headline for the page of a source, and the headline of the source would not appear.
   */
  #publishedOnPage(page: string, { account }: RawItem, title: string): string | undefined {
    const id = this.#publishedPages.get(page);
    const published = id === undefined ? undefined : this.#items.get(id);
    if (!published) return id;
    if (published.account && published.account.id !== account?.id) return undefined;
    return sharesWords(titleFeatures(title), titleFeatures(published.title)) ? id : undefined;
  }

  /** An item with a known id or page: of the same origin it may be a revision, of another origin it only counts. */
  #repeat(raw: RawItem, id: string, publishedId: string, title: string): Curated {
    this.#publishedIds.set(id, publishedId);
    const published = this.#items.get(publishedId);
    if (!published) return this.#leaveOut('duplicate');
    if (originOf(published) !== originOf(raw)) return this.#addToCluster(published, originOf(raw));
    if (this.#knownTitles.get(titleKey(publishedId, title))) return this.#leaveOut('duplicate');
    const { url, publishedAt } = published;
    const item = this.#analyze(raw, { id: publishedId, title, url, publishedAt });
    return this.#revise(published, item ?? { ...published, title });
  }

  #addToCluster(published: CuratedItem, origin: string): Curated {
    const others = this.#otherOrigins.get(published.id) ?? [];
    if (origin === originOf(published) || others.includes(origin) || others.length >= MAX_SOURCES)
      return this.#leaveOut('duplicate');
    this.#otherOrigins.set(published.id, [...others, origin]);
    const cluster = published.cluster + 1;
    this.#items.put({ ...published, cluster });
    return { kind: 'clustered', id: published.id, cluster };
  }

  /** The title, category and instruments change; id, URL and times stay. */
  #revise(published: CuratedItem, { title, category, symbols }: CuratedItem): Curated {
    if (published.revision >= MAX_REVISIONS) return this.#leaveOut('revised_too_often');
    const item = { ...published, title, category, symbols, revision: published.revision + 1 };
    this.#put(item);
    return { kind: 'revised', item };
  }

  #put(item: CuratedItem): void {
    this.#knownTitles.set(titleKey(item.id, item.title), true);
    this.#items.put(item);
  }

  #remember(id: string, page: string | null, publishedId: string): void {
    this.#publishedIds.set(id, publishedId);
    if (page) this.#publishedPages.set(page, publishedId);
  }

  #leaveOut(reason: LeftOutReason): Curated {
    this.#leftOut.set(reason, this.#leftOut.get(reason)! + 1);
    return { kind: 'left_out', reason };
  }
}

const titleKey = (id: string, title: string): string => `${id} ${title}`;

const hasTime = ({ publishedAt, seenAt }: RawItem): boolean =>
  publishedAt !== null && publishedAt > 0 && publishedAt <= seenAt + MAX_AHEAD_MS;

/** An item without a time is sorted as if published when it was seen, and is marked (`isTimeStated`). */
const publishedAtOf = (raw: RawItem): EpochMs =>
  hasTime(raw) ? asEpochMs(Math.min(raw.publishedAt!, raw.seenAt)) : raw.seenAt;

/** Sorts a batch for curation: earliest first, then by descending weight of the source. */
export const compareIntakeOrder = (a: RawItem, b: RawItem): number =>
  publishedAtOf(a) - publishedAtOf(b) || b.weight - a.weight;
