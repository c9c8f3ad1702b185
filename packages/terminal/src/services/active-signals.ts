// The active signals, live, shared by all pages that show them. A signal that closes is reported once and leaves the list.
// Stream messages that arrive while the list is loading are newer than the list.
import type { ActiveSignal, ClosedSignal, SignalClosed, SignalPublished } from '@tickwire/client';
import { LiveList, type LiveListServices, type LoadState } from './live-list.ts';

export interface SignalChange {
  /** A signal was published. */
  readonly published?: ActiveSignal;
  readonly closed?: ClosedSignal;
}
/** An empty change means that the list was loaded, or that loading failed. */
export type SignalListener = (change: SignalChange) => void;

interface Pages {
  readonly items: readonly ActiveSignal[];
  readonly complete: boolean;
}

/** Signals per request. */
const PAGE = 500;
/** Requests per load. Older signals are left out, and `complete` is false. */
const MOST_PAGES = 10;
/** Closed ids remembered, so that a response that lags behind the stream does not bring one back. */
const MOST_CLOSED = 2_000;

export class ActiveSignals {
  readonly #services: LiveListServices;
  readonly #list: LiveList<SignalChange, Pages>;
  readonly #active = new Map<string, ActiveSignal>();
  /** When each arrived on the stream, by this machine's clock. Old entries are dropped. */
  readonly #receivedAt = new Map<string, number>();
  readonly #closed = new Set<string>();
  #sorted: readonly ActiveSignal[] | null = null;
  #complete = true;

  constructor(services: LiveListServices) {
    this.#services = services;
    this.#list = new LiveList({
      open: (signal) => this.#open(signal),
      load: (signal) => this.#pages(signal),
      apply: (pages, since) => this.#apply(pages, since),
      onError: (error) => services.notifier.reportError(error, 'Signals'),
    });
  }

  get state(): LoadState {
    return this.#list.state;
  }

  /** False if there are more active signals than are kept here. */
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

  /** Until the signal is aborted. */
  subscribe(signal: AbortSignal, listener: SignalListener): void {
    this.#list.subscribe(signal, listener);
  }

  reload(): void {
    this.#list.reload();
  }

  #open(signal: AbortSignal): void {
    this.#active.clear();
    this.#receivedAt.clear();
    this.#sorted = null;
    this.#services.streams.open(
      'signals',
      { closes: true },
      { onMessage: (message) => this.#receive(message), onGap: () => this.reload() },
      signal,
    );
  }

  async #pages(signal: AbortSignal): Promise<Pages> {
    const items: ActiveSignal[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const before = items.at(-1)?.id;
      const answer = await this.#services.client.signals(
        { status: 'active', limit: PAGE, ...(before !== undefined && { before }) },
        { signal },
      );
      for (const item of answer.items) if (item.status === 'active') items.push(item);
      if (answer.items.length < PAGE) return { items, complete: true };
    }
    return { items, complete: false };
  }

  /** Signals received while loading are missing from the response; those closed while loading are still in it. */
  #apply({ items, complete }: Pages, since: number): void {
    const recent = [...this.#active.values()].filter(({ id }) => (this.#receivedAt.get(id) ?? 0) >= since);
    this.#active.clear();
    for (const signal of [...items, ...recent]) if (!this.#closed.has(signal.id)) this.#active.set(signal.id, signal);
    for (const [id, at] of this.#receivedAt) if (at < since) this.#receivedAt.delete(id);
    this.#complete = complete;
    this.#sorted = null;
  }

  #receive(message: SignalPublished | SignalClosed): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, ...rest } = message;
    this.#sorted = null;
    if ('status' in rest) {
      this.#active.delete(rest.id);
      this.#receivedAt.delete(rest.id);
      this.#remember(rest.id);
      this.#list.emit({ closed: rest });
      return;
    }
    // After a reconnect the stream may repeat a signal that has closed since.
    if (this.#closed.has(rest.id)) return;
    const signal: ActiveSignal = { ...rest, status: 'active' };
    this.#active.set(signal.id, signal);
    this.#receivedAt.set(signal.id, Date.now());
    this.#list.emit({ published: signal });
  }

  #remember(id: string): void {
    this.#closed.add(id);
    if (this.#closed.size > MOST_CLOSED) this.#closed.delete(this.#closed.values().next().value!);
  }
}

export const newestFirst = (one: { readonly timestamp: string }, other: { readonly timestamp: string }): number =>
  one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0;
