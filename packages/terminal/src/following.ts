// The life of a list that is loaded and then kept up to date by a stream, for as long as somebody follows it. The first who
// follows opens it, the last to leave closes it; after a gap, or a failure, it is asked for again.
import { TickwireError } from '@tickwire/client';

export type LoadState = 'loading' | 'ready' | 'failed';

/** An answer may come from another machine than the stream, and be this much behind it. */
const BEHIND_MS = 10_000;
const AGAIN_MS = 10_000;

export interface FollowingOptions<Answer> {
  /** Forgets what is here, which may be old, and listens until the signal is aborted. */
  readonly open: (signal: AbortSignal) => void;
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  /** What the stream said since `since`, by this machine's clock, may be newer than the answer. */
  readonly take: (answer: Answer, since: number) => void;
  readonly onFailure: (error: unknown) => void;
}

export class Following<Change extends object, Answer> {
  readonly #options: FollowingOptions<Answer>;
  readonly #listeners = new Set<(change: Partial<Change>) => void>();
  #state: LoadState = 'loading';
  #end: AbortController | null = null;
  #loading: AbortController | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FollowingOptions<Answer>) {
    this.#options = options;
  }

  get state(): LoadState {
    return this.#state;
  }

  /** Until the signal given is aborted. Told without a change, it was loaded, or could not be. */
  follow(signal: AbortSignal, listener: (change: Partial<Change>) => void): void {
    if (signal.aborted) return;
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    signal.addEventListener('abort', () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    });
  }

  /** Asks for all of it again. */
  reload(): void {
    if (this.#end && !this.#end.signal.aborted) void this.#load(this.#end.signal);
  }

  tell(change: Partial<Change>): void {
    for (const listener of this.#listeners) listener(change);
  }

  #open(): void {
    this.#end = new AbortController();
    this.#state = 'loading';
    this.#options.open(this.#end.signal);
    void this.#load(this.#end.signal);
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
      const answer = await this.#options.ask(loading.signal);
      if (loading.signal.aborted || end.aborted) return;
      this.#options.take(answer, since);
      this.#state = 'ready';
    } catch (error) {
      if (loading.signal.aborted || end.aborted) return;
      if (this.#state === 'loading') this.#state = 'failed';
      this.#options.onFailure(error);
      const wait = error instanceof TickwireError ? error.retryAfterSeconds : null;
      this.#again = setTimeout(() => this.reload(), wait === null ? AGAIN_MS : wait * 1_000);
    }
    this.tell({});
  }
}
