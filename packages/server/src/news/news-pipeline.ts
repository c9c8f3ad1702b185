// Processes headlines: curate, score in batches, store, then append to the journal. One loop does all of this: items that
// arrive while a batch is scored or stored wait, so a revision or a duplicate always finds its item either waiting or
// published. The queues are bounded; beyond the limit the oldest items are dropped, counted and logged.
import { iso, type NewsDetail } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Score, ScoreRequest } from '../ai/scorer.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { NewsStore, StoredNews } from '../store/news-store.ts';
import { type CuratedItem, type Curator, compareIntakeOrder } from './curation/curator.ts';
import { originOf, type RawItem } from './news-source.ts';

const BATCH_SIZE = 32;
const MAX_WAITING = 5_000;
/** Curating, and storing and publishing, take about 0.1 ms per item. The event loop runs after this many items. */
const YIELD_EVERY = 4;
const RETRY_MS = 5_000;
/** How long waiting items are still processed after `stop`. */
const DRAIN_MS = 2_000;

export interface NewsPipelineOptions {
  readonly curator: Curator;
  readonly score: (requests: readonly ScoreRequest[], signal: AbortSignal) => Promise<Score[]>;
  readonly store: NewsStore;
  readonly journal: Journal;
  readonly now: () => number;
  readonly log: Log;
  readonly maxWaiting?: number;
  readonly retryMs?: number;
  readonly drainMs?: number;
}

interface WaitingItem {
  readonly item: CuratedItem;
  /** Whether an earlier revision of the item was published. */
  readonly wasPublished: boolean;
}

export class NewsPipeline {
  published = 0;
  revised = 0;
  clustered = 0;
  dropped = 0;
  readonly #options: NewsPipelineOptions;
  /** Not curated yet, oldest first. */
  #incoming: RawItem[] = [];
  /** By id: a revision replaces its waiting item. */
  readonly #waiting = new Map<string, WaitingItem>();
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  #failing = false;
  #batchSize = BATCH_SIZE;
  readonly #maxWaiting: number;

