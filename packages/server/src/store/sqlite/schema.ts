// The schemas of the three kinds of file. A released step never changes: a new step is added behind it.
import { ACCESS_LIMITS } from './access-limits-step.ts';
import { ALERTS, MESSAGE_PREFERENCES } from './alerts-step.ts';
import type { Schema } from './migrate.ts';
import { LOG_REQUESTS, SIGNAL_RULES } from './signal-rules-step.ts';

/** tickwire.db: accounts, keys and usage; shared by all realms. */
export const ACCESS_SCHEMA: Schema = [
  `CREATE TABLE accounts (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL,
     tier TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;
   -- Every display name ever given, in lower case: a name never passes to another account.
   CREATE TABLE names (
     name TEXT PRIMARY KEY,
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     given_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     name TEXT NOT NULL,
     hash BLOB NOT NULL,
     scopes TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE usage (
     account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
     requests BLOB NOT NULL,
     ai_day INTEGER NOT NULL,
     ai_calls INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE audit (
     id INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     actor TEXT NOT NULL,
     act TEXT NOT NULL,
     subject TEXT NOT NULL
   ) STRICT;
   -- Answers to requests with an idempotency key, for 24 hours.
   CREATE TABLE answers (
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     key TEXT NOT NULL,
     body_hash BLOB NOT NULL,
     answer TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (account_id, key)
   ) STRICT, WITHOUT ROWID;`,
  `-- Who published a signal, in a log that anyone may read: the number of an account would tell how many there are.
   ALTER TABLE accounts ADD COLUMN public_id TEXT;
   UPDATE accounts SET public_id = 'pub_' || lower(hex(randomblob(8)));
   CREATE UNIQUE INDEX accounts_public_id ON accounts (public_id);`,
  `-- People sign in to an account that has a password. One of them owns the service.
   ALTER TABLE accounts ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE accounts ADD COLUMN password TEXT;
   ALTER TABLE accounts ADD COLUMN disabled_at INTEGER;
   ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;
   CREATE UNIQUE INDEX accounts_owner ON accounts (owner) WHERE owner = 1;
   CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     hash BLOB NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     seen_at INTEGER NOT NULL,
     browser TEXT NOT NULL,
     address TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   -- Links that make one account: an invitation, or the setup link, which makes the owner.
   CREATE TABLE invitations (
     id TEXT PRIMARY KEY,
     hash BLOB NOT NULL UNIQUE,
     tier TEXT NOT NULL,
     owner INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     used_at INTEGER,
     revoked_at INTEGER,
     account_id INTEGER REFERENCES accounts (id)
   ) STRICT, WITHOUT ROWID;
   -- What was used, in stretches of a minute and of an hour; key '' stands for signed-in sessions.
   CREATE TABLE usage_history (
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     step INTEGER NOT NULL,
     start INTEGER NOT NULL,
     key_id TEXT NOT NULL,
     requests INTEGER NOT NULL,
     errors INTEGER NOT NULL,
     ai_calls INTEGER NOT NULL,
     stream_seconds INTEGER NOT NULL,
     PRIMARY KEY (account_id, step, start, key_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX usage_history_start ON usage_history (step, start);`,
  ACCESS_LIMITS,
  `-- The account that an audit entry is about (its public id), and the address that a request came from.
   ALTER TABLE audit ADD COLUMN account TEXT;
   ALTER TABLE audit ADD COLUMN address TEXT;
   UPDATE audit SET account = actor WHERE actor GLOB 'pub_*';
   CREATE INDEX audit_at ON audit (at);
   CREATE INDEX audit_account ON audit (account);
   CREATE INDEX audit_act ON audit (act);
   -- The key of the first start. It passes to the owner once there is one.
   ALTER TABLE keys ADD COLUMN demo INTEGER NOT NULL DEFAULT 0;
   UPDATE keys SET demo = 1 WHERE id IN (
     SELECT substr(subject, 1, instr(subject, ' ') - 1) FROM audit WHERE actor = 'first start' AND act = 'key created');
   -- Two-factor sign-in. Active once confirmed. last_step is the newest time step of which a code was accepted.
   CREATE TABLE two_factor (
     account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
     secret TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     confirmed_at INTEGER,
     last_step INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE recovery_codes (
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     hash BLOB NOT NULL,
     used_at INTEGER,
     PRIMARY KEY (account_id, hash)
   ) STRICT, WITHOUT ROWID;`,
  LOG_REQUESTS,
  `-- What pages store for an account: a JSON object under a kind and a name. bytes: size of the value.
   CREATE TABLE documents (
     account_id INTEGER NOT NULL REFERENCES accounts (id),
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     revision INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (account_id, kind, name)
   ) STRICT;`,
  `-- A key with a path is a data link: it reads only that path, and only as a part of an address.
   ALTER TABLE keys ADD COLUMN path TEXT;`,
];

