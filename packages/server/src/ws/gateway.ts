// The gateway of streams: the lifecycle of all connections, from the handshake to the close. It never waits for a client.
import type { WebSocketHandler } from 'bun';
import type { Keyring } from '../access/keyring.ts';
import type { LimitSettings } from '../config/limit-settings.ts';
import type { Batch, Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { RateLimiter } from '../work/rate-limiter.ts';
import type { GatewayChannel, LastSeqs, SymbolCatalogue } from './channel.ts';
import { Channels } from './channels.ts';
import { ClientProtocol } from './client-protocol.ts';
import type { Connection } from './connection.ts';
import { EventTopics } from './event-topics.ts';
import { FeedNotices } from './feed-notices.ts';
import { Heartbeats } from './heartbeats.ts';
import { Hub } from './hub.ts';
import { IncomingMessages } from './incoming-messages.ts';
import { IngestProtocol } from './ingest-protocol.ts';
import { Liveness } from './liveness.ts';
import type { LocalTopics } from './local-topics.ts';
import { OpenConnections } from './open-connections.ts';
import type { PushLines } from './push-queue.ts';
import { ReplayQuota } from './replay-quota.ts';
import { ReplayScheduler } from './replay-scheduler.ts';
import { ResumeHandler } from './resume.ts';
import { SlowConsumers } from './slow-consumers.ts';
import { StreamCounts } from './stream-counts.ts';
import { type SlotCounter, StreamSlots } from './stream-slots.ts';
import type { StreamSocket, TopicServer } from './stream-socket.ts';
import { SubscribeHandler } from './subscribe.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscriptions } from './subscriptions.ts';

const SWEEP_MS = 100;

/** What gateways that share a port count together. */
export type CountedTogether = Pick<Gateway, 'connections' | 'counts' | 'slots' | 'replayQuota'>;

export interface GatewayOptions {
  readonly channels: readonly GatewayChannel[];
  readonly catalogue: SymbolCatalogue;
  readonly keyring: Keyring;
  readonly failures: RateLimiter;
  readonly journal: Journal;
  readonly simulated: boolean;
  readonly ingest: PushLines;
  readonly limits: LimitSettings;
  /** Counts streams across all gateways of a cluster. */
  readonly sharedSlots?: SlotCounter;
  /** Counts streams, connections and messages together with another gateway of this process, instead of alone. */
  readonly countsWith?: CountedTogether;
  /** Topics of this gateway alone, if it shares a port with another one. */
  readonly topics?: LocalTopics;
  /** The time by which topics are throttled. Default: `now`. */
  readonly marketTime?: () => number;
  /** Whether the journal follows that of another process, as on a gateway node. Default `false`. */
  readonly follows?: boolean;
  readonly log: Log;
  readonly now: () => number;
}

export class Gateway {
  /** Those of all gateways that count together. */
  readonly connections: OpenConnections;
  /** Those of this gateway. */
  readonly own = new Set<Connection>();
  readonly counts: StreamCounts;
  readonly incoming: IncomingMessages;
  readonly slots: StreamSlots;
  readonly slow: SlowConsumers;
  readonly hub: Hub;
  readonly replays: ReplayScheduler;
  readonly replayQuota: ReplayQuota;
  readonly resume: ResumeHandler;
  readonly subscribe: SubscribeHandler;
  /** Topics of server-sent events. */
  readonly eventTopics = new EventTopics();
  readonly #options: GatewayOptions;
  readonly #symbols: ReadonlySet<string>;
  readonly #channels: Channels;
  readonly #subscriptions: Subscriptions;
  readonly #feedNotices = new FeedNotices();
  readonly #heartbeats: Heartbeats;
  readonly #clientProtocol: ClientProtocol;
  readonly #ingestProtocol: IngestProtocol;
  readonly #liveness: Liveness;
  #server: TopicServer | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #isStopped = false;

  constructor(options: GatewayOptions) {
    const { catalogue, keyring, failures, journal, simulated, ingest, limits, follows = false, now } = options;
    this.#options = options;
    this.#symbols = new Set(catalogue.symbols);
    this.#liveness = new Liveness(limits, SWEEP_MS, now());
    const { connections, counts, slots, replayQuota: quota } = options.countsWith ?? newCounts(options);
    this.connections = connections;
    this.counts = counts;
    this.slots = slots;
    const publish = (name: string, text: string): void => {
      this.#server?.publish(name, text);
      if (!this.eventTopics.isEmpty) this.eventTopics.publish(name, text);
    };
    const onFault = (of: Connection | Subscriber, error: unknown): void => this.fault(of, error);
    const hub = new Hub({
      publish,
      audienceOf: (name) => this.#server?.subscriberCount(name) ?? 0,
      sockets: () => this.own.size,
      counts,
      now: options.marketTime ?? now,
    });
    const subscriptions = new Subscriptions(hub);
    const replays = new ReplayScheduler((subscriber, live) => subscriptions.goLive(subscriber, live), onFault);
    const channels = new Channels({
      channels: options.channels,
      hub,
      catalogue,
      journal,
      replays,
      quota,
      counts,
      follows,
    });
    hub.register(this.#feedNotices);
    this.resume = new ResumeHandler({ channels, replays, quota, follows, onFault });
    this.hub = hub;
    this.#channels = channels;
    this.#subscriptions = subscriptions;
    this.replays = replays;
    this.replayQuota = quota;
    this.slow = new SlowConsumers({ hub, channels, subscriptions, journal, counts });
    this.#heartbeats = new Heartbeats(channels, options.marketTime);
    this.incoming = new IncomingMessages({
      client: () => this.#clientProtocol,
      ingest: () => this.#ingestProtocol,
      perSecond: limits.messages_per_second,
      counts,
      now,
    });
    const onQueued = (connection: Connection, text: string): void => this.incoming.dispatch(connection, text);
    this.subscribe = new SubscribeHandler({
      hub,
      channels,
      catalogue,
      subscriptions,
      resume: this.resume,
      slow: this.slow,
      heartbeats: this.#heartbeats,
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

  /** Whether a code is the symbol of an instrument. */
  hasSymbol(code: string): boolean {
    return this.#symbols.has(code);
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
        // Its handshake ended after the gateway of a replay was stopped: nothing would close it later.
        if (this.#isStopped) {
          socket.data.closed = true;
          socket.close(1012, 'restart');
          return;
        }
        this.add(socket.data, this.#options.topics?.socket(socket) ?? socket);
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
    this.own.add(connection);
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
    this.own.delete(connection);
    this.connections.delete(connection);
  }

  start(server: TopicServer): void {
    this.#server = server;
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
  }

  readonly read = (batch: Batch): void => {
    this.hub.read(batch);
    if (this.#feedNotices.isEmpty) return;
    this.hub.flush();
    this.#feedNotices.send(this.own);
  };

  /**
   * Journal events after `from` and up to `to` never reached this process. Drops what was kept for clients that resume, and
   * notifies every subscriber of the gap. `lastSeqs` are the last numbers of each instrument up to `to`.
   */
  declareLoss(from: number, to: number, lastSeqs: LastSeqs = new Map()): void {
    this.skipTo(to, lastSeqs);
    this.resume.declareLoss(this.own, from);
  }

  /** Events up to `seq` never reached this process. `lastSeqs` are the last numbers of each instrument up to it. */
  skipTo(seq: number, lastSeqs: LastSeqs): void {
    this.hub.flush();
    this.#channels.skipTo(seq, lastSeqs);
  }

  /** Notifies all clients, waits until buffers have drained or `drainMs` has passed, and closes with 1012. */
  async stop(drainMs: number): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.hub.flush();
    for (const connection of this.own) connection.notify({ event: 'shutdown' });
    const deadline = this.#options.now() + drainMs;
    const wait = async (unfinished: () => boolean): Promise<void> => {
      while (unfinished() && this.#options.now() < deadline) await Bun.sleep(20);
    };
    await wait(() => [...this.own].some(({ socket }) => socket.getBufferedAmount() > 0));
    for (const connection of this.own) {
      connection.closed = true;
      connection.socket.close(1012, 'restart');
    }
    await wait(() => this.own.size > 0);
    for (const connection of this.own) connection.socket.terminate();
  }

  /** Releases all subscriptions and the slot. */
  #release(connection: Connection): void {
    for (const subscriber of connection.subscribers) {
      this.#subscriptions.removeAll(subscriber);
      this.#channels.items(subscriber)?.remove(subscriber);
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

  #sweep(): void {
    const now = this.#options.now();
    if (!this.#liveness.startRound(this.own, now)) return;
    for (const connection of this.own) {
      try {
        if (!this.#liveness.check(connection, now, (reason) => this.connections.countClosed(reason))) continue;
        this.slow.check(connection, connection.buffered);
        for (const subscriber of connection.subscribers) this.#heartbeats.check(subscriber, now);
      } catch (error) {
        this.fault(connection, error);
      }
    }
    this.replays.run();
  }
}

export function newCounts({
  limits,
  sharedSlots,
  now,
}: Pick<GatewayOptions, 'limits' | 'sharedSlots' | 'now'>): CountedTogether {
  return {
    connections: new OpenConnections(limits),
    counts: new StreamCounts(),
    slots: new StreamSlots(now, sharedSlots),
    replayQuota: new ReplayQuota(limits.replay_bytes_per_minute, now),
  };
}
