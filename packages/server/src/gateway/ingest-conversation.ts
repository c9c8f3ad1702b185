// Pushed ticks over WebSocket: each text frame holds one or more lines and is answered with what became of them.
import { AuthenticateMessage } from '@tickwire/contract';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { Tally } from '../feeds/push/feed.ts';
import { ApiError } from '../http/api-error.ts';
import type { Ingest } from '../http/ingest.ts';
import type { Connection } from './connection.ts';

export interface IngestConversationOptions {
  readonly ingest: Ingest;
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly now: () => number;
  /** Gives the connection its stream slot, then calls back. */
  readonly enter: (connection: Connection, caller: Caller, then: () => void) => void;
}

export class IngestConversation {
  readonly #options: IngestConversationOptions;

  constructor(options: IngestConversationOptions) {
    this.#options = options;
  }

  hear(connection: Connection, text: string): void {
    try {
      const { ingest } = this.#options;
      const feed = ingest.feed();
      if (!connection.caller) {
        this.#authenticate(connection, text);
        return;
      }
      const lines = text.split('\n');
      ingest.allow(connection.caller, lines.length);
      const tally = new Tally();
      feed.take(lines, 1, connection.caller.account.publicId, tally);
      connection.notify({ event: 'ingested', ...tally.answer() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'ingest_disabled') connection.end(error.code, error.message);
      else connection.complain(error.code, error.message, undefined);
    }
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
