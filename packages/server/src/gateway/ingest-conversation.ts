// Pushed ticks over WebSocket: each text frame holds one or more lines and is answered with what became of them.
import { AuthenticateMessage, type IngestAnswer } from '@tickwire/contract';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { ApiError } from '../http/api-error.ts';
import type { PushLines } from '../http/ingest.ts';
import type { Connection } from './connection.ts';

export interface IngestConversationOptions {
  readonly ingest: PushLines;
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly now: () => number;
  /** Gives the connection its stream slot, then calls back. */
  readonly enter: (connection: Connection, caller: Caller, then: () => void) => void;
  /** Takes up a message that waited. */
  readonly onWaited: (connection: Connection, text: string) => void;
  /** Told of a fault that comes up after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class IngestConversation {
  readonly #options: IngestConversationOptions;

  constructor(options: IngestConversationOptions) {
    this.#options = options;
  }

  hear(connection: Connection, text: string): void {
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

  /** What comes meanwhile waits: frames are taken in their order. */
  #await(connection: Connection, answer: Promise<IngestAnswer>): void {
    const { onWaited, onFault } = this.#options;
    connection.waiting ??= [];
    answer
      .then(
        (given) => connection.notify({ event: 'ingested', ...given }),
        (error) => this.#refuse(connection, error),
      )
      .then(() => {
        const waiting = connection.waiting ?? [];
        connection.waiting = null;
        for (const text of waiting) {
          if (connection.closed) return;
          // One of them may have to be waited for again: the others then wait behind it.
          if (waits(connection)) connection.waiting!.push(text);
          else onWaited(connection, text);
        }
      })
      .catch((error) => onFault(connection, error));
  }

  #refuse(connection: Connection, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'ingest_disabled') connection.end(error.code, error.message);
    else connection.complain(error.code, error.message, undefined);
  }

  #authenticate(connection: Connection, text: string): void {
    const { keyring, failures, now, enter } = this.#options;
    const message = AuthenticateMessage.safeParse(parsed(text)).data;
    if (!message) {
      connection.complain('missing_key', 'First send {"action":"authenticate","api_key":"…"}.', undefined);
      return;
    }
    const id = message.id === undefined ? {} : { id: message.id };
    const caller = keyring.authenticate(message.api_key, now());
    if (caller?.scopes.has('ingest')) {
      enter(connection, caller, () => connection.notify({ event: 'authenticated', ...id }));
    } else if (caller) connection.end('missing_scope', 'This needs a key with the scope ingest.', message.id);
    else if (failures.fail(connection.address, now()) > 0) {
      connection.end('too_many_failures', 'Too many bad API keys came from this address.', message.id);
    } else connection.end('invalid_key', 'The API key is unknown, expired or revoked.', message.id);
  }
}

const waits = (connection: Connection): boolean => connection.waiting !== null;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
