// The newest news, live, for every page that shows them. Loaded and listened to while somebody follows. What the stream says
// while the list is under way is newer than the list, and joins it.
import { type NewsDetail, type NewsPublished, type NewsRevised, TickwireError } from '@tickwire/client';
import type { Workspace } from '../workspace.ts';
import { insert, laterOf } from './news-order.ts';

export interface NewsChange {
  /** Came in, or was revised. */
  readonly item?: NewsDetail;
}
/** Without an item: the wire was loaded, or loaded again after a gap, or could not be. */
export type NewsListener = (change: NewsChange) => void;

export type WireState = 'loading' | 'ready' | 'failed';

/** What is kept, newest first; more can be asked for by page. */
const MOST = 500;
const FIRST = 200;
/** An answer may come from another machine than the stream, and be this much behind it. */
const BEHIND_MS = 10_000;
const AGAIN_MS = 10_000;

export class NewsWire {
  readonly #workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>;
  readonly #listeners = new Set<NewsListener>();
  /** When each was heard on the stream, by this machine's clock: only what is new enough to matter. */
  readonly #heard = new Map<string, number>();
  #items: NewsDetail[] = [];
  #state: WireState = 'loading';
  #whole = false;
  #end: AbortController | null = null;
  #loading: AbortController | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>) {
    this.#workspace = workspace;
  }

  get state(): WireState {
    return this.#state;
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

  /** Until the signal given is aborted. The first who follows opens the stream, the last to leave closes it. */
  follow(signal: AbortSignal, listener: NewsListener): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    signal.addEventListener('abort', () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    });
  }

  /** Asks for the newest again. */
  reload(): void {
    if (this.#end && !this.#end.signal.aborted) void this.#load(this.#end.signal);
  }

  #open(): void {
    this.#end = new AbortController();
    const { signal } = this.#end;
    // Nobody listened meanwhile: what is here may be old.
    this.#items = [];
    this.#heard.clear();
    this.#state = 'loading';
    this.#whole = false;
    this.#workspace.listen(
      'news',
      {},
      { onMessage: (message) => this.#hear(message), onGap: () => this.reload() },
      signal,
    );
    void this.#load(signal);
  }

  #close(): void {
    clearTimeout(this.#again);
    this.#loading?.abort();
    this.#end?.abort();
    this.#end = null;
  }

  async #load(end: AbortSignal): Promise<void> {
    clearTimeout(this.#again);
    // A later question has a newer answer.
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const since = Date.now() - BEHIND_MS;
    try {
      const { items } = await this.#workspace.client.news({ detail: true, limit: FIRST }, { signal: loading.signal });
      if (loading.signal.aborted || end.aborted) return;
      this.#take(items, since);
      this.#whole = items.length < FIRST;
      this.#state = 'ready';
    } catch (error) {
      if (loading.signal.aborted || end.aborted) return;
      if (this.#state === 'loading') this.#state = 'failed';
      this.#workspace.failed(error, 'News');
      const wait = error instanceof TickwireError ? error.retryAfterSeconds : null;
      this.#again = setTimeout(() => this.reload(), wait === null ? AGAIN_MS : wait * 1_000);
    }
    this.#tell({});
  }

  /** What was heard while it was loading may not be in the answer yet, or only as it was before. */
  #take(answer: readonly NewsDetail[], since: number): void {
    const recent = this.#items.filter(({ id }) => (this.#heard.get(id) ?? 0) >= since);
    this.#items = [...answer];
    for (const item of recent) this.#put(item);
    for (const [id, at] of this.#heard) if (at < since) this.#heard.delete(id);
  }

  #hear(message: NewsPublished | NewsRevised): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, revised: _revised, ...item } = message as NewsRevised;
    this.#heard.set(item.id, Date.now());
    if (this.#heard.size > MOST) this.#heard.delete(this.#heard.keys().next().value!);
    this.#put(item);
    this.#tell({ item });
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

  #tell(change: NewsChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
