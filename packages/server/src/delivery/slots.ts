// Slots of a worker: how many destinations it sends to at a time, over all, per account and per channel. They bound memory and
// open connections, and slow receivers of one account leave slots for others.
import type { DestinationRow, LeaseFilter } from '../store/delivery-store.ts';
import type { Channel, Channels } from './channel.ts';

const MAX_DESTINATIONS = 128;
const MAX_OF_ACCOUNT = 16;

export interface SlotLimits {
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
  /** Whether there was no slot for one. */
  readonly refused: boolean;
}

export class Slots {
  readonly #held: ReadonlyMap<string, SlotUse>;
  readonly #channels: Channels;
  readonly #all: number;
  readonly #ofAccount: number;

  /** `held`: what is in use, kept by the caller. */
  constructor(held: ReadonlyMap<string, SlotUse>, channels: Channels, limits: SlotLimits) {
    this.#held = held;
    this.#channels = channels;
    this.#all = limits.destinations ?? MAX_DESTINATIONS;
    this.#ofAccount = limits.ofAccount ?? MAX_OF_ACCOUNT;
  }

  get free(): number {
    return this.#all - this.#held.size;
  }

  /** Whether others may wait for the slot. */
  isContested({ account }: SlotUse): boolean {
    if (this.free <= 0) return true;
    let used = 0;
    for (const held of this.#held.values()) if (held.account === account) used++;
    return used >= this.#ofAccount;
  }

  room(): Room {
    const accounts = new Map<string, number>();
    const channels = new Map<string, number>();
    const count = ({ account, channel }: SlotUse): void => {
      accounts.set(account, (accounts.get(account) ?? 0) + 1);
      channels.set(channel, (channels.get(channel) ?? 0) + 1);
    };
    for (const held of this.#held.values()) count(held);
    const hasRoom = ({ name, atOnce = this.#all }: Channel): boolean => (channels.get(name) ?? 0) < atOnce;
    let refused = false;
    return {
      only: () => ({
        channels: [...this.#channels.values()].filter(hasRoom).map(({ name }) => name),
        exceptAccounts: [...accounts].flatMap(([account, used]) => (used >= this.#ofAccount ? account : [])),
      }),
      take: (destination) => {
        const channel = this.#channels.get(destination.channel);
        const fits =
          channel !== undefined && hasRoom(channel) && (accounts.get(destination.account) ?? 0) < this.#ofAccount;
        if (fits) count(destination);
        else refused = true;
        return fits;
      },
      get refused() {
        return refused;
      },
    };
  }
}
