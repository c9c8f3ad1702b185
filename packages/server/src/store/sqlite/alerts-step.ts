// Alerts, subscriptions, firings, destinations and the outbox; in a step of its own, how accounts want their messages written.
export const ALERTS = `
  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    symbol TEXT,
    condition TEXT NOT NULL,
    repeat TEXT NOT NULL,
    "interval" TEXT,
    cooldown_ms INTEGER NOT NULL,
    expires_at INTEGER,
    note TEXT,
    deliver TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    since_seq INTEGER NOT NULL,
    since_time INTEGER NOT NULL,
    paused INTEGER NOT NULL,
    done INTEGER NOT NULL,
    fired INTEGER NOT NULL,
    last_fired_at INTEGER,
    state TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX alerts_account ON alerts (account);
  CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    publisher TEXT,
    symbol TEXT,
    category TEXT,
    events TEXT NOT NULL,
    mirror INTEGER NOT NULL,
    deliver TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    since_n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subscriptions_account ON subscriptions (account);
  CREATE TABLE firings (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    alert TEXT NOT NULL,
    cause TEXT NOT NULL,
    time INTEGER NOT NULL,
    fired_at INTEGER NOT NULL,
    seq INTEGER,
    price REAL,
    body TEXT NOT NULL,
    UNIQUE (alert, cause)
  ) STRICT;
  CREATE INDEX firings_account ON firings (account, n);
  CREATE INDEX firings_alert ON firings (alert, n);
  CREATE INDEX firings_fired ON firings (fired_at);
  CREATE TABLE destinations (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    channel TEXT NOT NULL,
    name TEXT,
    address TEXT NOT NULL,
    address_hash TEXT NOT NULL,
    sealed TEXT NOT NULL,
    state TEXT NOT NULL,
    code_hash TEXT,
    code_expires_at INTEGER,
    wrong_codes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account, address_hash)
  ) STRICT, WITHOUT ROWID;
  -- One row per destination. wake_at: when a worker may lease it; while it is leased, the end of the lease; null if no message
  -- waits. So a worker finds destinations that are due without reading messages.
  CREATE TABLE destination_queues (
    destination TEXT PRIMARY KEY,
    wake_at INTEGER,
    worker TEXT,
    failures INTEGER NOT NULL,
    failing_since INTEGER,
    last_delivered_at INTEGER,
    failure TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX destination_queues_wake ON destination_queues (wake_at) WHERE wake_at IS NOT NULL;
  CREATE INDEX destination_queues_worker ON destination_queues (worker) WHERE worker IS NOT NULL;
  CREATE TABLE messages (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    destination TEXT NOT NULL,
    firing TEXT,
    alert TEXT,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    first_attempt_at INTEGER,
    next_at INTEGER NOT NULL,
    delivered_at INTEGER,
    reason TEXT
  ) STRICT;
  CREATE INDEX messages_waiting ON messages (destination, n) WHERE state = 'waiting';
  CREATE INDEX messages_delayed ON messages (destination, next_at) WHERE state = 'waiting' AND not_before > created_at;
  CREATE INDEX messages_dead ON messages (account, n) WHERE state = 'dead';
  CREATE INDEX messages_account ON messages (account, n);
  CREATE INDEX messages_created ON messages (created_at, account);
`;

export const MESSAGE_PREFERENCES = `
  CREATE TABLE message_preferences (
    account TEXT PRIMARY KEY,
    time_zone TEXT NOT NULL,
    number_format TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
