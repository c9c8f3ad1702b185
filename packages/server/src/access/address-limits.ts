// Limits of requests without a key or session, per client address. IPv6 clients count by /64 network.
import { callerNetwork } from './client-address.ts';
import { LineAllowance } from './line-allowance.ts';

/** Bodies that an address may send at the same time. Each holds up to 64 KiB of memory. */
export const MAX_OPEN_BODIES = 32;

/** Bounds memory. The address with the oldest request is forgotten first. */
const MAX_ADDRESSES = 10_000;

export class AddressLimits {
  readonly requestsPerMinute: number;
  readonly #requests = new Map<string, LineAllowance>();
  /** Only addresses that are sending a body, so the number of connections bounds it. */
  readonly #openBodies = new Map<string, number>();

  constructor(requestsPerMinute: number) {
    this.requestsPerMinute = requestsPerMinute;
  }

  /** Counts a request and returns 0. Over the limit, counts nothing and returns the milliseconds to wait. */
  request(address: string, now: number): number {
    const network = callerNetwork(address);
    const requests = this.#requests.get(network) ?? new LineAllowance(this.requestsPerMinute);
    this.#requests.delete(network);
    this.#requests.set(network, requests);
    if (this.#requests.size > MAX_ADDRESSES) this.#requests.delete(this.#requests.keys().next().value!);
    return requests.take(1, now) ? 0 : requests.waitMs(1, now);
  }

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
