// The WebSocket gateway: the lifecycle of all connections, from the handshake to the close. It never waits for a client.
import { MAX_MESSAGE_BYTES, type StreamPosition } from '@tickwire/contract';
import type { FeedStatusEvent, InstrumentSpec } from '@tickwire/engine';
import type { Server, WebSocketHandler } from 'bun';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Keyring } from '../access/keyring.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import type { LimitSettings } from '../config/limit-settings.ts';
import { LiveIndicators } from '../history/live-indicators.ts';
import type { BarSources } from '../history/recorded-history.ts';
import type { PushLines } from '../http/push-handlers.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Log } from '../ops/log.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import { ClientProtocol } from './client-protocol.ts';
import type { Connection, Socket } from './connection.ts';
import { feedNotice } from './feed-notice.ts';
import { Heartbeats } from './heartbeats.ts';
import { Hub, type LastSeqs } from './hub.ts';
import { IngestProtocol } from './ingest-protocol.ts';
import { Liveness } from './liveness.ts';
import { NewsSubscribers } from './news-subscribers.ts';
import { OpenConnections } from './open-connections.ts';
import { ReplayQuota } from './replay-quota.ts';
import { ReplayScheduler } from './replay-scheduler.ts';
import { ResumeHandler } from './resume.ts';
import { SlowConsumers } from './slow-consumers.ts';
import { StreamSlots } from './stream-slots.ts';
import { SubscribeHandler } from './subscribe.ts';
import { Subscriptions } from './subscriptions.ts';

const SWEEP_MS = 100;
/** Messages of a connection that may be queued while one waits for a slot or for the ingest node. */
const MAX_QUEUED = 64;

export interface GatewayOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly keyring: Keyring;
  readonly failures: FailedAttempts;
  readonly journal: Journal;
  readonly market: MarketView;
  readonly signalEvents: SignalEvents;
  /** Closed bars that are older than those in memory. */
  readonly history: BarSources['store'];
  readonly simulated: boolean;
  readonly ingest: PushLines;
  readonly limits: LimitSettings;
  /** Counts streams across all gateways of a cluster. */
  readonly sharedSlots?: SharedSlots;
  /** Whether the journal follows that of another process, as on a gateway node. Default `false`. */
  readonly follows?: boolean;
  readonly log: Log;
  readonly now: () => number;
}

