// The life of one WebSocket: opened, heard, watched for silence, and ended exactly once. What is said over it is the
// stream's business.
import type { SocketConstructor, SocketLike } from './socket.ts';
import type { Timing } from './timing.ts';

export interface ConnectionEnd {
  /** 1006 where the link was lost or given up without a close from the other side. */
  readonly code: number;
  readonly reason: string;
  /** Of a handshake that was refused, where the runtime shows it (the client's own socket on Node does). */
  readonly retryAfterSeconds?: number;
}

export interface ConnectionEvents {
  readonly onOpen: () => void;
  readonly onMessage: (message: object) => void;
  /** Nothing was heard for longer than there should be silence; a message or the end follows. */
  readonly onSilence: () => void;
  readonly onEnd: (end: ConnectionEnd) => void;
}

export const OPEN_WITHIN_MS = 10_000;
/** A link that fell silent is asked, and has so long to answer; less where it was to speak more often. */
export const ANSWER_WITHIN_MS = 4_000;

export interface ConnectionOptions {
  readonly Socket: SocketConstructor;
  readonly url: string;
  readonly timing: Timing;
  /** The service speaks at least this often. A browser shows no ping frames, so it is heartbeats that are missed. */
  readonly silenceMs: number;
}

export class Connection {
  readonly #socket: SocketLike;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  #timer: unknown;
  #open = false;
  #heardAt = 0;
  #ended = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#socket = new options.Socket(options.url);
    this.#socket.onopen = () => {
      if (this.#ended) return;
      this.#open = true;
      this.#heardAt = options.timing.now();
      options.timing.clearTimeout(this.#timer);
      this.#watch();
      events.onOpen();
    };
    this.#socket.onmessage = (event: { data: unknown }) => this.#receive(event.data);
    this.#socket.onclose = ({ code, reason, retryAfterSeconds }: ConnectionEnd) =>
      this.#end({ code, reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    // A close always follows an error; without a listener some implementations would throw it.
    this.#socket.onerror = () => {};
    this.#timer = options.timing.setTimeout(() => this.#lost(`not open after ${OPEN_WITHIN_MS} ms`), OPEN_WITHIN_MS);
  }

  get open(): boolean {
    return this.#open && !this.#ended;
  }

  send(message: object): void {
    if (this.open) this.#socket.send(JSON.stringify(message));
  }

  /** Closes from this side. Ends at once: a dead peer would keep the closing handshake waiting. */
  close(): void {
    this.#end({ code: 1000, reason: 'closed by the client' });
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    this.#heardAt = this.#options.timing.now();
    const message = parse(data);
    if (message === null) this.#lost('a message that is not a JSON object');
    else this.#events.onMessage(message);
  }

  #watch(): void {
    const { timing, silenceMs } = this.#options;
    const left = silenceMs - (timing.now() - this.#heardAt);
    if (left > 0) {
      this.#timer = timing.setTimeout(() => this.#watch(), left);
      return;
    }
    // A process that was busy or asleep finds messages waiting: it is only after an answer could have come that nobody is there.
    const silentSince = this.#heardAt;
    this.send({ action: 'ping' });
    this.#timer = timing.setTimeout(
      () => {
        if (this.#heardAt === silentSince) this.#lost('no answer to a ping');
        else this.#watch();
      },
      Math.min(ANSWER_WITHIN_MS, silenceMs),
    );
    this.#events.onSilence();
  }

  #lost(reason: string): void {
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
