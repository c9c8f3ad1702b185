// Streams per account. At the limit, connections that have been silent are pinged first: one that no longer answers gives
// its slot up instead of keeping its owner out.
import type { Caller } from '../access/keyring.ts';
import type { Connection } from './connection.ts';

/** How long a silent connection has to answer a ping before its slot is taken. */
const PROBE_MS = 1_500;
const POLL_MS = 50;

export class StreamSlots {
  readonly #held = new Map<number, Set<Connection>>();
  #total = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Open authenticated connections of all accounts. */
  get total(): number {
    return this.#total;
  }

  /** Takes a slot if one is free. */
  take(connection: Connection, { account }: Caller): boolean {
    const held = this.#held.get(account.id) ?? new Set();
    if (held.size >= account.tier.streams) return false;
    this.#held.set(account.id, held.add(connection));
    this.#total++;
    account.streams = held.size;
    return true;
  }

  /** Takes a slot, after the silent holders were asked whether they live. */
  async takeFromDead(connection: Connection, caller: Caller): Promise<boolean> {
    const asked = this.#now();
    const silent = [...(this.#held.get(caller.account.id) ?? [])];
    for (const holder of silent) holder.socket.ping();
    const deadline = asked + PROBE_MS;
    let dead = silent;
    while (dead.length > 0 && this.#now() < deadline) {
      await Bun.sleep(POLL_MS);
      dead = dead.filter((holder) => !holder.closed && holder.heardAt <= asked);
      // A holder may have gone by itself meanwhile.
      if (connection.closed) return false;
      if (this.take(connection, caller)) return true;
    }
    for (const holder of dead) holder.socket.terminate();
    return !connection.closed && this.take(connection, caller);
  }

  release(connection: Connection): void {
    const { caller } = connection;
    const held = caller && this.#held.get(caller.account.id);
    if (!held?.delete(connection)) return;
    this.#total--;
    caller!.account.streams = held.size;
    if (held.size === 0) this.#held.delete(caller!.account.id);
  }
}
