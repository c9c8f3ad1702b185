// Makes a feed of what the sources bring: one item at a time, in the order they come. It reads no clock and no file: the
// same items in the same order always give the same feed.
import { asEpochMs, type EpochMs, type InstrumentSpec } from '@tickwire/engine';
import type { RawItem } from '../raw-item.ts';
import { type Curated, type CuratedItem, LEFT_OUT_REASONS, type LeftOutReason } from './curated-item.ts';
import { Fold } from './fold.ts';
import { addressOf, idOf, urlOf } from './identity.ts';
import { Instruments } from './instruments.ts';
import { NewestKeys } from './newest-keys.ts';
import { plainText } from './plain-text.ts';
import { shareWords } from './similarity.ts';
import { sketchOf } from './title-sketch.ts';
import { Topics } from './topics.ts';
import { wordsOf } from './words.ts';

const OLDEST_MS = 48 * 3_600_000;
const SUMMARY_LENGTH = 600;
const MOST_NAMES = 50_000;
const MOST_SOURCES = 50;
/** A source that changes an item more often writes a ticker, not a headline. */
const MOST_REVISIONS = 20;

export type { Curated, CuratedItem, LeftOutReason } from './curated-item.ts';

export interface CuratorOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly foldWindowMs?: number;
  /** Items that a new one is compared with. */
  readonly mostItems?: number;
}

export class Curator {
  readonly #topics: Topics;
  readonly #instruments: Instruments;
  readonly #fold: Fold<CuratedItem>;
  /** From an item's own id, and from the address of its page, to the id it is shown under. */
  readonly #shownAs = new NewestKeys<string>(MOST_NAMES);
  readonly #shownAt = new NewestKeys<string>(MOST_NAMES);
  /** The other sources that an item was counted for. They are not stored: after a restart one may be counted again. */
  readonly #others = new NewestKeys<readonly string[]>(MOST_NAMES);
  /** Titles that an item has had: a source that lists both the old and the new one does not change it back. */
  readonly #told = new NewestKeys<true>(MOST_NAMES);
  readonly #leftOut = new Map<LeftOutReason, number>(LEFT_OUT_REASONS.map((reason) => [reason, 0]));

