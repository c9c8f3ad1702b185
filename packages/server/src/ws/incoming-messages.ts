// Messages and control frames of WebSocket clients: how many and how large they may be, and the protocol that handles them.
import { MAX_MESSAGE_BYTES } from '@tickwire/contract';
import type { ClientProtocol } from './client-protocol.ts';
import type { Connection } from './connection.ts';
import type { IngestProtocol } from './ingest-protocol.ts';
import type { StreamCounts } from './stream-counts.ts';

/** Messages of a connection that may be queued while one waits for a slot or for the ingest node. */
const MAX_QUEUED = 64;

export interface IncomingMessagesOptions {
  readonly client: () => ClientProtocol;
  readonly ingest: () => IngestProtocol;
  readonly perSecond: number;
  readonly counts: StreamCounts;
  readonly now: () => number;
}

export class IncomingMessages {
  readonly #options: IncomingMessagesOptions;

  constructor(options: IncomingMessagesOptions) {
    this.#options = options;
  }

  receive(connection: Connection, message: string | Buffer): void {
    this.#options.counts.received++;
    if (connection.channel === 'ingest' && (connection.caller || connection.queued))
      this.#receivePushed(connection, message);
    else if (this.admit(connection)) this.#receiveRequest(connection, message);
  }

  /** Pushed ticks are limited by their lines, not by the number of messages. */
  #receivePushed(connection: Connection, message: string | Buffer): void {
    if (connection.closed) return;
    connection.markAlive(this.#options.now());
    if (this.#refuses(connection, message)) return;
    if (!connection.queued) this.dispatch(connection, message);
    else {
      connection.queued.push(message);
      connection.stopReading();
    }
  }

  #receiveRequest(connection: Connection, message: string | Buffer): void {
    if (this.#refuses(connection, message)) return;
    if (!connection.queued) this.dispatch(connection, message);
    else if (connection.queued.length < MAX_QUEUED) connection.queued.push(message);
    else connection.closeWithError('too_many_messages', `${MAX_QUEUED} messages are already queued.`);
  }

  /** Closes the connection if the message is not text or is too large. */
  #refuses(connection: Connection, message: string | Buffer): message is Buffer {
    if (typeof message !== 'string') connection.closeWithError('bad_messages', 'Messages must be text, not binary.');
    else if (isTooLarge(message)) connection.closeWithError('message_too_large', 'A message may have at most 64 KiB.');
    else return false;
    return true;
  }

  /** Notes a sign of life and counts the message. Returns false if the connection is closing. */
  admit(connection: Connection): boolean {
    const now = this.#options.now();
    const { perSecond } = this.#options;
    if (connection.closed) return false;
    connection.markAlive(now);
    if (connection.admit(now, perSecond)) return true;
    connection.closeWithError('too_many_messages', `More than ${perSecond} messages per second.`);
    return false;
  }

  dispatch(connection: Connection, message: string): void {
    const { client, ingest } = this.#options;
    (connection.channel === 'ingest' ? ingest() : client()).receive(connection, message);
  }
}

/** In bytes. A UTF-16 unit has at most three, so most messages need no counting. */
const isTooLarge = (message: string): boolean =>
  message.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(message) > MAX_MESSAGE_BYTES;
