// The WebSocket side of the service: the life of its connections, from the handshake to the last close. It never waits for
// a reader.
import { MAX_MESSAGE_BYTES, type Notice, type Position } from '@tickwire/contract';
import type { FeedNews, InstrumentSpec } from '@tickwire/engine';
import type { Server, WebSocketHandler } from 'bun';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Keyring } from '../access/keyring.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import type { PushLines } from '../http/ingest.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { Announcements } from '../signals/announcements.ts';
import type { MarketView } from '../views/market-view.ts';
import type { Connection, Socket } from './connection.ts';
import { Conversation } from './conversation.ts';
import { Heartbeats } from './heartbeats.ts';
import { IngestConversation } from './ingest-conversation.ts';
import type { LimitSettings } from './limit-settings.ts';
import { Liveness } from './liveness.ts';
import { NewsReaders } from './news-readers.ts';
import { OpenConnections } from './open-connections.ts';
import { Replays } from './replays.ts';
import { Resuming } from './resuming.ts';
import { SlowReaders } from './slow-readers.ts';
import { StreamSlots } from './stream-slots.ts';
import { Subscribing } from './subscribing.ts';
import { Subscriptions } from './subscriptions.ts';
import { type LastNumbers, Switchboard } from './switchboard.ts';

const SWEEP_MS = 100;
/** Messages of a connection that wait for its slot, or for an answer from elsewhere. */
const MAX_WAITING = 64;

export interface GatewayOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly journal: Journal;
  readonly market: MarketView;
  readonly announcements: Announcements;
  readonly simulated: boolean;
  readonly ingest: PushLines;
  readonly limits: LimitSettings;
  /** Counts streams over all gateways of a cluster. */
  readonly sharedSlots?: SharedSlots;
  readonly log: Log;
  readonly now: () => number;
}

