// A response of server-sent events as the socket of a connection. What it sends waits in a queue until the runtime asks for more,
// which it does as fast as the client reads; the gateway bounds the queue as it bounds that of a WebSocket.
import { EVENT_STREAM_RETRY_MS, type Notice } from '@tickwire/contract';
import { type EncodedPosition, positionIn } from './encode.ts';
import type { EventId } from './event-id.ts';
import type { EventReader, EventTopics } from './event-topics.ts';
import type { StreamSocket } from './stream-socket.ts';

/** Bytes that leave the queue at a time, about. */
const CHUNK_BYTES = 64 * 1024;
const COMMENT = ':\n\n';

export interface EventStreamSocketOptions {
  readonly topics: EventTopics;
  readonly id: EventId;
  /** The client has read what left the queue before. */
  readonly onRead: () => void;
  /** The response is over. Called once. */
  readonly onEnd: () => void;
}

export class EventStreamSocket implements StreamSocket, EventReader {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: EventStreamSocketOptions;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #waiting: string[] = [];
  #bytes = 0;
  #wake: (() => void) | null = null;
  #ended = false;

  constructor(options: EventStreamSocketOptions) {
    this.#options = options;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
    this.#push(`retry: ${EVENT_STREAM_RETRY_MS}\n\n`);
  }

  send(text: string): void {
    if (text.startsWith('{"event":')) this.#notice(text);
    else this.deliver(text, positionIn(text));
  }

  /** Sends a message of a channel. JSON has no line breaks, so it is one line. */
  deliver(text: string, position: EncodedPosition | null): void {
    if (position) this.#options.id.advance(position);
    this.#push(`${this.#idLine()}data: ${text}\n\n`);
  }

  subscribe(topic: string): void {
    this.#options.topics.subscribe(topic, this);
  }

  unsubscribe(topic: string): void {
    this.#options.topics.unsubscribe(topic, this);
  }

  getBufferedAmount(): number {
    return this.#bytes;
  }

  cork(work: () => void): void {
    work();
  }

  /** A comment: clients ignore it, and it shows proxies that the connection is used. */
  ping(): void {
    if (this.#waiting.length === 0) this.#push(COMMENT);
  }

  /** Ends the response. What still waits is dropped. */
  close(): void {
    if (this.#ended) return;
    this.#end();
    this.#controller.close();
  }

  terminate(): void {
    this.close();
  }

  /** The client is gone, or gets another response. */
  abandon(): void {
    this.#end();
  }

  #notice(text: string): void {
    this.#options.id.note(JSON.parse(text) as Notice);
    this.#push(`${this.#idLine()}event: notice\ndata: ${text}\n\n`);
  }

  #idLine(): string {
    const id = this.#options.id.toString();
    return id === '' ? '' : `id: ${id}\n`;
  }

  #push(frame: string): void {
    if (this.#ended) return;
    this.#waiting.push(frame);
    this.#bytes += Buffer.byteLength(frame);
    this.#wake?.();
  }

  async #pull(): Promise<void> {
    this.#options.onRead();
    while (this.#waiting.length === 0 && !this.#ended)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = null;
    if (this.#ended) return;
    let count = 0;
    let length = 0;
    while (count < this.#waiting.length && length < CHUNK_BYTES) length += this.#waiting[count++]!.length;
    const chunk = Buffer.from(this.#waiting.splice(0, count).join(''));
    this.#bytes = Math.max(0, this.#bytes - chunk.length);
    this.#controller.enqueue(chunk);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.#wake?.();
    this.#options.onEnd();
  }
}
