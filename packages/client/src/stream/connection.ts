// One WebSocket connection: opens, receives messages, detects silence, and ends exactly once. It knows nothing of the
// messages' meaning.
import type { Timing } from '../common/timing.ts';
import type { Credentials } from '../rest/credentials.ts';
import type { WebSocketConstructor, WebSocketLike } from './web-socket.ts';

/** How a connection ended. */
export interface ConnectionEnd {
  /** WebSocket close code; 1006 if the connection was lost or abandoned without a close frame. */
  readonly code: number;
  /** Explanation for people; may be empty. */
  readonly reason: string;
}

export interface ConnectionEvents {
  readonly onOpen: () => void;
  readonly onMessage: (message: object) => void;
  /** Nothing was received for `silenceMs`; a message or the end follows. */
  readonly onSilence: () => void;
  readonly onEnd: (end: ConnectionEnd) => void;
}

export const OPEN_TIMEOUT_MS = 10_000;
/** Most milliseconds to wait for a response to a ping; less if `silenceMs` is shorter. */
export const PONG_TIMEOUT_MS = 4_000;

/** `readyState` of an open WebSocket. */
const OPEN = 1;

export interface ConnectionOptions {
  readonly WebSocket: WebSocketConstructor;
  readonly url: string;
  readonly credentials: Pick<Credentials, 'handshakeHeaders'>;
  readonly timing: Timing;
  /** Longest expected silence. Heartbeat messages are used for this, because browsers do not expose ping frames. */
  readonly silenceMs: number;
}

export class StreamConnection {
  readonly #socket: WebSocketLike;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  #timer: unknown;
  #open = false;
  #receivedAt = 0;
  #ended = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.#options = options;
    this.#events = events;
    const headers = options.credentials.handshakeHeaders;
    this.#socket = headers
      ? new options.WebSocket(options.url, { headers } as never)
      : new options.WebSocket(options.url);
    this.#socket.onopen = () => {
      if (this.#ended) return;
      this.#open = true;
      this.#receivedAt = options.timing.now();
      options.timing.clearTimeout(this.#timer);
      this.#watch();
      events.onOpen();
    };
    this.#socket.onmessage = (event: { data: unknown }) => this.#receive(event.data);
    this.#socket.onclose = ({ code, reason }: ConnectionEnd) => this.#end({ code, reason });
    // Node 22 sends no close event if a connection cannot be opened. After it was open, a close event follows the error.
    this.#socket.onerror = ({ message }: { readonly message?: string }) => {
      if (!this.#open) this.#abandon(message || 'the connection could not be opened');
    };
    const abandon = (): void => this.#abandon(`not open after ${OPEN_TIMEOUT_MS} ms`);
    this.#timer = options.timing.setTimeout(abandon, OPEN_TIMEOUT_MS);
  }

  get open(): boolean {
    return this.#open && !this.#ended;
  }

  send(message: object): void {
    // The server may be closing it: browsers report an error in the console then.
    if (this.open && this.#socket.readyState === OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Ends immediately, without waiting for the closing handshake: a dead peer would never complete it. */
  close(): void {
    this.#end({ code: 1000, reason: 'closed by the client' });
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    this.#receivedAt = this.#options.timing.now();
    const message = parse(data);
    if (message === null) this.#abandon('received a message that is not a JSON object');
    else this.#events.onMessage(message);
  }

  #watch(): void {
    const { timing, silenceMs } = this.#options;
    const remainingMs = silenceMs - (timing.now() - this.#receivedAt);
    if (remainingMs > 0) {
      this.#timer = timing.setTimeout(() => this.#watch(), remainingMs);
      return;
    }
    // A process that was busy or suspended may have messages waiting. Only a missing response to a ping proves the
    // connection dead.
    const silentSince = this.#receivedAt;
    this.send({ action: 'ping' });
    this.#timer = timing.setTimeout(
      () => {
        if (this.#receivedAt === silentSince) this.#abandon('no response to a ping');
        else this.#watch();
      },
      Math.min(PONG_TIMEOUT_MS, silenceMs),
    );
    this.#events.onSilence();
  }

  #abandon(reason: string): void {
    this.#end({ code: 1006, reason });
  }

  #end(end: ConnectionEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.timing.clearTimeout(this.#timer);
    this.#socket.close(1000);
    this.#events.onEnd(end);
  }
}

function parse(data: unknown): object | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
