// A list that is loaded over REST and then kept up to date by a stream. The first subscriber opens it, the last one closes it.
// After a gap or a failure it is loaded again.
import { type CoreClient, TickwireError } from '@tickwire/client';
import type { Notifier } from './notifier.ts';
import type { StreamService } from './stream-service.ts';

export type LoadState = 'loading' | 'ready' | 'failed';

/** A response may come from another node than the stream and lag behind it by this much. */
const MAX_LAG_MS = 10_000;
const RETRY_MS = 10_000;
const MOST_RECENT = 2_000;

/** `Call`: what loads the list. */
export interface LiveListServices<Call extends keyof CoreClient> {
  readonly client: Pick<CoreClient, Call>;
  readonly streams: Pick<StreamService, 'open'>;
  readonly notifier: Pick<Notifier, 'reportError'>;
}

export interface LiveListOptions<Loaded> {
  /** Clears the list and opens the stream until the signal is aborted. */
  readonly open: (signal: AbortSignal) => void;
  readonly load: (signal: AbortSignal) => Promise<Loaded>;
  /** `isRecent`: the stream has delivered this item since the request, so it may be newer than the response. */
  readonly apply: (loaded: Loaded, isRecent: (item: { readonly id: string }) => boolean) => void;
  readonly onError: (error: unknown) => void;
}

export class LiveList<Change extends object, Loaded> {
  readonly #options: LiveListOptions<Loaded>;
  readonly #listeners = new Set<(change: Partial<Change>) => void>();
  /** When the stream delivered each item, by id and this machine's clock. Old entries are dropped. */
  readonly #receivedAt = new Map<string, number>();
  #state: LoadState = 'loading';
  #loads = 0;
  #open: AbortController | null = null;
  #loading: AbortController | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveListOptions<Loaded>) {
    this.#options = options;
  }

  get state(): LoadState {
    return this.#state;
  }

  /** How often the list was loaded. */
  get loads(): number {
    return this.#loads;
  }

  /** Until the signal is aborted. An empty change means that the list was loaded, or that loading failed. */
  subscribe(signal: AbortSignal, listener: (change: Partial<Change>) => void): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    signal.addEventListener('abort', () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    });
  }

  reload(): void {
    if (this.#open && !this.#open.signal.aborted) void this.#load(this.#open.signal);
  }

  /** Reports a change that the stream delivered. */
  protected received(id: string, change: Partial<Change>): void {
    this.#receivedAt.set(id, Date.now());
    if (this.#receivedAt.size > MOST_RECENT) this.#receivedAt.delete(this.#receivedAt.keys().next().value!);
    this.#emit(change);
  }

  #emit(change: Partial<Change>): void {
    for (const listener of this.#listeners) listener(change);
  }

  #start(): void {
    this.#open = new AbortController();
    this.#state = 'loading';
    this.#receivedAt.clear();
    this.#options.open(this.#open.signal);
    void this.#load(this.#open.signal);
  }

  #stop(): void {
    clearTimeout(this.#retry);
    this.#loading?.abort();
    this.#open?.abort();
    this.#open = null;
  }

  async #load(open: AbortSignal): Promise<void> {
    clearTimeout(this.#retry);
    // Only the latest request counts.
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const since = Date.now() - MAX_LAG_MS;
    try {
      const loaded = await this.#options.load(loading.signal);
      if (loading.signal.aborted || open.aborted) return;
      for (const [id, at] of this.#receivedAt) if (at < since) this.#receivedAt.delete(id);
      this.#options.apply(loaded, ({ id }) => this.#receivedAt.has(id));
      this.#state = 'ready';
      this.#loads++;
    } catch (error) {
      if (loading.signal.aborted || open.aborted) return;
      if (this.#state === 'loading') this.#state = 'failed';
      this.#options.onError(error);
      const wait = error instanceof TickwireError ? error.retryAfterSeconds : null;
      this.#retry = setTimeout(() => this.reload(), wait === null ? RETRY_MS : wait * 1_000);
    }
    this.#emit({});
  }
}
