// A stream's part of a shared connection: it tags the requests of the stream, and picks its messages and its part of notices.
import type { Notice } from '../common/contract.ts';
import type { ConnectionEnd } from './connection.ts';
import type { StreamKind } from './messages.ts';
import {
  ReconnectingSocket,
  type ReconnectingSocketEvents,
  type ReconnectingSocketOptions,
  type StateDetail,
  type StreamState,
} from './reconnecting-socket.ts';

/** What a stream subscribes to: symbols of a channel, of bars and footprints with a timeframe. */
export interface StreamTopics {
  readonly kind: StreamKind;
  /** In upper case; `*` for all. */
  readonly symbols: readonly string[];
  readonly timeframe: string | undefined;
}

/** What a stream needs of its connection. {@link ReconnectingSocket} is a separate one, {@link SharedSocket} a part of a shared one. */
export type StreamSocket = Pick<ReconnectingSocket, 'state' | 'open' | 'send' | 'markLive' | 'pause' | 'close'>;

/** What a part needs of its connection. */
export interface JoinedConnection {
  /** Whether no other stream of the connection has one of the topics. */
  admits(socket: SharedSocket): boolean;
  send(message: object): void;
  markLive(): void;
  /** Ends the connection if it was the last stream. */
  leave(socket: SharedSocket, farewell: object | null, end: ConnectionEnd): void;
}

export const NO_DETAIL: StateDetail = { end: null, retryInMs: null };

/** A stream's part of a shared connection. */
export class SharedSocket implements StreamSocket {
  readonly events: ReconnectingSocketEvents;
  readonly topics: () => StreamTopics;
  /** Id of its requests on the connection, and so of the replies. */
  id = '';
  /** Whether it has sent its subscriptions on this connection. */
  isOpen = false;
  #isConfirmed = false;
  #state: StreamState = 'connecting';
  /** Symbols that it has subscribed on this connection. */
  readonly #subscribed = new Set<string>();
  readonly #ownOptions: ReconnectingSocketOptions;
  readonly #join: (socket: SharedSocket) => JoinedConnection | null;
  #connection: JoinedConnection | null = null;
  /** The connection that it uses instead, if the service offers no shared one. */
  #own: ReconnectingSocket | null = null;

  constructor(
    own: ReconnectingSocketOptions,
    join: (socket: SharedSocket) => JoinedConnection | null,
    topics: () => StreamTopics,
    events: ReconnectingSocketEvents,
  ) {
    this.#ownOptions = own;
    this.#join = join;
    this.topics = topics;
    this.events = events;
  }

  get state(): StreamState {
    return this.#own?.state ?? this.#state;
  }

  open(): void {
    if (this.#own) this.#own.open();
    else if (this.#state !== 'closed' && !this.#connection) {
      this.#connection = this.#join(this);
      if (!this.#connection) this.useOwn();
    }
  }

  /** Continues with a separate connection. */
  useOwn(): void {
    let announced = this.#state === 'connecting' && this.#connection !== null;
    this.#connection = null;
    this.#own = new ReconnectingSocket(this.#ownOptions, {
      ...this.events,
      onState: (state, detail) => {
        if (!announced) this.events.onState(state, detail);
        announced = false;
      },
    });
    this.#own.open();
  }

