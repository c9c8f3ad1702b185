// The tables of an export with their columns, ordered so that referenced rows come first, and the two ends of a move.
// Both databases have these tables; anything only one of them has (generated columns, bookkeeping) is left out.

export type ColumnKind = 'int' | 'float' | 'text' | 'bytes';

/** The accounts, or a realm. The realm `replay` is not exported, because it is emptied at each start. */
export const PARTS = ['access', 'sim', 'live'] as const;
export type ArchivePart = (typeof PARTS)[number];

export interface ArchiveTable {
  readonly part: ArchivePart;
  readonly name: string;
  /** Export order of the rows, so that equal stores give equal exports. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Its key is assigned by the database, which must continue behind the last one. */
  readonly counted: boolean;
}

/** `key`: column names; `columns`: names with their kinds, in the order they are exported. */
function table(name: string, key: string, columns: string, counted = false): Omit<ArchiveTable, 'part'> {
  const kinds = columns.split(', ').map((column) => column.split(' ') as [string, ColumnKind]);
  return { name, key: key.split(' '), columns: Object.fromEntries(kinds), counted };
}

const ACCESS_TABLES = [
  table(
    'accounts',
    'id',
    'id int, public_id text, name text, tier text, created_at int, owner int, password text, disabled_at int, deleted_at int, house int',
    true,
  ),
  table('names', 'name', 'name text, account_id int, given_at int'),
  table('name_skeletons', 'skeleton', 'skeleton text, account_id int'),
  table(
    'keys',
    'id',
    'id text, account_id int, name text, hash bytes, scopes text, created_at int, expires_at int, revoked_at int, last_used_at int, demo int, path text',
  ),
  table('usage', 'account_id', 'account_id int, requests bytes, ai_day int, ai_calls int, key_day int, key_count int'),
  table('audit', 'id', 'id int, at int, actor text, act text, subject text, account text, address text', true),
  table('answers', 'account_id key', 'account_id int, key text, body_hash bytes, answer text, at int'),
  table(
    'sessions',
    'id',
    'id text, account_id int, hash bytes, created_at int, seen_at int, browser text, address text',
  ),
  table('two_factor', 'account_id', 'account_id int, secret text, created_at int, confirmed_at int, last_step int'),
  table('recovery_codes', 'account_id hash', 'account_id int, hash bytes, used_at int'),
  table(
    'invitations',
    'id',
    'id text, hash bytes, tier text, owner int, created_at int, expires_at int, used_at int, revoked_at int, account_id int',
  ),
  table(
    'documents',
    'account_id kind name',
    'account_id int, kind text, name text, revision int, updated_at int, bytes int, value text',
  ),
  table(
    'usage_history',
    'account_id step start key_id',
    'account_id int, step int, start int, key_id text, requests int, errors int, ai_calls int, stream_seconds int',
  ),
];