  constructor(options: NewsPipelineOptions) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
  }

  get waiting(): number {
    return this.#incoming.length + this.#waiting.size;
  }

  readonly take = (items: readonly RawItem[]): void => {
    // The first item of a cluster is the one that is published, so the order matters.
    this.#incoming.push(...items.toSorted(compareIntakeOrder));
    const excess = this.#incoming.length - this.#maxWaiting;
    if (excess > 0) this.#drop(excess, () => this.#incoming.splice(0, excess));
    if (!this.#retry) this.#start();
  };

  /** Processes waiting items for up to `drainMs`. Items left after that are lost here, but their source still has them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const deadline = setTimeout(() => this.#abort.abort(), this.#options.drainMs ?? DRAIN_MS);
    if (this.#retry) clearTimeout(this.#retry);
    await this.#running;
    clearTimeout(deadline);
    if (this.waiting > 0) this.#options.log.warn('news was not scored before the stop', { items: this.waiting });
  }

  /** Resolves when all waiting items are published or have failed. */
  async settle(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    this.#retry = null;
    if (this.waiting > 0 && !this.#stopped) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    let batch: WaitingItem[] = [];
    try {
      // Items of the same event loop turn go into the same batch.
      await Promise.resolve();
      while (this.waiting > 0 && !this.#abort.signal.aborted) {
        batch = [];
        await this.#curate();
        batch = [...this.#waiting.values()].slice(0, this.#batchSize);
        if (batch.length > 0) await this.#scoreAndPublish(batch);
        this.#batchSize = Math.min(BATCH_SIZE, this.#batchSize * 2);
        this.#failing = false;
      }
    } catch (error) {
      this.#postpone(batch);
      if (this.#stopped) return;
      if (!this.#failing) this.#options.log.error('news cannot be scored or stored; retrying', { error });
      this.#failing = true;
      this.#retry = setTimeout(() => this.#start(), this.#options.retryMs ?? RETRY_MS);
      this.#retry.unref();
    } finally {
      this.#running = null;
    }
  }

  async #curate(): Promise<void> {
    while (this.#incoming.length > 0 && !this.#abort.signal.aborted) {
      for (let count = 0; count < YIELD_EVERY && this.#incoming.length > 0; count++) {
        const curated = this.#options.curator.take(this.#incoming.shift()!);
        if (curated.kind === 'new' || curated.kind === 'revised')
          this.#enqueue(curated.item, curated.kind === 'revised');
        else if (curated.kind === 'clustered') await this.#updateCluster(curated.id, curated.cluster);
      }
      await yieldToEventLoop();
    }
  }

  #enqueue(item: CuratedItem, revised: boolean): void {
    const wasPublished = this.#waiting.get(item.id)?.wasPublished ?? revised;
    this.#waiting.delete(item.id);
    this.#waiting.set(item.id, { item, wasPublished });
    if (this.#waiting.size > this.#maxWaiting)
      this.#drop(1, () => this.#waiting.delete(this.#waiting.keys().next().value!));
  }

  /** A waiting item that was never published needs no event. */
  async #updateCluster(id: string, cluster: number): Promise<void> {
    const { store, journal, log } = this.#options;
    this.clustered++;
    const waiting = this.#waiting.get(id);
    if (waiting) this.#waiting.set(id, { ...waiting, item: { ...waiting.item, cluster } });
    if (waiting && !waiting.wasPublished) return;
    await store
      .recount(id, cluster)
      .catch((error) => log.error('the cluster size of a news item could not be stored', { error }));
    journal.append([{ kind: 'news_cluster', id, cluster }]);
  }

  #drop(count: number, drop: () => void): void {
    drop();
    if (this.dropped === 0)
      this.#options.log.error('news arrives faster than it can be scored; the oldest items are dropped');
    this.dropped += count;
  }

  /** Moves a failed batch to the end and halves the batch size, so that one bad item cannot block the others forever. */
  #postpone(batch: readonly WaitingItem[]): void {
    this.#batchSize = Math.max(1, this.#batchSize >> 1);
    for (const each of batch) if (this.#waiting.delete(each.item.id)) this.#waiting.set(each.item.id, each);
  }

  async #scoreAndPublish(batch: readonly WaitingItem[]): Promise<void> {
    const requests = batch.map(({ item }) => requestsOf(item));
    const scores = await this.#options.score(requests.flat(), this.#abort.signal);
    const scored = batch.map((waiting, index) => ({ ...waiting, scores: scores.splice(0, requests[index]!.length) }));
    for (let at = 0; at < scored.length; at += YIELD_EVERY) {
      await this.#publish(scored.slice(at, at + YIELD_EVERY));
      await yieldToEventLoop();
    }
  }

  async #publish(scored: readonly (WaitingItem & { readonly scores: readonly Score[] })[]): Promise<void> {
    const { store, journal, now } = this.#options;
    const knownAt = Math.ceil(now());
    await store.put(scored.map(({ item, scores }) => storedOf(item, scores, knownAt)));
    for (const { item, wasPublished, scores } of scored) {
      this.#waiting.delete(item.id);
      if (wasPublished) this.revised++;
      else this.published++;
      journal.append([{ kind: 'news', item: detailOf(item, scores), revised: wasPublished }]);
    }
  }
}

const yieldToEventLoop = (): Promise<void> => new Promise(setImmediate);

/** An item about several instruments is scored as a whole first, then from the view of each. One about a single instrument has one view. */
const requestsOf = (item: CuratedItem): ScoreRequest[] =>
  [...(item.symbols.length === 1 ? [] : [null]), ...item.symbols.map(asSymbol)].map((symbol) =>
    requestOf(item, symbol),
  );

export const requestOf = (item: CuratedItem, symbol: MarketSymbol | null): ScoreRequest => ({
  text: item.title,
  category: item.category,
  symbol,
  origin: originOf(item),
});

const storedOf = (curated: CuratedItem, scores: readonly Score[], knownAt: number): StoredNews => ({
  item: detailOf(curated, scores),
  seenAt: curated.seenAt,
  knownAt,
  guid: curated.guid,
});

const labelled = ({ sentiment, score }: Score) => ({ sentiment, sentiment_score: Math.round(score * 1e4) / 1e4 + 0 });

/** `scores`: as in `requestsOf`. */
const detailOf = (item: CuratedItem, scores: readonly Score[]): NewsDetail => ({
  title: item.title,
  category: item.category,
  ...labelled(scores[0]!),
  timestamp: iso(item.publishedAt),
  id: item.id,
  url: item.url,
  source: item.source,
  account: item.account,
  published_at: item.isTimeStated ? iso(item.publishedAt) : null,
  model: scores[0]!.model,
  certainty: scores[0]!.certainty,
  symbols: [...item.symbols],
  sentiments: item.symbols.map((symbol, at) => ({ symbol, ...labelled(scores.at(at - item.symbols.length)!) })),
  cluster: item.cluster,
  revision: item.revision,
});
