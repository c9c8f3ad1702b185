// The life of one WebSocket: opened, heard, and ended exactly once. What is said over it is the stream's business.
import type { Timing } from './timing.ts';

/** What is used of a WebSocket; the browser's, Bun's, Node's and the `ws` package's all fit. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}
export type SocketConstructor = new (url: string) => SocketLike;

export interface ConnectionEnd {
  /** 1006 where the link was lost or given up without a close from the other side. */
  readonly code: number;
  readonly reason: string;
}

export interface ConnectionEvents {
  readonly onOpen: () => void;
  readonly onMessage: (message: object) => void;
  readonly onEnd: (end: ConnectionEnd) => void;
}

/**
 * How often the link is looked at. A browser shows no ping frames, so a link that died in silence (a laptop asleep, a
 * network changed) is found by asking: silent for one look, a ping; still silent at the next, given up.
 */
export const LOOK_EVERY_MS = 15_000;

export class Connection {
  readonly #socket: SocketLike;
  readonly #events: ConnectionEvents;
  readonly #timing: Timing;
  #look: unknown;
  #open = false;
  #heard = false;
  #asked = false;
  #ended = false;

  constructor(Socket: SocketConstructor, url: string, timing: Timing, events: ConnectionEvents) {
    this.#events = events;
    this.#timing = timing;
    this.#socket = new Socket(url);
    this.#socket.onopen = () => {
      if (this.#ended) return;
      this.#open = true;
      this.#heard = true;
      events.onOpen();
    };
    this.#socket.onmessage = (event: { data: unknown }) => this.#receive(event.data);
    this.#socket.onclose = (event: ConnectionEnd) => this.#end(event.code, event.reason);
    // A close always follows an error; without a listener some implementations would throw it.
    this.#socket.onerror = () => {};
    this.#armLook();
  }

  get open(): boolean {
    return this.#open && !this.#ended;
  }

  send(message: object): void {
    if (this.open) this.#socket.send(JSON.stringify(message));
  }

  /** Closes from this side. Ends at once: a dead peer would keep the closing handshake waiting. */
  close(): void {
    this.#end(1000, 'closed by the client');
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    this.#heard = true;
    this.#asked = false;
    const message = parse(data);
    if (message === null) this.#end(1006, 'a message that is not a JSON object');
    else this.#events.onMessage(message);
  }

  #armLook(): void {
    this.#look = this.#timing.setTimeout(() => this.#takeLook(), LOOK_EVERY_MS);
  }

  #takeLook(): void {
    if (!this.#open || this.#asked) {
      this.#end(1006, this.#open ? 'no answer to a ping' : `not open after ${LOOK_EVERY_MS} ms`);
      return;
    }
    if (!this.#heard) {
      this.#asked = true;
      this.send({ action: 'ping' });
    }
    this.#heard = false;
    this.#armLook();
  }

  #end(code: number, reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timing.clearTimeout(this.#look);
    this.#socket.close(1000);
    this.#events.onEnd({ code, reason });
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
