// Steps of the schema for rules version 2 of signals: more facts about each signal, its records, signing keys, and requests of
// the command line.

export const SIGNAL_RULES = `CREATE TABLE signals_2 (
     published_n INTEGER PRIMARY KEY REFERENCES signal_log (n),
     id TEXT NOT NULL UNIQUE,
     publisher TEXT NOT NULL,
     symbol TEXT NOT NULL,
     closed_n INTEGER UNIQUE REFERENCES signal_log (n),
     rules INTEGER NOT NULL,
     direction TEXT NOT NULL,
     order_kind TEXT NOT NULL,
     planned_risk REAL NOT NULL,
     planned_reward REAL NOT NULL,
     source TEXT NOT NULL,
     published_at INTEGER NOT NULL,
     quote_at INTEGER NOT NULL,
     filled_at INTEGER,
     filled_source TEXT,
     close_requested_at INTEGER,
     closed_at INTEGER,
     decided_at INTEGER,
     reason TEXT,
     pnl_r REAL,
     rank_r REAL,
     gap INTEGER,
     self_sourced INTEGER,
     withdrawn INTEGER,
     decided_source TEXT,
     exit_sources TEXT,
     -- A signal that was voided while it was active has the same record in closed_n.
     voided_n INTEGER UNIQUE REFERENCES signal_log (n),
     note TEXT,
     fill TEXT,
     idem_key TEXT,
     idem_hash BLOB,
     active INTEGER NOT NULL GENERATED ALWAYS AS (closed_n IS NULL) VIRTUAL,
     CHECK (active OR (
       closed_at + decided_at + pnl_r + rank_r + gap + self_sourced + withdrawn IS NOT NULL AND reason IS NOT NULL)),
     CHECK ((idem_key IS NULL) = (idem_hash IS NULL))
   ) STRICT;
   INSERT INTO signals_2 (published_n, id, publisher, symbol, closed_n, rules, direction, order_kind, planned_risk,
       planned_reward, source, published_at, quote_at, filled_at, filled_source, closed_at, decided_at, reason, pnl_r, rank_r,
       gap, self_sourced, withdrawn, decided_source, note, fill, idem_key, idem_hash)
     SELECT published_n, id, publisher, symbol, closed_n, 1, coalesce(p.text ->> '$.direction', 'buy'),
       coalesce(p.text ->> '$.order', 'market'), coalesce(abs((p.text ->> '$.entry') - (p.text ->> '$.stop_loss')), 0),
       coalesce(abs((p.text ->> '$.entry') - (p.text ->> '$.take_profit')), 0), coalesce(p.text ->> '$.quote.source', ''),
       published_at, quote_at, filled_at, fill ->> '$.evidence.source', closed_at, decided_at, reason, pnl_r, pnl_r,
       CASE WHEN closed_n IS NULL THEN NULL ELSE c.text ->> '$.gap_from' IS NOT NULL END,
       CASE WHEN closed_n IS NULL THEN NULL ELSE c.text ->> '$.self_sourced' IS NOT NULL END,
       CASE WHEN closed_n IS NULL THEN NULL
         ELSE reason = 'unfilled' AND (c.text ->> '$.closed_at') IS NOT (p.text ->> '$.entry_deadline') END,
       c.text ->> '$.decided.source', note, fill, idem_key, idem_hash
     FROM signals JOIN signal_log p ON p.n = published_n LEFT JOIN signal_log c ON c.n = closed_n;
   DROP TABLE signals;
   ALTER TABLE signals_2 RENAME TO signals;
   -- Each ends in published_n of itself, so that a page is read off the index.
   CREATE INDEX signals_active ON signals (active);
   CREATE INDEX signals_symbol ON signals (symbol, active);
   CREATE INDEX signals_publisher ON signals (publisher, active);
   CREATE INDEX signals_idempotency ON signals (publisher, idem_key) WHERE idem_key IS NOT NULL;
   -- The records about each signal. stream: the kind of message that announces it.
   CREATE TABLE signal_records (
     n INTEGER PRIMARY KEY REFERENCES signal_log (n),
     published_n INTEGER NOT NULL REFERENCES signals (published_n),
     symbol TEXT NOT NULL,
     stream TEXT
   ) STRICT;
   CREATE INDEX signal_records_signal ON signal_records (published_n);
   CREATE INDEX signal_records_symbol ON signal_records (symbol, stream);
   INSERT INTO signal_records
     SELECT published_n, published_n, symbol, 'published' FROM signals
     UNION ALL SELECT closed_n, published_n, symbol, 'closed' FROM signals WHERE closed_n IS NOT NULL;
   -- The signing key of each publisher that ever had one, and when its newest accepted request was signed.
   CREATE TABLE signal_keys (
     publisher TEXT PRIMARY KEY,
     public_key TEXT,
     n INTEGER NOT NULL REFERENCES signal_log (n),
     signed_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`;

export const LOG_REQUESTS = `-- What the command line asks the service to write to the signal log of a realm; the answer is JSON.
   CREATE TABLE log_requests (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     realm TEXT NOT NULL,
     request TEXT NOT NULL,
     at INTEGER NOT NULL,
     answer TEXT
   ) STRICT;
   CREATE INDEX log_requests_open ON log_requests (realm, id) WHERE answer IS NULL;`;
