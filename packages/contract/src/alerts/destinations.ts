// Destinations: where messages go. A webhook, Discord, Slack, e-mail and push destination can be named in the alert itself;
// Telegram chats are linked first.
import { z } from 'zod';
import { ItemCount, integer, integerQuery, nullable, Timestamp, text, timestamp } from '../common/values.ts';

export const DELIVERY_CHANNELS = ['webhook', 'telegram', 'discord', 'slack', 'email', 'push', 'in_app'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];
/** Channels with a destination outside the service. */
export const OUTSIDE_CHANNELS = ['webhook', 'telegram', 'discord', 'slack', 'email', 'push'] as const;
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number];

export const MAX_ADDRESS = 2_048;
export const MAX_DESTINATION_NAME = 64;

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

export const PushSubscription = z
  .object({
    endpoint: url('the push service'),
    keys: z
      .object({
        p256dh: z.string().min(80).max(120).meta({ description: 'Public key of the browser, base64url' }),
        auth: z.string().min(16).max(40).meta({ description: 'Secret of the browser, base64url' }),
      })
      .meta({ description: 'Keys of the subscription' }),
  })
  .meta({
    id: 'PushSubscription',
    description: "A browser's push subscription, as `PushSubscription.toJSON()` returns it",
  });
export type PushSubscription = z.infer<typeof PushSubscription>;

const name = z
  .string()
  .max(MAX_DESTINATION_NAME)
  .optional()
  .meta({
    description: 'Name for your own reference',
    allowed: `a text of at most ${MAX_DESTINATION_NAME} characters`,
  });

export const WebhookAddress = z
  .strictObject({ channel: channel('webhook'), url: url('the receiver'), name })
  .meta({ id: 'WebhookAddress', description: 'A webhook that is signed by the rules of Standard Webhooks' });
export const DiscordAddress = z
  .strictObject({ channel: channel('discord'), url: url('the Discord webhook'), name })
  .meta({ id: 'DiscordAddress', description: 'A channel of Discord' });
export const SlackAddress = z
  .strictObject({ channel: channel('slack'), url: url('the Slack webhook'), name })
  .meta({ id: 'SlackAddress', description: 'A channel of Slack' });
export const EmailAddress = z
  .strictObject({
    channel: channel('email'),
    address: z
      .string()
      .max(254)
      .regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/)
      .meta({ description: 'E-mail address', allowed: 'an e-mail address without a display name' }),
    name,
  })
  .meta({ id: 'EmailAddress', description: 'An e-mail address' });
export const TelegramAddress = z.strictObject({ channel: channel('telegram'), name }).meta({
  id: 'TelegramAddress',
  description: 'A Telegram chat: it is linked by sending the code of the response to the bot',
});
export const PushAddress = z
  .strictObject({
    channel: channel('push'),
    subscription: PushSubscription.meta({ allowed: 'the subscription of a browser, as JSON' }),
    name,
  })
  .meta({ id: 'PushAddress', description: 'A browser that receives push messages' });

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

export const InAppAddress = z
  .strictObject({ channel: channel('in_app') })
  .meta({ id: 'InAppAddress', description: 'The list of firings and `/ws/alerts`, which have every firing anyway' });
export const ExistingDestination = z
  .strictObject({
    destination: z.string().max(64).meta({ description: 'Id of a destination', allowed: 'the id of a destination' }),
  })
  .meta({ id: 'ExistingDestination', description: 'A destination that exists' });

/** One entry of `deliver`. An address that the account has already as a destination is that destination. */
export const DeliverTo = z
  .union([ExistingDestination, InAppAddress, WebhookAddress, DiscordAddress, SlackAddress, EmailAddress])
  .meta({ id: 'DeliverTo', description: 'Where to deliver: an existing destination, or an address' });
export type DeliverTo = z.infer<typeof DeliverTo>;

export const DESTINATION_STATES = ['unverified', 'active', 'paused', 'unsubscribed'] as const;
export type DestinationState = (typeof DESTINATION_STATES)[number];

