// The way of a headline: curated at once, scored in batches, stored, then told to the journal. While it is scored it waits
// here, bounded; past the bound the oldest go, counted and logged.
import type { NewsDetail } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import type { Score, ScoreRequest } from '../ai/scorer.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { NewsStore, StoredNews } from '../store/news-store.ts';
import type { CuratedItem, Curator } from './curation/curator.ts';
import type { RawItem } from './raw-item.ts';

const BATCH = 32;
const MAX_WAITING = 5_000;
const RETRY_MS = 5_000;

export interface NewsroomOptions {
  readonly curator: Curator;
  readonly score: (requests: readonly ScoreRequest[]) => Promise<Score[]>;
  readonly store: NewsStore;
  readonly journal: Journal;
  readonly log: Log;
}

export class Newsroom {
  published = 0;
  revised = 0;
  folded = 0;
  dropped = 0;
  readonly #options: NewsroomOptions;
  /** By id: a revision that comes while its item waits takes its place. */
  readonly #waiting = new Map<string, CuratedItem>();
  #running: Promise<void> | null = null;
  #stopped = false;
  #failing = false;

  constructor(options: NewsroomOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  readonly take = (items: readonly RawItem[]): void => {
    for (const raw of items) {
      const curated = this.#options.curator.take(raw);
      if (curated.kind === 'new' || curated.kind === 'revised') this.#wait(curated.item);
      else if (curated.kind === 'folded') this.#fold(curated.id, curated.cluster);
    }
    this.#start();
  };

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Everything that waits now is told, or cannot be. */
  async settle(): Promise<void> {
    await this.#running;
  }

  #wait(item: CuratedItem): void {
    this.#waiting.delete(item.id);
    this.#waiting.set(item.id, item);
    if (this.#waiting.size <= MAX_WAITING) return;
    this.#waiting.delete(this.#waiting.keys().next().value!);
    if (this.dropped++ === 0)
      this.#options.log.error('news comes faster than it can be scored: the oldest is left out');
  }

  #fold(id: string, cluster: number): void {
    this.folded++;
    const waiting = this.#waiting.get(id);
    if (waiting) this.#waiting.set(id, { ...waiting, cluster });
    else {
      const { store, journal, log } = this.#options;
      journal.append([{ kind: 'news_cluster', id, cluster }]);
      store.recount(id, cluster).catch((error) => log.error('a cluster of news could not be stored', { error }));
    }
  }

  #start(): void {
    if (this.#waiting.size > 0 && !this.#stopped) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // What came in the same turn goes into the same batch.
    await Promise.resolve();
    try {
      while (this.#waiting.size > 0 && !this.#stopped) await this.#publish([...this.#waiting.values()].slice(0, BATCH));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#options.log.error('news cannot be scored or stored; it waits', { error });
      this.#failing = true;
      setTimeout(() => this.#start(), RETRY_MS).unref();
    } finally {
      this.#running = null;
    }
  }

  async #publish(batch: readonly CuratedItem[]): Promise<void> {
    const { score, store, journal } = this.#options;
    const scores = await score(batch.map(requestOf));
    // A revision that came meanwhile is scored for itself in a later batch.
    const ready = batch.flatMap((item, index) =>
      this.#waiting.get(item.id)?.revision === item.revision
        ? [{ curated: this.#waiting.get(item.id)!, score: scores[index]! }]
        : [],
    );
    await store.put(ready.map(({ curated, score: found }) => storedOf(curated, found)));
    for (const { curated, score: found } of ready) {
      this.#waiting.delete(curated.id);
      const revised = curated.revision > 0;
      if (revised) this.revised++;
      else this.published++;
      journal.append([{ kind: 'news', item: detailOf(curated, found), revised }]);
    }
  }
}

/** An item about one instrument is scored as news for that one. */
const requestOf = ({ title, category, symbols }: CuratedItem): ScoreRequest => ({
  text: title,
  category,
  symbol: symbols.length === 1 ? asSymbol(symbols[0]!) : null,
});

const storedOf = (curated: CuratedItem, score: Score): StoredNews => ({
  item: detailOf(curated, score),
  seenAt: curated.seenAt,
  guid: curated.guid,
});

const detailOf = (item: CuratedItem, { sentiment, score, model }: Score): NewsDetail => ({
  title: item.title,
  category: item.category,
  sentiment,
  sentiment_score: Math.round(score * 1e4) / 1e4 + 0,
  timestamp: new Date(item.publishedAt).toISOString(),
  id: item.id,
  url: item.url,
  source: item.source,
  model,
  symbols: [...item.symbols],
  cluster: item.cluster,
  revision: item.revision,
});
