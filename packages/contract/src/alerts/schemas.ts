// Alerts, their firings, and subscriptions.
import { z } from 'zod';
import {
  ItemCount,
  integer,
  integerQuery,
  nullable,
  SymbolCode,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';
import { TIMEFRAMES, TimeframeCode } from '../market/schemas.ts';
import { NEWS_CATEGORIES, NewsCategoryName } from '../news/schemas.ts';
import { AlertCondition, SIGNAL_HAPPENINGS } from './conditions.ts';
import { CreatedDestination, DELIVERY_CHANNELS, DeliverTo } from './destinations.ts';

export const MAX_ALERT_NOTE = 500;
export const MAX_DELIVER = 5;
export const MAX_COOLDOWN_SECONDS = 604_800;

export const REPEATS = ['once', 'once_per_bar', 'every_time'] as const;
export type Repeat = (typeof REPEATS)[number];

/** No control characters other than line feeds and tabs, no lone surrogates. */
const PLAIN_TEXT = new RegExp(`^(?:[\\n\\t]|[^\\p{Cc}\\p{Cs}]){0,${MAX_ALERT_NOTE}}$`, 'u');

const symbol = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Instrument code (case-insensitive)', allowed: 'an instrument code' });

const note = z
  .string()
  .refine((given) => PLAIN_TEXT.test(given))
  .meta({
    description: 'Note that is delivered with the message',
    allowed: `a text of up to ${MAX_ALERT_NOTE} characters without control characters other than line feeds and tabs`,
    maxLength: MAX_ALERT_NOTE,
  });

const CONDITION_ALLOWED = `an object with the type of a condition: ${AlertCondition.options.map(({ shape }) => shape.type.value).join(', ')}`;

const repeat = z.enum(REPEATS).meta({
  description:
    '`once`: fires once and is done. `once_per_bar`: at most once per bar of `interval`. `every_time`: each time, with `cooldown_seconds` between two firings',
  allowed: `one of ${REPEATS.join(', ')}`,
});

const cooldown = z
  .int()
  .min(0)
  .max(MAX_COOLDOWN_SECONDS)
  .meta({
    description: 'Seconds after a firing in which the alert does not fire again',
    allowed: `an integer between 0 and ${MAX_COOLDOWN_SECONDS}`,
  });

const expiry = z.iso.datetime({ offset: true }).nullable().meta({
  description: 'When the alert ends (ISO 8601); `null` if never',
  allowed: 'an ISO 8601 time with its offset, or null',
});

const barInterval = TimeframeCode.meta({
  description: 'Bar of `once_per_bar`; by default that of the condition, or one minute',
  allowed: `one of ${TIMEFRAMES.join(', ')}`,
});

const deliver = z
  .array(DeliverTo)
  .max(MAX_DELIVER)
  .meta({
    description: 'Where firings are delivered, besides the list of firings and `/ws/alerts`',
    allowed: `up to ${MAX_DELIVER} destinations, each with the id of one (destination) or a channel (webhook, discord, slack, email, in_app) and its address`,
  });

export const AlertRequest = z
  .object({
    symbol: symbol.optional(),
    condition: AlertCondition.meta({ allowed: CONDITION_ALLOWED }),
    repeat: repeat.default('once'),
    interval: barInterval.optional(),
    cooldown_seconds: cooldown.default(0),
    expires_at: expiry.default(null),
    deliver: deliver.default([]),
    note: note.optional(),
  })
  .meta({ id: 'AlertRequest', description: 'An alert to create' });
export type AlertRequest = z.infer<typeof AlertRequest>;

export const AlertChange = z
  .object({
    condition: AlertCondition.optional().meta({
      description: 'New condition. The alert starts anew: a level beyond the price does not fire until crossed',
      allowed: CONDITION_ALLOWED,
    }),
    repeat: repeat.optional(),
    interval: barInterval
      .nullable()
      .optional()
      .meta({ description: 'Bar of `once_per_bar`', allowed: `one of ${TIMEFRAMES.join(', ')}, or null` }),
    cooldown_seconds: cooldown.optional(),
    expires_at: expiry.optional(),
    deliver: deliver.optional(),
    note: note.nullable().optional(),
  })
  .meta({ id: 'AlertChange', description: 'Fields of an alert to change; the others stay' });
export type AlertChange = z.infer<typeof AlertChange>;

export const ALERT_STATES = ['active', 'paused', 'done', 'expired'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Reasons why an active alert cannot fire. */
export const NOT_CHECKED_REASONS = ['instrument_not_configured'] as const;
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number];

const DeliverEntry = z
  .object({
    channel: z.enum(DELIVERY_CHANNELS).meta({ description: 'Channel' }),
    destination: nullable(z.string(), 'Id of the destination; `null` for `in_app`'),
    address: text('Address, without its secret parts'),
  })
  .meta({ id: 'DeliverEntry', description: 'Where an alert is delivered' });
export type DeliverEntry = z.infer<typeof DeliverEntry>;

export const Alert = z
  .object({
    id: text('Id of the alert'),
    symbol: nullable(SymbolCode, 'Instrument; `null` if the condition needs none'),
    condition: AlertCondition,
    repeat: z.enum(REPEATS).meta({ description: 'How often it fires' }),
    interval: nullable(TimeframeCode, 'Bar of `once_per_bar`; `null` for other alerts'),
    cooldown_seconds: integer('Seconds after a firing in which it does not fire again'),
    expires_at: nullable(Timestamp, 'When it ends (ISO 8601, UTC); `null` if never'),
    deliver: z.array(DeliverEntry).meta({ description: 'Where its firings are delivered' }),
    note: nullable(z.string(), 'Note that is delivered with the message'),
    state: z.enum(ALERT_STATES).meta({ description: '`done`: it fired once. `expired`: its time is over' }),
    not_checked: nullable(
      z.enum(NOT_CHECKED_REASONS),
      'Why an active alert is not checked. `instrument_not_configured`: the service does not have the instrument any more; the alert ' +
        'is checked again when it is back. `null` if it is checked, or not active',
    ),
    created_at: timestamp('Time of creation'),
    fired: integer('Number of firings'),
    last_fired_at: nullable(Timestamp, 'Market time of the last firing (ISO 8601, UTC); `null` if it has not fired'),
  })
  .meta({ id: 'Alert', description: 'An alert' });
export type Alert = z.infer<typeof Alert>;

export const CreatedAlert = Alert.extend({
  created_destinations: z
    .array(CreatedDestination)
    .meta({ description: 'Destinations that were created for `deliver`, with secrets that are shown only now' }),
}).meta({ id: 'CreatedAlert', description: 'An alert with the destinations that were created for it' });
export type CreatedAlert = z.infer<typeof CreatedAlert>;

export const AlertsQuery = z.object({
  symbol: z
    .string()
    .optional()
    .meta({ description: 'Return only alerts of this instrument', allowed: 'an instrument code' }),
  state: z
    .enum(ALERT_STATES)
    .optional()
    .meta({ description: 'Return only alerts in this state', allowed: `one of ${ALERT_STATES.join(', ')}` }),
});
export type AlertsQuery = z.infer<typeof AlertsQuery>;

export const AlertList = z
  .object({ items: z.array(Alert).meta({ description: 'Alerts, newest first' }), count: ItemCount })
  .meta({ id: 'AlertList', description: 'Alerts of the account' });
export type AlertList = z.infer<typeof AlertList>;

export const AlertFiring = z
  .object({
    id: text('Id of the firing; the same for every delivery and on `/ws/alerts`'),
    alert_id: text('Id of the alert, or of the subscription'),
    symbol: nullable(SymbolCode, 'Instrument; `null` if the cause has none'),
    condition: AlertCondition,
    title: text('What happened, in one line'),
    note: nullable(z.string(), 'Note of the alert'),
    time: timestamp('Time of the event that fired it'),
    fired_at: timestamp('When the service noticed'),
    late: z.boolean().meta({ description: 'It was noticed more than 5 seconds after the event' }),
    price: nullable(z.number(), 'Price or value that fired it; `null` if there is none'),
    seq: nullable(z.int(), 'Position of the event in the journal; `null` if it is not known'),
  })
  .meta({ id: 'AlertFiring', description: 'An alert fired' });
export type AlertFiring = z.infer<typeof AlertFiring>;

export const FiringsQuery = z.object({
  alert: z
    .string()
    .optional()
    .meta({ description: 'Return only firings of this alert', allowed: 'the id of an alert' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Id of a firing: return only older ones', allowed: 'the id of a firing' }),
  limit: integerQuery('Number of firings', 1, 200, 50),
});
export type FiringsQuery = z.infer<typeof FiringsQuery>;

export const FiringList = z
  .object({ items: z.array(AlertFiring).meta({ description: 'Firings, newest first' }), count: ItemCount })
  .meta({ id: 'FiringList', description: 'A page of the firings of the account' });

export const AlertTest = z
  .object({
    deliveries: z
      .array(z.string())
      .meta({ description: 'Ids of the test messages, one for each destination; the delivery log has their state' }),
  })
  .meta({ id: 'AlertTest', description: 'Test messages that were written' });

/** What a subscription follows: exactly one of publisher, symbol and category. */
export const SubscriptionRequest = z
  .object({
    publisher: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Name or id of a publisher: its signals', allowed: 'the name or id of a publisher' }),
    symbol: symbol.optional().meta({ description: 'An instrument: its signals and headlines' }),
    category: z
      .enum(NEWS_CATEGORIES)
      .optional()
      .meta({ description: 'A news category: its headlines', allowed: `one of ${NEWS_CATEGORIES.join(', ')}` }),
    events: z
      .array(z.enum(SIGNAL_HAPPENINGS))
      .min(1)
      .default([...SIGNAL_HAPPENINGS])
      .meta({ description: 'What to be told of signals', allowed: `one or more of ${SIGNAL_HAPPENINGS.join(', ')}` }),
    mirror: z.boolean().default(false).meta({
      description:
        'Mirror for a community: posts every publication, fill and closing, without exception; `events` must not be narrowed',
      allowed: 'true or false',
    }),
    deliver: deliver.min(1),
  })
  .meta({
    id: 'SubscriptionRequest',
    description: 'A subscription to create; exactly one of publisher, symbol and category',
  });
export type SubscriptionRequest = z.infer<typeof SubscriptionRequest>;

export const Subscription = z
  .object({
    id: text('Id of the subscription'),
    publisher: nullable(z.object({ id: text('Id'), name: text('Name') }), 'Publisher that it follows; `null` if none'),
    symbol: nullable(SymbolCode, 'Instrument that it follows; `null` if none'),
    category: nullable(NewsCategoryName, 'News category that it follows; `null` if none'),
    events: z.array(z.enum(SIGNAL_HAPPENINGS)).meta({ description: 'What it tells of signals' }),
    mirror: z.boolean().meta({ description: 'Whether it is a mirror for a community' }),
    delay_seconds: integer('Delay of its messages, by the tier of the account'),
    deliver: z.array(DeliverEntry).meta({ description: 'Where its messages are delivered' }),
    created_at: timestamp('Time of creation'),
  })
  .meta({ id: 'Subscription', description: 'A subscription' });
export type Subscription = z.infer<typeof Subscription>;

export const CreatedSubscription = Subscription.extend({
  created_destinations: z
    .array(CreatedDestination)
    .meta({ description: 'Destinations that were created for `deliver`, with secrets that are shown only now' }),
}).meta({ id: 'CreatedSubscription', description: 'A subscription with the destinations that were created for it' });

export const SubscriptionList = z
  .object({ items: z.array(Subscription).meta({ description: 'Subscriptions, newest first' }), count: ItemCount })
  .meta({ id: 'SubscriptionList', description: 'Subscriptions of the account' });

/** The body of a webhook. */
export const WebhookMessage = z
  .object({
    type: text('`alert.fired`, `signal.published`, `signal.filled`, `signal.closed`, `news.published` or `test`'),
    timestamp: timestamp('Time of the event'),
    data: z
      .object({
        alert_id: text('Id of the alert or subscription'),
        symbol: nullable(SymbolCode, 'Instrument; `null` if the cause has none'),
        condition: AlertCondition,
        price: nullable(z.number(), 'Price or value that fired it; `null` if there is none'),
        seq: nullable(z.int(), 'Position of the event in the journal; `null` if it is not known'),
        title: text('What happened, in one line'),
        note: nullable(z.string(), 'Note of the alert'),
        late: z.boolean().meta({ description: 'Noticed more than 5 seconds after the event' }),
        firing_id: text('Id of the firing'),
        signal: z.unknown().optional().meta({ description: 'The signal as on `/ws/signals`, if one is the cause' }),
        news: z.unknown().optional().meta({ description: 'The item as on `/ws/news`, if one is the cause' }),
      })
      .meta({ description: 'What happened' }),
  })
  .meta({ id: 'WebhookMessage', description: 'The body of a webhook, signed by the rules of Standard Webhooks' });
export type WebhookMessage = z.infer<typeof WebhookMessage>;
