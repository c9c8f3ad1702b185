// The WebSocket side of the service: the life of its connections, from the handshake to the last close. It never waits for
// a reader.
import { HEARTBEAT, MAX_MESSAGE_BYTES, type Notice } from '@tickwire/contract';
import type { FeedNews, InstrumentSpec } from '@tickwire/engine';
import type { Server, WebSocketHandler } from 'bun';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Keyring } from '../access/keyring.ts';
import type { Ingest } from '../http/ingest.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { MarketView } from '../views/market-view.ts';
import type { Connection, Socket } from './connection.ts';
import { Conversation } from './conversation.ts';
import { IngestConversation } from './ingest-conversation.ts';
import { NewsReaders } from './news-readers.ts';
import { SlowReaders } from './slow-readers.ts';
import { StreamSlots } from './stream-slots.ts';
import { Switchboard } from './switchboard.ts';

const AUTHENTICATION_MS = 10_000;
const PING_MS = HEARTBEAT.ping_seconds * 1000;
const SILENCE_MS = HEARTBEAT.silence_seconds * 1000;
const SWEEP_MS = 100;

export interface GatewayOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly journal: Journal;
  readonly market: MarketView;
  readonly simulated: boolean;
  readonly ingest: Ingest;
  readonly log: Log;
  readonly now: () => number;
}

