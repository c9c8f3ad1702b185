// Alerts, their firings, and subscriptions.
import { z } from 'zod';
import {
  choice,
  flag,
  InstrumentCode,
  ItemCount,
  integer,
  integerBetween,
  integerQuery,
  namedList,
  namedObject,
  nullable,
  oneOf,
  plainText,
  SymbolCode,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';
import { TimeframeCode } from '../market/schemas.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { NEWS_CATEGORIES, NewsCategoryName } from '../news/schemas.ts';
import { AlertCondition, SIGNAL_HAPPENINGS, signalHappenings } from './conditions.ts';
import { CreatedDestination, DELIVERY_CHANNELS, DeliverTo } from './destinations.ts';

const MAX_ALERT_NOTE = 500;
const MAX_DELIVER = 5;
const MAX_COOLDOWN_SECONDS = 604_800;

export const REPEATS = ['once', 'once_per_bar', 'every_time'] as const;
export type Repeat = (typeof REPEATS)[number];

const PLAIN_TEXT = plainText(MAX_ALERT_NOTE);

const note = z
  .string()
  .refine((given) => PLAIN_TEXT.test(given))
  .meta({
    description: 'Note in the message',
    allowed: `a text of up to ${MAX_ALERT_NOTE} characters without control characters other than line feeds and tabs`,
    maxLength: MAX_ALERT_NOTE,
  });

const CONDITION_ALLOWED = `an object with the type of a condition: ${AlertCondition.options.map(({ shape }) => shape.type.value).join(', ')}`;

const repeat = choice(
  REPEATS,
  'How often it fires: once, at most once per bar of `interval`, or each time after `cooldown_seconds`',
);

const cooldown = integerBetween(0, MAX_COOLDOWN_SECONDS, 'Seconds after a firing without another');

const expiry = z.iso.datetime({ offset: true }).nullable().meta({
  description: 'Time of expiry; `null` if never',
  allowed: 'an ISO 8601 time with its offset, or null',
});

const barInterval = choice(TIMEFRAMES, 'Bar of `once_per_bar`. Default: that of the condition, or one minute');

const deliverMeta = (count: string) => ({
  description: 'Where messages are delivered',
  allowed: `${count} to ${MAX_DELIVER} destinations, each with the id of one (destination) or a channel (webhook, discord, slack, email, in_app) and its address`,
});
const deliver = z.array(DeliverTo).max(MAX_DELIVER).meta(deliverMeta('up'));

export const AlertRequest = namedObject('AlertRequest', 'An alert to create', () => ({
  symbol: InstrumentCode.optional().meta({
    description:
      'Instrument code (case-insensitive). Conditions on headlines, signals and calendar events can leave it out',
  }),
  condition: AlertCondition.meta({ allowed: CONDITION_ALLOWED }),
  repeat: repeat.default('once'),
  interval: barInterval.optional(),
  cooldown_seconds: cooldown.default(0),
  expires_at: expiry.default(null),
  deliver: deliver.default([]),
  note: note.optional(),
}));
export type AlertRequest = z.infer<typeof AlertRequest>;

export const AlertChange = namedObject('AlertChange', 'Fields of an alert to change; the others stay', () => ({
  condition: AlertCondition.optional().meta({
    description: 'New condition. A level beyond the price does not fire until crossed',
    allowed: CONDITION_ALLOWED,
  }),
  repeat: repeat.optional(),
  interval: barInterval
    .nullable()
    .optional()
    .meta({ description: 'Bar of `once_per_bar`', allowed: `${oneOf(TIMEFRAMES)}, or null` }),
  cooldown_seconds: cooldown.optional(),
  expires_at: expiry.optional(),
  deliver: deliver.optional(),
  note: note.nullable().optional(),
}));
export type AlertChange = z.infer<typeof AlertChange>;

export const ALERT_STATES = ['active', 'paused', 'done', 'expired'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Reasons why an active alert cannot fire. */
const NOT_CHECKED_REASONS = ['instrument_not_configured'] as const;
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number];

const DeliverEntry = namedObject('DeliverEntry', 'Where an alert is delivered', () => ({
  channel: z.enum(DELIVERY_CHANNELS).meta({ description: 'Channel' }),
  destination: nullable(z.string(), 'Id of the destination'),
  address: text('Address, without its secret parts'),
}));
export type DeliverEntry = z.infer<typeof DeliverEntry>;

export const Alert = namedObject('Alert', 'An alert', () => ({
  id: text('Id'),
  symbol: nullable(SymbolCode, 'Instrument code in upper case'),
  condition: AlertCondition,
  repeat: z.enum(REPEATS).meta({
    description: 'How often it fires: once, at most once per bar of `interval`, or each time after `cooldown_seconds`',
  }),
  interval: nullable(TimeframeCode, 'Bar of `once_per_bar`'),
  cooldown_seconds: integer('Seconds after a firing without another'),
  expires_at: nullable(Timestamp, 'Time of expiry; `null` if never'),
  deliver: z.array(DeliverEntry).meta({ description: 'Where messages are delivered' }),
  note: nullable(z.string(), 'Note in the message'),
  state: z.enum(ALERT_STATES).meta({ description: '`done`: it fired once. `expired`: its time is over' }),
  not_checked: nullable(
    z.enum(NOT_CHECKED_REASONS),
    'Why an active alert is not checked: the service no longer has the instrument',
  ),
  created_at: timestamp('Time of creation'),
  fired: integer('Number of firings'),
  last_fired_at: nullable(Timestamp, 'Market time of the last firing'),
}));
export type Alert = z.infer<typeof Alert>;

const created = {
  created_destinations: z
    .array(CreatedDestination)
    .meta({ description: 'Destinations created for `deliver`, with secrets that are shown only now' }),
};

export const CreatedAlert = Alert.extend(created).meta({
  id: 'CreatedAlert',
  description: 'An alert with its new destinations',
});
export type CreatedAlert = z.infer<typeof CreatedAlert>;

export const AlertsQuery = z.object({
  symbol: z.string().optional().meta({ description: 'Instrument code', allowed: 'an instrument code' }),
  state: choice(ALERT_STATES, 'State').optional(),
});
export type AlertsQuery = z.infer<typeof AlertsQuery>;

export const AlertList = namedList('AlertList', 'Alerts of the account', Alert, 'Alerts, newest first');
export type AlertList = z.infer<typeof AlertList>;

export const AlertFiring = namedObject('AlertFiring', 'An alert fired', () => ({
  id: text('Id, the same in every delivery and on `/ws/alerts`'),
  alert_id: text('Id of the alert or subscription'),
  symbol: nullable(SymbolCode, 'Instrument code in upper case'),
  condition: AlertCondition,
  title: text('What happened, in one line'),
  note: nullable(z.string(), 'Note in the message'),
  time: timestamp('Time of the event, or start of the bar or interval'),
  fired_at: timestamp('When the service noticed'),
  late: z.boolean().meta({ description: 'Noticed more than 5 seconds after the event' }),
  price: nullable(z.number(), 'Price or value that fired it'),
  seq: nullable(z.int(), 'Sequence number of the event'),
}));
export type AlertFiring = z.infer<typeof AlertFiring>;

export const FiringsQuery = z.object({
  alert: z.string().optional().meta({ description: 'Id of an alert', allowed: 'the id of an alert' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Id of the last item of the previous page', allowed: 'the id of a firing' }),
  limit: integerQuery('Maximum number of items', 1, 200, 50),
});
export type FiringsQuery = z.infer<typeof FiringsQuery>;

export const FiringList = namedObject('FiringList', 'A page of the firings of the account', () => ({
  items: z.array(AlertFiring).meta({ description: 'Firings, newest first' }),
  count: ItemCount,
  removed: integer('Oldest firings removed: the tier stores no more'),
}));
export type FiringList = z.infer<typeof FiringList>;

export const AlertTest = namedObject('AlertTest', 'Test messages that were written', () => ({
  deliveries: z.array(z.string()).meta({ description: 'Ids of the test messages in the delivery log' }),
}));
export type AlertTest = z.infer<typeof AlertTest>;

/** What a subscription follows: exactly one of publisher, symbol and category. */
export const SubscriptionRequest = namedObject(
  'SubscriptionRequest',
  'A subscription to create; exactly one of publisher, symbol and category',
  () => ({
    publisher: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Name or id of a publisher: its signals', allowed: 'the name or id of a publisher' }),
    symbol: InstrumentCode.optional().meta({ description: 'An instrument: its signals and headlines' }),
    category: choice(NEWS_CATEGORIES, 'A news category: its headlines').optional(),
    events: signalHappenings('Events of signals'),
    mirror: flag('Mirror for a community: all `events`').default(false),
    deliver: deliver.min(1).meta(deliverMeta('1')),
  }),
);
export type SubscriptionRequest = z.infer<typeof SubscriptionRequest>;

export const Subscription = namedObject('Subscription', 'A subscription', () => ({
  id: text('Id'),
  publisher: nullable(z.object({ id: text('Id'), name: text('Name') }), 'Publisher that it follows'),
  symbol: nullable(SymbolCode, 'Instrument code in upper case'),
  category: nullable(NewsCategoryName, 'News category that it follows'),
  events: z.array(z.enum(SIGNAL_HAPPENINGS)).meta({ description: 'Events of signals' }),
  mirror: z.boolean().meta({ description: 'Whether it is a mirror for a community' }),
  delay_seconds: integer('Delay of its messages, by the tier of the account'),
  deliver: z.array(DeliverEntry).meta({ description: 'Where messages are delivered' }),
  created_at: timestamp('Time of creation'),
}));
export type Subscription = z.infer<typeof Subscription>;

export const CreatedSubscription = Subscription.extend(created).meta({
  id: 'CreatedSubscription',
  description: 'A subscription with its new destinations',
});
export type CreatedSubscription = z.infer<typeof CreatedSubscription>;

export const SubscriptionList = namedList(
  'SubscriptionList',
  'Subscriptions of the account',
  Subscription,
  'Subscriptions, newest first',
);
export type SubscriptionList = z.infer<typeof SubscriptionList>;

/** The body of a webhook. */
export const WebhookMessage = namedObject(
  'WebhookMessage',
  'The body of a webhook, signed by the rules of Standard Webhooks',
  () => ({
    type: text('`alert.fired`, `signal.published`, `signal.filled`, `signal.closed`, `news.published` or `test`'),
    timestamp: timestamp('Time of the event, or start of the bar or interval'),
    data: z
      .object({
        alert_id: text('Id of the alert or subscription'),
        symbol: nullable(SymbolCode, 'Instrument code in upper case'),
        condition: AlertCondition,
        price: nullable(z.number(), 'Price or value that fired it'),
        seq: nullable(z.int(), 'Sequence number of the event'),
        title: text('What happened, in one line'),
        note: nullable(z.string(), 'Note in the message'),
        late: z.boolean().meta({ description: 'Noticed more than 5 seconds after the event' }),
        firing_id: text('Id of the firing'),
        signal: z.unknown().optional().meta({ description: 'The signal as on `/ws/signals`, if one is the cause' }),
        news: z.unknown().optional().meta({ description: 'The item as on `/ws/news`, if one is the cause' }),
      })
      .meta({ description: 'What happened' }),
  }),
);
export type WebhookMessage = z.infer<typeof WebhookMessage>;
