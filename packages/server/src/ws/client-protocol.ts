// The protocol of a client connection: parses a message, authenticates the client, performs the action.
import { ACTIONS, ChannelRequest, ClientMessage, STREAM_CHANNELS, type StreamChannel } from '@tickwire/contract';
import { callerNetwork } from '../access/client-address.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { fromLineAndColumn } from '../errors/malformed-json.ts';
import { withoutSynonym } from '../errors/parameter-names.ts';
import { firstFault } from '../errors/validation.ts';
import type { RateLimiter } from '../work/rate-limiter.ts';
import type { Connection } from './connection.ts';
import type { StreamSlots } from './stream-slots.ts';
import type { SubscribeHandler } from './subscribe.ts';
import { withoutChannel } from './subscribe-options.ts';
import type { ErrorContext, Subscriber } from './subscriber.ts';

/** Unknown options that a warning names, and characters of each. */
const MAX_UNKNOWN = 10;
const MAX_SHOWN = 64;

interface ClientRequest {
  readonly message: ClientMessage;
  /** The channel that a request on `/ws` is about; `null` on the endpoint of a channel. */
  readonly channel: StreamChannel | null;
  readonly unknown: readonly string[];
}

export interface ClientProtocolOptions {
  readonly keyring: Keyring;
  readonly failures: RateLimiter;
  readonly slots: StreamSlots;
  readonly subscribe: SubscribeHandler;
  readonly now: () => number;
  /** Receives each message that was queued while the connection waited for its slot. */
  readonly onQueued: (connection: Connection, text: string) => void;
  /** Called for an error that occurs after the call has returned. */
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class ClientProtocol {
  readonly #options: ClientProtocolOptions;

  constructor(options: ClientProtocolOptions) {
    this.#options = options;
  }

  /** Handles one text message. */
  receive(connection: Connection, text: string): void {
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      connection.sendError('malformed_json', `The message is not valid JSON${fromLineAndColumn(text)}.`, undefined);
      return;
    }
    const schema = connection.channel === 'ws' ? ChannelRequest : ClientMessage;
    try {
      if (typeof raw === 'object' && raw !== null) raw = withoutSynonym(raw as Record<string, unknown>, ['timeframe']);
    } catch (error) {
      connection.sendError('invalid_message', (error as Error).message, requestIdOf(raw));
      return;
    }
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      this.#reject(connection, raw, schema, () => firstFault(parsed.error, schema, raw, 'the message'));
      return;
    }
    const request: ClientRequest = {
      ...(connection.channel === 'ws'
        ? addressed(parsed.data as ChannelRequest)
        : { message: parsed.data as ClientMessage, channel: null }),
      unknown: unknownOptions(raw as object, schema, parsed.data.action),
    };
    if (connection.caller) this.#perform(connection, request);
    else this.#authenticate(connection, request);
  }

  #reject(connection: Connection, raw: unknown, schema: MessageSchema, faultOf: () => string): void {
    const { action, channel } = (raw ?? {}) as { readonly action?: unknown; readonly channel?: unknown };
    const id = requestIdOf(raw);
    const isNamed = schema === ChannelRequest && isStreamChannel(channel);
    const about: ErrorContext = isNamed ? { channel } : {};
    if (typeof action === 'string' && !(ACTIONS as readonly string[]).includes(action))
      connection.sendError('unknown_action', `The action must be one of ${ACTIONS.join(', ')}.`, id, about);
    else if (schema === ChannelRequest && typeof action === 'string' && action !== 'ping' && !isNamed)
      connection.sendError('unknown_channel', `The channel must be one of ${STREAM_CHANNELS.join(', ')}.`, id);
    else connection.sendError('invalid_message', faultOf(), id, about);
  }

  /** Gives an authenticated connection its slot, then performs the message that carried the key. */
  accept(connection: Connection, caller: Caller, request?: ClientRequest): void {
    this.claimSlot(connection, caller, request?.message.id, () => request && this.#perform(connection, request));
  }

  /** Gives a connection its stream slot, or closes it if there is none; then calls `then` and handles queued messages. */
  claimSlot(connection: Connection, caller: Caller, id: string | number | undefined, then: () => void): void {
    const start = (): void => {
      connection.caller = caller;
      this.#options.keyring.touch(caller, this.#options.now());
      const queued = connection.queued ?? [];
      connection.queued = null;
      then();
      // The first message may wait itself.
      if (connection.queued) (connection.queued as string[]).push(...queued);
      else {
        connection.queued = queued;
        connection.handleQueued((text) => this.#options.onQueued(connection, text));
      }
    };
    const claimed = this.#options.slots.claim(connection, caller);
    if (claimed === true) {
      start();
      return;
    }
    connection.caller = null;
    connection.queued = [];
    claimed
      .then((taken) => {
        const { grantedBy, maxStreams } = caller.quota;
        if (taken) start();
        else connection.closeWithError('stream_limit', `${grantedBy} allows ${maxStreams} streams.`, id);
      })
      .catch((error) => this.#options.onFault(connection, error));
  }

  #authenticate(connection: Connection, request: ClientRequest): void {
    const { message } = request;
    if (message.api_key === undefined) {
      connection.sendError('missing_key', 'Send your API key in the field api_key.', message.id);
      return;
    }
    const caller = authenticateKey(this.#options, connection, message.api_key, 'read', message.id);
    if (caller) this.accept(connection, caller, request);
  }

  #perform(connection: Connection, { message, channel, unknown }: ClientRequest): void {
    const { subscribe } = this.#options;
    const id = message.id === undefined ? {} : { id: message.id };
    const missing = channel && subscribe.missing(channel);
    if (missing) {
      connection.sendError('unknown_channel', missing, message.id);
      return;
    }
    const subscriber = (): Subscriber =>
      channel === null ? connection.subscribers[0]! : connection.subscriber(channel);
    switch (message.action) {
      case 'ping':
        connection.notify({ event: 'pong', ...id });
        break;
      case 'list':
        subscribe.sendSet(subscriber(), 'subscriptions', [], id);
        break;
      case 'unsubscribe':
        subscribe.unsubscribe(subscriber(), message, unknown);
        break;
      case 'subscribe': {
        const loaded = subscribe.subscribe(subscriber(), message, unknown);
        if (loaded) this.#await(connection, loaded);
      }
    }
  }

  /** Messages that arrive meanwhile are queued: they are handled in order. */
  #await(connection: Connection, work: Promise<void>): void {
    const { onQueued, onFault } = this.#options;
    connection.queued ??= [];
    work
      .then(() => connection.handleQueued((text) => onQueued(connection, text)))
      .catch((error) => onFault(connection, error));
  }
}

