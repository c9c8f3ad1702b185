// Destinations: where messages go. A webhook, Discord, Slack, e-mail and push destination can be named in the alert itself;
// Telegram chats are linked first.
import { z } from 'zod';
import {
  choice,
  integer,
  integerQuery,
  namedList,
  namedObject,
  namedStrict,
  nullable,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

/** Channels with a destination outside the service. */
export const OUTSIDE_CHANNELS = ['webhook', 'telegram', 'discord', 'slack', 'email', 'push'] as const;
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number];
export const DELIVERY_CHANNELS = [...OUTSIDE_CHANNELS, 'in_app'] as const;
type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

const MAX_ADDRESS = 2_048;
const MAX_DESTINATION_NAME = 64;

const channel = <const C extends DeliveryChannel>(name: C) => z.literal(name).meta({ description: 'Channel' });

const url = (of: string) =>
  z
    .string()
    .max(MAX_ADDRESS)
    .refine((address) => /^https?:\/\//i.test(address) && URL.canParse(address))
    .meta({
      description: `Address of ${of}`,
      allowed: `an http or https address of at most ${MAX_ADDRESS} characters`,
    });

export const PushSubscription = namedObject(
  'PushSubscription',
  "A browser's push subscription, as `PushSubscription.toJSON()` returns it",
  () => ({
    endpoint: url('the push service'),
    keys: z
      .object({
        p256dh: z.string().min(80).max(120).meta({ description: 'Public key of the browser, base64url' }),
        auth: z.string().min(16).max(40).meta({ description: 'Secret of the browser, base64url' }),
      })
      .meta({ description: 'Keys of the subscription' }),
  }),
);
export type PushSubscription = z.infer<typeof PushSubscription>;

const name = z
  .string()
  .max(MAX_DESTINATION_NAME)
  .optional()
  .meta({
    description: 'Name',
    allowed: `a text of at most ${MAX_DESTINATION_NAME} characters`,
  });

export const WebhookAddress = namedStrict(
  'WebhookAddress',
  'A webhook that is signed by the rules of Standard Webhooks',
  () => ({ channel: channel('webhook'), url: url('the receiver'), name }),
);
export const DiscordAddress = namedStrict('DiscordAddress', 'A channel of Discord', () => ({
  channel: channel('discord'),
  url: url('the Discord webhook'),
  name,
}));
export const SlackAddress = namedStrict('SlackAddress', 'A channel of Slack', () => ({
  channel: channel('slack'),
  url: url('the Slack webhook'),
  name,
}));
export const EmailAddress = namedStrict('EmailAddress', 'An e-mail address', () => ({
  channel: channel('email'),
  address: z
    .string()
    .max(254)
    .regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/)
    .refine((address) => !/\p{C}/u.test(address))
    .meta({ description: 'E-mail address', allowed: 'an e-mail address without a display name' }),
  name,
}));
export const TelegramAddress = z.strictObject({ channel: channel('telegram'), name }).meta({
  id: 'TelegramAddress',
  description: 'A Telegram chat, linked by sending the code of the response to the bot',
});
export const PushAddress = namedStrict('PushAddress', 'A browser that receives push messages', () => ({
  channel: channel('push'),
  subscription: PushSubscription.meta({ allowed: 'the subscription of a browser, as JSON' }),
  name,
}));

export const DestinationRequest = z
  .discriminatedUnion('channel', [
    WebhookAddress,
    DiscordAddress,
    SlackAddress,
    EmailAddress,
    TelegramAddress,
    PushAddress,
  ])
  .meta({ id: 'DestinationRequest', description: 'A destination to create' });
export type DestinationRequest = z.infer<typeof DestinationRequest>;

export const InAppAddress = namedStrict(
  'InAppAddress',
  'The list of firings and `/ws/alerts`, which have every firing',
  () => ({ channel: channel('in_app') }),
);
export const ExistingDestination = namedStrict('ExistingDestination', 'A destination that exists', () => ({
  destination: z.string().max(64).meta({ description: 'Id of the destination', allowed: 'the id of a destination' }),
}));