  constructor({ instruments, foldWindowMs, mostItems }: CuratorOptions) {
    this.#topics = new Topics(instruments);
    this.#instruments = new Instruments(instruments);
    this.#fold = new Fold({
      ...(foldWindowMs === undefined ? {} : { windowMs: foldWindowMs }),
      ...(mostItems === undefined ? {} : { mostItems }),
    });
  }

  /** How many were left out, by reason. */
  get leftOut(): Readonly<Record<LeftOutReason, number>> {
    return Object.fromEntries(this.#leftOut) as Record<LeftOutReason, number>;
  }

  /** Items that new ones are compared with, and lists of the index that finds them. */
  get held(): { readonly items: number; readonly indexed: number; readonly names: number } {
    return {
      items: this.#fold.size,
      indexed: this.#fold.indexed,
      names: this.#shownAs.size + this.#shownAt.size + this.#told.size + this.#others.size,
    };
  }

  take(raw: RawItem): Curated {
    const title = plainText(raw.title);
    if (!/[\p{L}\p{N}]/u.test(title)) return this.#leave('empty');
    const publishedAt = publishedAtOf(raw);
    if (raw.seenAt - publishedAt > OLDEST_MS) return this.#leave('too_old');
    const url = urlOf(raw.url);
    const id = idOf(raw, url, title, publishedAt);
    const address = url && addressOf(url);
    const shown = this.#shownAs.get(id) ?? (address ? this.#onPage(address, title) : undefined);
    if (shown !== undefined) return this.#again(raw, id, shown, title);

    const item = this.#read(raw, { id, title, url, publishedAt });
    if (!item) return this.#leave('off_topic');
    const match = this.#fold.find(item);
    if (!match) {
      this.#name(id, address, id);
      this.#show(item);
      return { kind: 'new', item };
    }
    this.#name(id, address, match.item.id);
    return match.relation === 'same' ? this.#count(match.item, raw.source) : this.#revise(match.item, item);
  }

  /** Items that were shown before, in any order: what comes next is compared with them. */
  restore(items: Iterable<CuratedItem>): void {
    for (const item of [...items].sort((a, b) => a.seenAt - b.seenAt)) {
      this.#name(item.id, item.url && addressOf(item.url), item.id);
      this.#show(item);
    }
  }

  #read(raw: RawItem, known: Pick<CuratedItem, 'id' | 'title' | 'url' | 'publishedAt'>): CuratedItem | null {
    const words = wordsOf(known.title);
    const summary = raw.summary ? wordsOf(plainText(raw.summary, SUMMARY_LENGTH)) : null;
    const topic = this.#topics.of(raw.category, words, summary);
    if ('offTopic' in topic) return null;
    const named = this.#instruments.mentioned(words);
    return {
      ...known,
      category: topic.category,
      symbols: named.length > 0 || !summary ? named : this.#instruments.mentioned(summary),
      source: raw.source,
      guid: raw.guid,
      seenAt: raw.seenAt,
      cluster: 1,
      revision: 0,
    };
  }

  /** The item shown for a page, unless the titles have nothing in common. */
  #onPage(address: string, title: string): string | undefined {
    const id = this.#shownAt.get(address);
    const shown = id === undefined ? undefined : this.#fold.get(id);
    return shown && !shareWords(sketchOf(title), sketchOf(shown.title)) ? undefined : id;
  }

  /** An item that is known by its name or its page. What another source has changed stays counted as it was. */
  #again(raw: RawItem, id: string, shownId: string, title: string): Curated {
    this.#shownAs.set(id, shownId);
    const shown = this.#fold.get(shownId);
    if (!shown) return this.#leave('duplicate');
    if (shown.source !== raw.source) return this.#count(shown, raw.source);
    if (this.#told.get(told(shownId, title))) return this.#leave('duplicate');
    const item = this.#read(raw, { id: shownId, title, url: shown.url, publishedAt: shown.publishedAt });
    return this.#revise(shown, item ?? { ...shown, title });
  }

  #count(shown: CuratedItem, source: string): Curated {
    const others = this.#others.get(shown.id) ?? [];
    if (source === shown.source || others.includes(source) || others.length >= MOST_SOURCES)
      return this.#leave('duplicate');
    this.#others.set(shown.id, [...others, source]);
    const cluster = shown.cluster + 1;
    this.#fold.put({ ...shown, cluster });
    return { kind: 'folded', id: shown.id, cluster };
  }

  /** The title changes, and what is read from it; the item keeps its name, its address and its place in time. */
  #revise(shown: CuratedItem, { title, category, symbols }: CuratedItem): Curated {
    if (shown.revision >= MOST_REVISIONS) return this.#leave('revised_too_often');
    const item = { ...shown, title, category, symbols, revision: shown.revision + 1 };
    this.#show(item);
    return { kind: 'revised', item };
  }

  #show(item: CuratedItem): void {
    this.#told.set(told(item.id, item.title), true);
    this.#fold.put(item);
  }

  #name(id: string, address: string | null, shownId: string): void {
    this.#shownAs.set(id, shownId);
    if (address) this.#shownAt.set(address, shownId);
  }

  #leave(reason: LeftOutReason): Curated {
    this.#leftOut.set(reason, this.#leftOut.get(reason)! + 1);
    return { kind: 'left_out', reason };
  }
}

const told = (id: string, title: string): string => `${id} ${title}`;

/** What a source dates in the future, or not at all, was published when it was seen. */
function publishedAtOf({ publishedAt, seenAt }: RawItem): EpochMs {
  if (publishedAt === null || !Number.isFinite(publishedAt) || publishedAt <= 0) return seenAt;
  return asEpochMs(Math.min(publishedAt, seenAt));
}

/** The order in which a batch is best taken: earlier first, and of the same time the source that counts more. */
export const inOrderOfTaking = (a: RawItem, b: RawItem): number =>
  publishedAtOf(a) - publishedAtOf(b) || b.weight - a.weight;
