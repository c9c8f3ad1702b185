// One channel of a connection: its subscriptions and the state of their delivery. A connection to the endpoint of a channel has
// one subscriber; `/ws` and `/sse` have one for each channel that the client names.
import type { Channel, ErrorCode, Notice, StreamChannel, StreamPosition } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import type { Conflated } from './conflated.ts';
import type { StreamSocket } from './stream-socket.ts';
import { SubscriptionList } from './subscription-list.ts';

export type RequestId = string | number | undefined;

/** What an error is about, beyond its message. */
export interface ErrorContext {
  readonly channel?: StreamChannel;
  readonly resume_from?: StreamPosition;
}

/** What a subscriber needs of its connection. */
export interface SubscriberConnection {
  readonly socket: StreamSocket;
  readonly caller: Caller | null;
  readonly closed: boolean;
  /** Subscriptions of all its subscribers. */
  readonly subscriptionCount: number;
  /** Whether a subscriber of it got a `slow` notice and has not caught up. */
  readonly isSlow: boolean;
  notify(notice: Notice): void;
  sendError(code: ErrorCode, message: string, id: RequestId, about?: ErrorContext): void;
  closeWithError(code: ErrorCode, message: string, id?: RequestId, about?: readonly ErrorContext[]): void;
}

/** State of a slow subscriber, which gets only the newest message of each topic. */
export interface Lag {
  /** It got a `slow` notice, and all subscriptions are conflated; if false, only those with `"delivery":"latest"`. */
  warned: boolean;
  /** `seq` of the first message it may have missed. */
  readonly fromSeq: number;
  /** What was not sent, by the key of the topic. */
  readonly conflated: Map<string, Conflated>;
  /** Symbols with dropped messages, and the number of those messages. */
  readonly symbols: Set<MarketSymbol>;
  dropped: number;
}

/** `more`: there is more to send now. `wait`: data is being fetched; the replay wakes the scheduler when it is there. */
export type ReplayProgress = 'more' | 'wait' | 'done';

export interface Replay {
  readonly subscriber: Subscriber;
  /** Keys of the topics it replays. If the client unsubscribes one, it is removed from `subscriber.replaying`. */
  readonly keys: readonly string[];
  /** Sends about TURN_BYTES. */
  step(): ReplayProgress;
}

/** The endpoint whose messages a channel of `/ws` has. */
export const ENDPOINT_OF: Readonly<Record<StreamChannel, Channel>> = {
  market: 'market',
  bars: 'market',
  orderflow: 'orderflow',
  footprint: 'orderflow',
  perpetual: 'perpetual',
  signals: 'signals',
  news: 'news',
  alerts: 'alerts',
};

export class Subscriber {
  readonly connection: SubscriberConnection;
  readonly channel: Channel;
  /** The channel that its messages name; `null` if they name none, because the endpoint has only one. */
  readonly name: StreamChannel | null;
  readonly subscriptions = new SubscriptionList();
  /** `null` unless the subscriber is slow. */
  lag: Lag | null = null;
  /** Running replays by topic key: these topics are not live yet. `null` if there are none. */
  replaying: Map<string, Replay> | null = null;
  /** 0: no heartbeat was requested. */
  heartbeatMs = 0;
  heartbeatAt = 0;

  private constructor(connection: SubscriberConnection, channel: Channel, name: StreamChannel | null) {
    this.connection = connection;
    this.channel = channel;
    this.name = name;
  }

  /** The only subscriber of a connection to the endpoint of a channel. */
  static of(connection: SubscriberConnection, channel: Channel): Subscriber {
    return new Subscriber(connection, channel, null);
  }

  /** One of several subscribers of a connection, whose messages name their channel. */
  static named(connection: SubscriberConnection, name: StreamChannel): Subscriber {
    return new Subscriber(connection, ENDPOINT_OF[name], name);
  }

  get socket(): StreamSocket {
    return this.connection.socket;
  }

  get caller(): Caller | null {
    return this.connection.caller;
  }

  get closed(): boolean {
    return this.connection.closed;
  }

  notify(notice: Notice): void {
    if (this.name === null) this.connection.notify(notice);
    else {
      const { event, ...rest } = notice;
      this.connection.notify({ event, channel: this.name, ...rest } as Notice);
    }
  }

  /** Reports an error that leaves the connection open, unless there were too many. */
  sendError(code: ErrorCode, message: string, id: RequestId): void {
    this.connection.sendError(code, message, id, this.errorContext());
  }

  /** Reports an error and closes the connection. */
  closeWithError(code: ErrorCode, message: string, position?: StreamPosition): void {
    this.connection.closeWithError(code, message, undefined, [this.errorContext(position)]);
  }

  errorContext(position?: StreamPosition): ErrorContext {
    return { ...(this.name !== null && { channel: this.name }), ...(position && { resume_from: position }) };
  }
}
