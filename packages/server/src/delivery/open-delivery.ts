// Delivery on one node: channels, the box with the addresses of destinations, and the worker.
import { DAY_MS, HOUR_MS, SECOND_MS } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import type { DeliveryStore } from '../store/delivery-store.ts';
import { withCodes } from './code-channel.ts';
import { lacksSharedKey } from './delivery-key-check.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { DestinationBox, deliveryKeyFile } from './destination-box.ts';
import { type OpenChannels, openChannels } from './open-channels.ts';
import { TelegramBot } from './telegram-bot.ts';

const COUNT_MS = 10 * SECOND_MS;
const PRUNE_MS = HOUR_MS;
/** Delivered and dead messages are kept this long. */
export const MESSAGE_DAYS = 30;
/**
 * The worker gives messages up after 24 hours of failures. Those that it could not even try, because their channel is not
 * configured any more or the key is lost, must not be sent when that is changed much later.
 */
const UNSENT_MS = 2 * DAY_MS;
/** Rows deleted in one transaction, which blocks the event loop on SQLite, and the pause until the next. */
export const PRUNED_AT_ONCE = 2_000;
export const PRUNE_PAUSE_MS = 50;

export interface DeliveryOptions {
  readonly config: Config;
  readonly store: DeliveryStore;
  /** Id of the worker. One process alone uses the same after each start, a node of a cluster one of its own. */
  readonly worker: string;
  /** Whether this node deletes old messages: it must be the writer of the realm. */
  readonly prunes: boolean;
  readonly isDisabled: (account: string) => boolean;
  readonly now: () => number;
  readonly log: Log;
}

export interface Delivery extends OpenChannels {
  readonly box: DestinationBox;
  /** A node of a cluster without a shared key can neither create nor open destinations. */
  readonly keyMissing: boolean;
  readonly worker: DeliveryWorker;
  /** Reads what is written to the Telegram bot once it is started, which only the writer of the realm does. `null` without a bot. */
  readonly bot: TelegramBot | null;
  /** Messages over all accounts as of the last count, and since when the oldest destination that is due waits for a worker. */
  readonly counts: { readonly waiting: number; readonly dead: number; readonly overdueMs: number };
  /** Sends at once what was written just now. */
  wake(): void;
  start(timers: Timers): void;
  /** Waits for attempts that are under way, for a limited time. */
  stop(): Promise<void>;
}

/** Sends nothing until it is started. */
export function openDelivery({ config, store, worker: id, prunes, isDisabled, now, log }: DeliveryOptions): Delivery {
  const opened = openChannels(config);
  const box = new DestinationBox(deliveryKeyFile(config));
  const channels = withCodes(opened.channels, box, now);
  const worker = new DeliveryWorker({ store, id, channels, box, isDisabled, now, log });
  let counts = { waiting: 0, dead: 0, overdueMs: 0 };
  let started: Promise<void> | null = null;
  let startedAt = 0;
  return {
    ...opened,
    box,
    keyMissing: lacksSharedKey(config),
    worker,
    bot: opened.telegram && new TelegramBot({ api: opened.telegram, log }),
    get counts() {
      return counts;
    },
    wake: () => {
      if (started) worker.wake();
    },
    start(timers) {
      started = worker.start();
      startedAt = now();
      timers.every(
        COUNT_MS,
        'counting messages',
        async () => {
          // 0: an earlier run gave it back, and it is due at once.
          const due = await store.nextDue();
          counts = {
            ...(await store.counts()),
            overdueMs: due === null ? 0 : Math.max(0, now() - (due || startedAt)),
          };
        },
        { immediately: true },
      );
      if (prunes) timers.every(PRUNE_MS, 'deleting old messages', () => prune(store, now()));
    },
    async stop() {
      await started;
      await worker.stop();
    },
  };
}

/** Gives up what no node could send, and deletes what is old. */
export async function prune(
  store: Pick<DeliveryStore, 'giveUpMessages' | 'pruneMessages'>,
  now: number,
): Promise<void> {
  const time = Math.floor(now);
  const giveUp = () =>
    store.giveUpMessages(time - UNSENT_MS, PRUNED_AT_ONCE, 'given up after 48 hours: it could not be sent');
  for (const work of [giveUp, () => store.pruneMessages(time - MESSAGE_DAYS * DAY_MS, PRUNED_AT_ONCE)])
    while ((await work()) === PRUNED_AT_ONCE) await Bun.sleep(PRUNE_PAUSE_MS);
}
