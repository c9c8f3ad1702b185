// Alerts, subscriptions, firings, destinations and the outbox of a realm.
import { table } from './table.ts';

export const ALERTS = table(
  'alerts',
  ['id'],
  {
    id: 'text',
    account: 'text',
    symbol: 'text?',
    condition: 'text',
    repeat: 'text',
    interval: 'text?',
    cooldown_ms: 'int',
    expires_at: 'int?',
    note: 'text?',
    deliver: 'text',
    created_at: 'int',
    since_seq: 'int',
    since_time: 'int',
    paused: 'int',
    done: 'int',
    fired: 'int',
    last_fired_at: 'int?',
    state: 'text?',
  },
  { indexes: { account: 'account' } },
);

export const SUBSCRIPTIONS = table(
  'subscriptions',
  ['id'],
  {
    id: 'text',
    account: 'text',
    publisher: 'text?',
    symbol: 'text?',
    category: 'text?',
    events: 'text',
    mirror: 'int',
    deliver: 'text',
    created_at: 'int',
    since_n: 'int',
  },
  { indexes: { account: 'account' } },
);

/** size: of what the firing says, in bytes. version: the row of `alert_versions` with the rest of it. */
export const FIRINGS = table(
  'firings',
  ['n'],
  {
    n: 'int',
    id: 'text UNIQUE',
    account: 'text',
    alert: 'text',
    cause: 'text',
    time: 'int',
    fired_at: 'int',
    seq: 'int?',
    price: 'float?',
    body: 'text',
    version: 'text',
    size: 'int',
  },
  {
    counted: true,
    more: ['UNIQUE (alert, cause)'],
    indexes: { account: 'account, n', alert: 'alert, n', fired: 'fired_at', version: 'version' },
  },
);

/** Condition and note of alerts when they fired, once for all firings with the same. */
export const ALERT_VERSIONS = table(
  'alert_versions',
  ['id'],
  { id: 'text', account: 'text', about: 'text' },
  { indexes: { account: 'account' } },
);

/** The stored firings of each account, their sizes, and how many were removed because there were too many. */
export const FIRING_TOTALS = table('firing_totals', ['account'], {
  account: 'text',
  firings: 'int',
  bytes: 'int',
  removed: 'int',
});

export const DESTINATIONS = table(
  'destinations',
  ['id'],
  {
    id: 'text',
    account: 'text',
    channel: 'text',
    name: 'text?',
    address: 'text',
    address_hash: 'text',
    sealed: 'text',
    state: 'text',
    code_hash: 'text?',
    code_expires_at: 'int?',
    wrong_codes: 'int',
    created_at: 'int',
  },
  { more: ['UNIQUE (account, address_hash)'] },
);

/**
 * One row per destination. wake_at: when a worker may lease it; while it is leased, the end of the lease; null if no message
 * waits. So a worker finds destinations that are due without reading messages.
 */
export const DESTINATION_QUEUES = table(
  'destination_queues',
  ['destination'],
  {
    destination: 'text',
    wake_at: 'int?',
    worker: 'text?',
    failures: 'int',
    failing_since: 'int?',
    last_delivered_at: 'int?',
    failure: 'text?',
  },
  {
    indexes: {
      wake: { on: 'wake_at', where: 'wake_at IS NOT NULL' },
      worker: { on: 'worker', where: 'worker IS NOT NULL' },
    },
  },
);

export const MESSAGES = table(
  'messages',
  ['n'],
  {
    n: 'int',
    id: 'text UNIQUE',
    account: 'text',
    destination: 'text',
    firing: 'text?',
    alert: 'text?',
    type: 'text',
    title: 'text',
    body: 'text',
    created_at: 'int',
    not_before: 'int',
    state: 'text',
    attempts: 'int',
    first_attempt_at: 'int?',
    next_at: 'int',
    delivered_at: 'int?',
    reason: 'text?',
  },
  {
    counted: true,
    indexes: {
      waiting: { on: 'destination, n', where: "state = 'waiting'" },
      delayed: { on: 'destination, next_at', where: "state = 'waiting' AND not_before > created_at" },
      dead: { on: 'account, n', where: "state = 'dead'" },
      account: 'account, n',
      created: 'created_at, account',
    },
  },
);

/** How accounts want their messages written. */
export const MESSAGE_PREFERENCES = table('message_preferences', ['account'], {
  account: 'text',
  time_zone: 'text',
  number_format: 'text',
});
