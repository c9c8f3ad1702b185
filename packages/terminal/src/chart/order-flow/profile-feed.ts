// Loads volume profiles as the view changes: after a pause, one request at a time, the last ones kept. A profile that goes on to
// the newest bar is loaded again every few seconds.
import { type CoreClient, type Profile, TickwireError } from '@tickwire/client';
import type { TimeRange } from './profile-range.ts';

export interface ProfileFeedOptions {
  readonly client: Pick<CoreClient, 'profile'>;
  readonly onChange: () => void;
  /** '' after a success. */
  readonly onError: (message: string) => void;
  readonly now?: () => number;
}

const SETTLE_MS = 300;
const RELOAD_MS = 5_000;
const RETRY_MS = 10_000;
const MAX_KEPT = 20;

interface Wanted extends TimeRange {
  readonly symbol: string;
}

const keyOf = ({ symbol, from, to }: Wanted): string => `${symbol} ${from} ${to ?? ''}`;

export class ProfileFeed {
  readonly #options: ProfileFeedOptions;
  readonly #now: () => number;
  /** Most recently loaded last. */
  readonly #kept = new Map<string, { readonly profile: Profile; readonly at: number }>();
  #wanted: Wanted | null = null;
  #shown: Profile | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #waitUntil = 0;

  constructor(options: ProfileFeedOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The profile of the wanted range, or the last one of the instrument until it is loaded. */
  get profile(): Profile | null {
    return this.#shown;
  }

  /** `null`: none. */
  want(wanted: Wanted | null): void {
    if (!wanted || wanted.symbol !== this.#wanted?.symbol) this.#shown = null;
    const same = wanted && this.#wanted && keyOf(wanted) === keyOf(this.#wanted);
    this.#wanted = wanted;
    if (!wanted || same) return;
    const kept = this.#kept.get(keyOf(wanted));
    if (kept) this.#shown = kept.profile;
    // A view that keeps moving costs no request.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(SETTLE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = null;
    this.#shown = null;
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#busy) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#load();
      },
      Math.max(ms, this.#waitUntil - this.#now()),
    );
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted) return;
    const key = keyOf(wanted);
    const kept = this.#kept.get(key);
    const isFresh = kept && (wanted.to !== null || this.#now() - kept.at < RELOAD_MS);
    if (isFresh) {
      if (wanted.to === null) this.#schedule(RELOAD_MS);
      return;
    }
    const { client, onChange, onError } = this.#options;
    const { symbol, from, to } = wanted;
    this.#busy = true;
    try {
      const profile = await client.profile(symbol, { from, ...(to !== null && { to }) });
      this.#keep(key, profile);
      // The view may have moved on; an older profile of the same instrument is still closer than none.
      if (this.#wanted?.symbol !== symbol) return;
      if (keyOf(this.#wanted) === key) this.#shown = profile;
      onError('');
      onChange();
    } catch (error) {
      this.#waitUntil = this.#now() + RETRY_MS;
      if (error instanceof TickwireError) {
        onError(error.detail);
        this.#waitUntil = this.#now() + Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1_000);
      }
    } finally {
      this.#busy = false;
      const next = this.#wanted;
      if (next && (keyOf(next) !== key || next.to === null || !this.#kept.has(key)))
        this.#schedule(keyOf(next) === key ? RELOAD_MS : 0);
    }
  }

  #keep(key: string, profile: Profile): void {
    this.#kept.delete(key);
    this.#kept.set(key, { profile, at: this.#now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
