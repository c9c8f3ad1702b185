// The address of the active ingest node, polled twice per second. While Redis cannot be reached, the last known address stays
// valid, because the ingest node most likely still runs.
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';

const POLL_MS = 500;

export interface ActiveIngest {
  readonly id: string;
  /** Text of an IngestLink. */
  readonly address: string;
  readonly token: number;
}

export class ActiveIngestWatch {
  /** `null` while none is active. */
  current: ActiveIngest | null = null;
  readonly #link: RedisLink;
  readonly #keys: RedisKeys;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(link: RedisLink, keys: RedisKeys) {
    this.#link = link;
    this.#keys = keys;
    this.#timer = setInterval(() => void this.refresh().catch(() => {}), POLL_MS);
  }

  static async open(link: RedisLink, keys: RedisKeys): Promise<ActiveIngestWatch> {
    const watch = new ActiveIngestWatch(link, keys);
    await watch.refresh().catch(() => {});
    return watch;
  }

  /** Rejects if Redis cannot be reached. */
  async refresh(): Promise<ActiveIngest | null> {
    const found = await this.#link.send(['HMGET', this.#keys.lease, 'id', 'address', 'token']);
    const [id, address, token] = found as readonly (string | null)[];
    this.current = id == null || address == null || token == null ? null : { id, address, token: Number(token) };
    return this.current;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