export const Destination = z
  .object({
    id: text('Id of the destination'),
    channel: z.enum(OUTSIDE_CHANNELS).meta({ description: 'Channel' }),
    name: nullable(z.string(), 'Your name for it'),
    address: text('Address, without its secret parts: host of a webhook, e-mail address, title of a chat'),
    state: z.enum(DESTINATION_STATES).meta({
      description:
        '`unverified`: waits for its code and gets no messages. `paused`: it failed too often, messages wait. `unsubscribed`: the reader of a mail unsubscribed',
    }),
    created_at: timestamp('Time of creation'),
    last_delivered_at: nullable(Timestamp, 'Time of the last delivery (ISO 8601, UTC); `null` if there was none'),
    waiting: integer('Messages that wait for delivery'),
    failure: nullable(z.string(), 'Reason of the last failed attempt since the last delivery; `null` if there is none'),
  })
  .meta({ id: 'Destination', description: 'A destination' });
export type Destination = z.infer<typeof Destination>;

export const CreatedDestination = Destination.extend({
  secret: nullable(
    z.string(),
    'Signing secret of a webhook (`whsec_…`), shown only in the answer that created it; `null` otherwise',
  ),
  link: nullable(
    z.object({
      code: text('One-time code, valid for 15 minutes'),
      url: nullable(z.string(), 'Address that opens the chat with the bot; `null` without a known bot name'),
    }),
    'How to link a Telegram chat: send the code to the bot, or open the address; `null` for other channels',
  ),
}).meta({ id: 'CreatedDestination', description: 'A new destination' });
export type CreatedDestination = z.infer<typeof CreatedDestination>;

export const DestinationList = z
  .object({ items: z.array(Destination).meta({ description: 'Destinations, oldest first' }), count: ItemCount })
  .meta({ id: 'DestinationList', description: 'All destinations of the account' });

export const DestinationCode = z
  .object({
    code: z
      .string()
      .min(4)
      .max(64)
      .meta({ description: 'Code that the destination received', allowed: 'the code that the destination received' }),
  })
  .meta({ id: 'DestinationCode', description: 'The code that verifies a destination' });

export const PushKey = z
  .object({
    public_key: nullable(
      z.string(),
      'VAPID key for `pushManager.subscribe`, base64url; `null` if push is not configured',
    ),
  })
  .meta({ id: 'PushKey', description: 'The key with which browsers subscribe to push messages' });

export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const Delivery = z
  .object({
    id: text('Id of the message: the same in every attempt, and `webhook-id` of a webhook'),
    destination: text('Id of the destination'),
    channel: z.enum(OUTSIDE_CHANNELS).meta({ description: 'Channel' }),
    type: text('Type of the message, such as `alert.fired` or `signal.closed`'),
    alert_id: nullable(z.string(), 'Alert that caused it; `null` for other messages'),
    title: text('First line of the message'),
    state: z.enum(DELIVERY_STATES).meta({ description: '`dead`: given up, can be replayed' }),
    attempts: integer('Number of attempts'),
    created_at: timestamp('When the message was written'),
    next_attempt_at: nullable(Timestamp, 'Earliest time of the next attempt (ISO 8601, UTC); `null` unless it waits'),
    delivered_at: nullable(Timestamp, 'When the destination accepted it (ISO 8601, UTC); `null` if it has not'),
    latency_ms: nullable(z.int(), 'Milliseconds from `created_at` to `delivered_at`; `null` if it is not delivered'),
    reason: nullable(z.string(), 'Why the last attempt failed; `null` if none failed'),
  })
  .meta({ id: 'Delivery', description: 'A message to a destination' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveriesQuery = z.object({
  state: z
    .enum(DELIVERY_STATES)
    .optional()
    .meta({ description: 'Return only messages in this state', allowed: `one of ${DELIVERY_STATES.join(', ')}` }),
  destination: z
    .string()
    .optional()
    .meta({ description: 'Return only messages to this destination', allowed: 'the id of a destination' }),
  alert: z
    .string()
    .optional()
    .meta({ description: 'Return only messages of this alert', allowed: 'the id of an alert' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Id of a message: return only older ones', allowed: 'the id of a message' }),
  limit: integerQuery('Number of messages', 1, 200, 50),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;

export const DeliveryList = z
  .object({ items: z.array(Delivery).meta({ description: 'Messages, newest first' }), count: ItemCount })
  .meta({ id: 'DeliveryList', description: 'A page of the delivery log' });
