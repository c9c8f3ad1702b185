// One connection for several streams of a channel. Each stream sends its own subscriptions and gets the messages of its own
// topics; the connection is closed when the last one leaves. A stream that needs a topic which another one has on the connection
// uses a further connection: the service has one subscription per topic and connection.
import type { Notice } from '../common/contract.ts';
import type { ConnectionEnd } from './connection.ts';
import {
  ReconnectingSocket,
  type ReconnectingSocketEvents,
  type ReconnectingSocketOptions,
  type StateDetail,
  type StreamState,
} from './reconnecting-socket.ts';

/** What a stream subscribes to: symbols, of ticks or of bars of a timeframe. */
export interface StreamTopics {
  /** In upper case; `*` for all. */
  readonly symbols: readonly string[];
  /** `bars` or `footprint`, with a timeframe; `undefined` for ticks and order flow. */
  readonly channel: string | undefined;
  readonly timeframe: string | undefined;
}

/** What a stream needs of its connection. {@link ReconnectingSocket} is one of its own, {@link SharedSocket} a part of another. */
export type StreamSocket = Pick<ReconnectingSocket, 'state' | 'open' | 'send' | 'markLive' | 'pause' | 'close'>;

const NO_DETAIL: StateDetail = { end: null, retryInMs: null };

/** The shared connections of a client. */
export class SharedConnections {
  readonly #connections = new Map<string, SharedConnection[]>();

  socket(
    options: ReconnectingSocketOptions,
    topics: () => StreamTopics,
    events: ReconnectingSocketEvents,
  ): StreamSocket {
    return new SharedSocket((socket) => this.#join(options, socket), topics, events);
  }

  /** A connection on which no other stream has one of the topics. */
  #join(options: ReconnectingSocketOptions, socket: SharedSocket): SharedConnection {
    const key = `${options.url} ${options.silenceMs}`;
    const known = this.#connections.get(key) ?? [];
    let connection = known.find((each) => each.admits(socket));
    if (!connection) {
      const created = new SharedConnection(options, () => {
        const rest = (this.#connections.get(key) ?? []).filter((each) => each !== created);
        if (rest.length > 0) this.#connections.set(key, rest);
        else this.#connections.delete(key);
      });
      connection = created;
      this.#connections.set(key, [...known, created]);
    }
    connection.add(socket);
    return connection;
  }
}

class SharedConnection {
  readonly #socket: ReconnectingSocket;
  readonly #members = new Set<SharedSocket>();
  readonly #onEmpty: () => void;
  #isOpen = false;
  #ids = 0;

