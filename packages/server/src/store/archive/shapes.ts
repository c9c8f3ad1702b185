// What an export holds: every table of a store with its columns, in an order in which rows that others refer to come first.
// Both databases have these tables; what only one of them has (generated columns, its own bookkeeping) is not in them.

export type Kind = 'int' | 'float' | 'text' | 'bytes';

export interface TableShape {
  readonly name: string;
  /** Rows are exported in this order, so that two exports of the same rows are the same. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Kind>>;
  /** Its numbers are given out by the database, which must go on behind the last one. */
  readonly counted?: boolean;
}

export const ACCESS_TABLES: readonly TableShape[] = [
  {
    name: 'accounts',
    key: ['id'],
    counted: true,
    columns: {
      id: 'int',
      public_id: 'text',
      name: 'text',
      tier: 'text',
      created_at: 'int',
      owner: 'int',
      password: 'text',
      disabled_at: 'int',
      deleted_at: 'int',
    },
  },
  { name: 'names', key: ['name'], columns: { name: 'text', account_id: 'int', given_at: 'int' } },
  {
    name: 'keys',
    key: ['id'],
    columns: {
      id: 'text',
      account_id: 'int',
      name: 'text',
      hash: 'bytes',
      scopes: 'text',
      created_at: 'int',
      expires_at: 'int',
      revoked_at: 'int',
      last_used_at: 'int',
    },
  },
  {
    name: 'usage',
    key: ['account_id'],
    columns: { account_id: 'int', requests: 'bytes', ai_day: 'int', ai_calls: 'int' },
  },
  {
    name: 'audit',
    key: ['id'],
    counted: true,
    columns: { id: 'int', at: 'int', actor: 'text', act: 'text', subject: 'text' },
  },
  {
    name: 'answers',
    key: ['account_id', 'key'],
    columns: { account_id: 'int', key: 'text', body_hash: 'bytes', answer: 'text', at: 'int' },
  },
  {
    name: 'sessions',
    key: ['id'],
    columns: {
      id: 'text',
      account_id: 'int',
      hash: 'bytes',
      created_at: 'int',
      seen_at: 'int',
      browser: 'text',
      address: 'text',
    },
  },
  {
    name: 'invitations',
    key: ['id'],
    columns: {
      id: 'text',
      hash: 'bytes',
      tier: 'text',
      owner: 'int',
      created_at: 'int',
      expires_at: 'int',
      used_at: 'int',
      revoked_at: 'int',
      account_id: 'int',
    },
  },
  {
    name: 'usage_history',
    key: ['account_id', 'step', 'start', 'key_id'],
    columns: {
      account_id: 'int',
      step: 'int',
      start: 'int',
      key_id: 'text',
      requests: 'int',
      errors: 'int',
      ai_calls: 'int',
      stream_seconds: 'int',
    },
  },
];

export const TAPE: TableShape = {
  name: 'tape',
  key: ['minute', 'symbol', 'first_seq'],
  columns: {
    minute: 'int',
    symbol: 'text',
    first_seq: 'int',
    count: 'int',
    bid_volume: 'float',
    ask_volume: 'float',
    bytes: 'bytes',
  },
};

export const REALM_TABLES: readonly TableShape[] = [
  {
    name: 'bars',
    key: ['symbol', 'timeframe', 'time'],
    columns: {
      symbol: 'text',
      timeframe: 'text',
      time: 'int',
      open: 'float',
      high: 'float',
      low: 'float',
      close: 'float',
      volume: 'float',
      bid_volume: 'float',
      ask_volume: 'float',
      basis: 'text',
    },
  },
  { name: 'last_prices', key: ['symbol'], columns: { symbol: 'text', quote: 'text', trade: 'text' } },
  { name: 'watched', key: ['symbol', 'from'], columns: { symbol: 'text', from: 'int', to: 'int' } },
  { name: 'numbers', key: ['name'], columns: { name: 'text', value: 'float' } },
  { name: 'imported_days', key: ['day'], columns: { day: 'text' } },
  { name: 'signal_log', key: ['n'], columns: { n: 'int', hash: 'text', text: 'text' } },
  {
    name: 'signals',
    key: ['published_n'],
    columns: {
      published_n: 'int',
      id: 'text',
      publisher: 'text',
      symbol: 'text',
      closed_n: 'int',
      published_at: 'int',
      quote_at: 'int',
      filled_at: 'int',
      closed_at: 'int',
      decided_at: 'int',
      reason: 'text',
      pnl_r: 'float',
      ranked: 'int',
      note: 'text',
      fill: 'text',
      idem_key: 'text',
      idem_hash: 'bytes',
    },
  },
  { name: 'signal_gaps', key: ['seq', 'symbol'], columns: { seq: 'int', symbol: 'text', from: 'int', to: 'int' } },
  { name: 'signal_days', key: ['day', 'symbol'], columns: { day: 'text', symbol: 'text', sealed: 'int' } },
  {
    name: 'news',
    key: ['id'],
    columns: { id: 'text', published_at: 'int', seen_at: 'int', guid: 'text', item: 'text' },
  },
  {
    name: 'news_listed',
    key: ['symbol', 'category', 'published_at', 'id'],
    columns: {
      symbol: 'text',
      category: 'text',
      published_at: 'int',
      id: 'text',
      source: 'text',
      sentiment: 'text',
      score: 'float',
    },
  },
  {
    name: 'news_moves',
    key: ['id', 'horizon'],
    columns: {
      id: 'text',
      horizon: 'int',
      seen_at: 'int',
      model: 'text',
      category: 'text',
      sentiment: 'text',
      symbol: 'text',
      percent: 'float',
    },
  },
  TAPE,
];

/** The accounts, or the name of a realm. A replay is not exported: it is emptied at each start. */
export const PARTS = ['access', 'sim', 'live'] as const;
export type Part = (typeof PARTS)[number];

export const tablesOf = (part: Part): readonly TableShape[] => (part === 'access' ? ACCESS_TABLES : REALM_TABLES);

/** `sim.bars`: how an export names a table. */
export const tableName = (part: Part, { name }: TableShape): string => `${part}.${name}`;

export const columnList = ({ columns }: TableShape): string =>
  Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
export const keyList = ({ key }: TableShape): string => key.map((name) => `"${name}"`).join(', ');
