// A WebSocket that reconnects: after a drop it opens a new connection with growing delays, until it is closed by the caller
// or the service ends it with a code that rules out a retry.
import type { Timing } from '../common/timing.ts';
import type { Credentials } from '../rest/credentials.ts';
import { backoffMs } from './backoff.ts';
import { mayReconnect, minimumWaitMs } from './close-codes.ts';
import { type ConnectionEnd, StreamConnection } from './connection.ts';
import type { WebSocketConstructor } from './web-socket.ts';

/**
 * State of a stream.
 * - `connecting`: no connection yet, or waiting for the next attempt.
 * - `live`: the service confirmed the subscription. From here on nothing is lost without a gap.
 * - `stale`: nothing is received, not even heartbeats, or the stream is paused.
 * - `closed`: final.
 */
export type StreamState = 'connecting' | 'live' | 'stale' | 'closed';

/** Details of a change of state. */
export interface StateDetail {
  /** How the previous connection ended; `null` if that did not cause the change. */
  readonly end: ConnectionEnd | null;
  /** Milliseconds until the next connection attempt; `null` if none is scheduled. */
  readonly retryInMs: number | null;
}

export interface ReconnectingSocketOptions {
  readonly url: string;
  readonly credentials: Pick<Credentials, 'headers' | 'handshakeHeaders'>;
  readonly WebSocket: WebSocketConstructor;
  readonly timing: Timing;
  /** Longest expected silence. */
  readonly silenceMs: number;
}

export interface ReconnectingSocketEvents {
  /** A connection is open and needs its subscription. */
  readonly onOpen: () => void;
  readonly onMessage: (message: object) => void;
  /** The service closed the stream for good; the state `closed` follows. */
  readonly onFinalClose: (end: ConnectionEnd) => void;
  readonly onState: (state: StreamState, detail: StateDetail) => void;
}

/** If connections are live for less than this, the waits between them grow. */
export const STABLE_AFTER_MS = 10_000;
const NO_DETAIL: StateDetail = { end: null, retryInMs: null };

export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  readonly #events: ReconnectingSocketEvents;
  #state: StreamState = 'connecting';
  #connection: StreamConnection | null = null;
  #retryTimer: unknown = null;
  #attempt = 0;
  /** Connections in a row that were live for less than STABLE_AFTER_MS. */
  #shortLived = 0;
  #liveSince: number | null = null;

  constructor(options: ReconnectingSocketOptions, events: ReconnectingSocketEvents) {
    this.#options = options;
    this.#events = events;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Connects, unless there is a connection or a scheduled attempt. */
  open(): void {
    if (this.#state !== 'closed' && this.#connection === null && this.#retryTimer === null) this.#connect();
  }

  /** Drops the message if no connection is open: `onOpen` sends the whole subscription anyway. */
  send(message: object): void {
    this.#connection?.send(message);
  }

  /** Changes the state from `connecting` to `live`; call it once the service has confirmed the subscription. */
  markLive(): void {
    if (this.#state !== 'connecting') return;
    this.#liveSince = this.#options.timing.now();
    this.#enter('live', NO_DETAIL);
  }

  /** Disconnects until `open` is called. A WebSocket itself cannot be paused. */
  pause(): void {
    if (this.#state === 'closed') return;
    this.#enter('stale', { end: { code: 1000, reason: 'paused by the client' }, retryInMs: null });
    this.#disconnect();
  }

  close(end: ConnectionEnd): void {
    if (this.#state === 'closed') return;
    this.#enter('closed', { end, retryInMs: null });
    this.#disconnect();
  }

  #connect(): void {
    this.#retryTimer = null;
    this.#enter('connecting', NO_DETAIL);
    // A state handler may have closed it.
    if (this.#state === 'closed') return;
    const connection = new StreamConnection(this.#options, {
      onOpen: this.#events.onOpen,
      onMessage: (message) => {
        if (this.#state === 'stale') this.#enter('live', NO_DETAIL);
        this.#events.onMessage(message);
      },
      onSilence: () => this.#state === 'live' && this.#enter('stale', NO_DETAIL),
      onEnd: (end) => connection === this.#connection && this.#ended(end),
    });
    this.#connection = connection;
  }

  #ended(end: ConnectionEnd): void {
    this.#connection = null;
    const { timing } = this.#options;
    // Failed attempts before a connection was live say nothing about the next ones.
    if (this.#liveSince !== null) {
      if (timing.now() - this.#liveSince >= STABLE_AFTER_MS) this.#shortLived = 0;
      this.#attempt = this.#shortLived++;
    }
    this.#liveSince = null;
    if (!mayReconnect(end.code)) {
      this.#events.onFinalClose(end);
      this.close(end);
      return;
    }
    const retryInMs = minimumWaitMs(end.code) + backoffMs(this.#attempt++, timing.random);
    this.#retryTimer = timing.setTimeout(() => this.#connect(), retryInMs);
    this.#enter('connecting', { end, retryInMs });
  }

  #disconnect(): void {
    if (this.#retryTimer !== null) this.#options.timing.clearTimeout(this.#retryTimer);
    const connection = this.#connection;
    this.#retryTimer = this.#connection = this.#liveSince = null;
    connection?.close();
  }

  #enter(state: StreamState, detail: StateDetail): void {
    this.#state = state;
    this.#events.onState(state, detail);
  }
}
