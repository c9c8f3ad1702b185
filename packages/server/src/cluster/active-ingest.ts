// Who is the active ingest, for those who must reach it. Asked for twice a second and kept: the last known stays while Redis is
// away, for the ingest most likely lives on.
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.ts';

const POLL_MS = 500;

export interface ActiveIngest {
  readonly id: string;
  /** host:port */
  readonly address: string;
  readonly token: number;
}

export class ActiveIngestWatch {
  /** null while none is active. */
  current: ActiveIngest | null = null;
  readonly #link: RedisLink;
  readonly #keys: RedisKeys;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(link: RedisLink, keys: RedisKeys) {
    this.#link = link;
    this.#keys = keys;
    this.#timer = setInterval(() => void this.look().catch(() => {}), POLL_MS);
  }

  static async open(link: RedisLink, keys: RedisKeys): Promise<ActiveIngestWatch> {
    const watch = new ActiveIngestWatch(link, keys);
    await watch.look().catch(() => {});
    return watch;
  }

  /** Asks now; rejects where Redis is away. */
  async look(): Promise<ActiveIngest | null> {
    const found = await this.#link.send(['HMGET', this.#keys.lease, 'id', 'address', 'token']);
    const [id, address, token] = found as readonly (string | null)[];
    this.current = id == null || address == null || token == null ? null : { id, address, token: Number(token) };
    return this.current;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
