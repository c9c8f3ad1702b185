// Every open WebSocket connection, counted in total and per network, with the limits for both.
import type { ErrorCode } from '@tickwire/contract';
import { callerNetwork } from '../access/client-address.ts';
import type { LimitSettings } from '../config/limit-settings.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Counts } from '../work/counts.ts';
import type { Connection } from './connection.ts';

/** When a connection will close is unknown; this keeps clients from retrying too often. */
const RETRY = { retryAfterSeconds: 10 };

export class OpenConnections implements Iterable<Connection> {
  /** Handshakes refused, by reason. */
  readonly refused = { service_full: 0, too_many_connections: 0 };
  /** Connections closed with an error, by its code; `stalled` did not read what was buffered for them, `silent` are gone. */
  readonly closed = new Map<ErrorCode | 'stalled' | 'silent', number>();
  readonly #limits: LimitSettings;
  readonly #networkOf = new Map<Connection, string>();
  readonly #inNetwork = new Counts();

  constructor(limits: LimitSettings) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#networkOf.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#networkOf.keys();
  }

  /** Throws if one more connection from the address exceeds a limit. A connection is counted once it is open. */
  admit(address: string): void {
    const { max_connections, max_connections_per_address } = this.#limits;
    if (this.#inNetwork.get(callerNetwork(address)) >= max_connections_per_address) {
      this.refused.too_many_connections++;
      throw new ServiceError(
        'too_many_connections',
        `Your address already has ${max_connections_per_address} open connections, the maximum.`,
        RETRY,
      );
    }
    if (this.size >= max_connections) {
      this.refused.service_full++;
      throw new ServiceError(
        'service_full',
        `The service already has ${max_connections} open connections, the maximum.`,
        RETRY,
      );
    }
  }

  countClosed(code: ErrorCode | 'stalled' | 'silent'): void {
    this.closed.set(code, (this.closed.get(code) ?? 0) + 1);
  }

  add(connection: Connection): void {
    const network = callerNetwork(connection.address);
    this.#networkOf.set(connection, network);
    this.#inNetwork.add(network, 1);
  }

  delete(connection: Connection): void {
    const network = this.#networkOf.get(connection);
    if (network === undefined) return;
    this.#networkOf.delete(connection);
    this.#inNetwork.add(network, -1);
  }
}
