// The active signals, live, for every page that shows them. Loaded and listened to while somebody follows; a closing is told
// once to all and leaves the book. What the stream says while the list is under way is newer than the list.
import type { ActiveSignal, ClosedSignal, SignalClosed, SignalPublished } from '@tickwire/client';
import { Following, type LoadState } from '../following.ts';
import type { Workspace } from '../workspace.ts';

export interface SignalChange {
  /** A signal was published. */
  readonly published?: ActiveSignal;
  readonly closed?: ClosedSignal;
}
/** Without a change: the book was loaded, or loaded again after a gap, or could not be. */
export type SignalListener = (change: SignalChange) => void;

interface Pages {
  readonly items: readonly ActiveSignal[];
  readonly complete: boolean;
}

/** Most of one answer. */
const PAGE = 500;
/** Pages of one load: what is older is left out, and `complete` is false. */
const MOST_PAGES = 10;
/** Closings remembered, so that an answer which is a little behind does not bring one back. */
const MOST_CLOSED = 2_000;

export class SignalBook {
  readonly #workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>;
  readonly #following: Following<SignalChange, Pages>;
  readonly #active = new Map<string, ActiveSignal>();
  /** When each was heard of on the stream, by this machine's clock: only what is new enough to matter. */
  readonly #heard = new Map<string, number>();
  readonly #closed = new Set<string>();
  #sorted: readonly ActiveSignal[] | null = null;
  #complete = true;

  constructor(workspace: Pick<Workspace, 'client' | 'listen' | 'failed'>) {
    this.#workspace = workspace;
    this.#following = new Following({
      open: (signal) => this.#open(signal),
      ask: (signal) => this.#pages(signal),
      take: (pages, since) => this.#take(pages, since),
      onFailure: (error) => workspace.failed(error, 'Signals'),
    });
  }

  get state(): LoadState {
    return this.#following.state;
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

  /** Until the signal given is aborted. */
  follow(signal: AbortSignal, listener: SignalListener): void {
    this.#following.follow(signal, listener);
  }

  /** Asks for all of them again. */
  reload(): void {
    this.#following.reload();
  }

  #open(signal: AbortSignal): void {
    this.#active.clear();
    this.#heard.clear();
    this.#sorted = null;
    this.#workspace.listen(
      'signals',
      { closes: true },
      { onMessage: (message) => this.#hear(message), onGap: () => this.reload() },
      signal,
    );
  }

  async #pages(signal: AbortSignal): Promise<Pages> {
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
  #take({ items, complete }: Pages, since: number): void {
    const recent = [...this.#active.values()].filter(({ id }) => (this.#heard.get(id) ?? 0) >= since);
    this.#active.clear();
    for (const signal of [...items, ...recent]) if (!this.#closed.has(signal.id)) this.#active.set(signal.id, signal);
    for (const [id, at] of this.#heard) if (at < since) this.#heard.delete(id);
    this.#complete = complete;
    this.#sorted = null;
  }

  #hear(message: SignalPublished | SignalClosed): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, ...rest } = message;
    this.#sorted = null;
    if ('status' in rest) {
      this.#active.delete(rest.id);
      this.#heard.delete(rest.id);
      this.#remember(rest.id);
      this.#following.tell({ closed: rest });
      return;
    }
    // It may be told a second time after a reconnect, when it has been closed for long.
    if (this.#closed.has(rest.id)) return;
    const signal: ActiveSignal = { ...rest, status: 'active' };
    this.#active.set(signal.id, signal);
    this.#heard.set(signal.id, Date.now());
    this.#following.tell({ published: signal });
  }

  #remember(id: string): void {
    this.#closed.add(id);
    if (this.#closed.size > MOST_CLOSED) this.#closed.delete(this.#closed.values().next().value!);
  }
}

export const newestFirst = (one: { readonly timestamp: string }, other: { readonly timestamp: string }): number =>
  one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0;