export class Gateway {
  /** Messages received, for the metrics. */
  messagesIn = 0;
  readonly connections: OpenConnections;
  readonly slots: StreamSlots;
  readonly slow: SlowConsumers;
  readonly hub: Hub;
  readonly indicators: LiveIndicators;
  readonly news: NewsSubscribers;
  readonly replays: ReplayScheduler;
  readonly replayQuota: ReplayQuota;
  readonly #options: GatewayOptions;
  readonly #subscriptions: Subscriptions;
  readonly #heartbeats: Heartbeats;
  readonly #clientProtocol: ClientProtocol;
  readonly #ingestProtocol: IngestProtocol;
  readonly #liveness: Liveness;
  readonly #resume: ResumeHandler;
  #server: Server<Connection> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GatewayOptions) {
    const { instruments, keyring, failures, journal, market, signalEvents, simulated, ingest, limits, now } = options;
    this.#options = options;
    this.#liveness = new Liveness(limits, SWEEP_MS, now());
    this.connections = new OpenConnections(limits);
    const publish = (name: string, text: string): void => {
      this.#server?.publish(name, text);
    };
    const onFault = (connection: Connection, error: unknown): void => this.#fault(connection, error);
    this.slots = new StreamSlots(now, options.sharedSlots);
    this.indicators = new LiveIndicators({ store: options.history, view: market });
    const hub = new Hub({
      instruments,
      journal,
      market,
      signals: signalEvents,
      indicators: this.indicators,
      capacity: limits.resume_messages,
      now,
      publish,
      simulated: options.simulated,
    });
    const subscriptions = new Subscriptions(hub);
    const replays = new ReplayScheduler((connection, live) => subscriptions.goLive(connection, live), onFault);
    const quota = new ReplayQuota(limits.replay_bytes_per_minute, now);
    const news = new NewsSubscribers({ symbols: new Set(hub.symbols), journal, replays, quota });
    this.#resume = new ResumeHandler({
      hub,
      news,
      replays,
      quota,
      signalEvents,
      journal,
      follows: options.follows ?? false,
      onFault,
    });
    this.hub = hub;
    this.#subscriptions = subscriptions;
    this.replays = replays;
    this.replayQuota = quota;
    this.news = news;
    // During a replay only the client knows its position.
    const position = (connection: Connection): StreamPosition | undefined =>
      connection.replaying || news.isReplaying(connection) ? undefined : this.#position(connection);
    this.slow = new SlowConsumers({ hub, subscriptions, journal, position });
    this.#heartbeats = new Heartbeats({
      lastTickAt: (channel, symbol) =>
        (channel === 'orderflow' ? market.flow(symbol) : market.tick(symbol))?.time ?? null,
      position,
    });
    this.#clientProtocol = new ClientProtocol({
      keyring,
      failures,
      slots: this.slots,
      subscribe: new SubscribeHandler({
        hub,
        subscriptions,
        news,
        resume: this.#resume,
        heartbeats: this.#heartbeats,
        indicators: this.indicators,
        simulated,
        maxSubscriptions: limits.max_subscriptions,
        now,
      }),
      now,
      onQueued: (connection, text) => this.#dispatch(connection, text),
      onFault,
    });
    this.#ingestProtocol = new IngestProtocol({
      ingest,
      keyring,
      failures,
      now,
      claimSlot: (connection, caller, then) => this.#clientProtocol.claimSlot(connection, caller, undefined, then),
      onQueued: (connection, text) => this.#dispatch(connection, text),
      onFault,
    });
  }

  readonly handler: WebSocketHandler<Connection> = {
    // Messages over 64 KiB are closed with 4413; this is only the limit of the protocol layer.
    maxPayloadLength: 1024 * 1024,
    // Bun must never drop a published message: slow consumers are handled long before this.
    backpressureLimit: 64 * 1024 * 1024,
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    open: (socket) => this.#guarded(socket.data, () => this.#open(socket)),
    message: (socket, message) => this.#guarded(socket.data, () => this.#message(socket.data, message)),
    pong: ({ data }) => this.#guarded(data, () => this.#admit(data)),
    ping: ({ data }) => this.#guarded(data, () => this.#admit(data)),
    drain: ({ data }) => {
      data.finishClosing();
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
    this.hub.read(batch);
    this.news.read(batch);
    for (const event of batch.events) if ('symbols' in event) this.#notifyFeedStatus(event);
  };

  /**
   * Journal events after `from` and up to `to` never reached this process. Drops what was kept for clients that resume, and
   * notifies every subscriber of the gap. `lastSeqs` are the last numbers of each instrument up to `to`.
   */
  declareLoss(from: number, to: number, lastSeqs: LastSeqs = new Map()): void {
    this.hub.skipTo(to, lastSeqs);
    this.news.skipTo(to);
    this.#resume.declareLoss(this.connections, from);
  }

  /** Notifies all clients, waits until buffers have drained or `drainMs` has passed, and closes with 1012. */
  async stop(drainMs: number): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.hub.flush();
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
    connection.onClosing = () => this.#release(connection);
    this.#liveness.register(connection, this.#options.now());
    this.connections.add(connection);
    // A key in the header was checked by the upgrade; the stream still needs a slot.
    if (connection.caller) this.#clientProtocol.accept(connection, connection.caller);
  }

  /** Releases all subscriptions and the slot. */
  #release(connection: Connection): void {
    this.#subscriptions.removeAll(connection);
    this.news.remove(connection);
    this.slots.release(connection);
  }

  /** An unexpected error closes the connection on which it occurred, and no other. */
  #guarded(connection: Connection, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fault(connection, error);
    }
  }

  #fault(connection: Connection, error: unknown): void {
    this.#options.log.error('a connection failed', { channel: connection.channel, error });
    connection.closeWithError('internal', 'An internal error occurred.');
  }

  /** Notes a sign of life and counts the message. Returns false if the connection is closing. */
  #admit(connection: Connection): boolean {
    const now = this.#options.now();
    const { messages_per_second } = this.#options.limits;
    if (connection.closed) return false;
    connection.markAlive(now);
    if (connection.admit(now, messages_per_second)) return true;
    connection.closeWithError('too_many_messages', `More than ${messages_per_second} messages per second.`);
    return false;
  }

  #message(connection: Connection, message: string | Buffer): void {
    this.messagesIn++;
    if (!this.#admit(connection)) return;
    if (typeof message !== 'string') connection.closeWithError('bad_messages', 'Messages must be text, not binary.');
    else if (isTooLarge(message)) connection.closeWithError('message_too_large', 'A message may have at most 64 KiB.');
    else if (connection.queued && connection.queued.length >= MAX_QUEUED)
      connection.closeWithError('too_many_messages', `${MAX_QUEUED} messages are already queued.`);
    else if (connection.queued) connection.queued.push(message);
    else this.#dispatch(connection, message);
  }

  #dispatch(connection: Connection, message: string): void {
    if (connection.channel === 'ingest') this.#ingestProtocol.receive(connection, message);
    else this.#clientProtocol.receive(connection, message);
  }

  #notifyFeedStatus(news: FeedStatusEvent): void {
    this.hub.flush();
    for (const connection of this.connections) {
      const subscribed = new Set([...connection.subscriptions.values()].map(({ topic }) => topic.symbol));
      const symbols = news.symbols.filter((symbol) => subscribed.has(symbol));
      if (symbols.length > 0) connection.notify(feedNotice(news, symbols));
    }
  }

  #sweep(): void {
    const now = this.#options.now();
    if (!this.#liveness.startRound(this.connections, now)) return;
    for (const connection of this.connections) {
      try {
        if (!this.#liveness.check(connection, now)) continue;
        this.slow.check(connection);
        this.#heartbeats.check(connection, now);
      } catch (error) {
        this.#fault(connection, error);
      }
    }
    this.replays.run();
  }

  /** Position of a subscriber that has read everything. Delayed messages are sent first, so that none is behind it. */
  #position({ channel, subscriptions }: Connection): StreamPosition {
    const { signalEvents, journal } = this.#options;
    this.hub.flush();
    if (channel === 'signals') return { epoch: signalEvents.epoch, seq: signalEvents.newest };
    if (channel === 'news') return this.news.position;
    let seq = 0;
    for (const { topic } of subscriptions.values()) seq = Math.max(seq, topic.seq);
    return { epoch: journal.epoch, seq };
  }
}

/** In bytes. A UTF-16 unit has at most three, so most messages need no counting. */
const isTooLarge = (message: string): boolean =>
  message.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(message) > MAX_MESSAGE_BYTES;
