// Pushed ticks over WebSocket: each text frame holds one or more lines and is answered with the result.
import { AuthenticateMessage } from '@tickwire/contract';
import type { Caller, Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { RateLimiter } from '../work/rate-limiter.ts';
import { authenticateKey } from './client-protocol.ts';
import type { Connection } from './connection.ts';
import { type PushLines, PushQueue } from './push-queue.ts';

export interface IngestProtocolOptions {
  readonly ingest: PushLines;
  readonly keyring: Keyring;
  readonly failures: RateLimiter;
  readonly now: () => number;
  /** Gives the connection its stream slot, then calls `then`. */
  readonly claimSlot: (connection: Connection, caller: Caller, then: () => void) => void;
  /** Called for an error that occurs after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class IngestProtocol {
  readonly #options: IngestProtocolOptions;
  readonly #queues = new WeakMap<Connection, PushQueue>();

  constructor(options: IngestProtocolOptions) {
    this.#options = options;
  }

  receive(connection: Connection, text: string): void {
    try {
      this.#options.ingest.open();
      if (!connection.caller) {
        this.#authenticate(connection, text);
        return;
      }
      this.#queueOf(connection).add(text);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      connection.closeWithError(error.code, error.message);
    }
  }

  /** The client has read a part of its answers. */
  drained(connection: Connection): void {
    this.#queues.get(connection)?.drained();
  }

  #queueOf(connection: Connection): PushQueue {
    let queue = this.#queues.get(connection);
    if (!queue) {
      const { ingest, now, onFault } = this.#options;
      queue = new PushQueue({ connection, ingest, now, onFault: (error) => onFault(connection, error) });
      this.#queues.set(connection, queue);
    }
    return queue;
  }

  #authenticate(connection: Connection, text: string): void {
    const message = AuthenticateMessage.safeParse(parsed(text)).data;
    if (!message) {
      const example = '{"action":"authenticate","api_key":"…"}';
      connection.sendError('missing_key', `Authenticate first: send ${example}.`, undefined);
      return;
    }
    const id = message.id === undefined ? {} : { id: message.id };
    const caller = authenticateKey(this.#options, connection, message.api_key, 'ingest', message.id);
    if (caller) this.#options.claimSlot(connection, caller, () => connection.notify({ event: 'authenticated', ...id }));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