/** The caller of an API key with the scope. Otherwise closes the connection with the reason and returns `null`. */
export function authenticateKey(
  { keyring, failures, now }: Pick<ClientProtocolOptions, 'keyring' | 'failures' | 'now'>,
  connection: Connection,
  key: string,
  scope: 'read' | 'ingest',
  id?: string | number,
): Caller | null {
  const caller = keyring.authenticate(key, now());
  if (caller?.scopes.has(scope)) return caller;
  if (caller) connection.closeWithError('missing_scope', `This stream requires a key with the scope ${scope}.`, id);
  else if (failures.take(callerNetwork(connection.address), now()) > 0)
    connection.closeWithError('too_many_failures', 'Too many invalid API keys were sent from this address.', id);
  else connection.closeWithError('invalid_key', 'The API key is unknown, expired or revoked.', id);
  return null;
}

type MessageSchema = typeof ClientMessage | typeof ChannelRequest;

const isStreamChannel = (name: unknown): name is StreamChannel =>
  (STREAM_CHANNELS as readonly unknown[]).includes(name);

/** A request on `/ws` as the endpoint of its channel takes it. */
const addressed = (request: ChannelRequest): Pick<ClientRequest, 'message' | 'channel'> =>
  request.action === 'ping'
    ? { message: request, channel: null }
    : { message: withoutChannel(request), channel: request.channel };

/** Options of a message that the service does not know, as often happens by a typo. They are ignored. */
function unknownOptions(raw: object, schema: MessageSchema, action: string): string[] {
  const { shape } = schema.options.find((option) => option.shape.action.value === action)!;
  return Object.keys(raw)
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => name.slice(0, MAX_SHOWN));
}

function requestIdOf(raw: unknown): string | number | undefined {
  const id = (raw as { id?: unknown } | null)?.id;
  return (typeof id === 'string' && id.length <= 128) || typeof id === 'number' ? id : undefined;
}