const REALM_TABLES = [
  table(
    'bars',
    'symbol timeframe time',
    'symbol text, timeframe text, time int, open float, high float, low float, close float, volume float, bid_volume float, ask_volume float, basis text',
  ),
  table('histograms', 'symbol time', 'symbol text, time int, bytes bytes'),
  table('last_prices', 'symbol', 'symbol text, quote text, trade text'),
  table('watched', 'symbol from', 'symbol text, from int, to int'),
  table('numbers', 'name', 'name text, value float'),
  table('imported_days', 'day', 'day text'),
  table('signal_log', 'n', 'n int, hash text, text text'),
  table(
    'signals',
    'published_n',
    'published_n int, id text, publisher text, symbol text, closed_n int, rules int, direction text, order_kind text, planned_risk float, planned_reward float, source text, published_at int, quote_at int, filled_at int, filled_source text, close_requested_at int, closed_at int, decided_at int, reason text, pnl_r float, rank_r float, gap int, self_sourced int, withdrawn int, decided_source text, exit_sources text, voided_n int, note text, fill text, idem_key text, idem_hash bytes',
  ),
  table('signal_records', 'n', 'n int, published_n int, symbol text, stream text'),
  table('signal_keys', 'publisher', 'publisher text, public_key text, n int, signed_at int'),
  table('signal_gaps', 'seq symbol', 'seq int, symbol text, from int, to int'),
  table('signal_days', 'day symbol', 'day text, symbol text, sealed int'),
  table('signal_heads', 'n', 'n int, hash text, at int, signature text'),
  table('signal_head_tokens', 'n authority', 'n int, authority text, at int, token text'),
  table('news', 'id', 'id text, published_at int, seen_at int, guid text, item text'),
  table(
    'news_listed',
    'symbol category published_at id',
    'symbol text, category text, published_at int, id text, source text, sentiment text, score float',
  ),
  table(
    'news_moves',
    'id horizon',
    'id text, horizon int, seen_at int, model text, category text, sentiment text, symbol text, percent float',
  ),
  table('calendar', 'id', 'id text, time int, updated_at int, item text'),
  table('calendar_revisions', 'id revision', 'id text, revision int, impact text, known_at int, item text'),
  table(
    'alerts',
    'id',
    'id text, account text, symbol text, condition text, repeat text, interval text, cooldown_ms int, expires_at int, note text, deliver text, created_at int, since_seq int, since_time int, paused int, done int, fired int, last_fired_at int, state text',
  ),
  table(
    'subscriptions',
    'id',
    'id text, account text, publisher text, symbol text, category text, events text, mirror int, deliver text, created_at int, since_n int',
  ),
  table(
    'firings',
    'n',
    'n int, id text, account text, alert text, cause text, time int, fired_at int, seq int, price float, body text',
    true,
  ),
  table(
    'destinations',
    'id',
    'id text, account text, channel text, name text, address text, address_hash text, sealed text, state text, code_hash text, code_expires_at int, wrong_codes int, created_at int',
  ),
  table(
    'destination_queues',
    'destination',
    'destination text, wake_at int, worker text, failures int, failing_since int, last_delivered_at int, failure text',
  ),
  table(
    'messages',
    'n',
    'n int, id text, account text, destination text, firing text, alert text, type text, title text, body text, created_at int, not_before int, state text, attempts int, first_attempt_at int, next_at int, delivered_at int, reason text',
    true,
  ),
  table('message_preferences', 'account', 'account text, time_zone text, number_format text'),
  table(
    'tape',
    'minute symbol first_seq',
    'minute int, symbol text, first_seq int, count int, bid_volume float, ask_volume float, bytes bytes',
  ),
];

export const TABLES: readonly ArchiveTable[] = PARTS.flatMap((part) =>
  (part === 'access' ? ACCESS_TABLES : REALM_TABLES).map((each) => ({ ...each, part })),
);

export const tablesOf = (part: ArchivePart): readonly ArchiveTable[] => TABLES.filter((each) => each.part === part);

/** The name of a table in an export, such as `sim.bars`. */
export const tableName = ({ part, name }: ArchiveTable): string => `${part}.${name}`;

export const columnList = ({ columns }: ArchiveTable): string =>
  Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
export const keyList = ({ key }: ArchiveTable): string => key.map((name) => `"${name}"`).join(', ');

export type ArchiveCell = string | number | Uint8Array | null;
export type ArchiveRow = readonly ArchiveCell[];

export interface ArchiveSource {
  /** Where the store is, without secrets. */
  readonly name: string;
  readonly parts: readonly ArchivePart[];
  count(table: ArchiveTable): Promise<number>;
  /** Columns in the order of the table, rows in the order of its key, in batches. */
  rows(table: ArchiveTable): AsyncIterable<readonly ArchiveRow[]>;
}

export interface ArchiveTarget {
  readonly name: string;
  put(table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void>;
  count(table: ArchiveTable): Promise<number>;
}
