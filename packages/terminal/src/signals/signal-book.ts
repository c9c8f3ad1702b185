// The active signals, live, for every page that shows them. Loaded and listened to while somebody follows; a closing is told
// once to all and leaves the book. What the stream says while the list is under way is newer than the list.
import {
  type ActiveSignal,
  type ClosedSignal,
  type SignalClosed,
  type SignalPublished,
  TickwireError,
} from '@tickwire/client';
import type { Workspace } from '../workspace.ts';

export interface SignalChange {
  /** A signal was published. */
  readonly published?: ActiveSignal;
  readonly closed?: ClosedSignal;
}
/** Without a change: the book was loaded, or loaded again after a gap, or could not be. */
export type SignalListener = (change: SignalChange) => void;

export type BookState = 'loading' | 'ready' | 'failed';

/** Most of one answer. */
const PAGE = 500;
/** Pages of one load: what is older is left out, and `complete` is false. */
const MOST_PAGES = 10;
/** Closings remembered, so that an answer which is a little behind does not bring one back. */
const MOST_CLOSED = 2_000;
/** An answer may come from another machine than the stream, and be this much behind it. */
const BEHIND_MS = 10_000;
const AGAIN_MS = 10_000;

export class SignalBook {
  readonly #workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>;
  readonly #listeners = new Set<SignalListener>();
  readonly #active = new Map<string, ActiveSignal>();
  /** When each was heard of on the stream, by this machine's clock: only what is new enough to matter. */
  readonly #heard = new Map<string, number>();
  readonly #closed = new Set<string>();
  #sorted: readonly ActiveSignal[] | null = null;
  #end: AbortController | null = null;
  #load: AbortController | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;
  #state: BookState = 'loading';
  #complete = true;

  constructor(workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>) {
    this.#workspace = workspace;
  }

  get state(): BookState {
    return this.#state;
  }

  /** False where there are more active ones than are kept here. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Newest first. */
  get active(): readonly ActiveSignal[] {
    this.#sorted ??= [...this.#active.values()].sort(newestFirst);
    return this.#sorted;
  }

  activeOf(symbol: string): readonly ActiveSignal[] {
    return this.active.filter((signal) => signal.symbol === symbol);
  }

  /** Until the signal given is aborted. The first who follows opens the stream, the last to leave closes it. */
  follow(signal: AbortSignal, listener: SignalListener): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    signal.addEventListener('abort', () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    });
  }

  /** Asks for all of them again. */
  reload(): void {
    if (this.#end && !this.#end.signal.aborted) void this.#loadAll(this.#end.signal);
  }

  #open(): void {
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.#active.clear();
    this.#heard.clear();
    this.#sorted = null;
    this.#state = 'loading';
    this.#workspace.listen(
      'signals',
      { closes: true },
      { onMessage: (message) => this.#hear(message), onGap: () => this.reload() },
      signal,
    );
    void this.#loadAll(signal);
  }

  #close(): void {
    clearTimeout(this.#again);
    this.#load?.abort();
    this.#end?.abort();
    this.#end = null;
  }

  async #loadAll(end: AbortSignal): Promise<void> {
    clearTimeout(this.#again);
    // A later question has a newer answer.
    this.#load?.abort();
    const load = new AbortController();
    this.#load = load;
    const since = Date.now() - BEHIND_MS;
    try {
      const { items, complete } = await this.#pages(load.signal);
      if (load.signal.aborted || end.aborted) return;
      this.#take(items, since);
      this.#complete = complete;
      this.#state = 'ready';
    } catch (error) {
      if (load.signal.aborted || end.aborted) return;
      if (this.#state === 'loading') this.#state = 'failed';
      this.#workspace.failed(error, 'Signals');
      const wait = error instanceof TickwireError ? error.retryAfterSeconds : null;
      this.#again = setTimeout(() => this.reload(), wait === null ? AGAIN_MS : wait * 1_000);
    }
    this.#tell({});
  }

  async #pages(signal: AbortSignal): Promise<{ items: ActiveSignal[]; complete: boolean }> {
    const items: ActiveSignal[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const before = items.at(-1)?.id;
      const answer = await this.#workspace.client.signals(
        { status: 'active', limit: PAGE, ...(before !== undefined && { before }) },
        { signal },
      );
      for (const item of answer.items) if (item.status === 'active') items.push(item);
      if (answer.items.length < PAGE) return { items, complete: true };
    }
    return { items, complete: false };
  }

  /** What was heard while it was loading is not in the answer, or not any more. */
  #take(items: readonly ActiveSignal[], since: number): void {
    const recent = [...this.#active.values()].filter(({ id }) => (this.#heard.get(id) ?? 0) >= since);
    this.#active.clear();
    for (const signal of [...items, ...recent]) if (!this.#closed.has(signal.id)) this.#active.set(signal.id, signal);
    for (const [id, at] of this.#heard) if (at < since) this.#heard.delete(id);
    this.#sorted = null;
  }

  #hear(message: SignalPublished | SignalClosed): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, ...rest } = message;
    this.#sorted = null;
    if ('status' in rest) {
      this.#active.delete(rest.id);
      this.#heard.delete(rest.id);
      this.#remember(rest.id);
      this.#tell({ closed: rest });
      return;
    }
    // It may be told a second time after a reconnect, when it has been closed for long.
    if (this.#closed.has(rest.id)) return;
    const signal: ActiveSignal = { ...rest, status: 'active' };
    this.#active.set(signal.id, signal);
    this.#heard.set(signal.id, Date.now());
    this.#tell({ published: signal });
  }

  #remember(id: string): void {
    this.#closed.add(id);
    if (this.#closed.size > MOST_CLOSED) this.#closed.delete(this.#closed.values().next().value!);
  }

  #tell(change: SignalChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

export const newestFirst = (one: { readonly timestamp: string }, other: { readonly timestamp: string }): number =>
  one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0;
