// Prices, news and the economic calendar of a realm.
import { table } from './table.ts';

export const BARS = table(
  'bars',
  ['symbol', 'timeframe', 'time'],
  {
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
  { partitioned: 'time' },
);

/** Volume at price of each minute that had trades: see histogram-codec.ts. It outlives the tape. */
export const HISTOGRAMS = table(
  'histograms',
  ['symbol', 'time'],
  { symbol: 'text', time: 'int', bytes: 'bytes' },
  { partitioned: 'time' },
);

export const LAST_PRICES = table('last_prices', ['symbol'], { symbol: 'text', quote: 'text?', trade: 'text?' });

/** When the source of a symbol was connected: tells a quiet market from a lost one. */
export const WATCHED = table('watched', ['symbol', 'from'], { symbol: 'text', from: 'int', to: 'int' });

/** Ranges whose bars of one length (1m, 1h, 1d) were fetched from a venue. They are adjacent at most, and never overlap. */
export const FETCHED = table('fetched', ['symbol', 'timeframe', 'from'], {
  symbol: 'text',
  timeframe: 'text',
  from: 'int',
  to: 'int',
});

/** Instruments that operators added from the lists of venues; `listing` is what the venue said of it. */
export const ADDED_INSTRUMENTS = table('added_instruments', ['symbol'], {
  symbol: 'text',
  venue: 'text',
  listing: 'text',
  added_at: 'int',
});

/** Single values by name. */
export const NUMBERS = table('numbers', ['name'], { name: 'text', value: 'float' });

/** Days of the tape that were imported: they are kept however old they are. */
export const IMPORTED_DAYS = table('imported_days', ['day'], { day: 'text' });

/** Ticks in blocks per symbol and minute, and the newest ones in parts: see tape-rows.ts. SQLite has a file for each day. */
export const TAPE = table(
  'tape',
  ['minute', 'symbol', 'first_seq'],
  {
    minute: 'int',
    symbol: 'text',
    first_seq: 'int',
    count: 'int',
    bid_volume: 'float',
    ask_volume: 'float',
    checksum: 'int',
    bytes: 'bytes',
  },
  { partitioned: 'minute' },
);

export const NEWS = table(
  'news',
  ['id'],
  { id: 'text', published_at: 'int', seen_at: 'int', known_at: 'int', guid: 'text?', item: 'text' },
  { indexes: { published: 'published_at, id', seen: 'seen_at', known: 'known_at, id' } },
);

/** Revisions of items that later ones have replaced, with the time at which they were. */
export const NEWS_REPLACED = table(
  'news_replaced',
  ['id', 'known_at'],
  { id: 'text', known_at: 'int', until: 'int', published_at: 'int', item: 'text' },
  { indexes: { known: 'known_at, id', until: 'until', published: 'published_at' } },
);

/** Each item under every instrument that it mentions, and under '' for all: a page of any of them is read in its order. */
export const NEWS_LISTED = table(
  'news_listed',
  ['symbol', 'category', 'published_at', 'id'],
  {
    symbol: 'text',
    category: 'text',
    published_at: 'int',
    id: 'text',
    source: 'text',
    known_at: 'int',
    sentiment: 'text',
    score: 'float',
  },
  { indexes: { id: 'id' } },
);

/** What the market did after an item, with the label it had. They outlive the items; percent is null if there was no price. */
export const NEWS_MOVES = table(
  'news_moves',
  ['id', 'horizon'],
  {
    id: 'text',
    horizon: 'int',
    seen_at: 'int',
    model: 'text',
    category: 'text',
    sentiment: 'text',
    symbol: 'text?',
    percent: 'float?',
  },
  {
    indexes: {
      measured: { on: 'category, horizon, model, sentiment, percent', where: 'percent IS NOT NULL' },
      since: { on: 'seen_at', where: 'percent IS NOT NULL' },
    },
  },
);

/** The current state of each event of the economic calendar. */
export const CALENDAR = table(
  'calendar',
  ['id'],
  { id: 'text', time: 'int', updated_at: 'int', item: 'text' },
  { indexes: { time: 'time, id', updated: 'updated_at, id' } },
);

/** All revisions of its events. */
export const CALENDAR_REVISIONS = table(
  'calendar_revisions',
  ['id', 'revision'],
  { id: 'text', revision: 'int', impact: 'text', time: 'int', known_at: 'int', item: 'text' },
  { indexes: { impact: 'impact, id', time: 'time, id' } },
);
