// Every open WebSocket connection, counted as it opens and as it closes, in all and by the network it comes from.
import { callerNetwork } from '../access/client-address.ts';
import { ApiError } from '../http/api-error.ts';
import type { Connection } from './connection.ts';
import type { LimitSettings } from './limit-settings.ts';

/** Nobody knows when one closes; this much keeps those who ask again from being a load of their own. */
const RETRY = { headers: { 'Retry-After': '10' } };

export class OpenConnections implements Iterable<Connection> {
  /** Refused at the handshake, by reason. */
  readonly refused = { service_full: 0, too_many_connections: 0 };
  readonly #limits: LimitSettings;
  readonly #networkOf = new Map<Connection, string>();
  readonly #inNetwork = new Map<string, number>();

  constructor(limits: LimitSettings) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#networkOf.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#networkOf.keys();
  }

  /** Throws where one more from there is too many. The one that may come is counted once it is open. */
  admit(address: string): void {
    const { max_connections, max_connections_per_address } = this.#limits;
    if ((this.#inNetwork.get(callerNetwork(address)) ?? 0) >= max_connections_per_address) {
      this.refused.too_many_connections++;
      throw new ApiError(
        'too_many_connections',
        `An address may have ${max_connections_per_address} open connections.`,
        RETRY,
      );
    }
    if (this.size >= max_connections) {
      this.refused.service_full++;
      throw new ApiError('service_full', `The service has its ${max_connections} connections.`, RETRY);
    }
  }

  add(connection: Connection): void {
    const network = callerNetwork(connection.address);
    this.#networkOf.set(connection, network);
    this.#inNetwork.set(network, (this.#inNetwork.get(network) ?? 0) + 1);
  }

  delete(connection: Connection): void {
    const network = this.#networkOf.get(connection);
    if (network === undefined) return;
    this.#networkOf.delete(connection);
    const left = this.#inNetwork.get(network)! - 1;
    if (left > 0) this.#inNetwork.set(network, left);
    else this.#inNetwork.delete(network);
  }
}