export class Gateway {
  messagesIn = 0;
  readonly slots: StreamSlots;
  readonly slow: SlowReaders;
  readonly switchboard: Switchboard;
  readonly news: NewsReaders;
  readonly #options: GatewayOptions;
  readonly #conversation: Conversation;
  readonly #ingest: IngestConversation;
  readonly #connections = new Set<Connection>();
  #server: Server<Connection> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GatewayOptions) {
    const { instruments, keyring, failures, journal, market, simulated, ingest, now } = options;
    this.#options = options;
    const publish = (topic: string, text: string): void => {
      this.#server?.publish(topic, text);
    };
    this.slots = new StreamSlots(now);
    this.switchboard = new Switchboard({ instruments, journal, market, now, publish });
    this.news = new NewsReaders({ symbols: new Set(instruments.map(({ symbol }) => symbol)), journal });
    this.slow = new SlowReaders(this.switchboard, journal);
    this.#conversation = new Conversation({
      keyring,
      failures,
      slots: this.slots,
      switchboard: this.switchboard,
      news: this.news,
      epoch: journal.epoch,
      simulated,
      now,
      onWaited: (connection, text) => this.#hear(connection, text),
      onFault: (connection, error) => this.#fault(connection, error),
    });
    this.#ingest = new IngestConversation({
      ingest,
      keyring,
      failures,
      now,
      enter: (connection, caller, then) => this.#conversation.seat(connection, caller, undefined, then),
    });
  }

  get connections(): number {
    return this.#connections.size;
  }

  readonly handler: WebSocketHandler<Connection> = {
    // Over 64 KiB we close with a code of our own; the protocol layer cuts only what is absurd.
    maxPayloadLength: 1024 * 1024,
    // Publishing must never drop a message on its own: slow readers are ours to handle, long before this.
    backpressureLimit: 64 * 1024 * 1024,
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    open: (socket) => this.#guarded(socket.data, () => this.#open(socket)),
    message: (socket, message) => this.#guarded(socket.data, () => this.#message(socket.data, message)),
    pong: (socket) => this.#heard(socket),
    ping: (socket) => this.#heard(socket),
    close: ({ data: connection }) => {
      connection.closed = true;
      this.switchboard.forget(connection);
      this.news.forget(connection);
      this.slots.release(connection);
      this.#connections.delete(connection);
    },
  };

  start(server: Server<Connection>): void {
    this.#server = server;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
  }

  readonly read = (batch: Batch): void => {
    this.switchboard.read(batch);
    this.news.read(batch);
    for (const event of batch.events) if ('symbols' in event) this.#announce(event);
  };

  /** Tells everyone, lets what is buffered drain, closes with 1012. */
  async stop(drainMs: number): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    for (const connection of this.#connections) connection.notify({ event: 'shutdown' });
    const deadline = this.#options.now() + drainMs;
    const wait = async (unfinished: () => boolean): Promise<void> => {
      while (unfinished() && this.#options.now() < deadline) await Bun.sleep(20);
    };
    await wait(() => [...this.#connections].some(({ socket }) => socket.getBufferedAmount() > 0));
    for (const connection of this.#connections) {
      connection.closed = true;
      connection.socket.close(1012, 'restart');
    }
    await wait(() => this.#connections.size > 0);
    for (const connection of this.#connections) connection.socket.terminate();
  }

  #open(socket: Socket): void {
    const connection = socket.data;
    connection.socket = socket;
    connection.pingAt = this.#options.now() + PING_MS;
    this.#connections.add(connection);
    // A key in the upgrade's header was checked there; the stream still needs a slot.
    if (connection.caller) this.#conversation.enter(connection, connection.caller);
  }

  /** A fault of ours ends the connection it came up on, and nothing else. */
  #guarded(connection: Connection, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fault(connection, error);
    }
  }

  #fault(connection: Connection, error: unknown): void {
    this.#options.log.error('a connection failed', { channel: connection.channel, error });
    connection.end('internal', 'The service failed.');
  }

  #heard({ data: connection }: Socket): void {
    connection.heardAt = this.#options.now();
  }

  #message(connection: Connection, message: string | Buffer): void {
    const now = this.#options.now();
    connection.heardAt = now;
    this.messagesIn++;
    if (connection.closed) return;
    if (typeof message !== 'string') connection.end('bad_messages', 'Messages are text, not binary.');
    else if (isTooLarge(message)) connection.end('message_too_large', 'A message may have 64 KiB.');
    else if (!connection.admit(now)) connection.end('too_many_messages', 'More than 100 messages in a second.');
    else if (connection.waiting) connection.waiting.push(message);
    else this.#hear(connection, message);
  }

  #hear(connection: Connection, message: string): void {
    if (connection.channel === 'ingest') this.#ingest.hear(connection, message);
    else this.#conversation.hear(connection, message);
  }

  #announce(news: FeedNews): void {
    for (const connection of this.#connections) {
      const symbols = news.symbols.filter((symbol) => connection.subscriptions.has(symbol));
      if (symbols.length > 0) connection.notify(noticeOf(news, symbols));
    }
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const connection of this.#connections) {
      const { caller, closed, waiting, openedAt, heardAt } = connection;
      if (now - heardAt > SILENCE_MS) connection.socket.terminate();
      else if (closed) continue;
      else if (caller && (!caller.valid || caller.expiresAt <= now)) {
        connection.end('invalid_key', 'The API key was revoked or has expired.');
      } else if (!caller && !waiting && now - openedAt > AUTHENTICATION_MS) {
        connection.end('missing_key', 'No valid API key within 10 seconds.');
      } else {
        if (now >= connection.pingAt) {
          connection.pingAt = now + PING_MS;
          connection.socket.ping();
        }
        this.slow.look(connection, now);
      }
    }
  }
}

function noticeOf(news: FeedNews, symbols: string[]): Notice {
  switch (news.kind) {
    case 'gap':
      return { event: 'gap', reason: 'feed', symbols };
    case 'disconnect':
      return { event: 'feed', state: 'disconnected', symbols };
    case 'backfilled':
      return { event: 'feed', state: 'backfilled', symbols, trades: news.count };
    case 'failover':
      return { event: 'feed', state: 'failover', symbols, source: news.source };
  }
}

/** In bytes; a character has at most three per unit of length, so most need no counting. */
const isTooLarge = (message: string): boolean =>
  message.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(message) > MAX_MESSAGE_BYTES;