/** One entry of `deliver`. An address that the account has already as a destination is that destination. */
export const DeliverTo = z
  .union([ExistingDestination, InAppAddress, WebhookAddress, DiscordAddress, SlackAddress, EmailAddress])
  .meta({ id: 'DeliverTo', description: 'Where to deliver: an existing destination, or an address' });
export type DeliverTo = z.infer<typeof DeliverTo>;

const DESTINATION_STATES = ['unverified', 'active', 'paused', 'unsubscribed'] as const;

export const Destination = namedObject('Destination', 'A destination', () => ({
  id: text('Id'),
  channel: z.enum(OUTSIDE_CHANNELS).meta({ description: 'Channel' }),
  name: nullable(z.string(), 'Name'),
  address: text('Address, without its secret parts'),
  state: z.enum(DESTINATION_STATES).meta({
    description:
      '`unverified`: waits for its code. `paused`: failed too often, messages wait. `unsubscribed`: by the reader of a mail',
  }),
  created_at: timestamp('Time of creation'),
  last_delivered_at: nullable(Timestamp, 'Time of the last delivery'),
  waiting: integer('Messages that wait for delivery'),
  failure: nullable(z.string(), 'Why the last attempt failed'),
}));
export type Destination = z.infer<typeof Destination>;

export const CreatedDestination = Destination.extend({
  secret: nullable(z.string(), 'Signing secret of a webhook (`whsec_…`), shown only once'),
  link: nullable(
    z.object({
      code: text('One-time code, valid for 15 minutes'),
      url: nullable(z.string(), 'Address that opens the chat with the bot'),
    }),
    'How to link a Telegram chat: send the code to the bot, or open the address',
  ),
}).meta({ id: 'CreatedDestination', description: 'A new destination' });
export type CreatedDestination = z.infer<typeof CreatedDestination>;

export const DestinationList = namedList(
  'DestinationList',
  'All destinations of the account',
  Destination,
  'Destinations, oldest first',
);
export type DestinationList = z.infer<typeof DestinationList>;

export const DestinationCode = namedObject('DestinationCode', 'The code that verifies a destination', () => ({
  code: z
    .string()
    .min(4)
    .max(64)
    .meta({ description: 'Code that the destination received', allowed: 'the code that the destination received' }),
}));

export const PushKey = namedObject('PushKey', 'The key with which browsers subscribe to push messages', () => ({
  public_key: nullable(z.string(), 'VAPID key, base64url; `null` if push is not configured'),
}));
export type PushKey = z.infer<typeof PushKey>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const Delivery = namedObject('Delivery', 'A message to a destination', () => ({
  id: text('Id, the same in every attempt; `webhook-id` of a webhook'),
  destination: text('Id of the destination'),
  channel: z.enum(OUTSIDE_CHANNELS).meta({ description: 'Channel' }),
  type: text('Type of the message, such as `alert.fired` or `signal.closed`'),
  alert_id: nullable(z.string(), 'Id of the alert or subscription'),
  title: text('What happened, in one line'),
  state: z.enum(DELIVERY_STATES).meta({ description: '`dead`: given up, can be replayed' }),
  attempts: integer('Number of attempts'),
  created_at: timestamp('Time of creation'),
  next_attempt_at: nullable(Timestamp, 'Earliest time of the next attempt'),
  delivered_at: nullable(Timestamp, 'Time of delivery'),
  latency_ms: nullable(z.int(), 'Milliseconds from `created_at` to `delivered_at`'),
  reason: nullable(z.string(), 'Why the last attempt failed'),
}));
export type Delivery = z.infer<typeof Delivery>;

export const DeliveriesQuery = z.object({
  state: choice(DELIVERY_STATES, 'State').optional(),
  destination: z
    .string()
    .optional()
    .meta({ description: 'Return only messages to this destination', allowed: 'the id of a destination' }),
  alert: z.string().optional().meta({ description: 'Id of an alert', allowed: 'the id of an alert' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Id of the last item of the previous page', allowed: 'the id of a message' }),
  limit: integerQuery('Maximum number of items', 1, 200, 50),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;

export const DeliveryList = namedList('DeliveryList', 'A page of the delivery log', Delivery, 'Messages, newest first');
export type DeliveryList = z.infer<typeof DeliveryList>;
