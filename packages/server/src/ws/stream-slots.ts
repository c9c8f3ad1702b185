// Stream slots: how many streams an account may have open. At the limit, the connections that hold the slots are pinged; one
// that does not answer is closed, and its slot goes to a waiting connection.
import type { Caller } from '../access/keyring.ts';
import type { Quota } from '../access/quota.ts';
import type { Connection } from './connection.ts';

/** A holder has 1.5 s to answer. Time is counted in polls, so that a stall of the event loop does not shorten it. */
const POLLS = 30;
const POLL_MS = 50;

/** Counts the streams of an account across all gateways of a cluster. */
export interface SlotCounter {
  /** Takes a slot, if the account has one left. */
  take(account: string, limit: number): Promise<{ readonly taken: boolean }>;
  release(account: string): void;
}

/** A connection that waits for a slot while the holders are pinged. */
interface WaitingConnection {
  readonly connection: Connection;
  readonly resolve: (taken: boolean) => void;
}

export class StreamSlots {
  readonly #quotaOf = new Map<Connection, Quota>();
  readonly #held = new Map<Quota, Set<Connection>>();
  /** By quota, in order of arrival. Present only while the holders are pinged. */
  readonly #waiting = new Map<Quota, WaitingConnection[]>();
  readonly #now: () => number;
  readonly #shared: SlotCounter | null;
  /** Name under which a connection is counted across all gateways. */
  readonly #sharedAs = new Map<Connection, string>();

  /** `shared` counts across all gateways of a cluster. */
  constructor(now: () => number, shared: SlotCounter | null = null) {
    this.#now = now;
    this.#shared = shared;
  }

  /** Open authenticated connections of all accounts. */
  get total(): number {
    return this.#quotaOf.size;
  }

  /** Takes a slot. Returns `true` if one was free, or a promise if other connections or gateways must be asked first. */
  claim(connection: Connection, caller: Caller): true | Promise<boolean> {
    if (this.take(connection, caller)) return this.#shared ? this.#claimShared(this.#shared, connection, caller) : true;
    const freed = this.takeAfterPing(connection, caller);
    const shared = this.#shared;
    return shared ? freed.then((taken) => taken && this.#claimShared(shared, connection, caller)) : freed;
  }

  /** Takes a slot of this process, if one is free. */
  take(connection: Connection, { quota }: Pick<Caller, 'quota'>): boolean {
    const held = this.#held.get(quota) ?? new Set();
    if (held.size >= quota.maxStreams) return false;
    this.#held.set(quota, held.add(connection));
    this.#quotaOf.set(connection, quota);
    quota.openStreams = held.size;
    return true;
  }

  /** Pings the holders and takes a slot that one of them frees, because it closed or did not answer. */
  async takeAfterPing(connection: Connection, { quota }: Caller): Promise<boolean> {
    const taken = new Promise<boolean>((resolve, reject) => {
      const waiting = this.#waiting.get(quota);
      waiting?.push({ connection, resolve });
      if (waiting) return;
      this.#waiting.set(quota, [{ connection, resolve }]);
      this.#pingHolders(quota).catch(reject);
    });
    // It may have closed at the moment it got the slot.
    return (await taken) && !connection.closed;
  }

  release(connection: Connection): void {
    const quota = this.#quotaOf.get(connection);
    if (!quota) return;
    this.#quotaOf.delete(connection);
    const name = this.#sharedAs.get(connection);
    if (name !== undefined) this.#shared?.release(name);
    this.#sharedAs.delete(connection);
    const held = this.#held.get(quota)!;
    held.delete(connection);
    quota.openStreams = held.size;
    if (held.size === 0) this.#held.delete(quota);
    this.#grantWaiting(quota);
  }

  async #claimShared(shared: SlotCounter, connection: Connection, caller: Caller): Promise<boolean> {
    const { name } = caller.quota;
    const { taken } = await shared.take(name, caller.quota.maxStreams);
    // It may have closed meanwhile and released its slot here.
    if (taken && !this.#quotaOf.has(connection)) shared.release(name);
    else if (taken) this.#sharedAs.set(connection, name);
    else this.release(connection);
    return taken && !connection.closed && this.#quotaOf.has(connection);
  }

  /** One round for all waiting connections: each holder is pinged once. */
  async #pingHolders(quota: Quota): Promise<void> {
    try {
      const pingedAt = this.#now();
      let silent = [...(this.#held.get(quota) ?? [])];
      for (const holder of silent) holder.socket.ping();
      for (let poll = 0; poll < POLLS && silent.length > 0; poll++) {
        await Bun.sleep(POLL_MS);
        silent = silent.filter((holder) => this.#quotaOf.has(holder) && holder.aliveAt < pingedAt);
      }
      for (const holder of silent) holder.socket.terminate();
      // The limit of the account may have been raised.
      this.#grantWaiting(quota);
    } finally {
      const refused = this.#waiting.get(quota) ?? [];
      this.#waiting.delete(quota);
      for (const { resolve } of refused) resolve(false);
    }
  }

  #grantWaiting(quota: Quota): void {
    const waiting = this.#waiting.get(quota) ?? [];
    while (waiting.length > 0 && (waiting[0]!.connection.closed || this.take(waiting[0]!.connection, { quota })))
      waiting.shift()!.resolve(true);
  }
}
