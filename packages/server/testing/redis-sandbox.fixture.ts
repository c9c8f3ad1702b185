// A separate key prefix in a real Redis, with the links, leases and journals that a test opens. `end` leaves nothing behind.
import { CLUSTER_SCRIPTS } from '../src/cluster/cluster-scripts.ts';
import { RedisJournal, type RedisJournalOptions } from '../src/cluster/journal/redis-journal.ts';
import { RedisJournalReader, type RedisJournalReaderOptions } from '../src/cluster/journal/redis-journal-reader.ts';
import { Lease, type LeaseOptions } from '../src/cluster/lease.ts';
import { type RedisKeys, redisKeys } from '../src/cluster/redis-keys.ts';
import { RedisLink, type RedisLinkOptions, replyInTime } from '../src/cluster/redis-link.ts';
import type { Batch } from '../src/journal/journal.ts';
import type { SeqReserve } from '../src/journal/seq-blocks.ts';
import { silentLog } from '../src/ops/log.ts';

const WAIT_MS = 60_000;

/** Stands in for the reserved numbers in the store. */
export class MemoryReserve implements SeqReserve {
  ceiling = 1;
  load = async (): Promise<number> => this.ceiling;
  save = async (ceiling: number): Promise<void> => {
    this.ceiling = ceiling;
  };
}

export interface OpenReader {
  readonly reader: RedisJournalReader;
  readonly batches: Batch[];
  readonly lost: [number, number][];
  readonly epochs: string[];
}

export class RedisSandbox {
  readonly url: string;
  readonly keys: RedisKeys;
  readonly #name = `test-${crypto.randomUUID()}`;
  readonly #ends: (() => unknown)[] = [];
  #links = 0;

  constructor(url: string) {
    this.url = url;
    this.keys = redisKeys(this.#name);
  }

  async link(changes: Partial<RedisLinkOptions> = {}): Promise<RedisLink> {
    const name = `${this.#name}-${++this.#links}`;
    const link = await RedisLink.open({ url: this.url, name, log: silentLog, scripts: CLUSTER_SCRIPTS, ...changes });
    this.#ends.push(() => link.close());
    return link;
  }

  /** Acquires a lease. */
  async lease(link: RedisLink, changes: Partial<LeaseOptions> = {}): Promise<Lease> {
    const lease = this.standBy(link, changes);
    await lease.acquire();
    return lease;
  }

  standBy(link: RedisLink, changes: Partial<LeaseOptions> = {}): Lease {
    const lease = new Lease({
      link,
      keys: this.keys,
      id: crypto.randomUUID(),
      address: '127.0.0.1:1',
      log: silentLog,
      onLost: () => {},
      graceMs: 0,
      ...changes,
    });
    this.#ends.push(() => lease.stop());
    return lease;
  }

  async writer(link: RedisLink, lease: Lease, changes: Partial<RedisJournalOptions> = {}): Promise<RedisJournal> {
    const journal = await RedisJournal.open({
      link,
      keys: this.keys,
      lease,
      reserve: new MemoryReserve(),
      recordedSeq: 0,
      log: silentLog,
      onLost: () => {},
      ...changes,
    });
    this.#ends.push(() => journal.stop());
    return journal;
  }

  async reader(
    after: RedisJournalReaderOptions['after'],
    changes: Partial<RedisJournalReaderOptions> = {},
  ): Promise<OpenReader> {
    const [batches, lost, epochs]: [Batch[], [number, number][], string[]] = [[], [], []];
    const reader = await RedisJournalReader.open({
      link: await this.link({ bytes: true }),
      statusLink: await this.link(),
      keys: this.keys,
      after,
      log: silentLog,
      onLost: (from, to) => {
        lost.push([from, to]);
        return undefined;
      },
      onEpoch: (epoch) => epochs.push(epoch),
      ...changes,
    });
    reader.subscribe((batch) => batches.push(batch));
    reader.start();
    this.#ends.push(() => reader.stop());
    return { reader, batches, lost, epochs };
  }

  /** Deletes all keys, as after a restart of Redis without persistence. */
  async loseData(): Promise<void> {
    const link = await this.link();
    const found = (await link.send(['KEYS', `{${this.#name}}*`])) as string[];
    if (found.length > 0) await link.send(['DEL', ...found]);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
    this.#ends.length = 0;
    await this.loseData().catch(() => {});
    for (const end of this.#ends.splice(0)) await end();
  }
}

export async function waitUntil(condition: () => unknown, what = 'the condition of the test'): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what} was not met within ${WAIT_MS / 1000} s`);
    await Bun.sleep(5);
  }
}

/** Starts a wait for a reply that never comes. Returns the time from its end to the call, which a busy machine hardly changes. */
export function timeSinceNoReply(): () => Promise<number> {
  const ended = replyInTime(new Promise<never>(() => {})).catch(() => performance.now());
  return async () => {
    const called = performance.now();
    return called - (await ended);
  };
}
