// The gateway of streams: the lifecycle of all connections, from the handshake to the close. It never waits for a client.
import type { FeedStatusEvent, InstrumentSpec } from '@tickwire/engine';
import type { Server, WebSocketHandler } from 'bun';
import type { FailedAttempts } from '../access/failed-attempts.ts';
import type { Keyring } from '../access/keyring.ts';
import type { RowAllowance } from '../access/row-allowance.ts';
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
import type { Connection } from './connection.ts';
import { EventTopics } from './event-topics.ts';
import { feedNotice } from './feed-notice.ts';
import { Heartbeats } from './heartbeats.ts';
import { Hub, type LastSeqs } from './hub.ts';
import { IncomingMessages } from './incoming-messages.ts';
import { IngestProtocol } from './ingest-protocol.ts';
import { FIRINGS, type ItemStreams, ItemSubscribers, NEWS_ITEMS } from './item-subscribers.ts';
import { Liveness } from './liveness.ts';
import { OpenConnections } from './open-connections.ts';
import { Positions } from './positions.ts';
import { ReplayQuota } from './replay-quota.ts';
import { ReplayScheduler } from './replay-scheduler.ts';
import { ResumeHandler } from './resume.ts';
import { SlowConsumers } from './slow-consumers.ts';
import { StreamSlots } from './stream-slots.ts';
import type { StreamSocket } from './stream-socket.ts';
import { SubscribeHandler } from './subscribe.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscriptions } from './subscriptions.ts';

const SWEEP_MS = 100;

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
  /** Rows of history per day and account. */
  readonly rows: RowAllowance;
  readonly limits: LimitSettings;
  /** Counts streams across all gateways of a cluster. */
  readonly sharedSlots?: SharedSlots;
  /** Whether the journal follows that of another process, as on a gateway node. Default `false`. */
  readonly follows?: boolean;
  readonly log: Log;
  readonly now: () => number;
}