/** <realm>/market.db: closed bars, volume at price, last prices, the signal log, news and the economic calendar. */
export const MARKET_SCHEMA: Schema = [
  `CREATE TABLE bars (
     symbol TEXT NOT NULL,
     timeframe TEXT NOT NULL,
     time INTEGER NOT NULL,
     open REAL NOT NULL,
     high REAL NOT NULL,
     low REAL NOT NULL,
     close REAL NOT NULL,
     volume REAL NOT NULL,
     bid_volume REAL NOT NULL,
     ask_volume REAL NOT NULL,
     basis TEXT NOT NULL,
     PRIMARY KEY (symbol, timeframe, time)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE last_prices (
     symbol TEXT PRIMARY KEY,
     quote TEXT,
     trade TEXT
   ) STRICT, WITHOUT ROWID;
   -- When the source of a symbol was connected: tells a quiet market from a lost one.
   CREATE TABLE watched (
     symbol TEXT NOT NULL,
     "from" INTEGER NOT NULL,
     "to" INTEGER NOT NULL,
     PRIMARY KEY (symbol, "from")
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE numbers (
     name TEXT PRIMARY KEY,
     value REAL NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  `-- Days of the tape that were imported: they are kept however old they are.
   CREATE TABLE imported_days (
     day TEXT PRIMARY KEY
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE signal_log (
     n INTEGER PRIMARY KEY,
     hash TEXT NOT NULL,
     text TEXT NOT NULL
   ) STRICT;
   -- Keyed by the record that published it: that is the order signals are read in.
   CREATE TABLE signals (
     published_n INTEGER PRIMARY KEY REFERENCES signal_log (n),
     id TEXT NOT NULL UNIQUE,
     publisher TEXT NOT NULL,
     symbol TEXT NOT NULL,
     closed_n INTEGER UNIQUE REFERENCES signal_log (n),
     published_at INTEGER NOT NULL,
     quote_at INTEGER NOT NULL,
     filled_at INTEGER,
     closed_at INTEGER,
     decided_at INTEGER,
     reason TEXT,
     pnl_r REAL,
     ranked INTEGER,
     note TEXT,
     fill TEXT,
     idem_key TEXT,
     idem_hash BLOB,
     active INTEGER NOT NULL GENERATED ALWAYS AS (closed_n IS NULL) VIRTUAL,
     CHECK (active OR (closed_at + decided_at + pnl_r + ranked IS NOT NULL AND reason IS NOT NULL)),
     CHECK ((idem_key IS NULL) = (idem_hash IS NULL))
   ) STRICT;
   -- Each ends in published_n of itself, so that a page is read off the index.
   CREATE INDEX signals_active ON signals (active);
   CREATE INDEX signals_symbol ON signals (symbol, active);
   CREATE INDEX signals_publisher ON signals (publisher, active);
   CREATE INDEX signals_idempotency ON signals (publisher, idem_key) WHERE idem_key IS NOT NULL;
   CREATE TABLE signal_gaps (
     seq INTEGER NOT NULL,
     symbol TEXT NOT NULL,
     "from" INTEGER NOT NULL,
     "to" INTEGER NOT NULL,
     PRIMARY KEY (seq, symbol)
   ) STRICT, WITHOUT ROWID;
   -- Days of tape that closed signals were judged by, and the record that sealed them (0: none yet: the log begins with
   -- another record). Those of active ones follow from quote_at.
   CREATE TABLE signal_days (
     day TEXT NOT NULL,
     symbol TEXT NOT NULL,
     sealed INTEGER NOT NULL,
     PRIMARY KEY (day, symbol)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX signal_days_unsealed ON signal_days (day, symbol) WHERE sealed = 0;`,
  `CREATE TABLE news (
     id TEXT PRIMARY KEY,
     published_at INTEGER NOT NULL,
     seen_at INTEGER NOT NULL,
     guid TEXT,
     item TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX news_published ON news (published_at, seen_at);
   CREATE INDEX news_seen ON news (seen_at);
   -- What the market did after an item, with the label it had. They outlive the items; percent is null where the market
   -- gave no price.
   CREATE TABLE news_moves (
     id TEXT NOT NULL,
     horizon INTEGER NOT NULL,
     seen_at INTEGER NOT NULL,
     model TEXT NOT NULL,
     category TEXT NOT NULL,
     sentiment TEXT NOT NULL,
     symbol TEXT,
     percent REAL,
     PRIMARY KEY (id, horizon)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX news_moves_measured ON news_moves (category, horizon, model, sentiment, percent)
     WHERE percent IS NOT NULL;
   CREATE INDEX news_moves_since ON news_moves (seen_at) WHERE percent IS NOT NULL;`,
  `-- The last closing of an instrument before any other, however rare the instrument is.
   CREATE INDEX signals_closings ON signals (symbol, closed_n) WHERE closed_n IS NOT NULL;`,
  `-- Each item under every instrument that it mentions, and under '' for all: a page of any of them is read in its order.
   CREATE TABLE news_listed (
     symbol TEXT NOT NULL,
     category TEXT NOT NULL,
     published_at INTEGER NOT NULL,
     id TEXT NOT NULL,
     source TEXT NOT NULL,
     sentiment TEXT NOT NULL,
     score REAL NOT NULL,
     PRIMARY KEY (symbol, category, published_at, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX news_listed_id ON news_listed (id);
   INSERT INTO news_listed
     SELECT '', item ->> 'category', published_at, id, item ->> 'source', item ->> 'sentiment', item ->> 'sentiment_score'
     FROM news;
   INSERT OR IGNORE INTO news_listed
     SELECT mentioned.value, item ->> 'category', published_at, news.id, item ->> 'source', item ->> 'sentiment',
       item ->> 'sentiment_score'
     FROM news, json_each(item, '$.symbols') AS mentioned;
   DROP INDEX news_published;
   CREATE INDEX news_published ON news (published_at, id);`,
  `-- Signed heads that are kept, and their RFC 3161 time stamps (base64).
   CREATE TABLE signal_heads (
     n INTEGER PRIMARY KEY,
     hash TEXT NOT NULL,
     at INTEGER NOT NULL,
     signature TEXT NOT NULL
   ) STRICT;
   CREATE TABLE signal_head_tokens (
     n INTEGER NOT NULL REFERENCES signal_heads (n),
     authority TEXT NOT NULL,
     at INTEGER NOT NULL,
     token TEXT NOT NULL,
     PRIMARY KEY (n, authority)
   ) STRICT;`,
  SIGNAL_RULES,
  `-- Volume at price of each minute that had trades: see histogram-codec.ts. It outlives the tape.
   CREATE TABLE histograms (
     symbol TEXT NOT NULL,
     time INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (symbol, time)
   ) STRICT, WITHOUT ROWID;`,
  `-- The economic calendar: the current state of each event, and all its revisions.
   CREATE TABLE calendar (
     id TEXT PRIMARY KEY,
     time INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     item TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX calendar_time ON calendar (time, id);
   CREATE INDEX calendar_updated ON calendar (updated_at, id);
   CREATE TABLE calendar_revisions (
     id TEXT NOT NULL,
     revision INTEGER NOT NULL,
     impact TEXT NOT NULL,
     known_at INTEGER NOT NULL,
     item TEXT NOT NULL,
     PRIMARY KEY (id, revision)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX calendar_revisions_impact ON calendar_revisions (impact, id);`,
  ALERTS,
  MESSAGE_PREFERENCES,
];

/** <realm>/tape/<day>.db: the ticks of one UTC day. */
export const TAPE_SCHEMA: Schema = [
  `CREATE TABLE blocks (
     minute INTEGER NOT NULL,
     symbol TEXT NOT NULL,
     first_seq INTEGER NOT NULL,
     count INTEGER NOT NULL,
     bid_volume REAL NOT NULL,
     ask_volume REAL NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (minute, symbol, first_seq)
   ) STRICT, WITHOUT ROWID;`,
];
