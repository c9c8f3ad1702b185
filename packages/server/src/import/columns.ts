// Finds columns by name, in the spellings that exports use. Case, spaces and punctuation are ignored: "Tick Volume" equals
// tick_volume.
import { ImportError } from './import-error.ts';

/** Accepted spellings of each column; the first one found wins. */
const SPELLINGS = {
  time: [
    'time',
    'timestamp',
    'datetime',
    'ts',
    'gmttime',
    'localtime',
    'timeutc',
    'timegmt',
    'timeeet',
    'utctime',
    'timems',
    'unixtime',
    'unix',
    'opentime',
    'transactiontime',
    'transacttime',
    'eventtime',
  ],
  date: ['date', 'day'],
  bid: ['bid', 'bidprice', 'bestbid', 'bestbidprice'],
  ask: ['ask', 'askprice', 'offer', 'bestask', 'bestaskprice'],
  bidSize: ['bidsize', 'bidvolume', 'bidvol', 'bidqty', 'bestbidqty'],
  askSize: ['asksize', 'askvolume', 'askvol', 'askqty', 'bestaskqty'],
  price: ['price', 'last', 'lastprice', 'tradeprice'],
  size: ['size', 'qty', 'quantity', 'amount', 'tradesize', 'lastsize', 'volume', 'vol'],
  side: ['side', 'takerside', 'aggressor', 'direction'],
  buyerMaker: ['isbuyermaker', 'buyermaker'],
  id: ['id', 'tradeid', 'aggtradeid'],
  open: ['open', 'o'],
  high: ['high', 'h'],
  low: ['low', 'l'],
  close: ['close', 'c'],
  // MetaTrader has the number of ticks and the traded volume, which is mostly 0.
  volume: ['tickvol', 'tickvolume', 'volume', 'vol', 'v', 'realvolume'],
  flags: ['flags'],
} as const satisfies Record<string, readonly string[]>;

export type ColumnName = keyof typeof SPELLINGS;
/** Index of each column; -1 if the file does not have it. */
export type Columns = Readonly<Record<ColumnName, number>>;

const SEPARATORS = [',', '\t', ';', '|'] as const;
const normalize = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The separator that gives the most fields. */
export const separatorOf = (line: string): string =>
  SEPARATORS.reduce((best, mark) => (line.split(mark).length > line.split(best).length ? mark : best));

export function columnsOf(names: readonly string[]): Columns {
  const normalized = names.map(normalize);
  const found = Object.entries(SPELLINGS).map(([column, spellings]) => [
    column,
    (spellings as readonly string[]).map((spelling) => normalized.indexOf(spelling)).find((index) => index >= 0) ?? -1,
  ]);
  return Object.fromEntries(found) as Columns;
}

export type RowKind = 'quote' | 'trade' | 'bar';

/** The kind of rows these columns form; `null` if none. */
export function rowKindOf(columns: Columns): RowKind | null {
  if (columns.time < 0 && columns.date < 0) return null;
  if (columns.open >= 0 && columns.high >= 0 && columns.low >= 0 && columns.close >= 0) return 'bar';
  if (columns.bid >= 0 && columns.ask >= 0) return 'quote';
  return columns.price >= 0 ? 'trade' : null;
}

/** Like rowKindOf, but throws with the missing columns. */
export function requireRowKind(columns: Columns, names: readonly string[]): RowKind {
  const kind = rowKindOf(columns);
  if (kind) return kind;
  const found = names.map((name) => name.trim().slice(0, 30)).join(', ');
  const missing =
    columns.time < 0 && columns.date < 0
      ? 'a time column'
      : columns.bid >= 0 || columns.ask >= 0
        ? `the ${columns.bid >= 0 ? 'ask' : 'bid'} column`
        : 'bid and ask; or price; or open, high, low and close';
  throw new ImportError('wrong_columns', `missing: ${missing}. Columns found: ${found.slice(0, 300)}`);
}
