// The newest news, live, for every page that shows them. Loaded and listened to while somebody follows. What the stream says
// while the list is under way is newer than the list, and joins it.
import type { NewsDetail, NewsPublished, NewsRevised } from '@tickwire/client';
import { Following, type LoadState } from '../following.ts';
import type { Workspace } from '../workspace.ts';
import { insert, laterOf } from './news-order.ts';

export interface NewsChange {
  /** Came in, or was revised. */
  readonly item?: NewsDetail;
}
/** Without an item: the wire was loaded, or loaded again after a gap, or could not be. */
export type NewsListener = (change: NewsChange) => void;

/** What is kept, newest first; more can be asked for by page. */
const MOST = 500;
const FIRST = 200;

export class NewsWire {
  readonly #workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>;
  readonly #following: Following<NewsChange, NewsDetail[]>;
  /** When each was heard on the stream, by this machine's clock: only what is new enough to matter. */
  readonly #heard = new Map<string, number>();
  #items: NewsDetail[] = [];
  #whole = false;

  constructor(workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>) {
    this.#workspace = workspace;
    this.#following = new Following({
      open: (signal) => this.#open(signal),
      ask: async (signal) => (await workspace.client.news({ detail: true, limit: FIRST }, { signal })).items,
      take: (items, since) => this.#take(items, since),
      onFailure: (error) => workspace.failed(error, 'News'),
    });
  }

  get state(): LoadState {
    return this.#following.state;
  }

  /** Newest first. */
  get items(): readonly NewsDetail[] {
    return this.#items;
  }

  /** The service has no older ones. */
  get whole(): boolean {
    return this.#whole;
  }

  of(symbol: string): readonly NewsDetail[] {
    return this.#items.filter((item) => item.symbols.includes(symbol));
  }

  /** Until the signal given is aborted. */
  follow(signal: AbortSignal, listener: NewsListener): void {
    this.#following.follow(signal, listener);
  }

  /** Asks for the newest again. */
  reload(): void {
    this.#following.reload();
  }

  #open(signal: AbortSignal): void {
    this.#items = [];
    this.#heard.clear();
    this.#whole = false;
    this.#workspace.listen(
      'news',
      {},
      { onMessage: (message) => this.#hear(message), onGap: () => this.reload() },
      signal,
    );
  }

  /** What was heard while it was loading may not be in the answer yet, or only as it was before. */
  #take(answer: readonly NewsDetail[], since: number): void {
    const recent = this.#items.filter(({ id }) => (this.#heard.get(id) ?? 0) >= since);
    this.#items = [...answer];
    for (const item of recent) this.#put(item);
    for (const [id, at] of this.#heard) if (at < since) this.#heard.delete(id);
    this.#whole = answer.length < FIRST;
  }

  #hear(message: NewsPublished | NewsRevised): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, revised: _revised, ...item } = message as NewsRevised;
    this.#heard.set(item.id, Date.now());
    if (this.#heard.size > MOST) this.#heard.delete(this.#heard.keys().next().value!);
    this.#put(item);
    this.#following.tell({ item });
  }

  #put(item: NewsDetail): void {
    const at = this.#items.findIndex(({ id }) => id === item.id);
    if (at >= 0) {
      this.#items[at] = laterOf(this.#items[at]!, item);
      return;
    }
    insert(this.#items, item);
    if (this.#items.length <= MOST) return;
    this.#items.pop();
    this.#whole = false;
  }
}
