// What a client says and what it is answered: reads a message, authenticates, carries out the action.
import { ACTIONS, ClientMessage } from '@tickwire/contract';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import type { Connection } from './connection.ts';
import type { StreamSlots } from './stream-slots.ts';
import type { Subscribing } from './subscribing.ts';

export interface ConversationOptions {
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly slots: StreamSlots;
  readonly subscribing: Subscribing;
  readonly now: () => number;
  /** Takes up a message that waited for the slot. */
  readonly onWaited: (connection: Connection, text: string) => void;
  /** Told of a fault that comes up after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class Conversation {
  readonly #options: ConversationOptions;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Takes one text message. */
  hear(connection: Connection, text: string): void {
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      connection.complain('malformed_json', 'The message is not JSON.', undefined);
      return;
    }
    const parsed = ClientMessage.safeParse(raw);
    if (!parsed.success) {
      const action = (raw as { action?: unknown } | null)?.action;
      const [issue] = parsed.error.issues;
      const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
      if (typeof action === 'string' && !(ACTIONS as readonly string[]).includes(action)) {
        connection.complain('unknown_action', `The action must be one of ${ACTIONS.join(', ')}.`, requestIdOf(raw));
      } else {
        connection.complain('invalid_message', `${where}${issue?.message ?? 'not an object'}`, requestIdOf(raw));
      }
    } else if (connection.caller) this.#act(connection, parsed.data);
    else this.#authenticate(connection, parsed.data);
  }

  /** Gives an authenticated connection its slot, then carries out the message that brought the key. */
  enter(connection: Connection, caller: Caller, message?: ClientMessage): void {
    this.seat(connection, caller, message?.id, () => message && this.#act(connection, message));
  }

  /** Gives a connection its stream slot, or ends it where there is none; then `begin` and what waited meanwhile. */
  seat(connection: Connection, caller: Caller, id: string | number | undefined, begin: () => void): void {
    const accept = (): void => {
      connection.caller = caller;
      this.#options.keyring.touch(caller, this.#options.now());
      begin();
      const waiting = connection.waiting ?? [];
      connection.waiting = null;
      for (const text of waiting) if (!connection.closed) this.#options.onWaited(connection, text);
    };
    const claimed = this.#options.slots.claim(connection, caller);
    if (claimed === true) {
      accept();
      return;
    }
    connection.caller = null;
    connection.waiting = [];
    claimed
      .then((taken) => {
        const { tier, tierName } = caller.account;
        const whose = caller.session ? 'A session' : `The ${tierName} tier`;
        if (taken) accept();
        else connection.end('stream_limit', `${whose} allows ${tier.streams} streams.`, id);
      })
      .catch((error) => this.#options.onFault(connection, error));
  }

  #authenticate(connection: Connection, message: ClientMessage): void {
    const { keyring, failures, now } = this.#options;
    if (message.api_key === undefined) {
      connection.complain('missing_key', 'Send your API key in api_key.', message.id);
      return;
    }
    const caller = keyring.authenticate(message.api_key, now());
    if (caller?.scopes.has('read')) this.enter(connection, caller, message);
    else if (caller) connection.end('missing_scope', 'Streams need a key with the scope read.', message.id);
    else if (failures.fail(connection.address, now()) > 0) {
      connection.end('too_many_failures', 'Too many bad API keys came from this address.', message.id);
    } else connection.end('invalid_key', 'The API key is unknown, expired or revoked.', message.id);
  }

  #act(connection: Connection, message: ClientMessage): void {
    const { subscribing } = this.#options;
    const id = message.id === undefined ? {} : { id: message.id };
    switch (message.action) {
      case 'ping':
        connection.notify({ event: 'pong', ...id });
        break;
      case 'list':
        subscribing.tell(connection, 'subscriptions', [], id);
        break;
      case 'unsubscribe':
        subscribing.unsubscribe(connection, message);
        break;
      case 'subscribe':
        subscribing.subscribe(connection, message);
    }
  }
}

function requestIdOf(raw: unknown): string | number | undefined {
  const id = (raw as { id?: unknown } | null)?.id;
  return (typeof id === 'string' && id.length <= 128) || typeof id === 'number' ? id : undefined;
}
