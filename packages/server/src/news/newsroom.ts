// The way of a headline: curated, scored in batches, stored, then told to the journal, in one loop: whatever comes while a
// batch is scored or stored waits its turn, so that a revision or a fold always meets its item either waiting or told. What
// waits is bounded; past the bound the oldest go, counted and logged.
import type { NewsDetail } from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import type { Score, ScoreRequest } from '../ai/scorer.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { NewsStore, StoredNews } from '../store/news-store.ts';
import { type CuratedItem, type Curator, inOrderOfTaking } from './curation/curator.ts';
import type { RawItem } from './raw-item.ts';

const BATCH = 32;
const MAX_WAITING = 5_000;
/** Curation, and storing and telling, take some 0.1 ms an item each; others get their turn after these. */
const AT_ONCE = 4;
const RETRY_MS = 5_000;
/** How long what waits at a stop is still scored and told. */
const DRAIN_MS = 2_000;

export interface NewsroomOptions {
  readonly curator: Curator;
  readonly score: (requests: readonly ScoreRequest[], signal: AbortSignal) => Promise<Score[]>;
  readonly store: NewsStore;
  readonly journal: Journal;
  readonly log: Log;
  readonly retryMs?: number;
  readonly drainMs?: number;
}

interface Waiting {
  readonly item: CuratedItem;
  /** An earlier state of it was told. */
  readonly told: boolean;
}

export class Newsroom {
  published = 0;
  revised = 0;
  folded = 0;
  dropped = 0;
  readonly #options: NewsroomOptions;
  /** Not curated yet, oldest first. */
  #incoming: RawItem[] = [];
  /** By id: a revision that comes while its item waits takes its place. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #abort = new AbortController();
  #running: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  #failing = false;
  #batch = BATCH;

  constructor(options: NewsroomOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#incoming.length + this.#waiting.size;
  }

  readonly take = (items: readonly RawItem[]): void => {
    // The earlier first, and of the same time the source that counts more: others are folded into it.
    this.#incoming.push(...items.toSorted(inOrderOfTaking));
    const excess = this.#incoming.length - MAX_WAITING;
    if (excess > 0) this.#drop(excess, () => this.#incoming.splice(0, excess));
    if (!this.#retry) this.#start();
  };

  /** Takes a little time for what waits; what cannot be told by then is lost here, and still with its source. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const late = setTimeout(() => this.#abort.abort(), this.#options.drainMs ?? DRAIN_MS);
    if (this.#retry) clearTimeout(this.#retry);
    await this.#running;
    clearTimeout(late);
    if (this.waiting > 0) this.#options.log.warn('news was not scored before the stop', { items: this.waiting });
  }

  /** Everything that waits now is told, or cannot be. */
  async settle(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    this.#retry = null;
    if (this.waiting > 0 && !this.#stopped) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    let batch: Waiting[] = [];
    try {
      // What comes in the same turn goes into the same batch.
      await Promise.resolve();
      while (this.waiting > 0 && !this.#abort.signal.aborted) {
        batch = [];
        await this.#curate();
        batch = [...this.#waiting.values()].slice(0, this.#batch);
        if (batch.length > 0) await this.#publish(batch);
        this.#batch = Math.min(BATCH, this.#batch * 2);
        this.#failing = false;
      }
    } catch (error) {
      this.#putOff(batch);
      if (this.#stopped) return;
      if (!this.#failing) this.#options.log.error('news cannot be scored or stored; it waits', { error });
      this.#failing = true;
      this.#retry = setTimeout(() => this.#start(), this.#options.retryMs ?? RETRY_MS);
      this.#retry.unref();
    } finally {
      this.#running = null;
    }
  }

  async #curate(): Promise<void> {
    while (this.#incoming.length > 0 && !this.#abort.signal.aborted) {
      for (let count = 0; count < AT_ONCE && this.#incoming.length > 0; count++) {
        const curated = this.#options.curator.take(this.#incoming.shift()!);
        if (curated.kind === 'new' || curated.kind === 'revised') this.#wait(curated.item, curated.kind === 'revised');
        else if (curated.kind === 'folded') await this.#fold(curated.id, curated.cluster);
      }
      await othersTurn();
    }
  }

  #wait(item: CuratedItem, revised: boolean): void {
    const told = this.#waiting.get(item.id)?.told ?? revised;
    this.#waiting.delete(item.id);
    this.#waiting.set(item.id, { item, told });
    if (this.#waiting.size > MAX_WAITING) this.#drop(1, () => this.#waiting.delete(this.#waiting.keys().next().value!));
  }

  /** Of an item that waits as a revision the readers know the earlier state. */
  async #fold(id: string, cluster: number): Promise<void> {
    const { store, journal, log } = this.#options;
    this.folded++;
    const waiting = this.#waiting.get(id);
    if (waiting) this.#waiting.set(id, { ...waiting, item: { ...waiting.item, cluster } });
    if (waiting && !waiting.told) return;
    await store.recount(id, cluster).catch((error) => log.error('a cluster of news could not be stored', { error }));
    journal.append([{ kind: 'news_cluster', id, cluster }]);
  }

  #drop(count: number, drop: () => void): void {
    drop();
    if (this.dropped === 0) this.#options.log.error('news comes faster than it can be scored: the oldest is left out');
    this.dropped += count;
  }

  /** To the back, and fewer at once: an item that no model can take must not hold up the others for ever. */
  #putOff(batch: readonly Waiting[]): void {
    this.#batch = Math.max(1, this.#batch >> 1);
    for (const each of batch) if (this.#waiting.delete(each.item.id)) this.#waiting.set(each.item.id, each);
  }

  async #publish(batch: readonly Waiting[]): Promise<void> {
    const requests = batch.map(({ item }) => requestOf(item));
    const scores = await this.#options.score(requests, this.#abort.signal);
    const scored = batch.map((waiting, index) => ({ ...waiting, score: scores[index]! }));
    for (let at = 0; at < scored.length; at += AT_ONCE) {
      await this.#tell(scored.slice(at, at + AT_ONCE));
      await othersTurn();
    }
  }

  async #tell(scored: readonly (Waiting & { readonly score: Score })[]): Promise<void> {
    const { store, journal } = this.#options;
    await store.put(scored.map(({ item, score }) => storedOf(item, score)));
    for (const { item, told, score } of scored) {
      this.#waiting.delete(item.id);
      if (told) this.revised++;
      else this.published++;
      journal.append([{ kind: 'news', item: detailOf(item, score), revised: told }]);
    }
  }
}

const othersTurn = (): Promise<void> => new Promise(setImmediate);

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
