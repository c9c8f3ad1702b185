// A store with destinations, and a delivery worker on it whose clock can be set forward.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Channel, OutgoingMessage, SendResult } from '../../src/delivery/channel.ts';
import { DeliveryWorker, type DeliveryWorkerOptions } from '../../src/delivery/delivery-worker.ts';
import { DestinationBox } from '../../src/delivery/destination-box.ts';
import { silentLog } from '../../src/ops/log.ts';
import type { DestinationRow, NewMessage } from '../../src/store/delivery-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../service.fixture.ts';
import { destination, message } from '../store/alert-samples.fixture.ts';

/** Milliseconds since 1970 at the start of a test. */
export const START = 1_700_000_000_000;

export interface Outbox extends AsyncDisposable {
  readonly store: Store;
  readonly box: DestinationBox;
  readonly now: () => number;
  /** Sets the clock of the workers forward, and wakes them. */
  pass(ms: number): void;
  /** Creates destinations whose address is their id. */
  addDestinations(ids: readonly string[], part?: Partial<DestinationRow>): Promise<void>;
  /** Adds messages named by destination and letter, such as `1a 1b 2a`, to destinations `1`, `2` and so on. */
  addMessages(names: string, part?: Partial<NewMessage>): Promise<void>;
  /** Starts a worker that sends with `send`; it is stopped at the end. */
  worker(
    send: Channel['send'],
    part?: Partial<DeliveryWorkerOptions> & { perMinute?: number },
  ): Promise<DeliveryWorker>;
}

export function openOutbox(): Outbox {
  const folder = temporaryFolder();
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  const box = new DestinationBox(join(folder, 'delivery.key'));
  const started = performance.now();
  let passed = 0;
  const now = (): number => Math.floor(START + performance.now() - started + passed);
  const workers: DeliveryWorker[] = [];
  return {
    store,
    box,
    now,
    pass(ms) {
      passed += ms;
      for (const worker of workers) worker.wake();
    },
    async addDestinations(ids, part = {}) {
      for (const id of ids)
        await store.delivery.putDestination(
          destination(id, { sealed: box.seal(id, { url: `http://${id}.example/` }), ...part }),
        );
    },
    async addMessages(names, part = {}) {
      const at = now();
      await store.delivery.addMessages(
        names
          .split(' ')
          .map((id) => message(id, { destination: id[0]!, createdAt: at, notBefore: at, firing: 'f', ...part })),
      );
    },
    async worker(send, { perMinute, ...part } = {}) {
      const channel: Channel = { name: 'webhook', send, ...(perMinute !== undefined && { perMinute }) };
      const worker = new DeliveryWorker({
        store: store.delivery,
        id: 'worker',
        channels: new Map([['webhook', channel]]),
        box,
        now,
        log: silentLog,
        ...part,
      });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const DELIVERED: SendResult = { result: 'delivered' };
export const failed = (afterMs?: number): SendResult => ({
  result: 'retry',
  reason: 'status 500',
  ...(afterMs !== undefined && { afterMs }),
});

/** Waits until a condition holds; fails after a minute. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not reached: ${what}`);
    await Bun.sleep(2);
  }
}

export const idsOf = (sent: readonly OutgoingMessage[]): string => sent.map(({ id }) => id).join(' ');