  send(message: object): void {
    if (this.#own) {
      this.#own.send(message);
      return;
    }
    const { action, symbols } = message as { readonly action?: string; readonly symbols?: readonly string[] };
    if (!this.isOpen) return;
    if (action === 'unsubscribe') for (const each of symbols ?? [...this.#subscribed]) this.#subscribed.delete(each);
    if (action === 'subscribe') {
      // A symbol was added that another stream of the connection has: this stream goes on with another connection.
      if (!this.#connection?.admits(this)) {
        this.#leave({ code: 1000, reason: 'moved to another connection' });
        this.open();
        return;
      }
      for (const symbol of symbols ?? []) this.#subscribed.add(symbol);
    }
    this.#connection?.send({ ...message, channel: this.topics().kind, id: this.id });
  }

  markLive(): void {
    if (this.#own) this.#own.markLive();
    else if (this.#state === 'connecting') {
      this.#connection?.markLive();
      this.enter('live', NO_DETAIL);
    }
  }

  pause(): void {
    if (this.#own) this.#own.pause();
    else if (this.#state !== 'closed') {
      const end = { code: 1000, reason: 'paused by the client' };
      this.enter('stale', { end, retryInMs: null });
      this.#leave(end);
    }
  }

  close(end: ConnectionEnd): void {
    if (this.#own) this.#own.close(end);
    else if (this.#state !== 'closed') {
      this.enter('closed', { end, retryInMs: null });
      this.#leave(end);
    }
  }

  enter(state: StreamState, detail: StateDetail): void {
    this.#state = state;
    if (state === 'connecting' || state === 'closed') this.isOpen = this.#isConfirmed = false;
    this.events.onState(state, detail);
  }

  opened(): void {
    this.isOpen = true;
    this.#subscribed.clear();
    this.events.onOpen();
  }

  /** Returns whether the message is of one of its topics. Those before its own reply belong to a stream that has left. */
  receive(message: object): boolean {
    const { channel, timeframe, symbol } = message as Readonly<Record<string, string | undefined>>;
    const own = this.topics();
    if (!this.#isConfirmed || channel !== own.kind || (own.timeframe && timeframe !== own.timeframe)) return false;
    const isOwn = isExclusive(own.kind) || this.#subscribed.has('*') || this.#subscribed.has(String(symbol));
    if (isOwn) this.events.onMessage(message);
    return isOwn;
  }

  receiveNotice(notice: Notice): void {
    if (notice.event === 'subscribed') this.#isConfirmed = true;
    const part = this.#partOf(notice);
    // A gap or a notice of the feed that concerns other streams only.
    if ((part.event === 'gap' || part.event === 'feed') && part.symbols.length === 0) return;
    this.events.onMessage(part);
  }

  #partOf(notice: Notice): Notice {
    const { kind, symbols, timeframe } = this.topics();
    const own = new Set(symbols);
    const isOwn = (symbol: string): boolean => own.has('*') || own.has(symbol) || isExclusive(kind);
    switch (notice.event) {
      case 'gap':
      case 'feed':
        return { ...notice, symbols: notice.symbols.filter((symbol) => symbol === '*' || isOwn(symbol)) };
      case 'subscribed':
      case 'unsubscribed':
      case 'subscriptions': {
        const { bars = [], footprints = [], symbols: all, ...rest } = notice;
        const ownBars = [...bars, ...footprints]
          .filter((each) => each.timeframe === timeframe)
          .map((each) => ({ ...each, symbols: each.symbols.filter(isOwn) }))
          .filter((each) => each.symbols.length > 0);
        const name = kind === 'footprint' ? 'footprints' : 'bars';
        return { ...rest, symbols: all.filter(isOwn), ...(ownBars.length > 0 && { [name]: ownBars }) };
      }
      default:
        return notice;
    }
  }

  #leave(end: ConnectionEnd): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = null;
    const { kind: channel, timeframe } = this.topics();
    const farewell = { action: 'unsubscribe', channel, symbols: [...this.#subscribed], timeframe, id: LEFT };
    connection.leave(this, this.#subscribed.size > 0 ? farewell : null, end);
    this.isOpen = this.#isConfirmed = false;
    this.#subscribed.clear();
  }
}

/** Id of the last request of a stream that has left. Nobody waits for its reply. */
const LEFT = 'left';

/** Headlines and firings of a connection are one sequence, whatever their symbols are. */
export const isExclusive = (kind: StreamKind): boolean => kind === 'news' || kind === 'alerts';
