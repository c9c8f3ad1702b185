// Limits of requests without a key or session, per client address. IPv6 clients count by /64 network.
import { callerNetwork } from './client-address.ts';

/** Bodies that an address may send at the same time. Each holds up to 64 KiB of memory. */
export const MAX_OPEN_BODIES = 32;

export class AddressLimits {
  /** Only addresses that are sending a body, so the number of connections bounds it. */
  readonly #openBodies = new Map<string, number>();

  /** Counts a body until the returned function is called. Returns `null` if the address is at the limit. */
  openBody(address: string): (() => void) | null {
    const network = callerNetwork(address);
    const open = this.#openBodies.get(network) ?? 0;
    if (open >= MAX_OPEN_BODIES) return null;
    this.#openBodies.set(network, open + 1);
    return () => {
      const left = this.#openBodies.get(network)! - 1;
      if (left === 0) this.#openBodies.delete(network);
      else this.#openBodies.set(network, left);
    };
  }
}