export class Gateway {
  messagesIn = 0;
  readonly connections: OpenConnections;
  readonly slots: StreamSlots;
  readonly slow: SlowReaders;
  readonly switchboard: Switchboard;
  readonly news: NewsReaders;
  readonly replays: Replays;
  readonly #options: GatewayOptions;
  readonly #subscriptions: Subscriptions;
  readonly #heartbeats: Heartbeats;
  readonly #conversation: Conversation;
  readonly #ingest: IngestConversation;
  readonly #liveness: Liveness;
  readonly #resuming: Resuming;
  #server: Server<Connection> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GatewayOptions) {
    const { instruments, keyring, failures, journal, market, announcements, simulated, ingest, limits, now } = options;
    this.#options = options;
    this.#liveness = new Liveness(limits, SWEEP_MS, now());
    this.connections = new OpenConnections(limits);
    const publish = (topic: string, text: string): void => {
      this.#server?.publish(topic, text);
    };
    const onFault = (connection: Connection, error: unknown): void => this.#fault(connection, error);
    this.slots = new StreamSlots(now, options.sharedSlots);
    const switchboard = new Switchboard({
      instruments,
      journal,
      market,
      signals: announcements,
      kept: limits.resume_messages,
      now,
      publish,
    });
    const subscriptions = new Subscriptions(switchboard);
    const replays = new Replays((connection, tap) => subscriptions.settle(connection, tap), onFault);
    const news = new NewsReaders({ symbols: new Set(switchboard.symbols), journal, replays });
    this.#resuming = new Resuming({ switchboard, news, replays, announcements, journal, onFault });
    this.switchboard = switchboard;
    this.#subscriptions = subscriptions;
    this.replays = replays;
    this.news = news;
    // During a replay, only the reader knows.
    const position = (connection: Connection): Position | undefined =>
      connection.held || news.isReplaying(connection) ? undefined : this.#position(connection);
    this.slow = new SlowReaders({ switchboard, subscriptions, journal, position });
    this.#heartbeats = new Heartbeats({
      lastTickAt: (channel, symbol) =>
        (channel === 'orderflow' ? market.flow(symbol) : market.tick(symbol))?.time ?? null,
      position,
    });
    this.#conversation = new Conversation({
      keyring,
      failures,
      slots: this.slots,
      subscribing: new Subscribing({
        switchboard,
        subscriptions,
        news,
        resuming: this.#resuming,
        heartbeats: this.#heartbeats,
        simulated,
        maxSubscriptions: limits.max_subscriptions,
        now,
      }),
      now,
      onWaited: (connection, text) => this.#hear(connection, text),
      onFault,
    });
    this.#ingest = new IngestConversation({
      ingest,
      keyring,
      failures,
      now,
      enter: (connection, caller, then) => this.#conversation.seat(connection, caller, undefined, then),
      onWaited: (connection, text) => this.#hear(connection, text),
      onFault,
    });
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
    pong: ({ data }) => this.#guarded(data, () => this.#admit(data)),
    ping: ({ data }) => this.#guarded(data, () => this.#admit(data)),
    drain: ({ data }) => {
      data.finish();
      this.replays.run();
    },
    close: ({ data: connection }) => {
      connection.closed = true;
      this.#release(connection);
      this.connections.delete(connection);
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

  /**
   * Events of the journal were lost to this process: after `from`, up to `to`. What was kept for readers does not lead to what
   * follows, and every reader is told. `lastOf`: the last numbers among them, which what follows goes on from.
   */
  lose(from: number, to: number, lastOf: LastNumbers = new Map()): void {
    this.switchboard.lose(to, lastOf);
    this.news.lose(to);
    this.#resuming.loseAll(this.connections, from);
  }

  /** Tells everyone, lets what is buffered drain, closes with 1012. */
  async stop(drainMs: number): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.switchboard.flush();
    for (const connection of this.connections) connection.notify({ event: 'shutdown' });
    const deadline = this.#options.now() + drainMs;
    const wait = async (unfinished: () => boolean): Promise<void> => {
      while (unfinished() && this.#options.now() < deadline) await Bun.sleep(20);
    };
    await wait(() => [...this.connections].some(({ socket }) => socket.getBufferedAmount() > 0));
    for (const connection of this.connections) {
      connection.closed = true;
      connection.socket.close(1012, 'restart');
    }
    await wait(() => this.connections.size > 0);
    for (const connection of this.connections) connection.socket.terminate();
  }

  #open(socket: Socket): void {
    const connection = socket.data;
    connection.socket = socket;
    connection.onEnd = () => this.#release(connection);
    this.#liveness.opened(connection, this.#options.now());
    this.connections.add(connection);
    // A key in the upgrade's header was checked there; the stream still needs a slot.
    if (connection.caller) this.#conversation.enter(connection, connection.caller);
  }

  /** It takes nothing any more, and holds nobody's slot. */
  #release(connection: Connection): void {
    this.#subscriptions.forget(connection);
    this.news.forget(connection);
    this.slots.release(connection);
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

  /** Notes a sign of life and counts it; false where the connection is at its end. */
  #admit(connection: Connection): boolean {
    const now = this.#options.now();
    const { messages_per_second } = this.#options.limits;
    if (connection.closed) return false;
    connection.heard(now);
    if (connection.admit(now, messages_per_second)) return true;
    connection.end('too_many_messages', `More than ${messages_per_second} messages in a second.`);
    return false;
  }

  #message(connection: Connection, message: string | Buffer): void {
    this.messagesIn++;
    if (!this.#admit(connection)) return;
    if (typeof message !== 'string') connection.end('bad_messages', 'Messages are text, not binary.');
    else if (isTooLarge(message)) connection.end('message_too_large', 'A message may have 64 KiB.');
    else if (connection.waiting && connection.waiting.length >= MAX_WAITING)
      connection.end('too_many_messages', `${MAX_WAITING} messages wait already.`);
    else if (connection.waiting) connection.waiting.push(message);
    else this.#hear(connection, message);
  }

  #hear(connection: Connection, message: string): void {
    if (connection.channel === 'ingest') this.#ingest.hear(connection, message);
    else this.#conversation.hear(connection, message);
  }

  #announce(news: FeedNews): void {
    this.switchboard.flush();
    for (const connection of this.connections) {
      const taken = new Set([...connection.subscriptions.values()].map(({ line }) => line.symbol));
      const symbols = news.symbols.filter((symbol) => taken.has(symbol));
      if (symbols.length > 0) connection.notify(noticeOf(news, symbols));
    }
  }

  #sweep(): void {
    const now = this.#options.now();
    if (!this.#liveness.ready(this.connections, now)) return;
    for (const connection of this.connections) {
      try {
        if (!this.#liveness.look(connection, now)) continue;
        this.slow.look(connection);
        this.#heartbeats.look(connection, now);
      } catch (error) {
        this.#fault(connection, error);
      }
    }
    this.replays.run();
  }

  /** Where a reader stands that has read everything it takes. All of that is on its way when this returns. */
  #position({ channel, subscriptions }: Connection): Position {
    const { announcements, journal } = this.#options;
    this.switchboard.flush();
    if (channel === 'signals') return { epoch: announcements.epoch, seq: announcements.newest };
    if (channel === 'news') return this.news.position;
    let seq = 0;
    for (const { line } of subscriptions.values()) seq = Math.max(seq, line.seq);
    return { epoch: journal.epoch, seq };
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
