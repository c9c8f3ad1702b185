// The active signals, live, shared by all pages that show them. A signal that closes is reported once and leaves the list.
// Stream messages that arrive while the list is loading are newer than the list.
import type { ActiveSignal, ClosedSignal, MessageOf } from '@tickwire/client';
import { LiveList, type LiveListServices } from './live-list.ts';

/** An empty change means that the list was loaded, or that loading failed. */
export interface SignalChange {
  /** A signal was published. */
  readonly published?: ActiveSignal;
  readonly closed?: ClosedSignal;
}

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

export class ActiveSignals extends LiveList<SignalChange, Pages> {
  readonly #client: LiveListServices<'signals'>['client'];
  readonly #user: string | undefined;
  readonly #active = new Map<string, ActiveSignal>();
  readonly #closed = new Set<string>();
  readonly #onProgress = new Set<(id: string) => void>();
  #sorted: readonly ActiveSignal[] | null = null;
  #complete = true;

  /** `user`: of one publisher. Default: of all. */
  constructor({ client, streams, notifier, user }: LiveListServices<'signals'> & { readonly user?: string }) {
    super({
      open: (signal) => {
        this.#active.clear();
        this.#sorted = null;
        const onMessage = (message: MessageOf<'signals'>): void => this.#receive(message);
        const options = { closes: true, fills: true, changes: true };
        streams.open('signals', options, { onMessage, onGap: () => this.reload() }, signal);
      },
      load: (signal) => this.#pages(signal),
      // Signals received while loading are missing from the response; those closed while loading are still in it.
      apply: ({ items, complete }, isRecent) => {
        const known = [...items, ...[...this.#active.values()].filter(isRecent)];
        this.#active.clear();
        for (const signal of known) if (!this.#closed.has(signal.id)) this.#active.set(signal.id, signal);
        this.#complete = complete;
        this.#sorted = null;
      },
      onError: (error) => notifier.reportError(error, 'Signals'),
    });
    this.#client = client;
    this.#user = user;
  }

  /** False if there are more active signals than are kept here. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Newest first. */
  get active(): readonly ActiveSignal[] {
    this.#sorted ??= [...this.#active.values()].sort(newestSignalFirst);
    return this.#sorted;
  }

  activeOf(symbol: string): readonly ActiveSignal[] {
    return this.active.filter((signal) => signal.symbol === symbol);
  }

  /** Called with the id of a signal that was filled or partly exited, or whose stop was tightened. Only while subscribed. */
  onProgress(end: AbortSignal, listener: (id: string) => void): void {
    this.#onProgress.add(listener);
    end.addEventListener('abort', () => this.#onProgress.delete(listener));
  }

  async #pages(signal: AbortSignal): Promise<Pages> {
    const items: ActiveSignal[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const before = items.at(-1)?.id;
      const answer = await this.#client.signals(
        {
          status: 'active',
          limit: PAGE,
          ...(this.#user !== undefined && { user: this.#user }),
          ...(before !== undefined && { before }),
        },
        { signal },
      );
      for (const item of answer.items) if (item.status === 'active') items.push(item);
      if (answer.items.length < PAGE) return { items, complete: true };
    }
    return { items, complete: false };
  }

  #receive(message: MessageOf<'signals'>): void {
    const { epoch: _epoch, seq: _seq, prev: _prev, ...rest } = message;
    if ('state' in rest || 'change' in rest) {
      for (const listener of this.#onProgress) listener(rest.id);
      return;
    }
    this.#sorted = null;
    if ('status' in rest) {
      this.#active.delete(rest.id);
      this.#closed.add(rest.id);
      if (this.#closed.size > MOST_CLOSED) this.#closed.delete(this.#closed.values().next().value!);
      this.received(rest.id, { closed: rest });
      return;
    }
    // After a reconnect the stream may repeat a signal that has closed since.
    if (this.#closed.has(rest.id)) return;
    const signal: ActiveSignal = { ...rest, status: 'active' };
    this.#active.set(signal.id, signal);
    this.received(signal.id, { published: signal });
  }
}

export const newestSignalFirst = (
  one: { readonly timestamp: string },
  other: { readonly timestamp: string },
): number => (one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0);
