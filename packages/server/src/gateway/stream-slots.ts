// Streams per account. At the limit, the connections that hold the slots are pinged: one that no longer answers gives its
// slot up to those who wait, instead of keeping its owner out.
import type { AccountState, Caller } from '../access/keyring.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import { countedAs } from '../http/guard.ts';
import type { Connection } from './connection.ts';

/** A holder has 1.5 s to answer, and as many turns of the event loop to be heard in, however late those come. */
const POLLS = 30;
const POLL_MS = 50;

/** A connection that waits until the holders have answered, or not. */
interface Newcomer {
  readonly connection: Connection;
  readonly seat: (taken: boolean) => void;
}

export class StreamSlots {
  readonly #accountOf = new Map<Connection, AccountState>();
  readonly #held = new Map<number, Set<Connection>>();
  /** By account, first come first served; there while its holders are being asked. */
  readonly #waiting = new Map<number, Newcomer[]>();
  readonly #now: () => number;
  readonly #shared: Pick<SharedSlots, 'take' | 'release'> | null;
  /** What a connection counts as over all gateways, once it does. */
  readonly #sharedAs = new Map<Connection, string>();

  /** `shared` counts over all gateways of a cluster. */
  constructor(now: () => number, shared: Pick<SharedSlots, 'take' | 'release'> | null = null) {
    this.#now = now;
    this.#shared = shared;
  }

  /** Open authenticated connections of all accounts. */
  get total(): number {
    return this.#accountOf.size;
  }

  /** Takes a slot: at once where one is free here and nobody else counts; else when that is known. */
  claim(connection: Connection, caller: Caller): true | Promise<boolean> {
    if (this.take(connection, caller)) return this.#shared ? this.#claimShared(this.#shared, connection, caller) : true;
    const freed = this.takeFromDead(connection, caller);
    const shared = this.#shared;
    return shared ? freed.then((taken) => taken && this.#claimShared(shared, connection, caller)) : freed;
  }

  /** Takes a slot of this process if one is free. */
  take(connection: Connection, { account }: Pick<Caller, 'account'>): boolean {
    const held = this.#held.get(account.id) ?? new Set();
    if (held.size >= account.tier.streams) return false;
    this.#held.set(account.id, held.add(connection));
    this.#accountOf.set(connection, account);
    account.streams = held.size;
    return true;
  }

  /** Takes a slot that comes free while the holders are asked whether they live, or because one does not. */
  async takeFromDead(connection: Connection, { account }: Caller): Promise<boolean> {
    const taken = new Promise<boolean>((seat, fail) => {
      const waiting = this.#waiting.get(account.id);
      waiting?.push({ connection, seat });
      if (waiting) return;
      this.#waiting.set(account.id, [{ connection, seat }]);
      this.#ask(account).catch(fail);
    });
    // It may have gone in the very moment it was given a slot.
    return (await taken) && !connection.closed;
  }

  release(connection: Connection): void {
    const account = this.#accountOf.get(connection);
    if (!account) return;
    this.#accountOf.delete(connection);
    const name = this.#sharedAs.get(connection);
    if (name !== undefined) this.#shared?.release(name);
    this.#sharedAs.delete(connection);
    const held = this.#held.get(account.id)!;
    held.delete(connection);
    account.streams = held.size;
    if (held.size === 0) this.#held.delete(account.id);
    this.#seat(account);
  }

  async #claimShared(
    shared: Pick<SharedSlots, 'take' | 'release'>,
    connection: Connection,
    caller: Caller,
  ): Promise<boolean> {
    const name = countedAs(caller);
    const { taken } = await shared.take(name, caller.account.tier.streams);
    // It may have gone meanwhile, and its slot here with it.
    if (taken && !this.#accountOf.has(connection)) shared.release(name);
    else if (taken) this.#sharedAs.set(connection, name);
    else this.release(connection);
    return taken && !connection.closed && this.#accountOf.has(connection);
  }

  /** One round for all who wait: however many come, a holder is pinged once. */
  async #ask(account: AccountState): Promise<void> {
    try {
      const asked = this.#now();
      let silent = [...(this.#held.get(account.id) ?? [])];
      for (const holder of silent) holder.socket.ping();
      for (let poll = 0; poll < POLLS && silent.length > 0; poll++) {
        await Bun.sleep(POLL_MS);
        silent = silent.filter((holder) => this.#accountOf.has(holder) && holder.heardAt < asked);
      }
      for (const holder of silent) holder.socket.terminate();
      // The account's tier may have grown.
      this.#seat(account);
    } finally {
      const refused = this.#waiting.get(account.id) ?? [];
      this.#waiting.delete(account.id);
      for (const { seat } of refused) seat(false);
    }
  }

  #seat(account: AccountState): void {
    const waiting = this.#waiting.get(account.id) ?? [];
    while (waiting.length > 0 && (waiting[0]!.connection.closed || this.take(waiting[0]!.connection, { account })))
      waiting.shift()!.seat(true);
  }
}
