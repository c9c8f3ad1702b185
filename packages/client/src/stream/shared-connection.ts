// One connection for the streams of a client: `/ws` carries all channels. Each stream sends its own subscriptions and gets the
// messages of its own topics; the connection is closed when the last one leaves. A stream that needs a topic which another one has
// on the connection uses a further connection: the service has one subscription per topic and connection.
import type { Notice } from '../common/contract.ts';
import type { ConnectionEnd } from './connection.ts';
import {
  ReconnectingSocket,
  type ReconnectingSocketEvents,
  type ReconnectingSocketOptions,
  type StateDetail,
  type StreamState,
} from './reconnecting-socket.ts';
import {
  isExclusive,
  type JoinedConnection,
  NO_DETAIL,
  SharedSocket,
  type StreamSocket,
  type StreamTopics,
} from './shared-socket.ts';

/**
 * Handshakes that fail although the service states that it has the connection. Then a proxy does not let them through, and the
 * connections of single channels are used.
 */
const MAX_FAILED_HANDSHAKES = 3;
/** The service closes a connection after ten rejected requests. New streams do not join one that is half way there. */
const MAX_REJECTED = 5;

export interface SharedConnectionsOptions {
  /** URL of the connection that carries all channels. */
  readonly url: string;
  /** Whether the service has it, asked if it cannot be opened; `null` if that is not known. */
  readonly isOffered: () => Promise<boolean | null>;
}

/** The shared connections of a client. */
export class SharedConnections {
  readonly #options: SharedConnectionsOptions;
  readonly #connections = new Map<string, SharedConnection[]>();
  /** A proxy may let only the connections of single channels through. */
  #isOffered = true;

  constructor(options: SharedConnectionsOptions) {
    this.#options = options;
  }

  /** `own`: options of a separate connection, which the stream uses if the service offers no other. */
  socket(own: ReconnectingSocketOptions, topics: () => StreamTopics, events: ReconnectingSocketEvents): StreamSocket {
    // A stream gets what those may see who were signed in when it was opened.
    const key = JSON.stringify([own.silenceMs, own.credentials.headers]);
    return new SharedSocket(own, (socket) => this.#join(key, own, socket), topics, events);
  }

  /** A connection on which no other stream has one of the topics; `null` if the service does not offer it. */
  #join(key: string, own: ReconnectingSocketOptions, socket: SharedSocket): SharedConnection | null {
    if (!this.#isOffered) return null;
    const known = this.#connections.get(key) ?? [];
    let connection = known.find((each) => each.admits(socket));
    if (!connection) {
      const options = { ...own, url: this.#options.url };
      const created = new SharedConnection(
        options,
        (failed) => this.#checkOffer(failed),
        () => {
          const rest = (this.#connections.get(key) ?? []).filter((each) => each !== created);
          if (rest.length > 0) this.#connections.set(key, rest);
          else this.#connections.delete(key);
        },
      );
      connection = created;
      this.#connections.set(key, [...known, created]);
    }
    connection.add(socket);
    return connection;
  }

  /** `failed`: handshakes that failed in a row. */
  async #checkOffer(failed: number): Promise<boolean> {
    const isOffered = await this.#options.isOffered();
    if (isOffered === false || (isOffered && failed >= MAX_FAILED_HANDSHAKES)) this.#isOffered = false;
    return this.#isOffered;
  }
}

class SharedConnection implements JoinedConnection {
  readonly #socket: ReconnectingSocket;
  readonly #members = new Set<SharedSocket>();
  readonly #checkOffer: (failed: number) => Promise<boolean>;
  readonly #onEmpty: () => void;
  #isOpen = false;
  #ids = 0;
  #rejected = 0;
  /** Number of changes of state. */
  #changes = 0;
  /** Handshakes that failed in a row. */
  #failed = 0;

  constructor(
    options: ReconnectingSocketOptions,
    checkOffer: (failed: number) => Promise<boolean>,
    onEmpty: () => void,
  ) {
    this.#checkOffer = checkOffer;
    this.#onEmpty = onEmpty;
    this.#socket = new ReconnectingSocket(options, {
      onOpen: () => {
        this.#isOpen = true;
        this.#failed = 0;
        // The service counts them per connection.
        this.#rejected = 0;
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
    if (!this.#members.has(socket) && this.#rejected >= MAX_REJECTED) return false;
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
    const change = ++this.#changes;
    const hasFailed = state === 'connecting' && detail.end !== null && !this.#isOpen;
    if (state === 'connecting' || state === 'closed') this.#isOpen = false;
    if (!hasFailed) {
      this.#announce(state, detail);
      return;
    }
    void this.#checkOffer(++this.#failed).then((isOffered) => {
      if (!isOffered) this.#dissolve();
      else if (change === this.#changes) this.#announce(state, detail);
    });
  }

  #announce(state: StreamState, detail: StateDetail): void {
    const members = [...this.#members];
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

  /** The service does not offer it: each stream gets a separate connection. */
  #dissolve(): void {
    const members = [...this.#members];
    this.#members.clear();
    this.#onEmpty();
    this.#socket.close({ code: 1000, reason: 'not offered' });
    for (const member of members) member.useOwn();
  }

  #route(message: object): void {
    const { event, id, channel } = message as {
      readonly event?: string;
      readonly id?: unknown;
      readonly channel?: string;
    };
    if (event === 'error') this.#rejected++;
    for (const member of [...this.#members]) {
      if (event === undefined) {
        // No other stream has its topic.
        if (member.receive(message)) return;
      } else if (id === undefined ? channel === undefined || channel === member.topics().kind : id === member.id)
        member.receiveNotice(message as Notice);
    }
  }
}

function overlap(one: StreamTopics, other: StreamTopics): boolean {
  if (one.kind !== other.kind || one.timeframe !== other.timeframe) return false;
  const own = new Set(one.symbols);
  return isExclusive(one.kind) || own.has('*') || other.symbols.some((symbol) => symbol === '*' || own.has(symbol));
}