export class Gateway {
  readonly connections: OpenConnections;
  readonly incoming: IncomingMessages;
  readonly slots: StreamSlots;
  readonly slow: SlowConsumers;
  readonly hub: Hub;
  readonly indicators: LiveIndicators;
  readonly items: ItemStreams;
  readonly replays: ReplayScheduler;
  readonly replayQuota: ReplayQuota;
  readonly resume: ResumeHandler;
  readonly subscribe: SubscribeHandler;
  /** Topics of server-sent events. */
  readonly eventTopics = new EventTopics();
  readonly #options: GatewayOptions;
  readonly #subscriptions: Subscriptions;
  readonly #heartbeats: Heartbeats;
  readonly #clientProtocol: ClientProtocol;
  readonly #ingestProtocol: IngestProtocol;
  readonly #liveness: Liveness;
  #server: Server<Connection> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: GatewayOptions) {
    const { instruments, keyring, failures, journal, market, signalEvents, simulated, ingest, limits, now } = options;
    this.#options = options;
    this.#liveness = new Liveness(limits, SWEEP_MS, now());
    this.connections = new OpenConnections(limits);
    const publish = (name: string, text: string): void => {
      this.#server?.publish(name, text);
      if (!this.eventTopics.isEmpty) this.eventTopics.publish(name, text);
    };
    const onFault = (of: Connection | Subscriber, error: unknown): void => this.fault(of, error);
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
      audienceOf: (name) => this.#server?.subscriberCount(name) ?? 0,
      sockets: () => this.connections.size,
      simulated: options.simulated,
    });
    const subscriptions = new Subscriptions(hub);
    const replays = new ReplayScheduler((subscriber, live) => subscriptions.goLive(subscriber, live), onFault);
    const quota = new ReplayQuota(limits.replay_bytes_per_minute, now);
    const { follows = false } = options;
    const common = { resolve: (code: string) => hub.resolve(code), journal, replays, quota, follows };
    const items: ItemStreams = {
      news: new ItemSubscribers({ ...common, kind: NEWS_ITEMS }),
      alerts: new ItemSubscribers({ ...common, kind: FIRINGS }),
    };
    const positions = new Positions({ journal, signals: signalEvents, items, flush: () => hub.flush() });
    this.resume = new ResumeHandler({
      hub,
      items,
      replays,
      quota,
      signalEvents,
      journal,
      positions,
      follows,
      onFault,
    });
    this.hub = hub;
    this.#subscriptions = subscriptions;
    this.replays = replays;
    this.replayQuota = quota;
    this.items = items;
    const position = (subscriber: Subscriber) => positions.of(subscriber);
    this.slow = new SlowConsumers({ hub, subscriptions, journal, position });
    this.#heartbeats = new Heartbeats({
      lastTickAt: (channel, symbol) =>
        (channel === 'orderflow' ? market.flow(symbol) : market.tick(symbol))?.time ?? null,
      position,
    });
    this.incoming = new IncomingMessages({
      client: () => this.#clientProtocol,
      ingest: () => this.#ingestProtocol,
      perSecond: limits.messages_per_second,
      now,
    });
    const onQueued = (connection: Connection, text: string): void => this.incoming.dispatch(connection, text);
    this.subscribe = new SubscribeHandler({
      hub,
      subscriptions,
      items,
      resume: this.resume,
      slow: this.slow,
      positions,
      heartbeats: this.#heartbeats,
      indicators: this.indicators,
      rows: options.rows,
      simulated,
      maxSubscriptions: limits.max_subscriptions,
      now,
    });
    this.#clientProtocol = new ClientProtocol({
      keyring,
      failures,
      slots: this.slots,
      subscribe: this.subscribe,
      now,
      onQueued,
      onFault,
    });
    this.#ingestProtocol = new IngestProtocol({
      ingest,
      keyring,
      failures,
      now,
      claimSlot: (connection, caller, then) => this.#clientProtocol.claimSlot(connection, caller, undefined, then),
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
    open: (socket) =>
      this.#guarded(socket.data, () => {
        this.add(socket.data, socket);
        // A key in the header was checked by the upgrade; the stream still needs a slot.
        if (socket.data.caller) this.#clientProtocol.accept(socket.data, socket.data.caller);
      }),
    message: (socket, message) => this.#guarded(socket.data, () => this.incoming.receive(socket.data, message)),
    pong: ({ data }) => this.#guarded(data, () => this.incoming.admit(data)),
    ping: ({ data }) => this.#guarded(data, () => this.incoming.admit(data)),
    drain: ({ data }) => {
      data.finishClosing();
      this.#ingestProtocol.drained(data);
      this.replays.run();
    },
    close: ({ data: connection }) => this.remove(connection),
  };

  /** A connection has opened. */
  add(connection: Connection, socket: StreamSocket): void {
    connection.socket = socket;
    connection.onClosing = (code) => {
      this.connections.countClosed(code);
      this.#release(connection);
    };
    this.#liveness.register(connection, this.#options.now());
    this.connections.add(connection);
  }

  /** The client has read what was buffered for it, or a part of that. */
  hasRead(connection: Connection): void {
    connection.markAlive(this.#options.now());
    connection.finishClosing();
    this.replays.run();
  }

  /** A connection has closed. */
  remove(connection: Connection): void {
    connection.closed = true;
    this.#release(connection);
    this.connections.delete(connection);
  }

  start(server: Server<Connection>): void {
    this.#server = server;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
  }

  readonly read = (batch: Batch): void => {
    this.hub.read(batch);
    for (const items of Object.values(this.items)) items.read(batch);
    for (const event of batch.events) if ('symbols' in event) this.#notifyFeedStatus(event);
  };

  /**
   * Journal events after `from` and up to `to` never reached this process. Drops what was kept for clients that resume, and
   * notifies every subscriber of the gap. `lastSeqs` are the last numbers of each instrument up to `to`.
   */
  declareLoss(from: number, to: number, lastSeqs: LastSeqs = new Map()): void {
    this.hub.skipTo(to, lastSeqs);
    this.skipItemsTo(to);
    this.resume.declareLoss(this.connections, from);
  }

  /** Items up to `seq` may never have reached this process. */
  skipItemsTo(seq: number): void {
    for (const items of Object.values(this.items)) items.skipTo(seq);
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

  /** Releases all subscriptions and the slot. */
  #release(connection: Connection): void {
    this.hub.remove(connection.socket);
    for (const subscriber of connection.subscribers) {
      this.#subscriptions.removeAll(subscriber);
      for (const items of Object.values(this.items)) items.remove(subscriber);
    }
    this.slots.release(connection);
  }

  /** An unexpected error closes the connection on which it occurred, and no other. */
  #guarded(connection: Connection, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(connection, error);
    }
  }

  fault(of: Connection | Subscriber, error: unknown): void {
    this.#options.log.error('a connection failed', { channel: of.channel, error });
    of.closeWithError('internal', 'An internal error occurred.');
  }

  #notifyFeedStatus(news: FeedStatusEvent): void {
    this.hub.flush();
    for (const { subscribers } of this.connections)
      for (const subscriber of subscribers) {
        const subscribed = new Set([...subscriber.subscriptions].map(({ topic }) => topic.symbol));
        const symbols = news.symbols.filter((symbol) => subscribed.has(symbol));
        if (symbols.length > 0) subscriber.notify(feedNotice(news, symbols));
      }
  }

  #sweep(): void {
    const now = this.#options.now();
    if (!this.#liveness.startRound(this.connections, now)) return;
    for (const connection of this.connections) {
      try {
        if (!this.#liveness.check(connection, now)) continue;
        this.slow.check(connection, connection.buffered);
        for (const subscriber of connection.subscribers) this.#heartbeats.check(subscriber, now);
      } catch (error) {
        this.fault(connection, error);
      }
    }
    this.replays.run();
    this.hub.formGroups();
  }
}
