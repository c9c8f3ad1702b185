// Slots of a worker: how many destinations it sends to at a time, over all and per channel. They bound memory and open
// connections. An account has a share of what is free, so that slow receivers of some accounts leave slots for others.
import type { OutsideChannel } from '@tickwire/contract';
import type { DestinationRow, LeaseFilter } from '../store/delivery-store.ts';
import { Counts } from '../work/counts.ts';
import { fairShare } from '../work/slots.ts';
import type { Channels } from './channel.ts';

const MAX_DESTINATIONS = 128;
const MAX_OF_ACCOUNT = 16;

export interface DeliverySlotLimits {
  readonly destinations?: number;
  readonly ofAccount?: number;
}

/** Who uses a slot. */
export type SlotUse = Pick<DestinationRow, 'account' | 'channel'>;

/** What is free now. */
export interface Room {
  only(): LeaseFilter;
  /** Takes a slot, if one is free. */
  readonly take: (destination: SlotUse) => boolean;
}

/** Slots of all channels, or of one. */
class SharedSlots {
  readonly #all: number;
  readonly #ofAccount: number;
  readonly #accounts = new Counts();
  #used = 0;

  constructor(all: number, ofAccount: number) {
    this.#all = all;
    this.#ofAccount = ofAccount;
  }

  get #share(): number {
    return fairShare(this.#all - this.#used, this.#ofAccount);
  }

  get isFull(): boolean {
    return this.#used >= this.#all;
  }

  /** Accounts that have their share. */
  get full(): readonly string[] {
    return this.#accounts.atLeast(this.#share);
  }

  fits(account: string): boolean {
    return !this.isFull && this.#accounts.get(account) < this.#share;
  }

  add(account: string): void {
    this.#used++;
    this.#accounts.add(account, 1);
  }
}

export class DeliverySlots {
  readonly #held: ReadonlyMap<string, SlotUse>;
  readonly #channels: Channels;
  readonly #all: number;
  readonly #ofAccount: number;

  /** `held`: what is in use, kept by the caller. */
  constructor(held: ReadonlyMap<string, SlotUse>, channels: Channels, limits: DeliverySlotLimits) {
    this.#held = held;
    this.#channels = channels;
    this.#all = limits.destinations ?? MAX_DESTINATIONS;
    this.#ofAccount = limits.ofAccount ?? MAX_OF_ACCOUNT;
  }

  get free(): number {
    return this.#all - this.#held.size;
  }

  /** Whether others may wait for the slot. */
  isContested(use: SlotUse): boolean {
    return !this.room().take(use);
  }

  room(): Room {
    const all = new SharedSlots(this.#all, this.#ofAccount);
    const channels = new Map<OutsideChannel, SharedSlots>();
    for (const { name, atOnce = this.#all } of this.#channels.values())
      channels.set(name, new SharedSlots(atOnce, this.#ofAccount));
    const add = ({ account, channel }: SlotUse): void => {
      all.add(account);
      channels.get(channel)?.add(account);
    };
    for (const held of this.#held.values()) add(held);
    return {
      only: () => ({
        channels: [...channels]
          .filter(([, slots]) => !slots.isFull)
          .map(([name, slots]) => ({ name, exceptAccounts: [...new Set([...all.full, ...slots.full])] })),
      }),
      take: (use) => {
        const fits = all.fits(use.account) && (channels.get(use.channel)?.fits(use.account) ?? false);
        if (fits) add(use);
        return fits;
      },
    };
  }
}
