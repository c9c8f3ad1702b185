// The direction and channel of each WebSocket message. All channels accept the same requests; on `/ws` they name the channel.
import type { z } from 'zod';
import { ChannelList, ChannelSubscribe, ChannelUnsubscribe } from './channel-requests.ts';
import {
  AlertFired,
  BarMessage,
  type Channel,
  ErrorNotice,
  FeedNotice,
  FootprintMessage,
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
  SignalAmended,
  SignalClosed,
  SignalExited,
  SignalFilled,
  SignalPublished,
  SlowNotice,
  SubscribeMessage,
  SubscriptionNotice,
  UnsubscribeMessage,
} from './schemas.ts';

export interface MessageEntry {
  readonly schema: z.ZodType;
  readonly title: string;
  readonly when: string;
}

const message = (schema: z.ZodType, title: string, when: string): MessageEntry => ({ schema, title, when });

export const REQUEST_MESSAGES = {
  SubscribeMessage: message(
    SubscribeMessage,
    'subscribe',
    'Subscribes to symbols and sets the options of the subscription.',
  ),
  UnsubscribeMessage: message(UnsubscribeMessage, 'unsubscribe', 'Unsubscribes from symbols.'),
  ListMessage: message(ListMessage, 'list', 'Requests the current subscriptions.'),
  PingMessage: message(PingMessage, 'ping', 'Requests a pong. WebSocket ping frames are answered as well.'),
} as const satisfies Record<string, MessageEntry>;

/** Requests on `/ws`, in place of those with the same action. */
export const CHANNEL_REQUESTS = {
  ChannelSubscribe: message(
    ChannelSubscribe,
    'subscribe',
    'Subscribes to symbols of a channel and sets the options of the subscription.',
  ),
  ChannelUnsubscribe: message(ChannelUnsubscribe, 'unsubscribe', 'Unsubscribes from symbols of a channel.'),
  ChannelList: message(ChannelList, 'list', 'Requests the current subscriptions of a channel.'),
} as const satisfies Record<string, MessageEntry>;

export const NOTICE_MESSAGES = {
  SubscriptionNotice: message(
    SubscriptionNotice,
    'subscribed, unsubscribed, subscriptions',
    'Response to subscribe, unsubscribe and list: all current subscriptions.',
  ),
  PongNotice: message(PongNotice, 'pong', 'Response to ping.'),
  ErrorNotice: message(
    ErrorNotice,
    'error',
    'A request was rejected. The connection stays open unless `fatal` is true.',
  ),
  SlowNotice: message(SlowNotice, 'slow', 'The client fell behind and now receives only the latest messages.'),
  GapNotice: message(GapNotice, 'gap', 'Messages are missing. Every loss of messages is reported.'),
  HeartbeatNotice: message(
    HeartbeatNotice,
    'heartbeat',
    'Sent at the interval that the subscription requested. Distinguishes a quiet market from a lost feed.',
  ),
  FeedNotice: message(FeedNotice, 'feed', 'The source of some symbols was lost, has caught up or was replaced.'),
  ShutdownNotice: message(
    ShutdownNotice,
    'shutdown',
    'The service is about to stop. It closes the connection with 1012 next.',
  ),
} as const satisfies Record<string, MessageEntry>;

export const DATA_MESSAGES = {
  MarketTick: message(MarketTick, 'Market tick', 'The bid or ask of a subscribed instrument was updated.'),
  BarMessage: message(BarMessage, 'Bar', 'A subscribed bar changed or closed.'),
  FootprintMessage: message(
    FootprintMessage,
    'Footprint',
    'The volume at price of a subscribed bar changed, or the bar closed.',
  ),
  OrderFlowTick: message(OrderFlowTick, 'Order-flow tick', 'The order flow of a subscribed instrument was updated.'),
  SignalPublished: message(SignalPublished, 'Signal published', 'A signal was published.'),
  SignalClosed: message(
    SignalClosed,
    'Signal closed',
    'A signal closed. Sent if the subscription has `"closes":true`.',
  ),
  SignalFilled: message(
    SignalFilled,
    'Signal filled',
    'The entry of a signal was filled. Sent if the subscription has `"fills":true`.',
  ),
  SignalExited: message(
    SignalExited,
    'Signal exited in part',
    'A part of the position exited at a target. Sent if the subscription has `"changes":true`.',
  ),
  SignalAmended: message(
    SignalAmended,
    'Signal amended',
    'The publisher tightened the stop. Sent if the subscription has `"changes":true`.',
  ),
  NewsPublished: message(NewsPublished, 'News published', 'An item was added to the news feed.'),
  NewsRevised: message(NewsRevised, 'News revised', 'The headline of an item was updated.'),
  AlertFired: message(AlertFired, 'Alert fired', 'An alert or a subscription of the account fired.'),
} as const satisfies Record<string, MessageEntry>;

export type RequestMessageName = keyof typeof REQUEST_MESSAGES | keyof typeof CHANNEL_REQUESTS;
export type NoticeMessageName = keyof typeof NOTICE_MESSAGES;
export type DataMessageName = keyof typeof DATA_MESSAGES;
export type MessageName = RequestMessageName | NoticeMessageName | DataMessageName;

export const MESSAGES: Readonly<Record<MessageName, MessageEntry>> = {
  ...REQUEST_MESSAGES,
  ...CHANNEL_REQUESTS,
  ...NOTICE_MESSAGES,
  ...DATA_MESSAGES,
};

export interface ChannelStream {
  readonly summary: string;
  readonly description?: string;
  readonly data: readonly DataMessageName[];
}

export const CHANNEL_STREAMS: Readonly<Record<Channel, ChannelStream>> = {
  market: { summary: 'Prices, tick by tick', data: ['MarketTick', 'BarMessage'] },
  orderflow: {
    summary: 'Order flow: volume at bid and ask, delta, imbalance and absorption; volume at price on request',
    data: ['OrderFlowTick', 'FootprintMessage'],
  },
  signals: {
    summary: 'New signals; fills, partial exits, tighter stops and closings on request',
    data: ['SignalPublished', 'SignalFilled', 'SignalExited', 'SignalAmended', 'SignalClosed'],
  },
  news: {
    summary: 'New news items and revisions',
    description:
      'Without `symbols`, or with `"*"`, all items are sent. With symbols, only items that mention at least one of them, each once.',
    data: ['NewsPublished', 'NewsRevised'],
  },
  alerts: {
    summary: 'Firings of the alerts and subscriptions of the account',
    description:
      'Without `symbols`, or with `"*"`, all firings of the account are sent; with symbols, only those of the symbols. `event_seq` is the position of the event that fired the alert; `seq` is that of the firing, as on the other streams.',
    data: ['AlertFired'],
  },
};

/** Seconds between ping frames, and seconds of silence after which a connection is closed. */
export const KEEPALIVE = { ping_seconds: 20, silence_seconds: 60 } as const;
