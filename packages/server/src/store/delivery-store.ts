// Destinations and the outbox: messages that must reach them. A worker leases messages, at most one worker at a time per
// destination, in the order in which they were written. Times are milliseconds since 1970.
import type { DeliveryState, OutsideChannel } from '@tickwire/contract';

/** File in the data folder with the key that signs push messages: browsers subscribe to it, so that it must not be lost. */
export const VAPID_KEY = 'vapid.key';
/** File in the data folder with the key that encrypts addresses and secrets of destinations. */
export const DELIVERY_KEY = 'delivery.key';

export type StoredDestinationState = 'unverified' | 'active' | 'unsubscribed';

export interface DestinationRow {
  readonly id: string;
  readonly account: string;
  readonly channel: OutsideChannel;
  readonly name: string | null;
  /** Shown to the user; has no secret parts. */
  readonly address: string;
  /** SHA-256 of channel and full address, hex: an account has an address once. */
  readonly addressHash: string;
  /** Full address and secrets, encrypted: JSON sealed by the secret box. */
  readonly sealed: string;
  readonly state: StoredDestinationState;
  /** SHA-256 of the verification code, hex; `null` if it has none. */
  readonly codeHash: string | null;
  readonly codeExpiresAt: number | null;
  /** Wrong codes so far. */
  readonly wrongCodes: number;
  readonly createdAt: number;
}

/** A message with a verification code. */
export interface SentCode {
  readonly account: string;
  readonly addressHash: string;
  readonly at: number;
}

/** A message to write to the outbox. */
export interface NewMessage {
  /** Stable in all attempts. */
  readonly id: string;
  readonly account: string;
  readonly destination: string;
  /** The firing that caused it; `null` for tests and codes. */
  readonly firing: string | null;
  readonly alert: string | null;
  readonly type: string;
  readonly title: string;
  /** What the channel's template is filled with: JSON. */
  readonly body: string;
  readonly createdAt: number;
  /** Earliest time of the first attempt; of a replayed message, the time of the replay. */
  readonly notBefore: number;
  /** Why it must not be sent: it is written as dead. */
  readonly refused?: string;
}

export interface StoredMessage extends Omit<NewMessage, 'refused'> {
  /** Order of writing over all destinations; a replayed message is moved to the end. */
  readonly n: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** End of the first attempt since it was written or replayed; `null` if there was none. */
  readonly firstAttemptAt: number | null;
  /** Earliest time of the next attempt. */
  readonly nextAt: number;
  readonly deliveredAt: number | null;
  readonly reason: string | null;
}

/** A destination with the messages that a worker may send now, in order. */
export interface LeasedDestination {
  readonly destination: DestinationRow;
  readonly messages: readonly StoredMessage[];
  /** Attempts that failed since the last delivery, and the time of the first of them. */
  readonly failures: number;
  readonly failingSince: number | null;
}

export interface LeaseOptions {
  /** Id of the worker. */
  readonly worker: string;
  readonly now: number;
  /** End of the lease. */
  readonly until: number;
  /** At most so many destinations, with at most so many messages each. */
  readonly destinations: number;
  readonly messages: number;
  readonly only?: LeaseFilter;
  /** Asked for each destination in turn: the others stay due. */
  readonly accepts?: (destination: DestinationRow) => boolean;
}

/** What a worker can lease now: the channels that it has, and the accounts that have to wait. */
export interface LeaseFilter {
  readonly channels: readonly { readonly name: OutsideChannel; readonly exceptAccounts: readonly string[] }[];
}

/** A destination that a worker gives back. */
export interface ReleasedDestination extends Pick<LeasedDestination, 'failures' | 'failingSince'> {
  readonly destination: string;
  /** It is not leased again before this time. */
  readonly wakeAt: number;
  /** Messages that were due at or before this time, and still wait, are dead. */
  readonly giveUp?: { readonly notAfter: number; readonly reason: string };
}

/** The outcome of an attempt. */
export type AttemptResult =
  | { readonly id: string; readonly result: 'delivered'; readonly at: number }
  | {
      readonly id: string;
      readonly result: 'retry';
      readonly at: number;
      readonly nextAt: number;
      readonly reason: string;
    }
  | { readonly id: string; readonly result: 'dead'; readonly at: number; readonly reason: string };

