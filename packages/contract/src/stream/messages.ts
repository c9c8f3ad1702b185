// The direction and channel of each WebSocket message. All channels accept the same requests; on `/ws` they name the channel.
import type { z } from 'zod';
import * as lockstep from '../replay/lockstep.ts';
import * as channelRequests from './channel-requests.ts';
import type { Channel } from './channels.ts';
import * as data from './data-messages.ts';
import * as notices from './notices.ts';
import * as requests from './requests.ts';

export interface MessageEntry {
  readonly schema: z.ZodType;
  readonly title: string;
  readonly when: string;
}

const SCHEMAS = { ...data, ...notices, ...requests, ...channelRequests, ...lockstep };

/** Messages by the names of their schemas. */
const messages = <Name extends keyof typeof SCHEMAS>(
  table: Readonly<Record<Name, readonly [title: string, when: string]>>,
) =>
  Object.fromEntries(
    Object.entries<readonly [string, string]>(table).map(([name, [title, when]]) => [
      name,
      { schema: SCHEMAS[name as Name] as z.ZodType, title, when },
    ]),
  ) as Readonly<Record<Name, MessageEntry>>;

export const REQUEST_MESSAGES = messages({
  SubscribeMessage: ['subscribe', 'Subscribes to symbols and sets the options of the subscription.'],
  UnsubscribeMessage: ['unsubscribe', 'Unsubscribes from symbols.'],
  ListMessage: ['list', 'Requests the current subscriptions.'],
  PingMessage: ['ping', 'Requests a pong. WebSocket ping frames are answered as well.'],
});

/** Requests on `/ws`, in place of those with the same action. */
export const CHANNEL_REQUESTS = messages({
  ChannelSubscribe: ['subscribe', 'Subscribes to symbols of a channel and sets the options of the subscription.'],
  ChannelUnsubscribe: ['unsubscribe', 'Unsubscribes from symbols of a channel.'],
  ChannelList: ['list', 'Requests the current subscriptions of a channel.'],
});

export const NOTICE_MESSAGES = messages({
  SubscriptionNotice: [
    'subscribed, unsubscribed, subscriptions',
    'Response to subscribe, unsubscribe and list: all current subscriptions.',
  ],
  PongNotice: ['pong', 'Response to ping.'],
  ErrorNotice: ['error', 'A request was rejected. The connection stays open unless `fatal` is true.'],
  SlowNotice: ['slow', 'The client fell behind and now receives only the latest messages.'],
  GapNotice: ['gap', 'Messages are missing. Every loss of messages is reported.'],
  HeartbeatNotice: [
    'heartbeat',
    'Sent at the interval that the subscription requested. Distinguishes a quiet market from a lost feed.',
  ],
  FeedNotice: ['feed', 'The source of some symbols was lost, has caught up or was replaced.'],
  ShutdownNotice: ['shutdown', 'The service is about to stop. It closes the connection with 1012 next.'],
});

/** Of connections with `lockstep=true` to a replay session. */
export const LOCKSTEP_REQUESTS = messages({
  NextMessage: ['next', 'In lockstep with a replay: asks for the messages of the next time.'],
});
export const LOCKSTEP_NOTICES = messages({
  LockstepNotice: [
    'waiting, ended',
    'In lockstep with a replay: follows the messages of each time, and ends the range.',
  ],
});

export const DATA_MESSAGES = messages({
  MarketTick: ['Market tick', 'The bid or ask of a subscribed instrument was updated.'],
  BarMessage: ['Bar', 'A subscribed bar changed or closed.'],
  FootprintMessage: ['Footprint', 'The volume at price of a subscribed bar changed, or the bar closed.'],
  OrderFlowTick: ['Order-flow tick', 'The order flow of a subscribed instrument was updated.'],
  PerpetualFigures: ['Figures of a perpetual', 'Mark price, funding or open interest changed; at most once a second.'],
  PerpetualLiquidation: ['Liquidation', 'The venue closed a position by force.'],
  SignalPublished: ['Signal published', 'A signal was published.'],
  SignalClosed: ['Signal closed', 'A signal closed. Sent if the subscription has `"closes":true`.'],
  SignalFilled: ['Signal filled', 'The entry of a signal was filled. Sent if the subscription has `"fills":true`.'],
  SignalExited: [
    'Signal exited in part',
    'A part of the position exited at a target. Sent if the subscription has `"changes":true`.',
  ],
  SignalAmended: ['Signal amended', 'The publisher tightened the stop. Sent if the subscription has `"changes":true`.'],
  NewsPublished: ['News published', 'An item was added to the news feed.'],
  NewsRevised: ['News revised', 'The headline of an item was updated.'],
  AlertFired: ['Alert fired', 'An alert or a subscription of the account fired.'],
});

export type RequestMessageName =
  | keyof typeof REQUEST_MESSAGES
  | keyof typeof CHANNEL_REQUESTS
  | keyof typeof LOCKSTEP_REQUESTS;
export type NoticeMessageName = keyof typeof NOTICE_MESSAGES | keyof typeof LOCKSTEP_NOTICES;
export type DataMessageName = keyof typeof DATA_MESSAGES;
export type MessageName = RequestMessageName | NoticeMessageName | DataMessageName;

export const MESSAGES: Readonly<Record<MessageName, MessageEntry>> = {
  ...REQUEST_MESSAGES,
  ...CHANNEL_REQUESTS,
  ...LOCKSTEP_REQUESTS,
  ...NOTICE_MESSAGES,
  ...LOCKSTEP_NOTICES,
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
  perpetual: {
    summary: 'Perpetuals: mark price, funding, open interest and liquidations',
    description: 'Without `symbols`, or with `"*"`, all perpetuals. Starts with the current figures of each.',
    data: ['PerpetualFigures', 'PerpetualLiquidation'],
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
