// Keeps a connection to the service: whatever drops is opened again, after a pause that grows, until it is closed from this
// side or the service says that coming back is pointless.
import { backoffMs } from './backoff.ts';
import { leastWaitMs, mayReconnect } from './close-codes.ts';
import { Connection, type ConnectionEnd } from './connection.ts';
import type { SocketConstructor } from './socket.ts';
import type { Timing } from './timing.ts';

/**
 * `live` once the service has answered: from here on nothing is lost without a gap. `stale`: nothing is heard from the service, not even a heartbeat, or the reader
 * of an iterable is so far behind that the stream waits for it. `closed` is final.
 */
export type StreamState = 'connecting' | 'live' | 'stale' | 'closed';

export interface StateDetail {
  /** The close that led here, if one did. */
  readonly end: ConnectionEnd | null;
  /** Milliseconds until the next attempt; null where none is waiting. */
  readonly retryInMs: number | null;
}

export interface LinkOptions {
  readonly url: string;
  readonly WebSocket: SocketConstructor;
  readonly timing: Timing;
  /** The service speaks at least this often. */
  readonly silenceMs: number;
}

export interface LinkEvents {
  readonly onOpen: () => void;
  readonly onMessage: (message: object) => void;
  /** The service has ended it for good; the state follows. */
  readonly onRefused: (end: ConnectionEnd) => void;
  readonly onState: (state: StreamState, detail: StateDetail) => void;
}

/** A connection live for less than this does not count as a recovery: the backoff goes on growing. */
export const STABLE_AFTER_MS = 10_000;
const NO_DETAIL: StateDetail = { end: null, retryInMs: null };

export class Link {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  #state: StreamState = 'connecting';
  #connection: Connection | null = null;
  #retry: unknown = null;
  #attempt = 0;
  #liveSince: number | null = null;

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Opens a connection where there is none and none is waited for. */
  open(): void {
    if (this.#state !== 'closed' && this.#connection === null && this.#retry === null) this.#connect();
  }

  /** Dropped where nothing is open: what is to be said then is said on opening. */
  send(message: object): void {
    this.#connection?.send(message);
  }

  /** The service has accepted what was asked. Again makes no difference. */
  accepted(): void {
    if (this.#state !== 'connecting') return;
    this.#liveSince = this.#options.timing.now();
    this.#enter('live', NO_DETAIL);
  }

  /** Lets go of the connection until it is opened again: a WebSocket cannot be paused. */
  hold(): void {
    if (this.#state === 'closed') return;
    this.#enter('stale', { end: { code: 1000, reason: 'the reader is behind' }, retryInMs: null });
    this.#disconnect();
  }

  close(end: ConnectionEnd): void {
    if (this.#state === 'closed') return;
    this.#enter('closed', { end, retryInMs: null });
    this.#disconnect();
  }

  #connect(): void {
    this.#retry = null;
    this.#enter('connecting', NO_DETAIL);
    // A state handler may have closed it.
    if (this.#state === 'closed') return;
    const { WebSocket: Socket, url, timing, silenceMs } = this.#options;
    const connection = new Connection(
      { Socket, url, timing, silenceMs },
      {
        onOpen: this.#events.onOpen,
        onMessage: (message) => {
          if (this.#state === 'stale') this.#enter('live', NO_DETAIL);
          this.#events.onMessage(message);
        },
        onSilence: () => this.#state === 'live' && this.#enter('stale', NO_DETAIL),
        onEnd: (end) => connection === this.#connection && this.#ended(end),
      },
    );
    this.#connection = connection;
  }

  #ended(end: ConnectionEnd): void {
    this.#connection = null;
    const { timing } = this.#options;
    if (this.#liveSince !== null && timing.now() - this.#liveSince >= STABLE_AFTER_MS) this.#attempt = 0;
    this.#liveSince = null;
    if (!mayReconnect(end.code)) {
      this.#events.onRefused(end);
      this.close(end);
      return;
    }
    const least = Math.max(leastWaitMs(end.code), (end.retryAfterSeconds ?? 0) * 1_000);
    const wait = least + backoffMs(this.#attempt++, timing.random);
    this.#retry = timing.setTimeout(() => this.#connect(), wait);
    this.#enter('connecting', { end, retryInMs: wait });
  }

  #disconnect(): void {
    if (this.#retry !== null) this.#options.timing.clearTimeout(this.#retry);
    const connection = this.#connection;
    this.#retry = this.#connection = this.#liveSince = null;
    connection?.close();
  }

  #enter(state: StreamState, detail: StateDetail): void {
    this.#state = state;
    this.#events.onState(state, detail);
  }
}