/** How delivery to a destination goes. */
export interface DeliveryProgress {
  readonly waiting: number;
  readonly lastDeliveredAt: number | null;
  /** Failed attempts since the last delivery, and the reason of the last one. */
  readonly failures: number;
  readonly failure: string | null;
}

export interface DeliveryStore {
  destinations(account: string): Promise<DestinationRow[]>;
  destination(id: string): Promise<DestinationRow | undefined>;
  /** The destination that waits for a code with this hash. */
  destinationWithCode(codeHash: string): Promise<DestinationRow | undefined>;
  putDestination(destination: DestinationRow): Promise<void>;
  /** Creates or replaces destinations and writes messages to them, in one transaction. */
  writeDestinations(destinations: readonly DestinationRow[], messages: readonly NewMessage[]): Promise<void>;
  /** Deletes it with its messages, and removes it from alerts and subscriptions. */
  deleteDestination(id: string): Promise<void>;
  /**
   * Seals a Telegram chat (or another late address) into a destination and makes it active. Returns false, and changes nothing,
   * if it does not wait for this code any more.
   */
  verifyDestination(
    id: string,
    change: { readonly codeHash: string; readonly address: string; readonly sealed: string },
  ): Promise<boolean>;
  /** Codes that were written since this time to destinations that still exist. */
  codesSince(time: number): Promise<SentCode[]>;
  /** Notes that the reader of an address wants no codes. */
  suppress(addressHash: string, now: number): Promise<void>;
  /** Whether this was noted since then, or the address unsubscribed from a code of a destination that still exists. */
  isSuppressed(addressHash: string, since: number): Promise<boolean>;
  /** Counts a wrong code, if the destination still waits for the one with this hash. */
  countWrongCode(id: string, codeHash: string): Promise<void>;
  /** What a delivery found out: the destination moved, or it wants no more messages. Any node may write it. */
  changeDestination(id: string, change: { readonly sealed?: string; readonly state?: 'unsubscribed' }): Promise<void>;
  /** Writes messages that no firing caused, such as tests. */
  addMessages(messages: readonly NewMessage[]): Promise<void>;
  /**
   * Leases up to `destinations` destinations that have a message due and no other worker, with up to `messages` messages each.
   * The first of a destination is its oldest undelivered one: if that is not due, the destination has to wait. A lease ends
   * with `release`, or at `until`.
   */
  lease(options: LeaseOptions): Promise<LeasedDestination[]>;
  /** Ends the leases of a worker, except those of some destinations. */
  endLeases(worker: string, except: readonly string[]): Promise<void>;
  /** Extends the leases of a worker. Returns the ids of the destinations it still holds and that did not unsubscribe. */
  renew(worker: string, destinations: readonly string[], until: number): Promise<string[]>;
  /** Stores outcomes and ends the leases of `released`, in one transaction. Of leases that were lost, only deliveries count. */
  complete(worker: string, results: readonly AttemptResult[], released: readonly ReleasedDestination[]): Promise<void>;
  /** Earliest time at which a message becomes due; `null` if none waits. */
  nextDue(only?: LeaseFilter): Promise<number | null>;
  /** The clock that all workers share; `null` if it is that of this machine. */
  clock(): Promise<number | null>;
  message(id: string): Promise<StoredMessage | undefined>;
  /** Newest first. */
  messages(
    account: string,
    query: {
      readonly state?: DeliveryState;
      readonly destination?: string;
      readonly alert?: string;
      readonly before?: string;
      readonly limit: number;
    },
  ): Promise<StoredMessage[]>;
  /** Makes a dead message wait again, behind those that wait already. Returns false if it is not dead or is a code. */
  replay(id: string, now: number): Promise<boolean>;
  /** Messages waiting, the time of the last delivery and the failures since then, by destination. */
  destinationStates(account: string): Promise<ReadonlyMap<string, DeliveryProgress>>;
  /** Waiting and dead messages over all accounts, for the metrics. */
  counts(): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** Gives up to `atMost` waiting messages up that were due before this time. Returns how many. */
  giveUpMessages(before: number, atMost: number, reason: string): Promise<number>;
  /** Deletes up to `atMost` delivered and dead messages that were written before this time. Returns how many it deleted. */
  pruneMessages(before: number, atMost: number): Promise<number>;
  /** Messages written since this time, by account: for the allowance per day. */
  writtenSince(time: number): Promise<ReadonlyMap<string, number>>;
}