  constructor(options: ReconnectingSocketOptions, onEmpty: () => void) {
    this.#onEmpty = onEmpty;
    this.#socket = new ReconnectingSocket(options, {
      onOpen: () => {
        this.#isOpen = true;
        for (const member of [...this.#members]) member.opened();
      },
      onMessage: (message) => this.#route(message),
      onFinalClose: (end) => {
        for (const member of [...this.#members]) member.events.onFinalClose(end);
      },
      onState: (state, detail) => this.#entered(state, detail),
    });
  }

  /** Whether no other stream of the connection has one of the topics. */
  admits(socket: SharedSocket): boolean {
    return [...this.#members].every((member) => member === socket || !overlap(member.topics(), socket.topics()));
  }

  add(member: SharedSocket): void {
    member.id = `s${this.#ids++}`;
    this.#members.add(member);
    if (this.#members.size === 1) {
      this.#socket.open();
      return;
    }
    member.enter('connecting', NO_DETAIL);
    // After the constructor of the stream has returned.
    queueMicrotask(() => {
      if (this.#isOpen && this.#members.has(member) && !member.isOpen) member.opened();
    });
  }

  /** Ends the connection if it was the last stream. */
  leave(member: SharedSocket, farewell: object | null, end: ConnectionEnd): void {
    if (!this.#members.delete(member)) return;
    if (this.#members.size > 0) {
      if (farewell) this.#socket.send(farewell);
      return;
    }
    this.#onEmpty();
    this.#socket.close(end);
  }

  send(message: object): void {
    this.#socket.send(message);
  }

  markLive(): void {
    this.#socket.markLive();
  }

  #entered(state: StreamState, detail: StateDetail): void {
    const members = [...this.#members];
    if (state === 'connecting' || state === 'closed') this.#isOpen = false;
    if (state === 'closed') {
      this.#members.clear();
      this.#onEmpty();
    }
    for (const member of members) {
      // A stream is live when its own subscription is confirmed, and stale only if it was live.
      if (state === 'live' ? member.state !== 'stale' : state === 'stale' && member.state !== 'live') continue;
      member.enter(state, detail);
    }
  }

  #route(message: object): void {
    const { event, id } = message as { readonly event?: string; readonly id?: unknown };
    const isReply = event === 'subscribed' || event === 'unsubscribed' || id !== undefined;
    for (const member of [...this.#members]) {
      if (event === undefined) member.receive(message);
      // The service repeats the id of a request; a reply without one may concern any stream.
      else if (!isReply || (id ?? member.id) === member.id) member.receiveNotice(message as Notice);
    }
  }
}

/** A stream's part of a shared connection. */
class SharedSocket implements StreamSocket {
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
  readonly #join: (socket: SharedSocket) => SharedConnection;
  #connection: SharedConnection | null = null;

  constructor(
    join: (socket: SharedSocket) => SharedConnection,
    topics: () => StreamTopics,
    events: ReconnectingSocketEvents,
  ) {
    this.#join = join;
    this.topics = topics;
    this.events = events;
  }

  get state(): StreamState {
    return this.#state;
  }

  open(): void {
    if (this.#state !== 'closed') this.#connection ??= this.#join(this);
  }

  send(message: object): void {
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
    // Without symbols, a request to unsubscribe would also end those of other streams.
    const own = action === 'unsubscribe' && !symbols ? { ...message, symbols: ['*'] } : message;
    this.#connection?.send({ ...own, id: this.id });
  }

  markLive(): void {
    if (this.#state !== 'connecting') return;
    this.#connection?.markLive();
    this.enter('live', NO_DETAIL);
  }

  pause(): void {
    if (this.#state === 'closed') return;
    const end = { code: 1000, reason: 'paused by the client' };
    this.enter('stale', { end, retryInMs: null });
    this.#leave(end);
  }

  close(end: ConnectionEnd): void {
    if (this.#state === 'closed') return;
    this.enter('closed', { end, retryInMs: null });
    this.#leave(end);
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

  /** Messages before the reply to its subscription belong to a stream that has left. */
  receive(message: object): void {
    const { channel, timeframe, symbol } = message as Readonly<Record<string, string | undefined>>;
    const own = this.topics();
    // Messages of ticks and order flow name no channel.
    if (!this.#isConfirmed || channel !== own.channel || (channel && timeframe !== own.timeframe)) return;
    if (this.#subscribed.has('*') || this.#subscribed.has(String(symbol))) this.events.onMessage(message);
  }

  receiveNotice(notice: Notice): void {
    if (notice.event === 'subscribed') this.#isConfirmed = true;
    const part = this.#partOf(notice);
    // A gap or a notice of the feed that concerns other streams only.
    if ((part.event === 'gap' || part.event === 'feed') && part.symbols.length === 0) return;
    this.events.onMessage(part);
  }

  #partOf(notice: Notice): Notice {
    const { symbols, channel, timeframe } = this.topics();
    const own = new Set(symbols);
    const isOwn = (symbol: string): boolean => own.has('*') || own.has(symbol);
    switch (notice.event) {
      case 'gap':
      case 'feed':
        return { ...notice, symbols: notice.symbols.filter((symbol) => symbol === '*' || isOwn(symbol)) };
      case 'subscribed':
      case 'unsubscribed':
      case 'subscriptions': {
        const { bars = [], footprints = [], symbols: ticks, ...rest } = notice;
        if (timeframe === undefined) return { ...rest, symbols: ticks.filter(isOwn) };
        const ownBars = (channel === 'footprint' ? footprints : bars)
          .filter((each) => each.timeframe === timeframe)
          .map((each) => ({ ...each, symbols: each.symbols.filter(isOwn) }))
          .filter((each) => each.symbols.length > 0);
        const name = channel === 'footprint' ? 'footprints' : 'bars';
        return { ...rest, symbols: [], ...(ownBars.length > 0 && { [name]: ownBars }) };
      }
      default:
        return notice;
    }
  }

  #leave(end: ConnectionEnd): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = null;
    const { channel, timeframe } = this.topics();
    const bars = timeframe === undefined ? {} : { channel, timeframe };
    if (this.#subscribed.size > 0)
      connection.leave(this, { action: 'unsubscribe', symbols: [...this.#subscribed], ...bars, id: LEFT }, end);
    else connection.leave(this, null, end);
    this.isOpen = this.#isConfirmed = false;
    this.#subscribed.clear();
  }
}

/** Id of the last request of a stream that has left. Nobody waits for its reply. */
const LEFT = 'left';

function overlap(one: StreamTopics, other: StreamTopics): boolean {
  if (one.timeframe !== other.timeframe) return false;
  const own = new Set(one.symbols);
  return own.has('*') || other.symbols.some((symbol) => symbol === '*' || own.has(symbol));
}
