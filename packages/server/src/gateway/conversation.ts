// What a client says and what it is answered: reads a message, authenticates, carries out the action.
import { ACTIONS, ClientMessage, type Notice } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import type { Connection } from './connection.ts';
import type { LineKind, Variant } from './line.ts';
import type { NewsReaders } from './news-readers.ts';
import type { StreamSlots } from './stream-slots.ts';
import type { Switchboard } from './switchboard.ts';

export interface ConversationOptions {
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly slots: StreamSlots;
  readonly switchboard: Switchboard;
  readonly news: NewsReaders;
  readonly epoch: string;
  readonly simulated: boolean;
  readonly now: () => number;
  /** Takes up a message that waited for the slot. */
  readonly onWaited: (connection: Connection, text: string) => void;
  /** Told of a fault that comes up after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

type Subscribe = Extract<ClientMessage, { action: 'subscribe' }>;
type Rejected = { symbol: string; code: 'symbol_not_found' }[];

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
    if (this.#options.slots.take(connection, caller)) {
      accept();
      return;
    }
    connection.caller = null;
    connection.waiting = [];
    this.#options.slots
      .takeFromDead(connection, caller)
      .then((taken) => {
        const { tier, tierName } = caller.account;
        if (taken) accept();
        else connection.end('stream_limit', `The ${tierName} tier allows ${tier.streams} streams.`, id);
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
    const id = message.id === undefined ? {} : { id: message.id };
    switch (message.action) {
      case 'ping':
        connection.notify({ event: 'pong', ...id });
        break;
      case 'list':
        connection.notify(this.#set(connection, 'subscriptions', [], id));
        break;
      case 'unsubscribe':
        this.#unsubscribe(connection, message.symbols, id);
        break;
      case 'subscribe':
        this.#subscribe(connection, message, id);
    }
  }

  #subscribe(connection: Connection, message: Subscribe, id: object): void {
    const { switchboard, news, epoch } = this.#options;
    if (connection.channel === 'news') {
      const unknown = news.subscribe(connection, message.symbols, message.seq === true);
      const extra = { ...id, ...(message.seq === true && { epoch }) };
      connection.notify(this.#set(connection, 'subscribed', rejectedOf(unknown), extra));
      return;
    }
    const codes = message.symbols ?? (connection.channel === 'signals' ? ['*'] : undefined);
    if (!codes) {
      connection.complain('invalid_message', 'symbols: name one or more instruments, or "*".', message.id);
      return;
    }
    const { known, rejected } = this.#expand(codes);
    const variant: Variant = {
      kind:
        connection.channel === 'signals' && message.closes ? 'signals_and_closings' : (connection.channel as LineKind),
      sequenced: message.seq === true,
    };
    const fresh = known.filter((symbol) => !connection.subscriptions.has(symbol));
    for (const symbol of known) switchboard.add(connection, symbol, variant);
    connection.notify(this.#set(connection, 'subscribed', rejected, { ...id, ...(variant.sequenced && { epoch }) }));
    for (const symbol of fresh) switchboard.snapshot(connection, symbol, variant);
  }

  #unsubscribe(connection: Connection, codes: readonly string[] | undefined, id: object): void {
    if (connection.channel === 'news') {
      const unknown = this.#options.news.unsubscribe(connection, codes);
      connection.notify(this.#set(connection, 'unsubscribed', rejectedOf(unknown), id));
      return;
    }
    const { known, rejected } = this.#expand(codes ?? ['*']);
    for (const symbol of known) this.#options.switchboard.drop(connection, symbol);
    connection.notify(this.#set(connection, 'unsubscribed', rejected, id));
  }

  #set(
    connection: Connection,
    event: 'subscribed' | 'unsubscribed' | 'subscriptions',
    rejected: Rejected,
    extra: object,
  ): Notice {
    const source = this.#options.simulated ? { source: 'simulated' as const } : {};
    const symbols =
      connection.channel === 'news'
        ? this.#options.news.subscriptions(connection)
        : [...connection.subscriptions.keys()];
    return { event, symbols, rejected, ...source, ...extra };
  }

  /** Canonical symbols for what a client wrote, each once, and what is not in the catalogue. */
  #expand(codes: readonly string[]): { known: MarketSymbol[]; rejected: Rejected } {
    const { switchboard } = this.#options;
    const known = new Set<MarketSymbol>();
    const unknown = new Set<string>();
    for (const code of codes) {
      const symbol = asSymbol(code);
      if (code === '*') for (const each of switchboard.symbols) known.add(each);
      else if (switchboard.has(symbol)) known.add(symbol);
      else unknown.add(code);
    }
    return { known: [...known], rejected: rejectedOf([...unknown]) };
  }
}

const rejectedOf = (unknown: readonly string[]): Rejected =>
  unknown.map((symbol) => ({ symbol, code: 'symbol_not_found' }));

function requestIdOf(raw: unknown): string | number | undefined {
  const id = (raw as { id?: unknown } | null)?.id;
  return (typeof id === 'string' && id.length <= 128) || typeof id === 'number' ? id : undefined;
}
