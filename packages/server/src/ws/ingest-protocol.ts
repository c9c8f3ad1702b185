// Pushed ticks over WebSocket: each text frame holds one or more lines and is answered with the result.
import { AuthenticateMessage, type IngestAnswer } from '@tickwire/contract';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PushLines } from '../http/push-handlers.ts';
import { authenticateKey } from './client-protocol.ts';
import type { Connection } from './connection.ts';

export interface IngestProtocolOptions {
  readonly ingest: PushLines;
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly now: () => number;
  /** Gives the connection its stream slot, then calls `then`. */
  readonly claimSlot: (connection: Connection, caller: Caller, then: () => void) => void;
  /** Receives each message that was queued meanwhile. */
  readonly onQueued: (connection: Connection, text: string) => void;
  /** Called for an error that occurs after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class IngestProtocol {
  readonly #options: IngestProtocolOptions;

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
      const answer = this.#options.ingest.push(connection.caller, text.split('\n'));
      if (answer instanceof Promise) this.#await(connection, answer);
      else connection.notify({ event: 'ingested', ...answer });
    } catch (error) {
      this.#refuse(connection, error);
    }
  }

  /** Frames that arrive meanwhile are queued: they are handled in order. */
  #await(connection: Connection, answer: Promise<IngestAnswer>): void {
    const { onQueued, onFault } = this.#options;
    connection.queued ??= [];
    answer
      .then(
        (result) => connection.notify({ event: 'ingested', ...result }),
        (error) => this.#refuse(connection, error),
      )
      .then(() => connection.handleQueued((text) => onQueued(connection, text)))
      .catch((error) => onFault(connection, error));
  }

  #refuse(connection: Connection, error: unknown): void {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'ingest_disabled') connection.closeWithError(error.code, error.message);
    else connection.sendError(error.code, error.message, undefined);
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
