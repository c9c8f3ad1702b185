// Limits of requests without a key or session, per client address. IPv6 clients count by /64 network.
import { LruMap } from '../work/lru-map.ts';
import { RollingSum } from '../work/rolling-sum.ts';
import { Slots } from '../work/slots.ts';
import { callerNetwork } from './client-address.ts';

/** Bodies that an address may send at the same time. Each holds up to 64 KiB of memory. */
export const MAX_OPEN_BODIES = 32;

/** Bounds memory. The addresses with the latest requests are remembered. */
const MAX_ADDRESSES = 20_000;

export class AddressLimits {
  readonly requestsPerMinute: number;
  readonly #requests = new LruMap<string, RollingSum>(MAX_ADDRESSES);
  readonly #openBodies = new Slots({ perKey: MAX_OPEN_BODIES });

  constructor(requestsPerMinute: number) {
    this.requestsPerMinute = requestsPerMinute;
  }

  /** Counts a request and returns 0. Over the limit, counts nothing and returns the milliseconds to wait. */
  request(address: string, now: number): number {
    const network = callerNetwork(address);
    let requests = this.#requests.get(network);
    if (!requests) {
      requests = new RollingSum(this.requestsPerMinute);
      this.#requests.set(network, requests);
    }
    return requests.take(1, now) ? 0 : requests.waitMs(1, now);
  }

  /** Counts a body until the returned function is called. Returns `null` if the address is at the limit. */
  openBody(address: string): (() => void) | null {
    return this.#openBodies.take(callerNetwork(address));
  }
}
