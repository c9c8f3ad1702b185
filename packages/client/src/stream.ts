// A subscription that outlives its connections: whatever drops is opened again and asked for the same symbols, until
// the caller closes it or the service says that coming back is pointless.
import type { Channel, Notice } from '@tickwire/contract';
import { backoffMs } from './backoff.ts';
import { mayReconnect } from './close-codes.ts';
import { Connection, type ConnectionEnd, type SocketConstructor } from './connection.ts';
import type { Timing } from './timing.ts';
import type { MessageOf } from './wire.ts';

/** `live` from the service's `subscribed` on; `closed` is final. */
export type StreamState = 'connecting' | 'live' | 'closed';

export interface StateDetail {
  /** The close that led here, if one did. */
  readonly end: ConnectionEnd | null;
  /** Milliseconds until the next attempt; null where none is waiting. */
  readonly retryInMs: number | null;
}

export interface StreamHandlers<C extends Channel> {
  readonly onMessage: (message: MessageOf<C>) => void;
  /** Answers and notices of the service, pongs left out. */
  readonly onNotice?: (notice: Notice) => void;
  readonly onState?: (state: StreamState, detail: StateDetail) => void;
}

export type StreamOptions<C extends Channel> = {
  /** Adds `seq`, `prev` and `epoch` to every message. */
  readonly seq?: boolean;
} & (C extends 'signals'
  ? { readonly symbols?: readonly string[]; readonly closes?: boolean }
  : C extends 'news'
    ? { readonly symbols?: readonly string[] }
    : { readonly symbols: readonly string[] });

export interface StreamSetup {
  readonly url: string;
  readonly apiKey: string;
  readonly WebSocket: SocketConstructor;
  readonly timing: Timing;
}

/** A connection live for less than this does not count as a recovery: the backoff goes on growing. */
export const STABLE_AFTER_MS = 10_000;

export class Stream<C extends Channel> {
  readonly #setup: StreamSetup;
  readonly #handlers: StreamHandlers<C>;
  readonly #flags: Omit<StreamOptions<C>, 'symbols'>;
  #symbols: readonly string[];
  #state: StreamState = 'connecting';
  #connection: Connection | null = null;
  #retry: unknown = null;
  #attempt = 0;
  #liveSince: number | null = null;

  constructor(setup: StreamSetup, options: StreamOptions<C>, handlers: StreamHandlers<C>) {
    const { symbols = ['*'], ...flags } = options;
    this.#setup = setup;
    this.#handlers = handlers;
    this.#flags = flags;
    this.#symbols = distinct(symbols);
    this.#connect();
  }

  get state(): StreamState {
    return this.#state;
  }

  get symbols(): readonly string[] {
    return this.#symbols;
  }

  /** Changes what is subscribed, on the open connection where there is one. */
  setSymbols(symbols: readonly string[]): void {
    const next = distinct(symbols);
    const before = this.#symbols;
    this.#symbols = next;
    if (!this.#connection?.open) return;
    // "*" has no members to take out one by one.
    const afresh = before.includes('*');
    const removed = before.filter((symbol) => !next.includes(symbol));
    const added = afresh ? next : next.filter((symbol) => !before.includes(symbol));
    if (removed.length > 0) this.#connection.send({ action: 'unsubscribe', ...(afresh ? {} : { symbols: removed }) });
    if (added.length > 0) this.#connection.send({ action: 'subscribe', symbols: added, ...this.#flags });
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#finish({ code: 1000, reason: 'closed by the client' });
  }

  #connect(): void {
    this.#retry = null;
    this.#enter('connecting', null, null);
    // A state handler may have closed the stream.
    if (this.#state === 'closed') return;
    const { WebSocket, url, timing } = this.#setup;
    this.#connection = new Connection(WebSocket, url, timing, {
      onOpen: () => this.#subscribe(),
      onMessage: (message) => this.#receive(message),
      onEnd: (end) => this.#ended(end),
    });
  }

  #subscribe(): void {
    const { apiKey } = this.#setup;
    this.#connection?.send({ action: 'subscribe', symbols: this.#symbols, api_key: apiKey, ...this.#flags });
  }

  #receive(message: object): void {
    if (!('event' in message)) {
      this.#handlers.onMessage(message as MessageOf<C>);
      return;
    }
    const notice = message as Notice;
    if (notice.event === 'pong') return;
    if (notice.event === 'subscribed' && this.#state === 'connecting') {
      this.#liveSince = this.#setup.timing.now();
      this.#enter('live', null, null);
    }
    this.#handlers.onNotice?.(notice);
    // A subscription refused for what it is would be refused for ever; a fatal error brings its own close code.
    if (notice.event === 'error' && !notice.fatal && !notice.retryable && this.#state === 'connecting') {
      this.#finish({ code: 4400, reason: notice.message });
    }
  }

  #ended(end: ConnectionEnd): void {
    if (this.#state === 'closed') return;
    this.#connection = null;
    const { timing } = this.#setup;
    if (this.#liveSince !== null && timing.now() - this.#liveSince >= STABLE_AFTER_MS) this.#attempt = 0;
    this.#liveSince = null;
    if (!mayReconnect(end.code)) {
      this.#finish(end);
      return;
    }
    const wait = backoffMs(this.#attempt++, timing.random);
    this.#retry = timing.setTimeout(() => this.#connect(), wait);
    this.#enter('connecting', end, wait);
  }

  #finish(end: ConnectionEnd): void {
    this.#enter('closed', end, null);
    if (this.#retry !== null) this.#setup.timing.clearTimeout(this.#retry);
    this.#connection?.close();
    this.#connection = null;
  }

  #enter(state: StreamState, end: ConnectionEnd | null, retryInMs: number | null): void {
    this.#state = state;
    this.#handlers.onState?.(state, { end, retryInMs });
  }
}

function distinct(symbols: readonly string[]): readonly string[] {
  if (symbols.length === 0) throw new RangeError('A stream needs at least one symbol; "*" means all');
  return [...new Set(symbols)];
}
