// Which WebSocket messages go which way, and on which channel. Every channel takes the same requests.
import type { z } from 'zod';
import {
  BarMessage,
  type Channel,
  ErrorNotice,
  FeedNotice,
  GapNotice,
  HeartbeatNotice,
  ListMessage,
  MarketTick,
  NewsPublished,
  NewsRevised,
  OrderFlowTick,
  PingMessage,
  PongNotice,
  ShutdownNotice,
  SignalClosed,
  SignalPublished,
  SlowNotice,
  SubscribeMessage,
  SubscriptionNotice,
  UnsubscribeMessage,
} from './stream.ts';

export interface MessageEntry {
  readonly schema: z.ZodType;
  readonly title: string;
  readonly when: string;
}

const message = (schema: z.ZodType, title: string, when: string): MessageEntry => ({ schema, title, when });

export const REQUEST_MESSAGES = {
  SubscribeMessage: message(SubscribeMessage, 'subscribe', 'Adds symbols to the subscription and sets its options.'),
  UnsubscribeMessage: message(UnsubscribeMessage, 'unsubscribe', 'Takes symbols off the subscription.'),
  ListMessage: message(ListMessage, 'list', 'Asks for the current subscription.'),
  PingMessage: message(PingMessage, 'ping', 'Asks for a pong. Ping frames of the protocol are answered as well.'),
} as const satisfies Record<string, MessageEntry>;

export const NOTICE_MESSAGES = {
  SubscriptionNotice: message(
    SubscriptionNotice,
    'subscribed, unsubscribed, subscriptions',
    'Answers subscribe, unsubscribe and list with the whole current set.',
  ),
  PongNotice: message(PongNotice, 'pong', 'Answers ping.'),
  ErrorNotice: message(ErrorNotice, 'error', 'Something was refused. The connection goes on unless `fatal` is true.'),
  SlowNotice: message(SlowNotice, 'slow', 'The reader fell behind and is moved to the latest values.'),
  GapNotice: message(GapNotice, 'gap', 'Messages were left out: nothing is dropped undeclared.'),
  HeartbeatNotice: message(
    HeartbeatNotice,
    'heartbeat',
    'Sent as often as the subscription asked for: tells a quiet market from a dead feed.',
  ),
  FeedNotice: message(FeedNotice, 'feed', 'The source of some symbols was lost, caught up, or replaced.'),
  ShutdownNotice: message(ShutdownNotice, 'shutdown', 'The service is about to stop; close 1012 follows.'),
} as const satisfies Record<string, MessageEntry>;

export const DATA_MESSAGES = {
  MarketTick: message(MarketTick, 'Market tick', 'The bid or ask of a subscribed instrument was updated.'),
  BarMessage: message(BarMessage, 'Bar', 'A subscribed bar has changed or closed.'),
  OrderFlowTick: message(OrderFlowTick, 'Order-flow tick', 'The order flow of a subscribed instrument was updated.'),
  SignalPublished: message(SignalPublished, 'Signal published', 'A signal was published to the feed.'),
  SignalClosed: message(SignalClosed, 'Signal closed', 'A signal closed; sent where the subscription asked for it.'),
  NewsPublished: message(NewsPublished, 'News published', 'An item came into the news feed.'),
  NewsRevised: message(NewsRevised, 'News revised', 'The headline of an item was updated.'),
} as const satisfies Record<string, MessageEntry>;

export type RequestMessageName = keyof typeof REQUEST_MESSAGES;
export type NoticeMessageName = keyof typeof NOTICE_MESSAGES;
export type DataMessageName = keyof typeof DATA_MESSAGES;
export type MessageName = RequestMessageName | NoticeMessageName | DataMessageName;

export const MESSAGES: Readonly<Record<MessageName, MessageEntry>> = {
  ...REQUEST_MESSAGES,
  ...NOTICE_MESSAGES,
  ...DATA_MESSAGES,
};

export interface ChannelStream {
  readonly summary: string;
  readonly description?: string;
  readonly data: readonly DataMessageName[];
}

export const CHANNEL_STREAMS: Readonly<Record<Channel, ChannelStream>> = {
  market: { summary: 'Prices at tick level', data: ['MarketTick', 'BarMessage'] },
  orderflow: { summary: 'Volume at the bid and at the ask, delta and absorption', data: ['OrderFlowTick'] },
  signals: { summary: 'Each signal as it is published', data: ['SignalPublished', 'SignalClosed'] },
  news: {
    summary: 'Each news item as it comes, and its revisions',
    description:
      'Without `symbols`, or with `"*"`, everything comes. With instruments named, only items that mention at least one of them, each once.',
    data: ['NewsPublished', 'NewsRevised'],
  },
};

/** The service pings a connection this often, and closes one that has not answered for this long. */
export const HEARTBEAT = { ping_seconds: 20, silence_seconds: 60 } as const;
